/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * traffic.h - processes that use every kind of channel, there and back, while
 * something else happens to the card: each of them goes on with new fds when its
 * old ones say ENODEV, and a process that takes a killed one's place goes on as
 * well. What comes back is compared; what an earlier generation left in the card
 * must be whole, and is skipped.
 */
#ifndef TRAFFIC_H
#define TRAFFIC_H

#include <linux/futex.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <pthread.h>
#include "chan_test.h"

#define LANES		6
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
 * @out: that to the host
 * @raw: their fds are used, not the library
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

/* ---- messages, by the library; some go inline ---- */

static int echo_send(struct flow *f, uint32_t seq)
{
	uint32_t max = seq % 3 ? 64 : MSG_MAX;

	return stamp_send(f->in, sizeof(struct stamp) + flow_random(f, max - sizeof(struct stamp)),
			  f->gen, seq, NFPCHAN_FOREVER);
}

static int echo_recv(struct flow *f, uint32_t seq)
{
	uint8_t buf[MSG_MAX];
	ssize_t n;

	do {
		n = nfpchan_recv(f->out, buf, sizeof(buf), NFPCHAN_FOREVER);
	} while (n >= 0 && !flow_ours(f, buf, n, seq));
	return n < 0 ? n : 0;
}

/* ---- a rendezvous, by read() and write() ---- */

static int fd_send(struct flow *f, const void *buf, size_t len)
{
	ssize_t n = write(f->in_fd, buf, len);

	return n < 0 ? -errno : n == (ssize_t)len ? 0 : -EIO;
}

static int rv_send(struct flow *f, uint32_t seq)
{
	uint8_t buf[256];
	uint32_t len = sizeof(struct stamp) + flow_random(f, sizeof(buf) - sizeof(struct stamp));

	msg_fill(buf, len, f->gen, seq);
	return fd_send(f, buf, len);
}

static int fd_recv_stamp(struct flow *f, uint32_t seq)
{
	uint8_t buf[MSG_MAX];
	ssize_t n;

	do {
		n = read(f->out_fd, buf, sizeof(buf));
	} while (n >= 0 && !flow_ours(f, buf, n, seq));
	return n < 0 ? -errno : 0;
}

/* ---- elements of a stream, by poll(), read() and write() ---- */

static int elem_send(struct flow *f, uint32_t seq)
{
	uint8_t buf[64];

	msg_fill(buf, sizeof(buf), f->gen, seq);
	return fd_send(f, buf, sizeof(buf));
}

static int elem_recv(struct flow *f, uint32_t seq)
{
	struct pollfd p = { .fd = f->out_fd, .events = POLLIN };
	uint8_t buf[64];
	ssize_t n;

	do {
		if (ppoll(&p, 1, NULL, NULL) != 1)
			return -errno;
		n = read(p.fd, buf, sizeof(buf));
	} while (n >= 0 && !flow_ours(f, buf, n, seq));
	return n < 0 ? -errno : 0;
}

/* ---- bytes of a stream, in place ---- */

#define NONCE	16

static void nonce_make(struct flow *f, uint8_t *nonce)
{
	uint32_t i, x = mix(f->gen);

	for (i = 0; i < NONCE; i++, x = mix(x + i))
		nonce[i] = x;
}

static int bytes_write(struct flow *f, const void *buf, size_t len)
{
	ssize_t n;

	/* Fewer were sent only if the card went: the next call says so. */
	do {
		n = nfpchan_write(f->in, buf, len, NFPCHAN_FOREVER);
		if (n < 0)
			return n;
		buf = (const uint8_t *)buf + n;
		len -= n;
	} while (len);
	return 0;
}

/* Where a generation begins: it has no other way to tell. */
static int bytes_begin(struct flow *f)
{
	uint8_t nonce[NONCE];

	nonce_make(f, nonce);
	return bytes_write(f, nonce, NONCE);
}

