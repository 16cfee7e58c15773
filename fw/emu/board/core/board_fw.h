/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * board_fw.h - what the emulated card's hardware offers to firmware.
 *
 * The board implements this interface. fw/emu/hal uses it to implement the Micro-C intrinsics. All of
 * it exists on an NFP: memory units, PCIe island (SRAM, queue controllers, DMA engine, MSI-X by
 * write), packet buffers, timestamps. A command completes later, when board_run() calls its
 * callback. Commands of one unit complete in the unit's order. A callback must not call
 * board_run().
 */
#ifndef BOARD_FW_H
#define BOARD_FW_H

#include "board_types.h"

struct board_pkt;

/**
 * struct board_fw - callbacks into the firmware
 * @start: power-on or reset of the microengines; the firmware registers its symbols and memory
 *	here
 * @stop: the board is reset or destroyed
 * @run: run contexts until none is ready, or until @budget switches; true if some are still ready
 * @deadline: time of the next timer in CLOCK_MONOTONIC ns, UINT64_MAX for none
 * @qc_event: the host wrote to queue controller @queue (event of type NOT_EMPTY from the PCIe
 *	island; several writes may give one event, as on the card)
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

/* ---- other microengines ---- */

/*
 * Does a microengine of the board itself execute code of the firmware's file? Its contexts are
 * reached by these functions. Context @ctx gets @n words in its read transfer registers from
 * @xfer on, and then signal @sig. @n may be 0. -ENOENT: no such context, -EINVAL: no such registers.
 */
bool board_me_runs(const struct board *b, unsigned int island, unsigned int me);
int board_me_push(struct board *b, unsigned int island, unsigned int me, unsigned int ctx,
		  unsigned int xfer, const uint32_t *words, unsigned int n, unsigned int sig);

/* ---- memory units ---- */

/**
 * board_mem_map() - back @len bytes of MU address space, at the 40-bit address @addr, with host
 * memory @mem until the next reset. @mem still belongs to the caller. Return 0, or -EEXIST if the
 * range overlaps another one. The board reserves 0x800000 to 0x97ffff of EMEM0, the values of BPF
 * maps, and the ARM island's CTM.
 */
int board_mem_map(struct board *b, uint64_t addr, void *mem, uint64_t len);
void *board_mem_ptr(struct board *b, uint64_t addr, uint64_t len);	/* NULL: unmapped */
/* Return: the MU address of @mem, or UINT64_MAX if the board's own memory does not have it. */
uint64_t board_mem_addr(const struct board *b, const void *mem);

/* Add a run-time symbol (MU object), as nffw's linker does. @name is copied. */
int board_symbol(struct board *b, const char *name, uint64_t addr, uint32_t len);

/*
 * MU rings of 32-bit words, with numbers 0 to 1023. The size is a power of 2 from 512 to 16 Mi
 * words, in mapped memory that is aligned to the size. A put or get moves all @n words or none.
 * Return 0, -ENOSPC (full), -EAGAIN (empty), -ENOENT (not initialised) or -EINVAL.
 */
int board_ring_init(struct board *b, unsigned int ring, uint64_t addr, uint32_t words);
int board_ring_put(struct board *b, unsigned int ring, const uint32_t *w, unsigned int n);
int board_ring_get(struct board *b, unsigned int ring, uint32_t *w, unsigned int n);
int board_ring_used(struct board *b, unsigned int ring);	/* words in it, or -ENOENT */
/*
 * Set a ring up from a descriptor of type 2, which has 4 words (flowenv, nfp_memring_t2), or make the
 * descriptor that it has now. @emem: bits 39:34 of the ring's address. Return 0, -EINVAL (another
 * type, or head, tail and count do not fit together) or -ENOENT.
 */
int board_ring_load(struct board *b, unsigned int ring, uint64_t emem, const uint32_t *w);
int board_ring_desc(struct board *b, unsigned int ring, uint32_t *w);

/**
 * struct board_thread - a thread that waits for work at an MU ring used as a work queue
 * @data: buffer for the work
 * @n: words of work
 * @done: called when the work is in @data; at once if work is there already
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
 * Work queues: the memory unit gives the oldest work to the thread that has waited longest. Work
 * that finds no thread stays in the ring until a thread asks. Return 0, -ENOSPC (the ring is
 * full; too many threads or work queues), -ENOENT, or -EINVAL (also if the work's size differs
 * from the size that the thread waits for).
 */
