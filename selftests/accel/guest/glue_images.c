// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * glue_images.c - the card drives two accelerators: encrypted images are decrypted by the
 * first, classified by the second, and their classes come to the host. The CPU rings neither.
 * What is refused; a process that is killed and a device that is removed in mid-stream.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include "chan_test.h"
#include "accel_glue.h"
#include "../digits.h"

#define STREAM	9
#define NONCE	ACCEL_NONCE_LEN
#define SEALED	(NONCE + 64 + ACCEL_TAG_LEN)
#define DONE	((uint32_t)sizeof(struct accel_done))
#define SLOTS	16
#define PAGE	4096u
#define BAD	5	/* images that were tampered with: every ninety-ninth, from 50 on */

static const uint8_t key[16] = "a stream's key.";
static struct digit digits[DIGITS_MAX];
static uint8_t (*sealed)[SEALED];	/* shared by the processes */

/* Both accelerators with their channels. */
struct chain {
	struct accel_user aes, classifier;
	struct accel_glue g0, g1;
	struct nfpchan *in0, *out0, *bad0, *in1, *out1;
	struct nfpchan_link *link;
};

static void devices_open(struct chain *c)
{
	if (accel_open(&c->aes, ACCEL_DEVICE_AES_GCM, 0) ||
	    accel_open(&c->classifier, ACCEL_DEVICE_CLASSIFY, 0))
		die("accelerators");
	accel_key(&c->aes, STREAM, key);
}

/* Images as they would arrive, sealed by the same engine. */
static void images_seal(void)
{
	const struct accel_done *done;
	struct chain c;
	uint8_t *mem;
	uint64_t dma;

	devices_open(&c);
	mem = pci_user_alloc(4096, &dma);
	if (!mem || accel_start(&c.aes, 4, 0))
		die("sealing");
	for (unsigned int i = 0; i < DIGITS_MAX; i++) {
		memset(mem, 0, NONCE);
		memcpy(mem, &i, sizeof(i));
		memcpy(mem + NONCE, digits[i].pixel, 64);
		*accel_slot(&c.aes) = (struct accel_desc){
			.src = dma, .len = NONCE + 64, .dst = dma + 512, .room = SEALED,
			.stream = STREAM, .flags = ACCEL_SEAL,
		};
		accel_doorbell(&c.aes, 1);
		done = accel_wait(&c.aes, (unsigned int)WAIT_MS);
		if (!done || done->status != ACCEL_OK)
			die("an image");
		memcpy(sealed[i], mem + 512, SEALED);
	}
	accel_close(&c.aes);
	accel_close(&c.classifier);
	_exit(0);
}

static bool attach0(struct chain *c)
{
	return !accel_glue_open(&c->g0, &c->aes, c->in0,
				&(struct accel_glue_opts){ .slots = SLOTS, .stream = STREAM });
}

/* Its input is the image behind completion and nonce. */
static bool attach1(struct chain *c)
{
	return !accel_glue_open(&c->g1, &c->classifier, c->in1,
				&(struct accel_glue_opts){ .slots = SLOTS, .skip = DONE + NONCE });
}

/* What the first makes of a message is the second's input, if it made something of it. */
static void chain_open(struct chain *c)
{
	struct nfpchan_link_opts good = {
		.size = sizeof(good), .match_len = 4,
		.match_off = offsetof(struct accel_done, status),
		.match_value = { ACCEL_OK }, .match_mask = { 0xff, 0xff, 0xff, 0xff },
	};
	char why[256];

	devices_open(c);
	c->in0 = chan_start("dev0-in", 0);
	c->out0 = chan_start("dev0-out", NO_SPIN);
	c->bad0 = chan_start("dev0-out", SPIN_LONG);
	c->in1 = chan_start("dev1-in", 0);
	c->out1 = chan_start("dev1-out", SPIN_LONG);
	if (nfpchan_link_open(&c->link, c->out0, c->in1, &good))
		give_up("link", nfpchan_error(c->out0, why, sizeof(why)));
	if (!attach0(c) || !attach1(c))
		die("devices");
}

static void chain_close(struct chain *c)
{
	accel_glue_close(&c->g0);
	accel_glue_close(&c->g1);
	nfpchan_link_close(c->link);
	nfpchan_close(c->in0);
	nfpchan_close(c->out0);
	nfpchan_close(c->bad0);
	nfpchan_close(c->in1);
	nfpchan_close(c->out1);
	accel_close(&c->aes);
	accel_close(&c->classifier);
}

