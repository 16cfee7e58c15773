/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * state.h - what is known at a point of a path through a program.
 *
 * Paths are followed as the kernel's verifier follows them, and end where it
 * ends them: at a state that was seen before. Which states count as the same is
 * decided by which registers are read afterwards, and which of them must be
 * known precisely; both are marked in the states kept, backwards.
 */
#ifndef EXPLAIN_STATE_H
#define EXPLAIN_STATE_H

#include "explain.h"
#include "scalar.h"

#define REGS	11	/* r0 to r10 */
#define FRAMES	8
#define SLOTS	64	/* of 8 bytes, in a frame */
#define FP	10

enum reg_type {
	T_NONE,
	T_SCALAR,
	T_CTX,
	T_MAP,
	T_VALUE,	/* of a map */
	T_VALUE_NULL,	/* or NULL */
	T_STACK,
	T_PACKET,
	T_META,		/* before the packet */
	T_PACKET_END,
	T_ANY,		/* what an unsupported helper returned: no complaints */
};

#define LIVE_READ32	1
#define LIVE_READ64	2
#define LIVE_READ	(LIVE_READ32 | LIVE_READ64)
#define LIVE_WRITTEN	4

/* Of a scalar's id: its value is that of the others with the id, plus off. */
#define ID_ADD		(1u << 31)

/* Packet pointers whose range is not a length: at the end or behind it */
#define AT_END		(-1)
#define BEHIND_END	(-2)

/**
 * struct reg - a register, or one that is on the stack
 * @type: enum reg_type
 * @live: whether what runs later reads it (in a state kept), was it written
 * @frame: whose stack it points to
 * @precise: paths with other values are not the same (in a state kept)
 * @map: which map
 * @off: fixed part of the offset
 * @range: bytes of packet that are there from the base on
 * @id: registers of the same origin, 0 for none
 * @def32: instruction + 1 that wrote only its lower half, 0 for none
 * @var: value, or variable part of the offset
 * @parent: the register in the state kept before
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

/* What is in a byte of the stack */
enum { BYTE_NONE, BYTE_SPILL, BYTE_MISC, BYTE_ZERO };

/* The byte at offset -1 has index 0, that at -8 index 7. */
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

/* Registers, or slots, that a jump told something about all at once */
struct links {
	unsigned int count;
	struct {
		uint8_t frame, index;
		bool slot;
	} to[LINKS];
};

#define STEP_STACK	1	/* moved a register to or from the stack */
#define STEP_SRC_STACK	2	/* compared a stack pointer */
#define STEP_DST_STACK	4

/**
 * struct step - an instruction of a path
 * @prev: the one before
 * @kept: the state before it, when that was kept
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
 * @history: jumps since the last state kept
 * @cache_id, @cache_off: the packet pointer of which the JIT has read a range
 * @cut, @back: bytes by which the packet may be shorter now, begin earlier
 * @guess: a jump was decided by something unknown, so the verifier may not come here
 * @low, @high: where it begins, from where it did: at least, at most
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
 * struct kept - a state that later ones are compared with
 * @branches: paths from it that have not ended yet
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

/* A register's contents, not its place among states */
void reg_copy(struct reg *to, const struct reg *from);
void reg_set(struct reg *r, enum reg_type type);
void reg_unknown(struct reg *r);
void reg_const(struct reg *r, uint64_t v);
/* Mark as read, in the states kept before it. */
void reg_read(struct reg *r, uint8_t how);

/* Call @fn for all registers, and those on the stack. */
void state_each(struct state *st, void (*fn)(struct reg *r, void *arg), void *arg);

/* Keep @st: a copy for comparison, whose registers become the parents of @st's. */
struct kept *state_keep(struct state *st);
/**
 * enum sameness - when two states are one
 * @SAME_PRUNED: as the verifier has it: what need not be precise may be anything
 * @SAME_WITHIN: all that the new one can be, the old one can
 * @SAME_EXACT: they are equal
 */
enum sameness {
	SAME_PRUNED,
	SAME_WITHIN,
	SAME_EXACT,
};

/* Nothing new can come from @st. */
bool state_same(const struct kept *old, const struct state *st, enum sameness how);

/* Registers and slots in which a value must be known precisely */
struct marks {
	uint16_t reg[FRAMES];
	uint64_t slot[FRAMES];
};

/* Mark what @m, needed by the instruction of @step, depends on in all states kept. */
void precise_mark(const struct xprog *p, const struct xobject *o, struct state *st,
		  struct step *step, const struct marks *m);

#endif /* EXPLAIN_STATE_H */
