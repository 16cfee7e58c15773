// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* fdinfo.c - see fdinfo.h. */
#define _GNU_SOURCE
#include "fdinfo.h"

long fdinfo_number(int fd, const char *key)
{
	char path[64], text[2048], line[64], *at;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	snprintf(line, sizeof(line), "\n%s:\t", key);
	at = proc_read(path, text, sizeof(text)) ? strstr(text, line) : NULL;
	return at ? strtol(at + strlen(line), NULL, 10) : -2;
}

bool fdinfo_has(int fd, const char *text)
{
	char path[64], info[2048];

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	return proc_read(path, info, sizeof(info)) && strstr(info, text);
}

long fdinfo_lines(const char *pid, const char *text)
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
