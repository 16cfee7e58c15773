/* SPDX-License-Identifier: BSD-2-Clause */
/* vnic_bar.h - layout of a vNIC's control BAR (nfp_net_ctrl.h of the Linux driver). */
#ifndef VNIC_BAR_H
#define VNIC_BAR_H

#include "fw_ctrl.h"

#define UPDATE_RING		(1u << 1)
#define UPDATE_RSS		(1u << 2)
#define UPDATE_MSIX		(1u << 5)
#define UPDATE_BPF		(1u << 10)
#define UPDATE_ERR		(1u << 31)

#define CFG_CTRL		0x00
#define CFG_UPDATE		0x04
#define CFG_TXRS_ENABLE		0x08
#define CFG_RXRS_ENABLE		0x10
#define CFG_FLBUFSZ		0x1c	/* 24 bits: byte 0x1f is the exception vector */
#define CFG_LSC			0x20
#define LSC_NONE		0xff
#define CFG_MACADDR		0x24	/* address bytes 3 2 1 0; at 0x2a: bytes 5 4 */
#define CFG_VERSION		0x30
#define CFG_STS			0x34	/* 16 bits: the driver writes the link rate at 0x36 */
#define CFG_CAP			0x38
#define CFG_MAX_TXRINGS		0x3c
#define CFG_MAX_RXRINGS		0x40
#define CFG_MAX_MTU		0x44
#define CFG_START_TXQ		0x48
#define CFG_START_RXQ		0x4c
#define CFG_RSS_CAP		0x54
#define CFG_TLV			0x58
#define CFG_CTRL_WORD1		0x98
#define CFG_CAP_WORD1		0xa4
#define CFG_RSS_CTRL		0x100
#define CFG_RSS_KEY		0x104
#define CFG_RSS_TABLE		0x12c
#define CFG_TXR_ADDR		0x200
#define CFG_TXR_WB_ADDR		0x400
#define CFG_TXR_SZ		0x600
#define CFG_TXR_VEC		0x640
#define CFG_TXR_IRQ_MOD		0x700
#define CFG_RXR_ADDR		0x800
#define CFG_RXR_SZ		0xa00
#define CFG_RXR_VEC		0xa40
#define CFG_RXR_IRQ_MOD		0xb00
#define CFG_ICR			0xc00

/*
 * Statistics: one block for each direction, then one block for each ring. The driver reads the
 * counters and never clears them.
 */
#define STATS_RX		0xd00
#define STATS_TX		0xd48
#define STAT_DISCARDS		0x00
#define STAT_ERRORS		0x08
#define STAT_OCTETS		0x10
#define STAT_UC_OCTETS		0x18
#define STAT_MC_OCTETS		0x20
#define STAT_BC_OCTETS		0x28
#define STAT_FRAMES		0x30
#define STAT_MC_FRAMES		0x38
#define STAT_BC_FRAMES		0x40
#define STATS_TXR(ring)		(0x1000 + 0x10 * (ring))
#define STATS_RXR(ring)		(0x1400 + 0x10 * (ring))

#define MAX_MTU			9216

/*
 * Metadata directly before a frame: first a word with a 4-bit type for each field, then a word
 * for each field.
 */
#define META_HASH		1	/* the next 4-bit type is the type of the hash */
#define META_VLAN		4
#define META_CSUM		6	/* sum of the bytes after the Ethernet header */
#define META_VLAN_STRIPPED	(1u << 31)

#endif /* VNIC_BAR_H */
