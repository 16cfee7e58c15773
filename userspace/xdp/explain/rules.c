// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * rules.c - what the nfp driver refuses at an instruction, given what is known of the
 * operands on the current path. This file and rules_call.c have all rules of
 * nfp/bpf/verifier.c of Linux 6.12, and those of the JIT that depend on one instruction.
 */
#include "walk.h"

#define issue(w, why, ...)	issue_add(&(w)->p->issues, why, (w)->st.insn, __VA_ARGS__)

/* ---- opcodes ---- */

static bool alu_supported(uint8_t code)
{
	switch (BPF_OP(code)) {
	case BPF_NEG:
		return BPF_SRC(code) == BPF_K;
	case BPF_END:
		return code == (BPF_ALU | BPF_END | BPF_X);
	case BPF_MOD:
		return false;
	}
	return BPF_OP(code) < BPF_END;
}

static bool jump_supported(uint8_t code)
{
	switch (BPF_OP(code)) {
	case BPF_JA:
	case BPF_CALL:
	case BPF_EXIT:
		return BPF_CLASS(code) == BPF_JMP && BPF_SRC(code) == BPF_K;
	}
	return BPF_OP(code) <= BPF_JSLE;
}

static bool supported(uint8_t code)
{
	switch (BPF_CLASS(code)) {
	case BPF_ALU:
	case BPF_ALU64:
		return alu_supported(code);
	case BPF_JMP:
	case BPF_JMP32:
		return jump_supported(code);
	case BPF_LD:
		return code == (BPF_LD | BPF_IMM | BPF_DW) ||
		       ((BPF_MODE(code) == BPF_ABS || BPF_MODE(code) == BPF_IND) &&
			BPF_SIZE(code) != BPF_DW);
	case BPF_STX:
		if (BPF_MODE(code) == BPF_ATOMIC)
			return BPF_SIZE(code) == BPF_W || BPF_SIZE(code) == BPF_DW;
	}
	return BPF_MODE(code) == BPF_MEM;
}

/* Older headers lack BPF_MEMSX. */
#define MODE_MEMSX	0x80

static void rule_opcode(struct walk *w, const struct bpf_insn *insn)
{
	uint8_t code = insn->code;
	bool alu = BPF_CLASS(code) == BPF_ALU || BPF_CLASS(code) == BPF_ALU64;

	if (alu && BPF_OP(code) == BPF_MOD)
		issue(w, WHY_MODULO, "the card has no remainder of a division");
	else if (code == (BPF_ALU | BPF_END | BPF_K))
		issue(w, WHY_SWAP, "conversion to little endian (opcode 0x%02x)", code);
	else if (BPF_CLASS(code) == BPF_LDX && BPF_MODE(code) == MODE_MEMSX)
		issue(w, WHY_NEWER_CPU, "load with sign extension (opcode 0x%02x)", code);
	else if (code == (BPF_ALU64 | BPF_END | BPF_K))
		issue(w, WHY_NEWER_CPU, "unconditional byte swap (opcode 0x%02x)", code);
	else if (code == (BPF_JMP32 | BPF_JA))
		issue(w, WHY_NEWER_CPU, "jump with an offset of 32 bits (opcode 0x%02x)", code);
	else
		issue(w, WHY_OPCODE, "the driver's JIT has no instruction 0x%02x", code);
}

/* Warn of instructions of -mcpu=v4 that the JIT mistakes for the older ones they extend. */
static void rule_sign(struct walk *w, const struct bpf_insn *insn)
{
	uint8_t class = BPF_CLASS(insn->code), op = BPF_OP(insn->code);

	if ((class != BPF_ALU && class != BPF_ALU64) || !insn->off)
		return;
	if (op == BPF_MOV && BPF_SRC(insn->code) == BPF_X &&
	    (insn->off == 8 || insn->off == 16 || insn->off == 32))
		issue(w, WHY_SIGN_LOST, "the JIT takes a move that extends the sign of %d bits "
		      "for a plain move", insn->off);
	else if (op == BPF_DIV)
		issue(w, WHY_SIGN_LOST, "the JIT takes a signed division for an unsigned one");
}

