// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* bpf_card.c - cards "bpf:DEV": the channels of a program that the stock driver has offloaded. */
#define _GNU_SOURCE
#include <errno.h>
#include <nfpchan/nfp_chan_xdp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "bpf.h"
#include "netdev.h"

/* ---- channels ---- */

/*
 * Find the channels: first BPF_XDP_CHANNEL, then the maps of the program that is attached.
 * Returns how many, or -errno. @prog: out: the program's id, or 0.
 */
static int chans(struct nfpchan_card *card, struct bpf_chan *found, uint32_t *prog)
{
	int64_t id = bpf_card_attached(card->bpf);
	int fd, n;

	memset(found, 0, sizeof(*found));
	strcpy(found->name, BPF_XDP_CHANNEL);
	found->dir = NFP_CHAN_TO_HOST;
	*prog = id > 0 ? (uint32_t)id : 0;
	if (!id)
		return 1;
	if (id < 0)
		return card_fail(card, (int)id, "%s: %s", card->path, id == -ENODEV ?
				 "the interface is gone" : strerrordesc_np((int)-id));
	fd = bpf_prog_fd(*prog);
	n = fd < 0 ? fd : bpf_find(fd, found + 1);
	if (fd >= 0)
		close(fd);
	if (n < 0)
		return card_fail(card, n, "%s: cannot read the maps of program %u: %s%s",
				 card->path, *prog, strerrordesc_np(-n),
				 n == -EPERM ? " (CAP_SYS_ADMIN is needed)" : "");
	return n + 1;
}

static int chan_find(struct nfpchan_card *card, const char *name, struct bpf_chan *c,
		     uint32_t *prog)
{
	struct bpf_chan found[BPF_MAPS_MAX + 1];
	int i, at = -1, n = chans(card, found, prog);

	if (n < 0)
		return n;
	for (i = 0; i < n; i++) {
		if (strcmp(found[i].name, name))
			continue;
		if (at >= 0)
			return card_fail(card, -ENOTUNIQ, "%s: maps %u and %u of program %u may both have this name, because their first %d characters agree: change one",
					 name, found[at].map_id, found[i].map_id, *prog,
					 BPF_OBJ_NAME_LEN - 1);
		at = i;
	}
	if (at >= 0) {
		*c = found[at];
		return at;
	}
	if (!*prog)
		return card_fail(card, -ENOENT, "%s: %s has no offloaded program, so it has no channels",
				 name, card->bpf->dev);
	return card_fail(card, -ENOENT, "%s: program %u, which is offloaded to %s, has no channel of this name (nfpchan_bpf.h)",
			 name, *prog, card->bpf->dev);
}

static void query_fill(struct nfpchan_card *card, const struct bpf_chan *c,
		       struct nfp_chan_query *q)
{
	struct bpf_share share;

	memcpy(q->name, c->name, sizeof(q->name));
	q->dir = c->dir;
	q->kind = NFP_CHAN_MESSAGE;
	q->elem_size = c->size;
	q->max_size = c->size ?: BPF_FREE_MAX;
	q->depth = c->depth ?: 1;
	if (!c->map_id) {
		q->chan_flags = NFP_CHAN_F_XDP | NFP_CHAN_F_DROP;
		q->max_size = BPF_FREE_MAX + sizeof(struct nfp_chan_xdp_event);
		bpf_bound_query(card->bpf, q);
		return;
	}
	q->chan_flags = NFP_CHAN_F_EXCLUSIVE;
	q->pipes = bpf_shared(c->map_id, &share);
	if (c->dir == NFP_CHAN_TO_NFP) {
		bpf_send_query(c, q);
		return;
	}
	q->chan_flags |= NFP_CHAN_F_DROP;
	bpf_recv_query(card->bpf, c, q);
}

static int card_query(struct nfpchan_card *card, struct nfp_chan_query *q, const char *what)
{
	struct bpf_chan found[BPF_MAPS_MAX + 1];
	uint32_t prog;
	int i;

	if (q->flags & NFP_CHAN_QUERY_BY_ID) {
		i = chans(card, found, &prog);
		if (i >= 0 && q->id >= (uint32_t)i)
			return card_fail(card, -ENOENT, "%s: %s has %d channels", what,
					 card->path, i);
		if (i >= 0)
			found[0] = found[q->id];
	} else {
		i = chan_find(card, q->name, &found[0], &prog);
		q->id = i < 0 ? 0 : (uint32_t)i;
	}
	if (i < 0)
		return i;
	query_fill(card, &found[0], q);
	return 0;
}

static int card_repeats(struct nfpchan_card *card, const char *name, uint64_t *count)
{
	char chan[NFP_CHAN_NAME_LEN];
	struct bpf_share share;
	struct bpf_chan c;
	uint32_t prog;
	int ret;

	ret = card_name(card, chan, name);
	if (!ret)
		ret = chan_find(card, chan, &c, &prog);
	if (ret < 0 || !c.slots)
		return ret < 0 ? ret : 0;
	bpf_shared(c.map_id, &share);
	*count = share.repeated;
	return 1;
}

/* ---- operations of the card ---- */

