// SPDX-License-Identifier: BSD-2-Clause
/*
 * firmware.c - the firmware of the card: a profile that is compiled in, or a file of the vendor. The
 * file is one of the card's flash (firmware=FILE), or the host loads it (firmware=host).
 *
 * Of a file, the board loads what the host can see: the contents of the memory units, the symbols
 * and the MIP. The board's own code takes the place of the vendor's code; mes.c runs grafted code.
 */
#include <errno.h>
#include <stdio.h>

#include "fw_space.h"
#include "mem_map.h"
#include "mu.h"
#include "nffw.h"

static void no_file(struct board *b)
{
	b->nffw->profile = fw_public;
	b->nffw->tables = BD_SYMTAB_ADDR;
	b->nffw->names_size = BD_STRTAB_SIZE;
}

int bd_firmware_init(struct board *b)
{
	no_file(b);
	b->nffw->loaded = true;
	return 0;
}

void bd_firmware_exit(struct board *b)
{
	fw_image_close(&b->nffw->image);
}

const struct fw_profile *bd_firmware(const struct board *b)
{
	return &b->nffw->profile;
}

bool bd_firmware_loaded(const struct board *b)
{
	return b->nffw->loaded;
}

static uint64_t place(uint8_t island, bool direct, uint64_t addr)
{
	bool emem = island >= BD_ISL_EMEM0 && island <= BD_ISL_EMEM0 + 2;

	return (emem && !direct ? BD_MU_DRAM(island) : BD_MU_DIRECT(island)) + addr;
}

uint64_t bd_sym_addr(const struct fw_sym *s)
{
	return place(s->island, s->target == FW_TGT_EMU_CACHE, s->addr);
}

/*
 * Say whether the board loads a section. Data in the cache have ordinary addresses of their island
 * (fw_image_data()).
 */
static bool loaded(const struct fw_section *s)
{
	return (s->mem == FW_MEM_MU || s->mem == FW_MEM_EMU_CACHE) && s->data && s->size;
}

/* Bytes for the names of symbols: those of the file, and those that the board adds */
static uint32_t names_size(const struct fw_image *img)
{
	return (uint32_t)fw_image_section(img, ".rtstrtab")->size + 4096;
}

/*
 * Find a place for the host's tables of symbols: those of the file, and those that the board adds.
 * Return: 0 if there is none.
 */
static uint64_t find_tables(struct board *b, const struct fw_image *img)
{
	uint64_t size = BD_SYMTAB_SIZE + names_size(img), at = fw_space_tables(img, size);

	return at && board_mem_ptr(b, at, size) ? at : 0;
}

/* Say whether the board can hold the image, and has room for the host's tables of symbols. */
static int check_memory(struct board *b, const struct fw_image *img, char *err, size_t errlen)
{
	unsigned int i;

	for (i = 0; i < img->sections; i++) {
		const struct fw_section *s = &img->section[i];
		uint64_t at = place(s->island, false, s->addr);

		if (!loaded(s))
			continue;
		if (!board_mem_ptr(b, at, s->size)) {
			snprintf(err, errlen, "section %s: the board has no memory at 0x%llx of island %u",
				 s->name, (unsigned long long)s->addr, s->island);
			return -EINVAL;
		}
	}
	if (find_tables(b, img))
		return 0;
	snprintf(err, errlen, "the board's memory has no room for the tables of symbols");
	return -EINVAL;
}

/* The symbols of objects that the board uses, and their sizes. The last two are those of BPF. */
static const struct {
	const char *name;
	uint64_t size;
	uint32_t app;		/* the application that needs it; 0: each */
} objects[] = {
	{ "_pf0_net_bar0", BOARD_PORTS * BD_VNIC_SIZE, 0 },
	{ "_mac_stats", BOARD_PORTS * BD_MACSTAT_SIZE, 0 },
	{ "_pf0_net_app_id", 8, 0 },
	{ "_pf0_net_ctrl_bar", BD_VNIC_SIZE, FW_APP_BPF },
	{ "_abi_bpf_capabilities", 8, FW_APP_BPF },
};

static int check_objects(struct board *b, const struct fw_profile *p, const struct fw_image *img,
			 char *err, size_t errlen)
{
	const struct fw_sym *s;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(objects); i++) {
		if (objects[i].app && objects[i].app != p->app)
			continue;
		s = fw_image_sym(img, objects[i].name);
		if (s && (s->target == FW_TGT_MU || s->target == FW_TGT_EMU_CACHE) &&
		    s->size >= objects[i].size && board_mem_ptr(b, bd_sym_addr(s), s->size))
			continue;
		snprintf(err, errlen, "no symbol %s of %llu bytes or more in the board's memory",
			 objects[i].name, (unsigned long long)objects[i].size);
		return -EINVAL;
	}
	return 0;
}

