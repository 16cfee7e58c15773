// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * chan_idle.c - the cost of a message to a receiver that sleeps before each message: its
 * system calls, counted by ptrace, and the interrupts of its pipe.
 */
#define _GNU_SOURCE
#include <sys/ptrace.h>
#include "chan_test.h"

#define MANY	100

/* Receive MANY messages. All system calls after the stop belong to the receives. */
static void run_receiver(void *arg)
{
	struct nfpchan *ch = chan_start("echo-out", (intptr_t)arg);
	uint32_t seq;

	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
		die("ptrace");
	raise(SIGSTOP);
	for (seq = 1; seq <= MANY; seq++)
		if (!stamp_is(stamp_recv(ch), 1, seq))
			_exit(1);
	_exit(0);
}

/* Let @pid run to its next stop, at the entry or exit of a system call. False if @pid has ended. */
static bool step(pid_t pid, int *status)
{
	if (ptrace(PTRACE_SYSCALL, pid, NULL, NULL))
		die("ptrace");
	*status = reap(pid);
	return WIFSTOPPED(*status);
}

/* @pid is stopped before ppoll(). Let @pid sleep in ppoll(), then send a message to wake it. */
static bool wake(pid_t pid, struct nfpchan *tx, uint32_t seq, int *status)
{
	if (ptrace(PTRACE_SYSCALL, pid, NULL, NULL))
		die("ptrace");
	if (!UNTIL(sleeping_in(pid) == SYS_ppoll))
		give_up("receiver", "not asleep");
	if (stamp_send(tx, 64, 1, seq, WAIT_NS))
		give_up("echo-in", "not sent");
	*status = reap(pid);
	return WIFSTOPPED(*status);
}

/* Return the number of the system call that @pid is about to enter. */
static long call_of(pid_t pid)
{
	struct __ptrace_syscall_info info;

	if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof(info), &info) <= 0 ||
	    info.op != PTRACE_SYSCALL_INFO_ENTRY)
		give_up("receiver", "not at a system call");
	return (long)info.entry.nr;
}

/* Send MANY messages, each when the receiver sleeps; return its number of system calls. */
static unsigned int trace(pid_t pid, struct nfpchan *tx)
{
	unsigned int calls = 0;
	uint32_t seq = 0;
	int status = reap(pid);

	/* Mark stops at system calls, so that they differ from stops by signals. */
	if (ptrace(PTRACE_SETOPTIONS, pid, NULL, PTRACE_O_TRACESYSGOOD))
		die("ptrace");
	while (step(pid, &status)) {
		if (call_of(pid) == SYS_exit_group) {
			if (step(pid, &status))
				give_up("receiver", "did not end");
			break;
		}
		calls++;
		if (call_of(pid) == SYS_ppoll ? !wake(pid, tx, ++seq, &status) :
		    !step(pid, &status))
			break;
	}
	is(status, 0, "the receiver has received all messages");
	is(seq, MANY, "the receiver slept before each message");
	return calls;
}

static void idle(const char *what, intptr_t spin)
{
	struct nfp_chan_query before = counters("echo-out");
	struct in_use used = in_use();
	struct nfpchan *tx = chan_start("echo-in", SPIN_LONG);
	pid_t pid = spawn(run_receiver, (void *)spin);
	unsigned int calls = trace(pid, tx);
	uint64_t irqs = counters("echo-out").irqs - before.irqs;

	ok(calls <= 2 * MANY, "%s: at most two system calls for each message", what);
	ok(irqs <= MANY, "%s: at most one interrupt for each message", what);
	printf("# idle_syscalls_per_msg %g\n", (double)calls / MANY);
	printf("# idle_irqs_per_msg %g\n", (double)irqs / MANY);
	nfpchan_close(tx);
	nothing_left(&used, "after that");
}

int main(void)
{
	card_start();
	idle("no spinning", NO_SPIN);
	idle("spins first", 0);
	return tap_done();
}
