/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mecc.h - what all parts of the compiler share: options, messages, memory.
 *
 * The steps, each with one file and the data that it hands on:
 *	front.c		C source -> LLVM module with everything inlined
 *	legal.c		LLVM module -> LLVM module with simple operations only
 *	place.c		static objects -> addresses
 *	isel*.c		LLVM function -> struct mfunc with virtual registers
 *	alloc*.c	struct mfunc -> struct mfunc with registers
 *	emit.c		struct mfunc -> instructions of struct image
 *	object.c, list.c	struct image -> object file, listing
 */
#ifndef MECC_H
#define MECC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LM_BYTES	4096	/* local memory of a microengine */
#define STORE_WORDS	8192	/* its code store */

enum { EXIT_REFUSED = 1, EXIT_USAGE = 2, EXIT_INTERNAL = 70 };

/*
 * Address spaces of pointers. Objects without a qualifier are in local memory. A number times 4 in
 * SPACE_XREAD is a read transfer register, which no object is in.
 */
enum space { SPACE_LM, SPACE_EMEM = 7, SPACE_XREAD = 8 };

#define XFERS		16	/* transfer registers of a context in each direction */
#define XFERS_MIN	8	/* of these, what commands need */

struct options {
	const char **file;
	unsigned int files;
	const char *out;
	unsigned int island, me;	/* whose code store the object is for */
	unsigned int gprs;		/* registers of a context in each bank */
	unsigned int free[2];		/* of these, how many of bank A and B allocation may choose from */
	unsigned int xfers;		/* transfer registers of commands: the program has the rest */
	int exit_at;			/* code address at which an entry ends; -1: kill */
	bool list;
	bool mir;			/* print the code before and after register allocation */
	const char **entry;
	unsigned int entries;
	const char **clang;		/* options for clang */
	unsigned int clangs;
};

extern struct options options;

/* A place in the source */
struct where {
	const char *file;	/* NULL: unknown */
	unsigned int line;
};

/* Print FILE:LINE: error: in function: MESSAGE, and end. */
__attribute__((noreturn, format(printf, 3, 4)))
void refuse(struct where at, const char *function, const char *fmt, ...);
__attribute__((noreturn, format(printf, 2, 3)))
void fail(int status, const char *fmt, ...);
#define internal(...) fail(EXIT_INTERNAL, "internal error: " __VA_ARGS__)

void *need(size_t n, size_t size);
__attribute__((format(printf, 1, 2)))
char *text(const char *fmt, ...);

/* Make room for one more element of an array that has @n of them, and return the array. */
void *room(void *array, unsigned int n, size_t size);

#endif /* MECC_H */