static int bytes_send(struct flow *f, uint32_t seq)
{
	uint8_t buf[4 + 1500];
	uint32_t len = sizeof(struct stamp) + flow_random(f, 1500 - sizeof(struct stamp));

	memcpy(buf, &len, 4);
	msg_fill(buf + 4, len, f->gen, seq);
	return bytes_write(f, buf, 4 + len);
}

static int bytes_read(struct flow *f, uint8_t *buf, size_t len)
{
	const void *data;
	ssize_t n;
	int err;

	while (len) {
		n = nfpchan_peek(f->out, &data, NFPCHAN_FOREVER);
		if (n < 0)
			return n;
		n = n < (ssize_t)len ? n : (ssize_t)len;
		memcpy(buf, data, n);
		/* Zeros, if the card has gone meanwhile */
		err = nfpchan_consume(f->out, n) ? : nfpchan_wait(f->out, 0);
		if (err && err != -EAGAIN)
			return err;
		buf += n;
		len -= n;
	}
	return 0;
}

static int bytes_start(struct flow *f)
{
	uint8_t nonce[NONCE], seen[NONCE];
	int err = bytes_read(f, seen, NONCE);

	nonce_make(f, nonce);
	while (!err && memcmp(seen, nonce, NONCE)) {
		memmove(seen, seen + 1, NONCE - 1);
		err = bytes_read(f, seen + NONCE - 1, 1);
	}
	return err;
}

static int bytes_recv(struct flow *f, uint32_t seq)
{
	uint8_t buf[1500];
	uint32_t len;
	int err = bytes_read(f, (uint8_t *)&len, 4);

	if (err)
		return err;
	if (len > sizeof(buf))
		lane_fault(f->lane, "length %u of message %u of bytes", len, seq);
	err = bytes_read(f, buf, len);
	if (!err && !flow_ours(f, buf, len, seq))
		lane_fault(f->lane, "message %u of bytes is of another", seq);
	return err;
}

/* ---- requests; what they ask for comes at full speed ---- */

#define ASKED	20

static int load_send(struct flow *f, uint32_t seq)
{
	struct load_req r = {
		.count = htole32(ASKED), .size = htole32(16 + seq * 61 % 2000),
		.target = htole32(LOAD_LOAD), .token = htole32(f->gen << 16 ^ seq),
	};

	return fd_send(f, &r, sizeof(r));
}

static int load_some(struct flow *f, uint32_t seq)
{
	uint32_t size = 16 + seq * 61 % 2000, token = f->gen << 16 ^ seq, due = 1;
	struct load_msg m = { 0 };
	uint8_t buf[MSG_MAX];
	ssize_t n;

	while (due <= ASKED) {
		n = read(f->out_fd, buf, sizeof(buf));
		if (n < 0)
			return -errno;
		memcpy(&m, buf, sizeof(m));
		/* Asked for by a generation that is no more: at the beginning only. */
		if (seq == 1 && due == 1 && le32toh(m.token) != token)
			continue;
		if (load_seq(buf, n, size, token) != due)
			lane_fault(f->lane, "%zd bytes are not message %u of request %u",
				   n, due, seq);
		due++;
	}
	return 0;
}

/* ---- signals, of one process at a time ---- */

static int own_signal(struct flow *f, uint32_t seq)
{
	struct nfp_chan_signal s = { .size = sizeof(s) };
	struct echo_count count;
	static uint64_t before;
	ssize_t n;

	if (ioctl(f->out_fd, NFP_CHAN_IOC_SIGNAL, &s))
		return -errno;
	n = nfpchan_recv(f->out, &count, sizeof(count), NFPCHAN_FOREVER);
	if (n < 0)
		return n;
	if (n != sizeof(count) || (seq > 1 && le64toh(count.count) != before + 1))
		lane_fault(f->lane, "count %llu behind %llu",
			   (unsigned long long)le64toh(count.count), (unsigned long long)before);
	before = le64toh(count.count);
	return 0;
}

