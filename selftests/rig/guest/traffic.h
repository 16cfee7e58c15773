/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * traffic.h - processes that keep traffic on channels while something else happens, and
 * compare contents, order and counts. A table says what each of them does.
 */
#ifndef TRAFFIC_H
#define TRAFFIC_H

#include "chan_test.h"
#include "pit.h"

#define WORKERS		40
#define IDLE_NS		50000000ll	/* a steady worker looks at the flags after that */

/* What struct traffic.halt says. */
enum {
	TRAFFIC_GOES,
	TRAFFIC_PAUSES,		/* all close their channels, and wait */
	TRAFFIC_STOPS,		/* nobody sends any more */
	TRAFFIC_LEAVES,		/* who receives what others send leaves when nothing comes */
};

/**
 * struct worker - a process's place, shared; who replaces a killed process goes on
 * @pid: the process
 * @kills: processes killed there
 * @opens: generations of channels begun
 * @at_work: 1 while it has fds of the card
 * @busy: it still sends, though it is among the last to leave
 * @rounds: times that something was received and compared
 * @asked: messages, elements or bytes that the card was asked for
 * @sent: those whose send has succeeded
 * @received: those that were taken from the ring
 * @lost: those that the card said it had lost
 * @sum: of the hash of each message sent, less that of each received
 * @fault: what went wrong
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
 * struct traffic - all of them
 * @kind: the table
 * @kinds: its length
 * @steady: the card stays: no error is tolerated, and channels stay open
 * @seed: of all sizes and counts
 * @halt: TRAFFIC_*
 * @watched: somebody sleeps on @tick
 * @tick: counts what a watcher may wait for
 * @senders: numbers of senders given out
 * @worker: as in @kind
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

extern struct worker *worker;	/* of this process */

/**
 * struct flow - a generation of a worker: from the open of its channels to their close
 * @on: the card
 * @port: what they report to, or NULL
 * @in: that to the NFP; @in_fd: its fd
 * @out: that to the host; @out_fd: its fd
 * @back: that to which elements are returned
 * @gen: number of the generation
 * @sender: in messages, where they have room for one
 * @most: messages of the generation
 * @last: number of its last message, once that is known
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
 * struct kind - what a worker does, on which channels
 * @in: channel to the NFP, or NULL
 * @out: channel to the host, or NULL
 * @back: channel to the NFP to which elements of @out are returned, or NULL
 * @raw: system calls on their fds, not the library
 * @ported: they report to a port
 * @late: receives what others send: the last to leave
 * @hasty: half of its sends are taken back soon
 * @mortal: it may be killed: what it carries is told apart by itself
 * @frames: comes first, as frames need it
 * @inline_max: as in struct nfpchan_opts
 * @open: opens what else it has, or NULL
 * @close: closes that, open or not
 * @begin: what a generation sends first, or NULL
 * @send: message @seq: how many it sent, or a negative errno. NULL: @recv does all
 * @start: receives what @begin sent, and skips what was before
 * @recv: receives message @seq. NULL: it sends only. Beside @send it runs in a thread
 * @got: of a @recv below: checks what was received; false: more is to come
 *
 * In steady traffic one that returns ETIMEDOUT or EAGAIN is called again.
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

/* ---- for who watches ---- */

void traffic_init(const struct kind *kind, unsigned int kinds, bool steady, uint32_t seed);
void worker_start(unsigned int i);
int worker_kill(unsigned int i);	/* and start another; status of the killed one */
void traffic_start(void);
void traffic_set(unsigned int halt);
void traffic_pause(void);		/* until nobody has an fd of the card any more */
void traffic_resume(void);
bool traffic_goes(unsigned long n);	/* until all have compared @n messages more */
bool traffic_well(void);
bool traffic_stop(void);		/* and reap all */
void traffic_show(void);
void traffic_alarm(int sig);		/* show it, and give up */

void traffic_wait(unsigned int tick);

/* Sleep until @cond holds or a worker has failed. The caller's alarm ends it. */
#define TRAFFIC_UNTIL(cond) ({						\
	unsigned int tick;						\
									\
	traffic->watched = 1;						\
	while (tick = traffic->tick, traffic_well() && !(cond))		\
		traffic_wait(tick);					\
	traffic->watched = 0;						\
})

/* In front of the look for the node, or its return could be missed. */
int node_watch(void);
void node_await(int watch);

/* ---- for workers ---- */

void __attribute__((noreturn, format(printf, 1, 2))) traffic_fault(const char *fmt, ...);
uint32_t flow_random(struct flow *f, uint32_t n);
int flow_fill(struct flow *f, uint8_t *buf, uint32_t seq);	/* its length */
int flow_sent(struct flow *f, uint32_t seq, unsigned int n);	/* counts @n; 1 */
bool flow_ours(struct flow *f, const void *buf, ssize_t len, uint32_t seq);

/* How long a call may wait that is called again. */
static inline int64_t flow_patience(void)
{
	return traffic->steady ? IDLE_NS : NFPCHAN_FOREVER;
}

/* What was seen makes no sense: a fault, unless the card has gone and left zeros. */
#define FLOW_GONE(ch, ...) ({						\
	int gone = nfpchan_wait(ch, NFPCHAN_NONBLOCK);			\
									\
	if (!gone || gone == -EAGAIN)					\
		traffic_fault(__VA_ARGS__);				\
	gone;								\
})

/* ---- members of struct kind ---- */

int msg_send(struct flow *f, uint32_t seq);
int many_send(struct flow *f, uint32_t seq);	/* elements, several at a time */
int msg_recv(struct flow *f, uint32_t seq);
int place_recv(struct flow *f, uint32_t seq);	/* borrowed, not copied */
int poll_recv(struct flow *f, uint32_t seq);	/* as msg_recv(), once poll() says so */
bool stamp_got(struct flow *f, const void *buf, ssize_t len, uint32_t seq);

int bytes_begin(struct flow *f);
int bytes_send(struct flow *f, uint32_t seq);
int bytes_start(struct flow *f);
int bytes_recv(struct flow *f, uint32_t seq);

#define LOAD_TARGETS	3

extern const uint32_t load_count[LOAD_TARGETS];	/* of a request, by LOAD_* */

int load_send(struct flow *f, uint32_t seq);
bool load_got(struct flow *f, const void *buf, ssize_t len, uint32_t seq);

int signal_round(struct flow *f, uint32_t seq);

int pair_open(struct flow *f);
int pair_begin(struct flow *f);
int pair_send(struct flow *f, uint32_t seq);
int pair_start(struct flow *f);
int pair_recv(struct flow *f, uint32_t seq);

#endif /* TRAFFIC_H */
