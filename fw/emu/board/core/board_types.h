/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * board_types.h - types of the interface of the board (board.h) that its units need as well, and
 * the log.
 */
#ifndef BOARD_TYPES_H
#define BOARD_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct board;

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

/* Write a line to stderr, prefixed with "nfpboard:". The levels are those of syslog(3). */
void board_log(int level, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif /* BOARD_TYPES_H */
