// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * lib_api.c - libnfpchan against the test processes of selftests/fw/apps: what
 * nfpchan.h says, call by call.
 */
#define _GNU_SOURCE
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include "chan_test.h"
#include "clock.h"

#define MS	1000000ll
#define LONG	(5000 * MS)

static bool says(struct nfpchan *ch, const char *part)
{
	char text[256];

	return strstr(nfpchan_error(ch, text, sizeof(text)), part);
}

static void opening(void)
{
	struct nfpchan_card *none = (void *)&none;
	struct {
		struct nfpchan_opts o;
		int more;
	} big = { .o.size = sizeof(big), .more = 1 };
	struct nfpchan_opts o = { .size = sizeof(o), .ring_size = 5000 };
	struct nfpchan *ch = (void *)&ch, *flows;
	char text[256];

	is(nfpchan_card_open(&none, "99", text, sizeof(text)), -ENODEV, "no such card");
	ok(!none && strstr(text, "99"), "it is named: %s", text);
	is(nfpchan_open(&ch, card, "nope", NULL), -ENOENT, "no such channel");
	ok(!ch && strstr(nfpchan_card_error(card, text, sizeof(text)), "nope"), "%s", text);
	is(nfpchan_open(&ch, card, "a-name-that-is-as-long-as-32-chars", NULL), -EINVAL,
	   "a name too long");
	is(nfpchan_open(&ch, card, "echo-out", &o), -EINVAL, "a ring of 5000 bytes");
	is(nfpchan_open(&ch, card, "echo-out", &big.o), -E2BIG, "options that are not known");
	big.more = 0;
	is(nfpchan_open(&ch, card, "echo-out", &big.o), 0, "options of a newer caller, not used");
	nfpchan_close(ch);
	flows = chan_start("flows", 0);
	is(nfpchan_open(&ch, card, "flows", NULL), -EBUSY, "an exclusive channel twice");
	ok(strstr(nfpchan_card_error(card, text, sizeof(text)), "exclusive"), "%s", text);
	nfpchan_close(flows);
}

static void alarmed(int sig)
{
}

static void timeouts(struct nfpchan *rx)
{
	struct sigaction sa = { .sa_handler = alarmed };
	struct timespec soon = { .tv_nsec = 20 * MS };
	struct sigevent ev = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM };
	struct itimerspec its = { .it_value = soon };
	uint64_t t = now_ns();
	char buf[8];
	timer_t timer;

	errno = 4711;
	is(nfpchan_recv(rx, buf, sizeof(buf), 0), -EAGAIN, "an empty channel, timeout 0");
	is(nfpchan_wait(rx, 0), -EAGAIN, "wait, timeout 0");
	t = now_ns();
	is(nfpchan_recv(rx, buf, sizeof(buf), 30 * MS), -ETIMEDOUT, "timeout 30 ms");
	ok(now_ns() - t >= 30 * MS, "it lasts 30 ms");
	is(nfpchan_wait(rx, MS), -ETIMEDOUT, "wait, timeout 1 ms");
	is(errno, 4711, "errno is left alone");
	sigaction(SIGALRM, &sa, NULL);
	timer_create(CLOCK_MONOTONIC, &ev, &timer);
	timer_settime(timer, 0, &its, NULL);
	is(nfpchan_recv(rx, buf, sizeof(buf), NFPCHAN_FOREVER), -EINTR, "a signal handler ran");
	timer_delete(timer);
	is(nfpchan_send(rx, "x", 1, 0), -EBADF, "sending on a channel to the host");
}

static void messages(struct nfpchan *rx, struct nfpchan *tx)
{
	const void *data[3];
	char buf[2049] = { 0 };
	int i;

	is(nfpchan_recv(tx, buf, 1, 0), -EBADF, "receiving on a channel to the NFP");
	is(nfpchan_send(tx, buf, 2049, 0), -EMSGSIZE, "a byte more than the channel takes");
	ok(says(tx, "message of 2049 bytes, the channel takes at most 2048"), "value and limit");
	is(nfpchan_send(tx, buf, UINT32_MAX, 0), -EMSGSIZE, "all that 32 bits count");
	is(nfpchan_send(tx, buf, SIZE_MAX, 0), -EMSGSIZE, "and 64");
	is(nfpchan_send(tx, "hello", 5, LONG), 0, "send");
	is(nfpchan_wait(rx, LONG), 0, "wait for the answer");
	is(nfpchan_recv(rx, buf, 4, LONG), -EMSGSIZE, "into a buffer too small");
	ok(says(rx, "message of 5 bytes, the buffer has 4"), "value and limit");
	is(nfpchan_recv(rx, buf, 5, 0), 5, "the message was kept");
	ok(!memcmp(buf, "hello", 5), "whole");
	is(nfpchan_send(tx, NULL, 0, LONG), 0, "a message of 0 bytes");
	is(nfpchan_recv(rx, NULL, 0, LONG), 0, "is received");

	for (i = 0; i < 3; i++)
		nfpchan_send(tx, &"abc"[i], 1, LONG);
	for (i = 0; i < 3; i++)
		is(nfpchan_borrow(rx, &data[i], LONG), 1, "borrow");
	ok(*(char *)data[0] == 'a' && *(char *)data[1] == 'b' && *(char *)data[2] == 'c',
	   "three at a time, in order");
	is(nfpchan_recv(rx, buf, 1, 0), -EBUSY, "receive while borrowed");
	is(nfpchan_release(rx, 4), -EINVAL, "give back four");
	is(nfpchan_release(rx, 1), 0, "one");
	is(nfpchan_release(rx, 2), 0, "two");
	is(nfpchan_borrow(rx, data, 0), -EAGAIN, "nothing is left");
}

