// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * net_wait.c - wait for the kernel to report a link change or packets of an interface.
 *
 * usage: net_wait DEV up|down	wait until DEV has a link, or has none
  *        net_wait DEV COUNT	wait until DEV has received COUNT packets
 *
 * SIGALRM ends the program after PATIENCE_S seconds.
 */
#include <arpa/inet.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <sys/socket.h>
#include "calls.h"

/* Seconds: the peer may be a VM that boots on the same CPUs. */
#define PATIENCE_S	slowly(240)

static bool has_link(int fd, const char *dev)
{
	struct ifreq r = { 0 };

	strncpy(r.ifr_name, dev, sizeof(r.ifr_name) - 1);
	if (ioctl(fd, SIOCGIFFLAGS, &r))
		die(dev);
	return r.ifr_flags & IFF_RUNNING;
}

static void wait_link(const char *dev, bool want)
{
	struct sockaddr_nl sa = { .nl_family = AF_NETLINK, .nl_groups = RTMGRP_LINK };
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
	int inet = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || inet < 0 || bind(fd, (struct sockaddr *)&sa, sizeof(sa)))
		die("netlink");
	/* ENOBUFS says that events were lost: look at the link again, as after an event. */
	while (has_link(inet, dev) != want)
		if (recv(fd, NULL, 0, MSG_TRUNC) < 0 && errno != ENOBUFS)
			die("netlink");
}

static void wait_packets(const char *dev, unsigned long count)
{
	struct sockaddr_ll sa = {
		.sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL),
		.sll_ifindex = (int)if_nametoindex(dev),
	};
	int fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
	int on = 1;

	if (fd < 0 || !sa.sll_ifindex ||
	    setsockopt(fd, SOL_PACKET, PACKET_IGNORE_OUTGOING, &on, sizeof(on)) ||
	    bind(fd, (struct sockaddr *)&sa, sizeof(sa)))
		die(dev);
	while (count--)
		if (recv(fd, NULL, 0, MSG_TRUNC) < 0)
			die(dev);
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	alarm(PATIENCE_S);
	if (!strcmp(argv[2], "up") || !strcmp(argv[2], "down"))
		wait_link(argv[1], argv[2][0] == 'u');
	else
		wait_packets(argv[1], strtoul(argv[2], NULL, 10));
	return 0;
}
