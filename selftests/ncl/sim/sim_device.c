// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* sim_device.c - simulate a device in a process. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <endian.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include "and.h"
#include "sim_device.h"
#include "random.h"

#define HELD		8
#define FRAME_MAX	2048

/*
 * A datagram. @group: it came for the group of this neighbouring device; NULL: for the device itself.
 * @wait: how many datagrams must still overtake it; 0: it is not held back.
 */
struct frame {
	uint32_t lead;		/* not used; aligns the bytes after the NCP header to 8 */
	uint8_t data[FRAME_MAX];
	size_t len;
	struct sockaddr_in peer;
	const struct and_node *group;
	unsigned int wait;
};

/* @fd: sockets of the device and of the groups of its neighbours. @group: as in struct frame. */
struct device {
	const struct sim_opts *opts;
	struct sim_counts *counts;
	struct and_net *net;
	const struct and_node *self;
	struct pollfd fd[AND_NODES + 1];
	const struct and_node *group[AND_NODES + 1];
	unsigned int fds;
	uint64_t random;
	struct frame held[2][HELD];
};

enum { IN, OUT };

static void must(bool good, const char *what)
{
	if (!good) {
		perror(what);
		exit(1);
	}
}

static struct sockaddr_in address(uint32_t ip, uint16_t port)
{
	return (struct sockaddr_in){
		.sin_family = AF_INET, .sin_addr.s_addr = ip, .sin_port = htons(port),
	};
}

static bool chance(struct device *d, unsigned int per_mille)
{
	return per_mille && random_below(&d->random, 1000) < per_mille;
}

/* ---- what happens to datagrams ---- */

static void arrive(struct device *d, int way, struct frame *f);

/*
 * A datagram has passed in direction @way, so each datagram that is held back there waits for one
 * fewer. Deliver those that have waited for enough datagrams; with @all, deliver all.
 */
static void overtaken(struct device *d, int way, bool all)
{
	struct frame *f;

	for (f = d->held[way]; f < d->held[way] + HELD; f++) {
		if (!f->wait || (--f->wait && !all))
			continue;
		f->wait = 0;
		arrive(d, way, f);
	}
}

static bool hold(struct device *d, int way, const struct frame *f)
{
	struct frame *h;

	for (h = d->held[way]; h < d->held[way] + HELD; h++) {
		if (h->wait)
			continue;
		*h = *f;
		h->wait = 1 + random_below(&d->random, HELD);
		d->counts->late++;
		return true;
	}
	return false;
}

static void travel(struct device *d, int way, struct frame *f)
{
	struct frame copy;

	if (chance(d, d->opts->loss)) {
		d->counts->lost++;
		return;
	}
	if (chance(d, d->opts->twice)) {
		d->counts->twice++;
		copy = *f;
		arrive(d, way, &copy);
	}
	if (!chance(d, d->opts->late) || !hold(d, way, f)) {
		arrive(d, way, f);
		overtaken(d, way, false);
	}
}

/* ---- what the device does ---- */

static bool is_window(struct device *d, const struct frame *f)
{
	const struct ncp_hdr *h = (const void *)f->data;
	unsigned int kernel;

	if (f->len < sizeof(*h) || le16toh(h->magic) != NCP_MAGIC || h->version != NCP_VERSION ||
	    le16toh(h->program) != d->opts->program || le16toh(h->size) != f->len - sizeof(*h))
		return false;
	kernel = le16toh(h->kernel);
	return kernel && kernel <= d->opts->nr_kernels;
}

static const struct and_node *behind(struct device *d)
{
	return and_node(d->net, d->self->behind);
}

/* Is the datagram a broadcast that has come from the next hop to the device that broadcast it first? */
static bool is_spread(struct device *d, const struct frame *f)
{
	const struct ncp_hdr *h = (const void *)f->data;

	return f->group && (h->flags & (NCP_REPLY | NCP_ACK)) == NCP_REPLY &&
	       and_next(d->net, d->self->id, le16toh(h->origin)) == f->group->id &&
	       f->peer.sin_addr.s_addr == f->group->ip;
}

