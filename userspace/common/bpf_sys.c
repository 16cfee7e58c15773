// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* bpf_sys.c - calls of bpf(2), and a netlink query for the program of an interface. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "bpf_sys.h"

#define REPLY_MAX	32768
#define TRIES		8	/* of a lookup that a signal interrupts */

static int bpf(enum bpf_cmd cmd, union bpf_attr *attr)
{
	int saved = errno, ret;

	ret = (int)syscall(__NR_bpf, cmd, attr, sizeof(*attr));
	if (ret < 0)
		ret = errno == EBADFD ? -EBADF : -errno;
	errno = saved;
	return ret;
}

int bpf_prog_fd(uint32_t id)
{
	union bpf_attr attr = { .prog_id = id };

	return bpf(BPF_PROG_GET_FD_BY_ID, &attr);
}

int bpf_map_fd(uint32_t id)
{
	union bpf_attr attr = { .map_id = id };

	return bpf(BPF_MAP_GET_FD_BY_ID, &attr);
}

int bpf_btf_fd(uint32_t id)
{
	union bpf_attr attr = { .btf_id = id };

	return bpf(BPF_BTF_GET_FD_BY_ID, &attr);
}

static int object_info(int fd, void *info, uint32_t len)
{
	union bpf_attr attr = {
		.info = { .bpf_fd = (uint32_t)fd, .info_len = len, .info = (uintptr_t)info },
	};

	return bpf(BPF_OBJ_GET_INFO_BY_FD, &attr);
}

int bpf_prog_info(int fd, struct bpf_prog_info *info)
{
	return object_info(fd, info, sizeof(*info));
}

int bpf_map_info(int fd, struct bpf_map_info *info)
{
	return object_info(fd, info, sizeof(*info));
}

int bpf_btf_info(int fd, struct bpf_btf_info *info)
{
	return object_info(fd, info, sizeof(*info));
}

static int element(enum bpf_cmd cmd, int fd, const void *key, const void *value, uint64_t flags)
{
	union bpf_attr attr = {
		.map_fd = (uint32_t)fd, .key = (uintptr_t)key, .value = (uintptr_t)value,
		.flags = flags,
	};

	return bpf(cmd, &attr);
}

/* The driver waits for the card's answer. A signal ends that wait, so try again. */
int bpf_lookup(int fd, const void *key, void *value)
{
	int i, err;

	for (i = 0; i < TRIES; i++) {
		err = element(BPF_MAP_LOOKUP_ELEM, fd, key, value, 0);
		if (err != -EINTR)
			break;
	}
	return err;
}

int bpf_update(int fd, const void *key, const void *value, uint64_t flags)
{
	return element(BPF_MAP_UPDATE_ELEM, fd, key, value, flags);
}

int bpf_update_whole(int fd, const void *key, const void *value, uint64_t flags)
{
	sigset_t all, old;
	int err;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	err = bpf_update(fd, key, value, flags);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return err;
}

int bpf_delete(int fd, const void *key)
{
	return element(BPF_MAP_DELETE_ELEM, fd, key, NULL, 0);
}

int bpf_map_new(uint32_t value_size, int ifindex)
{
	union bpf_attr attr = {
		.map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = value_size,
		.max_entries = 1, .map_ifindex = (uint32_t)ifindex,
	};

	return bpf(BPF_MAP_CREATE, &attr);
}

int bpf_prog_load_raw(const struct bpf_insn *insn, uint32_t count, const char *license)
{
	union bpf_attr attr = {
		.prog_type = BPF_PROG_TYPE_RAW_TRACEPOINT, .insn_cnt = count,
		.insns = (uintptr_t)insn, .license = (uintptr_t)license,
	};

	return bpf(BPF_PROG_LOAD, &attr);
}

int bpf_prog_run_on(int fd, unsigned int cpu)
{
	union bpf_attr attr = {
		.test = { .prog_fd = (uint32_t)fd, .flags = BPF_F_TEST_RUN_ON_CPU, .cpu = cpu },
	};

	return bpf(BPF_PROG_TEST_RUN, &attr);
}

