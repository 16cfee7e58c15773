/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Locks between hosts: the device answers at once whether a host has got the lock.
 *
 * A lock has an owner and a token, which rises by 1 with each owner. If a lock was taken from a
 * host, the host may still believe that it has the lock. A storage server that remembers the
 * largest token refuses the requests of that host.
 *
 * Each request has a number (window.ver), which rises. The device drops a host's requests that
 * are older than the last one, so a late copy of a request cannot take a lock that the host has
 * given back. A request that arrives again gets the same answer.
 */
#include <stdint.h>

#define NCL_WINDOW	uint32_t ver;
#include <ncl.h>

#define LOCKS	64
#define NODES	32

enum { TAKE, GIVE, BREAK };	/* BREAK: the sender says that the host with token *fence is dead */

_net_ _at_("s1") uint32_t owner[LOCKS];	/* node of the owner; 0: none */
_net_ _at_("s1") uint32_t token[LOCKS];
_net_ _at_("s1") uint32_t last[NODES][LOCKS];	/* window.ver of the host's last request */

/* Answer: *have is the owner after the request, *fence is the token. */
_net_ _out_ _at_("s1") _win_(1, 1)
void lock(uint8_t what, uint8_t id, uint32_t *have, uint32_t *fence)
{
	uint32_t l = id % LOCKS, me = window.from % NODES;

	if (last[me][l] && (int32_t)(window.ver - last[me][l]) < 0) {
		_drop();
		return;
	}
	last[me][l] = window.ver;
	if (what == TAKE && !owner[l]) {
		owner[l] = me;
		token[l] += 1;
	} else if ((what == GIVE && owner[l] == me) || (what == BREAK && token[l] == *fence)) {
		owner[l] = 0;
	}
	*have = owner[l];
	*fence = token[l];
	_reflect();
}

/* ---- the hosts' code ---- */

#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int ask(int what, unsigned int id, uint32_t *have, uint32_t *fence)
{
	struct ncrt_wnd wnd = { .size = sizeof(wnd), .flags = NCRT_BACK, .slots = 1 };

	if (ncl_out(lock, &wnd, ncl_value(what), ncl_value(id), ncl_array(have, 1),
		    ncl_array(fence, 1)) >= 0)
		return 0;
	fprintf(stderr, "lock: %s\n", ncl_error());
	return -1;
}

/*
 * Ask until this host has the lock. Wait for up to 2 ms between two requests; the times are
 * random, so that hosts do not ask in step.
 */
static int take(unsigned int id, uint32_t *fence, uint64_t *refused, unsigned int *seed)
{
	uint32_t me = (uint32_t)ncrt_node(ncl_session(), NULL), have = 0;

	for (;;) {
		if (ask(TAKE, id, &have, fence))
			return -1;
		if (have == me)
			return 0;
		++*refused;
		nanosleep(&(struct timespec){ 0, 1000 * (1 + rand_r(seed) % 2000) }, NULL);
	}
}

/*
 * Add 1 to the number in a file. Yield between the read and the write: without the lock,
 * additions by other hosts would be lost. The tokens in the file must rise.
 */
static int add_one(const char *path, uint32_t fence)
{
	uint64_t x[2] = { 0, 0 };
	int fd = open(path, O_RDWR | O_CREAT, 0666), bad;

	if (fd < 0)
		return perror(path), -1;
	bad = pread(fd, x, sizeof(x), 0) < 0;
	if (x[1] >= fence)
		bad = fprintf(stderr, "lock: fence %u after %" PRIu64 "\n", fence, x[1]);
	sched_yield();
	x[0]++;
	x[1] = fence;
	bad |= pwrite(fd, x, sizeof(x), 0) != sizeof(x);
	close(fd);
	return bad ? -1 : 0;
}

static int count(const char *path, unsigned int n, unsigned int id)
{
	unsigned int seed = (unsigned int)ncrt_node(ncl_session(), NULL);
	uint32_t fence = 0, have = 0;
	uint64_t refused = 0;

	for (unsigned int i = 0; i < n; i++) {
		if (take(id, &fence, &refused, &seed) || add_one(path, fence) ||
		    ask(GIVE, id, &have, &(uint32_t){ 0 }))
			return 1;
	}
	printf("%s: had lock %u %u times, was refused it %" PRIu64 " times\n",
	       ncrt_label(ncl_session(), seed), id, n, refused);
	return 0;
}

int main(int argc, char **argv)
{
	static const char *const names[] = { "take", "give", "break" };
	uint32_t have = 0, fence = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 0) : 0;
	const char *label;
	int what = 0;

	if (argc > 2 && !ncl_session())
		return fprintf(stderr, "lock: %s\n", ncl_error()), 1;
	if (argc == 5 && !strcmp(argv[1], "count"))
		return count(argv[4], (unsigned int)strtoul(argv[3], NULL, 0),
			     (unsigned int)strtoul(argv[2], NULL, 0) % LOCKS);
	while (argc > 2 && what < 3 && strcmp(argv[1], names[what]))
		what++;
	if (argc < 3 || argc > 4 || what == 3)
		return fprintf(stderr, "usage: lock take|give|break NUMBER [TOKEN]\n"
			       "       lock count NUMBER TIMES FILE\n"), 2;
	if (ask(what, (unsigned int)strtoul(argv[2], NULL, 0), &have, &fence))
		return 1;
	label = have ? ncrt_label(ncl_session(), have) : NULL;
	printf("%s %u\n", label ? label : "-", fence);
	return 0;
}
