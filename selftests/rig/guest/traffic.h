/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * traffic.h - processes (workers) that keep traffic on channels during a test, and check
 * contents, order and counts. A table of struct kind says what each worker does.
 */
#ifndef TRAFFIC_H
#define TRAFFIC_H

#include "chan_test.h"
#include "pit.h"

#define WORKERS		40
#define IDLE_NS		50000000ll	/* timeout, after which a steady worker reads the flags */

/* Values of struct traffic.halt */
enum {
	TRAFFIC_GOES,
	TRAFFIC_PAUSES,		/* all workers close their channels, and wait */
	TRAFFIC_STOPS,		/* all workers stop sending */
	TRAFFIC_LEAVES,		/* workers of kind @late leave when nothing more comes */
};

/**
 * struct worker - state of a worker, in shared memory; it survives when its process is killed
 * @pid: the process
 * @kills: processes killed
 * @opens: generations of channels begun
 * @at_work: 1 while the process has fds of the card
 * @busy: a worker of kind @late that still sends
 * @rounds: messages or batches that were received and checked
 * @asked: messages, elements or bytes that the card was asked for
 * @sent: messages, elements or bytes whose send has succeeded
 * @received: messages, elements or bytes that were taken from the ring
 * @lost: messages, elements or bytes that the card has reported as lost
 * @sum: sum of the hashes of all messages sent, minus those of all messages received
 * @fault: what went wrong, or empty
 */
struct worker {
	pid_t pid;
	unsigned int kills;
	atomic_uint opens;
	atomic_uint at_work;
	atomic_uint busy;
	atomic_ullong rounds;
	atomic_ullong asked;
	atomic_ullong sent;
	atomic_ullong received;
	atomic_ullong lost;
	atomic_ullong sum;
	char fault[200];
};

/**
 * struct traffic - all workers, in shared memory
 * @kind: the table
 * @kinds: its length
 * @steady: the card stays: no error is allowed, and channels stay open
 * @seed: seed of all sizes and counts
 * @halt: TRAFFIC_*
 * @watched: a process sleeps on @tick
 * @tick: counts the changes that a watching process may wait for
 * @senders: sender numbers given out
 * @worker: workers, in the order of @kind
 */
extern struct traffic {
	const struct kind *kind;
	unsigned int kinds;
	bool steady;
	uint32_t seed;
	atomic_uint halt;
	atomic_uint watched;
	atomic_uint tick;
	atomic_uint senders;
	struct worker worker[WORKERS];
} *traffic;

extern struct worker *worker;	/* the worker of this process */

/**
 * struct flow - a generation of a worker: from the open of its channels to their close
 * @kind: what the worker does
 * @on: the card
 * @port: port to which its channels report, or NULL
 * @in: channel to the NFP
 * @out: channel to the host
 * @back: channel to the NFP to which elements are returned
 * @in_fd: fd of @in
 * @out_fd: fd of @out
 * @in_geom: layout of @in
 * @out_geom: layout of @out
 * @gen: number of the generation
 * @sender: sender number in messages that have room for one
 * @most: messages of the generation
 * @random: state of flow_random()
 * @last: number of the last message, once known
 * @err: result of the generation
 */
struct flow {
	const struct kind *kind;
	struct nfpchan_card *on;
	struct nfpchan_port *port;
	struct nfpchan *in, *out, *back;
	int in_fd, out_fd;
	struct nfp_chan_layout in_geom, out_geom;
	uint32_t gen, sender, most, random;
	atomic_uint last;
	int err;
};

/**
 * struct kind - what a worker does, and on which channels
 * @name: name in messages of the test
 * @in: channel to the NFP, or NULL
 * @out: channel to the host, or NULL
 * @back: channel to the NFP to which elements of @out are returned, or NULL
 * @raw: use system calls on the channels' fds instead of the library
 * @ported: the channels report to a port
 * @late: receives messages of other workers, so it leaves last
 * @hasty: half of its sends time out soon
 * @mortal: may be killed: other workers' checks do not depend on its messages
 * @frames: the test sends frames for it
 * @inline_max: as in struct nfpchan_opts
 * @open: opens further files, or NULL
 * @close: closes the files of @open, whether open or not
 * @begin: sends the first message of a generation, or NULL
 * @send: sends message @seq; returns how many it sent, or a negative errno. NULL: @recv does all
 * @start: receives what @begin sent, and skips what came before it
 * @recv: receives message @seq. NULL: the worker only sends. With @send, each has a thread
 * @got: called by some @recv: checks a message; returns false if more is to come
 *
 * In steady traffic, a @send or @recv that returns ETIMEDOUT or EAGAIN is called again.
 */
