// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* memory.c - check loads and stores, and follow the contents of the stack. */
#include "walk.h"

#define STACK_MAX	512

static enum flow next(struct walk *w)
{
	w->st.insn++;
	return FLOW_NEXT;
}

/* Return the frame that a stack pointer points to, grown to include @off. */
static struct frame *stack_frame(struct walk *w, const struct reg *ptr, int off)
{
	struct frame *f = w->st.frame[ptr->frame];

	frame_grow(f, -off);
	if (w->func[f->func].stack < 8 * f->slots)
		w->func[f->func].stack = 8 * f->slots;
	return f;
}

/* Record that the instruction stored a register in the slot, or loaded it from there. */
static void step_stack(struct walk *w, const struct reg *ptr, unsigned int slot)
{
	struct step *s = w->st.step;

	s->flags |= STEP_STACK;
	s->slot_frame = ptr->frame;
	s->slot = slot;
	if (!w->info[s->insn].jump_target)
		w->st.history++;
}

static bool aligned(const struct reg *ptr, int off, unsigned int size)
{
	struct bits at = bits_add(ptr->var.bits, (struct bits){ (int64_t)ptr->off + off, 0 });

	return !((at.value | at.unknown) & (size - 1));
}

static bool stack_ok(struct walk *w, const struct reg *ptr, int off, unsigned int size)
{
	int64_t min = ptr->var.smin + ptr->off + off, max = ptr->var.smax + ptr->off + off;

	if (ptr->var.smin <= -STACK_MAX * 1024 || ptr->var.smax >= STACK_MAX * 1024 ||
	    min < -STACK_MAX || max + size > 0) {
		walk_refused(w, "access outside of the stack");
		return false;
	}
	if (!aligned(ptr, off, size)) {
		walk_refused(w, "access of %u bytes to the stack that is not aligned", size);
		return false;
	}
	return true;
}

/* ---- stores to the stack ---- */

static void misc(uint8_t *byte)
{
	if (*byte != BYTE_ZERO && *byte != BYTE_NONE)
		*byte = BYTE_MISC;
}

/* The slot no longer holds a register. What it held is now bytes of unknown value. */
static void scrub(struct slot *s)
{
	int i;

	s->reg.type = T_NONE;
	if (!slot_is_spill(s))
		return;
	for (i = 0; i < 8; i++)
		if (s->byte[i] != BYTE_NONE)
			s->byte[i] = BYTE_MISC;
}

static void spill(struct slot *s, const struct reg *r, unsigned int size)
{
	unsigned int i;

	reg_copy(&s->reg, r);
	if (size == 8)
		s->reg.live |= LIVE_WRITTEN;
	for (i = 0; i < 8 - size; i++)
		misc(&s->byte[i]);
	for (; i < 8; i++)
		s->byte[i] = BYTE_SPILL;
}

static void store_bytes(struct slot *s, int off, unsigned int size, bool zero)
{
	unsigned int i, first = (-off - 1) % 8;

	scrub(s);
	if (size == 8)
		s->reg.live |= LIVE_WRITTEN;
	for (i = 0; i < size; i++)
		s->byte[first - i] = zero ? BYTE_ZERO : BYTE_MISC;
}

/* Store register @n, or the constant of the instruction when @n is negative. */
static enum flow stack_store(struct walk *w, const struct reg *ptr, int off, unsigned int size,
			     int n)
{
	struct reg *val = n < 0 ? NULL : &cur_regs(&w->st)[n], imm = { 0 };
	unsigned int slot = (-off - 1) / 8;
	struct slot *s = &stack_frame(w, ptr, off)->slot[slot];
	bool fits, zero;

	if (!val) {
		reg_const(&imm, (int64_t)cur_insn(w)->imm);
		val = &imm;
	}
	if (val->type == T_SCALAR && off % 8 == 0) {
		fits = scalar_width(&val->var) <= 8 * size;
		if (fits && n >= 0) {
			if (val->id & ID_ADD)
				val->id = val->off = 0;
			if (!val->id && !scalar_is_const(&val->var))
				val->id = ++w->ids;
		}
		spill(s, val, size);
		if (!fits)
			s->reg.id = 0;
	} else if (val->type == T_ANY && size != 8) {
		/* The unknown value may be a number, of which a part can be stored. */
		if (off % 8) {
			store_bytes(s, off, size, false);
			return next(w);
		}
		spill(s, val, size);
	} else if (val->type == T_SCALAR) {
		zero = scalar_is_zero(&val->var);
		if (zero && n >= 0)
			walk_precise(w, n);
		store_bytes(s, off, size, zero);
		return next(w);
	} else if (size != 8) {
		return walk_refused(w, "a part of a pointer is stored to the stack");
	} else if (val->type == T_STACK && ptr->frame != w->st.cur) {
		return walk_refused(w, "a pointer to the stack is stored to the caller's stack");
	} else {
		spill(s, val, size);
	}
	step_stack(w, ptr, slot);
	return next(w);
}

