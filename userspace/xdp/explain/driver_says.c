// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * driver_says.c - read an interface, and what its driver shows of the card.
 *
 * The driver shows the control area of its vNIC as registers (ethtool -d). They have the
 * greatest length of a program, its stack, and how much of a packet a program reaches. The
 * driver does not show which helpers and maps the firmware offers.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include "alloc.h"
#include "explain.h"

/* Offsets and bits from the driver's nfp_net_ctrl.h */
#define CFG_CTRL	0x00
#define CFG_CAP		0x38
#define   CFG_BPF	(1u << 27)
#define CFG_BPF_CAP	0x81
#define   CFG_BPF_RELOAD (1u << 0)
#define CFG_BPF_MAX_LEN	0x82
#define CFG_BPF_STACK	0x88	/* in units of 64 bytes */
#define CFG_BPF_INLINE	0x89	/* in units of 64 bytes; subtract 32 bytes */
#define CFG_END		0x8a

/* The driver appends the name of the application to the versions. */
#define APP_NAME	"ebpf"

static int ethtool(int fd, const char name[IFNAMSIZ], void *cmd)
{
	struct ifreq req = { .ifr_data = cmd };

	memcpy(req.ifr_name, name, IFNAMSIZ);
	return ioctl(fd, SIOCETHTOOL, &req) ? -errno : 0;
}

static uint32_t le32(const uint8_t *p)
{
	return p[0] | p[1] << 8 | p[2] << 16 | (uint32_t)p[3] << 24;
}

static const char *last_word(const char *s)
{
	const char *p = strrchr(s, ' ');

	return p ? p + 1 : s;
}

/* Compare the application's name. The driver cuts the version off after 31 characters. */
static bool app_is(const char *firmware, const char *name)
{
	const char *last = last_word(firmware);
	size_t len = strlen(firmware) == ETHTOOL_FWVERS_LEN - 1 ? strlen(last) : strlen(name) + 1;

	return *last && !strncmp(last, name, len);
}

/* Report the attached program, and whether the card can replace it. */
static void check_attached(struct device *d, const uint8_t *regs)
{
	LIBBPF_OPTS(bpf_xdp_query_opts, query);

	if (!bpf_xdp_query(d->net.index, 0, &query))
		d->attached = query.hw_prog_id;
	if (d->attached && regs && !(regs[CFG_BPF_CAP] & CFG_BPF_RELOAD))
		issue_add(&d->issues, WHY_DEV_RELOAD, -1,
			  "program %u is attached, and the firmware cannot replace it", d->attached);
	else if (d->attached)
		issue_add(&d->issues, WHY_DEV_BUSY, -1, "program %u is attached", d->attached);
	else if (regs && le32(regs + CFG_CTRL) & CFG_BPF)
		issue_add(&d->issues, WHY_DEV_TC, -1, "a tc program is offloaded");
}

static void read_limits(struct device *d, const uint8_t *regs, struct limits *l)
{
	if (!(le32(regs + CFG_CAP) & CFG_BPF))
		issue_add(&d->issues, WHY_DEV_APP, -1, "the card does not offer BPF");
	l->words = regs[CFG_BPF_MAX_LEN] | regs[CFG_BPF_MAX_LEN + 1] << 8;
	l->stack = regs[CFG_BPF_STACK] * 64;
	/* A register of 0 means no limit, for the driver as well: the difference wraps. */
	l->inline_mtu = regs[CFG_BPF_INLINE] * 64u - 32;
	l->known = true;
}

/* Read the control area. Return NULL when the user is not permitted to. */
static struct ethtool_regs *read_regs(int fd, const char name[IFNAMSIZ])
{
	struct ethtool_drvinfo info = { .cmd = ETHTOOL_GDRVINFO };
	struct ethtool_regs *regs;

