/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * ring.h - the host's half of a pipe's protocol: pure memory, no system call.
 *
 * The protocol is that of uapi/PROTOCOL.rst. Everything the card writes
 * (notification record, message headers) is checked before it is used; what
 * breaks the protocol ends the ring with -EIO. A ring belongs to one thread at
 * a time, its owner locks.
 */
#ifndef NFPCHAN_RING_H
#define NFPCHAN_RING_H

#include <stdbool.h>
#include <stdint.h>
#include <nfpchan/nfp_chan.h>

enum ring_reg {
	RING_REG_DATA,		/* units consumed or produced */
	RING_REG_ARM,
};

/**
 * struct ring_db - how doorbells reach the card
 * @reg: the two registers, by enum ring_reg
 * @store: called instead of a store to @reg when not NULL: the card may be in
 *	this very process
 * @inl_store: the same for the inline page
 * @look: called before the record is looked at when not NULL: who plays the card's part
 *	in this process does so then. @upto: to NFP: a position that the caller waits for
 * @ctx: for all of them
 */
struct ring_db {
	volatile uint32_t *reg[2];
	void (*store)(void *ctx, enum ring_reg reg, uint32_t val);
	void (*inl_store)(void *ctx, uint32_t off, uint32_t val);
	void (*look)(void *ctx, uint64_t upto);
	void *ctx;
};

/**
 * struct ring_err - the last failure, formatted only when somebody asks
 * @code: negative errno
 * @fmt: text with up to three conversions of %llu
 * @v: their values
 */
struct ring_err {
	int code;
	const char *fmt;
	unsigned long long v[3];
};

/**
 * struct ring_count - what a ring did, for statistics
 * @msgs: messages taken or put; of a stream see ring_count()
 * @bytes: their payload; as @msgs
 * @doorbells: stores to the data doorbell
 * @arms: stores to the arm doorbell
 * @inlined: messages that went to the inline page as well
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
 * @data: the data ring, mapped twice back to back
 * @note: notification record, written by the card
 * @ctl: control page, read by the kernel
 * @db: doorbells
 * @inl: inline page, or NULL
 * @inl_max: bytes of a message, header included, that goes there
 * @inl_seq: number in the header there, or UINT32_MAX
 * @dir: NFP_CHAN_TO_HOST or NFP_CHAN_TO_NFP
 * @size: bytes of the ring, a power of 2
 * @mask: @size - 1
 * @unit: bytes one count of the data doorbell stands for; the alignment of
 *	messages
 * @unit_shift: log2 of @unit
 * @limit: bytes that may be outstanding
 * @max_size: payload bytes of the largest message
 * @elem_size: payload bytes of every message, or 0; of a stream's elements
 * @depth: 0 for a rendezvous
 * @hdr: bytes in front of each message: 0 in a stream
 * @fast: bytes of an element that may take the short way, 0 for none
 * @fast_units: what the doorbell is told of it
 * @alone: calls come from one thread at a time, and take no lock
 * @lent: 0, or the -errno of calls that would move it. EBUSY: one ring for both
 *	directions, which ring_pair_*() move. EISCONN: an end of a link
 * @numbered: the record's seq numbers records, not messages (bytes to host)
 * @batch: bytes to collect before they are given back to the card
 * @pos: to host: behind the last message looked at. To NFP: behind the last
 *	one written
 * @released: to host: behind the last message whose room may be given back,
 *	while some are borrowed; else that is @pos
 * @rung: the part of it that the card was told
 * @unrung: to NFP: bytes committed that the card was not told of
 * @peer: the card's position when last read
 * @peer_seq: its message count, at most as new as @peer
 * @state: NFP_CHAN_STATE_*, when last read
 * @seq: messages behind @pos, modulo 2^32; not in a stream
 * @borrowed: messages between @released and @pos
 * @bell: to host, stream: position at which room is given back
 * @stop: position at which elements leave the short way, 0 for none that take it
 * @asked: the card's position at which it was last asked for news
 * @first: @pos when it was taken over
 * @dead: 0, or the error that ended the ring
 * @end: what @db.look has found: nothing comes behind what is there, for this reason
 * @err: last failure
 * @count: statistics
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
	uint64_t stop;
	uint64_t asked;
	uint64_t first;
	int dead;
	struct ring_err end;
	struct ring_err err;
	struct ring_count count;
};

/**
 * ring_init() - take over a pipe where its control page says it stands
 *
 * Return: 0, or -EINVAL for a geometry that makes no sense (text in @r->err).
 */
int ring_init(struct ring *r, const struct nfp_chan_layout *g, void *data,
	      const struct nfp_chan_note *note, struct nfp_chan_ctl *ctl,
	      const struct ring_db *db);

/* Does one thread at a time use it from now on? Elements may take the short way then. */
void ring_alone(struct ring *r, bool alone);

