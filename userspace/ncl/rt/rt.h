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
#include "local.h"
#include "ncrt.h"
#include "seen.h"
#include "timer.h"

#define HDR		sizeof(struct ncp_hdr)
#define FRAME_MAX	(HDR + NCP_DATA_MAX + 1)	/* a window, and 1 byte too many */
#define BATCH		32	/* datagrams of one system call */

/**
 * struct frame - a datagram; @data is aligned to 8 bytes
 * @lead: not sent; aligns @data
 * @hdr: header
 * @data: fields and arguments
 * @more: room for the byte that makes a datagram too long
 */
struct frame {
	uint32_t lead;
	struct ncp_hdr hdr;
	uint8_t data[NCP_DATA_MAX];
	uint8_t more[8];
} __attribute__((aligned(8)));

/**
 * struct slot - one window that can be outstanding
 * @out: the window is outstanding; false: the slot is free
 * @seq: number of the window
 * @tries: number of transmissions
 * @since: time of the first transmission
 * @due: time of the next transmission
 * @frame: the window
 */
struct slot {
	bool out;
	uint32_t seq;
	unsigned int tries;
	uint64_t since;
	uint64_t due;
	struct frame frame;
};

/* A release store: fill() reads @out without the lock. */
static inline void slot_set(struct slot *s, bool out)
{
	__atomic_store_n(&s->out, out, __ATOMIC_RELEASE);
}

/**
 * struct flight - an invocation under way
 * @k: the kernel
 * @w: how to send
 * @args: arguments, with the counts of all arrays filled in
 * @nargs: number of arguments
 * @invocation: number of the invocation
 * @windows: number of windows
 * @sent: windows that were sent at least once, or are being sent
 * @done: windows that are done
 * @nr_slots: most windows that are outstanding
 * @slot: the slots; window n, counted from 0, uses slot n % @nr_slots
 * @one: the call is ncrt_out_window()
 * @answer: where to store the answer; NULL: follow @w.flags
 * @timeout: time in which a window must be done, in ns
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
 * struct note - a window that is kept until it is received
 * @next: the next kept window of the same kernel
 * @order: sequence number of its arrival
 * @own: the window is an answer to this host
 * @w: the window; only the used part of its data is allocated
 */
struct note {
	struct note *next;
	uint64_t order;
	bool own;
	struct ncrt_window w;
};

/**
 * struct lane - state of an outgoing kernel in a session
 * @k: the kernel; NULL: no outgoing kernel has this number
 * @rtt: round-trip time of its windows
 * @uses: how often each slot was used
 * @head: first kept window
 * @tail: where to link the next window
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
 * @prog: table that nclc made, or NULL
 * @desc: description of the program
 * @net: AND file
 * @self: number of this host
 * @flags: of struct ncrt_opts
 * @queue: largest value of @strange
 * @sock: socket of the host, then sockets of groups
 * @nr_socks: number of sockets
 * @poll: epoll of all sockets
 * @via: address of the next hop to each node; [0] is for windows to node 0
 * @lock: guards all fields below; never held while a thread sleeps
 * @sending: a thread is in ncrt_out()
 * @receiving: a thread is in ncrt_recv()
 * @wake: eventfds of the sender [0] and the receiver [1]
 * @asleep: the sender or the receiver sleeps on @wake
 * @flight: invocation under way
 * @first: number of the first invocation
 * @next: number of the next invocation
 * @lane: by number of the outgoing kernel; [0] is unused
 * @lanes: entries of @lane
 * @seen: by number of the sender; NULL: the sender has sent nothing yet
 * @order: number of windows kept so far
 * @own: answers that are kept
 * @strange: kept windows that are not answers
 * @stats: counters
 * @in: buffers of recvmmsg()
 * @remote: guards the next four; held during an exchange with a server
 * @remote_sock: socket to servers of variables, or -1
 * @remote_ms: time in which a server must answer
 * @remote_session: number of the session in requests to servers
 * @remote_seq: number of the last request
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
	pthread_mutex_t remote;
	int remote_sock;
	uint32_t remote_ms;
	uint64_t remote_session;
	uint32_t remote_seq;
};

enum { SENDER, RECEIVER };

/* ---- error.c ---- */

/* Store the calling thread's error text; returns @err. */
int rt_fail(int err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* ---- session.c ---- */

/* Copy the caller's options, NULL: none. Returns 0 or, with a text (rt_fail()), -EINVAL or -E2BIG. */
int session_opts(struct ncrt_opts *to, const struct ncrt_opts *from);

/* ---- net.c ---- */

int net_open(struct ncrt *nc, const struct ncrt_opts *o);
void net_close(struct ncrt *nc);

/* Label of the next hop to node @to */
const char *net_via_label(const struct ncrt *nc, unsigned int to);

/* Is @from the address of a node? */
bool net_knows(const struct ncrt *nc, const struct sockaddr_in *from);

/*
 * Send @count datagrams, at most BATCH. Returns 0 or the failure. With MSG_DONTWAIT, datagrams that
 * do not fit the socket's buffer are lost.
 */
int net_send(struct ncrt *nc, struct frame *const *frames, unsigned int count,
	     const struct sockaddr_in *to, int flags);

/*
 * Sleep until a datagram comes, net_wake() wakes @who, or @ns have passed (<0: no limit). The
 * caller holds the lock; net_wait() releases it while it sleeps. -EINTR: a signal handler ran.
 */
int net_wait(struct ncrt *nc, int who, int64_t ns);
void net_wake(struct ncrt *nc, int who);

/* ---- remote.c ---- */

/* Do the operation on a device of another machine, by `ncl serve` there. */
int remote_do(struct ncrt *nc, const struct desc_var *v, const struct var_op *op);
void remote_close(struct ncrt *nc);

/* ---- window.c ---- */

/* Does kernel @k (NULL: any) take windows of the outgoing kernel @out? */
bool kernel_takes(const struct desc_kernel *k, const struct desc_kernel *out);

/* window.len of a kernel: elements of the first array that a window carries */
uint16_t kernel_len(const struct desc_kernel *k);

/* Check the arguments, and compute the number of windows. */
int window_plan(struct flight *f, const uint16_t *mask);

/* Store the fields and arguments of window @n of the flight, counted from 0, in @data. */
void window_pack(const struct ncrt *nc, const struct flight *f, uint32_t n, uint32_t ver,
		 uint8_t *data);

/* Copy the arrays of an answer, @data, to where those of window @n came from. */
void window_unpack(const struct flight *f, uint32_t n, const uint8_t *data);

/* ---- recv.c ---- */

/* The outgoing kernel with number @id; NULL: no such kernel. */
static inline const struct desc_kernel *kernel_out(const struct ncrt *nc, unsigned int id)
{
	return id < nc->lanes ? nc->lane[id].k : NULL;
}

/* Receive all datagrams that have come. The caller holds the lock. */
int recv_all(struct ncrt *nc);

/* Receive a window that kernel @k (NULL: any) takes. */
int recv_window(struct ncrt *nc, const struct desc_kernel *k, struct ncrt_window *w,
		int64_t timeout);

/* Free the windows that were not received. */
void recv_free(struct ncrt *nc);

#endif /* NCRT_RT_H */
