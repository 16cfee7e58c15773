// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * storm_chan.c - several processes open and close channels at once, and processes that use
 * channels are killed in the middle of what they do, again and again, while traffic goes on.
 *
 * usage: storm_chan open|kill LOOPS
 */
#define _GNU_SOURCE
#include <glob.h>
#include "lib/storm.h"

/* ---- opens and closes ---- */

#define OPENERS	3
#define HELD	8	/* fds that an opener has open, at most */

/* Channels from which the traffic receives nothing */
static const char * const others[] = {
	"echo-in", "rv-in", "once", "load-ctl", "pour", "load-rv", "pit", "pit64", "source-ctl",
	"source", "sink", "flow-ctl", "xdp0", "xdp1", "xdp2", "xdp3",
};

#define OTHERS	(sizeof(others) / sizeof(others[0]))

static struct openers {
	atomic_ulong opened;
	atomic_ulong full;	/* opens that found no free pipe, or an exclusive channel in use */
	atomic_uint failed;
} *openers;

static void must(bool good, const char *what, const char *name)
{
	if (good)
		return;
	openers->failed = 1;
	printf("# %s %s: %s\n", what, name, strerror(errno));
	fflush(stdout);
	_exit(1);
}

/* Use a channel without sending anything to the card. */
static void use(int fd, const char *name, uint32_t random)
{
	struct nfp_chan_layout g = chan_geom(fd);
	int efd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	int prot = g.dir == NFP_CHAN_TO_NFP ? PROT_READ | PROT_WRITE : PROT_READ;
	size_t len = 2UL * g.ring_size;
	void *ring;

	must(efd >= 0, "eventfd for", name);
	if (random & 1) {
		must(!ioctl(fd, NFP_CHAN_IOC_EVENTFD, ARG(eventfd, .fd = efd)), "eventfd of", name);
	}
	if (random & 2) {
		ring = mmap(NULL, len, prot, MAP_SHARED, fd, g.ring_off);
		must(ring != MAP_FAILED, "map", name);
		(void)*(volatile char *)ring;
		/* A ring that stays mapped keeps its pipe after the close. */
		if (random & 4)
			must(!munmap(ring, len), "unmap", name);
		else if (random & 8)
			must(!munmap(ring, len / 2), "unmap half of", name);
	}
	close(efd);
}

static void opener(unsigned int seed)
{
	int dev = card_open(O_RDWR), fd[HELD], n = 0, i;
	uint32_t x = mix(seed);
	const char *name;

	for (;; x = mix(x + 0x9e3779b9)) {
		if (n == HELD || (n && x % 3 == 0)) {
			i = x / 3 % n;
			must(!close(fd[i]), "close", "a channel");
			fd[i] = fd[--n];
			/* Exit at times: the kernel then closes what is open. */
			if (x % 16 < 3)
				_exit(0);
			continue;
		}
		name = others[x / 7 % OTHERS];
		fd[n] = chan_open(dev, name, NFP_CHAN_OPEN_MAPPED | (x & 16 ? NFP_CHAN_OPEN_INLINE : 0),
				  x & 32 ? 65536 << x / 64 % 2 : 0);
		if (fd[n] >= 0) {
			use(fd[n++], name, x >> 8);
			openers->opened++;
		} else {
			must(errno == EBUSY || errno == ENOSPC || errno == EMSGSIZE, "open", name);
			openers->full++;
		}
	}
}

/* Run several openers at once, until each exits. */
static bool open_once(unsigned int loop)
{
	pid_t pid[OPENERS];
	bool good = true;
	unsigned int i;

	if (!openers)
		openers = shared_memory(sizeof(*openers));
	for (i = 0; i < OPENERS; i++) {
		pid[i] = fork_or_die();
		if (!pid[i])
			opener(loop * OPENERS + i);
	}
	for (i = 0; i < OPENERS; i++)
		good &= !reap(pid[i]);
	return good;
}

static void open_end(void)
{
	printf("# %lu opens, %lu found no room or their channel taken\n", openers->opened,
	       openers->full);
}

/* ---- kills ---- */

#define RUNS	(-1)

