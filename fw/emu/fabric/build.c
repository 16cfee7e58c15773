// SPDX-License-Identifier: BSD-2-Clause
/*
 * build.c - builds the fabric of each mode: devices, rings, and entries of the switch. On a real
 * host the CPU would do this once, when a stream is created.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "chain.h"

/* Largest number of messages in a chain, if the option window is 0 */
#define WINDOW	16u
#define PAGE	4096u
/* Streams of the native chain. Those of the glued chain have the names of rings (chain.h). */
enum { TO_DECRYPT, TO_CLASSIFY, TO_NIC, TO_CPU };

static void sizes(struct fab_chain *c, enum fab_mode mode)
{
	const struct fab_opt *o = &c->f->opt;
	bool native = mode == FAB_NATIVE || mode == FAB_HOP;
	uint32_t fit;

	c->message = fab_sealed_len(o->size);
	c->slot_size = (c->message + PAGE - 1) / PAGE * PAGE;
	fit = native ? o->stream_kb * 1024 / c->message : o->buffer_kb * 1024 / c->slot_size;
	if (mode == FAB_CONVENTIONAL || mode == FAB_CARD_DRIVEN)
		fit = WINDOW;
	c->window = o->window ? o->window : fit < WINDOW ? fit : WINDOW;
}

void fab_build_nodes(struct fabric *f, enum fab_mode mode, bool plain)
{
	struct fab_chain *c = f->chain;
	unsigned int i;

	c->mode = mode;
	sizes(c, mode);
	fab_device_init(&c->dev[FAB_ROOT], &f->node[FAB_ROOT], FAB_HOST, fab_driver_size(c));
	fab_device_init(&c->dev[FAB_NIC], &f->node[FAB_NIC], FAB_BAR(FAB_NIC) + FAB_MEMORY,
			mode == FAB_CARD_DRIVEN ? fab_driver_size(c) : 0);
	for (i = FAB_DECRYPT; i < FAB_PORTS; i++)
		fab_device_init(&c->dev[i], &f->node[i], 0, 0);
	c->pipe.plain = plain;
	fab_switch_init(&f->node[FAB_SWITCH], &c->pipe);
}

/* ---- devices ---- */

static struct fab_engine engine(struct fabric *f, uint8_t node)
{
	return (struct fab_engine){
		.f = f, .kind = FAB_ENGINE, .node = node, .servers = 1,
		.ns = f->opt.engine_ns, .mbyte = f->opt.engine_mbyte,
	};
}

/*
 * Make a queue device. The NIC has no engine: it sends a message as soon as the message is read.
 */
static void queue_device(struct fab_chain *c, uint8_t node, uint64_t ring)
{
	static const char * const input[] = {
		[FAB_NIC] = "Inference Result", [FAB_DECRYPT] = "Encrypted Image",
		[FAB_CLASSIFY] = "Decrypted Image",
	};
	static const char * const output[] = {
		[FAB_NIC] = "Sent", [FAB_DECRYPT] = "Decrypted Image",
		[FAB_CLASSIFY] = "Inference Result",
	};
	struct fab_qdev *q = &c->q[node];

	*q = (struct fab_qdev){
		.d = &c->dev[node], .ring = ring, .entries = c->window, .ctx = &c->work,
		.engine = engine(c->f, node), .input = input[node], .output = output[node],
		.work = node == FAB_DECRYPT ? fab_decrypt : fab_classify,
		.command = node == FAB_NIC ? "Descriptor" : "Command",
	};
	if (node == FAB_NIC) {
		q->engine = (struct fab_engine){ .f = c->f };
		q->got = fab_chain_got;
		q->ctx = c;
	}
	c->dev[node].q = q;
}

static void stream_device(struct fab_chain *c, uint8_t node, uint64_t base, uint32_t message,
			  fab_work work, uint64_t to)
{
	struct fab_sdev *s = &c->s[node];
	uint32_t size = c->f->opt.stream_kb * 1024;

	*s = (struct fab_sdev){
		.d = &c->dev[node], .base = base, .ring = fab_alloc(1, size), .size = size,
		.message = message, .engine = engine(c->f, node), .work = work,
		.ctx = &c->work, .to = to, .to_size = size,
		.output = node == FAB_CLASSIFY ? "Inference Result" : "Decrypted Image",
		.kind = FAB_DMA_WR,
	};
	c->dev[node].s = s;
}

