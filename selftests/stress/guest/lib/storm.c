// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* storm.c - the loop of the storms under traffic, and the check for leaks: see storm.h. */
#define _GNU_SOURCE
#include <glob.h>
#include <limits.h>
#include <pthread.h>
#include "storm.h"

#define SAY_S		60

static const char * const left_names[LEFT_ALL] = {
	"files", "pipes", "interrupts", "vectors", "/proc/irq", "nodes", "class devices",
	"device attributes", "module users", "threads of the drivers",
	"DMA mappings", "KiB of the kernel",
};

char pci[32];

static long left_glob(const char *pattern)
{
	glob_t g = { 0 };
	long n;

	n = glob(pattern, GLOB_NOSORT, NULL, &g) ? 0 : (long)g.gl_pathc;
	globfree(&g);
	return n;
}

long left_number(const char *path, const char *name)
{
	FILE *f = fopen(path, "r");
	char line[256];
	long n = 0;

	while (f && fgets(line, sizeof(line), f)) {
		if (strncmp(line, name, strlen(name)))
			continue;
		n = atol(line + strlen(name));
		break;
	}
	if (f)
		fclose(f);
	return n;
}

/*
 * Count the kernel threads of the drivers: their names contain "nfp". The name of a kworker ends in the
 * queue of the work that it did last, which may be that of nfp; it is no thread of the driver.
 */
static long left_threads(void)
{
	glob_t g = { 0 };
	char name[64];
	long n = 0;
	size_t i;

	if (glob("/proc/[0-9]*/comm", GLOB_NOSORT, NULL, &g))
		die("/proc");
	for (i = 0; i < g.gl_pathc; i++)
		n += proc_read(g.gl_pathv[i], name, sizeof(name)) &&
		     strncmp(name, "kworker/", 8) && strstr(name, "nfp");
	globfree(&g);
	return n;
}

/* Free empty slabs. With KASAN this also frees objects that its quarantine keeps. */
static void slabs_shrink(void)
{
	glob_t g = { 0 };
	size_t i;
	int fd;

	if (glob("/sys/kernel/slab/*/shrink", GLOB_NOSORT, NULL, &g))
		die("/sys/kernel/slab");
	for (i = 0; i < g.gl_pathc; i++) {
		fd = open(g.gl_pathv[i], O_WRONLY | O_CLOEXEC);
		/* The name may by now belong to another cache, so open() may fail. */
		if (fd >= 0 && write(fd, "1", 1) < 0)
			die(g.gl_pathv[i]);
		close(fd);
	}
	globfree(&g);
}

/*
 * Purge lazily freed vmalloc areas. Until then KASAN keeps the pages of their shadow. The kernel
 * purges when tens of MiB have accumulated, or when permissions of a mapping change, as they do
 * for a module's text. So load a module that fails at once: STORM_PURGE is its file, with KASAN.
 */
static void vmalloc_purge(void)
{
	const char *path = getenv("STORM_PURGE");
	int fd;

	if (!path)
		return;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || !syscall(SYS_finit_module, fd, "", 0) || errno != EINVAL)
		die(path);
	close(fd);
}

#define STACKS	2400	/* thread stacks of 36 KiB: more than accumulates before a purge */

static pthread_mutex_t stacks_held = PTHREAD_MUTEX_INITIALIZER;

static void *stack_use(void *arg)
{
	pthread_mutex_lock(&stacks_held);
	pthread_mutex_unlock(&stacks_held);
	return arg;
}

/*
 * Use, before the first count, the vmalloc addresses that a storm may come to use, for thread
 * stacks. A page of KASAN's shadow covers 32 KiB, and a page that an area shares with its
 * neighbours is never freed (purge_vmap_node() in 6.12), so it would count as a leak.
 */
static void vmalloc_use(void)
{
	static pthread_t thread[STACKS];
	pthread_attr_t small;
	int i;

	if (!getenv("STORM_PURGE"))
		return;
	pthread_attr_init(&small);
	/* PTHREAD_STACK_MIN has no room for the guard page and the library's thread variables. */
	pthread_attr_setstacksize(&small, 4 * PTHREAD_STACK_MIN);
	pthread_mutex_lock(&stacks_held);
	for (i = 0; i < STACKS; i++)
		if ((errno = pthread_create(&thread[i], &small, stack_use, NULL)))
			die("threads");
	pthread_mutex_unlock(&stacks_held);
	for (i = 0; i < STACKS; i++)
		pthread_join(thread[i], NULL);
}

