// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * elf.c - write the linked object as an ELF file.
 *
 * The file is like one from a compiler: the program has its own section, functions are in
 * .text, and maps are variables in .maps. Relocations refer to symbols.
 */
#define _GNU_SOURCE
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "alloc.h"
#include "object.h"

#define R_BPF_64_64	1
#define R_BPF_64_32	10

/* ---- tables that grow ---- */

struct table {
	char *at;
	size_t len;
};

static size_t table_add(struct table *t, const void *from, size_t len)
{
	t->at = xrealloc(t->at, t->len + len);
	if (from)
		memcpy(t->at + t->len, from, len);
	else
		memset(t->at + t->len, 0, len);
	t->len += len;
	return t->len - len;
}

/* ---- the file ---- */

/**
 * struct file - an ELF file while it is written
 * @elf: the file
 * @names: the strings of symbols and sections
 * @syms: the symbols; local ones come first
 * @locals: number of local symbols
 * @map_sym: symbol of each map of the object, followed by those of the added maps
 * @func_sym: symbol of each function
 * @rel: relocations of the program's section, and of .text
 * @code: section numbers of these two
 */
struct file {
	Elf *elf;
	struct table names, syms;
	unsigned int locals;
	unsigned int *map_sym, *func_sym;
	struct table rel[2];
	size_t code[2];
};

static Elf_Scn *section(struct file *f, const char *name, uint32_t type, uint64_t flags,
			const void *data, size_t len, size_t align)
{
	Elf_Scn *scn = elf_newscn(f->elf);
	Elf_Data *d = scn ? elf_newdata(scn) : NULL;
	GElf_Shdr sh;

	if (!d || !gelf_getshdr(scn, &sh))
		return NULL;
	d->d_buf = (void *)data;
	d->d_size = len;
	d->d_align = align;
	d->d_type = type == SHT_SYMTAB ? ELF_T_SYM : type == SHT_REL ? ELF_T_REL : ELF_T_BYTE;
	d->d_version = EV_CURRENT;
	sh.sh_name = table_add(&f->names, name, strlen(name) + 1);
	sh.sh_type = type;
	sh.sh_flags = flags;
	sh.sh_addralign = align;
	sh.sh_entsize = type == SHT_SYMTAB ? sizeof(Elf64_Sym) : type == SHT_REL ? sizeof(Elf64_Rel) : 0;
	return gelf_update_shdr(scn, &sh) ? scn : NULL;
}

static unsigned int symbol(struct file *f, const char *name, int bind, int type, size_t shndx,
			   uint64_t value, uint64_t size)
{
	Elf64_Sym s = {
		.st_name = table_add(&f->names, name, strlen(name) + 1),
		.st_info = GELF_ST_INFO(bind, type), .st_shndx = shndx,
		.st_value = value, .st_size = size,
	};

	return table_add(&f->syms, &s, sizeof(s)) / sizeof(s);
}

/* ---- maps ---- */

static int map_symbols(struct link *l, struct file *f, const struct btf *btf, size_t shndx)
{
	const struct btf_type *sec = link_maps(btf), *var;
	unsigned int i, m;

	for (i = 0; i < btf_vlen(sec); i++) {
		const struct btf_var_secinfo *vi = btf_var_secinfos(sec) + i;
		const char *name;
		unsigned int sym;
		int map;

		var = btf__type_by_id(btf, vi->type);
		name = btf__name_by_offset(btf, var->name_off);
		sym = symbol(f, name, STB_GLOBAL, STT_OBJECT, shndx, vi->offset, vi->size);
		map = link_map_named(l, name);
		if (map >= 0)
			f->map_sym[map] = sym;
		for (m = 0; m < l->in->maps; m++)
			if (!strcmp(l->in->map[m].name, name))
				f->map_sym[l->o->maps + m] = sym;
	}
	return 0;
}

