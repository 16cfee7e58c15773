// SPDX-License-Identifier: BSD-2-Clause
/*
 * me_exec.c - the loop that executes decoded instructions.
 *
 * Each handler jumps to the handler of the next instruction. Instructions are counted at the end
 * of a straight stretch of code, by its length. The cycle number, which only local memory
 * pointers need, is that count plus the cycles lost at branches.
 *
 * Neither the driver nor public documents settle the following, so it was chosen here, and was
 * not seen on silicon:
 * - Logic and shifts do not change C and V. No code of the JIT compiler depends on that.
 * - The amount of an indirect double shift has six bits: the JIT compiler shifts by 32 with it.
 * - A multiply sets the previous A operand to 0: the JIT compiler's division by some constants
 *   then shifts indirectly, and expects 0.
 * - asr takes the sign from the previous result, as comments in jit.c say.
 * - ffs sets N and Z as its operand has them. nic-firmware branches by Z after it.
 * - load_cc sets N and Z only. byte_align sets N and Z, and remembers its operand for the next
 *   byte_align: nic-firmware has other instructions between two of them.
 * - br_signal and br_!signal clear the signal that they find.
 */
#include "me_alu.h"
#include "me_int.h"

#define LM_BYTES	(4 * ME_LM_WORDS)
#define LM_LATENCY	3	/* cycles that use a pointer's old value after a write */
#define SWAP_CYCLES	8	/* of a swap: more than LM_LATENCY, less than any access */

static uint32_t *lm_at(struct me *me, struct me_ctx *c, unsigned int o, uint64_t now,
		       enum me_fault_reason *why)
{
	unsigned int p = ME_LM_PTR(o), word = c->lm_addr[p] / 4;

	if (now <= c->lm_ready[p])
		*why = ME_FAULT_LM_EARLY;
	if (!(o & ME_LM_POST))
		word |= o & ME_LM_OFF;		/* the offset is combined by OR, not added */
	else
		c->lm_addr[p] = (c->lm_addr[p] + (o & 1 ? -4 : 4)) % LM_BYTES;
	return &me->lm[word % ME_LM_WORDS];
}

/* Any far operand. Not inlined, for the sake of the handlers that have none. */
static __attribute__((noinline))
uint32_t *far_at(struct me *me, struct me_ctx *c, unsigned int o, bool dst, uint64_t now,
		 enum me_fault_reason *why)
{
	if (me_is_lm(o))
		return lm_at(me, c, o, now, why);
	return me_far(me, c, o, dst, me->clock + now, why);
}

static void lm_pointer(struct me_ctx *c, unsigned int csr, uint32_t v, uint64_t now)
{
	unsigned int i = me_csr_lm(csr);

	me_lm_addr(c, i, v);
	c->lm_ready[i] = now + LM_LATENCY;
}

static void arbitrate(struct me_ctx *c, const struct me_insn *in)
{
	if (!(in->y & ME_ARB_CSR))
		c->wakeup = in->d0 | (uint32_t)in->x << 16;
	c->wait = c->wakeup & 0xfffe;
	c->wait_any = c->wakeup >> 16;
	/* Any of no signals: ctx_arb[kill]. */
	c->ended = c->wait_any && !c->wait;
}

static bool test_signal(struct me_ctx *c, unsigned int sig)
{
	bool set = c->signals >> sig & 1;

	c->signals &= ~(1u << sig);
	return set;
}

enum me_stop me_exec(struct me *me, struct me_ctx *c, uint64_t budget)
{
	static const void *const label[ME_OPS] = {
#define OP3(n) &&L_##n, &&L_##n##_LM, &&L_##n##_FAR,
#define OP1(n) &&L_##n,
		ME_DATA_OPS(OP3)
		ME_FLOW_OPS(OP1)
	};
	const struct me_insn *const base = c->img->insn;
	const struct me_insn *ip = base + c->at, *seg = ip;
	uint32_t *const r = c->reg;
	uint32_t zn = c->zn, cy = c->carry, ov = c->overflow;
	uint32_t prev = c->prev, prev_a = c->prev_a;
	uint64_t count = c->insns, stalls = c->stalls;
	const uint64_t limit = budget > UINT64_MAX - count ? UINT64_MAX : count + budget;
	enum me_fault_reason why = ME_FAULT_NONE;
	enum me_stop stop;

	/* While the context runs, the clock lacks its cycles. */
	me->clock -= count + stalls;

#define NOW()	(count + (uint64_t)(ip - seg) + stalls)
#define GO()	goto *label[ip->op]
#define NEXT()	do { ip++; GO(); } while (0)
/*
 * Jump to index i of the image. The budget is compared only where the flow jumps: each loop of a
 * program has a taken branch, so no loop runs without a budget.
 */
#define JUMP_TO(i, lost) do { \
		count += (uint64_t)(ip - seg) + 1; \
		stalls += (lost); \
		ip = base + (i); \
		seg = ip; \
		if (count >= limit) \
			goto out_budget; \
		GO(); \
	} while (0)
