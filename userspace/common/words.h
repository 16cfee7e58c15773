/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * words.h - text of one statement a line, in words; "#" begins a comment.
 *
 * Functions that fail return a negative errno and have written "FILE:LINE: text" to the
 * buffer for errors, which may be NULL.
 */
#ifndef WORDS_H
#define WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WORDS_MAX	32	/* of a line */

/**
 * struct words - a text, and the words of its current line
 * @file: its name, for errors
 * @line: number of the line, from 1; 0 before the first
 * @n: words of the line
 * @word: they
 * @text: all of it, cut at the words that were read
 * @next: where the next line begins
 * @err: buffer for the text of an error, or NULL
 * @errlen: its size
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

/* All of a file; words_close() is due after success only. */
int words_open(struct words *w, const char *path, char *err, size_t errlen);
/* A text in memory; @name stands for the file in errors. */
int words_text(struct words *w, const char *name, const char *text, char *err, size_t errlen);
void words_close(struct words *w);

/* Go to the next line that has words: 1; 0 behind the last; -EINVAL: too many words. */
int words_next(struct words *w);

/* Write "FILE:LINE: ..." to the buffer, without line 0; returns -@code. */
int words_error(struct words *w, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* The word @i as a number of at most @max; @what is its name in errors. */
int words_number(struct words *w, unsigned int i, const char *what, uint64_t max, uint64_t *val);

/*
 * Copy the word @i to @to, which has @size bytes: a letter or "_", then letters, digits,
 * "_" and "-". @what is its name in errors.
 */
int words_name(struct words *w, unsigned int i, const char *what, char *to, size_t size);

#endif /* WORDS_H */
