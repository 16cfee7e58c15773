/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * xdp_run.h - run an XDP program on the host, by BPF_PROG_TEST_RUN, and on the card, with the
 * same packets, and compare the results.
 *
 * The card's interface has one ring, so packets keep their order. Packets that the program passes
 * come to a packet socket of the interface. Packets that it sends back come to a packet socket at
 * the other end of the wire. Events come to a perf ring. The card counts dropped and aborted
 * packets.
 */
#ifndef XDP_RUN_H
#define XDP_RUN_H

#include <arpa/inet.h>
#include <linux/if_ether.h>
#include <linux/if_link.h>
#include <linux/if_packet.h>
#include <linux/perf_event.h>
#include <poll.h>
#include "clock.h"
#include "ethtool.h"
#include "random.h"
#include "tap.h"
#include "xdp/programs/offload.h"

#define FRAME_ROOM	2048
#define WAIT_MS		slowly(2000)	/* stop waiting when nothing has come for this time */

struct frame {
	uint8_t data[FRAME_ROOM];
	uint32_t len;
};

struct frames {
	struct frame *f;
	unsigned int n;
	unsigned int room;
};

/* What a program has done with the packets */
struct outcome {
	struct frames host;	/* passed */
	struct frames peer;	/* sent back */
	struct frames event;
	uint64_t dropped, aborted;
};

/* Text of the last difference between host and card */
extern char why[512];

/* Store the text of a difference, and return false, which the caller returns as well. */
bool __attribute__((format(printf, 1, 2))) differs(const char *fmt, ...);

/* ---- frames ---- */

/* Append an empty frame to the list, and return it. */
struct frame *frames_next(struct frames *l);
void frames_add(struct frames *l, const void *data, uint32_t len);

/* Add a frame that leaves a port. The MAC pads short frames. */
void frames_sent(struct frames *l, const void *data, uint32_t len);

static inline uint32_t chance(uint64_t *x)
{
	return random_next(x) >> 16;
}

/* Add a random frame. Many of its bytes are edge values. Its addresses are unicast. */
void frames_random(struct frames *l, uint32_t len, uint16_t type, uint64_t *x);
void frames_send(int fd, const struct frames *l);
void outcome_clear(struct outcome *o);

/* Compare two lists. @pad: bytes by which one frame may be longer: perf rounds records up to 8. */
bool frames_same(const char *what, const struct frames *want, const struct frames *got,
		 uint32_t pad);

/* ---- programs ---- */

/* Load the program of @section for interface @ifindex, or for the host if @ifindex is 0. */
struct bpf_object *xdp_load(const char *path, const char *section, int ifindex);
int xdp_fd(struct bpf_object *obj);

/* ---- maps ---- */

unsigned int map_entries(int fd);

/* Compare map @h of the host with map @c of the card. */
bool map_fds_same(const char *name, int h, int c, uint32_t len);
bool map_same(const struct bpf_map *host, const struct bpf_map *card);
bool maps_same(struct bpf_object *host, struct bpf_object *card);
bool outcome_same(const struct outcome *want, const struct outcome *got);

/* ---- events of the map "events" ---- */

struct perf_buffer *events_open(struct bpf_object *obj, struct outcome *o);

/* ---- on the host ---- */

/* @pb: perf buffer of the program's events, or NULL */
void run_host_fd(int fd, struct perf_buffer *pb, const struct frames *packets, struct outcome *o);
void run_host(struct bpf_object *obj, const struct frames *packets, struct outcome *o);

/* ---- in the card ---- */

/*
 * struct card_run - a run of a program in the card
 * @dev: the interface
 * @total: packets that come in
 * @dev_fd: packet socket at the interface
 * @peer_fd: packet socket at the other end of the wire, -1 if that is not in this guest
 * @pb: perf buffer of the program's events, or NULL
 * @want: the outcome on the host
 * @got: the outcome in the card
 * @dropped, @aborted, @sent: counters at the beginning
 */
struct card_run {
	const char *dev;
	unsigned int total;
	int dev_fd, peer_fd;
	struct perf_buffer *pb;
	const struct outcome *want;
	struct outcome *got;
	uint64_t dropped, aborted, sent;
};

int packet_socket(int ifindex);
bool take(int fd, struct frames *l);

static inline uint64_t now_ms(void)
{
	return now_ns() / 1000000;
}

/* Attach the program. No packets come yet. */
void card_run_start(struct card_run *r, struct bpf_object *obj);

/* Collect frames and events until all of them have come, or until WAIT_MS passes without any. */
void card_collect(struct card_run *r);
void card_run_stop(struct card_run *r);

#endif /* XDP_RUN_H */
