/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* rt.h - a session of libncrt. */
#ifndef NCRT_RT_H
#define NCRT_RT_H

#include <netinet/in.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "and.h"
#include "desc.h"
#include "ncrt.h"
#include "seen.h"
#include "timer.h"

#define HDR		sizeof(struct ncp_hdr)
#define FRAME_MAX	(HDR + NCP_DATA_MAX + 1)	/* one too many: it is no window */
#define BATCH		32	/* datagrams of a system call */

/**
 * struct frame - a datagram; the data behind the header are aligned to 8
 * @lead: not sent
 * @hdr: header
 * @data: fields and arguments
 * @more: room for a byte too many
 */
struct frame {
	uint32_t lead;
	struct ncp_hdr hdr;
	uint8_t data[NCP_DATA_MAX];
	uint8_t more[8];
} __attribute__((aligned(8)));

/**
 * struct slot - a window that is outstanding
 * @out: it is; else the slot is free
 * @seq: number of the window
 * @tries: how often it was sent
 * @since: when it was first
 * @due: when it is sent again
 * @frame: it
 */
struct slot {
	bool out;
	uint32_t seq;
	unsigned int tries;
	uint64_t since;
	uint64_t due;
	struct frame frame;
};

/* The sender looks at it without the lock. */
static inline void slot_set(struct slot *s, bool out)
{
	__atomic_store_n(&s->out, out, __ATOMIC_RELEASE);
}

/**
 * struct flight - an invocation under way
 * @k: the kernel
 * @w: how it is sent
 * @args: arguments, with the counts of all arrays filled in
 * @nargs: how many
 * @invocation: its number
 * @windows: how many windows it has
 * @sent: windows that were sent, or are being
 * @done: windows that are done
 * @nr_slots: windows that can be outstanding
 * @slot: them: window n, counted from 0, is in slot n % @nr_slots
 * @one: it is a call for a single window
 * @answer: where the answer goes; NULL: what @w says
 * @timeout: ns for a window
 */
struct flight {
	const struct desc_kernel *k;
	struct ncrt_wnd w;
	struct ncrt_arg args[NCRT_ARGS_MAX];
	unsigned int nargs;
	uint32_t invocation;
	uint32_t windows;
	uint32_t sent;
	uint32_t done;
	uint32_t nr_slots;
	struct slot *slot;
	bool one;
	struct ncrt_window *answer;
	uint64_t timeout;
};

/**
 * struct note - a window that nobody has received yet
 * @next: the next of its kernel
 * @order: number of its arrival
 * @own: it is an answer to this host
 * @w: it; as much of the data as it has
 */
struct note {
	struct note *next;
	uint64_t order;
	bool own;
	struct ncrt_window w;
};

/**
 * struct lane - what a session has of an outgoing kernel
 * @k: the kernel; NULL: the number is not an outgoing one's
 * @rtt: how long its windows take
 * @uses: how often each slot was used
 * @head: windows that have come
 * @tail: where the next one is linked
 */
struct lane {
	const struct desc_kernel *k;
	struct rtt rtt;
	uint32_t uses[NCRT_SLOTS_MAX];
	struct note *head;
	struct note **tail;
};

/**
 * struct ncrt - a session
 * @prog: what nclc made, or NULL
 * @desc: description of the program
 * @net: AND file
 * @self: number of this host
 * @flags: of struct ncrt_opts
 * @queue: the most of @strange
 * @sock: socket, and those of groups behind it
 * @nr_socks: how many
 * @poll: epoll of all of them
 * @via: where windows for each node go first; [0] for those for node 0
 * @lock: guards what follows; never held while a thread sleeps
 * @sending: a thread is in ncrt_out()
 * @receiving: a thread is in ncrt_recv()
 * @wake: eventfds of the sender [0] and the receiver [1]
 * @asleep: they wait for them
 * @flight: invocation under way
 * @first: number of the first invocation
 * @next: number of the next one
 * @lane: by number of the outgoing kernel; [0] is unused
 * @lanes: how many
 * @seen: by number of the sender; NULL: nothing has come
 * @order: windows that were kept
 * @own: answers that are kept
 * @strange: other windows that are kept
 * @stats: counters
 * @in: buffers of recvmmsg()
 */
struct ncrt {
	const struct ncl_program *prog;
	struct desc *desc;
	struct and_net *net;
	uint16_t self;
	uint32_t flags;
	uint32_t queue;
	int *sock;
	unsigned int nr_socks;
	int poll;
	struct sockaddr_in *via;
	pthread_mutex_t lock;
	bool sending;
	bool receiving;
	int wake[2];
	bool asleep[2];
	struct flight *flight;
	uint32_t first;
	uint32_t next;
	struct lane *lane;
	unsigned int lanes;
	struct seen **seen;
	uint64_t order;
	uint32_t own;
	uint32_t strange;
	struct ncrt_stats stats;
	struct frame *in;
};

enum { SENDER, RECEIVER };

/* ---- error.c ---- */

/* Keep the calling thread's text; returns @err. */
int rt_fail(int err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* ---- net.c ---- */

int net_open(struct ncrt *nc, const struct ncrt_opts *o);
void net_close(struct ncrt *nc);

/* Label of the node that windows for @to go to first. */
const char *net_via_label(const struct ncrt *nc, unsigned int to);

/* Is it the address of a node? */
bool net_knows(const struct ncrt *nc, const struct sockaddr_in *from);

/*
 * Send @count datagrams, BATCH at most: 0 or the failure. With MSG_DONTWAIT, what the system
 * has no room for is lost.
 */
int net_send(struct ncrt *nc, struct frame *const *frames, unsigned int count,
	     const struct sockaddr_in *to, int flags);

/*
 * Sleep until a datagram has come, somebody wakes @who, or @ns have passed (<0: for ever). The
 * lock is held before and after, not meanwhile. -EINTR: a signal handler ran.
 */
int net_wait(struct ncrt *nc, int who, int64_t ns);
void net_wake(struct ncrt *nc, int who);

/* ---- window.c ---- */

/* Does kernel @k (NULL: any) take windows of the outgoing kernel @out? */
bool kernel_takes(const struct desc_kernel *k, const struct desc_kernel *out);

/* Elements that a window has of the first array: window.len */
uint16_t kernel_len(const struct desc_kernel *k);

/* Check the arguments, and find out how many windows they make. */
int window_plan(struct flight *f, const uint16_t *mask);

/* Fill the fields and arguments of window number @n of the flight, counted from 0. */
void window_pack(const struct ncrt *nc, const struct flight *f, uint32_t n, uint32_t ver,
		 uint8_t *data);

/* Write them back to where they came from. */
void window_unpack(const struct flight *f, uint32_t n, const uint8_t *data);

/* ---- recv.c ---- */

/* The outgoing kernel of that number; NULL: there is none. */
static inline const struct desc_kernel *kernel_out(const struct ncrt *nc, unsigned int id)
{
	return id < nc->lanes ? nc->lane[id].k : NULL;
}

/* Take all that has come, under the lock. */
int recv_all(struct ncrt *nc);

/* Receive a window that kernel @k (NULL: any) takes. */
int recv_window(struct ncrt *nc, const struct desc_kernel *k, struct ncrt_window *w,
		int64_t timeout);

/* Forget windows that nobody has received. */
void recv_free(struct ncrt *nc);

#endif /* NCRT_RT_H */
