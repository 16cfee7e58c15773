// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* node_card.c - find and open the cards of nfp_chan.ko; queries and signals on them. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "char_node.h"

#define DEV_DIR		"/dev"
#define DEV_PREFIX	"nfp_chan"

/* N of "nfp_chanN", or -1. */
static long dev_number(const char *entry)
{
	char *end;
	long n;

	if (strncmp(entry, DEV_PREFIX, strlen(DEV_PREFIX)))
		return -1;
	entry += strlen(DEV_PREFIX);
	if (*entry < '0' || *entry > '9')
		return -1;
	n = strtol(entry, &end, 10);
	return *end || n > INT_MAX ? -1 : n;
}

/* Open with all permissions that the caller has: they limit the channels that it can open. */
static int dev_open(const char *path)
{
	static const int modes[] = { O_RDWR, O_RDONLY, O_WRONLY };
	int saved = errno, fd = -1, err = 0;
	size_t i;

	for (i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		fd = open(path, modes[i] | O_CLOEXEC);
		if (fd >= 0)
			break;
		err = -errno;
		if (err != -EACCES)
			break;
	}
	errno = saved;
	return fd >= 0 ? fd : err;
}

/*
 * Search /dev for the device node of PCI function @pci, or, with NULL, for the one with the
 * lowest number. Returns its number or -ENODEV. If a node could not be opened, and no other
 * node matches, returns that error, and the node's path in @refused.
 */
static long dev_find(const char *pci, char *refused, size_t len)
{
	long best = -ENODEV, n, fd;
	struct nfp_chan_info info;
	struct dirent *de;
	char path[64];
	DIR *dir;

	dir = opendir(DEV_DIR);
	if (!dir)
		return -ENODEV;
	while ((de = readdir(dir))) {
		n = dev_number(de->d_name);
		if (n < 0 || (best >= 0 && n > best))
			continue;
		if (!pci) {
			best = n;
			continue;
		}
		snprintf(path, sizeof(path), DEV_DIR "/" DEV_PREFIX "%ld", n);
		fd = dev_open(path);
		if (fd < 0) {
			if (best < 0) {
				best = fd;
				snprintf(refused, len, "%s", path);
			}
			continue;
		}
		memset(&info, 0, sizeof(info));
		info.size = sizeof(info);
		if (!node_ioctl(fd, NFP_CHAN_IOC_INFO, &info) && !strcmp(info.pci, pci))
			best = n;
		close(fd);
	}
	closedir(dir);
	return best;
}

/* Write the path of the node that @name means. After -EACCES, the path of the node refused. */
static int dev_path(const char *name, char *path, size_t len)
{
	const char *base;
	long n;

	if (!name || !*name) {
		n = dev_find(NULL, path, len);
	} else if (strspn(name, "0123456789") == strlen(name)) {
		n = strtol(name, NULL, 10);
	} else if (name[0] == '/') {
		base = strrchr(name, '/') + 1;
		n = strlen(name) < len && *base ? 0 : -EINVAL;
		if (!n)
			snprintf(path, len, "%s", name);
		return n;
	} else if (strchr(name, ':')) {
		n = dev_find(name, path, len);
	} else {
		n = dev_number(name);
		if (n < 0)
			n = -EINVAL;
	}
	if (n < 0)
		return n;
	snprintf(path, len, DEV_DIR "/" DEV_PREFIX "%ld", n);
	return 0;
}

static const char *dev_why(int err)
{
	switch (err) {
	case -EINVAL:
		return "neither a number, a PCI function (0000:01:00.0), a path of a card nor bpf:DEV";
	case -ENODEV:
	case -ENOENT:
		return "no such card (is nfp_chan.ko loaded, and does its log name the card?)";
	case -ENOTTY:
		return "not a device of nfp_chan.ko";
	}
	return strerrordesc_np(-err);
}