/* Store at a variable offset: each byte of the range may have changed. */
static void stack_store_range(struct walk *w, const struct reg *ptr, int off, unsigned int size)
{
	int64_t min = ptr->var.smin + off, max = ptr->var.smax + off + size, i;
	struct frame *f = stack_frame(w, ptr, min);

	for (i = min; i < max; i++) {
		scrub(&f->slot[(-i - 1) / 8]);
		f->slot[(-i - 1) / 8].byte[(-i - 1) % 8] = BYTE_MISC;
	}
}

/* ---- loads from the stack ---- */

/* Return how many of the @size bytes at @off are of @kind. */
static unsigned int count_bytes(const struct slot *s, int off, unsigned int size, uint8_t kind)
{
	unsigned int i, n = 0, first = (-off - 1) % 8;

	for (i = 0; i < size; i++)
		n += s->byte[first - i] == kind;
	return n;
}

static enum flow stack_load(struct walk *w, const struct reg *ptr, int off, unsigned int size,
			    struct reg *dst)
{
	unsigned int slot = (-off - 1) / 8, spilled = 0;
	struct slot *s = &stack_frame(w, ptr, off)->slot[slot];
	int32_t def32 = dst->def32;
	bool filled = false;

	reg_read(&s->reg, LIVE_READ64);
	if (!slot_is_spill(s)) {
		if (count_bytes(s, off, size, BYTE_ZERO) == size)
			reg_const(dst, 0);
		else
			reg_unknown(dst);
	} else {
		while (spilled < 8 && s->byte[7 - spilled] == BYTE_SPILL)
			spilled++;
		if ((size != 8 || spilled != 8) && s->reg.type != T_SCALAR &&
		    s->reg.type != T_ANY)
			return walk_refused(w, "a part of a pointer is read from the stack");
		if (size == 8 && spilled == 8) {
			reg_copy(dst, &s->reg);
			filled = true;
		} else if (size <= spilled && off % 8 == 0) {
			reg_copy(dst, &s->reg);
			dst->def32 = def32;
			if (scalar_width(&s->reg.var) > 8 * size)
				dst->id = dst->off = 0;
			filled = true;
		} else if (count_bytes(s, off, size, BYTE_SPILL) == size &&
			   s->reg.type == T_SCALAR && scalar_is_zero(&s->reg.var)) {
			reg_const(dst, 0);
			filled = true;
		} else if (count_bytes(s, off, size, BYTE_ZERO) == size) {
			reg_const(dst, 0);
		} else {
			reg_unknown(dst);
		}
	}
	dst->live |= LIVE_WRITTEN;
	if (filled)
		step_stack(w, ptr, slot);
	return FLOW_NEXT;
}

/* A helper may read and write the @bytes of the stack that its argument @n points to. */
static bool memory_clobber(struct walk *w, unsigned int n, unsigned int bytes)
{
	const struct reg *ptr = &cur_regs(&w->st)[n];
	int64_t min = ptr->var.smin + ptr->off, max = ptr->var.smax + ptr->off + bytes, i;
	struct frame *f;
	struct slot *s;
	int b;

	if (min < -STACK_MAX || max > 0) {
		walk_refused(w, "argument %u of the helper is outside of the stack", n);
		return false;
	}
	f = stack_frame(w, ptr, min);
	for (i = min; i < max; i++) {
		s = &f->slot[(-i - 1) / 8];
		b = (-i - 1) % 8;
		if (slot_is_spill(s)) {
			reg_unknown(&s->reg);
			for (b = 0; b < 8; b++)
				if (s->byte[b] != BYTE_NONE)
					s->byte[b] = BYTE_MISC;
		} else if (s->byte[b] == BYTE_ZERO || s->byte[b] == BYTE_NONE) {
			s->byte[b] = BYTE_MISC;
		}
		reg_read(&s->reg, LIVE_READ64);
	}
	return true;
}

