// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * chan_pcie.c - what messages cost on the PCIe link.
 *
 * Board and host take turns in one thread, so the counts are the same on every run, except for a
 * few records that the card writes after a time. Saturated: the sender always has more than fits,
 * and the receiver finds a full ring. Idle: the host receives each message before the card sends
 * the next one. Then records and doorbells cost most.
 */
#define _GNU_SOURCE
#include "bench_link.h"
#include "bench_load.h"
#include "chan_int.h"

#define MESSAGES	20000
#define RECEIVERS	16	/* of one channel, at most */

/**
 * struct load - what is sent, and how
 * @name: part of the keys
 * @chan: the channel
 * @size: bytes of a message, or of a chunk of a stream
 * @burst: messages that the host handles at a time
 * @shift: log2 of the ring's size
 * @target: of a stream to the host: SOURCE_*
 * @idle: the host receives each message before the card sends the next
 * @receivers: to host: open pipes of the channel, each message goes to one of them. 0: one pipe
 * @readrq: to NFP: bytes of the largest read request. 0: 512
 */
struct load {
	const char *name;
	unsigned int chan;
	uint32_t size;
	uint32_t burst;
	unsigned int shift;
	uint32_t target;
	bool idle;
	unsigned int receivers;
	uint32_t readrq;
};

static uint8_t buf[65536];

static bool is_stream(const struct load *l)
{
	return chan_desc[l->chan].kind == NFP_CHAN_STREAM;
}

/*
 * Fill in @u from the counters. Sizes are multiples of 8, so messages have no padding. From a ring
 * to the NFP the card may read more than one message. It reads the surplus again with the next
 * message, so the surplus is no payload.
 */
static void carried(struct link_use *u, const struct load *l, const struct board_tlp_count *data,
		    uint64_t given)
{
	bool to_host = chan_desc[l->chan].dir == NFP_CHAN_TO_HOST;

	u->name = l->name;
	u->bytes = is_stream(l) ? data->payload :
		   to_host ? data->payload / (l->size + 8) * l->size : given;
	u->msgs = u->bytes / l->size;
	u->framing = LINK_3DW * data->completions;
	if (to_host)
		u->framing = LINK_4DW * data->dev_posted;
	/* The card writes a large message's header in a separate TLP (chan_tohost.c). */
	if (to_host && !is_stream(l) && l->size + 8 > CHAN_STAGE)
		u->framing -= LINK_4DW * u->msgs;
}

/* Receive once, up to the burst of @l. Return the bytes. */
static uint64_t take(struct bench_chan *c, const struct load *l)
{
	uint64_t n;

	if (is_stream(l))
		return bench_take(c, (size_t)l->burst * l->size, NFPCHAN_NONBLOCK);
	for (n = 0; n < l->burst; n++)
		if (nfpchan_recv(&c->ch, buf, sizeof(buf), NFPCHAN_NONBLOCK) < 0)
			break;
	return n * l->size;
}

static void to_host(const struct load *l)
{
	struct bench_host *b = bench_start();
	struct board *board = b->h.host->b;
	struct bench_chan *ctl = bench_open(b, 0, is_stream(l) ? CHAN_ID_SOURCE_CTL :
					    CHAN_ID_LOAD_CTL, 12);
	unsigned int n = l->receivers ? l->receivers : 1;
	struct bench_chan *rx[RECEIVERS];
	struct board_tlp_count data;
	struct link_use use;
	uint64_t bytes;

	for (unsigned int i = 0; i < n; i++)
		rx[i] = bench_open(b, 1 + i, l->chan, l->shift);
	if (is_stream(l))
		bench_source(ctl, l->idle ? l->size : 65536, l->target);
	else
		bench_load(ctl, l->size);
	bench_run(b);
	for (int lap = 0; lap < 2; lap++) {
		board_tlp_clear(board);
		for (bytes = 0; bytes < (uint64_t)MESSAGES * l->size;) {
			for (unsigned int i = 0; i < n; i++)
				bytes += take(rx[i], l);
			bench_bus_drain(b);
			if (l->idle)
				board_run(board, 1);
			else
				bench_run(b);
		}
	}
	board_tlp_get(board, BOARD_TLP_DATA, &data);
	carried(&use, l, &data, bytes);
	link_print(board, &use);
	bench_stop(b);
}

