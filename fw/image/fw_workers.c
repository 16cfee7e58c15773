// SPDX-License-Identifier: BSD-2-Clause
/* fw_workers.c - take workers off the lists of the vendor's BPF image, and configure them anew. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "fw_workers.h"

/*
 * An entry of a .regt section: a word with the context in bits 30:28, the register, value, mask. The
 * register is one of the local CSRs of a microengine: island, 1, microengine + 4, address.
 */
#define REG_SIZE	16
#define REG_CTX_SHIFT	28
#define REG_AT		4
#define REG_VALUE	8
#define CSR_OF(island, me) ((island) << 24 | 1u << 16 | ((me) + 4) << 10)

#define CSR_CTX_ENABLES	0x18
#define ENABLES_SHIFT	8		/* a bit for each context */
#define ENABLES_ECC	(1u << 28)	/* of the code store */
#define FOUR_CONTEXTS	(1u << 31)
#define CSR_CTX_STATUS	0x40	/* of each context: where it begins */
#define PC_MASK		0x3fff
#define CSR_WAKEUP	0x50	/* of each context: the events that wake it; bit 0: the start */
#define WAKEUP		0x00010000

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

		if (!s)
			return fw_bad(err, errlen, "%s has no list of workers (%s): only the vendor's BPF images have one",
				      img->mip.name, lists[i] + 1);
		if (find(s, at, n, id_of(island, me)) < 0)
			return fw_bad(err, errlen, "i%u.me%u is no worker: it is not in the list %s", island, me,
				      lists[i] + 1);
	}
	if (has_init(img, island, me))
		return fw_bad(err, errlen, "i%u.me%u has initialisation code (.init), which sets rings up for others",
			      island, me);
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

/* ---- contexts ---- */

static struct fw_section *csrs(const struct fw_image *img, unsigned int island)
{
	char name[32];

	snprintf(name, sizeof(name), ".regt.mecsr.i%u", island);
	return fw_image_section(img, name);
}

/*
 * Find the only entry that sets a CSR of a microengine, for context @ctx if the CSR is one of each
 * context. Return: its offset, or -1: there is none, or there are more.
 */
static int64_t find_csr(const struct fw_section *s, unsigned int island, unsigned int me,
			uint32_t csr, unsigned int ctx)
{
	const uint32_t reg = CSR_OF(island, me) | csr;
	int64_t found = -1;
	uint64_t at;

	for (at = 0; s && s->data && at + REG_SIZE <= s->size; at += REG_SIZE) {
		if (fw_get32(s->data + at + REG_AT) != reg ||
		    (fw_get32(s->data + at) >> REG_CTX_SHIFT & 7) != ctx)
			continue;
		if (found >= 0)
			return -1;
		found = (int64_t)at;
	}
	return found;
}

int fw_contexts(const struct fw_image *img, unsigned int island, unsigned int me,
		struct fw_contexts *c)
{
	const struct fw_section *s = csrs(img, island);
	int64_t at = find_csr(s, island, me, CSR_CTX_ENABLES, 0);
	uint32_t enables;
	unsigned int i;

	if (at < 0)
		return -EINVAL;
	enables = fw_get32(s->data + at + REG_VALUE);
	c->four = enables & FOUR_CONTEXTS;
	c->mask = enables >> ENABLES_SHIFT & 0xff;
	for (i = 0; i < FW_CONTEXTS; i++) {
		at = find_csr(s, island, me, CSR_CTX_STATUS, i);
		if (at < 0)
			return -EINVAL;
		c->pc[i] = fw_get32(s->data + at + REG_VALUE) & PC_MASK;
	}
	return 0;
}

int fw_contexts_set(struct fw_image *img, unsigned int island, unsigned int me,
		    const struct fw_contexts *c, char *err, size_t errlen)
{
	struct fw_section *s = csrs(img, island);
	struct fw_contexts old;
	uint8_t *data, *to;
	int64_t wakeup;
	unsigned int i;

	if (fw_contexts(img, island, me, &old))
		return fw_bad(err, errlen, "unknown layout: the contexts of i%u.me%u are not set once", island, me);
	data = fw_edit_data(img, s);
	if (!data)
		return -ENOMEM;
	to = data + find_csr(s, island, me, CSR_CTX_ENABLES, 0) + REG_VALUE;
	fw_put32(to, (c->four ? FOUR_CONTEXTS : 0) | ENABLES_ECC | (uint32_t)c->mask << ENABLES_SHIFT);
	for (i = 0; i < FW_CONTEXTS; i++) {
		fw_put32(data + find_csr(s, island, me, CSR_CTX_STATUS, i) + REG_VALUE, c->pc[i]);
		wakeup = find_csr(s, island, me, CSR_WAKEUP, i);
		if (wakeup >= 0)
			fw_put32(data + wakeup + REG_VALUE, WAKEUP | (c->mask >> i & 1));
	}
	return 0;
}
