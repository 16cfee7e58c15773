// SPDX-License-Identifier: BSD-2-Clause
/*
 * me_decode.c - decode instruction words to struct me_insn: the instructions that move data.
 *
 * Positions of fields are those of nfp_asm.h and of binutils' nfp-dis.c, which agree. Forms whose
 * meaning is not known become ME_OP_FAULT: predicate_cc, next-neighbour registers, CRC and CAM,
 * pop_count, indirect shifts of ld_field.
 */
#include "me_dec.h"

/* Bits of each class that are 0 in all supported forms. */
#define ALU_ZERO	(1ULL << 44)			/* predicate_cc */
#define LDF_ZERO	(1ULL << 44 | 1ULL << 40 | 1ULL << 33 | 0xe00000)
#define IMMED_ZERO	(1ULL << 44 | 1ULL << 40 | 1ULL << 32)
#define MUL_ZERO	(1ULL << 44 | 1ULL << 40 | 1ULL << 33 | 0x3f000000)

static void refuse(struct me_insn *in)
{
	me_refuse(in, ME_FAULT_ENCODING);
}

/*
 * Check the operands of an operation that uses only B. The assembler encodes the absent A as an
 * immediate, which may then stand beside an immediate B.
 */
static bool b_ok(struct me_insn *in, bool swapped)
{
	return me_file(swapped ? in->b : in->a) == FILE_IMM || me_pair_ok(in);
}

/* Write the result to both banks. Only GPRs have two. */
static bool both_banks(struct me_insn *in)
{
	if (me_file(in->d0) != FILE_A && me_file(in->d0) != FILE_B)
		return false;
	in->d1 = in->d0 ^ ((in->d0 & ME_FAR) ? ME_ABS_B : ME_R_A ^ ME_R_B);
	return true;
}

/* Return: the index that the operand changes, in a form that can be compared, or 0. */
static unsigned int changes(unsigned int o)
{
	if (me_is_lm(o))
		return o & ME_LM_POST ? ME_LM | ME_LM_PTR(o) << 5 : 0;
	return (o & ME_KIND) == ME_XIDX && o != ME_XIDX ? ME_XIDX : 0;
}

static bool is_far(unsigned int o)
{
	return (o & ME_FAR) && !me_is_lm(o);
}

/* Choose the form of a data instruction. The operands are decoded already. */
static void data_op(struct me_insn *in, enum me_op op)
{
	unsigned int d = changes(in->d0);

	/* If an instruction changes one index twice, the order is not defined. */
	if (d && (d == changes(in->a) || d == changes(in->b))) {
		refuse(in);
		return;
	}
	if (in->act || is_far(in->a) || is_far(in->b) || is_far(in->d0))
		in->op = op + 2;
	else
		in->op = op + !!((in->a | in->b | in->d0) & ME_FAR);
}

static void alu(uint64_t w, enum me_mode m, struct me_insn *in)
{
	static const uint8_t ops[32] = {
		[0x00] = ME_OP_ALU_B + 1, [0x04] = ME_OP_ALU_NOT + 1,
		[0x08] = ME_OP_ALU_AND + 1, [0x10] = ME_OP_ALU_ANDNOT + 1,
		[0x0c] = ME_OP_ALU_NOTAND + 1, [0x14] = ME_OP_ALU_OR + 1,
		[0x18] = ME_OP_ALU_XOR + 1, [0x01] = ME_OP_ALU_ADD + 1,
		[0x11] = ME_OP_ALU_ADDC + 1, [0x05] = ME_OP_ALU_ADD16 + 1,
		[0x15] = ME_OP_ALU_SUB + 1, [0x0d] = ME_OP_ALU_SUBC + 1,
		[0x09] = ME_OP_ALU_ADD8 + 1, [0x19] = ME_OP_ALU_RSUB + 1,
		[0x0e] = ME_OP_ALU_FFS + 1,
	};
	enum me_reg bank = BIT(w, 36) ? ME_R_B : ME_R_A;
	unsigned int op = ops[BITS(w, 35, 31)];
	bool one;

	if (!op || w & ALU_ZERO ||
	    !me_ur(m, BITS(w, 9, 0), ME_R_A, BIT(w, 42), false, &in->a) ||
	    !me_ur(m, BITS(w, 19, 10), ME_R_B, BIT(w, 42), false, &in->b) ||
	    !me_ur(m, BITS(w, 29, 20), bank, BIT(w, 43), true, &in->d0)) {
		refuse(in);
		return;
	}
	in->d1 = in->d0;
	if (BIT(w, 41) && !both_banks(in)) {
		refuse(in);
		return;
	}
	op--;
	one = op == ME_OP_ALU_B || op == ME_OP_ALU_NOT || op == ME_OP_ALU_FFS;
	if (!(one ? b_ok(in, BIT(w, 30)) : me_pair_ok(in)))
		return;
	if (BIT(w, 30))
		me_swap(in);
	if (BIT(w, 40))
		in->act = ME_CC_KEEP;
	data_op(in, op);
}

