// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * bpf_recv.c - a channel to the host: moves messages from perf rings to the channel's ring.
 *
 * recv_look() acts as the card: before the library looks at the record, it moves the messages
 * that have room.
 *
 * The channel's descriptor is an epoll of three things: the perf events, which are readable
 * once for each arrival; an eventfd that is readable while messages are unread, so that poll()
 * keeps reporting them; and a timer. Nothing but the timer ends a sleep when the program is
 * replaced, the interface goes, or another process takes the map's slots.
 */
#define _GNU_SOURCE
#include <endian.h>
#include <errno.h>
#include <nfpchan/nfp_chan_xdp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>
#include "bpf.h"
#include "ring_int.h"

#define RING_SIZE	65536	/* bytes of each perf ring, and of the channel's ring */
#define CHECK_NSEC	1000000000ull
#define UNIT		NFP_CHAN_MSG_ALIGN

/* ---- messages ---- */

static uint32_t head_len(const struct bpf_recv *b)
{
	return b->event ? sizeof(struct nfp_chan_xdp_event) : 0;
}

static void head_write(struct bpf_recv *b, const struct perf_event *e, uint32_t len, void *to)
{
	struct nfp_chan_xdp_event h = {
		.map_id = htole32(b->info.map_id), .seq = htole32(b->event_seq),
		.ts_ns = htole64(e->time), .data_len = htole16((uint16_t)len),
		.port = b->card->port,
	};

	memcpy(to, &h, sizeof(h));
}

/* Bytes of the program in an event: perf pads them to a multiple of 8, minus 4. */
static uint32_t event_len(const struct bpf_recv *b, const struct perf_event *e)
{
	uint32_t size = b->info.size;

	return size && e->len >= size && e->len < size + 8 ? size : e->len;
}

static int event_odd(struct bpf_recv *b, uint32_t len)
{
	struct ring *r = &b->ch->ring;

	r->end = (struct ring_err){ -EIO, "an event of %llu bytes, the channel's have %llu: the map's size is not that of the program's events",
				    { len, b->info.size ?: BPF_FREE_MAX } };
	return 0;
}

/* Move one message. Returns 0 if there is none, or it has no room. */
static int recv_one(struct bpf_recv *b)
{
	struct ring *r = &b->ch->ring;
	struct nfp_chan_hdr hdr;
	struct perf_event e;
	uint64_t lost = 0;
	unsigned int cpu;
	uint32_t len, all;
	uint8_t *to;

	if (!b->perf.cpu || r->end.code == -EIO)
		return 0;
	cpu = perf_next(&b->perf, &e, &cpu, &lost) ? cpu : UINT32_MAX;
	b->share->lost += lost;
	b->event_seq += (uint32_t)lost;
	if (cpu == UINT32_MAX)
		return 0;
	len = event_len(b, &e);
	all = head_len(b) + len;
	if (all > r->max_size || (r->elem_size && all != r->elem_size))
		return event_odd(b, e.len);
	if (b->pos + msg_room(r, all) - r->rung > r->size)
		return 0;
	to = r->data + (b->pos & r->mask);
	hdr = (struct nfp_chan_hdr){ .len = htole32(all), .seq = htole16((uint16_t)++b->seq) };
	memcpy(to, &hdr, sizeof(hdr));
	b->event_seq++;
	if (b->event)
		head_write(b, &e, len, to + sizeof(hdr));
	perf_take(&b->perf, cpu, to + sizeof(hdr) + head_len(b), len);
	b->pos += msg_room(r, all);
	b->share->msgs++;
	b->share->bytes += len;
	return 1;
}

static bool recv_some(struct bpf_recv *b)
{
	uint64_t pos = b->pos;

	give_back(&b->ch->ring, 0);
	while (recv_one(b))
		;
	return b->pos != pos;
}

static void bell_set(struct bpf_recv *b, bool on)
{
	eventfd_t count;

	on = on || b->ch->ring.end.code;	/* the end of the channel stays readable */
	if (b->rung == on)
		return;
	b->rung = on;
	if (on)
		eventfd_write(b->bell, 1);
	else
		eventfd_read(b->bell, &count);
}

/* Schedule the next check. Until then the timer is not readable. */
static int check_later(struct bpf_recv *b)
{
	struct itimerspec at = { .it_interval = { 0 } };

	b->check = pause_now() + CHECK_NSEC;
	at.it_value.tv_sec = (time_t)(b->check / 1000000000);
	at.it_value.tv_nsec = (long)(b->check % 1000000000);
	return timerfd_settime(b->timer, TFD_TIMER_ABSTIME, &at, NULL) ? -errno : 0;
}

