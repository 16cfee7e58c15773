// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * chan_wake.c - ways in which a thread is woken: wait policies, real-time signals, and interrupts
 * that the card delays. The test asserts which waits slept, and the number of interrupts.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/syscall.h>
#include "chan_test.h"

#define SIG	(SIGRTMIN + 3)

#define START(name, ...) chan_start_with(name, OPTS(__VA_ARGS__))

static int refused(const struct nfpchan_opts *opts)
{
	struct nfpchan *ch;
	int err = nfpchan_open(&ch, card, "tick", opts);

	if (!err)
		nfpchan_close(ch);
	return err;
}

#define REFUSED(...) refused(OPTS(__VA_ARGS__))

static struct nfpchan_stats stats(struct nfpchan *ch)
{
	struct nfpchan_stats st = { .size = sizeof(st) };

	nfpchan_stats(ch, &st);
	return st;
}

static bool tick(struct nfpchan *ch, int64_t timeout)
{
	struct echo_count c;

	return nfpchan_recv(ch, &c, sizeof(c), timeout) == sizeof(c);
}

/* ---- policies ---- */

struct sleeper {
	struct nfpchan *ch;
	_Atomic pid_t tid;
	int how;
	long ret;
};

enum { BY_RECV, BY_WAIT, BY_SELECT, BY_BORROW };

static void *sleeper(void *arg)
{
	struct sleeper *s = arg;
	struct echo_count c;
	struct nfpchan_case one = { .ch = s->ch, .buf = &c, .len = sizeof(c), .guard = 1 };
	const void *data;

	s->tid = (pid_t)syscall(SYS_gettid);
	switch (s->how) {
	case BY_RECV:
		s->ret = nfpchan_recv(s->ch, &c, sizeof(c), WAIT_NS) != sizeof(c);
		break;
	case BY_WAIT:
		s->ret = nfpchan_wait(s->ch, WAIT_NS);
		break;
	case BY_SELECT:
		s->ret = nfpchan_select(&one, 1, WAIT_NS);
		break;
	default:
		s->ret = nfpchan_borrow(s->ch, &data, WAIT_NS) != sizeof(c);
		nfpchan_release(s->ch, 1);
	}
	return NULL;
}

/* In each call that waits, the thread sleeps in ppoll() until its message comes. */
static void sleeps(void)
{
	static const char * const names[] = { "recv", "wait", "select", "borrow" };
	struct nfpchan *ch = START("tick", .wait = NFPCHAN_WAIT_SLEEP);
	struct nfp_chan_query before = counters("tick");
	struct sleeper s = { .ch = ch };
	pthread_t t;

	is(nfpchan_get_wait(ch), NFPCHAN_WAIT_SLEEP, "policy sleep");
	for (s.how = 0; s.how < 4; s.how++) {
		s.tid = 0;
		pthread_create(&t, NULL, sleeper, &s);
		ok(UNTIL(s.tid && sleeping_in(s.tid) == SYS_ppoll), "%s sleeps in ppoll",
		   names[s.how]);
		nfpchan_raise(ch);
		pthread_join(t, NULL);
		is(s.ret, 0, "a message wakes the thread");
		if (s.how == BY_WAIT)
			ok(tick(ch, NFPCHAN_NONBLOCK), "the message is there");
		is(stats(ch).sleeps, s.how + 1, "one sleep");
		is(counters("tick").irqs - before.irqs, s.how + 1, "one interrupt");
	}
	nfpchan_close(ch);
}

