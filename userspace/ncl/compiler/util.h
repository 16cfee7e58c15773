/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* util.h - messages, memory, texts and temporary files of the compiler. */
#ifndef NCLC_UTIL_H
#define NCLC_UTIL_H

#include <stddef.h>

#define EXIT_REFUSED	1
#define EXIT_USAGE	2
#define EXIT_INTERNAL	70	/* EX_SOFTWARE of sysexits.h */

/* A line of the user's file */
struct where {
	const char *file;
	unsigned int line;
};

/* Print "file:line: error: text" and exit with EXIT_REFUSED. Without a line, name the user's file. */
void refuse(const struct where *at, const char *fmt, ...)
	__attribute__((noreturn, format(printf, 2, 3)));
void internal(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));
void fail(int status, const char *fmt, ...) __attribute__((noreturn, format(printf, 2, 3)));
/* calloc() and asprintf() that exit if memory is short */
void *need(size_t n, size_t size);
char *text(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/*
 * Append a zeroed element to *@list, which has *@n elements. Returns the element's address. The
 * compiler never frees lists: it exits after one program.
 */
void *grow(void *list, unsigned int *n, size_t size);

/* A string that put() appends to */
struct buf {
	char *s;
	size_t len;
};

void put(struct buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void write_file(const char *path, const char *s, size_t len);
/* Path of a temporary file. nclc removes the file when it exits, unless --keep is given. */
char *temp_path(const char *name);

#endif /* NCLC_UTIL_H */
