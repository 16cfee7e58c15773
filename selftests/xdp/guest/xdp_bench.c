// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * xdp_bench.c - measure the host's cost of an offloaded program's events: guest side of
 * selftests/bench/xdp_events.
 *
 * usage: xdp_bench stock|channel DEV [USECS]
 *
 * DEV is down, and frames wait at its wire. Program hook of selftests/xdp/programs sends an event
 * for each, of 64 bytes that begin with the frame's number. DEV is set up, until no more
 * frames arrive. The program prints two lines, "begin" and "end {...}". After each it
 * waits for a line on standard input: in the meantime the caller reads the
 * card's counters. The channel's interrupts are delayed by USECS (default 0).
 */
#include <ctype.h>
#include <linux/perf_event.h>
#include <sys/resource.h>
#include "clock.h"
#include "ethtool.h"
#include "xdp_rig.h"

#define EVENT_LEN	64
#define QUIET_MS	300	/* the run ends after twice this time without events */
#define BATCH		64	/* messages borrowed at a time */
#define PAGES		256	/* pages of the perf ring: as large as the channel's ring */

static uint64_t received, disorder, expected, last_ns;
static const char *dev_name;

/* The bytes of an event that the program writes */
static void take(const uint8_t *data)
{
	uint32_t nr;

	memcpy(&nr, data, sizeof(nr));
	disorder += nr < expected;
	expected = nr + 1;
	received++;
}

/* ---- counters of the guest ---- */

/* Count the card's interrupts: of channels, of the control vNIC, of the ports. */
static uint64_t interrupts(void)
{
	uint64_t sum = 0;
	char line[1024];
	FILE *f = fopen("/proc/interrupts", "r");

	while (f && fgets(line, sizeof(line), f)) {
		char *p = strchr(line, ':');

		if (!p || !(strstr(line, "nfp_chan") || strstr(line, "ctrl-") ||
			    strstr(line, "eth0-") || strstr(line, "eth1-")))
			continue;
		for (p++; *p; ) {
			while (*p == ' ')
				p++;
			if (!isdigit(*p))
				break;
			sum += strtoull(p, &p, 10);
		}
	}
	fclose(f);
	return sum;
}

/* Make the kernel count the system calls of this process. */
static int syscalls_open(void)
{
	struct perf_event_attr a = { .type = PERF_TYPE_TRACEPOINT, .size = sizeof(a) };
	char id[32];

	if (!proc_read("/sys/kernel/tracing/events/raw_syscalls/sys_enter/id", id, sizeof(id)))
		die("raw_syscalls");
	a.config = strtoull(id, NULL, 10);
	return syscall(SYS_perf_event_open, &a, 0, -1, -1, 0);
}

static uint64_t syscalls_read(int fd)
{
	uint64_t n = 0;

	if (read(fd, &n, sizeof(n)) != sizeof(n))
		die("perf_event_open");
	return n;
}

/* ---- receive from a perf ring, or from a channel ---- */

static void on_sample(void *ctx, int cpu, void *data, uint32_t len)
{
	(void)ctx;
	(void)cpu;
	if (len >= EVENT_LEN)
		take(data);
}

/* Return true when an event has arrived. */
static bool stock_poll(void *arg)
{
	return perf_buffer__poll(arg, QUIET_MS) > 0;
}

static bool channel_poll(void *arg)
{
	int64_t timeout = QUIET_MS * 1000000ll;
	unsigned int n;
	const void *msg;
	ssize_t len;

	for (n = 0; n < BATCH; n++) {
		len = nfpchan_borrow(arg, &msg, n ? NFPCHAN_NONBLOCK : timeout);
		if (len < (ssize_t)(HEAD + EVENT_LEN))
			break;
		take((const uint8_t *)msg + HEAD);
	}
	if (n)
		nfpchan_release(arg, n);
	return n;
}

/* ---- the run ---- */

static void tell(const char *text)
{
	char line[16];

	printf("%s\n", text);
	fflush(stdout);
	if (!fgets(line, sizeof(line), stdin))
		die("standard input");
}

static void link_up(void)
{
	struct ifreq r = { .ifr_flags = IFF_UP | IFF_PROMISC };
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	strncpy(r.ifr_name, dev_name, sizeof(r.ifr_name) - 1);
	if (fd < 0 || ioctl(fd, SIOCSIFFLAGS, &r))
		die("SIOCSIFFLAGS");
	close(fd);
}

static void run(bool (*poll_fn)(void *), void *arg)
{
	struct rusage use[2];
	int calls = syscalls_open();
	uint64_t irqs, begin, sys, frames = 0, before;
	char text[512];

	if (calls < 0)
		die("perf_event_open");
	tell("begin");
	getrusage(RUSAGE_SELF, &use[0]);
	irqs = interrupts();
	sys = syscalls_read(calls);
	link_up();
	while (!received && !poll_fn(arg))
		;
	begin = now_ns();
	do {
		while (poll_fn(arg))
			last_ns = now_ns();
		before = frames;
		frames = counter(dev_name, "bpf_app1_pkts");	/* the program drops each */
	} while (frames != before);
	irqs = interrupts() - irqs;
	sys = syscalls_read(calls) - sys;
	getrusage(RUSAGE_SELF, &use[1]);
	snprintf(text, sizeof(text),
		 "end {\"frames\": %lu, \"events\": %lu, \"disorder\": %lu, \"seconds\": %.3f, "
		 "\"syscalls\": %lu, \"interrupts\": %lu, "
		 "\"switches\": %ld}", frames, received, disorder,
		 (last_ns - begin) / 1e9, sys, irqs,
		 use[1].ru_nvcsw - use[0].ru_nvcsw);
	tell(text);
}

int main(int argc, char **argv)
{
	struct perf_buffer *pb = NULL;
	struct nfpchan_opts o = { .size = sizeof(o), .spin_us = NO_SPIN };
	struct nfpchan *ch, *flows;
	struct rig rig;
	int dev;

	if (argc != 3 && argc != 4)
		return 2;
	dev_name = argv[2];
	dev = if_nametoindex(dev_name);
	card_start();
	alarm(0);
	/* The frames arrive when the flow meter has a receiver. The meter sees none of them. */
	flows = chan_start("flows", NO_SPIN);
	rig_load(&rig, dev);
	rig_attach(&rig, dev);
	if (!strcmp(argv[1], "stock")) {
		pb = perf_buffer__new(rig.map[0], PAGES, on_sample, NULL, NULL, NULL);
		if (!pb)
			die("perf_buffer__new");
		run(stock_poll, pb);
		perf_buffer__free(pb);
	} else {
		/* Like the reader of the perf ring, sleep as soon as the ring is empty. */
		o.irq_usecs = argc > 3 ? strtoul(argv[3], NULL, 10) : 0;
		if (nfpchan_open(&ch, card, "xdp0", &o))
			give_up("xdp0", "not opened");
		if (nfpchan_xdp_bind(ch, rig.prog, rig.map[0]))
			give_up("xdp0", "not bound");
		run(channel_poll, ch);
		nfpchan_close(ch);
	}
	rig_detach(dev);
	nfpchan_close(flows);
	return 0;
}
