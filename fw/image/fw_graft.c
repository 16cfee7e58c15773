// SPDX-License-Identifier: BSD-2-Clause
/* fw_graft.c - put code of our own into a vendor's firmware file. */
#include <elf.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "fw_code.h"
#include "fw_dump.h"
#include "fw_graft.h"
#include "fw_space.h"
#include "fw_workers.h"

#define ALIGN_MAX	65536u
#define SYMS_MAX	256	/* symbols that one object adds */

/* The note with the grafted microengines: name, and a word for each */
#define NOTE_SECTION	".note.nfpchan.graft"
#define NOTE_OWNER	"nfpchan"
#define NOTE_TYPE	0x201
#define NOTE_HEAD	20	/* three words, and the owner's name */

/* A graft in progress: what functions below share */
struct graft {
	struct fw_image *img;
	const struct fw_graft *of;
	unsigned int o;		/* number of the object that is being added */
	unsigned int **at;	/* for each object and section: number of the section in @img, or 0 */
	char *err;
	size_t errlen;
};

static int bad(struct graft *g, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static int bad(struct graft *g, const char *fmt, ...)
{
	va_list ap;
	int n = 0;

	if (g->o < g->of->objects)
		n = snprintf(g->err, g->errlen, "%s: ", g->of->path[g->o]);
	va_start(ap, fmt);
	if (n >= 0 && (size_t)n < g->errlen)
		vsnprintf(g->err + n, g->errlen - (size_t)n, fmt, ap);
	va_end(ap);
	return -EINVAL;
}

/* ---- the note ---- */

bool fw_grafted(const struct fw_image *img, unsigned int i, unsigned int *island, unsigned int *me)
{
	const struct fw_section *s = fw_image_section(img, NOTE_SECTION);
	uint32_t v;

	if (!s || !s->data || s->size < NOTE_HEAD + 4 * (i + 1ull) ||
	    fw_get32(s->data + 8) != NOTE_TYPE)
		return false;
	v = fw_get32(s->data + NOTE_HEAD + 4 * (uint64_t)i);
	*island = v >> 8;
	*me = v & 0xff;
	return true;
}

static int add_to_note(struct graft *g, unsigned int island, unsigned int me)
{
	struct fw_section *s = fw_image_section(g->img, NOTE_SECTION);
	uint8_t note[NOTE_HEAD + 4 * 64] = { sizeof(NOTE_OWNER) };
	const struct fw_section new = {
		.name = NOTE_SECTION, .type = SHT_NOTE, .data = note, .size = NOTE_HEAD + 4,
	};
	uint64_t size = s ? s->size : NOTE_HEAD;
	unsigned int number;

	if (size + 4 > sizeof(note))
		return bad(g, "more than 64 microengines");
	memcpy(note + 12, NOTE_OWNER, sizeof(NOTE_OWNER));
	if (s)
		memcpy(note, s->data, s->size);
	fw_put32(note + 4, (uint32_t)(size + 4 - NOTE_HEAD));
	fw_put32(note + 8, NOTE_TYPE);
	fw_put32(note + size, island << 8 | me);
	return s ? fw_edit_set(g->img, s, note, size + 4) : fw_edit_add(g->img, &new, &number);
}

/* ---- a microengine ---- */

/* Find the only section of local memory with this ELF type. NULL: there is none, or more. */
static struct fw_section *local_section(const struct fw_image *img, unsigned int island,
					unsigned int me, uint32_t type)
{
	struct fw_section *found = NULL;
	unsigned int i;

	for (i = 0; i < img->sections; i++) {
		struct fw_section *s = &img->section[i];

		if (s->mem != FW_MEM_LOCAL || s->island != island || s->me != me || s->type != type)
			continue;
		if (found)
			return NULL;
		found = s;
	}
	return found;
}

/* Replace a worker's code, and take the worker off the lists. @c: its contexts */
static int replace(struct graft *g, unsigned int island, unsigned int me, const void *code,
		   uint64_t size, const struct fw_contexts *c)
{
	struct fw_section *text = fw_image_code(g->img, island, me);
	int ret = fw_worker_check(g->img, island, me, g->err, g->errlen);

	if (ret)
		return ret;
	if (!text)
		return bad(g, "the image has no code for i%u.me%u", island, me);
	if (!size || size % FW_WORD_SIZE || size / FW_WORD_SIZE > FW_CODE_MAX)
		return bad(g, "i%u.me%u has %llu bytes of code, must be 8 to %u", island, me,
			   (unsigned long long)size, FW_CODE_MAX * FW_WORD_SIZE);
	ret = fw_worker_drop(g->img, island, me, g->err, g->errlen);
	if (!ret)
		ret = fw_contexts_set(g->img, island, me, c, g->err, g->errlen);
	if (!ret)
		ret = fw_edit_drop_syms(g->img, island, me);
	if (!ret)
		ret = fw_edit_set(g->img, text, code, size);
	if (!ret)
		ret = add_to_note(g, island, me);
	return ret;
}

/*
 * Put the local memory of an object into the two sections that the worker had: one with data, from
 * address 0 on, and one with the zeros behind them.
 */
static int put_local(struct graft *g, const struct fw_image *obj, unsigned int island,
		     unsigned int me)
{
	struct fw_section *data = local_section(g->img, island, me, FW_SECTION_DATA);
	struct fw_section *zeros = local_section(g->img, island, me, FW_SECTION_ZERO);
	uint8_t mem[FW_LOCAL_SIZE] = { 0 };
	uint64_t end = 0;
	unsigned int i;

	for (i = 0; i < obj->sections; i++) {
		const struct fw_section *s = &obj->section[i];

		if (s->mem != FW_MEM_LOCAL || s->island != island || s->me != me || !s->size)
			continue;
		/* Bytes for the section of zeros must be left. */
		if (s->addr >= FW_LOCAL_SIZE - 4 || s->size > FW_LOCAL_SIZE - 4 - s->addr)
			return bad(g, "section %s ends at byte %llu of local memory, the limit is %u",
				   s->name, (unsigned long long)(s->addr + s->size), FW_LOCAL_SIZE - 4);
		if (s->data)
			memcpy(mem + s->addr, s->data, s->size);
		if (s->addr + s->size > end)
			end = s->addr + s->size;
	}
	if (!end)
		return 0;
	if (!data || !zeros)
		return bad(g, "unknown layout: i%u.me%u has not one section of data and one of zeros in local memory",
			   island, me);
	end = (end + 3) & ~3ull;
	data->addr = 0;
	zeros->addr = end;
	zeros->size = FW_LOCAL_SIZE - end;
	return fw_edit_set(g->img, data, mem, end);
}

/* ---- memory and symbols ---- */

/* Is it a section for which a place in EMEM is to be found? */
static bool placed(const struct fw_section *s)
{
	return s->mem == FW_MEM_MU && s->island == FW_EMEM_ISLAND && !s->addr && s->size;
}

static int put_emem(struct graft *g, unsigned int section)
{
	struct fw_section s = g->of->object[g->o].section[section];

	if (s.align > ALIGN_MAX || s.align & (s.align - 1))
		return bad(g, "section %s is aligned to %llu, must be a power of two up to %u", s.name,
			   (unsigned long long)s.align, ALIGN_MAX);
	s.addr = fw_space_emem(g->img, s.size, s.align);
	if (!s.addr)
		return bad(g, "no room in EMEM for the %llu bytes of section %s",
			   (unsigned long long)s.size, s.name);
	return fw_edit_add(g->img, &s, &g->at[g->o][section]);
}

struct elf_sym {
	const char *name;
	unsigned int section;
	uint64_t value;
	uint64_t size;
	bool global;
	bool function;
};

/* Read symbol @i of an object. Return: false if there is no such symbol. */
static bool elf_sym(const struct fw_image *obj, unsigned int i, struct elf_sym *sym)
{
	const struct fw_section *t = fw_image_section(obj, ".symtab"), *names;
	Elf64_Sym e;
	uint64_t at;

	if (!t || !t->data || (i + 1ull) * sizeof(e) > t->size || t->link >= obj->sections)
		return false;
	memcpy(&e, t->data + i * sizeof(e), sizeof(e));
	names = &obj->section[t->link];
	at = le32toh(e.st_name);
	if (!names->data || at >= names->size || !memchr(names->data + at, 0, names->size - at))
		return false;
	sym->name = (const char *)names->data + at;
	sym->section = le16toh(e.st_shndx);
	sym->value = le64toh(e.st_value);
	sym->size = le64toh(e.st_size);
	sym->global = ELF64_ST_BIND(e.st_info) == STB_GLOBAL;
	sym->function = ELF64_ST_TYPE(e.st_info) == STT_FUNC;
	return true;
}

static int add_syms(struct graft *g)
{
	const struct fw_image *obj = &g->of->object[g->o];
	struct fw_sym list[SYMS_MAX];
	unsigned int i, n = 0;
	struct elf_sym sym;
	int ret;

	for (i = 0; elf_sym(obj, i, &sym); i++) {
		if (!sym.global || sym.section >= obj->sections || !g->at[g->o][sym.section])
			continue;
		if (n == SYMS_MAX)
			return bad(g, "more than %u global symbols", SYMS_MAX);
		list[n++] = (struct fw_sym){
			.name = sym.name, .type = FW_SYM_OBJECT, .target = FW_TGT_MU,
			.island = FW_EMEM_ISLAND, .me = 0xff, .size = sym.size,
			.addr = g->img->section[g->at[g->o][sym.section]].addr + sym.value,
		};
		if (fw_image_sym(g->img, sym.name))
			return bad(g, "the image has a symbol %s already", sym.name);
	}
	ret = fw_edit_add_syms(g->img, list, n);
	return ret == -EINVAL || ret == -EEXIST ? bad(g, "a symbol exists twice") :
	       ret == -ENOSPC ? bad(g, "the table of symbols' names has more than 64 KiB") : ret;
}

/* Add the symbols from number @first on to what ethtool -w reads. */
static int add_dump(struct graft *g, unsigned int first)
{
	int ret = fw_dump_add(g->img, &g->img->sym[first], g->img->syms - first);

	g->o = g->of->objects;
	return ret == -ENOSPC ? bad(g, "no room in EMEM for the list of what ethtool -w reads") : ret;
}

static int resolve(struct graft *g, unsigned int i, uint64_t *value)
{
	const struct fw_image *obj = &g->of->object[g->o];
	const struct fw_sym *have;
	struct elf_sym sym;

	if (!elf_sym(obj, i, &sym))
		return bad(g, "a relocation has no symbol %u", i);
	if (sym.section && sym.section < obj->sections && g->at[g->o][sym.section]) {
		*value = g->img->section[g->at[g->o][sym.section]].addr + sym.value;
		return 0;
	}
	have = sym.section ? NULL : fw_image_sym(g->img, sym.name);
	if (!have)
		return bad(g, "no symbol %s in the image, or in an object", sym.name);
	*value = have->addr;
	return 0;
}

/* Relocate a section of code. @rel: the relocations, section of the object */
static int relocate(struct graft *g, const struct fw_section *rel)
{
	const struct fw_image *obj = &g->of->object[g->o];
	const struct fw_section *of = rel->info < obj->sections ? &obj->section[rel->info] : NULL;
	struct fw_section *text;
	uint8_t *code;
	uint64_t at, value = 0, word;
	Elf64_Rela r;
	int ret = 0;

	if (!of || of->mem != FW_MEM_CODE || !rel->data)
		return bad(g, "section %s has relocations of no code", rel->name);
	text = fw_image_code(g->img, of->island, of->me);
	code = text ? fw_edit_data(g->img, text) : NULL;
	if (!code)
		return -ENOMEM;
	for (at = 0; at + sizeof(r) <= rel->size && !ret; at += sizeof(r)) {
		memcpy(&r, rel->data + at, sizeof(r));
		r.r_offset = le64toh(r.r_offset);
		r.r_info = le64toh(r.r_info);
		if (r.r_offset % FW_WORD_SIZE || r.r_offset >= text->size)
			return bad(g, "a relocation is at offset 0x%llx of %s, which has 0x%llx bytes",
				   (unsigned long long)r.r_offset, of->name,
				   (unsigned long long)text->size);
		ret = resolve(g, (unsigned int)ELF64_R_SYM(r.r_info), &value);
		if (ret)
			return ret;
		word = fw_get64(code + r.r_offset);
		if (fw_relocate(&word, ELF64_R_TYPE(r.r_info), value + le64toh(r.r_addend)))
			return bad(g, "relocation of type %u, which is unknown",
				   (unsigned int)ELF64_R_TYPE(r.r_info));
		word = htole64(word);
		memcpy(code + r.r_offset, &word, sizeof(word));
	}
	return ret;
}

/* ---- objects ---- */

/*
 * The global functions of a section of code begin in contexts 0, 1, ... in their order. Code without
 * these begins at address 0 in each context.
 */
static int contexts(struct graft *g, unsigned int section, struct fw_contexts *c)
{
	const struct fw_image *obj = &g->of->object[g->o];
	struct elf_sym sym;
	unsigned int i, n = 0;

	*c = (struct fw_contexts){ .mask = 0xff };
	for (i = 0; elf_sym(obj, i, &sym); i++) {
		if (sym.section != section || !sym.function || !sym.global)
			continue;
		if (n == FW_CONTEXTS)
			return bad(g, "section %s has more than %u functions, one for each context",
				   obj->section[section].name, FW_CONTEXTS);
		if (sym.value % FW_WORD_SIZE || sym.value >= obj->section[section].size)
			return bad(g, "function %s begins at byte %llu of %s", sym.name,
				   (unsigned long long)sym.value, obj->section[section].name);
		c->pc[n++] = (uint16_t)(sym.value / FW_WORD_SIZE);
		c->mask = (uint8_t)((1u << n) - 1);
	}
	return 0;
}

static int add_code(struct graft *g)
{
	const struct fw_image *obj = &g->of->object[g->o];
	struct fw_contexts c;
	unsigned int i, mes = 0;
	int ret;

	for (i = 0; i < obj->sections; i++) {
		const struct fw_section *s = &obj->section[i];

		if (s->mem != FW_MEM_CODE)
			continue;
		if (s->addr || !s->data)
			return bad(g, "section %s: code must have contents, and begin at address 0", s->name);
		ret = contexts(g, i, &c);
		if (!ret)
			ret = replace(g, s->island, s->me, s->data, s->size, &c);
		if (!ret)
			ret = put_local(g, obj, s->island, s->me);
		if (ret)
			return ret;
		mes++;
	}
	return mes ? 0 : bad(g, "no code of a microengine");
}

/* Place the sections in EMEM, and refuse those that nothing is known about. */
static int add_memory(struct graft *g)
{
	const struct fw_image *obj = &g->of->object[g->o];
	unsigned int i;
	int ret;

	for (i = 0; i < obj->sections; i++) {
		const struct fw_section *s = &obj->section[i];

		if (placed(s)) {
			ret = put_emem(g, i);
			if (ret)
				return ret;
		} else if (s->mem == FW_MEM_LOCAL && !fw_image_code(obj, s->island, s->me)) {
			return bad(g, "section %s is of i%u.me%u, which has no code here", s->name, s->island,
				   s->me);
		} else if (s->mem != FW_MEM_NONE && s->mem != FW_MEM_CODE && s->mem != FW_MEM_LOCAL &&
			   s->size) {
			return bad(g, "section %s: no place can be found in memory %u of island %u at 0x%llx",
				   s->name, s->mem, s->island, (unsigned long long)s->addr);
		}
	}
	return 0;
}

static int add_relocations(struct graft *g)
{
	const struct fw_image *obj = &g->of->object[g->o];
	unsigned int i;
	int ret = 0;

	for (i = 0; i < obj->sections && !ret; i++) {
		if (obj->section[i].type == SHT_REL)
			return bad(g, "section %s has relocations without addends", obj->section[i].name);
		if (obj->section[i].type == SHT_RELA)
			ret = relocate(g, &obj->section[i]);
	}
	return ret;
}

static int each_object(struct graft *g, int (*fn)(struct graft *g))
{
	int ret = 0;

	for (g->o = 0; g->o < g->of->objects && !ret; g->o++)
		ret = fn(g);
	return ret;
}

static int idle(struct graft *g)
{
	static const struct fw_contexts all = { .mask = 0xff };
	uint64_t code[FW_IDLE_WORDS];
	unsigned int i;
	int ret = 0;

	g->o = g->of->objects;
	for (i = 0; i < FW_IDLE_WORDS; i++)
		code[i] = htole64(fw_ecc(fw_idle_code[i]));
	for (i = 0; i < g->of->idles && !ret; i++)
		ret = replace(g, g->of->idle[i].island, g->of->idle[i].me, code, sizeof(code),
			      &all);
	return ret;
}

/* Find a place for the tables of symbols, and name the graft in the version. */
static int finish(struct graft *g)
{
	char name[FW_MIP_NAME + sizeof(FW_GRAFT_SUFFIX)];
	uint64_t size = fw_edit_syms_size(g->img), at;

	g->o = g->of->objects;
	if (g->img->mip_island != FW_EMEM_ISLAND)
		return bad(g, "unknown layout: the MIP is in island %u, and not in %u", g->img->mip_island,
			   FW_EMEM_ISLAND);
	at = fw_space_tables(g->img, size);
	if (!at)
		return bad(g, "no room in EMEM for %llu bytes of symbols", (unsigned long long)size);
	snprintf(name, sizeof(name), "%.*s%s", FW_MIP_NAME - (int)sizeof(FW_GRAFT_SUFFIX),
		 g->img->mip.name, FW_GRAFT_SUFFIX);
	return fw_edit_mip(g->img, at, name);
}

int fw_graft(struct fw_image *img, const struct fw_graft *of, char *err, size_t errlen)
{
	struct graft g = { .img = img, .of = of, .o = of->objects, .err = err, .errlen = errlen };
	unsigned int i, first;
	int ret = 0;

	*err = 0;
	if (!fw_image_sym(img, "_abi_bpf_capabilities"))
		return bad(&g, "%s is no BPF firmware: the workers of others were not studied", img->mip.name);
	g.at = calloc(of->objects + 1, sizeof(*g.at));
	for (i = 0; i < of->objects && g.at; i++) {
		g.at[i] = calloc(of->object[i].sections + 1, sizeof(**g.at));
		ret = g.at[i] ? ret : -ENOMEM;
	}
	if (!g.at || ret)
		ret = -ENOMEM;
	if (!ret)
		ret = each_object(&g, add_code);
	if (!ret)
		ret = idle(&g);
	if (!ret)
		ret = each_object(&g, add_memory);
	first = img->syms;
	if (!ret)
		ret = each_object(&g, add_syms);
	if (!ret)
		ret = add_dump(&g, first);
	if (!ret)
		ret = each_object(&g, add_relocations);
	if (!ret)
		ret = finish(&g);
	for (i = 0; i < of->objects && g.at; i++)
		free(g.at[i]);
	free(g.at);
	if (ret && !*err)
		snprintf(err, errlen, "%s", strerror(-ret));
	return ret;
}
