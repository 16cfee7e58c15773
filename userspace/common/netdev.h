/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* netdev.h - an interface of the network namespace of the caller. */
#ifndef NETDEV_H
#define NETDEV_H

/**
 * struct netdev - an interface
 * @index: its number
 * @name: its name. This is never an alternative name (ip-link(8), altname), for which
 *	/sys/class/net and getifaddrs(3) have no entry
 * @driver: name of its driver, or ""
 * @firmware: version of its firmware, or ""
 * @bus: name of its device on a bus, for a card the PCI function, or ""
 */
struct netdev {
	int index;
	char name[16];
	char driver[32];
	char firmware[32];
	char bus[32];
};

/*
 * Find an interface by its name or an alternative name, or by its number. An alternative name of
 * more than 15 characters is not found. Return 0 or -errno.
 */
int netdev_find(struct netdev *d, const char *name);
int netdev_at(struct netdev *d, unsigned int index);

#endif /* NETDEV_H */
