/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * balancer.h - keys and values of balancer.c's maps, and its events. Addresses
 * and ports are big endian; of IPv4 addresses, the first three words are 0.
 */
#ifndef BALANCER_H
#define BALANCER_H

#include <linux/types.h>

#define BALANCER_GROUPS		4	/* of backends */
#define BALANCER_SLOTS		64	/* of each group: a power of two */
#define BALANCER_BACKENDS	64
#define BALANCER_HOST		0xffffffff	/* "backend" of what is let in */

/* What became of a frame, and why. */
enum balancer_why {
	BALANCER_PASS_CONTROL,	/* ARP, ICMP */
	BALANCER_PASS_FLOW,
	BALANCER_PASS_NEW,	/* a connection begins */
	BALANCER_TX,		/* to a backend; those above pass, those below are dropped */
	BALANCER_DROP_SHORT,	/* ends within a header */
	BALANCER_DROP_PROTOCOL,	/* or a fragment without ports */
	BALANCER_DROP_RULE,	/* no rule for the port */
	BALANCER_DROP_STATE,	/* belongs to no connection */
	BALANCER_DROP_FULL,	/* no room for a connection */
	BALANCER_DROP_BACKEND,	/* none, or the frame does not fit it */
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
	__u32 packets;		/* behind the first one */
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
