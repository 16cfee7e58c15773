// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * pci_user.c - drive PCI devices from user space, with or without an IOMMU.
 */
#define _GNU_SOURCE		/* MAP_HUGETLB */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <linux/pci_regs.h>
#include <linux/vfio.h>

#include "pci_user.h"

#define DEVICES		"/sys/bus/pci/devices"
#define HUGE_PAGE	(2u << 20)

/* All devices are in one VFIO container, so a mapping holds for all of them. */
static int container = -1;
static uint64_t next_iova = 1ull << 32;		/* above the addresses of MSI writes */

bool pci_user_iommu(void)
{
	return container >= 0;
}

static void complain(const char *slot, const char *what)
{
	fprintf(stderr, "%s: %s: %s\n", slot, what, strerror(errno));
}

/* ---- sysfs ---- */

static int sysfs_open(const char *slot, const char *name, int flags)
{
	char path[128];

	snprintf(path, sizeof(path), DEVICES "/%s/%s", slot, name);
	return open(path, flags | O_CLOEXEC);
}

static long sysfs_number(const char *slot, const char *name)
{
	char text[32] = "";
	int fd = sysfs_open(slot, name, O_RDONLY);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		close(fd);
	return n > 0 ? strtol(text, NULL, 16) : -1;
}

static int write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : write(fd, text, strlen(text));

	if (fd >= 0)
		close(fd);
	return n < 0 ? -1 : 0;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static bool device_find(uint16_t vendor, uint16_t device, unsigned int nth, char slot[16])
{
	struct dirent **list;
	int n = scandir(DEVICES, &list, NULL, by_name);
	bool found = false;

	for (int i = 0; i < n; i++) {
		const char *name = list[i]->d_name;

		if (!found && strlen(name) == 12 && sysfs_number(name, "vendor") == vendor &&
		    sysfs_number(name, "device") == device && !nth--) {
			memcpy(slot, name, 13);
			found = true;
		}
		free(list[i]);
	}
	if (n >= 0)
		free(list);
	return found;
}

/* ---- without an IOMMU ---- */

