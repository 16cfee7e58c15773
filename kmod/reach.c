// SPDX-License-Identifier: GPL-2.0-only
/*
 * reach.c - addresses at which the card can write to registers of other PCI devices.
 *
 * PCI_P2PDMA is off in many kernels, and is for memory with struct pages. A register needs
 * less. If an IOMMU translates the card's accesses, the DMA API maps any physical address.
 * Otherwise the card uses the address that the register has on the bus.
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
 * Find a switch that has @from and @to below it, and a port of the switch on the way from @from
 * that does not send requests up to the IOMMU first (ACS P2P Request Redirect). Such a switch
 * may route a write by an address that only the IOMMU understands. Return: the port, or NULL.
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

/* The bus address of [@phys, @phys + @len). A root complex may add an offset. */
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
 * nfpc_bar_map() - make a part of another PCI device's BAR reachable for the card's DMA
 * @card: the card, live and with win_sem held
 * @pdev: the other device
 * @phys: physical address of the part, page aligned
 * @len: bytes of the part, whole pages
 * @addr: out: the address of the part for the card's DMA
 *
 * Success does not show that a root complex forwards the card's writes.
 *
 * Return: 0, or
 * -EHOSTUNREACH: both are behind a switch that does not ask the IOMMU; the log names the port,
 * -ERANGE: the address has more bits than the card's DMA,
 * -EIO: the IOMMU's driver has refused the mapping.
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

/* Undo nfpc_bar_map(). The card must not write there any more. */
void nfpc_bar_unmap(struct nfpc_card *card, dma_addr_t addr, size_t len)
{
	struct device *dev = &card->pdev->dev;

	lockdep_assert_held(&card->win_sem);
	if (nfpc_translated(dev))
		dma_unmap_resource(dev, addr, len, DMA_BIDIRECTIONAL, 0);
}
