// SPDX-License-Identifier: BSD-2-Clause
/* measure.c - runs of the model, and results from their traces. */
#include <errno.h>
#include <string.h>

#include "measure.h"

/* Picoseconds between messages, for an offered rate in thousand messages a second */
#define PERIOD(offered)	(1000000000ull / (offered))

static void read_done(void *ctx, uint64_t arg, bool good, uint32_t step)
{
	(void)arg;
	*(uint32_t *)ctx = good ? step : 0;
}

void fab_round_trip(const struct fab_opt *o, uint32_t *crossings, fab_time *takes)
{
	struct fabric *f = fab_new(o);
	struct fab_path path;
	uint32_t end = 0, word, start;

	fab_build_nodes(f, FAB_CONVENTIONAL, true);
	start = fab_step(&f->sim, FAB_WIRE, FAB_NIC, 0, 0, 0);
	fab_dma_read(&f->chain->dev[FAB_NIC].dma, FAB_HOST, &word, sizeof(word),
		     fab_op(&f->sim, FAB_DMA_RD, "A word", FAB_NOBODY, FAB_NIC), start,
		     read_done, &end, 0);
	fab_sim_run(&f->sim);
	fab_path(&f->sim, end, &path);
	*crossings = path.crossings;
	*takes = path.takes;
	fab_free(f);
}

static int sane(const struct fabric *f)
{
	const struct fab_chain *c = f->chain;

	if (c->equal != c->delivered)
		return -EBADMSG;
	return f->n.overruns || f->n.denied || f->n.unclaimed || f->n.bad ? -EPROTO : 0;
}

static int latency_read(struct fabric *f, uint32_t end, struct fab_latency *l)
{
	uint32_t trip, i, c;
	fab_time takes;
	int rc = end ? fab_path(&f->sim, end, &l->path) : -EDEADLK;

	if (rc)
		return rc;
	fab_round_trip(&f->opt, &trip, &takes);
	l->round_trips = (double)l->path.crossings / trip;
	l->us = l->path.takes / 1e6;
	l->hash = fab_trace_hash(&f->sim);
	l->root_tlps = l->link_bytes = 0;
	for (i = 0; i < 2 * FAB_PORTS; i++) {
		l->link_bytes += f->lane[i].payload + f->lane[i].overhead;
		for (c = 0; c < FAB_CLASSES && i / 2 == FAB_ROOT; c++)
			l->root_tlps += f->lane[i].tlps[c];
	}
	l->f = f;
	return 0;
}

int fab_latency(const struct fab_opt *o, enum fab_mode mode, struct fab_latency *l)
{
	struct fabric *f = fab_build(o, mode);
	int rc = fab_chain_run(f->chain, 1, 0);

	if (!rc)
		rc = sane(f);
	if (!rc)
		rc = latency_read(f, f->chain->end, l);
	if (rc)
		fab_free(f);
	return rc;
}

int fab_rate(const struct fab_opt *o, enum fab_mode mode, struct fab_rate *r)
{
	struct fabric *f = fab_build(o, mode);
	struct fab_chain *c = f->chain;
	int rc = fab_chain_run(c, o->messages, PERIOD(o->offered));
	uint32_t i;

	*r = (struct fab_rate){
		.per_second = fab_chain_rate(c), .delivered = c->delivered,
		.equal = c->equal, .dropped = f->n.dropped,
	};
	for (i = 0; i < f->sim.steps; i++)
		r->cpu_actions += f->sim.step[i].kind == FAB_CPU;
	if (!rc)
		rc = sane(f);
	fab_free(f);
	return rc;
}

/* ---- from the CPU to an accelerator ---- */

static void input_there(void *ctx, uint64_t seq, const uint8_t *data, uint32_t len,
			uint32_t step)
{
	struct fab_chain *c = ctx;

	c->delivered++;
	c->equal += seq == 0 && len == c->message &&
		    !memcmp(data, fab_device_mem(&c->dev[FAB_ROOT],
						 fab_driver_buffer(&c->drv, FAB_RX, 0), len), len);
	c->end = step;
}

static void push_stored(void *ctx, uint64_t arg, uint32_t step)
{
	struct fab_chain *c = ctx;
	struct fab_push p = { .src = arg, .len = c->message };

	fab_store(&c->dev[FAB_ROOT], FAB_PUSH_AT, &p, sizeof(p), "Encrypted Image", step);
}

