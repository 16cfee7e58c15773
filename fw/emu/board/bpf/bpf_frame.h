/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bpf_frame.h - packets pass through the programs that the host has offloaded.
 *
 * A program runs in the environment that the driver's JIT compiler expects (nic-firmware,
 * ebpf.uc; bpf/jit.c): the frame is in a packet buffer with room in front, a packet vector and a
 * stack are in local memory, and helpers are firmware functions (bpf_helpers.c). The contexts
 * take packets in turn, and each packet is run to its end.
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
 * Offset of a frame in its packet buffer: the MAC writes 8 bytes at byte 128, and the frame
 * follows (nic-firmware, pv.uc: PKT_NBI_OFFSET, MAC_PREPEND_BYTES). OFF_MIN and OFF_MAX limit how
 * far a program may move the start; CAP_ADJUST_HEAD tells the host.
 */
#define BD_XDP_OFF		(128u + 8u)
#define BD_XDP_OFF_MIN		44u
#define BD_XDP_OFF_MAX		248u

#define BD_XDP_STACK		512u	/* bytes, also in the control BAR */

/* Words of the packet vector that programs use. */
#define BD_PV_LEN		0	/* BD_PV_LEN_MASK */
#define BD_PV_ADDR		2	/* packet address of the frame */
#define BD_PV_FLAGS		4
#define BD_PV_QUEUE_SET		(1u << 4)
#define BD_PV_QUEUE		6	/* bits 7:0 */

struct bd_xdp {
	struct me me;
	struct {
		struct me_image *img;
		uint64_t load;		/* value of bd_prog.loads when img was decoded */
		bool warned;		/* a fault of img was logged */
	} prog[BOARD_PORTS];
	/* The packet that is being processed: */
	uint8_t *buf;			/* start of its packet buffer */
	uint32_t size;			/* bytes of the buffer */
	uint32_t base;			/* packet address of the buffer */
	uint32_t *pv;			/* packet vector */
	const struct board_pkt *pkt;
	unsigned int ctx;		/* the context that ran last */
	/* Memory of the channel firmware (chan_xdp_abi.h); NULL until linked() finds it: */
	struct chan_xdp *table;
	uint8_t *bufs;
	uint64_t events;		/* events of maps that are bound to a channel */
	uint64_t events_lost;		/* no buffer, or the event was too long for one */
	uint64_t packets;
	uint64_t insns;
	uint64_t faults;		/* programs without a verdict; also counted as aborted */
	uint64_t tx_full;		/* XDP_TX frames dropped: no room on the wire */
};

bool bd_xdp_room(struct board *b, unsigned int vnic);
void bd_xdp_exit(struct board *b);

/* Reset registers and memory, as a restart of the firmware does. Counters keep their values. */
void bd_xdp_reset(struct board *b);

/**
 * bd_xdp_frame() - run the program of a vNIC on a frame
 * @vnic: number of a vNIC for which bd_prog_active() has returned a program
 * @pkt: a whole frame (caplen is len); after a pass, the frame as the program has changed it
 * @ring: out: the RX ring that the program chose; unchanged if it chose none
 *
 * Allocates memory only for the first frame after a load.
 *
 * Return: true if the frame goes to the host. Otherwise it was dropped or sent to the wire. The
 * caller keeps the buffer.
 */
bool bd_xdp_frame(struct board *b, unsigned int vnic, struct board_pkt *pkt,
		  unsigned int *ring);

/*
 * Return: @len bytes of packet memory at packet address @addr, or NULL if not all of them are in
 * the buffer.
 */
uint8_t *bd_xdp_ptr(struct bd_xdp *x, uint32_t addr, uint32_t len);

/*
 * bpf_event.c: send an event to the channel to which its map is bound. @frame_len: present length
 * of the packet. @err: out: the helper's result. Return: false if the map is bound to no channel.
 */
bool bd_xdp_event(struct board *b, const struct bd_event *e, uint32_t frame_len, int *err);

/*
 * bpf_helpers.c: the firmware starts, after bd_bpf_symbols(): place the helpers at the addresses
 * that the capabilities tell the host.
 */
void bd_xdp_hooks(struct board *b);

#endif /* XDP_H */
