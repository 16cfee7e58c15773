/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * xdp_rig.h - helpers for tests of XDP events: program hook of selftests/xdp/programs, frames
 * that ask them for events, and the events from perf ring and channel.
 */
#ifndef XDP_RIG_H
#define XDP_RIG_H

#include <arpa/inet.h>
#include <linux/if_ether.h>
#include <linux/if_link.h>
#include <linux/if_packet.h>
#include <nfpchan/nfp_chan_xdp.h>
#include <net/if.h>
#include "xdp/programs/offload.h"
#include "chan_test.h"
#include "fdinfo.h"

#define FRAME_MAX	1514
#define OWN_MAX		127
#define EVENT_MAX	2048
#define MAPS		2
#define HEAD		sizeof(struct nfp_chan_xdp_event)

/* An event for which a frame asks the program */
struct ask {
	unsigned int map;	/* the map: 0 is "events", 1 is "more" */
	uint32_t own;		/* bytes of the program's data */
	uint32_t pkt;		/* bytes of the packet */
	uint32_t frame;		/* length of the frame */
	uint32_t nr;
};

/* Events that have come through a perf ring, oldest first */
struct heard {
	struct {
		uint8_t data[EVENT_MAX];
		uint32_t len;
	} event[64];
	unsigned int in, out;
};

struct rig {
	struct bpf_object *obj;
	int prog;
	uint32_t prog_id;
	int map[MAPS];
	uint32_t map_id[MAPS];
	struct perf_buffer *pb[MAPS];
	struct heard heard[MAPS];
};

extern int wire_fd;	/* packet socket at the other end of the wire */

/* ---- programs ---- */

void rig_fill(struct rig *r, struct bpf_object *obj);
void rig_load(struct rig *r, int ifindex);

/* Open the perf rings, as users of the stock driver do. */
void rig_listen(struct rig *r);
void rig_attach(struct rig *r, int ifindex);
void rig_detach(int ifindex);
void rig_close(struct rig *r);

/* ---- frames ---- */

void wire_open(const char *dev);
void ask(const struct ask *a);

/* ---- events ---- */

/* Check that the next event of the perf ring is that of frame @a. Perf adds up to 7 bytes. */
bool perf_is(struct rig *r, const struct ask *a);
bool perf_empty(struct rig *r, unsigned int map);

/*
 * Check that the next message of the channel is the event of frame @a, and that it has number
 * @seq.
 */
bool chan_is(struct nfpchan *ch, const struct rig *r, const struct ask *a, uint32_t seq);

/* Count the maps that are bound to channels, of all processes. */
static inline unsigned int bindings(void)
{
	return fdinfo_lines("[0-9]*", "xdp:\t");
}

#endif /* XDP_RIG_H */
