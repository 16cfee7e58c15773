// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * bpf_send.c - a channel to the NFP: moves messages from the channel's ring to a map.
 *
 * Messages have numbers, and the program takes them in order. The library computes the ring's
 * record from the number of the oldest message that is still in the map (bpf_hash.c,
 * bpf_slots.c). When a call that sends a message returns, the message is in the map.
 */
#define _GNU_SOURCE
#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include "bpf.h"
#include "ring_int.h"

#define RING_LEAST	4096

/**
 * struct bpf_send - a channel to the NFP
 * @ch: its handle
 * @card: its card
 * @prog: id of the program that must stay attached
 * @store: its maps
 * @lock: fd that holds the lock of the map
 * @room: bytes of the ring that a message takes
 * @taken: number of the oldest message in the map at the last look
 * @next: number of the next message to send
 * @sent: position after the last message that is in the map
 * @note: the record, written as a card would write it
 */
struct bpf_send {
	struct nfpchan *ch;
	struct bpf_card *card;
	uint32_t prog;
	struct bpf_store store;
	int lock;
	uint32_t room;
	uint32_t taken;
	uint32_t next;
	uint64_t sent;
	struct nfp_chan_note note;
};

/* ---- what a card would do ---- */

/* Update the record from the card. */
static void taken_look(struct bpf_send *b)
{
	struct ring *r = &b->ch->ring;
	uint32_t taken = b->taken;
	int err;

	if (bpf_card_check(b->card, b->prog, &r->end))
		return;
	err = b->store.ops->taken(&b->store, b->next, &taken);
	if (err) {
		r->end = (struct ring_err){ err, "the number of messages that the program has taken cannot be read: error %llu",
					    { (unsigned long long)-err } };
		return;
	}
	/* The program may have written any number: ring_refresh() checks the position. */
	__atomic_store_n(&b->note.pos, htole64(le64toh(b->note.pos) +
					       (uint64_t)(taken - b->taken) * b->room),
			 __ATOMIC_RELEASE);
	b->taken = taken;
}

/* Asks the card only if the caller waits for the answer. */
static void send_look(void *ctx, uint64_t upto)
{
	struct bpf_send *b = ctx;
	struct ring *r = &b->ch->ring;
	uint64_t need = r->pos + b->room;

	need = need > r->limit ? need - r->limit : 0;
	need = need > upto ? need : upto;
	if (le64toh(b->note.pos) < need)
		taken_look(b);
}

static int send_one(struct bpf_send *b)
{
	struct bpf_share *share = b->store.share;
	struct ring *r = &b->ch->ring;
	int err;

	if (bpf_card_check(b->card, b->prog, &r->end)) {
		r->err = r->end;
		return r->end.code;
	}
	err = b->store.ops->put(&b->store, b->next, r->data + (b->sent & r->mask) + r->hdr);
	switch (err) {
	case 0:
		b->next++;
		share->next = b->next;
		share->msgs++;
		share->bytes += r->elem_size;
		return 0;
	case -EEXIST:
	case -E2BIG:
		return ring_fail(r, -EIO, "message %llu: the map has an entry that is not from this channel; no other process may add any (error %llu)",
				 b->next, (unsigned long long)-err, 0);
	}
	return ring_fail(r, err, "message %llu: error %llu", b->next, (unsigned long long)-err, 0);
}

static void send_store(void *ctx, enum ring_reg reg, uint32_t val)
{
	struct bpf_send *b = ctx;
	struct ring *r = &b->ch->ring;

	(void)val;
	if (reg != RING_REG_DATA)
		return;
	/* The program sees no message after the oldest, unless it asks, until the oldest is removed. */
	if (b->store.ops == &bpf_slots_ops)
		taken_look(b);
	for (; b->sent != r->pos && !r->dead; b->sent += b->room)
		r->dead = send_one(b);
}

/* ---- maps and counters ---- */

static void store_close(struct bpf_store *s)
{
	if (s->map_fd >= 0)
		close(s->map_fd);
	if (s->count_fd >= 0)
		close(s->count_fd);
}

static int store_open(struct bpf_store *s, const struct bpf_chan *info)
{
	int err;

	*s = (struct bpf_store){
		.ops = info->slots ? &bpf_slots_ops : &bpf_hash_ops,
		.map_fd = bpf_map_fd(info->map_id), .count_fd = bpf_map_fd(info->count_id),
		.size = info->size, .depth = info->depth,
	};
	if (s->map_fd >= 0 && s->count_fd >= 0)
		return 0;
	err = s->map_fd < 0 ? s->map_fd : s->count_fd;
	store_close(s);
	s->map_fd = -1;
	s->count_fd = -1;
	return err;
}

