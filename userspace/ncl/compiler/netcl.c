// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * NetCL's dialect (netcl.hpp): places, kernels and groups by number, _net_ functions that kernels
 * call, static variables of kernels, and tables.
 */
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "types.h"
#include "annotate.h"
#include "netcl.h"

#define COUNTED	"the lines \"host\" and \"device\" are numbered from 1"

static const struct and_node *node_of(const struct and_net *net, int64_t id, bool device,
				      const char *what, const struct where *at)
{
	const struct and_node *node = id > 0 && id <= net->nr ? and_node(net, id) : NULL;

	if (!node)
		refuse(at, "%s(%lld): %s has no node %lld; " COUNTED, what, (long long)id, options.net,
		       (long long)id);
	if (node->device != device)
		refuse(at, "%s(%lld): node %lld of %s is %s \"%s\"; " COUNTED, what, (long long)id,
		       (long long)id, options.net, node->device ? "device" : "host", node->label);
	return node;
}

const char *device_label(const struct and_net *net, LLVMValueRef number, const struct where *at)
{
	return node_of(net, LLVMConstIntGetSExtValue(number), true, "_at", at)->label;
}

unsigned int kernel_number(const struct kernel *k, LLVMValueRef number)
{
	long long id = LLVMIsAConstantInt(number) ? LLVMConstIntGetSExtValue(number) : 0;

	if (id < 1 || id > KERNELS_MAX)
		refuse(&k->at, "_kernel(%lld): the number of a kernel must be 1 to %u", id, KERNELS_MAX);
	return id;
}

LLVMValueRef checked_number(const struct and_net *net, LLVMValueRef call, const char *name)
{
	LLVMValueRef number = LLVMGetOperand(call, 0);
	struct where at = where_inst(call);
	int64_t id;

	if (!LLVMIsAConstantInt(number))
		return number;
	id = LLVMConstIntGetZExtValue(number);
	if (!strcmp(name, "ncl_device_"))
		node_of(net, id, true, "_send_to_device", &at);
	else if (!strcmp(name, "ncl_host_"))
		node_of(net, id, false, "_send_to_host", &at);
	else if (!and_multicast(net, id))
		refuse(&at, "_multicast(%lld): %s has no group %lld; add a line \"multicast %lld LABEL...\"",
		       (long long)id, options.net, (long long)id, (long long)id);
	return number;
}

/* The function that defines a static variable, from debug information; NULL: a global variable */
static di scope_of(di var)
{
	di scope = di_operand(var, DI_VAR_SCOPE);

	while (scope && (LLVMGetMetadataKind(scope) == LLVMDILexicalBlockMetadataKind ||
			 LLVMGetMetadataKind(scope) == LLVMDILexicalBlockFileMetadataKind))
		scope = di_operand(scope, DI_SCOPE_OUTER);
	return scope && LLVMGetMetadataKind(scope) == LLVMDISubprogramMetadataKind ? scope : NULL;
}

/* The kernel or _net_ function that defines the variable @var; NULL: none does */
static const struct kernel *inside(const struct program *p, di var)
{
	di scope = var ? scope_of(var) : NULL;
	unsigned int i;

	for (i = 0; i < p->kernels && scope; i++)
		if (!p->kernel[i].in &&
		    LLVMGetSubprogram(LLVMGetNamedFunction(p->module, p->kernel[i].symbol)) == scope)
			return &p->kernel[i];
	return NULL;
}

/*
 * Make each static variable of a kernel or _net_ function a variable of the network, at the places of
 * that function. Hosts cannot access it.
 */
static void read_statics(struct program *p)
{
	LLVMValueRef g;

	for (g = LLVMGetFirstGlobal(p->module); g; g = LLVMGetNextGlobal(g)) {
		const struct kernel *k = inside(p, di_of_global(g));
		struct var *v;

		if (!k || LLVMIsGlobalConstant(g))
			continue;
		v = var_of(p, g);
		v->net = true;
		if (!v->places)
			v->places = k->places;
	}
}

static bool is_called(LLVMValueRef fn)
{
	LLVMUseRef u;

	for (u = LLVMGetFirstUse(fn); u; u = LLVMGetNextUse(u))
		if (LLVMIsACallInst(LLVMGetUser(u)))
			return true;
	return false;
}

/* A function is not a kernel if it has only _net_ and is called: drop it from the list. */
void read_functions(struct program *p)
{
	unsigned int i, n = 0;

	read_statics(p);
	for (i = 0; i < p->kernels; i++) {
		struct kernel *k = &p->kernel[i];

		if (k->net && !k->out && !k->in &&
		    is_called(LLVMGetNamedFunction(p->module, k->symbol)))
			continue;
		p->out_ids = k->id > p->out_ids ? k->id : p->out_ids;
		p->kernel[n++] = *k;
	}
	p->kernels = n;
}

bool is_constant_table(const struct var *v, LLVMValueRef global)
{
	if (!v->lookup || v->managed)
		return false;
	if (!LLVMIsGlobalConstant(global))
		refuse(&v->at, "table '%s' is neither const nor _managed_; make it const if it has initial values, _managed_ if hosts fill it",
		       v->name);
	return true;
}

/* A table that hosts fill is a map. A table of keys without values gets values of one byte. */
void read_table(struct var *v, di type)
{
	di key = type_member(type, "key"), value = type_member(type, "value");

	if (v->dims != 1)
		refuse(&v->at, "table '%s' has %u dimensions; a table needs one, its number of entries", v->name,
		       v->dims);
	v->entries = v->count;
	v->dims = 0;
	if (key && value) {
		if (!type_of(di_operand(key, DI_TYPE_BASE), &v->key) ||
		    !type_of(di_operand(value, DI_TYPE_BASE), &v->value))
			refuse(&v->at, "table '%s' has keys or values that are neither numbers nor structures", v->name);
	} else {
		if (!type_of(type, &v->key) || v->key.kind == BYTES)
			refuse(&v->at, "table '%s' has entries that are neither ncl_kv nor numbers; a table of ranges must be const", v->name);
		v->value = (struct type){ U8, 1, 1 };
	}
}
