// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * device_bars.c - PCI functions that NFP_CHAN_IOC_DEVICE takes or refuses. No message is sent, so
 * the card writes to none of them.
 */
#define _GNU_SOURCE
#include <linux/pci_regs.h>
#include <stdint.h>
#include <sys/mount.h>
#include <nfpchan/nfp_chan_peer.h>
#include "pci_find.h"

#define PAGE	4096u

static int in;
static uint8_t desc[64];
static struct nfp_chan_device device = {
	.size = sizeof(device), .in_size = 2048, .out_size = 512, .slots = 1, .dst_at = 8,
	.len_at = 16, .room_at = 20, .done_at = 48, .done_len = 16, .status_at = 8, .seq_at = 12,
	.status_ok = 1, .desc_len = sizeof(desc), .mem_size = PAGE,
};

/* Have the card drive the function. The doorbell is at the start of BAR 0. */
static int attach(const char *slot)
{
	unsigned int domain, bus, dev, function;

	if (sscanf(slot, "%x:%x:%x.%x", &domain, &bus, &dev, &function) != 4)
		give_up(slot, "not a PCI address");
	device.domain = domain;
	device.bus = (uint8_t)bus;
	device.devfn = (uint8_t)(dev << 3 | function);
	return ioctl(in, NFP_CHAN_IOC_DEVICE, &device);
}

static void detach(void)
{
	is(ioctl(in, NFP_CHAN_IOC_DEVICE, ARG(device)), 0, "the function is given back");
}

/* The memory counts as pinned memory of the process. */
static void pinned_memory(const char *slot)
{
	is(attach(slot), 0, "a function is attached");
	is(lines_with("/proc/self/status", "VmPin:\t       4 kB"), 1, "a page is pinned");
	detach();
	is(lines_with("/proc/self/status", "VmPin:\t       0 kB"), 1, "none is pinned");
}

/* The function decodes its memory. The file "enable" does not do that for a BAR without an address. */
static void decode(const char *slot)
{
	static const char memory[] = { 2, 0 };

	config_put(slot, PCI_COMMAND, memory, sizeof(memory));
}

/* The kernel finds no room for an alignment of 1 TiB below 4 GiB. */
static void no_room(char edu[32])
{
	char where[64];

	snprintf(where, sizeof(where), "40@%s", edu);
	file_put("/sys/bus/pci/resource_alignment", where);
	pci_put(edu, "remove", "1");
	file_put("/sys/bus/pci/rescan", "1");
	decode(edu);
	is((long)bar_start(edu), 0, "a BAR for which there is no room");
	fails(attach(edu), ENXIO, "it has no address");
	file_put("/sys/bus/pci/resource_alignment", "\n");
	pci_put(edu, "remove", "1");
	file_put("/sys/bus/pci/rescan", "1");
	pci_put(edu, "enable", "1");
}

/* The kernel assigns nothing to a function whose class is 0. */
static void no_class(void)
{
	static const char none[8];
	char slot[32];

	pci_find("1AF4:10F0", 0, slot);
	config_put(slot, PCI_BASE_ADDRESS_0, none, sizeof(none));
	pci_put(slot, "remove", "1");
	file_put("/sys/bus/pci/rescan", "1");
	decode(slot);
	is((long)bar_start(slot), 0, "a BAR that the kernel leaves alone");
	fails(attach(slot), ENXIO, "it has no address either");
}

/* Linux packs small BARs that it assigns anew. */
static void shared_page(void)
{
	char slot[2][32];

	for (unsigned int i = 0; i < 2; i++) {
		pci_find("1AF4:1110", 0, slot[i]);
		pci_put(slot[i], "remove", "1");
	}
	file_put("/sys/bus/pci/rescan", "1");
	for (unsigned int i = 0; i < 2; i++) {
		pci_find("1AF4:1110", i, slot[i]);
		pci_put(slot[i], "enable", "1");
	}
	is((long)(bar_start(slot[0]) / PAGE), (long)(bar_start(slot[1]) / PAGE),
	   "two BARs are in one page");
	fails(attach(slot[0]), ENXIO, "the first of them");
	fails(attach(slot[1]), ENXIO, "the second");
}

static void virtual_function(void)
{
	char slot[32];

	pci_find("8086:10C9", 0, slot);
	pci_put(slot, "sriov_numvfs", "1");
	pci_find("8086:10CA", 0, slot);
	is(attach(slot), 0, "a virtual function");
	detach();
}

static bool is_asleep(const char *slot)
{
	char path[96], text[32];

	snprintf(path, sizeof(path), PCI_DEVICES "%s/power/runtime_status", slot);
	return proc_read(path, text, sizeof(text)) && !strcmp(text, "suspended\n");
}

static void asleep(const char *slot)
{
	pci_put(slot, "power/control", "auto");
	ok(UNTIL(is_asleep(slot)), "a function sleeps");
	is(attach(slot), 0, "it is attached");
	ok(!is_asleep(slot), "it is awake");
	detach();
	ok(UNTIL(is_asleep(slot)), "it sleeps again");
}

static void locked_down(const char *slot)
{
	if (mount("securityfs", "/sys/kernel/security", "securityfs", 0, NULL) && errno != EBUSY)
		die("securityfs");
	file_put("/sys/kernel/security/lockdown", "integrity");
	fails(attach(slot), EPERM, "the kernel is locked down");
}

int main(int argc, char **argv)
{
	char edu[32];
	int dev = card_open(O_RDWR);

	alarm((unsigned int)PROGRAM_S);
	in = chan_must(dev, "dev0-in", 0);
	device.desc = (uintptr_t)desc;
	device.mem = (uintptr_t)mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
				     MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (device.mem == (uintptr_t)MAP_FAILED)
		die("mmap");
	pci_find("1234:11E8", 0, edu);
	pci_put(edu, "enable", "1");
	if (argc > 1 && !strcmp(argv[1], "policy")) {
		fails(attach(edu), EHOSTUNREACH, "the kernel does not allow writes to the function");
		return tap_done();
	}
	no_room(edu);
	no_class();
	pinned_memory(edu);
	shared_page();
	virtual_function();
	asleep(edu);
	locked_down(edu);
	return tap_done();
}