/* Return: the instruction that shift control, operation and amount select, or ME_OPS if none. */
static enum me_op shf_op(struct me_insn *in, unsigned int sc, unsigned int op,
			 unsigned int field)
{
	in->x = field;
	in->y = op == 0 ? ME_SHF_B : op == 5 ? ME_SHF_OR : ME_SHF_AND;
	if (op == 7)
		return field || sc == 3 ? ME_OPS : sc == 2 ? ME_OP_ALIGN_LE : ME_OP_ALIGN_BE;
	if (op == 6)
		return sc != 1 ? ME_OPS : field ? ME_OP_SHF_ASR : ME_OP_SHF_ASR_IND;
	if (op != 0 && op != 2 && op != 5) {
		in->y = op;
		in->imm = sc;
		if (sc == 2 && field)
			in->x = 32 - field;
		return sc == 3 ? ME_OPS : ME_OP_SHF_NOT;
	}
	switch (sc) {
	case 0:
		return ME_OP_SHF_ROR;
	case 1:
		return field ? ME_OP_SHF_SHR : ME_OP_SHF_SHR_IND;
	case 2:
		in->x = 32 - field;
		return field ? ME_OP_SHF_SHL : ME_OP_SHF_SHL_IND;
	default:
		if (op)
			return ME_OPS;
		return field ? ME_OP_SHF_DBL : ME_OP_SHF_DBL_IND;
	}
}

/* Return: true if the operation uses only B. */
static bool shf_one(const struct me_insn *in, enum me_op op)
{
	switch (op) {
	case ME_OP_SHF_DBL:
	case ME_OP_SHF_DBL_IND:
		return false;
	case ME_OP_SHF_ASR:
	case ME_OP_SHF_ASR_IND:
	case ME_OP_ALIGN_BE:
		return true;
	case ME_OP_SHF_NOT:
		return in->y == ME_SHF_NOT_B;
	default:
		return in->y == ME_SHF_B;
	}
}

static void shf(uint64_t w, enum me_mode m, struct me_insn *in)
{
	enum me_op op = shf_op(in, BITS(w, 9, 8), BITS(w, 35, 33), BITS(w, 32, 28));
	enum me_reg bank = BIT(w, 36) ? ME_R_B : ME_R_A;
	bool i8 = BIT(w, 18), swap = BIT(w, 19), le = op == ME_OP_ALIGN_LE;

	if (op == ME_OPS || w & ALU_ZERO ||
	    !me_re(m, BITS(w, 7, 0), ME_R_A, BIT(w, 42), i8, false, &in->a) ||
	    !me_re(m, BITS(w, 17, 10), ME_R_B, BIT(w, 42), i8, false, &in->b) ||
	    !me_re(m, BITS(w, 27, 20), bank, BIT(w, 43), false, true, &in->d0)) {
		refuse(in);
		return;
	}
	in->d1 = in->d0;
	/* Whether byte_align has LM pointers 2 and 3 is not known. */
	if ((BIT(w, 41) && !both_banks(in)) ||
	    ((le || op == ME_OP_ALIGN_BE) && BIT(w, 42))) {
		refuse(in);
		return;
	}
	/* byte_align_le uses only A. */
	if (!(le ? b_ok(in, !swap) : shf_one(in, op) ? b_ok(in, swap) : me_pair_ok(in)))
		return;
	if (swap != le)
		me_swap(in);
	if (BIT(w, 40))
		in->act = ME_CC_KEEP;
	data_op(in, op);
}

/*
 * ld_field and immed have no field for a destination. They write to the register of a source
 * field. If this is local memory that is read first, then the LM pair bits of source and
 * destination must be equal.
 */
static bool field_is_dst(uint64_t w, struct me_insn *in, unsigned int o, bool reads)
{
	in->d0 = o;
	in->d1 = o;
	if (reads && me_is_lm(o) && BIT(w, 42) != BIT(w, 43))
		return false;
	if (o >= ME_R_IN && !(o & ME_FAR))
		return false;
	/* The transfer registers that are read are not those that are written. */
	if (reads && (o & ME_KIND) == ME_XIDX)
		return false;
	return !BIT(w, 41) || both_banks(in);
}

static void ld_field(uint64_t w, enum me_mode m, struct me_insn *in)
{
	static const uint8_t ops[4] = { ME_OP_LDF_ROR, ME_OP_LDF_SHR, ME_OP_LDF_SHL };
	unsigned int sc = BITS(w, 9, 8), mask = BITS(w, 27, 24), i;
	bool i8 = BIT(w, 18);

	in->x = BITS(w, 32, 28);
	in->y = BIT(w, 20);
	in->act = BIT(w, 34) ? ME_CC_LOAD : 0;
	for (i = 0; i < 4; i++)
		if (mask >> i & 1)
			in->imm |= 0xffu << (8 * i);
	if (w & LDF_ZERO || sc == 3 || (sc && !in->x) ||
	    !me_re(m, BITS(w, 7, 0), ME_R_A, BIT(w, 42), i8, false, &in->a) ||
	    !me_re(m, BITS(w, 17, 10), ME_R_B, BIT(w, 42), i8, false, &in->b)) {
		refuse(in);
		return;
	}
	if (!me_pair_ok(in))
		return;
	if (BIT(w, 19))
		me_swap(in);
	if (!field_is_dst(w, in, in->a, true)) {
		refuse(in);
		return;
	}
	if (sc == 2)
		in->x = 32 - in->x;
	data_op(in, ops[sc]);
}

