// SPDX-License-Identifier: BSD-2-Clause
/* fw_check.c - check a firmware file: its layout, code, memory, tables and lists of workers. */
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "fw_check.h"
#include "fw_code.h"
#include "fw_edit.h"
#include "fw_workers.h"

struct check {
	const struct fw_image *img;
	struct fw_checked *c;
	char *err;
	size_t errlen;
};

static int bad(const struct check *k, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static int bad(const struct check *k, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(k->err, k->errlen, fmt, ap);
	va_end(ap);
	return -EINVAL;
}

static int check_layout(struct check *k)
{
	uint8_t *bytes = NULL;
	size_t len = 0, i;
	int ret = fw_edit_bytes(k->img, &bytes, &len, k->err, k->errlen);

	if (ret)
		return ret;
	for (i = 0; i < len && i < k->img->len && bytes[i] == k->img->file[i]; i++)
		;
	if (i < len || len != k->img->len)
		ret = bad(k, "unknown layout: byte 0x%zx of %zu is another one when the file is written again",
			  i, k->img->len);
	free(bytes);
	return ret;
}

static int check_code(struct check *k)
{
	unsigned int i;
	uint64_t at, w;

	for (i = 0; i < k->img->sections; i++) {
		const struct fw_section *s = &k->img->section[i];

		if (s->mem != FW_MEM_CODE)
			continue;
		if (!s->data || s->size % FW_WORD_SIZE || s->addr > FW_CODE_MAX * FW_WORD_SIZE ||
		    s->size > FW_CODE_MAX * FW_WORD_SIZE - s->addr)
			return bad(k, "section %s: %llu bytes of code at 0x%llx, the code store has %u", s->name,
				   (unsigned long long)s->size, (unsigned long long)s->addr,
				   FW_CODE_MAX * FW_WORD_SIZE);
		for (at = 0; at < s->size; at += FW_WORD_SIZE) {
			w = fw_get64(s->data + at);
			if (fw_ecc(w) != w)
				return bad(k, "section %s: instruction %llu (0x%016llx) has a wrong ECC", s->name,
					   (unsigned long long)at / FW_WORD_SIZE,
					   (unsigned long long)w);
		}
		k->c->words += s->size / FW_WORD_SIZE;
		k->c->mes += s == fw_image_code(k->img, s->island, s->me);
	}
	return 0;
}

/* .init code runs before the code at the same addresses is loaded. */
static bool is_init(const struct fw_section *s)
{
	return s->mem == FW_MEM_CODE && !strncmp(s->name, ".init", 5);
}

static bool overlap(const struct fw_section *a, const struct fw_section *b)
{
	return a->mem == b->mem && a->island == b->island && a->me == b->me &&
	       is_init(a) == is_init(b) && a->addr < b->addr + b->size && b->addr < a->addr + a->size;
}

static int check_memory(struct check *k)
{
	unsigned int i, j;

	for (i = 0; i < k->img->sections; i++) {
		const struct fw_section *s = &k->img->section[i];

		if (s->mem == FW_MEM_NONE || !s->size)
			continue;
		k->c->loaded++;
		if (s->mem == FW_MEM_LOCAL && (s->addr > FW_LOCAL_SIZE || s->size > FW_LOCAL_SIZE - s->addr))
			return bad(k, "section %s ends at byte %llu of local memory, which has %u", s->name,
				   (unsigned long long)(s->addr + s->size), FW_LOCAL_SIZE);
		for (j = 0; j < i; j++)
			if (k->img->section[j].size && overlap(s, &k->img->section[j]))
				return bad(k, "sections %s and %s overlap at 0x%llx", k->img->section[j].name,
					   s->name, (unsigned long long)s->addr);
	}
	return 0;
}

static int check_mip(struct check *k)
{
	const struct fw_section *t = fw_image_section(k->img, ".rtsymtab");
	const struct fw_section *n = fw_image_section(k->img, ".rtstrtab");
	const uint8_t *m = k->img->section[k->img->mip_section].data + k->img->mip_at;

	if (fw_get32(m + FW_MIP_SYM_ADDR) == (uint32_t)t->addr &&
	    fw_get32(m + FW_MIP_SYM_SIZE) == (uint32_t)t->size &&
	    fw_get32(m + FW_MIP_STR_ADDR) == (uint32_t)n->addr &&
	    fw_get32(m + FW_MIP_STR_SIZE) == (uint32_t)n->size)
		return 0;
	return bad(k, "the MIP says that the tables of symbols are at 0x%x and 0x%x, and they are at 0x%llx and 0x%llx, or have other sizes",
		   fw_get32(m + FW_MIP_SYM_ADDR), fw_get32(m + FW_MIP_STR_ADDR),
		   (unsigned long long)t->addr, (unsigned long long)n->addr);
}

static int check_workers(struct check *k)
{
	unsigned int list, i, island, me, n = 0;
	struct fw_contexts c;

	for (list = 0; list < FW_WORKER_LISTS; list++) {
		for (i = 0; fw_worker_entry(k->img, list, i, &island, &me); i++) {
			if (!fw_image_code(k->img, island, me))
				return bad(k, "entry %u of list %u of workers is i%u.me%u, which has no code", i,
					   list, island, me);
			if (fw_contexts(k->img, island, me, &c) || !c.four)
				return bad(k, "entry %u of list %u of workers is i%u.me%u, which does not run four contexts",
					   i, list, island, me);
		}
		if (list && i != n)
			return bad(k, "the lists of workers have %u and %u entries", n, i);
		n = i;
	}
	k->c->workers = n;
	return 0;
}

int fw_check(const struct fw_image *img, struct fw_checked *c, char *err, size_t errlen)
{
	struct check k = { .img = img, .c = c, .err = err, .errlen = errlen };
	int ret;

	memset(c, 0, sizeof(*c));
	ret = check_layout(&k);
	if (!ret)
		ret = check_code(&k);
	if (!ret)
		ret = check_memory(&k);
	if (!ret)
		ret = check_mip(&k);
	if (!ret)
		ret = check_workers(&k);
	return ret;
}