static int plain_open(struct pci_user *p)
{
	uint16_t command;
	struct stat st;
	void *bar;
	int fd;

	p->config = sysfs_open(p->slot, "config", O_RDWR);
	if (p->config < 0 || pread(p->config, &command, 2, PCI_COMMAND) != 2)
		return -1;
	command |= PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER;
	if (pwrite(p->config, &command, 2, PCI_COMMAND) != 2)
		return -1;
	fd = sysfs_open(p->slot, "resource0", O_RDWR);
	if (fd < 0 || fstat(fd, &st))
		return -1;
	bar = mmap(NULL, st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (bar == MAP_FAILED)
		return -1;
	p->bar = bar;
	p->bar_size = st.st_size;
	return 0;
}

static uint64_t physical(const void *mem)
{
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	uint64_t page = (uintptr_t)mem / 4096, entry = 0;

	if (fd >= 0) {
		if (pread(fd, &entry, 8, page * 8) != 8)
			entry = 0;
		close(fd);
	}
	return entry >> 63 ? (entry & ((1ull << 55) - 1)) * 4096 : 0;
}

/* ---- with an IOMMU ---- */

static int group_open(const char *slot)
{
	char path[128], link[128], node[64];
	ssize_t n;

	snprintf(path, sizeof(path), DEVICES "/%s/iommu_group", slot);
	n = readlink(path, link, sizeof(link) - 1);
	if (n < 0)
		return -1;
	link[n] = '\0';
	snprintf(node, sizeof(node), "/dev/vfio/%s", strrchr(link, '/') + 1);
	return open(node, O_RDWR | O_CLOEXEC);
}

static int driver_bind(const char *slot)
{
	char path[128];

	snprintf(path, sizeof(path), DEVICES "/%s/driver", slot);
	if (!access(path, F_OK))
		return 0;	/* under another driver than vfio-pci, group_open() fails */
	snprintf(path, sizeof(path), DEVICES "/%s/driver_override", slot);
	if (write_text(path, "vfio-pci"))
		return -1;
	return write_text("/sys/bus/pci/drivers_probe", slot);
}

/* Join the container. The first group also sets the container's IOMMU. */
static int group_join(int group)
{
	bool first = container < 0;

	if (first)
		container = open("/dev/vfio/vfio", O_RDWR | O_CLOEXEC);
	if (container < 0 || ioctl(group, VFIO_GROUP_SET_CONTAINER, &container))
		return -1;
	return first ? ioctl(container, VFIO_SET_IOMMU, VFIO_TYPE1v2_IOMMU) : 0;
}

static int vfio_master(int vfio)
{
	struct vfio_region_info cfg = {
		.argsz = sizeof(cfg), .index = VFIO_PCI_CONFIG_REGION_INDEX,
	};
	uint16_t command;

	if (ioctl(vfio, VFIO_DEVICE_GET_REGION_INFO, &cfg) ||
	    pread(vfio, &command, 2, cfg.offset + PCI_COMMAND) != 2)
		return -1;
	command |= PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER;
	return pwrite(vfio, &command, 2, cfg.offset + PCI_COMMAND) == 2 ? 0 : -1;
}

static int vfio_open(struct pci_user *p)
{
	struct vfio_region_info r = { .argsz = sizeof(r), .index = VFIO_PCI_BAR0_REGION_INDEX };
	int group;
	void *bar;

	if (driver_bind(p->slot))
		return -1;
	group = group_open(p->slot);
	if (group < 0 || group_join(group))
		return -1;
	p->vfio = ioctl(group, VFIO_GROUP_GET_DEVICE_FD, p->slot);
	close(group);
	if (p->vfio < 0 || vfio_master(p->vfio) ||
	    ioctl(p->vfio, VFIO_DEVICE_GET_REGION_INFO, &r))
		return -1;
	bar = mmap(NULL, r.size, PROT_READ | PROT_WRITE, MAP_SHARED, p->vfio, r.offset);
	if (bar == MAP_FAILED)
		return -1;
	p->bar = bar;
	p->bar_size = r.size;
	return 0;
}

static uint64_t iommu_map(const volatile void *mem, size_t size)
{
	struct vfio_iommu_type1_dma_map m = {
		.argsz = sizeof(m), .flags = VFIO_DMA_MAP_FLAG_READ | VFIO_DMA_MAP_FLAG_WRITE,
		.vaddr = (uintptr_t)mem, .iova = next_iova, .size = size,
	};

	if (ioctl(container, VFIO_IOMMU_MAP_DMA, &m))
		return 0;
	next_iova += (size + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
	return m.iova;
}

/* ---- with and without an IOMMU ---- */

struct pci_user *pci_user_open(uint16_t vendor, uint16_t device, unsigned int nth)
{
	struct pci_user *p = calloc(1, sizeof(*p));
	char path[128];
	bool iommu;

	if (!p)
		return NULL;
	p->vfio = p->config = p->irq = -1;
	if (!device_find(vendor, device, nth, p->slot)) {
		fprintf(stderr, "no device %04x:%04x number %u\n", vendor, device, nth);
		free(p);
		return NULL;
	}
	snprintf(path, sizeof(path), DEVICES "/%s/iommu_group", p->slot);
	iommu = !access(path, F_OK);
	if (iommu ? vfio_open(p) : plain_open(p)) {
		complain(p->slot, iommu ? "cannot be opened by vfio-pci" :
			 "cannot be opened by sysfs");
		pci_user_close(p);
		return NULL;
	}
	return p;
}

void pci_user_close(struct pci_user *p)
{
	if (p->bar)
		munmap((void *)p->bar, p->bar_size);
	if (p->vfio >= 0)
		close(p->vfio);
	if (p->config >= 0)
		close(p->config);
	if (p->irq >= 0)
		close(p->irq);
	free(p);
}

int pci_user_irq(struct pci_user *p)
{
	union {
		struct vfio_irq_set set;
		char room[sizeof(struct vfio_irq_set) + sizeof(int)];
	} r = {
		.set = {
			.argsz = sizeof(r), .index = VFIO_PCI_MSIX_IRQ_INDEX, .count = 1,
			.flags = VFIO_IRQ_SET_DATA_EVENTFD | VFIO_IRQ_SET_ACTION_TRIGGER,
		},
	};
	int fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);

	if (p->vfio < 0) {
		close(fd);
		fprintf(stderr, "%s: no interrupt without an IOMMU\n", p->slot);
		return -1;
	}
	memcpy(r.set.data, &fd, sizeof(fd));
	p->irq = fd;
	if (p->irq >= 0 && !ioctl(p->vfio, VFIO_DEVICE_SET_IRQS, &r))
		return 0;
	complain(p->slot, "interrupt");
	return -1;
}

void *pci_user_alloc(size_t size, uint64_t *dma)
{
	int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE;
	void *mem;

	if (!pci_user_iommu()) {
		flags |= MAP_HUGETLB;
		if (size > HUGE_PAGE) {
			fprintf(stderr, "%zu bytes for DMA, at most %u without an IOMMU\n", size,
				HUGE_PAGE);
			return NULL;
		}
		size = HUGE_PAGE;
	}
	mem = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, -1, 0);
	if (mem == MAP_FAILED) {
		complain("memory for DMA", pci_user_iommu() ? "mmap" :
			 "no huge page (/proc/sys/vm/nr_hugepages)");
		return NULL;
	}
	*dma = pci_user_iommu() ? iommu_map(mem, size) : physical(mem);
	if (*dma)
		return mem;
	complain("memory for DMA", "no address");
	munmap(mem, size);
	return NULL;
}

uint64_t pci_user_map(volatile void *mem, size_t size)
{
	return pci_user_iommu() ? iommu_map(mem, size) : 0;
}

uint64_t pci_user_peer(struct pci_user *p)
{
	unsigned long long start = 0;
	FILE *f;
	int fd;

	if (p->vfio >= 0)
		return iommu_map(p->bar, p->bar_size);
	fd = sysfs_open(p->slot, "resource", O_RDONLY);
	f = fd < 0 ? NULL : fdopen(fd, "r");
	if (f) {
		if (fscanf(f, "%llx", &start) != 1)
			start = 0;
		fclose(f);
	}
	return start;
}
