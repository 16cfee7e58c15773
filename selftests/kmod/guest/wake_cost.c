// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * wake_cost.c - measure each way in which the kernel wakes a receiver. A message of 64 bytes goes
 * to the card and back while the receiver waits. The test counts system calls and interrupts.
 * Times are those of an emulated CPU.
 */
#define _GNU_SOURCE
#include <linux/perf_event.h>
#include <pthread.h>
#include <sys/epoll.h>
#include "wake.h"

#define SIG	(SIGRTMIN + 1)
#define MANY	200
#define BURST	32
#define BURSTS	4

static int calls_fd = -1;
static _Atomic unsigned int taken;

/* ---- count the system calls of this process, and of threads that it starts later ---- */

static void calls_open(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT, .size = sizeof(attr), .inherit = 1,
	};
	static const char path[] = "/sys/kernel/tracing/events/raw_syscalls/sys_enter/id";
	char text[32];

	if (proc_read(path, text, sizeof(text))) {
		attr.config = strtoull(text, NULL, 10);
		calls_fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1,
					PERF_FLAG_FD_CLOEXEC);
	}
	/* Leave out clock_gettime(), which is a system call only on an emulated CPU. */
	snprintf(text, sizeof(text), "id != %d", SYS_clock_gettime);
	if (calls_fd < 0 || ioctl(calls_fd, PERF_EVENT_IOC_SET_FILTER, text))
		give_up("system calls", "cannot be counted");
}

static uint64_t calls(void)
{
	uint64_t n;

	if (read(calls_fd, &n, sizeof(n)) != sizeof(n))
		give_up("system calls", "cannot be read");
	return n;
}

/* ---- ways to be woken, one wake-up each ---- */

static void by_epoll(void *arg)
{
	struct epoll_event ev;

	wake_request();
	while (!wake_take())
		if (epoll_wait(*(int *)arg, &ev, 1, WAIT_MS) != 1)
			give_up("epoll", "not woken");
}

static void by_sigwait(void *arg)
{
	struct timespec patience = { .tv_sec = WAIT_MS / 1000 };

	nfpchan_arm(wake_rx);
	wake_request();
	while (!wake_take())
		if (sigtimedwait(arg, NULL, &patience) != SIG)
			give_up("sigtimedwait", "not signalled");
}

static void branch(int sig)
{
	(void)sig;
	do {
		while (wake_take())
			taken++;
	} while (nfpchan_arm(wake_rx) == 1);
}

/* Busy-wait, in place of other work, until the handler has taken the message. */
static void by_handler(void *arg)
{
	unsigned int before = taken;

	(void)arg;
	wake_request();
	while (taken == before)
		;
}

static int handle(void *arg, struct nfpchan *ch, const void *msg, ssize_t len)
{
	(void)arg;
	(void)ch;
	(void)msg;
	taken += len == 64;
	return 0;
}

/* ---- figures ---- */

/* The threads whose CPU time is measured. THREAD includes the time of the send. */
enum whose { THREAD, OTHERS, NOBODY };

static double cpu_us(enum whose whose)
{
	double thread = (double)clock_ns(CLOCK_THREAD_CPUTIME_ID) / 1e3;

	return whose == OTHERS ? (double)clock_ns(CLOCK_PROCESS_CPUTIME_ID) / 1e3 - thread : thread;
}

static void measure(const char *name, void (*wake)(void *arg), void *arg, enum whose whose)
{
	uint64_t irqs, n;
	double took[MANY], cpu;
	int i;

	for (i = 0; i < MANY / 4; i++)
		wake(arg);
	irqs = counters("echo-out").irqs;
	n = calls();
	cpu = cpu_us(whose);
	for (i = 0; i < MANY; i++) {
		took[i] = (double)clock_ns(CLOCK_MONOTONIC) / 1e3;
		wake(arg);
		took[i] = (double)clock_ns(CLOCK_MONOTONIC) / 1e3 - took[i];
	}
	cpu = cpu_us(whose) - cpu;
	n = calls() - n - 1;	/* without the read() that calls() makes */
	irqs = counters("echo-out").irqs - irqs;
	qsort(took, MANY, sizeof(took[0]), wake_less);
	printf("# wake_%s_vm_us_median %.5g\n", name, took[MANY / 2]);
	printf("# wake_%s_vm_us_p99 %.5g\n", name, took[MANY * 99 / 100]);
	if (whose != NOBODY)
		printf("# wake_%s_vm_cpu_us %.5g\n", name, cpu / MANY);
	printf("# wake_%s_vm_syscalls %.5g\n", name, (double)n / MANY);
	printf("# wake_%s_vm_irqs %.5g\n", name, (double)irqs / MANY);
	/* The interrupt of the last warm-up message may come after the counters are read. */
	ok(irqs <= MANY + 1, "%s: at most one interrupt a wake-up", name);
}

