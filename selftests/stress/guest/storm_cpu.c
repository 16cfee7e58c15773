// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * storm_cpu.c - a CPU goes offline and comes back, or interrupts move from one CPU to another,
 * again and again, while their vectors are in use.
 *
 */
#define _GNU_SOURCE
#include "lib/storm.h"

#define VECTORS	64
#define CPU0	"1"
#define CPU1	"2"	/* the CPU that goes offline */
#define CPU1_BIT	2
#define STRAY	8	/* interrupts on the old CPU after a move; one is normal */

/* Vector of a pipe, and the number of its interrupts on each CPU */
struct vector {
	int irq;
	unsigned long on[2];
};

static unsigned long moved, arrived, were_there;

/*
 * List the vectors of pipes. Each of them may be gone a moment later. The mailbox's vector, which
 * always exists, is left out.
 */
static unsigned int vectors(struct vector *v)
{
	FILE *f = fopen("/proc/interrupts", "r");
	char line[512];
	unsigned int n = 0;

	if (!f)
		die("/proc/interrupts");
	while (n < VECTORS && fgets(line, sizeof(line), f))
		if (strstr(line, "nfp_chan0-") && !strstr(line, "-mailbox") &&
		    sscanf(line, "%d: %lu %lu", &v[n].irq, &v[n].on[0], &v[n].on[1]) == 3)
			n++;
	fclose(f);
	return n;
}

static bool vector_move(int irq, const char *cpus)
{
	char path[64];
	bool good;
	int fd;

	snprintf(path, sizeof(path), "/proc/irq/%d/smp_affinity", irq);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	good = write(fd, cpus, 1) == 1;
	close(fd);
	return good;
}

/* Say whether interrupts go to CPU 1. A move takes effect only with the next interrupt. */
static bool vector_on_cpu1(int irq)
{
	char path[64], text[64];

	snprintf(path, sizeof(path), "/proc/irq/%d/effective_affinity", irq);
	return proc_read(path, text, sizeof(text)) && strtoul(text, NULL, 16) & CPU1_BIT;
}

/* Move all vectors to the CPU that goes offline; list in @there those that are on it. */
static unsigned int vectors_gather(int *there)
{
	struct vector v[VECTORS];
	unsigned int i, all, n = 0;

	all = vectors(v);
	for (i = 0; i < all; i++) {
		if (vector_on_cpu1(v[i].irq))
			there[n++] = v[i].irq;
		vector_move(v[i].irq, CPU1);
	}
	return n;
}

static bool hotplug_once(unsigned int loop)
{
	unsigned int i, n = 0;
	int there[VECTORS];
	bool good;

	(void)loop;
	TRAFFIC_UNTIL((n = vectors_gather(there)));
	were_there += n;
	file_put("/sys/devices/system/cpu/cpu1/online", "0");
	good = n && traffic_goes(GOES);
	for (i = 0; i < n; i++) {
		if (!vector_on_cpu1(there[i]))
			continue;
		printf("# interrupt %d goes to a CPU that is offline\n", there[i]);
		good = false;
	}
	file_put("/sys/devices/system/cpu/cpu1/online", "1");
	return good;
}

static void hotplug_end(void)
{
	ok(were_there, "hotplug: %lu vectors were on the CPU that went offline", were_there);
}

/* Say whether a vector still has its affinity: its number may belong to a new vector. */
static bool vector_stays(int irq, const char *cpus)
{
	char path[64], text[64];

	snprintf(path, sizeof(path), "/proc/irq/%d/smp_affinity", irq);
	return proc_read(path, text, sizeof(text)) &&
	       strtoul(text, NULL, 16) == strtoul(cpus, NULL, 16);
}

static const struct vector *vector_of(int irq, const struct vector *v, unsigned int n)
{
	while (n--)
		if (v[n].irq == irq)
			return &v[n];
	return NULL;
}

/* Move all vectors to CPU @to; list in @there the moved ones with their counts. */
static unsigned int vectors_move(struct vector *there, int to)
{
	struct vector v[VECTORS], after[VECTORS];
	unsigned int i, n, all, good = 0;
	const struct vector *now;
	bool done[VECTORS];

	n = vectors(v);
	for (i = 0; i < n; i++)
		done[i] = vector_move(v[i].irq, to ? CPU1 : CPU0);
	all = vectors(after);
	for (i = 0; i < n; i++) {
		now = vector_of(v[i].irq, after, all);
		if (done[i] && now)
			there[good++] = *now;
	}
	return good;
}

/*
 * Count the vectors that have interrupted CPU @to since @was. @stray: vectors that interrupted the
 * old CPU often, and not CPU @to. Vectors without interrupts, or that are gone, count in neither.
 */
static unsigned int vectors_arrived(const struct vector *was, unsigned int n, int to,
				    unsigned int *stray)
{
	unsigned int i, all, good = 0;
	struct vector v[VECTORS];
	const struct vector *now;

	*stray = 0;
	all = vectors(v);
	for (i = 0; i < n; i++) {
		now = vector_of(was[i].irq, v, all);
		if (!now || now->on[0] < was[i].on[0] || now->on[1] < was[i].on[1] ||
		    !vector_stays(was[i].irq, to ? CPU1 : CPU0))
			continue;
		if (now->on[to] > was[i].on[to])
			good++;
		else if (now->on[!to] - was[i].on[!to] > STRAY)
			*stray += 1;
	}
	return good;
}

/* Move vectors until one has interrupted its new CPU: channels may close before that. */
static bool affinity_once(unsigned int loop)
{
	unsigned int n = 0, came = 0, stray = 0;
	struct vector there[VECTORS];
	int to = !(loop % 2);

	while (!came && !stray && traffic_well()) {
		TRAFFIC_UNTIL((n = vectors_move(there, to)));
		moved += n;
		if (!traffic_goes(GOES))
			break;
		came = vectors_arrived(there, n, to, &stray);
	}
	arrived += came;
	if (stray)
		printf("# %u of %u vectors still interrupt the old CPU\n", stray, n);
	return came && !stray;
}

static void affinity_end(void)
{
	ok(moved && arrived, "affinity: %lu moves of a vector, after %lu of them it interrupted the new CPU",
	   moved, arrived);
}

static const struct storm storms[] = {
	{ .name = "hotplug", .once = hotplug_once, .end = hotplug_end },
	{ .name = "affinity", .once = affinity_once, .end = affinity_end },
	{ .name = NULL }
};

int main(int argc, char **argv)
{
	return storm_main(storms, argc, argv);
}
