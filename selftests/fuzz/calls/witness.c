// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * witness.c - processes of another user (witnesses) that use their own channels while programs
 * run: none of their data may be lost or changed.
 *
 * Each witness has a stream to the card, and the stream that brings all of it back. Streams are
 * exclusive, so no program can open them. Each byte is determined by its position in the
 * stream, so a byte that is lost, doubled, changed or not the witness's is noticed. Some data is
 * always under way.
 *
 * A witness acts when a turn begins, with each program that begins, so its activity does not
 * depend on the kernel's speed. While no programs run (witness_go(), witness_halt()) nothing may
 * fail. While programs run, nfp may be unbound, and after that a program may be the first to open
 * the witness's channels or all pipes.
 */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#include "calls.h"
#include "fuzz.h"
#include "witness.h"

#define NOBODY	65534
#define LIMIT_S	slowly(300)	/* seconds after which a turn counts as hung */
#define BURSTS	4	/* bursts of a turn */
#define BURST	8192	/* largest number of bytes of a burst */
#define MARK	64	/* bytes of the mark, which is the first data of each stream */

enum want { REST, GO, LEAVE };

/**
 * struct witness - a witness
 * @in: its channel to the NFP
 * @out: its channel to the host
 * @elem: size of an element
 * @pid: its process
 * @done: the last turn that it has completed
 * @opens: opens of its channels
 * @bursts: bursts compared
 * @before: bursts compared before programs began
 * @beside: bursts compared while programs ran
 * @bytes: bytes compared
 * @fault: what went wrong, or empty
 */
struct witness {
	const char *in;
	const char *out;
	size_t elem;
	pid_t pid;
	atomic_uint done;
	atomic_uint opens;
	atomic_ulong bursts;
	unsigned long before;
	unsigned long beside;
	atomic_ulong bytes;
	char fault[160];
};

static const struct witness kinds[] = {
	{ .in = "loop-in", .out = "loop-out", .elem = 1 },
	{ .in = "loop64-in", .out = "loop64-out", .elem = 64 },
};

#define WITNESSES (sizeof(kinds) / sizeof(kinds[0]))

/* Shared memory. @alone: no programs run. */
static struct {
	atomic_uint turn, ticks, want;
	atomic_bool alone;
	struct witness of[WITNESSES];
} *all;

/* ---- a witness ---- */

static struct witness *me;
static int in = -1, out = -1;
static uint64_t key, sent, got, chance;
static uint8_t buf[BURST + MARK];

static void wake(atomic_uint *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE, WITNESSES, NULL, NULL, 0);
}

static void __attribute__((noreturn, format(printf, 1, 2))) fault(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(me->fault, sizeof(me->fault), fmt, ap);
	va_end(ap);
	atomic_fetch_add(&all->ticks, 1);
	wake(&all->ticks);
	_exit(1);
}

static void on_alarm(int sig)
{
	(void)sig;
	fault("%s: %lu of %lu bytes came back within %d s", me->out, (long)got, (long)sent,
	      LIMIT_S);
}

/* Generate the bytes at a position of this stream. */
static void fill(uint8_t *to, size_t len, uint64_t pos)
{
	uint64_t word = 0, state;
	size_t i;

	for (i = 0; i < len; i++, pos++) {
		if (!i || pos % 8 == 0) {
			state = key + pos / 8;
			word = random_mix(&state);
		}
		to[i] = word >> pos % 8 * 8;
	}
}

static int send_some(size_t len)
{
	size_t done = 0;
	ssize_t n;

	fill(buf, len, sent);
	while (done < len) {
		n = write(in, buf + done, len - done);
		if (n < 0)
			return -errno;
		done += n;
	}
	sent += len;
	return 0;
}

static int recv_all(void)
{
	uint8_t due[BURST];
	ssize_t n, i;

	while (got < sent) {
		n = read(out, buf, sent - got < BURST ? sent - got : BURST);
		if (n < 0)
			return -errno;
		fill(due, n, got);
		for (i = 0; i < n && buf[i] == due[i]; i++)
			;
		if (i < n)
			fault("%s: byte %lu is %02x, must be %02x", me->out, (long)(got + i),
			      buf[i], due[i]);
		got += n;
		me->bytes += n;
	}
	me->bursts++;
	return 0;
}

/* Begin a stream: send a mark, and skip what was left in the card until the mark comes. */
static int begin(void)
{
	uint8_t mark[MARK];
	size_t have = 0;
	ssize_t n;
	int err;

	key = random_mix(&chance);
	sent = 0;
	err = send_some(MARK);
	if (err)
		return err;
	fill(mark, MARK, 0);
	while (have < MARK || memcmp(buf, mark, MARK)) {
		n = read(out, buf + have, BURST);
		if (n < 0)
			return -errno;
		have += n;
		if (have > MARK) {
			memmove(buf, buf + have - MARK, MARK);
			have = MARK;
		}
	}
	got = MARK;
	return 0;
}

static int send_burst(void)
{
	return send_some((1 + random_mix(&chance) % (BURST / me->elem)) * me->elem);
}

static void leave(void)
{
	close(in);
	close(out);
	in = -1;
	out = -1;
}

static int come(void)
{
	int card = open("/dev/nfp_chan0", O_RDWR | O_CLOEXEC), err;

	if (card < 0)
		return -errno;
	in = chan_open(card, me->in, 0, 0);
	out = in < 0 ? in : chan_open(card, me->out, 0, 0);
	err = -errno;
	close(card);
	if (out < 0)
		return err;
	me->opens++;
	return begin() ?: send_burst();
}

