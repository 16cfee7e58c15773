// SPDX-License-Identifier: BSD-2-Clause
/* isel.c - choose operations: values, arithmetic of up to 32 bits, casts, blocks. See isel.h. */
#include <stdlib.h>
#include <string.h>

#include "front.h"
#include "isel.h"

__attribute__((noreturn))
static void refuse_here(struct sel *s, const char *why)
{
	refuse(s->at, s->f->name, "%s", why);
}

struct minsn *sel_add(struct sel *s, struct minsn in)
{
	in.at = s->at;
	return mir_add(s->b, &in);
}

struct en_opnd sel_reg(struct sel *s)
{
	return vreg(mir_vreg(s->f, BANK_ANY));
}

unsigned int sel_width(struct sel *s, LLVMTypeRef t)
{
	unsigned int width;

	if (LLVMGetTypeKind(t) == LLVMPointerTypeKind) {
		unsigned int space = LLVMGetPointerAddressSpace(t);

		if (space != SPACE_LM && space != SPACE_EMEM)
			refuse_here(s, "pointer to an address space that is not supported: local memory and __emem are");
		return 32;
	}
	if (LLVMGetTypeKind(t) != LLVMIntegerTypeKind)
		refuse_here(s, "value that is no integer and no pointer: use integers and fields of structs");
	width = LLVMGetIntTypeWidth(t);
	if (width > 64)
		refuse_here(s, "integer of more than 64 bits: split it");
	return width;
}

static struct sel_value *slot(struct sel *s, LLVMValueRef v)
{
	unsigned int i = ((uintptr_t)v >> 4) * 2654435761u % s->slots;

	while (s->map[i].v && s->map[i].v != v)
		i = (i + 1) % s->slots;
	return &s->map[i];
}

/* Registers of an LLVM instruction. A phi has two more, which its predecessors write. */
struct num sel_result(struct sel *s, LLVMValueRef inst)
{
	unsigned int width = sel_width(s, LLVMTypeOf(inst));
	struct sel_value *m = slot(s, inst);

	if (!m->v) {
		unsigned int n = (width > 32 ? 2 : 1) * (LLVMIsAPHINode(inst) ? 2 : 1);

		m->v = inst;
		m->reg = mir_vreg(s->f, BANK_ANY);
		while (--n)
			mir_vreg(s->f, BANK_ANY);
	}
	return (struct num){ width, vreg(m->reg), width > 32 ? vreg(m->reg + 1) : imm8(0) };
}

struct en_opnd sel_imm(struct sel *s, uint32_t v)
{
	struct en_opnd d;

	if (v < 256)
		return imm8(v);
	d = sel_reg(s);
	sel_add(s, (struct minsn){ .op = M_IMM, .d = d, .imm = v });
	return d;
}

struct en_opnd sel_in_reg(struct sel *s, struct en_opnd o)
{
	struct en_opnd d;

	if (is_vreg(o))
		return o;
	d = sel_reg(s);
	sel_mov(s, d, o);
	return d;
}

/* An offset in the context's area, which is added to ctx_base() of bank B */
static struct en_opnd sel_area_offset(struct sel *s, uint32_t offset)
{
	struct en_opnd v = sel_imm(s, offset);

	if (is_vreg(v))
		s->f->vreg[v.n].fixed = BANK_A;
	return v;
}

struct num sel_value(struct sel *s, LLVMValueRef v)
{
	unsigned int width = sel_width(s, LLVMTypeOf(v));
	struct num n = { .width = width };
	int64_t offset;
	int obj;

	if (!place_address(s->objs, v, &obj, &offset)) {
		if (LLVMIsAConstant(v))
			refuse_here(s, "constant expression that is not supported");
		n = sel_result(s, v);
		if (width > 32 && LLVMIsAZExtInst(v))
			n.hi = imm8(0);
		return n;
	}
	if (obj >= 0 && s->objs->o[obj].space != SPACE_LM) {
		n.lo = sel_reg(s);
		sel_add(s, (struct minsn){ .op = M_ADDR, .d = n.lo, .sym = obj, .imm = offset });
		return n;
	}
	if (obj >= 0)
		offset += s->objs->o[obj].addr;
	if (obj >= 0 && s->objs->o[obj].in_area) {
		n.lo = sel_reg(s);
		sel_alu(s, n.lo, sel_area_offset(s, offset), EN_ADD, ctx_base());
		return n;
	}
	if (width < 64)
		offset &= (1ull << width) - 1;
	n.lo = sel_imm(s, offset);
	n.hi = width > 32 ? sel_imm(s, (uint64_t)offset >> 32) : imm8(0);
	return n;
}

