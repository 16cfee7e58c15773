// SPDX-License-Identifier: BSD-2-Clause
/* place.c - static objects: addresses in local memory, initial contents, constant addresses. */
#include <string.h>

#include "front.h"
#include "place.h"

uint32_t place_lm(struct objects *objs, uint32_t size, uint32_t align, struct where at,
		  const char *what)
{
	uint32_t *end = objs->area ? objs->area : &objs->lm, addr = (*end + align - 1) & -align;

	if (size > LM_BYTES || addr > LM_BYTES - size)
		refuse(at, NULL, "%s needs %u bytes of local memory, of which %u of %u are taken: move objects to __emem",
		       what, size, *end, LM_BYTES);
	*end = addr + size;
	return addr;
}

/* Return: the index of the object that @value is, or -1. */
static int find(const struct objects *objs, LLVMValueRef value)
{
	for (unsigned int i = 0; i < objs->n; i++)
		if (objs->o[i].value == value)
			return i;
	return -1;
}

/* Index number @index of a gep: add it to the offset, or give @variable and its @scale. */
int64_t place_gep(const struct objects *objs, LLVMValueRef gep, unsigned int index,
		  LLVMTypeRef *type, LLVMValueRef *variable, uint64_t *scale)
{
	LLVMValueRef v = LLVMGetOperand(gep, 1 + index);

	*variable = NULL;
	if (!index) {
		*type = LLVMGetGEPSourceElementType(gep);
	} else if (LLVMGetTypeKind(*type) == LLVMStructTypeKind) {
		unsigned int field = LLVMConstIntGetZExtValue(v);
		int64_t at = LLVMOffsetOfElement(objs->layout, *type, field);

		*type = LLVMStructGetTypeAtIndex(*type, field);
		return at;
	} else {
		*type = LLVMGetElementType(*type);
	}
	*scale = LLVMABISizeOfType(objs->layout, *type);
	if (LLVMIsAConstantInt(v))
		return LLVMConstIntGetSExtValue(v) * (int64_t)*scale;
	*variable = v;
	return 0;
}

static bool gep_address(const struct objects *objs, LLVMValueRef gep, int *obj, int64_t *offset)
{
	unsigned int n = LLVMGetNumIndices(gep);
	LLVMTypeRef type = NULL;
	LLVMValueRef variable;
	uint64_t scale;

	if (!place_address(objs, LLVMGetOperand(gep, 0), obj, offset))
		return false;
	for (unsigned int i = 0; i < n; i++) {
		*offset += place_gep(objs, gep, i, &type, &variable, &scale);
		if (variable)
			return false;
	}
	return true;
}

bool place_address(const struct objects *objs, LLVMValueRef v, int *obj, int64_t *offset)
{
	*obj = -1;
	*offset = 0;
	if (LLVMIsAGlobalVariable(v) || LLVMIsAAllocaInst(v)) {
		*obj = find(objs, v);
		return *obj >= 0;
	}
	if (LLVMIsAGetElementPtrInst(v))
		return gep_address(objs, v, obj, offset);
	if (LLVMIsAConstantPointerNull(v) || LLVMIsAUndefValue(v))
		return true;
	if (LLVMIsAConstantInt(v)) {
		*offset = LLVMConstIntGetSExtValue(v);
		return true;
	}
	if (!LLVMIsAConstantExpr(v))
		return false;
	switch (LLVMGetConstOpcode(v)) {
	case LLVMGetElementPtr:
		return gep_address(objs, v, obj, offset);
	case LLVMIntToPtr:
	case LLVMPtrToInt:
		return place_address(objs, LLVMGetOperand(v, 0), obj, offset);
	default:
		return false;
	}
}

static void put_number(uint8_t *to, uint64_t size, uint64_t v)
{
	while (size--) {
		to[size] = v;
		v >>= 8;
	}
}

