// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * slots.c - find what the prog arrays contain.
 *
 * In C, an array is filled by .values in its definition. The compiler emits a relocation
 * for each value, at the value's offset in the variable. They are in .rel.maps.
 */
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "alloc.h"
#include "linker.h"

#define MAPS_SEC	".maps"

/* ---- the variable of a map ---- */

/**
 * struct map_var - the variable of a map in .maps
 * @map: number of the map
 * @begin: offset of the variable
 * @values: offset of its first value
 */
struct map_var {
	int map;
	unsigned int begin, values;
};

/* Return the offset of member "values" of a map's definition, or of the variable's end. */
static unsigned int values_offset(const struct btf *btf, const struct btf_var_secinfo *vi)
{
	const struct btf_type *t = btf__type_by_id(btf, vi->type);
	int i;

	for (t = btf__type_by_id(btf, t->type); t && (btf_is_mod(t) || btf_is_typedef(t));)
		t = btf__type_by_id(btf, t->type);
	for (i = 0; t && btf_is_struct(t) && i < btf_vlen(t); i++)
		if (!strcmp(btf__name_by_offset(btf, btf_members(t)[i].name_off), "values"))
			return vi->offset + btf_member_bit_offset(t, i) / 8;
	return vi->offset + vi->size;
}

/* Find the map whose variable contains byte @at of .maps. Return whether it is a prog array. */
static bool var_at(const struct link *l, unsigned int at, struct map_var *var)
{
	int id = btf__find_by_name_kind(l->o->btf, MAPS_SEC, BTF_KIND_DATASEC), i;
	const struct btf_type *sec = id < 0 ? NULL : btf__type_by_id(l->o->btf, id), *t;
	const struct btf_var_secinfo *vi;

	for (i = 0; sec && i < btf_vlen(sec); i++) {
		vi = btf_var_secinfos(sec) + i;
		if (at < vi->offset || at >= vi->offset + vi->size)
			continue;
		t = btf__type_by_id(l->o->btf, vi->type);
		var->map = link_map_named(l, btf__name_by_offset(l->o->btf, t->name_off));
		var->begin = vi->offset;
		var->values = values_offset(l->o->btf, vi);
		return var->map >= 0 && l->array[var->map].prog;
	}
	return false;
}

/* ---- .values ---- */

static int value_add(struct link *l, const struct map_var *var, unsigned int at, const char *name)
{
	struct prog_array *a = &l->array[var->map];
	const char *map = l->o->map[var->map].name;
	unsigned int slot = (at - var->values) / 8;
	int prog = link_find(l, name);

	if (at < var->values || slot >= a->slots)
		return link_fail(l, -EINVAL, "map %s: byte %u of its definition has a value beyond its %u "
				 "slots (max_entries)", map, at - var->begin, a->slots);
	if (prog < 0)
		return link_fail(l, -ENOENT, "map %s, slot %u: \"%s\" is no XDP program of %s", map, slot,
				 name, l->name);
	a->told = true;
	a->prog[slot] = prog;
	return 0;
}

static int read_relocations(struct link *l, Elf *elf, Elf_Scn *scn, const GElf_Shdr *sh)
{
	Elf_Scn *symtab = elf_getscn(elf, sh->sh_link);
	Elf_Data *rels = elf_getdata(scn, NULL), *syms = symtab ? elf_getdata(symtab, NULL) : NULL;
	struct map_var var;
	GElf_Shdr symsh;
	GElf_Sym sym;
	GElf_Rel rel;
	size_t i;
	int ret;

	if (!rels || !syms || !sh->sh_entsize || !gelf_getshdr(symtab, &symsh))
		return link_fail(l, -EINVAL, "%s: .rel.maps cannot be read", l->name);
	for (i = 0; i < sh->sh_size / sh->sh_entsize; i++) {
		const char *name;

		if (!gelf_getrel(rels, i, &rel) || !gelf_getsym(syms, GELF_R_SYM(rel.r_info), &sym))
			return link_fail(l, -EINVAL, "%s: entry %zu of .rel.maps cannot be read",
					 l->name, i);
		if (!var_at(l, rel.r_offset, &var))
			continue;
		name = elf_strptr(elf, symsh.sh_link, sym.st_name);
		ret = value_add(l, &var, rel.r_offset, name ? name : "");
		if (ret)
			return ret;
	}
	return 0;
}

