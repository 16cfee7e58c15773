// SPDX-License-Identifier: GPL-2.0-only
/*
 * reach.c - by which address a card can write to registers of another PCI function.
 *
 * The module asks the kernel's policy for such writes, if there is one (CONFIG_PCI_P2PDMA). It does
 * not use pci_p2pdma otherwise: that is off in many kernels, and for memory with struct pages. A
 * register needs less: if an IOMMU translates, the DMA API maps any physical address, and
 * otherwise the card uses the address that the register has on the bus.
 */
#define dev_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/pci.h>
#include <linux/pci-p2pdma.h>
#include "card.h"

static bool is_below(struct pci_dev *pdev, struct pci_dev *bridge)
{
	while ((pdev = pci_upstream_bridge(pdev)))
		if (pdev == bridge)
			return true;
	return false;
}

/* A port whose ACS lacks the capability passes no request from one port to another. */
static bool redirects(struct pci_dev *port)
{
	int pos = pci_find_ext_capability(port, PCI_EXT_CAP_ID_ACS);
	u16 cap, ctrl;

	return pos && !pci_read_config_word(port, pos + PCI_ACS_CAP, &cap) &&
	       !pci_read_config_word(port, pos + PCI_ACS_CTRL, &ctrl) &&
	       (!(cap & PCI_ACS_RR) || ctrl & PCI_ACS_RR);
}

/*
 * Does a switch that has both functions below it route a write by its address, and not send the
 * write up to the IOMMU first (ACS P2P Request Redirect)?
 */
static bool switch_routes(struct pci_dev *from, struct pci_dev *to)
{
	struct pci_dev *port, *up;

	for (port = pci_upstream_bridge(from); port; port = up) {
		up = pci_upstream_bridge(port);
		if (pci_pcie_type(port) == PCI_EXP_TYPE_DOWNSTREAM && up && is_below(to, up) &&
		    !redirects(port))
			return true;
	}
	return false;
}

/**
 * nfpc_route() - by which address one function can write to another
 * @from: the card that writes, bound to nfp
 * @to: the other function
 *
 * Return: the kind of address. A switch that routes by addresses takes an address of the bus,
 * also with an IOMMU.
 */
enum nfpc_route nfpc_route(struct pci_dev *from, struct pci_dev *to)
{
	if (IS_ENABLED(CONFIG_PCI_P2PDMA) && pci_p2pdma_distance(to, &from->dev, false) < 0) {
		dev_info_ratelimited(&from->dev,
				     "the kernel does not allow writes to %s: no common switch, and a host bridge that may not forward them\n",
				     pci_name(to));
		return NFPC_ROUTE_NONE;
	}
	if (nfpc_translated(&from->dev) && !switch_routes(from, to))
		return NFPC_ROUTE_IOMMU;
	return NFPC_ROUTE_BUS;
}

/* The bus address of [@phys, @phys + @len). A root complex may add an offset. */
dma_addr_t nfpc_bus_addr(struct pci_dev *pdev, phys_addr_t phys, size_t len)
{
	struct resource res = DEFINE_RES_MEM(phys, len);
	struct pci_bus_region region;

	pcibios_resource_to_bus(pdev->bus, &region, &res);
	return region.start;
}
