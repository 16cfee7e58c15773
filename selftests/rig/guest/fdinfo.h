/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* fdinfo.h - /proc/PID/fdinfo of open channels. */
#ifndef FDINFO_H
#define FDINFO_H

#include <glob.h>
#include "calls.h"

/* Return the number after a key in the fdinfo of @fd, or -2 if there is no such key. */
static inline long fdinfo_number(int fd, const char *key)
{
	char path[64], text[2048], line[64], *at;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	snprintf(line, sizeof(line), "\n%s:\t", key);
	at = proc_read(path, text, sizeof(text)) ? strstr(text, line) : NULL;
	return at ? strtol(at + strlen(line), NULL, 10) : -2;
}

static inline bool fdinfo_has(int fd, const char *text)
{
	char path[64], info[2048];

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	return proc_read(path, info, sizeof(info)) && strstr(info, text);
}

/* Count the lines of fdinfo that contain @text, for all files of @pid: "self" or "[0-9]*" (all). */
static inline long fdinfo_lines(const char *pid, const char *text)
{
	glob_t g = { 0 };
	char path[64];
	long n = 0;
	size_t i;

	snprintf(path, sizeof(path), "/proc/%s/fdinfo/*", pid);
	if (!glob(path, GLOB_NOSORT, NULL, &g))
		for (i = 0; i < g.gl_pathc; i++)
			n += lines_with(g.gl_pathv[i], text);
	globfree(&g);
	return n;
}

#endif /* FDINFO_H */
