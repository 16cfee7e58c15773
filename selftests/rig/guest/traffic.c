// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * traffic.c - processes that keep traffic on channels.
 *
 * A worker whose calls return ENODEV opens its channels again, except in steady traffic. When the
 * test kills a worker, it starts another process, which continues with the same state. A worker
 * may receive messages that an earlier generation has left in the card. It checks that they are
 * whole, and skips them.
 */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include "traffic.h"

#define GENERATION	400	/* most messages between open and close of a worker */
#define NICE		10	/* low priority, so that the test itself can run */
#define SENDERS		4096	/* size of a receiver's table of senders, a power of 2 */

struct traffic *traffic;
struct worker *worker;

void traffic_wait(unsigned int tick)
{
	syscall(SYS_futex, &traffic->tick, FUTEX_WAIT, tick, NULL, NULL, 0);
}

static void traffic_tick(void)
{
	atomic_fetch_add(&traffic->tick, 1);
	if (traffic->watched)
		syscall(SYS_futex, &traffic->tick, FUTEX_WAKE, 1, NULL, NULL, 0);
}

void traffic_fault(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(worker->fault, sizeof(worker->fault), fmt, ap);
	va_end(ap);
	traffic_tick();
	_exit(1);
}

/* ---- contents ---- */

uint32_t flow_random(struct flow *f, uint32_t n)
{
	f->random = mix(f->random + 0x9e3779b9);
	return f->random % n;
}

static uint64_t hash(uint32_t sender, uint32_t seq)
{
	return (uint64_t)mix(sender * 0x9e3779b1u ^ mix(seq)) << 32 | mix(seq * 0x85ebca6bu + sender);
}

/* Fill a message. It has the channel's element size, or, without one, a random size. */
int flow_fill(struct flow *f, uint8_t *buf, uint32_t seq)
{
	bool compared = is_compared(f->kind->in);
	uint32_t least = compared ? sizeof(struct pit_msg) : sizeof(struct stamp);
	uint32_t most = flow_random(f, 3) ? 64 : f->in_geom.max_size;
	uint32_t len = f->in_geom.elem_size ? : least + flow_random(f, most - least + 1);

	if (compared)
		compared_fill(buf, len, f->sender, seq);
	else
		msg_fill(buf, len, f->sender, seq);
	return len;
}

int flow_sent(struct flow *f, uint32_t seq, unsigned int n)
{
	atomic_fetch_add(&worker->sum, hash(f->sender, seq));
	atomic_fetch_add(&worker->sent, n);
	return 1;
}

/*
 * Check that the messages of a sender come in order. There may be gaps, because other receivers
 * get messages, too.
 */
static void order_check(const struct stamp *s)
{
	static uint32_t last[SENDERS], who[SENDERS];
	uint32_t *seq = &last[s->sender % SENDERS];

	if (who[s->sender % SENDERS] != s->sender) {
		who[s->sender % SENDERS] = s->sender;
		*seq = 0;
	}
	if (s->seq <= *seq)
		traffic_fault("message %u of sender %u comes after message %u",
			      s->seq, s->sender, *seq);
	*seq = s->seq;
}

/*
 * Check that a message is whole and in order. Return false for a message of an earlier
 * generation. Only a worker that also sends can recognise such a message.
 */
bool flow_ours(struct flow *f, const void *buf, ssize_t len, uint32_t seq)
{
	struct stamp s;

	if (!msg_whole(buf, len, &s) || (!len && traffic->steady))
		traffic_fault("%zd bytes that nobody has sent, instead of message %u", len, seq);
	if (!f->kind->send) {
		order_check(&s);
	} else {
		if (!len || s.sender != f->sender)
			return false;
		if (s.seq != seq)
			traffic_fault("message %u instead of %u", s.seq, seq);
	}
	atomic_fetch_sub(&worker->sum, hash(s.sender, s.seq));
	return true;
}

/* ---- a generation ---- */

/*
 * End a generation with @err. If traffic is not steady, the card may go, and pipes may be short:
 * then the worker begins another generation. All other errors are faults.
 */
static void flow_end(struct flow *f, int err)
{
	if (err && (traffic->steady || (err != -ENODEV && err != -ENOSPC)))
		traffic_fault("%s, generation %u: %s", f->kind->name, f->gen, strerror(-err));
}

static bool later(int err)
{
	return traffic->steady && (err == -EAGAIN || err == -ETIMEDOUT || err == -EINTR);
}

static void *flow_sender(void *arg)
{
	struct flow *f = arg;
	uint32_t seq = 0;
	int n = f->kind->begin ? f->kind->begin(f) : 0;

	while (n >= 0 && !f->last) {
		if (seq + 1 >= f->most || traffic->halt)
			f->last = seq + 1;
		do {
			n = f->kind->send(f, seq + 1);
		} while (later(n));
		seq += n > 0 ? n : 0;
	}
	/*
	 * The close would drop messages that the card has not taken, so wait until it has taken
	 * them.
	 */
	while (n >= 0 && traffic->steady && f->in && later(n = nfpchan_drain(f->in, IDLE_NS)))
		;
	flow_end(f, n < 0 ? n : 0);
	if (!f->kind->recv)
		f->err = n < 0 ? n : 0;
	return NULL;
}

