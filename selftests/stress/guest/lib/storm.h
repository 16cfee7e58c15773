/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* storm.h - the loop that the storms share, and the check for leaks. */
#ifndef STORM_H
#define STORM_H

#include "traffic.h"

#define LOOP_S		slowly(180)	/* a loop that takes longer has failed */
#define GOES		3	/* messages of each kind that show that channels work */
#define STORM_KINDS	8

/* The traffic: workers for every kind of channel, to the card and back */
extern const struct kind storm_kinds[STORM_KINDS];

/* Resources that a storm may leak; all but LEFT_KIB must stay exactly the same */
enum {
	LEFT_FILES, LEFT_PIPES, LEFT_INTERRUPTS, LEFT_VECTORS, LEFT_IRQS, LEFT_NODES,
	LEFT_CLASS, LEFT_DEVICE, LEFT_USERS, LEFT_THREADS, LEFT_DMA, LEFT_MANY,
	LEFT_KIB = LEFT_MANY, LEFT_ALL
};

struct left {
	long n[LEFT_ALL];
};

extern char pci[32];	/* the card's function */

/* Return the number after @name in a file, or at its start if @name is empty; 0 without it. */
long left_number(const char *path, const char *name);
struct left left_now(void);
bool left_same(const struct left *was, const struct left *is, const char *after);

/**
 * struct storm - an action that is repeated under traffic
 * @name: its name
 * @once: do it once; return false if it failed
 * @end: clean up, or NULL
 * @files: number of files on the command line, after the loops
 */
struct storm {
	const char *name;
	bool (*once)(unsigned int loop);
	void (*end)(void);
	int files;
};

void storm_init(void);	/* finds the card; the caller starts the traffic */

/* Run one of @storms, by a command line NAME LOOPS FILE... The last of @storms has no name. */
int storm_main(const struct storm *storms, int argc, char **argv);

#endif /* STORM_H */