/* ---- everything else ---- */

static bool context_ok(struct walk *w, const struct reg *ptr, int off, unsigned int size,
		       bool write)
{
	if (ptr->off || !scalar_is_zero(&ptr->var))
		walk_refused(w, "the context is accessed through a modified pointer");
	else if (off < 0 || off >= 24 || size != 4 || off % 4 || off == XDP_EGRESS)
		walk_refused(w, "the context has no field of %u bytes at %d", size, off);
	else if (write && off != XDP_RX_QUEUE)
		walk_refused(w, "field at %d of the context cannot be written", off);
	else
		return true;
	return false;
}

static void context_load(struct reg *dst, int off)
{
	switch (off) {
	case XDP_DATA:
		reg_set(dst, T_PACKET);
		break;
	case XDP_DATA_END:
		reg_set(dst, T_PACKET_END);
		break;
	case XDP_DATA_META:
		reg_set(dst, T_META);
		break;
	default:
		reg_unknown(dst);
		return;
	}
	dst->def32 = 0;
}

static bool packet_ok(struct walk *w, const struct reg *ptr, int off, unsigned int size)
{
	int64_t at = (int64_t)ptr->off + off;

	if (ptr->var.smin < 0) {
		walk_refused(w, "offset into the packet may be negative");
		return false;
	}
	if (at < 0 || at + size > ptr->range) {
		walk_refused(w, "the packet may end before byte %lld: compare with data_end first",
			     (long long)at + size);
		return false;
	}
	if (at + ptr->var.umax + size - 1 > w->p->packet)
		w->p->packet = at + ptr->var.umax + size - 1;
	return true;
}

static bool value_ok(struct walk *w, const struct reg *ptr, int off, unsigned int size)
{
	const struct xmap *m = &w->o->map[ptr->map];
	int64_t at = (int64_t)ptr->off + off;

	if (ptr->var.smin < 0 && at + ptr->var.smin < 0)
		walk_refused(w, "offset into a value of map %s may be negative", m->name);
	else if (at + ptr->var.smin < 0 || ptr->var.umax >= 1 << 29 ||
		 at + ptr->var.umax + size > m->value_size)
		walk_refused(w, "access to byte %llu of a value of map %s, whose values have %u bytes",
			     (unsigned long long)(at + ptr->var.umax + size), m->name,
			     m->value_size);
	else
		return true;
	return false;
}

static const char *const type_names[] = {
	[T_NONE] = "nothing", [T_SCALAR] = "a number", [T_CTX] = "the context",
	[T_MAP] = "a map", [T_VALUE] = "a map value",
	[T_VALUE_NULL] = "a map value that may be NULL: compare with NULL first",
	[T_STACK] = "the stack", [T_PACKET] = "the packet", [T_META] = "the packet's metadata",
	[T_PACKET_END] = "the packet's end", [T_ANY] = "something unknown",
};

/* Check an access through @ptr. Return false after a refusal: the path has ended. */
static bool access_ok(struct walk *w, const struct reg *ptr, int off, unsigned int size,
		      bool write)
{
	switch (ptr->type) {
	case T_CTX:
		return context_ok(w, ptr, off, size, write);
	case T_STACK:
		return stack_ok(w, ptr, off, size);
	case T_PACKET:
	case T_META:
		return packet_ok(w, ptr, off, size);
	case T_VALUE:
		return value_ok(w, ptr, off, size);
	case T_ANY:
		return true;
	}
	walk_refused(w, "memory access through %s", type_names[ptr->type]);
	return false;
}

static enum flow load(struct walk *w, const struct bpf_insn *insn)
{
	struct reg *dst = &cur_regs(&w->st)[insn->dst_reg];
	unsigned int size = insn_bytes(insn);
	struct reg ptr;

