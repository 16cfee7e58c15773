/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * json.h - write one JSON document to a stream, piece by piece.
 *
 * Elements of arrays, and the document itself, have a key of NULL. A caller that nests wrongly
 * ends the program by abort().
 */
#ifndef NFPCHAN_JSON_H
#define NFPCHAN_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define JSON_DEPTH	16

/**
 * struct json - a document that is being written
 * @out: stream
 * @lines: write rows as lines, and flush the stream after each; set by the caller
 * @begun: the line has something
 * @members: the rows are a member of an object
 * @depth: objects and arrays that are open
 * @close: closing characters of these
 * @filled: whether each of these has an element
 */
struct json {
	FILE *out;
	bool lines;
	bool begun;
	bool members;
	unsigned int depth;
	char close[JSON_DEPTH];
	bool filled[JSON_DEPTH];
};

void json_init(struct json *j, FILE *out);
/* End the document with a newline. All objects and arrays must be closed. */
void json_end(struct json *j);

void json_object(struct json *j, const char *key);
void json_array(struct json *j, const char *key);
void json_close(struct json *j);

/*
 * Rows: an array of objects that is the document, or a member of its outermost object. With @lines
 * each row is a document in a line, and so are the object's members in front of the rows and those
 * behind them.
 */
void json_rows(struct json *j, const char *key);
void json_row_end(struct json *j);	/* after each row */
void json_rows_end(struct json *j);

void json_u64(struct json *j, const char *key, uint64_t val);
/* Write a number that JSON allows, given as text. */
void json_number(struct json *j, const char *key, const char *val);
void json_bool(struct json *j, const char *key, bool val);
void json_null(struct json *j, const char *key);
/* Write UTF-8. Bytes that are not valid UTF-8 become U+FFFD. */
void json_str(struct json *j, const char *key, const char *val);
void json_hex(struct json *j, const char *key, const void *data, size_t len);

#endif /* NFPCHAN_JSON_H */
