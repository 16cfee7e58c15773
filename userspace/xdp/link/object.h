/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* object.h - the linked object: what btf.c and elf.c share. */
#ifndef XDP_LINK_OBJECT_H
#define XDP_LINK_OBJECT_H

#include "link.h"

#define MAPS_SEC	".maps"
#define TEXT_SEC	".text"
#define MAP_VAR_SIZE	32	/* the variable of an added map: 4 pointers */

struct btf;
struct btf_type;

/* Types of the result, NULL with the reason in @l->err */
struct btf *link_btf(struct link *l);
/* .BTF.ext, of functions and lines, whose strings @btf gets; to be freed */
void *link_btf_ext(struct link *l, struct btf *btf, size_t *len);

/* Something in the result loads the map. */
bool link_map_used(const struct link *l, int map);
/* The section of a map of variables; NULL: it is a map as it is declared */
const char *link_map_section(const struct xmap *m);
/* The section .maps of types, or NULL */
const struct btf_type *link_maps(const struct btf *btf);
/* The program of the object that comes first: the linked one has its name and section. */
int link_first(const struct link *l);

#endif /* XDP_LINK_OBJECT_H */
