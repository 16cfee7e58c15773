// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* attach.c - attach the host's side, then the card's. They are detached in the opposite order. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/if_link.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "split.h"

#define FLIGHT_MAX	64	/* files in a message; the kernel permits 253 (SCM_MAX_FD) */

/* ---- files in flight ---- */

/**
 * struct flight - files to be sent into a socket
 * @fd: their descriptors
 * @n: number of files
 */
struct flight {
	int fd[FLIGHT_MAX];
	unsigned int n;
};

/* Send the files into a new socket, and return it. The socket holds references to them. */
static int flight_start(const struct flight *f)
{
	union {
		struct cmsghdr align;
		char room[CMSG_SPACE(FLIGHT_MAX * sizeof(int))];
	} control = { .room = { 0 } };
	struct iovec byte = { .iov_base = &(char){ 0 }, .iov_len = 1 };
	struct msghdr msg = {
		.msg_iov = &byte, .msg_iovlen = 1, .msg_control = control.room,
		.msg_controllen = CMSG_SPACE(f->n * sizeof(int)),
	};
	struct cmsghdr *c = CMSG_FIRSTHDR(&msg);
	int pair[2], ret = 0;

	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(f->n * sizeof(int));
	memcpy(CMSG_DATA(c), f->fd, f->n * sizeof(int));
	if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, pair))
		return -errno;
	if (sendmsg(pair[0], &msg, 0) != 1)
		ret = -errno;
	close(pair[0]);
	if (ret)
		close(pair[1]);
	return ret ? ret : pair[1];
}

static int flight_add(struct flight *f, int fd)
{
	if (f->n == FLIGHT_MAX)
		return -E2BIG;
	f->fd[f->n++] = fd;
	return 0;
}

/* ---- why the kernel refuses the host's side ---- */

#define RINGS	8	/* rings of each kind that the card has for an interface */

static char refusal[256];

static int keep_refusal(enum libbpf_print_level level, const char *fmt, va_list ap)
{
	if (level == LIBBPF_WARN)
		vsnprintf(refusal, sizeof(refusal), fmt, ap);
	return 0;
}

/* The kernel gives the reason in a netlink message only. So attach once more by netlink. */
static void why_refused(const char *dev, int prog, char *text, size_t len)
{
	int ifindex = (int)if_nametoindex(dev);
	unsigned int rx = 0, tx = 0, most = RINGS / 2;

	refusal[0] = '\0';
	libbpf_set_print(keep_refusal);
	if (!bpf_xdp_attach(ifindex, prog, XDP_FLAGS_DRV_MODE | XDP_FLAGS_UPDATE_IF_NOEXIST, NULL))
		bpf_xdp_detach(ifindex, XDP_FLAGS_DRV_MODE, NULL);
	snprintf(text, len, "%s", refusal);
	if (strstr(refusal, "TX rings") && !rings_count(dev, &rx, &tx))
		snprintf(text, len, "%sNative XDP needs one more TX ring for each of the %u RX rings, "
			 "besides the %u of the stack, and the card has %u. Use fewer: ethtool -L %s "
			 "combined %u tx 0", refusal, rx, tx, RINGS, dev, rx < most ? rx : most);
	else if (strstr(refusal, "MTU"))
		snprintf(text, len, "%sNative XDP needs a frame to fit into a page. Lower the MTU: ip link "
			 "set dev %s mtu 1500", refusal, dev);
}

/* ---- both sides ---- */

static int link_make(const char *dev, int prog, uint32_t mode)
{
	LIBBPF_OPTS(bpf_link_create_opts, opts, .flags = mode);

	return bpf_link_create(prog, (int)if_nametoindex(dev), BPF_XDP, &opts);
}

static int fail(const char *dev, const char *side, int code, const char *why, char *err, size_t len)
{
	if (code == -EBUSY || code == -EEXIST)
		why = "another program is attached (bpftool net show)";
	snprintf(err, len, "%s: %s: %s%s%s", dev, side, strerror(-code), why && *why ? ". " : "",
		 why ? why : "");
	return code;
}

/* Return a socket that holds prog arrays: that of @table, if any, and those of the object. */
static int arrays(int table, struct bpf_object *host)
{
	struct flight f = { .n = 0 };
	struct bpf_map *map;
	int ret = table >= 0 ? flight_add(&f, table) : 0;

	bpf_object__for_each_map(map, host)
		if (!ret && bpf_map__type(map) == BPF_MAP_TYPE_PROG_ARRAY && bpf_map__fd(map) >= 0)
			ret = flight_add(&f, bpf_map__fd(map));
	return ret ? ret : flight_start(&f);
}

/* Return a socket that holds the link, if any, and the socket that holds the prog arrays. */
static int put_away(int link, int table, struct bpf_object *host)
{
	int behind = arrays(table, host), ret;
	struct flight f = { .fd = { behind, link }, .n = link >= 0 ? 2 : 1 };

	if (behind < 0)
		return behind;
	ret = flight_start(&f);
	close(behind);
	return ret;
}

int links_attach(struct split_links *l, const char *dev, const struct split_table *t,
		 struct bpf_object *host, int card_prog, bool generic, char *err, size_t len)
{
	int link = link_make(dev, t->prog, generic ? XDP_FLAGS_SKB_MODE : XDP_FLAGS_DRV_MODE);
	char why[512] = "";
	int ret;

	*l = (struct split_links){ -1, -1, { -1, -1 } };
	if (link == -EINVAL && !generic)
		why_refused(dev, t->prog, why, sizeof(why));
	if (link < 0)
		return fail(dev, "the host's side", link, why, err, len);
	l->rest = put_away(link, t->progs, host);
	close(link);
	if (l->rest < 0)
		return fail(dev, "the host's side", l->rest, NULL, err, len);
	ret = link_make(dev, card_prog, XDP_FLAGS_HW_MODE);
	l->card = ret;
	if (ret >= 0)
		return 0;
	links_detach(l);
	return fail(dev, "the card's side", ret, NULL, err, len);
}

int links_replace(struct split_links *l, struct bpf_object *host, int card_prog, char *err,
		  size_t len)
{
	int more = put_away(-1, -1, host), ret = more < 0 ? more : 0;

	if (!ret)
		ret = bpf_link_update(l->card, card_prog, NULL);
	if (ret) {
		snprintf(err, len, "the card's side: %s", strerror(-ret));
		if (more >= 0)
			close(more);
		return ret;
	}
	/* Frames may be on their way to the programs that were replaced: keep their arrays. */
	if (l->more[0] >= 0)
		close(l->more[0]);
	l->more[0] = l->more[1];
	l->more[1] = more;
	return 0;
}

void links_detach(struct split_links *l)
{
	if (l->card >= 0)
		close(l->card);
	if (l->rest >= 0)
		close(l->rest);
	if (l->more[0] >= 0)
		close(l->more[0]);
	if (l->more[1] >= 0)
		close(l->more[1]);
	*l = (struct split_links){ -1, -1, { -1, -1 } };
}