/* No register of the card holds r10. The JIT computes its value for a plain move only. */
static void rule_frame_pointer(struct walk *w, const struct bpf_insn *insn)
{
	uint8_t class = BPF_CLASS(insn->code), op = BPF_OP(insn->code);
	bool alu = class == BPF_ALU || class == BPF_ALU64;
	bool jump = (class == BPF_JMP || class == BPF_JMP32) && op != BPF_JA && op != BPF_CALL &&
		    op != BPF_EXIT;
	bool src = insn->src_reg == FP && (class == BPF_STX ||
		   ((alu || jump) && BPF_SRC(insn->code) == BPF_X));

	if (insn->code == (BPF_ALU64 | BPF_MOV | BPF_X))
		return;
	if (src || (jump && insn->dst_reg == FP))
		issue(w, WHY_FRAME_POINTER, "r10 is used as a number: the JIT uses an unrelated "
		      "register instead");
}

/* ---- arithmetic ---- */

static void rule_mul(struct walk *w, const struct bpf_insn *insn, const struct insn_info *i)
{
	bool reg = BPF_SRC(insn->code) == BPF_X;

	if (i->umax_dst > UINT32_MAX)
		issue(w, WHY_MUL_RANGE, "the multiplier r%u may be over 32 bits (at most %llu)",
		      insn->dst_reg, (unsigned long long)i->umax_dst);
	else if (reg && i->umax_src > UINT32_MAX)
		issue(w, WHY_MUL_RANGE, "the multiplicand r%u may be over 32 bits (at most %llu)",
		      insn->src_reg, (unsigned long long)i->umax_src);
	else if (!reg && BPF_CLASS(insn->code) == BPF_ALU64 && insn->imm < 0)
		issue(w, WHY_MUL_RANGE, "the multiplicand %d is negative: as 64 bits it is over "
		      "32 bits", insn->imm);
}

static void rule_div(struct walk *w, const struct bpf_insn *insn, const struct insn_info *i)
{
	bool reg = BPF_SRC(insn->code) == BPF_X;

	if (i->umax_dst > UINT32_MAX)
		issue(w, WHY_DIV_RANGE, "the dividend r%u may be over 32 bits (at most %llu)",
		      insn->dst_reg, (unsigned long long)i->umax_dst);
	else if (reg && i->umin_src != i->umax_src)
		issue(w, WHY_DIV_VARIABLE, "the divisor r%u is not one constant (%llu to %llu)",
		      insn->src_reg, (unsigned long long)i->umin_src,
		      (unsigned long long)i->umax_src);
	else if (reg && i->umax_src > UINT32_MAX)
		issue(w, WHY_DIV_RANGE, "the divisor r%u is over 32 bits (%llu)", insn->src_reg,
		      (unsigned long long)i->umax_src);
	else if (reg && !i->umax_src)
		issue(w, WHY_DIV_ZERO, "the divisor r%u is 0: the driver divides by it",
		      insn->src_reg);
	else if (!reg && insn->imm < 0)
		issue(w, WHY_DIV_NEGATIVE, "the divisor %d is negative", insn->imm);
	else if ((reg ? i->umin_src : (uint64_t)insn->imm) == 1)
		issue(w, WHY_DIV_ONE, "the JIT's division by 1 depends on what ran before it");
}

/* The JIT negates negative constants. -2^31 cannot be negated in 32 bits. */
static void rule_min(struct walk *w, const struct bpf_insn *insn)
{
	uint8_t op = BPF_OP(insn->code);
	bool sum = BPF_CLASS(insn->code) == BPF_ALU64 && (op == BPF_ADD || op == BPF_SUB);
	bool jump = (BPF_CLASS(insn->code) == BPF_JMP || BPF_CLASS(insn->code) == BPF_JMP32) &&
		    (op == BPF_JGE || op == BPF_JSGE || op == BPF_JLT || op == BPF_JSLT);

	if (insn->imm == INT32_MIN && BPF_SRC(insn->code) == BPF_K && (sum || jump))
		issue(w, WHY_MIN_IMM, "the JIT negates -2147483648 here, which overflows");
}

/*
 * The compiler knows only an alignment of 4 bytes, so it makes a read of 8 bytes of the context
 * from two of 4, of which it shifts one.
 */
