// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* uses.c - find what each program uses, and whether the card can run it. */
#include <stdio.h>
#include <string.h>
#include "split.h"

/* Return the map that an instruction loads, or -1. */
int split_map_of(const struct xobject *o, const struct xprog *p, int insn)
{
	const struct bpf_insn *i = &p->insn[insn];

	if (i->code != (BPF_LD | BPF_IMM | BPF_DW))
		return -1;
	if (i->src_reg != BPF_PSEUDO_MAP_IDX && i->src_reg != BPF_PSEUDO_MAP_IDX_VALUE)
		return -1;
	return i->imm >= 0 && (unsigned int)i->imm < o->maps ? i->imm : -1;
}

bool split_calls(const struct xprog *p, int insn, int helper)
{
	const struct bpf_insn *i = &p->insn[insn];

	return i->code == (BPF_JMP | BPF_CALL) && !i->src_reg && i->imm == helper;
}

/* Whether an issue keeps a program off the card. Tail calls do not: linking removes them. */
static bool counts(const struct issue *is, bool strict)
{
	enum severity s = reasons[is->why].severity;

	return is->why != WHY_TAIL_CALL && (s >= SEVERITY_UNKNOWN || (strict && s >= SEVERITY_WARNING));
}

static bool keeps_off(struct split_prog *to, const struct issues *list, int insn, bool strict,
		      const char *what, const char *name)
{
	unsigned int i;

	for (i = 0; i < list->count; i++) {
		const struct issue *is = &list->issue[i];

		if (!counts(is, strict))
			continue;
		snprintf(to->why, sizeof(to->why), "%s%s%s%s", what, name, *what ? ": " : "", is->text);
		to->insn = insn >= 0 ? insn : is->insn;
		return true;
	}
	return false;
}

/* Forget how other programs use map words. Only the linked program shows the real conflicts. */
static void forget_uses(struct xobject *o)
{
	unsigned int i;

	for (i = 0; i < o->maps; i++)
		if (o->map[i].words)
			memset(o->map[i].words, 0,
			       (o->map[i].value_size + 3) / 4 * sizeof(*o->map[i].words));
}

bool split_keeps_off(struct split *s, int prog)
{
	struct split_prog *to = &s->prog[prog];
	struct xprog *p = &s->o->prog[prog];
	int i, map;

	to->insn = -1;
	forget_uses(s->o);
	prog_check(s->o, p);
	if (keeps_off(to, &p->issues, -1, s->opts->strict, "", ""))
		return true;
	for (i = 0; i < p->insns; i++) {
		map = split_map_of(s->o, p, i);
		if (map >= 0 && s->o->map[map].type != BPF_MAP_TYPE_PROG_ARRAY &&
		    keeps_off(to, &s->o->map[map].issues, i, s->opts->strict, "map ",
			      s->o->map[map].name))
			return true;
	}
	return false;
}
