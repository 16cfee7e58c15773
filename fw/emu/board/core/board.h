/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * board.h - an emulated NFP-4000 Agilio CX 2x25G, as a library.
 *
 * A front end (front.c, or a test) takes the place of the root complex. It passes the host's
 * accesses to configuration space and BARs to the board. It also gives the board the two ways in
 * which a real card reaches the host: memory at DMA addresses, and MSI-X vectors. The interface
 * for firmware is in board_fw.h.
 *
 * A board belongs to one thread; no function here is thread safe.
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
 * struct board_host_ops - how the board reaches the host
 * @dma_read: copy host memory at DMA address @addr to @buf; 0, or -EFAULT if a byte of the range
 *	is not mapped (the content of @buf is then undefined)
 * @dma_write: copy @buf to host memory; the return value is as for @dma_read. Each aligned 8-byte
 *	word becomes visible as a whole, in ascending order, and after all earlier writes
 * @msix: raise a vector; 0, or -ENOENT if the host has not armed the vector, and no interrupt was
 *	delivered
 */
struct board_host_ops {
	int (*dma_read)(void *ctx, uint64_t addr, void *buf, size_t len);
	int (*dma_write)(void *ctx, uint64_t addr, const void *buf, size_t len);
	int (*msix)(void *ctx, unsigned int vector);
};

/*
 * Kinds of resets. Counters and wires survive all of them. A function level reset, which the host
 * requests in the device control register, resets the PCI function: configuration space, MSI-X
 * and vNICs. Memory, microengines and window CSRs keep their state, and DMA fails until the host
 * enables bus mastering again.
 */
enum board_reset {
	BOARD_RESET_POWER,	/* a new host: reset the whole card, restart the firmware */
	BOARD_RESET_FLR,	/* function level reset */
	BOARD_RESET_LOST,	/* the front end's client has gone: same as POWER */
};

/**
 * board_create() - make a board in its power-on state
 * @fw: firmware to run on its microengines, or NULL for none
 * @fw_ctx: argument of @fw's functions
 *
 * Return: the board, or NULL with errno set (ENOMEM). Free the board with board_destroy().
 */
struct board *board_create(const struct board_fw *fw, void *fw_ctx);
void board_destroy(struct board *b);

/* Connect the board to a host, or with @ops NULL disconnect it. Without a host DMA fails. */
void board_attach(struct board *b, const struct board_host_ops *ops, void *ctx);

/*
 * True with option peers=on: DMA writes may go to other devices. Such writes are posted, so an
 * error comes later: the front end reports it with board_write_failed(), which counts a DMA
 * fault.
 */
bool board_peers(const struct board *b);
void board_write_failed(struct board *b);

/**
 * board_set() - set an option by name, as nfpboard --set KEY=VALUE does
 * @err: buffer for a message that names the key, the value and the allowed values
 *
 * Return: 0, -ENOENT for an unknown key, -EINVAL for a bad value.
 */
int board_set(struct board *b, const char *key, const char *value,
	      char *err, size_t errlen);

/*
 * Accesses of the host. Any offset and length is allowed: bytes out of range read as all ones,
 * and writes to them are dropped, as on a bus. An access of 1, 2, 4 or 8 bytes is one TLP; a
 * longer access is split as a root complex splits it. The command register applies: BARs respond
 * only while memory space is enabled, and DMA and MSI-X need bus mastering.
 */
void board_cfg_read(struct board *b, unsigned int off, void *buf, size_t len);
void board_cfg_write(struct board *b, unsigned int off, const void *buf, size_t len);
void board_bar_read(struct board *b, unsigned int bar, uint64_t off, void *buf, size_t len);
void board_bar_write(struct board *b, unsigned int bar, uint64_t off, const void *buf, size_t len);
uint64_t board_bar_size(const struct board *b, unsigned int bar);	/* 0: no such BAR */
void board_reset(struct board *b, enum board_reset how);

/* The host has armed or disarmed a vector. Arming it delivers an interrupt that is pending. */
void board_msix_armed(struct board *b, unsigned int vector, bool armed);

/**
 * board_run() - run microengines, DMA and wire ports
 * @budget: number of work items (packets, commands) after which to return
 *
 * Return: true if there is more to do now. If false, nothing happens before board_deadline()
 * unless the host or a wire port acts.
 */
bool board_run(struct board *b, unsigned int budget);

/* Time of the next timer in CLOCK_MONOTONIC ns, or UINT64_MAX if there is none. */
uint64_t board_deadline(const struct board *b);

