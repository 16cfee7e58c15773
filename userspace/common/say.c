// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* say.c - keep messages of libbpf, the verifier and drivers, and choose one to print. */
#define _GNU_SOURCE
#include <bpf/libbpf.h>
#include <stdio.h>
#include <string.h>
#include "say.h"

#define LOG_SIZE	(256 << 10)

static char log_text[LOG_SIZE];
static size_t logged;

/*
 * Add a message to the log. The cause of a failure is near the end, so drop the first half of the
 * log when it is full.
 */
static int keep(enum libbpf_print_level level, const char *fmt, va_list ap)
{
	va_list again;
	int n;

	if (level > LIBBPF_WARN)
		return 0;
	va_copy(again, ap);
	n = vsnprintf(log_text + logged, sizeof(log_text) - logged, fmt, ap);
	if (n >= (int)(sizeof(log_text) - logged) && logged) {
		memmove(log_text, log_text + logged / 2, logged - logged / 2);
		logged -= logged / 2;
		n = vsnprintf(log_text + logged, sizeof(log_text) - logged, fmt, again);
	}
	va_end(again);
	if (n > 0)
		logged = strlen(log_text);
	return 0;
}

void say_begin(void)
{
	libbpf_set_print(keep);
	logged = 0;
	*log_text = '\0';
}

/*
 * Rank a line: 3 from a driver, 2 from the kernel about an interface, 1 from the verifier, 0
 * other.
 */
static int rank(const char *line)
{
	static const char * const dull[] = {
		"processed ", "stack depth", "verification time", "-- ", "libbpf: ", "max_states",
	};
	size_t i;

	if (!strncmp(line, "[nfp] ", 6))
		return 3;
	if (strstr(line, "Kernel error message: "))
		return 2;
	for (i = 0; i < sizeof(dull) / sizeof(dull[0]); i++)
		if (!strncmp(line, dull[i], strlen(dull[i])))
			return 0;
	return 1;
}

void say_print(void)
{
	const char *l, *end;

	for (l = log_text; *l; l = end + (*end == '\n')) {
		end = strchrnul(l, '\n');
		fprintf(stderr, "  %.*s\n", (int)(end - l), l);
	}
}

bool say_worst(char line[SAY_LINE])
{
	int best = -1;
	char *l, *save = NULL;

	for (l = strtok_r(log_text, "\n", &save); l; l = strtok_r(NULL, "\n", &save))
		if (rank(l) >= best) {
			best = rank(l);
			snprintf(line, SAY_LINE, "%s", l);
		}
	logged = 0;
	*log_text = '\0';
	return best >= 0;
}