	if (!operand_read(w, insn->src_reg, true))
		return walk_refused(w, "register r%u is read before it is written",
				    insn->src_reg);
	if (insn->dst_reg == FP)
		return walk_refused(w, "r10 is written");
	operand_write(w, insn->dst_reg, size == 8 || BPF_MODE(insn->code) != BPF_MEM);
	ptr = cur_regs(&w->st)[insn->src_reg];
	if (!access_ok(w, &ptr, insn->off, size, false))
		return FLOW_END;
	switch (ptr.type) {
	case T_CTX:
		context_load(dst, insn->off);
		break;
	case T_STACK:
		if (!scalar_is_const(&ptr.var))
			reg_unknown(dst);
		else if (stack_load(w, &ptr, insn->off + ptr.off + ptr.var.bits.value, size,
				    dst) == FLOW_END)
			return FLOW_END;
		break;
	case T_ANY:
		reg_set(dst, T_ANY);
		break;
	default:
		reg_unknown(dst);
	}
	if (size < 8 && dst->type == T_SCALAR)
		scalar_truncate(&dst->var, size);
	return next(w);
}

static enum flow store(struct walk *w, const struct bpf_insn *insn)
{
	bool reg = BPF_CLASS(insn->code) == BPF_STX;
	unsigned int size = insn_bytes(insn);
	struct reg ptr;

	if (reg && !operand_read(w, insn->src_reg,
				 cur_regs(&w->st)[insn->src_reg].type != T_SCALAR || size == 8))
		return walk_refused(w, "register r%u is read before it is written",
				    insn->src_reg);
	if (!operand_read(w, insn->dst_reg, true))
		return walk_refused(w, "register r%u is read before it is written",
				    insn->dst_reg);
	ptr = cur_regs(&w->st)[insn->dst_reg];
	if (!access_ok(w, &ptr, insn->off, size, true))
		return FLOW_END;
	if (ptr.type != T_STACK)
		return next(w);
	if (scalar_is_const(&ptr.var))
		return stack_store(w, &ptr, insn->off + ptr.off + ptr.var.bits.value, size,
				   reg ? insn->src_reg : -1);
	stack_store_range(w, &ptr, insn->off + ptr.off, size);
	return next(w);
}

static enum flow atomic(struct walk *w, const struct bpf_insn *insn)
{
	unsigned int size = insn_bytes(insn);
	struct reg ptr, *to = NULL;
	int off;

	if (!operand_read(w, insn->src_reg, size == 8) || !operand_read(w, insn->dst_reg, true) ||
	    (insn->imm == BPF_CMPXCHG && !operand_read(w, 0, size == 8)))
		return walk_refused(w, "an operand is read before it is written");
	ptr = cur_regs(&w->st)[insn->dst_reg];
	if (ptr.type == T_CTX || ptr.type == T_PACKET || ptr.type == T_META)
		return walk_refused(w, "atomic operation on %s", type_names[ptr.type]);
	if (ptr.type == T_VALUE && !aligned(&ptr, insn->off, size))
		return walk_refused(w, "atomic operation of %u bytes at an unaligned address",
				    size);
	if (insn->imm & BPF_FETCH) {
		to = &cur_regs(&w->st)[insn->imm == BPF_CMPXCHG ? 0 : insn->src_reg];
		operand_write(w, to - cur_regs(&w->st), size == 8);
		reg_unknown(to);
	}
	if (!access_ok(w, &ptr, insn->off, size, true))
		return FLOW_END;
	if (ptr.type == T_STACK && scalar_is_const(&ptr.var)) {
		off = insn->off + ptr.off + ptr.var.bits.value;
		reg_read(&stack_frame(w, &ptr, off)->slot[(-off - 1) / 8].reg, LIVE_READ64);
		store_bytes(&stack_frame(w, &ptr, off)->slot[(-off - 1) / 8], off, size, false);
	}
	if (to && size < 8)
		scalar_truncate(&to->var, size);
	return next(w);
}

bool memory_arg(struct walk *w, unsigned int n, unsigned int bytes)
{
	const struct reg *ptr = &cur_regs(&w->st)[n];

	switch (ptr->type) {
	case T_STACK:
		return memory_clobber(w, n, bytes);
	case T_PACKET:
		return packet_ok(w, ptr, 0, bytes);
	case T_VALUE:
		return value_ok(w, ptr, 0, bytes);
	case T_ANY:
		return true;
	}
	walk_refused(w, "argument %u of the helper is %s", n, type_names[ptr->type]);
	return false;
}

enum flow memory_run(struct walk *w)
{
	const struct bpf_insn *insn = cur_insn(w);

	if (BPF_CLASS(insn->code) == BPF_LDX)
		return load(w, insn);
	if (BPF_CLASS(insn->code) == BPF_STX && BPF_MODE(insn->code) == BPF_ATOMIC)
		return atomic(w, insn);
	return store(w, insn);
}
