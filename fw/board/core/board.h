/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * board.h - an emulated NFP-4000 Agilio CX 2x25G, as a library.
 *
 * A front end (front.c, or the host of the tests) plays the root complex: it carries the
 * host's configuration and BAR accesses to the board and gives the board the
 * means to reach the host, which are those of a real card: memory at DMA
 * addresses and MSI-X vectors. The firmware side is in board_fw.h.
 *
 * One thread owns a board; nothing here is thread safe.
 */
#ifndef BOARD_H
#define BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct board;
struct board_fw;	/* board_fw.h */

#define BOARD_PORTS		2
#define BOARD_MSIX_VECTORS	256
#define BOARD_CFG_SIZE		4096

/**
 * struct board_host_ops - what the front end does for the board
 * @dma_read: copy host memory at DMA address @addr to @buf; 0, or -EFAULT when
 *	a byte of it is not mapped (nothing is promised of @buf then)
 * @dma_write: the other way round. Aligned 8-byte words become visible whole
 *	and in ascending order, after all earlier writes
 * @msix: raise a vector; 0, or -ENOENT when the host has not armed it, in
 *	which case the interrupt was not delivered
 */
struct board_host_ops {
	int (*dma_read)(void *ctx, uint64_t addr, void *buf, size_t len);
	int (*dma_write)(void *ctx, uint64_t addr, const void *buf, size_t len);
	int (*msix)(void *ctx, unsigned int vector);
};

/*
 * What a reset is of. Counters and wires outlive each of them. A function
 * level reset (also by the device control register) is of the PCI function:
 * configuration space, MSI-X and vNICs. Memory, microengines and window CSRs
 * go on, and DMA faults until bus mastering is back.
 */
enum board_reset {
	BOARD_RESET_POWER,	/* a new host: all of the card, firmware restarts */
	BOARD_RESET_FLR,	/* function level reset */
	BOARD_RESET_LOST,	/* the front end's peer has gone: as POWER */
};

/**
 * board_create() - make a board in its power-on state
 * @fw: firmware to run on its microengines, or NULL for none
 * @fw_ctx: passed to it
 *
 * Return: the board, or NULL with errno set (ENOMEM). Free with
 * board_destroy().
 */
struct board *board_create(const struct board_fw *fw, void *fw_ctx);
void board_destroy(struct board *b);

/* A host appears or leaves (@ops NULL). Without one, DMA fails with -EFAULT. */
void board_attach(struct board *b, const struct board_host_ops *ops, void *ctx);

/*
 * Option peers=on: DMA writes may leave for other devices, which is posted: what came to
 * nothing after it had left is told by board_write_failed(), and counted as a DMA fault.
 */
bool board_peers(const struct board *b);
void board_write_failed(struct board *b);

/**
 * board_set() - set an option by name, as nfpboard --set KEY=VALUE does
 * @err: where a message goes that names the key, the value and what is allowed
 *
 * Return: 0, -ENOENT for an unknown key, -EINVAL for a bad value.
 */
int board_set(struct board *b, const char *key, const char *value,
	      char *err, size_t errlen);

/*
 * The host's accesses. Offsets and lengths may be anything: what is out of
 * range reads as all ones and writes are dropped, as on a bus. Lengths of 1,
 * 2, 4 and 8 are single TLPs; longer ones are split as a root complex would.
 * The command register rules: BARs answer with memory space enabled, DMA and
 * MSI-X leave the card with bus mastering on.
 */
void board_cfg_read(struct board *b, unsigned int off, void *buf, size_t len);
void board_cfg_write(struct board *b, unsigned int off, const void *buf, size_t len);
void board_bar_read(struct board *b, unsigned int bar, uint64_t off, void *buf, size_t len);
void board_bar_write(struct board *b, unsigned int bar, uint64_t off, const void *buf, size_t len);
uint64_t board_bar_size(const struct board *b, unsigned int bar);	/* 0: none */
void board_reset(struct board *b, enum board_reset how);

/* The host armed or unarmed a vector: undelivered interrupts may go now. */
void board_msix_armed(struct board *b, unsigned int vector, bool armed);

/**
 * board_run() - let the board do what it can: microengines, DMA, wire ports
 * @budget: work items (packets, commands) after which to come back
 *
 * Return: true when there is more to do now. When false, nothing happens
 * before board_deadline() unless the host or a wire port acts.
 */
bool board_run(struct board *b, unsigned int budget);

/* CLOCK_MONOTONIC ns of the next timed event, UINT64_MAX for none. */
uint64_t board_deadline(const struct board *b);

/* ---- wire ports ---- */

/**
 * struct board_frame - an Ethernet frame on a wire, without FCS
 * @data: its bytes, as far as they are known
 * @caplen: bytes at @data, at most @len
 * @len: length on the wire. A capture with a snap length knows less than it
 *	had on the wire; the meter is told both
 * @ts_ns: arrival, on the port's packet clock, ns
 */
