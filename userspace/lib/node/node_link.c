// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* node_link.c - links: the card carries the messages of one channel to another. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
#include "char_node.h"
#include "opts.h"

/**
 * struct nfpchan_link - an open link
 * @fd: its file descriptor
 * @from: the channel to the host; NULL once @from or @to is closed
 * @to: the channel to the NFP; NULL: there is none, or it was closed
 */
struct nfpchan_link {
	int fd;
	struct nfpchan *from;
	struct nfpchan *to;
};

/* Text for an -errno of NFP_CHAN_IOC_LINK. The %llu are the sizes of the two channels. */
static const char *link_text(int err)
{
	switch (err) {
	case -EBADF:
		return "a link needs a channel to the host, and then a channel to the NFP";
	case -EINVAL:
		return "link options: at most 8 bytes to compare, within a message; at most 64 bytes of header, a multiple of 4; a state of 4 or 8 bytes at a multiple of 4 of the header, with a step that is not 0";
	case -E2BIG:
		return "the options of the link are those of a newer library";
	case -EHOSTUNREACH:
		return "the two cards cannot write to each other; the kernel's log has what was tried";
	case -EPERM:
		return "a link between two cards needs CAP_SYS_RAWIO: each card will write to the other";
	case -ERANGE:
		return "one card's registers are beyond the addresses that the other can write to";
	case -EISCONN:
		return "one of the two channels is in a link already";
	case -EBUSY:
		return "one of the two channels shares its ring; or, with two cards, the first was opened without NFPCHAN_LINK, or the second has carried something";
	case -EPROTOTYPE:
		return "a stream cannot be linked with a channel of messages";
	case -EMSGSIZE:
		return "messages or elements of up to %llu bytes, header included; the other channel takes those of %llu";
	case -EPIPE:
		return "one of the two ME processes has ended";
	case -EOPNOTSUPP:
		return "the card's firmware has no links, or no state for them";
	}
	return "linking failed: error %llu";
}

static int link_fail(const struct nfpchan_link *link, uint32_t hdr_len, int err)
{
	unsigned long long a = (unsigned long long)-err, b = 0;
	struct nfpchan *from = link->from;

	if (err == -EMSGSIZE) {
		a = from->layout.max_size + hdr_len;
		b = link->to->layout.max_size;
	}
	chan_lock(from);
	ring_fail(&from->ring, err, link_text(err), a, b, 0);
	chan_unlock(from);
	return err;
}

static void end_set(struct nfpchan *ch, struct nfpchan_link *link)
{
	if (!ch)
		return;
	chan_lock(ch);
	ch->link = link;
	ring_link(&ch->ring, link != NULL);
	chan_unlock(ch);
}

/* Stop calls that move data on the two channels, also calls that sleep. */
static int ends_begin(struct nfpchan_link *link)
{
	struct nfpchan *ends[] = { link->from, link->to };

	for (int i = 0; i < 2 && ends[i]; i++) {
		if (ends[i]->ops != &chan_pipe_ops)
			return -EOPNOTSUPP;
		if (ends[i]->layout.dir != (i ? NFP_CHAN_TO_NFP : NFP_CHAN_TO_HOST))
			return -EBADF;
		if (ends[i]->link)
			return -EISCONN;
		if (ends[i]->ring.lent)
			return -EBUSY;
	}
	end_set(link->from, link);
	end_set(link->to, link);
	return 0;
}

static void ends_release(struct nfpchan_link *link)
{
	if (!link->from)
		return;
	end_set(link->from, NULL);
	end_set(link->to, NULL);
	link->from = NULL;
	link->to = NULL;
}

/* @op: memory for the request's operation */
static int link_request(const struct nfpchan_link_opts *from, struct nfpchan_link_opts *o,
			struct nfp_chan_link *req, struct nfp_chan_link_op *op)
{
	int err;

	if (!from)
		return 0;
	err = opts_copy(o, sizeof(*o), from, from->size);
	if (err)
		return err;
	if (o->match_len > sizeof(o->match_mask) || o->hdr_len > UINT32_MAX)
		return -EINVAL;
	req->match_len = o->match_len;
	req->match_off = o->match_off;
	if (o->match_len) {
		req->mask = (uintptr_t)o->match_mask;
		req->value = (uintptr_t)o->match_value;
	}
	req->hdr_len = (uint32_t)o->hdr_len;
	if (o->hdr_len)
		req->hdr = (uintptr_t)o->hdr;
	if (o->state_len || o->state_off || o->state_step) {
		*op = (struct nfp_chan_link_op){ .op = NFP_CHAN_LINK_ADD, .off = o->state_off,
						 .len = o->state_len, .arg = o->state_step };
		req->ops = (uintptr_t)op;
		req->op_count = 1;
	}
	return 0;
}

/* LINK, or, if the channels are of two cards, PEER */
static int link_ioctl(int fd, struct nfp_chan_link *req, bool stage)
{
	int err = stage ? -EXDEV : node_ioctl(fd, NFP_CHAN_IOC_LINK, req);

	if (err != -EXDEV)
		return err;
	req->flags = stage ? NFP_CHAN_PEER_STAGE : 0;
	err = node_ioctl(fd, NFP_CHAN_IOC_PEER, req);
	return err == -EXDEV ? -EINVAL : err;	/* within a card no ring is in host memory */
}

int nfpchan_link_open(struct nfpchan_link **out, struct nfpchan *from, struct nfpchan *to,
		      const struct nfpchan_link_opts *opts)
{
	struct nfp_chan_link req = { .size = sizeof(req), .to_fd = to ? to->fd : -1 };
	struct nfpchan_link_opts o = { .size = sizeof(o) };
	struct nfp_chan_link_op op;
	struct nfpchan_link new = { .from = from, .to = to }, *link;
	int err;

	*out = NULL;
	link = malloc(sizeof(*link));
	err = link ? link_request(opts, &o, &req, &op) : -ENOMEM;
	if (err)
		goto fail;
	*link = new;
	err = ends_begin(link);
	if (err)
		goto fail;
	err = link_ioctl(from->fd, &req, o.stage);
	if (err) {
		ends_release(link);
		goto fail;
	}
	link->fd = req.fd;
	*out = link;
	return 0;

fail:
	free(link);
	return link_fail(&new, req.hdr_len, err);
}

void nfpchan_link_close(struct nfpchan_link *link)
{
	if (!link)
		return;
	close(link->fd);
	ends_release(link);
	free(link);
}

int nfpchan_link_fd(const struct nfpchan_link *link)
{
	return link->fd;
}

int nfpchan_link_stats(struct nfpchan_link *link, struct nfp_chan_link_stat *stat)
{
	*stat = (struct nfp_chan_link_stat){ .size = sizeof(*stat) };
	return node_ioctl(link->fd, NFP_CHAN_IOC_LINK_STAT, stat);
}

void node_link_gone(struct nfpchan *ch)
{
	struct nfpchan_link *link = ch->link;

	if (!link)
		return;
	end_set(link->from == ch ? link->to : link->from, NULL);
	link->from = NULL;
	link->to = NULL;
}