/*
 * Have the driver read messages that it has left in its ring. nfp_ctrl_rx() of the stock driver
 * has a "budget" that wraps: it takes 513 messages and then waits for an interrupt, even if more
 * messages are there. If the card sent its last interrupt before that, the driver leaves the rest
 * until the card sends another message. The card answers a request for a map by a message.
 */
static void driver_wake(struct bpf_recv *b)
{
	int fd = bpf_map_new(sizeof(uint32_t), b->card->ifindex);

	if (fd >= 0)
		close(fd);
}

/* Check program, interface and slots, once a second, when there is nothing else to do. */
static void recv_check(struct bpf_recv *b)
{
	struct ring_err *end = &b->ch->ring.end;

	if (end->code || pause_now() < b->check)
		return;
	check_later(b);
	if (b->checked != b->seq) {
		b->checked = b->seq;
		driver_wake(b);
	}
	if (!bpf_card_check(b->card, b->prog, end) && b->bound)
		perf_check(&b->perf, end);
	bell_set(b, end->code);
}

static void recv_look(void *ctx, uint64_t upto)
{
	struct bpf_recv *b = ctx;
	struct ring *r = &b->ch->ring;
	bool some;

	(void)upto;
	some = recv_some(b);
	if (!some && b->pos == r->pos) {
		/* From here on, the arrival of a message makes the descriptor readable. */
		bell_set(b, false);
		some = recv_some(b);
		if (!some)
			recv_check(b);
		some = some || recv_some(b);
	}
	if (!some)
		return;
	bell_set(b, true);
	__atomic_store_n(&b->note.seq, htole32(b->seq), __ATOMIC_RELAXED);
	__atomic_store_n(&b->note.pos, htole64(b->pos), __ATOMIC_RELEASE);
}

/* A doorbell needs no action: recv_look() finds the room that was given back. */
static void recv_store(void *ctx, enum ring_reg reg, uint32_t val)
{
	(void)ctx;
	(void)reg;
	(void)val;
}

/* ---- counters ---- */

static uint64_t given_read(int fd)
{
	const uint32_t zero = 0;
	uint64_t n = 0;

	return fd >= 0 && !bpf_lookup(fd, &zero, &n) ? n : 0;
}

static void counts(struct nfp_chan_query *q, uint64_t given, uint64_t msgs, uint64_t lost)
{
	q->msgs += msgs;
	/* The program counts after it sends the event, so the count may be behind. */
	q->dropped += given ? (given > msgs ? given - msgs : 0) : lost;
}

/*
 * Read the count from the card first. The card answers after the events that it sent before,
 * so an event that is counted and not in the perf rings by then is lost.
 */
static void handle_query(struct bpf_recv *b, struct nfp_chan_query *q)
{
	uint64_t given = given_read(b->count_fd), unread = 0, msgs;

	chan_lock(b->ch);
	if (b->perf.cpu)
		unread = perf_unread(&b->perf);
	msgs = b->share->msgs + unread;
	q->bytes += b->share->bytes + unread * b->info.size;
	if (b->event)
		counts(q, given - b->given, msgs - b->started, b->share->lost);
	else
		counts(q, given, msgs, b->share->lost);
	chan_unlock(b->ch);
}

int bpf_recv_query(struct bpf_card *card, const struct bpf_chan *info, struct nfp_chan_query *q)
{
	struct bpf_share share;
	struct bpf_recv *b;
	int fd;

	pthread_mutex_lock(&card->lock);
	for (b = card->chans; b && (b->event || b->info.map_id != info->map_id); b = b->next)
		;
	if (b)
		handle_query(b, q);
	pthread_mutex_unlock(&card->lock);
	if (b)
		return 0;
	bpf_shared(info->map_id, &share);
	fd = info->count_id ? bpf_map_fd(info->count_id) : -1;
	counts(q, given_read(fd), share.msgs, share.lost);
	q->bytes += share.bytes;
	if (fd >= 0)
		close(fd);
	return 0;
}

void bpf_bound_query(struct bpf_card *card, struct nfp_chan_query *q)
{
	struct bpf_recv *b;

	pthread_mutex_lock(&card->lock);
	for (b = card->chans; b; b = b->next) {
		if (!b->event)
			continue;
		q->pipes++;
		handle_query(b, q);
	}
	pthread_mutex_unlock(&card->lock);
}

/* ---- a map ---- */

