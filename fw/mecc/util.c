// SPDX-License-Identifier: BSD-2-Clause
/* util.c - messages and memory of the compiler. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "mecc.h"

void refuse(struct where at, const char *function, const char *fmt, ...)
{
	va_list ap;

	if (at.file && at.line)
		fprintf(stderr, "%s:%u: error: ", at.file, at.line);
	else
		fprintf(stderr, "%s: error: ", options.file[0]);
	if (function)
		fprintf(stderr, "in %s(): ", function);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(EXIT_REFUSED);
}

void fail(int status, const char *fmt, ...)
{
	va_list ap;

	fputs("mecc: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(status);
}

void *need(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size);

	if (!p)
		fail(EXIT_REFUSED, "out of memory");
	return p;
}

char *text(const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	if (vasprintf(&s, fmt, ap) < 0)
		fail(EXIT_REFUSED, "out of memory");
	va_end(ap);
	return s;
}

/* The array doubles when its length is a power of two or 0. */
void *room(void *array, unsigned int n, size_t size)
{
	if (n & (n - 1))
		return array;
	array = realloc(array, (n ? 2ul * n : 1) * size);
	if (!array)
		fail(EXIT_REFUSED, "out of memory");
	return array;
}