static void pushing(struct fab_chain *c, struct fab_sdev *s, uint32_t start)
{
	static const struct fab_stage prog[] = { { FAB_PUSH, 0 } };

	*s = (struct fab_sdev){
		.d = &c->dev[FAB_DECRYPT], .base = FAB_BAR(FAB_DECRYPT) + FAB_INPUT,
		.size = c->f->opt.stream_kb * 1024, .message = c->message,
		.engine = { .f = c->f }, .got = input_there, .ctx = c,
	};
	s->ring = fab_alloc(1, s->size);
	s->d->s = s;
	fab_root_program(&c->dev[FAB_ROOT], &c->root_pipe);
	c->root_pipe.stream[0].target = s->base;
	fab_pipe_add(&c->root_pipe, FAB_ROOT, FAB_P, FAB_PUSH_AT, FAB_PUSH_AT + 4096, prog, 1);
	fab_engine_do(&c->drv.agent, 0, start, push_stored, c,
		      fab_driver_buffer(&c->drv, FAB_RX, 0));
}

static void ringing(struct fab_chain *c, struct fab_qdev *q, uint32_t start)
{
	*q = (struct fab_qdev){
		.d = &c->dev[FAB_DECRYPT], .ring = fab_driver_ring(&c->drv, FAB_TO_DECRYPT),
		.entries = c->window, .engine = { .f = c->f }, .got = input_there, .ctx = c,
		.command = "Command", .input = "Encrypted Image", .output = "Completion",
	};
	q->d->q = q;
	/*
	 * This measurement ends when the data has arrived, so the driver ignores the completion.
	 */
	c->dev[FAB_ROOT].written = NULL;
	fab_driver_submit(&c->drv, FAB_TO_DECRYPT, 0, c->message, start);
}

int fab_cpu_to_device(const struct fab_opt *o, bool pushed, struct fab_latency *l)
{
	struct fabric *f = fab_new(o);
	struct fab_chain *c = f->chain;
	uint32_t start;
	int rc;

	fab_build_nodes(f, FAB_CONVENTIONAL, true);
	fab_driver_init(&c->drv, c, &c->dev[FAB_ROOT], FAB_CPU, FAB_TO_DECRYPT, FAB_TX);
	fab_seal(&c->work, 0, o->size,
		 fab_device_mem(&c->dev[FAB_ROOT], fab_driver_buffer(&c->drv, FAB_RX, 0),
				c->message));
	start = fab_step(&f->sim, FAB_WIRE, FAB_ROOT, 0, 0, 0);
	if (pushed)
		pushing(c, &c->s[FAB_DECRYPT], start);
	else
		ringing(c, &c->q[FAB_DECRYPT], start);
	fab_sim_run(&f->sim);
	rc = sane(f);
	if (!rc)
		rc = latency_read(f, c->end, l);
	if (rc)
		fab_free(f);
	return rc;
}

/* ---- access control ---- */

static void refused(void *ctx, uint64_t arg, bool good, uint32_t step)
{
	struct fab_access *a = ctx;

	(void)arg;
	(void)step;
	a->answered += !good;
}

/* The decrypting accelerator tries addresses outside of its streams. */
static void intrude(struct fab_chain *c, struct fab_access *a, uint8_t *secret)
{
	static const uint64_t at[] = {
		FAB_HOST + 0x1000, FAB_BAR(FAB_NIC) + FAB_DOORBELL,
		FAB_BAR(FAB_CLASSIFY) + FAB_INPUT, FAB_STREAM(2), FAB_STREAM(7),
	};
	struct fab_dma *dma = &c->dev[FAB_DECRYPT].dma;
	struct fab_sim *sim = &c->f->sim;
	uint8_t data[256];
	unsigned int i;

	memset(data, 0xa5, sizeof(data));
	for (i = 0; i < sizeof(at) / sizeof(at[0]); i++) {
		fab_dma_write(dma, at[i], data, sizeof(data),
			      fab_op(sim, FAB_DMA_WR, "Intrusion", FAB_DECRYPT, FAB_NOBODY), 0);
		fab_dma_read(dma, at[i], secret + i * sizeof(data), sizeof(data),
			     fab_op(sim, FAB_DMA_RD, "Intrusion", FAB_NOBODY, FAB_DECRYPT), 0,
			     refused, a, 0);
		a->asked_tlps += 2;
		a->asked_bytes += 2 * sizeof(data);
	}
}

void fab_access(const struct fab_opt *o, bool plain, struct fab_access *a)
{
	struct fabric *f = fab_build(o, FAB_NATIVE);
	uint8_t secret[8 * 256];
	unsigned int i;

	*a = (struct fab_access){ 0 };
	f->chain->pipe.plain = plain;
	intrude(f->chain, a, secret);
	fab_sim_run(&f->sim);
	for (i = 0; i < FAB_PORTS; i++)
		a->moved_bytes += f->lane[2 * i + 1].payload;
	a->denied = f->n.denied;
	a->denied_bytes = f->n.denied_bytes;
	fab_free(f);
}