/* Lock the map, and put rings into its slots. */
static int map_start(struct bpf_recv *b, int map_fd, struct ring_err *err)
{
	uint32_t pid;
	int ret;

	b->lock = bpf_lock(b->info.map_id, &b->share, &pid);
	if (b->lock < 0) {
		ret = b->lock;
		b->share = &b->none;
		close(map_fd);
		*err = (struct ring_err){ ret, ret == -EBUSY ?
			"map %llu is open as a channel already, by process %llu" :
			"no lock for map %llu in /run/nfpchan: error %llu",
			{ b->info.map_id, ret == -EBUSY ? pid : (unsigned int)-ret } };
		return ret;
	}
	b->started = b->share->msgs;
	b->count_fd = b->info.count_id ? bpf_map_fd(b->info.count_id) : -1;
	ret = perf_open(&b->perf, map_fd, b->ch->layout.ring_size, b->ch->fd, err);
	if (!ret) {
		b->given = given_read(b->count_fd);
		b->bound = true;
		return 0;
	}
	if (b->count_fd >= 0)
		close(b->count_fd);
	b->count_fd = -1;
	bpf_unlock(b->lock, b->share);
	b->lock = -1;
	b->share = &b->none;
	return ret;
}

static void map_stop(struct bpf_recv *b)
{
	if (b->bound)
		perf_stop(&b->perf);
	if (b->perf.cpu)
		perf_close(&b->perf);
	if (b->count_fd >= 0)
		close(b->count_fd);
	bpf_unlock(b->lock, b->share);
}

/* ---- nfpchan_xdp_bind() ---- */

static const char *bind_text(int err)
{
	switch (err) {
	case -EBADF:
		return "map %llu (0: its descriptor is not that of a map): program descriptor %llu is not open";
	case -EINVAL:
		return "map %llu: descriptor %llu is not that of an XDP program";
	case -ENXIO:
		return "map %llu: the program (descriptor %llu) is not offloaded";
	case -EXDEV:
		return "map %llu: the program (descriptor %llu) is offloaded to another interface";
	case -ENOENT:
		return "map %llu: the program (descriptor %llu) uses no perf event array of this id";
	case -EBUSY:
		return "map %llu: the channel has a map already";
	}
	return "map %llu cannot be bound (descriptor %llu): error %llu";
}

static int bind_find(struct bpf_recv *b, int prog_fd, uint32_t map_id)
{
	struct bpf_chan found[BPF_MAPS_MAX];
	struct bpf_prog_info prog = { 0 };
	int i, n;

	n = map_id ? bpf_prog_info(prog_fd, &prog) : -EBADF;
	if (n)
		return n;
	if (prog.type != BPF_PROG_TYPE_XDP)
		return -EINVAL;
	if (!prog.ifindex)
		return -ENXIO;
	if (prog.ifindex != (uint32_t)b->card->ifindex)
		return -EXDEV;
	n = bpf_find(prog_fd, found);
	for (i = 0; i < n; i++)
		if (found[i].map_id == map_id && found[i].dir == NFP_CHAN_TO_HOST)
			break;
	if (n < 0 || i == n)
		return n < 0 ? n : -ENOENT;
	b->info = found[i];
	n = bpf_map_fd(map_id);
	return n;
}

/* The id of the map, or 0. */
static uint32_t map_id_of(int map_fd)
{
	struct bpf_map_info info = { 0 };

	return bpf_map_info(map_fd, &info) ? 0 : info.id;
}

static int recv_bind(struct nfpchan *ch, int prog_fd, int map_fd)
{
	uint32_t map_id = map_id_of(map_fd);
	struct bpf_recv *b = ch->back;
	struct ring_err err;
	int ret;

	if (!b->event) {
		chan_lock(ch);
		ring_fail(&ch->ring, -EOPNOTSUPP, "map %llu: this channel is a map itself: xdp0 takes maps of programs",
			  map_id, 0, 0);
		chan_unlock(ch);
		return -EOPNOTSUPP;
	}
	pthread_mutex_lock(&b->card->lock);
	chan_lock(ch);
	ret = b->perf.cpu ? -EBUSY : bind_find(b, prog_fd, map_id);
	err = (struct ring_err){ ret, bind_text(ret),
				 { map_id, (unsigned int)prog_fd, (unsigned long long)-ret } };
	if (ret >= 0)
		ret = map_start(b, ret, &err);
	if (ret)
		ch->ring.err = err;
	chan_unlock(ch);
	pthread_mutex_unlock(&b->card->lock);
	return ret;
}

