// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* ops_chan.c - ioctls, reads and writes of the node and of channels. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/uio.h>
#include <unistd.h>

#include "test_apps.h"
#include "fuzz.h"
#include "stream.h"

#define LARGE	(1 << 20)

static uint8_t large[LARGE];

long op_card(const struct call *c)
{
	static const int flags[] = { O_RDWR, O_RDONLY, O_WRONLY, O_RDWR | O_NONBLOCK };
	int fd = open("/dev/nfp_chan0", flags[c->x % 4] | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	slot_put(c->a, fd);
	return 0;
}

/* Return a size for an ioctl's struct: usually the right one, else a wrong or a larger one. */
static uint32_t odd_size(uint32_t size, uint32_t how)
{
	switch (how % 64) {
	case 0:
		return size - 1;
	case 1:
		return size + 8;
	case 2:
		return (how >> 8) % 256;
	case 3:
		return how;
	case 4:
		return 4096 + (how >> 8) % 2;
	}
	return size;
}

static uint32_t odd_flags(uint32_t flags, uint32_t how)
{
	return how % 64 ? flags : 1u << (how >> 8) % 32;
}

static void name_put(char *name, uint32_t x)
{
	memset(name, 0, NFP_CHAN_NAME_LEN);
	if (x % 64 == 0)
		memset(name, 'a', NFP_CHAN_NAME_LEN);
	else if (x % 64 == 1)
		strcpy(name, "nothing");
	else
		memcpy(name, setup.names[(x >> 8) % setup.count], NFP_CHAN_NAME_LEN);
}

static uint8_t tag_of(const char *name)
{
	unsigned int i;

	for (i = 0; i < setup.count; i++)
		if (!strncmp(name, setup.names[i], NFP_CHAN_NAME_LEN))
			return setup.tags[i];
	return 0;
}

/* Call an ioctl. The struct is followed by zeros, for sizes larger than the struct. */
static long call_ioctl_on(const struct call *c, int fd, unsigned long cmd, const void *arg,
			  size_t len)
{
	uint8_t padded[512] = { 0 };

	memcpy(padded, arg, len);
	return answer(c, fd, cmd, ioctl(fd, cmd, place(padded, len + 16, c->z)));
}

static long call_ioctl(const struct call *c, unsigned long cmd, const void *arg, size_t len)
{
	return call_ioctl_on(c, slot(c->a), cmd, arg, len);
}

long op_info(const struct call *c)
{
	struct nfp_chan_info i = {
		.size = odd_size(sizeof(i), c->x), .flags = odd_flags(0, c->y),
	};

	return call_ioctl(c, NFP_CHAN_IOC_INFO, &i, sizeof(i));
}

long op_query(const struct call *c)
{
	struct nfp_chan_query q = {
		.size = odd_size(sizeof(q), c->x >> 3), .flags = odd_flags((c->x & 1) | (c->x >> 1 & 2), c->y),
		.id = c->x & 2 ? c->y % (setup.count + 1) : c->y,
	};

	name_put(q.name, c->y);
	return call_ioctl(c, NFP_CHAN_IOC_QUERY, &q, sizeof(q));
}

/* Return a port for an OPEN, rarely another file, usually -1. */
static int port_for(const struct call *c)
{
	int port = slot_find(2 + (c->y >> 20) % 6, TAG_PORT);

	if ((c->y >> 16) % 4 || (port < 0 && (c->y >> 20) % 16))
		return -1;
	return port >= 0 && c->y >> 28 ? port : slot(c->y >> 20);
}

/* Return the tag of an opened channel, for read() and write() or (@mapped) for mappings. */
static uint8_t tag_opened(const char *name, bool mapped)
{
	uint8_t tag = tag_of(name);

	if (mapped)
		return (tag & ~(TAG_READ | TAG_WRITE | TAG_ASK)) | TAG_MAPPED;
	return tag & ~TAG_LOOP;
}

/* Open a channel into slot b. The program uses the fd that the kernel has returned. */
long op_open(const struct call *c)
{
	static const uint32_t ring[] = {
		0, 0, 0, 0, 0, 4096, 4096, 8192, 16384, 65536, 65536, 131072, 1 << 20, 4 << 20,
		12345, 2048,
	};
	struct nfp_chan_open o = {
		.size = odd_size(sizeof(o), c->x >> 4),
		.flags = odd_flags(c->x & 4 ? NFP_CHAN_OPEN_MAPPED | (c->x & 3) : c->x & 1,
				   c->x >> 8),
		.fd = -1, .ring_size = ring[(c->y >> 5) % 16], .port_fd = port_for(c),
		.ring_fd = c->y % 64 == 5 ? slot(c->y >> 24) : -1,
	};
	struct nfp_chan_open *at;
	int fd = slot(c->a);
	long ret;

	if (c->y % 8 == 0) {
		o.irq_count = (c->x >> 20) % (c->x & 0x100 ? 16 : 4096);
		o.irq_usecs = (c->x >> 12) % (c->x & 0x200 ? 1000 : 1 << 20);
	}
	if (o.port_fd != -1 || c->y % 64 == 6)
		o.cookie = c->x;
	name_put(o.name, c->y);
	at = place(&o, sizeof(o), c->z);
	ret = answer(c, fd, NFP_CHAN_IOC_OPEN, ioctl(fd, NFP_CHAN_IOC_OPEN, at));
	/* If the struct cannot be read back (case 5 of place()), the fd stays open until exit. */
	if (!ret && c->z % 64 != 5)
		slot_put_tagged(c->b, at->fd,
				tag_opened(o.name, o.flags & NFP_CHAN_OPEN_MAPPED));
	return ret;
}

/* Open a stream in the ring of another channel, if one is open; rarely of any other file. */
long op_shared(const struct call *c)
{
	int ring = slot_find(2 + (c->y >> 24) % 6, TAG_LOOP);
	struct nfp_chan_open o = {
		.size = odd_size(sizeof(o), c->x >> 4),
		.flags = odd_flags(NFP_CHAN_OPEN_MAPPED, c->x >> 8),
		.ring_fd = ring >= 0 && c->y % 16 ? ring : slot(c->y >> 24), .fd = -1,
		.port_fd = port_for(c), .ring_size = c->y % 64 == 5 ? 4096 : 0,
	};
	struct nfp_chan_open *at;
	int fd = slot(c->a);
	long ret;

	/* Usually a sink: the loop channels belong to the witnesses (witness.c). */
	name_put(o.name, c->y);
	if ((c->x >> 16) % 8)
		strcpy(o.name, c->x >> 31 ? "sink" : "sink64");
	at = place(&o, sizeof(o), c->z);
	ret = answer(c, fd, NFP_CHAN_IOC_OPEN, ioctl(fd, NFP_CHAN_IOC_OPEN, at));
	if (!ret && c->z % 64 != 5)
		slot_put_tagged(c->b, at->fd, TAG_MAPPED);
	return ret;
}

long op_port(const struct call *c)
{
	struct nfp_chan_port p = {
		.size = odd_size(sizeof(p), c->x),
		.flags = odd_flags(c->y & (NFP_CHAN_OPEN_NONBLOCK | NFP_CHAN_OPEN_MAPPED), c->x >> 8),
		.fd = -1, .rsvd = c->y % 64 == 5,
	};
	struct nfp_chan_port *at = place(&p, sizeof(p), c->z);
	int fd = slot(c->a);
	long ret = answer(c, fd, NFP_CHAN_IOC_PORT, ioctl(fd, NFP_CHAN_IOC_PORT, at));

	if (!ret && c->z % 64 != 5)
		slot_put_tagged(c->b, at->fd, TAG_PORT | (c->y & NFP_CHAN_OPEN_MAPPED ?
							  TAG_MAPPED : TAG_READ));
	return ret;
}

long op_signal(const struct call *c)
{
	struct nfp_chan_signal s = {
		.size = odd_size(sizeof(s), c->x), .flags = odd_flags(0, c->x >> 8),
	};

	/* A channel's fd takes no name. */
	if (c->y % 4)
		name_put(s.name, c->y);
	return call_ioctl(c, NFP_CHAN_IOC_SIGNAL, &s, sizeof(s));
}

long op_geom(const struct call *c)
{
	struct nfp_chan_layout g = {
		.size = odd_size(sizeof(g), c->x), .flags = odd_flags(0, c->y),
	};

	return call_ioctl(c, NFP_CHAN_IOC_LAYOUT, &g, sizeof(g));
}

long op_eventfd(const struct call *c)
{
	struct nfp_chan_eventfd e = {
		.size = odd_size(sizeof(e), c->x), .flags = odd_flags(0, c->y),
		.fd = c->x & 7 ? slot(c->b) : (int)c->y, .rsvd = c->y % 64 == 5,
	};

	return call_ioctl(c, NFP_CHAN_IOC_EVENTFD, &e, sizeof(e));
}

long op_cancel(const struct call *c)
{
	struct nfp_chan_cancel k = {
		.size = odd_size(sizeof(k), c->x), .flags = odd_flags(0, c->y),
		.seq = c->x & 7 ? c->y % 8 : c->y, .rsvd = c->y % 64 == 5,
	};

	return call_ioctl(c, NFP_CHAN_IOC_CANCEL, &k, sizeof(k));
}

long op_bind(const struct call *c)
{
	struct nfp_chan_xdp_bind x = {
		.size = odd_size(sizeof(x), c->x >> 3), .flags = odd_flags(0, c->y),
		.prog_fd = c->y & 1 ? setup.prog_fd : slot(c->b), .map_fd = slot(c->y >> 8),
	};

	/* Usually the right program and map, because the channel is rarely one for XDP. */
	if (c->y >> 1 & 6)
		x.prog_fd = setup.card_fd;
	if (c->y >> 1 & 5)
		x.map_fd = setup.map_fd;
	if (c->x & 1)
		x.prog_fd = -1;
	return call_ioctl_on(c, slot_like(c->a, TAG_XDP), c->x & 1 ? NFP_CHAN_IOC_XDP_UNBIND :
			     NFP_CHAN_IOC_XDP_BIND, &x, sizeof(x));
}

long op_arm(const struct call *c)
{
	struct nfp_chan_arm a = {
		.size = odd_size(sizeof(a), c->x), .flags = odd_flags(c->y & NFP_CHAN_ARM_SEQ, c->x >> 8),
		.seq = c->y & 2 ? 0 : c->y >> 2, .events = c->z >> 8,
	};

	return call_ioctl_on(c, slot_like(c->a, c->y & 1 ? TAG_MAPPED : 0), NFP_CHAN_IOC_ARM, &a,
			     sizeof(a));
}

/* Wrong units turn the pipe off, so there are usually few of them. */
long op_kick(const struct call *c)
{
	struct nfp_chan_kick k = {
		.size = odd_size(sizeof(k), c->x), .flags = odd_flags(0, c->x >> 8),
		.units = c->y & 7 ? (c->y >> 3) % 4 : c->y, .rsvd = c->y % 64 == 5,
	};

	return call_ioctl_on(c, slot_like(c->a, TAG_MAPPED), NFP_CHAN_IOC_KICK, &k, sizeof(k));
}

/* The address of a part of LINK, usually a good one. */
static uint64_t part(const void *data, uint32_t how)
{
	switch (how % 32) {
	case 0:
		return 0;
	case 1:
		return (uint64_t)-4096l;
	case 2:
		return (uintptr_t)maps[(how >> 8) % MAPS].base;
	}
	return (uintptr_t)data;
}

/* Link two channels. The link's fd goes to a slot for other kinds of files. */
long op_link(const struct call *c)
{
	struct nfp_chan_link l = {
		.size = odd_size(sizeof(l), c->x), .flags = odd_flags(0, c->x >> 8), .fd = -1,
		.to_fd = c->y % 16 == 1 ? -1 : slot_like(c->b, TAG_WRITE),
	};
	unsigned long cmd = c->y % 16 == 2 ? NFP_CHAN_IOC_PEER : NFP_CHAN_IOC_LINK;
	uint8_t hdr[80] = { 0 }, mask[10], value[10] = { (uint8_t)(c->y >> 16) };
	int fd = slot_like(c->a, TAG_READ);
	struct nfp_chan_link_op op[2];
	struct nfp_chan_link *at;
	long ret;

	memset(mask, 0xff, sizeof(mask));
	memset(op, 0, sizeof(op));

	if (c->y & 0x100) {
		l.match_len = (c->y >> 9) % 10;
		l.match_off = (c->y >> 13) % (c->y & 0x8000 ? 16 : 4096);
		l.mask = l.match_len ? part(mask, c->z >> 8) : 0;
		l.value = l.match_len ? part(value, c->z >> 13) : 0;
	}
	if (c->y & 0x200) {
		l.hdr_len = (c->y >> 20) % (c->y & 0x400 ? 80 : 20);
		l.hdr = l.hdr_len ? part(hdr, c->z >> 18) : 0;
	}
	if (c->y & 0x800) {
		op[0].op = c->y % 64 == 7 ? c->x : NFP_CHAN_LINK_ADD;
		op[0].len = c->y & 0x1000 ? 8 : 4;
		op[0].off = (c->y >> 24) % 20;
		op[0].arg = c->y % 64 == 8 ? (uint64_t)c->x << 16 : c->y % 16;
		op[0].rsvd = c->y % 64 == 6;
		l.op_count = c->y % 64 == 9 ? c->x : 1;
		l.ops = part(op, c->z >> 23);
	}
	at = place(&l, sizeof(l), c->z);
	ret = answer(c, fd, cmd, ioctl(fd, cmd, at));
	if (!ret && c->z % 64 != 5)
		slot_put(slots_of[OTHER].first + c->y % slots_of[OTHER].count, at->fd);
	return ret;
}

/* Call ioctls with numbers near the module's, or with numbers that all files know. */
long op_ioctl(const struct call *c)
{
	static const unsigned long others[] = {
		FIONREAD, FIONBIO, FIOASYNC, FIOCLEX, FIONCLEX, FIOQSIZE, 2, 0,
	};
	uint32_t junk[64];
	unsigned long cmd;
	unsigned int i;
	int fd = slot(c->a);

	for (i = 0; i < 64; i++)
		junk[i] = i ? c->y * i : odd_size(64, c->y);
	cmd = _IOC(c->x & 1 ? _IOC_NONE : c->x >> 1 & 3, c->x & 4 ? NFP_CHAN_IOC_TYPE : c->x >> 24,
		   (c->x >> 3) % 16 | (c->x & 0x80), c->y & 1 ? 0 : (c->y >> 1) % 300);
	if (c->x & 0x100)
		cmd = others[(c->x >> 9) % 8];
	return answer(c, fd, cmd, ioctl(fd, cmd, place(junk, sizeof(junk), c->z)));
}

/* ---- read and write ---- */

static const size_t lengths[] = {
	2048, 0, 1, 8, 16, 64, 100, 256, 2047, 2049, 4096, 65536, 65600, 131072, LARGE - 1, LARGE,
};

static size_t length(uint32_t x)
{
	return x & 0x80 ? lengths[(x >> 8) % 16] : (x >> 8) % 300;
}

/* Split a buffer into one to eight parts; some of them may be at bad addresses. */
static int parts(struct iovec *iov, uint8_t *from, size_t len, uint32_t how)
{
	int n = how & 1 ? 1 + (how >> 8) % 8 : 1, i;

	for (i = 0; i < n; i++) {
		iov[i].iov_base = from + len / n * i;
		iov[i].iov_len = i == n - 1 ? len - len / n * i : len / n;
	}
	if (how % 16 == 2)
		iov[n - 1].iov_base = place("", 1, how >> 16);
	return n;
}

static int rw_flags(uint32_t x)
{
	static const int flags[] = { 0, 0, 0, RWF_NOWAIT, RWF_HIPRI, RWF_APPEND, RWF_DSYNC, -1 };

	return flags[x % 8];
}

long op_read(const struct call *c)
{
	int fd = slot_like(c->a, TAG_READ);
	size_t len = length(c->y);
	uint8_t *to = c->z % 64 < 6 ? place("", 1, c->z) : large;
	struct iovec iov[8];
	int n;

	if (c->x & 1)
		return answer(c, fd, ON_READ, read(fd, to, len));
	n = parts(iov, large, len, c->x >> 8);
	return answer(c, fd, ON_READ, preadv2(fd, iov, n, c->x & 14 ? -1 : (off_t)(c->x >> 8),
					      rw_flags(c->x >> 4)));
}

/* Clear the request in a 16-byte message: a random one would keep the card busy for long. */
static void tame(uint8_t *data, size_t len)
{
	if (len == 16)
		memset(data, 0, 8);
}

long op_write(const struct call *c)
{
	int fd = slot_like(c->a, TAG_WRITE);
	size_t len = length(c->y);
	uint8_t *from = c->z % 64 < 6 ? place("", 1, c->z) : large;
	struct iovec iov[8];
	int n;

	tame(large, len);
	if (c->x & 1)
		return answer(c, fd, ON_WRITE, write(fd, from, len));
	n = parts(iov, large, len, c->x >> 8);
	return answer(c, fd, ON_WRITE, pwritev2(fd, iov, n, c->x & 14 ? -1 : (off_t)(c->x >> 8),
						rw_flags(c->x >> 4)));
}

/* Make the card send messages, if the slot has a channel for such requests. */
long op_feed(const struct call *c)
{
	int fd = slot_like(c->a, TAG_WRITE | TAG_ASK);
	struct load_req load = {
		.count = c->x % 64, .size = 16 + c->y % 2040, .target = c->z % 3, .token = c->z,
	};
	struct source_req source = {
		.bytes = 64 * (c->x % 4096), .chunk = 64u << c->y % 8, .target = c->z % 2,
	};

	if (c->x & 1)
		return answer(c, fd, ON_WRITE, write(fd, &load, sizeof(load)));
	return answer(c, fd, ON_WRITE, write(fd, &source, sizeof(source)));
}
