/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* access.h - the kernels' loads and stores of variables of the network. */
#ifndef NCLC_ACCESS_H
#define NCLC_ACCESS_H

#include "nclc.h"

/*
 * The address that a walk from the base to an access has summed up. The base is a variable of the
 * network (@of), or an array of the window. The fields are those of struct access.
 */
struct address {
	struct layout *of;
	struct term term[TERMS_MAX];
	unsigned int terms;
	int64_t offset, row;
};

void address_add(struct place *at, struct address *a, LLVMValueRef gep);
/* Is @inst a memcpy(), memmove() or memset()? */
bool copy_is(LLVMValueRef inst);
/*
 * Replace @inst, a memcpy(), memmove() or memset() of @len bytes, by loads and stores, each as wide
 * as the alignment of @a allows.
 */
void copy_expand(LLVMValueRef inst, const struct address *a, uint64_t len);
/*
 * Collect the kernels' accesses. Returns false if a kernel without _at_() uses a variable that the
 * place does not have. The place was then removed from the kernel's places: analyse again.
 */
bool access_collect(struct place *at);
/* Replace a load or store by several of @piece bytes each. */
void access_split(const struct access *a, unsigned int piece);

#endif /* NCLC_ACCESS_H */
