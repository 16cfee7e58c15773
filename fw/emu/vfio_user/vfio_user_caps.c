// SPDX-License-Identifier: BSD-2-Clause
/*
 * vfio_user_caps.c - parses the JSON text of vfio-user's VERSION message.
 *
 * There is a small parser here, because the text comes from a client that is not trusted, and
 * only five values of it are used.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "vfio_user_priv.h"

#define DEPTH_MAX	8
#define KEY_MAX		32

struct json {
	const char *text;
	const char *p;		/* the text ends with a NUL */
	unsigned int depth;
	char *err;
	size_t errlen;
};

/* The type of a value. Values of KIND_OTHER are checked and skipped. */
enum kind { KIND_OTHER, KIND_NUMBER, KIND_BOOL };

struct value {
	enum kind kind;
	uint64_t num;		/* also set for KIND_BOOL */
};

typedef int (*member_fn)(struct json *j, const char *key, void *arg);

static int json_bad(struct json *j, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static int json_bad(struct json *j, const char *fmt, ...)
{
	char why[128];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, sizeof(why), fmt, ap);
	va_end(ap);
	snprintf(j->err, j->errlen, "VERSION data, byte %zu: %s",
		 (size_t)(j->p - j->text), why);
	return -EPROTO;
}

static char json_peek(struct json *j)
{
	while (*j->p == ' ' || *j->p == '\t' || *j->p == '\n' || *j->p == '\r')
		j->p++;
	return *j->p;
}

static int json_expect(struct json *j, char c)
{
	char got = json_peek(j);

	if (got != c)
		return json_bad(j, "character 0x%02x, expected '%c'",
				(unsigned char)got, c);
	j->p++;
	return 0;
}

static int json_escape(struct json *j)
{
	static const char hex[] = "0123456789abcdefABCDEF";

	if (*j->p == 'u') {
		for (int i = 1; i <= 4; i++) {
			/* strchr() also finds the NUL, so check for the end first */
			if (!j->p[i] || !strchr(hex, j->p[i]))
				return json_bad(j, "\\u without 4 hex digits");
		}
		j->p += 5;
		return 0;
	}
	if (!*j->p || !strchr("\"\\/bfnrt", *j->p))
		return json_bad(j, "escape 0x%02x unknown", (unsigned char)*j->p);
	j->p++;
	return 0;
}

/*
 * Copy the string's raw characters to @out. A string that does not fit is cut off, and then is
 * too long to equal a known key.
 */
