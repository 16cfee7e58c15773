/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mem_map.h - addresses in the card's memory at which the units keep data for the host. This
 * board chose them; a card's firmware chooses others.
 */
#ifndef MEM_MAP_H
#define MEM_MAP_H

#include "board_int.h"

/*
 * 40-bit MU addresses. Bits 39:38 are the locality. Locality 2 is direct access: bits 37:32 are
 * then the island (nfpcore/nfp_target.c, nfp_encode_mu()).
 */
#define BD_MU_DIRECT(island)	((2ULL << 38) | ((uint64_t)(island) << 32))
/* Access to the DRAM of an EMEM island through the cache: bits 36:35 count islands. */
#define BD_MU_DRAM(island)	((uint64_t)((island) - BD_ISL_EMEM0) << 35)
#define BD_ISL_ARM		1	/* its CTM holds data of the ARM and the NSP */
#define BD_ISL_EMEM0		24
#define BD_ISL_IMEM0		28

#define BD_RES_ADDR		BD_MU_DIRECT(BD_ISL_ARM)	/* nfp_resource.c */
#define BD_HWINFO_ADDR		(BD_RES_ADDR + 0x2000)
#define BD_HWINFO_SIZE		0x1000
#define BD_NFFW_ADDR		(BD_RES_ADDR + 0x4000)
#define BD_NFFW_SIZE		0x1000
#define BD_NSP_ADDR		(BD_RES_ADDR + 0x10000)
#define BD_NSP_SIZE		0x1000
#define BD_NSP_BUF_ADDR		(BD_RES_ADDR + 0x20000)
#define BD_NSP_BUF_SIZE		0x10000

/*
 * The addresses from here on are in EMEM0's DRAM. Those of symbols are the addresses of the public
 * image for this card (bpf/nic_AMDA0099-0001_2x25.nffw). With a firmware file, the file's symbols
 * say where the control BARs, the MACs' statistics and the application's id are.
 */
#define BD_CTRL_ADDR		0x00800000	/* control vNIC's BAR */
#define BD_VNIC_ADDR		0x00808000
#define BD_VNIC_SIZE		0x8000		/* NFP_NET_CFG_BAR_SZ */
#define BD_MIP_ADDR		0x0081b000
#define BD_NPORTS_ADDR		0x0081b0e8
#define BD_BPFCAP_ADDR		0x0081b100
#define BD_APPCAP_ADDR		0x0081b308	/* the public image has none */
#define BD_DUMPSPEC_ADDR	0x0081b700
#define BD_DUMPSPEC_SIZE	0x800
#define BD_MACSTAT_ADDR		0x00860c00
#define BD_MACSTAT_SIZE		0x200		/* NFP_MAC_STATS_SIZE */
#define BD_MACSTAT_SYM_SIZE	0x3000		/* of the symbol: 24 MACs */
/* Without a file: the tables of symbols and of their names. */
#define BD_SYMTAB_ADDR		0x0086a000
#define BD_SYMTAB_SIZE		0x4000
#define BD_STRTAB_SIZE		0x10000
/* What the board uses of the images' memory. Firmware of this project may use other memory. */
#define BD_EMEM_ADDR		0x00800000
#define BD_EMEM_SIZE		0x00180000
/*
 * Values of BPF maps, in memory that the images have for them: twice what the values of all maps can
 * take, because gaps can remain between maps.
 */
#define BD_MAPS_ADDR		0x20000000
#define BD_MAPS_SIZE		BD_MIB(512)

/* The application's id, in the CTM of the PCIe island */
#define BD_ISL_PCIE		4
#define BD_APPID_ADDR		(BD_MU_DIRECT(BD_ISL_PCIE) + 0x400)

#endif /* MEM_MAP_H */