/* Add symbols for the global variables of a section: libbpf needs them. */
static void var_symbols(struct file *f, const struct btf *btf, const char *name, size_t shndx)
{
	int id = btf__find_by_name_kind(btf, name, BTF_KIND_DATASEC), i;
	const struct btf_type *sec = id < 0 ? NULL : btf__type_by_id(btf, id), *var;

	for (i = 0; sec && i < btf_vlen(sec); i++) {
		const struct btf_var_secinfo *vi = btf_var_secinfos(sec) + i;

		var = btf__type_by_id(btf, vi->type);
		if (btf_var(var)->linkage != BTF_VAR_STATIC)
			symbol(f, btf__name_by_offset(btf, var->name_off), STB_GLOBAL, STT_OBJECT, shndx,
			       vi->offset, vi->size);
	}
}

static struct bpf_map *map_number(const struct link *l, unsigned int n)
{
	struct bpf_map *m;

	bpf_object__for_each_map(m, l->o->bpf)
		if (!n--)
			return m;
	return NULL;
}

/* Write maps of variables as sections. Relocations refer to the section's local symbol. */
static int data_sections(struct link *l, struct file *f, size_t *shndx)
{
	unsigned int i;

	for (i = 0; i < l->o->maps; i++) {
		const char *name = link_map_section(&l->o->map[i]);
		const void *data;
		Elf_Scn *scn;
		size_t len;

		if (!name || !link_map_used(l, i))
			continue;
		data = bpf_map__initial_value(map_number(l, i), &len);
		if (!data || !strncmp(name, ".kconfig", 8))
			return link_fail(l, -EOPNOTSUPP, "variables of section %s cannot be linked", name);
		scn = section(f, name, strncmp(name, ".bss", 4) ? SHT_PROGBITS : SHT_NOBITS,
			      SHF_ALLOC | (strncmp(name, ".rodata", 7) ? SHF_WRITE : 0), data, len, 8);
		if (!scn)
			return link_fail(l, -EIO, "section %s: %s", name, elf_errmsg(-1));
		shndx[i] = elf_ndxscn(scn);
		f->map_sym[i] = symbol(f, "", STB_LOCAL, STT_SECTION, shndx[i], 0, 0);
	}
	return 0;
}

/* ---- code ---- */

static int code_end(const struct link *l)
{
	return l->funcs > 1 ? l->func[1].begin : l->insns;
}

/* Add the relocation of an instruction, and clear the field that the relocation sets. */
static void relocate(const struct link *l, struct file *f, int at)
{
	const struct node *n = l->from[at];
	int text = at >= code_end(l);
	Elf64_Rel r = { .r_offset = 8 * (at - (text ? code_end(l) : 0)) };
	struct bpf_insn *i = &l->insn[at];

	if (n->func >= 0) {
		r.r_info = ELF64_R_INFO((uint64_t)f->func_sym[n->func], R_BPF_64_32);
		i->imm = -1;
	} else if (n->map != NO_MAP) {
		r.r_info = ELF64_R_INFO((uint64_t)f->map_sym[n->map < 0 ? (int)l->o->maps - 1 - n->map :
							     n->map], R_BPF_64_64);
		/* The second instruction has the offset in the section of variables. */
		i->imm = i->src_reg == BPF_PSEUDO_MAP_IDX_VALUE ? i[1].imm : 0;
		i->src_reg = 0;
		i[1].imm = 0;
	} else {
		return;
	}
	table_add(&f->rel[text], &r, sizeof(r));
}

static int code_sections(struct link *l, struct file *f)
{
	int end = code_end(l);
	Elf_Scn *text, *prog;

	text = section(f, TEXT_SEC, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, l->insn + end,
		       8 * (size_t)(l->insns - end), 8);
	prog = section(f, l->prog[link_first(l)].p->section, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR,
		       l->insn, 8 * (size_t)end, 8);
	if (!text || !prog)
		return link_fail(l, -EIO, "sections of code: %s", elf_errmsg(-1));
	f->code[0] = elf_ndxscn(prog);
	f->code[1] = elf_ndxscn(text);
	return 0;
}

