// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* error.c - the text of a thread's last failure. */
#include <stdarg.h>
#include <stdio.h>
#include "rt.h"

static __thread char text[256];

int rt_fail(int err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return err;
}

const char *ncrt_last_error(void)
{
	return text;
}

char *ncrt_error(struct ncrt *nc, char *buf, size_t len)
{
	(void)nc;
	snprintf(buf, len, "%s", text);
	return buf;
}
