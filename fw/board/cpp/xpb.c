// SPDX-License-Identifier: BSD-2-Clause
/*
 * xpb.c - the few registers of the XPB bus that a host looks at. Read only.
 */
#include "board_int.h"

/* PL device id (nfp_cpplib.c, nfp_cpp_model_autodetect()). */
#define XPB_PL_DEVICE_ID	0x01500004
/* As an Agilio CX 2x25G prints: "Model: 0x40010010" in public kernel logs. */
#define NFP4000_DEVICE_ID	0x40010010

/* CPP address translation, one word a target (nfp_cppcore.c). */
#define XPB_IMB			0x000a0000
#define IMB(mode, addr40, isl1, isl0) \
	((mode) << 13 | (addr40) << 12 | (isl1) << 6 | (isl0))

/* Pending bits, where the MSI-X capability puts them (BAR0, slice 1). */
#define XPB_MSIX_PBA		0x00100190

static const uint32_t imb[16] = {
	/* mu.c decodes addresses by this entry */
	[BD_CPP_MU] = IMB(3, 1, BD_ISL_EMEM0, BD_ISL_EMEM0),
	/* The driver takes no other mode for XPB (nfp_cppat_addr_encode()). */
	[BD_CPP_XPB] = IMB(1, 0, 0, 0),
};

uint32_t bd_xpb_read(const struct board *b, uint32_t addr)
{
	if (addr == XPB_PL_DEVICE_ID)
		return NFP4000_DEVICE_ID;
	if (addr >= XPB_IMB && addr < XPB_IMB + sizeof(imb))
		return imb[(addr - XPB_IMB) / 4];
	if (addr >= XPB_MSIX_PBA && addr < XPB_MSIX_PBA + BOARD_MSIX_VECTORS / 8)
		return bd_msix_pba(b, (addr - XPB_MSIX_PBA) / 4);
	return 0;
}
