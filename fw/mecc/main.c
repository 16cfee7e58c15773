// SPDX-License-Identifier: BSD-2-Clause
/* main.c - the command mecc: options, and the compiler's steps. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "emit.h"
#include "front.h"
#include "isel.h"
#include "sched.h"

struct options options = { .out = "a.o", .island = 36, .gprs = 16, .xfers = XFERS,
			   .exit_at = -1 };

static const char usage[] =
	"usage: mecc FILE.c... -o FILE.o [--me ISLAND.ME] [--entry NAME]... [--list] [-D...] [-I...]\n"
	"\n"
	"Compile C files to code of a microengine. Nothing that mecc made has run on silicon.\n"
	"\n"
	"  -o FILE         the object file (default: a.o)\n"
	"  --me I.M        the microengine that the code is for (default: 36.0)\n"
	"  --entry NAME    a function void NAME(void) to compile, with what it calls; may be repeated\n"
	"                  (default: all functions of this form that are not static)\n"
	"  --list          print instructions with their source lines, and the words of each function\n"
	"  --gprs N        registers of a context in each bank: 8 to 32 (default: 16, of 8 contexts)\n"
	"  --exit ADDRESS  the code address that an entry goes to at its end (default: ctx_arb[kill])\n"
	"  --mir           print operations before and after registers are chosen\n"
	"  -D, -U, -I, -W, -w, -f, -std=, -include   options for clang\n"
	"\n"
	"exit status: 0 success, 1 error in a file, 2 wrong usage, 70 bug in mecc\n";

__attribute__((noreturn))
static void wrong(const char *what, const char *arg)
{
	fprintf(stderr, "mecc: %s%s\n%s", what, arg, usage);
	exit(EXIT_USAGE);
}

static unsigned int number(const char *option, const char *s, unsigned int min, unsigned int max)
{
	char *end;
	unsigned long v = strtoul(s, &end, 0);

	if (!*s || *end || v < min || v > max)
		wrong(text("%s needs a number from %u to %u, not ", option, min, max), s);
	return v;
}

static void set_me(const char *s)
{
	char end;

	if (sscanf(s, "%u.%u%c", &options.island, &options.me, &end) != 2 || options.island > 63 ||
	    options.me > 11)
		wrong("--me needs ISLAND.ME, up to 63.11, not ", s);
}

static void add(const char ***list, unsigned int *n, const char *s)
{
	*list = room(*list, *n, sizeof(**list));
	(*list)[(*n)++] = s;
}

static bool for_clang(const char *a)
{
	return a[0] == '-' && a[1] && (strchr("DUIWfw", a[1]) || !strncmp(a, "-std=", 5));
}

static void parse(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		const char *a = argv[i];

		if (!strcmp(a, "--help")) {
			fputs(usage, stdout);
			exit(0);
		} else if (!strcmp(a, "--list")) {
			options.list = true;
		} else if (!strcmp(a, "--mir")) {
			options.mir = true;
		} else if (for_clang(a)) {
			add(&options.clang, &options.clangs, a);
		} else if (a[0] != '-') {
			add(&options.file, &options.files, a);
		} else if (i + 1 == argc) {
			wrong("unknown option or missing value: ", a);
		} else if (!strcmp(a, "-include")) {
			add(&options.clang, &options.clangs, a);
			add(&options.clang, &options.clangs, argv[++i]);
		} else if (!strcmp(a, "-o")) {
			options.out = argv[++i];
		} else if (!strcmp(a, "--entry")) {
			add(&options.entry, &options.entries, argv[++i]);
		} else if (!strcmp(a, "--me")) {
			set_me(argv[++i]);
		} else if (!strcmp(a, "--gprs")) {
			options.gprs = number(a, argv[++i], 8, 32);
		} else if (!strcmp(a, "--exit")) {
			options.exit_at = number(a, argv[++i], 0, EN_TARGETS - 1);
		} else {
			wrong("unknown option: ", a);
		}
	}
	if (!options.files)
		wrong("no file", "");
}

/* Bytes of a context's area that what a function calls may take */
static uint32_t area_below(struct program *p, const struct routine *r)
{
	uint32_t area = 0;

	for (unsigned int i = 0; i < p->n; i++)
		if (routine_calls(r, &p->r[i]) && area < p->r[i].area)
			area = p->r[i].area;
	return area;
}

static void compile(struct image *img, struct objects *objs, struct program *p, struct routine *r)
{
	struct mfunc *f;

	r->area = area_below(p, r);
	objs->area = routine_shared(r) ? &r->area : NULL;
	f = isel_function(p, r, objs);
	if (options.mir)
		mir_print(f, "operations of");
	alloc_registers(f, objs);
	schedule(f);
	if (options.mir)
		mir_print(f, "registers of");
	objs->area = NULL;
	emit_function(img, f);
	mir_free(f);
	free(f);
}

/* The context's areas, one after the other */
static void place_areas(struct program *p, struct objects *objs)
{
	uint32_t area = 0, i;

	for (i = 0; i < p->n; i++)
		if (area < p->r[i].area)
			area = p->r[i].area;
	p->area = (area + AREA_ALIGN - 1) & -AREA_ALIGN;
	if (p->area)
		p->areas = place_lm(objs, p->area * p->entries, AREA_ALIGN, (struct where){ 0 },
				    "the frames of functions that several contexts run");
}

static void compile_all(struct image *img, struct objects *objs, struct program *p)
{
	unsigned int i, routines = p->n - p->entries;

	options.free[0] = options.gprs - p->calls;
	options.free[1] = options.gprs - p->shared;
	for (i = 0; i < routines; i++)
		compile(img, objs, p, &p->r[i]);
	place_areas(p, objs);
	for (i = 0; i < p->entries; i++) {
		p->base = p->areas + i * p->area;
		compile(img, objs, p, &p->r[routines + i]);
	}
}

int main(int argc, char **argv)
{
	struct objects objs = { 0 };
	struct program program = { 0 };
	struct image img = { 0 };
	LLVMModuleRef m;

	parse(argc, argv);
	m = front_module();
	legalise(m);
	place_objects(&objs, m);
	sel_keep_xfers(m, &objs);
	routine_collect(&program, m);
	compile_all(&img, &objs, &program);
	object_write(&img, &objs);
	if (options.list)
		list_print(&img, &objs);
	return 0;
}
