// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * job.c - run several programs at once, each in its own process. From time to time wait for all
 * of them, and check that they have left nothing.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

#include "calls.h"
#include "node.h"
#include "job.h"
#include "left.h"
#include "witness.h"

#define HUNG_S		slowly(300)	/* seconds after which a program counts as hung */
#define CHECK_EVERY	32	/* programs between two checks */

struct job_opt job_opt;

/**
 * struct job - a place for a program
 * @pid: its process, or 0
 * @start: time in seconds when it began
 * @prog: the program
 */
struct job {
	pid_t pid;
	time_t start;
	struct prog prog;
};

static struct job jobs[JOBS];

static struct {
	uint64_t progs, crashed, detached;
} sum;

/* Become the parent of programs' orphaned children, so that waitpid() reports them as well. */
void jobs_init(void)
{
	signal_block(SIGCHLD);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
}

void jobs_print(void)
{
	printf("# %" PRIu64 " programs, %" PRIu64 " ended by a memory fault of their own, %" PRIu64 " detached\n",
	       sum.progs, sum.crashed, sum.detached);
}

static void trace(const struct job *j)
{
	char path[256];
	FILE *f;

	if (!job_opt.trace)
		return;
	snprintf(path, sizeof(path), "%s.%u", job_opt.trace, (unsigned int)(j - jobs));
	f = fopen(path, "w");
	if (!f)
		return;
	setvbuf(f, NULL, _IOFBF, 65536);
	prog_print(&j->prog, f);
	fclose(f);
}

/* Unbind and bind nfp while programs run. */
static void detach(void)
{
	file_put("/sys/bus/pci/drivers/nfp/unbind", left_pci());
	file_put("/sys/bus/pci/drivers/nfp/bind", left_pci());
	node_wait();
	offload_again();
	sum.detached++;
}

static void start(struct job *j)
{
	trace(j);
	fflush(stdout);
	j->start = time(NULL);
	j->pid = fork();
	if (j->pid < 0)
		die("fork");
	if (!j->pid) {
		setsid();
		cover_job(j - jobs);
		exec_prog(&j->prog);
	}
	sum.progs++;
	witness_turn();
	if (job_opt.detach && sum.progs % job_opt.detach == 0)
		detach();
}

static struct job *job_of(pid_t pid)
{
	unsigned int i;

	for (i = 0; i < job_opt.jobs; i++)
		if (jobs[i].pid == pid)
			return &jobs[i];
	return NULL;
}

/* Print the kernel stack of each thread of @pid. */
static void stacks(pid_t pid)
{
	char cmd[96];

	snprintf(cmd, sizeof(cmd), "grep -H . /proc/%d/task/*/stack | sed 's/^/# /'", pid);
	if (system(cmd))
		printf("# no stacks of process %d\n", pid);
}

/* Return a job that has run for too long, or NULL. */
static struct job *hung(void)
{
	time_t now = time(NULL);
	unsigned int i;

	for (i = 0; i < job_opt.jobs; i++)
		if (jobs[i].pid && now - jobs[i].start > HUNG_S)
			return &jobs[i];
	return NULL;
}

/* Wait for a child; return its pid, 0 if none is left, or -1 if a program hangs. */
static pid_t reap(int *status)
{
	struct timespec wait = { .tv_sec = 10 };
	sigset_t chld = signal_block(SIGCHLD);
	struct job *j;
	pid_t pid;

	for (;;) {
		pid = waitpid(-1, status, WNOHANG);
		if (pid)
			return pid < 0 ? 0 : pid;
		if (sigtimedwait(&chld, NULL, &wait) >= 0 || errno != EAGAIN)
			continue;
		j = hung();
		if (!j)
			continue;
		printf("# a program does not end within %d s:\n", HUNG_S);
		prog_print(&j->prog, stdout);
		stacks(j->pid);
		kill(-j->pid, SIGKILL);
		return -1;
	}
}

/**
 * jobs_run() - run programs
 * @next: gives the next program; returns false if there is none
 * @news: called for each program that has reached new coverage
 *
 * Return: true when all programs have ended, nothing is left of them, and the witnesses'
 * streams are whole.
 */
bool jobs_run(bool (*next)(struct prog *p), void (*news)(const struct prog *p))
{
	unsigned int since = 0;
	bool more = true;
	struct job *j;
	int status;
	pid_t pid;

	for (;;) {
		if (more && !since && !witness_go())
			return false;
		while (more && since < CHECK_EVERY && (j = job_of(0))) {
			more = next(&j->prog);
			if (more)
				start(j);
			since += more;
		}
		pid = reap(&status);
		if (pid < 0)
			return false;
		if (!pid) {
			if (!witness_halt() || !left_nothing())
				return false;
			since = 0;
			if (!more)
				return true;
			continue;
		}
		j = job_of(pid);
		if (!j)
			continue;
		sum.crashed += WIFEXITED(status) && WEXITSTATUS(status) > 128;
		if (cover_news(j - jobs))
			news(&j->prog);
		j->pid = 0;
	}
}
