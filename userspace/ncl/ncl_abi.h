/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * ncl_abi.h - maps of a device program that nclc adds to those of the user. The loader fills them
 * before the first window comes.
 *
 * All are arrays with __u32 keys, except the lock, which is a hash.
 */
#ifndef NCL_ABI_H
#define NCL_ABI_H

#include <linux/types.h>

#define NCL_MAP_PLACE	"ncl_place"	/* 1 struct ncl_address: the device's own */
#define NCL_MAP_NODES	"ncl_nodes"	/* struct ncl_address of the next hop, by node number */
#define NCL_MAP_COUNTS	"ncl_counts"	/* __u64, by enum ncl_count */
#define NCL_MAP_LOCK	"ncl_lock"	/* hash, __u32 to __u32: an entry for each held lock */

/* The next hop is the host on the machine of the device. */
#define NCL_LOCAL	1

/**
 * struct ncl_address - how a device reaches a node
 * @ip: IPv4 address, network byte order; 0: unknown
 * @port: UDP port, network byte order
 * @flags: NCL_LOCAL
 * @mac: Ethernet address of the next hop
 * @group_mac: only in NCL_MAP_PLACE: Ethernet address of the device's group
 * @group: IPv4 address of the group that the device, or the next hop, broadcasts to, network byte
 *	order; 0: the next hop is a host
 */
struct ncl_address {
	__be32 ip;
	__be16 port;
	__u16  flags;
	__u8   mac[6];
	__u8   group_mac[6];
	__be32 group;
};

/* Counters of a device */
enum ncl_count {
	NCL_WINDOWS,		/* runs of a kernel */
	NCL_PASSED,		/* windows sent on, or given to the host */
	NCL_REFLECTED,
	NCL_BROADCAST,
	NCL_DROPPED,		/* windows that the kernel dropped */
	NCL_BUSY,		/* windows dropped because the lock could not be taken */
	NCL_MALFORMED,		/* packets dropped: of another program, or of a wrong size */
	NCL_NOWHERE,		/* windows dropped because the next hop's address is unknown */
	NCL_COUNTS
};

#endif /* NCL_ABI_H */
