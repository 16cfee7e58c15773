/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * gen.h - what the parts of the generator share.
 *
 * The generator knows of each register and of each byte of the stack what the
 * verifier will know, as far as that decides what may be done with it: so nearly
 * all programs load. Of numbers it knows nothing: where a range matters, the
 * instructions that make it come just before.
 */
#ifndef GEN_H
#define GEN_H

#include "fuzz.h"

#define STACK_MAX	256
#define FUNCS		3
#define R10		10

enum kind {
	K_NONE,		/* not to be read */
	K_SCALAR,
	K_PKT,		/* into the packet */
	K_STACK,	/* a function's caller's, 16 bytes */
	K_VALUE,	/* of a map */
	K_CTX,
	K_LOST,		/* on the stack: on some ways a pointer */
};

/**
 * struct reg - what a register holds
 * @off: of a pointer, from where it began: a base, the map's value
 * @range: that many bytes from there on may be accessed
 * @id: pointers into the packet with a base of their own
 * @map: of a value
 */
struct reg {
	enum kind kind;
	int off, range;
	unsigned int id, map;
};

/**
 * struct state - at one place in the program
 * @init: byte R10 - 1 - i of the stack holds part of a number
 * @slot: the 8 bytes R10 - 8 - 8i hold a pointer
 * @joined: there are several ways to here, of which the verifier may take one
 *	for another although numbers differ
 * @locked: in a loop: what is a number or a pointer at its head stays one
 * @no_calls: in a loop whose registers 0 to 5 are in use
 */
struct state {
	struct reg r[R10];
	bool init[STACK_MAX];
	struct reg slot[STACK_MAX / 8];
	bool joined, locked, no_calls;
};

/**
 * struct func - a function of the program, called before it is generated
 * @arg: kind of its third argument; the first two are numbers
 * @level: frames between it and the program, that one included
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
	int ctx, pkt;		/* registers that hold them throughout, -1: none, */
	int sum;		/* and what has been computed on the way */
	uint32_t pinned;	/* registers that are not to be overwritten */
	unsigned int units, unit;	/* so far, and of what is emitted now */
	unsigned int nesting;
	unsigned int level;	/* of calls */
	unsigned int stack;	/* bytes of this frame */
	unsigned int ids;
	struct func func[FUNCS];
	unsigned int funcs;
	struct {
		unsigned int at, func;
	} call[32];
	unsigned int calls;
	int head;		/* bytes taken from the head at most, and */
	int head_back;		/* added to it */
	bool adjusted_head, adjusted_tail;
	bool uninit;		/* bytes of the packet are what they were before */
};

/* ---- gen.c ---- */

uint32_t below(struct gen *g, uint32_t n);	/* 0 to n - 1 */
bool one_in(struct gen *g, uint32_t n);
int32_t any_imm(struct gen *g);
bool allowed(const struct gen *g, enum avoid a);

unsigned int emit(struct gen *g, uint8_t code, int dst, int src, int off, int32_t imm);
void mov(struct gen *g, int dst, int src);
void mov_imm(struct gen *g, int dst, int32_t imm);
void add_imm(struct gen *g, int dst, int32_t imm);
/* The jump at @at goes to what is emitted next. */
void land(struct gen *g, unsigned int at);

/* A register of that kind, or -1. */
int pick(struct gen *g, enum kind k);
/* One that may be overwritten: with a number, which is noted, or at all. */
int pick_dst(struct gen *g);
int pick_temp(struct gen *g);
void set_scalar(struct gen *g, int r);
void forget(struct gen *g, int r);
void forget_caller_saved(struct gen *g);
void merge(struct gen *g, const struct state *other);
void block(struct gen *g, unsigned int statements);

/* A jump on a condition of numbers, taken when it holds. */
unsigned int condition(struct gen *g);
/* A register is loaded with what no one can know: @size bytes; -1: it cannot be. */
int opaque(struct gen *g, int size);

/* Load or store of @size bytes. */
uint8_t mem_code(int class, int size);

/* ---- statements: false when nothing was emitted ---- */

typedef bool statement(struct gen *g);

/* gen_alu.c, gen_pkt.c, gen_stack.c, gen_call.c */
statement st_alu, st_mov, st_shift_imm, st_shift_reg, st_mul, st_div, st_end, st_neg, st_wide;
statement st_load, st_store, st_copy, st_pointer, st_variable, st_check, st_paths;
statement st_stack_store, st_stack_load, st_stack_pointer, st_stack_either, st_spill, st_fill;
statement st_caller_stack;
statement st_lookup, st_update, st_delete, st_random, st_head, st_tail, st_call;

/* gen_stack.c: @size bytes of the stack, aligned; @init: that hold numbers; 0: none */
int stack_place(struct gen *g, int size, bool init);
void stack_write(struct gen *g, int off, int size);
/* gen_pkt.c: the program's own pointer anew, for @range bytes, or it ends. */
void reload(struct gen *g, int range);

#endif /* GEN_H */
