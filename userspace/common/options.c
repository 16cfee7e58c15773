// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* options.c - parse the command lines of commands. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "command.h"
#include "near.h"

/**
 * struct options - options, as getopt_long() takes them
 * @opt: the options; longs[i] is that of opt[i], and the last is --help
 * @longs: their long names, up to an empty entry
 * @shorts: their short names
 * @n: number of options
 */
struct options {
	const struct tool_opt *opt[TOOL_OPTS];
	struct option longs[TOOL_OPTS + 2];
	char shorts[2 * TOOL_OPTS + 3];
	unsigned int n;
};

static void options_add(struct options *s, const struct tool_opt *opt)
{
	char *shorts = s->shorts + strlen(s->shorts);

	for (; opt->name; opt++) {
		if (s->n == TOOL_OPTS)
			abort();
		s->opt[s->n] = opt;
		s->longs[s->n++] = (struct option){ opt->name, !opt->flag, NULL, opt->letter };
		*shorts++ = opt->letter;
		if (!opt->flag)
			*shorts++ = ':';
	}
}

static int number_option(const struct tool_opt *o)
{
	uint64_t val;
	char *end;

	errno = 0;
	val = strtoull(optarg, &end, 10);
	if (*optarg < '0' || *optarg > '9' || *end || errno || val < o->min || val > o->max) {
		tool_fail("--%s is \"%s\", allowed are %llu to %llu", o->name, optarg,
			  (unsigned long long)o->min, (unsigned long long)o->max);
		return EXIT_USAGE;
	}
	if (o->ns)
		*o->ns = (int64_t)val * NSEC_PER_MSEC;
	else
		*o->number = val;
	return -1;
}

static int known_option(const struct tool_opt *o)
{
	if (!o->flag && !o->text && !o->texts)
		return number_option(o);
	if (o->also)
		*o->also = true;
	if (o->flag)
		*o->flag = true;
	else if (o->texts)
		o->texts->text[o->texts->count++] = optarg;
	else
		*o->text = optarg;
	return -1;
}

/* getopt_long() has printed what is wrong. If it is a long name, look for the one that was meant. */
static int unknown_option(const struct options *s, char **argv)
{
	const char *word = argv[optind - 1];
	const struct option *o;
	char name[NEAR_NAME];
	struct near near;

	if (!optopt && !strncmp(word, "--", 2)) {
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(word + 2, "="), word + 2);
		near_begin(&near, name);
		for (o = s->longs; o->name; o++)
			near_try(&near, o->name);
		if (*near.name)
			fprintf(stderr, "Did you mean --%s? ", near.name);
	}
	fprintf(stderr, "Try %s --help.\n", argv[0]);
	return EXIT_USAGE;
}

int options_parse(int argc, char **argv, const struct tool_opt *opts, const struct tool_opt *common,
		  bool first)
{
	struct options s = { .shorts = "+" };
	int opt, ret = -1;
	unsigned int i;

	options_add(&s, opts);
	options_add(&s, common);
	s.longs[s.n] = (struct option){ "help", no_argument, NULL, 'h' };
	strcat(s.shorts, "h");
	while (ret < 0 && (opt = getopt_long(argc, argv, s.shorts + !first, s.longs, NULL)) != -1) {
		for (i = 0; i < s.n && s.opt[i]->letter != opt; i++)
			;
		if (i < s.n)
			ret = known_option(s.opt[i]);
		else
			ret = opt == 'h' ? 0 : unknown_option(&s, argv);
	}
	return ret;
}
