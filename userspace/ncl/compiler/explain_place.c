// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Check an object against the limits of a card, with the rules of `nfpchan xdp explain`. Print the
 * costs of kernels and the layout of variables for --explain.
 */
#include <linux/bpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "explain.h"
#include "types.h"
#include "lock.h"
#include "explain_place.h"

static const char *base_name(const char *path)
{
	const char *s = strrchr(path, '/');

	return s ? s + 1 : path;
}

/*
 * Debug information has absolute paths. Return what the user typed for the user's file, and a path
 * relative to the current directory for other files there.
 */
static const char *short_path(const char *path)
{
	char cwd[4096];
	size_t n;

	if (!strcmp(base_name(path), base_name(options.file)))
		return options.file;
	n = getcwd(cwd, sizeof(cwd)) ? strlen(cwd) : 0;
	return n && !strncmp(path, cwd, n) && path[n] == '/' ? path + n + 1 : path;
}

static bool is_fatal(const struct issue *i)
{
	return reasons[i->why].severity >= SEVERITY_UNKNOWN;
}

static void complain(const struct place *at, const struct xobject *o, const struct xprog *p,
		     const struct issue *i)
{
	bool fatal = is_fatal(i);
	struct line line = { 0 };

	if (i->why == WHY_TOO_LONG)
		return;		/* explain_too_long() reports this */
	/* Where a kernel needs a lock it writes a variable, so that line is refused as well. */
	if (p && i->why == WHY_MISSING && i->insn >= 0 && object_line(o, p, i->insn, &line) &&
	    !strncmp(base_name(line.file), LOCK_LINES, strlen(LOCK_LINES)))
		return;
	if (p && i->insn >= 0 && object_line(o, p, i->insn, &line))
		fprintf(stderr, "%s:%u: ", short_path(line.file), line.number);
	else
		fprintf(stderr, "%s: ", options.file);
	fprintf(stderr, "%s: for a card, at \"%s\": %s\n", fatal ? "error" : "warning", at->label, i->text);
	if (reasons[i->why].advice)
		fprintf(stderr, "  %s\n", reasons[i->why].advice);
	fprintf(stderr, "  XDP of a host %s\n", fatal ? "may run it: use --target xdp" : "runs it correctly");
}

static bool complain_all(struct place *at, const struct xobject *o, const struct xprog *p,
			 const struct issues *list)
{
	bool good = true;
	unsigned int i;

	for (i = 0; i < list->count; i++) {
		if (reasons[list->issue[i].why].severity < SEVERITY_WARNING)
			continue;
		good &= !is_fatal(&list->issue[i]);
		at->too_long |= list->issue[i].why == WHY_TOO_LONG;
		if (options.card && !options.quiet)
			complain(at, o, p, &list->issue[i]);
	}
	return good;
}

/* The kernel whose source has the line; NULL: another function, or generated code */
static struct run *run_at(struct place *at, const struct line *line)
{
	struct run *found = NULL;
	unsigned int best = 0, i;
	LLVMValueRef f;

	if (strcmp(base_name(line->file), base_name(options.file)))
		return NULL;
	for (f = LLVMGetFirstFunction(at->p->module); f; f = LLVMGetNextFunction(f)) {
		struct where w = where_function(f);

		if (!w.file || w.line > line->number || w.line < best ||
		    strcmp(base_name(w.file), base_name(line->file)))
			continue;
		best = w.line;
		found = NULL;
		for (i = 0; i < at->runs; i++)
			if (!strcmp(at->run[i].k->symbol, LLVMGetValueName(f)))
				found = &at->run[i];
	}
	return found;
}

/* The kernel for whose lock nclc generated the line; NULL: the line is not the lock's */
static struct run *lock_at(struct place *at, const struct line *line)
{
	const char *base = base_name(line->file);
	unsigned int n = strtoul(base + strcspn(base, "0123456789"), NULL, 10);

	return strncmp(base, LOCK_LINES, strlen(LOCK_LINES)) || n >= at->runs ? NULL : &at->run[n];
}

/* Count instructions and card words of each kernel and of its lock, and the helpers in use. */
static void count_costs(struct place *at, const struct xobject *o, const struct xprog *p)
{
	struct line line = { 0 };
	int i;

	for (i = 0; i < p->insns; i++) {
		struct run *r = object_line(o, p, i, &line) ? run_at(at, &line) : NULL;

		if (p->insn[i].code == (BPF_JMP | BPF_CALL) && p->insn[i].imm >= 1 && p->insn[i].imm <= 3)
			at->helpers |= 1 << p->insn[i].imm;
		if (!r && line.file && (r = lock_at(at, &line))) {
			r->lock_words += p->insn_words ? p->insn_words[i] : 0;
			continue;
		}
		if (!r)
			continue;
		r->insns++;
		r->words += p->insn_words ? p->insn_words[i] : 0;
	}
}

