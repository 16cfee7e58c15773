// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * glue_ends.c - the card drives two accelerators, and in mid-stream something goes: the process
 * that has set them up, a device, the card.
 *
 * usage: glue_ends killed | removed | closed-first | closed-last | detached
 */
#define _GNU_SOURCE
#include "calls.h"
#include "glue_chain.h"
#include "pinned.h"

#define BAD_IMAGE	50	/* is_bad() */

struct kill {
	atomic_uint running;
};

/* Images without end, of which none is waited for. */
static void stream_forever(void *arg)
{
	struct kill *k = arg;
	struct chain c;
	unsigned int n = 0;
	uint8_t buf[4096];

	card_start();
	chain_open(&c);
	for (;;) {
		image_send(c.in0, n++ % DIGITS_MAX);
		while (nfpchan_recv(c.out1, buf, sizeof(buf), 0) > 0)
			atomic_fetch_add(&k->running, 1);
		while (nfpchan_recv(c.bad0, buf, sizeof(buf), 0) > 0)
			;
	}
}

/* All that was taken was given on or counted, but for one that may wait for a receiver. */
static bool accounted(const char *in, const char *out)
{
	struct nfp_chan_query a = counters(in), b = counters(out);

	printf("# %s: %llu, %s: %llu, dropped %llu\n", in, (unsigned long long)a.msgs, out,
	       (unsigned long long)b.msgs, (unsigned long long)b.dropped);
	return b.msgs + b.dropped + 1 >= a.msgs;
}

static void killed(void)
{
	struct kill *k = shared_memory(sizeof(*k));
	struct in_use before = in_use();
	long pages = pinned();
	pid_t pid = spawn(stream_forever, k);

	ok(UNTIL(atomic_load(&k->running) > 100), "a process streams");
	kill(pid, SIGKILL);
	ok(WIFSIGNALED(reap(pid)), "and is killed");
	nothing_left(&before, "a process that was killed");
	is(pinned() - pages, 0, "pages that it has left pinned");
	ok(accounted("dev0-in", "dev0-out") && accounted("dev1-in", "dev1-out"),
	   "no message is lost uncounted");
}

/*
 * A process of the card may hold a message of a chain that was cut off: it sends that when its
 * channel is open again. Take what is left. A tampered image comes to the host behind all that
 * waited in front of the link, and the next good one behind what waited after it: its job has
 * the number that follows those of the link, as the device has just begun.
 */
static void settle(struct chain *c)
{
	struct nfp_chan_link_stat s;
	struct {
		struct accel_done done;
		uint8_t scores[ACCEL_SCORES_LEN];
	} m;

	image_send(c->in0, BAD_IMAGE);
	while (!bad_is(c->bad0, BAD_IMAGE))
		;
	if (nfpchan_link_stats(c->link, &s))
		die("link");
	image_send(c->in0, 0);
	do {
		if (nfpchan_recv(c->out1, &m, sizeof(m), WAIT_NS) < 0)
			die("dev1-out");
	} while (m.done.seq != s.msgs + 1);
}

/* By another program, which has neither the device's descriptor nor its registers. */
static void remove_it(void *arg)
{
	char path[128];

	snprintf(path, sizeof(path), "echo 1 >/sys/bus/pci/devices/%s/remove", (const char *)arg);
	execl("/bin/sh", "sh", "-c", path, NULL);
	_exit(1);
}

/* Of the images from @i to @end, which were sent: those that get their classes. */
static unsigned int classes(struct chain *c, unsigned int i, unsigned int end)
{
	unsigned int good = 0;

	for (; i < end; i++)
		good += class_is(c->out1, i);
	return good;
}

/*
 * The second device goes with jobs under way, which it does not do as it is stopped. Messages
 * wait, the first one works on, and the second comes back.
 */
