/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* near.h - find the name that a user has mistyped. */
#ifndef NEAR_H
#define NEAR_H

#define NEAR_NAME	63	/* longest name that is compared */

/**
 * struct near - a search for the name that is nearest to a word
 * @word: the word
 * @edits: edits between @word and @name; an edit adds, removes or replaces a character, or swaps two
 * @name: the nearest name so far, or ""
 */
struct near {
	const char *word;
	unsigned int edits;
	char name[NEAR_NAME + 1];
};

/*
 * Start a search. near_try() takes names within two edits, within one if the word has fewer than six
 * characters.
 */
void near_begin(struct near *n, const char *word);
void near_try(struct near *n, const char *name);

#endif /* NEAR_H */
