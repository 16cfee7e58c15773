// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Types of elements, from debug information. */
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <string.h>

#include "types.h"

static const struct {
	const char *name, *c;
	unsigned int size;
} kinds[] = {
	[BYTES] = { "bytes", NULL, 0 },
	[I8] = { "i8", "signed char", 1 }, [U8] = { "u8", "unsigned char", 1 },
	[I16] = { "i16", "short", 2 }, [U16] = { "u16", "unsigned short", 2 },
	[I32] = { "i32", "int", 4 }, [U32] = { "u32", "unsigned int", 4 },
	[I64] = { "i64", "long", 8 }, [U64] = { "u64", "unsigned long", 8 },
	[F32] = { "f32", "float", 4 }, [F64] = { "f64", "double", 8 },
	[BOOL] = { "bool", "_Bool", 1 },
};

const char *type_name(const struct type *t, char buf[16])
{
	if (t->kind == BYTES)
		snprintf(buf, 16, "bytes%u", t->size);
	else
		snprintf(buf, 16, "%s", kinds[t->kind].name);
	return buf;
}

const char *type_c(const struct type *t)
{
	return kinds[t->kind].c;
}

static enum kind number_kind(const char *name, unsigned int size)
{
	bool u = !strncmp(name, "unsigned", 8) || !strcmp(name, "char8_t") ||
		 !strcmp(name, "char16_t") || !strcmp(name, "char32_t");

	if (!strcmp(name, "bool") || !strcmp(name, "_Bool"))
		return BOOL;
	if (!strcmp(name, "float"))
		return F32;
	if (!strcmp(name, "double"))
		return F64;
	if (!strcmp(name, "char"))
		u = (char)-1 > 0;	/* clang compiles for this machine */
	switch (size) {
	case 1: return u ? U8 : I8;
	case 2: return u ? U16 : I16;
	case 4: return u ? U32 : I32;
	case 8: return u ? U64 : I64;
	}
	return BYTES;
}

bool type_of(di type, struct type *t)
{
	size_t len;
	const char *name;

	type = di_peel(type);
	if (!type)
		return false;
	name = LLVMDITypeGetName(type, &len);
	name = text("%.*s", (int)len, name ?: "");
	t->size = LLVMDITypeGetSizeInBits(type) / 8;
	switch (LLVMGetDINodeTag(type)) {
	case DW_TAG_base_type:
		t->kind = number_kind(name, t->size);
		t->align = t->size < 8 ? t->size : 8;
		return t->kind != BYTES;
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
		t->kind = BYTES;
		t->align = t->size % 8 == 0 ? 8 : t->size % 4 == 0 ? 4 : t->size % 2 == 0 ? 2 : 1;
		return t->size > 0;
	}
	return false;
}

bool type_pointer(di type, struct type *t, bool *ref)
{
	type = di_peel(type);
	if (!type)
		return false;
	*ref = LLVMGetDINodeTag(type) == DW_TAG_reference_type;
	if (!*ref && LLVMGetDINodeTag(type) != DW_TAG_pointer_type)
		return false;
	return type_of(di_operand(type, DI_TYPE_BASE), t);
}

di type_dims(di type, struct var *v)
{
	type = di_peel(type);
	v->count = 1;
	while (type && LLVMGetDINodeTag(type) == DW_TAG_array_type) {
		di list = di_operand(type, DI_TYPE_ELEMENTS);
		unsigned int i;

		for (i = 0; i < di_operands(list); i++) {
			di count = di_operand(di_operand(list, i), DI_DIMENSION_COUNT);
			int64_t n;

			if (v->dims == 4)
				refuse(&v->at, "'%s' has more than 4 dimensions", v->name);
			if (!di_number(count, &n) || n < 1)
				refuse(&v->at, "'%s' has a dimension that is not a constant above 0", v->name);
			v->dim[v->dims++] = n;
			v->count *= n;
		}
		type = di_peel(di_operand(type, DI_TYPE_BASE));
	}
	return type;
}

di type_member(di type, const char *name)
{
	di list = di_operand(type, DI_TYPE_ELEMENTS);
	unsigned int i;

	for (i = 0; i < di_operands(list); i++) {
		const char *s = di_string(di_operand(list, i), DI_NAME);

		if (s && !strcmp(s, name))
			return di_operand(list, i);
	}
	return NULL;
}
