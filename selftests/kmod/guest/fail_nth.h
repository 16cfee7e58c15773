/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * fail_nth.h - make a call with a failure injected at each of its points of failure in turn.
 * Each failed call must return an errno that the header names, and must change nothing.
 */
#ifndef FAIL_NTH_H
#define FAIL_NTH_H

#include <dirent.h>
#include "dir.h"
#include "fdinfo.h"
#include "users.h"

#define MANY	2000		/* failures after which the sweep stops and the test fails */
#define DEBUG	"/sys/kernel/debug/"

static int card, nth_fd;
static char pci[32];

/**
 * struct sweep - a call to sweep
 * @what: its name
 * @run: makes the call; returns 0 or more, or -errno. NULL: the call is an ioctl
 * @fd: descriptor of the ioctl
 * @cmd: number of the ioctl
 * @arg: struct of the ioctl, of which each call gets a copy
 * @size: size of @arg
 * @want: result of the call without an injected failure
 * @undo: undoes a call that succeeded
 * @vector: the call allocates an interrupt vector
 * @nowait: if memory is short the call returns EAGAIN instead of ENOMEM, as io_uring expects
 * @ring: ring size of the pipe in bytes; 0: 4096
 * @copies: least number of EFAULT results: one for each struct that is copied in or out, and one
 *	for each message. Injection does not make put_user() fail; uffd.c tests that
 */
struct sweep {
	const char *what;
	long (*run)(void);
	const int *fd;
	unsigned long cmd;
	const void *arg;
	size_t size;
	long want;
	void (*undo)(long ret);
	bool vector;
	bool nowait;
	unsigned int ring;
	unsigned int copies;
};

enum { PIPES, VECTORS, FILES, BINDINGS, DMA, STATES };

static const char *const state_names[STATES] = {
	"pipes", "vectors", "files", "bindings", "DMA mappings",
};

struct state {
	long n[STATES];
};

/* Read a number as root, also while the swept call runs as a user. */
static inline long number_of(const char *path)
{
	uid_t user = geteuid();
	char text[32];

	if (seteuid(0) || !proc_read(path, text, sizeof(text)) || seteuid(user))
		die(path);
	return atol(text);
}

static inline struct state look(void)
{
	struct state s = { 0 };
	char path[64];

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/msi_irqs", pci);
	s.n[PIPES] = card_info(card).pipe_used;
	s.n[VECTORS] = dir_entries(path);
	s.n[FILES] = dir_entries("/proc/self/fd");
	s.n[BINDINGS] = fdinfo_lines("self", "xdp:\t");
	/*
	 * Count the mappings of all devices, because a list of the card's mappings would be slow.
	 */
	s.n[DMA] = number_of(DEBUG "dma-api/nr_total_entries") -
		   number_of(DEBUG "dma-api/num_free_entries");
	return s;
}

static inline bool same(const struct state *a, const struct state *b)
{
	return !memcmp(a, b, sizeof(*a));
}

/* Compare the state with @before, and print each number that differs. */
static inline bool changed(const struct state *before, struct state *now, int n)
{
	int i;

	*now = look();
	/* The stock driver frees buffers of its control messages later. Wait up to a second. */
	for (i = 0; i < 100 && now->n[DMA] != before->n[DMA]; i++) {
		usleep(10000);
		*now = look();
	}
	if (same(before, now))
		return false;
	printf("# failure %d:", n);
	for (i = 0; i < STATES; i++)
		if (now->n[i] != before->n[i])
			printf(" %s %ld, %ld before;", state_names[i], now->n[i], before->n[i]);
	printf("\n");
	return true;
}

/* ---- fault injection ---- */

/*
 * Let allocations from all slabs fail except those of /proc entries. The interrupt core makes
 * /proc entries for each vector, goes on without an entry that it has no memory for, and warns
 * later when it cannot remove that entry (register_irq_proc(), unregister_irq_proc()).
 */
static inline void slabs_init(void)
{
	DIR *dir = opendir("/sys/kernel/slab");
	struct dirent *e;
	char path[320];

	if (!dir)
		die("/sys/kernel/slab");
	while ((e = readdir(dir))) {
		snprintf(path, sizeof(path), "/sys/kernel/slab/%s/failslab", e->d_name);
		if (e->d_name[0] != '.')
			file_put(path, strcmp(e->d_name, "proc_dir_entry") ? "1" : "0");
	}
	closedir(dir);
}

