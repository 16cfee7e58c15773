/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * walk.h - one program, while its paths are followed.
 */
#ifndef EXPLAIN_WALK_H
#define EXPLAIN_WALK_H

#include "state.h"

#define XDP_DATA	0	/* offsets in struct xdp_md */
#define XDP_DATA_END	4
#define XDP_DATA_META	8
#define XDP_RX_QUEUE	16
#define XDP_EGRESS	20

/**
 * struct insn_info - what the driver records of an instruction
 * @seen: a path leads to it
 * @prune: states are compared before it
 * @jump_target: a jump leads to it, or returns to it
 * @has_ptr: it has accessed memory on a path; @ptr is the pointer of the last one
 * @ptr_moves: paths use different offsets
 * @caller_stack: it accesses the stack of a caller
 * @zext: an instruction reads the upper half of its result
 * @half: for a division, number + 1 of the instruction that left the upper half of the
 *	dividend as it was; 0 for none, -1 for several
 * @add_over: the addend of an atomic addition may need more than 16 bits
 * @add_within: the addend may have 16 bits or less
 * @umin_src, @umax_src, @umin_dst, @umax_dst: bounds of the operands over all paths
 * @called: it has called a helper on a path; @arg_type, @key_off are of the last one
 * @key_moves: paths use different offsets of the key
 * @key_caller: the key is on the stack of a caller
 * @unchecked: it moves the packet's start without a check, after an earlier move
 * @event_map: number of the map whose value is the data of the event
 * @cache: whether the JIT reads a range of the packet here, or uses one that it has read
 *	(set after the first walk)
 */
struct insn_info {
	bool seen, prune, jump_target;
	bool has_ptr, ptr_moves, caller_stack, zext;
	bool add_over, add_within;
	bool called, key_moves, key_caller, unchecked;
	enum { CACHE_NONE, CACHE_FILLS, CACHE_USES } cache;
	uint16_t event_map;
	uint8_t arg_type;
	int key_off;
	int32_t half;
	struct {
		uint8_t type;
		uint32_t id;
		int32_t off;
		int64_t at;
	} ptr;
	uint64_t umin_src, umax_src, umin_dst, umax_dst;
};

/**
 * struct func - a function: the instructions from @start to before @end
 * @stack: bytes of its frame
 * @moves: the function, or one that it calls, moves an end of the packet
 * @called: the function is global, and was called since it was last followed alone
 */
struct func {
	int start, end;
	unsigned int stack;
	bool moves, called;
};

#define FUNCS	256

/**
 * struct walk - a program whose paths are followed
 * @st: the current point of the current path
 * @pending: stack of paths that are followed later
 * @same: kept states, one list for each instruction
 * @all: list of all kept states
 * @head_at: the only call that moves the packet's start by a constant; -1 for none,
 *	HEAD_ANY when the card has to check each move
 * @head_by: the constant of that call
 * @recursion: a call in a cycle of calls, or -1
 * @deep: a path has more nested calls than the verifier allows
 * @thorough: skip a path only when a kept state includes all its values (SAME_WITHIN)
 * @cached: insn_info of the first walk, for its @cache fields; NULL in the first walk
 * @tail: called with @tail_arg for each tail call, or NULL
 */
struct walk {
	struct xobject *o;
	struct xprog *p;
	const struct limits *limits;
	struct insn_info *info;
	struct func func[FUNCS];
	int funcs;
	struct state st;
	struct state *pending;
	unsigned int pendings, pending_room;
	struct kept **same;
	struct kept *all;
	struct chunk *steps;
	struct chunk *links;
	uint32_t ids;
	unsigned long insns, jumps, kept_insns, kept_jumps;
	int head_at;
	uint64_t head_by;
	int recursion;
	bool deep;
	bool thorough;
	const struct insn_info *cached;
	tail_call_fn tail;
	void *tail_arg;
};

#define HEAD_ANY	(-2)	/* value of head_at: the card checks each move at run time */
#define MAX_STEPS	1000000	/* the verifier's limits */
#define MAX_PENDING	8192

enum flow {
	FLOW_NEXT,	/* the path continues at st.insn */
	FLOW_END,	/* the path ends */
};

static inline const struct bpf_insn *cur_insn(const struct walk *w)
{
	return &w->p->insn[w->st.insn];
}

static inline struct frame *cur_frame(struct walk *w)
{
	return w->st.frame[w->st.cur];
}

/* ---- walk.c ---- */
void walk_run(struct walk *w);
/*
 * Save the current state, with @insn as its next instruction. walk_run() follows the saved path
 * after the current one.
 */
struct state *walk_push(struct walk *w, int insn);
struct links *walk_links(struct walk *w);
/*
 * Report that the kernel refuses the program for any device, or, on a path that is a guess,
 * that it may. The path ends.
 */
enum flow walk_refused(struct walk *w, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* Mark as precise what the value of register @n of the current frame depends on. */
void walk_precise(struct walk *w, unsigned int n);

/* ---- survey.c: done once, before the paths are followed ---- */
void survey(struct walk *w);
/* Return the number of the function that begins at @insn, or -1. */
int survey_func_at(const struct walk *w, int insn);
/* Return the number of the function that @insn calls, or -1 when it calls none. */
int survey_callee(const struct walk *w, int insn);
/**
 * struct reach - a search for the instructions that can be reached, if conditions are ignored
 * @reached: for each instruction, whether it was found
 * @todo: the @count found instructions whose successors were not looked at yet
 */
struct reach {
	bool *reached;
	int *todo;
	int count, insns;
};

void reach_begin(struct reach *r, int insns, int at);
/* Add the successors of @insn, which is at @at. */
void reach_from(struct reach *r, const struct bpf_insn *insn, int at);
void reach_end(struct reach *r);
/* Whether helper @id moves the start or the end of the packet. */
bool moves_packet(uint32_t id);

/* ---- insn.c, memory.c, jump.c, call.c: the verifier's rules ---- */
enum flow insn_run(struct walk *w);
/* Read, or write, a register as an operand. Return false when it has not been written. */
bool operand_read(struct walk *w, unsigned int n, bool whole);
void operand_write(struct walk *w, unsigned int n, bool whole);
enum flow memory_run(struct walk *w);
/* Check @bytes of memory at argument @n of a helper. Return false after a refusal. */
bool memory_arg(struct walk *w, unsigned int n, unsigned int bytes);
enum flow jump_run(struct walk *w);
enum flow call_run(struct walk *w);
enum flow exit_run(struct walk *w);

/* ---- rules.c, rules_call.c: the driver's rules, checked before each instruction ---- */
void rules_insn(struct walk *w);
void rules_call(struct walk *w, struct insn_info *info);

/* ---- optimize.c, size.c: the driver's translation ---- */
unsigned int size_count(struct walk *w);

#endif /* EXPLAIN_WALK_H */
