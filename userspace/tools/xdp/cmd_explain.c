// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* cmd_explain.c - nfpchan xdp explain: can it be offloaded, and if not, why? */
#include <stdlib.h>
#include "explain.h"
#include "tool.h"

#define EXIT_UNKNOWN	4

static int explain(const char *path, const char *dev, bool strict)
{
	struct device device = { 0 }, *d = dev ? &device : NULL;
	enum severity worst = SEVERITY_NOTE, s;
	struct limits limits = limits_default;
	struct xobject o;
	unsigned int i;
	char err[256];

	if (d && device_read(d, dev, &limits, err, sizeof(err))) {
		tool_fail("%s: %s", dev, err);
		return EXIT_USAGE;
	}
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
	const char *dev = NULL;
	bool strict = false;
	const struct tool_opt opts[] = {
		{ "dev", 'd', .text = &dev },
		{ "strict", 's', .flag = &strict },
		{ .name = NULL },
	};
	int ret = tool_options(cmd, argc, argv, opts, "an object file", 1);

	return ret >= 0 ? ret : explain(argv[optind], dev, strict);
}
