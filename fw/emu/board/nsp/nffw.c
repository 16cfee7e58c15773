// SPDX-License-Identifier: BSD-2-Clause
/*
 * nffw.c - description of the firmware for the host: the nfp.nffw resource, the MIP that the
 * resource points to, and the run-time symbols (nfpcore/nfp_nffw.c, nfp_mip.c, nfp_rtsym.c).
 */
#include <errno.h>

#include "bytes.h"
#include "cpp.h"
#include "mem_map.h"
#include "mu.h"
#include "nffw.h"

#define NFFW_INIT		(1u | 2u << 16)	/* initialised, layout version 2 */
#define NFFW_FWINFO		(8 + 4 * 200)	/* after 200 words about the MEs */
#define FWINFO_LOADED		(1u << 31)

#define MIP_SIZE		96	/* bytes of its fields */

#define SYM_NO_ME		0xff

_Static_assert(BD_SYMBOLS * FW_SYM_SIZE <= BD_SYMTAB_SIZE, "a table is too small");

/*
 * From nfp_app.h, for NFP_APP_CORE_NIC. The capability of nfp_net_ctrl.h says that the firmware works at
 * any port speed.
 */
#define APP_CAP_SP_INDIFF	(1u << 0)

/* Return: a new symbol, or NULL with the reason in *@err. */
static struct bd_symbol *add(struct board *b, const char *name, int *err)
{
	struct bd_nffw *n = b->nffw;
	struct bd_symbol *s;
	unsigned int i;

	*err = -EINVAL;
	if (!*name || strlen(name) >= sizeof(s->name))
		return NULL;
	*err = -EEXIST;
	for (i = 0; i < n->count; i++)
		if (!strcmp(n->sym[i].name, name))
			return NULL;
	*err = -ENOSPC;
	if (n->count == BD_SYMBOLS)
		return NULL;
	*err = 0;
	s = &n->sym[n->count++];
	memset(s, 0, sizeof(*s));
	memcpy(s->name, name, strlen(name) + 1);
	return s;
}

/* Add a symbol of memory at the MU address @addr. */
static int add_object(struct board *b, const char *name, uint64_t addr, uint64_t len)
{
	bool direct = addr >> 38 == 2;
	struct bd_symbol *s;
	int err = -EINVAL;

	s = len ? add(b, name, &err) : NULL;
	if (!s)
		return err;
	s->type = FW_SYM_OBJECT;
	s->island = direct ? addr >> 32 & 0x3f : BD_ISL_EMEM0 + (addr >> 35 & 3);
	s->target = direct && s->island >= BD_ISL_EMEM0 && s->island <= BD_ISL_EMEM0 + 2 ?
		    FW_TGT_EMU_CACHE : FW_TGT_MU;
	s->me = SYM_NO_ME;
	s->addr = addr;
	s->len = len;
	return 0;
}

/*
 * Add the symbols of the firmware's file. The board has no SR-IOV (QEMU hides the capability), and
 * the driver warns of a count of VFs without it.
 */
static void add_image(struct board *b, const struct fw_image *img)
{
	struct bd_symbol *s;
	unsigned int i;
	int err;

	for (i = 0; i < img->syms; i++) {
		const struct fw_sym *f = &img->sym[i];

		if (!strcmp(f->name, "nfd_vf_cfg_max_vfs"))
			continue;
		s = add(b, f->name, &err);
		if (!s)
			continue;
		s->type = f->type;
		s->target = f->target;
		s->island = f->island;
		s->me = f->me;
		s->addr = f->target == FW_TGT_MU || f->target == FW_TGT_EMU_CACHE ?
			  bd_sym_addr(f) : f->addr;
		s->len = f->size;
	}
}

void bd_firmware_app(struct board *b, uint32_t app)
{
	bd_put64(board_mem_ptr(b, bd_nffw_symbol(b, "_pf0_net_app_id", 8), 8), app);
}

void bd_nffw_remove(struct board *b, const char *name)
{
	struct bd_nffw *n = b->nffw;
	unsigned int i;

	for (i = 0; i < n->count; i++) {
		if (strcmp(n->sym[i].name, name))
			continue;
		n->count--;
		memmove(&n->sym[i], &n->sym[i + 1], (n->count - i) * sizeof(n->sym[i]));
		return;
	}
}

/* Without a file: the symbols that the driver reads. */
static void add_builtin(struct board *b, const struct fw_profile *p)
{
	add_object(b, "_pf0_net_bar0", BD_VNIC_ADDR, BOARD_PORTS * BD_VNIC_SIZE);
	add_object(b, "_mac_stats", BD_MACSTAT_ADDR, BD_MACSTAT_SYM_SIZE);
	add_object(b, "nfd_cfg_pf0_num_ports", BD_NPORTS_ADDR, 8);
	add_object(b, "_pf0_net_app_id", BD_APPID_ADDR, 8);
	bd_put64(board_mem_ptr(b, BD_NPORTS_ADDR, 8), p->ports);
	if (strcmp(p->name, fw_full.name))
		return;
	add_object(b, "_pf0_net_app_cap", BD_APPCAP_ADDR, 8);
	bd_put64(board_mem_ptr(b, BD_APPCAP_ADDR, 8), APP_CAP_SP_INDIFF);
}