/* ---- images ---- */

static bool is_bad(unsigned int i)
{
	return i % 99 == 50;
}

static void image_send(struct nfpchan *ch, unsigned int i)
{
	uint8_t msg[SEALED];
	char why[256];

	memcpy(msg, sealed[i], SEALED);
	if (is_bad(i))
		msg[NONCE + i % 64] ^= 1;
	if (nfpchan_send(ch, msg, SEALED, WAIT_NS))
		give_up("image", nfpchan_error(ch, why, sizeof(why)));
}

/* The next class: whether it is that of @i. */
static bool class_is(struct nfpchan *ch, unsigned int i)
{
	struct {
		struct accel_done done;
		uint8_t scores[ACCEL_SCORES_LEN];
	} m;
	ssize_t n = nfpchan_recv(ch, &m, sizeof(m), WAIT_NS);

	return n == sizeof(m) && m.done.status == ACCEL_OK && m.done.len == ACCEL_SCORES_LEN &&
	       m.done.result == digits[i].class;
}

/* The next image that was tampered with, as it came. */
static bool bad_is(struct nfpchan *ch, unsigned int i)
{
	struct {
		struct accel_done done;
		uint8_t image[SEALED];
	} m;
	ssize_t n = nfpchan_recv(ch, &m, sizeof(m), WAIT_NS);

	if (n != sizeof(m) || m.done.status != ACCEL_BAD_TAG)
		return false;
	m.image[NONCE + i % 64] ^= 1;
	return !memcmp(m.image, sealed[i], SEALED);
}

/* All images, and how many of them are as they should be; of the bad ones, of which list. */
static unsigned int images_run(struct chain *c, unsigned int *bad)
{
	unsigned int sent = 0, good = 0;

	*bad = 0;
	for (unsigned int i = 0; i < DIGITS_MAX; i++) {
		/* Some are under way: as many as the first channel has room for. */
		for (; sent < DIGITS_MAX && sent < i + 12; sent++)
			image_send(c->in0, sent);
		if (is_bad(i))
			*bad += bad_is(c->bad0, i);
		else
			good += class_is(c->out1, i);
	}
	return good;
}

/* What both accelerators say that they have counted. */
static long count(struct chain *c, uint32_t reg)
{
	return (long)accel_read(&c->aes, reg) + accel_read(&c->classifier, reg);
}

static long link_msgs(struct chain *c)
{
	struct nfp_chan_link_stat s;

	if (nfpchan_link_stats(c->link, &s))
		die("link");
	return (long)s.msgs;
}

static void images(struct chain *c)
{
	uint64_t irqs = counters("dev0-in").irqs + counters("dev0-out").irqs;
	long bells = count(c, ACCEL_DOORBELLS), interrupts = count(c, ACCEL_INTERRUPTS);
	long notified = count(c, ACCEL_NOTIFIED), jobs = 2 * DIGITS_MAX - BAD;
	long carried = link_msgs(c);
	unsigned int bad;

	is(images_run(c, &bad), DIGITS_MAX - BAD, "images get the class that NumPy says, in order");
	is(bad, BAD, "those that were tampered with come to the host as they were");
	is(count(c, ACCEL_DOORBELLS) - bells, jobs, "doorbells, one for each job");
	is(c->aes.doorbells + c->classifier.doorbells, 0, "of them by the CPU");
	is(count(c, ACCEL_NOTIFIED) - notified, jobs, "notifications of the card");
	is(count(c, ACCEL_INTERRUPTS) - interrupts, 0, "interrupts of the accelerators");
	is(counters("dev0-in").irqs + counters("dev0-out").irqs - irqs, 0, "interrupts of the card");
	is(count(c, ACCEL_OVERRUNS), 0, "doorbells without room");
	is(link_msgs(c) - carried, DIGITS_MAX - BAD, "messages from the first to the second, within the card");
}

/* ---- what is refused ---- */

static struct nfp_chan_device request(struct chain *c)
{
	struct nfp_chan_device d = {
		.size = sizeof(d), .mem = (uintptr_t)c->aes.glue, .dev_addr = c->aes.glue_dma,
		.mem_size = 1u << 20, .bell_off = ACCEL_DOORBELL, .in_size = 2048, .out_size = 1024,
		.slots = SLOTS, .dst_at = 8, .len_at = 16, .room_at = 20, .done_at = 48,
		.done_len = 16, .status_at = 8, .seq_at = 12, .status_ok = ACCEL_OK,
	};
	unsigned int domain, bus, dev, fn;

