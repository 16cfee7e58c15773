/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* flatten.h - kernels without calls and loops. */
#ifndef NCLC_FLATTEN_H
#define NCLC_FLATTEN_H

#include "nclc.h"

void flatten(struct place *at);
/*
 * Replace calls of ncl_place() and such by their values, and remove annotations, in all functions of
 * a module. @device: make the thread-local variables of ncl.h plain variables, too.
 */
void simple_calls(LLVMModuleRef m, const struct program *p, bool device);
/*
 * Replace each constant GEP that is built on @c, in the instructions that use it, by a GEP
 * instruction before them: access.c analyses instructions only.
 */
void expand_constants(LLVMValueRef c);

#endif /* NCLC_FLATTEN_H */