/* Say which group may open the node, and how a user joins that group. */
static const char *dev_refused(const char *path, char *buf, size_t len)
{
	char entry[1024], number[16];
	struct group g, *found = NULL;
	const char *name = number;
	int saved = errno;
	struct stat st;

	if (stat(path, &st)) {
		snprintf(buf, len, "no permission to reach %s", path);
		goto out;
	}
	snprintf(number, sizeof(number), "%u", st.st_gid);
	if (!getgrgid_r(st.st_gid, &g, entry, sizeof(entry), &found) && found)
		name = g.gr_name;
	if (st.st_gid && st.st_mode & 0060)
		snprintf(buf, len, "no permission to open %s: group %s has it (usermod -aG %s USER, then a new login)",
			 path, name, name);
	else
		snprintf(buf, len, "no permission to open %s: group %s, mode %04o (udev's 60-nfp-chan.rules gives it to group nfpchan)",
			 path, name, st.st_mode & 07777);
out:
	errno = saved;
	return buf;
}

static int open_fail(int code, const char *name, const char *path, char *err, size_t len)
{
	char text[256];
	const char *why;

	why = code == -EACCES ? dev_refused(path, text, sizeof(text)) : dev_why(code);
	if (err && len)
		snprintf(err, len, "card %s: %s", name && *name ? name : "(first)", why);
	return code;
}

static int node_info(struct nfpchan_card *card, struct nfp_chan_info *info)
{
	int err = node_ioctl(card->fd, NFP_CHAN_IOC_INFO, info);

	if (err)
		return card_fail(card, err, "%s: %s", card->path, dev_why(err));
	return 0;
}

static int node_query(struct nfpchan_card *card, struct nfp_chan_query *q, const char *what)
{
	int err = node_ioctl(card->fd, NFP_CHAN_IOC_QUERY, q);

	if (err == -ENOENT)
		return card_fail(card, err, "%s: no such channel in the firmware's table", what);
	if (err)
		return card_fail(card, err, "%s: %s", what, strerrordesc_np(-err));
	return 0;
}

static int node_signal(struct nfpchan_card *card, const char *name)
{
	struct nfp_chan_signal sig = { .size = sizeof(sig) };
	int err;

	err = card_name(card, sig.name, name);
	if (err)
		return err;
	err = node_ioctl(card->fd, NFP_CHAN_IOC_SIGNAL, &sig);
	switch (err) {
	case 0:
		return 0;
	case -ENOENT:
		return card_fail(card, err, "%s: no such channel in the firmware's table", name);
	case -EOPNOTSUPP:
		return card_fail(card, err, "%s: its ME process takes no signals", name);
	case -EACCES:
		return card_fail(card, err, "%s: %s is not open for writing", name, card->path);
	case -EBUSY:
		return card_fail(card, err, "%s: the channel is exclusive, and open: its owner alone may signal it",
				 name);
	}
	return card_fail(card, err, "%s: %s", name, strerrordesc_np(-err));
}

static void node_close(struct nfpchan_card *card)
{
	close(card->fd);
}

const struct card_ops card_node_ops = {
	.info = node_info,
	.query = node_query,
	.signal = node_signal,
	.port = node_port_open,
	.open = node_chan_open,
	.close = node_close,
};

int node_card_open(struct nfpchan_card *card, const char *name, char *err, size_t errlen)
{
	struct nfp_chan_info info;
	struct stat st;
	int ret;

	card->ops = &card_node_ops;
	ret = dev_path(name, card->path, sizeof(card->path));
	if (ret)
		goto fail;
	card->fd = dev_open(card->path);
	if (card->fd < 0) {
		ret = card->fd == -ENOENT ? -ENODEV : card->fd;
		goto fail;
	}
	/* Is it a node of nfp_chan.ko? Another driver could take our ioctls for its own. */
	ret = fstat(card->fd, &st) ? -errno : nfpchan_card_info(card, &info);
	if (!ret) {
		card->dev = st.st_rdev;
		return 0;
	}
	close(card->fd);
fail:
	return open_fail(ret, name, card->path, err, errlen);
}