	if (sscanf(c->aes.pci->slot, "%x:%x:%x.%x", &domain, &bus, &dev, &fn) != 4)
		die("slot");
	d.domain = domain;
	d.bus = (uint8_t)bus;
	d.devfn = (uint8_t)(dev << 3 | fn);
	return d;
}

static int ask(struct nfpchan *ch, const struct nfp_chan_device *d)
{
	return ioctl(nfpchan_fd(ch), NFP_CHAN_IOC_DEVICE, d);
}

#define REFUSED(want, what, ...) do {						\
	d = request(c);								\
	__VA_ARGS__;								\
	fails(ask(c->in0, &d), want, what);					\
} while (0)

/* As another user, with fds of root's. */
static void as_nobody(void *arg)
{
	struct chain *c = arg;
	struct nfp_chan_device d = request(c);

	if (setgid(65534) || setuid(65534))
		die("setuid");
	_exit(ask(c->in0, &d) && errno == EPERM ? 0 : 1);
}

/* Three pages, of which the last is the first once more: never one piece. */
static void *in_pieces(void)
{
	int fd = memfd_create("pieces", MFD_CLOEXEC);
	char *mem = ftruncate(fd, 2 * PAGE) ? MAP_FAILED :
		    mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (mem == MAP_FAILED || mmap(mem + 2 * PAGE, PAGE, PROT_READ | PROT_WRITE,
				      MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED)
		die("memory in pieces");
	close(fd);
	return mem;
}

static void refusals(struct chain *c)
{
	void *pieces = in_pieces();
	struct nfpchan *echo = chan_start("echo-in", 0);
	struct nfp_chan_device d = request(c);
	char why[256];
	int card_bus;

	fails(ask(c->in0, &d), EBUSY, "a second device");
	is(nfpchan_device_close(c->in0), 0, "the first is taken back");
	is(nfpchan_device_close(c->in0), -ENOENT, "which it cannot be twice");
	is(WEXITSTATUS(reap(spawn(as_nobody, c))), 0, "no device without CAP_SYS_RAWIO");
	fails(ask(echo, &d), EOPNOTSUPP, "a process that drives none");
	fails(ask(c->out0, &d), EINVAL, "a channel to the host");
	REFUSED(EINVAL, "a flag", d.flags = 1);
	REFUSED(EINVAL, "a reserved field", d.rsvd[2] = 1);
	REFUSED(EINVAL, "another reserved field", d.rsvd1 = 1);
	REFUSED(E2BIG, "a later version", d.size = 4096);
	REFUSED(EINVAL, "an earlier one", d.size = 128);
	REFUSED(EINVAL, "memory within a page", d.mem += 64);
	REFUSED(EFAULT, "memory that is not there", d.mem = 4096);
	REFUSED(EINVAL, "too much memory", d.mem_size = NFP_CHAN_DEVICE_MEM_MAX + 1);
	REFUSED(EINVAL, "too little", d.mem_size = 16 * (64 + 2048 + 1024) - 1);
	REFUSED(EINVAL, "a doorbell that is not aligned", d.bell_off += 2);
	REFUSED(EINVAL, "one behind the BAR", d.bell_off = c->aes.pci->bar_size);
	REFUSED(EINVAL, "one far behind it", d.bell_off = -4ull);
	REFUSED(EINVAL, "a BAR that there is not", d.bar = 3);
	REFUSED(EINVAL, "a BAR that no device has", d.bar = 6);
	REFUSED(ENXIO, "no such device", d.devfn ^= 0xf8);
	REFUSED(ENXIO, "no such domain", d.domain = 0x1234);
	REFUSED(EINVAL, "fields that overlap", d.dst_at = 4);
	REFUSED(EINVAL, "three slots", d.slots = 3);
	if (!pci_user_iommu())
		REFUSED(EINVAL, "memory in pieces", d.mem = (uintptr_t)pieces,
			d.mem_size = 3 * PAGE, d.slots = 2);
	d = request(c);
	d.slots = 3;
	is(nfpchan_device_open(c->in0, &d), -EINVAL, "by the library");
	ok(strstr(nfpchan_error(c->in0, why, sizeof(why)), "3 descriptors"), "which says why: %s", why);
	card_bus = open("/sys/class/nfp_chan/nfp_chan0/device/uevent", O_RDONLY);
	if (card_bus >= 0) {
		unsigned int domain, bus, dev, fn;
		char text[512] = "";
		char *at = read(card_bus, text, sizeof(text) - 1) > 0 ?
			   strstr(text, "PCI_SLOT_NAME=") : NULL;

		if (!at || sscanf(at, "PCI_SLOT_NAME=%x:%x:%x.%x", &domain, &bus, &dev, &fn) != 4)
			die("the card's slot");
		REFUSED(EINVAL, "the card itself", d.bus = (uint8_t)bus,
			d.devfn = (uint8_t)(dev << 3 | fn));
		close(card_bus);
	}
	nfpchan_close(echo);
	munmap(pieces, 3 * PAGE);
	ok(attach0(c), "and a device again");
}

/* ---- ends ---- */

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
	pid_t pid = spawn(stream_forever, k);

	ok(UNTIL(atomic_load(&k->running) > 100), "a process streams");
	kill(pid, SIGKILL);
	ok(WIFSIGNALED(reap(pid)), "and is killed");
	nothing_left(&before, "a process that was killed");
	ok(accounted("dev0-in", "dev0-out") && accounted("dev1-in", "dev1-out"),
	   "no message is lost uncounted");
}

