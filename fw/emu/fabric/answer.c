// SPDX-License-Identifier: BSD-2-Clause
/*
 * answer.c - completions of reads. They are split at RCB, like the completions of a root complex
 * in the card's TLP counters (fw/emu/board/pci/tlp.c).
 */
#include <stdlib.h>

#include "fabric.h"
#include "tlp_split.h"

/*
 * Number of reads that a node answers at the same time on a link. Further reads wait in the
 * receiver's buffer.
 */
#define ANSWERS	8

struct fab_answer {
	struct fab_answer *next;
	uint64_t addr;
	uint32_t left, step, op;
	uint16_t tag;
	uint8_t requester;
	bool refused;
	fab_fetch fetch;
	void *ctx;
};

bool fab_answer_room(const struct fab_lane *l)
{
	return l->nanswers < ANSWERS;
}

static void answer_add(struct fab_lane *l, struct fab_answer a)
{
	struct fab_answer *new = fab_alloc(1, sizeof(*new));

	*new = a;
	*l->answers_end = new;
	l->answers_end = &new->next;
	l->nanswers++;
	l->f->sim.op[a.op].from = l->from->id;
	fab_answers_run(l);
}

void fab_answer(struct fab_lane *l, const struct fab_tlp *t, uint32_t step, fab_fetch fetch,
		void *ctx)
{
	answer_add(l, (struct fab_answer){
		.addr = t->addr, .left = t->len, .step = step, .op = t->op, .tag = t->tag,
		.requester = t->requester, .fetch = fetch, .ctx = ctx,
	});
}

void fab_answer_refuse(struct fab_lane *l, const struct fab_tlp *t, uint32_t step)
{
	answer_add(l, (struct fab_answer){
		.addr = t->addr, .left = t->len, .step = step, .op = t->op, .tag = t->tag,
		.requester = t->requester, .refused = true,
	});
}

static struct fab_tlp *completion(const struct fabric *f, struct fab_answer *a)
{
	uint32_t len = a->refused ? a->left :
		       tlp_piece(a->addr, a->left, f->opt.mps, f->opt.rcb);
	struct fab_tlp *t = fab_tlp_new(FAB_CPL, a->addr, len, a->step, a->op);

	t->tag = a->tag;
	t->requester = a->requester;
	t->refused = a->refused;
	if (!a->refused)
		a->fetch(a->ctx, a->addr, t->data, len);
	a->addr += len;
	a->left -= len;
	return t;
}

void fab_answers_run(struct fab_lane *l)
{
	while (l->answers && fab_lane_room(l, FAB_CPL)) {
		struct fab_answer *a = l->answers;
		struct fab_tlp *t = completion(l->f, a);

		if (!a->left) {
			l->answers = a->next;
			if (!a->next)
				l->answers_end = &l->answers;
			l->nanswers--;
			free(a);
			fab_node_look(l->from);
		}
		fab_lane_put(l, t);
	}
}

void fab_answers_free(struct fab_lane *l)
{
	while (l->answers) {
		struct fab_answer *a = l->answers;

		l->answers = a->next;
		free(a);
	}
}