static const char *func_name(const struct link *l, const struct lfunc *f, bool *global)
{
	const struct btf_type *t = btf__type_by_id(l->o->btf, link_func_type(l, f->prog, f->n));

	*global = t && btf_is_func(t) && btf_vlen(t) == BTF_FUNC_GLOBAL;
	return t ? btf__name_by_offset(l->o->btf, t->name_off) : "";
}

/* Add the symbols of global functions when @want is set, else those of local functions. */
static void func_symbols(const struct link *l, struct file *f, bool want)
{
	int fi, end;
	bool global;

	for (fi = 1; fi < l->funcs; fi++) {
		const char *name = func_name(l, &l->func[fi], &global);

		if (!l->func[fi].live || global != want)
			continue;
		end = fi + 1 < l->funcs ? l->func[fi + 1].begin : l->insns;
		f->func_sym[fi] = symbol(f, name, want ? STB_GLOBAL : STB_LOCAL, STT_FUNC, f->code[1],
					 8 * (l->func[fi].begin - code_end(l)),
					 8 * (end - l->func[fi].begin));
	}
}

/* ---- the whole file ---- */

static int rel_section(struct link *l, struct file *f, int n, const char *name, size_t symtab)
{
	GElf_Shdr sh;
	Elf_Scn *scn;

	if (!f->rel[n].len)
		return 0;
	scn = section(f, name, SHT_REL, 0, f->rel[n].at, f->rel[n].len, 8);
	if (!scn || !gelf_getshdr(scn, &sh))
		return link_fail(l, -EIO, "section %s: %s", name, elf_errmsg(-1));
	sh.sh_link = symtab;
	sh.sh_info = f->code[n];
	gelf_update_shdr(scn, &sh);
	return 0;
}

/* Write symbols and strings, after all of them were added. */
static int tables(struct link *l, struct file *f)
{
	char rel[128];
	Elf_Scn *symtab, *strtab;
	Elf64_Ehdr *eh;
	GElf_Shdr sh;
	int i, ret;

	for (i = 0; i < l->insns; i++)
		relocate(l, f, i);
	symtab = section(f, ".symtab", SHT_SYMTAB, 0, f->syms.at, f->syms.len, 8);
	if (!symtab || !gelf_getshdr(symtab, &sh))
		return link_fail(l, -EIO, "symbols: %s", elf_errmsg(-1));
	snprintf(rel, sizeof(rel), ".rel%s", l->prog[link_first(l)].p->section);
	ret = rel_section(l, f, 0, rel, elf_ndxscn(symtab));
	if (!ret)
		ret = rel_section(l, f, 1, ".rel" TEXT_SEC, elf_ndxscn(symtab));
	if (ret)
		return ret;
	table_add(&f->names, ".strtab", sizeof(".strtab"));
	strtab = section(f, ".strtab", SHT_STRTAB, 0, NULL, 0, 1);
	eh = elf64_getehdr(f->elf);
	if (!strtab || !eh)
		return link_fail(l, -EIO, "strings: %s", elf_errmsg(-1));
	elf_getdata(strtab, NULL)->d_buf = f->names.at;
	elf_getdata(strtab, NULL)->d_size = f->names.len;
	eh->e_shstrndx = elf_ndxscn(strtab);
	sh.sh_link = elf_ndxscn(strtab);
	sh.sh_info = f->locals;
	gelf_update_shdr(symtab, &sh);
	return 0;
}

