/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * state.h - what the verifier knows at one point of a path through a program.
 *
 * Paths are followed as the kernel's verifier follows them. A path ends where the verifier
 * finds that its state equals a state that it has seen before. Whether two states are equal
 * depends on which registers later instructions read, and on which of them must be known
 * precisely. The states that are kept hold marks for this; the marks are set backwards,
 * from the instruction that reads the register.
 */
#ifndef EXPLAIN_STATE_H
#define EXPLAIN_STATE_H

#include "explain.h"
#include "scalar.h"

#define REGS	11	/* r0 to r10 */
#define FRAMES	8
#define SLOTS	64	/* slots of 8 bytes in a frame */
#define FP	10

enum reg_type {
	T_NONE,
	T_SCALAR,
	T_CTX,
	T_MAP,
	T_VALUE,	/* into the value of a map */
	T_VALUE_NULL,	/* into the value of a map, or NULL */
	T_STACK,
	T_PACKET,
	T_META,		/* into the metadata in front of the packet */
	T_PACKET_END,
	T_ANY,		/* result of an unsupported helper: nothing is known or refused */
};

#define LIVE_READ32	1
#define LIVE_READ64	2
#define LIVE_READ	(LIVE_READ32 | LIVE_READ64)
#define LIVE_WRITTEN	4

/* Flag in a scalar's id: its value is that of the registers with the same id, plus off. */
#define ID_ADD		(1u << 31)

/* Values of reg.range for a packet pointer that equals data_end, or is greater */
#define AT_END		(-1)
#define BEHIND_END	(-2)

/**
 * struct reg - a register, or a register that was spilled to the stack
 * @type: enum reg_type
 * @live: LIVE_* flags; in a kept state the read flags say whether later instructions read it
 * @frame: for T_STACK, the frame that it points to
 * @precise: in a kept state, states with another value here do not count as equal
 * @map: number of the map
 * @off: constant part of the offset
 * @range: number of bytes from the base that a comparison has shown to be in the packet
 * @id: the same for registers that were copied from each other, 0 for none
 * @def32: number + 1 of the instruction that wrote only the lower half, 0 for none
 * @var: value of a scalar, variable part of the offset of a pointer
 * @parent: the same register in the state that was kept before
 */
struct reg {
	uint8_t type, live, frame;
	bool precise;
	uint16_t map;
	int32_t off, range;
	uint32_t id;
	int32_t def32;
	struct scalar var;
	struct reg *parent;
};

/* Contents of a byte of the stack */
enum { BYTE_NONE, BYTE_SPILL, BYTE_MISC, BYTE_ZERO };

/* A slot of 8 bytes: the byte with the highest address, at offset -1, has index 0. */
struct slot {
	uint8_t byte[8];
	struct reg reg;
};

struct frame {
	struct reg reg[REGS];
	int callsite, func;
	unsigned int slots;
	struct slot *slot;
};

struct kept;

#define LINKS	6

/* Registers and slots that one jump has narrowed together, because they have the same id */
struct links {
	unsigned int count;
	struct {
		uint8_t frame, index;
		bool slot;
	} to[LINKS];
};

#define STEP_STACK	1	/* the instruction moved a register to or from the stack */
#define STEP_SRC_STACK	2	/* the source of the comparison was a stack pointer */
#define STEP_DST_STACK	4	/* the destination was */

/**
 * struct step - one instruction of a path
 * @prev: the instruction before
 * @kept: the state that was kept before this instruction, or NULL
 */
struct step {
	struct step *prev;
	struct kept *kept;
	struct links *links;
	int insn;
	uint8_t frame, flags, slot_frame, slot;
};

/**
 * struct state - a point of a path
 * @history: number of jumps since the last kept state
 * @cache_id, @cache_off: the packet pointer whose range the JIT has read into its cache
 * @cut: most bytes by which helpers may have shortened the packet, at both ends together
 * @back: most bytes by which helpers may have moved the packet's start down
 * @guess: a jump depended on a T_ANY register, so the verifier may never get here
 * @low, @high: least and greatest distance of the packet's start from where it was at first
 */
struct state {
	struct frame *frame[FRAMES];
	int cur;
	int insn, prev_insn;
	struct kept *parent;
	struct step *step;
	unsigned int history;
	uint32_t cache_id;
	int32_t cache_off;
	unsigned int cut, back;
	bool guess;
	int low, high;
};

/**
 * struct kept - a state that later states are compared with
 * @branches: number of paths through it that have not ended yet
 */
struct kept {
	struct state st;
	struct kept *next, *all;
	unsigned int branches, hits, misses;
};

void state_copy(struct state *to, const struct state *from);
void state_free(struct state *st);
struct frame *frame_new(int callsite, int func, unsigned int index);
void frame_free(struct frame *f);
void frame_grow(struct frame *f, unsigned int bytes);

static inline bool slot_is_spill(const struct slot *s)
{
	return s->byte[7] == BYTE_SPILL;
}

static inline struct reg *cur_regs(struct state *st)
{
	return st->frame[st->cur]->reg;
}

/* Copy the contents of a register, without its parent and its LIVE_* flags. */
void reg_copy(struct reg *to, const struct reg *from);
void reg_set(struct reg *r, enum reg_type type);
void reg_unknown(struct reg *r);
void reg_const(struct reg *r, uint64_t v);
/* Mark a register as read in the kept states before this one. */
void reg_read(struct reg *r, uint8_t how);

/* Call @fn for all registers, also for those that were spilled to the stack. */
void state_each(struct state *st, void (*fn)(struct reg *r, void *arg), void *arg);

/* Keep a copy of @st. The registers of the copy become the parents of those of @st. */
struct kept *state_keep(struct state *st);
/**
 * enum sameness - when a new state counts as equal to a kept one
 * @SAME_PRUNED: by the verifier's rule: registers that need not be precise are not compared
 * @SAME_WITHIN: the kept state includes each value that the new one can have
 * @SAME_EXACT: all registers are equal
 */
enum sameness {
	SAME_PRUNED,
	SAME_WITHIN,
	SAME_EXACT,
};

/* Whether @st is equal to @old by the rule @how, so that the path can end here. */
bool state_same(const struct kept *old, const struct state *st, enum sameness how);

/* Registers and slots whose values must be known precisely */
struct marks {
	uint16_t reg[FRAMES];
	uint64_t slot[FRAMES];
};

/*
 * Follow the path backwards from @step. In all kept states on the way, mark as precise the
 * registers and slots from which those in @m were computed.
 */
void precise_mark(const struct xprog *p, const struct xobject *o, struct state *st,
		  struct step *step, const struct marks *m);

#endif /* EXPLAIN_STATE_H */
