/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * ncl_abi.h - maps of a device program of nclc that are not the user's: who loads the
 * program fills them, before a window comes.
 *
 * All are arrays with __u32 keys, but for the lock.
 */
#ifndef NCL_ABI_H
#define NCL_ABI_H

#include <linux/types.h>

#define NCL_MAP_PLACE	"ncl_place"	/* 1 struct ncl_address: the device's own */
#define NCL_MAP_NODES	"ncl_nodes"	/* struct ncl_address, by number of the node: next hop to it */
#define NCL_MAP_COUNTS	"ncl_counts"	/* __u64, by enum ncl_count */
#define NCL_MAP_LOCK	"ncl_lock"	/* hash, __u32 to __u32: an entry for each lock that is held */

/* The next hop is the host that has the device. */
#define NCL_LOCAL	1

/**
 * struct ncl_address - how a node is reached
 * @ip: IPv4 address, network byte order; 0: it is not known
 * @port: UDP port, network byte order
 * @flags: NCL_LOCAL
 * @mac: Ethernet address of the next hop
 * @group_mac: of a place: Ethernet address of its group
 * @group: of a place: IPv4 address of its group, network byte order
 */
struct ncl_address {
	__be32 ip;
	__be16 port;
	__u16  flags;
	__u8   mac[6];
	__u8   group_mac[6];
	__be32 group;
};

/* What a device counts */
enum ncl_count {
	NCL_WINDOWS,		/* a kernel ran */
	NCL_PASSED,		/* sent on, or given to the host */
	NCL_REFLECTED,
	NCL_BROADCAST,
	NCL_DROPPED,		/* by the kernel */
	NCL_BUSY,		/* dropped: the lock was not to be had */
	NCL_MALFORMED,		/* dropped: not this program's, or of a wrong size */
	NCL_NOWHERE,		/* dropped: the next hop's address is not known */
	NCL_COUNTS
};

#endif /* NCL_ABI_H */
