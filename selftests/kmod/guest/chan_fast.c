// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * chan_fast.c - no system call on the fast path. Sender and receiver run under a seccomp
 * filter that allows exit_group() only: any other system call kills the process.
 */
#define _GNU_SOURCE
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/resource.h>
#include "chan_test.h"

#define MANY	10000

static struct shared {
	atomic_uint ready;
	atomic_uint go;
	struct nfpchan_stats tx, rx;
	unsigned int bad;
} *sh;

static void no_system_calls(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	};
	struct sock_fprog prog = { .len = sizeof(code) / sizeof(code[0]), .filter = code };
	struct rlimit none = { 0, 0 };

	setrlimit(RLIMIT_CORE, &none);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog))
		die("seccomp");
}

/* Wait until sender and receiver have set up and have taken their first page faults. */
static void start_together(void)
{
	atomic_fetch_add(&sh->ready, 1);
	while (!sh->go)
		sched_yield();
	no_system_calls();
}

static void run_sender(void *arg)
{
	struct nfpchan *ch = chan_start("echo-in", (intptr_t)arg);
	uint32_t seq;

	sh->tx.size = sh->rx.size = sizeof(sh->tx);
	start_together();
	for (seq = 1; seq <= MANY; seq++)
		if (stamp_send(ch, 64, 1, seq, NFPCHAN_FOREVER))
			_exit(1);
	/* Messages that the card has not taken yet are dropped when the process exits: wait. */
	while (nfpchan_drain(ch, NFPCHAN_NONBLOCK) == -EAGAIN)
		;
	_exit(nfpchan_stats(ch, &sh->tx) != 0);
}

static void run_receiver(void *arg)
{
	struct nfpchan *ch = chan_start("echo-out", (intptr_t)arg);
	uint8_t buf[MSG_MAX];
	struct stamp s;
	uint32_t seq;
	ssize_t n;

	start_together();
	for (seq = 1; seq <= MANY; seq++) {
		n = nfpchan_recv(ch, buf, sizeof(buf), NFPCHAN_FOREVER);
		if (n < 0)
			_exit(1);
		sh->bad += !msg_whole(buf, n, &s) || s.seq != seq;
	}
	_exit(nfpchan_stats(ch, &sh->rx) != 0);
}

static void pair_start(pid_t *rx, pid_t *tx, intptr_t spin)
{
	memset(sh, 0, sizeof(*sh));
	*rx = spawn(run_receiver, (void *)spin);
	*tx = spawn(run_sender, (void *)spin);
	if (!UNTIL(sh->ready == 2))
		give_up("pair", "not ready");
}

static void keeps_up(void)
{
	struct nfp_chan_query in = counters("echo-in"), out = counters("echo-out");
	struct in_use used = in_use();
	uint64_t irqs;
	pid_t rx, tx;
	bool quiet;

	pair_start(&rx, &tx, SPIN_LONG);
	sh->go = 1;
	quiet = is(reap(tx), 0, "the sender of 10000 messages makes no system call");
	quiet &= is(reap(rx), 0, "their receiver makes no system call");
	is(sh->bad, 0, "all messages are whole and in order");
	is(sh->tx.msgs, MANY, "all messages are sent");
	is(sh->rx.msgs, MANY, "all messages are received");
	is(sh->tx.sleeps + sh->rx.sleeps, 0, "neither sender nor receiver slept");
	ok(sh->rx.doorbells < MANY / 4, "one doorbell gives back the room of many messages");
	printf("# %llu doorbells to send, %llu to give room back\n",
	       (unsigned long long)sh->tx.doorbells, (unsigned long long)sh->rx.doorbells);
	irqs = counters("echo-in").irqs - in.irqs + counters("echo-out").irqs - out.irqs;
	is(irqs, 0, "no interrupt was raised");
	if (quiet)
		printf("# saturated_syscalls_per_msg 0\n");
	printf("# saturated_irqs_per_msg %g\n", (double)irqs / MANY);
	nothing_left(&used, "after that");
}

/* Show that the filter catches: without spinning the receiver sleeps, by a system call. */
static void filter_works(void)
{
	struct in_use used = in_use();
	int status;
	pid_t rx, tx;

	pair_start(&rx, &tx, NO_SPIN);
	kill(tx, SIGKILL);
	reap(tx);
	sh->go = 1;
	status = reap(rx);
	ok(WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS,
	   "the filter kills a receiver that sleeps: the test can fail");
	nothing_left(&used, "after that");
}

int main(void)
{
	card_start();
	sh = shared_memory(sizeof(*sh));
	keeps_up();
	filter_works();
	return tap_done();
}