static int check_card(const struct fw_profile *p, const struct fw_image *img,
		      char *err, size_t errlen)
{
	if (p->app != FW_APP_BPF && p->app != FW_APP_NIC) {
		snprintf(err, errlen, "%s is of application %u; the board has NIC (%u) and BPF (%u)",
			 p->mip.name, p->app, FW_APP_NIC, FW_APP_BPF);
		return -EINVAL;
	}
	if (p->ports != BOARD_PORTS) {
		snprintf(err, errlen, "%s is for %u ports; the board has %u", p->mip.name, p->ports,
			 BOARD_PORTS);
		return -EINVAL;
	}
	if (img->mip_island != BD_ISL_EMEM0) {
		snprintf(err, errlen, "the MIP is in island %u, not in %u", img->mip_island,
			 BD_ISL_EMEM0);
		return -EINVAL;
	}
	if (img->syms > BD_SYMBOLS - 64) {
		snprintf(err, errlen, "%u symbols; the board has room for %u", img->syms,
			 BD_SYMBOLS - 64);
		return -EINVAL;
	}
	return 0;
}

/* Make the profile of an image. An image that this card cannot run is closed. */
static int check_image(struct board *b, struct fw_profile *p, struct fw_image *img, const char *name,
		       char *err, size_t errlen)
{
	int ret = fw_profile_image(p, img, name, err, errlen);

	if (!ret)
		ret = check_card(p, img, err, errlen);
	if (!ret)
		ret = check_memory(b, img, err, errlen);
	if (!ret)
		ret = check_objects(b, p, img, err, errlen);
	if (ret)
		fw_image_close(img);
	return ret;
}

static void choose(struct board *b, const struct fw_profile *p, const struct fw_image *img)
{
	fw_image_close(&b->nffw->image);
	no_file(b);
	b->nffw->profile = *p;
	b->nffw->image = *img;
	b->nffw->loaded = true;
	if (!img->sections)
		return;
	b->nffw->tables = find_tables(b, img);
	b->nffw->names_size = names_size(img);
}

int bd_firmware_set(struct board *b, const char *name, char *err, size_t errlen)
{
	struct fw_image img = { 0 };
	struct fw_profile p;
	int ret;

	if (!strcmp(name, "host")) {
		b->nffw->host = true;
		bd_firmware_unload(b);
		return 0;
	}
	if (strpbrk(name, "/.")) {
		ret = fw_image_open(&img, name, err, errlen);
		if (!ret)
			ret = check_image(b, &p, &img, name, err, errlen);
	} else {
		ret = fw_profile_get(&p, name, err, errlen);
		if (ret == -ENOENT)
			snprintf(err, errlen, "no firmware of this name; there are public, full, host, and files (a path with / or .)");
	}
	if (ret)
		return ret;
	b->nffw->host = false;
	choose(b, &p, &img);
	return 0;
}

int bd_firmware_host(struct board *b, uint8_t *file, size_t len, char *err, size_t errlen)
{
	struct fw_image img;
	struct fw_profile p;
	int ret = fw_image_open_mem(&img, file, len, err, errlen);

	if (ret)
		return ret == -EINVAL ? -ENOEXEC : ret;
	ret = check_image(b, &p, &img, "host", err, errlen);
	if (!ret)
		choose(b, &p, &img);
	return ret;
}

/*
 * No source says what of a card's memory a soft reset keeps. Here nothing stays, so firmware starts
 * as after power-on, and the host finds no MIP.
 */
bool bd_firmware_unload(struct board *b)
{
	if (!b->nffw->host)
		return false;
	fw_image_close(&b->nffw->image);
	no_file(b);
	b->nffw->loaded = false;
	bd_mu_forget(b);
	return true;
}

void bd_firmware_load(struct board *b)
{
	const struct fw_image *img = &b->nffw->image;
	unsigned int i;

	for (i = 0; i < img->sections; i++) {
		const struct fw_section *s = &img->section[i];

		if (loaded(s))
			memcpy(board_mem_ptr(b, place(s->island, false, s->addr), s->size),
			       s->data, s->size);
	}
}
