// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* iface.c - read interfaces of the network namespace that ncl has entered. */
#define _GNU_SOURCE
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>
#include "iface.h"
#include "netdev.h"

static int ask(int fd, struct iface *i)
{
	struct ifreq req = { .ifr_ifindex = 0 };

	memcpy(req.ifr_name, i->name, sizeof(i->name));
	if (ioctl(fd, SIOCGIFFLAGS, &req))
		return -errno;
	i->up = req.ifr_flags & IFF_UP;
	if (ioctl(fd, SIOCGIFHWADDR, &req))
		return -errno;
	if (req.ifr_hwaddr.sa_family != ARPHRD_ETHER)
		return -EPROTOTYPE;
	memcpy(i->mac, req.ifr_hwaddr.sa_data, sizeof(i->mac));
	return 0;
}

int iface_read(const char *name, struct iface *i)
{
	struct netdev dev;
	int fd, ret;

	memset(i, 0, sizeof(*i));
	ret = netdev_find(&dev, name);
	if (ret)
		return ret;
	i->index = dev.index;
	memcpy(i->name, dev.name, sizeof(i->name));
	memcpy(i->driver, dev.driver, sizeof(i->driver));
	fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	ret = ask(fd, i);
	close(fd);
	return ret;
}

bool iface_has(const char *name, uint32_t ip)
{
	struct ifaddrs *all, *a;
	bool has = false;

	if (getifaddrs(&all))
		return false;
	for (a = all; a; a = a->ifa_next)
		if (a->ifa_addr && a->ifa_addr->sa_family == AF_INET && !strcmp(a->ifa_name, name) &&
		    ((struct sockaddr_in *)a->ifa_addr)->sin_addr.s_addr == ip)
			has = true;
	freeifaddrs(all);
	return has;
}