/*
 * Either all of the register is written, with the value shifted by 0, 1 or 2 bytes, or one 16-bit
 * half, or one byte.
 */
static bool immed_part(struct me_insn *in, unsigned int width, bool inv)
{
	switch (width) {
	case 0:
		return in->x < 3;
	case 1:
		return !inv && in->imm < 0x100;
	case 2:
		return !inv && (in->x == 0 || in->x == 2);
	default:
		return false;
	}
}

static void immed(uint64_t w, enum me_mode m, struct me_insn *in)
{
	unsigned int a = BITS(w, 9, 0), b = BITS(w, 19, 10), reg = a, width = BITS(w, 30, 29);
	bool inv = BIT(w, 31), ok = !(w & IMMED_ZERO);
	enum me_reg bank = ME_R_A;

	in->x = BITS(w, 34, 33);
	in->imm = BITS(w, 27, 20) << 8;
	if (b >> 8 == 3) {
		in->imm |= b & 0xff;
	} else {
		in->imm |= a & 0xff;
		ok = ok && a >> 8 == 3;
		reg = b;
		bank = ME_R_B;
	}
	ok = ok && immed_part(in, width, inv);
	in->imm <<= 8 * in->x;
	if (inv) {
		in->imm = ~in->imm;
		in->y = ME_IMMED_INV;
	}
	in->a = ME_R_NONE;
	in->b = ME_R_NONE;
	if (reg >> 8 == 3) {
		in->y |= ME_IMMED_NODST;
		in->d0 = ME_R_NONE;
		in->d1 = ME_R_NONE;
		ok = ok && !BIT(w, 41) && !width;
	} else if (reg >> 7 == 3) {
		/*
		 * A write register keeps its other parts: read the write register, not the read
		 * register of that number.
		 */
		ok = ok && me_ur(m, reg, bank, false, true, &in->d0) && !BIT(w, 41);
		in->d1 = in->d0;
	} else {
		ok = ok && me_ur(m, reg, bank, BIT(w, 43), false, &in->d0) &&
		     field_is_dst(w, in, in->d0, width) && !(width && changes(in->d0));
	}
	if (width)
		in->a = in->d0;
	if (ok)
		data_op(in, width == 2 ? ME_OP_IMMED_W : width ? ME_OP_IMMED_B : ME_OP_IMMED);
	else
		refuse(in);
}

static void mul(uint64_t w, enum me_mode m, struct me_insn *in)
{
	static const uint8_t steps[] = { 1, 1, 2, 4 };		/* by type */
	unsigned int a = BITS(w, 9, 0), b = BITS(w, 19, 10);
	enum me_reg bank = BIT(w, 23) ? ME_R_B : ME_R_A;
	bool ok = !(w & MUL_ZERO);

	in->x = BITS(w, 22, 20);
	in->y = BITS(w, 32, 31);
	if (in->x >= ME_MUL_LAST) {
		in->op = ME_OP_MUL_LAST;
		ok = ok && in->x <= (in->y == ME_MUL_32 ? ME_MUL_LAST2 : ME_MUL_LAST) &&
		     in->y && (!b || b == 0x300) && !BIT(w, 30) &&
		     me_ur(m, a, bank, BIT(w, 43), true, &in->d0);
		in->d1 = in->d0;
		ok = ok && (!BIT(w, 41) || both_banks(in));
		if (!ok)
			refuse(in);
		return;
	}
	in->op = in->y ? ME_OP_MUL_STEP : ME_OP_MUL_START;
	ok = ok && in->x < steps[in->y] && !BIT(w, 41) && !BIT(w, 23) && !BIT(w, 43) &&
	     me_ur(m, a, ME_R_A, BIT(w, 42), false, &in->a) &&
	     me_ur(m, b, ME_R_B, BIT(w, 42), false, &in->b);
	if (!ok)
		refuse(in);
	else if (me_pair_ok(in) && BIT(w, 30))
		me_swap(in);
}

void me_decode(uint64_t w, enum me_mode mode, struct me_insn *in)
{
	static void (* const class[64])(uint64_t w, enum me_mode mode, struct me_insn *in) = {
		[0x00 ... 0x1f] = me_decode_cmd, [0x20 ... 0x27] = shf, [0x28 ... 0x2f] = alu,
		[0x30 ... 0x31] = ld_field, [0x32 ... 0x33] = me_decode_br_byte,
		[0x34 ... 0x35] = me_decode_br_bit, [0x36 ... 0x37] = me_decode_br,
		[0x38 ... 0x39] = me_decode_arb, [0x3a ... 0x3b] = me_decode_rtn,
		[0x3c ... 0x3d] = immed, [0x3e] = mul, [0x3f] = me_decode_csr,
	};

	*in = (struct me_insn){ .pc = in->pc };
	class[BITS(w, 39, 34)](w, mode, in);
}
