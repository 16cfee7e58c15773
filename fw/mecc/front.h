/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef FRONT_H
#define FRONT_H

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include "mecc.h"

/* Compile the files of options with clang. Return: a module in which the entries alone are left. */
LLVMModuleRef front_module(void);

/* Return: the place of an instruction, function or object by the debug information. */
struct where where_of(LLVMValueRef v);

/* Return: where the function was called that the instruction is in. */
struct where where_called(LLVMValueRef inst);

/* legal.c: replace operations that isel.c does not know. */
void legalise(LLVMModuleRef m);

/* isel_call.c: is this a function that microengine.h calls by name? */
bool call_is_known(const char *name);

/* Return: the alignment that argument @n of a copy has. */
unsigned int copy_alignment(LLVMValueRef call, unsigned int n);

/* legal_div.c. Return: false if @inst is no division; else its result replaces it. */
bool legal_division(LLVMBuilderRef b, LLVMValueRef inst);

/* legal_loop.c. Return: @x / @d, or the rest, without sign. The types have 32 or 64 bits. */
LLVMValueRef legal_divide_loop(LLVMBuilderRef b, LLVMValueRef inst, LLVMValueRef x, LLVMValueRef d,
			       bool rest);

/* Run a list of LLVM's passes. */
void run_passes(LLVMModuleRef m, const char *passes);

#define FOR_FUNCTIONS(f, m) \
	for (LLVMValueRef f = LLVMGetFirstFunction(m), next_; \
	     f && ((next_ = LLVMGetNextFunction(f)), 1); f = next_)

#endif /* FRONT_H */