static void never_sleeps(uint32_t wait, const char *name)
{
	struct nfpchan *ch = START("tick", .wait = wait);
	struct nfp_chan_query before = counters("tick");
	struct sleeper s = { .ch = ch };
	unsigned int bad = 0;
	pthread_t t;

	is(nfpchan_get_wait(ch), wait, name);
	for (s.how = 0; s.how < 4; s.how++) {
		s.tid = 0;
		pthread_create(&t, NULL, sleeper, &s);
		bad += !UNTIL(s.tid);
		nfpchan_raise(ch);
		pthread_join(t, NULL);
		bad += s.ret || (s.how == BY_WAIT && !tick(ch, NFPCHAN_NONBLOCK));
	}
	is(bad, 0, "recv, wait, select and borrow get their message");
	ok(!tick(ch, 5000000), "a timeout of 5 ms ends");
	is(stats(ch).sleeps, 0, "no sleep");
	is(stats(ch).arms, 0, "nothing was armed");
	is(counters("tick").irqs - before.irqs, 0, "no interrupt");
	nfpchan_close(ch);
}

/* With a long limit on spinning, the library decides by the waiting times that it has measured. */
static void adaptive(void)
{
	struct nfpchan *ch = START("tick", .wait = NFPCHAN_WAIT_ADAPTIVE, .spin_us = 1000);
	struct nfpchan_stats st;
	unsigned int i, bad = 0;

	is(nfpchan_get_wait(ch), NFPCHAN_WAIT_ADAPTIVE, "policy adaptive");
	/* Each message comes after the thread has slept: the library learns to sleep at once. */
	for (i = 0; i < 40; i++) {
		struct sleeper s = { .ch = ch };
		pthread_t t;

		pthread_create(&t, NULL, sleeper, &s);
		bad += !UNTIL(s.tid && sleeping_in(s.tid) == SYS_ppoll);
		nfpchan_raise(ch);
		pthread_join(t, NULL);
		bad += s.ret != 0;
	}
	st = stats(ch);
	is(bad, 0, "40 messages, each to a sleeper");
	is(st.sleeps, 40, "each wait slept");
	is(st.waits, 40, "each receive waited");
	nfpchan_close(ch);
}

static void setters(void)
{
	struct nfpchan *ch = START("tick", .spin_us = 100);
	int have = nfpchan_set_wait(ch, NFPCHAN_WAIT_MONITOR, 0);
	char why[256];

	is(nfpchan_get_wait(ch), have ? NFPCHAN_WAIT_DEFAULT : NFPCHAN_WAIT_MONITOR,
	   "a fixed time, or monitored");
	printf("# this CPU can%s monitor memory\n", have ? "not" : "");
	if (have) {
		is(have, -EOPNOTSUPP, "monitored wait: not this CPU");
		ok(strstr(nfpchan_error(ch, why, sizeof(why)), "WAITPKG"),
		   "the error text says why: %s", why);
		is(REFUSED(.wait = NFPCHAN_WAIT_MONITOR), -EOPNOTSUPP,
		   "monitored wait, at the open: not this CPU");
	}
	is(nfpchan_set_wait(ch, NFPCHAN_WAIT_BEST, 0), 0, "the best policy of this CPU");
	is(nfpchan_get_wait(ch), have ? NFPCHAN_WAIT_ADAPTIVE : NFPCHAN_WAIT_MONITOR,
	   "the policy is monitored or adaptive");
	is(nfpchan_set_wait(ch, 6, 0), -EINVAL, "no such policy");
	is(nfpchan_set_wait(ch, NFPCHAN_WAIT_ADAPTIVE, -1), -EINVAL,
	   "adaptive, for a negative time");
	is(nfpchan_get_wait(ch), have ? NFPCHAN_WAIT_ADAPTIVE : NFPCHAN_WAIT_MONITOR,
	   "the policy has not changed");
	is(nfpchan_set_wait(ch, NFPCHAN_WAIT_DEFAULT, -1), 0,
	   "the default policy, with no spinning");
	is(nfpchan_get_wait(ch), NFPCHAN_WAIT_SLEEP, "the policy is to sleep");
	is(REFUSED(.wait = 6), -EINVAL, "no such policy, at the open");
	is(REFUSED(.rsvd = 1), -EINVAL, "the reserved option");
	nfpchan_close(ch);
}

