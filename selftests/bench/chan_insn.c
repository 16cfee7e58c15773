// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * chan_insn.c - instructions of the host for each message.
 *
 * While instructions are counted, doorbells are stores to memory, as they are stores to a page of
 * a real card. The board does not get these doorbells.
 */
#define _GNU_SOURCE
#include "ring_int.h"
#include "bench_load.h"
#include "insn_count.h"

#define COUNT	(4 * BENCH_BURST)	/* most messages of a measurement */
#define LARGE	4			/* the same, of 64 KiB each */

static struct bench_chan *chan;
static uint64_t buf[65536 / 8];
static uint32_t size = 64;

/* ---- the functions that are counted: each handles @n messages ---- */

static void recv_single(int n)
{
	while (n--)
		nfpchan_recv(&chan->ch, buf, size, NFPCHAN_FOREVER);
}

static void recv_batch(int n)
{
	for (; n > 0; n -= BENCH_BURST)
		nfpchan_recv_many(&chan->ch, buf, BENCH_BURST, NFPCHAN_FOREVER);
}

/* Receive in place, and read the first word of each message. */
static void recv_zc_batch(int n)
{
	const uint64_t *w;
	const void *data;
	uint64_t sum = 0;

	for (; n > 0; n -= BENCH_BURST) {
		nfpchan_peek(&chan->ch, &data, NFPCHAN_FOREVER);
		w = data;
		for (int k = 0; k < BENCH_BURST; k++)
			sum += w[8 * k];
		nfpchan_consume(&chan->ch, 64 * BENCH_BURST);
	}
	bench_sink = sum;
}

static void borrow_batch(int n)
{
	const void *data;
	uint64_t sum = 0;

	for (; n > 0; n -= BENCH_BURST) {
		for (int k = 0; k < BENCH_BURST; k++) {
			nfpchan_borrow(&chan->ch, &data, NFPCHAN_FOREVER);
			sum += *(const uint64_t *)data;
		}
		nfpchan_release(&chan->ch, BENCH_BURST);
	}
	bench_sink = sum;
}

/* Messages of any size, with headers */
static struct nfpchan_msg msgs[BENCH_BURST];

static void recv_msgs(int n)
{
	static char room[BENCH_BURST * 64];

	for (; n > 0; n -= BENCH_BURST)
		nfpchan_recv_msgs(&chan->ch, room, sizeof(room), msgs, BENCH_BURST, NFPCHAN_FOREVER);
}

static void borrow_msgs(int n)
{
	uint64_t sum = 0;

	for (; n > 0; n -= BENCH_BURST) {
		nfpchan_borrow_many(&chan->ch, msgs, BENCH_BURST, NFPCHAN_FOREVER);
		for (int k = 0; k < BENCH_BURST; k++)
			sum += *(const uint64_t *)msgs[k].data;
		nfpchan_release(&chan->ch, BENCH_BURST);
	}
	bench_sink = sum;
}

static void send_msgs(int n)
{
	for (int k = 0; k < BENCH_BURST; k++)
		msgs[k] = (struct nfpchan_msg){ buf, size };
	for (; n > 0; n -= BENCH_BURST)
		nfpchan_send_msgs(&chan->ch, msgs, BENCH_BURST, NFPCHAN_FOREVER);
}

static void read_copy(int n)
{
	while (n--)
		nfpchan_read(&chan->ch, buf, size, NFPCHAN_FOREVER);
}

static void read_in_place(int n)
{
	const void *data;

	while (n--) {
		nfpchan_peek(&chan->ch, &data, NFPCHAN_FOREVER);
		bench_sink += *(const uint64_t *)data;
		nfpchan_consume(&chan->ch, size);
	}
}

