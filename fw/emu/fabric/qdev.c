// SPDX-License-Identifier: BSD-2-Clause
/*
 * qdev.c - a device with a queue of descriptors. A job is: doorbell, descriptor read, data read,
 * work, data write, completion.
 */
#include <stdlib.h>

#include "endpoint.h"

struct fab_request {
	unsigned int slot;
	struct fab_qdev *q;
	uint64_t at;		/* address of the descriptor */
	struct fab_desc desc;
	uint8_t *in, *out;
};

static void request_next(struct fab_qdev *q, uint32_t step);

static void request_free(struct fab_request *r)
{
	r->q->request[r->slot] = NULL;
	r->q->busy--;
	free(r->in);
	free(r->out);
	free(r);
}

void fab_qdev_free(struct fab_qdev *q)
{
	unsigned int i;

	for (i = 0; i < FAB_INFLIGHT; i++) {
		if (q->request[i])
			request_free(q->request[i]);
	}
}

static void request_end(struct fab_request *r, uint32_t step)
{
	struct fab_qdev *q = r->q;

	request_free(r);
	request_next(q, step);
}

/* Write the output and then the completion. They are one operation, and arrive in order. */
static void worked(void *ctx, uint64_t arg, uint32_t step)
{
	struct fab_request *r = ctx;
	struct fab_qdev *q = r->q;
	struct fab_done done = { .seq = r->desc.seq };
	uint32_t op = fab_op(&q->d->n->f->sim, FAB_DMA_WR, q->output, q->d->n->id,
			     FAB_NOBODY);
	int len = 0;

	(void)arg;
	if (q->got)
		q->got(q->ctx, r->desc.seq, r->in, r->desc.len, step);
	else
		len = q->work(q->ctx, r->desc.seq, r->in, r->desc.len, r->out);
	if (len < 0)
		done.status = -len;
	else
		done.len = len;
	if (len > 0)
		fab_dma_write(&q->d->dma, r->desc.dst, r->out, len, op, step);
	fab_dma_write(&q->d->dma, r->at, &done, sizeof(done), op, step);
	request_end(r, step);
}

static void data_there(void *ctx, uint64_t arg, bool good, uint32_t step)
{
	struct fab_request *r = ctx;

	(void)arg;
	if (!good) {
		r->q->d->n->f->n.bad++;
		request_end(r, step);
		return;
	}
	fab_engine_do(&r->q->engine, r->desc.len, step, worked, r, 0);
}

static void desc_there(void *ctx, uint64_t arg, bool good, uint32_t step)
{
	struct fab_request *r = ctx;
	struct fab_qdev *q = r->q;
	uint32_t len = r->desc.len, op;

	(void)arg;
	if (!good || !len || len > FAB_MESSAGE_MAX) {
		q->d->n->f->n.bad++;
		request_end(r, step);
		return;
	}
	r->in = fab_alloc(1, len);
	r->out = fab_alloc(1, len + FAB_RESULT_MAX);
	op = fab_op(&q->d->n->f->sim, FAB_DMA_RD, q->input, FAB_NOBODY, q->d->n->id);
	fab_dma_read(&q->d->dma, r->desc.src, r->in, len, op, step, data_there, r, 0);
}

static void request_next(struct fab_qdev *q, uint32_t step)
{
	struct fab_sim *sim = &q->d->n->f->sim;

	while (q->busy < q->d->n->f->opt.inflight && q->head != q->tail) {
		struct fab_request *r = fab_alloc(1, sizeof(*r));
		uint32_t op = fab_op(sim, FAB_DMA_RD, q->command, FAB_NOBODY, q->d->n->id);

		r->q = q;
		while (q->request[r->slot])
			r->slot++;
		q->request[r->slot] = r;
		r->at = q->ring + q->head++ % q->entries * sizeof(r->desc);
		q->busy++;
		fab_dma_read(&q->d->dma, r->at, &r->desc, sizeof(r->desc), op, step,
			     desc_there, r, 0);
	}
}

void fab_qdev_doorbell(struct fab_qdev *q, uint32_t tail, uint32_t step)
{
	/* A tail that is more than the ring's length ahead is an error. */
	if (tail - q->head > q->entries) {
		q->d->n->f->n.bad++;
		return;
	}
	q->tail = tail;
	request_next(q, step);
}
