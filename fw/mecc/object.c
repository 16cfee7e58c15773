// SPDX-License-Identifier: BSD-2-Clause
/*
 * object.c - write an object file, in the form of the vendor's images.
 *
 * The graft tool places EMEM objects, and applies the relocations of the code that has their
 * addresses. Words of local memory are little-endian in the file, as in the vendor's images. Bytes
 * of EMEM are in the order of addresses; no public image settles that.
 */
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emit.h"
#include "fw_code.h"

#define EM_NFP6000	0x6000
#define EMEM_ISLAND	24
#define NOTE_VERSION	1

/* Kinds of memory in sh_info */
enum { MEM_CODE = 1, MEM_LM = 2, MEM_MU = 4 };

/* Relocations of binutils' include/elf/nfp.h. The letter names the field with the immediate. */
enum { R_LO16_A = 6, R_LO16_B = 7, R_HI16_A = 12, R_HI16_B = 13 };

struct bytes {
	uint8_t *p;
	size_t n;
};

struct section {
	Elf64_Shdr h;
	struct bytes data;
};

struct object_file {
	struct section *s;
	unsigned int n;
	struct bytes names, symbols, strings;
	unsigned int locals;
	unsigned int *symbol;		/* number of the symbol of each object */
};

static size_t put(struct bytes *b, const void *p, size_t n)
{
	size_t at = b->n;

	b->p = realloc(b->p, at + n + 1);
	if (!b->p)
		fail(EXIT_REFUSED, "out of memory");
	memcpy(b->p + at, p, n);
	b->n += n;
	return at;
}

static void put_le(struct bytes *b, uint64_t v, unsigned int size)
{
	for (; size--; v >>= 8)
		put(b, &(uint8_t){ v }, 1);
}

static struct section *section(struct object_file *f, const char *name, uint32_t type,
			       uint64_t flags)
{
	struct section *s;

	f->s = room(f->s, f->n, sizeof(*f->s));
	s = &f->s[f->n++];
	memset(s, 0, sizeof(*s));
	s->h.sh_name = put(&f->names, name, strlen(name) + 1);
	s->h.sh_type = type;
	s->h.sh_flags = flags;
	s->h.sh_addralign = 8;
	return s;
}

static uint32_t info(unsigned int island, unsigned int me, unsigned int memory)
{
	return island << 24 | me << 16 | memory;
}

static const char *me_name(const char *kind)
{
	return text(".%s.i%u.me%u", kind, options.island, options.me);
}

static unsigned int add_text(struct object_file *f, const struct image *img)
{
	struct section *s = section(f, me_name("text"), SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR);

	s->h.sh_info = info(options.island, options.me, MEM_CODE);
	for (unsigned int i = 0; i < img->n; i++) {
		uint64_t w = encode(&img->w[i].in);
		char buf[128];

		if (!w) {
			encode_text(&img->w[i].in, buf, sizeof(buf));
			internal("line %u: %s: %s", img->w[i].at.line, buf, encode_refusal());
		}
		put_le(&s->data, fw_ecc(w), 8);
	}
	return f->n - 1;
}

/* Local memory of objects with initial contents; the words of the file are little-endian. */
static void fill_lm(struct bytes *data, const struct objects *objs, uint32_t size)
{
	uint8_t *lm = need(size, 1);
	unsigned int i;

	for (i = 0; i < objs->n; i++)
		if (objs->o[i].space == SPACE_LM && objs->o[i].init)
			memcpy(lm + objs->o[i].addr, objs->o[i].init, objs->o[i].size);
	for (i = 0; i < size; i++)
		put(data, &lm[i ^ 3], 1);
	free(lm);
}

/* Objects with initial contents come first in local memory. */
static void add_lm(struct object_file *f, const struct objects *objs, unsigned int *data,
		   unsigned int *bss)
{
	uint32_t end = (objs->lm_data + 3) & -4u;
	struct section *s;

	if (end) {
		s = section(f, me_name("ldata"), SHT_PROGBITS, SHF_ALLOC | SHF_WRITE);
		s->h.sh_info = info(options.island, options.me, MEM_LM);
		fill_lm(&s->data, objs, end);
		*data = f->n - 1;
	}
	s = section(f, me_name("lbss"), SHT_NOBITS, SHF_ALLOC | SHF_WRITE);
	s->h.sh_info = info(options.island, options.me, MEM_LM);
	s->h.sh_addr = end;
	s->h.sh_size = ((objs->lm + 3) & -4u) - end;
	*bss = f->n - 1;
}

static unsigned int add_emem(struct object_file *f, const struct object *o)
{
	struct section *s = section(f, text(".emem.%s", o->name),
				    o->init ? SHT_PROGBITS : SHT_NOBITS, SHF_ALLOC | SHF_WRITE);

	s->h.sh_info = info(EMEM_ISLAND, 0, MEM_MU);
	s->h.sh_addralign = o->align < 8 ? 8 : o->align;
	if (o->init)
		put(&s->data, o->init, o->size);
	else
		s->h.sh_size = o->size;
	return f->n - 1;
}

static unsigned int add_symbol(struct object_file *f, const char *name, unsigned int type,
			       unsigned int bind, unsigned int in, uint64_t value, uint64_t size)
{
	Elf64_Sym sym = {
		.st_name = name ? put(&f->strings, name, strlen(name) + 1) : 0,
		.st_info = ELF64_ST_INFO(bind, type), .st_shndx = in, .st_value = value,
		.st_size = size,
	};

	return put(&f->symbols, &sym, sizeof(sym)) / sizeof(sym);
}