/* Send once, up to the burst of @l, as far as there is room. Return the bytes. */
static uint64_t give(struct bench_chan *c, const struct load *l)
{
	uint64_t n = 0;
	ssize_t ret;

	if (l->chan == CHAN_ID_PIT64) {
		ret = nfpchan_send_many(&c->ch, buf, l->burst, NFPCHAN_NONBLOCK);
		return ret > 0 ? (uint64_t)ret * l->size : 0;
	}
	if (is_stream(l)) {
		ret = nfpchan_write(&c->ch, buf, (size_t)l->burst * l->size, NFPCHAN_NONBLOCK);
		return ret > 0 ? (uint64_t)ret : 0;
	}
	while (n < l->burst && !nfpchan_send(&c->ch, buf, l->size, NFPCHAN_NONBLOCK))
		n++;
	return n * l->size;
}

/* Card and host take turns: the card takes messages, and the host fills the room that is free. */
static void to_nfp(const struct load *l)
{
	struct bench_host *b = bench_start();
	struct board *board = b->h.host->b;
	struct bench_chan *tx = bench_open(b, 0, l->chan, l->shift);
	struct board_tlp_count data;
	struct link_use use;
	uint64_t n, bytes;

	if (l->readrq)
		host_readrq(b->h.host, l->readrq);

	for (int lap = 0; lap < 2; lap++) {
		board_tlp_clear(board);
		for (bytes = 0; bytes < (uint64_t)MESSAGES * l->size;) {
			do {
				n = give(tx, l);
				bytes += n;
			} while (n && !l->idle);
			bench_bus_drain(b);
			if (l->idle)
				bench_run(b);
			else
				board_run(board, 16);
		}
	}
	board_tlp_get(board, BOARD_TLP_DATA, &data);
	carried(&use, l, &data, bytes);
	link_print(board, &use);
	bench_stop(b);
}

/* Count one message to the card and back. Both ends are idle before. */
static void round_trip(const char *name, uint32_t size, uint32_t inline_max)
{
	struct bench_host *b = bench_start();
	struct bench_chan *in = bench_open_inline(b, 0, CHAN_ID_ECHO_IN, 16, inline_max);
	struct bench_chan *out = bench_open(b, 1, CHAN_ID_ECHO_OUT, 16);
	struct board_tlp_count sum;

	for (int i = 0; i < 3; i++) {
		board_tlp_clear(b->h.host->b);
		assert_true(nfpchan_send(&in->ch, buf, size, NFPCHAN_NONBLOCK) == 0);
		bench_run(b);
		assert_true(nfpchan_recv(&out->ch, buf, sizeof(buf), NFPCHAN_NONBLOCK) == size);
		/* A receive that finds nothing gives room back, and so asks for the next record. */
		assert_true(nfpchan_recv(&out->ch, buf, 64, NFPCHAN_NONBLOCK) == -EAGAIN);
		bench_run(b);
	}
	link_sum(b->h.host->b, &sum);
	bench_stop(b);
	link_print_trip(name, &sum);
}

/*
 * Count a message to the NFP that finds the ring empty: the host stores it to the card before the
 * doorbell (inline), or the card reads it. The reads tell the latency, because the emulated link
 * has none.
 */
static void to_empty_ring(const char *how, uint32_t size, uint32_t inline_max)
{
	struct bench_host *b = bench_start();
	struct bench_chan *tx = bench_open_inline(b, 0, CHAN_ID_PIT, 18, inline_max);
	struct board_tlp_count sum;
	char name[32];

	for (int i = 0; i < 3; i++) {
		board_tlp_clear(b->h.host->b);
		assert_true(nfpchan_send(&tx->ch, buf, size, NFPCHAN_NONBLOCK) == 0);
		bench_run(b);
		assert_true(nfpchan_wait(&tx->ch, NFPCHAN_NONBLOCK) == 0);
	}
	link_sum(b->h.host->b, &sum);
	assert_true(tx->ch.ring.count.inlined == (inline_max ? 3 : 0));
	bench_stop(b);
	snprintf(name, sizeof(name), "%s%u", how, size);
	printf("%s_reads %llu\n", name, (unsigned long long)sum.dev_nonposted);
	link_print_sum(name, &sum, 1);
}