#define BRANCH(cond) do { \
		if (cond) \
			JUMP_TO(ip->imm, ip->y); \
		NEXT(); \
	} while (0)
/* The cycle of the microengine */
#define CLOCK()	(me->clock + NOW())
#define LM_SRC(o)	((o) & ME_FAR ? *lm_at(me, c, (o), NOW(), &why) : r[o])
#define LM_PUT(v) do { \
		if (ip->d0 & ME_FAR) { \
			*lm_at(me, c, ip->d0, NOW(), &why) = (v); \
		} else { \
			r[ip->d0] = (v); \
			r[ip->d1] = (v); \
		} \
	} while (0)
#define AT(o, dst)	far_at(me, c, (o), (dst), NOW(), &why)
#define SRC(o)	((o) & ME_FAR ? *AT(o, false) : r[o])
#define PUT(v) do { \
		if (ip->d0 & ME_FAR) { \
			*AT(ip->d0, true) = (v); \
			if (ip->d1 != ip->d0) \
				*AT(ip->d1, true) = (v); \
		} else { \
			r[ip->d0] = (v); \
			r[ip->d1] = (v); \
		} \
	} while (0)

/* The body of the forms whose operands may be elsewhere */
#define ELSEWHERE(src, put, code) \
		const uint32_t A = src(ip->a), B = src(ip->b); \
		uint32_t D; \
		(void)A; \
		(void)B; \
		code; \
		if (why) \
			goto out_fault; \
		put(D); \
		if (why) \
			goto out_fault; \
		prev = D

/*
 * A data instruction in its three forms: all operands in registers; some in local memory; any
 * operands, and an unusual use of the flags. CODE computes D from A and B, and keeps what later
 * instructions use (flags, previous result).
 */
#define DATA(name, code) \
	L_##name: { \
		const uint32_t A = r[ip->a], B = r[ip->b]; \
		uint32_t D; \
		(void)A; \
		(void)B; \
		code; \
		r[ip->d0] = D; \
		r[ip->d1] = D; \
		prev = D; \
		NEXT(); \
	} \
	L_##name##_LM: { \
		ELSEWHERE(LM_SRC, LM_PUT, code); \
		NEXT(); \
	} \
	L_##name##_FAR: { \
		const uint32_t zn0 = zn, cy0 = cy, ov0 = ov; \
		ELSEWHERE(SRC, PUT, code); \
		if (ip->act == ME_CC_KEEP) { \
			zn = zn0; \
			cy = cy0; \
			ov = ov0; \
		} else if (ip->act == ME_CC_LOAD) { \
			zn = D; \
		} \
		NEXT(); \
	}
#define LOGIC(name, expr) DATA(name, D = (expr); zn = D; prev_a = A)
/* a + b + in. a - b is a + ~b + 1, so C set means no borrow */
#define SUM2(name, addend1, addend2, in) DATA(name, \
		uint32_t a2 = (addend1); \
		uint32_t b2 = (addend2); \
		uint64_t sum = (uint64_t)a2 + b2 + (in); \
		D = sum; \
		cy = sum >> 32; \
		ov = (a2 ^ D) & (b2 ^ D); \
		zn = D; \
		prev_a = A)
#define SUM(name, addend, in) SUM2(name, A, addend, in)
/* y has two masks that make B', A & B' or A | B' without a branch */
#define SHIFT(name, shifted) DATA(name, \
		uint32_t s = (shifted); \
		D = (s & (A | -(uint32_t)(ip->y & 1))) | (A & -(uint32_t)(ip->y >> 1)); \
		zn = D)
