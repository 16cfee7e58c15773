// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* text.c - format error messages. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "linker.h"

static void text_vadd(struct text *t, const char *fmt, va_list ap)
{
	int n = vsnprintf(t->at, t->room, fmt, ap);

	if (n < 0 || !t->room)
		return;
	if ((size_t)n >= t->room)
		n = t->room - 1;
	t->at += n;
	t->room -= n;
}

void text_add(struct text *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	text_vadd(t, fmt, ap);
	va_end(ap);
}

int link_fail(struct link *l, int code, const char *fmt, ...)
{
	struct text t = { l->err, sizeof(l->err) };
	va_list ap;

	va_start(ap, fmt);
	text_vadd(&t, fmt, ap);
	va_end(ap);
	return code;
}

int link_fail_at(struct link *l, int code, int prog, int insn, const char *fmt, ...)
{
	struct text t = { l->err, sizeof(l->err) };
	struct line line;
	va_list ap;

	if (prog >= 0) {
		text_add(&t, "program %s", l->prog[prog].p->name);
		if (insn >= 0)
			text_add(&t, ", instruction %d", insn);
		if (object_line(l->o, l->prog[prog].p, insn, &line))
			text_add(&t, " (%s:%u: %s)", strrchr(line.file, '/') ?
				 strrchr(line.file, '/') + 1 : line.file, line.number, line.text);
		text_add(&t, ": ");
	}
	va_start(ap, fmt);
	text_vadd(&t, fmt, ap);
	va_end(ap);
	return code;
}
