// SPDX-License-Identifier: BSD-2-Clause
/* isel_call.c - choose operations: what microengine.h calls by name, and functions of the program. */
#include <string.h>

#include "front.h"
#include "isel.h"

#define CSR_WAKE	0x54		/* ActCtxWkpEvt: signals in bits 15:0 */
#define WAKE_ANY	(1u << 16)	/* one of them is enough */

static const char *callee(LLVMValueRef call)
{
	return LLVMGetValueName2(LLVMGetCalledValue(call), &(size_t){ 0 });
}

static uint32_t constant(struct sel *s, LLVMValueRef call, unsigned int n, const char *what)
{
	LLVMValueRef v = LLVMGetOperand(call, n);

	if (!LLVMIsAConstantInt(v))
		refuse(where_called(call), s->f->name, "%s is no constant", what);
	return LLVMConstIntGetZExtValue(v);
}

static uint32_t csr(struct sel *s, LLVMValueRef call)
{
	uint32_t addr = constant(s, call, 0, "the number of a local CSR");

	if (!encode_csr_name(addr))
		refuse(where_called(call), s->f->name,
		       "local CSR %#x is not supported: microengine.h has a list", addr);
	return addr;
}

static void csr_read(struct sel *s, LLVMValueRef call)
{
	sel_add(s, (struct minsn){ .op = M_CSR_RD, .imm = csr(s, call),
				   .d = sel_result(s, call).lo });
}

static void csr_write(struct sel *s, LLVMValueRef call)
{
	struct en_opnd v = sel_value(s, LLVMGetOperand(call, 1)).lo;

	sel_add(s, (struct minsn){ .op = M_CSR_WR, .imm = csr(s, call), .s = { v } });
}

/* Signals that are no constant are told by a CSR, which a wait for a constant overwrites. */
static void wait_for(struct sel *s, LLVMValueRef call, bool any)
{
	LLVMValueRef v = LLVMGetOperand(call, 0);
	struct en_opnd mask, bits;
	uint32_t signals;

	if (LLVMIsAConstantInt(v)) {
		signals = LLVMConstIntGetZExtValue(v);
		if (!signals || signals > 0xffff || (signals & 1 && (signals != 1 || any)))
			refuse(where_called(call), s->f->name,
			       "wait for signals %#x: signals are bits 1 to 15", signals);
		sel_add(s, (struct minsn){ .op = M_ARB, .imm = signals, .flag = any });
		return;
	}
	mask = sel_value(s, v).lo;
	if (any) {
		bits = sel_reg(s);
		sel_alu(s, bits, mask, EN_OR, sel_imm(s, WAKE_ANY));
		mask = bits;
	}
	sel_add(s, (struct minsn){ .op = M_CSR_WR, .imm = CSR_WAKE, .s = { mask } });
	sel_add(s, (struct minsn){ .op = M_ARB, .alu = 1 });
}

static void ctx_arb(struct sel *s, LLVMValueRef call)
{
	wait_for(s, call, false);
}

static void ctx_arb_any(struct sel *s, LLVMValueRef call)
{
	wait_for(s, call, true);
}

static void take_signal(struct sel *s, LLVMValueRef call)
{
	uint32_t n = constant(s, call, 0, "the signal that is tested");

	if (!n || n > 15)
		refuse(where_called(call), s->f->name, "test of signal %u: signals are 1 to 15", n);
	sel_add(s, (struct minsn){ .op = M_SIGNAL, .n = n, .d = sel_result(s, call).lo });
}

/* If nothing uses the result, the command without "test" brings none. */
static void atomic(struct sel *s, LLVMValueRef call)
{
	uint32_t op = constant(s, call, 0, "the kind of an atomic operation");
	struct access a = sel_access(s, LLVMGetOperand(call, 1), 1);
	bool used = LLVMGetFirstUse(call);

	if (op > EN_ATOMIC_ADD - EN_ATOMIC_SET)
		refuse(where_called(call), s->f->name, "atomic operation %u is not supported", op);
	if (a.space != SPACE_EMEM)
		refuse(where_called(call), s->f->name,
		       "atomic operation on local memory: only EMEM has them");
	sel_mov(s, xfer(0), sel_value(s, LLVMGetOperand(call, 2)).lo);
	sel_command(s, (used ? EN_ATOMIC_TEST_SET : EN_ATOMIC_SET) + op, &a, 0, 1, 0);
	if (used)
		sel_mov(s, sel_result(s, call).lo, xfer(0));
}