/* struct btf_ext_header has its own length at offset 4, that of CO-RE relocations at 28. */
static bool has_core(Elf_Data *ext)
{
	const uint32_t *hdr = ext ? ext->d_buf : NULL;

	return hdr && ext->d_size >= 32 && hdr[1] >= 32 && hdr[7];
}

static int read_section(struct link *l, Elf *elf, size_t names, Elf_Scn *scn)
{
	GElf_Shdr sh, of;
	Elf_Scn *target;
	const char *name;

	if (!gelf_getshdr(scn, &sh))
		return 0;
	name = elf_strptr(elf, names, sh.sh_name);
	if (name && !strcmp(name, ".BTF.ext") && has_core(elf_getdata(scn, NULL)))
		return link_fail(l, -EOPNOTSUPP, "%s: CO-RE relocations cannot be linked: libbpf "
				 "resolves them for the kernel that loads the object", l->name);
	target = sh.sh_type == SHT_REL ? elf_getscn(elf, sh.sh_info) : NULL;
	if (!target || !gelf_getshdr(target, &of))
		return 0;
	name = elf_strptr(elf, names, of.sh_name);
	return name && !strcmp(name, MAPS_SEC) ? read_relocations(l, elf, scn, &sh) : 0;
}

static int read_values(struct link *l)
{
	int fd = open(l->o->path, O_RDONLY | O_CLOEXEC), ret = 0;
	Elf_Scn *scn = NULL;
	size_t names;
	Elf *elf;

	if (fd < 0)
		return link_fail(l, -errno, "%s: %s", l->name, strerror(errno));
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (!elf || elf_getshdrstrndx(elf, &names))
		ret = link_fail(l, -EINVAL, "%s: %s", l->name, elf_errmsg(-1));
	while (!ret && (scn = elf_nextscn(elf, scn)))
		ret = read_section(l, elf, names, scn);
	elf_end(elf);
	close(fd);
	return ret;
}

/* ---- slots that the caller sets ---- */

static void array_clear(struct prog_array *a)
{
	unsigned int slot;

	for (slot = 0; slot < a->slots; slot++)
		a->prog[slot] = -1;
}

static int slot_set(struct link *l, const struct nfpchan_xdp_slot *s)
{
	int map = link_map_named(l, s->map), prog;
	struct prog_array *a;

	if (map < 0)
		return link_fail(l, -ENOENT, "no map \"%s\" in %s", s->map, l->name);
	a = &l->array[map];
	if (!a->prog)
		return link_fail(l, -EINVAL, "map %s of %s is no prog array", s->map, l->name);
	if (s->index == NFPCHAN_XDP_ALL_SLOTS && !s->prog) {
		array_clear(a);
		a->told = true;
		return 0;
	}
	if (s->index >= a->slots)
		return link_fail(l, -EINVAL, "map %s has no slot %u, only 0 to %u (max_entries)", s->map,
				 s->index, a->slots - 1);
	prog = s->prog ? link_find(l, s->prog) : -1;
	if (s->prog && prog < 0)
		return link_fail(l, -ENOENT, "map %s, slot %u: no XDP program \"%s\" in %s", s->map,
				 s->index, s->prog, l->name);
	a->prog[s->index] = prog;
	a->told = true;
	return 0;
}

static int arrays_make(struct link *l)
{
	unsigned int i;

	l->array = xzalloc(l->o->maps * sizeof(*l->array));
	for (i = 0; i < l->o->maps; i++) {
		struct prog_array *a = &l->array[i];
		const struct xmap *m = &l->o->map[i];

		if (m->type != BPF_MAP_TYPE_PROG_ARRAY)
			continue;
		if (!m->max_entries || m->max_entries > SLOTS_MAX)
			return link_fail(l, -EINVAL, "map %s has %u slots (max_entries); 1 to %u can be "
					 "linked", m->name, m->max_entries, SLOTS_MAX);
		a->slots = m->max_entries;
		a->prog = xzalloc(a->slots * sizeof(*a->prog));
		array_clear(a);
	}
	return 0;
}

int link_slots(struct link *l)
{
	unsigned int i;
	int ret;

	ret = arrays_make(l);
	if (!ret)
		ret = read_values(l);
	for (i = 0; !ret && i < l->in->slot_count; i++)
		ret = slot_set(l, &l->in->slots[i]);
	return ret;
}