/* @n KiB of a stream, in chunks of 64 KiB, of which each byte is read */
static void stream_in_place(int n)
{
	const void *data;

	for (; n > 0; n -= 64) {
		nfpchan_peek(&chan->ch, &data, NFPCHAN_FOREVER);
		bench_read16(data, sizeof(buf));
		nfpchan_consume(&chan->ch, sizeof(buf));
	}
}

static void stream_copied(int n)
{
	for (; n > 0; n -= 64) {
		nfpchan_read(&chan->ch, buf, sizeof(buf), NFPCHAN_FOREVER);
		bench_read16(buf, sizeof(buf));
	}
}

static void send_single(int n)
{
	while (n--)
		nfpchan_send(&chan->ch, buf, size, NFPCHAN_FOREVER);
}

static void send_batch(int n)
{
	for (; n > 0; n -= BENCH_BURST)
		nfpchan_send_many(&chan->ch, buf, BENCH_BURST, NFPCHAN_FOREVER);
}

static void write_copy(int n)
{
	while (n--)
		nfpchan_write(&chan->ch, buf, size, NFPCHAN_FOREVER);
}

/* ---- counting ---- */

struct counted {
	void (*fn)(int n);
	int n;
};

static void run(void *arg)
{
	struct counted *c = arg;

	c->fn(c->n);
}

static void nothing(int n)
{
}

static void print_count(const char *key, void (*fn)(int n), int count)
{
	struct counted c = { fn, count }, none = { nothing, count };
	uint64_t n = insn_count(run, &c) - insn_count(run, &none);

	printf("%s %.1f\n", key, (double)n / count);
}

/*
 * Run once in this process before counting. Then symbols are bound, and the library's state is
 * that in the middle of a stream.
 */
static void measure(const char *key, void (*fn)(int n), int count)
{
	fn(count);
	print_count(key, fn, count);
}

static void to_memory(struct bench_chan *c)
{
	bench_to_memory(&c->ch.ring);
	ring_alone(&c->ch.ring, true);
	chan = c;
}

/* The first record shows some messages. Receive one, so that the next record shows all of them. */
static void see_all(struct bench_chan *rx)
{
	if (rx->ch.layout.kind == NFP_CHAN_STREAM)
		bench_take(rx, 4096, NFPCHAN_NONBLOCK);
	else
		nfpchan_recv(&rx->ch, buf, sizeof(buf), NFPCHAN_NONBLOCK);
	ring_flush(&rx->ch.ring);
	bench_run(rx->host);
	to_memory(rx);
	assert_true(ring_ready(&rx->ch.ring) == 1);
}

/* Open a pipe, and fill its ring with the source's stream. */
static struct bench_chan *source_open(struct bench_host *b, unsigned int id, uint32_t target,
				      unsigned int shift)
{
	struct bench_chan *ctl = bench_open(b, 0, CHAN_ID_SOURCE_CTL, 12);
	struct bench_chan *rx = bench_open(b, 1, id, shift);

	bench_source(ctl, 65536, target);
	bench_run(b);
	see_all(rx);
	return rx;
}

static void count_elements(void)
{
	struct bench_host *b = bench_start();
	struct bench_chan *tx;

	source_open(b, CHAN_ID_SOURCE64, SOURCE_64, 17);
	measure("elem64_insn_recv_single", recv_single, COUNT);
	measure("elem64_insn_recv_batch", recv_batch, COUNT);
	measure("elem64_insn_recv_zc_batch", recv_zc_batch, COUNT);
	chan->ch.ring.alone = false;
	ring_fast_set(&chan->ch.ring);
	measure("elem64_insn_recv_locked", recv_single, BENCH_BURST);
	tx = bench_open(b, 2, CHAN_ID_SINK64, 16);
	to_memory(tx);
	measure("elem64_insn_send_single", send_single, COUNT);
	measure("elem64_insn_send_batch", send_batch, COUNT);
	tx->ch.ring.alone = false;
	ring_fast_set(&tx->ch.ring);
	measure("elem64_insn_send_locked", send_single, BENCH_BURST);
	bench_stop(b);
}

