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

#define BD_MIP_ADDR		BD_MU_DIRECT(BD_ISL_EMEM0)
/* The addresses from here on are in EMEM0's DRAM, whose first 3 MiB the board reserves. */
#define BD_SYMTAB_ADDR		0x00100000
#define BD_STRTAB_ADDR		0x00110000
#define BD_VNIC_ADDR		0x00200000
#define BD_VNIC_SIZE		0x8000		/* NFP_NET_CFG_BAR_SZ */
#define BD_MACSTAT_ADDR		0x00210000
#define BD_MACSTAT_SIZE		0x200		/* NFP_MAC_STATS_SIZE */
#define BD_NPORTS_ADDR		0x00211000
#define BD_CTRL_ADDR		0x00220000	/* control vNIC's BAR */
#define BD_APPID_ADDR		0x00230000
#define BD_APPCAP_ADDR		0x00230008
#define BD_BPFCAP_ADDR		0x00230100
#define BD_DUMPSPEC_ADDR	0x00230800
#define BD_DUMPSPEC_SIZE	0x800
#define BD_EMEM_RESERVED	BD_MIB(3)
/*
 * Values of BPF maps: twice the largest sum of all maps, because gaps can remain between
 * maps.
 */
#define BD_MAPS_ADDR		0x40000000
#define BD_MAPS_SIZE		BD_MIB(256)

#endif /* MEM_MAP_H */
