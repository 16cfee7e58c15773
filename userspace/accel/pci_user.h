/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * pci_user.h - drive PCI devices from user space, as root: registers in BAR 0, memory for DMA,
 * an interrupt.
 *
 * With an IOMMU this uses vfio-pci (modprobe it first). Debian's kernel has no VFIO without an
 * IOMMU. In that case registers are mapped, and bus mastering is enabled, through sysfs. Memory
 * is a huge page (/proc/sys/vm/nr_hugepages) at its physical address, and there is no interrupt.
 * No kernel driver may be bound to the device.
 *
 * A function that fails prints the reason, and returns NULL or a negative number.
 */
#ifndef PCI_USER_H
#define PCI_USER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pci_user {
	char slot[16];		/* 0000:04:00.0 */
	volatile uint32_t *bar;	/* BAR 0 */
	size_t bar_size;
	int vfio;		/* VFIO descriptor of the device; -1 without an IOMMU */
	int config;		/* configuration space in sysfs; -1 with an IOMMU */
	int irq;		/* eventfd of the interrupt, -1: none */
};

/* Open the @nth device with these ids, from 0. */
struct pci_user *pci_user_open(uint16_t vendor, uint16_t device, unsigned int nth);
void pci_user_close(struct pci_user *p);

/* Have MSI-X vector 0 signal p->irq. Returns 0, or -1 without an IOMMU. */
int pci_user_irq(struct pci_user *p);

/*
 * Allocate zeroed memory that all open devices reach at *@dma, until the process ends. Without
 * an IOMMU 2 MiB at most. A device has to be open.
 */
void *pci_user_alloc(size_t size, uint64_t *dma);

/*
 * The address at which open devices reach memory that this process has mapped, which may be
 * another device's BAR. 0: they cannot reach it, or there is no IOMMU.
 */
uint64_t pci_user_map(volatile void *mem, size_t size);

/* The address at which other open devices reach BAR 0 of @p. 0: they cannot reach it. */
uint64_t pci_user_peer(struct pci_user *p);

/* Is there an IOMMU between the open devices and memory? */
bool pci_user_iommu(void);

#endif /* PCI_USER_H */