/* What the ring did so far. */
struct ring_count ring_count(const struct ring *r);

/* Record a failure; returns @code. Values are for the %llu of @fmt. */
int ring_fail(struct ring *r, int code, const char *fmt, unsigned long long a,
	      unsigned long long b, unsigned long long c);

/**
 * ring_ready() - would a get find a message, a put room for any message?
 *
 * Return: 1, 0, or the error a get or put would fail with.
 */
int ring_ready(struct ring *r);

/**
 * ring_arm() - ask for an interrupt once the card's count moves on from what
 * was last seen of it
 *
 * Return: as ring_ready(), looked at again after the arming.
 */
int ring_arm(struct ring *r);

/* ---- to host ---- */

/**
 * ring_peek() - the next message, which stays in the ring
 *
 * Return: 0, -EAGAIN (none), -EPIPE, -ENODEV, -EIO.
 */
int ring_peek(struct ring *r, const void **data, uint32_t *len);

/**
 * ring_verify() - after a copy of the message: was it the card's?
 *
 * Return: 0, or -ENODEV: the card was detached, the ring's pages replaced.
 */
int ring_verify(struct ring *r);

/* Borrow the message of @len bytes that ring_peek() showed. */
void ring_take(struct ring *r, uint32_t len);

/**
 * ring_release() - give the @n messages borrowed longest ago back
 *
 * Return: 0, -EINVAL (fewer are borrowed), -EIO.
 */
int ring_release(struct ring *r, uint32_t n);

/* Tell the card of all room released, however little (before sleeping). */
void ring_flush(struct ring *r);

/**
 * ring_avail() - the bytes of a stream that are there
 *
 * Return: how many, in whole elements, contiguous from *@data; or as
 * ring_peek().
 */
int64_t ring_avail(struct ring *r, const uint8_t **data);

/* Give back @bytes, whole elements, of those that ring_avail() has shown. */
void ring_consume(struct ring *r, uint64_t bytes);

/* Borrow @n elements of a stream, which ring_avail() has shown. */
void ring_take_many(struct ring *r, uint32_t n);

/**
 * ring_get_many() - copy up to @most elements, or fixed-size messages, to @buf
 *
 * Return: how many, one at least; or as ring_peek(); -EBUSY.
 */
int64_t ring_get_many(struct ring *r, void *buf, uint32_t most);

/* ---- to NFP ---- */

/**
 * ring_put() - write a message and ring the doorbell
 *
 * Return: 0, -EAGAIN (no room; rendezvous: one is under way), -EMSGSIZE,
 * -EPIPE, -ENODEV, -EIO.
 */
int ring_put(struct ring *r, const void *buf, uint32_t len);

/**
 * ring_reserve() - room for @len bytes of payload, at *@buf until it is committed
 *
 * For a stream any number of elements.
 *
 * Return: as ring_put().
 */
int ring_reserve(struct ring *r, void **buf, uint32_t len);

/* What was reserved is complete: @len bytes of it. The doorbell is not rung. */
void ring_commit(struct ring *r, uint32_t len);

/* Ring the doorbell for all that was committed: 0, or why @db.store has ended the ring. */
int ring_kick(struct ring *r);

/**
 * ring_put_many() - write up to @most elements, or fixed-size messages, and
 * ring the doorbell once
 *
 * Return: how many, one at least; or as ring_put().
 */
int64_t ring_put_many(struct ring *r, const void *buf, uint32_t most);

/* Elements of a stream that have room, or the error a put would fail with. */
int64_t ring_space(struct ring *r);

/**
 * ring_taken() - has the ME process taken everything before position @end?
 *
 * Return: 0, -EAGAIN (not yet), -EPIPE, -ENODEV, -EIO.
 */
int ring_taken(struct ring *r, uint64_t end);

/* ---- one ring for both directions, streams with elements of one size ---- */

/*
 * Each of the two, the one to the host before there is the other: from now on what that
 * one gets is returned in place by the other, which has its ring.
 */
void ring_lend(struct ring *r);

/* It is an end of a link, and nothing moves it; or it is as any other again. */
void ring_link(struct ring *r, bool linked);

/* The pipe of the one to the NFP is closed, or was not opened: @rx is as any other again. */
void ring_unpair(struct ring *rx);

/**
 * ring_pair_avail() - bytes that have come and were not returned
 *
 * Return: how many, contiguous from *@data, which may be written; or as ring_peek().
 */
int64_t ring_pair_avail(struct ring *rx, struct ring *tx, uint8_t **data);

/**
 * ring_pair_return() - give the first @bytes of them to the NFP as they are now
 *
 * Return: how many went, which may be fewer; -EAGAIN (65535 elements are under way),
 * -EINVAL, -EPIPE, -ENODEV, -EIO.
 */
int64_t ring_pair_return(struct ring *rx, struct ring *tx, uint64_t bytes);

#endif /* NFPCHAN_RING_H */
