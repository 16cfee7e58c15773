/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* neigh.h - Ethernet addresses of hosts, of the kernel's table of neighbours. */
#ifndef NCL_NEIGH_H
#define NCL_NEIGH_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct neigh - a host, and how it is reached
 * @ip: its IPv4 address, network byte order
 * @via: out: the gateway to it, or @ip
 * @mac: out: Ethernet address of @via
 * @known: whether @mac is; those for which it is set are not looked up
 * @err: out: why it is not, or 0: time was up
 */
struct neigh {
	uint32_t ip;
	uint32_t via;
	uint8_t mac[6];
	bool known;
	int err;
};

/*
 * Find the addresses of @n hosts behind an interface, by ARP where the kernel does not know
 * them, for @timeout_ms at most. 0: all are known; -ETIMEDOUT: not all; -EHOSTUNREACH: there
 * is no route to one, as its @err says; -errno.
 */
int neigh_resolve(int ifindex, struct neigh *neighs, unsigned int n, int64_t timeout_ms);

#endif /* NCL_NEIGH_H */
