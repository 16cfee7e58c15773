/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PLACE_H
#define PLACE_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include "mecc.h"

/**
 * struct object - a static object
 * @addr: its address in local memory; in EMEM 0, since another tool places it
 * @init: initial bytes in the order of addresses, NULL for zeros
 */
struct object {
	const char *name;
	LLVMValueRef value;
	enum space space;
	uint32_t addr;
	uint32_t size;
	uint32_t align;
	bool local;		/* no other file sees it */
	bool in_area;		/* @addr is an offset in the area of each context (routine.h) */
	uint8_t *init;
};

struct objects {
	struct object *o;
	unsigned int n;
	uint32_t lm;		/* bytes of local memory that are taken */
	uint32_t lm_data;	/* of these, bytes of objects with initial contents */
	uint32_t *area;		/* what the function that is compiled takes of each context's area, or NULL */
	LLVMTargetDataRef layout;
};

void place_objects(struct objects *objs, LLVMModuleRef m);

/*
 * Take local memory for @what at @at. Return: its address, or its offset if the function has its frame in
 * each context's area.
 */
uint32_t place_lm(struct objects *objs, uint32_t size, uint32_t align, struct where at,
		  const char *what);

/* A variable of a function has a fixed address, too. */
void place_local(struct objects *objs, LLVMValueRef alloca, LLVMValueRef function);

/*
 * Resolve a constant address, as object and offset.
 * Return: false if @v is none. A constant number has object -1.
 */
bool place_address(const struct objects *objs, LLVMValueRef v, int *obj, int64_t *offset);

/*
 * Index number @index of a gep. *@type is the type that the index before it has led to.
 * Return: bytes to add; or 0, with a @variable of which @scale bytes each are to be added.
 */
int64_t place_gep(const struct objects *objs, LLVMValueRef gep, unsigned int index,
		  LLVMTypeRef *type, LLVMValueRef *variable, uint64_t *scale);

#endif /* PLACE_H */
