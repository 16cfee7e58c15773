// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * storm_sleep.c - the system goes to sleep and comes back, over and over, under
 * traffic, as far as one of the kernel's own tests of that goes: behind that is only
 * the wait for an interrupt. Channels end before, and can be opened again afterwards.
 *
 * usage: storm_sleep freezer|devices|platform LOOPS
 */
#define _GNU_SOURCE
#include "storm.h"

static const char *level;	/* how far it goes */

/* For its user a channel from before is as one of a card that was removed. */
static bool chan_ended(int fd)
{
	struct nfp_chan_signal s = { .size = sizeof(s) };
	uint64_t count;
	bool good;

	good = read(fd, &count, sizeof(count)) < 0 && errno == ENODEV;
	good &= ioctl(fd, NFP_CHAN_IOC_SIGNAL, &s) < 0 && errno == ENODEV;
	good &= events_of(fd, POLLIN, 0) & POLLHUP && events_of(fd, POLLIN, 0) & POLLERR;
	if (!good)
		printf("# a channel has outlived the sleep\n");
	return good;
}

static void sleep_now(unsigned int loop)
{
	if (!loop) {
		file_put("/sys/module/suspend/parameters/pm_test_delay", "0");
		file_put("/sys/power/pm_test", level);
	}
	file_put("/sys/power/state", "freeze");
}

static bool sleep_once(unsigned int loop)
{
	int watch = node_watch(), dev = card_open(O_RDWR), fd;
	bool good;

	/* None that a lane receives from */
	fd = chan_must(dev, "once", NFP_CHAN_OPEN_NONBLOCK);
	sleep_now(loop);
	good = chan_ended(fd);
	close(fd);
	close(dev);
	node_await(watch);
	close(watch);
	return good;
}

static const struct storm storms[] = {
	{ .name = "freezer", .once = sleep_once },
	{ .name = "devices", .once = sleep_once },
	{ .name = "platform", .once = sleep_once },
	{ .name = NULL }
};

int main(int argc, char **argv)
{
	if (argc == 3) {
		level = argv[1];
		return storm_main(storms, argv[1], argv[2]);
	}
	fprintf(stderr, "usage: storm_sleep freezer|devices|platform LOOPS\n");
	return 2;
}
