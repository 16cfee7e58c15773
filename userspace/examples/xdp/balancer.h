/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * balancer.h - keys and values of balancer.c's maps, and its events. Addresses and ports are
 * big endian. The first three words of an IPv4 address are 0.
 */
#ifndef BALANCER_H
#define BALANCER_H

#include <linux/types.h>

#define BALANCER_GROUPS		4	/* groups of backends */
#define BALANCER_SLOTS		64	/* slots of a group, a power of two */
#define BALANCER_BACKENDS	64
#define BALANCER_HOST		0xffffffff	/* "backend" of a connection to this host */

/* What happens to a frame, and why. BALANCER_TX is the last value that is not a drop. */
enum balancer_why {
	BALANCER_PASS_CONTROL,	/* ARP, ICMP */
	BALANCER_PASS_FLOW,
	BALANCER_PASS_NEW,	/* a connection begins */
	BALANCER_TX,		/* sent to a backend */
	BALANCER_DROP_SHORT,	/* the frame ends within a header */
	BALANCER_DROP_PROTOCOL,	/* another protocol, or a fragment without ports */
	BALANCER_DROP_RULE,	/* no rule for the port */
	BALANCER_DROP_STATE,	/* belongs to no connection */
	BALANCER_DROP_FULL,	/* no room for a connection */
	BALANCER_DROP_BACKEND,	/* no backend, or the frame is too short to be changed */
	BALANCER_WHYS,
};

struct balancer_rule {
	__u16 port;
	__u8 proto;
	__u8 zero;
};

struct balancer_service {
	__u32 addr[4];
	__u16 port;
	__u8 proto;
	__u8 zero;
};

struct balancer_backend {
	__u32 addr[4];
	__u8 mac[6];
	__u8 zero[2];
};

struct balancer_flow {
	__u32 low[4];
	__u32 high[4];
	__u16 low_port;
	__u16 high_port;
	__u16 vlan;
	__u8 proto;
	__u8 zero;
};

struct balancer_state {
	__u32 backend;
	__u32 packets;		/* frames after the first one */
};

struct balancer_count {
	__u64 packets;
	__u64 bytes;
};

struct balancer_event {
	__u32 why;
	__u32 len;
	struct balancer_flow flow;
};

#endif /* BALANCER_H */
