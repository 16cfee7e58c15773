/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * ring.h - the host's side of a pipe's protocol (uapi/PROTOCOL.rst). No system calls.
 *
 * The code checks everything that the card writes (records, message headers) before it uses
 * it. A breach of the protocol ends the ring with -EIO. The code takes no locks: one thread
 * at a time uses a ring.
 */
#ifndef NFPCHAN_RING_H
#define NFPCHAN_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <nfpchan/nfp_chan.h>

enum ring_reg {
	RING_REG_DATA,		/* units consumed or produced */
	RING_REG_ARM,
};

/**
 * struct ring_db - how the ring reaches the card
 * @reg: the two doorbells, indexed by enum ring_reg
 * @store: called instead of a store to @reg, if not NULL: the process may not map the doorbells,
 *	or the card is a part of this process
 * @arms: for RING_REG_ARM @store gets the count, and writes the control page
 * @inl_store: called instead of a store to the inline page, if not NULL
 * @look: called before a look at the record, if not NULL. The part of this process that acts
 *	as the card then writes the record. @upto: to the NFP, a position that the caller
 *	waits for; else 0
 * @ctx: argument of these functions
 */
struct ring_db {
	volatile uint32_t *reg[2];
	void (*store)(void *ctx, enum ring_reg reg, uint32_t val);
	bool arms;
	void (*inl_store)(void *ctx, uint32_t off, uint32_t val);
	void (*look)(void *ctx, uint64_t upto);
	void *ctx;
};

/**
 * struct ring_err - the last failure; its text is made when a caller asks for it
 * @code: negative errno
 * @fmt: format of the text, with up to three %llu
 * @v: values of the format
 */
struct ring_err {
	int code;
	const char *fmt;
	unsigned long long v[3];
};

/**
 * struct ring_count - counters of a ring
 * @msgs: messages taken or sent. Streams: not kept here, see ring_count()
 * @bytes: payload bytes of @msgs. Streams to the NFP: bytes committed
 * @doorbells: stores to the data doorbell
 * @arms: stores to the arm doorbell
 * @inlined: messages that were copied to the inline page
 */
struct ring_count {
	uint64_t msgs;
	uint64_t bytes;
	uint64_t doorbells;
	uint64_t arms;
	uint64_t inlined;
};

/**
 * struct ring - one open end of a channel
 * @data: the data ring, mapped twice in a row
 * @note: notification record, written by the card
 * @ctl: control page, read by the kernel
 * @db: doorbells and other ways to the card
 * @inl: inline page, or NULL
 * @inl_max: bytes of the largest message, with header, that goes inline
 * @inl_seq: message number in the header of the inline page, or UINT32_MAX
 * @dir: NFP_CHAN_TO_HOST or NFP_CHAN_TO_NFP
 * @size: bytes of the ring, a power of 2
 * @mask: @size - 1
 * @unit: bytes for each count of the data doorbell. Messages start at multiples
 * @unit_shift: log2 of @unit
 * @limit: bytes that may be outstanding
 * @max_size: payload bytes of the largest message
 * @elem_size: payload bytes of each message, 0 if they vary; bytes of a stream's element
 * @depth: messages that the channel buffers; 0: a rendezvous
 * @hdr: bytes of a message's header, 0 in a stream
 * @fast: @elem_size if elements may take the fast path, else 0
 * @fast_units: units of an element, as the doorbell takes them
 * @alone: one thread at a time makes calls, so they take no lock
 * @lent: 0, or the -errno of calls that would move the ring. -EBUSY: two streams share it, and
 *	only ring_pair_*() move it. -EISCONN: the channel is an end of a link
 * @numbered: the record's count is of records, not of messages (streams of bytes to the host)
 * @batch: bytes to collect before their room goes back to the card
 * @pos: to the host: the end of the last message looked at. To the NFP: the end of the last
 *	message written
 * @released: to the host, while messages are borrowed: the end of the last one given back. If
 *	none is borrowed, @pos is used instead
 * @rung: the position last written to the data doorbell
 * @unrung: to the NFP: bytes that were committed since the last write of the data doorbell
 * @peer: the card's position at the last look
 * @peer_seq: the card's count at the last look, not newer than @peer
 * @state: NFP_CHAN_STATE_* at the last look
 * @seq: messages up to @pos, modulo 2^32; not in a stream
 * @borrowed: messages between @released and @pos
 * @bell: to the host: the position at which room is given back
 * @get_stop: the position at which the fast path ends that receives elements; 0: there is none
 * @put_stop: the same of elements that are sent
 * @line_get: @get_stop if elements have 64 bytes, else 0
 * @line_put: the same of @put_stop
 * @same_len: payload bytes of the last message
 * @same_hdr: the header of the next message, if it has the same length
 * @same_room: bytes of the ring that such a message takes
 * @same_units: the same in units, as the doorbell takes them
 * @same_from: @pos before the messages of this length that were not counted yet
 * @same_stop: the position at which the fast path of such messages ends; 0: there is none
 * @same_get: @same_stop if they have 64 bytes and go to the host, else 0
 * @same_put: the same to the NFP
 * @same_lent: @same_get while messages are borrowed that ring_borrow_lines() has lent, else 0
 * @mark: to the host: the position at which the fast path publishes it, or gives room back
 * @asked: the card's position when the host last armed for its next record
 * @looked: @pos when elements were last shown to a caller that may leave some
 * @first: @pos when ring_init() took the pipe over
 * @dead: 0, or the error that has ended the ring
 * @end: what @db.look has found: no further messages come, with this error
 * @err: the last failure
 * @count: counters
 */
