// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* cmd_explain.c - nfpchan xdp explain: say whether programs can be offloaded, and why not. */
#include <stdlib.h>
#include "explain.h"
#include "split_cmd.h"
#include "tool.h"

#define EXIT_UNKNOWN	4

/* The values of --helpers (NULL: not given) and --words (0: not given) */
struct told {
	const char *helpers;
	uint64_t words;
};

static int card_limits(struct limits *limits, const struct told *told, struct device *d,
		       const char *dev)
{
	char err[256];

	*limits = limits_default;
	if (d && device_read(d, dev, limits, err, sizeof(err))) {
		tool_fail("%s: %s", dev, err);
		return EXIT_USAGE;
	}
	if (told->helpers && limits_helpers(limits, told->helpers, err, sizeof(err))) {
		tool_fail("--helpers %s: %s", told->helpers, err);
		return EXIT_USAGE;
	}
	limits->words_told = told->words;
	if (told->words)
		limits->words = told->words;
	return 0;
}

static int explain_split(struct split_args *a, const struct told *told)
{
	struct device device = { 0 }, *d = a->dev ? &device : NULL;
	struct limits limits;
	int ret = card_limits(&limits, told, d, a->dev);

	if (!ret)
		ret = split_explain(a, &limits, d);
	if (d)
		issues_free(&d->issues);
	return ret;
}

static int explain(const char *path, const char *dev, const struct told *told, bool strict)
{
	struct device device = { 0 }, *d = dev ? &device : NULL;
	enum severity worst = SEVERITY_NOTE, s;
	struct limits limits;
	struct xobject o;
	int ret;
	unsigned int i;
	char err[256];

	ret = card_limits(&limits, told, d, dev);
	if (ret)
		return ret;
	if (object_open(&o, path, err, sizeof(err))) {
		tool_fail("%s: %s", path, err);
		return EXIT_USAGE;
	}
	o.limits = limits;
	maps_check(&o, d);
	for (i = 0; i < o.progs; i++) {
		prog_check(&o, &o.prog[i]);
		if (d)
			device_check(d, &limits, &o.prog[i]);
	}
	for (i = 0; i < o.progs; i++) {
		s = prog_verdict(&o, d, &o.prog[i]);
		worst = s > worst ? s : worst;
	}
	(tool.json ? report_json : report_plain)(&o, d);
	object_close(&o);
	if (d)
		issues_free(&d->issues);
	if (worst == SEVERITY_UNKNOWN)
		return EXIT_UNKNOWN;
	return worst == SEVERITY_ERROR || (strict && worst == SEVERITY_WARNING) ? EXIT_FAILURE :
										  EXIT_SUCCESS;
}

int cmd_xdp_explain(const struct command *cmd, int argc, char **argv)
{
	struct split_args a = { .dev = NULL };
	struct linking l;
	struct told told = { 0 };
	bool split = false;
	const struct tool_opt opts[] = {
		{ "dev", 'd', .text = &a.dev },
		{ "helpers", 'H', .text = &told.helpers },
		{ "words", 'w', .number = &told.words, .min = 1, .max = WORDS_MOST },
		{ "split", 'x', .flag = &split },
		{ "entry", 'e', .text = &l.entry },
		{ "slot", 'S', .texts = &l.slots },
		{ "loop", 'l', .flag = &l.loop },
		SPLIT_OPTS(a),
		{ .name = NULL },
	};
	int ret;

	linking_begin(&l, argc);
	ret = tool_options(cmd, argc, argv, opts, "an object file", 1);
	if (ret < 0)
		ret = split_args_check(cmd, &a, split);
	if (ret < 0) {
		a.object = argv[optind];
		a.linking = &l;
		ret = split ? explain_split(&a, &told) : explain(a.object, a.dev, &told, a.opts.strict);
	}
	linking_end(&l);
	return ret;
}