static int contents(struct link *l, struct file *f, struct btf *btf, const struct table *maps,
		    const void *ext, size_t ext_len)
{
	size_t *data = xzalloc((l->o->maps + 1) * sizeof(*data));
	const char *license = l->o->license ? l->o->license : "";
	Elf_Scn *scn = NULL;
	const void *raw;
	uint32_t len;
	unsigned int i;
	int ret;

	ret = code_sections(l, f);
	if (!ret)
		ret = data_sections(l, f, data);
	if (!ret) {
		raw = btf__raw_data(btf, &len);
		scn = section(f, MAPS_SEC, SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, maps->at, maps->len, 8);
		if (!scn || !raw || !section(f, ".BTF", SHT_PROGBITS, 0, raw, len, 4) ||
		    !section(f, ".BTF.ext", SHT_PROGBITS, 0, ext, ext_len, 4) ||
		    (*license && !section(f, "license", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, license,
					  strlen(license) + 1, 1)))
			ret = link_fail(l, -EIO, "the linked object: %s", elf_errmsg(-1));
	}
	if (!ret) {
		func_symbols(l, f, false);
		f->locals = f->syms.len / sizeof(Elf64_Sym);
		func_symbols(l, f, true);
		symbol(f, l->prog[link_first(l)].p->name, STB_GLOBAL, STT_FUNC, f->code[0], 0,
		       8 * (uint64_t)code_end(l));
		map_symbols(l, f, btf, elf_ndxscn(scn));
		for (i = 0; i < l->o->maps; i++)
			if (data[i])
				var_symbols(f, btf, link_map_section(&l->o->map[i]), data[i]);
		ret = tables(l, f);
	}
	free(data);
	return ret;
}

static int header(struct link *l, struct file *f, int fd)
{
	Elf64_Ehdr *eh;

	elf_version(EV_CURRENT);
	f->elf = elf_begin(fd, ELF_C_WRITE, NULL);
	eh = f->elf ? elf64_newehdr(f->elf) : NULL;
	if (!eh)
		return link_fail(l, -EIO, "the linked object: %s", elf_errmsg(-1));
	eh->e_type = ET_REL;
	eh->e_machine = EM_BPF;
	eh->e_version = EV_CURRENT;
	eh->e_ident[EI_DATA] = __BYTE_ORDER == __LITTLE_ENDIAN ? ELFDATA2LSB : ELFDATA2MSB;
	table_add(&f->names, "", 1);
	table_add(&f->syms, NULL, sizeof(Elf64_Sym));
	return 0;
}

static int read_back(struct link *l, int fd, void **elf, size_t *len)
{
	off_t end = lseek(fd, 0, SEEK_END);
	ssize_t n;

	*len = end < 0 ? 0 : end;
	*elf = xzalloc(*len);
	n = pread(fd, *elf, *len, 0);
	if (n == end && n > 0)
		return 0;
	free(*elf);
	*elf = NULL;
	return link_fail(l, -EIO, "the linked object cannot be read back: %s", strerror(errno));
}

int link_write(struct link *l, void **elf, size_t *len)
{
	struct btf *btf = link_btf(l);
	struct file f = { .elf = NULL };
	struct table maps = { 0 };
	size_t ext_len;
	void *ext;
	int fd, ret;

	if (!btf)
		return -ENOMEM;
	f.map_sym = xzalloc((l->o->maps + l->in->maps + 1) * sizeof(*f.map_sym));
	f.func_sym = xzalloc(l->funcs * sizeof(*f.func_sym));
	ext = link_btf_ext(l, btf, &ext_len);
	table_add(&maps, NULL, link_maps(btf)->size);
	fd = memfd_create("linked", MFD_CLOEXEC);
	ret = fd < 0 ? link_fail(l, -errno, "memory: %s", strerror(errno)) : header(l, &f, fd);
	if (!ret)
		ret = contents(l, &f, btf, &maps, ext, ext_len);
	if (!ret && elf_update(f.elf, ELF_C_WRITE) < 0)
		ret = link_fail(l, -EIO, "the linked object: %s", elf_errmsg(-1));
	elf_end(f.elf);
	if (!ret)
		ret = read_back(l, fd, elf, len);
	if (fd >= 0)
		close(fd);
	free(f.names.at);
	free(f.syms.at);
	free(f.rel[0].at);
	free(f.rel[1].at);
	free(f.map_sym);
	free(f.func_sym);
	free(maps.at);
	free(ext);
	btf__free(btf);
	return ret;
}
