// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * neigh.c - Ethernet addresses of hosts, from the kernel's neighbour table.
 *
 * RTM_GETNEIGH asks the kernel for an entry. If the kernel has no valid entry, RTM_NEWNEIGH with
 * NTF_USE makes it send an ARP request, like a datagram to the host would. The result arrives as
 * an event.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include "neigh.h"

#define REPLY_MAX	32768
#define NUD_USABLE	(NUD_PERMANENT | NUD_NOARP | NUD_REACHABLE | NUD_PROBE | NUD_STALE | \
			 NUD_DELAY)
#define ASK		0x10000	/* is added to the sequence number of an RTM_NEWNEIGH request */

/* A request: header, ndmsg or rtmsg, and attributes of 4 bytes */
struct request {
	struct nlmsghdr nh;
	union {
		struct ndmsg nd;
		struct rtmsg rt;
	};
	char attrs[64];
};

/**
 * struct look - a search for the Ethernet addresses of hosts
 * @fd: netlink socket, which also receives events of neighbours
 * @ifindex: interface
 * @neighs: hosts; a request about host i has the sequence number i + 1
 * @n: number of hosts
 */
struct look {
	int fd;
	int ifindex;
	struct neigh *neighs;
	unsigned int n;
};

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void add_u32(struct request *r, unsigned short type, uint32_t val)
{
	struct rtattr *a = (void *)((char *)r + NLMSG_ALIGN(r->nh.nlmsg_len));

	a->rta_type = type;
	a->rta_len = RTA_LENGTH(sizeof(val));
	memcpy(RTA_DATA(a), &val, sizeof(val));
	r->nh.nlmsg_len = NLMSG_ALIGN(r->nh.nlmsg_len) + RTA_LENGTH(sizeof(val));
}

static const struct rtattr *attr_find(const struct rtattr *a, size_t len, unsigned short type)
{
	for (; RTA_OK(a, len); a = RTA_NEXT(a, len))
		if ((a->rta_type & NLA_TYPE_MASK) == type)
			return a;
	return NULL;
}

static int request_send(const struct look *l, struct request *r)
{
	return send(l->fd, r, r->nh.nlmsg_len, 0) < 0 ? -errno : 0;
}

/*
 * Ask for the route to a host. Without RTM_F_FIB_MATCH the kernel would answer for a host without
 * a route, as if the host were on the link.
 */
static int ask_route(const struct look *l, unsigned int i)
{
	struct request r = {
		.nh = { .nlmsg_len = NLMSG_LENGTH(sizeof(r.rt)), .nlmsg_type = RTM_GETROUTE,
			.nlmsg_flags = NLM_F_REQUEST, .nlmsg_seq = i + 1 },
		.rt = { .rtm_family = AF_INET, .rtm_dst_len = 32, .rtm_flags = RTM_F_FIB_MATCH },
	};

	add_u32(&r, RTA_DST, l->neighs[i].ip);
	add_u32(&r, RTA_OIF, (uint32_t)l->ifindex);
	return request_send(l, &r);
}

static int ask_entry(const struct look *l, unsigned int i, bool use)
{
	struct request r = {
		.nh = { .nlmsg_len = NLMSG_LENGTH(sizeof(r.nd)), .nlmsg_type = RTM_GETNEIGH,
			.nlmsg_flags = NLM_F_REQUEST, .nlmsg_seq = i + 1 },
		.nd = { .ndm_family = AF_INET, .ndm_ifindex = l->ifindex },
	};

	if (use) {
		r.nh.nlmsg_type = RTM_NEWNEIGH;
		r.nh.nlmsg_flags |= NLM_F_CREATE | NLM_F_REPLACE;
		r.nh.nlmsg_seq += ASK;
		r.nd.ndm_flags = NTF_USE;
	}
	add_u32(&r, NDA_DST, l->neighs[i].via);
	return request_send(l, &r);
}

static int got_route(struct look *l, const struct nlmsghdr *nh)
{
	const struct rtmsg *rt = NLMSG_DATA(nh);
	struct neigh *n = &l->neighs[nh->nlmsg_seq - 1];
	const struct rtattr *gw = attr_find(RTM_RTA(rt), RTM_PAYLOAD(nh), RTA_GATEWAY);

	if (rt->rtm_type != RTN_UNICAST) {
		n->err = EHOSTUNREACH;
		return -EHOSTUNREACH;
	}
	n->via = n->ip;
	if (gw)
		memcpy(&n->via, RTA_DATA(gw), sizeof(n->via));
	return ask_entry(l, nh->nlmsg_seq - 1, false);
}

/*
 * Handle an entry of the neighbour table: the answer to a request, or an event. If the entry has
 * no usable address, make the kernel resolve it.
 */