static void put_constant(struct objects *objs, struct object *o, uint64_t at, LLVMValueRef v)
{
	LLVMTypeRef t = LLVMTypeOf(v);
	unsigned int n, i;
	int64_t offset;
	int obj;

	switch (LLVMGetTypeKind(t)) {
	case LLVMIntegerTypeKind:
	case LLVMPointerTypeKind:
		if (!place_address(objs, v, &obj, &offset))
			break;
		if (obj >= 0 && objs->o[obj].space != SPACE_LM)
			refuse(where_of(o->value), NULL, "object %s: its initial value is the address of %s, which is not in local memory: set it when the program starts",
			       o->name, objs->o[obj].name);
		put_number(o->init + at, LLVMStoreSizeOfType(objs->layout, t),
			   offset + (obj >= 0 ? objs->o[obj].addr : 0));
		return;
	case LLVMArrayTypeKind:
		n = LLVMGetArrayLength2(t);
		for (i = 0; i < n; i++)
			put_constant(objs, o, at + i * LLVMABISizeOfType(objs->layout, LLVMGetElementType(t)),
				     LLVMGetAggregateElement(v, i));
		return;
	case LLVMStructTypeKind:
		n = LLVMCountStructElementTypes(t);
		for (i = 0; i < n; i++)
			put_constant(objs, o, at + LLVMOffsetOfElement(objs->layout, t, i),
				     LLVMGetAggregateElement(v, i));
		return;
	default:
		break;
	}
	refuse(where_of(o->value), NULL, "object %s: its initial value is of a kind that is not supported",
	       o->name);
}

static struct object *new_object(struct objects *objs)
{
	objs->o = room(objs->o, objs->n, sizeof(*objs->o));
	return &objs->o[objs->n++];
}

static void add_object(struct objects *objs, LLVMValueRef g)
{
	unsigned int space = LLVMGetPointerAddressSpace(LLVMTypeOf(g));
	LLVMTypeRef type = LLVMGlobalGetValueType(g);
	struct object *o = new_object(objs);

	*o = (struct object){
		.name = LLVMGetValueName2(g, &(size_t){ 0 }), .value = g, .space = space,
		.size = LLVMABISizeOfType(objs->layout, type), .align = LLVMGetAlignment(g),
		.local = LLVMGetLinkage(g) != LLVMExternalLinkage,
	};
	if (LLVMIsDeclaration(g))
		refuse(where_of(g), NULL, "object %s is not defined in this file", o->name);
	if (space != SPACE_LM && space != SPACE_EMEM)
		refuse(where_of(g), NULL, "object %s is in address space %u: only local memory (0) and __emem (%u) are supported",
		       o->name, space, SPACE_EMEM);
	/* A pointer to local memory counts words. */
	if (o->align < 4)
		o->align = 4;
}

static bool has_contents(LLVMValueRef g)
{
	LLVMValueRef v = LLVMGetInitializer(g);

	return !LLVMIsNull(v) && !LLVMIsUndef(v);
}

/* Objects with initial contents come first, so that one section of the object file has them. */
static void place_all(struct objects *objs, bool contents)
{
	for (unsigned int i = 0; i < objs->n; i++) {
		struct object *o = &objs->o[i];

		if (o->space == SPACE_LM && has_contents(o->value) == contents)
			o->addr = place_lm(objs, o->size, o->align, where_of(o->value),
					   o->name);
	}
}

void place_objects(struct objects *objs, LLVMModuleRef m)
{
	objs->layout = LLVMCreateTargetData(LLVMGetDataLayoutStr(m));
	for (LLVMValueRef g = LLVMGetFirstGlobal(m); g; g = LLVMGetNextGlobal(g))
		add_object(objs, g);
	place_all(objs, true);
	objs->lm_data = objs->lm;
	place_all(objs, false);
	for (unsigned int i = 0; i < objs->n; i++) {
		struct object *o = &objs->o[i];

		if (!has_contents(o->value))
			continue;
		o->init = need(o->size, 1);
		put_constant(objs, o, 0, LLVMGetInitializer(o->value));
	}
}

void place_local(struct objects *objs, LLVMValueRef alloca, LLVMValueRef function)
{
	const char *name = text("%s.%s", LLVMGetValueName2(function, &(size_t){ 0 }),
				LLVMGetValueName2(alloca, &(size_t){ 0 }));
	uint32_t size = LLVMABISizeOfType(objs->layout, LLVMGetAllocatedType(alloca));
	uint32_t align = LLVMGetAlignment(alloca);
	struct object *o = new_object(objs);

	if (align < 4)
		align = 4;
	*o = (struct object){
		.name = name, .value = alloca, .space = SPACE_LM, .size = size, .align = align,
		.local = true, .in_area = objs->area,
		.addr = place_lm(objs, size, align, where_of(function), name),
	};
}