void sel_mov(struct sel *s, struct en_opnd d, struct en_opnd v)
{
	if (v.k == EN_IMM)
		sel_add(s, (struct minsn){ .op = M_IMM, .d = d, .imm = v.n });
	else
		sel_add(s, (struct minsn){ .op = M_MOV, .d = d, .s = { v } });
}

/*
 * Two operands come from different register files, so two immediates or one register twice cannot.
 */
void sel_alu(struct sel *s, struct en_opnd d, struct en_opnd a, enum en_alu op, struct en_opnd b)
{
	if (a.k == b.k && (a.k == EN_IMM || a.n == b.n)) {
		struct en_opnd t = sel_reg(s);

		sel_mov(s, t, a);
		a = t;
	}
	sel_add(s, (struct minsn){ .op = M_ALU, .alu = op, .d = d, .s = { a, b } });
}

void sel_shift(struct sel *s, struct en_opnd d, struct en_opnd v, enum en_sc sc, unsigned int n)
{
	if (!n) {
		sel_mov(s, d, v);
		return;
	}
	sel_add(s, (struct minsn){ .op = M_SHF, .alu = EN_SHF_B, .sc = sc, .n = n, .d = d,
				   .s = { { 0 }, sel_in_reg(s, v) } });
}

/* The bytes that a mask of whole bytes has, or 0 */
static unsigned int byte_mask(uint32_t v)
{
	unsigned int mask = 0, i;

	for (i = 0; i < 4; i++) {
		unsigned int byte = v >> (8 * i) & 0xff;

		if (byte == 0xff)
			mask |= 1u << i;
		else if (byte)
			return 0;
	}
	return mask;
}

static void sel_and(struct sel *s, struct en_opnd d, struct en_opnd a, uint32_t mask)
{
	unsigned int bytes = byte_mask(mask);

	if (mask == UINT32_MAX) {
		sel_mov(s, d, a);
	} else if (mask < 256) {
		sel_alu(s, d, a, EN_AND, imm8(mask));
	} else if (~mask < 256) {
		sel_alu(s, d, a, EN_ANDNOT, imm8(~mask));
	} else if (bytes) {
		struct en_opnd t = sel_reg(s);

		sel_add(s, (struct minsn){ .op = M_LDF, .flag = 1, .mask = bytes, .d = t,
					   .s = { sel_in_reg(s, a) } });
		sel_mov(s, d, t);
	} else {
		sel_alu(s, d, a, EN_AND, sel_imm(s, mask));
	}
}

/* Clear the bits above @width, which is at most 32. */
void sel_clean(struct sel *s, struct en_opnd d, struct en_opnd v, unsigned int width)
{
	sel_and(s, d, v, width < 32 ? (1u << width) - 1 : UINT32_MAX);
}

struct en_opnd sel_sext(struct sel *s, struct en_opnd v, unsigned int width)
{
	struct en_opnd d;

	if (width == 32)
		return v;
	if (v.k == EN_IMM)
		return sel_imm(s, (int32_t)(v.n << (32 - width)) >> (32 - width));
	d = sel_reg(s);
	sel_add(s, (struct minsn){ .op = M_SEXT, .n = 32 - width, .d = d,
				   .s = { sel_in_reg(s, v) } });
	return d;
}

/* Add a constant: a negative one of 8 bits becomes a subtraction. */
static bool add_const(struct sel *s, struct en_opnd d, struct en_opnd a, LLVMValueRef c)
{
	int64_t v;

	if (!LLVMIsAConstantInt(c))
		return false;
	v = LLVMConstIntGetSExtValue(c);
	if (v >= 0 || v < -255)
		return false;
	sel_alu(s, d, a, EN_SUB, imm8(-v));
	return true;
}

static void sel_shift_var(struct sel *s, struct en_opnd d, LLVMOpcode op, struct en_opnd v,
			  struct en_opnd by)
{
	struct en_opnd n = vreg(mir_vreg(s->f, BANK_A));

	sel_mov(s, n, by);
	if (op == LLVMAShr) {
		struct en_opnd t = vreg(mir_vreg(s->f, BANK_B));

		sel_mov(s, t, v);
		sel_add(s, (struct minsn){ .op = M_ASRI, .d = d, .s = { t, n } });
	} else {
		sel_add(s, (struct minsn){ .op = M_SHI, .sc = op == LLVMShl ? EN_SHL : EN_SHR,
					   .d = d, .s = { sel_in_reg(s, v), n } });
	}
}

