// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * bpf_send.c - a channel to the NFP: moves messages from the channel's ring to a hash.
 *
 * Message n is the entry with key n. The program takes the messages in order. It keeps the
 * number of the next message in the array beside the hash, which is all that the library reads
 * to compute the ring's record. When a call that sends a message returns, the message is in the
 * hash.
 */
#define _GNU_SOURCE
#include <endian.h>
#include <errno.h>
#include <signal.h>
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
 * @map_fd: the hash
 * @count_fd: the array with the number of the message that the program takes next
 * @lock: fd that holds the lock of the map
 * @share: contents of the map's file
 * @room: bytes of the ring that a message takes
 * @taken: the number in the array at the last look
 * @next: number of the next message to send
 * @sent: position after the last message that is in the hash
 * @note: the record, written as a card would write it
 */
struct bpf_send {
	struct nfpchan *ch;
	struct bpf_card *card;
	uint32_t prog;
	int map_fd;
	int count_fd;
	int lock;
	struct bpf_share *share;
	uint32_t room;
	uint32_t taken;
	uint32_t next;
	uint64_t sent;
	struct nfp_chan_note note;
};

/* ---- what a card would do ---- */

/* Update the record from the array. Asks the card only if the caller waits for the answer. */
static void send_look(void *ctx, uint64_t upto)
{
	struct bpf_send *b = ctx;
	struct ring *r = &b->ch->ring;
	uint64_t pos = le64toh(b->note.pos), need = r->pos + b->room;
	const uint32_t zero = 0;
	uint32_t taken;
	int err;

	need = need > r->limit ? need - r->limit : 0;
	need = need > upto ? need : upto;
	if (pos >= need || bpf_card_check(b->card, b->prog, &r->end))
		return;
	err = bpf_lookup(b->count_fd, &zero, &taken);
	if (err) {
		r->end = (struct ring_err){ err, "the number of messages that the program has taken cannot be read: error %llu",
					    { (unsigned long long)-err } };
		return;
	}
	/* The program may have written any number: ring_refresh() checks the position. */
	pos += (uint64_t)(taken - b->taken) * b->room;
	b->taken = taken;
	__atomic_store_n(&b->note.pos, htole64(pos), __ATOMIC_RELEASE);
}

/* Block signals: one would end the driver's wait, although the card goes on with the update. */
static int entry_add(struct bpf_send *b, uint32_t key, const void *value)
{
	sigset_t all, old;
	int err;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	err = bpf_update(b->map_fd, &key, value, BPF_NOEXIST);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return err;
}

static int send_one(struct bpf_send *b)
{
	struct ring *r = &b->ch->ring;
	int err;

	if (bpf_card_check(b->card, b->prog, &r->end)) {
		r->err = r->end;
		return r->end.code;
	}
	err = entry_add(b, b->next, r->data + (b->sent & r->mask) + r->hdr);
	switch (err) {
	case 0:
		b->next++;
		b->share->next = b->next;
		b->share->msgs++;
		b->share->bytes += r->elem_size;
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
	for (; b->sent != r->pos && !r->dead; b->sent += b->room)
		r->dead = send_one(b);
}

/* ---- counters ---- */

void bpf_send_query(const struct bpf_chan *info, struct nfp_chan_query *q)
{
	const uint32_t zero = 0;
	uint32_t taken;
	int fd = bpf_map_fd(info->count_id);

	if (fd < 0)
		return;
	if (!bpf_lookup(fd, &zero, &taken)) {
		q->msgs = taken;
		q->bytes = (uint64_t)taken * info->size;
	}
	close(fd);
}

/* ---- open and close ---- */

static int refuse_bind(struct nfpchan *ch, int prog_fd, uint32_t map_id)
{
	(void)prog_fd;
	chan_lock(ch);
	ring_fail(&ch->ring, -EOPNOTSUPP, "map %llu: the channel leads to the NFP", map_id, 0, 0);
	chan_unlock(ch);
	return -EOPNOTSUPP;
}

static int refuse_unbind(struct nfpchan *ch, uint32_t map_id)
{
	return refuse_bind(ch, -1, map_id);
}

static void send_free(struct bpf_send *b)
{
	bpf_unlock(b->lock, b->share);
	if (b->map_fd >= 0)
		close(b->map_fd);
	if (b->count_fd >= 0)
		close(b->count_fd);
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

static int key_there(const struct bpf_send *b, uint32_t key, void *value)
{
	return bpf_lookup(b->map_fd, &key, value);
}

/*
 * Find the number of the next message. The last sender left it in the file, unless it died
 * between the update of the hash and that of the file. The program will take the messages that
 * the last sender left in the hash before ours.
 */
static int numbers_read(struct bpf_send *b, uint32_t size, uint32_t depth)
{
	const uint32_t zero = 0;
	uint8_t value[size];
	int err;

	err = bpf_lookup(b->count_fd, &zero, &b->taken);
	b->next = (uint32_t)b->share->next;
	if ((int32_t)(b->next - b->taken) < 0 || b->next - b->taken > depth)
		b->next = b->taken;
	while (!err) {
		err = key_there(b, b->next, value);
		b->next += !err;
	}
	if (err != -ENOENT)
		return err;
	return b->next - b->taken > depth ? -EIO : 0;
}

static int send_start(struct bpf_send *b, const struct bpf_chan *info)
{
	struct ring_db db = { .store = send_store, .look = send_look, .ctx = b };
	int err;

	b->map_fd = bpf_map_fd(info->map_id);
	b->count_fd = bpf_map_fd(info->count_id);
	b->ch->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (b->map_fd < 0 || b->count_fd < 0)
		return b->map_fd < 0 ? b->map_fd : b->count_fd;
	if (b->ch->fd < 0)
		return -errno;
	err = numbers_read(b, info->size, info->depth);
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
		.ch = ch, .card = card->bpf, .prog = prog, .map_fd = -1, .count_fd = -1,
	};
	ch->fd = -1;
	ch->back = b;
	ch->ops = &send_ops;
	ch->naps = true;
	__atomic_add_fetch(&b->card->users, 1, __ATOMIC_RELAXED);
	layout_fill(b, &ch->layout, info);
	b->lock = bpf_lock(info->map_id, &b->share, &pid);
	if (b->lock < 0) {
		ret = bpf_lock_fail(card, ch->name, b->lock, info->map_id, pid);
		goto fail;
	}
	ret = send_start(b, info);
	if (!ret)
		return 0;
	card_fail(card, ret, "%s: map %u: %s", ch->name, info->map_id, strerrordesc_np(-ret));
fail:
	send_free(b);
	return ret;
}
