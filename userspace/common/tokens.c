// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* tokens.c - read a text that has one statement per line, token by token. */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tokens.h"

#define FILE_MAX	(16 << 20)	/* bytes: the buffer grows no further */
#define MARK		"\xef\xbb\xbf"	/* byte order mark of UTF-8 */

int tokens_error(struct tokens *t, int code, const char *fmt, ...)
{
	size_t len;
	va_list ap;

	if (!t->err || !t->errlen)
		return -code;
	if (t->line)
		snprintf(t->err, t->errlen, "%s:%u: ", t->file, t->line);
	else
		snprintf(t->err, t->errlen, "%s: ", t->file);
	len = strlen(t->err);
	va_start(ap, fmt);
	vsnprintf(t->err + len, t->errlen - len, fmt, ap);
	va_end(ap);
	return -code;
}

static int read_all(struct tokens *t, FILE *f)
{
	size_t size = 0, room = 4096, n;
	char *more;

	for (;;) {
		more = realloc(t->text, room + 1);
		if (!more)
			return tokens_error(t, ENOMEM, "%s", strerror(ENOMEM));
		t->text = more;
		n = fread(t->text + size, 1, room - size, f);
		size += n;
		if (size < room)
			break;
		room *= 2;
		if (room > FILE_MAX)
			return tokens_error(t, EFBIG, "longer than %u bytes", FILE_MAX / 2);
	}
	if (ferror(f))
		return tokens_error(t, errno, "%s", strerror(errno));
	t->text[size] = '\0';
	if (strlen(t->text) != size)
		return tokens_error(t, EINVAL, "no text: a byte is 0");
	return 0;
}

static int read_file(struct tokens *t)
{
	FILE *f = fopen(t->file, "re");
	int ret;

	if (!f)
		return tokens_error(t, errno, "%s", strerror(errno));
	ret = read_all(t, f);
	fclose(f);
	return ret;
}

static int copy_text(struct tokens *t, const char *text)
{
	t->text = strdup(text);
	return t->text ? 0 : tokens_error(t, ENOMEM, "%s", strerror(ENOMEM));
}

int tokens_open(struct tokens *t, const char *name, const char *text, char *err, size_t errlen)
{
	int ret;

	*t = (struct tokens){ .file = name, .err = err, .errlen = errlen };
	ret = text ? copy_text(t, text) : read_file(t);
	if (ret) {
		tokens_close(t);
		return ret;
	}
	/* Some editors write a byte order mark before the first token. */
	t->next = t->text;
	if (!strncmp(t->text, MARK, strlen(MARK)))
		t->next += strlen(MARK);
	return 0;
}

void tokens_close(struct tokens *t)
{
	free(t->text);
	t->text = NULL;
}

static int split(struct tokens *t, char *line)
{
	char *save = NULL, *token;

	t->n = 0;
	while ((token = strtok_r(line, " \t\r", &save))) {
		line = NULL;
		if (t->n == TOKENS_MAX)
			return tokens_error(t, EINVAL, "more than %u words", TOKENS_MAX);
		t->token[t->n++] = token;
	}
	return 0;
}

int tokens_next(struct tokens *t)
{
	char *line;
	int ret;

	while (*t->next) {
		line = t->next;
		t->next = strchrnul(line, '\n');
		if (*t->next)
			*t->next++ = '\0';
		t->line++;
		*strchrnul(line, '#') = '\0';
		ret = split(t, line);
		if (ret || t->n)
			return ret ? ret : 1;
	}
	return 0;
}

int tokens_number(struct tokens *t, unsigned int i, const char *what, uint64_t max, uint64_t *val)
{
	char *end;

	errno = 0;
	*val = strtoull(t->token[i], &end, 10);
	if (!isdigit((unsigned char)*t->token[i]) || *end || errno || *val > max)
		return tokens_error(t, EINVAL, "%s '%s' is no number of 0 to %llu", what, t->token[i],
				    (unsigned long long)max);
	return 0;
}

int tokens_name(struct tokens *t, unsigned int i, const char *what, char *to, size_t size)
{
	const char *s = t->token[i], *c;

	for (c = s; *c; c++)
		if (!isalpha((unsigned char)*c) && *c != '_' &&
		    (c == s || (!isdigit((unsigned char)*c) && *c != '-')))
			return tokens_error(t, EINVAL, "%s '%s': a letter or '_', then letters, digits, "
					    "'_' and '-'", what, s);
	if (strlen(s) >= size)
		return tokens_error(t, EINVAL, "%s '%s' is longer than %zu characters", what, s, size - 1);
	strcpy(to, s);
	return 0;
}
