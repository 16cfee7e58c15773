// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * storm_sleep.c - the system goes to sleep and wakes again and again, under traffic: up to the
 * point of one of the kernel's own tests (pm_test), or (idle) to suspend-to-idle, from which the
 * interrupt of ttyS1 wakes it (scripts/vm --wake). Channels end before the sleep, and can be
 * opened again after it.
 *
 * usage: storm_sleep freezer|devices|platform|idle LOOPS
 */
#define _GNU_SOURCE
#include <termios.h>
#include "lib/storm.h"

#define WAKER	"ttyS1"
#define WAKEUP	"/sys/class/tty/" WAKER "/power/wakeup"
#define STATE	"/sys/power/state"
#define TRIES	20	/* attempts to sleep, of which one must not be woken early */

static const char *level;	/* of pm_test */
static unsigned int slept, early;	/* attempts that reached the level, and those that did not */
static struct waker {
	int fd, irq;
} waker = { .fd = -1 };

/* Check that a channel from before the sleep behaves as one whose card was removed. */
static bool chan_ended(int fd)
{
	uint64_t count;
	bool good;

	good = read(fd, &count, sizeof(count)) < 0 && errno == ENODEV;
	good &= ioctl(fd, NFP_CHAN_IOC_SIGNAL, ARG(signal)) < 0 && errno == ENODEV;
	good &= events_of(fd, POLLIN, 0) & POLLHUP && events_of(fd, POLLIN, 0) & POLLERR;
	if (!good)
		printf("# a channel has outlived the sleep\n");
	return good;
}

/* Sleep by @sleep, which returns whether it succeeded, and check a channel from before. */
static bool sleep_by(bool (*sleep)(void))
{
	int watch = node_watch(), dev = card_open(O_RDWR), fd;
	bool good;

	/* A channel from which no worker receives */
	fd = chan_must(dev, "once", NFP_CHAN_OPEN_NONBLOCK);
	good = sleep() && chan_ended(fd);
	close(fd);
	close(dev);
	node_await(watch);
	close(watch);
	return good;
}

/* Try to sleep by @sleep until an attempt was not ended early. */
static bool sleep_once(bool (*sleep)(void))
{
	unsigned int was = early, before = slept, tries;
	bool good = false;

	for (tries = 0; tries < TRIES && slept == before; tries++)
		good = sleep_by(sleep);
	if (slept == before)
		printf("# early %u times in a row\n", early - was);
	return good;
}

/*
 * Suspend. Return false if the kernel has given up with EBUSY: a wakeup event came while tasks or
 * devices were being stopped, or a task did not stop within the kernel's 20 s.
 */
static bool suspend(void)
{
	int fd = open(STATE, O_WRONLY | O_CLOEXEC);
	bool asleep;

	if (fd < 0)
		die(STATE);
	asleep = write(fd, "freeze", 6) == 6;
	if (!asleep && errno != EBUSY)
		die(STATE);
	close(fd);
	return asleep;
}

/* ---- the kernel's tests ---- */

static bool test_sleep(void)
{
	if (!suspend()) {
		early++;
		return false;
	}
	slept++;
	return true;
}

static bool test_once(unsigned int loop)
{
	if (!loop) {
		file_put("/sys/module/suspend/parameters/pm_test_delay", "0");
		file_put("/sys/power/pm_test", level);
	}
	return sleep_once(test_sleep);
}

static void test_end(void)
{
	printf("# %s: %u times; early: %u\n", level, slept, early);
}

/* ---- suspend-to-idle ---- */

/* Return the number of the interrupt that a driver has requested by this name, or -1. */
static int irq_of(const char *name)
{
	FILE *f = fopen("/proc/interrupts", "r");
	char line[512], *last;
	int irq = -1;

	if (!f)
		die("/proc/interrupts");
	while (irq < 0 && fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = 0;
		last = strrchr(line, ' ');
		if (last && !strcmp(last + 1, name))
			irq = atoi(line);
	}
	fclose(f);
	return irq;
}

/* Open the serial port; the kernel requests its interrupt until this process exits. */
static void waker_open(void)
{
	struct termios t;

	waker.fd = open("/dev/" WAKER, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	if (waker.fd < 0 || tcgetattr(waker.fd, &t))
		die("/dev/" WAKER);
	/* Raw mode: the port must not echo. */
	cfmakeraw(&t);
	if (tcsetattr(waker.fd, TCSANOW, &t))
		die("/dev/" WAKER);
	waker.irq = irq_of(WAKER);
	if (waker.irq < 0)
		die("interrupt of " WAKER);
	file_put(WAKEUP, "enabled");
	file_put("/sys/power/pm_test", "none");
}

/*
 * Suspend to idle. A byte that comes while devices are being suspended aborts the attempt, and so
 * does any other wakeup event, which has no interrupt number.
 */
static bool idle_sleep(void)
{
	char text[32];

	/* Bytes that came while awake would fill the port, which then raises no interrupt. */
	if (tcflush(waker.fd, TCIFLUSH))
		die("/dev/" WAKER);
	if (!suspend() || !proc_read("/sys/power/pm_wakeup_irq", text, sizeof(text)) || !atoi(text)) {
		early++;
		return false;
	}
	slept++;
	if (atoi(text) == waker.irq)
		return true;
	printf("# woken by interrupt %d, not by the interrupt of " WAKER ", %d\n", atoi(text), waker.irq);
	return false;
}

static bool idle_once(unsigned int loop)
{
	if (!loop)
		waker_open();
	return sleep_once(idle_sleep);
}

static void idle_end(void)
{
	printf("# idle: woken %u times by interrupt %d; early: %u\n", slept, waker.irq, early);
	file_put(WAKEUP, "disabled");
}

static const struct storm storms[] = {
	{ .name = "freezer", .once = test_once, .end = test_end },
	{ .name = "devices", .once = test_once, .end = test_end },
	{ .name = "platform", .once = test_once, .end = test_end },
	{ .name = "idle", .once = idle_once, .end = idle_end },
	{ .name = NULL }
};

int main(int argc, char **argv)
{
	level = argv[1];
	return storm_main(storms, argc, argv);
}
