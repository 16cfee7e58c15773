// SPDX-License-Identifier: BSD-2-Clause
/*
 * cfg.c - configuration space of an accelerator: a PCI Express endpoint with MSI-X and
 * function level reset.
 */
#include <endian.h>
#include <linux/pci_regs.h>
#include <string.h>

#include "accel.h"

#define CAP_EXP		0x40
#define CAP_MSIX	0x80

static void put16(uint8_t *p, uint16_t v)
{
	v = htole16(v);
	memcpy(p, &v, sizeof(v));
}

static void put32(uint8_t *p, uint32_t v)
{
	v = htole32(v);
	memcpy(p, &v, sizeof(v));
}

static void express(uint8_t *s)
{
	put16(s, PCI_CAP_ID_EXP | CAP_MSIX << 8);
	put16(s + PCI_EXP_FLAGS, 2 | PCI_EXP_TYPE_ENDPOINT << 4);
	put32(s + PCI_EXP_DEVCAP, PCI_EXP_DEVCAP_RBER | PCI_EXP_DEVCAP_FLR);
	put32(s + PCI_EXP_LNKCAP, PCI_EXP_LNKCAP_SLS_8_0GB | 8 << 4);
	put16(s + PCI_EXP_LNKSTA, PCI_EXP_LNKSTA_CLS_8_0GB | 8 << 4);
	put32(s + PCI_EXP_LNKCAP2, PCI_EXP_LNKCAP2_SLS_8_0GB);
	put16(s + PCI_EXP_LNKCTL2, PCI_EXP_LNKCTL2_TLS_8_0GT);
}

void accel_cfg_init(struct accel *a)
{
	uint8_t *s = a->cfg;

	memset(s, 0, sizeof(a->cfg));
	put16(s + PCI_VENDOR_ID, ACCEL_VENDOR);
	put16(s + PCI_DEVICE_ID, a->kind->device);
	put16(s + PCI_STATUS, PCI_STATUS_CAP_LIST);
	memcpy(s + PCI_CLASS_PROG, a->kind->class, 3);
	put16(s + PCI_SUBSYSTEM_VENDOR_ID, ACCEL_VENDOR);
	put16(s + PCI_SUBSYSTEM_ID, a->kind->device);
	s[PCI_CAPABILITY_LIST] = CAP_EXP;
	express(s + CAP_EXP);
	put16(s + CAP_MSIX, PCI_CAP_ID_MSIX);
	put32(s + CAP_MSIX + PCI_MSIX_TABLE, ACCEL_MSIX_TABLE);
	put32(s + CAP_MSIX + PCI_MSIX_PBA, ACCEL_MSIX_PBA);
}

bool accel_cfg_memory(const struct accel *a)
{
	return a->cfg[PCI_COMMAND] & PCI_COMMAND_MEMORY;
}

bool accel_cfg_master(const struct accel *a)
{
	return a->cfg[PCI_COMMAND] & PCI_COMMAND_MASTER;
}

/* Bits of byte @off that software can write. */
static uint8_t writable(unsigned int off)
{
	switch (off) {
	case PCI_COMMAND:
		return PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER;
	case PCI_COMMAND + 1:
		return PCI_COMMAND_INTX_DISABLE >> 8;
	case PCI_CACHE_LINE_SIZE:
	case PCI_INTERRUPT_LINE:
	case CAP_EXP + PCI_EXP_DEVCTL:
		return 0xff;
	case CAP_EXP + PCI_EXP_DEVCTL + 1:
		return 0x7f;	/* the reset bit reads as 0 */
	case CAP_MSIX + PCI_MSIX_FLAGS + 1:
		return (PCI_MSIX_FLAGS_ENABLE | PCI_MSIX_FLAGS_MASKALL) >> 8;
	case PCI_BASE_ADDRESS_0 ... PCI_BASE_ADDRESS_0 + 3:
		return ~(ACCEL_BAR_SIZE - 1u) >> (8 * (off - PCI_BASE_ADDRESS_0));
	default:
		return 0;
	}
}

bool accel_cfg_write(struct accel *a, unsigned int off, const uint8_t *buf, size_t len)
{
	bool flr = false;

	for (; len; len--, off++, buf++) {
		uint8_t mask = writable(off);

		a->cfg[off] = (a->cfg[off] & ~mask) | (*buf & mask);
		if (off == CAP_EXP + PCI_EXP_DEVCTL + 1 && *buf & (PCI_EXP_DEVCTL_BCR_FLR >> 8))
			flr = true;
	}
	return flr;
}
