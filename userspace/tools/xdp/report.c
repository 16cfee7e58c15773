// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* report.c - print the result of nfpchan xdp explain, as text and as JSON. */
#include <bpf/libbpf.h>
#include <stdio.h>
#include "explain.h"
#include "json.h"

static const char *const severities[] = {
	[SEVERITY_NOTE] = "note", [SEVERITY_WARNING] = "warning",
	[SEVERITY_UNKNOWN] = "unknown", [SEVERITY_ERROR] = "error",
};

static const char *verdict_name(enum severity s)
{
	return s == SEVERITY_ERROR ? "no" : s == SEVERITY_UNKNOWN ? "unknown" : "yes";
}

/* ---- text ---- */

/* Print @lead, then @text, wrapped at 80 columns and aligned at the column after @lead. */
static void print_wrapped(const char *lead, const char *text)
{
	int column = printf("%s", lead), margin = column, n;

	while (*text) {
		for (n = 0; text[n] && text[n] != ' '; n++)
			;
		if (column + 1 + n > 80 && column > margin)
			column = printf("\n%*s", margin, "") - 1;
		column += printf("%s%.*s", column > margin ? " " : "", n, text);
		text += n + (text[n] == ' ');
	}
	putchar('\n');
}

static void print_issue(const struct xobject *o, const struct xprog *p, const struct issue *is,
			const char *what)
{
	const struct reason_info *r = &reasons[is->why];
	struct line line;
	char insn[64];

	printf("  ");
	if (p && object_line(o, p, is->insn, &line))
		printf("%s:%u: ", line.file, line.number);
	else if (what)
		printf("%s: ", what);
	if (r->severity != SEVERITY_ERROR)
		printf("%s: ", severities[r->severity]);
	printf("%s [%s]\n", is->text, r->name);
	if (p && object_line(o, p, is->insn, &line))
		printf("      source       %s\n", line.text);
	if (p && is->insn >= 0 && is->insn < p->insns) {
		insn_text(&p->insn[is->insn], insn, sizeof(insn));
		printf("      instruction  %d: %s\n", is->insn, insn);
	}
	print_wrapped("      advice       ", r->advice);
}

static void print_issues(const struct xobject *o, const struct xprog *p,
			 const struct issues *list, const char *what)
{
	unsigned int i;

	for (i = 0; i < list->count; i++)
		print_issue(o, p, &list->issue[i], what);
}

static void print_helpers(const struct limits *l)
{
	const char *comma = " ";
	unsigned int i;

	if (l->words_told)
		printf("given by --words: %u instructions\n", l->words);
	if (l->helpers_told)
		printf("given by --helpers:");
	else if (*l->firmware)
		printf("%s: helpers:", l->firmware);
	else
		return;
	for (i = 0; i < HELPERS; i++)
		if (l->helpers >> i & 1) {
			printf("%s%s", comma, helper_words[i]);
			comma = ",";
		}
	printf("%s\n", l->helpers ? "" : " none");
}

static void print_assumed(const struct limits *l, const struct device *d)
{
	char words[32] = "";

	if (!l->words_told)
		snprintf(words, sizeof(words), "%u instructions, ", l->words);
	if (l->known)
		printf("card: %s%u bytes of stack, programs reach %u bytes of a packet (read from "
		       "%s)\n", words, l->stack, l->inline_mtu, d->net.name);
	else
		printf("%s: %s%u bytes of stack, programs reach %u bytes of a packet\n",
		       *l->firmware && !l->assumed ? l->firmware : "assumed of the card", words,
		       l->stack, l->inline_mtu);
	printf("%s: %u maps, %u entries in all, keys of %u bytes, values of %u, %u together\n",
	       *l->firmware ? l->firmware : "assumed of its firmware", l->max_maps, l->max_entries,
	       l->max_key, l->max_value, l->max_elem);
	print_helpers(l);
	if (d && d->maps_known)
		printf("on the card now: %u maps with %u entries\n", d->maps, d->entries);
}

void report_plain(const struct xobject *o, const struct device *d)
{
	static const char *const can[] = {
		[SEVERITY_NOTE] = "can be offloaded",
		[SEVERITY_WARNING] = "can be offloaded, but may not do the same",
		[SEVERITY_UNKNOWN] = "may or may not be offloaded",
		[SEVERITY_ERROR] = "cannot be offloaded",
	};
	unsigned int i;
	char name[80];

	print_assumed(&o->limits, d);
	if (d)
		print_issues(o, NULL, &d->issues, d->net.name);
	for (i = 0; i < o->maps; i++) {
		snprintf(name, sizeof(name), "map %s", o->map[i].name);
		print_issues(o, NULL, &o->map[i].issues, name);
	}
	for (i = 0; i < o->progs; i++) {
		const struct xprog *p = &o->prog[i];

		printf("program %s (section %s): %s\n", p->name, p->section,
		       can[prog_verdict(o, d, p)]);
		if (p->words)
			printf("  %d instructions, on the card %u of %u; stack %u of %u bytes\n",
			       p->insns, p->words, o->limits.words, p->stack, o->limits.stack);
		print_issues(o, p, &p->issues, NULL);
	}
}

