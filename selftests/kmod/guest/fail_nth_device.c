// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fail_nth_device.c - NFP_CHAN_IOC_DEVICE with a failure at each of its allocations in turn: see
 * fail_nth.h. The device is any PCI device with a BAR. No message is sent, so the card never writes
 * to the device.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <sys/mman.h>
#include <linux/pci_regs.h>
#include <nfpchan/nfp_chan_peer.h>
#include "fail_nth.h"
#include "pinned.h"

#define PAGES	24u
#define PAGE	4096u
#define IORESOURCE_MEM 0x200ull

static int in;
static const uint8_t desc[64];
static struct nfp_chan_device device = {
	.size = sizeof(device), .mem_size = PAGES * PAGE, .in_size = 2048, .out_size = 512,
	.slots = 8, .dst_at = 8, .len_at = 16, .room_at = 20, .done_at = 48, .done_len = 16,
	.status_at = 8, .seq_at = 12, .status_ok = 1, .desc_len = sizeof(desc),
};

static FILE *file_of(const char *slot, const char *name)
{
	char path[320];

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/%s", slot, name);
	return fopen(path, "r");
}

/* Say whether memory decoding of the device at @slot is on. */
static bool decodes(const char *slot)
{
	FILE *f = file_of(slot, "config");
	unsigned char head[64] = { 0 };
	bool good = f && fread(head, 1, sizeof(head), f) == sizeof(head) &&
		    head[PCI_COMMAND] & PCI_COMMAND_MEMORY;

	if (f)
		fclose(f);
	return good;
}

/* Return the number of the device's first memory BAR that has its pages alone, or -1. */
static int bar_of(const char *slot)
{
	FILE *f = file_of(slot, "resource");
	unsigned long long start, end, flags;
	int bar = -1, i;

	for (i = 0; f && bar < 0 && i < 6; i++)
		if (fscanf(f, "%llx %llx %llx", &start, &end, &flags) == 3 &&
		    flags & IORESOURCE_MEM && !(start % PAGE) && !((end + 1) % PAGE))
			bar = i;
	if (f)
		fclose(f);
	return bar;
}

static bool device_find(void)
{
	DIR *dir = opendir("/sys/bus/pci/devices");
	unsigned int domain, bus, dev, function;
	struct dirent *e;
	bool found = false;
	int bar;

	while (dir && !found && (e = readdir(dir))) {
		if (sscanf(e->d_name, "%x:%x:%x.%x", &domain, &bus, &dev, &function) != 4)
			continue;
		bar = bar_of(e->d_name);
		found = bar >= 0 && strcmp(e->d_name, pci) && decodes(e->d_name);
		device.domain = domain;
		device.bus = bus;
		device.devfn = dev << 3 | function;
		device.bar = bar;
	}
	if (dir)
		closedir(dir);
	return found;
}

static void detach(long ret)
{
	struct nfp_chan_device none = { .size = sizeof(none) };

	(void)ret;
	is(ioctl(in, NFP_CHAN_IOC_DEVICE, &none), 0, "the device is detached");
}

static const struct sweep attach = {
	"DEVICE", .fd = &in, .cmd = NFP_CHAN_IOC_DEVICE, .arg = &device, .size = sizeof(device),
	.undo = detach, .copies = 2,
};

int main(void)
{
	long before;

	card = card_open(O_RDWR);
	strcpy(pci, card_info(card).pci);
	injection_init();
	if (!device_find())
		die("no PCI device with memory beside the card");
	in = chan_must(card, "dev0-in", 0);
	device.desc = (uintptr_t)desc;
	device.mem = (uintptr_t)mmap(NULL, 2u << 20, PROT_READ | PROT_WRITE,
				     MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE | MAP_HUGETLB, -1, 0);
	if (device.mem == (uintptr_t)MAP_FAILED)
		die("no huge page");
	before = pinned();
	sweep(&attach);
	is(pinned() - before, 0, "no page is left pinned");
	close(in);
	is(card_info(card).pipe_used, 0, "no pipe is left open");
	return tap_done();
}
