// SPDX-License-Identifier: BSD-2-Clause
/*
 * cpp.c - the CPP bus: passes a command to its target, and has the few registers of the XPB bus
 * that the host reads.
 *
 * If no target takes a read, it returns all ones: the host sees the same when a command fails on
 * a card.
 */
#include "cpp.h"
#include "mem_map.h"
#include "msix.h"
#include "mu.h"
#include "pcie_island.h"

/* SOFTMODEL2 and 3 of the ARM's global CSRs (nfp_arm.h). The driver reads them in probe. */
#define ARM_SOFTMODEL2	0x40014c
#define ARM_SOFTMODEL3	0x400150

/* PL device id (nfp_cpplib.c, nfp_cpp_model_autodetect()). */
#define XPB_PL_DEVICE_ID	0x01500004
/* The id of an Agilio CX 2x25G: public kernel logs of the driver print "Model: 0x40010010". */
#define NFP4000_DEVICE_ID	0x40010010

/* CPP address translation: one word for each target (nfp_cppcore.c). */
#define XPB_IMB			0x000a0000
#define IMB(mode, addr40, isl1, isl0) \
	((mode) << 13 | (addr40) << 12 | (isl1) << 6 | (isl0))

/* MSI-X pending bits. The MSI-X capability points here (BAR0, slice 1). */
#define XPB_MSIX_PBA		0x00100190

static const uint32_t imb[16] = {
	/* This entry describes the address format that mu.c decodes. */
	[BD_CPP_MU] = IMB(3, 1, BD_ISL_EMEM0, BD_ISL_EMEM0),
	/* The driver refuses any other mode for XPB (nfp_cppat_addr_encode()). */
	[BD_CPP_XPB] = IMB(1, 0, 0, 0),
};

static bool is_read(const struct bd_cmd *c)
{
	return c->token == 0 && (c->action == 0 || c->action == BD_ACT_RW ||
				 (c->action == 2 && c->target != BD_CPP_XPB));
}

static bool is_write(const struct bd_cmd *c)
{
	return c->token == 0 && (c->action == 1 || c->action == BD_ACT_RW ||
				 (c->action == 3 && c->target != BD_CPP_XPB));
}

static uint32_t xpb_read(const struct board *b, uint32_t addr)
{
	if (addr == XPB_PL_DEVICE_ID)
		return NFP4000_DEVICE_ID;
	if (addr >= XPB_IMB && addr < XPB_IMB + sizeof(imb))
		return imb[(addr - XPB_IMB) / 4];
	if (addr >= XPB_MSIX_PBA && addr < XPB_MSIX_PBA + BOARD_MSIX_VECTORS / 8)
		return bd_msix_pba(b, (addr - XPB_MSIX_PBA) / 4);
	return 0;
}

/*
 * XPB registers are 32-bit words. A read of another size returns the bytes of the words that it
 * touches.
 */
static void xpb_bytes(const struct board *b, uint64_t addr, uint8_t *buf, size_t len)
{
	for (size_t i = 0; i < len; i++)
		buf[i] = xpb_read(b, (addr + i) & 0xfffffffc) >> (8 * ((addr + i) % 4));
}

static bool arm_read(uint64_t addr, void *buf, size_t len)
{
	if (addr != ARM_SOFTMODEL2 && addr != ARM_SOFTMODEL3)
		return false;
	memset(buf, 0, len);
	return true;
}

void bd_cpp_read(struct board *b, const struct bd_cmd *c, void *buf, size_t len)
{
	bool ok = false;

	switch (c->target) {
	case BD_CPP_PCIE0:
	case BD_CPP_PCIE:
		ok = is_read(c);
		if (ok)
			bd_pcie_read(b, c->addr, buf, len);
		break;
	case BD_CPP_MU:
		ok = !bd_mu_read(b, c, buf, len);
		break;
	case BD_CPP_XPB:
		ok = is_read(c);
		if (ok)
			xpb_bytes(b, c->addr, buf, len);
		break;
	case BD_CPP_ARM:
		ok = is_read(c) && arm_read(c->addr, buf, len);
		break;
	}
	if (ok)
		return;
	memset(buf, 0xff, len);
	b->cpp->unsupported++;
}

void bd_cpp_write(struct board *b, const struct bd_cmd *c, const void *buf, size_t len)
{
	bool ok = false;

	switch (c->target) {
	case BD_CPP_PCIE0:
	case BD_CPP_PCIE:
		ok = is_write(c);
		if (ok)
			bd_pcie_write(b, c->addr, buf, len);
		break;
	case BD_CPP_MU:
		ok = !bd_mu_write(b, c, buf, len);
		break;
	}
	if (!ok)
		b->cpp->unsupported++;
}
