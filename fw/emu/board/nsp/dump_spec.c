// SPDX-License-Identifier: BSD-2-Clause
/*
 * dump_spec.c - the dump specification: a list of the registers and memories that `ethtool -w`
 * dumps. The firmware gives this list to the driver (nfp_net_debugdump.c), as big-endian {type,
 * length, value} records. The outermost records are levels; `ethtool -W` chooses the level. The
 * firmware files of the vendor have dump specifications, which the board leaves as they are.
 */
#include "bytes.h"
#include "cpp.h"
#include "mem_map.h"
#include "nffw.h"

#define TYPE_CPP_CSR		0
#define TYPE_XPB_CSR		1
#define TYPE_RTSYM		4
#define TYPE_HWINFO		5
#define TYPE_FWNAME		6

#define LEVEL_STATE		1	/* registers and small tables */
#define LEVEL_MEMORY		2	/* LEVEL_STATE, and the memory of the NIC firmware */

#define HEAD			8u

/* The items. A level dumps its own items and those of all lower levels. */
static const struct {
	uint32_t level;
	uint32_t type;
	const char *symbol;
	uint8_t target;
	uint8_t action;
	uint32_t at;
	uint32_t len;
} items[] = {
	{ LEVEL_STATE, TYPE_FWNAME, NULL, 0, 0, 0, 0 },
	{ LEVEL_STATE, TYPE_HWINFO, NULL, 0, 0, 0, 0 },
	{ LEVEL_STATE, TYPE_RTSYM, "nfd_cfg_pf0_num_ports", 0, 0, 0, 0 },
	{ LEVEL_STATE, TYPE_RTSYM, "_pf0_net_app_id", 0, 0, 0, 0 },
	/* the registers of the BAR windows, and the chip's identity */
	{ LEVEL_STATE, TYPE_CPP_CSR, NULL, BD_CPP_PCIE, BD_ACT_RW, 0x30000, 24 * 4 },
	{ LEVEL_STATE, TYPE_XPB_CSR, NULL, BD_CPP_XPB, 0, 0x01500004, 4 },
	{ LEVEL_MEMORY, TYPE_RTSYM, "_mac_stats", 0, 0, 0, 0 },
	{ LEVEL_MEMORY, TYPE_RTSYM, "_pf0_net_bar0", 0, 0, 0, 0 },
};

static uint8_t *put_head(uint8_t *p, uint32_t type, uint32_t len)
{
	bd_put_be32(p, type);
	bd_put_be32(p + 4, len);
	return p + HEAD;
}

static uint8_t *put_item(uint8_t *p, unsigned int i)
{
	uint32_t len;

	switch (items[i].type) {
	case TYPE_RTSYM:
		len = (strlen(items[i].symbol) + 4) / 4 * 4;	/* with NUL, in whole words */
		p = put_head(p, TYPE_RTSYM, len);
		memcpy(p, items[i].symbol, strlen(items[i].symbol));
		return p + len;
	case TYPE_CPP_CSR:
	case TYPE_XPB_CSR:
		p = put_head(p, items[i].type, 16);
		p[0] = items[i].target;
		p[1] = items[i].action;		/* token and island stay 0 */
		bd_put_be32(p + 4, items[i].at);
		bd_put_be32(p + 8, items[i].len);
		bd_put_be32(p + 12, 32);	/* bits of a register */
		return p + 16;
	default:
		return put_head(p, items[i].type, 0);
	}
}

static uint8_t *put_level(uint8_t *p, uint32_t level)
{
	uint8_t *begin = p;
	unsigned int i;

	p += HEAD;
	for (i = 0; i < ARRAY_SIZE(items); i++)
		if (items[i].level <= level)
			p = put_item(p, i);
	put_head(begin, level, p - begin - HEAD);
	return p;
}

void bd_dump_spec(struct board *b)
{
	uint8_t *begin = board_mem_ptr(b, BD_DUMPSPEC_ADDR, BD_DUMPSPEC_SIZE), *p = begin;

	if (b->nffw->image.sections)
		return;
	memset(begin, 0, BD_DUMPSPEC_SIZE);
	p = put_level(p, LEVEL_STATE);
	p = put_level(p, LEVEL_MEMORY);
	assert(p <= begin + BD_DUMPSPEC_SIZE);
	board_symbol(b, "_abi_dump_spec", BD_DUMPSPEC_ADDR, p - begin);
}