static void sel_shifts(struct sel *s, LLVMValueRef inst)
{
	LLVMOpcode op = LLVMGetInstructionOpcode(inst);
	LLVMValueRef by = LLVMGetOperand(inst, 1);
	struct num d = sel_result(s, inst), v = sel_value(s, LLVMGetOperand(inst, 0));
	struct en_opnd x = v.lo, to = d.width < 32 && op != LLVMLShr ? sel_reg(s) : d.lo;

	if (op == LLVMAShr)
		x = sel_sext(s, x, v.width);
	if (!LLVMIsAConstantInt(by)) {
		sel_shift_var(s, to, op, x, sel_value(s, by).lo);
	} else {
		unsigned int n = LLVMConstIntGetZExtValue(by) & 31;

		if (op == LLVMAShr && n)
			sel_add(s, (struct minsn){ .op = M_ASR, .n = n, .d = to,
						   .s = { sel_in_reg(s, x) } });
		else
			sel_shift(s, to, x, op == LLVMShl ? EN_SHL : EN_SHR, n);
	}
	if (to.n != d.lo.n)
		sel_clean(s, d.lo, to, d.width);
}

static void sel_arith(struct sel *s, LLVMValueRef inst)
{
	LLVMOpcode op = LLVMGetInstructionOpcode(inst);
	LLVMValueRef right = LLVMGetOperand(inst, 1);
	struct num d = sel_result(s, inst), a = sel_value(s, LLVMGetOperand(inst, 0)), b;
	bool cleans = d.width < 32 && (op == LLVMAdd || op == LLVMSub || op == LLVMMul);
	struct en_opnd to = cleans ? sel_reg(s) : d.lo;

	if (op == LLVMAnd && LLVMIsAConstantInt(right)) {
		sel_and(s, to, a.lo, LLVMConstIntGetZExtValue(right));
		return;
	}
	if (op == LLVMMul) {
		sel_mul(s, to, LLVMGetOperand(inst, 0), right);
	} else if (op != LLVMAdd || !add_const(s, to, a.lo, right)) {
		b = sel_value(s, right);
		sel_alu(s, to, a.lo, op == LLVMAdd ? EN_ADD : op == LLVMSub ? EN_SUB :
			op == LLVMAnd ? EN_AND : op == LLVMOr ? EN_OR : EN_XOR, b.lo);
	}
	if (cleans)
		sel_clean(s, d.lo, to, d.width);
}

static void sel_cast(struct sel *s, LLVMValueRef inst)
{
	LLVMOpcode op = LLVMGetInstructionOpcode(inst);
	struct num d = sel_result(s, inst), v = sel_value(s, LLVMGetOperand(inst, 0));

	if (op == LLVMSExt && v.width < 32)
		v.lo = sel_sext(s, v.lo, v.width);
	if (d.width < 32 && d.width < (op == LLVMSExt ? 32 : v.width))
		sel_clean(s, d.lo, v.lo, d.width);
	else
		sel_mov(s, d.lo, v.lo);
}

static bool is_wide(struct sel *s, LLVMValueRef inst)
{
	return sel_width(s, LLVMTypeOf(inst)) > 32 ||
	       (LLVMIsACastInst(inst) && sel_width(s, LLVMTypeOf(LLVMGetOperand(inst, 0))) > 32);
}

static void sel_inst(struct sel *s, LLVMValueRef inst)
{
	LLVMOpcode op = LLVMGetInstructionOpcode(inst);

	switch (op) {
	case LLVMPHI:
	case LLVMAlloca:
		return;
	case LLVMRet:
	case LLVMUnreachable:
		sel_return(s, inst);
		return;
	case LLVMBr:
		sel_branch(s, inst);
		return;
	case LLVMStore:
		sel_store(s, inst);
		return;
	case LLVMLoad:
		sel_load(s, inst);
		return;
	case LLVMGetElementPtr:
		sel_gep(s, inst);
		return;
	case LLVMICmp:
		sel_compare(s, inst);
		return;
	case LLVMSelect:
		sel_select(s, inst);
		return;
	case LLVMCall:
		sel_call(s, inst);
		return;
	default:
		break;
	}
	if (is_wide(s, inst)) {
		sel_wide(s, inst);
		return;
	}
	switch (op) {
	case LLVMAdd:
	case LLVMSub:
	case LLVMMul:
	case LLVMAnd:
	case LLVMOr:
	case LLVMXor:
		sel_arith(s, inst);
		return;
	case LLVMShl:
	case LLVMLShr:
	case LLVMAShr:
		sel_shifts(s, inst);
		return;
	case LLVMTrunc:
	case LLVMZExt:
	case LLVMSExt:
	case LLVMPtrToInt:
	case LLVMIntToPtr:
	case LLVMBitCast:
	case LLVMFreeze:
		sel_cast(s, inst);
		return;
	case LLVMAddrSpaceCast:
		refuse_here(s, "pointer becomes a pointer to another kind of memory: copy the contents");
	default:
		refuse(s->at, s->f->name, "operation %u of LLVM is not supported", op);
	}
}

