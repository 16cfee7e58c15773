// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* node_chan.c - pipes of nfp_chan.ko: open and close them, map their memory. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#include "char_node.h"
#include "port.h"

#define INLINE_DEFAULT	64

/* The limit on the memory that the user's processes lock together, as text. */
static const char *memlock(char *buf, size_t len)
{
	struct rlimit r;

	if (getrlimit(RLIMIT_MEMLOCK, &r) || r.rlim_cur == RLIM_INFINITY)
		snprintf(buf, len, "unlimited");
	else
		snprintf(buf, len, "%llu bytes", (unsigned long long)r.rlim_cur);
	return buf;
}

/* Keep the text for an -errno of NFP_CHAN_IOC_OPEN of channel @name. Returns @err. */
static int open_fail(struct nfpchan_card *card, int err, const char *name, uint32_t ring_size)
{
	char text[48];

	switch (err) {
	case -ENOENT:
		return card_fail(card, err, "%s: no such channel in the firmware's table", name);
	case -EBUSY:
		return card_fail(card, err, "%s: the channel is exclusive, and open already", name);
	case -EPIPE:
		return card_fail(card, err, "%s: its ME process has ended; only a restart of the firmware starts it again",
				 name);
	case -ENOSPC:
		return card_fail(card, err, "%s: all pipes or all interrupt vectors of the card are in use",
				 name);
	case -EDQUOT:
		return card_fail(card, err, "%s: this user has half of the card's pipes, which is the most that one may have",
				 name);
	case -ENOMEM:
		return card_fail(card, err, "%s: out of memory, or beyond RLIMIT_MEMLOCK (%s)", name,
				 memlock(text, sizeof(text)));
	case -EACCES:
		return card_fail(card, err, "%s: %s is not open for this direction", name,
				 card->path);
	case -EMSGSIZE:
		return card_fail(card, err, "%s: a ring of %u bytes is too small for its largest message",
				 name, ring_size);
	case -EOPNOTSUPP:
		return card_fail(card, err, "%s: the card's firmware does not hold interrupts back, or has no ports",
				 name);
	case -EXDEV:
		return card_fail(card, err, "%s: the port is of another card", name);
	case -EPROTOTYPE:
		return card_fail(card, err, "%s: it leads to the NFP; NFPCHAN_LINK is for a channel to the host",
				 name);
	case -EINVAL:
		return card_fail(card, err, "%s: ring size is %u, allowed are 0 and powers of 2 from 4096 to 4194304",
				 name, ring_size);
	}
	return card_fail(card, err, "%s: %s", name, strerrordesc_np(-err));
}

/* The same, if the channel was to be opened in the ring of @from. */
static int share_fail(struct nfpchan_card *card, int err, const char *name,
		      const struct nfpchan *from)
{
	switch (err) {
	case -EBADF:
		return card_fail(card, err, "%s: %s is not a stream to the host", name, from->name);
	case -EPROTOTYPE:
		return card_fail(card, err, "%s: to have the ring of %s it must be a stream to the NFP with elements of %u bytes",
				 name, from->name, from->layout.elem_size);
	case -ESTALE:
		return card_fail(card, err, "%s: the ring of %s is shared or was used already",
				 name, from->name);
	case -EXDEV:
		return card_fail(card, err, "%s: %s is a channel of another card", name, from->name);
	case -EOPNOTSUPP:
		return card_fail(card, err, "%s: the card's firmware cannot share rings", name);
	}
	return open_fail(card, err, name, from->layout.ring_size);
}

static int map_one(struct nfpchan_card *card, struct nfpchan *ch, void **map,
		   size_t len, int prot, uint64_t off, const char *what)
{
	int saved = errno, err = 0;
	void *p;

	p = mmap(NULL, len, prot, MAP_SHARED, ch->fd, (off_t)off);
	if (p == MAP_FAILED)
		err = card_fail(card, -errno, "%s: cannot map the %s (%zu bytes): %s",
				ch->name, what, len, strerrordesc_np(errno));
	else
		*map = p;
	errno = saved;
	return err;
}

static void unmap_one(void *map, size_t len)
{
	if (map)
		munmap(map, len);
}

static void chan_unmap(struct nfpchan *ch)
{
	unmap_one(ch->map_bell, ch->layout.page_size);
	unmap_one(ch->map_inl, ch->layout.page_size);
	unmap_one(ch->map_db, ch->layout.page_size);
	unmap_one(ch->map_ctl, ch->layout.page_size);
	unmap_one(ch->map_note, ch->layout.page_size);
	unmap_one(ch->map_ring, 2 * (size_t)ch->layout.ring_size);
}