/* ---- JSON ---- */

static void json_issues(struct json *j, const struct xobject *o, const struct xprog *p,
			const struct issues *list)
{
	struct line line;
	unsigned int i;
	char insn[64];

	json_array(j, "issues");
	for (i = 0; i < list->count; i++) {
		const struct issue *is = &list->issue[i];

		json_object(j, NULL);
		json_str(j, "reason", reasons[is->why].name);
		json_str(j, "severity", severities[reasons[is->why].severity]);
		json_str(j, "text", is->text);
		json_str(j, "advice", reasons[is->why].advice);
		if (p && is->insn >= 0 && is->insn < p->insns) {
			insn_text(&p->insn[is->insn], insn, sizeof(insn));
			json_u64(j, "insn", is->insn);
			json_str(j, "insn_text", insn);
		}
		if (p && object_line(o, p, is->insn, &line)) {
			json_str(j, "file", line.file);
			json_u64(j, "line", line.number);
			json_str(j, "source", line.text);
		}
		json_close(j);
	}
	json_close(j);
}

static void json_limits(struct json *j, const struct limits *l)
{
	unsigned int i;

	json_object(j, "limits");
	json_str(j, "firmware", l->firmware);
	json_bool(j, "read_from_card", l->known);
	json_u64(j, "instructions", l->words);
	json_u64(j, "stack", l->stack);
	json_u64(j, "packet_bytes", l->inline_mtu);
	json_u64(j, "maps", l->max_maps);
	json_u64(j, "entries", l->max_entries);
	json_u64(j, "key_size", l->max_key);
	json_u64(j, "value_size", l->max_value);
	json_u64(j, "elem_size", l->max_elem);
	json_bool(j, "helpers_told", l->helpers_told);
	json_array(j, "helpers");
	for (i = 0; i < HELPERS; i++)
		if (l->helpers >> i & 1)
			json_str(j, NULL, helper_words[i]);
	json_close(j);
	json_close(j);
}

static void json_device(struct json *j, const struct xobject *o, const struct device *d)
{
	json_object(j, "device");
	json_str(j, "name", d->net.name);
	json_str(j, "driver", d->net.driver);
	json_str(j, "firmware", d->net.firmware);
	json_u64(j, "mtu", d->mtu);
	json_u64(j, "attached", d->attached);
	if (d->maps_known) {
		json_u64(j, "maps", d->maps);
		json_u64(j, "entries", d->entries);
	}
	json_issues(j, o, NULL, &d->issues);
	json_close(j);
}

static void json_map(struct json *j, const struct xobject *o, const struct xmap *m)
{
	const char *type = libbpf_bpf_map_type_str(m->type);

	json_object(j, NULL);
	json_str(j, "name", m->name);
	json_str(j, "type", type ? type : "unknown");
	json_u64(j, "key_size", m->key_size);
	json_u64(j, "value_size", m->value_size);
	json_u64(j, "max_entries", m->max_entries);
	json_u64(j, "flags", m->flags);
	json_issues(j, o, NULL, &m->issues);
	json_close(j);
}

static void json_prog(struct json *j, const struct xobject *o, const struct device *d,
		      const struct xprog *p)
{
	json_object(j, NULL);
	json_str(j, "name", p->name);
	json_str(j, "section", p->section);
	json_str(j, "offloadable", verdict_name(prog_verdict(o, d, p)));
	json_u64(j, "bpf_instructions", p->insns);
	if (p->words) {
		json_u64(j, "instructions", p->words);
		json_u64(j, "stack", p->stack);
		json_u64(j, "packet_bytes", p->packet + 1);
	}
	json_issues(j, o, p, &p->issues);
	json_close(j);
}

void report_json(const struct xobject *o, const struct device *d)
{
	unsigned int i;
	struct json j;

	json_init(&j, stdout);
	json_object(&j, NULL);
	json_str(&j, "object", o->path);
	json_limits(&j, &o->limits);
	if (d)
		json_device(&j, o, d);
	json_array(&j, "maps");
	for (i = 0; i < o->maps; i++)
		json_map(&j, o, &o->map[i]);
	json_close(&j);
	json_array(&j, "programs");
	for (i = 0; i < o->progs; i++)
		json_prog(&j, o, d, &o->prog[i]);
	json_close(&j);
	json_close(&j);
	json_end(&j);
}
