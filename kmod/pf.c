// SPDX-License-Identifier: GPL-2.0-only
/*
 * pf.c - everything that the module knows about nfp.ko: the PFs that nfp drives, and the window
 * to the queue controllers ("net.qc") that nfp keeps open from the probe until the unbind.
 *
 * nfp exports nothing. So the module recognizes a PF by the driver's name, and finds the window
 * by reading the PCIe-to-CPP configuration registers, which it never writes. The registers keep
 * their values after an unbind, so the caller makes sure that nfp is bound. If nfp provided an
 * auxiliary device, only this file would have to change.
 */
#define dev_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bitfield.h>
#include <linux/netdevice.h>
#include <linux/pci.h>
#include "card.h"

#define NFPC_VENDOR_CORIGINE	0x1da8

/* ---- the driver ---- */

/* True for a PF that nfp may drive. */
bool nfpc_pf_match(struct device *dev)
{
	struct pci_dev *pdev;

	if (!dev_is_pci(dev))
		return false;
	pdev = to_pci_dev(dev);
	if (pdev->vendor != PCI_VENDOR_ID_NETRONOME &&
	    pdev->vendor != NFPC_VENDOR_CORIGINE)
		return false;
	switch (pdev->device) {
	case 0x3800:
	case 0x4000:
	case 0x5000:
	case 0x6000:
		return true;
	}
	return false;
}

/* A netdev that is being unregistered is still a child of the PF, so its state is checked. */
static int netdev_registered(struct device *child, void *unused)
{
	if (!child->class || strcmp(child->class->name, "net"))
		return 0;
	/* The state may change after the look anyway: see nfpc_pf_has_netdev(). */
	return data_race(to_net_dev(child)->reg_state) == NETREG_REGISTERED;
}

/*
 * True while the PF has a registered netdev. This may change at any time. If it changes after
 * this look, the netdev notifier waits for cards_lock, which the attach holds, and detaches the
 * card.
 */
bool nfpc_pf_has_netdev(struct device *dev)
{
	return device_for_each_child(dev, NULL, netdev_registered);
}

/* True if nfp keeps the window open and MSI-X enabled: it is bound and has a vNIC. */
bool nfpc_pf_usable(struct device *dev)
{
	device_lock_assert(dev);
	return dev->driver && device_is_bound(dev) && !strcmp(dev->driver->name, "nfp") &&
	       nfpc_pf_has_netdev(dev);
}

/* ---- the window ---- */

/*
 * One register for each eighth of BAR0, BAR2 and BAR4. Source: nfp.ko,
 * nfpcore/nfp6000_pcie.c and nfp_dev.c (pcie_cfg_expbar_offset).
 */
#define CSR_CFG_BASE		0x400
#define CSR_COUNT		24
#define CSR_MAP_TYPE		GENMASK(31, 29)
#define CSR_MAP_BULK		1
#define CSR_TARGET		GENMASK(26, 23)
#define CSR_TARGET_MU		7
#define CSR_TOKEN		GENMASK(22, 21)
#define CSR_BASE		GENMASK(20, 0)	/* of a BULK map, in units of 512 KiB */

/* All other fields are 0: 32-bit accesses, target 0 (the PCIe island), token 0, base 0. */
#define CSR_WANTED	FIELD_PREP(CSR_MAP_TYPE, CSR_MAP_BULK)

/* True for a window to a memory unit, whatever the width of its accesses. */
static bool csr_is_mu_bulk(u32 csr)
{
	return FIELD_GET(CSR_MAP_TYPE, csr) == CSR_MAP_BULK &&
	       FIELD_GET(CSR_TARGET, csr) == CSR_TARGET_MU && !FIELD_GET(CSR_TOKEN, csr);
}

static int csr_read(struct pci_dev *pdev, unsigned int i, u32 *csr)
{
	int err = pci_read_config_dword(pdev, CSR_CFG_BASE + 4 * i, csr);

	return err ? pcibios_err_to_errno(err) : 0;
}

static int window_find(struct nfpc_card *card)
{
	struct pci_dev *pdev = card->pdev;
	resource_size_t slice;
	unsigned int i, bar;
	u32 csr;
	int err;

	/*
	 * An NFP-3800 has its queue controllers at 0x400000, and its registers beyond the
	 * configuration space that the kernel reads. nfp_chan_fw.h has another layout.
	 */
	if (pdev->device == 0x3800) {
		dev_info(&pdev->dev, "an NFP-3800: not supported\n");
		return -EOPNOTSUPP;
	}
	if (pdev->cfg_size < CSR_CFG_BASE + 4 * CSR_COUNT) {
		dev_info(&pdev->dev, "configuration space of %d bytes, need %d\n",
			 pdev->cfg_size, CSR_CFG_BASE + 4 * CSR_COUNT);
		return -EOPNOTSUPP;
	}
	for (i = 0; i < CSR_COUNT; i++) {
		err = csr_read(pdev, i, &csr);
		if (err)
			return err;
		if ((csr & ~CSR_BASE) != CSR_WANTED)
			continue;
		bar = i / 8 * 2;
		slice = pci_resource_len(pdev, bar) / 8;
		if (FIELD_GET(CSR_BASE, csr) || slice < NFPC_WIN_SIZE) {
			dev_info(&pdev->dev,
				 "window BAR%u.%u has base %#x and %pa bytes: need base 0 and %#x\n",
				 bar, i % 8, (u32)FIELD_GET(CSR_BASE, csr) << 19,
				 &slice, NFPC_WIN_SIZE);
			continue;
		}
		card->win.csr = CSR_CFG_BASE + 4 * i;
		card->win.phys = pci_resource_start(pdev, bar) + slice * (i % 8);
		return 0;
	}
	dev_info(&pdev->dev, "nfp has no window to the queue controllers open\n");
	return -ENODEV;
}

