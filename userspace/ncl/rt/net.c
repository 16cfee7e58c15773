// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * net.c - sockets of a session: for the host's address, and for the groups of neighbouring devices.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>
#include "rt.h"

#define RCVBUF	(4 << 20)

static int sys_fail(const char *what, const char *label, uint32_t ip, unsigned int port)
{
	char addr[INET_ADDRSTRLEN];
	int err = errno;

	inet_ntop(AF_INET, &ip, addr, sizeof(addr));
	return rt_fail(-err, "%s: %s %s:%u: %s", label, what, addr, port, strerror(err));
}

static int socket_new(struct ncrt *nc, uint32_t rcvbuf)
{
	struct epoll_event ev = { .events = EPOLLIN };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), size;

	if (fd < 0)
		return rt_fail(-errno, "socket: %s", strerror(errno));
	size = rcvbuf ? (int)rcvbuf : RCVBUF;
	if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof(size)))
		setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof(size));
	if (epoll_ctl(nc->poll, EPOLL_CTL_ADD, fd, &ev)) {
		size = rt_fail(-errno, "epoll_ctl: %s", strerror(errno));
		close(fd);
		return size;
	}
	nc->sock[nc->nr_socks++] = fd;
	return fd;
}

static int bind_to(int fd, const char *label, uint32_t ip, uint16_t port)
{
	struct sockaddr_in addr = {
		.sin_family = AF_INET, .sin_addr.s_addr = ip, .sin_port = htons(port),
	};

	if (bind(fd, (struct sockaddr *)&addr, sizeof(addr)))
		return sys_fail("bind", label, ip, port);
	return 0;
}

static int open_own(struct ncrt *nc, const struct and_node *self, uint32_t rcvbuf)
{
	int fd = socket_new(nc, rcvbuf);

	return fd < 0 ? fd : bind_to(fd, self->label, self->ip, self->port);
}

/* Open a socket for a group. SO_REUSEADDR lets several hosts of one machine receive a datagram. */
static int open_group(struct ncrt *nc, const struct and_node *self, const char *label, uint32_t ip,
		      uint32_t rcvbuf)
{
	struct ip_mreqn mreq = { .imr_multiaddr.s_addr = ip, .imr_address.s_addr = self->ip };
	int fd = socket_new(nc, rcvbuf), on = 1, off = 0, err;

	if (fd < 0)
		return fd;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	setsockopt(fd, IPPROTO_IP, IP_MULTICAST_ALL, &off, sizeof(off));
	err = bind_to(fd, label, ip, NCP_PORT);
	if (!err && setsockopt(fd, IPPROTO_IP, IP_ADD_MEMBERSHIP, &mreq, sizeof(mreq)))
		err = sys_fail("join group", label, ip, NCP_PORT);
	return err;
}

static int open_sockets(struct ncrt *nc, uint32_t rcvbuf)
{
	const struct and_node *self = and_node(nc->net, nc->self), *n;
	int err = open_own(nc, self, rcvbuf);
	unsigned int id;

	for (id = 1; id <= nc->net->nr && !err; id++) {
		n = and_node(nc->net, id);
		if (n->device && nc->net->linked[nc->self][id])
			err = open_group(nc, self, n->label, n->group, rcvbuf);
	}
	for (id = 0; id < nc->net->multicasts && !err; id++)
		if (nc->net->multicast[id].member[nc->self])
			err = open_group(nc, self, "multicast", nc->net->multicast[id].ip, rcvbuf);
	return err;
}

/* ---- next hops ---- */

static unsigned int way(const struct ncrt *nc, unsigned int to)
{
	const struct and_node *self = and_node(nc->net, nc->self), *n;
	unsigned int id;

	if (to)
		return to == nc->self ? 0 : and_next(nc->net, nc->self, to);
	for (id = 1; id <= nc->net->nr; id++) {
		n = and_node(nc->net, id);
		if (n->device && n->ip != self->ip && and_next(nc->net, nc->self, id) == id)
			return id;
	}
	return 0;
}

const char *net_via_label(const struct ncrt *nc, unsigned int to)
{
	const struct and_node *n = and_node(nc->net, way(nc, to));

	return n ? n->label : "nobody";
}

static void find_ways(struct ncrt *nc)
{
	const struct and_node *n;
	unsigned int to;

	for (to = 0; to <= nc->net->nr; to++) {
		n = and_node(nc->net, way(nc, to));
		if (n)
			nc->via[to] = (struct sockaddr_in){
				.sin_family = AF_INET, .sin_addr.s_addr = n->ip,
				.sin_port = htons(n->port),
			};
	}
}

bool net_knows(const struct ncrt *nc, const struct sockaddr_in *from)
{
	unsigned int i;

	for (i = 0; i < nc->net->nr; i++)
		if (nc->net->node[i].ip == from->sin_addr.s_addr)
			return true;
	return false;
}