static int got_entry(struct look *l, const struct nlmsghdr *nh)
{
	const struct ndmsg *nd = NLMSG_DATA(nh);
	const struct rtattr *first = (const void *)((const char *)nd + NLMSG_ALIGN(sizeof(*nd)));
	size_t len = nh->nlmsg_len - NLMSG_LENGTH(sizeof(*nd));
	const struct rtattr *dst = attr_find(first, len, NDA_DST);
	const struct rtattr *mac = attr_find(first, len, NDA_LLADDR);
	unsigned int i;
	int ret = 0;

	if (nd->ndm_ifindex != l->ifindex || nd->ndm_family != AF_INET || !dst)
		return 0;
	for (i = 0; i < l->n && !ret; i++) {
		struct neigh *n = &l->neighs[i];

		if (n->known || memcmp(RTA_DATA(dst), &n->via, sizeof(n->via)))
			continue;
		if (nd->ndm_state & NUD_USABLE && mac && RTA_PAYLOAD(mac) == sizeof(n->mac)) {
			memcpy(n->mac, RTA_DATA(mac), sizeof(n->mac));
			n->known = true;
		} else if (nh->nlmsg_seq == i + 1 || nd->ndm_state & NUD_FAILED) {
			ret = ask_entry(l, i, true);
		}
	}
	return ret;
}

/*
 * Handle an error that answers one of our requests. If it is -ENOENT, the neighbour table has no
 * entry: make the kernel resolve the address.
 */
static int got_error(struct look *l, const struct nlmsghdr *nh)
{
	const struct nlmsgerr *err = NLMSG_DATA(nh);
	unsigned int i = (nh->nlmsg_seq & ~ASK) - 1;

	if (i >= l->n || !err->error)
		return 0;
	if (err->msg.nlmsg_type == RTM_GETNEIGH && err->error == -ENOENT)
		return ask_entry(l, i, true);
	l->neighs[i].err = -err->error;
	return err->msg.nlmsg_type == RTM_GETROUTE ? -EHOSTUNREACH : err->error;
}

static int got_message(struct look *l, const struct nlmsghdr *nh)
{
	if (nh->nlmsg_type == NLMSG_ERROR)
		return got_error(l, nh);
	if (nh->nlmsg_type == RTM_NEWNEIGH)
		return got_entry(l, nh);
	if (nh->nlmsg_type == RTM_NEWROUTE && nh->nlmsg_seq && nh->nlmsg_seq <= l->n)
		return got_route(l, nh);
	return 0;
}

/*
 * Read messages from the kernel. ENOBUFS means that events were lost: then send all requests
 * again.
 */
static int receive(struct look *l)
{
	static char buf[REPLY_MAX] __attribute__((aligned(8)));
	const struct nlmsghdr *nh = (const void *)buf;
	ssize_t len = recv(l->fd, buf, sizeof(buf), MSG_DONTWAIT);
	size_t left = len < 0 ? 0 : (size_t)len;
	unsigned int i;
	int ret = 0;

	if (len < 0 && errno != ENOBUFS)
		return errno == EINTR || errno == EAGAIN ? 0 : -errno;
	for (i = 0; len < 0 && i < l->n && !ret; i++)
		if (!l->neighs[i].known)
			ret = ask_route(l, i);
	for (; !ret && NLMSG_OK(nh, left); nh = NLMSG_NEXT(nh, left))
		ret = got_message(l, nh);
	return ret;
}

static bool all_known(const struct look *l)
{
	unsigned int i;

	for (i = 0; i < l->n; i++)
		if (!l->neighs[i].known)
			return false;
	return true;
}

static int look(struct look *l, int64_t timeout_ms)
{
	int64_t end = now_ms() + timeout_ms, left;
	struct pollfd p = { .fd = l->fd, .events = POLLIN };
	unsigned int i;
	int ret = 0;

	for (i = 0; i < l->n && !ret; i++)
		if (!l->neighs[i].known)
			ret = ask_route(l, i);
	while (!ret && !all_known(l)) {
		left = end - now_ms();
		if (left <= 0)
			return -ETIMEDOUT;
		if (poll(&p, 1, left > 60000 ? 60000 : (int)left) > 0)
			ret = receive(l);
	}
	return ret;
}

int neigh_resolve(int ifindex, struct neigh *neighs, unsigned int n, int64_t timeout_ms)
{
	struct sockaddr_nl addr = { .nl_family = AF_NETLINK, .nl_groups = RTMGRP_NEIGH };
	struct look l = { .ifindex = ifindex, .neighs = neighs, .n = n };
	int ret;

	l.fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
	if (l.fd < 0)
		return -errno;
	ret = bind(l.fd, (struct sockaddr *)&addr, sizeof(addr)) ? -errno : look(&l, timeout_ms);
	close(l.fd);
	return ret;
}
