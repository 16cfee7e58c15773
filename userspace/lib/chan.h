/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* chan.h - the channel handle, as the library's own files see it. */
#ifndef NFPCHAN_CHAN_H
#define NFPCHAN_CHAN_H

#include <pthread.h>
#include <stdbool.h>
#include "nfpchan.h"
#include "ring.h"

/**
 * struct nfpchan - an open channel
 * @fd: the channel's file descriptor
 * @name: its name
 * @geom: layout, as the kernel told it
 * @map_ring: mapping of the data ring, twice
 * @map_note: of the notification page
 * @map_ctl: of the control page
 * @map_db: of the doorbell page
 * @map_inl: of the inline page, or NULL
 * @map_bell: of the signal doorbell's page, or NULL
 * @spin_ns: how long to watch for the card before sleeping
 * @lock: guards what follows; never held while a call sleeps
 * @ring: the protocol
 * @reserved: bytes reserved in the ring and not committed, + 1; 0 for none
 * @sleeps: times a call slept
 * @bound: whose eventfd is bound to the vector
 */
struct nfpchan {
	int fd;
	char name[NFP_CHAN_NAME_LEN];
	struct nfp_chan_geom geom;
	void *map_ring;
	void *map_note;
	void *map_ctl;
	void *map_db;
	void *map_inl;
	void *map_bell;
	uint64_t spin_ns;

	pthread_mutex_t lock;
	struct ring ring;
	size_t reserved;
	uint64_t sleeps;
	enum { BOUND_NONE, BOUND_CALLER, BOUND_DRAIN } bound;
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
 * @start: time of the first look that found nothing, 0 before it
 * @expired: the next look is the last one
 * @gone: poll() said that nothing will come any more
 */
struct pause {
	int64_t timeout;
	uint64_t start;
	bool expired;
	bool gone;
};

/**
 * chan_pause() - between two looks at the ring that found nothing
 * @offer: a rendezvous is on offer: spin even with timeout 0
 *
 * Return: 0 to look again, -EAGAIN, -ETIMEDOUT, -EINTR, -ENODEV.
 */
int chan_pause(struct nfpchan *ch, struct pause *p, bool offer);

/* Monotonic time, ns. */
uint64_t pause_now(void);

/* Spin for a moment. False: the call has spun for long enough, or its time is up. */
bool pause_spin(const struct pause *p, uint64_t now, uint64_t spin_ns);

/* Sleep for what is left of the call's time: as poll(), or -errno. */
struct pollfd;
int pause_poll(struct pollfd *pfd, unsigned int n, const struct pause *p, uint64_t now);

/* All room goes back, before a caller is told that there is nothing. */
void chan_flush(struct nfpchan *ch);

/* Bind an eventfd for @who, or unbind (-1); -EBUSY when another has it. */
int chan_bind(struct nfpchan *ch, int fd, int who);

#endif /* NFPCHAN_CHAN_H */
