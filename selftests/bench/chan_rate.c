// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * chan_rate.c - messages a second, with the board on a separate CPU core.
 *
 * usage: chan_rate [SECONDS]
 *
 * A key says how many messages the host handles in one call. The card sends 64 KiB of a stream at
 * a time, except with "card_one" (64 bytes) and "header" (one message). Emulated microengines
 * limit the card: one of their sends takes this machine hundreds of nanoseconds.
 */
#define _GNU_SOURCE
#include "bench_load.h"

static uint64_t receive_one(void *ctx)
{
	struct bench_chan *c = ctx;
	uint64_t buf[8];

	assert_true(nfpchan_recv(&c->ch, buf, sizeof(buf), NFPCHAN_FOREVER) == 64);
	bench_sink += buf[0];
	return 1;
}

static uint64_t receive_burst(void *ctx)
{
	struct bench_chan *c = ctx;
	uint64_t buf[BENCH_BURST][8];
	ssize_t n = nfpchan_recv_many(&c->ch, buf, BENCH_BURST, NFPCHAN_FOREVER);

	assert_true(n > 0);
	for (ssize_t i = 0; i < n; i++)
		bench_sink += buf[i][0];
	return (uint64_t)n;
}

/* Receive up to 32 messages in place, and read the first word of each. */
static uint64_t receive_in_place(void *ctx)
{
	struct bench_chan *c = ctx;
	const void *data;
	ssize_t n = nfpchan_peek(&c->ch, &data, NFPCHAN_FOREVER);

	assert_true(n > 0);
	if (n > BENCH_BURST * 64)
		n = BENCH_BURST * 64;
	for (ssize_t i = 0; i < n; i += 64)
		bench_sink += *(const uint64_t *)((const char *)data + i);
	assert_true(nfpchan_consume(&c->ch, (size_t)n) == 0);
	return (uint64_t)n / 64;
}

static uint64_t receive_1k(void *ctx)
{
	static uint64_t buf[128];
	struct bench_chan *c = ctx;
	ssize_t n = nfpchan_read(&c->ch, buf, sizeof(buf), NFPCHAN_FOREVER);

	assert_true(n > 0);
	bench_sink += buf[0];
	return (uint64_t)n;
}

static uint64_t receive_msg(void *ctx)
{
	static uint64_t buf[128];
	struct bench_chan *c = ctx;

	assert_true(nfpchan_recv(&c->ch, buf, sizeof(buf), NFPCHAN_FOREVER) > 0);
	bench_sink += buf[0];
	return 1;
}

static double load_rate(uint32_t size)
{
	struct bench_host *b = bench_start();
	struct bench_chan *ctl = bench_open(b, 0, CHAN_ID_LOAD_CTL, 12);
	struct bench_chan *rx = bench_open(b, 1, CHAN_ID_LOAD, 18);

	bench_load(ctl, size);
	return bench_chan_rate(b, rx, receive_msg);
}

static uint64_t send_one(void *ctx)
{
	static uint64_t buf[8];
	struct bench_chan *c = ctx;

	buf[0]++;
	assert_true(nfpchan_send(&c->ch, buf, sizeof(buf), NFPCHAN_FOREVER) == 0);
	return 1;
}

static uint64_t send_burst(void *ctx)
{
	static uint64_t buf[BENCH_BURST][8];
	struct bench_chan *c = ctx;
	ssize_t n = nfpchan_send_many(&c->ch, buf, BENCH_BURST, NFPCHAN_FOREVER);

	assert_true(n > 0);
	return (uint64_t)n;
}

static uint64_t send_1k(void *ctx)
{
	static uint64_t buf[128];
	struct bench_chan *c = ctx;

	assert_true(nfpchan_write(&c->ch, buf, sizeof(buf), NFPCHAN_FOREVER) == sizeof(buf));
	return sizeof(buf);
}

static uint64_t send_msg_1k(void *ctx)
{
	static uint64_t buf[128];
	struct bench_chan *c = ctx;

	assert_true(nfpchan_send(&c->ch, buf, sizeof(buf), NFPCHAN_FOREVER) == 0);
	return 1;
}

int main(int argc, char **argv)
{
	bench_args(argc, argv);
	bench_print("elem64_recv_single_Mps",
		    bench_source_rate(CHAN_ID_SOURCE64, 18, SOURCE_64, 65536, receive_one) / 1e6);
	bench_print("elem64_recv_burst_Mps",
		    bench_source_rate(CHAN_ID_SOURCE64, 18, SOURCE_64, 65536, receive_burst) / 1e6);
	bench_print("elem64_recv_in_place_Mps",
		    bench_source_rate(CHAN_ID_SOURCE64, 18, SOURCE_64, 65536, receive_in_place) / 1e6);
	bench_print("elem64_recv_card_one_Mps",
		    bench_source_rate(CHAN_ID_SOURCE64, 18, SOURCE_64, 64, receive_one) / 1e6);
	bench_print("msg64_recv_single_Mps", load_rate(64) / 1e6);
	bench_print("msg1k_recv_Mps",
		    bench_source_rate(CHAN_ID_SOURCE, 18, SOURCE_BYTES, 65536, receive_1k) / 1024e6);
	bench_print("msg1k_recv_header_Mps", load_rate(1024) / 1e6);
	bench_print("elem64_send_single_Mps", bench_send_rate(CHAN_ID_SINK64, send_one) / 1e6);
	bench_print("elem64_send_burst_Mps", bench_send_rate(CHAN_ID_SINK64, send_burst) / 1e6);
	bench_print("msg64_send_single_Mps", bench_send_rate(CHAN_ID_PIT, send_one) / 1e6);
	bench_print("msg1k_send_header_Mps", bench_send_rate(CHAN_ID_PIT, send_msg_1k) / 1e6);
	bench_print("msg1k_send_Mps", bench_send_rate(CHAN_ID_SINK, send_1k) / 1024e6);
	return bench_sink == 42;
}