/**
 * nfpc_window_mu() - the physical address of memory in the card's memory unit
 * @card: the card, live and with win_sem held
 * @addr: address in the memory unit, as in CSR_BASE
 * @len: bytes
 *
 * nfp keeps a window to the memory unit open for the registers of its vNICs, from the probe
 * until the unbind. It may also have left registers of windows as they were that it does not use
 * any more, and may set these up otherwise at any time. So only a window is sure that has the
 * memory alone.
 *
 * Return: the address, or 0 if no window has all of the memory, or several do.
 */
phys_addr_t nfpc_window_mu(struct nfpc_card *card, u64 addr, size_t len)
{
	resource_size_t slice;
	phys_addr_t phys = 0;
	unsigned int i;
	u64 start;
	u32 csr;

	for (i = 0; i < CSR_COUNT; i++) {
		if (csr_read(card->pdev, i, &csr) || !csr_is_mu_bulk(csr))
			continue;
		slice = pci_resource_len(card->pdev, i / 8 * 2) / 8;
		start = round_down(FIELD_GET(CSR_BASE, csr) * (u64)SZ_512K, slice);
		if (addr < start || len > slice || addr - start > slice - len)
			continue;
		if (phys)
			return 0;
		phys = pci_resource_start(card->pdev, i / 8 * 2) + slice * (i % 8) +
		       (addr - start);
	}
	return phys;
}

int nfpc_window_open(struct nfpc_card *card)
{
	int err;

	err = window_find(card);
	if (err)
		return err;
	/* nfp has requested the region. ioremap() does not need a request. */
	card->win.base = ioremap(card->win.phys, NFPC_WIN_SIZE);
	return card->win.base ? 0 : -ENOMEM;
}

void nfpc_window_close(struct nfpc_card *card)
{
	iounmap(card->win.base);
	card->win.base = NULL;
}

/*
 * Takes a few microseconds, so it is called before each command, but never on the data path.
 * A device that is gone, or has lost its link, reads as all ones.
 */
enum nfpc_window_state nfpc_window_state(struct nfpc_card *card)
{
	u32 csr, magic, boot_id;

	if (pci_read_config_dword(card->pdev, card->win.csr, &csr) || csr == ~0U)
		return NFPC_WINDOW_DEAD;
	if (csr != CSR_WANTED)
		return NFPC_WINDOW_MOVED;
	magic = readl(nfpc_sram(card, offsetof(struct nfp_chan_fw_cb, magic)));
	boot_id = readl(nfpc_sram(card, offsetof(struct nfp_chan_fw_cb, boot_id)));
	if (magic != NFP_CHAN_FW_MAGIC || boot_id == ~0U)
		return NFPC_WINDOW_LOST;
	return boot_id == card->fw.boot_id ? NFPC_WINDOW_OK : NFPC_WINDOW_REBOOTED;
}

/**
 * nfpc_window_check() - check that window and firmware are those of the attach
 * @card: the card
 *
 * If they are not, or while the card is being reset, the card is marked stale, and the scan
 * looks again.
 *
 * Return: true if they are.
 */
bool nfpc_window_check(struct nfpc_card *card)
{
	if (nfpc_window_state(card) == NFPC_WINDOW_OK)
		return true;
	nfpc_card_set_stale(card);
	return false;
}

/* @off counts from the control block, as all offsets in the control block do. */
void __iomem *nfpc_sram(struct nfpc_card *card, u32 off)
{
	return card->win.base + NFP_CHAN_FW_SRAM_BASE + off;
}

void __iomem *nfpc_queue(struct nfpc_card *card, unsigned int queue)
{
	return card->win.base + NFP_CHAN_FW_QC_BASE +
	       queue * NFP_CHAN_FW_QC_STRIDE;
}

phys_addr_t nfpc_queue_phys(struct nfpc_card *card, unsigned int queue)
{
	return card->win.phys + NFP_CHAN_FW_QC_BASE +
	       queue * NFP_CHAN_FW_QC_STRIDE;
}

phys_addr_t nfpc_inline_phys(struct nfpc_card *card, unsigned int page)
{
	return card->win.phys + NFP_CHAN_FW_SRAM_BASE + card->fw.inline_off +
	       page * NFP_CHAN_FW_INLINE_PAGE;
}

void nfpc_queue_add(struct nfpc_card *card, unsigned int queue, u32 n)
{
	writel(n, nfpc_queue(card, queue) + NFP_CHAN_FW_QC_ADD_WPTR);
}

/*
 * Read 32 bits at a time: the window is set up for 32-bit accesses, and nobody has tried wider
 * ones on silicon.
 */
void nfpc_sram_read(struct nfpc_card *card, u32 off, void *buf, size_t len)
{
	__le32 word;
	size_t i, n;

	for (i = 0; i < len; i += n) {
		word = cpu_to_le32(readl(nfpc_sram(card, off + i)));
		n = min(len - i, sizeof(word));
		memcpy(buf + i, &word, n);
	}
}
