// SPDX-License-Identifier: BSD-2-Clause
/* main.c - nfpfabric: runs the model and prints the results. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

#define EXIT_USAGE	2

static const char help[] =
"Usage: nfpfabric [--set KEY=VALUE]... [--json FILE] [COMMAND]\n"
"A model of a programmable PCIe switch between a NIC and two accelerators.\n"
"\n"
"  all         all commands below except trace and keys (default)\n"
"  tables      the critical path of a message in each mode, row by row\n"
"  curve       latency for images of several sizes\n"
"  rates       images a second for several numbers of descriptors in flight\n"
"  push        from the CPU to an accelerator, by a doorbell and by a push of the data\n"
"  access      a device accesses an address that no entry of the switch allows\n"
"  keys        all figures, one \"key value\" on each line\n"
"  trace MODE  each step of a message. MODE: conventional, native, glue, card-driven,\n"
"              hop (native with one edge through the CPU), or glue-nic (glue with a\n"
"              stream-native NIC)\n"
"\n"
"  --set KEY=VALUE  change an assumption; the KEYs are below\n"
"  --json FILE      write assumptions and all figures to FILE\n"
"  --help, --version\n"
"\n"
"Exit status: 0; 1 if a run fails (deadlock, a wrong result) or FILE cannot be written;\n"
"2 for wrong usage.\n"
"\n"
"KEY, default, allowed values:\n";

static void say_help(void)
{
	unsigned int i;

	fputs(help, stdout);
	for (i = 0; i < fab_nopts; i++) {
		const struct fab_opt_about *a = &fab_opts[i];

		printf("  %-13s %8u  %u to %u%s: %s\n", a->key, a->fallback, a->min, a->max,
		       a->power ? ", powers of 2" : "", a->what);
	}
}

static void usage(const char *what)
{
	fprintf(stderr, "nfpfabric: %s\nTry 'nfpfabric --help'.\n", what);
	exit(EXIT_USAGE);
}

static int tables(const struct fab_opt *o)
{
	static const char * const title[FAB_MODES] = {
		[FAB_CONVENTIONAL] = "Conventional: the CPU passes each message on (Table 2 of the paper)",
		[FAB_NATIVE] = "Stream-native devices (Table 3 of the paper)",
		[FAB_GLUE] = "The switch connects unchanged queue devices",
		[FAB_CARD_DRIVEN] = "The NFP drives unchanged queue devices",
		[FAB_GLUE_NIC] = "The switch connects unchanged accelerators to a stream-native NIC",
		[FAB_HOP] = "For comparison: stream-native, with one edge through the CPU",
	};
	struct fab_latency l;
	enum fab_mode m;
	int rc;

	for (m = 0; m < FAB_MODES; m++) {
		rc = fab_latency(o, m, &l);
		if (rc)
			return rc;
		fab_say_path(stdout, o, title[m], &l);
		fab_free(l.f);
	}
	return 0;
}

static int push(const struct fab_opt *o)
{
	struct fab_latency l;
	int i, rc;

	for (i = 0; i < 2; i++) {
		rc = fab_cpu_to_device(o, i, &l);
		if (rc)
			return rc;
		fab_say_path(stdout, o, i ? "CPU to accelerator, data pushed by the root complex" :
			     "CPU to accelerator, by doorbell", &l);
		fab_free(l.f);
	}
	return 0;
}

static int trace(const struct fab_opt *o, const char *name)
{
	struct fab_latency l;
	enum fab_mode m;
	int rc;

	for (m = 0; m < FAB_MODES && strcmp(name, fab_mode_name(m)); m++)
		;
	if (m == FAB_MODES)
		usage("trace needs a mode: conventional, native, glue, card-driven, hop or glue-nic");
	rc = fab_latency(o, m, &l);
	if (rc)
		return rc;
	fab_say_trace(stdout, &l);
	fab_free(l.f);
	return 0;
}

/* ---- commands ---- */

