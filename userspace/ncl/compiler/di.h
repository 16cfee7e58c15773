/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* di.h - debug information: nodes, and the lines of the user's program. */
#ifndef NCLC_DI_H
#define NCLC_DI_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>
#include "util.h"

typedef LLVMMetadataRef di;

/*
 * Operands of nodes, by number, for di_operand() and di_string(). LLVM's DebugInfoMetadata.h has the
 * order, in the classes named here.
 */
enum {
	DI_SCOPE_OUTER = 1,	/* DILexicalBlock: the scope around it */
	DI_NAME = 2,		/* DISubprogram, DIType (a member is one, too) */
	DI_FUNCTION_TYPE = 4,	/* DISubprogram */
	DI_FUNCTION_TYPES = 3,	/* DISubroutineType: list of the result's type and the parameters' */
	DI_TYPE_BASE = 3,	/* DIDerivedType, DICompositeType: of a member, target, element */
	DI_TYPE_ELEMENTS = 4,	/* DICompositeType: list of members or dimensions */
	DI_DIMENSION_COUNT = 0,	/* DISubrange */
	DI_VAR_SCOPE = 0,	/* DIGlobalVariable */
	DI_VAR_NAME = 1,
	DI_VAR_TYPE = 3,
	DI_EXPRESSION_VAR = 0,	/* DIGlobalVariableExpression */
};

di di_operand(di node, unsigned int i);
/* Number of operands; 0 if @node is NULL */
unsigned int di_operands(di node);
/* NULL: the operand is not a string */
const char *di_string(di node, unsigned int i);
/* NULL: no debug information */
di di_of_global(LLVMValueRef global);
/* Follow typedef, const, volatile and enum to the underlying type. */
di di_peel(di type);
bool di_number(di node, int64_t *value);
/*
 * The line of an instruction in the user's file; line 0: unknown. If the instruction was inlined
 * from a header of NCL or from generated code, take the line of the call.
 */
struct where where_inst(LLVMValueRef inst);
struct where where_function(LLVMValueRef fn);
struct where where_global(LLVMValueRef global);

#endif /* NCLC_DI_H */