struct ring {
	uint8_t *data;
	const struct nfp_chan_note *note;
	struct nfp_chan_ctl *ctl;
	struct ring_db db;
	volatile uint32_t *inl;
	uint32_t inl_max;
	uint32_t inl_seq;

	uint32_t dir;
	uint32_t size;
	uint64_t mask;
	uint32_t unit;
	uint32_t unit_shift;
	uint32_t limit;
	uint32_t max_size;
	uint32_t elem_size;
	uint32_t depth;
	uint32_t hdr;
	bool alone;
	int lent;
	bool numbered;
	uint32_t fast;
	uint32_t fast_units;
	uint64_t batch;

	uint64_t pos;
	uint64_t released;
	uint64_t rung;
	uint32_t unrung;
	uint64_t peer;
	uint32_t peer_seq;
	uint32_t state;
	uint32_t seq;
	uint32_t borrowed;
	uint64_t bell;
	uint64_t get_stop;
	uint64_t put_stop;
	uint64_t line_get;
	uint64_t line_put;
	uint64_t same_len;
	uint64_t same_hdr;
	uint32_t same_room;
	uint32_t same_units;
	uint64_t same_from;
	uint64_t same_stop;
	uint64_t same_get;
	uint64_t same_put;
	uint64_t same_lent;
	uint64_t mark;
	uint64_t asked;
	uint64_t looked;
	uint64_t first;
	int dead;
	struct ring_err end;
	struct ring_err err;
	struct ring_count count;
};

/**
 * ring_init() - take over a pipe at the position in its control page
 *
 * Return: 0, or -EINVAL (the layout contradicts itself; the text is in @r->err).
 */
int ring_init(struct ring *r, const struct nfp_chan_layout *g, void *data,
	      const struct nfp_chan_note *note, struct nfp_chan_ctl *ctl,
	      const struct ring_db *db);

/* Say whether one thread at a time uses the ring, so that its fast paths need no lock. */
void ring_alone(struct ring *r, bool alone);

/* Count the messages that have taken the fast path, which only moves the position. */
void ring_settle_now(struct ring *r);

static inline void ring_settle(struct ring *r)
{
	if (r->hdr && r->pos != r->same_from)
		ring_settle_now(r);
}

/* The counters, with those that the fast path does not keep. */
struct ring_count ring_count(const struct ring *r);

/* Keep a failure. The values are for the %llu of @fmt. Returns @code. */
int ring_fail(struct ring *r, int code, const char *fmt, unsigned long long a,
	      unsigned long long b, unsigned long long c);

/**
 * ring_ready() - is there a message to get, or room for the largest message?
 *
 * Return: 1, 0, or the error of a get or a put.
 */
int ring_ready(struct ring *r);

/**
 * ring_arm() - ask for one interrupt when the card's count differs from that of the last look
 *
 * Return: as ring_ready(), by a look after the arming.
 */
int ring_arm(struct ring *r);

/* ---- to host ---- */

/**
 * ring_peek() - show the next message, which stays in the ring
 *
 * Return: 0, -EAGAIN (there is none), -EPIPE, -ENODEV, -EIO.
 */
int ring_peek(struct ring *r, const void **data, uint32_t *len);

/**
 * ring_verify() - after a message was copied: did the copy come from the card?
 *
 * Return: 0, or -ENODEV (the card was detached, and the ring's pages were replaced).
 */
int ring_verify(struct ring *r);

/* Borrow the message of @len bytes that ring_peek() showed. */
void ring_take(struct ring *r, uint32_t len);

