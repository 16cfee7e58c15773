// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Write the files of a program: all of them, or none. They are written beside their paths first,
 * under other names.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "nclc.h"
#include "output.h"

/* @at: where the file is now */
struct output {
	char *path, *at, *data;
	size_t len;
};

static struct output *output;
static unsigned int outputs, written;

void output_add(char *path, char *data, size_t len)
{
	struct output *o = grow(&output, &outputs, sizeof(*o));

	*o = (struct output){ .path = path, .data = data, .len = len };
}

void output_copy(char *path, const char *from)
{
	FILE *f = fopen(from, "r");
	struct stat st;
	char *data;

	if (!f || fstat(fileno(f), &st))
		fail(EXIT_REFUSED, "%s: %s", from, strerror(errno));
	data = need(st.st_size, 1);
	if (fread(data, 1, st.st_size, f) != (size_t)st.st_size)
		fail(EXIT_REFUSED, "%s: cannot be read", from);
	fclose(f);
	output_add(path, data, st.st_size);
}

/* At exit: after a failure, remove what was written. */
static void remove_written(void)
{
	while (written)
		unlink(output[--written].at);
}

void output_folder(void)
{
	char *path = text("%s", options.out), *c = path, end;

	do {
		c += strspn(c, "/");
		c += strcspn(c, "/");
		end = *c;
		*c = 0;
		if (mkdir(path, 0777) && errno != EEXIST)
			fail(EXIT_REFUSED, "-o %s: %s", path, strerror(errno));
		*c = end;
	} while (end);
	free(path);
}

void output_write(void)
{
	unsigned int i;

	output_folder();
	atexit(remove_written);
	for (i = 0; i < outputs; i++) {
		struct output *o = &output[i];

		o->at = text("%s.%d.new", o->path, getpid());
		written++;
		write_file(o->at, o->data, o->len);
	}
	for (i = 0; i < outputs; i++) {
		if (rename(output[i].at, output[i].path))
			fail(EXIT_REFUSED, "%s: %s", output[i].path, strerror(errno));
		output[i].at = output[i].path;
	}
	written = 0;
}
