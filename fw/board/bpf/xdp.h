/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * xdp.h - passes packets through the programs that the host has offloaded.
 *
 * The microengine gives a program the environment that the JIT expects (nic-firmware, ebpf.uc;
 * bpf/jit.c): a frame in a packet buffer with room before it, a packet vector and a stack in
 * local memory, and firmware functions for helpers (bpf_helpers.c). Each packet is processed
 * completely before the next. The contexts take turns.
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
 * Offset of a frame in its packet buffer: after 8 bytes that the MAC writes at byte 128
 * (nic-firmware, pv.uc: PKT_NBI_OFFSET, MAC_PREPEND_BYTES). OFF_MIN and OFF_MAX are the limits to
 * which a program may move the frame; the host gets them in CAP_ADJUST_HEAD.
 */
#define BD_XDP_OFF		(128u + 8u)
#define BD_XDP_OFF_MIN		44u
#define BD_XDP_OFF_MAX		248u

#define BD_XDP_STACK		512u	/* bytes; the control BAR has the same size */

/* Words of the packet vector that programs use. */
#define BD_PV_LEN		0	/* BD_PV_LEN_MASK */
#define BD_PV_ADDR		2	/* address of the frame, packet addressing */
#define BD_PV_FLAGS		4
#define BD_PV_QUEUE_SET		(1u << 4)
#define BD_PV_QUEUE		6	/* bits 7:0 */

struct bd_xdp {
	struct me me;
	struct {
		struct me_image *img;
		uint64_t load;		/* value of bd_prog.loads for which img was made */
		bool warned;		/* a fault of this load was logged */
	} prog[BOARD_PORTS];
	/* The packet that the microengine processes: */
	uint8_t *buf;			/* start of the packet buffer */
	uint32_t size;			/* bytes of the packet buffer */
	uint32_t base;			/* packet address of buf */
	uint32_t *pv;			/* packet vector */
	const struct board_pkt *pkt;
	unsigned int ctx;		/* the last context used */
	/* The channel firmware's tables (chan_xdp_abi.h); NULL until looked up: */
	struct chan_xdp *table;
	uint8_t *bufs;
	uint64_t events;		/* events on maps that are bound to a channel */
	uint64_t events_lost;		/* no buffer, or larger than a buffer */
	uint64_t packets;
	uint64_t insns;
	uint64_t faults;		/* these frames count as aborted, too */
	uint64_t tx_full;		/* frames to send back for which the wire had no room */
};

bool bd_xdp_room(struct board *b, unsigned int vnic);
void bd_xdp_exit(struct board *b);

/* Reset registers and memory, as a restart of the firmware does. Keep the counters. */
void bd_xdp_reset(struct board *b);

/**
 * bd_xdp_frame() - run @vnic's program on a whole frame
 * @pkt: a frame with caplen equal to len. If the program passes the frame, @pkt has the
 * 	program's changes
 * @ring: receives the RX ring if the program has chosen one
 *
 * bd_prog_active() must have returned a program. Memory is allocated only for the first frame
 * after a load.
 *
 * Return: true if the frame goes to the host. Otherwise it was dropped or sent back, and
 * 	the caller frees the buffer.
 */
bool bd_xdp_frame(struct board *b, unsigned int vnic, struct board_pkt *pkt,
		  unsigned int *ring);

/* Memory of @len bytes at packet address @addr; NULL if not all bytes are in the buffer. */
uint8_t *bd_xdp_ptr(struct bd_xdp *x, uint32_t addr, uint32_t len);

/*
 * xdp_event.c: send an event of a frame of @frame_len bytes to a channel. Return false if the map
 * is not bound to a channel. *@err receives the helper's result.
 */
bool bd_xdp_event(struct board *b, const struct bd_event *e, uint32_t frame_len, int *err);

/* bpf_helpers.c: install the firmware functions at the addresses that the capabilities have. */
void bd_xdp_hooks(struct board *b);

#endif /* XDP_H */
