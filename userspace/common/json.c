// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* json.c - write one JSON document to a stream, piece by piece. */
#include <inttypes.h>
#include <stdlib.h>
#include "json.h"

void json_init(struct json *j, FILE *out)
{
	*j = (struct json){ .out = out };
}

/* Length of the UTF-8 sequence at @s (RFC 3629), 0 if it is not valid. */
static unsigned int utf8_len(const unsigned char *s)
{
	unsigned int n, i;

	if (s[0] < 0x80)
		return 1;
	if (s[0] < 0xc2 || s[0] > 0xf4)
		return 0;
	n = s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
	for (i = 1; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	/* Refuse overlong forms, surrogates, and code points beyond U+10FFFF. */
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
	    (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
		return 0;
	return n;
}

static void put_string(struct json *j, const char *val)
{
	const unsigned char *s = (const unsigned char *)val;
	unsigned int n;

	fputc('"', j->out);
	for (; *s; s += n) {
		n = utf8_len(s);
		if (!n) {
			fputs("\\ufffd", j->out);
			n = 1;
		} else if (*s == '"' || *s == '\\') {
			fprintf(j->out, "\\%c", *s);
		} else if (*s == '\n') {
			fputs("\\n", j->out);
		} else if (*s < 0x20 || *s == 0x7f) {
			fprintf(j->out, "\\u%04x", *s);
		} else {
			fwrite(s, 1, n, j->out);
		}
	}
	fputc('"', j->out);
}

/* The outermost object or array is opened with its first element, or when it is closed. */
static void begin(struct json *j)
{
	if (j->depth && !j->begun)
		fputc(j->close[0] == '}' ? '{' : '[', j->out);
	j->begun = true;
}

/* Begin a value: write a comma, if one is needed, and the key. */
static void lead(struct json *j, const char *key)
{
	bool in_object = j->depth && j->close[j->depth - 1] == '}';

	if (in_object != !!key)
		abort();
	begin(j);
	if (j->depth) {
		if (j->filled[j->depth - 1])
			fputc(',', j->out);
		j->filled[j->depth - 1] = true;
	}
	if (key) {
		put_string(j, key);
		fputc(':', j->out);
	}
}

static void open_nest(struct json *j, const char *key, char opening, char closing)
{
	if (j->depth == JSON_DEPTH || (!j->depth && key))
		abort();
	if (j->depth) {
		lead(j, key);
		fputc(opening, j->out);
	}
	j->close[j->depth] = closing;
	j->filled[j->depth] = false;
	j->depth++;
}

void json_object(struct json *j, const char *key)
{
	open_nest(j, key, '{', '}');
}

void json_array(struct json *j, const char *key)
{
	open_nest(j, key, '[', ']');
}

void json_close(struct json *j)
{
	if (!j->depth)
		abort();
	begin(j);
	fputc(j->close[--j->depth], j->out);
}

void json_end(struct json *j)
{
	if (j->depth)
		abort();
	if (j->begun)
		fputc('\n', j->out);
	j->begun = false;
	if (j->lines)
		fflush(j->out);
}

/* ---- rows ---- */

void json_rows(struct json *j, const char *key)
{
	if (!j->lines) {
		json_array(j, key);
		return;
	}
	if (j->depth > 1)
		abort();
	j->members = j->depth;
	if (j->depth && j->begun) {
		json_close(j);
		json_end(j);
	}
	j->depth = 0;
}

void json_row_end(struct json *j)
{
	if (j->lines)
		json_end(j);
}

void json_rows_end(struct json *j)
{
	if (!j->lines)
		json_close(j);
	else if (j->members)
		json_object(j, NULL);
}

void json_u64(struct json *j, const char *key, uint64_t val)
{
	lead(j, key);
	fprintf(j->out, "%" PRIu64, val);
}

void json_number(struct json *j, const char *key, const char *val)
{
	lead(j, key);
	fputs(val, j->out);
}

void json_bool(struct json *j, const char *key, bool val)
{
	lead(j, key);
	fputs(val ? "true" : "false", j->out);
}

void json_null(struct json *j, const char *key)
{
	lead(j, key);
	fputs("null", j->out);
}

void json_str(struct json *j, const char *key, const char *val)
{
	lead(j, key);
	put_string(j, val);
}

void json_hex(struct json *j, const char *key, const void *data, size_t len)
{
	const unsigned char *p = data;

	lead(j, key);
	fputc('"', j->out);
	while (len--)
		fprintf(j->out, "%02x", *p++);
	fputc('"', j->out);
}