bool explain_object(struct place *at)
{
	struct xobject o;
	char err[256];
	bool good;
	unsigned int i;

	if (object_open(&o, at->object, err, sizeof(err)) < 0)
		internal("%s: %s", at->object, err);
	if (limits_firmware(&o.limits, options.firmware, err, sizeof(err)))
		fail(EXIT_USAGE, "--firmware %s: %s", options.firmware, err);
	maps_check(&o, NULL);
	prog_check(&o, &o.prog[0]);
	at->insns = o.prog[0].insns;
	at->words = o.prog[0].words;
	at->words_most = o.limits.words;
	good = complain_all(at, &o, NULL, &o.issues);
	for (i = 0; i < o.maps; i++)
		good &= complain_all(at, &o, NULL, &o.map[i].issues);
	good &= complain_all(at, &o, &o.prog[0], &o.prog[0].issues);
	if (!options.quiet && (options.explain || at->too_long))
		count_costs(at, &o, &o.prog[0]);
	at->fits_card = good;
	object_close(&o);
	return good || !options.card;
}

void explain_too_long(const struct place *at, unsigned int window, unsigned int fits)
{
	const struct run *r = &at->run[0];
	unsigned int i;

	for (i = 1; i < at->runs; i++)
		if (at->run[i].words > r->words)
			r = &at->run[i];
	fprintf(stderr, "%s:%u: error: for a card, at \"%s\": the program has %u instruction words, a card has %u for a port; kernel '%s' has %u of them\n",
		short_path(r->k->at.file), r->k->at.line, at->label, at->words, at->words_most, r->k->name, r->words);
	if (fits)
		fprintf(stderr, "  it fits with windows of %u elements instead of %u (_win_())\n", fits, window);
	fprintf(stderr, "  XDP of a host can run it: use --target xdp\n");
}

static void print_dims(const struct var *v)
{
	unsigned int i;

	for (i = 0; i < v->dims; i++)
		printf("[%u]", v->dim[i]);
}

static void print_var(const struct place *at, const struct layout *l)
{
	const struct var *v = l->var;
	char type[16], key[16];

	(void)at;
	printf("  %s, %s", v->name, type_name(&v->type, type));
	print_dims(v);
	if (v->map) {
		printf(": hash map '%s', %llu keys of %s; %s\n", l->map, (unsigned long long)v->entries,
		       type_name(&v->key, key), l->used ? "looked up" : "not used here");
		return;
	}
	printf(": array map '%s' of %u x %u bytes", l->map, l->entries, l->unit);
	if (l->unit > v->type.size)
		printf(", %u elements in each%s", l->unit / v->type.size,
		       l->columns ? ", by columns" : "");
	printf("; %s\n", !l->used ? "not used here" : v->ctrl ? "read; hosts write it" :
	       l->adds ? "only added to, atomically" : l->written ? "read and written" : "read");
}

void explain_print(const struct place *at, unsigned int window, unsigned int fits)
{
	unsigned int i, insns = at->insns, words = at->words;

	printf("%s: %u BPF instructions", at->label, at->insns);
	if (at->fits_card)
		printf(", %u of %u words on a card", at->words, at->words_most);
	else
		printf(", not for a card");
	printf("; firmware needs lookup%s%s\n", at->helpers & 1 << 2 ? ", update" : "",
	       at->helpers & 1 << 3 ? ", delete" : "");
	for (i = 0; i < at->runs; i++) {
		const struct run *r = &at->run[i];

		printf("  kernel %s (line %u): %u instructions, %u words; %s", r->k->name, r->k->at.line,
		       r->insns, r->words, r->why);
		if (r->locked)
			printf(" (%u words, and at least two more calls of map helpers)", r->lock_words);
		printf("\n");
		insns -= r->insns;
		words -= r->words;
	}
	printf("  parsing, forwarding, functions, %s: %u instructions, %u words\n",
	       at->locks ? "the lock" : "no lock", insns, words);
	for (i = 0; i < at->layouts; i++)
		if (at->layout[i].here)
			print_var(at, &at->layout[i]);
	if (fits)
		printf("  windows of up to %u elements would fit a card; those of the program have %u\n", fits, window);
}