/* Make a stream-native NIC. It sends a result as soon as the result is pushed to it. */
static void stream_nic(struct fab_chain *c, uint64_t base, uint32_t size)
{
	struct fab_sdev *s = &c->s[FAB_NIC];

	*s = (struct fab_sdev){
		.d = &c->dev[FAB_NIC], .base = base, .ring = fab_alloc(1, size), .size = size,
		.message = FAB_RESULT, .engine = { .f = c->f }, .got = fab_chain_got, .ctx = c,
	};
	c->dev[FAB_NIC].s = s;
}

/* ---- the NIC received a message from the wire ---- */

static uint32_t rx_op(struct fab_chain *c)
{
	return fab_op(&c->f->sim, FAB_DMA_WR, "Encrypted Image", FAB_NIC, FAB_NOBODY);
}

/* Write the message to the buffer at @buffer, then a completion over the descriptor at @ring. */
static void rx_queue(struct fab_chain *c, uint64_t buffer, uint64_t ring, uint32_t entries,
		     uint64_t seq, const uint8_t *data, uint32_t step)
{
	struct fab_done done = { .len = c->message, .seq = seq };
	struct fab_dma *dma = &c->dev[FAB_NIC].dma;
	uint32_t op = rx_op(c);

	fab_dma_write(dma, buffer, data, c->message, op, step);
	fab_dma_write(dma, ring + seq % entries * sizeof(struct fab_desc), &done, sizeof(done),
		      op, step);
}

static void rx_host(struct fab_chain *c, uint64_t seq, const uint8_t *data, uint32_t step)
{
	rx_queue(c, fab_driver_buffer(&c->drv, FAB_RX, seq), fab_driver_ring(&c->drv, FAB_RX),
		 c->window, seq, data, step);
}

/* Like rx_host(), but with the addresses in the switch's window that the driver configured. */
static void rx_switch(struct fab_chain *c, uint64_t seq, const uint8_t *data, uint32_t step)
{
	const struct fab_stream *s = &c->pipe.stream[FAB_RX];

	rx_queue(c, s->base + seq % s->slots * s->slot_size, s->base + FAB_RING, s->slots, seq,
		 data, step);
}

/* Write each message to its slot of the stream, without a completion */
static void rx_slot(struct fab_chain *c, uint64_t seq, const uint8_t *data, uint32_t step)
{
	const struct fab_stream *s = &c->pipe.stream[FAB_RX];

	fab_dma_write(&c->dev[FAB_NIC].dma, s->base + seq % s->slots * s->slot_size, data,
		      c->message, rx_op(c), step);
}

static void rx_push(struct fab_chain *c, uint64_t seq, const uint8_t *data, uint32_t step)
{
	(void)seq;
	fab_push(&c->dev[FAB_NIC].dma, FAB_STREAM(TO_DECRYPT), c->f->opt.stream_kb * 1024,
		 &c->rx_pushed, data, c->message, rx_op(c), step);
}

static void rx_card(struct fab_chain *c, uint64_t seq, const uint8_t *data, uint32_t step)
{
	uint8_t *to = fab_device_mem(&c->dev[FAB_NIC],
				     fab_driver_buffer(&c->drv, FAB_RX, seq), c->message);
	uint32_t i;

	for (i = 0; i < c->message; i++)
		to[i] = data[i];
	fab_driver_submit(&c->drv, FAB_TO_DECRYPT, seq, c->message, step);
}

/* ---- entries of the switch ---- */

static void entry(struct fab_pipe *p, uint8_t port, enum fab_class cls, uint64_t lo,
		  uint64_t len, const struct fab_stage *prog, unsigned int stages)
{
	int rc = fab_pipe_add(p, port, cls, lo, lo + len, prog, stages);

	assert(!rc);
	(void)rc;
}

#define ENTRY(p, port, cls, lo, len, ...) do { \
	static const struct fab_stage prog_[] = { __VA_ARGS__ }; \
	entry(p, port, cls, lo, len, prog_, sizeof(prog_) / sizeof(prog_[0])); \
} while (0)

/*
 * The CPU may access the devices' BARs to configure them. Everything else must belong to a
 * stream.
 */
static void allow_cpu(struct fab_pipe *p)
{
	ENTRY(p, FAB_ROOT, FAB_P, FAB_BAR(FAB_NIC), 3 * FAB_BAR_SIZE, { FAB_ROUTE, 0 });
}

