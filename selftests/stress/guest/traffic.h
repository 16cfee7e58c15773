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

#include <sys/inotify.h>
#include <sys/resource.h>
#include "traffic_kinds.h"
#include "traffic_more.h"

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
	{ .name = "port", .open = port_start, .close = port_end, .recv = port_round },
	{ .name = "pair", .in = "source-ctl", .out = "source64",
	  .open = pair_open, .close = pair_close,
	  .begin = pair_begin, .send = pair_send, .start = pair_start, .recv = pair_recv },
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

static int end_open(struct flow *f, const char *name, struct nfpchan **ch, int *fd)
{
	int err;

	if (f->kind->raw) {
		*fd = chan_open(nfpchan_card_fd(f->on), name, 0, 0);
		return *fd < 0 ? -errno : 0;
	}
	err = nfpchan_open(ch, f->on, name, NULL);
	*fd = err ? -1 : nfpchan_fd(*ch);
	return err;
}

static int flow_open(struct flow *f)
{
	int err = 0;

	f->in_fd = -1;
	f->out_fd = -1;
	if (f->kind->in)
		err = end_open(f, f->kind->in, &f->in, &f->in_fd);
	if (!err && f->kind->out)
		err = end_open(f, f->kind->out, &f->out, &f->out_fd);
	if (!err && f->kind->open)
		err = f->kind->open(f);
	return err;
}

static void flow_close(struct flow *f)
{
	if (f->kind->close)
		f->kind->close(f);
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
	pthread_t thread;
	int err;

	err = nfpchan_card_open(&f->on, "0", NULL, 0);
	if (err) {
		flow_end(f, err);
		return false;
	}
	err = flow_open(f);
	if (!err) {
		if (pthread_create(&thread, NULL, flow_sender, f))
			lane_fault(f->lane, "no thread");
		flow_receiver(f);
		pthread_join(thread, NULL);
		err = f->err;
	}
	flow_close(f);
	nfpchan_card_close(f->on);
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