/* ---- open and close ---- */

static int find_self(struct ncrt *nc, const char *host)
{
	const struct and_node *n;

	if (!host)
		host = getenv("NCL_HOST");
	if (!host)
		return rt_fail(-EINVAL, "no host: name a label of the AND file, or set NCL_HOST");
	n = and_find(nc->net, host);
	if (!n || n->device)
		return rt_fail(-EINVAL, "%s is no host of the AND file", host);
	nc->self = (uint16_t)n->id;
	return 0;
}

static int read_net(struct ncrt *nc, const char *path)
{
	char text[200];
	int err;

	if (!path)
		path = getenv("NCL_AND");
	if (!path)
		return rt_fail(-EINVAL, "no AND file: name one, or set NCL_AND");
	err = and_read(path, &nc->net, text, sizeof(text));
	return err ? rt_fail(err, "%s", text) : 0;
}

int net_open(struct ncrt *nc, const struct ncrt_opts *o)
{
	int err = read_net(nc, o->net);

	if (!err)
		err = find_self(nc, o->host);
	if (err)
		return err;
	nc->via = calloc(nc->net->nr + 1, sizeof(*nc->via));
	nc->seen = calloc(nc->net->nr + 1, sizeof(*nc->seen));
	nc->sock = calloc(nc->net->nr + 1 + nc->net->multicasts, sizeof(*nc->sock));
	nc->in = malloc(BATCH * sizeof(*nc->in));
	if (!nc->via || !nc->seen || !nc->sock || !nc->in)
		return rt_fail(-ENOMEM, "no memory for a session");
	find_ways(nc);
	nc->poll = epoll_create1(EPOLL_CLOEXEC);
	nc->wake[SENDER] = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	nc->wake[RECEIVER] = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (nc->poll < 0 || nc->wake[SENDER] < 0 || nc->wake[RECEIVER] < 0)
		return rt_fail(-errno, "eventfd: %s", strerror(errno));
	return open_sockets(nc, o->rcvbuf);
}

void net_close(struct ncrt *nc)
{
	unsigned int i;

	for (i = 0; i < nc->nr_socks; i++)
		close(nc->sock[i]);
	for (i = 0; i < 2; i++)
		if (nc->wake[i] >= 0)
			close(nc->wake[i]);
	if (nc->poll >= 0)
		close(nc->poll);
	for (i = 0; nc->seen && i <= nc->net->nr; i++)
		free(nc->seen[i]);
	free(nc->seen);
	free(nc->sock);
	free(nc->via);
	free(nc->in);
	and_free(nc->net);
}

/* ---- datagrams ---- */

int net_send(struct ncrt *nc, struct frame *const *frames, unsigned int count,
	     const struct sockaddr_in *to, int flags)
{
	unsigned int i, done = 0;
	struct mmsghdr msg[BATCH];
	struct iovec iov[BATCH];
	int n, err = 0, saved = errno;

	for (i = 0; i < count; i++) {
		iov[i] = (struct iovec){ &frames[i]->hdr, HDR + le16toh(frames[i]->hdr.size) };
		msg[i].msg_hdr = (struct msghdr){
			.msg_name = (void *)to, .msg_namelen = sizeof(*to),
			.msg_iov = &iov[i], .msg_iovlen = 1,
		};
	}
	while (done < count && !err) {
		n = sendmmsg(nc->sock[0], msg + done, count - done, flags);
		if (n > 0)
			done += (unsigned int)n;
		else if (errno == ENOBUFS || errno == EAGAIN)
			done++;
		else if (errno != EINTR)
			err = -errno;
	}
	errno = saved;
	return err ? rt_fail(err, "sendmmsg to %s: %s", inet_ntoa(to->sin_addr), strerror(-err)) : 0;
}

void net_wake(struct ncrt *nc, int who)
{
	uint64_t one = 1;
	ssize_t ret = write(nc->wake[who], &one, sizeof(one));

	(void)ret;	/* the counter cannot overflow: a woken thread resets it */
}

int net_wait(struct ncrt *nc, int who, int64_t ns)
{
	struct timespec ts = { ns / 1000000000, ns % 1000000000 };
	struct pollfd fds[] = { { .fd = nc->wake[who], .events = POLLIN },
				{ .fd = nc->poll, .events = POLLIN } };
	int n, err, saved = errno;
	uint64_t count;

	nc->asleep[who] = true;
	pthread_mutex_unlock(&nc->lock);
	n = ppoll(fds, 2, ns < 0 ? NULL : &ts, NULL);
	err = n < 0 ? errno : 0;
	if (n > 0 && fds[0].revents && read(nc->wake[who], &count, sizeof(count)) < 0)
		err = errno;
	pthread_mutex_lock(&nc->lock);
	nc->asleep[who] = false;
	errno = saved;
	return err ? rt_fail(-err, "interrupted by a signal") : 0;
}
