// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* link_fds.c - see link_fds.h. */
#define _GNU_SOURCE
#include "link_fds.h"

int link_fds(int from, int to, unsigned int flags)
{
	struct nfp_chan_link l = { .size = sizeof(l), .flags = flags, .to_fd = to, .fd = -1 };

	return ioctl(from, NFP_CHAN_IOC_LINK, &l) ? -1 : l.fd;
}

int link_must(int from, int to)
{
	int fd = link_fds(from, to, 0);

	if (fd < 0)
		die("NFP_CHAN_IOC_LINK");
	return fd;
}

struct nfp_chan_link_stat link_stat(int fd)
{
	struct nfp_chan_link_stat s = { .size = sizeof(s) };

	if (ioctl(fd, NFP_CHAN_IOC_LINK_STAT, &s))
		die("NFP_CHAN_IOC_LINK_STAT");
	return s;
}

void order(int ctl, uint32_t count, uint32_t target)
{
	struct load_req req = { htole32(count), htole32(64), htole32(target), htole32(7) };

	if (write(ctl, &req, sizeof(req)) != sizeof(req))
		die("load-ctl");
}

bool rest_comes(int fd, uint64_t seq, uint64_t last)
{
	struct load_msg m[4];

	while (seq < last && read(fd, m, 64) == 64 && le64toh(m->seq) == seq + 1)
		seq++;
	return seq == last;
}

int from_open(int dev, const char *name)
{
	int fd = chan_open(dev, name, NFP_CHAN_OPEN_LINK, 0);

	if (fd < 0)
		die(name);
	return fd;
}

int out_open(int dev)
{
	int fd = chan_open(dev, "echo-out", 0, 4096);

	if (fd < 0)
		die("echo-out");
	return fd;
}
