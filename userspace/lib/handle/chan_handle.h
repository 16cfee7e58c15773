/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* chan_handle.h - the channel handle, for the library's own files. */
#ifndef NFPCHAN_CHAN_H
#define NFPCHAN_CHAN_H

#include <errno.h>
#include <stdbool.h>
#include "lock.h"
#include "nfpchan.h"
#include "policy.h"
#include "ring.h"

/**
 * struct chan_ops - the operations of a channel that need the kernel
 * @eventfd: bind an eventfd to the channel's interrupt, or unbind it (-1)
 * @raise: nfpchan_raise() of a channel without a signal doorbell
 * @cancel: take message @seq of a rendezvous back. -EALREADY: the ME process has taken it.
 *	NULL: the card has no rendezvous
 * @xdp_bind: nfpchan_xdp_bind()
 * @xdp_unbind: nfpchan_xdp_unbind()
 * @stop: undo the open. The caller frees the handle
 *
 * Each returns 0 or -errno.
 */
struct chan_ops {
	int (*eventfd)(struct nfpchan *ch, int fd);
	int (*raise)(struct nfpchan *ch);
	int (*cancel)(struct nfpchan *ch, uint32_t seq);
	int (*xdp_bind)(struct nfpchan *ch, int prog_fd, int map_fd);
	int (*xdp_unbind)(struct nfpchan *ch, int map_fd);
	void (*stop)(struct nfpchan *ch);
};

/**
 * struct nfpchan - an open channel
 * @ops: operations
 * @back: "bpf:" card: the struct bpf_recv or struct bpf_send; else NULL
 * @no_irq: text for calls that need an interrupt of the channel, if it has none; else NULL
 * @naps: poll() cannot wait for room, so a call that waits looks at intervals
 * @fd: the channel's file descriptor
 * @name: the channel's name
 * @layout: the layout as the kernel gave it
 * @map_ring: mapping of the data ring, twice in a row
 * @map_note: mapping of the notification page
 * @map_ctl: mapping of the control page
 * @map_db: mapping of the doorbell page, or NULL: the process may not map it
 * @map_inl: mapping of the inline page, or NULL
 * @map_bell: mapping of the signal doorbell's page, or NULL
 * @lock: guards the fields from here to @async; never held while a call sleeps
 * @pair: the channel that shares the ring, or NULL. Only opens and closes change it
 * @link: the link that the channel is an end of, or NULL. Only opens and closes change it
 * @policy: how calls wait
 * @ring: the protocol's state
 * @reserved: bytes that are reserved and not committed, plus 1; 0: none
 * @reserved_at: @ring.pos at the reservation, which is void once @ring.pos has changed
 * @sleeps: times that a call slept
 * @waits: calls that found nothing at first, and waited
 * @bound: which call has bound an eventfd to the vector
 * @async: nfpchan_notify() is in force
 * @port: the port that the channel reports to, or NULL. The port's lock guards the fields
 *	from here on
 * @wake: a port's pipe: a second fd that ends its sleep, plus 1; else 0
 * @mute: a port's pipe: only the fd of @wake ends its sleep
 * @slot: index in the port's slots
 * @ready_next: next channel in the port's list; NULL: not in the list
 * @ready_prev: previous channel in the port's list
 * @told: an element of the port has named the channel since the last look at it
 * @posted: the channel has had asynchronous requests
 * @closing: the channel is being closed, so its requests are not worked on any more
 * @hint: index of the channel's case in the last select
 * @reqs: requests that are not complete
 * @reqs_end: where the pointer to the next request goes
 */
struct nfpchan {
	const struct chan_ops *ops;
	void *back;
	const char *no_irq;
	bool naps;
	int fd;
	char name[NFP_CHAN_NAME_LEN];
	struct nfp_chan_layout layout;
	void *map_ring;
	void *map_note;
	void *map_ctl;
	void *map_db;
	void *map_inl;
	void *map_bell;

	struct lock lock;
	struct nfpchan *pair;
	struct nfpchan_link *link;
	struct policy policy;
	struct ring ring;
	size_t reserved;
	uint64_t reserved_at;
	uint64_t sleeps;
	uint64_t waits;
	enum { BOUND_NONE, BOUND_CALLER, BOUND_DRAIN } bound;
	bool async;

	struct nfpchan_port *port;
	int wake;
	bool mute;
	uint32_t slot;
	struct nfpchan *ready_next;
	struct nfpchan *ready_prev;
	bool told;
	bool posted;
	bool closing;
	unsigned int hint;
	struct nfpchan_async *reqs;
	struct nfpchan_async **reqs_end;
};

static inline void chan_lock(struct nfpchan *ch)
{
	if (!ch->ring.alone)
		lock_take(&ch->lock);
	ring_settle(&ch->ring);
}

static inline void chan_unlock(struct nfpchan *ch)
{
	if (!ch->ring.alone)
		lock_give(&ch->lock);
}

