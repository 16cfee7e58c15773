// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * complete.c - what can be at the cursor of a command line. Each line of output is a value, a tab
 * and a description. The line ":files ENDING..." stands for file names, which the shell knows.
 */
#define _GNU_SOURCE
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include "complete.h"

/**
 * struct line - a command line up to the cursor
 * @p: the program
 * @cmd: the command, or NULL in front of it
 * @tables: tables of @cmd
 * @siblings: the commands among which @cmd is
 * @commands: commands of which one comes next, or NULL
 * @opt: option whose value comes next, or NULL
 * @options_end: "--" was there
 * @lost: a command is not known, so nothing can be said of what is behind it
 * @c: the word at the cursor
 */
struct line {
	const struct program *p;
	const struct command *cmd;
	struct command_tables tables;
	const struct command *siblings;
	const struct command *commands;
	const struct tool_opt *opt;
	bool options_end;
	bool lost;
	struct completion c;
};

/* ---- output ---- */

static void print_value(const struct completion *c, size_t kept, const char *value,
			const char *what, size_t what_len)
{
	if (strlen(c->word) < kept || strncmp(c->word + kept, value, strlen(c->word + kept)))
		return;
	printf("%.*s%.*s%s\t%.*s\n", c->before_len, c->before, (int)kept, c->word, value,
	       (int)what_len, what);
}

void complete_offer(const struct completion *c, size_t kept, const char *value, const char *what)
{
	print_value(c, kept, value, what ? what : "", what ? strlen(what) : 0);
}

void complete_interfaces(const struct completion *c, size_t kept)
{
	struct if_nameindex *all = if_nameindex(), *i;

	for (i = all; i && i->if_index; i++)
		complete_offer(c, kept, i->if_name, NULL);
	if (all)
		if_freenameindex(all);
}

static void offer_words(const struct completion *c, const struct value_kind *k)
{
	const char *comma = k->list ? strrchr(c->word, ',') : NULL, *word = k->words;
	size_t len;
	char *value;

	for (; *word; word += len + (word[len] == ' ')) {
		len = strcspn(word, " ");
		value = strndup(word, len);
		if (!value)
			abort();
		complete_offer(c, comma ? (size_t)(comma + 1 - c->word) : 0, value, NULL);
		free(value);
	}
}

static void offer_kind(const struct completion *c, const struct value_kind *k)
{
	if (k->words)
		offer_words(c, k);
	if (k->offer)
		k->offer(c);
	if (k->files)
		printf(":files%s%s\n", *k->files ? " " : "", k->files);
}

/* ---- help: the names of values, and descriptions ---- */

/* The line of the option in a help, behind its long name; or NULL */
static const char *help_of(const char *help, const struct tool_opt *o)
{
	char head[64];
	const char *at;

	snprintf(head, sizeof(head), "  -%c, --%s", o->letter, o->name);
	at = help ? strstr(help, head) : NULL;
	if (!at || (at != help && at[-1] != '\n') || !strchr(" \n", at[strlen(head)]))
		return NULL;
	return at + strlen(head);
}

/* A command that takes options of another command may leave their description to that one. */
static const char *help_find(const struct line *l, const struct tool_opt *o)
{
	const char *at = l->cmd ? help_of(l->cmd->help, o) : NULL;
	const struct command *c;

	if (!at)
		at = help_of(l->p->help, o);
	for (c = l->siblings; c && c->name && !at; c++)
		at = help_of(c->help, o);
	return at;
}

/* Skip the name of the value, which begins the rest of the line and has no blank in it. */
static const char *help_value(const char *at, char *name, size_t size)
{
	size_t len;

	at += strspn(at, " ");
	len = strcspn(at, " \n");
	snprintf(name, size, "%.*s", (int)len, at);
	return at + len;
}