static inline void injection_init(void)
{
	slabs_init();
	file_put(DEBUG "failslab/cache-filter", "Y");
	file_put(DEBUG "failslab/ignore-gfp-wait", "N");
	file_put(DEBUG "failslab/verbose", "0");
	file_put(DEBUG "fail_page_alloc/ignore-gfp-wait", "N");
	file_put(DEBUG "fail_page_alloc/ignore-gfp-highmem", "N");
	file_put(DEBUG "fail_page_alloc/min-order", "0");
	file_put(DEBUG "fail_page_alloc/verbose", "0");
	file_put(DEBUG "fail_usercopy/verbose", "0");
	nth_fd = open("/proc/self/fail-nth", O_RDWR | O_CLOEXEC);
	if (nth_fd < 0)
		die("/proc/self/fail-nth");
}

static inline void nth_set(int n)
{
	char text[16];
	int len = snprintf(text, sizeof(text), "%d", n);

	/* The injected failure may make this write's copy fail, once. Then write again. */
	if (pwrite(nth_fd, text, len, 0) != len && pwrite(nth_fd, text, len, 0) != len)
		die("fail-nth");
}

/* Return 0 if the injected failure has happened. */
static inline int nth_get(void)
{
	char text[16] = "";

	/*
	 * If the injected failure makes this read's copy fail, it had not happened before the read.
	 */
	if (pread(nth_fd, text, sizeof(text) - 1, 0) > 0)
		return atoi(text);
	return 1;
}

/* ---- one call ---- */

static inline long result(long ret)
{
	return ret < 0 ? -errno : ret;
}

/* Open a channel. @o->fd must be set if the call succeeded, and unchanged if it failed. */
static inline long opened(struct nfp_chan_open *o)
{
	o->size = sizeof(*o);
	o->fd = -77;
	o->ring_fd = o->ring_fd ?: -1;
	o->port_fd = o->port_fd ?: -1;
	if (!ioctl(card, NFP_CHAN_IOC_OPEN, o))
		return o->fd;
	return o->fd == -77 ? -errno : -EBADE;
}

static inline long sweep_run(const struct sweep *s)
{
	char arg[256] __attribute__((aligned(8)));

	if (s->run)
		return s->run();
	memcpy(arg, s->arg, s->size);
	if (s->cmd == NFP_CHAN_IOC_OPEN)
		return opened((void *)arg);
	return result(ioctl(*s->fd, s->cmd, arg));
}

/*
 * Say whether @ret is allowed. ENOSPC is allowed for a call that needs a vector:
 * msi_handle_pci_fail() turns every failure in the interrupt domains into ENOSPC.
 */
static inline bool expected(const struct sweep *s, long ret)
{
	return ret == (s->nowait ? -EAGAIN : -ENOMEM) || ret == -EFAULT || (s->vector && ret == -ENOSPC) ||
	       ret == s->want || (ret >= 0 && s->want >= 0);
}

/* Print how often each errno came. */
static inline void tell(const unsigned int *came)
{
	unsigned int err;

	printf("#");
	for (err = 0; err < 256; err++)
		if (came[err])
			printf(" %s %u", err ? strerrorname_np(err) : "ok", came[err]);
	printf("\n");
}

static inline void sweep(const struct sweep *s)
{
	struct state before = look(), now;
	int n, left, failed = 0, odd = 0, other = 0;
	unsigned int came[256] = { 0 };
	long ret = -1;
	bool good;

	for (n = 1; n <= MANY; n++) {
		nth_set(n);
		ret = sweep_run(s);
		left = nth_get();
		nth_set(0);
		failed += !left && ret < 0 && ret != s->want;
		came[ret < 0 ? -ret & 0xff : 0]++;
		if (!expected(s, ret)) {
			odd++;
			printf("# failure %d: %ld (%s)\n", n, ret, strerror(-ret));
		}
		if (ret >= 0 && s->undo)
			s->undo(ret);
		if (changed(&before, &now, n)) {
			other++;
			before = now;
		}
		if (left)
			break;
	}
	tell(came);
	/* If a failed call leaked locked memory, a later call exceeds its limit and fails. */
	good = !odd && !other && n <= MANY && (ret == s->want || (ret >= 0 && s->want >= 0));
	/* If an OPEN failed with ENOMEM fewer than 10 times, the injection does not work. */
	if (s->vector && came[ENOMEM] < 10)
		good = false;
	if (s->nowait && !came[EAGAIN])
		good = false;
	if (came[EFAULT] < s->copies) {
		printf("# EFAULT %u times: it copies %u\n", came[EFAULT], s->copies);
		good = false;
	}
	if (!ok(good,
		"%s: %d points of failure, %d of them end it, nothing changes", s->what, n - 1,
		failed))
		printf("# the last call: %ld (%s), want %ld\n", ret, strerror(-ret), s->want);
}

#endif /* FAIL_NTH_H */
