/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * chan_xdp_abi.h - from a helper call of an offloaded program into a channel: what
 * the BPF application's workers, the managers and the event process share.
 *
 * bpf_perf_event_output() is firmware of the BPF application, on its workers'
 * microengines. Memory and rings here are in EMEM, for all of them; the
 * workers' image is linked against the symbols. A worker
 *
 *  1. reads chan_xdp.map_id[], 64 bytes, and looks for the map's id. Not there:
 *     the event goes to the control vNIC, as without this firmware;
 *  2. adds 1 to the slot's @users and looks at its id again. Changed: it leaves
 *     as below, and the event goes to the control vNIC;
 *  3. adds 1 to @seq, which numbers the event;
 *  4. takes a buffer's number from CHAN_RING_XDP_FREE, writes the message
 *     (nfp_chan_xdp.h) to it, and puts CHAN_XDP_SEND on CHAN_RING_XDP;
 *  5. if there is no buffer, or the message is longer than one, adds 1 to
 *     @lost, and puts CHAN_XDP_LOST if that was 0 before.
 *
 * Whoever is done with an event subtracts it from @users: the process, for each
 * that a worker has put on the ring or counted as lost. Who so brings @users to
 * 0 and finds the slot without an id signals the control context, which waits
 * for that. So once a binding is undone, all its events are in the channel or
 * counted as dropped.
 */
#ifndef CHAN_XDP_ABI_H
#define CHAN_XDP_ABI_H

#include <stdint.h>

#define CHAN_XDP_BINDS		16
#define CHAN_XDP_BUFS		128
#define CHAN_XDP_BUF_SIZE	10240	/* as the channels' largest message */

/* MU rings: work for the event process, numbers of free buffers. */
#define CHAN_RING_XDP		18
#define CHAN_RING_XDP_FREE	19

/* Signal of the control context: a slot has no users. */
#define CHAN_XDP_SIG_IDLE	1

/**
 * struct chan_xdp_bind - a slot of the table
 * @users: events under way
 * @seq: number of the last event
 * @lost: events that had no buffer, and have not been counted yet
 * @chan: channel
 * @pipe: whose it is, for the control context
 */
struct chan_xdp_bind {
	uint32_t users;
	uint32_t seq;
	uint32_t lost;
	uint16_t chan;
	uint16_t pipe;
};

/**
 * struct chan_xdp - the table
 * @map_id: the kernel's id of a slot's map, 0 for a free slot
 * @bind: the rest of the slots
 */
struct chan_xdp {
	uint32_t map_id[CHAN_XDP_BINDS];
	struct chan_xdp_bind bind[CHAN_XDP_BINDS];
};

/* struct chan_xdp_work.kind */
#define CHAN_XDP_SEND	1	/* send a buffer */
#define CHAN_XDP_LOST	2	/* count what the slot has lost */

/**
 * struct chan_xdp_work - what is put on CHAN_RING_XDP
 * @kind: CHAN_XDP_*
 * @slot: index in the table
 * @buf: SEND: number of the buffer
 * @len: SEND: bytes of the message
 */
struct chan_xdp_work {
	uint8_t kind;
	uint8_t slot;
	uint16_t buf;
	uint32_t len;
};

#endif /* CHAN_XDP_ABI_H */
