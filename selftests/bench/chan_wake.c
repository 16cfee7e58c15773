// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * chan_wake.c - ways to wake a receiver, with the board in this process: round trips of 64 bytes,
 * and the CPU time that the receiver spends on one.
 *
 * usage: chan_wake [SECONDS]
 *
 * A receiver that will sleep arms the pipe before it sends. There is no kernel module. The card's
 * interrupt does what the kernel would do: it adds to an eventfd, or sends a signal to a thread.
 * selftests/kmod/guest/wake_cost.c measures the same with the kernel module.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include "bench_load.h"

#define SIG	(SIGRTMIN + 1)

/**
 * struct waker - a receiver, and what wakes it
 * @b: host and board
 * @tx: pipe to the card
 * @rx: pipe back to the host
 * @efd: eventfd that counts interrupts
 * @ep: epoll instance with @efd
 * @self: thread that gets the signals
 * @taken: messages that a handler has received
 * @stop: asks the handler's thread to end
 */
struct waker {
	struct bench_host *b;
	struct bench_chan *tx;
	struct bench_chan *rx;
	int efd;
	int ep;
	pthread_t self;
	atomic_uint taken;
	atomic_bool stop;
};

static struct waker waker;
static uint8_t buf[64];

static void request(struct waker *w)
{
	assert_true(nfpchan_send(&w->tx->ch, buf, sizeof(buf), NFPCHAN_FOREVER) == 0);
}

static bool take(struct waker *w)
{
	uint8_t in[2048];
	ssize_t n = nfpchan_recv(&w->rx->ch, in, sizeof(in), NFPCHAN_NONBLOCK);

	assert_true(n == sizeof(buf) || n == -EAGAIN);
	return n > 0;
}

/*
 * Receive a message and return true, or arm the pipe and return false. An interrupt may come for a
 * record that was seen before, and then there is no message.
 */
static bool taken_or_armed(struct waker *w)
{
	do {
		if (take(w))
			return true;
	} while (nfpchan_arm(&w->rx->ch) == 1);
	return false;
}

/* Arm the pipe. There is no message. */
static void arm(struct waker *w)
{
	assert_true(nfpchan_arm(&w->rx->ch) == 0);
}

static void clear(struct waker *w)
{
	eventfd_t n;

	eventfd_read(w->efd, &n);
}

/* ---- ways to be woken; each returns with the message received ---- */

static uint64_t by_recv(void *ctx)
{
	struct waker *w = ctx;
	uint8_t in[2048];

	request(w);
	assert_true(nfpchan_recv(&w->rx->ch, in, sizeof(in), NFPCHAN_FOREVER) == sizeof(buf));
	return 1;
}

static uint64_t by_eventfd(void *ctx)
{
	struct waker *w = ctx;
	struct pollfd pfd = { .fd = w->efd, .events = POLLIN };

	arm(w);
	request(w);
	do {
		assert_true(poll(&pfd, 1, -1) == 1);
		clear(w);
	} while (!taken_or_armed(w));
	return 1;
}

static uint64_t by_epoll(void *ctx)
{
	struct waker *w = ctx;
	struct epoll_event ev;

	arm(w);
	request(w);
	do {
		assert_true(epoll_wait(w->ep, &ev, 1, -1) == 1);
		clear(w);
	} while (!taken_or_armed(w));
	return 1;
}

static uint64_t by_sigwait(void *ctx)
{
	struct waker *w = ctx;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIG);
	arm(w);
	request(w);
	do
		assert_true(sigwaitinfo(&set, NULL) == SIG);
	while (!taken_or_armed(w));
	return 1;
}

static void branch(int sig)
{
	if (taken_or_armed(&waker))
		waker.taken++;
}

/* A signal interrupts the thread's other work, which is an empty loop here. */
static uint64_t by_branch(void *ctx)
{
	struct waker *w = ctx;
	unsigned int before = w->taken;

	arm(w);
	request(w);
	while (w->taken == before)
		__builtin_ia32_pause();
	return 1;
}

static void *handler_thread(void *arg)
{
	struct waker *w = arg;
	struct epoll_event ev;

	while (!w->stop) {
		while (taken_or_armed(w))
			w->taken++;
		assert_true(epoll_wait(w->ep, &ev, 1, -1) == 1);
		clear(w);
	}
	return NULL;
}