int board_workq_work(struct board *b, unsigned int ring, const uint32_t *w, unsigned int n);
int board_workq_thread(struct board *b, unsigned int ring, const struct board_thread *t);

/* ---- PCIe island ---- */

/* SRAM, 64 KiB: reads and writes by a microengine. -ERANGE beyond its end. */
int board_sram_read(struct board *b, uint32_t off, void *buf, size_t len);
int board_sram_write(struct board *b, uint32_t off, const void *buf, size_t len);

/* Queue controllers 0 to 255, with pointers of 18 bits. */
void board_qc_init(struct board *b, unsigned int queue, bool events);	/* pointers to 0 */
uint32_t board_qc_wptr(const struct board *b, unsigned int queue);
uint32_t board_qc_rptr(const struct board *b, unsigned int queue);
void board_qc_add_rptr(struct board *b, unsigned int queue, uint32_t n);

/**
 * struct board_dma - a descriptor of the PCIe DMA engine
 * @to_host: direction
 * @purpose: for the counters
 * @host: DMA address
 * @mem: memory of the card, must stay valid until @done
 * @len: bytes, 1 or more
 * @done: called from board_run() when the last byte has been copied. @status is 0, or -EFAULT if
 *	the host has not mapped the address (on silicon: a completion abort or a poisoned write)
 *
 * Descriptors complete in the order in which they were enqueued. An MSI-X write follows all DMA
 * that was enqueued before it.
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

/* Enqueue a copy of @d. -ENOSPC if the engine's queue (256) is full. */
int board_dma_enqueue(struct board *b, const struct board_dma *d);

/**
 * board_msix() - write the MSI-X message of @vector, after all DMA enqueued so far. While the
 * host has masked or not armed the vector, the message stays in the pending bit array. It is sent
 * when the host arms the vector. 0 or -EINVAL.
 */
int board_msix(struct board *b, unsigned int vector);
/* Forget a pending interrupt of @vector, because the pipe that used the vector was closed. */
void board_msix_drop(struct board *b, unsigned int vector);

/* ---- packets ---- */

/**
 * struct board_pkt - a packet buffer
 * @data: @caplen bytes of the frame (on a card: in CTM, the rest in MU)
 * @caplen: number of bytes at @data
 * @len: length on the wire
 * @ts_ns: MAC time stamp in ns
 * @port: wire port
 */
struct board_pkt {
	uint8_t *data;
	uint32_t caplen;
	uint32_t len;
	uint64_t ts_ns;
	uint8_t port;
};

/* Free a packet buffer. While no buffer is free, the MAC pauses the wire. */
void board_pkt_free(struct board *b, struct board_pkt *p);
/*
 * Turn the receiver of @port on, or hold the wire in pause. A wire that cannot wait is not
 * paused: its frames go to the host only, and not to the firmware. No frame arrives while the
 * port has no link. As on a card, the host's ifdown turns the link off (NSP ETH_CONTROL) until
 * the next ifup.
 */
void board_port_rx(struct board *b, unsigned int port, bool on);
/*
 * Frames that the firmware did not get. They were longer than a packet buffer, or they came on a
 * live wire (a cable, a tap interface, a socket) while the firmware held most buffers. Wires that
 * are not live are paused in that case, and lose no frame.
 */
uint64_t board_port_lost(const struct board *b, unsigned int port);

/*
 * Send the frame of @len bytes at @data from @port. The MAC pads it to 60 bytes. Without link the
 * frame is dropped. Return 0, -EAGAIN (the other end of the wire pauses it; board_run() runs the
 * firmware when the pause ends), -EMSGSIZE (more than BOARD_TX_MAX) or -EINVAL.
 */
int board_port_tx(struct board *b, unsigned int port, const uint8_t *data, uint32_t len);
#define BOARD_TX_MAX	9238u	/* bytes: the largest MTU and two VLAN tags */

/* ---- time ---- */
uint64_t board_now_ns(const struct board *b);	/* the card's clock, monotonic */

#endif /* BOARD_FW_H */
