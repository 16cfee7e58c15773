/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* types.h - types in debug information */
#ifndef NCLC_TYPES_H
#define NCLC_TYPES_H

#include "nclc.h"

#define DW_TAG_array_type	0x01
#define DW_TAG_class_type	0x02
#define DW_TAG_pointer_type	0x0f
#define DW_TAG_reference_type	0x10
#define DW_TAG_structure_type	0x13
#define DW_TAG_union_type	0x17
#define DW_TAG_base_type	0x24

/* What an element is; false: it is nothing that a window or a variable can have. */
bool type_of(di type, struct type *t);
/* The same of what a pointer or a reference points to */
bool type_pointer(di type, struct type *t, bool *ref);
di type_dims(di type, struct var *v);
di type_member(di type, const char *name);

#endif /* NCLC_TYPES_H */