static void rendezvous(void)
{
	struct nfpchan *tx = chan_start("rv-in", -1), *rx;
	char buf[256];

	/* The process takes one message, then sleeps in its own send until that is received */
	is(nfpchan_send(tx, "1", 1, LONG), 0, "rendezvous: taken");
	is(nfpchan_send(tx, "2", 1, 20 * MS), -ETIMEDOUT, "not taken in 20 ms");
	is(nfpchan_send(tx, "3", 1, 0), -EAGAIN, "not taken at once");
	rx = chan_start("rv-out", 0);
	is(nfpchan_recv(rx, buf, sizeof(buf), LONG), 1, "the process goes on");
	is(nfpchan_send(tx, "4", 1, LONG), 0, "taken again");
	is(nfpchan_recv(rx, buf, sizeof(buf), LONG), 1, "next message");
	ok(buf[0] == '4', "messages whose send failed were never delivered");
	is(nfpchan_recv(rx, buf, sizeof(buf), 20 * MS), -ETIMEDOUT, "nothing else was delivered");
	nfpchan_close(rx);
	nfpchan_close(tx);
}

static void draining(struct nfpchan *rx)
{
	struct nfpchan *tx = chan_start("echo-in", -1);
	int efd = eventfd(0, EFD_NONBLOCK), i;
	char buf[64];

	is(nfpchan_drain(rx, 0), -EBADF, "drain of a channel to the host");
	is(nfpchan_drain(tx, 0), 0, "drain with nothing sent");
	/* Fill both rings and the process */
	for (i = 0; !nfpchan_send(tx, buf, sizeof(buf), 20 * MS);)
		i++;
	is(nfpchan_drain(tx, 20 * MS), -ETIMEDOUT, "drain of a full channel");
	is(nfpchan_eventfd(tx, efd), 0, "bind an eventfd");
	is(nfpchan_drain(tx, LONG), -EBUSY, "drain while it is bound");
	is(nfpchan_eventfd(tx, -1), 0, "unbind");
	for (; i; i--)
		if (nfpchan_recv(rx, buf, sizeof(buf), LONG) != sizeof(buf))
			break;
	is(i, 0, "all messages come back");
	is(nfpchan_drain(tx, LONG), 0, "drain");
	nfpchan_close(tx);
	close(efd);
}

static void events(struct nfpchan *rx, struct nfpchan *tx)
{
	int efd = eventfd(0, EFD_NONBLOCK);
	struct pollfd pfd = { .fd = efd, .events = POLLIN };
	eventfd_t n;
	char buf[8];

	is(nfpchan_eventfd(rx, 0), -EBADF, "bind what is no eventfd");
	is(nfpchan_eventfd(rx, efd), 0, "bind an eventfd");
	is(nfpchan_arm(rx), 0, "armed");
	eventfd_read(efd, &n);	/* messages that came before the binding */
	nfpchan_send(tx, "x", 1, LONG);
	is(poll(&pfd, 1, slowly(5000)), 1, "the eventfd is signalled");
	is(nfpchan_arm(rx), 1, "there is a message");
	is(nfpchan_recv(rx, buf, sizeof(buf), 0), 1, "receive it");
	is(nfpchan_eventfd(rx, -1), 0, "unbind");
	close(efd);
}

/* Kill the process at any system call but clock_gettime(). */
static void forbid_calls(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clock_gettime, 1, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	};
	struct sock_fprog prog = { sizeof(code) / sizeof(code[0]), code };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog))
		die("seccomp");
}

/*
 * In a child process, as a system call kills it. The handles spin for long enough that no call
 * sleeps.
 */