static void window(struct device *d, struct frame *f)
{
	struct ncp_hdr *h = (void *)f->data;
	enum sim_action action = SIM_PASS;
	const struct and_node *to;
	bool spread;

	if (!is_window(d, f)) {
		d->counts->malformed++;
		return;
	}
	spread = is_spread(d, f);
	if (f->group && !spread)
		return;
	d->counts->windows++;
	if (spread)
		h->to = htole16(d->self->id);
	if (spread || !(h->flags & (NCP_REPLY | NCP_ACK)))
		action = d->opts->kernels[le16toh(h->kernel)](d->opts->state, h, h + 1);
	to = h->to && !spread ? and_node(d->net, and_next(d->net, d->self->id, le16toh(h->to))) :
	     behind(d);
	if (action == SIM_DROP || (action == SIM_PASS && !to))
		return;
	if (action == SIM_PASS)
		f->peer = address(to->ip, to->port);
	else
		h->flags |= NCP_REPLY;
	if (action == SIM_REFLECT)
		h->to = h->from;
	if (action == SIM_BCAST && !spread)
		h->origin = htole16(d->self->id);
	if (action == SIM_BCAST)
		f->peer = address(d->self->group, d->self->port);
	travel(d, OUT, f);
}

static void arrive(struct device *d, int way, struct frame *f)
{
	if (way == IN)
		window(d, f);
	else
		sendto(d->fd[0].fd, f->data, f->len, 0, (struct sockaddr *)&f->peer, sizeof(f->peer));
}

static void receive(struct device *d, unsigned int i)
{
	static struct frame f;
	socklen_t len = sizeof(f.peer);
	ssize_t n = recvfrom(d->fd[i].fd, f.data, sizeof(f.data), 0, (struct sockaddr *)&f.peer, &len);

	must(n >= 0, "recvfrom");
	f.len = (size_t)n;
	f.group = d->group[i];
	travel(d, IN, &f);
}

static void run(struct device *d)
{
	unsigned int i;

	for (;;) {
		if (!poll(d->fd, d->fds, 1)) {
			overtaken(d, IN, true);
			overtaken(d, OUT, true);
			continue;
		}
		for (i = 0; i < d->fds; i++)
			if (d->fd[i].revents)
				receive(d, i);
	}
}

/* ---- start and stop ---- */

static int open_socket(struct device *d, uint32_t ip, const struct and_node *group)
{
	struct sockaddr_in own = address(ip, NCP_PORT);
	int size = 4 << 20, on = 1, fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	must(fd >= 0, "socket");
	setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof(size));
	if (group)
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	must(!bind(fd, (struct sockaddr *)&own, sizeof(own)), "bind the device");
	d->fd[d->fds] = (struct pollfd){ .fd = fd, .events = POLLIN };
	d->group[d->fds++] = group;
	return fd;
}

static void open_sockets(struct device *d)
{
	int fd = open_socket(d, d->self->ip, NULL);
	const struct and_node *n;
	unsigned int id;

	must(!setsockopt(fd, IPPROTO_IP, IP_MULTICAST_IF, &d->self->ip, sizeof(d->self->ip)),
	     "IP_MULTICAST_IF");
	for (id = 1; id <= d->net->nr; id++) {
		n = and_node(d->net, id);
		if (!n->device || !d->net->linked[id][d->self->id])
			continue;
		fd = open_socket(d, n->group, n);
		must(!setsockopt(fd, IPPROTO_IP, IP_ADD_MEMBERSHIP, &(struct ip_mreqn){
			.imr_multiaddr.s_addr = n->group, .imr_address.s_addr = d->self->ip,
		}, sizeof(struct ip_mreqn)), "join a group");
	}
}

pid_t sim_start(const struct sim_opts *opts, struct sim_counts **counts)
{
	struct device d = { .opts = opts, .random = opts->seed };
	char err[200] = "";
	pid_t pid;

	must(!and_read(opts->net, &d.net, err, sizeof(err)), err);
	d.self = and_find(d.net, opts->label);
	must(d.self, opts->label);
	d.random = random_mix(&d.random);
	d.counts = mmap(NULL, sizeof(*d.counts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			-1, 0);
	must(d.counts != MAP_FAILED, "mmap");
	*counts = d.counts;
	open_sockets(&d);
	pid = fork();
	must(pid >= 0, "fork");
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		run(&d);
	}
	while (d.fds)
		close(d.fd[--d.fds].fd);
	and_free(d.net);
	return pid;
}

void sim_stop(pid_t pid, struct sim_counts *counts)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	munmap(counts, sizeof(*counts));
}