static void rule_joined(struct walk *w, const struct bpf_insn *insn)
{
	const struct reg *r = &cur_regs(&w->st)[insn->dst_reg];

	if (insn->code == (BPF_ALU64 | BPF_LSH | BPF_K) && insn->imm == 32 && !w->st.guess &&
	    (r->type == T_PACKET || r->type == T_PACKET_END || r->type == T_META))
		issue(w, WHY_CTX_SIZE, "a pointer from the context is shifted, as for a read of 8 "
		      "bytes of the context, which joins two fields");
}

static void rule_alu(struct walk *w, const struct bpf_insn *insn, struct insn_info *i)
{
	const struct scalar *src = &cur_regs(&w->st)[insn->src_reg].var;
	const struct scalar *dst = &cur_regs(&w->st)[insn->dst_reg].var;

	rule_min(w, insn);
	rule_joined(w, insn);
	if (cur_regs(&w->st)[insn->dst_reg].type == T_ANY ||
	    cur_regs(&w->st)[insn->src_reg].type == T_ANY)
		return;
	i->umin_src = src->umin < i->umin_src ? src->umin : i->umin_src;
	i->umax_src = src->umax > i->umax_src ? src->umax : i->umax_src;
	i->umin_dst = dst->umin < i->umin_dst ? dst->umin : i->umin_dst;
	i->umax_dst = dst->umax > i->umax_dst ? dst->umax : i->umax_dst;
	if (BPF_OP(insn->code) == BPF_MUL)
		rule_mul(w, insn, i);
	if (BPF_OP(insn->code) == BPF_DIV)
		rule_div(w, insn, i);
}

/* ---- memory ---- */

/* On all paths the offset must have the same alignment, because the JIT emits code for one. */
static void rule_stack(struct walk *w, struct insn_info *i, const struct reg *r)
{
	int64_t is = r->off + (int64_t)r->var.bits.value, was = i->ptr.off + i->ptr.at;

	if (r->frame != w->st.cur)
		i->caller_stack = true;
	if (!scalar_is_const(&r->var)) {
		issue(w, WHY_STACK_VARIABLE, "access to the stack by a variable offset (%lld to "
		      "%lld)", (long long)(r->var.smin + r->off),
		      (long long)(r->var.smax + r->off));
		return;
	}
	if (!i->has_ptr)
		return;
	i->ptr_moves |= was != is;
	if (i->ptr_moves && was % 4 != is % 4)
		issue(w, WHY_STACK_MOVES, "the pointer to the stack is at %lld on one path, at "
		      "%lld on another", (long long)was, (long long)is);
}

static const char *use_name(uint8_t use)
{
	return use == USE_READ ? "read" : "counted atomically";
}

/* Programs may either read a word of a map's values or add to it atomically. */
static void rule_word(struct walk *w, struct xmap *m, unsigned int off, enum word_use use)
{
	struct word *word = &m->words[off / 4];

	if (w->thorough)
		return;
	if (word->use != USE_NONE && word->use != use) {
		issue(w, WHY_MAP_USE, "byte %u of the values of map %s is %s here, and %s "
		      "elsewhere", off, m->name, use_name(use), use_name(word->use));
		return;
	}
	if (word->nonzero && use == USE_ATOMIC) {
		issue(w, WHY_COUNTER_NONZERO, "byte %u of the values of map %s is counted "
		      "atomically, but bpf_map_update_elem() may have put something other than "
		      "0 there", off, m->name);
		return;
	}
	word->use = use;
}

static void rule_value(struct walk *w, const struct bpf_insn *insn, const struct reg *r,
		       enum word_use use)
{
	struct xmap *m = &w->o->map[r->map];
	int64_t off = (int64_t)r->var.bits.value + insn->off + r->off;
	int i, size = insn_bytes(insn);

	if (!scalar_is_const(&r->var)) {
		issue(w, WHY_MAP_OFFSET, "a variable offset into the value of map %s", m->name);
		return;
	}
	if (off < 0 || off + size > m->value_size)
		return;		/* the verifier refuses it */
	if (!m->words)
		return;		/* maps_check() refuses a map of such large values */
	for (i = 0; i < size; i += 4 - (off + i) % 4)
		rule_word(w, m, off + i, use);
}

