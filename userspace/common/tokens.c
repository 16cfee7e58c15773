// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* tokens.c - read a text that has one statement per line, word by word. */
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

int words_error(struct words *w, int code, const char *fmt, ...)
{
	size_t len;
	va_list ap;

	if (!w->err || !w->errlen)
		return -code;
	if (w->line)
		snprintf(w->err, w->errlen, "%s:%u: ", w->file, w->line);
	else
		snprintf(w->err, w->errlen, "%s: ", w->file);
	len = strlen(w->err);
	va_start(ap, fmt);
	vsnprintf(w->err + len, w->errlen - len, fmt, ap);
	va_end(ap);
	return -code;
}

static int read_all(struct words *w, FILE *f)
{
	size_t size = 0, room = 4096, n;
	char *more;

	for (;;) {
		more = realloc(w->text, room + 1);
		if (!more)
			return words_error(w, ENOMEM, "%s", strerror(ENOMEM));
		w->text = more;
		n = fread(w->text + size, 1, room - size, f);
		size += n;
		if (size < room)
			break;
		room *= 2;
		if (room > FILE_MAX)
			return words_error(w, EFBIG, "longer than %u bytes", FILE_MAX / 2);
	}
	if (ferror(f))
		return words_error(w, errno, "%s", strerror(errno));
	w->text[size] = '\0';
	if (strlen(w->text) != size)
		return words_error(w, EINVAL, "no text: a byte is 0");
	return 0;
}

/* Go to the first word. Some editors write a byte order mark before it. */
static void rewind_text(struct words *w)
{
	w->next = w->text;
	if (!strncmp(w->text, MARK, strlen(MARK)))
		w->next += strlen(MARK);
}

int words_open(struct words *w, const char *path, char *err, size_t errlen)
{
	FILE *f;
	int ret;

	*w = (struct words){ .file = path, .err = err, .errlen = errlen };
	f = fopen(path, "re");
	if (!f)
		return words_error(w, errno, "%s", strerror(errno));
	ret = read_all(w, f);
	fclose(f);
	if (ret)
		words_close(w);
	else
		rewind_text(w);
	return ret;
}

int words_text(struct words *w, const char *name, const char *text, char *err, size_t errlen)
{
	*w = (struct words){ .file = name, .err = err, .errlen = errlen };
	w->text = strdup(text);
	if (!w->text)
		return words_error(w, ENOMEM, "%s", strerror(ENOMEM));
	rewind_text(w);
	return 0;
}

void words_close(struct words *w)
{
	free(w->text);
	w->text = NULL;
}

static int split(struct words *w, char *line)
{
	char *save = NULL, *word;

	w->n = 0;
	for (word = strtok_r(line, " \t\r", &save); word; word = strtok_r(NULL, " \t\r", &save)) {
		if (w->n == WORDS_MAX)
			return words_error(w, EINVAL, "more than %u words", WORDS_MAX);
		w->word[w->n++] = word;
	}
	return 0;
}

int words_next(struct words *w)
{
	char *line;
	int ret;

	while (*w->next) {
		line = w->next;
		w->next = strchrnul(line, '\n');
		if (*w->next)
			*w->next++ = '\0';
		w->line++;
		*strchrnul(line, '#') = '\0';
		ret = split(w, line);
		if (ret || w->n)
			return ret ? ret : 1;
	}
	return 0;
}

int words_number(struct words *w, unsigned int i, const char *what, uint64_t max, uint64_t *val)
{
	char *end;

	errno = 0;
	*val = strtoull(w->word[i], &end, 10);
	if (!isdigit((unsigned char)*w->word[i]) || *end || errno || *val > max)
		return words_error(w, EINVAL, "%s '%s' is no number of 0 to %llu", what, w->word[i],
				   (unsigned long long)max);
	return 0;
}

int words_name(struct words *w, unsigned int i, const char *what, char *to, size_t size)
{
	const char *s = w->word[i], *c;

	for (c = s; *c; c++)
		if (!isalpha((unsigned char)*c) && *c != '_' &&
		    (c == s || (!isdigit((unsigned char)*c) && *c != '-')))
			return words_error(w, EINVAL, "%s '%s': a letter or '_', then letters, digits, "
					   "'_' and '-'", what, s);
	if (strlen(s) >= size)
		return words_error(w, EINVAL, "%s '%s' is longer than %zu characters", what, s, size - 1);
	strcpy(to, s);
	return 0;
}