static void memory_settle(void)
{
	vmalloc_purge();
	slabs_shrink();
	/* Add the CPUs' own counters to the sums in /proc. */
	file_put("/proc/sys/vm/stat_refresh", "1");
}

/* Return the free pages that CPUs keep for themselves, in KiB: MemFree does not have them. */
static long left_pcp_kib(void)
{
	FILE *f = fopen("/proc/zoneinfo", "r");
	char line[256];
	long n, pages = 0;

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, " count: %ld", &n) == 1)
			pages += n;
	if (f)
		fclose(f);
	return pages * sysconf(_SC_PAGESIZE) / 1024;
}

/*
 * Return the KiB that the kernel uses for itself and cannot free on request. Kernel stacks are
 * left out: the kernel keeps idle workers for minutes, and a suspend starts dozens of them.
 * left_threads() counts the drivers' threads.
 */
static long left_kib(void)
{
	static const char mem[] = "/proc/meminfo";

	return left_number(mem, "MemTotal:") - left_number(mem, "MemFree:") - left_pcp_kib() -
	       left_number(mem, "Buffers:") - left_number(mem, "Cached:") -
	       left_number(mem, "AnonPages:") - left_number(mem, "SReclaimable:") -
	       left_number(mem, "KernelStack:");
}

/* Count everything. The workers have no fd of the card; this opens one to ask for its pipes. */
struct left left_now(void)
{
	char path[128];
	struct left l = { 0 };
	int fd;

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/msi_irqs/*", pci);
	l.n[LEFT_VECTORS] = left_glob(path);
	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/*", pci);
	l.n[LEFT_DEVICE] = left_glob(path);
	l.n[LEFT_FILES] = left_glob("/proc/self/fd/*");
	l.n[LEFT_INTERRUPTS] = lines_with("/proc/interrupts", "nfp_chan");
	l.n[LEFT_IRQS] = left_glob("/proc/irq/*");
	l.n[LEFT_NODES] = left_glob("/dev/nfp*");
	l.n[LEFT_CLASS] = left_glob("/sys/class/nfp_chan/*");
	l.n[LEFT_USERS] = left_number("/sys/module/nfp_chan/refcnt", "");
	l.n[LEFT_THREADS] = left_threads();
	/* DMA mappings of the card's function, also the stock driver's; on debug kernels only */
	l.n[LEFT_DMA] = lines_with("/sys/kernel/debug/dma-api/dump", pci);
	l.n[LEFT_KIB] = left_kib();
	fd = open("/dev/nfp_chan0", O_RDWR | O_CLOEXEC);
	l.n[LEFT_PIPES] = fd < 0 ? -1 : (long)card_info(fd).pipe_used;
	close(fd);
	return l;
}

bool left_same(const struct left *was, const struct left *is, const char *after)
{
	bool same = true;
	int i;

	for (i = 0; i < LEFT_MANY; i++) {
		if (was->n[i] == is->n[i])
			continue;
		printf("# %s: %ld %s, there were %ld\n", after, is->n[i], left_names[i], was->n[i]);
		same = false;
	}
	return same;
}

static bool left_some(const struct left *l, const int *which, int many, const char *when)
{
	bool some = true;
	int i;

	for (i = 0; i < many; i++) {
		if (l->n[which[i]] > 0)
			continue;
		printf("# %s: %ld %s\n", when, l->n[which[i]], left_names[which[i]]);
		some = false;
	}
	return some;
}

