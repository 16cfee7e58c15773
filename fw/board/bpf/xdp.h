/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * xdp.h - packets go through the programs that the host has offloaded.
 *
 * The microengine runs a program where its JIT expects to run
 * (nic-firmware, ebpf.uc; bpf/jit.c): with the frame in a packet buffer that
 * has room in front, a packet vector and a stack in local memory, and firmware
 * functions for helpers (bpf_helpers.c). Each packet is run to its end in one of the
 * contexts, in turn.
 */
#ifndef XDP_H
#define XDP_H

#include <stdbool.h>
#include <stdint.h>

#include "board_int.h"
#include "bpf_ctrl.h"
#include "me.h"
#include "pktbuf.h"

struct chan_xdp;

/*
 * Where a frame begins in its packet buffer: behind 8 bytes that the MAC puts at
 * byte 128 (nic-firmware, pv.uc: PKT_NBI_OFFSET, MAC_PREPEND_BYTES). And how far a
 * program may move that: CAP_ADJUST_HEAD tells the host.
 */
#define BD_XDP_OFF		(128u + 8u)
#define BD_XDP_OFF_MIN		44u
#define BD_XDP_OFF_MAX		248u

#define BD_XDP_STACK		512u	/* bytes, as the control BAR says */

/* Words of the packet vector that programs know. */
#define BD_PV_LEN		0	/* BD_PV_LEN_MASK */
#define BD_PV_ADDR		2	/* of the frame, packet addressing */
#define BD_PV_FLAGS		4
#define BD_PV_QUEUE_SET		(1u << 4)
#define BD_PV_QUEUE		6	/* bits 7:0 */

struct bd_xdp {
	struct me me;
	struct {
		struct me_image *img;
		uint64_t load;		/* bd_prog.loads that img was made of */
		bool warned;		/* of a fault of it */
	} prog[BOARD_PORTS];
	/* The packet in the microengine: */
	uint8_t *buf;			/* its packet buffer from the beginning */
	uint32_t size;			/* of that */
	uint32_t base;			/* packet address of the beginning */
	uint32_t *pv;			/* packet vector */
	const struct board_pkt *pkt;
	unsigned int ctx;		/* last one used */
	/* The channels' firmware (chan_xdp_abi.h), NULL until looked up: */
	struct chan_xdp *table;
	uint8_t *bufs;
	uint64_t events;		/* on maps that are bound to a channel */
	uint64_t events_lost;		/* no buffer, or none of that size */
	uint64_t packets;
	uint64_t insns;
	uint64_t faults;		/* also counted as aborted */
	uint64_t tx_full;		/* sent back, and the wire had no room */
};

bool bd_xdp_room(struct board *b, unsigned int vnic);
void bd_xdp_exit(struct board *b);

/* Registers and memory as after a restart of the firmware. Counters go on. */
void bd_xdp_reset(struct board *b);

/**
 * bd_xdp_frame() - run @vnic's program on a whole frame
 * @pkt: caplen is len. What the program made of it, when it passed
 * @ring: the RX ring that the program chose; untouched if it did not
 *
 * bd_prog_active() must have said that there is one. Never allocates but for
 * the first frame after a load.
 *
 * Return: true when the frame is for the host. Otherwise it was dropped or sent
 * back out, and the buffer is still the caller's.
 */
bool bd_xdp_frame(struct board *b, unsigned int vnic, struct board_pkt *pkt,
		  unsigned int *ring);

/* Packet memory, for @len bytes at packet address @addr; NULL: not all there. */
uint8_t *bd_xdp_ptr(struct bd_xdp *x, uint32_t addr, uint32_t len);

/*
 * xdp_event.c: an event, emitted on a packet that is @frame_len long now, for a
 * channel; false when its map is bound to none. *@err is the helper's result.
 */
bool bd_xdp_event(struct board *b, const struct bd_event *e, uint32_t frame_len, int *err);

/* bpf_helpers.c: put the firmware functions where the capabilities say they are. */
void bd_xdp_hooks(struct board *b);

#endif /* XDP_H */