/* ---- signals to a thread ---- */

static struct nfpchan *branch_ch;
static _Atomic unsigned int branches, branch_msgs, branch_bad;
static _Atomic pid_t branch_tid;

static void branch(int sig, siginfo_t *info, void *context)
{
	struct echo_count c;
	ssize_t n;

	(void)sig;
	(void)context;
	branches++;
	branch_tid = (pid_t)syscall(SYS_gettid);
	branch_bad += info->si_fd != nfpchan_fd(branch_ch) || info->si_code != POLL_IN;
	do {
		while ((n = nfpchan_recv(branch_ch, &c, sizeof(c), NFPCHAN_NONBLOCK)) >= 0)
			branch_msgs++;
	} while (n == -EAGAIN && nfpchan_arm(branch_ch) == 1);
}

static void by_handler(void)
{
	struct sigaction sa = { .sa_sigaction = branch, .sa_flags = SA_SIGINFO | SA_RESTART };
	struct nfp_chan_query before;
	unsigned int i;

	branch_ch = START("tick", .flags = NFPCHAN_ALONE);
	sigaction(SIG, &sa, NULL);
	before = counters("tick");
	is(nfpchan_notify(branch_ch, 0, SIG), 0, "a real-time signal to this thread");
	is(branches, 0, "none yet");
	for (i = 1; i <= 50; i++) {
		nfpchan_signal(card, "tick");
		if (!UNTIL(branch_msgs == i))
			break;
	}
	is(branch_msgs, 50, "50 messages, each handled before the next");
	ok(branches >= 50 && branch_bad == 0,
	   "the handler ran for each, and was given the channel's descriptor");
	is(branch_tid, syscall(SYS_gettid), "the handler ran in this thread");
	is(counters("tick").irqs - before.irqs, 50, "one interrupt each");
	is(nfpchan_notify(branch_ch, 0, 0), 0, "turn the signal off");
	branches = 0;
	nfpchan_signal(card, "tick");
	is(nfpchan_wait(branch_ch, WAIT_NS), 0, "a message comes");
	is(nfpchan_arm(branch_ch), 1, "arm returns 1: the message is there");
	is(branches, 0, "no signal was sent");
	/*
	 * If a message has come before the signal is turned on, the kernel sends the signal at
	 * once.
	 */
	is(nfpchan_notify(branch_ch, 0, SIG), 0, "turn the signal on again");
	ok(UNTIL(branch_msgs == 51), "the signal for the message that was there came");
	nfpchan_close(branch_ch);
}

struct other {
	struct nfpchan *ch;
	_Atomic pid_t tid;
	_Atomic bool stop;
	_Atomic unsigned int signals;
};

/* Keep the signal blocked, and take it by sigtimedwait(). */
static void *other_thread(void *arg)
{
	struct timespec slice = { .tv_nsec = 50000000 };
	struct other *o = arg;
	sigset_t set = signal_block(SIG);
	siginfo_t info;

	o->tid = (pid_t)syscall(SYS_gettid);
	while (!o->stop)
		if (sigtimedwait(&set, &info, &slice) == SIG && info.si_fd == nfpchan_fd(o->ch))
			o->signals++;
	return NULL;
}

