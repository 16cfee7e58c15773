// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * send.c - an invocation: send its windows, and send each again until it is done.
 *
 * Only the sender thread takes and fills free slots, without the lock. Then it takes the lock and
 * marks the slots as outstanding. From then on an answer frees a slot, in the thread that receives
 * the answer.
 */
#define _GNU_SOURCE
#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include "opts.h"
#include "rt.h"

#define TIMEOUT_MS	10000
#define OWN_MAX		1048576		/* most answers that are kept */

/**
 * struct batch - windows to send now
 * @count: number of windows
 * @slot: slots of the windows
 */
struct batch {
	unsigned int count;
	struct slot *slot[BATCH];
};

static void fill_head(const struct ncrt *nc, const struct flight *fl, uint32_t n, struct ncp_hdr *h)
{
	*h = (struct ncp_hdr){
		.magic = htole16(NCP_MAGIC), .version = NCP_VERSION,
		.flags = (fl->w.mode == NCRT_ACK ? NCP_WANT_ACK : 0) |
			 (n + 1 == fl->windows ? NCP_LAST : 0),
		.program = htole16(nc->desc->hash), .kernel = htole16(fl->k->id),
		.from = htole16(nc->self), .to = htole16(fl->w.to),
		.len = htole16(kernel_len(fl->k)), .size = htole16(fl->k->size),
		.seq = htole32(fl->w.first_seq + n), .invocation = htole32(fl->invocation),
	};
}

/*
 * Fill free slots with the next windows. Only the sender thread uses a slot that is not
 * outstanding.
 */
static void fill(struct ncrt *nc, struct flight *fl, struct batch *b)
{
	uint32_t n, seq, *uses = nc->lane[fl->k->id].uses;
	struct slot *s;

	for (b->count = 0; b->count < BATCH && fl->sent + b->count < fl->windows; b->count++) {
		n = fl->sent + b->count;
		seq = fl->w.first_seq + n;
		s = &fl->slot[n % fl->nr_slots];
		if (__atomic_load_n(&s->out, __ATOMIC_ACQUIRE) || b->count == fl->nr_slots)
			break;
		s->seq = seq;
		s->tries = 0;
		fill_head(nc, fl, n, &s->frame.hdr);
		window_pack(nc, fl, n, nc->first + uses[seq % fl->w.slots]++, s->frame.data);
		b->slot[b->count] = s;
	}
}

/* Mark the filled slots as outstanding. */
static void begin(struct ncrt *nc, struct flight *fl, const struct batch *b, uint64_t now)
{
	unsigned int i;

	for (i = 0; i < b->count; i++) {
		b->slot[i]->since = now;
		slot_set(b->slot[i], fl->w.mode != NCRT_NONE);
	}
	fl->sent += b->count;
	nc->stats.sent += b->count;
	if (fl->w.mode == NCRT_NONE) {
		fl->done += b->count;
		nc->stats.done += b->count;
	}
}

static int too_late(struct ncrt *nc, const struct flight *fl, const struct slot *s)
{
	const char *to = ncrt_label(nc, fl->w.to);

	nc->stats.timeouts++;
	return rt_fail(-ETIMEDOUT, "%s: window %u of invocation %u, for %s by %s: no %s within %llu ms, sent %u times",
		    fl->k->name, s->seq, fl->invocation, to ? to : "who is behind the device",
		    net_via_label(nc, fl->w.to),
		    fl->w.mode == NCRT_ACK ? "acknowledgement" : "answer",
		    (unsigned long long)(fl->timeout / 1000000), s->tries);
}

/* Add windows that are due for another transmission. @next: earliest time when a window is due. */
static int due(struct ncrt *nc, struct flight *fl, struct batch *b, uint64_t now, uint64_t *next)
{
	struct slot *s;

	for (s = fl->slot; s < fl->slot + fl->nr_slots; s++) {
		if (!s->out || !s->tries)
			continue;
		if (now - s->since >= fl->timeout)
			return too_late(nc, fl, s);
		if (s->due > now) {
			*next = s->due < *next ? s->due : *next;
		} else if (b->count == BATCH) {
			*next = now;
		} else {
			s->frame.hdr.flags |= NCP_AGAIN;
			b->slot[b->count++] = s;
			nc->stats.again++;
		}
	}
	return 0;
}