/* ---- netlink ---- */

int bpf_netlink(void)
{
	struct timeval tv = { .tv_sec = 1 };
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);

	if (fd < 0)
		return -errno;
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof(tv));
	return fd;
}

/* The attribute of this type, or NULL. */
static const struct rtattr *attr_find(const struct rtattr *a, size_t len, unsigned short type)
{
	for (; RTA_OK(a, len); a = RTA_NEXT(a, len))
		if ((a->rta_type & NLA_TYPE_MASK) == type)
			return a;
	return NULL;
}

/* The attribute of this type in an answer about an interface, or NULL. */
static const struct rtattr *link_attr(const struct nlmsghdr *nh, unsigned short type)
{
	return attr_find(IFLA_RTA(NLMSG_DATA(nh)), IFLA_PAYLOAD(nh), type);
}

static int64_t hw_prog(const struct nlmsghdr *nh)
{
	const struct rtattr *xdp = link_attr(nh, IFLA_XDP), *id = NULL;

	if (xdp)
		id = attr_find(RTA_DATA(xdp), RTA_PAYLOAD(xdp), IFLA_XDP_HW_PROG_ID);
	return id ? *(const uint32_t *)RTA_DATA(id) : 0;
}

/* The driver calls the ports of a card p0, p1... */
static int64_t port_number(const struct nlmsghdr *nh)
{
	const struct rtattr *name = link_attr(nh, IFLA_PHYS_PORT_NAME);
	unsigned int port;

	return name && sscanf(RTA_DATA(name), "p%u", &port) == 1 ? port : 0;
}

typedef int64_t (*answer_fn)(const struct nlmsghdr *nh);

/* The answer to request @seq. Skip late answers to requests that have timed out. */
static int64_t answer(int fd, uint32_t seq, answer_fn read)
{
	static __thread char buf[REPLY_MAX] __attribute__((aligned(8)));
	const struct nlmsghdr *nh = (const void *)buf;
	const struct nlmsgerr *err;
	ssize_t len;

	do {
		len = recv(fd, buf, sizeof(buf), 0);
		if (len < 0 && errno != EINTR)
			return errno == EAGAIN ? -ETIMEDOUT : -errno;
	} while (len < 0 || !NLMSG_OK(nh, (size_t)len) || nh->nlmsg_seq != seq);
	if (nh->nlmsg_type == RTM_NEWLINK)
		return read(nh);
	err = NLMSG_DATA(nh);
	return nh->nlmsg_type == NLMSG_ERROR && err->error ? err->error : -EIO;
}

static int64_t link_ask(int netlink, int ifindex, answer_fn read)
{
	static uint32_t last;
	struct {
		struct nlmsghdr nh;
		struct ifinfomsg ifi;
	} req = {
		.nh = {
			.nlmsg_len = sizeof(req), .nlmsg_type = RTM_GETLINK,
			.nlmsg_flags = NLM_F_REQUEST,
			.nlmsg_seq = __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED),
		},
		.ifi = { .ifi_index = ifindex },
	};
	int saved = errno;
	int64_t ret;

	if (send(netlink, &req, sizeof(req), 0) < 0)
		ret = -errno;
	else
		ret = answer(netlink, req.nh.nlmsg_seq, read);
	errno = saved;
	return ret;
}

int64_t bpf_attached(int netlink, int ifindex)
{
	return link_ask(netlink, ifindex, hw_prog);
}

int bpf_attached_fd(int ifindex)
{
	int netlink = bpf_netlink();
	int64_t id = netlink < 0 ? netlink : bpf_attached(netlink, ifindex);

	if (netlink >= 0)
		close(netlink);
	if (id <= 0)
		return id ? (int)id : -ENOENT;
	return bpf_prog_fd((uint32_t)id);
}

uint8_t bpf_port(int netlink, int ifindex)
{
	int64_t port = link_ask(netlink, ifindex, port_number);

	return port < 0 ? 0 : (uint8_t)port;
}
