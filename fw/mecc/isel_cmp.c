// SPDX-License-Identifier: BSD-2-Clause
/* isel_cmp.c - choose operations: compares, and what depends on them. */
#include "isel.h"

/* A comparison as operations have it: the condition of a subtraction */
struct cmp {
	enum en_cond cond;
	bool wide;
	struct en_opnd s[4];
};

/* The operands of one subtraction are in different register files. */
static void separate(struct sel *s, struct en_opnd *a, struct en_opnd b)
{
	struct en_opnd t;

	if (a->k != b.k || (a->k != EN_IMM && a->n != b.n))
		return;
	t = sel_reg(s);
	sel_mov(s, t, *a);
	*a = t;
}

static void extend(struct sel *s, struct num *v)
{
	if (v->width <= 32)
		v->lo = sel_sext(s, v->lo, v->width);
	else
		v->hi = sel_sext(s, v->hi, v->width - 32);
}

/* Equality of wide numbers: no bit differs in either word */
static struct cmp equal_wide(struct sel *s, struct num a, struct num b, enum en_cond cond)
{
	struct en_opnd lo = sel_reg(s), hi = sel_reg(s), any = sel_reg(s);

	sel_alu(s, lo, a.lo, EN_XOR, b.lo);
	sel_alu(s, hi, a.hi, EN_XOR, b.hi);
	sel_alu(s, any, lo, EN_OR, hi);
	return (struct cmp){ .cond = cond, .s = { any, imm8(0) } };
}

static struct cmp compare(struct sel *s, LLVMIntPredicate p, struct num a, struct num b)
{
	static const enum en_cond conds[] = {
		[LLVMIntEQ] = EN_EQ, [LLVMIntNE] = EN_NE,
		[LLVMIntUGE] = EN_HS, [LLVMIntULE] = EN_HS,
		[LLVMIntULT] = EN_LO, [LLVMIntUGT] = EN_LO,
		[LLVMIntSGE] = EN_GE, [LLVMIntSLE] = EN_GE,
		[LLVMIntSLT] = EN_LT, [LLVMIntSGT] = EN_LT,
	};
	struct cmp c = { .cond = conds[p], .wide = a.width > 32 };

	if (p == LLVMIntUGT || p == LLVMIntULE || p == LLVMIntSGT || p == LLVMIntSLE) {
		struct num t = a;

		a = b;
		b = t;
	}
	if (c.wide && (p == LLVMIntEQ || p == LLVMIntNE))
		return equal_wide(s, a, b, c.cond);
	if (p >= LLVMIntSGT) {
		extend(s, &a);
		extend(s, &b);
	}
	separate(s, &a.lo, b.lo);
	c.s[0] = a.lo;
	c.s[1] = b.lo;
	if (c.wide) {
		separate(s, &a.hi, b.hi);
		c.s[2] = a.hi;
		c.s[3] = b.hi;
	}
	return c;
}

static struct cmp compare_inst(struct sel *s, LLVMValueRef inst)
{
	struct num a = sel_value(s, LLVMGetOperand(inst, 0));
	struct num b = sel_value(s, LLVMGetOperand(inst, 1));

	return compare(s, LLVMGetICmpPredicate(inst), a, b);
}

/* The condition of a branch or select: a comparison, or a number that is not 0 */
static struct cmp condition(struct sel *s, LLVMValueRef v)
{
	struct num n;

	if (LLVMIsAICmpInst(v))
		return compare_inst(s, v);
	n = sel_value(s, v);
	return compare(s, LLVMIntNE, n, (struct num){ .width = 1, .lo = imm8(0) });
}

static struct minsn operation(enum mop op, const struct cmp *c)
{
	return (struct minsn){
		.op = op, .alu = c->cond, .wide = c->wide,
		.s = { c->s[0], c->s[1], c->s[2], c->s[3] },
	};
}

/* Branches and selects compare again, so the result is needed for other users only. */
static bool result_is_used(LLVMValueRef inst)
{
	for (LLVMUseRef u = LLVMGetFirstUse(inst); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);

		if (LLVMIsABranchInst(user))
			continue;
		if (!LLVMIsASelectInst(user) || LLVMGetOperand(user, 1) == inst ||
		    LLVMGetOperand(user, 2) == inst)
			return true;
	}
	return false;
}

void sel_compare(struct sel *s, LLVMValueRef inst)
{
	struct minsn in;
	struct cmp c;

	if (!result_is_used(inst))
		return;
	c = compare_inst(s, inst);
	in = operation(M_SET, &c);
	in.d = sel_result(s, inst).lo;
	sel_add(s, in);
}

static void choose(struct sel *s, const struct cmp *c, struct en_opnd d, struct en_opnd yes,
		   struct en_opnd no)
{
	struct minsn in = operation(M_SEL, c);

	in.d = d;
	in.s[4] = yes;
	in.s[5] = no;
	sel_add(s, in);
}

void sel_select(struct sel *s, LLVMValueRef inst)
{
	struct num d = sel_result(s, inst);
	struct num yes = sel_value(s, LLVMGetOperand(inst, 1));
	struct num no = sel_value(s, LLVMGetOperand(inst, 2));
	struct cmp c = condition(s, LLVMGetOperand(inst, 0));

	choose(s, &c, d.lo, yes.lo, no.lo);
	if (d.width > 32)
		choose(s, &c, d.hi, yes.hi, no.hi);
}

/* The branch that tests a bit: if ((x & 1 << n) != 0), or the value of a comparison */
static bool branch_bit(struct sel *s, LLVMValueRef cond, unsigned int to)
{
	bool set = true;
	unsigned int bit = 0;
	LLVMValueRef v = cond;
	struct en_opnd x;

	if (LLVMIsAICmpInst(cond)) {
		LLVMValueRef and = LLVMGetOperand(cond, 0), c;
		uint64_t mask;

		if (LLVMGetICmpPredicate(cond) > LLVMIntNE || !LLVMIsAInstruction(and) ||
		    LLVMGetInstructionOpcode(and) != LLVMAnd ||
		    !LLVMIsNull(LLVMGetOperand(cond, 1)))
			return false;
		c = LLVMGetOperand(and, 1);
		mask = LLVMIsAConstantInt(c) ? LLVMConstIntGetZExtValue(c) : 0;
		if (!mask || mask & (mask - 1))
			return false;
		bit = __builtin_ctzll(mask);
		set = LLVMGetICmpPredicate(cond) == LLVMIntNE;
		v = LLVMGetOperand(and, 0);
	}
	x = bit < 32 ? sel_value(s, v).lo : sel_value(s, v).hi;
	sel_add(s, (struct minsn){ .op = M_BBIT, .alu = set, .n = bit & 31, .imm = to,
				   .s = { sel_in_reg(s, x) } });
	return true;
}

void sel_branch(struct sel *s, LLVMValueRef inst)
{
	unsigned int last = s->b->succ[s->b->succs - 1];

	if (LLVMIsConditional(inst) && s->b->succ[0] != last) {
		LLVMValueRef cond = LLVMGetCondition(inst);

		if (!branch_bit(s, cond, s->b->succ[0])) {
			struct cmp c = condition(s, cond);
			struct minsn in = operation(M_BCC, &c);

			in.imm = s->b->succ[0];
			sel_add(s, in);
		}
	}
	sel_add(s, (struct minsn){ .op = M_BR, .imm = last });
}
