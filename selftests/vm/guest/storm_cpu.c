// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * storm_cpu.c - a CPU goes offline and comes back, interrupts move from one CPU to
 * another, over and over, while their vectors are in use.
 *
 * usage: storm_cpu hotplug|affinity LOOPS
 */
#define _GNU_SOURCE
#include "storm.h"

#define VECTORS	64
#define CPU0	"1"
#define CPU1	"2"	/* the one that goes */
#define CPU1_BIT	2

static unsigned long moved, were_there;

/*
 * The numbers of the pipes' vectors that there are; any may be gone a moment later. The
 * mailbox's always is there.
 */
static unsigned int vectors(int *irq)
{
	FILE *f = fopen("/proc/interrupts", "r");
	char line[512];
	unsigned int n = 0;

	if (!f)
		die("/proc/interrupts");
	while (n < VECTORS && fgets(line, sizeof(line), f))
		if (strstr(line, "nfp_chan0-") && !strstr(line, "-mailbox"))
			irq[n++] = atoi(line);
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
	unsigned int i, all, n = 0;
	int irq[VECTORS];

	all = vectors(irq);
	for (i = 0; i < all; i++) {
		if (vector_on_cpu1(irq[i]))
			there[n++] = irq[i];
		vector_move(irq[i], CPU1);
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

static bool affinity_once(unsigned int loop)
{
	unsigned long before = moved;
	int irq[VECTORS];
	unsigned int i, n = 0;

	TRAFFIC_UNTIL((n = vectors(irq)));
	for (i = 0; i < n; i++)
		moved += vector_move(irq[i], loop % 2 ? CPU0 : CPU1);
	return moved > before;
}

static void affinity_end(void)
{
	ok(moved, "affinity: %lu times a vector was moved", moved);
}

static const struct storm storms[] = {
	{ .name = "hotplug", .once = hotplug_once, .end = hotplug_end },
	{ .name = "affinity", .once = affinity_once, .end = affinity_end },
	{ .name = NULL }
};

int main(int argc, char **argv)
{
	if (argc == 3)
		return storm_main(storms, argv[1], argv[2]);
	fprintf(stderr, "usage: storm_cpu hotplug|affinity LOOPS\n");
	return 2;
}