/* Set when each sent window is due again: after the wait, but at the latest at its timeout. */
static void stamp(struct ncrt *nc, struct flight *fl, struct batch *b, uint64_t now, uint64_t *next)
{
	struct slot *s;
	unsigned int i;

	for (i = 0; i < b->count; i++) {
		s = b->slot[i];
		s->tries++;
		s->due = now + rtt_wait(&nc->lane[fl->k->id].rtt, s->tries);
		if (s->due > s->since + fl->timeout)
			s->due = s->since + fl->timeout;
		*next = s->due < *next ? s->due : *next;
	}
}

static int send_batch(struct ncrt *nc, const struct flight *fl, const struct batch *b)
{
	struct frame *frame[BATCH];
	unsigned int i;

	for (i = 0; i < b->count; i++)
		frame[i] = &b->slot[i]->frame;
	return b->count ? net_send(nc, frame, b->count, &nc->via[fl->w.to], 0) : 0;
}

/*
 * Do one round, with the lock held: send what is due, receive what has come, or else sleep until a
 * datagram or a window is due.
 */
static int turn(struct ncrt *nc, struct flight *fl)
{
	uint64_t next = UINT64_MAX, now;
	struct batch b;
	int err;

	pthread_mutex_unlock(&nc->lock);
	fill(nc, fl, &b);
	pthread_mutex_lock(&nc->lock);
	now = timer_now();
	begin(nc, fl, &b, now);
	err = due(nc, fl, &b, now, &next);
	if (err)
		return err;
	stamp(nc, fl, &b, now, &next);
	if (b.count) {
		pthread_mutex_unlock(&nc->lock);
		err = send_batch(nc, fl, &b);
		pthread_mutex_lock(&nc->lock);
		return err ? err : recv_all(nc);
	}
	err = net_wait(nc, SENDER, next > now ? (int64_t)(next - now) : 0);
	if (err && (err != -EINTR || nc->flags & NCRT_INTR))
		return err;
	return recv_all(nc);
}

static int fly(struct ncrt *nc, struct flight *fl)
{
	int err = 0;

	nc->flight = fl;
	while (!err && fl->done < fl->windows)
		err = turn(nc, fl);
	nc->flight = NULL;
	return err;
}

/* ---- the call ---- */

static int plan_how(struct ncrt *nc, struct flight *fl, const struct ncrt_wnd *wnd)
{
	struct ncrt_wnd *w = &fl->w;
	int err = wnd ? opts_copy(w, sizeof(*w), wnd, wnd->size) : 0;

	if (err)
		return rt_fail(err, "struct ncrt_wnd: " OPTS_TEXT, wnd->size, sizeof(*w));
	if (w->mode > NCRT_NONE)
		return rt_fail(-EINVAL, "mode %u: REPLY, ACK and NONE are 0 to 2", w->mode);
	if (w->flags & ~(uint32_t)(NCRT_PAD | NCRT_BACK | NCRT_QUIET))
		return rt_fail(-EINVAL, "flags 0x%x of a struct ncrt_wnd", w->flags);
	if (!w->slots)
		w->slots = NCRT_SLOTS;
	if (w->slots > NCRT_SLOTS_MAX)
		return rt_fail(-EINVAL, "%u slots: %u at most", w->slots, NCRT_SLOTS_MAX);
	if (w->to > nc->net->nr)
		return rt_fail(-EINVAL, "node %u: the AND file has %u", w->to, nc->net->nr);
	if (w->to == nc->self)
		return rt_fail(-EINVAL, "windows for %s: that is this host", ncrt_label(nc, w->to));
	if (!nc->via[w->to].sin_port)
		return rt_fail(-EHOSTUNREACH, "no way from %s to %s: add a link to the AND file",
			    ncrt_label(nc, nc->self), w->to ? ncrt_label(nc, w->to) : "a device");
	fl->timeout = (w->timeout_ms ? w->timeout_ms : TIMEOUT_MS) * 1000000ull;
	return 0;
}