/* ---- wire ports ---- */

/**
 * struct board_frame - an Ethernet frame on a wire, without FCS
 * @data: the captured bytes
 * @caplen: number of bytes at @data, at most @len
 * @len: length on the wire. A capture with a snap length has @caplen less than @len; the flow
 *	meter gets both numbers
 * @ts_ns: arrival time in ns, by the port's packet clock
 */
struct board_frame {
	const uint8_t *data;
	uint32_t caplen;
	uint32_t len;
	uint64_t ts_ns;
};

/**
 * struct board_wire_ops - a source and sink of frames at a port
 * @live: frames arrive whether the port receives them or not, as on a real wire. From link up on
 *	the host gets them, even while the firmware's receiver is off. Without link the frames are
 *	lost, and counted
 * @pull: return the next frame that has arrived, valid until the next pull. 1: a frame; 0: none
 *	now; -1: none ever again. Called only while the port takes frames, so a wire that is not
 *	@live loses none
 * @deadline: time of the next pull after one that returned 0, in CLOCK_MONOTONIC ns; UINT64_MAX:
 *	no timer is needed, @fd shows when there are frames
 * @push: send a frame; its data is not kept
 * @room: true while the wire has room for all segments of a packet; transmission waits while it
 *	is false. NULL: always true
 * @light: the port's signal has changed: a number that stands for its rate and FEC, or 0 while
 *	the port is off. NULL: the wire does not need to know
 * @carrier: true while the other end is there, and sends with this port's rate and FEC. NULL:
 *	always true
 * @fd: descriptor and poll(2) @events for the front end to wait for, see board_wire_fd(); -1 or
 *	NULL: none
 * @lost: number of frames that were pushed and did not arrive; NULL: always 0
 * @refused: number of frames that the wire has had for the port and could not deliver; NULL:
 *	always 0
 * @close: the port gets another wire, or the board is destroyed
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
	uint64_t (*refused)(void *ctx);
	void (*close)(void *ctx);
};

/* Plug a wire into @port (0 or 1). The wire that was there is closed. */
void board_wire(struct board *b, unsigned int port,
		const struct board_wire_ops *ops, void *ctx);

/*
 * Return the descriptor of @port's wire, and in @events the poll(2) events after which
 * board_run() has work; -1: nothing to wait for.
 */
int board_wire_fd(const struct board *b, unsigned int port, short *events);

/* ---- counters ---- */

/**
 * enum board_tlp - purpose of a PCIe transaction
 *
 * For accesses of the host, the address decides (windows, queue controllers). For DMA, the
 * firmware or the unit that starts the transfer names the purpose.
 */
enum board_tlp {
	BOARD_TLP_CONFIG,	/* configuration space */
	BOARD_TLP_MMIO,		/* any other BAR access */
	BOARD_TLP_SRAM,		/* PCIe SRAM: control block, mailbox */
	BOARD_TLP_DOORBELL,	/* queue controllers */
	BOARD_TLP_DATA,		/* messages: headers and bodies */
	BOARD_TLP_NOTE,		/* notification records */
	BOARD_TLP_COMMAND,	/* mailbox responses, NSP buffers */
	BOARD_TLP_VNIC,		/* packet rings of the stock driver */
	BOARD_TLP_MSIX,		/* interrupts */
	BOARD_TLP_PURPOSES
};

/**
 * struct board_tlp_count - PCIe traffic of one purpose
 * @host_posted: posted requests of the host (memory writes), in TLPs
 * @host_nonposted: requests of the host that wait for a completion (memory reads, configuration),
 *	in TLPs
 * @dev_posted: memory writes of the card, in TLPs
 * @dev_nonposted: memory read requests of the card, in TLPs
 * @completions: completions of the non-posted requests of host and card, in TLPs
 * @payload: bytes of data in all these TLPs
 * @overhead: all other bytes of these TLPs on the link: 24 for a request with a 4-DW header, 20
 *	for a TLP with a 3-DW header (completions, configuration). That is the header and 2 bytes
 *	of start, 2 of sequence number and 4 of LCRC (Gen3 framing: no end byte; ECRC off). DLLPs
 *	are not counted. MPS is 256 and RCB 64; MRRS is what the host has set, 512 after a reset
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

/* Write all counters as one JSON object to the file @path. 0 or -errno. */
int board_stats_json(const struct board *b, const char *path);

/* Write a line to stderr, prefixed with "nfpboard:". The levels are those of syslog(3). */
void board_log(int level, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif /* BOARD_H */
