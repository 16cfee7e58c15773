/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * walk.h - one program while its paths are followed.
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
 * struct insn_info - what the driver remembers of an instruction
 * @seen: a path leads to it
 * @prune: states are compared here
 * @jump_target: history is recorded here
 * @ptr: the pointer it was last used with
 * @has_ptr: it was used with one
 * @ptr_moves: with another offset each time
 * @caller_stack: into a caller's stack
 * @zext: its upper half matters later
 * @half: of a division, instruction + 1 that wrote the lower half of the dividend alone;
 *	0 for none, -1 for several
 * @add_over, @add_within: what an atomic add adds may be, is always, over 16 bits
 * @umin_src, @umax_src, @umin_dst, @umax_dst: of operands, over all paths
 * @called, @arg_type, @key_off, @key_moves: of a call to a helper
 * @key_caller: its key is on a caller's stack
 * @unchecked: it moves the packet's start without a check, after another move
 * @event_map: its data are a value of this map
 * @cache: whether it reads, or uses, a range of packet (known in the second walk)
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
 * struct func - a function of a program, of instructions @start to before @end
 * @stack: bytes of its frame
 * @moves: it, or one that it calls, moves an end of the packet
 * @called: it is global, and has been called since it was last followed by itself
 */
struct func {
	int start, end;
	unsigned int stack;
	bool moves, called;
};

#define FUNCS	256

/**
 * struct walk - a program being examined
 * @st: the path that is followed
 * @pending: where paths have parted, last in first out
 * @same: states kept, by instruction
 * @all: all of them
 * @head_at: the only call that moves the packet's start by a constant, or -1
 * @head_by: that constant
 * @recursion: a call by which a function comes back to itself, or -1
 * @deep: the verifier gives up for calls that are too deep
 * @thorough: leave out no values, as the verifier does where only the driver cares
 * @cached: which loads are one to the JIT, when known
 * @tail: to be told of tail calls, or NULL, with @tail_arg
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

#define HEAD_ANY	(-2)	/* head_at: checked at run time */
#define MAX_STEPS	1000000
#define MAX_PENDING	8192

enum flow {
	FLOW_NEXT,	/* go on at st.insn */
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
/* Remember the path at @insn, for later. */
struct state *walk_push(struct walk *w, int insn);
struct links *walk_links(struct walk *w);
/* A refusal of the kernel's, for any device, unless the path is a guess: it ends. */
enum flow walk_refused(struct walk *w, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* Register @n of the current frame must be known precisely. */
void walk_precise(struct walk *w, unsigned int n);

/* ---- survey.c: once, before all paths ---- */
void survey(struct walk *w);
/* The number of the function that begins at @insn, or -1 */
int survey_func_at(const struct walk *w, int insn);
/* That of the function which @insn calls; -1 when it is no such call */
int survey_callee(const struct walk *w, int insn);
/**
 * struct reach - instructions to which something leads, whatever conditions say
 * @reached: it, and all that @todo was taken from
 * @todo: those whose next ones have not been looked at, @count of them
 */
struct reach {
	bool *reached;
	int *todo;
	int count, insns;
};

void reach_begin(struct reach *r, int insns, int at);
/* What may run after @insn, at @at */
void reach_from(struct reach *r, const struct bpf_insn *insn, int at);
void reach_end(struct reach *r);
/* A call of helper @id moves an end of the packet. */
bool moves_packet(uint32_t id);

/* ---- insn.c, memory.c, jump.c, call.c: the verifier's view ---- */
enum flow insn_run(struct walk *w);
/* Read, or write, a register as an operand; false when it holds nothing. */
bool operand_read(struct walk *w, unsigned int n, bool whole);
void operand_write(struct walk *w, unsigned int n, bool whole);
enum flow memory_run(struct walk *w);
/* Argument @n of a helper: memory that it uses; false: the path has ended. */
bool memory_arg(struct walk *w, unsigned int n, unsigned int bytes);
enum flow jump_run(struct walk *w);
enum flow call_run(struct walk *w);
enum flow exit_run(struct walk *w);

/* ---- rules.c, rules_call.c: the driver's, before each instruction ---- */
void rules_insn(struct walk *w);
void rules_call(struct walk *w, struct insn_info *info);

/* ---- optimize.c, size.c: the driver's translation ---- */
unsigned int size_count(struct walk *w);

#endif /* EXPLAIN_WALK_H */
