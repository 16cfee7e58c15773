// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * netdev.c - find an interface of the network namespace of the caller. /sys shows the interfaces
 * of the namespace in which it was mounted, so nothing is read there.
 */
#include <errno.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>
#include "netdev.h"

int netdev_at(struct netdev *d, unsigned int index)
{
	struct ethtool_drvinfo info = { .cmd = ETHTOOL_GDRVINFO };
	struct ifreq req = { .ifr_data = (char *)&info };
	int fd;

	memset(d, 0, sizeof(*d));
	d->index = (int)index;
	if (!if_indextoname(index, d->name))
		return -errno;
	fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	memcpy(req.ifr_name, d->name, sizeof(d->name));
	/* An interface without a driver does not answer. */
	if (!ioctl(fd, SIOCETHTOOL, &req)) {
		memcpy(d->driver, info.driver, sizeof(d->driver) - 1);
		memcpy(d->firmware, info.fw_version, sizeof(d->firmware) - 1);
		memcpy(d->bus, info.bus_info, sizeof(d->bus) - 1);
	}
	close(fd);
	return 0;
}

int netdev_find(struct netdev *d, const char *name)
{
	unsigned int index = if_nametoindex(name);

	return index ? netdev_at(d, index) : -errno;
}
