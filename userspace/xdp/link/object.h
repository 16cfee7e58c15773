/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* object.h - the linked object: what btf.c and elf.c share */
#ifndef XDP_LINK_OBJECT_H
#define XDP_LINK_OBJECT_H

#include "linker.h"

#define MAPS_SEC	".maps"
#define TEXT_SEC	".text"
#define MAP_VAR_SIZE	32	/* size of the variable of an added map: 4 pointers */

struct btf;
struct btf_type;

/* Make the types of the result. Return NULL with the message in @l->err. */
struct btf *link_btf(struct link *l);
/* Make .BTF.ext: functions and lines. Adds strings to @btf. The caller frees the result. */
void *link_btf_ext(struct link *l, struct btf *btf, size_t *len);

/* Whether an instruction of the result loads the map. */
bool link_map_used(const struct link *l, int map);
/* Return the section of a map of variables; NULL for other maps. */
const char *link_map_section(const struct xmap *m);
/* Return the type of section .maps, or NULL. */
const struct btf_type *link_maps(const struct btf *btf);
/* Return the first program of the object: the result gets its name and section. */
int link_first(const struct link *l);

#endif /* XDP_LINK_OBJECT_H */