#define FIELD(name, shifted) DATA(name, \
		D = ((shifted) & ip->imm) | (ip->y ? 0 : A & ~ip->imm))

	GO();

	LOGIC(ALU_B, B)
	LOGIC(ALU_NOT, ~B)
	LOGIC(ALU_AND, A & B)
	LOGIC(ALU_ANDNOT, A & ~B)
	LOGIC(ALU_NOTAND, ~A & B)
	LOGIC(ALU_OR, A | B)
	LOGIC(ALU_XOR, A ^ B)
	SUM(ALU_ADD, B, 0)
	SUM(ALU_ADDC, B, cy)
	SUM(ALU_ADD16, B & 0xffff, 0)
	SUM(ALU_SUB, ~B, 1)
	SUM(ALU_SUBC, ~B, cy)
	SUM(ALU_ADD8, B & 0xff, 0)
	SUM2(ALU_RSUB, ~A, B, 1)
	DATA(ALU_FFS, D = B ? __builtin_ctz(B) : 0; zn = B; prev_a = A)

	SHIFT(SHF_ROR, ror(B, ip->x))
	SHIFT(SHF_SHR, B >> ip->x)
	SHIFT(SHF_SHL, B << ip->x)
	SHIFT(SHF_SHR_IND, B >> (prev_a & 31))
	SHIFT(SHF_SHL_IND, B << (prev_a & 31))
	DATA(SHF_DBL, D = dbl(A, B, ip->x); zn = D)
	DATA(SHF_DBL_IND, D = dbl(A, B, prev_a & 63); zn = D)
	DATA(SHF_ASR, D = asr(B, ip->x, prev); zn = D)
	DATA(SHF_ASR_IND, D = asr(B, prev_a & 31, prev); zn = D)
	DATA(SHF_NOT, D = shf_not(ip, A, B, prev_a); zn = D)
	DATA(ALIGN_BE, D = align_be(c, me->byte_index, B); zn = D)
	DATA(ALIGN_LE, D = align_le(c, me->byte_index, B); zn = D)

	FIELD(LDF_ROR, ror(B, ip->x))
	FIELD(LDF_SHR, B >> ip->x)
	FIELD(LDF_SHL, B << ip->x)
	DATA(IMMED, D = ip->imm)
	DATA(IMMED_W, D = (A & ~(0xffffu << (8 * ip->x))) | ip->imm)
	DATA(IMMED_B, D = (A & ~(0xffu << (8 * ip->x))) | ip->imm)

L_MUL_START:
	c->mul_a = SRC(ip->a);
	c->mul_b = SRC(ip->b);
	if (why)
		goto out_fault;
	c->mul_type = 0;
	c->mul_next = 0;
	NEXT();
L_MUL_STEP:
	why = mul_step(c, ip) ? ME_FAULT_NONE : ME_FAULT_MUL;
	if (why)
		goto out_fault;
	NEXT();
L_MUL_LAST:
	if (ip->x != c->mul_next || ip->y != c->mul_type) {
		why = ME_FAULT_MUL;
		goto out_fault;
	}
	prev = ip->x == ME_MUL_LAST ? mul_product(c) : mul_product(c) >> 32;
	PUT(prev);
	if (why)
		goto out_fault;
	prev_a = 0;
	c->mul_next++;
	NEXT();

L_LM_WR: {
		uint32_t v = SRC(ip->a);

		if (why)
			goto out_fault;
		lm_pointer(c, ip->d0, v, NOW());
		NEXT();
	}
L_CSR_WR: {
		uint32_t v = SRC(ip->a);

		if (!why)
			why = me_csr_write(me, c, ip->d0, CLOCK(), v);
		if (why)
			goto out_fault;
		NEXT();
	}
L_CSR_RD: {
		uint32_t v;

		c->at = ip - base;
		why = me_csr_read(me, c, ip->d0, CLOCK(), &v);
		if (why)
			goto out_fault;
		/* The immed that follows has the destination of the value. */
		ip++;
		if (me_op(ip->op) != ME_OP_IMMED) {
			ip--;
			why = ME_FAULT_CSR_READ;
			goto out_fault;
		}
		PUT(v);
		if (why)
			goto out_fault;
		prev = v;
		NEXT();
	}

L_BEQ:
	BRANCH(!zn);
L_BNE:
	BRANCH(zn);
L_BMI:
	BRANCH((int32_t)zn < 0);
L_BPL:
	BRANCH((int32_t)zn >= 0);
L_BHS:
	BRANCH(cy);
L_BLO:
	BRANCH(!cy);
L_BVS:
	BRANCH(ov >> 31);
L_BVC:
	BRANCH(!(ov >> 31));
L_BGE:
	BRANCH((int32_t)(zn ^ ov) >= 0);
L_BLT:
	BRANCH((int32_t)(zn ^ ov) < 0);
L_BLE:
	BRANCH(!zn || (int32_t)(zn ^ ov) < 0);
L_BGT:
	BRANCH(zn && (int32_t)(zn ^ ov) >= 0);
L_BR:
	BRANCH(true);
L_BR_CTX:
	BRANCH(ip->d0 == c - me->ctx);
L_BR_NCTX:
	BRANCH(ip->d0 != c - me->ctx);
L_BR_SIG:
	BRANCH(test_signal(c, ip->d0));
L_BR_NSIG:
	BRANCH(!test_signal(c, ip->d0));
#define REG_BRANCH(cond) do { \
		uint32_t v = SRC(ip->a); \
		if (why) \
			goto out_fault; \
		BRANCH(cond); \
	} while (0)