static int chan_map(struct nfpchan_card *card, struct nfpchan *ch)
{
	const struct nfp_chan_layout *g = &ch->layout;
	int ring_prot = g->dir == NFP_CHAN_TO_HOST ? PROT_READ : PROT_READ | PROT_WRITE;
	int err;

	err = map_one(card, ch, &ch->map_ring, 2 * (size_t)g->ring_size, ring_prot,
		      g->ring_off, "data ring");
	if (err)
		return err;
	err = map_one(card, ch, &ch->map_note, g->page_size, PROT_READ,
		      g->note_off, "notification page");
	if (err)
		return err;
	err = map_one(card, ch, &ch->map_ctl, g->page_size, PROT_READ | PROT_WRITE,
		      g->ctl_off, "control page");
	if (err)
		return err;
	if (g->db_map)
		err = map_one(card, ch, &ch->map_db, g->page_size, PROT_READ | PROT_WRITE,
			      g->db_off, "doorbell page");
	if (!err && g->inline_size)
		err = map_one(card, ch, &ch->map_inl, g->page_size, PROT_READ | PROT_WRITE,
			      g->inline_off, "inline page");
	if (!err && g->signal_db)
		err = map_one(card, ch, &ch->map_bell, g->page_size, PROT_READ | PROT_WRITE,
			      g->signal_db_off, "signal doorbell");
	return err;
}

/* Ring a doorbell without the right to map it. The caller of the ring meets errors in its record. */
static void pipe_store(void *ctx, enum ring_reg reg, uint32_t val)
{
	struct nfp_chan_kick kick = { .size = sizeof(kick), .units = val };
	struct nfp_chan_arm arm = { .size = sizeof(arm), .flags = NFP_CHAN_ARM_SEQ, .seq = val };
	struct nfpchan *ch = ctx;

	if (reg == RING_REG_DATA)
		node_ioctl(ch->fd, NFP_CHAN_IOC_KICK, &kick);
	else
		node_ioctl(ch->fd, NFP_CHAN_IOC_ARM, &arm);
}

/* Read the pipe's layout, map the pipe, and take over its position. */
static int chan_setup(struct nfpchan_card *card, struct nfpchan *ch)
{
	struct nfp_chan_layout *g = &ch->layout;
	struct ring_db db = { .ctx = ch };
	char text[160];
	int err;

	g->size = sizeof(*g);
	err = node_ioctl(ch->fd, NFP_CHAN_IOC_LAYOUT, g);
	if (err)
		return card_fail(card, err, "%s: layout of the ring: %s", ch->name,
				 strerrordesc_np(-err));
	if (g->page_size < 4096 || g->db_data > g->page_size - 4 ||
	    g->db_arm > g->page_size - 4 || g->signal_db > g->page_size - 4 ||
	    (g->db_data | g->db_arm | g->signal_db) & 3)
		return card_fail(card, -EIO, "%s: doorbells at %u, %u and %u of a page of %u bytes",
				 ch->name, g->db_data, g->db_arm, g->signal_db, g->page_size);
	err = chan_map(card, ch);
	if (err)
		return err;
	if (g->db_map) {
		db.reg[RING_REG_DATA] = (void *)((char *)ch->map_db + g->db_data);
		db.reg[RING_REG_ARM] = (void *)((char *)ch->map_db + g->db_arm);
	} else {
		db.store = pipe_store;
		db.arms = true;
	}
	err = ring_init(&ch->ring, g, ch->map_ring, ch->map_note, ch->map_ctl, &db);
	if (err)
		return card_fail(card, err, "%s", nfpchan_error(ch, text, sizeof(text)));
	return 0;
}

/* Set the size up to which messages go inline, if the pipe has an inline page. */
static void inline_setup(struct nfpchan *ch, int32_t max)
{
	uint32_t most = ch->layout.inline_size, want;

	if (!most)
		return;
	want = (uint32_t)(max ? max : INLINE_DEFAULT) + (uint32_t)sizeof(struct nfp_chan_hdr);
	ch->ring.inl = ch->map_inl;
	ch->ring.inl_max = want < most ? want : most;
}

static int pipe_eventfd(struct nfpchan *ch, int fd)
{
	struct nfp_chan_eventfd req = { .size = sizeof(req), .fd = fd };

	return node_ioctl(ch->fd, NFP_CHAN_IOC_EVENTFD, &req);
}