struct kind {
	const char *name, *in, *out, *back;
	bool raw, ported, late, hasty, mortal, frames;
	int inline_max;
	int (*open)(struct flow *f);
	void (*close)(struct flow *f);
	int (*begin)(struct flow *f);
	int (*send)(struct flow *f, uint32_t seq);
	int (*start)(struct flow *f);
	int (*recv)(struct flow *f, uint32_t seq);
	bool (*got)(struct flow *f, const void *buf, ssize_t len, uint32_t seq);
};

/* ---- for the test that watches the workers ---- */

void traffic_init(const struct kind *kind, unsigned int kinds, bool steady, uint32_t seed);
void worker_start(unsigned int i);
int worker_kill(unsigned int i);	/* starts another process; returns the old status */
void traffic_start(void);
void traffic_set(unsigned int halt);
void traffic_pause(void);		/* waits until no worker has an fd of the card */
void traffic_resume(void);
bool traffic_goes(unsigned long n);	/* waits until each has checked @n more messages */
bool traffic_well(void);
bool traffic_stop(void);		/* also reaps all workers */
void traffic_show(void);
void traffic_alarm(int sig);		/* SIGALRM handler: print the traffic, end the program */

void traffic_wait(unsigned int tick);

/*
 * Sleep until @cond is true, or until a worker has failed. If neither happens, the caller's alarm
 * ends the program.
 */
#define TRAFFIC_UNTIL(cond) ({						\
	unsigned int tick;						\
									\
	traffic->watched = 1;						\
	while (tick = traffic->tick, traffic_well() && !(cond))		\
		traffic_wait(tick);					\
	traffic->watched = 0;						\
})

/*
 * Call node_watch() before testing whether the node is there. Otherwise the node could come back
 * between the test and the watch.
 */
int node_watch(void);
void node_await(int watch);

/* ---- for workers ---- */

void __attribute__((noreturn, format(printf, 1, 2))) traffic_fault(const char *fmt, ...);
uint32_t flow_random(struct flow *f, uint32_t n);
int flow_fill(struct flow *f, uint8_t *buf, uint32_t seq);	/* returns the length */
int flow_sent(struct flow *f, uint32_t seq, unsigned int n);	/* counts @n; returns 1 */
bool flow_ours(struct flow *f, const void *buf, ssize_t len, uint32_t seq);

/* Timeout of a send or receive. In steady traffic the worker repeats a call that has timed out. */
static inline int64_t flow_patience(void)
{
	return traffic->steady ? IDLE_NS : NFPCHAN_FOREVER;
}

/*
 * Handle wrong data from the card. When the card has gone, the ring has zeros, which is no fault.
 */
#define FLOW_GONE(ch, ...) ({						\
	int gone = nfpchan_wait(ch, NFPCHAN_NONBLOCK);			\
									\
	if (!gone || gone == -EAGAIN)					\
		traffic_fault(__VA_ARGS__);				\
	gone;								\
})

/* ---- members of struct kind ---- */

int msg_send(struct flow *f, uint32_t seq);
int many_send(struct flow *f, uint32_t seq);	/* sends several elements in one call */
int msg_recv(struct flow *f, uint32_t seq);
int place_recv(struct flow *f, uint32_t seq);	/* checks the message in place */
int poll_recv(struct flow *f, uint32_t seq);	/* polls, then calls msg_recv() */
bool stamp_got(struct flow *f, const void *buf, ssize_t len, uint32_t seq);

int bytes_begin(struct flow *f);
int bytes_send(struct flow *f, uint32_t seq);
int bytes_start(struct flow *f);
int bytes_recv(struct flow *f, uint32_t seq);

#define LOAD_TARGETS	3

extern const uint32_t load_count[LOAD_TARGETS];	/* number of messages of a request, by LOAD_* */

int load_send(struct flow *f, uint32_t seq);
bool load_got(struct flow *f, const void *buf, ssize_t len, uint32_t seq);

int signal_round(struct flow *f, uint32_t seq);

int pair_open(struct flow *f);
int pair_begin(struct flow *f);
int pair_send(struct flow *f, uint32_t seq);
int pair_start(struct flow *f);
int pair_recv(struct flow *f, uint32_t seq);

#endif /* TRAFFIC_H */