static void policy(const char *name, uint32_t wait)
{
	if (nfpchan_set_wait(wake_rx, wait, 0))
		printf("# %s: not on this CPU\n", name);
	else
		measure(name, wake_by_recv, NULL, THREAD);
}

static void descriptors(void)
{
	struct epoll_event ev = { .events = EPOLLIN };
	int efd = eventfd(0, EFD_NONBLOCK), ep = epoll_create1(0);

	nfpchan_eventfd(wake_rx, efd);
	measure("eventfd", wake_by_eventfd, &efd, THREAD);
	nfpchan_eventfd(wake_rx, -1);
	epoll_ctl(ep, EPOLL_CTL_ADD, nfpchan_fd(wake_rx), &ev);
	measure("epoll", by_epoll, &ep, THREAD);
	close(ep);
	close(efd);
}

static void signals(void)
{
	struct sigaction sa = { .sa_handler = branch, .sa_flags = SA_RESTART };
	sigset_t set = signal_block(SIG);

	is(nfpchan_notify(wake_rx, 0, SIG), 0, "a signal to this thread");
	measure("sigwait", by_sigwait, &set, THREAD);
	sigaction(SIG, &sa, NULL);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	branch(0);
	measure("branch", by_handler, NULL, NOBODY);
	nfpchan_notify(wake_rx, 0, 0);
}

static void dispatcher(void)
{
	struct nfpchan_dispatch *d;

	nfpchan_set_wait(wake_rx, NFPCHAN_WAIT_SLEEP, 0);
	if (nfpchan_dispatch_open(&d, 1))
		give_up("dispatch", "cannot be opened");
	is(nfpchan_dispatch_add(d, wake_rx, handle, NULL), 0, "a handler");
	measure("thread", by_handler, NULL, OTHERS);
	nfpchan_dispatch_close(d);
}

/* ---- delayed interrupts ---- */

static _Atomic pid_t sleeper_tid;
static _Atomic uint32_t received;

static void *sleeper(void *arg)
{
	uint8_t buf[MSG_MAX];

	sleeper_tid = (pid_t)syscall(SYS_gettid);
	for (; received < BURST * BURSTS; received++)
		if (nfpchan_recv(arg, buf, sizeof(buf), WAIT_NS) != 64)
			give_up("echo-out", "not received");
	return NULL;
}

/*
 * Send each message when the receiver sleeps, or would sleep if its interrupt were not held back.
 */
static void held_back(const char *name, uint32_t count, uint32_t usecs)
{
	struct nfp_chan_query q = counters("echo-out");
	time_t begin = time(NULL);
	struct nfpchan *ch = chan_start_with("echo-out", OPTS(.wait = NFPCHAN_WAIT_SLEEP,
					     .irq_count = count, .irq_usecs = usecs));
	uint64_t irqs;
	pthread_t t;
	uint32_t i;

	sleeper_tid = 0;
	received = 0;
	pthread_create(&t, NULL, sleeper, ch);
	for (i = 0; i < BURST * BURSTS; i++) {
		if (!UNTIL(counters("echo-out").msgs - q.msgs == i && (count || received == i) &&
			   sleeper_tid && sleeping_in(sleeper_tid) == SYS_ppoll))
			give_up(name, "not asleep");
		wake_request();
	}
	pthread_join(t, NULL);
	irqs = counters("echo-out").irqs - q.irqs;
	printf("# wake_%s_vm_irqs_per_msg %.5g\n", name, (double)irqs / (BURST * BURSTS));
	if (!count)
		is(irqs, BURST * BURSTS, "interrupts at once: one for each message");
	else
		/* On a slow machine the time limit ends some of the waits. */
		ok(irqs <= BURSTS + 1 + (uint64_t)(time(NULL) - begin) * 1000000 / usecs,
		   "interrupts held back: one for %u messages", count);
	nfpchan_close(ch);
}

int main(void)
{
	struct in_use used;

	card_start();
	used = in_use();
	calls_open();
	wake_tx = chan_start("echo-in", SPIN_LONG);
	wake_rx = chan_start_with("echo-out", OPTS(.flags = NFPCHAN_ALONE));
	policy("spin", NFPCHAN_WAIT_SPIN);
	policy("adaptive", NFPCHAN_WAIT_ADAPTIVE);
	policy("monitor", NFPCHAN_WAIT_MONITOR);
	policy("sleep", NFPCHAN_WAIT_SLEEP);
	descriptors();
	signals();
	dispatcher();
	nfpchan_close(wake_rx);
	held_back("at_once", 0, 0);
	held_back("held", BURST, 1000000);
	nfpchan_close(wake_tx);
	close(calls_fd);
	nothing_left(&used, "wake_cost");
	return tap_done();
}