static int info(struct nfpchan_card *card, struct nfp_chan_info *info)
{
	struct bpf_chan found[BPF_MAPS_MAX + 1];
	struct nfp_chan_query q;
	struct netdev dev;
	uint32_t prog;
	int i, n = chans(card, found, &prog);

	if (n < 0)
		return n;
	snprintf(info->pci, sizeof(info->pci), "%s", card->bpf->pci);
	snprintf(info->fw_name, sizeof(info->fw_name), "without channels, by bpf(2)");
	if (!netdev_at(&dev, (unsigned int)card->bpf->ifindex))
		snprintf(info->fw_version, sizeof(info->fw_version), "%s", dev.firmware);
	info->chan_count = (uint32_t)n;
	info->pipe_count = (uint32_t)n;
	for (i = 0; i < n; i++) {
		memset(&q, 0, sizeof(q));
		query_fill(card, &found[i], &q);
		info->pipe_used += q.pipes;
	}
	return 0;
}

static int signal_none(struct nfpchan_card *card, const char *name)
{
	return card_fail(card, -EOPNOTSUPP, "%s: a program on %s cannot get a signal: it runs only when a packet arrives",
			 name, card->bpf->dev);
}

static int port_none(struct nfpchan_card *card, struct nfpchan *ch, const struct nfpchan_opts *o)
{
	(void)ch;
	(void)o;
	return card_fail(card, -EOPNOTSUPP, "port: bpf:%s has no ports, which need channel firmware: poll() the channels' descriptors",
			 card->bpf->dev);
}

static int opts_check(struct nfpchan_card *card, const struct nfpchan *ch,
		      const struct nfpchan_opts *o, const struct nfpchan *from)
{
	const char *dev = card->bpf->dev;

	if (from)
		return card_fail(card, -EOPNOTSUPP, "%s: channels of bpf:%s have no streams, so a return channel cannot be opened",
				 ch->name, dev);
	if (o->port)
		return card_fail(card, -EOPNOTSUPP, "%s: channels of bpf:%s cannot report to a port",
				 ch->name, dev);
	if (o->irq_count || o->irq_usecs)
		return card_fail(card, -EOPNOTSUPP, "%s: interrupts of bpf:%s belong to the driver, so irq_count and irq_usecs cannot delay them",
				 ch->name, dev);
	if (o->wait == NFPCHAN_WAIT_MONITOR)
		return card_fail(card, -EOPNOTSUPP, "%s: NFPCHAN_WAIT_MONITOR does not work on bpf:%s: the card does not write to the ring",
				 ch->name, dev);
	if (o->ring_size && (o->ring_size < 4096 || o->ring_size > 4194304 ||
			     o->ring_size & (o->ring_size - 1)))
		return card_fail(card, -EINVAL, "%s: ring size is %u, allowed are 0 and powers of 2 from 4096 to 4194304",
				 ch->name, o->ring_size);
	return 0;
}

static const char no_irq[] = "a channel of a bpf: card has no interrupt that can be given to an eventfd or a signal: poll() its descriptor";

static int open_chan(struct nfpchan_card *card, struct nfpchan *ch, const struct nfpchan_opts *o,
		     const struct nfpchan *from)
{
	struct bpf_chan c;
	uint32_t prog;
	int err;

	err = opts_check(card, ch, o, from);
	if (err)
		return err;
	err = chan_find(card, ch->name, &c, &prog);
	if (err < 0)
		return err;
	policy_set(&ch->policy, o->wait, o->spin_us);
	if (ch->policy.watch == WATCH_MONITOR)
		ch->policy.watch = WATCH_ADAPT;
	ch->no_irq = no_irq;
	err = (c.dir == NFP_CHAN_TO_HOST ? bpf_recv_open : bpf_send_open)(card, ch, &c, prog, o);
	if (!err && o->flags & NFPCHAN_ALONE)
		ring_alone(&ch->ring, true);
	return err;
}

static void close_card(struct nfpchan_card *card)
{
	bpf_card_put(card->bpf);
}

static const struct card_ops bpf_ops = {
	.info = info,
	.query = card_query,
	.repeats = card_repeats,
	.signal = signal_none,
	.port = port_none,
	.open = open_chan,
	.close = close_card,
};

static int open_fail(int code, const char *dev, const char *why, char *err, size_t len)
{
	if (err && len)
		snprintf(err, len, "card bpf:%s: %s", dev, why);
	return code;
}

int bpf_card_open(struct nfpchan_card *card, const char *dev, char *err, size_t len)
{
	struct netdev found;
	struct bpf_card *b;
	int ret;

	if (netdev_find(&found, dev))
		return open_fail(-ENODEV, dev, "no such interface", err, len);
	b = calloc(1, sizeof(*b));
	if (!b)
		return open_fail(-ENOMEM, dev, "out of memory", err, len);
	b->netlink = bpf_netlink();
	if (b->netlink < 0) {
		ret = b->netlink;
		free(b);
		return open_fail(ret, dev, strerrordesc_np(-ret), err, len);
	}
	b->users = 1;
	b->ifindex = found.index;
	b->port = bpf_port(b->netlink, b->ifindex);
	memcpy(b->dev, found.name, sizeof(b->dev));
	memcpy(b->pci, found.bus, sizeof(b->pci));
	pthread_mutex_init(&b->asking, NULL);
	pthread_mutex_init(&b->lock, NULL);
	card->bpf = b;
	card->fd = b->netlink;
	card->ops = &bpf_ops;
	snprintf(card->path, sizeof(card->path), "bpf:%s", b->dev);
	return 0;
}
