// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * storm_cpu.c - a CPU goes offline and comes back, interrupts move from one CPU to
 * another, over and over, while their vectors are in use.
 *
 * usage: storm_cpu hotplug|affinity LOOPS
 */
#define _GNU_SOURCE
#include "lib/storm.h"

#define VECTORS	64
#define CPU0	"1"
#define CPU1	"2"	/* the one that goes */
#define CPU1_BIT	2
#define STRAY	8	/* interrupts where a vector was, before its move is done: one is due */

/* A pipe's vector, and its interrupts on each of the CPUs */
struct vector {
	int irq;
	unsigned long on[2];
};

static unsigned long moved, arrived, were_there;

/*
 * The pipes' vectors that there are; any may be gone a moment later. The mailbox's always
 * is there.
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

/* Where its interrupts go; a move is done with the next one only. */
static bool vector_on_cpu1(int irq)
{
	char path[64], text[64];

	snprintf(path, sizeof(path), "/proc/irq/%d/effective_affinity", irq);
	return proc_read(path, text, sizeof(text)) && strtoul(text, NULL, 16) & CPU1_BIT;
}

/* Send all to the CPU that is to go: those that are there. */
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
		printf("# interrupt %d goes to a CPU that is off\n", there[i]);
		good = false;
	}
	file_put("/sys/devices/system/cpu/cpu1/online", "1");
	return good;
}

static void hotplug_end(void)
{
	ok(were_there, "hotplug: %lu vectors were on the CPU that went", were_there);
}

/* Is it the one that was moved there? One that has its number by now may go anywhere. */
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

/* Have all go to CPU @to: those that could be moved, and what they had by then. */
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
 * How many of them have had an interrupt on CPU @to since. @stray: those that had many on
 * the other one, and none there. Who has had none, or is gone, is neither.
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

/* Until one has arrived: a generation of channels may end before that. */
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
		printf("# %u of %u vectors interrupt the CPU they were on\n", stray, n);
	return came && !stray;
}

static void affinity_end(void)
{
	ok(moved && arrived, "affinity: %lu times a vector was moved, %lu have interrupted there",
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
