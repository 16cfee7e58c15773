// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * ring_msgs.c - many messages of any size at a time.
 *
 * The look at the record, the doorbell and the return of room happen once for many messages. Within
 * a run of messages of one length the next header is known, so one comparison checks it. Messages of
 * 64 bytes after others of 64 bytes have a fast path (ring_lines.h).
 */
#include <errno.h>
#include <string.h>
#include <nfpchan.h>
#include "ring_int.h"

/**
 * struct run - a run of messages of one length
 * @at: the next message
 * @hdr: its header
 * @len: payload bytes of each
 * @room: bytes of the ring that each takes
 * @most: the largest number of messages in the run
 */
struct run {
	const uint8_t *at;
	uint64_t hdr;
	uint32_t len;
	uint32_t room;
	uint32_t most;
};

/**
 * struct walk - messages that were passed, from the ring's position on
 * @n: how many
 * @room: bytes of the ring
 * @bytes: bytes of payload
 * @last: bytes of payload of the last one
 */
struct walk {
	uint32_t n;
	uint64_t room;
	uint64_t bytes;
	uint32_t last;
};

/*
 * The run that begins after @w. Its @most is 0 if there is no message, or its header is not valid:
 * ring_peek() says what is wrong with it, once it is the first message.
 */
static inline struct run run_begin(const struct ring *r, const struct walk *w, uint32_t most)
{
	uint64_t left = r->peer - r->pos - w->room, fit;
	struct run run = { .at = r->data + (r->pos & r->mask) + w->room };

	if (!left)
		return run;
	run.hdr = hdr_load(run.at);
	run.len = (uint32_t)run.hdr;
	run.room = msg_room(r, run.len);
	if (run.len > r->max_size || (r->elem_size && run.len != r->elem_size) ||
	    (uint16_t)(run.hdr >> 32) != (uint16_t)(r->seq + w->n + 1) || run.room > left)
		return run;
	fit = left / run.room;
	run.most = fit < most ? (uint32_t)fit : most;
	return run;
}

/* The run's next message: its payload, or NULL if it does not belong to the run. */
static inline const uint8_t *run_next(struct run *run)
{
	const uint8_t *at = run->at;

	if (!hdr_is(at, run->hdr))
		return NULL;
	run->at = at + run->room;
	run->hdr += HDR_NEXT;
	return at + sizeof(struct nfp_chan_hdr);
}

static inline void run_end(struct walk *w, const struct run *run, uint32_t n)
{
	w->n += n;
	w->room += (uint64_t)n * run->room;
	w->bytes += (uint64_t)n * run->len;
	w->last = n ? run->len : w->last;
}

/* The messages of @w are the caller's: borrowed, or with @back their room is the card's again. */
static void walked(struct ring *r, const struct walk *w, bool back)
{
	if (!r->borrowed)
		r->released = r->pos;
	if (!back)
		r->borrowed += w->n;
	r->pos += w->room;
	r->seq += w->n;
	r->count.msgs += w->n;
	r->count.bytes += w->bytes;
	ring_same_off(r);
	ctl_publish(r);
	if (back)
		give_back(r, r->batch);
}

/* The length of all messages of @w, which the next ones may have as well. UINT64_MAX: they differ. */
static inline uint64_t same_len(const struct walk *w)
{
	return w->bytes == (uint64_t)w->n * w->last ? w->last : UINT64_MAX;
}

/* @w has moved the ring. A shared handle has no fast path for many messages. */
static void same_again(struct ring *r, const struct walk *w)
{
	if (r->alone && same_len(w) <= SAME_MOST)
		ring_same_set(r, w->last);
	else
		ring_same_off(r);
}

/* Is a message there? Returns 0, or as ring_peek(). */
static inline int first_look(struct ring *r)
{
	const void *data;
	uint32_t len;

	if (r->peer != r->pos && r->dir == NFP_CHAN_TO_HOST && !r->dead && !r->lent)
		return 0;
	return ring_peek(r, &data, &len);
}

/* No message was passed, because the first one's header is not valid: the error of ring_peek(). */
static __attribute__((noinline)) int none_passed(struct ring *r)
{
	const void *data;
	uint32_t len;

	/* 0: the card has made the header valid meanwhile. */
	return ring_peek(r, &data, &len) ?: -EAGAIN;
}

int64_t ring_borrow_msgs(struct ring *r, struct nfpchan_msg *msgs, uint32_t most)
{
	struct nfpchan_msg *m = msgs;
	struct walk w = { 0 };
	const uint8_t *data;
	struct run run;
	int err = first_look(r);
	uint32_t i;

	if (err)
		return err;
	do {
		run = run_begin(r, &w, most - w.n);
		for (i = 0; i < run.most && (data = run_next(&run)); i++)
			*m++ = (struct nfpchan_msg){ data, run.len };
		run_end(&w, &run, i);
	} while (i && w.n < most);
	if (!w.n)
		return none_passed(r);
	walked(r, &w, false);
	/* For ring_release() */
	r->same_len = same_len(&w);
	return w.n;
}

/* A call costs less than the copy of a large message. */
static inline __attribute__((always_inline))
void copy_any(void *to, const void *from, uint32_t len)
{
	if (len <= SAME_MOST)
		copy_msg(to, from, len);
	else
		memcpy(to, from, len);
}

