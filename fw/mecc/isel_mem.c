// SPDX-License-Identifier: BSD-2-Clause
/*
 * isel_mem.c - choose operations: addresses, loads and stores.
 *
 * Local memory is read and written by words, through a pointer that counts words: bytes and halves
 * are cut out of a word, and put into one. isel_emem.c has EMEM.
 */
#include "front.h"
#include "isel.h"

#define LM_WINDOW	32		/* bytes that a pointer reaches without being set again */

/* Are bits 1:0 of a pointer known? Each object is aligned to a word. */
static bool low_bits(struct sel *s, LLVMValueRef p, uint32_t *bits)
{
	unsigned int n, i;
	LLVMValueRef variable;
	LLVMTypeRef type = NULL;
	uint64_t scale;
	int64_t offset;
	int obj;

	if (place_address(s->objs, p, &obj, &offset)) {
		*bits = offset & 3;
		return true;
	}
	if (!LLVMIsAGetElementPtrInst(p) && !(LLVMIsAConstantExpr(p) &&
					       LLVMGetConstOpcode(p) == LLVMGetElementPtr))
		return false;
	if (!low_bits(s, LLVMGetOperand(p, 0), bits))
		return false;
	n = LLVMGetNumIndices(p);
	for (i = 0; i < n; i++) {
		*bits += place_gep(s->objs, p, i, &type, &variable, &scale);
		if (variable && scale % 4)
			return false;
	}
	*bits &= 3;
	return true;
}

struct access sel_access(struct sel *s, LLVMValueRef p, unsigned int align)
{
	struct access a = { .space = LLVMGetPointerAddressSpace(LLVMTypeOf(p)), .align = align };
	int64_t offset;
	int obj;

	sel_width(s, LLVMTypeOf(p));	/* refuses other address spaces */
	if (a.space == SPACE_LM && place_address(s->objs, p, &obj, &offset) &&
	    !(obj >= 0 && s->objs->o[obj].in_area)) {
		a.fixed = a.known = true;
		a.addr = offset + (obj >= 0 ? s->objs->o[obj].addr : 0);
		if (a.addr >= LM_BYTES)
			refuse(s->at, s->f->name,
			       "access to local memory at %#x, whose size is %u bytes", a.addr, LM_BYTES);
		return a;
	}
	a.known = low_bits(s, p, &a.addr);
	a.p = sel_in_reg(s, sel_value(s, p).lo);
	if (!a.known && align >= 4) {
		a.known = true;
		a.addr = 0;
	}
	return a;
}

struct en_opnd sel_pointer(struct sel *s, const struct access *a, unsigned int at)
{
	struct en_opnd d;

	if (!at)
		return a->p;
	d = sel_reg(s);
	sel_alu(s, d, a->p, EN_ADD, imm8(at));
	return d;
}

/*
 * The core ORs the offset to the pointer, so a pointer reaches as far as the address is aligned.
 */
struct en_opnd sel_lm_word(struct sel *s, const struct access *a, unsigned int at)
{
	unsigned int reach = a->fixed || a->align > LM_WINDOW ? LM_WINDOW : a->align;
	unsigned int p = a->fixed ? 0 : a->p.n + 1;
	uint32_t addr = a->fixed ? a->addr + at : at, window = reach < 4 ? addr : addr & -reach;

	if (!s->lm0.set || s->lm0.p != p || s->lm0.at != window) {
		struct en_opnd v = p ? sel_pointer(s, a, window) : sel_imm(s, window);

		sel_add(s, (struct minsn){ .op = M_LMP, .n = 0, .s = { v } });
		s->lm0.set = true;
		s->lm0.p = p;
		s->lm0.at = window;
	}
	return lm(0, (addr - window) / 4);
}

/* Return: a register of bank A with the number of bits below the part of its word. */
static struct en_opnd bits_below(struct sel *s, const struct access *a, unsigned int at,
				 unsigned int size)
{
	unsigned int mask = 4 - size;
	struct en_opnd low = sel_reg(s), flipped = sel_reg(s), n = vreg(mir_vreg(s->f, BANK_A));

	sel_alu(s, low, sel_pointer(s, a, at), EN_AND, imm8(mask));
	sel_alu(s, flipped, low, EN_XOR, imm8(mask));
	sel_shift(s, n, flipped, EN_SHL, 3);
	return n;
}

