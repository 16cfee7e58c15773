// SPDX-License-Identifier: GPL-2.0-only
/*
 * reach.c - registers of other PCI devices, as addresses that the card can write to.
 *
 * CONFIG_PCI_P2PDMA is off in many kernels, and is for memory that has struct pages. A
 * register needs less: the DMA API maps any physical address where an IOMMU translates. Where
 * none does, the card uses the address that the register has on the bus.
 */
#define dev_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/dma-mapping.h>
#include <linux/pci.h>
#include "card.h"

static bool is_below(struct pci_dev *pdev, struct pci_dev *bridge)
{
	while ((pdev = pci_upstream_bridge(pdev)))
		if (pdev == bridge)
			return true;
	return false;
}

/*
 * The port of a switch that would pass a write of @from to what has this address on its other
 * ports, where @to is as well. An address that only the IOMMU understands has to go up to
 * it first: that is what ACS has a port do.
 */
static struct pci_dev *port_without_acs(struct pci_dev *from, struct pci_dev *to)
{
	struct pci_dev *port, *up;
	u16 ctrl;
	int pos;

	for (port = pci_upstream_bridge(from); port; port = up) {
		up = pci_upstream_bridge(port);
		if (pci_pcie_type(port) != PCI_EXP_TYPE_DOWNSTREAM || !up || !is_below(to, up))
			continue;
		pos = pci_find_ext_capability(port, PCI_EXT_CAP_ID_ACS);
		if (!pos || pci_read_config_word(port, pos + PCI_ACS_CTRL, &ctrl) ||
		    !(ctrl & PCI_ACS_RR))
			return port;
	}
	return NULL;
}

/* The bus address of [@phys, @phys + @len), which a root complex may have shifted. */
static dma_addr_t bus_addr(struct pci_dev *pdev, phys_addr_t phys, size_t len)
{
	struct pci_bus_region region;
	struct resource res = {
		.flags = IORESOURCE_MEM,
		.start = phys,
		.end = phys + len - 1,
	};

	pcibios_resource_to_bus(pdev->bus, &region, &res);
	return region.start;
}

/**
 * nfpc_bar_map() - make part of a PCI device's BAR reachable for the card's DMA
 * @card: the card, with win_sem held and live
 * @pdev: the other device
 * @phys: where the part is, as the CPU sees it; whole pages
 * @len: its bytes
 * @addr: out: where it is, as the card sees it
 *
 * Says nothing of whether a root complex lets the card's writes through.
 *
 * Return: 0. -EHOSTUNREACH: the two are behind a switch that would not ask the IOMMU; the log
 * names its port. -ERANGE: the card's addresses have fewer bits. -EIO: the IOMMU's driver has
 * refused it.
 */
int nfpc_bar_map(struct nfpc_card *card, struct pci_dev *pdev, phys_addr_t phys, size_t len,
		 dma_addr_t *addr)
{
	struct device *dev = &card->pdev->dev;
	struct pci_dev *port;

	lockdep_assert_held(&card->win_sem);
	if (nfpc_translated(dev)) {
		port = port_without_acs(card->pdev, pdev);
		if (port) {
			dev_info(dev, "%s is out of reach: port %s does not redirect requests to the IOMMU (ACS)\n",
				 pci_name(pdev), pci_name(port));
			return -EHOSTUNREACH;
		}
		*addr = dma_map_resource(dev, phys, len, DMA_BIDIRECTIONAL, 0);
		return dma_mapping_error(dev, *addr) ? -EIO : 0;
	}
	*addr = bus_addr(pdev, phys, len);
	return *addr > dma_get_mask(dev) || len - 1 > dma_get_mask(dev) - *addr ? -ERANGE : 0;
}

/* The card writes there no more. */
void nfpc_bar_unmap(struct nfpc_card *card, dma_addr_t addr, size_t len)
{
	struct device *dev = &card->pdev->dev;

	lockdep_assert_held(&card->win_sem);
	if (nfpc_translated(dev))
		dma_unmap_resource(dev, addr, len, DMA_BIDIRECTIONAL, 0);
}