/* The entries are global functions, and what they call local ones. */
static void add_functions(struct object_file *f, const struct image *img, unsigned int bind,
			  unsigned int text_section)
{
	for (unsigned int i = 0; i < img->fns; i++) {
		const struct image_function *fn = &img->fn[i];

		if (fn->entry == (bind == STB_GLOBAL))
			add_symbol(f, fn->name, STT_FUNC, bind, text_section, 8 * fn->start,
				   8 * fn->words);
	}
}

/* Local symbols come before the others. */
static void add_symbols(struct object_file *f, const struct image *img, const struct objects *objs,
			const unsigned int *in, unsigned int text_section)
{
	unsigned int i, bind;

	f->symbol = need(objs->n, sizeof(*f->symbol));
	put(&f->strings, "", 1);
	add_symbol(f, NULL, 0, 0, 0, 0, 0);
	for (bind = STB_LOCAL; bind <= STB_GLOBAL; bind++) {
		for (i = 0; i < objs->n; i++) {
			const struct object *o = &objs->o[i];

			if (o->local == (bind == STB_LOCAL))
				f->symbol[i] = add_symbol(f, o->name, STT_OBJECT, bind, in[i],
							  o->addr, o->size);
		}
		add_functions(f, img, bind, text_section);
		if (bind == STB_LOCAL)
			f->locals = f->symbols.n / sizeof(Elf64_Sym);
	}
}

static void add_relocations(struct object_file *f, const struct image *img,
			    unsigned int text_section, unsigned int symtab)
{
	struct section *s = NULL;

	for (unsigned int i = 0; i < img->n; i++) {
		const struct word *w = &img->w[i];
		bool in_a = w->in.d.k == EN_B;
		Elf64_Rela r = { .r_offset = 8 * i, .r_addend = w->addend };

		if (!w->reloc)
			continue;
		if (!s) {
			s = section(f, text(".rela%s", me_name("text")), SHT_RELA, 0);
			s->h.sh_link = symtab;
			s->h.sh_info = text_section;
			s->h.sh_entsize = sizeof(r);
		}
		r.r_info = ELF64_R_INFO(f->symbol[w->sym], w->reloc == RELOC_LO16 ?
					(in_a ? R_LO16_A : R_LO16_B) : in_a ? R_HI16_A : R_HI16_B);
		put(&s->data, &r, sizeof(r));
	}
}

static void add_note(struct object_file *f)
{
	struct section *s = section(f, ".note.nfpchan", SHT_NOTE, 0);
	static const char owner[] = "nfpchan", version[] = "mecc " NFPCHAN_VERSION;

	put_le(&s->data, sizeof(owner), 4);
	put_le(&s->data, sizeof(version), 4);
	put_le(&s->data, NOTE_VERSION, 4);
	put(&s->data, owner, sizeof(owner));
	put(&s->data, version, sizeof(version));
	while (s->data.n % 4)
		put_le(&s->data, 0, 1);
}

static uint64_t align(uint64_t v)
{
	return (v + 7) & -8ull;
}

static void write_bytes(FILE *o, const void *p, size_t n)
{
	static const char zeros[8];

	if (n && fwrite(p, 1, n, o) != n)
		fail(EXIT_REFUSED, "%s: %s", options.out, strerror(errno));
	fwrite(zeros, 1, align(n) - n, o);
}

static void write_file(struct object_file *f, unsigned int names)
{
	Elf64_Ehdr h = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
			     EV_CURRENT },
		.e_type = ET_REL, .e_machine = EM_NFP6000, .e_version = EV_CURRENT,
		.e_shoff = sizeof(h), .e_ehsize = sizeof(h), .e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = f->n, .e_shstrndx = names,
	};
	uint64_t at = sizeof(h) + f->n * sizeof(Elf64_Shdr);
	FILE *o = fopen(options.out, "w");
	unsigned int i;

	if (!o)
		fail(EXIT_REFUSED, "%s: %s", options.out, strerror(errno));
	write_bytes(o, &h, sizeof(h));
	for (i = 0; i < f->n; i++) {
		struct section *s = &f->s[i];

		if (i && s->h.sh_type != SHT_NOBITS) {
			s->h.sh_offset = at;
			s->h.sh_size = s->data.n;
			at += align(s->data.n);
		}
		write_bytes(o, &s->h, sizeof(s->h));
	}
	for (i = 0; i < f->n; i++)
		write_bytes(o, f->s[i].data.p, f->s[i].data.n);
	if (fclose(o))
		fail(EXIT_REFUSED, "%s: %s", options.out, strerror(errno));
}

void object_write(const struct image *img, const struct objects *objs)
{
	unsigned int *in = need(objs->n, sizeof(*in)), data = 0, bss = 0, code, i, symtab;
	struct object_file f = { 0 };
	struct section *s;

	section(&f, "", SHT_NULL, 0)->h.sh_addralign = 0;
	code = add_text(&f, img);
	add_lm(&f, objs, &data, &bss);
	for (i = 0; i < objs->n; i++) {
		const struct object *o = &objs->o[i];

		in[i] = o->space == SPACE_EMEM ? add_emem(&f, o) : o->init ? data : bss;
	}
	add_note(&f);
	add_symbols(&f, img, objs, in, code);
	symtab = f.n;
	s = section(&f, ".symtab", SHT_SYMTAB, 0);
	s->data = f.symbols;
	s->h.sh_link = symtab + 1;
	s->h.sh_info = f.locals;
	s->h.sh_entsize = sizeof(Elf64_Sym);
	section(&f, ".strtab", SHT_STRTAB, 0)->data = f.strings;
	add_relocations(&f, img, code, symtab);
	s = section(&f, ".shstrtab", SHT_STRTAB, 0);
	s->data = f.names;
	write_file(&f, f.n - 1);
	free(in);
}
