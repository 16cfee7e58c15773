// SPDX-License-Identifier: BSD-2-Clause
/*
 * dma.c - splits writes at MPS and reads at MRRS, and copies completions to the reader's buffer.
 */
#include <stdlib.h>
#include <string.h>

#include "dma.h"
#include "tlp_split.h"

struct fab_job {
	struct fab_job *next;
	struct fab_job *all, **all_at;	/* list of all jobs of the DMA, in any state */
	uint64_t addr;
	uint32_t len, sent, left, op, cause;
	uint8_t *bytes;		/* copy of a write's data, or the reader's buffer */
	bool bad;
	fab_read_done done;
	void *ctx;
	uint64_t arg;
};

void fab_dma_init(struct fab_dma *d, struct fab_node *n)
{
	*d = (struct fab_dma){ .n = n };
	d->writes_end = &d->writes;
	d->reads_end = &d->reads;
	n->dma = d;
}

static struct fab_job *job_new(struct fab_dma *d, struct fab_job j)
{
	struct fab_job *new = fab_alloc(1, sizeof(*new));

	*new = j;
	new->all = d->all;
	new->all_at = &d->all;
	if (d->all)
		d->all->all_at = &new->all;
	d->all = new;
	return new;
}

static void job_free(struct fab_job *j)
{
	*j->all_at = j->all;
	if (j->all)
		j->all->all_at = j->all_at;
	if (!j->done)
		free(j->bytes);
	free(j);
}

void fab_dma_free(struct fab_dma *d)
{
	while (d->all)
		job_free(d->all);
}

static void job_add(struct fab_job ***end, struct fab_job *j)
{
	**end = j;
	*end = &j->next;
}

static void job_drop(struct fab_job **first, struct fab_job ***end)
{
	*first = (*first)->next;
	if (!*first)
		*end = first;
}

void fab_dma_write(struct fab_dma *d, uint64_t addr, const void *data, uint32_t len,
		   uint32_t op, uint32_t cause)
{
	struct fab_job *j = job_new(d, (struct fab_job){
		.addr = addr, .len = len, .op = op, .cause = cause,
		.bytes = fab_alloc(1, len),
	});

	memcpy(j->bytes, data, len);
	job_add(&d->writes_end, j);
	fab_dma_run(d);
}

void fab_dma_read(struct fab_dma *d, uint64_t addr, void *to, uint32_t len, uint32_t op,
		  uint32_t cause, fab_read_done done, void *ctx, uint64_t arg)
{
	struct fab_job *j = job_new(d, (struct fab_job){
		.addr = addr, .len = len, .left = len, .op = op, .cause = cause, .bytes = to,
		.done = done, .ctx = ctx, .arg = arg,
	});

	job_add(&d->reads_end, j);
	fab_dma_run(d);
}

static void write_next(struct fab_dma *d, struct fab_lane *l)
{
	struct fab_job *j = d->writes;
	uint32_t mps = d->n->f->opt.mps;
	uint32_t len = tlp_piece(j->addr + j->sent, j->len - j->sent, mps, mps);
	struct fab_tlp *t = fab_tlp_new(FAB_P, j->addr + j->sent, len, j->cause, j->op);

	t->requester = d->n->id;
	memcpy(t->data, j->bytes + j->sent, len);
	j->sent += len;
	if (j->sent == j->len) {
		job_drop(&d->writes, &d->writes_end);
		job_free(j);
	}
	fab_lane_put(l, t);
}

static unsigned int tag_free(const struct fab_dma *d)
{
	unsigned int i = 0;

	while (d->tag[i].job)
		i++;
	return i;
}

static void read_next(struct fab_dma *d, struct fab_lane *l)
{
	struct fab_job *j = d->reads;
	uint32_t mrrs = d->n->f->opt.mrrs;
	uint32_t len = tlp_piece(j->addr + j->sent, j->len - j->sent, mrrs, mrrs);
	struct fab_tlp *t = fab_tlp_new(FAB_NP, j->addr + j->sent, len, j->cause, j->op);

	t->requester = d->n->id;
	t->tag = tag_free(d);
	d->tag[t->tag] = (struct fab_tag){ .job = j, .at = j->sent, .left = len };
	d->tags_used++;
	j->sent += len;
	if (j->sent == j->len)
		job_drop(&d->reads, &d->reads_end);
	fab_lane_put(l, t);
}

void fab_dma_run(struct fab_dma *d)
{
	struct fab_lane *l = d->n->tx[0];

	while (d->writes && fab_lane_room(l, FAB_P))
		write_next(d, l);
	while (d->reads && d->tags_used < d->n->f->opt.tags && fab_lane_room(l, FAB_NP))
		read_next(d, l);
}

void fab_dma_complete(struct fab_dma *d, struct fab_tlp *t)
{
	struct fab_tag *tag = &d->tag[t->tag];
	struct fab_job *j = tag->job;

	if (t->refused)
		j->bad = true;
	else
		memcpy(j->bytes + tag->at, t->data, t->len);
	tag->at += t->len;
	tag->left -= t->len;
	j->left -= t->len;
	if (!tag->left) {
		tag->job = NULL;
		d->tags_used--;
	}
	d->n->f->sim.op[j->op].to = d->n->id;
	if (!j->left) {
		j->done(j->ctx, j->arg, !j->bad, t->step);
		job_free(j);
	}
	free(t);
	fab_dma_run(d);
}
