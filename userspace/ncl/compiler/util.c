// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Messages, memory, texts and temporary files of the compiler. */
#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "nclc.h"
#include "output.h"

void refuse(const struct where *at, const char *fmt, ...)
{
	va_list ap;

	if (at && at->file && at->line)
		fprintf(stderr, "%s:%u: error: ", at->file, at->line);
	else
		fprintf(stderr, "%s: error: ", options.file);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(EXIT_REFUSED);
}

void internal(const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "nclc: internal error: ");
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fprintf(stderr, "\nnclc: this is a bug in nclc; please report it with %s\n", options.file);
	exit(EXIT_INTERNAL);
}

void fail(int status, const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "nclc: ");
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

/* If *@n is a power of two or 0, the memory is full: double it. */
void *grow(void *list, unsigned int *n, size_t size)
{
	char **p = list;

	if (!(*n & (*n - 1))) {
		*p = realloc(*p, (*n ? 2 * *n : 1) * size);
		if (!*p)
			fail(EXIT_REFUSED, "out of memory");
	}
	memset(*p + *n * size, 0, size);
	return *p + (*n)++ * size;
}

void put(struct buf *b, const char *fmt, ...)
{
	va_list ap;
	char *s;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&s, fmt, ap);
	va_end(ap);
	b->s = n < 0 ? NULL : realloc(b->s, b->len + n + 1);
	if (!b->s)
		fail(EXIT_REFUSED, "out of memory");
	memcpy(b->s + b->len, s, n + 1);
	b->len += n;
	free(s);
}

void write_file(const char *path, const char *s, size_t len)
{
	FILE *f = fopen(path, "w");

	if (!f || fwrite(s, 1, len, f) != len || fclose(f))
		fail(EXIT_REFUSED, "%s: %s", path, strerror(errno));
}

static char *folder;
static pid_t owner;

static void remove_folder(void)
{
	struct dirent *e;
	DIR *d;

	if (getpid() != owner)
		return;		/* a child of window_search.c: the parent needs the directory */
	/* Wait for each clang that still runs: it reads a file in the directory. */
	while (wait(NULL) > 0)
		;
	d = opendir(folder);
	while (d && (e = readdir(d)))
		if (e->d_name[0] != '.')
			unlinkat(dirfd(d), e->d_name, 0);
	if (d)
		closedir(d);
	rmdir(folder);
}

char *temp_path(const char *name)
{
	if (!folder) {
		if (options.keep)
			output_folder();
		folder = options.keep ? text("%s/nclc.XXXXXX", options.out) :
		       text("%s/nclc.XXXXXX", getenv("TMPDIR") ?: "/tmp");
		owner = getpid();
		if (!mkdtemp(folder))
			fail(EXIT_REFUSED, "%s: %s", folder, strerror(errno));
		if (options.keep)
			fprintf(stderr, "nclc: intermediate files are in %s\n", folder);
		else
			atexit(remove_folder);
	}
	return text("%s/%s", folder, name);
}