static int say_tables(const struct fab_opt *o, const struct fab_figures *g)
{
	(void)g;
	return tables(o);
}

static int say_push(const struct fab_opt *o, const struct fab_figures *g)
{
	(void)g;
	return push(o);
}

static int say_curve(const struct fab_opt *o, const struct fab_figures *g)
{
	(void)o;
	fab_say_curve(stdout, g);
	return 0;
}

static int say_rates(const struct fab_opt *o, const struct fab_figures *g)
{
	fab_say_rates(stdout, g, o);
	return 0;
}

static int say_access(const struct fab_opt *o, const struct fab_figures *g)
{
	(void)o;
	fab_say_access(stdout, g);
	return 0;
}

static const struct command {
	const char *name;
	int (*figures)(const struct fab_opt *o, struct fab_figures *g);
	int (*say)(const struct fab_opt *o, const struct fab_figures *g);
} commands[] = {
	{ "tables", fab_figures_latency, say_tables },
	{ "push", fab_figures_push, say_push },
	{ "curve", fab_figures_curve, say_curve },
	{ "rates", fab_figures_rate, say_rates },
	{ "access", fab_figures_access, say_access },
};

#define COMMANDS	(sizeof(commands) / sizeof(commands[0]))

static int figures(const struct fab_opt *o, struct fab_figures *g)
{
	unsigned int i;
	int rc = 0;

	for (i = 0; i < COMMANDS && !rc; i++)
		rc = commands[i].figures(o, g);
	return rc;
}

/* Compute the results that the command needs (all of them with @json), and print them. */
static int command_run(const char *name, const struct fab_opt *o, const char *json,
		       struct fab_figures *g)
{
	int all = !strcmp(name, "all"), keys = !strcmp(name, "keys"), rc;
	const struct command *c = commands;

	while (!all && !keys && c < commands + COMMANDS && strcmp(c->name, name))
		c++;
	if (c == commands + COMMANDS)
		usage("unknown command");
	rc = all || keys || json ? figures(o, g) : c->figures(o, g);
	if (rc)
		return rc;
	if (keys) {
		fab_say_keys(stdout, o, g);
		return 0;
	}
	fab_say_options(stdout, o);
	if (!all)
		return c->say(o, g);
	for (; c < commands + COMMANDS && !rc; c++)
		rc = c->say(o, g);
	return rc;
}

static struct option longs[] = {
	{ "set", required_argument, NULL, 's' },
	{ "json", required_argument, NULL, 'j' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'v' },
	{ 0 },
};

int main(int argc, char **argv)
{
	struct fab_figures g = { 0 };
	const char *json = NULL, *command;
	struct fab_opt o;
	char why[256];
	int opt, rc;

	fab_opt_default(&o);
	while ((opt = getopt_long(argc, argv, "h", longs, NULL)) != -1) {
		if (opt == 's' && fab_opt_set(&o, optarg, why, sizeof(why)))
			usage(why);
		else if (opt == 'j')
			json = optarg;
		else if (opt == 'h')
			return say_help(), 0;
		else if (opt == 'v')
			return puts("nfpfabric " NFPCHAN_VERSION) < 0;
		else if (opt == '?')
			usage("unknown option, or its value is missing");
	}
	if (fab_opt_check(&o, why, sizeof(why)))
		usage(why);
	command = optind < argc ? argv[optind++] : "all";
	if (!strcmp(command, "trace")) {
		if (optind + 1 != argc)
			usage("trace needs one mode");
		return !!trace(&o, argv[optind]);
	}
	if (optind < argc)
		usage("more than one command");
	rc = command_run(command, &o, json, &g);
	if (!rc && json) {
		rc = fab_json(json, &o, &g);
		if (rc)
			fprintf(stderr, "nfpfabric: %s: %s\n", json, strerror(-rc));
	}
	return !!rc;
}
