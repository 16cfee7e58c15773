// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * exec.c - run a program in a process: its threads, files and memory, and for each thread a timer
 * that interrupts calls that wait.
 *
 * A program unmaps and closes only what programs have mapped and opened: each mapping has its own
 * window of addresses, files are addressed by slots, and threads do not allocate memory. Two
 * threads may use the same slot or mapping.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "fuzz.h"

#define TICK_NS		10000000	/* interval at which calls that wait are interrupted */
#define CHILD_US	30000		/* time after which a child is killed */
#define BUF		8192

struct map maps[MAPS];
int socks[2];

static const struct prog *prog;
static int files[SLOTS];
static uint8_t tags[SLOTS];	/* TAG_* */
static uint8_t *edge;		/* two pages, followed by a page without access */
static uint8_t *rdonly;		/* two pages */
static pthread_barrier_t start;
static bool child;
static unsigned int changing, changed;	/* changes of what an fd refers to: begun, done */

static __thread int me;
static __thread uint8_t buf[2 * BUF];
static __thread sigjmp_buf back;
static __thread volatile sig_atomic_t touching;
static __thread unsigned int calm;

/* Say whether this is a forked child, which shares memory and rings with its parent. */
bool in_child(void)
{
	return child;
}

long result(long ret)
{
	return ret < 0 ? -errno : ret;
}

/* ---- files ---- */

static const struct slot_range *range_of(unsigned int at)
{
	unsigned int kind = CARD;

	while (at >= slots_of[kind].first + slots_of[kind].count)
		kind++;
	return &slots_of[kind];
}

/* Return a file that has @tag: the one in slot @n, or the next of the same kind; or -1. */
int slot_find(unsigned int n, uint8_t tag)
{
	const struct slot_range *r = range_of(n % SLOTS);
	unsigned int i, at;
	int fd;

	for (i = 0; i < r->count; i++) {
		at = r->first + (n % SLOTS - r->first + i) % r->count;
		fd = __atomic_load_n(&files[at], __ATOMIC_RELAXED);
		if (fd >= 0 && (slot_tag(at) & tag) == tag)
			return fd;
	}
	return -1;
}

/*
 * Return a file with @tag in 15 of 16 cases, so that most calls reach a file that knows them, else
 * the file in slot @n.
 */
int slot_like(unsigned int n, uint8_t tag)
{
	int fd = -1;

	if (n / SLOTS % 16 == 15)
		return __atomic_load_n(&files[n % SLOTS], __ATOMIC_RELAXED);
	if (tag)
		fd = slot_find(n, tag);
	return fd >= 0 ? fd : slot_find(n, 0);
}

int slot(unsigned int n)
{
	return slot_like(n, 0);
}

/* Return the tag of slot @n. Its file may just have been replaced. */
uint8_t slot_tag(unsigned int n)
{
	return __atomic_load_n(&tags[n % SLOTS], __ATOMIC_RELAXED);
}

/* Say whether every fd has referred to the same file since this thread's call began. */
bool files_calm(void)
{
	return __atomic_load_n(&changed, __ATOMIC_SEQ_CST) == calm &&
	       __atomic_load_n(&changing, __ATOMIC_SEQ_CST) == calm;
}

static void change_begin(void)
{
	__atomic_fetch_add(&changing, 1, __ATOMIC_SEQ_CST);
}

static void change_end(void)
{
	__atomic_fetch_add(&changed, 1, __ATOMIC_SEQ_CST);
}

/* Put @fd (may be -1) into slot @n, and close the file that was there. */
long slot_put_tagged(unsigned int n, int fd, uint8_t tag)
{
	int old = __atomic_exchange_n(&files[n % SLOTS], fd, __ATOMIC_RELAXED);
	long ret;

	__atomic_store_n(&tags[n % SLOTS], tag, __ATOMIC_RELAXED);
	if (old < 0)
		return 0;
	change_begin();
	ret = result(close(old));
	change_end();
	return ret;
}

/* Make the number @to refer to the file @from, whatever it referred to. */
long file_over(int from, int to)
{
	long ret;

	change_begin();
	ret = result(dup3(from, to, O_CLOEXEC));
	change_end();
	return ret;
}

long slot_put(unsigned int n, int fd)
{
	return slot_put_tagged(n, fd, 0);
}

/* ---- memory ---- */

/*
 * Return an address with @data for a call, chosen by @how: usually a proper buffer, but also the
 * end of a page, an address that is partly or not accessible, read-only memory, or a mapping of a
 * channel.
 */
void *place(const void *data, size_t len, uint32_t how)
{
	uint8_t *to = buf;

	switch (how % 64) {
	case 0:
		to = edge + 2 * PAGE - len;
		break;
	case 1:
		to = edge + 2 * PAGE - (how >> 8) % (len + 1);
		memcpy(to, data, edge + 2 * PAGE - to);
		return to;
	case 2:
		return NULL;
	case 3:
		return rdonly;
	case 4:
		return (void *)-4096l;
	case 5:
		return maps[(how >> 8) % MAPS].base + ((how >> 12) % 16) * PAGE;
	case 6:
		to = buf + (how >> 8) % 8;
		break;
	}
	memcpy(to, data, len);
	return to;
}