static void build_native(struct fab_chain *c, bool hop)
{
	struct fab_pipe *p = &c->pipe;
	uint32_t size = c->f->opt.stream_kb * 1024, image = c->f->opt.size;
	uint64_t next = FAB_STREAM(hop ? TO_CPU : TO_CLASSIFY);

	stream_device(c, FAB_DECRYPT, FAB_BAR(FAB_DECRYPT) + FAB_INPUT, c->message,
		      fab_decrypt, next);
	stream_device(c, FAB_CLASSIFY, FAB_BAR(FAB_CLASSIFY) + FAB_INPUT, image,
		      fab_classify, FAB_STREAM(TO_NIC));
	stream_nic(c, FAB_BAR(FAB_NIC) + FAB_INPUT, size);
	p->stream[TO_DECRYPT].target = c->s[FAB_DECRYPT].base;
	p->stream[TO_CLASSIFY].target = c->s[FAB_CLASSIFY].base;
	p->stream[TO_NIC].target = c->s[FAB_NIC].base;
	ENTRY(p, FAB_NIC, FAB_P, FAB_STREAM(TO_DECRYPT), size, { FAB_MOVE, TO_DECRYPT });
	ENTRY(p, FAB_CLASSIFY, FAB_P, FAB_STREAM(TO_NIC), size, { FAB_MOVE, TO_NIC });
	c->rx = rx_push;
	if (!hop) {
		ENTRY(p, FAB_DECRYPT, FAB_P, FAB_STREAM(TO_CLASSIFY), size,
		      { FAB_MOVE, TO_CLASSIFY });
		return;
	}
	/* The decrypted image goes to the CPU, which forwards it. */
	stream_device(c, FAB_ROOT, FAB_HOST + FAB_INPUT, image, fab_relay,
		      FAB_STREAM(TO_CLASSIFY));
	c->s[FAB_ROOT].engine.kind = FAB_CPU;
	c->s[FAB_ROOT].engine.ns = c->f->opt.cpu_ns;
	c->s[FAB_ROOT].kind = FAB_MMIO_WR;
	p->stream[TO_CPU].target = c->s[FAB_ROOT].base;
	ENTRY(p, FAB_DECRYPT, FAB_P, FAB_STREAM(TO_CPU), size, { FAB_MOVE, TO_CPU });
	ENTRY(p, FAB_ROOT, FAB_P, FAB_STREAM(TO_CLASSIFY), size, { FAB_MOVE, TO_CLASSIFY });
}

/*
 * Make a stream with a buffer and a ring in the switch. The driver has configured @reader with
 * their addresses.
 */
static void glue_stream(struct fab_chain *c, uint8_t s, uint8_t reader)
{
	struct fab_opt *o = &c->f->opt;
	uint32_t slots = o->buffer_kb * 1024 / c->slot_size;
	struct fab_stream *st = &c->pipe.stream[s];

	fab_stream_buffer(&c->pipe, s, slots < c->window ? slots : c->window, c->slot_size);
	st->doorbell = FAB_BAR(reader) + FAB_DOORBELL;
	st->next = s + 1;
	st->notice = reader == FAB_NIC ? "Descriptor Notification" : "Command Notification";
	queue_device(c, reader, st->base + FAB_RING);
	c->q[reader].entries = st->slots;
}

/*
 * Entries for a device that reads stream s and writes stream s + 1. They do not depend on the
 * device's function: a completion frees the input, and notifies the next device of the output.
 */
#define GLUE_READS(p, node, s, size) do { \
	ENTRY(p, node, FAB_NP, FAB_STREAM(s), size, { FAB_DATA, s }); \
	ENTRY(p, node, FAB_NP, FAB_STREAM(s) + FAB_RING, PAGE, { FAB_DESC, s }); \
} while (0)

#define GLUE_DEVICE(p, node, s, size) do { \
	GLUE_READS(p, node, s, size); \
	ENTRY(p, node, FAB_P, FAB_STREAM((s) + 1), size, { FAB_STORE, (s) + 1 }); \
	ENTRY(p, node, FAB_P, FAB_STREAM(s) + FAB_RING, PAGE, { FAB_FREE, s }, \
	      { FAB_COMPLETE, (s) + 1 }, { FAB_NOTIFY, (s) + 1 }); \
} while (0)

