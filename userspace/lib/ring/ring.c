// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * ring.c - the host's half of a pipe's protocol.
 */
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include "nfp_chan_offsets.h"
#include "ring_int.h"

#define LAYOUT_SIZE(s, n) \
	_Static_assert(sizeof(struct s) == (n), "size of " #s);
#define LAYOUT_OFFSET(s, f, n) \
	_Static_assert(offsetof(struct s, f) == (n), "offset of " #s "." #f);
NFP_CHAN_RING_OFFSETS(LAYOUT_SIZE, LAYOUT_OFFSET)
NFP_CHAN_OFFSETS(LAYOUT_SIZE, LAYOUT_OFFSET)

int ring_fail(struct ring *r, int code, const char *fmt, unsigned long long a,
	      unsigned long long b, unsigned long long c)
{
	r->err = (struct ring_err){ code, fmt, { a, b, c } };
	return code;
}

/*
 * Read the record in the order that O4 of uapi/PROTOCOL.rst asks for. A state that ends the
 * pipe is thus read together with the last position.
 */
static uint64_t note_load(struct ring *r)
{
	const uint64_t *word = (const uint64_t *)r->note;
	uint64_t tail, pos;

	tail = le64toh(__atomic_load_n(&word[1], __ATOMIC_ACQUIRE));
	pos = le64toh(__atomic_load_n(&word[0], __ATOMIC_ACQUIRE));
	r->peer_seq = (uint32_t)tail;
	r->state = tail >> 32;
	return pos;
}

/*
 * The card was detached, and the kernel has replaced the ring by zeroed pages. What was read
 * there may not come from the card.
 */
static int ring_gone(struct ring *r)
{
	r->dead = -ENODEV;
	ring_fast_off(r);
	return ring_fail(r, -ENODEV, "the card is gone", 0, 0, 0);
}

/* The card has broken the protocol: end the ring. Nothing is read from the card any more. */
static int ring_kill(struct ring *r, const char *fmt, unsigned long long a,
		     unsigned long long b, unsigned long long c)
{
	note_load(r);
	if (r->state == NFP_CHAN_STATE_GONE)
		return ring_gone(r);
	r->dead = -EIO;
	ring_fast_off(r);
	return ring_fail(r, -EIO, fmt, a, b, c);
}

/*
 * Set the position at which a stream gives room back, which also lets the card send its next
 * record: after half of what the last record showed, or after a batch, if that is less.
 */
static void bell_set(struct ring *r)
{
	uint64_t half = r->pos + (r->peer - r->pos + 1) / 2;

	r->bell = r->hdr || r->rung + r->batch < half ? r->rung + r->batch : half;
}

/*
 * A rendezvous has no fast path for messages, because each look and each doorbell matters there.
 * Nor have messages while some are borrowed, and those to a card that is a part of this process.
 * @same_hdr is not the next message's if messages were taken or sent another way.
 */
static bool same_allowed(const struct ring *r)
{
	return r->hdr && r->depth && !r->lent && !r->dead && !r->borrowed && !r->db.look &&
	       r->same_len <= SAME_MOST && (uint16_t)(r->same_hdr >> 32) == (uint16_t)(r->seq + 1) &&
	       (r->dir == NFP_CHAN_TO_HOST || !r->db.store);
}

/*
 * The fast path ends before the number in the header starts again from 0, and before a number that
 * is in the inline page.
 */
static uint64_t same_stop(const struct ring *r)
{
	uint64_t end = r->dir == NFP_CHAN_TO_HOST ? r->peer : r->peer + r->limit;
	uint16_t next = (uint16_t)(r->seq + 1), inl = (uint16_t)(r->inl_seq - next);
	uint64_t n = 0x10000u - next;

	if (!same_allowed(r) || end < r->same_room)
		return 0;
	if (r->inl_seq <= UINT16_MAX && inl < n)
		n = inl;
	n = r->pos + n * r->same_room;
	end = end - r->same_room + 1;
	return n < end ? n : end;
}

static void same_stop_set(struct ring *r)
{
	r->same_stop = same_stop(r);
	r->same_get = r->same_len == RING_LINE ? same_end(r, NFP_CHAN_TO_HOST, r->same_stop) : 0;
	r->same_put = r->same_len == RING_LINE ? same_end(r, NFP_CHAN_TO_NFP, r->same_stop) : 0;
	r->same_lent = 0;
	r->mark = r->bell < r->same_stop ? r->bell : r->same_stop;
}

void ring_same_set(struct ring *r, uint32_t len)
{
	r->same_len = len;
	r->same_hdr = len | (uint64_t)(uint16_t)(r->seq + 1) << 32;
	r->same_room = msg_room(r, len);
	r->same_units = htole32(r->same_room >> r->unit_shift);
	r->same_from = r->pos;
	same_stop_set(r);
}

void ring_settle_now(struct ring *r)
{
	uint32_t n = (uint32_t)(r->pos - r->same_from) / r->same_room;

	r->same_from = r->pos;
	r->seq += n;
	r->count.msgs += n;
	r->count.bytes += n * r->same_len;
	if (r->dir == NFP_CHAN_TO_NFP) {
		r->count.doorbells += n;
		r->rung = r->pos;
		r->ctl->rung = r->pos;
	}
	ctl_publish(r);
}

/* The fast path has come to @mark. */
void ring_get_done(struct ring *r)
{
	ring_settle(r);
	give_back(r, r->batch);
	same_stop_set(r);
}

void ring_stop_set(struct ring *r)
{
	bool to_host = r->dir == NFP_CHAN_TO_HOST;
	uint64_t shown = r->peer < r->bell ? r->peer : r->bell;

	r->get_stop = r->fast && to_host ? shown : 0;
	r->put_stop = r->fast && !to_host ? r->peer + r->limit - r->elem_size + 1 : 0;
	r->line_get = r->fast == RING_LINE ? r->get_stop : 0;
	r->line_put = r->fast == RING_LINE ? r->put_stop : 0;
	same_stop_set(r);
}

/*
 * Elements take the fast path if copying them needs no call to memcpy(), and the doorbell no
 * call of db.store.
 */
void ring_fast_set(struct ring *r)
{
	bool fits = !r->lent && !r->hdr && !r->dead && r->elem_size % 16 == 0 &&
		    (r->dir == NFP_CHAN_TO_HOST || !r->db.store);

	r->fast = fits ? r->elem_size : 0;
	r->fast_units = htole32(r->elem_size >> r->unit_shift);
	ring_stop_set(r);
}

int ring_refresh(struct ring *r)
{
	uint64_t pos;

	if (r->db.look)
		r->db.look(r->db.ctx, 0);
	pos = note_load(r);
	if (r->state == NFP_CHAN_STATE_GONE) {
			/* The card took these messages before it went: their sends succeed. */
		if (r->dir == NFP_CHAN_TO_NFP && pos > r->peer && pos <= r->pos)
			r->peer = pos;
		return ring_gone(r);
	}
	if (pos == r->peer)
		return 0;
	if (pos < r->peer || (pos - r->peer) % grain(r))
		return ring_kill(r, "card's position went from %llu to %llu (unit %llu)",
				 r->peer, pos, grain(r));
	if (r->dir == NFP_CHAN_TO_HOST && pos - r->rung > r->size)
		return ring_kill(r, "card is at %llu, but only %llu was given back (ring of %llu)",
				 pos, r->rung, r->size);
	if (r->dir == NFP_CHAN_TO_NFP && pos > r->pos)
		return ring_kill(r, "card consumed up to %llu, only %llu was sent",
				 pos, r->pos, 0);
	r->peer = pos;
	bell_set(r);
	ring_stop_set(r);
	return 0;
}

int ring_state(struct ring *r)
{
	if (r->end.code) {
		r->err = r->end;
		return r->end.code;
	}
	switch (r->state) {
	case NFP_CHAN_STATE_OPEN:
		return -EAGAIN;
	case NFP_CHAN_STATE_EPIPE:
		return ring_fail(r, -EPIPE, "the ME process has ended after message %llu",
				 r->peer_seq, 0, 0);
	case NFP_CHAN_STATE_FAULT:
		return ring_fail(r, -EIO, "the card has turned the pipe off at position %llu: protocol fault",
				 r->peer, 0, 0);
	}
	return ring_kill(r, "pipe state is %llu, at most %llu is known",
			 r->state, NFP_CHAN_STATE_GONE, 0);
}

/* Must a call in direction @dir fail? The ring is dead, or has the other direction, or is lent. */
static inline bool stuck(const struct ring *r, uint32_t dir)
{
	return r->dead || r->dir != dir || r->lent;
}

/* The error of a call for which stuck() is true */
static __attribute__((noinline)) int stuck_fail(struct ring *r, uint32_t dir)
{
	if (r->dead)
		return r->dead;
	if (r->dir == dir)
		return ring_lent(r);
	return ring_fail(r, -EBADF, dir == NFP_CHAN_TO_HOST ? "the channel leads to the NFP" :
			 "the channel leads to the host", 0, 0, 0);
}

int ring_owed(struct ring *r)
{
	return ring_fail(r, -EBUSY, "%llu messages are borrowed: give them back first", r->borrowed,
			 0, 0);
}

int ring_small(struct ring *r, uint32_t len, size_t size)
{
	return ring_fail(r, -EMSGSIZE, "message of %llu bytes, the buffer has %llu", len, size, 0);
}

static int layout_check(struct ring *r, const struct nfp_chan_layout *g)
{
	bool stream = g->kind == NFP_CHAN_STREAM;
	uint32_t least = stream ? 0 : 3, hdr = stream ? 0 : sizeof(struct nfp_chan_hdr);
	uint64_t whole;

	if (g->kind != NFP_CHAN_MESSAGE && !stream)
		return ring_fail(r, -EINVAL, "kind of channel is %llu, known are 1 and 2",
				 g->kind, 0, 0);
	if (stream && (!g->elem_size || !g->depth))
		return ring_fail(r, -EINVAL, "stream with elements of %llu bytes, depth %llu",
				 g->elem_size, g->depth, 0);
	if (g->ring_size < 4096 || g->ring_size & (g->ring_size - 1))
		return ring_fail(r, -EINVAL, "ring of %llu bytes is no power of 2 from 4096",
				 g->ring_size, 0, 0);
	if (g->unit_shift < least || g->unit_shift > 12)
		return ring_fail(r, -EINVAL, "unit shift is %llu, allowed are %llu to 12",
				 g->unit_shift, least, 0);
	if (g->dir != NFP_CHAN_TO_HOST && g->dir != NFP_CHAN_TO_NFP)
		return ring_fail(r, -EINVAL, "direction is %llu", g->dir, 0, 0);
	whole = (uint64_t)hdr + g->max_size;
	if (!stream)
		whole = (whole + (1u << g->unit_shift) - 1) >> g->unit_shift << g->unit_shift;
	if (g->limit > g->ring_size || whole > g->limit)
		return ring_fail(r, -EINVAL, "limit is %llu: a message may have %llu bytes, the ring %llu",
				 g->limit, g->max_size, g->ring_size);
	if (g->elem_size && g->elem_size != g->max_size)
		return ring_fail(r, -EINVAL, "elements of %llu bytes, messages of at most %llu",
				 g->elem_size, g->max_size, 0);
	return 0;
}

int ring_init(struct ring *r, const struct nfp_chan_layout *g, void *data,
	      const struct nfp_chan_note *note, struct nfp_chan_ctl *ctl,
	      const struct ring_db *db)
{
	uint32_t spare;
	int err;

	memset(r, 0, sizeof(*r));
	err = layout_check(r, g);
	if (err)
		return err;

	r->data = data;
	r->note = note;
	r->ctl = ctl;
	r->db = *db;
	r->dir = g->dir;
	r->size = g->ring_size;
	r->mask = g->ring_size - 1;
	r->unit_shift = g->unit_shift;
	r->unit = 1u << g->unit_shift;
	r->limit = g->limit;
	r->max_size = g->max_size;
	r->elem_size = g->elem_size;
	r->depth = g->depth;
	r->hdr = g->kind == NFP_CHAN_STREAM ? 0 : sizeof(struct nfp_chan_hdr);
	r->numbered = !r->hdr && r->elem_size == 1 && r->dir == NFP_CHAN_TO_HOST;

	/*
	 * Room goes back in batches of a quarter of the ring. The batch must leave room for the
	 * largest message, or the card could not send that one. In a rendezvous the sender on
	 * the card waits for this doorbell, so there is no batch.
	 */
	spare = r->limit - msg_room(r, r->max_size);
	r->batch = r->limit / 4 < spare ? r->limit / 4 : spare;
	if (!r->depth)
		r->batch = 0;

	r->pos = ctl->pos;
	r->rung = ctl->rung;
	r->seq = ctl->seq;
	r->asked = ~0ull;
	r->looked = ~0ull;
	r->inl_seq = UINT32_MAX;
	r->same_len = UINT64_MAX;
	r->same_from = r->pos;
	r->first = r->pos;
	r->peer = r->dir == NFP_CHAN_TO_HOST ? r->pos : note_load(r);
	if (r->pos % grain(r) || r->peer > r->pos || r->pos - r->peer > r->size)
		return ring_fail(r, -EINVAL, "pipe stands at %llu, the card at %llu (ring of %llu)",
				 r->pos, r->peer, r->size);
	bell_set(r);
	ring_fast_set(r);
	return 0;
}

void ring_alone(struct ring *r, bool alone)
{
	r->alone = alone;
	ring_fast_set(r);
}

struct ring_count ring_count(const struct ring *r)
{
	struct ring_count c = r->count;

	if (r->hdr)
		return c;
		/* The fast path does not count, so count from the position. */
	c.bytes = r->pos - r->first;
	c.msgs = c.bytes / r->elem_size;
		/* Bytes that were not committed took the fast path: one doorbell each. */
	if (r->dir == NFP_CHAN_TO_NFP)
		c.doorbells += (c.bytes - r->count.bytes) / r->elem_size;
	return c;
}

static void arm(struct ring *r, uint32_t seen)
{
	uint32_t old, val;

	r->count.arms++;
	if (r->db.arms) {
		r->db.store(r->db.ctx, RING_REG_ARM, seen);
		return;
	}
	old = __atomic_load_n(&r->ctl->arm, __ATOMIC_RELAXED);
	do {
		val = (seen & NFP_CHAN_ARM_SEQ_MASK) |
		      (~old & NFP_CHAN_ARM_TOGGLE);
		/* The kernel exchanges this word as well, in poll(). */
	} while (!__atomic_compare_exchange_n(&r->ctl->arm, &old, val, false,
					      __ATOMIC_RELAXED, __ATOMIC_RELAXED));
	doorbell(r, RING_REG_ARM, (val - old) & NFP_CHAN_ARM_MASK);
}

/* Nothing is new: prepare to wait, as the section Records of PROTOCOL.rst says. */
static void ask(struct ring *r)
{
	ctl_publish(r);
	if ((ring_given(r) - r->rung) >> r->unit_shift) {
		give_back(r, 0);
	} else if ((r->peer - r->rung) >> r->unit_shift && r->asked != r->peer) {
		r->asked = r->peer;
		arm(r, r->numbered ? r->peer_seq :
		       r->hdr ? r->seq : (uint32_t)(r->peer / r->elem_size));
	}
}

int ring_left(struct ring *r)
{
	uint64_t peer = r->peer;
	int err = ring_refresh(r);

	if (!err && r->peer == peer)
		ask(r);
	return err;
}

int ring_ready(struct ring *r)
{
	int err;

	if (r->dead)
		return r->dead;
	err = ring_refresh(r);
	if (err)
		return err;
	if (r->dir == NFP_CHAN_TO_HOST) {
		if (r->peer != r->pos)
			return 1;
		ask(r);
	} else if (r->state == NFP_CHAN_STATE_OPEN && !r->end.code &&
		   tx_fits(r, msg_room(r, r->max_size))) {
		return 1;
	}
	err = ring_state(r);
	return err == -EAGAIN ? 0 : err;
}

int ring_arm(struct ring *r)
{
	uint32_t seen;

	if (r->dead)
		return r->dead;
		/*
		 * Arm with the count of the last look, not of a new one (PROTOCOL.rst,
		 * Arming). Where the count is of records, a count other than the last one
		 * tells the card that something is unread.
		 */
	if (r->dir != NFP_CHAN_TO_HOST)
		seen = r->peer_seq;
	else if (r->numbered)
		seen = r->peer_seq - (r->peer != r->pos);
	else
		seen = ring_seq(r);
	arm(r, seen);
	return ring_ready(r);
}

int ring_peek(struct ring *r, const void **data, uint32_t *len)
{
	const volatile struct nfp_chan_hdr *hdr;
	uint32_t n;
	uint16_t seq;
	int err;

	if (stuck(r, NFP_CHAN_TO_HOST))
		return stuck_fail(r, NFP_CHAN_TO_HOST);
	if (r->peer == r->pos) {
		err = ring_refresh(r);
		if (err)
			return err;
		if (r->peer == r->pos) {
			ask(r);
			return ring_state(r);
		}
	}
	if (!r->hdr) {
		*data = r->data + (r->pos & r->mask);
		*len = r->elem_size;
		return 0;
	}

	/* Read each field once: the card can write to the ring at any time. */
	hdr = (const void *)(r->data + (r->pos & r->mask));
	n = le32toh(hdr->len);
	seq = le16toh(hdr->seq);
	if (n > r->max_size || (r->elem_size && n != r->elem_size))
		return ring_kill(r, "header at %llu says %llu bytes, the channel has at most %llu",
				 r->pos, n, r->max_size);
	if (msg_room(r, n) > r->peer - r->pos)
		return ring_kill(r, "header at %llu says %llu bytes, the card wrote up to %llu",
				 r->pos, n, r->peer);
	if (seq != (uint16_t)(r->seq + 1))
		return ring_kill(r, "header at %llu is of message %llu, due is %llu",
				 r->pos, seq, (uint16_t)(r->seq + 1));
	*data = (const uint8_t *)hdr + r->hdr;
	*len = n;
	return 0;
}

int ring_verify(struct ring *r)
{
	/* Order the loads of the copy before the load of the state. */
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	note_load(r);
	return r->state == NFP_CHAN_STATE_GONE ? ring_gone(r) : 0;
}

void ring_take(struct ring *r, uint32_t len)
{
	if (!r->borrowed)
		r->released = r->pos;
	r->pos += msg_room(r, len);
	r->borrowed++;
	r->seq++;
	r->count.msgs++;
	r->count.bytes += len;
	r->same_len = UINT64_MAX;
	ring_fast_off(r);
	/*
	 * poll() must not report a borrowed message again, so the position includes it. The
	 * card gets the room only by the doorbell.
	 */
	ctl_publish(r);
}

int ring_release(struct ring *r, uint32_t n)
{
	const volatile struct nfp_chan_hdr *hdr;
	uint32_t len;

	if (n > r->borrowed)
		return ring_fail(r, -EINVAL, "%llu messages to give back, %llu are borrowed",
				 n, r->borrowed, 0);
	if (n == r->borrowed) {
		r->borrowed = 0;
		n = 0;
		if (!r->hdr)
			ring_fast_set(r);
	}
	if (!r->hdr) {
		r->released += (uint64_t)n * r->elem_size;
		r->borrowed -= n;
		n = 0;
	}
	/*
	 * The lengths are in the headers. They were checked when the messages were borrowed,
	 * but the card may have changed them since. Do not go beyond the borrowed messages.
	 */
	for (; n; n--) {
		hdr = (const void *)(r->data + (r->released & r->mask));
		len = le32toh(hdr->len);
		if (len > r->max_size || msg_room(r, len) >= r->pos - r->released)
			return ring_kill(r, "header at %llu has changed to %llu bytes while borrowed",
					 r->released, len, 0);
		r->released += msg_room(r, len);
		r->borrowed--;
	}
	if (!r->hdr && !r->borrowed && r->pos >= r->bell)
		ring_bell(r);
	else
		give_back(r, r->batch);
	if (!r->borrowed && r->alone && r->same_len <= SAME_MOST)
		ring_same_set(r, (uint32_t)r->same_len);
	return 0;
}

void ring_flush(struct ring *r)
{
	ctl_publish(r);
	if (r->dir == NFP_CHAN_TO_HOST && !r->dead)
		give_back(r, 0);
}

/* Does the channel carry messages of @len bytes? Returns 0 or -errno. */
static int tx_check(struct ring *r, uint32_t len)
{
	if (stuck(r, NFP_CHAN_TO_NFP))
		return stuck_fail(r, NFP_CHAN_TO_NFP);
	if (!r->hdr && (!len || len % r->elem_size))
		return ring_fail(r, -EMSGSIZE, "%llu bytes, the stream's elements have %llu",
				 len, r->elem_size, 0);
	if (!r->hdr)
		return len <= r->limit ? 0 :
		       ring_fail(r, -EMSGSIZE, "%llu bytes at a time, the ring has %llu",
				 len, r->limit, 0);
	if (len > r->max_size)
		return ring_fail(r, -EMSGSIZE, "message of %llu bytes, the channel takes at most %llu",
				 len, r->max_size, 0);
	if (r->elem_size && len != r->elem_size)
		return ring_fail(r, -EMSGSIZE, "message of %llu bytes, the channel takes exactly %llu",
				 len, r->elem_size, 0);
	return 0;
}

int ring_tx_look(struct ring *r, uint32_t len)
{
	int err = tx_check(r, len);

	return err ? err : ring_look(r);
}

int ring_reserve(struct ring *r, void **buf, uint32_t len)
{
	int err = ring_tx_look(r, len);

	if (err != -EAGAIN || !tx_fits(r, msg_room(r, len)))
		return err;
	*buf = r->data + (r->pos & r->mask) + r->hdr;
	return 0;
}

static void inl_word(struct ring *r, uint32_t off, uint32_t word)
{
	if (r->db.inl_store)
		r->db.inl_store(r->db.ctx, off, word);
	else
		r->inl[off / 4] = word;
}

/*
 * The header in the inline page has the number that the next message will have: it is of the
 * message 65536 messages ago. Overwrite it, so that the card does not take it for the next.
 */
static void inl_forget(struct ring *r)
{
	inl_word(r, offsetof(struct nfp_chan_hdr, seq), UINT32_MAX);
	r->inl_seq = UINT32_MAX;
}

void ring_commit(struct ring *r, uint32_t len)
{
	struct nfp_chan_hdr hdr;

	if (r->hdr) {
		hdr.len = htole32(len);
		hdr.seq = htole16((uint16_t)(r->seq + 1));
		hdr.rsvd = 0;
		memcpy(r->data + (r->pos & r->mask), &hdr, sizeof(hdr));
		r->seq++;
		r->count.msgs++;
		if (__builtin_expect((uint16_t)r->seq == r->inl_seq, 0))
			inl_forget(r);
	}
	r->count.bytes += len;
	r->pos += msg_room(r, len);
	r->unrung += msg_room(r, len);
	if (r->hdr)
		ring_same_off(r);
}

int ring_kick(struct ring *r)
{
	r->rung = r->pos;
	ctl_publish(r);
	r->ctl->rung = r->rung;
	doorbell(r, RING_REG_DATA, r->unrung >> r->unit_shift);
	r->unrung = 0;
	r->count.doorbells++;
	return r->dead;
}

/* Copy the message to the inline page if the ring was empty, as a receiver may wait (O6). */
static void put_inline(struct ring *r, uint64_t pos)
{
	const uint8_t *from = r->data + (pos & r->mask);
	uint32_t len = (uint32_t)(r->pos - pos), i, word;

	if (len > r->inl_max || r->peer != pos)
		return;
	for (i = 0; i < len; i += 4) {
		memcpy(&word, from + i, 4);
		inl_word(r, i, word);
	}
	r->inl_seq = (uint16_t)r->seq;
	r->count.inlined++;
}

int ring_put(struct ring *r, const void *buf, uint32_t len)
{
	uint64_t pos = r->pos;
	void *to;
	int err = ring_reserve(r, &to, len);

	if (err)
		return err;
	if (len)
		memcpy(to, buf, len);
	ring_commit(r, len);
	put_inline(r, pos);
	ring_same_set(r, len);
	return ring_kick(r);
}

int ring_taken(struct ring *r, uint64_t end)
{
	int err = r->dead;

	if (!err && r->db.look)
		r->db.look(r->db.ctx, end);
	if (!err)
		err = ring_refresh(r);
	if (r->peer >= end)
		return 0;
	return err ? err : ring_state(r);
}
