/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* storm.h - what the storms share: the loop under traffic, and what is left. */
#ifndef STORM_H
#define STORM_H

#include "traffic.h"

#define LOOP_S		180	/* what takes longer has failed, on a slow kernel too */
#define GOES		3	/* messages of each kind that show that channels work */
#define STORM_KINDS	8

/* The traffic: every kind of channel, there and back. */
extern const struct kind storm_kinds[STORM_KINDS];

/* What the system has of us; all but the last by number. */
enum {
	LEFT_FILES, LEFT_PIPES, LEFT_INTERRUPTS, LEFT_VECTORS, LEFT_IRQS, LEFT_NODES,
	LEFT_CLASS, LEFT_DEVICE, LEFT_USERS, LEFT_THREADS, LEFT_DMA, LEFT_MANY,
	LEFT_KIB = LEFT_MANY, LEFT_ALL
};

struct left {
	long n[LEFT_ALL];
};

extern char pci[32];	/* the card's function */

/* The number behind @name in a file, or at its start; 0 without it. */
long left_number(const char *path, const char *name);
struct left left_now(void);
bool left_same(const struct left *was, const struct left *is, const char *after);

/**
 * struct storm - something that is done over and over, under traffic
 * @name: of it
 * @once: does it; false: it did not go as it must
 * @end: undoes what it has made for itself, or NULL
 * @files: of its command line, behind the loops
 */
struct storm {
	const char *name;
	bool (*once)(unsigned int loop);
	void (*end)(void);
	int files;
};

void storm_init(void);	/* finds the card; the traffic is yet to start */

/* Run one of @storms, the last of which has no name, by a command line NAME LOOPS FILE... */
int storm_main(const struct storm *storms, int argc, char **argv);

#endif /* STORM_H */