/* Remove all symbols, and add those of the NIC firmware, which the board emulates. */
void bd_nffw_reset(struct board *b)
{
	b->nffw->count = 0;
	if (!bd_firmware_loaded(b))
		return;
	if (b->nffw->image.sections)
		add_image(b, &b->nffw->image);
	else
		add_builtin(b, bd_firmware(b));
	bd_firmware_app(b, FW_APP_NIC);
}

int board_symbol(struct board *b, const char *name, uint64_t addr, uint32_t len)
{
	int err;

	if (!board_mem_ptr(b, addr, len))
		return -EINVAL;
	err = add_object(b, name, bd_mu_normal(addr), len);
	if (!err)
		bd_nffw_build(b);
	return err;
}

uint64_t bd_nffw_symbol(const struct board *b, const char *name, uint64_t len)
{
	const struct bd_nffw *n = b->nffw;
	unsigned int i;

	for (i = 0; i < n->count; i++)
		if (!strcmp(n->sym[i].name, name))
			return n->sym[i].len >= len ? n->sym[i].addr : 0;
	return 0;
}

/*
 * Write a symbol's entry (struct nfp_rtsym_entry). The entry gives an address in the memory unit as
 * an island and an offset.
 */
static void put_symbol(uint8_t *e, const struct bd_symbol *s, size_t name)
{
	bool dram = s->target == FW_TGT_MU && s->addr >> 38 != 2;
	struct fw_sym f = {
		.type = s->type, .target = s->target, .island = s->island, .me = s->me,
		.addr = s->addr, .size = s->len,
	};

	if (s->target == FW_TGT_MU || s->target == FW_TGT_EMU_CACHE)
		f.addr &= dram ? BD_MU_DRAM(BD_ISL_EMEM0 + 1) - 1 : UINT32_MAX;
	fw_sym_put(e, &f, name);
}

static void put_tables(struct board *b, size_t *symlen, size_t *strlen_)
{
	const struct bd_nffw *n = b->nffw;
	uint8_t *sym = board_mem_ptr(b, n->tables, BD_SYMTAB_SIZE);
	uint8_t *str = board_mem_ptr(b, n->tables + BD_SYMTAB_SIZE, n->names_size);
	size_t at = 0;
	unsigned int i;

	memset(str, 0, n->names_size);
	for (i = 0; i < n->count; i++) {
		const struct bd_symbol *s = &n->sym[i];

		put_symbol(sym + FW_SYM_SIZE * i, s, at);
		memcpy(str + at, s->name, strlen(s->name));
		at += strlen(s->name) + 1;
	}
	*symlen = FW_SYM_SIZE * n->count;
	*strlen_ = at;
}

static uint64_t mip_addr(const struct board *b)
{
	return b->nffw->image.sections ? b->nffw->image.mip_addr : BD_MIP_ADDR;
}

/* Write the MIP's fields. Behind them the MIP of a file has entries, which stay. */
static void put_mip(struct board *b, size_t symlen, size_t strlen_)
{
	const struct fw_mip *mip = &bd_firmware(b)->mip;
	uint8_t *m = board_mem_ptr(b, mip_addr(b), MIP_SIZE);

	memset(m, 0, MIP_SIZE);
	bd_put32(m, FW_MIP_SIGNATURE);
	bd_put32(m + 4, 1);
	bd_put32(m + 8, mip->size);
	bd_put32(m + 12, mip->entry);
	bd_put32(m + 16, mip->version);
	bd_put32(m + 20, mip->build);
	bd_put32(m + 24, mip->time);
	bd_put32(m + FW_MIP_SYM_ADDR, b->nffw->tables);
	bd_put32(m + FW_MIP_SYM_SIZE, symlen);
	bd_put32(m + FW_MIP_STR_ADDR, b->nffw->tables + BD_SYMTAB_SIZE);
	bd_put32(m + FW_MIP_STR_SIZE, strlen_);
	memcpy(m + FW_MIP_NAME_AT, mip->name, FW_MIP_NAME);
	memcpy(m + 64, mip->toolchain, FW_MIP_TOOLCHAIN);
}

void bd_nffw_build(struct board *b)
{
	uint8_t *r = board_mem_ptr(b, BD_NFFW_ADDR, BD_NFFW_SIZE);
	size_t symlen, strlen_;

	memset(r, 0, BD_NFFW_SIZE);
	bd_put32(r, NFFW_INIT);
	if (!bd_firmware_loaded(b))
		return;
	put_tables(b, &symlen, &strlen_);
	put_mip(b, symlen, strlen_);
	bd_put32(r + NFFW_FWINFO, FWINFO_LOADED);
	bd_put32(r + NFFW_FWINFO + 4,
		 (uint32_t)BD_CPP_MU << 24 | BD_ACT_RW << 8 | BD_ISL_EMEM0);
	bd_put32(r + NFFW_FWINFO + 8, mip_addr(b));
}
