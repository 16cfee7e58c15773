// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * glue_images.c - the card drives two accelerators: images get their classes, and the CPU rings
 * no doorbell of a device. Also requests that NFP_CHAN_IOC_DEVICE must refuse.
 */
#define _GNU_SOURCE
#include <sys/resource.h>
#include <linux/capability.h>
#include "glue_chain.h"

#define PAGE	4096u

/* Return the sum of a counter of both accelerators. */
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
	is(bad, BAD, "images that were tampered with come to the host unchanged");
	is(count(c, ACCEL_DOORBELLS) - bells, jobs, "doorbells, one for each job");
	is(c->aes.doorbells + c->classifier.doorbells, 0, "doorbells of the CPU");
	is(count(c, ACCEL_NOTIFIED) - notified, jobs, "notifications of the card");
	is(count(c, ACCEL_INTERRUPTS) - interrupts, 0, "interrupts of the accelerators");
	is(counters("dev0-in").irqs + counters("dev0-out").irqs - irqs, 0, "interrupts of the card");
	is(count(c, ACCEL_OVERRUNS), 0, "doorbells without room");
	is(link_msgs(c) - carried, DIGITS_MAX - BAD, "messages of the link");
}

/* ---- what is refused ---- */

static struct nfp_chan_device request(struct chain *c)
{
	static const uint8_t desc[NFPCHAN_DEVICE_DESC];
	struct nfp_chan_device d = {
		.size = sizeof(d), .mem = (uintptr_t)c->aes.glue, .dev_addr = c->aes.glue_dma,
		.mem_size = 1u << 20, .doorbell_off = ACCEL_DOORBELL, .in_size = 2048, .out_size = 1024,
		.slots = SLOTS, .dst_at = 8, .len_at = 16, .room_at = 20, .done_at = 48,
		.done_len = 16, .status_at = 8, .seq_at = 12, .status_ok = ACCEL_OK,
		.desc = (uintptr_t)desc, .desc_len = sizeof(desc),
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

/* Ask as another user, with fds that root has opened. */
static void as_nobody(void *arg)
{
	struct chain *c = arg;
	struct nfp_chan_device d = request(c);

	if (setgid(65534) || setuid(65534))
		die("setuid");
	_exit(ask(c->in0, &d) && errno == EPERM ? 0 : 1);
}

/* Ask as root with a limit of 64 KiB of locked memory. */
static void without_memory(void *arg)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct caps[2];
	struct rlimit limit = { 65536, 65536 };
	struct chain *c = arg;
	struct nfp_chan_device d = request(c);

	if (setrlimit(RLIMIT_MEMLOCK, &limit) || syscall(SYS_capget, &head, caps))
		die("limits");
	caps[0].effective &= ~(1u << CAP_IPC_LOCK);
	if (syscall(SYS_capset, &head, caps))
		die("capset");
	_exit(ask(c->in0, &d) && errno == ENOMEM ? 0 : 1);
}

/* Map three pages, of which the third is the first again, so that they are never contiguous. */
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
	is(WEXITSTATUS(reap(spawn(without_memory, c))), 0, "nor beyond RLIMIT_MEMLOCK");
	fails(ask(echo, &d), EOPNOTSUPP, "a process that drives none");
	fails(ask(c->out0, &d), EOPNOTSUPP, "a channel to the host");
	REFUSED(EINVAL, "a flag", d.flags = 1);
	REFUSED(EINVAL, "a reserved field", d.rsvd0 = 1);
	REFUSED(EINVAL, "a second one", d.rsvd1 = 1);
	REFUSED(EINVAL, "a third one", d.rsvd2 = 1);
	REFUSED(EINVAL, "a descriptor of 60 bytes", d.desc_len = 60);
	REFUSED(EINVAL, "a descriptor of no bytes", d.desc_len = 0);
	REFUSED(EFAULT, "a descriptor that is not there", d.desc = 4096);
	REFUSED(E2BIG, "a later version", d.size = 4096);
	REFUSED(EINVAL, "too short a struct", d.size = sizeof(d) - 1);
	REFUSED(EINVAL, "memory within a page", d.mem += 64);
	REFUSED(EFAULT, "memory that is not there", d.mem = 4096);
	REFUSED(EINVAL, "too much memory", d.mem_size = NFPCHAN_DEVICE_MEM_MAX + 1);
	REFUSED(EINVAL, "too little", d.mem_size = 16 * (64 + 2048 + 1024) - 1);
	REFUSED(EINVAL, "a doorbell that is not aligned", d.doorbell_off += 2);
	REFUSED(ENXIO, "one behind the BAR", d.doorbell_off = c->aes.pci->bar_size);
	REFUSED(ENXIO, "one far behind it", d.doorbell_off = -4ull);
	REFUSED(ENXIO, "a BAR that there is not", d.bar = 3);
	REFUSED(ENXIO, "a BAR that no device has", d.bar = 6);
	REFUSED(ENXIO, "no such device", d.devfn ^= 0xf8);
	REFUSED(ENXIO, "no such domain", d.domain = 0x1234);
	REFUSED(EINVAL, "fields that overlap", d.dst_at = 4);
	REFUSED(EINVAL, "three slots", d.slots = 3);
	if (!pci_user_iommu())
		REFUSED(EADDRNOTAVAIL, "memory in pieces", d.mem = (uintptr_t)pieces,
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
		REFUSED(ENXIO, "the card itself", d.bus = (uint8_t)bus,
			d.devfn = (uint8_t)(dev << 3 | fn));
		close(card_bus);
	}
	nfpchan_close(echo);
	munmap(pieces, 3 * PAGE);
	ok(attach0(c), "and a device again");
}

int main(void)
{
	struct chain c;

	images_start();
	chain_open(&c);
	images(&c);
	refusals(&c);
	images(&c);
	chain_close(&c);
	return tap_done();
}