static void no_system_calls(void)
{
	char buf[100] = { 0 };
	int i, status;
	pid_t pid;

	pid = fork();
	if (!pid) {
		struct nfpchan *rx = chan_start("echo-out", 10000000);
		struct nfpchan *tx = chan_start("echo-in", 10000000);

		forbid_calls();
		for (i = 0; i < 2000; i++)
			if (nfpchan_send(tx, buf, sizeof(buf), LONG) ||
			    nfpchan_recv(rx, buf, sizeof(buf), LONG) != sizeof(buf))
				_exit(1);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	is(status, 0, "2000 messages each way without a system call");
}

/* ---- threads ---- */

#define THREADS		3
#define PER_THREAD	400

static struct nfpchan *shared_rx, *shared_tx;
static unsigned char seen[THREADS][PER_THREAD];
static int wrong;

static void *sender(void *arg)
{
	unsigned int msg[2] = { (unsigned int)(long)arg, 0 };

	for (; msg[1] < PER_THREAD; msg[1]++)
		if (nfpchan_send(shared_tx, msg, sizeof(msg), LONG))
			__atomic_add_fetch(&wrong, 1, __ATOMIC_RELAXED);
	return NULL;
}

static void *receiver(void *arg)
{
	int next[THREADS] = { 0 };
	unsigned int msg[2];
	int i;

	for (i = 0; i < PER_THREAD; i++) {
		if (nfpchan_recv(shared_rx, msg, sizeof(msg), LONG) != sizeof(msg) ||
		    msg[0] >= THREADS || msg[1] >= PER_THREAD || (int)msg[1] < next[msg[0]] ||
		    __atomic_add_fetch(&seen[msg[0]][msg[1]], 1, __ATOMIC_RELAXED) != 1) {
			__atomic_add_fetch(&wrong, 1, __ATOMIC_RELAXED);
			return NULL;
		}
		next[msg[0]] = (int)msg[1] + 1;
	}
	return NULL;
}

static void threads(struct nfpchan *rx, struct nfpchan *tx)
{
	pthread_t t[2 * THREADS];
	long i;

	shared_rx = rx;
	shared_tx = tx;
	for (i = 0; i < THREADS; i++) {
		pthread_create(&t[i], NULL, sender, (void *)i);
		pthread_create(&t[THREADS + i], NULL, receiver, NULL);
	}
	for (i = 0; i < 2 * THREADS; i++)
		pthread_join(t[i], NULL);
	is(wrong, 0, "3 threads send on a handle, 3 receive on another: each message once");
}

static void statistics(struct nfpchan *rx)
{
	struct nfpchan_stats st = { .size = sizeof(st) };
	size_t small = sizeof(size_t) - 1;

	is(nfpchan_stats(rx, &st), 0, "stats");
	ok(st.msgs > THREADS * PER_THREAD && st.sleeps && st.arms && st.doorbells &&
	   st.doorbells < st.msgs && !st.borrowed,
	   "%llu messages, %llu doorbells, %llu sleeps", (unsigned long long)st.msgs,
	   (unsigned long long)st.doorbells, (unsigned long long)st.sleeps);
	st = (struct nfpchan_stats){ .size = small };
	is(nfpchan_stats(rx, &st), -EINVAL, "stats of no size");
}

/* ---- the card is removed ---- */

static void *sleeper(void *arg)
{
	char buf[2048];

	return (void *)(long)nfpchan_recv(arg, buf, sizeof(buf), NFPCHAN_FOREVER);
}

static void gone(struct nfpchan *rx, struct nfpchan *tx)
{
	struct nfp_chan_info info;
	struct nfpchan *ch;
	pthread_t t;
	void *ret;
	char c;

	nfpchan_card_info(card, &info);
	pthread_create(&t, NULL, sleeper, rx);
	nfpchan_send(tx, "x", 1, LONG);
	pthread_join(t, &ret);
	is((long)ret, 1, "a sleeper gets a message");
	pthread_create(&t, NULL, sleeper, rx);
	file_put("/sys/bus/pci/drivers/nfp/unbind", info.pci);
	pthread_join(t, &ret);
	is((long)ret, -ENODEV, "a sleeper is woken when the card goes");
	is(nfpchan_recv(rx, &c, 1, LONG), -ENODEV, "receive after that");
	is(nfpchan_send(tx, &c, 1, LONG), -ENODEV, "send after that");
	ok(says(tx, "the card is gone"), "it is said");
	is(nfpchan_arm(rx), -ENODEV, "arm after that");
	is(nfpchan_open(&ch, card, "echo-in", NULL), -ENODEV, "open after that");
}

int main(void)
{
	struct nfpchan *rx, *tx;
	char text[256];

	if (nfpchan_card_open(&card, NULL, text, sizeof(text)))
		die(text);
	opening();
	rx = chan_start("echo-out", 0);
	tx = chan_start("echo-in", 0);
	timeouts(rx);
	messages(rx, tx);
	rendezvous();
	draining(rx);
	events(rx, tx);
	threads(rx, tx);
	statistics(rx);
	nfpchan_close(rx);
	no_system_calls();
	rx = chan_start("echo-out", -1);
	gone(rx, tx);
	nfpchan_close(tx);
	nfpchan_close(rx);
	nfpchan_card_close(card);
	return tap_done();
}