/**
 * ring_release() - give back the @n oldest borrowed messages
 *
 * Return: 0, -EINVAL (fewer are borrowed), -EIO.
 */
int ring_release(struct ring *r, uint32_t n);

/* Give all released room back to the card, however little it is. */
void ring_flush(struct ring *r);

/**
 * ring_avail() - show the elements of a stream that are there
 *
 * Return: bytes from *@data, in one piece, whole elements; or as ring_peek().
 */
int64_t ring_avail(struct ring *r, const uint8_t **data);

/* Give back the first @bytes that ring_avail() has shown, whole elements. */
void ring_consume(struct ring *r, uint64_t bytes);

/* Borrow @n elements of a stream that ring_avail() has shown. */
void ring_take_many(struct ring *r, uint32_t n);

/**
 * ring_get_many() - copy up to @most elements, or messages of a fixed size, to @buf
 *
 * Return: how many, at least 1; or as ring_peek(); -EBUSY (messages are borrowed).
 */
int64_t ring_get_many(struct ring *r, void *buf, uint32_t most);

struct nfpchan_msg;

/**
 * ring_borrow_msgs() - borrow up to @most messages, as ring_take() does
 *
 * Return: how many, at least 1; or as ring_peek().
 */
int64_t ring_borrow_msgs(struct ring *r, struct nfpchan_msg *msgs, uint32_t most);

/**
 * ring_get_msgs() - copy up to @most messages to @buf, each at a multiple of 8 bytes
 *
 * Return: how many, at least 1; or as ring_peek(); -EBUSY (messages are borrowed), -EMSGSIZE (the
 * first has more than @size bytes).
 */
int64_t ring_get_msgs(struct ring *r, void *buf, size_t size, struct nfpchan_msg *msgs,
		      uint32_t most);

/* ---- to NFP ---- */

/**
 * ring_put_msgs() - write up to @most messages, with one doorbell
 *
 * Return: how many, at least 1; or as ring_put().
 */
int64_t ring_put_msgs(struct ring *r, const struct nfpchan_msg *msgs, uint32_t most);

/**
 * ring_put() - write a message and ring the doorbell
 *
 * Return: 0, -EAGAIN (no room; rendezvous: one is under way already), -EMSGSIZE,
 * -EPIPE, -ENODEV, -EIO.
 */
int ring_put(struct ring *r, const void *buf, uint32_t len);

/**
 * ring_reserve() - find room for @len bytes of payload, at *@buf until it is committed
 *
 * In a stream @len is any number of elements.
 *
 * Return: as ring_put().
 */
int ring_reserve(struct ring *r, void **buf, uint32_t len);

/* Append the reserved message, @len bytes long, to the ring, without a doorbell. */
void ring_commit(struct ring *r, uint32_t len);

/* Ring the doorbell for all that was committed. Returns 0, or the error that ended the ring. */
int ring_kick(struct ring *r);

/**
 * ring_put_many() - write up to @most elements, or messages of a fixed size, with one doorbell
 *
 * Return: how many, at least 1; or as ring_put().
 */
int64_t ring_put_many(struct ring *r, const void *buf, uint32_t most);

/* Returns the elements of a stream that have room, or the error of a put. */
int64_t ring_space(struct ring *r);

/**
 * ring_taken() - has the ME process taken everything up to position @end?
 *
 * Return: 0, -EAGAIN (not yet), -EPIPE, -ENODEV, -EIO.
 */
int ring_taken(struct ring *r, uint64_t end);

/* ---- one ring for two streams, with elements of one size ---- */

/*
 * Lend a ring: its channel shares it with another, and only ring_pair_*() move it. Called for
 * the stream to the host before the other one is opened, and then for the stream to the NFP.
 */
void ring_lend(struct ring *r);

/* Stop calls that would move the ring, because its channel is linked; or let them again. */
void ring_link(struct ring *r, bool linked);

/* The stream to the NFP was closed, or not opened: let calls move @rx again. */
void ring_unpair(struct ring *rx);

/**
 * ring_pair_avail() - show the bytes that have come and were not returned
 *
 * Return: bytes from *@data, in one piece, which may be written; or as ring_peek().
 */
int64_t ring_pair_avail(struct ring *rx, struct ring *tx, uint8_t **data);

/**
 * ring_pair_return() - give the first @bytes of ring_pair_avail() to the NFP as they are now
 *
 * Return: bytes given, which may be fewer; -EAGAIN (65535 elements are under way), -EINVAL,
 * -EPIPE, -ENODEV, -EIO.
 */
int64_t ring_pair_return(struct ring *rx, struct ring *tx, uint64_t bytes);

#endif /* NFPCHAN_RING_H */
