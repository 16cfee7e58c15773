// SPDX-License-Identifier: BSD-2-Clause
/* fw_workers.c - take workers off the lists of the vendor's BPF image, and configure them anew. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "fw_workers.h"

/* An entry of a .regt section: two words, of which the second has the register, value, mask */
#define REG_SIZE	16
#define REG_AT		4
#define REG_VALUE	8
/* A register of a microengine: island, 1, microengine + 4, address of the CSR */
#define CSR_OF(island, me) ((island) << 24 | 1u << 16 | ((me) + 4) << 10)
#define CSR_CTX_ENABLES	0x18
#define CSR_WAKEUP	0x50	/* for each context: the events that wake it */

/* Values for code in eight contexts, as the image's GRO microengines have them */
#define CTX_ENABLES_8	0x1000ff00
#define WAKEUP_START	0x00010001

static const char *const lists[FW_WORKER_LISTS] = { "._cfg_mes_ids", "._dp_mes_ids" };

static uint32_t id_of(unsigned int island, unsigned int me)
{
	return island << 4 | (me + 4);
}

static const struct fw_sym *list_sym(const struct fw_image *img, const char *name)
{
	unsigned int i;

	for (i = 0; i < img->syms; i++) {
		const char *dot = strrchr(img->sym[i].name, '.');

		if (dot && !strcmp(dot, name) && img->sym[i].target == FW_TGT_LOCAL)
			return &img->sym[i];
	}
	return NULL;
}

/* Find the section of local memory that has the contents of a list. @at: offset there */
static struct fw_section *list_section(const struct fw_image *img, const char *name, uint64_t *at,
				       unsigned int *n)
{
	const struct fw_sym *sym = list_sym(img, name);
	unsigned int i;

	for (i = 0; sym && i < img->sections; i++) {
		struct fw_section *s = &img->section[i];

		if (s->mem != FW_MEM_LOCAL || s->island != sym->island || s->me != sym->me ||
		    !s->data || sym->addr < s->addr || sym->size > s->size ||
		    sym->addr - s->addr > s->size - sym->size)
			continue;
		*at = sym->addr - s->addr;
		*n = (unsigned int)(sym->size / 4);
		return s;
	}
	return NULL;
}

static int find(const struct fw_section *s, uint64_t at, unsigned int n, uint32_t id)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		if (fw_get32(s->data + at + 4 * (uint64_t)i) == id)
			return (int)i;
	return -1;
}

static bool has_init(const struct fw_image *img, unsigned int island, unsigned int me)
{
	unsigned int i;

	for (i = 0; i < img->sections; i++) {
		const struct fw_section *s = &img->section[i];

		if (s->mem == FW_MEM_CODE && s->island == island && s->me == me &&
		    !strncmp(s->name, ".init", 5))
			return true;
	}
	return false;
}

int fw_worker_check(const struct fw_image *img, unsigned int island, unsigned int me, char *err,
		    size_t errlen)
{
	unsigned int i, n;
	uint64_t at;

	for (i = 0; i < FW_WORKER_LISTS; i++) {
		const struct fw_section *s = list_section(img, lists[i], &at, &n);

		if (!s) {
			snprintf(err, errlen, "%s has no list of workers (%s): only the vendor's BPF images have one",
				 img->mip.name, lists[i] + 1);
			return -EINVAL;
		}
		if (find(s, at, n, id_of(island, me)) < 0) {
			snprintf(err, errlen, "i%u.me%u is no worker: it is not in the list %s", island, me,
				 lists[i] + 1);
			return -EINVAL;
		}
	}
	if (has_init(img, island, me)) {
		snprintf(err, errlen, "i%u.me%u has initialisation code (.init), which sets rings up for others",
			 island, me);
		return -EINVAL;
	}
	return 0;
}

