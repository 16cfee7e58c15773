// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Debug information: names, types and lines of the user's program. LLVM's C API has no functions
 * for most fields of a node, so this code reads operands by number (di.h).
 */
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "nclc.h"
#include "di.h"

#define DW_TAG_const_type	0x26
#define DW_TAG_typedef		0x16
#define DW_TAG_volatile_type	0x35
#define DW_TAG_enumeration_type	0x04

static LLVMValueRef as_value(di node)
{
	return LLVMMetadataAsValue(LLVMGetGlobalContext(), node);
}

unsigned int di_operands(di node)
{
	return node ? LLVMGetMDNodeNumOperands(as_value(node)) : 0;
}

static LLVMValueRef operand(di node, unsigned int i)
{
	unsigned int n = di_operands(node);
	LLVMValueRef *op, v;

	if (i >= n)
		return NULL;
	op = need(n, sizeof(*op));
	LLVMGetMDNodeOperands(as_value(node), op);
	v = op[i];
	free(op);
	return v;
}

di di_operand(di node, unsigned int i)
{
	LLVMValueRef v = operand(node, i);

	return v ? LLVMValueAsMetadata(v) : NULL;
}

const char *di_string(di node, unsigned int i)
{
	LLVMValueRef v = operand(node, i);
	unsigned int len;
	const char *s = v ? LLVMGetMDString(v, &len) : NULL;

	return s ? text("%.*s", len, s) : NULL;
}

bool di_number(di node, int64_t *value)
{
	LLVMValueRef v;

	if (!node || LLVMGetMetadataKind(node) != LLVMConstantAsMetadataMetadataKind)
		return false;
	/* The C API wraps a constant in a node with one operand; unwrap it. */
	v = as_value(node);
	if (LLVMIsAMDNode(v) && LLVMGetMDNodeNumOperands(v) == 1)
		LLVMGetMDNodeOperands(v, &v);
	if (!LLVMIsAConstantInt(v))
		return false;
	*value = LLVMConstIntGetSExtValue(v);
	return true;
}

di di_of_global(LLVMValueRef global)
{
	size_t n, i;
	LLVMValueMetadataEntry *list = LLVMGlobalCopyAllMetadata(global, &n);
	di var = NULL;

	for (i = 0; i < n && !var; i++) {
		di md = LLVMValueMetadataEntriesGetMetadata(list, i);

		if (LLVMGetMetadataKind(md) == LLVMDIGlobalVariableExpressionMetadataKind)
			var = di_operand(md, DI_EXPRESSION_VAR);
	}
	LLVMDisposeValueMetadataEntries(list);
	return var;
}

di di_peel(di type)
{
	for (; type; type = di_operand(type, DI_TYPE_BASE)) {
		unsigned int tag = LLVMGetDINodeTag(type);

		if (tag != DW_TAG_typedef && tag != DW_TAG_const_type &&
		    tag != DW_TAG_volatile_type && tag != DW_TAG_enumeration_type)
			break;
	}
	return type;
}

static struct where where_file(di file, unsigned int line)
{
	unsigned int len = 0, dir_len = 0;
	const char *s = file ? LLVMDIFileGetFilename(file, &len) : NULL;
	const char *dir = file ? LLVMDIFileGetDirectory(file, &dir_len) : NULL;
	char cwd[4096];

	if (!s)
		return (struct where){ NULL, line };
	/* A file name can be relative to @dir, which need not be the current directory. */
	if (len && *s != '/' && dir_len && getcwd(cwd, sizeof(cwd)) &&
	    strcmp(cwd, text("%.*s", dir_len, dir)))
		return (struct where){ text("%.*s/%.*s", dir_len, dir, len, s), line };
	return (struct where){ text("%.*s", len, s), line };
}

/* Is the file the user's? Else it is generated code (nclc.*), ncl.h or netcl.hpp. */
static bool users_own(const char *file)
{
	const char *base = file ? strrchr(file, '/') : NULL;

	base = base ? base + 1 : file;
	return base && strncmp(base, "nclc.", 5) && strcmp(base, "ncl.h") && strcmp(base, "netcl.hpp") &&
	       !strstr(file, "/nclc.");
}

struct where where_inst(LLVMValueRef inst)
{
	di loc = LLVMIsAInstruction(inst) ? LLVMInstructionGetDebugLoc(inst) : NULL;
	struct where at = { 0 };

	for (; loc; loc = LLVMDILocationGetInlinedAt(loc)) {
		at = where_file(LLVMDIScopeGetFile(LLVMDILocationGetScope(loc)),
				LLVMDILocationGetLine(loc));
		if (at.line && users_own(at.file))
			return at;
	}
	return (struct where){ 0 };
}

struct where where_function(LLVMValueRef fn)
{
	di sub = LLVMGetSubprogram(fn);

	return sub ? where_file(LLVMDIScopeGetFile(sub), LLVMDISubprogramGetLine(sub)) :
		     (struct where){ 0 };
}

struct where where_global(LLVMValueRef global)
{
	di var = di_of_global(global);

	return var ? where_file(LLVMDIVariableGetFile(var), LLVMDIVariableGetLine(var)) :
		     (struct where){ 0 };
}