/* Copy messages of the run to @to, each @step bytes after the one before. Returns how many. */
static inline __attribute__((always_inline))
uint32_t run_copy(struct run *run, uint32_t len, uint8_t *to, uint32_t step, struct nfpchan_msg *m)
{
	const uint8_t *data;
	uint32_t i;

	for (i = 0; i < run->most && (data = run_next(run)); i++, to += step) {
		copy_any(to, data, len);
		if (m)
			*m++ = (struct nfpchan_msg){ to, len };
	}
	return i;
}

/*
 * Copy messages to @buf, each at a multiple of @align bytes. The messages of a channel with a fixed
 * size are packed with 1.
 * @size: bytes of @buf
 */
static struct walk walk_copy(const struct ring *r, uint8_t *buf, size_t size, uint32_t align,
			     struct nfpchan_msg *msgs, uint32_t most)
{
	struct walk w = { 0 };
	uint32_t step, i;
	size_t used = 0, fit;
	struct run run;

	do {
		run = run_begin(r, &w, most - w.n);
		step = (run.len + align - 1) & ~(align - 1);
		/* The last message needs no room behind it. */
		fit = run.len > size - used ? 0 : step ? (size - used - run.len) / step + 1 : run.most;
		run.most = fit < run.most ? (uint32_t)fit : run.most;
		i = run.len == RING_LINE ?
		    run_copy(&run, RING_LINE, buf + used, step, msgs ? msgs + w.n : NULL) :
		    run_copy(&run, run.len, buf + used, step, msgs ? msgs + w.n : NULL);
		run_end(&w, &run, i);
		used += (size_t)i * step;
	} while (i && w.n < most && used < size);
	return w;
}

static int64_t copied(struct ring *r, const struct walk *w)
{
	int err = ring_verify(r);

	if (err)
		return err;
	if (!w->n)
		return none_passed(r);
	walked(r, w, true);
	same_again(r, w);
	return r->dead ? r->dead : (int64_t)w->n;
}

int64_t ring_get_msgs(struct ring *r, void *buf, size_t size, struct nfpchan_msg *msgs,
		      uint32_t most)
{
	const void *data;
	struct walk w;
	uint32_t len;
	int err;

	if (r->borrowed)
		return ring_owed(r);
	err = first_look(r);
	if (err)
		return err;
	w = walk_copy(r, buf, size, 8, msgs, most);
	if (!w.n && !ring_peek(r, &data, &len) && len > size)
		return ring_small(r, len, size);
	return copied(r, &w);
}

int64_t ring_pack_msgs(struct ring *r, void *buf, uint32_t most)
{
	struct walk w;
	int err = first_look(r);

	if (err)
		return err;
	w = walk_copy(r, buf, SIZE_MAX / 2, 1, NULL, most);
	return copied(r, &w);
}

/* ---- to NFP ---- */

/* Write messages while they are allowed and have room. */
static struct walk put_all(struct ring *r, const struct nfpchan_msg *m, uint32_t most)
{
	uint64_t left = r->limit - (r->pos - r->peer), hdr = 0, head;
	uint8_t *at = r->data + (r->pos & r->mask);
	struct walk w = { 0 };
	size_t like = SIZE_MAX;
	uint32_t room = 0;

	for (; w.n < most; w.n++, m++) {
		if (m->len != like) {
			if (m->len > r->max_size || (r->elem_size && m->len != r->elem_size))
				break;
			like = m->len;
			room = msg_room(r, (uint32_t)like);
			hdr = like | (uint64_t)(uint16_t)(r->seq + w.n + 1) << 32;
		}
		if (room > left)
			break;
		left -= room;
		head = htole64(hdr & ~0ull >> 16);
		memcpy(at, &head, sizeof(head));
		copy_any(at + sizeof(hdr), m->data, (uint32_t)like);
		at += room;
		hdr += HDR_NEXT;
		w.bytes += like;
	}
	w.room = r->limit - (r->pos - r->peer) - left;
	w.last = (uint32_t)like;
	return w;
}

int64_t ring_put_msgs(struct ring *r, const struct nfpchan_msg *msgs, uint32_t most)
{
	uint32_t len = msgs->len > UINT32_MAX ? UINT32_MAX : (uint32_t)msgs->len;
	uint16_t inl = (uint16_t)(r->inl_seq - r->seq - 1);
	struct walk w;
	int err;

	/* A single message may go to the inline page, or overwrites the number there. */
	if (most == 1 || (r->inl_seq <= UINT16_MAX && !inl)) {
		err = ring_put(r, msgs->data, len);
		return err ? err : 1;
	}
	if (r->inl_seq <= UINT16_MAX && most > inl)
		most = inl;
	err = ring_tx_look(r, len);
	if (err != -EAGAIN)
		return err;
	w = put_all(r, msgs, most);
	if (!w.n)
		return -EAGAIN;
	r->pos += w.room;
	r->unrung += (uint32_t)w.room;
	r->seq += w.n;
	r->count.msgs += w.n;
	r->count.bytes += w.bytes;
	same_again(r, &w);
	err = ring_kick(r);
	return err ? err : (int64_t)w.n;
}