static void text_write(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		die(path);
	close(fd);
}

/* By another program, which has neither the device's descriptor nor its registers. */
static void remove_it(void *arg)
{
	char path[128];

	snprintf(path, sizeof(path), "echo 1 >/sys/bus/pci/devices/%s/remove", (const char *)arg);
	execl("/bin/sh", "sh", "-c", path, NULL);
	_exit(1);
}

static bool all_taken(struct chain *c)
{
	return counters("dev0-in").msgs == counters("dev0-out").msgs &&
	       nfpchan_fd(c->in0) >= 0;
}

/* The second device goes. Messages wait, the first one works on, and the second comes back. */
static void removed(struct chain *c)
{
	struct nfp_chan_device none = { .size = sizeof(none) };
	uint64_t before = counters("dev1-in").msgs;
	unsigned int good = 0, n;
	pid_t pid;

	for (unsigned int i = 0; i < 10; i++)
		image_send(c->in0, i);
	for (unsigned int i = 0; i < 5; i++)
		good += class_is(c->out1, i);
	is(good, 5, "classes before the second device is removed");
	/* By vfio-pci this waits until the device is closed. */
	pid = spawn(remove_it, c->classifier.pci->slot);
	ok(UNTIL(ask(c->in1, &none) && errno == ENOENT), "the card has left it alone");
	while (nfpchan_recv(c->out1, &(uint8_t[4096]){ 0 }, 4096, 0) > 0)
		good++;
	n = (unsigned int)counters("dev1-out").dropped;
	printf("# %u classes, %u dropped in all\n", good, n);
	for (unsigned int i = 20; i < 30; i++)
		image_send(c->in0, i);
	ok(UNTIL(counters("dev0-in").msgs >= before), "the first takes what comes");
	c->g1.bell = NULL;
	pci_user_close(c->classifier.pci);
	is(WEXITSTATUS(reap(pid)), 0, "it is removed");
	text_write("/sys/bus/pci/rescan", "1");
	if (accel_open(&c->classifier, ACCEL_DEVICE_CLASSIFY, 0) || !attach1(c))
		die("the device again");
	good = 0;
	for (unsigned int i = 20; i < 30; i++)
		good += class_is(c->out1, i);
	is(good, 10, "the messages that waited have their classes");
	ok(all_taken(c), "and none is left");
}

int main(void)
{
	double accuracy;
	struct chain c;

	sealed = shared_memory(sizeof(*sealed) * DIGITS_MAX);
	if (digits_read(digits, &accuracy) != DIGITS_MAX)
		die(DIGITS_FILE);
	card_start();
	is(reap(spawn((void (*)(void *))images_seal, NULL)), 0, "images are encrypted");
	killed();
	chain_open(&c);
	images(&c);
	refusals(&c);
	images(&c);
	removed(&c);
	chain_close(&c);
	return tap_done();
}