static int pipe_raise(struct nfpchan *ch)
{
	struct nfp_chan_signal req = { .size = sizeof(req) };

	return node_ioctl(ch->fd, NFP_CHAN_IOC_SIGNAL, &req);
}

static int pipe_cancel(struct nfpchan *ch, uint32_t seq)
{
	struct nfp_chan_cancel req = { .size = sizeof(req), .seq = seq };

	return node_ioctl(ch->fd, NFP_CHAN_IOC_CANCEL, &req);
}

static void pipe_stop(struct nfpchan *ch)
{
	chan_unmap(ch);
	close(ch->fd);
	node_link_gone(ch);
}

const struct chan_ops chan_pipe_ops = {
	.eventfd = pipe_eventfd,
	.raise = pipe_raise,
	.cancel = pipe_cancel,
	.xdp_bind = xdp_bind_pipe,
	.xdp_unbind = xdp_unbind_pipe,
	.stop = pipe_stop,
};

/* Set up a handle, all zeros except its name, for @fd. A failure closes @fd. */
static int pipe_start(struct nfpchan_card *card, struct nfpchan *ch, const struct nfpchan_opts *o,
		      int fd)
{
	int err;

	ch->ops = &chan_pipe_ops;
	ch->fd = fd;
	policy_set(&ch->policy, o->wait, o->spin_us);
	err = chan_setup(card, ch);
	if (err)
		chan_stop(ch);
	else if (o->flags & NFPCHAN_ALONE)
		ring_alone(&ch->ring, true);
	return err;
}

/* Returns the channel's fd, or -errno. With @from, the channel is opened in the ring of @from. */
static int open_ioctl(struct nfpchan_card *card, const char *name, const struct nfpchan_opts *o,
		      int port_fd, uint64_t cookie, const struct nfpchan *from)
{
	struct nfp_chan_open req = {
		.size = sizeof(req), .flags = NFP_CHAN_OPEN_MAPPED, .irq_count = o->irq_count,
		.irq_usecs = o->irq_usecs, .ring_fd = from ? from->fd : -1, .port_fd = port_fd,
		.cookie = cookie,
	};
	int err;

	if (!from)
		req.ring_size = o->ring_size;
	else if (o->ring_size && o->ring_size != from->layout.ring_size)
		return card_fail(card, -EINVAL, "%s: ring size is %u, that of %s is %u", name,
				 o->ring_size, from->name, from->layout.ring_size);
	else if (o->flags & NFPCHAN_LINK)
		return card_fail(card, -EPROTOTYPE, "%s: NFPCHAN_LINK is for a channel to the host",
				 name);
	memcpy(req.name, name, sizeof(req.name));
	if (o->inline_max >= 0)
		req.flags |= NFP_CHAN_OPEN_INLINE;
	if (o->flags & NFPCHAN_LINK)
		req.flags |= NFP_CHAN_OPEN_LINK;
	err = node_ioctl(nfpchan_card_fd(card), NFP_CHAN_IOC_OPEN, &req);
	if (err && from)
		return share_fail(card, err, name, from);
	return err ? open_fail(card, err, name, o->ring_size) : req.fd;
}

int node_chan_open(struct nfpchan_card *card, struct nfpchan *ch, const struct nfpchan_opts *o,
		   const struct nfpchan *from)
{
	uint64_t cookie = 0;
	unsigned int leg;
	int err, fd, port_fd = -1;

	if (o->port) {
		leg = port_leg_of(o->port, card->dev);
		err = port_reserve(o->port, leg, &cookie);
		if (err)
			return card_fail(card, err, "%s: out of memory", ch->name);
		port_fd = o->port->legs[leg].ch->fd;
	}
	fd = open_ioctl(card, ch->name, o, port_fd, cookie, from);
	err = fd < 0 ? fd : pipe_start(card, ch, o, fd);
	if (!err)
		inline_setup(ch, o->inline_max);
	if (o->port)
		port_attach(o->port, cookie, err ? NULL : ch);
	return err;
}

int node_port_open(struct nfpchan_card *card, struct nfpchan *ch, const struct nfpchan_opts *o)
{
	struct nfp_chan_port req = {
		.size = sizeof(req), .flags = NFP_CHAN_OPEN_MAPPED, .irq_count = o->irq_count, .irq_usecs = o->irq_usecs,
	};
	int err = node_ioctl(card->fd, NFP_CHAN_IOC_PORT, &req);

	return err ? open_fail(card, err, ch->name, 0) : pipe_start(card, ch, o, req.fd);
}