/* The NIC has two queues: one for receiving, one for sending. */
static void glue_queue_nic(struct fab_chain *c, uint64_t size)
{
	struct fab_pipe *p = &c->pipe;

	glue_stream(c, FAB_TO_CLASSIFY, FAB_NIC);
	GLUE_DEVICE(p, FAB_CLASSIFY, FAB_TO_DECRYPT, size);
	ENTRY(p, FAB_NIC, FAB_P, FAB_STREAM(FAB_RX), size, { FAB_STORE, FAB_RX });
	ENTRY(p, FAB_NIC, FAB_P, FAB_STREAM(FAB_RX) + FAB_RING, PAGE,
	      { FAB_COMPLETE, FAB_RX }, { FAB_NOTIFY, FAB_RX });
	ENTRY(p, FAB_NIC, FAB_NP, FAB_STREAM(FAB_TO_CLASSIFY), size,
	      { FAB_DATA, FAB_TO_CLASSIFY });
	ENTRY(p, FAB_NIC, FAB_NP, FAB_STREAM(FAB_TO_CLASSIFY) + FAB_RING, PAGE,
	      { FAB_DESC, FAB_TO_CLASSIFY });
	ENTRY(p, FAB_NIC, FAB_P, FAB_STREAM(FAB_TO_CLASSIFY) + FAB_RING, PAGE,
	      { FAB_FREE, FAB_TO_CLASSIFY });
	c->rx = rx_switch;
}

/* The NIC pushes messages, and results are pushed to it through the switch. */
static void glue_stream_nic(struct fab_chain *c, uint64_t size)
{
	struct fab_pipe *p = &c->pipe;
	struct fab_stream *results = &p->stream[FAB_TO_CLASSIFY];
	uint64_t nic = FAB_BAR(FAB_NIC) + FAB_INPUT;
	uint32_t ring = c->window * FAB_RESULT;

	stream_nic(c, nic, ring);
	results->base = FAB_STREAM(FAB_TO_CLASSIFY);
	results->slots = c->window;
	results->slot_size = FAB_RESULT;
	results->target = nic;
	p->stream[FAB_RX].message = c->message;
	ENTRY(p, FAB_NIC, FAB_P, FAB_STREAM(FAB_RX), size, { FAB_STORE, FAB_RX },
	      { FAB_COUNT, FAB_RX }, { FAB_NOTIFY, FAB_RX });
	GLUE_READS(p, FAB_CLASSIFY, FAB_TO_DECRYPT, size);
	ENTRY(p, FAB_CLASSIFY, FAB_P, FAB_STREAM(FAB_TO_CLASSIFY), ring,
	      { FAB_MOVE, FAB_TO_CLASSIFY });
	ENTRY(p, FAB_CLASSIFY, FAB_P, FAB_STREAM(FAB_TO_DECRYPT) + FAB_RING, PAGE,
	      { FAB_FREE, FAB_TO_DECRYPT });
	c->rx = rx_slot;
}

static void build_glue(struct fab_chain *c)
{
	uint64_t size = c->f->opt.buffer_kb * 1024ull;

	glue_stream(c, FAB_RX, FAB_DECRYPT);
	glue_stream(c, FAB_TO_DECRYPT, FAB_CLASSIFY);
	GLUE_DEVICE(&c->pipe, FAB_DECRYPT, FAB_RX, size);
	if (c->mode == FAB_GLUE)
		glue_queue_nic(c, size);
	else
		glue_stream_nic(c, size);
}

static void build_driven(struct fab_chain *c, bool card)
{
	struct fab_driver *d = &c->drv;

	fab_driver_init(d, c, &c->dev[card ? FAB_NIC : FAB_ROOT], card ? FAB_CARD : FAB_CPU,
			FAB_TO_DECRYPT, card ? FAB_TO_CLASSIFY : FAB_TX);
	queue_device(c, FAB_DECRYPT, fab_driver_ring(d, FAB_TO_DECRYPT));
	queue_device(c, FAB_CLASSIFY, fab_driver_ring(d, FAB_TO_CLASSIFY));
	if (!card)
		queue_device(c, FAB_NIC, fab_driver_ring(d, FAB_TX));
	c->rx = card ? rx_card : rx_host;
}

struct fabric *fab_build(const struct fab_opt *o, enum fab_mode mode)
{
	bool plain = mode == FAB_CONVENTIONAL || mode == FAB_CARD_DRIVEN;
	struct fabric *f = fab_new(o);

	fab_build_nodes(f, mode, plain);
	if (!plain)
		allow_cpu(&f->chain->pipe);
	if (plain)
		build_driven(f->chain, mode == FAB_CARD_DRIVEN);
	else if (mode == FAB_GLUE || mode == FAB_GLUE_NIC)
		build_glue(f->chain);
	else
		build_native(f->chain, mode == FAB_HOP);
	return f;
}
