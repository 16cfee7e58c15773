// SPDX-License-Identifier: BSD-2-Clause
/*
 * root.c - stores of the CPU, and a root complex that runs programs on them (paper, section 4.5).
 */
#include <stdlib.h>
#include <string.h>

#include "endpoint.h"

/* Send host memory as it is now. The CPU has written it before it stored the struct fab_push. */
static void push(struct fab_node *n, uint64_t target, const struct fab_tlp *t)
{
	struct fab_device *root = n->unit;
	struct fab_push p;
	void *data;

	if (t->len != sizeof(p)) {
		n->f->n.bad++;
		return;
	}
	memcpy(&p, t->data, sizeof(p));
	data = fab_device_mem(root, p.src, p.len);
	if (!data || !p.len) {
		n->f->n.bad++;
		return;
	}
	n->f->sim.op[t->op].kind = FAB_DMA_WR;
	fab_dma_write(&root->dma, target, data, p.len, t->op, t->step);
}

void fab_root_program(struct fab_device *root, struct fab_pipe *p)
{
	p->n = root->n;
	p->push = push;
	root->pipe = p;
}

/* The store has passed the pipeline. */
static void stored(void *ctx, uint64_t arg)
{
	struct fab_tlp *t = (struct fab_tlp *)(uintptr_t)arg;
	struct fab_device *root = ctx;
	struct fab_entry *e = fab_pipe_match(root->pipe, FAB_ROOT, t);

	t->step = fab_step(&root->n->f->sim, FAB_PASS, FAB_ROOT, t->step, t->op, t->len);
	if (e)
		fab_pipe_run(root->pipe, e, t);
	else
		fab_dma_write(&root->dma, t->addr, t->data, t->len, t->op, t->step);
	free(t);
}

void fab_store(struct fab_device *from, uint64_t addr, const void *data, uint32_t len,
	       const char *what, uint32_t cause)
{
	struct fabric *f = from->n->f;
	uint8_t node = from->n->id;
	uint32_t op = fab_op(&f->sim, node == FAB_ROOT ? FAB_MMIO_WR : FAB_DMA_WR, what, node,
			     FAB_NOBODY);
	struct fab_tlp *t;

	if (!from->pipe) {
		fab_dma_write(&from->dma, addr, data, len, op, cause);
		return;
	}
	t = fab_tlp_new(FAB_P, addr, len, cause, op);
	t->requester = node;
	memcpy(t->data, data, len);
	fab_after(&f->sim, f->opt.pipeline_ns * FAB_NS, stored, from, (uintptr_t)t);
}
