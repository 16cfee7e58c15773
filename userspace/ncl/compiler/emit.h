/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* emit.h - LLVM: optimise modules, and write objects. */
#ifndef NCLC_EMIT_H
#define NCLC_EMIT_H

#include "nclc.h"

void emit_init(void);
/* Delete the global variable @name, if @m has one. */
void drop_global(LLVMModuleRef m, const char *name);
void emit_target(LLVMModuleRef m);
void emit_run(LLVMModuleRef m, const char *passes);
/* With --keep, write the module as text to the temporary file @name. */
void emit_dump(LLVMModuleRef m, const char *name);
void emit_host(LLVMModuleRef m, const char *path);
void emit_object(struct place *at);

#endif /* NCLC_EMIT_H */
