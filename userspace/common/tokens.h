/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * tokens.h - read a text that has one statement per line, token by token. "#" begins a comment.
 * A byte order mark of UTF-8 at the beginning is skipped.
 *
 * A function that fails returns a negative errno, and writes "FILE:LINE: text" to the buffer
 * for errors, if there is one.
 */
#ifndef TOKENS_H
#define TOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TOKENS_MAX	32	/* tokens of a line */

/**
 * struct tokens - a text, and the tokens of its current line
 * @file: name of the text, for errors
 * @line: number of the line, from 1; 0 before the first line
 * @n: number of tokens in the line
 * @token: the tokens: what blanks separate
 * @text: the text. tokens_next() puts NULs after the tokens that it has read
 * @next: the beginning of the next line
 * @err: buffer for the text of an error, or NULL
 * @errlen: bytes of @err
 */
struct tokens {
	const char *file;
	unsigned int line;
	unsigned int n;
	char *token[TOKENS_MAX];
	char *text;
	char *next;
	char *err;
	size_t errlen;
};

/*
 * Read @text, or the file @name if @text is NULL. Errors have @name in place of FILE. After success
 * the caller has to call tokens_close().
 */
int tokens_open(struct tokens *t, const char *name, const char *text, char *err, size_t errlen);
void tokens_close(struct tokens *t);

/* Go to the next line that has tokens. Return 1; 0 after the last; -EINVAL: too many tokens. */
int tokens_next(struct tokens *t);

/* Write the text of an error, without the line number before the first line. Returns -@code. */
int tokens_error(struct tokens *t, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Read token @i as a decimal number, up to @max. @what names it in errors. */
int tokens_number(struct tokens *t, unsigned int i, const char *what, uint64_t max, uint64_t *val);

/*
 * Copy token @i to @to, which has @size bytes. The token is a name: a letter or "_", then letters,
 * digits, "_" and "-". @what names it in errors.
 */
int tokens_name(struct tokens *t, unsigned int i, const char *what, char *to, size_t size);

#endif /* TOKENS_H */
