// SPDX-License-Identifier: BSD-2-Clause
/*
 * resource.c - the resource table: it tells the host where the other tables are, and has a mutex
 * for each of them (nfpcore/nfp_resource.c, nfp_mutex.c). The host takes a mutex with atomic
 * actions of the memory unit that holds the table; see mu.c.
 */
#include "bytes.h"
#include "cpp.h"
#include "mem_map.h"
#include "nffw.h"

#define RES_ENTRIES	128
#define RES_ENTRY_SIZE	32

struct entry {
	const char *name;	/* up to 8 characters */
	uint64_t addr;
	uint32_t size;
};

/* The host searches the table from its start, with eight reads for each entry. */
static const struct entry entries[] = {
	{ "nfp.res", 0, 0 },	/* the lock of the table itself; its key is 0 */
	{ "nfp.sp", BD_NSP_ADDR, BD_NSP_SIZE },
	{ "nfp.nffw", BD_NFFW_ADDR, BD_NFFW_SIZE },
	{ "nfp.info", BD_HWINFO_ADDR, BD_HWINFO_SIZE },
};

static void fill(uint8_t *e, const struct entry *r)
{
	char name[8] = { 0 };

	memcpy(name, r->name, strlen(r->name));
	/* the mutex's owner, at offset 0, stays 0: unlocked */
	bd_put32(e + 4, r->size ? bd_crc32_posix(name, sizeof(name)) : 0);
	memcpy(e + 8, name, sizeof(name));
	if (!r->size)
		return;
	e[21] = BD_ACT_RW;
	e[22] = 0;		/* token */
	e[23] = BD_CPP_MU;
	bd_put32(e + 24, r->addr >> 8);
	bd_put32(e + 28, r->size >> 8);
}

void bd_resource_build(struct board *b)
{
	uint8_t *table = board_mem_ptr(b, BD_RES_ADDR, RES_ENTRIES * RES_ENTRY_SIZE);
	unsigned int i;

	memset(table, 0, RES_ENTRIES * RES_ENTRY_SIZE);
	for (i = 0; i < ARRAY_SIZE(entries); i++)
		fill(table + RES_ENTRY_SIZE * i, &entries[i]);
}