static int recv_unbind(struct nfpchan *ch, int map_fd)
{
	uint32_t map_id = map_id_of(map_fd);
	struct bpf_recv *b = ch->back;
	int err = 0;

	chan_lock(ch);
	if (!b->event || !b->bound || b->info.map_id != map_id) {
		err = ring_fail(&ch->ring, -ENOENT, "map %llu is not bound to this handle",
				map_id, 0, 0);
	} else {
		perf_stop(&b->perf);
		b->bound = false;
	}
	chan_unlock(ch);
	return err;
}

/* ---- open and close ---- */

static void recv_free(struct bpf_recv *b)
{
	if (b->timer >= 0)
		close(b->timer);
	if (b->bell >= 0)
		close(b->bell);
	if (b->ch->fd >= 0)
		close(b->ch->fd);
	bpf_card_put(b->card);
	free(b);
}

static void recv_stop(struct nfpchan *ch)
{
	struct bpf_recv *b = ch->back, **link;

	pthread_mutex_lock(&b->card->lock);
	for (link = &b->card->chans; *link != b; link = &(*link)->next)
		;
	*link = b->next;
	pthread_mutex_unlock(&b->card->lock);
	map_stop(b);
	bpf_memory_free(ch);
	recv_free(b);
}

static const struct chan_ops recv_ops = {
	.eventfd = bpf_no_eventfd,
	.raise = chan_no_irq,
	.xdp_bind = recv_bind,
	.xdp_unbind = recv_unbind,
	.stop = recv_stop,
};

static void layout_fill(struct bpf_recv *b, struct nfp_chan_layout *g, uint32_t ring_size)
{
	g->size = sizeof(*g);
	g->dir = NFP_CHAN_TO_HOST;
	g->kind = NFP_CHAN_MESSAGE;
	g->elem_size = b->info.size;
	g->max_size = (b->info.size ?: BPF_FREE_MAX) + head_len(b);
	g->ring_size = ring_size ?: RING_SIZE;
	g->limit = g->ring_size;
	g->unit_shift = 3;
	g->depth = g->limit / (g->max_size + UNIT);
	g->page_size = 4096;
}

static int recv_files(struct bpf_recv *b)
{
	struct epoll_event ev = { .events = EPOLLIN };

	b->ch->fd = epoll_create1(EPOLL_CLOEXEC);
	b->bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	b->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (b->ch->fd < 0 || b->bell < 0 || b->timer < 0 ||
	    epoll_ctl(b->ch->fd, EPOLL_CTL_ADD, b->bell, &ev) ||
	    epoll_ctl(b->ch->fd, EPOLL_CTL_ADD, b->timer, &ev))
		return -errno;
	return check_later(b);
}

int bpf_recv_open(struct nfpchan_card *card, struct nfpchan *ch, const struct bpf_chan *info,
		  uint32_t prog, const struct nfpchan_opts *o)
{
	struct bpf_recv *b = calloc(1, sizeof(*b));
	struct ring_db db = { .store = recv_store, .look = recv_look, .ctx = b };
	struct ring_err err;
	int ret, fd;

	if (!b)
		return card_fail(card, -ENOMEM, "%s: out of memory", ch->name);
	b->ch = ch;
	b->card = card->bpf;
	b->info = *info;
	b->event = !info->map_id;
	b->prog = b->event ? 0 : prog;
	b->share = &b->none;
	b->perf.map_fd = -1;
	b->lock = -1;
	b->count_fd = -1;
	__atomic_add_fetch(&b->card->users, 1, __ATOMIC_RELAXED);
	ch->back = b;
	ch->ops = &recv_ops;
	layout_fill(b, &ch->layout, o->ring_size);
	ret = recv_files(b);
	if (!ret)
		ret = bpf_memory(ch, &b->note, 0, &db);
	if (ret) {
		card_fail(card, ret, "%s: %s", ch->name, strerrordesc_np(-ret));
		goto fail_free;
	}
	if (!b->event) {
		fd = bpf_map_fd(info->map_id);
		ret = fd < 0 ? card_fail(card, fd, "%s: map %u: %s", ch->name, info->map_id,
					 strerrordesc_np(-fd)) : map_start(b, fd, &err);
		if (ret && fd >= 0)
			bpf_fail(card, ch->name, &err);
	}
	if (ret)
		goto fail_memory;
	pthread_mutex_lock(&b->card->lock);
	b->next = b->card->chans;
	b->card->chans = b;
	pthread_mutex_unlock(&b->card->lock);
	return 0;

fail_memory:
	bpf_memory_free(ch);
fail_free:
	recv_free(b);
	return ret;
}