static const char *pointer_name(uint8_t type)
{
	static const char *const names[] = {
		[T_CTX] = "context", [T_VALUE] = "map value", [T_STACK] = "stack",
		[T_PACKET] = "packet", [T_META] = "metadata",
	};

	return type < sizeof(names) / sizeof(*names) && names[type] ? names[type] : "other";
}

/* The JIT combines loads of one range of the packet. All must use the pointer of the first. */
static void rule_cache(struct walk *w, const struct insn_info *i, const struct reg *r)
{
	if (i->cache == CACHE_FILLS) {
		w->st.cache_id = r->id;
		w->st.cache_off = r->off;
	} else if (i->cache == CACHE_USES &&
		   (r->id != w->st.cache_id || r->off != w->st.cache_off)) {
		issue(w, WHY_CACHE_PATHS, "the JIT combines this load with an earlier one by the "
		      "pointers of another path; on this path they differ");
	}
}

enum access {
	ACCESS_LOAD,
	ACCESS_STORE,
	ACCESS_ADD,
};

static void rule_pointer(struct walk *w, const struct bpf_insn *insn, struct insn_info *i,
			 unsigned int n, enum access access)
{
	const struct reg *r = &cur_regs(&w->st)[n];

	switch (r->type) {
	case T_CTX:
	case T_PACKET:
		break;
	case T_STACK:
		rule_stack(w, i, r);
		break;
	case T_VALUE:
		if (access == ACCESS_STORE)
			issue(w, WHY_MAP_WRITE, "a store into a value of map %s",
			      w->o->map[r->map].name);
		else
			rule_value(w, insn, r, access == ACCESS_LOAD ? USE_READ : USE_ATOMIC);
		if (insn->off < 0)
			issue(w, WHY_VALUE_BELOW, "offset %d from a pointer into a value of map %s: "
			      "the JIT loses the sign", insn->off, w->o->map[r->map].name);
		break;
	case T_META:
		issue(w, WHY_POINTER, "access to the packet's metadata");
		return;
	case T_MAP:
		issue(w, WHY_POINTER, "access to the kernel's description of map %s, not to its values",
		      w->o->map[r->map].name);
		return;
	default:
		return;		/* the verifier refuses it, or the type is not known */
	}
	if (i->has_ptr && i->ptr.type != r->type)
		issue(w, WHY_POINTER_CHANGES, "one instruction accesses %s on one path, %s on "
		      "another", pointer_name(i->ptr.type), pointer_name(r->type));
	i->has_ptr = true;
	i->ptr.type = r->type;
	i->ptr.id = r->id;
	i->ptr.off = r->off;
	i->ptr.at = r->var.bits.value;
	if (r->type == T_PACKET && access == ACCESS_LOAD)
		rule_cache(w, i, r);
}

/* Whether the instruction accesses one field of the context, and all of it. */
static bool ctx_access(struct walk *w, const struct bpf_insn *insn)
{
	if (insn_bytes(insn) == 4 && insn->off >= 0 && insn->off < 24 && insn->off % 4 == 0)
		return true;
	/* On a path that is only guessed, access_ok() reports it. */
	if (!w->st.guess)
		issue(w, WHY_CTX_SIZE, "the context has no field of %u byte%s at %d",
		      insn_bytes(insn), insn_bytes(insn) == 1 ? "" : "s", insn->off);
	return false;
}

static const char *ctx_field(int off)
{
	static const char *const names[] = { "data", "data_end", "data_meta", "ingress_ifindex",
					     "rx_queue_index", "egress_ifindex" };

	return names[off / 4];
}

static void rule_load(struct walk *w, const struct bpf_insn *insn, struct insn_info *i)
{
	const struct reg *r = &cur_regs(&w->st)[insn->src_reg];

	if (r->type == T_CTX && !ctx_access(w, insn))
		return;
	if (r->type == T_CTX && insn->off != XDP_DATA && insn->off != XDP_DATA_END)
		issue(w, WHY_CTX_LOAD, "field %s of the context is read", ctx_field(insn->off));
	rule_pointer(w, insn, i, insn->src_reg, ACCESS_LOAD);
}

