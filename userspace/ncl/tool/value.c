// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* value.c - print variables of a device, as text or JSON. */
#define _GNU_SOURCE
#include <bpf/bpf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "value.h"

#define TEXT	(2 * UINT16_MAX + 3)	/* a text of bytes in hexadecimal */
#define ELEMENT	UINT16_MAX		/* most bytes of an element of a BPF map */
#define COLUMNS	16			/* elements printed on one line */

/*
 * Format an element as text. The text is also valid as a JSON number, except for types
 * "bytes...".
 */
static const char *element_text(const char *type, const uint8_t *at)
{
	static char text[TEXT];
	unsigned int size = desc_type_size(type), i;
	uint64_t u = 0;
	float f;
	double d;

	if (!strncmp(type, "bytes", 5)) {
		for (i = 0; i < size; i++)
			sprintf(text + 2 * i, "%02x", at[i]);
		return text;
	}
	memcpy(&u, at, size);
	memcpy(&f, at, sizeof(f) < size ? sizeof(f) : size);
	memcpy(&d, &u, sizeof(d));
	if (*type == 'f')
		snprintf(text, sizeof(text), size == 4 ? "%.9g" : "%.17g", size == 4 ? (double)f : d);
	else if (*type == 'i')
		snprintf(text, sizeof(text), "%" PRId64, (int64_t)(u << (64 - 8 * size)) >>
			 (64 - 8 * size));
	else
		snprintf(text, sizeof(text), "%" PRIu64, u);
	return text;
}

static void element_json(const char *type, const uint8_t *at, struct json *j, const char *key)
{
	const char *text = element_text(type, at);

	/* JSON has no numbers "nan" and "inf". */
	if (!strncmp(type, "bytes", 5) || strpbrk(text, "ni"))
		json_str(j, key, text);
	else if (!strcmp(type, "bool"))
		json_bool(j, key, *at);
	else
		json_number(j, key, text);
}

/* Called for each element of an array or each entry of a map */
typedef void on_element(const struct desc_var *v, uint64_t i, const uint8_t *at, void *arg);
typedef void on_entry(const struct desc_var *v, const uint8_t *key, const uint8_t *value, void *arg);

static int each_element(const struct desc_var *v, int fd, on_element *f, void *arg)
{
	static uint8_t entry[ELEMENT];
	uint32_t key, have = UINT32_MAX;
	unsigned int offset;
	uint64_t i;
	int err;

	for (i = 0; i < desc_var_count(v); i++) {
		desc_var_at(v, i, &key, &offset);
		err = key == have ? 0 : bpf_map_lookup_elem(fd, &key, entry);
		if (err)
			return err;
		have = key;
		f(v, i, entry + offset, arg);
	}
	return 0;
}

/*
 * Call @f for each entry of a map. A kernel may delete an entry between the two calls; skip that
 * entry.
 */
static int each_entry(const struct desc_var *v, int fd, on_entry *f, void *arg)
{
	static uint8_t key[ELEMENT], next[ELEMENT], value[ELEMENT];
	uint64_t left = 2 * desc_var_count(v);
	void *from = NULL;
	int err;

	while (!(err = bpf_map_get_next_key(fd, from, next)) && left--) {
		memcpy(key, next, v->key_size);
		from = key;
		err = bpf_map_lookup_elem(fd, key, value);
		if (!err)
			f(v, key, value, arg);
		else if (err != -ENOENT)
			return err;
	}
	return err == -ENOENT ? 0 : err;
}

static void print_element(const struct desc_var *v, uint64_t i, const uint8_t *at, void *arg)
{
	uint64_t row = v->dims > 1 ? v->dim[v->dims - 1] : desc_var_count(v), col = i % row;

	(void)arg;
	if (v->dims && !(col % COLUMNS))
		printf("%s    [%" PRIu64 "]", i ? "\n" : "", i);
	printf(" %s", element_text(v->type, at));
}

static void print_entry(const struct desc_var *v, const uint8_t *key, const uint8_t *value, void *arg)
{
	(void)arg;
	printf("    %s:", element_text(v->key_type, key));
	printf(" %s\n", element_text(v->type, value));
}

int value_print(const struct desc_var *v, int fd)
{
	unsigned int i;
	int err;

	printf("  %s %s", v->type, v->name);
	for (i = 0; i < v->dims; i++)
		printf("[%u]", v->dim[i]);
	if (v->layout == DESC_HASH) {
		printf(", by %s\n", v->key_type);
		return each_entry(v, fd, print_entry, NULL);
	}
	fputs(v->dims ? " =\n" : " =", stdout);
	err = each_element(v, fd, print_element, NULL);
	putchar('\n');
	return err;
}

static void add_element(const struct desc_var *v, uint64_t i, const uint8_t *at, void *arg)
{
	(void)i;
	element_json(v->type, at, arg, NULL);
}

static void add_entry(const struct desc_var *v, const uint8_t *key, const uint8_t *value, void *arg)
{
	json_object(arg, NULL);
	element_json(v->key_type, key, arg, "key");
	element_json(v->type, value, arg, "value");
	json_close(arg);
}

int value_json(const struct desc_var *v, int fd, struct json *j)
{
	int err;

	json_array(j, v->layout == DESC_HASH ? "entries" : "values");
	err = v->layout == DESC_HASH ? each_entry(v, fd, add_entry, j) :
				       each_element(v, fd, add_element, j);
	json_close(j);
	return err;
}
