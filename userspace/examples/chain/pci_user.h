/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * pci_user.h - PCI devices driven from user space, as root: registers in BAR 0, memory for
 * DMA, an interrupt.
 *
 * With an IOMMU by vfio-pci (modprobe it first). Without one Debian's kernel has no VFIO:
 * then registers are mapped and bus mastering is switched on by sysfs, memory is a huge page
 * (/proc/sys/vm/nr_hugepages), DMA addresses are physical ones, and there is no interrupt.
 * A device that is open must have no driver of the kernel's.
 *
 * What fails prints why and returns NULL, or less than 0.
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
	int vfio;		/* the device's descriptor, -1 without an IOMMU */
	int config;		/* its configuration space, without an IOMMU */
	int irq;		/* an eventfd, -1 for none */
};

/* The @nth device with these ids, from 0 on. */
struct pci_user *pci_user_open(uint16_t vendor, uint16_t device, unsigned int nth);
void pci_user_close(struct pci_user *p);

/* MSI-X vector 0 from now on counts in p->irq. 0, or -1: there is no IOMMU. */
int pci_user_irq(struct pci_user *p);

/*
 * Memory that all open devices reach at *@dma, zeroed; it stays until the process ends. At
 * most 2 MiB without an IOMMU. Open a device first.
 */
void *pci_user_alloc(size_t size, uint64_t *dma);

/*
 * Where open devices reach memory that is mapped in this process, which may be another device's.
 * 0: they cannot, or there is no IOMMU.
 */
uint64_t pci_user_map(volatile void *mem, size_t size);

/* Where other open devices reach BAR 0 of @p. 0: they cannot. */
uint64_t pci_user_peer(struct pci_user *p);

/* Is there an IOMMU between the open devices and memory? */
bool pci_user_iommu(void);

#endif /* PCI_USER_H */
