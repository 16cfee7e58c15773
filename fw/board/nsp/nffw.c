// SPDX-License-Identifier: BSD-2-Clause
/*
 * nffw.c - description of the firmware for the host: the nfp.nffw resource, the MIP that the
 * resource points to, and the run-time symbols (nfpcore/nfp_nffw.c, nfp_mip.c, nfp_rtsym.c).
 */
#include <errno.h>
#include <stdio.h>

#include "bytes.h"
#include "cpp.h"
#include "mem_map.h"
#include "mu.h"
#include "nffw.h"

#define NFFW_INIT		(1u | 2u << 16)	/* initialised, layout version 2 */
#define NFFW_FWINFO		(8 + 4 * 200)	/* after 200 words about the MEs */
#define FWINFO_LOADED		(1u << 31)
#define FWINFO_MU_DA		(1u << 8)	/* the MIP is in direct-access memory */

#define MIP_SIGNATURE		0x0050494d
#define MIP_SIZE		96

#define SYM_SIZE		16
#define SYM_OBJECT		1
#define SYM_TGT_EMU_CACHE	0x17
#define SYM_NO_ME		0xff

/*
 * NFP_APP_CORE_NIC of nfp_app.h. The capability of nfp_net_ctrl.h says that the firmware works at
 * any port speed.
 */
#define APP_CORE_NIC		1
#define APP_CAP_SP_INDIFF	(1u << 0)

#define STRTAB_MAX		(BD_SYMBOLS * sizeof(((struct bd_symbol *)0)->name))

static int add(struct board *b, const char *name, uint64_t addr, uint32_t len)
{
	struct bd_nffw *n = b->nffw;
	struct bd_symbol *s;
	unsigned int i;

	if (!*name || strlen(name) >= sizeof(s->name) || !len)
		return -EINVAL;
	for (i = 0; i < n->count; i++)
		if (!strcmp(n->sym[i].name, name))
			return -EEXIST;
	if (n->count == BD_SYMBOLS)
		return -ENOSPC;
	s = &n->sym[n->count++];
	memcpy(s->name, name, strlen(name) + 1);
	s->addr = addr;
	s->len = len;
	return 0;
}

/* Remove all symbols, and add those of the NIC firmware, which the board emulates. */
void bd_nffw_reset(struct board *b)
{
	b->nffw->count = 0;
	add(b, "_pf0_net_bar0", BD_VNIC_ADDR, BOARD_PORTS * BD_VNIC_SIZE);
	add(b, "_mac_stats", BD_MACSTAT_ADDR, BOARD_PORTS * BD_MACSTAT_SIZE);
	add(b, "nfd_cfg_pf0_num_ports", BD_NPORTS_ADDR, 4);
	add(b, "_pf0_net_app_id", BD_APPID_ADDR, 4);
	add(b, "_pf0_net_app_cap", BD_APPCAP_ADDR, 8);
	bd_put32(board_mem_ptr(b, BD_NPORTS_ADDR, 4), BOARD_PORTS);
	bd_put32(board_mem_ptr(b, BD_APPID_ADDR, 4), APP_CORE_NIC);
	bd_put64(board_mem_ptr(b, BD_APPCAP_ADDR, 8), APP_CAP_SP_INDIFF);
}

int board_symbol(struct board *b, const char *name, uint64_t addr, uint32_t len)
{
	int err;

	if (!board_mem_ptr(b, addr, len))
		return -EINVAL;
	err = add(b, name, bd_mu_normal(addr), len);
	if (!err)
		bd_nffw_build(b);
	return err;
}

uint64_t bd_nffw_symbol(const struct board *b, const char *name, uint32_t len)
{
	const struct bd_nffw *n = b->nffw;
	unsigned int i;

	for (i = 0; i < n->count; i++)
		if (!strcmp(n->sym[i].name, name))
			return n->sym[i].len == len ? n->sym[i].addr : 0;
	return 0;
}

/*
 * Write a symbol's entry (struct nfp_rtsym_entry). The entry gives the address as a target, an
 * island and an offset.
 */
static void put_symbol(uint8_t *e, const struct bd_symbol *s, size_t name)
{
	bool direct = s->addr >> 38 == 2;
	uint8_t island = direct ? s->addr >> 32 & 0x3f : BD_ISL_EMEM0;

	e[0] = SYM_OBJECT;
	e[1] = direct && island == BD_ISL_EMEM0 ? SYM_TGT_EMU_CACHE : BD_CPP_MU;
	e[2] = island;
	e[3] = direct ? 0 : s->addr >> 32;
	bd_put32(e + 4, s->addr);
	bd_put16(e + 8, name);
	e[10] = SYM_NO_ME;
	e[11] = 0;
	bd_put32(e + 12, s->len);
}

static void put_tables(struct board *b, size_t *symlen, size_t *strlen_)
{
	uint8_t *sym = board_mem_ptr(b, BD_SYMTAB_ADDR, BD_SYMBOLS * SYM_SIZE);
	uint8_t *str = board_mem_ptr(b, BD_STRTAB_ADDR, STRTAB_MAX);
	size_t at = 0;
	unsigned int i;

	memset(str, 0, STRTAB_MAX);
	for (i = 0; i < b->nffw->count; i++) {
		const struct bd_symbol *s = &b->nffw->sym[i];

		put_symbol(sym + SYM_SIZE * i, s, at);
		memcpy(str + at, s->name, strlen(s->name));
		at += strlen(s->name) + 1;
	}
	*symlen = SYM_SIZE * b->nffw->count;
	*strlen_ = at;
}

static void put_mip(struct board *b, size_t symlen, size_t strlen_)
{
	uint8_t *m = board_mem_ptr(b, BD_MIP_ADDR, MIP_SIZE);

	memset(m, 0, MIP_SIZE);
	bd_put32(m, MIP_SIGNATURE);
	bd_put32(m + 4, 1);
	bd_put32(m + 8, MIP_SIZE);
	bd_put32(m + 16, 1);		/* version */
	bd_put32(m + 32, BD_SYMTAB_ADDR);
	bd_put32(m + 36, symlen);
	bd_put32(m + 40, BD_STRTAB_ADDR);
	bd_put32(m + 44, strlen_);
	snprintf((char *)m + 48, 16, "%s", b->fw ? "nfp-chan" : "nic");
	snprintf((char *)m + 64, 32, "host " __VERSION__);
}

void bd_nffw_build(struct board *b)
{
	uint8_t *r = board_mem_ptr(b, BD_NFFW_ADDR, BD_NFFW_SIZE);
	size_t symlen, strlen_;

	put_tables(b, &symlen, &strlen_);
	put_mip(b, symlen, strlen_);
	memset(r, 0, BD_NFFW_SIZE);
	bd_put32(r, NFFW_INIT);
	bd_put32(r + NFFW_FWINFO, FWINFO_LOADED | FWINFO_MU_DA);
	bd_put32(r + NFFW_FWINFO + 4,
		 (uint32_t)BD_CPP_MU << 24 | BD_ACT_RW << 8 | BD_ISL_EMEM0);
	bd_put32(r + NFFW_FWINFO + 8, BD_MIP_ADDR & 0xffffffff);
}
