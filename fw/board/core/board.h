/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * board.h - an emulated NFP-4000 Agilio CX 2x25G, as a library.
 *
 * A front end (front.c, or the test programs' host) plays the root complex. It carries the host's
 * configuration and BAR accesses to the board. It also gives the board the access that a real
 * card has to the host: memory at DMA addresses, and MSI-X vectors. board_fw.h is the interface
 * for the firmware.
 *
 * One thread owns a board. Nothing here is thread safe.
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
 * @dma_read: copy host memory at DMA address @addr to @buf. Return 0, or -EFAULT if a byte
 * 	is not mapped; @buf is undefined then
 * @dma_write: copy @buf to host memory. Each aligned 8-byte word becomes visible as a
 * 	whole, in ascending order, and after all earlier writes
 * @msix: raise a vector. Return 0, or -ENOENT if the host has not armed the vector; the
 * 	interrupt was not delivered then
 */
struct board_host_ops {
	int (*dma_read)(void *ctx, uint64_t addr, void *buf, size_t len);
	int (*dma_write)(void *ctx, uint64_t addr, const void *buf, size_t len);
	int (*msix)(void *ctx, unsigned int vector);
};

/*
 * The scope of a reset. Counters and wires survive all resets. A function level reset (also one
 * by the Device Control register) resets the PCI function: configuration space, MSI-X and vNICs.
 * Memory, microengines and window CSRs keep their state. DMA fails until the host enables bus
 * mastering again.
 */
enum board_reset {
	BOARD_RESET_POWER,	/* a new host: reset the whole card, restart the firmware */
	BOARD_RESET_FLR,	/* function level reset */
	BOARD_RESET_LOST,	/* the front end's peer has gone; the same as POWER */
};

/**
 * board_create() - make a board in its power-on state
 * @fw: firmware to run on the microengines, or NULL for none
 * @fw_ctx: argument of the firmware's callbacks
 *
 * Return: the board, or NULL with errno set (ENOMEM). Free the board with board_destroy().
 */
struct board *board_create(const struct board_fw *fw, void *fw_ctx);
void board_destroy(struct board *b);

/* Attach a host, or detach the host (@ops NULL). Without a host, DMA fails with -EFAULT. */
void board_attach(struct board *b, const struct board_host_ops *ops, void *ctx);

/*
 * Option peers=on: a DMA write may go to another device. Such a write is posted, so its failure
 * is known only later. The front end reports the failure with board_write_failed(), and the board
 * counts a DMA fault.
 */
bool board_peers(const struct board *b);
void board_write_failed(struct board *b);

/**
 * board_set() - set an option by name, like nfpboard --set KEY=VALUE
 * @err: receives a message with the key, the value and the allowed values
 *
 * Return: 0, -ENOENT for an unknown key, -EINVAL for a bad value.
 */
int board_set(struct board *b, const char *key, const char *value,
	      char *err, size_t errlen);

/*
 * The host's accesses. Any offset and length is allowed. A read out of range returns all ones,
 * and a write out of range is dropped, as on a bus. An access of 1, 2, 4 or 8 bytes is one TLP. A
 * longer access is split as a root complex would split it. The command register applies: BARs
 * answer only with memory space enabled; DMA and MSI-X need bus mastering.
 */
void board_cfg_read(struct board *b, unsigned int off, void *buf, size_t len);
void board_cfg_write(struct board *b, unsigned int off, const void *buf, size_t len);
void board_bar_read(struct board *b, unsigned int bar, uint64_t off, void *buf, size_t len);
void board_bar_write(struct board *b, unsigned int bar, uint64_t off, const void *buf, size_t len);
/* 0: there is no such BAR */
uint64_t board_bar_size(const struct board *b, unsigned int bar);
void board_reset(struct board *b, enum board_reset how);

/* The host has armed or disarmed a vector. A pending interrupt of an armed vector is sent now. */
void board_msix_armed(struct board *b, unsigned int vector, bool armed);

/**
 * board_run() - let the microengines, DMA and wire ports do what they can do now
 * @budget: work items (packets, commands) after which to return
 *
 * Return: true if there is more to do now. If false, nothing happens before
 * 	board_deadline() unless the host or a wire port acts.
 */
bool board_run(struct board *b, unsigned int budget);

/* Time of the next timed event, CLOCK_MONOTONIC ns; UINT64_MAX if there is none. */
uint64_t board_deadline(const struct board *b);

/* ---- wire ports ---- */

/**
 * struct board_frame - an Ethernet frame on a wire, without FCS
 * @data: the frame's bytes, as far as they are known
 * @caplen: number of bytes at @data, at most @len
 * @len: length on the wire. In a capture with a snap length @caplen is smaller. The flow
 * 	meter gets @caplen and @len
 * @ts_ns: arrival time in ns, on the port's packet clock
 */
struct board_frame {
	const uint8_t *data;
	uint32_t caplen;
	uint32_t len;
	uint64_t ts_ns;
};

/**
 * struct board_wire_ops - a source and sink of frames at a port
 * @live: frames arrive whether or not anybody listens, as on a real wire. The port takes
 * 	them for the host from link up on, even while the firmware's receiver is off. Without
 * 	link, frames are lost and counted
 * @pull: get the next frame that has arrived; it is valid until the next pull. Return 1: a
 * 	frame; 0: none now; -1: none ever again. The port calls it only while it takes frames,
 * 	so a source that can wait loses none
 * @deadline: time at which to call @pull again after it returned 0 (CLOCK_MONOTONIC ns;
 * 	UINT64_MAX: the front end will notice new frames by other means)
 * @push: a frame leaves the board. The wire must not keep a pointer to its data
 * @room: the wire takes a few more frames, at least those of one segmented packet. While it
 * 	returns false, transmission waits. NULL: always true
 * @light: what the port sends at this end from now on: a number that stands for a rate and
 * 	an error correction (FEC), or 0 for off. NULL: the wire ignores it
 * @carrier: the other end is present and sends the same signal as this end. NULL: always
 * 	true
 * @fd: a file descriptor and poll(2) @events to wait for, or -1. The front end gets them by
 * 	board_wire_fd(). NULL: none
 * @lost: number of frames that were pushed and did not arrive. NULL: always 0
 * @close: the wire is replaced, or the board is destroyed
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

/* Connect a wire to @port (0 or 1), and close the port's previous wire. */
void board_wire(struct board *b, unsigned int port,
		const struct board_wire_ops *ops, void *ctx);

/*
 * The file descriptor and @events of @port's wire after which board_run() has work; -1 if none.
 */
int board_wire_fd(const struct board *b, unsigned int port, short *events);

/* ---- counters ---- */

/**
 * enum board_tlp - purpose of a PCIe transaction
 *
 * The purpose of a host access follows from its address (windows, queue controllers). The
 * firmware states the purpose of a DMA.
 */
enum board_tlp {
	BOARD_TLP_CONFIG,	/* configuration space */
	BOARD_TLP_MMIO,		/* BAR access of no other kind */
	BOARD_TLP_SRAM,		/* PCIe SRAM: control block, mailbox */
	BOARD_TLP_DOORBELL,	/* queue controllers */
	BOARD_TLP_DATA,		/* messages with their headers */
	BOARD_TLP_NOTE,		/* notification records */
	BOARD_TLP_COMMAND,	/* mailbox responses, NSP buffers */
	BOARD_TLP_VNIC,		/* packet rings of the stock driver */
	BOARD_TLP_MSIX,		/* interrupts */
	BOARD_TLP_PURPOSES
};

/**
 * struct board_tlp_count - PCIe traffic of one purpose
 * @host_posted: TLPs: posted requests of the host (memory writes)
 * @host_nonposted: TLPs: requests of the host that wait for a completion (memory reads,
 * 	configuration accesses)
 * @dev_posted: TLPs: memory writes of the device
 * @dev_nonposted: TLPs: memory read requests of the device
 * @completions: TLPs: completions of all non-posted requests
 * @payload: bytes of data in all these TLPs
 * @overhead: all other bytes that these TLPs take on the link: 24 for a request with a 4-DW
 * 	header, 20 with a 3-DW header (completions, configuration). They are header, 2 start, 2
 * 	sequence, 4 LCRC (Gen3 framing: no end byte; ECRC off). DLLPs are not counted. MPS is
 * 	256, RCB is 64. MRRS is the host's setting, 512 after a reset
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

/* Write all counters as one JSON object. Return -errno on failure. */
int board_stats_json(const struct board *b, const char *path);

/* Write a log line to stderr with the board's prefix. @level is that of syslog(3). */
void board_log(int level, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif /* BOARD_H */
