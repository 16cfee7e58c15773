/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * board_fw.h - what the emulated card's silicon offers to what runs on it.
 *
 * Implemented by the board, used by fw/hal, which makes Micro-C intrinsics of
 * it. Everything here exists on an NFP: memory units, PCIe island (SRAM, queue
 * controllers, DMA engine, MSI-X by write), packet buffers, timestamps.
 * Commands complete later, by callback from board_run(), in the order their
 * unit keeps; callbacks must not call board_run().
 */
#ifndef BOARD_FW_H
#define BOARD_FW_H

#include "board.h"

struct board_pkt;

/**
 * struct board_fw - firmware as the board sees it
 * @start: power-on or reset of the microengines; symbols and memory are
 *	registered here
 * @stop: the board goes, or resets
 * @run: run the contexts that are ready until none is, or @budget switches
 *	have happened; true when some are still ready
 * @deadline: CLOCK_MONOTONIC ns of the next timer, UINT64_MAX for none
 * @qc_event: the host wrote queue controller @queue (event of type NOT_EMPTY
 *	from the PCIe island; coalesced like the hardware's)
 * @packet: a frame has arrived and fills packet buffer @pkt
 */
struct board_fw {
	void (*start)(void *ctx, struct board *b);
	void (*stop)(void *ctx);
	bool (*run)(void *ctx, unsigned int budget);
	uint64_t (*deadline)(void *ctx);
	void (*qc_event)(void *ctx, unsigned int queue);
	void (*packet)(void *ctx, struct board_pkt *pkt);
};

/* ---- memory units ---- */

/**
 * board_mem_map() - back @len bytes of MU address space at the 40-bit @addr
 * with host memory @mem, which stays the caller's, until the next reset. 0,
 * -EEXIST on overlap, also with what the board keeps for itself: the first
 * 3 MiB of EMEM, the ARM island's CTM, 64 KiB of EMEM0's cache.
 */
int board_mem_map(struct board *b, uint64_t addr, void *mem, uint64_t len);
void *board_mem_ptr(struct board *b, uint64_t addr, uint64_t len);	/* NULL: unmapped */

/* Add a run-time symbol (MU object), as nffw's linker would; copied. */
int board_symbol(struct board *b, const char *name, uint64_t addr, uint32_t len);

/*
 * MU rings, 0..1023, of 32-bit words: a power of 2 from 512 to 16 Mi, in mapped
 * memory aligned to its size. A put or get moves all @n words or none.
 * 0, -ENOSPC (full), -EAGAIN (empty), -ENOENT (not initialised), -EINVAL.
 */
int board_ring_init(struct board *b, unsigned int ring, uint64_t addr, uint32_t words);
int board_ring_put(struct board *b, unsigned int ring, const uint32_t *w, unsigned int n);
int board_ring_get(struct board *b, unsigned int ring, uint32_t *w, unsigned int n);

/**
 * struct board_thread - who waits for work at an MU ring that is a work queue
 * @data: where the work is put
 * @n: its words
 * @done: the work is there; called at once when it was there already
 * @ctx: for @done
 * @tag: for @done
 */
struct board_thread {
	uint32_t *data;
	unsigned int n;
	void (*done)(const struct board_thread *t);
	void *ctx;
	unsigned int tag;
};

/*
 * Work queues: the memory unit hands the oldest work to the oldest thread. What
 * finds no thread stays in the ring, as work for the next. 0, -ENOSPC (ring
 * full; too many threads, or work queues), -ENOENT, -EINVAL (also: work of
 * another size than is waited for).
 */
int board_workq_work(struct board *b, unsigned int ring, const uint32_t *w, unsigned int n);
int board_workq_thread(struct board *b, unsigned int ring, const struct board_thread *t);

/* ---- PCIe island ---- */

/* SRAM, 64 KiB. Reads and writes by a microengine; -ERANGE outside. */
int board_sram_read(struct board *b, uint32_t off, void *buf, size_t len);
int board_sram_write(struct board *b, uint32_t off, const void *buf, size_t len);

/* Queue controllers 0..255, pointers of 18 bits. */
void board_qc_init(struct board *b, unsigned int queue, bool events);	/* pointers to 0 */
uint32_t board_qc_wptr(const struct board *b, unsigned int queue);
uint32_t board_qc_rptr(const struct board *b, unsigned int queue);
void board_qc_add_rptr(struct board *b, unsigned int queue, uint32_t n);

/**
 * struct board_dma - one descriptor of the PCIe DMA engine
 * @to_host: direction
 * @purpose: for the counters
 * @host: DMA address
 * @mem: the card's side, must stay valid until @done
 * @len: bytes, 1 or more
 * @done: called from board_run() when the last byte has landed; @status 0 or
 *	-EFAULT (the address was not mapped by the host: on silicon a completion
 *	abort or a poisoned write)
 *
 * Descriptors complete in the order they were enqueued, and MSI-X writes stay
 * behind DMA enqueued before them.
 */
struct board_dma {
	bool to_host;
	enum board_tlp purpose;
	uint64_t host;
	void *mem;
	uint32_t len;
	void (*done)(void *ctx, int status);
	void *ctx;
};

/* Copied. -ENOSPC when the engine's queue (256) is full. */
int board_dma_enqueue(struct board *b, const struct board_dma *d);

/**
 * board_msix() - write the MSI-X message of @vector, behind all DMA enqueued
 * so far. A masked or unarmed vector stays pending and goes when the host arms
 * it (the pending bit array). 0, -EINVAL.
 */
int board_msix(struct board *b, unsigned int vector);
/* Forget a pending interrupt of @vector (its owner has closed). */
void board_msix_drop(struct board *b, unsigned int vector);

/* ---- packets ---- */

/**
 * struct board_pkt - a packet buffer as a microengine finds it
 * @data: the frame's bytes (CTM, then MU), @caplen of them
 * @caplen: bytes present
 * @len: bytes on the wire
 * @ts_ns: MAC time stamp, ns
 * @port: wire port
 */
struct board_pkt {
	uint8_t *data;
	uint32_t caplen;
	uint32_t len;
	uint64_t ts_ns;
	uint8_t port;
};

/* Give a buffer back. While none is free the MAC pauses the wire. */
void board_pkt_free(struct board *b, struct board_pkt *p);
/*
 * Let the MAC of @port receive (true) or hold the wire in pause (false). A wire
 * that cannot wait goes on for the host, without the firmware. No
 * frame comes either way while the port is without link: as on a card, the
 * host's ifdown turns it off (NSP ETH_CONTROL) until the next ifup.
 */
void board_port_rx(struct board *b, unsigned int port, bool on);
/*
 * Frames firmware did not get: longer than a packet buffer holds, or, on a wire
 * that is the host's as well (a cable, a tap), come while firmware held most
 * buffers. Any other wire is paused then.
 */
uint64_t board_port_lost(const struct board *b, unsigned int port);

/*
 * Have the frame of @len bytes at @data leave at @port; the MAC pads it to 60 bytes. Without
 * link it goes nowhere. 0, -EAGAIN (the wire's other end pauses it: board_run() asks the
 * firmware to run when that ends), -EMSGSIZE (more than BOARD_TX_MAX), -EINVAL.
 */
int board_port_tx(struct board *b, unsigned int port, const uint8_t *data, uint32_t len);
#define BOARD_TX_MAX	9238u	/* bytes: the largest MTU, and two tags */

/* ---- time ---- */
uint64_t board_now_ns(const struct board *b);	/* the card's clock, monotonic */

#endif /* BOARD_FW_H */
