// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * glue_ends.c - the card drives two accelerators. During the traffic, the process that has set
 * them up ends, or a device or the card is removed.
 *
 * usage: glue_ends killed | removed | closed-first | closed-last | detached
 */
#define _GNU_SOURCE
#include "calls.h"
#include "glue_chain.h"
#include "pinned.h"

#define BAD_IMAGE	50	/* see is_bad() */

struct kill {
	atomic_uint running;
};

/* Send images until the process is killed, and wait for none of them. */
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

/*
 * Each message that the card took was passed on or counted as dropped. One more may wait for a
 * receiver.
 */
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
	ok(WIFSIGNALED(reap(pid)), "the process is killed");
	nothing_left(&before, "a process that was killed");
	is(pinned() - pages, 0, "pages that stay pinned");
	ok(accounted("dev0-in", "dev0-out") && accounted("dev1-in", "dev1-out"),
	   "no message is lost uncounted");
}

/*
 * Receive messages that an earlier chain has left in the card: an ME process may hold one, and
 * sends it when its channel is open again. First send a bad image, which the card returns after
 * all messages that waited before the link. Then send a good image, which comes after all
 * messages that waited after the link. The second device has just started, so the number of that
 * job is one more than the link's count of messages.
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

/*
 * Remove the device in another program, which has no fd of the device and no mapping of its
 * registers.
 */
static void remove_it(void *arg)
{
	char path[128];

	snprintf(path, sizeof(path), "echo 1 >/sys/bus/pci/devices/%s/remove", (const char *)arg);
	execl("/bin/sh", "sh", "-c", path, NULL);
	_exit(1);
}

/* Receive the classes of images @i to @end - 1. Returns how many are right. */
static unsigned int classes(struct chain *c, unsigned int i, unsigned int end)
{
	unsigned int good = 0;

	for (; i < end; i++)
		good += class_is(c->out1, i);
	return good;
}

/*
 * The second device is removed with jobs under way: it was stopped, so that it does not do them.
 * Further messages wait in its channel while the first device works. Then the second device comes
 * back.
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
	/* With vfio-pci the removal waits until the device is closed. */
	pid = spawn(remove_it, c.classifier.pci->slot);
	ok(UNTIL(nfpchan_device_close(c.in1) == -ENOENT), "the card no longer uses the device");
	ok(UNTIL(counters("dev1-out").dropped - dropped == 6), "the six jobs are counted as dropped");
	for (unsigned int i = 20; i < 30; i++)
		image_send(c.in0, i);
	c.g1.doorbell = NULL;
	pci_user_close(c.classifier.pci);
	is(WEXITSTATUS(reap(pid)), 0, "the device is removed");
	file_put("/sys/bus/pci/rescan", "1");
	if (accel_open(&c.classifier, ACCEL_DEVICE_CLASSIFY, 0) || !attach1(&c))
		die("the device again");
	is(classes(&c, 20, 30), 10, "classes of the messages that waited");
	ok(accounted("dev0-in", "dev0-out") && accounted("dev1-in", "dev1-out"),
	   "no message is lost uncounted");
	chain_close(&c);
}

/*
 * Close the channels with jobs under way. @last: close the first device's input last instead of
 * first.
 */
static void closed(bool last)
{
	struct chain c;
	long pages;

	devices_open(&c);
	pages = pinned();
	channels_open(&c);
	for (unsigned int i = 0; i < 12; i++)
		image_send(c.in0, i);
	/*
	 * With an IOMMU, unmap the doorbells first: the close must work whether they are mapped
	 * or not.
	 */
	if (pci_user_iommu() && (munmap((void *)c.g0.doorbell, c.g0.doorbell_size) ||
				 munmap((void *)c.g1.doorbell, c.g1.doorbell_size)))
		die("munmap");
	if (!last)
		nfpchan_close(c.in0);
	nfpchan_close(c.in1);
	nfpchan_close(c.out0);
	if (last)
		nfpchan_close(c.in0);
	/* VFIO keeps its own pages pinned until the device is closed. */
	is(pinned() - pages, pci_user_iommu() ? 2 * ACCEL_GLUE_MEM / 4096 : 0,
	   "pages that are pinned after the close of the channels");
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

/*
 * nfp is unbound, which ends the channels. The memory then belongs to the process alone, and the
 * process opens new channels when nfp is bound again.
 */
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
