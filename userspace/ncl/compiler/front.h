/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* front.h - clang, which compiles C and C++ to modules of LLVM. */
#ifndef NCLC_FRONT_H
#define NCLC_FRONT_H

#include <llvm-c/Core.h>

/* What clang compiles: the user's file, generated code of a device, or generated code of hosts */
enum clang { CLANG_USER, CLANG_DEVICE, CLANG_HOST };

/* Start clang on @path. Returns the process id, for clang_module(). */
int clang_start(const char *path, const char *bitcode, enum clang kind);
/*
 * Start clang, which prints the declarations of functions named @name to the file @to. Returns the
 * process id.
 */
int clang_print(const char *path, const char *name, const char *to);
/* Wait for clang, process @pid, and read the module that it wrote to @bitcode. */
LLVMModuleRef clang_module(int pid, const char *bitcode);

#endif /* NCLC_FRONT_H */
