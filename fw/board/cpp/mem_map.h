/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mem_map.h - places in the card's address space, chosen by this board, of what
 * its units keep in memory for the host.
 */
#ifndef MEM_MAP_H
#define MEM_MAP_H

#include "board_int.h"

/*
 * 40-bit MU addresses. Bits 39:38 are the locality: 2 is direct access, where
 * bits 37:32 are the island (nfpcore/nfp_target.c, nfp_encode_mu()).
 */
#define BD_MU_DIRECT(island)	((2ULL << 38) | ((uint64_t)(island) << 32))
#define BD_ISL_ARM		1	/* its CTM holds what the ARM and NSP keep */
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
/* From here on in EMEM0 as a plain address; the first 3 MiB are the board's. */
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
/* Values of BPF maps: the largest sum of maps, and as much for gaps. */
#define BD_MAPS_ADDR		0x40000000
#define BD_MAPS_SIZE		BD_MIB(256)

#endif /* MEM_MAP_H */