static int drop(struct fw_image *img, struct fw_section *s, uint64_t at, unsigned int n,
		unsigned int island, unsigned int me)
{
	uint8_t *data = fw_edit_data(img, s);
	uint32_t gone = id_of(island, me), stays = 0;
	unsigned int i;

	if (!data)
		return -ENOMEM;
	data += at;
	for (i = 0; i < n; i++) {
		uint32_t id = fw_get32(data + 4 * i);

		if (id >> 4 == island && id != gone)
			stays = id;
	}
	if (!stays)
		return -EINVAL;
	for (i = 0; i < n; i++)
		if (fw_get32(data + 4 * i) == gone)
			fw_put32(data + 4 * i, stays);
	return 0;
}

int fw_worker_drop(struct fw_image *img, unsigned int island, unsigned int me, char *err,
		   size_t errlen)
{
	unsigned int i, n;
	uint64_t at;
	int ret;

	for (i = 0; i < FW_WORKER_LISTS; i++) {
		struct fw_section *s = list_section(img, lists[i], &at, &n);

		ret = drop(img, s, at, n, island, me);
		if (ret == -EINVAL)
			snprintf(err, errlen, "i%u.me%u is the last worker of island %u", island, me,
				 island);
		if (ret)
			return ret;
	}
	return 0;
}

bool fw_worker_entry(const struct fw_image *img, unsigned int list, unsigned int i,
		     unsigned int *island, unsigned int *me)
{
	const struct fw_section *s;
	unsigned int n;
	uint32_t id;
	uint64_t at;

	s = list_section(img, lists[list], &at, &n);
	if (!s || i >= n)
		return false;
	id = fw_get32(s->data + at + 4 * (uint64_t)i);
	*island = id >> 4;
	*me = (id & 15) - 4;
	return true;
}

/* ---- registers ---- */

static struct fw_section *csrs(const struct fw_image *img, unsigned int island)
{
	char name[32];

	snprintf(name, sizeof(name), ".regt.mecsr.i%u", island);
	return fw_image_section(img, name);
}

/*
 * Find the next entry that sets a CSR of a microengine, from *@at on. Return: its offset, and *@at
 * behind it, or -1.
 */
static int64_t csr_next(const struct fw_section *s, unsigned int island, unsigned int me,
			uint32_t csr, uint64_t *at)
{
	const uint32_t reg = CSR_OF(island, me) | csr;

	for (; s && s->data && *at + REG_SIZE <= s->size; *at += REG_SIZE)
		if (fw_get32(s->data + *at + REG_AT) == reg) {
			*at += REG_SIZE;
			return (int64_t)(*at - REG_SIZE);
		}
	return -1;
}

int fw_worker_enables(const struct fw_image *img, unsigned int island, unsigned int me,
		      uint32_t *enables)
{
	const struct fw_section *s = csrs(img, island);
	uint64_t at = 0;
	int64_t e = csr_next(s, island, me, CSR_CTX_ENABLES, &at);

	if (e < 0 || csr_next(s, island, me, CSR_CTX_ENABLES, &at) >= 0)
		return -EINVAL;
	*enables = fw_get32(s->data + e + REG_VALUE);
	return 0;
}

int fw_worker_contexts(struct fw_image *img, unsigned int island, unsigned int me, char *err,
		       size_t errlen)
{
	static const uint32_t csr[] = { CSR_CTX_ENABLES, CSR_WAKEUP };
	static const uint32_t value[] = { CTX_ENABLES_8, WAKEUP_START };
	struct fw_section *s = csrs(img, island);
	uint32_t enables;
	unsigned int i;
	uint8_t *data;

	if (fw_worker_enables(img, island, me, &enables)) {
		snprintf(err, errlen, "unknown layout: CTX_ENABLES of i%u.me%u is not set once", island, me);
		return -EINVAL;
	}
	data = fw_edit_data(img, s);
	if (!data)
		return -ENOMEM;
	for (i = 0; i < 2; i++) {
		uint64_t at = 0;
		int64_t e;

		while ((e = csr_next(s, island, me, csr[i], &at)) >= 0)
			fw_put32(data + e + REG_VALUE, value[i]);
	}
	return 0;
}
