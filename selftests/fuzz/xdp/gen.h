/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * gen.h - declarations for the parts of the generator.
 *
 * For each register and each byte of the stack, the generator knows what the verifier will know,
 * as far as it decides which accesses are allowed. So nearly all programs load. It does not track
 * the range of numbers: where a range matters, instructions directly before establish it.
 */
#ifndef GEN_H
#define GEN_H

#include "fuzz.h"

#define STACK_MAX	256
#define FUNCS		3
#define R10		10

enum kind {
	K_NONE,		/* must not be read */
	K_SCALAR,	/* a number */
	K_PKT,		/* a pointer into the packet */
	K_STACK,	/* in a function: a pointer to 16 bytes of its caller's stack */
	K_VALUE,	/* a pointer to a map's value */
	K_CTX,		/* a pointer to the context */
	K_LOST,		/* stack slot that holds a pointer on some paths */
};

/**
 * struct reg - contents of a register
 * @kind: kind of contents
 * @off: offset of a pointer from its base, or from the beginning of the map's value
 * @range: bytes from there that may be accessed
 * @id: number of a pointer's base, for bases within the packet
 * @map: map of a value
 */
struct reg {
	enum kind kind;
	int off, range;
	unsigned int id, map;
};

/**
 * struct state - what is known at one place in the program
 * @r: registers
 * @init: byte R10 - 1 - i of the stack holds part of a number
 * @slot: pointer in the 8 bytes at R10 - 8 - 8i of the stack, if any
 * @joined: several paths lead here; the verifier may prune one of them although numbers differ
 * @locked: in a loop: registers that are numbers or pointers at its head must stay so
 * @no_calls: in a loop that uses registers 0 to 5
 */
struct state {
	struct reg r[R10];
	bool init[STACK_MAX];
	struct reg slot[STACK_MAX / 8];
	bool joined, locked, no_calls;
};

/**
 * struct func - a function of the program; its call is generated before the function is
 * @arg: kind of its third argument; the first two are numbers
 * @level: depth of calls at which it runs; the program has level 0
 * @start: its first instruction
 */
struct func {
	enum kind arg;
	unsigned int level;
	unsigned int start;
};

struct gen {
	struct program *p;
	uint64_t rng;
	uint32_t allow;
	struct state s;
	int ctx, pkt;		/* registers that always hold context and packet, or -1 */
	int sum;		/* register that sums up results, or -1 */
	uint32_t pinned;	/* registers that must not be overwritten */
	unsigned int units, unit;	/* number of units so far; unit of the current statement */
	unsigned int nesting;
	unsigned int level;	/* depth of calls */
	unsigned int stack;	/* bytes of this frame's stack */
	unsigned int ids;
	struct func func[FUNCS];
	unsigned int funcs;
	struct {
		unsigned int at, func;
	} call[32];
	unsigned int calls;
	int head;		/* most bytes that may have been removed at the head */
	int head_back;		/* most bytes that may have been added at the head */
	bool adjusted_head, adjusted_tail;
	bool uninit;		/* the packet has bytes that were not initialized */
};

/* ---- gen.c ---- */

uint32_t below(struct gen *g, uint32_t n);	/* a random number from 0 to n - 1 */
bool one_in(struct gen *g, uint32_t n);
int32_t any_imm(struct gen *g);
bool allowed(const struct gen *g, enum avoid a);

unsigned int emit(struct gen *g, uint8_t code, int dst, int src, int off, int32_t imm);
void mov(struct gen *g, int dst, int src);
void mov_imm(struct gen *g, int dst, int32_t imm);
void add_imm(struct gen *g, int dst, int32_t imm);
/* Make the jump at @at go to the next instruction. */
void land(struct gen *g, unsigned int at);

/* Return a register of kind @k, or -1. */
int pick(struct gen *g, enum kind k);
/*
 * Return a register that may be overwritten, or -1. pick_dst(): by a number; the caller calls
 * set_scalar(). pick_temp(): by anything.
 */
int pick_dst(struct gen *g);
int pick_temp(struct gen *g);
void set_scalar(struct gen *g, int r);
void forget(struct gen *g, int r);
void forget_caller_saved(struct gen *g);
void merge(struct gen *g, const struct state *other);
void block(struct gen *g, unsigned int statements);

/* Emit a jump on a random condition of numbers; return its place. */
unsigned int condition(struct gen *g);
/* Load @size bytes that the verifier cannot know; return the register, or -1. */
int opaque(struct gen *g, int size);

/* Return the opcode of a load or store of @size bytes. */
uint8_t mem_code(int class, int size);

/* ---- statements; each returns false if it has emitted nothing ---- */

typedef bool statement(struct gen *g);

/* gen_alu.c, gen_pkt.c, gen_stack.c, gen_call.c */
statement st_alu, st_mov, st_shift_imm, st_shift_reg, st_mul, st_div, st_end, st_neg, st_wide;
statement st_load, st_store, st_copy, st_pointer, st_variable, st_check, st_paths;
statement st_stack_store, st_stack_load, st_stack_pointer, st_stack_either, st_spill, st_fill;
statement st_caller_stack;
statement st_lookup, st_update, st_delete, st_random, st_head, st_tail, st_call;

/* gen_stack.c: return an aligned place of @size bytes (@init: that hold numbers), or 0 */
int stack_place(struct gen *g, int size, bool init);
void stack_write(struct gen *g, int off, int size);
/* gen_pkt.c: load the packet pointer again, and exit if the packet has less than @range bytes. */
void reload(struct gen *g, int range);

#endif /* GEN_H */
