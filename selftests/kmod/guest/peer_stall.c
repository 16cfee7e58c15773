// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * peer_stall.c - many threads try again and again to link two cards whose writes do not reach each
 * other. Each try waits for up to 1 s, several times. A detach, the removal of another device, and
 * the end of the process must not wait for the tries: each may take little longer than without
 * threads.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/resource.h>
#include "peer_cards.h"
#include "pci_find.h"

#define PAIRS	15	/* a link each; of 32 pipes, as ordinary channels need some */
#define THREADS	(2 * PAIRS)

struct tries {
	atomic_int begun[THREADS];
	atomic_int waited;	/* tries that have waited in vain: EHOSTUNREACH */
	atomic_int wrong;	/* another errno than EHOSTUNREACH, EISCONN and ENODEV */
};

static struct tries *tries;
static int from[PAIRS], to[PAIRS];

static void *try_links(void *arg)
{
	unsigned int n = (unsigned int)(uintptr_t)arg;
	int fd;

	do {
		atomic_fetch_add(&tries->begun[n], 1);
		fd = peer_fds(from[n % PAIRS], to[n % PAIRS], 0);
		if (fd < 0 && errno == EHOSTUNREACH)
			atomic_fetch_add(&tries->waited, 1);
		else if (fd >= 0 || (errno != EISCONN && errno != ENODEV))
			atomic_store(&tries->wrong, fd < 0 ? errno : 1);
	} while (fd < 0 && errno != ENODEV);
	return NULL;
}

/* A process whose threads try to link the cards. */
static void try_all(void *arg)
{
	int a = card_nth(0), b = card_nth(1);
	pthread_t thread;

	(void)arg;
	for (unsigned int i = 0; i < PAIRS; i++) {
		from[i] = from_open(a, "load");
		to[i] = chan_must(b, "pit", 0);
	}
	for (uintptr_t n = 0; n < THREADS; n++)
		if (pthread_create(&thread, NULL, try_links, (void *)n))
			die("pthread_create");
	for (;;)
		pause();
}

static pid_t begin(void)
{
	pid_t pid;

	memset(tries, 0, sizeof(*tries));
	pid = spawn(try_all, NULL);
	for (unsigned int n = 0; n < THREADS; n++)
		if (!UNTIL(atomic_load(&tries->begun[n])))
			give_up("thread", "it has not begun");
	return pid;
}

static void bind_again(const char *pci)
{
	drive("bind", pci);
	if (!UNTIL(access("/dev/nfp_chan1", F_OK) == 0))
		give_up(pci, "no node");
}

static void detach(const char *pci)
{
	long alone = unbind_ms(pci), among;
	int waited;
	pid_t pid;

	bind_again(pci);
	pid = begin();
	waited = atomic_load(&tries->waited);
	among = unbind_ms(pci);
	waited = atomic_load(&tries->waited) - waited;
	printf("# unbind: %ld ms, %ld ms among %u threads\n", alone, among, THREADS);
	/* A few may have ended before it, but not one of each pair. */
	ok(waited < PAIRS, "the unbind ends the tries of %u pairs: %d have waited", PAIRS, waited);
	ok(among < alone + MORE_MS, "an unbind does not wait for the threads");
	kill(pid, SIGKILL);
	reap(pid);
	is(atomic_load(&tries->wrong), 0, "tries end with EHOSTUNREACH, EISCONN or ENODEV");
	bind_again(pci);
}

static void removal(void)
{
	char slot[32];
	uint64_t start;
	pid_t pid;
	long ms;

	pci_find("1234:11E8", 0, slot);
	pid = begin();
	start = now_ns();
	pci_put(slot, "remove", "1");
	ms = (long)((now_ns() - start) / 1000000);
	printf("# removal of another device: %ld ms\n", ms);
	ok(ms < MORE_MS, "the removal of another device does not wait for the threads");
	start = now_ns();
	kill(pid, SIGKILL);
	reap(pid);
	ms = (long)((now_ns() - start) / 1000000);
	printf("# kill: %ld ms\n", ms);
	ok(ms < MORE_MS, "the end of the process does not wait for the tries");
}

static void try_once(void *arg)
{
	const int *fds = arg;

	peer_fds(fds[0], fds[1], 0);
}

/* Wait for the end of a process, and return how often it has slept. */
static long slept(pid_t pid)
{
	struct rusage usage;

	if (wait4(pid, NULL, 0, &usage) != pid)
		die("wait4");
	return usage.ru_nvcsw;
}

/* A process is killed while it waits: it sleeps less often than one that waits in vain. */
static void killed(int *fds)
{
	long whole = slept(spawn(try_once, fds)), part;
	pid_t pid = spawn(try_once, fds);

	if (!UNTIL(sleeps(pid) > 50))
		give_up("try", "it does not wait");
	kill(pid, SIGKILL);
	part = slept(pid);
	printf("# sleeps: %ld, %ld of a process that is killed\n", whole, part);
	ok(part < whole / 10, "SIGKILL ends a wait");
}

static void without_right(void *arg)
{
	const int *fds = arg;

	if (setgid(65534) || setuid(65534))
		die("setuid");
	_exit(peer_fds(fds[0], fds[1], 0) >= 0 ? 0 : errno);
}

int main(void)
{
	int a = card_nth(0), b = card_nth(1), fds[2];
	char pci[32];

	alarm((unsigned int)PROGRAM_S * 4);
	tries = shared_memory(sizeof(*tries));
	strcpy(pci, card_info(b).pci);
	fds[0] = from_open(a, "load");
	fds[1] = chan_must(b, "pit", 0);
	is(WEXITSTATUS(reap(spawn(without_right, fds))), EPERM, "a user without CAP_SYS_RAWIO");
	killed(fds);
	close(fds[0]);
	close(fds[1]);
	close(b);
	detach(pci);
	removal();
	return tap_done();
}
