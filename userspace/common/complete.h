/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* complete.h - completion of command lines in shells, by the tables of command.h. */
#ifndef COMPLETE_H
#define COMPLETE_H

#include "command.h"

#define COMPLETE_ARGS	64	/* arguments in front of the cursor that are kept */

/**
 * struct completion - the word at the cursor
 * @word: the word; of "--option=VALUE" it is VALUE
 * @before: what is in front of @word
 * @before_len: bytes of @before
 * @args: arguments of the command in front of the cursor
 * @nargs: how many
 */
struct completion {
	const char *word;
	const char *before;
	int before_len;
	const char *args[COMPLETE_ARGS];
	unsigned int nargs;
};

/**
 * struct value_kind - what completion offers for an argument, or for the value of an option
 * @name: an option, "--firmware"; a word of usage and help, "FILE"; or such a word of one command,
 *	"graph show NAME". The first entry that fits is used
 * @words: values, separated by blanks, or NULL
 * @list: the value is a list of @words, separated by commas
 * @files: endings of file names, separated by blanks; "": any file; NULL: no files
 * @offer: offers values that the machine has, or NULL
 */
struct value_kind {
	const char *name;
	const char *words;
	bool list;
	const char *files;
	void (*offer)(const struct completion *c);
};

/*
 * Print a value, and a description or NULL, if the word at the cursor is the beginning of the value.
 * @kept: bytes of the word that stay as they are, in front of @value.
 */
void complete_offer(const struct completion *c, size_t kept, const char *value, const char *what);

/* Offer the interfaces of the machine. */
void complete_interfaces(const struct completion *c, size_t kept);

/* Print what can be at the end of a command line: the last of @argv, behind the others. */
void complete_words(const struct program *p, int argc, char **argv);

/* Print the script of a shell; or, as these scripts ask for, the words at a cursor. */
int complete_main(const struct program *p, const struct command *cmd, int argc, char **argv);

#endif /* COMPLETE_H */
