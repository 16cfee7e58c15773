/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* iface.h - interfaces of the network namespace that the program is in. */
#ifndef NCL_IFACE_H
#define NCL_IFACE_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct iface - an interface
 * @index: its number
 * @mac: its Ethernet address
 * @driver: its driver, or ""
 * @up: whether it is
 */
struct iface {
	int index;
	uint8_t mac[6];
	char driver[32];
	bool up;
};

/* -ENODEV: no such one; -EPROTOTYPE: not Ethernet; -errno */
int iface_read(const char *name, struct iface *i);

/* Has it that IPv4 address (network byte order)? */
bool iface_has(const char *name, uint32_t ip);

#endif /* NCL_IFACE_H */