static void rule_store(struct walk *w, const struct bpf_insn *insn, struct insn_info *i)
{
	const struct reg *r = &cur_regs(&w->st)[insn->dst_reg];

	if (r->type == T_CTX && !ctx_access(w, insn))
		return;
	if (r->type == T_CTX && insn->off != XDP_RX_QUEUE)
		issue(w, WHY_CTX_STORE, "field %s of the context is written",
		      ctx_field(insn->off));
	else if (r->type == T_CTX && !(w->limits->helpers >> HELPER_QUEUE & 1))
		issue(w, WHY_MISSING, "%s does not let programs choose the queue",
		      limits_who(w->limits));
	else
		rule_pointer(w, insn, i, insn->dst_reg, ACCESS_STORE);
}

static void rule_atomic(struct walk *w, const struct bpf_insn *insn, struct insn_info *i)
{
	const struct reg *src = &cur_regs(&w->st)[insn->src_reg];
	const struct reg *dst = &cur_regs(&w->st)[insn->dst_reg];

	if (insn->imm != BPF_ADD) {
		issue(w, WHY_ATOMIC_OP, "an atomic operation other than a plain addition (0x%x)%s",
		      insn->imm, insn->imm & BPF_FETCH ? ": it returns the old value" : "");
		return;
	}
	if (dst->type == T_ANY || src->type == T_ANY)
		return;
	if (dst->type != T_VALUE) {
		issue(w, WHY_ATOMIC_TARGET, "atomic addition to %s", pointer_name(dst->type));
		return;
	}
	if (src->type != T_SCALAR) {
		issue(w, WHY_ATOMIC_VALUE, "atomic addition of a pointer");
		return;
	}
	i->add_over |= src->var.bits.value > 0xffff || src->var.bits.unknown > 0xffff;
	i->add_within |= (src->var.bits.value & ~src->var.bits.unknown) <= 0xffff;
	rule_pointer(w, insn, i, insn->dst_reg, ACCESS_ADD);
}

/* Return the instruction that set r0, the verdict, on this path. */
static int verdict_at(const struct walk *w)
{
	const struct step *s;

	for (s = w->st.step; s; s = s->prev) {
		const struct bpf_insn *insn = &w->p->insn[s->insn];
		uint8_t class = BPF_CLASS(insn->code);

		if (!s->frame && !insn->dst_reg && (class == BPF_ALU || class == BPF_ALU64))
			return s->insn;
	}
	return w->st.insn;
}

static void rule_exit(struct walk *w)
{
	const struct reg *r = cur_regs(&w->st);

	if (!w->st.cur && r->type == T_SCALAR && r->var.umin == XDP_REDIRECT &&
	    r->var.umax == XDP_REDIRECT)
		issue_add(&w->p->issues, WHY_REDIRECT, verdict_at(w), "XDP_REDIRECT is returned; "
			  "the card drops such packets and counts them as aborted");
}

void rules_insn(struct walk *w)
{
	const struct bpf_insn *insn = cur_insn(w);
	struct insn_info *i = &w->info[w->st.insn];

	if (insn->dst_reg >= REGS || insn->src_reg >= REGS)
		return;
	if (!supported(insn->code)) {
		rule_opcode(w, insn);
		return;
	}
	rule_sign(w, insn);
	rule_frame_pointer(w, insn);
	switch (BPF_CLASS(insn->code)) {
	case BPF_ALU:
	case BPF_ALU64:
		rule_alu(w, insn, i);
		break;
	case BPF_LDX:
		rule_load(w, insn, i);
		break;
	case BPF_ST:
		issue(w, WHY_STORE_IMM, "a constant is stored to %s by one instruction",
		      pointer_name(cur_regs(&w->st)[insn->dst_reg].type));
		break;
	case BPF_STX:
		if (BPF_MODE(insn->code) == BPF_ATOMIC)
			rule_atomic(w, insn, i);
		else
			rule_store(w, insn, i);
		break;
	case BPF_JMP32:
		rule_min(w, insn);
		break;
	case BPF_JMP:
		rule_min(w, insn);
		if (BPF_OP(insn->code) == BPF_CALL && insn->src_reg != BPF_PSEUDO_CALL)
			rules_call(w, i);
		if (BPF_OP(insn->code) == BPF_EXIT)
			rule_exit(w);
		break;
	}
}