static const struct lane_kind lane_kinds[LANES] = {
	{ .name = "messages", .in = "echo-in", .out = "echo-out",
	  .send = echo_send, .recv = echo_recv },
	{ .name = "rendezvous", .in = "rv-in", .out = "rv-out", .raw = true,
	  .send = rv_send, .recv = fd_recv_stamp },
	{ .name = "elements", .in = "loop64-in", .out = "loop64-out", .raw = true,
	  .send = elem_send, .recv = elem_recv },
	{ .name = "bytes", .in = "loop-in", .out = "loop-out",
	  .begin = bytes_begin, .send = bytes_send, .start = bytes_start, .recv = bytes_recv },
	{ .name = "requests", .in = "load-ctl", .out = "load", .raw = true,
	  .send = load_send, .recv = load_some },
	{ .name = "signals", .out = "own", .recv = own_signal },
};

/* ---- a generation ---- */

/* Without the card, or without a pipe of it, it begins anew. */
static void flow_end(struct flow *f, int err)
{
	if (err && err != -ENODEV && err != -ENOSPC)
		lane_fault(f->lane, "%s, generation %u: %s", f->kind->name, f->gen, strerror(-err));
}

static void *flow_sender(void *arg)
{
	struct flow *f = arg;
	uint32_t seq = 0;
	int err = f->kind->begin ? f->kind->begin(f) : 0;

	/* Signals are sent by who receives. */
	while (!err && !f->last && f->kind->send) {
		seq++;
		if (seq >= f->most || traffic->halt)
			f->last = seq;
		err = f->kind->send(f, seq);
	}
	flow_end(f, err);
	return NULL;
}

static void flow_receiver(struct flow *f)
{
	uint32_t seq = 0;
	int err = f->kind->start ? f->kind->start(f) : 0;

	while (!err) {
		err = f->kind->recv(f, ++seq);
		if (err)
			break;
		atomic_fetch_add(&f->lane->rounds, 1);
		lane_tick();
		if (f->kind->send ? f->last == seq : seq == f->most || traffic->halt)
			break;
	}
	flow_end(f, err);
	f->err = err;
}

static int end_open(struct flow *f, struct nfpchan_card *on, const char *name,
		    struct nfpchan **ch, int *fd)
{
	int err;

	if (f->kind->raw) {
		*fd = chan_open(nfpchan_card_fd(on), name, 0, 0);
		return *fd < 0 ? -errno : 0;
	}
	err = nfpchan_open(ch, on, name, NULL);
	*fd = err ? -1 : nfpchan_fd(*ch);
	return err;
}

static int flow_open(struct flow *f, struct nfpchan_card *on)
{
	int err = 0;

	f->in_fd = -1;
	f->out_fd = -1;
	if (f->kind->in)
		err = end_open(f, on, f->kind->in, &f->in, &f->in_fd);
	return err ? : end_open(f, on, f->kind->out, &f->out, &f->out_fd);
}

static void flow_close(struct flow *f)
{
	if (f->kind->raw) {
		close(f->in_fd);
		close(f->out_fd);
	} else {
		nfpchan_close(f->in);
		nfpchan_close(f->out);
	}
}

/* From the open to the close: false when the card went, or has no pipe left. */
static bool flow_run(struct flow *f)
{
	struct nfpchan_card *on;
	pthread_t thread;
	int err;

	err = nfpchan_card_open(&on, "0", NULL, 0);
	if (err) {
		flow_end(f, err);
		return false;
	}
	err = flow_open(f, on);
	if (!err) {
		if (pthread_create(&thread, NULL, flow_sender, f))
			lane_fault(f->lane, "no thread");
		flow_receiver(f);
		pthread_join(thread, NULL);
		err = f->err;
	}
	flow_close(f);
	nfpchan_card_close(on);
	flow_end(f, err);
	return !err;
}

/* ---- a process ---- */