	if (ethtool(fd, name, &info))
		return NULL;
	regs = xzalloc(sizeof(*regs) + info.regdump_len);
	regs->cmd = ETHTOOL_GREGS;
	regs->len = info.regdump_len;
	if (!ethtool(fd, name, regs) && regs->len >= CFG_END)
		return regs;
	free(regs);
	return NULL;
}

/* ---- maps on the card ---- */

/* Whether a map is on the card, at any of its ports: these are one PCI device. */
static bool on_card(const struct netdev *dev, const struct bpf_map_info *info)
{
	struct netdev other;

	return !netdev_at(&other, info->ifindex) && !strcmp(other.bus, dev->bus);
}

/* Whether the map's interface is in the network namespace of this process. */
static bool in_netns(const struct bpf_map_info *info)
{
	struct stat st;

	return !stat("/proc/self/ns/net", &st) && st.st_ino == info->netns_ino;
}

static void count_maps(struct device *d)
{
	struct bpf_map_info info;
	bool elsewhere = false;
	uint32_t id = 0, len;
	int fd;

	while (!bpf_map_get_next_id(id, &id)) {
		fd = bpf_map_get_fd_by_id(id);
		if (fd < 0 && errno == ENOENT)
			continue;	/* the map was freed in the meantime */
		if (fd < 0)
			return;
		memset(&info, 0, sizeof(info));
		len = sizeof(info);
		if (!bpf_obj_get_info_by_fd(fd, &info, &len) && info.ifindex) {
			elsewhere |= !in_netns(&info);
			if (in_netns(&info) && on_card(&d->net, &info)) {
				d->maps++;
				d->entries += info.max_entries;
			}
		}
		close(fd);
	}
	/* A map of another network namespace may be on any card. */
	d->maps_known = errno == ENOENT && !elsewhere;
}

static int read_mtu(int fd, const char name[IFNAMSIZ], unsigned int *mtu)
{
	struct ifreq req = { 0 };

	memcpy(req.ifr_name, name, IFNAMSIZ);
	if (ioctl(fd, SIOCGIFMTU, &req))
		return -errno;
	*mtu = req.ifr_mtu;
	return 0;
}

static int read_all(struct device *d, int fd, struct limits *limits)
{
	struct ethtool_regs *regs;
	int ret;

	ret = read_mtu(fd, d->net.name, &d->mtu);
	if (ret)
		return ret;
	if (strcmp(d->net.driver, "nfp")) {
		issue_add(&d->issues, WHY_DEV_DRIVER, -1, "its driver is \"%s\", not nfp", d->net.driver);
		return 0;
	}
	if (!app_is(d->net.firmware, APP_NAME)) {
		issue_add(&d->issues, WHY_DEV_APP, -1, "its firmware is \"%s\", of application %s",
			  d->net.firmware, last_word(d->net.firmware));
		return 0;
	}
	regs = read_regs(fd, d->net.name);
	if (regs)
		read_limits(d, regs->data, limits);
	check_attached(d, regs ? regs->data : NULL);
	free(regs);
	count_maps(d);
	return 0;
}

int device_read(struct device *d, const char *name, struct limits *limits, char *err, size_t len)
{
	int fd, ret;

	memset(d, 0, sizeof(*d));
	ret = netdev_find(&d->net, name);
	if (ret) {
		snprintf(err, len, "%s", strerror(-ret));
		return ret;
	}
	fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	ret = fd < 0 ? -errno : read_all(d, fd, limits);
	if (fd >= 0)
		close(fd);
	if (ret)
		snprintf(err, len, "%s", strerror(-ret));
	return ret;
}

void device_check(const struct device *d, const struct limits *limits, struct xprog *p)
{
	unsigned int reach = p->packet < d->mtu ? p->packet : d->mtu;

	if (p->examined && limits->inline_mtu < reach)
		issue_add(&p->issues, WHY_DEV_MTU, -1,
			  "it may access byte %u of a packet (MTU %u); programs on the card "
			  "reach the first %u bytes", p->packet, d->mtu, limits->inline_mtu);
}
