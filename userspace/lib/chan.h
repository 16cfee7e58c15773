/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* chan.h - the channel handle, as the library's own files see it. */
#ifndef NFPCHAN_CHAN_H
#define NFPCHAN_CHAN_H

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include "nfpchan.h"
#include "policy.h"
#include "ring.h"

/**
 * struct chan_ops - what a channel does by a call of the kernel's
 * @eventfd: bind an eventfd to its interrupt, or unbind (-1)
 * @raise: for nfpchan_raise() where no page of the card does it
 * @xdp_bind: for nfpchan_xdp_bind()
 * @xdp_unbind: for nfpchan_xdp_unbind()
 * @stop: undo the open, but for the handle
 *
 * They return 0 or -errno.
 */
struct chan_ops {
	int (*eventfd)(struct nfpchan *ch, int fd);
	int (*raise)(struct nfpchan *ch);
	int (*xdp_bind)(struct nfpchan *ch, int prog_fd, uint32_t map_id);
	int (*xdp_unbind)(struct nfpchan *ch, uint32_t map_id);
	void (*stop)(struct nfpchan *ch);
};

/**
 * struct nfpchan - an open channel
 * @ops: how the kernel is asked
 * @back: of one of bpf(2): struct bpf_recv or bpf_send
 * @no_irq: why it has no interrupt of its own, or NULL: it has
 * @naps: no poll() tells of room: look now and then
 * @fd: the channel's file descriptor
 * @name: its name
 * @layout: layout, as the kernel told it
 * @map_ring: mapping of the data ring, twice
 * @map_note: of the notification page
 * @map_ctl: of the control page
 * @map_db: of the doorbell page
 * @map_inl: of the inline page, or NULL
 * @map_bell: of the signal doorbell's page, or NULL
 * @lock: guards what follows; never held while a call sleeps
 * @pair: the channel that has the same ring, or NULL; of the one to the NFP
 *	changed by opens and closes only
 * @link: the link that it is an end of, or NULL; changed by opens and closes only
 * @policy: what calls do before they sleep
 * @ring: the protocol
 * @reserved: bytes reserved in the ring and not committed, + 1; 0 for none
 * @reserved_at: where they are: of another position they are not there any more
 * @sleeps: times a call slept
 * @waits: times one found nothing when it first looked, and then something
 * @bound: whose eventfd is bound to the vector
 * @async: nfpchan_notify() is in force
 * @port: what it reports to, or NULL; the rest is under that one's lock
 * @wake: of a port: what else ends its sleep, a file's number + 1; else 0
 * @mute: that alone does
 * @slot: its place there
 * @ready_next: in the port's list, NULL when it is not
 * @ready_prev: the one before it
 * @told: an element has told of it
 * @posted: it has had asynchronous requests
 * @closing: and nothing is done of them any more
 * @hint: where in the cases of a select it was the last time
 * @reqs: requests that are not complete
 * @reqs_end: where the next one goes
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

	pthread_mutex_t lock;
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
		pthread_mutex_lock(&ch->lock);
}

static inline void chan_unlock(struct nfpchan *ch)
{
	if (!ch->ring.alone)
		pthread_mutex_unlock(&ch->lock);
}

/**
 * struct pause - one call's waiting
 * @timeout: of the call, ns
 * @room: bytes to send that it waits for room for, all of them; 0: one message
 * @part: there is room for some of them, of which poll() tells all the time
 * @nap: ns that the last wait for the next look then was
 * @start: time of the first look that found nothing, 0 before it
 * @spin: ns from then on that it does not sleep
 * @monitor: it has the CPU watch meanwhile
 * @expired: the next look is the last one
 * @gone: poll() said that nothing will come any more
 * @wakes: of a port: how many there had been when nothing was found
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
 * chan_pause() - between two looks at the ring that found nothing
 * @offer: a rendezvous is on offer: spin even with timeout 0
 *
 * Return: 0 to look again, -EAGAIN, -ETIMEDOUT, -EINTR, -ENODEV.
 */
int chan_pause(struct nfpchan *ch, struct pause *p, bool offer);

/* The call got what it waited for, or an error: learn how long it took. */
void chan_paused(struct nfpchan *ch, const struct pause *p);