static unsigned int block(struct sel *s, LLVMBasicBlockRef b)
{
	unsigned int i = 0;

	while (s->ir[i] != b)
		i++;
	return i;
}

/* Write what the phis of @to have when this block precedes it. */
static void sel_phis(struct sel *s, LLVMBasicBlockRef to)
{
	LLVMValueRef phi;

	for (phi = LLVMGetFirstInstruction(to); phi && LLVMIsAPHINode(phi);
	     phi = LLVMGetNextInstruction(phi)) {
		struct num d = sel_result(s, phi), v;
		unsigned int n = 0, regs = d.width > 32 ? 2 : 1;

		while (LLVMGetIncomingBlock(phi, n) != s->ir[s->nb])
			n++;
		if (LLVMIsUndef(LLVMGetIncomingValue(phi, n)))
			continue;
		v = sel_value(s, LLVMGetIncomingValue(phi, n));
		sel_mov(s, vreg(d.lo.n + regs), v.lo);
		if (regs == 2)
			sel_mov(s, vreg(d.lo.n + regs + 1), v.hi);
	}
}

static void sel_ir_block(struct sel *s)
{
	LLVMBasicBlockRef ir = s->ir[s->nb];
	LLVMValueRef inst, end = LLVMGetBasicBlockTerminator(ir);
	unsigned int i, n = LLVMGetNumSuccessors(end);

	s->lm0.set = false;
	for (inst = LLVMGetFirstInstruction(ir); inst; inst = LLVMGetNextInstruction(inst)) {
		s->at = where_of(inst);
		if (inst == end) {
			for (i = 0; i < n; i++) {
				s->b->succ[s->b->succs++] = block(s, LLVMGetSuccessor(end, i));
				if (!i || s->b->succ[0] != s->b->succ[1])
					sel_phis(s, LLVMGetSuccessor(end, i));
			}
		}
		if (LLVMIsAPHINode(inst)) {
			struct num d = sel_result(s, inst);
			unsigned int regs = d.width > 32 ? 2 : 1;

			for (i = 0; i < regs; i++)
				sel_mov(s, vreg(d.lo.n + i), vreg(d.lo.n + regs + i));
			continue;
		}
		sel_inst(s, inst);
	}
}

static void place_alloca(struct sel *s, LLVMValueRef inst)
{
	LLVMValueRef n = LLVMGetOperand(inst, 0);

	s->at = where_of(inst);
	if (!LLVMIsAConstantInt(n) || LLVMConstIntGetZExtValue(n) != 1)
		refuse_here(s, "array whose size is no constant: give it its largest size");
	place_local(s->objs, inst, s->fn);
}

/* Count blocks and instructions, and place local variables. */
static void survey(struct sel *s, unsigned int *insts)
{
	LLVMBasicBlockRef b;

	s->f->blocks = LLVMCountBasicBlocks(s->fn);
	s->ir = need(s->f->blocks, sizeof(s->ir[0]));
	LLVMGetBasicBlocks(s->fn, s->ir);
	for (b = LLVMGetFirstBasicBlock(s->fn); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			if (++*insts && LLVMIsAAllocaInst(i))
				place_alloca(s, i);
}

struct mfunc *isel_function(struct program *p, struct routine *r, struct objects *objs)
{
	LLVMValueRef fn = r->fn;
	struct sel s = { .f = need(1, sizeof(*s.f)), .objs = objs, .fn = fn };
	unsigned int insts = LLVMCountParams(fn);

	s.f->name = LLVMGetValueName2(fn, &(size_t){ 0 });
	s.f->at = where_of(fn);
	s.f->program = p;
	s.f->self = r;
	survey(&s, &insts);
	s.slots = 2 * insts + 1;
	s.map = need(s.slots, sizeof(*s.map));
	s.f->block = need(s.f->blocks, sizeof(*s.f->block));
	for (s.nb = 0; s.nb < s.f->blocks; s.nb++) {
		s.b = &s.f->block[s.nb];
		if (!s.nb && !r->entry)
			sel_params(&s);
		sel_ir_block(&s);
	}
	free(s.map);
	free(s.ir);
	return s.f;
}
