/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * bench_chan.h - channels of the library on a board in this process, for measurements. The board
 * runs in a thread, beside the host, as a card does.
 *
 * The host's stores to doorbells are posted writes: they wait in a queue, in order, until the
 * board's thread takes them. DMA is a copy by the board's thread.
 */
#ifndef BENCH_CHAN_H
#define BENCH_CHAN_H

#include <stdatomic.h>

#define FW_HOST_PLAIN
#include "bench_time.h"
#include "handle.h"

#define BENCH_POSTED	4096	/* writes in the queue, at most; a power of 2 */

/* A posted write of a word to an address inside the card's PCIe island */
struct bench_write {
	uint32_t addr;
	uint32_t val;
};

/**
 * struct bench_host - a host and its board
 * @h: the board. Only the board's thread uses it while that thread runs
 * @thread: the board's thread
 * @stop: asks the thread to end
 * @head: number of writes that the host has posted
 * @tail: number of writes that the board has taken
 * @posted: queue of the writes
 */
struct bench_host {
	struct fw_host h;
	pthread_t thread;
	atomic_bool stop;
	_Alignas(64) _Atomic uint32_t head;
	_Alignas(64) _Atomic uint32_t tail;
	_Alignas(64) struct bench_write posted[BENCH_POSTED];
};

/**
 * struct bench_chan - an open channel
 * @ch: the library's handle
 * @end: the pipe's memory
 * @host: the host that has the pipe
 */
struct bench_chan {
	struct nfpchan ch;
	struct end end;
	struct bench_host *host;
};

static inline void bench_post(struct bench_host *b, uint32_t addr, uint32_t val)
{
	uint32_t head = atomic_load_explicit(&b->head, memory_order_relaxed);

	while (head - atomic_load_explicit(&b->tail, memory_order_acquire) == BENCH_POSTED)
		__builtin_ia32_pause();
	b->posted[head % BENCH_POSTED] = (struct bench_write){ addr, val };
	atomic_store_explicit(&b->head, head + 1, memory_order_release);
}

static inline void bench_bus_write(void *ctx, enum ring_reg reg, uint32_t val)
{
	struct bench_chan *c = ctx;
	uint32_t queue = nfp_chan_fw_queue(c->host->h.cb.queue_pages, c->end.index) +
			 (reg == RING_REG_ARM);

	bench_post(c->host, NFP_CHAN_FW_QC_BASE + NFP_CHAN_FW_QC_STRIDE * queue +
		   NFP_CHAN_FW_QC_ADD_WPTR, val);
}

static inline void bench_bus_inline(void *ctx, uint32_t off, uint32_t val)
{
	struct bench_chan *c = ctx;

	bench_post(c->host, NFP_CHAN_FW_SRAM_BASE + c->host->h.cb.inline_off +
		   (c->end.inl - 1) * NFP_CHAN_FW_INLINE_PAGE + off, val);
}

/* Give the board all posted writes. */
static inline void bench_bus_drain(struct bench_host *b)
{
	uint32_t tail = atomic_load_explicit(&b->tail, memory_order_relaxed);

	while (tail != atomic_load_explicit(&b->head, memory_order_acquire)) {
		pcie_write(b->h.host, b->posted[tail % BENCH_POSTED].addr,
			   b->posted[tail % BENCH_POSTED].val);
		atomic_store_explicit(&b->tail, ++tail, memory_order_release);
	}
}

static inline void *bench_board(void *arg)
{
	struct bench_host *b = arg;
	while (!atomic_load_explicit(&b->stop, memory_order_relaxed)) {
		bench_bus_drain(b);
		board_run(b->h.host->b, 16);
	}
	return NULL;
}

static inline struct bench_host *bench_host_alloc(void)
{
	struct bench_host *b = aligned_alloc(64, (sizeof(*b) + 63) / 64 * 64);

	memset(b, 0, sizeof(*b));
	return b;
}

static inline struct bench_host *bench_start(void)
{
	struct bench_host *b = bench_host_alloc();

	fw_host_start(&b->h);
	assert_true(fw_hello(&b->h) == NFP_CHAN_FW_OK);
	return b;
}

static inline void bench_thread_start(struct bench_host *b)
{
	atomic_store(&b->stop, false);
	b->thread = bench_thread(bench_board, b);
}

static inline void bench_thread_stop(struct bench_host *b)
{
	atomic_store(&b->stop, true);
	pthread_join(b->thread, NULL);
	bench_bus_drain(b);
}

/* Give the board all posted writes, and run it until it is idle. Its thread does not run. */
static inline void bench_run(struct bench_host *b)
{
	bench_bus_drain(b);
	host_run(b->h.host);
}

static inline void bench_stop(struct bench_host *b)
{
	assert_true(b->h.host->faults == 0);
	fw_host_stop(&b->h);
	free(b);
}

/* Open a pipe as @req says. The other fields are filled in. The board's thread does not run. */
static inline struct bench_chan *bench_open_req(struct bench_host *b, struct nfp_chan_fw_req req)
{
	struct bench_chan *c = aligned_alloc(64, (sizeof(*c) + 63) / 64 * 64);

	memset(c, 0, sizeof(*c));
	c->host = b;
	end_start(&c->end, &b->h, req);
	handle_init(&c->ch, &c->end, req.chan);
	c->ch.policy.spin_ns = UINT64_MAX;	/* spin forever: there is no kernel to wake it */
	ring_alone(&c->ch.ring, true);
	c->ch.ring.db.store = bench_bus_write;
	c->ch.ring.db.inl_store = bench_bus_inline;
	c->ch.ring.db.ctx = c;
	return c;
}

/*
 * Open a pipe. Messages to the NFP of up to @inline_max bytes go inline, through the first inline
 * page. 0: the pipe has no inline page.
 */
static inline struct bench_chan *bench_open_inline(struct bench_host *b, unsigned int pipe,
						   unsigned int chan, unsigned int ring_shift,
						   uint32_t inline_max)
{
	struct nfp_chan_fw_req req = {
		.pipe = (uint16_t)pipe,
		.chan = (uint16_t)chan,
		.ring_shift = (uint8_t)ring_shift,
		.inline_page = inline_max ? 1 : 0,
	};
	struct bench_chan *c = bench_open_req(b, req);

	c->ch.ring.inl_max = inline_max ? inline_max + 8 : 0;
	return c;
}

static inline struct bench_chan *bench_open(struct bench_host *b, unsigned int pipe,
					    unsigned int chan, unsigned int ring_shift)
{
	return bench_open_inline(b, pipe, chan, ring_shift, 0);
}

/*
 * Have doorbells stored to memory, by the instructions of a store to a card's page. The board no
 * longer gets them.
 */
static inline void bench_to_memory(struct ring *r)
{
	static volatile uint32_t page[2];

	r->db.store = NULL;
	r->db.reg[0] = &page[0];
	r->db.reg[1] = &page[1];
}

static inline void bench_free(struct bench_chan *c)
{
	munmap(c->end.ring, 2 * (size_t)c->ch.ring.size);
	free(c);
}

static inline void bench_close(struct bench_chan *c)
{
	struct nfp_chan_fw_req req = { .cmd = NFP_CHAN_FW_CMD_CLOSE,
				       .pipe = (uint16_t)c->end.index };

	assert_true(fw_request(&c->host->h, &req) == NFP_CHAN_FW_OK);
	bench_free(c);
}

#endif /* BENCH_CHAN_H */