/* Do a turn. With @want REST receive all that is under way, and check that no more comes. */
static int turn(unsigned int want)
{
	int err = 0, i;

	if (want == REST && out < 0)
		return 0;
	if (out < 0)
		err = come();
	for (i = 0; !err && i < (want == REST ? 1 : BURSTS); i++)
		err = recv_all() ?: want == REST ? 0 : send_burst();
	if (!err && want == REST && events_of(out, POLLIN, 0) == POLLIN)
		fault("%s: more comes back than was sent", me->out);
	return err;
}

/* Say whether @err is allowed: programs make nfp go away, and may take the channels after that. */
static bool may_fail(int err, bool opened)
{
	if (all->alone)
		return false;
	if (err == -ENODEV)
		return true;
	return !opened && (err == -ENOENT || err == -ENXIO || err == -EACCES ||
			   err == -EBUSY || err == -ENOSPC || err == -ETIMEDOUT);
}

static void __attribute__((noreturn)) run(void)
{
	unsigned int now, want;
	int err;

	for (;;) {
		now = all->turn;
		want = all->want;
		if (want == LEAVE)
			_exit(0);
		alarm(LIMIT_S);
		err = turn(want);
		alarm(0);
		if (err && !may_fail(err, out >= 0))
			fault("%s, opened %u times: %s", me->out, me->opens, strerror(-err));
		if (err || want == REST)
			leave();
		me->done = now;
		atomic_fetch_add(&all->ticks, 1);
		wake(&all->ticks);
		syscall(SYS_futex, &all->turn, FUTEX_WAIT, now, NULL, NULL, 0);
	}
}

static void born(struct witness *w)
{
	gid_t gid = getgid();

	me = w;
	chance = (uint64_t)getpid() << 32 ^ time(NULL);
	if (setresgid(gid, gid, gid) || setresuid(NOBODY, NOBODY, NOBODY) ||
	    prctl(PR_SET_PDEATHSIG, SIGKILL))
		fault("user %u: %s", NOBODY, strerror(errno));
	signal(SIGALRM, on_alarm);
	run();
}

/* ---- for the process that runs programs ---- */

static struct witness *failed(void)
{
	unsigned int i;

	for (i = 0; i < WITNESSES; i++)
		if (all->of[i].fault[0])
			return &all->of[i];
	return NULL;
}

static void next_turn(unsigned int want)
{
	all->want = want;
	atomic_fetch_add(&all->turn, 1);
	wake(&all->turn);
}

static bool ended(struct witness *w)
{
	if (waitpid(w->pid, NULL, __WALL | WNOHANG) != w->pid)
		return false;
	if (!w->fault[0])
		snprintf(w->fault, sizeof(w->fault), "%s: ended before its time", w->out);
	return true;
}

/* Wait until all witnesses have completed the last turn; false if one has failed. */
static bool settled(void)
{
	struct timespec wait = { .tv_sec = 10 };
	time_t end = time(NULL) + 2 * LIMIT_S;
	unsigned int i, tick;
	struct witness *w;

	for (i = 0; i < WITNESSES; i++) {
		w = &all->of[i];
		while (tick = all->ticks, !failed() && w->done != all->turn) {
			syscall(SYS_futex, &all->ticks, FUTEX_WAIT, tick, &wait, NULL, 0);
			if (!ended(w) && time(NULL) > end)
				snprintf(w->fault, sizeof(w->fault), "%s: hangs in the kernel",
					 w->out);
		}
	}
	return !failed();
}

/* Start the witnesses, before any program. */
void witness_start(void)
{
	unsigned int i;
	pid_t pid;

	all = mmap(NULL, sizeof(*all), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (all == MAP_FAILED)
		die("mmap");
	memcpy(all->of, kinds, sizeof(kinds));
	fflush(stdout);
	for (i = 0; i < WITNESSES; i++) {
		/* Without an exit signal: the wait for programs does not report these children. */
		pid = syscall(SYS_clone, 0, NULL, NULL, NULL, 0);
		if (pid < 0)
			die("clone");
		if (!pid)
			born(&all->of[i]);
		all->of[i].pid = pid;
	}
}

/* Begin a turn while no programs run: all witnesses must get their channels and their data. */
bool witness_go(void)
{
	unsigned int i;
	bool good;

	all->alone = true;
	next_turn(GO);
	good = settled();
	all->alone = false;
	for (i = 0; i < WITNESSES; i++)
		all->of[i].before = all->of[i].bursts;
	return good;
}

/* Begin a turn because a program begins. */
void witness_turn(void)
{
	next_turn(GO);
}

/* No programs run any more: have the witnesses receive all data, and close their channels. */
bool witness_halt(void)
{
	unsigned int i;
	bool good;

	next_turn(REST);
	good = settled();
	for (i = 0; i < WITNESSES; i++)
		all->of[i].beside += all->of[i].bursts - all->of[i].before;
	return good;
}

/* End the witnesses. Return true if none has failed, and each has compared data under programs. */
bool witness_stop(void)
{
	bool good = !failed() && witness_go() && witness_halt();
	struct witness *w;

	next_turn(LEAVE);
	for (w = all->of; w < all->of + WITNESSES; w++) {
		if (!w->fault[0])
			waitpid(w->pid, NULL, __WALL);
		printf("# witness %s: %lu bytes came back, %lu of %lu bursts while programs ran, opened %u times%s%s\n",
		       w->out, w->bytes, w->beside, w->bursts, w->opens, w->fault[0] ? "; " : "",
		       w->fault);
		good &= w->beside > 0;
	}
	return good;
}