/**
 * chan_linger() - between two looks that found nothing, for who sleeps by itself
 *
 * Return: true to look again; false: it has watched for as long as the policy
 * says, and may sleep.
 */
bool chan_linger(struct nfpchan *ch, struct pause *p);

/* Monotonic time, ns. */
uint64_t pause_now(void);

/* For how long a call on this handle watches from now on, ns. */
uint64_t chan_spin(struct nfpchan *ch);

/* Spin for a moment. */
void pause_spin(void);

/* Is the call's time up? The next look is the last one then. */
bool pause_over(struct pause *p, uint64_t now);

/* Is there room for part of @len bytes, where no poll() waits for room for all? */
bool chan_part(struct nfpchan *ch, size_t len);

/*
 * Sleep for what is left of the call's time, with @p->part for the next nap at most, which
 * is longer than the last: as poll(), or -errno.
 */
struct pollfd;
int pause_poll(struct pollfd *pfd, unsigned int n, struct pause *p, uint64_t now);

/* The caller's options, checked: 0 or -errno, of which the card has the text. */
int chan_opts(struct nfpchan_card *card, const struct nfpchan_opts *from,
	      struct nfpchan_opts *to);

/* What an -errno of opening @name means; returns it. */
int chan_open_fail(struct nfpchan_card *card, int err, const char *name, uint32_t ring_size);

/* A handle, all zeros but for its name, of a file that is open, or is closed then. */
int chan_start(struct nfpchan_card *card, struct nfpchan *ch, const struct nfpchan_opts *o,
	       int fd);

/* Undo that. */
void chan_stop(struct nfpchan *ch);

/* Under the lock: the text of nfpchan_error(). */
void chan_error(const struct nfpchan *ch, char *buf, size_t len);

/* Under the lock: receive a message. */
ssize_t chan_recv_locked(struct nfpchan *ch, void *buf, size_t size);

/* All room goes back, before a caller is told that there is nothing. */
void chan_flush(struct nfpchan *ch);

/* What a call may do once there is something to do it with; -EAGAIN: there is not. */
typedef int64_t (*step_fn)(struct nfpchan *ch, void *arg, size_t n);

/* Do it now, or when the card has moved on. Inline, for @step to be no indirect call. */
static inline __attribute__((always_inline))
ssize_t chan_step(struct nfpchan *ch, struct pause *p, step_fn step, void *arg, size_t n)
{
	int64_t ret;

	for (;;) {
		chan_lock(ch);
		ret = step(ch, arg, n);
		chan_unlock(ch);
		if (ret != -EAGAIN) {
			chan_paused(ch, p);
			return (ssize_t)ret;
		}
		ret = chan_pause(ch, p, false);
		if (ret)
			break;
	}
	chan_flush(ch);
	return (ssize_t)ret;
}

/* Those of a pipe of nfp_chan.ko */
extern const struct chan_ops chan_pipe_ops;

/* Open @ch as a pipe of nfp_chan.ko: card_ops.open. */
int chan_open_pipe(struct nfpchan_card *card, struct nfpchan *ch, const struct nfpchan_opts *o,
		   const struct nfpchan *from);

/* Calls of nfp_chan.ko about events of XDP programs: chan_ops. */
int xdp_bind_pipe(struct nfpchan *ch, int prog_fd, uint32_t map_id);
int xdp_unbind_pipe(struct nfpchan *ch, uint32_t map_id);

/* The failure of a call that needs an interrupt of the channel's: 0 where it has one. */
int chan_no_irq(struct nfpchan *ch);

/* nfpchan_open(), in the ring of @from if that is not NULL. */
int chan_open(struct nfpchan **out, struct nfpchan_card *card, const char *name,
	      const struct nfpchan_opts *opts, const struct nfpchan *from);

/* Before the close of one of two channels with one ring. */
void chan_unpair(struct nfpchan *ch);

/* Behind the close of @ch: an end of a link, which is down with it. */
void chan_link_gone(struct nfpchan *ch);

/* Undo nfpchan_notify(), before the close. */
void chan_unnotify(struct nfpchan *ch);

/* Bind an eventfd for @who, or unbind (-1); -EBUSY when another has it. */
int chan_bind(struct nfpchan *ch, int fd, int who);

#endif /* NFPCHAN_CHAN_H */
