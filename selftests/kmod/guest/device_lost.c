// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * device_lost.c - the card drives QEMU's edu device, which is removed while the card answers no
 * command. The card goes on writing to the doorbell. The doorbell is edu's register for checks,
 * which reads as the complement of what was written.
 */
#define _GNU_SOURCE
#include "peer_cards.h"
#include "pci_find.h"
#include "pinned.h"

#define CHECK	4	/* offset of the register in BAR 0 */
#define MEM	(24u * 4096)
#define HOST	5u	/* what the host writes to the register; the card writes 1 */

static volatile uint32_t *bar;

static void edu_map(char slot[32])
{
	char path[96];
	int fd;

	pci_find("1234:11E8", 0, slot);
	pci_put(slot, "enable", "1");
	snprintf(path, sizeof(path), PCI_DEVICES "%s/resource0", slot);
	fd = open(path, O_RDWR | O_CLOEXEC);
	bar = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (fd < 0 || bar == MAP_FAILED)
		die(path);
	close(fd);
}

/* Send messages until the card has taken @count of them in all. Each rings the doorbell. */
static void jobs(struct nfpchan *ch, uint64_t count)
{
	static const char job[64];

	while (counters("dev0-in").msgs < count)
		if (nfpchan_send(ch, job, sizeof(job), WAIT_NS))
			give_up("dev0-in", "no message is sent");
}

int main(void)
{
	static uint8_t desc[NFPCHAN_DEVICE_DESC];
	struct nfp_chan_device d = {
		.mem_size = MEM, .desc = (uintptr_t)desc, .desc_len = sizeof(desc), .in_size = 2048,
		.out_size = 512, .slots = 8, .dst_at = 8, .len_at = 16, .room_at = 20, .done_at = 48,
		.done_len = 16, .status_at = 8, .seq_at = 12, .status_ok = 1, .doorbell_off = CHECK,
	};
	unsigned int domain, bus, dev, function;
	unsigned long long start;
	struct nfpchan *ch;
	long before;
	char slot[32];
	int cfg;

	alarm((unsigned int)PROGRAM_S);
	card_start();
	cfg = fault_open(nfpchan_card_fd(card));
	edu_map(slot);
	start = bar_start(slot);
	sscanf(slot, "%x:%x:%x.%x", &domain, &bus, &dev, &function);
	d.domain = domain;
	d.bus = (uint8_t)bus;
	d.devfn = (uint8_t)(dev << 3 | function);
	d.mem = (uintptr_t)mmap(NULL, MEM, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	ch = chan_start("dev0-in", 0);
	before = pinned();
	is(nfpchan_device_open(ch, &d), 0, "the card drives the device");
	jobs(ch, 1);
	ok(UNTIL(bar[CHECK / 4] == ~1u), "the card writes to the doorbell");
	munmap((void *)bar, 4096);

	fault(cfg, "mbox-deaf");
	pci_put(slot, "remove", "1");
	file_put("/sys/bus/pci/rescan", "1");
	edu_map(slot);
	ok(bar_start(slot) == start, "the device that is found again has the same address");
	bar[CHECK / 4] = HOST;
	jobs(ch, 4);
	is(bar[CHECK / 4], (long)~HOST,
	   "the card has not confirmed that it leaves the device alone: its writes do not arrive");
	ok(events_of(nfpchan_fd(ch), POLLIN, 0) & POLLERR, "the channel is off");
	ok(pinned() > before, "the memory is still pinned");
	fault(cfg, "off");
	ok(UNTIL(pinned() == before), "the kernel has asked again, and the card has answered");
	nfpchan_close(ch);
	return tap_done();
}
