/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * chan_xdp_abi.h - passes events of offloaded programs to channels. The workers of the BPF
 * application, the channel managers and the event process share this interface.
 *
 * bpf_perf_event_output() is a firmware function of the BPF application, and runs on the workers'
 * microengines. The memory and rings here are in EMEM, which all of these can access. The
 * workers' image is linked against the symbols. For an event, a worker
 *
 *   1. reads chan_xdp.map_id[], 64 bytes, and looks for the map's id. If it is
 *      not there, the event goes to the control vNIC, as without this firmware;
 *   2. adds 1 to the slot's @users and reads the slot's id again. If the id has
 *      changed, the worker subtracts 1 from @users as described below, and the
 *      event goes to the control vNIC;
 *   3. adds 1 to @seq, which numbers the event;
 *   4. takes a buffer's number from CHAN_RING_XDP_FREE, writes the message
 *      (nfp_chan_xdp.h) to the buffer, and puts CHAN_XDP_SEND on CHAN_RING_XDP;
 *   5. if there is no buffer, or the message is longer than a buffer, adds 1 to
 *      @lost, and puts CHAN_XDP_LOST on CHAN_RING_XDP if @lost was 0.
 *
 * When an event is finished, 1 is subtracted from @users. The event process does this for each
 * event that a worker has put on the ring or counted in @lost. If @users becomes 0 and the slot
 * has no id, the context that subtracted signals the control context, which waits for this when a
 * binding ends. So after the end of a binding, all its events are in the channel or counted as
 * dropped.
 */
#ifndef CHAN_XDP_ABI_H
#define CHAN_XDP_ABI_H

#include <stdint.h>

#define CHAN_XDP_BINDS		16
#define CHAN_XDP_BUFS		128
#define CHAN_XDP_BUF_SIZE	10240	/* size of the channels' largest message */

/* MU rings: work for the event process, and numbers of free buffers. */
#define CHAN_RING_XDP		66
#define CHAN_RING_XDP_FREE	67

/* Signal to the control context: a slot has no users any more. */
#define CHAN_XDP_SIG_IDLE	1

/**
 * struct chan_xdp_bind - a slot of the table
 * @users: events in progress
 * @seq: number of the last event
 * @lost: events without a buffer that are not counted as dropped yet
 * @chan: channel
 * @pipe: pipe that has the binding, for the control context
 */
struct chan_xdp_bind {
	uint32_t users;
	uint32_t seq;
	uint32_t lost;
	uint16_t chan;
	uint16_t pipe;
};

/**
 * struct chan_xdp - the table of bindings
 * @map_id: for each slot: the kernel's id of the map, 0 if the slot is free
 * @bind: for each slot: the other fields
 */
struct chan_xdp {
	uint32_t map_id[CHAN_XDP_BINDS];
	struct chan_xdp_bind bind[CHAN_XDP_BINDS];
};

/* struct chan_xdp_work.kind */
#define CHAN_XDP_SEND	1	/* send a message in a buffer */
#define CHAN_XDP_LOST	2	/* count the slot's lost events as dropped */

/**
 * struct chan_xdp_work - an item on CHAN_RING_XDP
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
