// SPDX-License-Identifier: BSD-2-Clause
/*
 * log.c - the board's log lines, and the board's clock.
 */
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <syslog.h>
#include <time.h>

#include "board_fw.h"

/*
 * Limits of the log: lines in one burst, and lines per second on average. The host can cause log
 * lines by its accesses, and must not fill the disk. Errors are always printed: they say why a
 * connection ended, for example.
 */
#define LOG_BURST	1000u
#define LOG_PER_SECOND	20u

void board_log(int level, const char *fmt, ...)
{
	static const char * const names[] = {
		"emerg", "alert", "crit", "error", "warning", "notice", "info", "debug",
	};
	static uint64_t second, room = LOG_BURST, lost;
	uint64_t now = board_now_ns(NULL) / 1000000000;
	char line[PATH_MAX + 256];	/* a line that names a file has its reason after it */
	va_list ap;

	if (now != second) {
		room += second ? (now - second) * LOG_PER_SECOND : 0;
		if (room > LOG_BURST)
			room = LOG_BURST;
		second = now;
	}
	if (level > LOG_ERR && !room) {
		lost++;
		return;
	}
	room -= room > 0;
	if (lost)
		fprintf(stderr, "nfpboard: notice: %llu lines were dropped: too many lines\n",
			(unsigned long long)lost);
	lost = 0;
	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	fprintf(stderr, "nfpboard: %s: %s\n", names[level & 7], line);
}

uint64_t board_now_ns(const struct board *b)
{
	struct timespec ts;

	(void)b;
	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}