static int plan(struct ncrt *nc, struct flight *fl, const char *kernel, const struct ncrt_arg *args,
		unsigned int nargs, const struct ncrt_wnd *wnd, const uint16_t *mask)
{
	int err;

	fl->k = kernel ? desc_kernel(nc->desc, kernel) : NULL;
	if (!fl->k || fl->k->in)
		return rt_fail(-ENOENT, "%s is no outgoing kernel of %s", kernel ? kernel : "NULL",
			    nc->desc->name);
	err = plan_how(nc, fl, wnd);
	if (err)
		return err;
	if (nargs > NCRT_ARGS_MAX)
		return rt_fail(-EINVAL, "%u arguments: %u at most", nargs, NCRT_ARGS_MAX);
	if (nargs)
		memcpy(fl->args, args, nargs * sizeof(*args));
	fl->nargs = nargs;
	if (fl->one)
		fl->w.windows = 1;
	return window_plan(fl, mask);
}

static int64_t fly_locked(struct ncrt *nc, struct flight *fl)
{
	int err;

	if (nc->sending)
		return rt_fail(-EBUSY, "another thread sends");
	if (!fl->answer && !(fl->w.flags & (NCRT_BACK | NCRT_QUIET)) &&
	    fl->w.mode != NCRT_NONE && nc->own + (uint64_t)fl->windows > OWN_MAX)
		return rt_fail(-ENOBUFS, "%u answers are kept, with %u more that is above %u: receive them, or set NCRT_QUIET or NCRT_BACK",
			    nc->own, fl->windows, OWN_MAX);
	nc->sending = true;
	fl->invocation = nc->next++;
	err = fly(nc, fl);
	nc->sending = false;
	return err ? err : (int64_t)fl->windows;
}

static int64_t out(struct ncrt *nc, struct flight *fl)
{
	unsigned int i;
	int64_t ret;

	fl->nr_slots = fl->w.slots < fl->windows ? fl->w.slots : fl->windows;
	fl->slot = malloc(fl->nr_slots * sizeof(*fl->slot));
	if (!fl->slot)
		return rt_fail(-ENOMEM, "no memory for %u windows", fl->nr_slots);
	for (i = 0; i < fl->nr_slots; i++)
		slot_set(&fl->slot[i], false);
	pthread_mutex_lock(&nc->lock);
	ret = fly_locked(nc, fl);
	pthread_mutex_unlock(&nc->lock);
	free(fl->slot);
	return ret;
}

int64_t ncrt_out(struct ncrt *nc, const char *kernel, const struct ncrt_arg *args,
		 unsigned int nargs, const struct ncrt_wnd *wnd, const uint16_t *mask)
{
	struct flight fl = { .w.size = sizeof(fl.w) };
	int err = plan(nc, &fl, kernel, args, nargs, wnd, mask);

	if (err || !fl.windows)
		return err;
	return out(nc, &fl);
}

int ncrt_out_window(struct ncrt *nc, const char *kernel, const struct ncrt_arg *args,
		    unsigned int nargs, const struct ncrt_wnd *wnd, struct ncrt_window *answer)
{
	struct flight fl = { .w.size = sizeof(fl.w), .one = true, .answer = answer };
	int64_t ret;

	ret = plan(nc, &fl, kernel, args, nargs, wnd, NULL);
	if (ret)
		return (int)ret;
	if (answer)
		memset(answer, 0, offsetof(struct ncrt_window, data));
	ret = out(nc, &fl);
	return ret < 0 ? (int)ret : 0;
}

int ncrt_answer(struct ncrt *nc, const struct ncrt_window *w)
{
	const struct desc_kernel *k = kernel_out(nc, w->kernel);
	struct frame f, *one = &f;

	if (!k || w->size != k->size || !w->from || w->from > nc->net->nr ||
	    w->from == nc->self)
		return rt_fail(-EINVAL, "a window of kernel %u, %u bytes, from node %u is not what was received",
			    w->kernel, w->size, w->from);
	if (!nc->via[w->from].sin_port)
		return rt_fail(-EHOSTUNREACH, "no way to %s", ncrt_label(nc, w->from));
	f.hdr = (struct ncp_hdr){
		.magic = htole16(NCP_MAGIC), .version = NCP_VERSION, .flags = NCP_ANSWER,
		.program = htole16(nc->desc->hash), .kernel = htole16(w->kernel),
		.from = htole16(nc->self), .to = htole16(w->from), .len = htole16(w->len),
		.size = htole16(w->size), .seq = htole32(w->seq),
		.invocation = htole32(w->invocation),
	};
	memcpy(f.data, w->data, w->size);
	return net_send(nc, &one, 1, &nc->via[w->from], 0);
}
