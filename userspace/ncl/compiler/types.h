/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* types.h - types in debug information. */
#ifndef NCLC_TYPES_H
#define NCLC_TYPES_H

#include "nclc.h"
#include "di.h"

#define DW_TAG_array_type	0x01
#define DW_TAG_class_type	0x02
#define DW_TAG_pointer_type	0x0f
#define DW_TAG_reference_type	0x10
#define DW_TAG_structure_type	0x13
#define DW_TAG_union_type	0x17
#define DW_TAG_base_type	0x24

/* Name of the type in the description */
const char *type_name(const struct type *t, char buf[16]);
/* Name of the type in generated C; NULL: a structure */
const char *type_c(const struct type *t);
/* Read a type of an element. Returns false if neither a window nor a variable can have the type. */
bool type_of(di type, struct type *t);
/* Like type_of(), for the target of a pointer, or of a reference (*@ref is set). */
bool type_pointer(di type, struct type *t, bool *ref);
/* Store the dimensions of an array in @v. Returns the type of the elements. */
di type_dims(di type, struct var *v);
/* The member @name of a structure; NULL: no such member */
di type_member(di type, const char *name);

#endif /* NCLC_TYPES_H */