static bool flow_done(struct flow *f, uint32_t seq)
{
	if (f->kind->late)
		return false;
	if (f->kind->send)
		return f->last == seq;
	return seq == f->most || traffic->halt;
}

static void flow_receiver(struct flow *f)
{
	int err = f->kind->start ? f->kind->start(f) : 0;
	uint32_t seq = 1;

	while (!err) {
		err = f->kind->recv(f, seq);
		if (later(err)) {
			err = 0;
			if (f->kind->late && traffic->halt == TRAFFIC_LEAVES)
				break;
			continue;
		}
		if (err)
			break;
		atomic_fetch_add(&worker->rounds, 1);
		traffic_tick();
		if (flow_done(f, seq++))
			break;
	}
	flow_end(f, err);
	f->err = err;
}

static int end_open(struct flow *f, const char *name, struct nfpchan **ch, int *fd)
{
	struct nfpchan_opts o = {
		.size = sizeof(o), .inline_max = f->kind->inline_max, .port = f->port,
	};
	int err;

	if (f->kind->raw) {
		/*
		 * After poll() has reported a message, another process may receive it first. Do
		 * not block then.
		 */
		*fd = chan_open(nfpchan_card_fd(f->on), name,
				f->kind->late ? NFP_CHAN_OPEN_NONBLOCK : 0, 0);
		return *fd < 0 ? -errno : 0;
	}
	err = nfpchan_open(ch, f->on, name, &o);
	*fd = err ? -1 : nfpchan_fd(*ch);
	return err;
}

static struct nfp_chan_layout layout_of(int fd, int *err)
{
	struct nfp_chan_layout g = { .size = sizeof(g) };

	if (!*err && ioctl(fd, NFP_CHAN_IOC_LAYOUT, &g))
		*err = -errno;
	return g;
}

static int flow_open(struct flow *f)
{
	const struct kind *k = f->kind;
	int err = 0;

	if (k->ported)
		err = nfpchan_port_open(&f->port, f->on, NULL);
	if (!err && k->in) {
		err = end_open(f, k->in, &f->in, &f->in_fd);
		f->in_geom = layout_of(f->in_fd, &err);
	}
	if (!err && k->out) {
		err = end_open(f, k->out, &f->out, &f->out_fd);
		f->out_geom = layout_of(f->out_fd, &err);
	}
	if (!err && k->back)
		err = nfpchan_open_return(&f->back, f->on, k->back, f->out, NULL);
	if (!err && k->open)
		err = k->open(f);
	return err;
}

static void flow_close(struct flow *f)
{
	/* Close the port first in odd generations, and last in even ones. */
	if (f->gen % 2)
		nfpchan_port_close(f->port);
	if (f->kind->close)
		f->kind->close(f);
	if (f->kind->raw) {
		close(f->in_fd);
		close(f->out_fd);
	}
	nfpchan_close(f->back);
	nfpchan_close(f->in);
	nfpchan_close(f->out);
	if (f->gen % 2 == 0)
		nfpchan_port_close(f->port);
}

static void flow_both(struct flow *f)
{
	pthread_t thread;

	if (!f->kind->recv) {
		flow_sender(f);
		return;
	}
	if (f->kind->send && pthread_create(&thread, NULL, flow_sender, f))
		traffic_fault("no thread");
	flow_receiver(f);
	if (f->kind->send)
		pthread_join(thread, NULL);
}

/* Run a generation. Return false if the card has gone, or if no pipe is free. */
static bool flow_run(struct flow *f)
{
	int err = nfpchan_card_open(&f->on, "0", NULL, 0);

	if (err) {
		flow_end(f, err);
		return false;
	}
	err = flow_open(f);
	if (!err) {
		flow_both(f);
		err = f->err;
	}
	flow_close(f);
	nfpchan_card_close(f->on);
	flow_end(f, err);
	return !err;
}

/* ---- a process ---- */

int node_watch(void)
{
	int watch = inotify_init1(IN_CLOEXEC);

	if (watch < 0 || inotify_add_watch(watch, "/dev", IN_CREATE) < 0)
		die("inotify");
	return watch;
}

void node_await(int watch)
{
	char event[1024];

	while (access("/dev/nfp_chan0", F_OK))
		if (read(watch, event, sizeof(event)) < 0)
			die("inotify");
}

static struct flow generation(unsigned int i)
{
	const struct kind *k = &traffic->kind[i];
	struct flow f = { .kind = k, .in_fd = -1, .out_fd = -1, .most = UINT32_MAX };