static int json_string(struct json *j, char *out, size_t room)
{
	size_t n = 0;
	int ret = json_expect(j, '"');

	while (!ret && *j->p != '"') {
		unsigned char c = *j->p;

		if (c < 0x20)
			return json_bad(j, "character 0x%02x in a string", c);
		if (n + 1 < room)
			out[n++] = c;
		j->p++;
		if (c == '\\')
			ret = json_escape(j);
	}
	out[n] = '\0';
	if (!ret)
		j->p++;
	return ret;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static int json_digits(struct json *j)
{
	if (!is_digit(*j->p))
		return json_bad(j, "character 0x%02x, expected a digit",
				(unsigned char)*j->p);
	while (is_digit(*j->p))
		j->p++;
	return 0;
}

/* Parse any JSON number. Only a whole number that fits in uint64_t becomes KIND_NUMBER. */
static int json_number(struct json *j, struct value *v)
{
	const char *start = j->p;
	bool whole = true;
	int ret;

	if (*j->p == '-') {
		whole = false;
		j->p++;
	}
	ret = json_digits(j);
	v->num = 0;
	for (const char *d = start; whole && d < j->p; d++) {
		if (__builtin_mul_overflow(v->num, 10, &v->num) ||
		    __builtin_add_overflow(v->num, (uint64_t)(*d - '0'), &v->num))
			whole = false;
	}
	if (!ret && *j->p == '.') {
		whole = false;
		j->p++;
		ret = json_digits(j);
	}
	if (!ret && (*j->p == 'e' || *j->p == 'E')) {
		whole = false;
		j->p++;
		if (*j->p == '+' || *j->p == '-')
			j->p++;
		ret = json_digits(j);
	}
	v->kind = whole ? KIND_NUMBER : KIND_OTHER;
	return ret;
}

static bool json_word(struct json *j, const char *word)
{
	size_t n = strlen(word);

	if (strncmp(j->p, word, n))
		return false;
	j->p += n;
	return true;
}

static int json_object(struct json *j, member_fn fn, void *arg);
static int json_array(struct json *j);

static int json_value(struct json *j, struct value *v)
{
	char scratch[KEY_MAX];

	v->kind = KIND_OTHER;
	switch (json_peek(j)) {
	case '{':
		return json_object(j, NULL, NULL);
	case '[':
		return json_array(j);
	case '"':
		return json_string(j, scratch, sizeof(scratch));
	case 't':
	case 'f':
		v->num = *j->p == 't';
		v->kind = KIND_BOOL;
		if (json_word(j, v->num ? "true" : "false"))
			return 0;
		break;
	case 'n':
		if (json_word(j, "null"))
			return 0;
		break;
	default:
		return json_number(j, v);
	}
	return json_bad(j, "unknown word");
}

static int json_enter(struct json *j, char open)
{
	if (++j->depth > DEPTH_MAX)
		return json_bad(j, "nested deeper than %d", DEPTH_MAX);
	return json_expect(j, open);
}

/* After an element: return 1 if another one follows, 0 after @close. */
static int json_next(struct json *j, char close)
{
	if (json_peek(j) == ',') {
		j->p++;
		return 1;
	}
	j->depth--;
	return json_expect(j, close);
}

static int json_array(struct json *j)
{
	struct value v;
	int ret = json_enter(j, '[');

	if (!ret && json_peek(j) == ']')
		return json_next(j, ']');
	while (!ret) {
		ret = json_value(j, &v);
		if (ret)
			break;
		ret = json_next(j, ']');
		if (ret <= 0)
			break;
		ret = 0;
	}
	return ret;
}

static int json_object(struct json *j, member_fn fn, void *arg)
{
	char key[KEY_MAX];
	struct value v;
	int ret = json_enter(j, '{');

	if (!ret && json_peek(j) == '}')
		return json_next(j, '}');
	while (!ret) {
		ret = json_string(j, key, sizeof(key));
		if (!ret)
			ret = json_expect(j, ':');
		if (!ret)
			ret = fn ? fn(j, key, arg) : json_value(j, &v);
		if (ret)
			break;
		ret = json_next(j, '}');
		if (ret <= 0)
			break;
		ret = 0;
	}
	return ret;
}

static int caps_number(struct json *j, const char *key, uint64_t min, uint64_t *out)
{
	struct value v;
	int ret = json_value(j, &v);

	if (ret)
		return ret;
	if (v.kind != KIND_NUMBER)
		return json_bad(j, "%s is not a whole number of 64 bits", key);
	if (v.num < min)
		return json_bad(j, "%s is %llu, least is %llu", key,
				(unsigned long long)v.num, (unsigned long long)min);
	*out = v.num;
	return 0;
}

static int caps_member(struct json *j, const char *key, void *arg)
{
	struct vu_caps *c = arg;
	struct value v;
	int ret;

	if (!strcmp(key, "max_msg_fds"))
		return caps_number(j, key, 0, &c->max_msg_fds);
	if (!strcmp(key, "max_data_xfer_size"))
		return caps_number(j, key, 1, &c->max_data_xfer_size);
	if (!strcmp(key, "max_dma_maps"))
		return caps_number(j, key, 1, &c->max_dma_maps);
	if (!strcmp(key, "pgsizes"))
		return caps_number(j, key, 1, &c->pgsizes);
	ret = json_value(j, &v);
	if (ret || strcmp(key, "write_multiple"))
		return ret;
	if (v.kind != KIND_BOOL)
		return json_bad(j, "write_multiple is neither true nor false");
	c->write_multiple = v.num;
	return 0;
}

static int top_member(struct json *j, const char *key, void *arg)
{
	struct value v;

	if (!strcmp(key, "capabilities"))
		return json_object(j, caps_member, arg);
	return json_value(j, &v);
}

int vu_caps_parse(const char *text, size_t len, struct vu_caps *c,
		  char *err, size_t errlen)
{
	struct json j = { .text = text, .p = text, .err = err, .errlen = errlen };
	int ret;

	*c = (struct vu_caps){
		.max_msg_fds = 1, .max_data_xfer_size = 1024 * 1024,
		.max_dma_maps = 65535, .pgsizes = VU_PGSIZE,
	};
	if (!len)
		return 0;
	if (strnlen(text, len) != len - 1) {
		snprintf(err, errlen,
			 "VERSION data of %zu bytes: NUL at %zu, expected at the end",
			 len, strnlen(text, len));
		return -EPROTO;
	}
	ret = json_object(&j, top_member, c);
	if (!ret && json_peek(&j))
		ret = json_bad(&j, "character 0x%02x behind the object",
			       (unsigned char)*j.p);
	return ret;
}
