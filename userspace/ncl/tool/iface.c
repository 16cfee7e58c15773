// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* iface.c - read interfaces of the network namespace that ncl has entered. */
#define _GNU_SOURCE
#include <errno.h>
#include <ifaddrs.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>
#include "iface.h"

static int ask(int fd, struct iface *i, struct ifreq *req)
{
	struct ethtool_drvinfo info = { .cmd = ETHTOOL_GDRVINFO };

	if (ioctl(fd, SIOCGIFINDEX, req))
		return -errno;
	i->index = req->ifr_ifindex;
	if (ioctl(fd, SIOCGIFFLAGS, req))
		return -errno;
	i->up = req->ifr_flags & IFF_UP;
	if (ioctl(fd, SIOCGIFHWADDR, req))
		return -errno;
	if (req->ifr_hwaddr.sa_family != ARPHRD_ETHER)
		return -EPROTOTYPE;
	memcpy(i->mac, req->ifr_hwaddr.sa_data, sizeof(i->mac));
	/*
	 * Some interfaces have no driver that answers ETHTOOL_GDRVINFO. Then the driver's name
	 * stays "".
	 */
	req->ifr_data = (char *)&info;
	if (!ioctl(fd, SIOCETHTOOL, req))
		memcpy(i->driver, info.driver, sizeof(i->driver) - 1);
	return 0;
}

int iface_read(const char *name, struct iface *i)
{
	struct ifreq req = { .ifr_ifindex = 0 };
	int fd, ret;

	memset(i, 0, sizeof(*i));
	if (!*name || strlen(name) >= sizeof(req.ifr_name))
		return -ENODEV;
	fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	strcpy(req.ifr_name, name);
	ret = ask(fd, i, &req);
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