static void shift_by(struct sel *s, struct en_opnd d, struct en_opnd v, enum en_sc sc,
		     struct en_opnd n)
{
	sel_add(s, (struct minsn){ .op = M_SHI, .sc = sc, .d = d, .s = { sel_in_reg(s, v), n } });
}

static struct en_opnd load_lm(struct sel *s, const struct access *a, unsigned int at,
			      unsigned int size)
{
	struct en_opnd d = sel_reg(s), n = { 0 }, w, t;
	unsigned int below = 8 * (4 - size - ((a->addr + at) & 3));

	if (size < 4 && !a->known)
		n = bits_below(s, a, at, size);
	w = sel_lm_word(s, a, at);
	if (size == 4) {
		sel_mov(s, d, w);
	} else if (a->known) {
		sel_add(s, (struct minsn){ .op = M_LDF, .flag = 1, .mask = (1u << size) - 1,
					   .sc = below ? EN_SHR : EN_ROT, .n = below, .d = d,
					   .s = { w } });
	} else {
		t = sel_reg(s);
		sel_mov(s, t, w);
		w = sel_reg(s);
		shift_by(s, w, t, EN_SHR, n);
		sel_clean(s, d, w, 8 * size);
	}
	return d;
}

static void store_lm(struct sel *s, const struct access *a, unsigned int at, unsigned int size,
		     struct en_opnd v)
{
	unsigned int below = 8 * (4 - size - ((a->addr + at) & 3));
	struct en_opnd n, w, mask, old, kept;

	v = sel_in_reg(s, v);
	if (size == 4) {
		sel_mov(s, sel_lm_word(s, a, at), v);
	} else if (a->known) {
		sel_add(s, (struct minsn){ .op = M_LDF, .mask = ((1u << size) - 1) << below / 8,
					   .sc = below ? EN_SHL : EN_ROT, .n = below,
					   .d = sel_lm_word(s, a, at), .s = { v } });
	} else {
		n = bits_below(s, a, at, size);
		mask = sel_reg(s);
		old = sel_reg(s);
		kept = sel_reg(s);
		shift_by(s, mask, sel_imm(s, (1u << 8 * size) - 1), EN_SHL, n);
		w = sel_lm_word(s, a, at);
		sel_mov(s, old, w);
		sel_alu(s, kept, old, EN_ANDNOT, mask);
		old = sel_reg(s);
		shift_by(s, old, v, EN_SHL, n);
		mask = sel_reg(s);
		sel_alu(s, mask, kept, EN_OR, old);
		sel_mov(s, w, mask);
	}
}

/* The size of the next part of an access of @left bytes */
static unsigned int part(const struct access *a, unsigned int at, unsigned int left)
{
	unsigned int size = left >= 4 ? 4 : left >= 2 ? 2 : 1, align = a->align;

	if (at)
		align = align < (at & -at) ? align : (at & -at);
	if (a->known) {
		unsigned int low = (a->addr + at) & 3;

		align = low ? (low & -low) : 4;
	}
	return size < align ? size : align;
}

/* Load @n bytes, at most 4, from byte @at of the access. */
static struct en_opnd load(struct sel *s, const struct access *a, unsigned int at, unsigned int n)
{
	struct en_opnd v = { 0 };
	unsigned int end = at + n, size;

	for (; at < end; at += size) {
		struct en_opnd p, d;

		size = part(a, at, end - at);
		p = load_lm(s, a, at, size);
		if (v.k == EN_NONE) {
			v = p;
			continue;
		}
		d = sel_reg(s);
		sel_add(s, (struct minsn){ .op = M_SHF, .alu = EN_SHF_OR, .sc = EN_SHL,
					   .n = 8 * size, .d = d, .s = { p, v } });
		v = d;
	}
	return v;
}

static void store(struct sel *s, const struct access *a, unsigned int at, unsigned int n,
		  struct en_opnd v)
{
	unsigned int end = at + n, size;

	v = sel_in_reg(s, v);
	for (; at < end; at += size) {
		struct en_opnd p = sel_reg(s);

		size = part(a, at, end - at);
		sel_shift(s, p, v, EN_SHR, 8 * (end - at - size));
		if (size < 4 && at > end - n) {
			struct en_opnd whole = p;

			p = sel_reg(s);
			sel_clean(s, p, whole, 8 * size);
		}
		store_lm(s, a, at, size, p);
	}
}