static void by_sigwait(void)
{
	struct other o = { .ch = START("tick", .wait = NFPCHAN_WAIT_SPIN) };
	sigset_t set = signal_block(SIG);
	pthread_t t;
	int i, bad = 0;

	pthread_create(&t, NULL, other_thread, &o);
	ok(UNTIL(o.tid), "another thread");
	is(nfpchan_notify(o.ch, o.tid, SIG), 0, "the other thread is to get the signal");
	for (i = 1; i <= 20; i++) {
		nfpchan_raise(o.ch);
		bad += !UNTIL(o.signals >= (unsigned int)i) || !tick(o.ch, WAIT_NS) ||
		       nfpchan_arm(o.ch);
	}
	is(bad, 0, "20 messages: the other thread takes 20 signals");
	is(o.signals, 20, "it took no further signal");
	o.stop = true;
	pthread_join(t, NULL);
	is(nfpchan_notify(o.ch, 0x7fffffff, SIG), -ESRCH, "a thread that does not exist");
	is(nfpchan_notify(o.ch, 0, SIGUSR1), -EINVAL, "a signal that is not queued");
	is(nfpchan_notify(o.ch, 0, SIGRTMAX + 1), -EINVAL, "a signal above SIGRTMAX");
	is(nfpchan_notify(o.ch, 0, -1), -EINVAL, "a negative signal");
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	nfpchan_close(o.ch);
}

