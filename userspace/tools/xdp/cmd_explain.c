// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* cmd_explain.c - nfpchan xdp explain: say whether programs can be offloaded, and why not. */
#include <stdlib.h>
#include "card_limits.h"
#include "explain.h"
#include "split_cmd.h"
#include "tool.h"

#define EXIT_UNKNOWN	4

static int explain_split(struct split_args *a, const char *helpers)
{
	struct device device = { 0 }, *d = a->dev ? &device : NULL;
	struct limits limits;
	int ret = card_limits(&limits, a->linking, helpers, d, a->dev);

	if (!ret)
		ret = split_explain(a, &limits, d);
	if (d)
		issues_free(&d->issues);
	return ret;
}

static int explain(const struct split_args *a, const char *helpers)
{
	const char *path = a->object, *dev = a->dev;
	struct device device = { 0 }, *d = dev ? &device : NULL;
	enum severity worst = SEVERITY_NOTE, s;
	struct limits limits;
	struct xobject o;
	int ret;
	unsigned int i;
	char err[256];

	ret = card_limits(&limits, a->linking, helpers, d, dev);
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
	return worst == SEVERITY_ERROR || (a->opts.strict && worst == SEVERITY_WARNING) ? EXIT_FAILURE :
										  EXIT_SUCCESS;
}

int cmd_xdp_explain(const struct command *cmd, int argc, char **argv)
{
	struct split_args a = { .dev = NULL };
	struct linking l;
	const char *helpers = NULL;
	bool split = false;
	const struct tool_opt opts[] = {
		{ "dev", 'd', .text = &a.dev },
		{ "helpers", 'H', .text = &helpers },
		{ "split", 'x', .flag = &split },
		LINKING_OPTS(&l),
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
		ret = split ? explain_split(&a, helpers) : explain(&a, helpers);
	}
	linking_end(&l);
	return ret;
}