struct board_frame {
	const uint8_t *data;
	uint32_t caplen;
	uint32_t len;
	uint64_t ts_ns;
};

/**
 * struct board_wire_ops - a source and sink of frames at a port
 * @pull: next frame that has arrived, valid until the next pull. 1: a frame;
 *	0: none now; -1: none ever again. Called only while the port takes
 *	frames, so a source that can wait loses nothing
 * @live: frames come whether anyone listens or not, as on a real wire: taken
 *	from link up on, for the host, also while the firmware's receiver is
 *	off; without link they are lost, and counted
 * @deadline: when pull is worth calling again after it said 0
 *	(CLOCK_MONOTONIC ns, UINT64_MAX: the front end will notice)
 * @push: a frame leaves the board; its data is not kept
 * @room: the wire takes some frames more, those of a segmented packet among
 *	them; while it does not, transmission waits. NULL: always
 * @light: what the port at this end sends from now on: a rate with an error correction,
 *	the same number for the same; 0: it is off. NULL: of no interest
 * @carrier: the other end is there, and sends what this one does; NULL: always
 * @fd: descriptor to wait for, with poll(2)'s @events, or -1; NULL: none. It
 *	is for the front end to wait with, by board_wire_fd()
 * @lost: frames that were pushed and did not arrive; NULL: there are none
 * @close: the port or the board goes
 */
struct board_wire_ops {
	bool live;
	int (*pull)(void *ctx, struct board_frame *f);
	uint64_t (*deadline)(void *ctx);
	void (*push)(void *ctx, const struct board_frame *f);
	bool (*room)(void *ctx);
	void (*light)(void *ctx, unsigned int signal);
	bool (*carrier)(void *ctx);
	int (*fd)(void *ctx, short *events);
	uint64_t (*lost)(void *ctx);
	void (*close)(void *ctx);
};

/* Plug a wire into @port (0 or 1), replacing what was there. */
void board_wire(struct board *b, unsigned int port,
		const struct board_wire_ops *ops, void *ctx);

/* What board_run() has a use for becoming ready at @port's wire; -1: nothing. */
int board_wire_fd(const struct board *b, unsigned int port, short *events);

/* ---- counters ---- */

/**
 * enum board_tlp - what a PCIe transaction was for
 *
 * Purposes are told apart by where an access lands (windows, queue
 * controllers, MSI-X) and by what the DMA's owner says it is.
 */
enum board_tlp {
	BOARD_TLP_CONFIG,	/* configuration space */
	BOARD_TLP_MMIO,		/* BAR access that is none of the below */
	BOARD_TLP_SRAM,		/* PCIe SRAM: control block, mailbox */
	BOARD_TLP_DOORBELL,	/* queue controllers */
	BOARD_TLP_DATA,		/* message bodies with their headers */
	BOARD_TLP_NOTE,		/* notification records */
	BOARD_TLP_COMMAND,	/* mailbox responses, NSP buffers */
	BOARD_TLP_VNIC,		/* packet rings of the stock driver */
	BOARD_TLP_MSIX,		/* interrupts */
	BOARD_TLP_PURPOSES
};

/**
 * struct board_tlp_count - PCIe traffic of one purpose
 * @host_posted: host-initiated posted requests (memory writes), TLPs
 * @host_nonposted: host-initiated requests that wait for a completion
 *	(memory reads, configuration), TLPs
 * @dev_posted: device-initiated memory writes, TLPs
 * @dev_nonposted: device-initiated memory read requests, TLPs
 * @completions: completions of either side's non-posted requests, TLPs
 * @payload: bytes of data in all of them
 * @overhead: bytes of everything else on the link for them: 24 for a request
 *	with a 4-DW header, 20 with a 3-DW header (completions, configuration):
 *	header, 2 start, 2 sequence, 4 LCRC (Gen3 framing: no end byte, ECRC
 *	off), DLLPs not counted. MPS 256, RCB 64; MRRS as the host has set it, 512
 *	after a reset
 */
struct board_tlp_count {
	uint64_t host_posted;
	uint64_t host_nonposted;
	uint64_t dev_posted;
	uint64_t dev_nonposted;
	uint64_t completions;
	uint64_t payload;
	uint64_t overhead;
};

const char *board_tlp_name(enum board_tlp purpose);	/* "doorbell", ... */
void board_tlp_get(const struct board *b, enum board_tlp purpose,
		   struct board_tlp_count *c);
void board_tlp_clear(struct board *b);

/* Write everything countable as one JSON object. -errno on failure. */
int board_stats_json(const struct board *b, const char *path);

/* Log line to stderr with the board's prefix; level as in syslog(3). */
void board_log(int level, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif /* BOARD_H */