/* In front of the look for the node, or its return could be missed. */
static int node_watch(void)
{
	int watch = inotify_init1(IN_CLOEXEC);

	if (watch < 0 || inotify_add_watch(watch, "/dev", IN_CREATE) < 0)
		die("inotify");
	return watch;
}

static void node_await(int watch)
{
	char event[1024];

	while (access("/dev/nfp_chan0", F_OK))
		if (read(watch, event, sizeof(event)) < 0)
			die("inotify");
}

static void lane_run(struct lane *l, const struct lane_kind *kind)
{
	int watch = node_watch();

	while (traffic->halt != 2) {
		struct flow f = { .kind = kind, .lane = l };
		bool went;

		/* Before the look at the flag, or who set it might look too early. */
		l->at_work = 1;
		if (traffic->halt == 1) {
			l->at_work = 0;
			lane_tick();
			futex_wait(&traffic->halt, 1);
			continue;
		}
		f.gen = atomic_fetch_add(&l->opens, 1) + 1;
		f.random = mix(f.gen);
		f.most = 1 + flow_random(&f, GENERATION);
		went = !flow_run(&f);
		l->at_work = 0;
		lane_tick();
		if (went)
			node_await(watch);
	}
	_exit(0);
}

static void lane_start(unsigned int i)
{
	struct lane *l = &traffic->lane[i];
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid < 0)
		die("fork");
	if (pid) {
		l->pid = pid;
		return;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	alarm(0);
	if (setpriority(PRIO_PROCESS, 0, NICE))
		die("setpriority");
	lane_run(l, &lane_kinds[i]);
}

/* ---- for who watches ---- */

static inline void traffic_start(void)
{
	unsigned int i;

	traffic = shared_memory(sizeof(*traffic));
	for (i = 0; i < LANES; i++)
		lane_start(i);
}

static inline void traffic_show(void)
{
	unsigned int i;

	for (i = 0; i < LANES; i++)
		printf("# %s: %lu messages, %u times opened%s%s\n", lane_kinds[i].name,
		       traffic->lane[i].rounds, traffic->lane[i].opens,
		       traffic->lane[i].fault[0] ? "; " : "", traffic->lane[i].fault);
}

static inline bool traffic_well(void)
{
	unsigned int i;

	for (i = 0; i < LANES; i++)
		if (traffic->lane[i].fault[0])
			return false;
	return true;
}

/* Sleep until @cond holds or a lane has failed. The caller's alarm ends it. */
#define TRAFFIC_UNTIL(cond) ({						\
	unsigned int tick;						\
									\
	traffic->watched = 1;						\
	while (tick = traffic->tick, traffic_well() && !(cond))		\
		futex_wait(&traffic->tick, tick);			\
	traffic->watched = 0;						\
})

/* Until every lane has compared @n messages more. */
static inline bool traffic_goes(unsigned long n)
{
	unsigned long from[LANES];
	unsigned int i;

	for (i = 0; i < LANES; i++)
		from[i] = traffic->lane[i].rounds;
	for (i = 0; i < LANES; i++)
		TRAFFIC_UNTIL(traffic->lane[i].rounds - from[i] >= n);
	return traffic_well();
}

/* Until nobody has an fd of the card any more. */
static inline void traffic_halt(void)
{
	unsigned int i;

	traffic->halt = 1;
	for (i = 0; i < LANES; i++)
		TRAFFIC_UNTIL(!traffic->lane[i].at_work);
}

static inline void traffic_resume(void)
{
	traffic->halt = 0;
	futex_wake(&traffic->halt, LANES);
}

static inline bool traffic_stop(void)
{
	unsigned int i;

	traffic->halt = 2;
	futex_wake(&traffic->halt, LANES);
	for (i = 0; i < LANES; i++)
		if (reap(traffic->lane[i].pid) &&
		    !traffic->lane[i].fault[0])
			snprintf(traffic->lane[i].fault, sizeof(traffic->lane[i].fault),
				 "ended before its time");
	traffic_show();
	return traffic_well();
}

#endif /* TRAFFIC_H */