static void removed(void)
{
	uint64_t dropped, taken;
	struct chain c;
	pid_t pid;

	chain_open(&c);
	settle(&c);
	taken = counters("dev1-in").msgs;
	dropped = counters("dev1-out").dropped;
	for (unsigned int i = 0; i < 10; i++)
		image_send(c.in0, i);
	is(classes(&c, 0, 10), 10, "classes before the second device is removed");
	accel_write(&c.classifier, ACCEL_CONTROL, 0);
	for (unsigned int i = 10; i < 16; i++)
		image_send(c.in0, i);
	ok(UNTIL(counters("dev1-in").msgs - taken == 16), "six jobs are under way");
	/* By vfio-pci this waits until the device is closed. */
	pid = spawn(remove_it, c.classifier.pci->slot);
	ok(UNTIL(nfpchan_device_close(c.in1) == -ENOENT), "the card has left it alone");
	ok(UNTIL(counters("dev1-out").dropped - dropped == 6), "they are counted as dropped");
	for (unsigned int i = 20; i < 30; i++)
		image_send(c.in0, i);
	c.g1.doorbell = NULL;
	pci_user_close(c.classifier.pci);
	is(WEXITSTATUS(reap(pid)), 0, "it is removed");
	file_put("/sys/bus/pci/rescan", "1");
	if (accel_open(&c.classifier, ACCEL_DEVICE_CLASSIFY, 0) || !attach1(&c))
		die("the device again");
	is(classes(&c, 20, 30), 10, "the messages that waited have their classes");
	ok(accounted("dev0-in", "dev0-out") && accounted("dev1-in", "dev1-out"),
	   "no message is lost uncounted");
	chain_close(&c);
}

/* The ends are closed with jobs under way, that of the first device first or last. */
static void closed(bool last)
{
	struct chain c;
	long pages;

	devices_open(&c);
	pages = pinned();
	channels_open(&c);
	for (unsigned int i = 0; i < 12; i++)
		image_send(c.in0, i);
	/* A channel is closed when it is not mapped any more, either. */
	if (pci_user_iommu() && (munmap((void *)c.g0.doorbell, c.g0.doorbell_size) ||
				 munmap((void *)c.g1.doorbell, c.g1.doorbell_size)))
		die("munmap");
	if (!last)
		nfpchan_close(c.in0);
	nfpchan_close(c.in1);
	nfpchan_close(c.out0);
	if (last)
		nfpchan_close(c.in0);
	/* VFIO keeps what it has pinned. */
	is(pinned() - pages, pci_user_iommu() ? 2 * ACCEL_GLUE_MEM / 4096 : 0,
	   "pages that are pinned behind the close of the channels");
	nfpchan_close(c.bad0);
	nfpchan_close(c.out1);
	nfpchan_link_close(c.link);
	ok(accounted("dev0-in", "dev0-out") && accounted("dev1-in", "dev1-out"),
	   "no message is lost uncounted");
}

static void closed_first(void)
{
	closed(false);
}

static void closed_last(void)
{
	closed(true);
}

/* nfp is unbound: the memory is the process' alone, and with nfp come new channels. */
static void detached(void)
{
	struct nfp_chan_info info;
	unsigned int bad;
	struct chain c;
	long pages;

	chain_open(&c);
	for (unsigned int i = 0; i < 12; i++)
		image_send(c.in0, i);
	if (nfpchan_card_info(card, &info))
		die("card");
	pages = pinned();
	file_put("/sys/bus/pci/drivers/nfp/unbind", info.pci);
	is(pages - pinned(), 2 * ACCEL_GLUE_MEM / 4096, "pages that are pinned no more");
	is(nfpchan_device_close(c.in0), -ENODEV, "a device of a card that is gone");
	channels_close(&c);
	file_put("/sys/bus/pci/drivers/nfp/bind", info.pci);
	nfpchan_card_close(card);
	card_start();
	channels_open(&c);
	settle(&c);
	is(images_run(&c, &bad), DIGITS_MAX - BAD, "images get their classes when it is back");
	chain_close(&c);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} all[] = {
		{ "killed", killed },
		{ "removed", removed },
		{ "closed-first", closed_first },
		{ "closed-last", closed_last },
		{ "detached", detached },
	};
	unsigned int i = 0;

	while (argc != 2 || strcmp(argv[1], all[i].name))
		if (argc != 2 || ++i == sizeof(all) / sizeof(all[0]))
			die("usage: glue_ends killed | removed | closed-first | closed-last | detached");
	images_start();
	all[i].run();
	return tap_done();
}
