// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * storm_cpu.c - a CPU goes offline and comes back, interrupts move from one CPU to
 * another, over and over, while their vectors are in use.
 *
 * usage: storm_cpu hotplug|affinity LOOPS
 */
#define _GNU_SOURCE
#include "storm.h"

static bool hotplug_once(unsigned int loop)
{
	bool good;

	(void)loop;
	file_put("/sys/devices/system/cpu/cpu1/online", "0");
	good = traffic_goes(GOES);
	file_put("/sys/devices/system/cpu/cpu1/online", "1");
	return good;
}

static unsigned long moved;

/* All vectors of ours that there are; one may be gone when it is written to. */
static bool affinity_once(unsigned int loop)
{
	FILE *f = fopen("/proc/interrupts", "r");
	char line[512], path[64];
	int fd;

	if (!f)
		die("/proc/interrupts");
	while (fgets(line, sizeof(line), f)) {
		if (!strstr(line, "nfp_chan0-"))
			continue;
		snprintf(path, sizeof(path), "/proc/irq/%d/smp_affinity", atoi(line));
		fd = open(path, O_WRONLY | O_CLOEXEC);
		if (fd < 0)
			continue;
		moved += write(fd, loop % 2 ? "1" : "2", 1) == 1;
		close(fd);
	}
	fclose(f);
	return true;
}

static void affinity_end(void)
{
	printf("# %lu times a vector was moved\n", moved);
}

static const struct storm storms[] = {
	{ .name = "hotplug", .once = hotplug_once },
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
