/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* traffic_lane.h - what a lane of traffic.h is, and what its messages are checked by. */
#ifndef TRAFFIC_LANE_H
#define TRAFFIC_LANE_H

#include <linux/futex.h>
#include <pthread.h>
#include "chan_test.h"

#define LANES		8
#define GENERATION	400	/* messages, at most, then it closes and opens */
#define NICE		10	/* it has what time the storm leaves */

/**
 * struct lane - a process and its channels, shared with who watches it
 * @pid: the process
 * @rounds: messages compared
 * @opens: generations begun, ever
 * @at_work: 1 while it has fds of the card
 * @fault: what went wrong
 */
struct lane {
	pid_t pid;
	atomic_ulong rounds;
	atomic_uint opens;
	atomic_uint at_work;
	char fault[200];
};

/**
 * struct traffic - all of them
 * @halt: 1: close all and wait, 2: and leave
 * @watched: somebody sleeps on @tick
 * @tick: counts what a watcher may wait for
 */
static struct traffic {
	atomic_uint halt;
	atomic_uint watched;
	atomic_uint tick;
	struct lane lane[LANES];
} *traffic;

static void futex_wait(atomic_uint *word, unsigned int value)
{
	syscall(SYS_futex, word, FUTEX_WAIT, value, NULL, NULL, 0);
}

static void futex_wake(atomic_uint *word, int most)
{
	syscall(SYS_futex, word, FUTEX_WAKE, most, NULL, NULL, 0);
}

static void lane_tick(void)
{
	atomic_fetch_add(&traffic->tick, 1);
	if (traffic->watched)
		futex_wake(&traffic->tick, 1);
}

/* A generation of a lane: one sends, one receives. */
struct flow {
	const struct lane_kind *kind;
	struct lane *lane;
	struct nfpchan_card *on;
	struct nfpchan *in, *out;
	int in_fd, out_fd;
	uint32_t gen;
	uint32_t most;
	uint32_t random;
	atomic_uint last;
	int err;
};

/**
 * struct lane_kind - a way to use channels
 * @in: that to the NFP, or NULL
 * @out: that to the host, or NULL
 * @raw: their fds are used, not the library
 * @open: opens what else it has, or NULL
 * @close: closes that; it may not be open
 * @begin: what a generation sends first, or NULL
 * @send: message @seq
 * @start: receives what @begin sent, and skips what was before
 * @recv: receives message @seq and checks it
 */
struct lane_kind {
	const char *name;
	const char *in;
	const char *out;
	bool raw;
	int (*open)(struct flow *f);
	void (*close)(struct flow *f);
	int (*begin)(struct flow *f);
	int (*send)(struct flow *f, uint32_t seq);
	int (*start)(struct flow *f);
	int (*recv)(struct flow *f, uint32_t seq);
};

static void __attribute__((noreturn, format(printf, 2, 3)))
lane_fault(struct lane *l, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(l->fault, sizeof(l->fault), fmt, ap);
	va_end(ap);
	lane_tick();
	_exit(1);
}

static uint32_t flow_random(struct flow *f, uint32_t n)
{
	f->random = mix(f->random + 0x9e3779b9);
	return f->random % n;
}

/* What was seen makes no sense: a fault, unless the card has gone and left zeros. */
#define FLOW_GONE(f, ch, ...) ({						\
	int gone = nfpchan_wait(ch, NFPCHAN_NONBLOCK);			\
									\
	if (!gone || gone == -EAGAIN)					\
		lane_fault((f)->lane, __VA_ARGS__);			\
	gone;								\
})

/* Is it ours, and in its order? One of an earlier generation is not. */
static bool flow_ours(struct flow *f, const uint8_t *buf, ssize_t len, uint32_t seq)
{
	struct stamp s;

	if (!msg_whole(buf, len, &s))
		lane_fault(f->lane, "%zd bytes that nobody sent, message %u is due", len, seq);
	if (len && s.sender == f->gen && s.seq != seq)
		lane_fault(f->lane, "message %u, due is %u", s.seq, seq);
	return len && s.sender == f->gen;
}
#endif /* TRAFFIC_LANE_H */