	f.gen = atomic_fetch_add(&worker->opens, 1) + 1;
	f.random = mix(traffic->seed ^ mix(i << 16 ^ f.gen));
	/* Receivers index a table by the sender's number, so senders have consecutive numbers. */
	f.sender = is_compared(k->back ? : k->in) ? unused_number() :
		   atomic_fetch_add(&traffic->senders, 1) + 1;
	if (!traffic->steady)
		f.most = 1 + flow_random(&f, GENERATION);
	return f;
}

static void __attribute__((noreturn)) worker_run(unsigned int i)
{
	unsigned int until = traffic->kind[i].late ? TRAFFIC_LEAVES : TRAFFIC_STOPS;
	int watch = node_watch();

	while (traffic->halt < until) {
		struct flow f;
		bool went;

		/*
		 * Set @at_work before @halt is read. traffic_pause() sets @halt, then waits until
		 * @at_work is 0.
		 */
		worker->at_work = 1;
		if (traffic->halt == TRAFFIC_PAUSES) {
			worker->at_work = 0;
			traffic_tick();
			syscall(SYS_futex, &traffic->halt, FUTEX_WAIT, TRAFFIC_PAUSES, NULL, NULL, 0);
			continue;
		}
		f = generation(i);
		went = !flow_run(&f);
		worker->at_work = 0;
		traffic_tick();
		if (went)
			node_await(watch);
	}
	_exit(0);
}

void worker_start(unsigned int i)
{
	pid_t pid = fork_or_die();

	if (pid) {
		traffic->worker[i].pid = pid;
		return;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	alarm(0);
	worker = &traffic->worker[i];
	if (!traffic->steady && setpriority(PRIO_PROCESS, 0, NICE))
		die("setpriority");
	worker_run(i);
}

/* ---- for the test that watches the workers ---- */

void traffic_init(const struct kind *kind, unsigned int kinds, bool steady, uint32_t seed)
{
	traffic = shared_memory(sizeof(*traffic));
	traffic->kind = kind;
	traffic->kinds = kinds;
	traffic->steady = steady;
	traffic->seed = seed;
}

void traffic_start(void)
{
	unsigned int i;

	for (i = 0; i < traffic->kinds; i++)
		worker_start(i);
}

int worker_kill(unsigned int i)
{
	struct worker *w = &traffic->worker[i];
	int status;

	if (kill(w->pid, SIGKILL))
		die("kill");
	status = reap(w->pid);
	w->kills++;
	w->at_work = 0;
	worker_start(i);
	return status;
}

void traffic_show(void)
{
	unsigned int i;

	for (i = 0; i < traffic->kinds; i++) {
		const struct worker *w = &traffic->worker[i];

		printf("# %s: %llu messages, %u times opened, sent %llu, received %llu%s%s\n",
		       traffic->kind[i].name, w->rounds, w->opens, w->sent, w->received,
		       w->fault[0] ? "; " : "", w->fault);
	}
}

void traffic_alarm(int sig)
{
	unsigned int i;
	int status;

	for (i = 0; i < traffic->kinds; i++)
		if (traffic->worker[i].pid &&
		    waitpid(traffic->worker[i].pid, &status, WNOHANG) > 0)
			printf("# %s ended: status %x\n", traffic->kind[i].name, status);
	traffic_show();
	fflush(stdout);
	on_alarm(sig);
}

bool traffic_well(void)
{
	unsigned int i;

	for (i = 0; i < traffic->kinds; i++)
		if (traffic->worker[i].fault[0])
			return false;
	return true;
}

bool traffic_goes(unsigned long n)
{
	unsigned long long from[WORKERS];
	unsigned int i;

	for (i = 0; i < traffic->kinds; i++)
		from[i] = traffic->worker[i].rounds;
	for (i = 0; i < traffic->kinds; i++)
		TRAFFIC_UNTIL(traffic->worker[i].rounds - from[i] >= n);
	return traffic_well();
}

void traffic_set(unsigned int halt)
{
	traffic->halt = halt;
	syscall(SYS_futex, &traffic->halt, FUTEX_WAKE, WORKERS, NULL, NULL, 0);
}

void traffic_pause(void)
{
	unsigned int i;

	traffic_set(TRAFFIC_PAUSES);
	for (i = 0; i < traffic->kinds; i++)
		TRAFFIC_UNTIL(!traffic->worker[i].at_work);
}

void traffic_resume(void)
{
	traffic_set(TRAFFIC_GOES);
}

bool traffic_stop(void)
{
	struct worker *w;

	traffic_set(TRAFFIC_STOPS);
	for (w = traffic->worker; w < traffic->worker + traffic->kinds; w++)
		if (reap(w->pid) && !w->fault[0])
			snprintf(w->fault, sizeof(w->fault), "ended before its time");
	traffic_show();
	return traffic_well();
}