L_BR_BSET:
	REG_BRANCH(v >> ip->d0 & 1);
L_BR_BCLR:
	REG_BRANCH(!(v >> ip->d0 & 1));
L_BR_BYTE_EQ:
	REG_BRANCH((v >> (8 * ip->d0) & 0xff) == r[ip->b]);
L_BR_BYTE_NE:
	REG_BRANCH((v >> (8 * ip->d0) & 0xff) != r[ip->b]);

L_RTN:
	c->rtn = SRC(ip->a) + ip->d1;
	if (why)
		goto out_fault;
	if (ip->x)
		JUMP_TO(ip->imm, ip->y);
	count++;
	stalls += ip->y;
L_RTN_GO:
	count += (uint64_t)(ip - seg);
	seg = ip;
	if (c->rtn - c->img->start >= c->img->n) {
		c->outside = c->rtn;
		goto out_outside;
	}
	ip = base + (c->rtn - c->img->start);
	seg = ip;
	if (count >= limit)
		goto out_budget;
	GO();
L_JUMP:
	/*
	 * The end of copied defer slots. Do not count this entry, nor the x entries before it
	 * that are no words of the program.
	 */
	count += (uint64_t)(ip - seg) - ip->x;
	ip = base + ip->imm;
	seg = ip;
	if (count >= limit)
		goto out_budget;
	GO();
L_OUTSIDE:
	c->outside = ip->imm;
	goto out_outside;

L_CTX_ARB:
	arbitrate(c, ip);
	ip++;
	goto out_arb;
L_ARB_BR:
	arbitrate(c, ip);
	count += (uint64_t)(ip - seg) + 1;
	ip = base + ip->imm;
	seg = ip;
	goto out_arb;
L_ARB_DEFER:
	JUMP_TO(ip->imm, 0);
L_ARB_FIRE:
	/* Not counted: its ctx_arb was. */
	arbitrate(c, ip);
	count += (uint64_t)(ip - seg);
	ip = base + ip->imm;
	seg = ip;
	goto out_arb;
L_BPT:
	why = ME_FAULT_BPT;
	goto out_fault;

#define COMMAND(addr, p) do { \
		why = me_cmd(me, c, ip, (addr), (p)); \
		if (why) \
			goto out_fault; \
		if ((ip->d1 & ME_CMD_CTX) != ME_CMD_NO_SWAP) \
			stalls += SWAP_CYCLES; \
		NEXT(); \
	} while (0)
L_CMD: {
		uint32_t a = SRC(ip->a), b = SRC(ip->b);

		if (why)
			goto out_fault;
		COMMAND(me_cmd_addr(ip, a, b), prev);
	}
L_CMD_DEFER:
L_BUS_DEFER: {
		uint32_t a = SRC(ip->a), b = SRC(ip->b);

		if (why)
			goto out_fault;
		c->cmd_addr = me_cmd_addr(ip, a, b);
		c->cmd_prev = prev;
		JUMP_TO(ip->imm, 0);
	}
L_CMD_FIRE:
	COMMAND(c->cmd_addr, c->cmd_prev);

#define BUS_COMMAND(addr, p) do { \
		why = me_bus(me, c, ip, (addr), (p)); \
		if (why) \
			goto out_fault; \
		if ((ip->d1 & ME_CMD_CTX) == ME_CMD_NO_SWAP) \
			NEXT(); \
		ip++; \
		goto out_arb; \
	} while (0)
L_BUS: {
		uint32_t a = SRC(ip->a), b = SRC(ip->b);

		if (why)
			goto out_fault;
		BUS_COMMAND(me_cmd_addr(ip, a, b), prev);
	}
L_BUS_FIRE:
	BUS_COMMAND(c->cmd_addr, c->cmd_prev);

L_FAULT:
	why = ip->x;
out_fault:
	c->fault.reason = why;
	c->fault.pc = ip->pc;
	c->fault.ctx = c - me->ctx;
	c->fault.mode = c->img->mode;
	c->fault.insn = c->img->word[ip->pc - c->img->start];
	stop = ME_STOP_FAULT;
	goto out;
out_arb:
	stalls += SWAP_CYCLES;
	c->swaps++;
	stop = ME_STOP_ARB;
	goto out;
out_budget:
	stop = ME_STOP_BUDGET;
	goto out;
out_outside:
	c->is_outside = true;
	stop = ME_STOP_OUTSIDE;
out:
	c->at = ip - base;
	c->zn = zn;
	c->carry = cy;
	c->overflow = ov;
	c->prev = prev;
	c->prev_a = prev_a;
	c->insns = count + (uint64_t)(ip - seg);
	c->stalls = stalls;
	me->clock += c->insns + stalls;
	return stop;
}
