/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * json.h - write one JSON document to a stream, piece by piece.
 *
 * A key of NULL is for elements of arrays and for the document itself. Nesting
 * that is wrong is a bug of the caller and ends the program.
 */
#ifndef NFPCHAN_JSON_H
#define NFPCHAN_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define JSON_DEPTH	16

/**
 * struct json - a document being written
 * @out: where it goes
 * @depth: objects and arrays that are open
 * @close: what ends each of them
 * @filled: whether it has an element yet
 */
struct json {
	FILE *out;
	unsigned int depth;
	char close[JSON_DEPTH];
	bool filled[JSON_DEPTH];
};

void json_init(struct json *j, FILE *out);
/* Ends the document with a newline; everything must be closed. */
void json_end(struct json *j);

void json_object(struct json *j, const char *key);
void json_array(struct json *j, const char *key);
void json_close(struct json *j);

void json_u64(struct json *j, const char *key, uint64_t val);
/* @val is a number as JSON has it, of any kind. */
void json_number(struct json *j, const char *key, const char *val);
void json_bool(struct json *j, const char *key, bool val);
void json_null(struct json *j, const char *key);
/* @val is UTF-8; what is not becomes U+FFFD. */
void json_str(struct json *j, const char *key, const char *val);
void json_hex(struct json *j, const char *key, const void *data, size_t len);

#endif /* NFPCHAN_JSON_H */