static bool loads_xfer(LLVMValueRef inst)
{
	return LLVMIsALoadInst(inst) &&
	       LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(inst, 0))) == SPACE_XREAD;
}

/* Return: the number of the register. */
static unsigned int xfer_of(LLVMValueRef load, const struct objects *objs)
{
	LLVMTypeRef t = LLVMTypeOf(load);
	int64_t at;
	int obj;

	if (!place_address(objs, LLVMGetOperand(load, 0), &obj, &at) ||
	    LLVMGetTypeKind(t) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(t) != 32 || at % 4)
		refuse(where_of(load), NULL,
		       "access to a transfer register: only 32 bits of one with a constant number are supported");
	if (at / 4 < XFERS_MIN || at / 4 >= XFERS)
		refuse(where_of(load), NULL,
		       "transfer register %d: others write to registers %u to %u only; commands have the rest",
		       (int)(at / 4), XFERS_MIN, XFERS - 1);
	return at / 4;
}

void sel_keep_xfers(LLVMModuleRef m, const struct objects *objs)
{
	FOR_FUNCTIONS(f, m)
		for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
			for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
				if (loads_xfer(i) && xfer_of(i, objs) < options.xfers)
					options.xfers = xfer_of(i, objs);
}

void sel_load(struct sel *s, LLVMValueRef inst)
{
	struct num d = sel_result(s, inst);
	unsigned int bytes = (d.width + 7) / 8;
	struct access a;

	if (loads_xfer(inst)) {
		sel_mov(s, d.lo, xfer(xfer_of(inst, s->objs)));
		return;
	}
	a = sel_access(s, LLVMGetOperand(inst, 0), LLVMGetAlignment(inst));
	if (a.space == SPACE_EMEM) {
		sel_emem_load(s, &a, d, bytes);
		return;
	}
	if (bytes > 4)
		sel_mov(s, d.hi, load(s, &a, 0, bytes - 4));
	sel_mov(s, d.lo, load(s, &a, bytes > 4 ? bytes - 4 : 0, bytes > 4 ? 4 : bytes));
}

void sel_store(struct sel *s, LLVMValueRef inst)
{
	struct num v = sel_value(s, LLVMGetOperand(inst, 0));
	unsigned int bytes = (v.width + 7) / 8;
	struct access a = sel_access(s, LLVMGetOperand(inst, 1), LLVMGetAlignment(inst));

	if (a.space == SPACE_EMEM) {
		sel_emem_store(s, &a, v, bytes);
		return;
	}
	if (bytes > 4)
		store(s, &a, 0, bytes - 4, v.hi);
	store(s, &a, bytes > 4 ? bytes - 4 : 0, bytes > 4 ? 4 : bytes, v.lo);
}

static struct en_opnd scaled(struct sel *s, LLVMValueRef index, uint64_t scale)
{
	struct num n = sel_value(s, index);
	struct en_opnd d = sel_reg(s), v = n.width < 32 ? sel_sext(s, n.lo, n.width) : n.lo;

	if (!(scale & (scale - 1))) {
		sel_shift(s, d, v, EN_SHL, scale ? __builtin_ctzll(scale) : 0);
		return d;
	}
	sel_mul_const(s, d, v, n.width < 32 ? NULL : index, scale);
	return d;
}

void sel_gep(struct sel *s, LLVMValueRef inst)
{
	unsigned int n = LLVMGetNumIndices(inst), i;
	struct en_opnd d = sel_result(s, inst).lo, v;
	LLVMTypeRef type = NULL;
	LLVMValueRef variable;
	int64_t offset = 0;
	uint64_t scale;
	int obj;

	if (place_address(s->objs, inst, &obj, &offset))
		return;
	v = sel_value(s, LLVMGetOperand(inst, 0)).lo;
	for (i = 0, offset = 0; i < n; i++) {
		offset += place_gep(s->objs, inst, i, &type, &variable, &scale);
		if (variable) {
			struct en_opnd sum = sel_reg(s);

			sel_alu(s, sum, v, EN_ADD, scaled(s, variable, scale));
			v = sum;
		}
	}
	if (offset < 0 && offset >= -255)
		sel_alu(s, d, v, EN_SUB, imm8(-offset));
	else if (offset)
		sel_alu(s, d, v, EN_ADD, sel_imm(s, offset));
	else
		sel_mov(s, d, v);
}