/* A state in which a victim is to be killed */
static struct state {
	const char *name;
	const char *kind;	/* worker that is killed, or NULL: any */
	long call;		/* system call in which it sleeps, or RUNS */
	unsigned int turns, hit, missed;
} states[] = {
	{ .name = "read()", .call = SYS_read },
	{ .name = "write()", .call = SYS_write, .kind = "requests" },
	{ .name = "a rendezvous", .call = SYS_write, .kind = "rendezvous" },
	{ .name = "poll()", .call = SYS_ppoll },
	{ .name = "a port", .call = SYS_ppoll, .kind = "port" },
	{ .name = "a shared ring", .call = SYS_ppoll, .kind = "pair" },
	{ .name = "ioctl(), with a mailbox command", .call = SYS_ioctl },
	{ .name = "close(), with a mailbox command", .call = SYS_close },
	{ .name = "mapped memory", .call = RUNS, .kind = "bytes" },
};

#define STATES	(sizeof(states) / sizeof(states[0]))

/* Say whether a thread runs: its file must exist and say so, or the thread has ended. */
static bool runs(pid_t tid)
{
	char path[64], text[256];

	snprintf(path, sizeof(path), "/proc/%d/syscall", tid);
	return proc_read(path, text, sizeof(text)) && !strcmp(text, "running\n");
}

/* Say whether a thread of @pid is in this system call, or (RUNS) one runs. */
static bool found_in(pid_t pid, long call)
{
	char path[64];
	glob_t g = { 0 };
	bool found = false;
	pid_t tid;
	size_t i;

	snprintf(path, sizeof(path), "/proc/%d/task/*", pid);
	if (!glob(path, GLOB_NOSORT, NULL, &g)) {
		for (i = 0; i < g.gl_pathc && !found; i++) {
			tid = atoi(strrchr(g.gl_pathv[i], '/') + 1);
			found = call == RUNS ? runs(tid) : sleeping_in(tid) == call;
		}
	}
	globfree(&g);
	return found;
}

#define LOOKS	300	/* looks after which the victim is killed in any state: a miss */
#define MISSES	50	/* misses in a row after which the test fails */

/* Return the next worker after @i that can be in @state. */
static unsigned int next_worker(const struct state *state, unsigned int i)
{
	do
		i = (i + 1) % STORM_KINDS;
	while (state->kind && strcmp(state->kind, storm_kinds[i].name));
	return i;
}

/* Kill the first worker that is seen in @state, beginning after worker @i. */
static bool kill_in(struct state *state, unsigned int i)
{
	unsigned int looks = 0;
	struct worker *w;
	bool found;
	int status;

	do {
		i = next_worker(state, i);
		w = &traffic->worker[i];
		found = found_in(w->pid, state->call);
	} while (!found && ++looks < LOOKS && traffic_well());
	status = worker_kill(i);
	if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL) {
		printf("# %s ended before: status %x\n", storm_kinds[i].name, status);
		return false;
	}
	if (found)
		state->hit++;
	else
		state->missed++;
	return true;
}

/* Kill workers until one was killed in the state whose turn it is. */
static bool kill_once(unsigned int loop)
{
	struct state *state = &states[loop % STATES];
	unsigned int first = loop / STATES, misses;

	state->turns++;
	for (misses = 0; misses < MISSES; misses++) {
		if (!kill_in(state, first + misses))
			return false;
		if (state->hit == state->turns)
			return true;
		if (!traffic_goes(GOES))
			return false;
	}
	printf("# no worker was killed in %s\n", state->name);
	return false;
}

/* Check that each state that had a turn was hit. With few loops not all states have a turn. */
static void kill_end(void)
{
	unsigned int i, had = 0, never = 0;

	for (i = 0; i < STATES; i++) {
		printf("# killed in %s: %u, in something else: %u\n", states[i].name,
		       states[i].hit, states[i].missed);
		had += states[i].turns > 0;
		never += states[i].hit < states[i].turns;
	}
	ok(had && !never, "kill: each of %u states was hit in its turns", had);
}

static const struct storm storms[] = {
	{ .name = "open", .once = open_once, .end = open_end },
	{ .name = "kill", .once = kill_once, .end = kill_end },
	{ .name = NULL }
};

int main(int argc, char **argv)
{
	return storm_main(storms, argc, argv);
}
