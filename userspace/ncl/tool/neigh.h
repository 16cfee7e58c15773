/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* neigh.h - Ethernet addresses of hosts, from the kernel's neighbour table. */
#ifndef NCL_NEIGH_H
#define NCL_NEIGH_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct neigh - a host, and the neighbour that packets to the host are sent to
 * @ip: the host's IPv4 address, network byte order
 * @via: out: address of the gateway to the host, or @ip if the host is on the link
 * @mac: out: Ethernet address of @via
 * @known: @mac is valid. neigh_resolve() does not look up hosts whose @known is set
 * @err: out: errno that tells why @mac is unknown; 0 if the time was up
 */
struct neigh {
	uint32_t ip;
	uint32_t via;
	uint8_t mac[6];
	bool known;
	int err;
};

/*
 * Find the Ethernet addresses of @n hosts that are reached through an interface. Where the kernel
 * does not know an address, make it send an ARP request. Wait for @timeout_ms at most. Returns 0:
 * all addresses are known; -ETIMEDOUT: some are not; -EHOSTUNREACH: the host whose @err is set
 * has no route; -errno.
 */
int neigh_resolve(int ifindex, struct neigh *neighs, unsigned int n, int64_t timeout_ms);

#endif /* NCL_NEIGH_H */