/* Check that each count finds something at first, else the test could not find a leak. */
static void left_first(const char *name, const struct left *busy, const struct left *was)
{
	static const int in_use[] = { LEFT_INTERRUPTS, LEFT_PIPES, LEFT_USERS };
	static const int always[] = {
		LEFT_FILES, LEFT_VECTORS, LEFT_IRQS, LEFT_NODES, LEFT_CLASS,
		LEFT_DEVICE, LEFT_DMA,
	};
	int many = sizeof(always) / sizeof(always[0]);

		/* LEFT_DMA, the last entry, exists on debug kernels only. */
	if (access("/sys/kernel/debug/dma-api/dump", F_OK))
		many--;
	ok(left_some(busy, in_use, sizeof(in_use) / sizeof(in_use[0]), "in use") &
	   left_some(was, always, many, "at rest"), "%s: what is counted is found", name);
}

/* Loops before the first count: objects that are allocated once and kept exist after them. */
#define WARM_UP		3

/* KiB a loop; a leak of the smallest ring and its record in each loop is more */
#define KIB_OF_LOOP	8

static void left_check(const struct storm *s, unsigned int loops, const struct left *was)
{
	struct left is;
	long kib;

	memory_settle();
	is = left_now();
	kib = is.n[LEFT_KIB] - was->n[LEFT_KIB];
	ok(left_same(was, &is, s->name), "%s: nothing is left behind", s->name);
	/* Memory use varies by more than a few loops could leak, so check it after many loops. */
	if (loops >= 200)
		ok(kib < (long)loops * KIB_OF_LOOP, "%s: no memory has leaked", s->name);
	printf("# %s: %ld KiB more of the kernel than before %u loops\n", s->name, kib, loops);
}

static struct left left_before(const struct storm *s)
{
	struct left was, busy;

	/*
	 * Wait for a moment at which workers have channels open: between generations none has. The
	 * counts are read one after the other, so each may be 0.
	 */
	UNTIL((busy = left_now(), busy.n[LEFT_INTERRUPTS] > 0 && busy.n[LEFT_PIPES] > 0 &&
	       busy.n[LEFT_USERS] > 0));
	traffic_pause();
	memory_settle();
	was = left_now();
	left_first(s->name, &busy, &was);
	traffic_resume();
	return was;
}

/* Print a line each minute, to show progress. */
static void storm_say(const struct storm *s, unsigned int loop, unsigned int loops)
{
	static time_t said;
	time_t now = time(NULL);

	if (!said)
		said = now;
	if (now - said < SAY_S)
		return;
	said = now;
	printf("# %s: loop %u of %u\n", s->name, loop, loops);
	fflush(stdout);
}

static void storm_run(const struct storm *s, unsigned int loops)
{
	struct left was = { 0 };
	unsigned int i;

	traffic_start();
	for (i = 0; i < WARM_UP + loops; i++) {
		alarm(LOOP_S);
		storm_say(s, i < WARM_UP ? 0 : i - WARM_UP, loops);
		if (i == WARM_UP)
			was = left_before(s);
		if (!traffic_goes(GOES) || !s->once(i))
			break;
	}
	alarm(LOOP_S);
	ok(i == WARM_UP + loops && traffic_goes(GOES), "%s: %u times, and channels work", s->name,
	   i < WARM_UP ? 0 : i - WARM_UP);
	if (traffic_well()) {
		traffic_pause();
		if (s->end)
			s->end();
		left_check(s, loops, &was);
	}
	ok(traffic_stop(), "%s: all that was received is as it was sent", s->name);
}

void storm_init(void)
{
	int fd = card_open(O_RDWR);

	strcpy(pci, card_info(fd).pci);
	close(fd);
	traffic_init(storm_kinds, STORM_KINDS, false, 0);
	signal(SIGALRM, traffic_alarm);
}

int storm_main(const struct storm *storms, int argc, char **argv)
{
	const struct storm *s = storms;
	int loops = argc > 2 ? atoi(argv[2]) : 0;

	while (loops > 0 && s->name && (strcmp(argv[1], s->name) || argc != 3 + s->files))
		s++;
	if (loops > 0 && s->name) {
		storm_init();
		vmalloc_use();
		storm_run(s, loops);
		return tap_done();
	}
	for (s = storms; s->name; s++)
		fprintf(stderr, "usage: %s %s LOOPS%s\n", argv[0], s->name,
			s->files ? " FILE FILE" : "");
	return 2;
}