/* Yield, because the handler's thread may have only this CPU. */
static uint64_t by_thread(void *ctx)
{
	struct waker *w = ctx;
	unsigned int before = w->taken;

	request(w);
	while (w->taken == before)
		sched_yield();
	return 1;
}

/* ---- the interrupt ---- */

static void to_eventfd(void *arg, unsigned int vector)
{
	eventfd_write(((struct waker *)arg)->efd, 1);
}

static void to_thread(void *arg, unsigned int vector)
{
	pthread_sigqueue(((struct waker *)arg)->self, SIG, (union sigval){ .sival_int = 0 });
}

/* ---- measurements ---- */

static void measure(const char *name, bench_step step, struct waker *w, clockid_t clock)
{
	double start, cpu;
	unsigned int n = 0;
	char key[64];

	bench_latency(name, step, w);
	start = bench_now();
	cpu = (double)clock_ns(clock) / 1e9;
	for (; bench_now() - start < bench_seconds; n++)
		step(w);
	cpu = (double)clock_ns(clock) / 1e9 - cpu;
	snprintf(key, sizeof(key), "%s_cpu_us", name);
	bench_print(key, cpu / n * 1e6);
}

static void policy(const char *name, uint32_t wait)
{
	if (nfpchan_set_wait(&waker.rx->ch, wait, 0))
		printf("# %s: this CPU does not support it\n", name);
	else
		measure(name, by_recv, &waker, CLOCK_THREAD_CPUTIME_ID);
}

static void sleepers(struct waker *w)
{
	host_on_irq(w->b->h.host, FW_VEC_PIPE + 1, to_eventfd, w);
	bench_thread_start(w->b);
	/*
	 * No kernel arms the pipe. So the adaptive receiver polls an eventfd that is always ready,
	 * and never sleeps.
	 */
	w->rx->ch.fd = w->efd;
	eventfd_write(w->efd, 1);
	policy("wake_adaptive", NFPCHAN_WAIT_ADAPTIVE);
	clear(w);
	measure("wake_eventfd", by_eventfd, w, CLOCK_THREAD_CPUTIME_ID);
	measure("wake_epoll", by_epoll, w, CLOCK_THREAD_CPUTIME_ID);
	bench_thread_stop(w->b);
}

static void signals(struct waker *w)
{
	struct sigaction sa = { .sa_handler = branch, .sa_flags = SA_RESTART };
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIG);
	host_on_irq(w->b->h.host, FW_VEC_PIPE + 1, to_thread, w);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	bench_thread_start(w->b);
	measure("wake_sigwait", by_sigwait, w, CLOCK_THREAD_CPUTIME_ID);
	sigaction(SIG, &sa, NULL);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	bench_latency("wake_branch", by_branch, w);
	bench_thread_stop(w->b);
}

static void thread(struct waker *w)
{
	clockid_t clock;
	pthread_t t;

	host_on_irq(w->b->h.host, FW_VEC_PIPE + 1, to_eventfd, w);
	w->taken = 0;
	pthread_create(&t, NULL, handler_thread, w);
	pthread_getcpuclockid(t, &clock);
	bench_thread_start(w->b);
	measure("wake_thread", by_thread, w, clock);
	w->stop = true;
	eventfd_write(w->efd, 1);
	pthread_join(t, NULL);
	bench_thread_stop(w->b);
}

int main(int argc, char **argv)
{
	struct epoll_event ev = { .events = EPOLLIN };
	struct waker *w = &waker;

	bench_args(argc, argv);
	w->b = bench_start();
	w->tx = bench_open_inline(w->b, 0, CHAN_ID_ECHO_IN, 16, 64);
	w->rx = bench_open(w->b, 1, CHAN_ID_ECHO_OUT, 16);
	w->efd = eventfd(0, EFD_NONBLOCK);
	w->ep = epoll_create1(0);
	assert_true(epoll_ctl(w->ep, EPOLL_CTL_ADD, w->efd, &ev) == 0);
	w->self = pthread_self();
	bench_thread_start(w->b);
	policy("wake_spin", NFPCHAN_WAIT_SPIN);
	policy("wake_monitor", NFPCHAN_WAIT_MONITOR);
	bench_thread_stop(w->b);
	sleepers(w);
	signals(w);
	thread(w);
	bench_stop(w->b);
	return 0;
}