/**
 * struct pause - how one call waits
 * @timeout: the call's timeout, ns
 * @room: bytes that need room all at once; 0: room for one message is enough
 * @part: some of @room is free, so poll() returns at once and the call sleeps without it
 * @nap: length of the last such sleep, ns
 * @start: time of the first look that found nothing; 0 before that
 * @spin: ns after @start in which the call does not sleep
 * @monitor: the CPU monitors the record in that time
 * @expired: the time is over; the call looks once more
 * @gone: poll() said that the card or the pipe is gone; the call looks once more
 * @wakes: a port: the number of wake-ups when the call found nothing
 */
struct pause {
	int64_t timeout;
	size_t room;
	bool part;
	uint64_t nap;
	uint64_t start;
	uint64_t spin;
	bool monitor;
	bool expired;
	bool gone;
	unsigned int wakes;
};

/**
 * chan_pause() - wait between two looks at the ring
 * @offer: a rendezvous is on offer: watch for a while even if the timeout is 0
 *
 * Return: 0 to look again, -EAGAIN, -ETIMEDOUT, -EINTR, -ENODEV.
 */
int chan_pause(struct nfpchan *ch, struct pause *p, bool offer);

/* Note that the call has got what it waited for, or an error, and how long that took. */
void chan_paused(struct nfpchan *ch, const struct pause *p);

/**
 * chan_linger() - wait between two looks at the ring, without sleeping
 *
 * Return: true: look again. false: the time for which the policy watches is over, and the
 * caller may sleep.
 */
bool chan_linger(struct nfpchan *ch, struct pause *p);

/* The monotonic time, ns. */
uint64_t pause_now(void);

/* The time for which a call on this handle watches, ns. */
uint64_t chan_spin(struct nfpchan *ch);

/* Spin for a moment. */
void pause_spin(void);

/* Is the call's time over? Notes that in @p->expired. */
bool pause_over(struct pause *p, uint64_t now);

/* Is there room for some of @len bytes, so that poll() returns at once and the caller must nap? */
bool chan_part(struct nfpchan *ch, size_t len);

/*
 * Sleep until an event, or for the rest of the call's time. With @p->part sleep no longer than
 * the next nap, which is longer than the last one. Returns as poll(), or -errno.
 */
struct pollfd;
int pause_poll(struct pollfd *pfd, unsigned int n, struct pause *p, uint64_t now);

/* Check and copy the caller's options. Returns 0, or -errno with the text kept in the card. */
int chan_opts(struct nfpchan_card *card, const struct nfpchan_opts *from,
	      struct nfpchan_opts *to);

/* Close the channel. The handle remains. */
void chan_stop(struct nfpchan *ch);

/* Write the text of nfpchan_error(). The caller holds the lock. */
void chan_error(const struct nfpchan *ch, char *buf, size_t len);

/* Receive a message. The caller holds the lock. */
ssize_t chan_recv_locked(struct nfpchan *ch, void *buf, size_t size);

/* Give all room back to the card. A call does this before it returns -EAGAIN. */
void chan_flush(struct nfpchan *ch);

/* One attempt of a call, with the lock held; -EAGAIN: nothing can be done now. */
typedef int64_t (*step_fn)(struct nfpchan *ch, void *arg, size_t n);

static inline __attribute__((always_inline))
int64_t chan_try(struct nfpchan *ch, step_fn step, void *arg, size_t n)
{
	int64_t ret;

	chan_lock(ch);
	ret = step(ch, arg, n);
	chan_unlock(ch);
	return ret;
}

/* Wait, and repeat @step, until it can be done or the time of @p is over. */
ssize_t chan_step_wait(struct nfpchan *ch, struct pause *p, step_fn step, void *arg, size_t n);

/*
 * Repeat @step until it can be done. Inline, so that the compiler inlines @step as well. A step that
 * can be done at once needs no struct pause. @room: as there
 */
static inline __attribute__((always_inline))
ssize_t chan_step(struct nfpchan *ch, step_fn step, void *arg, size_t n, size_t room, int64_t timeout)
{
	int64_t ret = chan_try(ch, step, arg, n);

	if (__builtin_expect(ret == -EAGAIN, 0)) {
		struct pause p = { .timeout = timeout, .room = room };

		ret = chan_step_wait(ch, &p, step, arg, n);
	}
	return (ssize_t)ret;
}

/* Returns 0, or fails with -EOPNOTSUPP if the channel has no interrupt. */
int chan_no_irq(struct nfpchan *ch);

/* nfpchan_open(); with @from not NULL, in the ring of @from. */
int chan_open(struct nfpchan **out, struct nfpchan_card *card, const char *name,
	      const struct nfpchan_opts *opts, const struct nfpchan *from);

/* Undo nfpchan_open_return(), before the close of either channel. */
void chan_unpair(struct nfpchan *ch);

/* Undo nfpchan_notify(), before the close. */
void chan_unnotify(struct nfpchan *ch);

/* Bind an eventfd for @who, or unbind it (-1). -EBUSY: another user has bound one. */
int chan_bind(struct nfpchan *ch, int fd, int who);

#endif /* NFPCHAN_CHAN_H */
