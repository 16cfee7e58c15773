/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * tokens.h - read a text that has one statement per line, word by word. "#" begins a comment.
 * A byte order mark of UTF-8 at the beginning is skipped.
 *
 * A function that fails returns a negative errno, and writes "FILE:LINE: text" to the buffer
 * for errors, if there is one.
 */
#ifndef WORDS_H
#define WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WORDS_MAX	32	/* words of a line */

/**
 * struct words - a text, and the words of its current line
 * @file: name of the text, for errors
 * @line: number of the line, from 1; 0 before the first line
 * @n: number of words in the line
 * @word: the words
 * @text: the text. words_next() puts NULs after the words that it has read
 * @next: the beginning of the next line
 * @err: buffer for the text of an error, or NULL
 * @errlen: bytes of @err
 */
struct words {
	const char *file;
	unsigned int line;
	unsigned int n;
	char *word[WORDS_MAX];
	char *text;
	char *next;
	char *err;
	size_t errlen;
};

/* Read a file. After success the caller has to call words_close(). */
int words_open(struct words *w, const char *path, char *err, size_t errlen);
/* Read a text in memory. Errors have @name in place of a file's. */
int words_text(struct words *w, const char *name, const char *text, char *err, size_t errlen);
void words_close(struct words *w);

/* Go to the next line that has words. Returns 1; 0 after the last; -EINVAL: too many words. */
int words_next(struct words *w);

/* Write the text of an error, without the line number before the first line. Returns -@code. */
int words_error(struct words *w, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Read word @i as a decimal number, up to @max. @what names it in errors. */
int words_number(struct words *w, unsigned int i, const char *what, uint64_t max, uint64_t *val);

/*
 * Copy word @i to @to, which has @size bytes. The word is a name: a letter or "_", then letters,
 * digits, "_" and "-". @what names it in errors.
 */
int words_name(struct words *w, unsigned int i, const char *what, char *to, size_t size);

#endif /* WORDS_H */
