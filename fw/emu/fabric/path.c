// SPDX-License-Identifier: BSD-2-Clause
/*
 * path.c - the critical path.
 *
 * Each step has the number of the step that caused it. So there is one path back from the last
 * step to the first, and the steps on it cover the whole time. Round trips are counted as the
 * link crossings of the TLPs on this path.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "path.h"

static int row_add(struct fab_path *p, const struct fab_step *t, fab_time takes)
{
	struct fab_row *r = &p->row[p->rows];

	if (p->rows && t->op && r[-1].op == t->op) {
		r--;
	} else {
		if (p->rows == FAB_ROWS)
			return -E2BIG;
		*r = (struct fab_row){ .op = t->op, .kind = t->kind, .node = t->node };
		p->rows++;
	}
	r->takes += takes;
	r->crossings += t->kind == FAB_CROSS;
	p->crossings += t->kind == FAB_CROSS;
	p->cpu_actions += t->kind == FAB_CPU;
	p->takes += takes;
	return 0;
}

int fab_path(const struct fab_sim *s, uint32_t end, struct fab_path *p)
{
	uint32_t n = 0, i, *way;
	int rc = 0;

	*p = (struct fab_path){ 0 };
	for (i = end; i; i = s->step[i].cause)
		n++;
	way = fab_alloc(n, sizeof(*way));
	for (i = end; i; i = s->step[i].cause)
		way[--n] = i;
	for (;; n++) {
		const struct fab_step *t = &s->step[way[n]];

		/* The first step only marks the start time. */
		if (t->cause)
			rc = row_add(p, t, t->end - fab_step_begin(s, way[n]));
		if (rc || way[n] == end)
			break;
	}
	free(way);
	return rc;
}

void fab_row_text(const struct fab_sim *s, const struct fab_row *r, char *way, char *what,
		  size_t size)
{
	static const char * const kinds[] = {
		[FAB_DMA_WR] = "DMA WR", [FAB_DMA_RD] = "DMA RD", [FAB_MMIO_WR] = "MMIO WR",
	};
	static const char * const work[FAB_KINDS] = {
		[FAB_CPU] = "the CPU acts", [FAB_CARD] = "a thread of the card acts",
		[FAB_ENGINE] = "the engine works", [FAB_PASS] = "looks at it",
	};
	const struct fab_op *op = &s->op[r->op];

	if (!r->op) {
		snprintf(way, size, "%s", fab_node_name(r->node));
		snprintf(what, size, "%s", work[r->kind] ? work[r->kind] : "?");
		return;
	}
	snprintf(way, size, "%s -> %s", fab_node_name(op->from), fab_node_name(op->to));
	snprintf(what, size, "%s (%s)", op->what, kinds[op->kind]);
}
