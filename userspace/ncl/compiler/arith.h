/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* arith.h - arithmetic that BPF or the card lacks. */
#ifndef NCLC_ARITH_H
#define NCLC_ARITH_H

#include <llvm-c/Core.h>

void arith(LLVMValueRef fn);

#endif /* NCLC_ARITH_H */
