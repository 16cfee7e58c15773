// SPDX-License-Identifier: GPL-2.0-only
/*
 * routes.c - a module that does what a PCIe switch does which routes writes by their address. QEMU
 * sends all writes of a device to the IOMMU. So the module maps the BARs of two PCI functions, each
 * for the other's DMA, at the addresses that they have on the bus.
 */
#include <linux/iommu.h>
#include <linux/module.h>
#include <linux/pci.h>

static char *functions[2];
module_param_array(functions, charp, NULL, 0);
MODULE_PARM_DESC(functions, "names of the two PCI functions, such as 0000:03:00.0");

static struct device *devs[2];

static void unmap_bars(struct device *from, struct pci_dev *to, int count)
{
	while (count--)
		if (pci_resource_flags(to, count) & IORESOURCE_MEM)
			iommu_unmap(iommu_get_domain_for_dev(from), pci_bus_address(to, count),
				    pci_resource_len(to, count));
}

static int map_bars(struct device *from, struct pci_dev *to)
{
	int bar, err;

	for (bar = 0; bar < PCI_STD_NUM_BARS; bar++) {
		if (!(pci_resource_flags(to, bar) & IORESOURCE_MEM))
			continue;
		err = iommu_map(iommu_get_domain_for_dev(from), pci_bus_address(to, bar),
				pci_resource_start(to, bar), pci_resource_len(to, bar),
				IOMMU_READ | IOMMU_WRITE | IOMMU_MMIO, GFP_KERNEL);
		if (err) {
			unmap_bars(from, to, bar);
			return err;
		}
	}
	return 0;
}

static void put_devs(void)
{
	put_device(devs[0]);
	put_device(devs[1]);
}

static int __init routes_init(void)
{
	int i, err = -ENODEV;

	for (i = 0; i < 2; i++)
		devs[i] = bus_find_device_by_name(&pci_bus_type, NULL, functions[i] ?: "");
	if (!devs[0] || !devs[1])
		goto err_devs;
	err = map_bars(devs[0], to_pci_dev(devs[1]));
	if (err)
		goto err_devs;
	err = map_bars(devs[1], to_pci_dev(devs[0]));
	if (!err)
		return 0;
	unmap_bars(devs[0], to_pci_dev(devs[1]), PCI_STD_NUM_BARS);
err_devs:
	put_devs();
	return err;
}

static void __exit routes_exit(void)
{
	unmap_bars(devs[1], to_pci_dev(devs[0]), PCI_STD_NUM_BARS);
	unmap_bars(devs[0], to_pci_dev(devs[1]), PCI_STD_NUM_BARS);
	put_devs();
}

module_init(routes_init);
module_exit(routes_exit);

MODULE_DESCRIPTION("Writes between two PCI functions by their bus addresses");
MODULE_LICENSE("GPL");
