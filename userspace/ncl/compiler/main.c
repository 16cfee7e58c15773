// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The command nclc: options, and the compiler's steps. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "front.h"
#include "program.h"
#include "place.h"
#include "emit.h"
#include "explain_place.h"
#include "window_search.h"
#include "host.h"
#include "desc_out.h"
#include "output.h"

struct options options = { .out = ".", .card = true, .firmware = "public" };

static const char usage[] =
	"usage: nclc FILE --and NET.and [-o DIR] [--target nfp|xdp] [-D...] [-I...] [--explain]\n"
	"\n"
	"Compile a program with kernels that run on network devices. nclc writes a BPF object for\n"
	"each device of NET.and, an object for the hosts, and a description of the program.\n"
	"\n"
	"  --and NET.and   the AND file: hosts, devices, and links between them\n"
	"  -o DIR          directory of the output (default: the current directory); nclc makes it\n"
	"  --target nfp    objects that run on a card, and in XDP of a host (default)\n"
	"  --target xdp    objects for XDP of a host; exceeding a limit of cards is no error\n"
	"  --firmware NAME   of the card: public (default) is the vendor's public firmware, with which\n"
	"                  kernels write no variables except by adding; full, or a firmware file\n"
	"  -D, -I, -W, -f, -std=, -include   options for clang\n"
	"  --explain       print the costs of kernels and the layout of variables\n"
	"  --keep          keep the intermediate files, and print their directory\n"
	"\n"
	"exit status: 0 success, 1 error in a file, 2 wrong usage, 70 bug in nclc\n";

static void name_program(void)
{
	const char *base = strrchr(options.file, '/');
	char *dot;

	options.name = text("%s", base ? base + 1 : options.file);
	dot = strrchr(options.name, '.');
	if (dot && dot > options.name)
		*dot = 0;
}

static const char *value(int argc, char **argv, int *i)
{
	if (*i + 1 >= argc)
		fail(EXIT_USAGE, "%s needs a value; see nclc --help", argv[*i]);
	return argv[++*i];
}

static bool clangs(const char *arg)
{
	return !strncmp(arg, "-D", 2) || !strncmp(arg, "-I", 2) || !strncmp(arg, "-W", 2) ||
	       !strncmp(arg, "-f", 2) || !strncmp(arg, "-std=", 5) || !strcmp(arg, "-include");
}

static void read_options(int argc, char **argv)
{
	int i;

	options.clang = need(2 * argc, sizeof(*options.clang));
	for (i = 1; i < argc; i++) {
		const char *arg = argv[i];

		if (!strcmp(arg, "--help") || !strcmp(arg, "-h")) {
			fputs(usage, stdout);
			exit(0);
		} else if (!strcmp(arg, "--and")) {
			options.net = value(argc, argv, &i);
		} else if (!strcmp(arg, "-o")) {
			options.out = value(argc, argv, &i);
		} else if (!strcmp(arg, "--target")) {
			const char *t = value(argc, argv, &i);

			if (strcmp(t, "nfp") && strcmp(t, "xdp"))
				fail(EXIT_USAGE, "--target is nfp or xdp, not '%s'", t);
			options.card = !strcmp(t, "nfp");
		} else if (!strcmp(arg, "--firmware")) {
			options.firmware = value(argc, argv, &i);
		} else if (!strcmp(arg, "--explain")) {
			options.explain = true;
		} else if (!strcmp(arg, "--keep")) {
			options.keep = true;
		} else if (clangs(arg)) {
			options.clang[options.clang_count++] = arg;
			if (!strcmp(arg, "-D") || !strcmp(arg, "-I") || !strcmp(arg, "-include"))
				options.clang[options.clang_count++] = value(argc, argv, &i);
		} else if (arg[0] == '-') {
			fail(EXIT_USAGE, "unknown option '%s'; see nclc --help", arg);
		} else if (options.file) {
			fail(EXIT_USAGE, "two source files, '%s' and '%s'; a program has one", options.file, arg);
		} else {
			options.file = arg;
		}
	}
	if (!options.file || !options.net)
		fail(EXIT_USAGE, "%s; see nclc --help", options.file ? "--and NET.and is missing" :
		     "FILE is missing");
}

int main(int argc, char **argv)
{
	struct program p = { 0 };
	unsigned int i, of = 0, fits = 0;
	char err[256], *bitcode, *desc;
	int pid;

	read_options(argc, argv);
	name_program();
	if (and_read(options.net, &p.net, err, sizeof(err)) < 0)
		fail(EXIT_REFUSED, "%s", err);
	bitcode = temp_path("user.bc");
	pid = clang_start(options.file, bitcode, CLANG_USER);
	emit_init();
	p.module = clang_module(pid, bitcode);
	program_read(&p);
	program_hash(&p);
	if (!compile_places(&p)) {
		const struct place *at = &p.place[p.places - 1];

		if (at->too_long) {
			fits = largest_window(&p, &of, false);
			explain_too_long(at, of, fits);
		}
		return EXIT_REFUSED;
	}
	if (options.explain && options.card)
		fits = largest_window(&p, &of, true);
	for (i = 0; i < p.places && options.explain; i++)
		explain_print(&p.place[i], of, fits);
	for (i = 0; i < p.places; i++)
		output_copy(text("%s/%s.%s.o", options.out, options.name, p.place[i].label), p.place[i].object);
	desc = description(&p);
	output_add(text("%s/%s.ncd", options.out, options.name), desc, strlen(desc));
	output_copy(text("%s/%s.o", options.out, options.name), host_object(&p, desc));
	output_write();
	return 0;
}