static void offer_option(const struct line *l, const struct tool_opt *o)
{
	const char *what = help_find(l, o);
	char value[64], name[32];

	snprintf(name, sizeof(name), "--%s", o->name);
	if (what && !o->flag)
		what = help_value(what, value, sizeof(value));
	if (what) {
		what += strspn(what, " ");
		/* The description may be on the next line, which then has no option. */
		if (*what == '\n')
			what += 1 + strspn(what + 1, " ");
		if (*what == '-')
			what = NULL;
	}
	print_value(&l->c, 0, name, what ? what : "", what ? strcspn(what, "\n") : 0);
}

static void offer_options(const struct line *l)
{
	const struct tool_opt *o;

	for (o = l->tables.opts; o->name; o++)
		offer_option(l, o);
	for (o = l->p->opts; o->name; o++)
		offer_option(l, o);
	complete_offer(&l->c, 0, "--help", "print this help");
	if (!l->cmd)
		complete_offer(&l->c, 0, "--version", "print the version");
}

/* ---- values ---- */

/* Find by a name, or by a command and a name. */
static const struct value_kind *kind_find(const struct line *l, const char *name)
{
	const struct value_kind *k = l->p->kinds;
	size_t len = l->cmd ? strlen(l->cmd->name) : 0;

	for (; k->name; k++)
		if (!strcmp(k->name, name) || (len && !strncmp(k->name, l->cmd->name, len) &&
					       k->name[len] == ' ' && !strcmp(k->name + len + 1, name)))
			return k;
	return NULL;
}

static void offer_value(const struct line *l, const struct tool_opt *o)
{
	const struct value_kind *k;
	const char *at = help_find(l, o);
	char name[64];

	snprintf(name, sizeof(name), "--%s", o->name);
	k = kind_find(l, name);
	if (!k && at) {
		help_value(at, name, sizeof(name));
		k = kind_find(l, name);
	}
	if (k)
		offer_kind(&l->c, k);
}

/* The names of a group's commands, without that of the group */
static void offer_commands(const struct line *l, const struct command *c)
{
	for (; c->name; c++) {
		const char *own = strrchr(c->name, ' ');

		complete_offer(&l->c, 0, own ? own + 1 : c->name, c->what);
	}
}

static const struct command *command_find(const struct command *c, const char *name)
{
	for (; c->name; c++) {
		const char *own = strrchr(c->name, ' ');

		if (!strcmp(own ? own + 1 : c->name, name))
			return c;
	}
	return NULL;
}

/* The arguments of "help": a command, or the words of a command in a group */
static void offer_help(const struct line *l)
{
	struct command_tables t;
	const struct command *c = l->p->commands;

	if (l->c.nargs) {
		c = command_find(c, l->c.args[0]);
		if (!c || l->c.nargs > 1)
			return;
		command_tables(c, &t);
		c = t.group;
	}
	if (c)
		offer_commands(l, c);
}

/* Copy the argument number @n of a usage line. False: it has none. */
static bool usage_argument(const char *usage, unsigned int n, char *arg, size_t size)
{
	size_t len;

	for (; *usage; usage += strspn(usage, " ")) {
		len = *usage == '[' ? strcspn(usage, "]") : 0;
		len += strcspn(usage + len, " ");
		snprintf(arg, size, "%.*s", (int)len, usage);
		usage += len;
		if (!n-- || (len > 3 && !strncmp(usage - 3, "...", 3)))
			return true;
	}
	return false;
}

/* Offer for each word of an argument, such as "[DATA | -]" or "FILE|NAME". */
static void offer_argument(const struct line *l)
{
	const struct value_kind *k;
	char arg[64], *word, *save;

	if (!usage_argument(l->cmd->args, l->c.nargs, arg, sizeof(arg)))
		return;
	for (word = strtok_r(arg, " |[]", &save); word; word = strtok_r(NULL, " |[]", &save)) {
		size_t len = strlen(word);

		if (len > 3 && !strcmp(word + len - 3, "..."))
			word[len - 3] = 0;
		k = kind_find(l, word);
		if (k)
			offer_kind(&l->c, k);
		else if (!strcmp(word, "COMMAND"))
			offer_help(l);
		else if (*word >= 'a' && *word <= 'z')
			complete_offer(&l->c, 0, word, NULL);
	}
}