/* The vendor's images address rings in the cache of island 24, as bits 39:32 say. */
#define RING_HIGH	0x98000000u

/* The words have the order of the arguments, the ring's number is the address. */
static void add_work(struct sel *s, LLVMValueRef call)
{
	unsigned int n = LLVMGetNumArgOperands(call) - 1, i;
	struct en_opnd ring = vreg(mir_vreg(s->f, BANK_A)), high = vreg(mir_vreg(s->f, BANK_B));

	if (n < 1 || n > 8 || n > options.xfers)
		refuse(where_called(call), s->f->name, "work of %u words: it has 1 to 8", n);
	for (i = 0; i < n; i++)
		sel_mov(s, xfer(i), sel_value(s, LLVMGetOperand(call, 1 + i)).lo);
	sel_mov(s, ring, sel_value(s, LLVMGetOperand(call, 0)).lo);
	sel_add(s, (struct minsn){ .op = M_IMM, .d = high, .imm = RING_HIGH });
	sel_add(s, (struct minsn){ .op = M_WRITE, .alu = EN_ADD_WORK, .n = n, .s = { ring, high } });
}

static const struct {
	const char *name;
	void (*sel)(struct sel *s, LLVMValueRef call);
} calls[] = {
	{ "__me_csr_read", csr_read },
	{ "__me_csr_write", csr_write },
	{ "__me_ctx_arb", ctx_arb },
	{ "__me_ctx_arb_any", ctx_arb_any },
	{ "__me_take_signal", take_signal },
	{ "__me_atomic", atomic },
	{ "__me_add_work", add_work },
};

static int find(const char *name)
{
	for (unsigned int i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (!strcmp(name, calls[i].name))
			return i;
	return -1;
}

bool call_is_known(const char *name)
{
	return find(name) >= 0;
}

/* A function of the program. It may set local memory pointer 0. */
static void sel_routine(struct sel *s, LLVMValueRef call, const struct routine *r)
{
	struct minsn in = { .op = M_CALL, .imm = r - s->f->program->r };
	unsigned int n = LLVMGetNumArgOperands(call), word = 0, i;

	for (i = 0; i < n; i++) {
		struct num v = sel_value(s, LLVMGetOperand(call, i));

		in.s[word++] = v.lo;
		if (v.width > 32)
			in.s[word++] = v.hi;
	}
	if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind) {
		struct num d = sel_result(s, call);

		in.d = d.lo;
		if (d.width > 32)
			in.d1 = d.hi;
	}
	for (i = 0; i < word; i++)
		if (r->param[i].k == EN_NONE)
			in.s[i] = (struct en_opnd){ 0 };
	sel_add(s, in);
	s->lm0.set = false;
}

void sel_call(struct sel *s, LLVMValueRef call)
{
	struct routine *r = routine_find(s->f->program, LLVMGetCalledValue(call));
	int i = find(callee(call));

	if (r)
		sel_routine(s, call, r);
	else if (i >= 0)
		calls[i].sel(s, call);
	else
		sel_copy(s, call);
}

/* ---- the other side of a call ---- */

static void param(struct sel *s, unsigned int word, struct en_opnd d)
{
	sel_add(s, (struct minsn){ .op = M_PARAM, .n = word, .d = d });
}

/* The words of arguments that are used, and the return address */
void sel_params(struct sel *s)
{
	unsigned int n = LLVMCountParams(s->fn), word = 0, i;

	for (i = 0; i < n; i++) {
		LLVMValueRef v = LLVMGetParam(s->fn, i);
		bool wide = sel_width(s, LLVMTypeOf(v)) > 32;

		if (LLVMGetFirstUse(v)) {
			struct num d = sel_result(s, v);

			param(s, word, d.lo);
			if (wide)
				param(s, word + 1, d.hi);
		}
		word += 1 + wide;
	}
	s->ra = sel_reg(s);
	param(s, PARAM_RA, s->ra);
}

void sel_return(struct sel *s, LLVMValueRef inst)
{
	struct minsn ret = { .op = M_RET, .s = { [2] = s->ra } };

	if (!s->f->self->entry && LLVMIsAReturnInst(inst) && LLVMGetNumOperands(inst)) {
		struct num v = sel_value(s, LLVMGetOperand(inst, 0));

		ret.s[0] = v.lo;
		if (v.width > 32)
			ret.s[1] = v.hi;
	}
	sel_add(s, ret);
}