void bpf_send_query(const struct bpf_chan *info, struct nfp_chan_query *q)
{
	struct bpf_store s;
	uint32_t taken;

	if (store_open(&s, info))
		return;
	if (!s.ops->oldest(&s, &taken)) {
		q->msgs = taken;
		q->bytes = (uint64_t)taken * info->size;
	}
	store_close(&s);
}

/* ---- open and close ---- */

static int refuse_bind(struct nfpchan *ch, int prog_fd, int map_fd)
{
	(void)prog_fd;
	(void)map_fd;
	chan_lock(ch);
	ring_fail(&ch->ring, -EOPNOTSUPP, "events of a map: the channel leads to the NFP", 0, 0, 0);
	chan_unlock(ch);
	return -EOPNOTSUPP;
}

static int refuse_unbind(struct nfpchan *ch, int map_fd)
{
	return refuse_bind(ch, -1, map_fd);
}

static void send_free(struct bpf_send *b)
{
	bpf_unlock(b->lock, b->store.share);
	store_close(&b->store);
	if (b->ch->fd >= 0)
		close(b->ch->fd);
	bpf_card_put(b->card);
	free(b);
}

static void send_stop(struct nfpchan *ch)
{
	bpf_memory_free(ch);
	send_free(ch->back);
}

static const struct chan_ops send_ops = {
	.eventfd = bpf_no_eventfd,
	.raise = chan_no_irq,
	.xdp_bind = refuse_bind,
	.xdp_unbind = refuse_unbind,
	.stop = send_stop,
};

static void layout_fill(struct bpf_send *b, struct nfp_chan_layout *g, const struct bpf_chan *info)
{
	g->size = sizeof(*g);
	g->dir = NFP_CHAN_TO_NFP;
	g->kind = NFP_CHAN_MESSAGE;
	g->elem_size = info->size;
	g->max_size = info->size;
	g->depth = info->depth;
	g->unit_shift = 3;
	g->page_size = 4096;
	b->room = (sizeof(struct nfp_chan_hdr) + info->size + 7) & ~7u;
	g->limit = g->depth * b->room;
	for (g->ring_size = RING_LEAST; g->ring_size < g->limit; g->ring_size *= 2)
		;
}

/*
 * Find the number of the next message. The last sender left it in the file, unless it died
 * between the update of the map and that of the file. The program will take the messages that
 * the last sender left in the map before ours.
 */
static int numbers_read(struct bpf_send *b)
{
	struct bpf_store *s = &b->store;
	int err;

	err = s->ops->oldest(s, &b->taken);
	b->next = (uint32_t)s->share->next;
	if ((int32_t)(b->next - b->taken) < 0 || b->next - b->taken > s->depth)
		b->next = b->taken;
	while (!err) {
		err = s->ops->there(s, b->next);
		b->next += !err;
	}
	if (err != -ENOENT)
		return err;
	return b->next - b->taken > s->depth ? -EIO : 0;
}

static int send_start(struct bpf_send *b)
{
	struct ring_db db = { .store = send_store, .look = send_look, .ctx = b };
	int err;

	b->ch->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (b->ch->fd < 0)
		return -errno;
	err = b->store.ops->start ? b->store.ops->start(&b->store) : 0;
	if (!err)
		err = numbers_read(b);
	if (err)
		return err;
	b->sent = (uint64_t)(b->next - b->taken) * b->room;
	return bpf_memory(b->ch, &b->note, b->sent, &db);
}

int bpf_send_open(struct nfpchan_card *card, struct nfpchan *ch, const struct bpf_chan *info,
		  uint32_t prog, const struct nfpchan_opts *o)
{
	struct bpf_send *b = calloc(1, sizeof(*b));
	uint32_t pid;
	int ret;

	(void)o;
	if (!b)
		return card_fail(card, -ENOMEM, "%s: out of memory", ch->name);
	*b = (struct bpf_send){
		.ch = ch, .card = card->bpf, .prog = prog,
	};
	ch->fd = -1;
	ch->back = b;
	ch->ops = &send_ops;
	ch->naps = true;
	__atomic_add_fetch(&b->card->users, 1, __ATOMIC_RELAXED);
	layout_fill(b, &ch->layout, info);
	b->lock = -1;
	ret = store_open(&b->store, info);
	if (!ret) {
		b->lock = bpf_lock(info->map_id, &b->store.share, &pid);
		if (b->lock < 0) {
			ret = bpf_lock_fail(card, ch->name, b->lock, info->map_id, pid);
			goto fail;
		}
		ret = send_start(b);
	}
	if (!ret)
		return 0;
	card_fail(card, ret, "%s: map %u: %s", ch->name, info->map_id, strerrordesc_np(-ret));
fail:
	send_free(b);
	return ret;
}