#define STREAM64	.chan = CHAN_ID_SOURCE64, .target = SOURCE_64
#define STREAM		.chan = CHAN_ID_SOURCE, .target = SOURCE_BYTES
#define RECEIVED_BY(n)	.chan = CHAN_ID_LOAD, .size = 64, .burst = 32, .shift = 18, .receivers = n

static const struct load to_host_loads[] = {
	{ "elem64_to_host", STREAM64, .size = 64, .burst = 32, .shift = 18 },
	{ "stream1k_to_host", STREAM, .size = 1024, .burst = 1, .shift = 18 },
	{ "stream64k_to_host", STREAM, .size = 65536, .burst = 1, .shift = 20 },
	{ "msg64_to_host", .chan = CHAN_ID_LOAD, .size = 64, .burst = 32, .shift = 18 },
	{ "msg1k_to_host", .chan = CHAN_ID_LOAD, .size = 1024, .burst = 1, .shift = 18 },
	{ "elem64_to_host_idle", STREAM64, .size = 64, .burst = 32, .shift = 18, .idle = true },
	{ "msg64_to_host_idle", .chan = CHAN_ID_LOAD, .size = 64, .burst = 32, .shift = 18,
	  .idle = true },
	{ "receivers1", RECEIVED_BY(1) },
	{ "receivers2", RECEIVED_BY(2) },
	{ "receivers4", RECEIVED_BY(4) },
	{ "receivers8", RECEIVED_BY(8) },
	{ "receivers16", RECEIVED_BY(RECEIVERS) },
};

static const struct load to_nfp_loads[] = {
	{ "elem64_to_nfp", .chan = CHAN_ID_SINK64, .size = 64, .burst = 32, .shift = 16 },
	{ "elem64_one_to_nfp", .chan = CHAN_ID_SINK64, .size = 64, .burst = 1, .shift = 16 },
	{ "msg64_to_nfp", .chan = CHAN_ID_PIT64, .size = 64, .burst = 32, .shift = 17 },
	{ "msg64_one_to_nfp", .chan = CHAN_ID_PIT, .size = 64, .burst = 1, .shift = 18 },
	{ "msg1k_to_nfp", .chan = CHAN_ID_PIT, .size = 1024, .burst = 1, .shift = 18 },
	{ "stream1k_to_nfp", .chan = CHAN_ID_SINK, .size = 1024, .burst = 1, .shift = 16 },
	{ "stream32k_to_nfp", .chan = CHAN_ID_SINK, .size = 32768, .burst = 1, .shift = 16 },
	/* The host has set the largest read request to 4096 bytes. */
	{ "msg64_to_nfp_readrq4k", .chan = CHAN_ID_PIT64, .size = 64, .burst = 32, .shift = 17,
	  .readrq = 4096 },
	{ "stream32k_to_nfp_readrq4k", .chan = CHAN_ID_SINK, .size = 32768, .burst = 1,
	  .shift = 16, .readrq = 4096 },
};

/* Bytes of payload. With its header, the card takes 256 bytes inline at most. */
static const uint32_t inline_sizes[] = { 8, 16, 32, 64, 96, 128, 192, 248 };

int main(void)
{
	for (size_t i = 0; i < sizeof(to_host_loads) / sizeof(to_host_loads[0]); i++)
		to_host(&to_host_loads[i]);
	for (size_t i = 0; i < sizeof(to_nfp_loads) / sizeof(to_nfp_loads[0]); i++)
		to_nfp(&to_nfp_loads[i]);
	round_trip("rtt64", 64, 64);
	round_trip("rtt64_dma", 64, 0);
	for (size_t i = 0; i < sizeof(inline_sizes) / sizeof(inline_sizes[0]); i++) {
		to_empty_ring("inline", inline_sizes[i], inline_sizes[i]);
		to_empty_ring("dma", inline_sizes[i], 0);
	}
	return bench_sink == 42;
}