/* Without the library: fcntl() turns signals on, and a read() that returns EAGAIN arms the pipe. */
static void by_fcntl(void)
{
	int fd = chan_must(nfpchan_card_fd(card), "tick", NFP_CHAN_OPEN_NONBLOCK);
	struct f_owner_ex owner = { .type = F_OWNER_TID, .pid = (pid_t)syscall(SYS_gettid) };
	struct timespec patience = { .tv_sec = WAIT_MS / 1000 }, none = { .tv_sec = 0 };
	sigset_t set = signal_block(SIG);
	siginfo_t info;
	char buf[8];
	int i, bad = 0;

	is(fcntl(fd, F_SETOWN_EX, &owner), 0, "F_SETOWN_EX");
	is(fcntl(fd, F_SETSIG, SIG), 0, "F_SETSIG");
	is(fcntl(fd, F_SETFL, O_ASYNC | O_NONBLOCK), 0, "O_ASYNC");
	for (i = 0; i < 20; i++) {
		nfpchan_signal(card, "tick");
		bad += sigtimedwait(&set, &info, &patience) != SIG || info.si_fd != fd ||
		       info.si_code != POLL_IN || read(fd, buf, 8) != 8 ||
		       read(fd, buf, 8) != -1 || errno != EAGAIN;
	}
	is(bad, 0, "20 messages, 20 signals");
	is(fcntl(fd, F_SETFL, O_NONBLOCK), 0, "without O_ASYNC");
	is(nfpchan_signal(card, "tick"), 0, "a message");
	ok(events_of(fd, POLLIN, WAIT_MS) & POLLIN, "the message comes");
	fails(sigtimedwait(&set, &info, &none), EAGAIN, "no signal");
	close(fd);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

/* Closing the library's handle ends its signals, also if another fd keeps the file open. */
static void closed(void)
{
	struct nfpchan *ch = START("tick", .flags = 0);
	struct timespec patience = { .tv_sec = WAIT_MS / 1000 }, none = { .tv_sec = 0 };
	int copy = dup(nfpchan_fd(ch));
	sigset_t set = signal_block(SIG);
	siginfo_t info;
	char buf[8];

	is(nfpchan_notify(ch, 0, SIG), 0, "signals");
	is(nfpchan_signal(card, "tick"), 0, "a message, on a pipe with two descriptors");
	is(sigtimedwait(&set, &info, &patience), SIG, "the signal comes");
	is(nfpchan_recv(ch, buf, 8, WAIT_NS), 8, "the message is received");
	nfpchan_close(ch);
	is(events_of(copy, POLLIN, 0), 0,
	   "the handle is closed; poll() on the second descriptor arms");
	is(nfpchan_signal(card, "tick"), 0, "a message");
	ok(events_of(copy, POLLIN, WAIT_MS) & POLLIN, "the message comes");
	fails(sigtimedwait(&set, &info, &none), EAGAIN, "no signal comes after the handle's close");
	close(copy);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

/* A channel to the NFP sends the signal when its ring has room. */
static void by_room(void)
{
	struct nfpchan *tx = START("echo-in", .wait = NFPCHAN_WAIT_SLEEP), *rx;
	struct timespec patience = { .tv_sec = WAIT_MS / 1000 };
	sigset_t set = signal_block(SIG);
	unsigned int n = 0;
	siginfo_t info;

	/* Fill the ring. The process holds a message that nobody receives, and takes no other. */
	while (!stamp_send(tx, MSG_MAX, 1, n, 50000000))
		n++;
	is(nfpchan_notify(tx, 0, SIG), 0, "signals for room");
	rx = chan_start("echo-out", 0);
	ok(stamp_is(stamp_recv(rx), 1, 0), "one message is received");
	is(sigtimedwait(&set, &info, &patience), SIG, "a signal");
	is(info.si_code, POLL_OUT, "the signal means room");
	is(nfpchan_wait(tx, WAIT_NS), 0, "there is room");
	while (--n)
		stamp_recv(rx);
	nfpchan_close(tx);
	nfpchan_close(rx);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

/* ---- delayed interrupts ---- */

/* Return how many of @count messages had come at the first interrupt. */
static unsigned long long load_irqs(uint32_t irq_count, uint32_t irq_usecs, uint32_t count)
{
	struct nfpchan *rx = START("load", .wait = NFPCHAN_WAIT_SLEEP,
				   .irq_count = irq_count, .irq_usecs = irq_usecs);
	struct nfp_chan_query before = counters("load"), q;

	is(before.irq_count, irq_count,
	   "QUERY has the number of messages for which interrupts are held back");
	is(before.irq_usecs, irq_usecs, "QUERY has the time for which interrupts are held back");
	is(nfpchan_arm(rx), 0, "armed");
	load_ask(LOAD_LOAD, count, 16, 21);
	ok(UNTIL(counters("load").irqs != before.irqs), "an interrupt comes");
	q = counters("load");
	is(load_all(rx, count, 16, 21), count, "all messages are there");
	nfpchan_close(rx);
	/* @q has the counters at the first interrupt. */
	is(q.irqs - before.irqs, 1, "one interrupt");
	return q.msgs - before.msgs;
}

static void moderation(void)
{
	struct nfp_chan_query q;
	struct nfpchan *rx;

	ok(load_irqs(0, 0, 40) >= 1, "interrupts that are not held back");
	ok(load_irqs(1, 1000, 40) >= 1, "held back for one message");
	ok(load_irqs(32, 1000000, 40) >= 32,
	   "held back for 32 messages: the interrupt comes when they are there");
	ok(load_irqs(0, 20000, 40) >= 1, "held back for a time");
	q = counters("load");
	is(q.irq_count | q.irq_usecs, 0, "closed: QUERY has no moderation");
	/*
	 * One message comes and the interrupt waits for 100, so the time limit raises the
	 * interrupt.
	 */
	rx = START("tick", .wait = NFPCHAN_WAIT_SLEEP, .irq_count = 100, .irq_usecs = 1000);
	q = counters("tick");
	nfpchan_raise(rx);
	ok(tick(rx, WAIT_NS), "1 message of the 100: the sleeper gets it");
	ok(counters("tick").irqs - q.irqs <= 1, "at most one interrupt came");
	nfpchan_close(rx);
	is(REFUSED(.irq_count = 2), -EINVAL, "two messages, no time");
	is(REFUSED(.irq_count = 65536, .irq_usecs = 1), -EINVAL, "65536 messages");
	is(REFUSED(.irq_usecs = 1000001), -EINVAL, "more than a second");
	is(REFUSED(.irq_count = 65535, .irq_usecs = 1000000), 0, "the limits");
}

int main(void)
{
	struct in_use used;

	card_start();
	used = in_use();
	sleeps();
	never_sleeps(NFPCHAN_WAIT_SPIN, "policy spin");
	adaptive();
	setters();
	by_handler();
	by_sigwait();
	by_fcntl();
	closed();
	by_room();
	moderation();
	nothing_left(&used, "wake");
	return tap_done();
}