/* Count messages, which have a header each. */
static void count_messages(void)
{
	struct bench_host *b = bench_start();
	struct bench_chan *ctl = bench_open(b, 0, CHAN_ID_LOAD_CTL, 12);
	struct bench_chan *rx = bench_open(b, 1, CHAN_ID_LOAD, 18);

	bench_load(ctl, 64);
	bench_run(b);
	see_all(rx);
	measure("msg64_insn_recv_single", recv_single, COUNT);
	measure("msg64_insn_borrow_single", borrow_batch, COUNT);
	measure("msg64_insn_recv_batch", recv_msgs, COUNT);
	measure("msg64_insn_borrow_batch", borrow_msgs, COUNT);
	ring_alone(&chan->ch.ring, false);
	measure("msg64_shared_insn_recv_single", recv_single, COUNT);
	to_memory(bench_open(b, 2, CHAN_ID_PIT, 18));
	measure("msg64_insn_send_single", send_single, COUNT);
	measure("msg64_insn_send_batch", send_msgs, COUNT);
	ring_alone(&chan->ch.ring, false);
	measure("msg64_shared_insn_send_single", send_single, COUNT);
	to_memory(bench_open(b, 3, CHAN_ID_PIT64, 17));
	measure("msg64_fixed_insn_send_batch", send_batch, COUNT);
	bench_stop(b);
}

static void count_stream(const char *name, uint32_t bytes, int count)
{
	struct bench_host *b = bench_start();
	char key[64];

	size = bytes;
	source_open(b, CHAN_ID_SOURCE, SOURCE_BYTES, 21);
	snprintf(key, sizeof(key), "%s_insn_recv", name);
	measure(key, read_copy, count);
	snprintf(key, sizeof(key), "%s_insn_recv_zc", name);
	measure(key, read_in_place, count);
	if (bytes == sizeof(buf)) {
		measure("stream_64k_insn_per_KiB_in_place", stream_in_place, 64 * LARGE);
		measure("stream_64k_insn_per_KiB_copied", stream_copied, 64 * LARGE);
	}
	/* Write no more than the ring has room for. */
	to_memory(bench_open(b, 2, CHAN_ID_SINK, 16));
	if (size == 65536)
		size = 32767;
	snprintf(key, sizeof(key), "%s_insn_send", name);
	measure(key, write_copy, size > 1024 ? 1 : 16);
	bench_stop(b);
}

/*
 * Count a message that finds the ring empty, with a copy in the inline page, or without. The page
 * is ordinary memory here: the count does not tell how long stores to a card take.
 */
static void count_to_empty(const char *how, uint32_t bytes, uint32_t inline_max)
{
	static volatile uint32_t page[NFP_CHAN_INLINE_MAX / 4];
	struct bench_host *b = bench_start();
	struct bench_chan *tx = bench_open_inline(b, 0, CHAN_ID_PIT, 18, inline_max);
	char key[64];

	size = bytes;
	chan = tx;
	for (int i = 0; i < 3; i++) {
		send_single(1);
		bench_run(b);
	}
	to_memory(tx);
	tx->ch.ring.db.inl_store = NULL;
	tx->ch.ring.inl = page;
	assert_true(ring_ready(&tx->ch.ring) == 1);
	snprintf(key, sizeof(key), "%s%u_insn_send", how, bytes);
	print_count(key, send_single, 1);
	bench_stop(b);
}

static void count_inline(void)
{
	static const uint32_t sizes[] = { 8, 16, 32, 64, 96, 128, 192, 248 };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		count_to_empty("inline", sizes[i], sizes[i]);
		count_to_empty("dma", sizes[i], 0);
	}
}

int main(void)
{
	count_elements();
	count_messages();
	count_stream("msg1k", 1024, COUNT);
	count_stream("msg64k", 65536, LARGE);
	count_inline();
	return bench_sink == 42;
}