static void on_fault(int sig)
{
	if (touching)
		siglongjmp(back, sig);
	_exit(128 + sig);
}

/* Call @access; return false if an access faulted. */
bool touch(void (*access)(void *arg), void *arg)
{
	if (sigsetjmp(back, 1)) {
		touching = 0;
		return false;
	}
	touching = 1;
	access(arg);
	touching = 0;
	return true;
}

static void memory_init(void)
{
	uint8_t *p = mmap(NULL, MAPS * WINDOW, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int i;

	edge = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	rdonly = mmap(NULL, 2 * PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED || edge == MAP_FAILED || rdonly == MAP_FAILED ||
	    mprotect(edge + 2 * PAGE, PAGE, PROT_NONE))
		_exit(1);
	for (i = 0; i < MAPS; i++)
		maps[i].base = p + i * WINDOW;
}

/* ---- processes and threads ---- */

static void on_tick(int sig)
{
	(void)sig;
}

static void signals_init(void)
{
	struct sigaction tick = { .sa_handler = on_tick };
	struct sigaction fault = { .sa_handler = on_fault, .sa_flags = SA_NODEFER };

	sigaction(SIGUSR1, &tick, NULL);
	/* Signals that O_ASYNC may send */
	sigaction(SIGIO, &tick, NULL);
	sigaction(SIGUSR2, &tick, NULL);
	sigaction(SIGRTMIN, &tick, NULL);
	sigaction(SIGPIPE, &tick, NULL);
	sigaction(SIGSEGV, &fault, NULL);
	sigaction(SIGBUS, &fault, NULL);
}

static void become(const struct prog *p)
{
	static const rlim_t lock[] = {
		RLIM_INFINITY, 65536, 1 << 20, 8 << 20, RLIM_INFINITY, 16 << 20, 4 << 20, 2 << 20,
	};
	struct rlimit r = { lock[p->lock % 8], lock[p->lock % 8] };

	setrlimit(RLIMIT_MEMLOCK, &r);
	if (p->user && (setresuid(setup.tester, setup.tester, setup.tester)))
		_exit(1);
}

static void tick_start(void)
{
	struct itimerspec every = { { 0, TICK_NS }, { 0, TICK_NS } };
	struct sigevent ev = {
		.sigev_notify = SIGEV_THREAD_ID,
		.sigev_signo = SIGUSR1,
	};
	timer_t t;

	ev._sigev_un._tid = gettid();
	if (timer_create(CLOCK_MONOTONIC, &ev, &t) || timer_settime(t, 0, &every, NULL))
		_exit(1);
}

static void call_run(const struct call *c)
{
	uint64_t then = now_ns();
	long ret;

	calm = __atomic_load_n(&changing, __ATOMIC_SEQ_CST);
	ret = ops[c->op % op_count].run(c);
	cover_call(c, ret, now_ns() - then);
	answer_any(c, ret);
}

static void *thread_run(void *arg)
{
	unsigned int i;

	me = (intptr_t)arg;
	tick_start();
	pthread_barrier_wait(&start);
	for (i = 0; i < prog->n; i++)
		if (prog->call[i].thread % THREADS == me)
			call_run(&prog->call[i]);
	return NULL;
}

/* Start a thread. KCOV is per thread; the main thread gives up privileges for all of them. */
static void *thread_start(void *arg)
{
	cover_thread();
	pthread_barrier_wait(&start);
	return thread_run(arg);
}

/* Fork a child that shares all files and mappings; it makes some calls, and is killed. */
long run_child(const struct call *c)
{
	struct itimerval end = { .it_value.tv_usec = CHILD_US };
	unsigned int i;
	pid_t pid;

	if (child)
		return -ECHILD;
	pid = fork();
	if (pid)
		return result(pid);
	child = true;
	cover_child();
	setitimer(ITIMER_REAL, &end, NULL);
	for (i = 0; i < c->y % 32; i++)
		call_run(&prog->call[(c->x + i) % prog->n]);
	if (c->z % 4 == 0)
		pause();
	_exit(0);
}

static unsigned int threads_of(const struct prog *p)
{
	unsigned int i, last = 0;

	for (i = 0; i < p->n; i++)
		if (p->call[i].thread % THREADS > last)
			last = p->call[i].thread % THREADS;
	return last + 1;
}

void exec_prog(const struct prog *p)
{
	intptr_t threads = threads_of(p), i;
	pthread_t thread[THREADS];
	pthread_attr_t attr;

	prog = p;
	memset(files, -1, sizeof(files));
	memory_init();
	signals_init();
	files[0] = open("/dev/nfp_chan0", O_RDWR | O_CLOEXEC);
	if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, socks))
		_exit(1);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 256 << 10);
	pthread_barrier_init(&start, NULL, threads);
	for (i = 1; i < threads; i++)
		if (pthread_create(&thread[i], &attr, thread_start, (void *)i))
			_exit(1);
	cover_thread();
	pthread_barrier_wait(&start);
	become(p);
	thread_run(0);
	for (i = 1; i < threads; i++)
		pthread_join(thread[i], NULL);
	while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
		;
	_exit(0);
}
