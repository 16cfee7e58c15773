/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* iface.h - read interfaces of the network namespace that ncl has entered. */
#ifndef NCL_IFACE_H
#define NCL_IFACE_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct iface - an interface
 * @name: its name, never an alternative one
 * @index: its number
 * @mac: its Ethernet address
 * @driver: name of its driver, or ""
 * @up: the interface is up
 */
struct iface {
	char name[16];
	int index;
	uint8_t mac[6];
	char driver[32];
	bool up;
};

/*
 * Read an interface by its name or an alternative name. Returns 0; -ENODEV: there is no such
 * interface; -EPROTOTYPE: it is no Ethernet interface; -errno.
 */
int iface_read(const char *name, struct iface *i);

/* The interface has the IPv4 address @ip (network byte order). */
bool iface_has(const char *name, uint32_t ip);

#endif /* NCL_IFACE_H */
