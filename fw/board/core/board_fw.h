/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * board_fw.h - what the emulated card's silicon offers to the firmware.
 *
 * The board implements these calls. fw/hal uses them, and makes Micro-C intrinsics of them.
 * Everything here exists on an NFP: memory units, the PCIe island (SRAM, queue controllers, DMA
 * engine, MSI-X by a write), packet buffers, time stamps. A command completes later, by a
 * callback from board_run(), in the order that its unit keeps. A callback must not call
 * board_run().
 */
#ifndef BOARD_FW_H
#define BOARD_FW_H

#include "board.h"

struct board_pkt;

/**
 * struct board_fw - callbacks of the firmware
 * @start: power-on or reset of the microengines. The firmware registers its symbols and
 * 	memory now
 * @stop: the microengines are about to be reset, or the board is destroyed
 * @run: run ready contexts until none is ready, or until @budget context switches have
 * 	happened. Return true if a context is still ready
 * @deadline: time of the next timer, CLOCK_MONOTONIC ns; UINT64_MAX if there is none
 * @qc_event: the host wrote queue controller @queue (event NOT_EMPTY of the PCIe island).
 * 	Several writes may cause one call, as on the hardware
 * @packet: a frame has arrived in packet buffer @pkt
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
 * board_mem_map() - back @len bytes of MU address space at the 40-bit @addr with host memory
 * @mem, until the next reset. The caller keeps ownership of @mem.
 *
 * Return: 0, or -EEXIST if the range overlaps another mapping or the board's own memory:
 * 	the first 3 MiB of EMEM, the ARM island's CTM, 64 KiB of EMEM0's cache.
 */
int board_mem_map(struct board *b, uint64_t addr, void *mem, uint64_t len);
void *board_mem_ptr(struct board *b, uint64_t addr, uint64_t len);	/* NULL: not mapped */

/* Add a run-time symbol (an MU object), as nffw's linker would. @name is copied. */
int board_symbol(struct board *b, const char *name, uint64_t addr, uint32_t len);

/*
 * MU rings 0..1023, of 32-bit words. The size in words is a power of 2 from 512 to 16 Mi, and the
 * memory must be mapped and aligned to its size. A put or get moves all @n words or none. Return
 * 0, -ENOSPC (full), -EAGAIN (empty), -ENOENT (not initialised) or -EINVAL.
 */
int board_ring_init(struct board *b, unsigned int ring, uint64_t addr, uint32_t words);
int board_ring_put(struct board *b, unsigned int ring, const uint32_t *w, unsigned int n);
int board_ring_get(struct board *b, unsigned int ring, uint32_t *w, unsigned int n);

/**
 * struct board_thread - a thread that waits for work at an MU ring used as work queue
 * @data: the memory unit puts the work here
 * @n: words of the work
 * @done: the work is in @data. If the ring has work already, it is called at once
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
 * Work queues: the memory unit gives the oldest work to the thread that waits longest. If no
 * thread waits, the work stays in the ring for the next thread. Return 0, -ENOSPC (the ring is
 * full, or there are too many threads or work queues), -ENOENT, or -EINVAL (also if the work's
 * size is not the size that the thread waits for).
 */
int board_workq_work(struct board *b, unsigned int ring, const uint32_t *w, unsigned int n);
int board_workq_thread(struct board *b, unsigned int ring, const struct board_thread *t);

/* ---- PCIe island ---- */

/* SRAM, 64 KiB: reads and writes of a microengine. Return -ERANGE outside of the SRAM. */
int board_sram_read(struct board *b, uint32_t off, void *buf, size_t len);
int board_sram_write(struct board *b, uint32_t off, const void *buf, size_t len);

/* Queue controllers 0..255, pointers of 18 bits. */
/* sets both pointers to 0 */
void board_qc_init(struct board *b, unsigned int queue, bool events);
uint32_t board_qc_wptr(const struct board *b, unsigned int queue);
uint32_t board_qc_rptr(const struct board *b, unsigned int queue);
void board_qc_add_rptr(struct board *b, unsigned int queue, uint32_t n);

/**
 * struct board_dma - one descriptor of the PCIe DMA engine
 * @to_host: direction
 * @purpose: the counters to which the TLPs are added
 * @host: DMA address
 * @mem: memory of the card. It must stay valid until @done
 * @len: bytes, 1 or more
 * @done: board_run() calls it when the last byte has arrived. @status is 0, or -EFAULT if
 * 	the host has not mapped the address (on silicon: a completion abort or a poisoned write)
 * @ctx: for @done
 *
 * Descriptors complete in the order in which they were enqueued. An MSI-X write stays behind the
 * DMA that was enqueued before the write.
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

/* The descriptor is copied. Return -ENOSPC if the engine's queue (256) is full. */
int board_dma_enqueue(struct board *b, const struct board_dma *d);

/**
 * board_msix() - write the MSI-X message of @vector, after all DMA that is enqueued so far. If
 * the vector is masked or not armed, its bit in the pending bit array is set, and the message is
 * sent when the host arms the vector.
 *
 * Return: 0 or -EINVAL.
 */
int board_msix(struct board *b, unsigned int vector);
/* Forget a pending interrupt of @vector, because the vector's owner has closed. */
void board_msix_drop(struct board *b, unsigned int vector);

/* ---- packets ---- */

/**
 * struct board_pkt - a packet buffer as a microengine sees it
 * @data: the frame's bytes (first in CTM, the rest in MU)
 * @caplen: number of bytes at @data
 * @len: length on the wire
 * @ts_ns: the MAC's time stamp, ns
 * @port: wire port
 */
struct board_pkt {
	uint8_t *data;
	uint32_t caplen;
	uint32_t len;
	uint64_t ts_ns;
	uint8_t port;
};

/* Return a buffer to the MAC. While no buffer is free, the MAC pauses the wire. */
void board_pkt_free(struct board *b, struct board_pkt *p);
/*
 * Let the MAC of @port receive for the firmware (true), or hold the wire in pause (false). A wire
 * that cannot wait (struct board_wire_ops, @live) still delivers to the host, and the firmware
 * gets none of these frames. While the port has no link, no frame arrives at all: like on a card,
 * the host's ifdown turns the port off (NSP command ETH_CONTROL) until the next ifup.
 */
void board_port_rx(struct board *b, unsigned int port, bool on);
/*
 * Frames that the firmware did not get. A frame is longer than a packet buffer, or it came on a
 * wire that serves the host too (a cable, a tap) while the firmware held most buffers. Any other
 * wire is paused in the second case.
 */
uint64_t board_port_lost(const struct board *b, unsigned int port);

/*
 * Send the frame of @len bytes at @data from @port. The MAC pads the frame to 60 bytes. Without
 * link the frame is dropped. Return 0, -EAGAIN (the wire's other end has sent a pause: the board
 * runs the firmware again when the pause ends), -EMSGSIZE (@len is above BOARD_TX_MAX) or
 * -EINVAL.
 */
int board_port_tx(struct board *b, unsigned int port, const uint8_t *data, uint32_t len);
#define BOARD_TX_MAX	9238u	/* bytes: the largest MTU, and two VLAN tags */

/* ---- time ---- */
uint64_t board_now_ns(const struct board *b);	/* the card's clock, monotonic */

#endif /* BOARD_FW_H */