/* ---- the words in front of the cursor ---- */

static const struct tool_opt *find_in(const struct tool_opt *o, const char *name, size_t len,
				      char letter)
{
	for (; o->name; o++)
		if (letter ? o->letter == letter : strlen(o->name) == len && !strncmp(o->name, name, len))
			return o;
	return NULL;
}

static const struct tool_opt *opt_find(const struct line *l, const char *name, size_t len,
				       char letter)
{
	const struct tool_opt *o = find_in(l->tables.opts, name, len, letter);

	return o ? o : find_in(l->p->opts, name, len, letter);
}

/* The value of an option of every command has an effect on what the machine is asked for. */
static void line_value(const struct line *l, const struct tool_opt *o, const char *value)
{
	if (find_in(l->p->opts, o->name, strlen(o->name), 0) == o && o->text)
		*o->text = value;
}

static void line_option(struct line *l, const char *word)
{
	const struct tool_opt *o;
	size_t len;

	if (word[1] == '-') {
		len = strcspn(word + 2, "=");
		o = opt_find(l, word + 2, len, 0);
		if (o && !o->flag && word[2 + len])
			line_value(l, o, word + 3 + len);
		else if (o && !o->flag)
			l->opt = o;
		return;
	}
	for (word++; *word; word++) {
		o = opt_find(l, NULL, 0, *word);
		if (!o || o->flag)
			continue;
		if (word[1])
			line_value(l, o, word + 1);
		else
			l->opt = o;
		return;
	}
}

static void line_command(struct line *l, const char *word)
{
	l->siblings = l->commands;
	l->commands = NULL;
	l->cmd = command_find(l->siblings, word);
	l->lost = !l->cmd;
	if (l->lost)
		return;
	command_tables(l->cmd, &l->tables);
	l->commands = l->tables.group;
}

static void line_word(struct line *l, const char *word)
{
	if (l->opt) {
		line_value(l, l->opt, word);
		l->opt = NULL;
	} else if (!l->options_end && !strcmp(word, "--")) {
		l->options_end = true;
	} else if (!l->options_end && word[0] == '-' && word[1]) {
		line_option(l, word);
	} else if (l->commands) {
		line_command(l, word);
	} else if (l->c.nargs < COMPLETE_ARGS) {
		l->c.args[l->c.nargs++] = word;
	}
}

/* "--option=VALUE" at the cursor */
static void at_value(struct line *l, const char *equal)
{
	const struct tool_opt *o = opt_find(l, l->c.word + 2, (size_t)(equal - l->c.word) - 2, 0);

	l->c.before = l->c.word;
	l->c.before_len = (int)(equal + 1 - l->c.word);
	l->c.word = equal + 1;
	if (o && !o->flag)
		offer_value(l, o);
}

void complete_words(const struct program *p, int argc, char **argv)
{
	struct line l = { .p = p, .commands = p->commands, .siblings = p->commands, .c.before = "" };
	const char *equal;
	int i;

	for (i = 0; i < argc - 1 && !l.lost; i++)
		line_word(&l, argv[i]);
	if (l.lost || !argc)
		return;
	l.c.word = argv[i];
	equal = strncmp(l.c.word, "--", 2) ? NULL : strchr(l.c.word, '=');
	if (l.opt)
		offer_value(&l, l.opt);
	else if (!l.options_end && equal)
		at_value(&l, equal);
	else if (!l.options_end && *l.c.word == '-')
		offer_options(&l);
	else if (l.commands)
		offer_commands(&l, l.commands);
	else
		offer_argument(&l);
}
