/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* code.h - write BPF instructions one after another. The macros are like the kernel's. */
#ifndef SPLIT_CODE_H
#define SPLIT_CODE_H

#include <assert.h>
#include <linux/bpf.h>

#define CODE_MAX	192

/**
 * struct code - a part of a program
 * @insn: its instructions
 * @n: number of instructions
 */
struct code {
	struct bpf_insn insn[CODE_MAX];
	int n;
};

#define R(n)	BPF_REG_##n

#define INSN(c, d, s, o, i) \
	((struct bpf_insn){ .code = (c), .dst_reg = (d), .src_reg = (s), .off = (o), .imm = (i) })
#define MOV_REG(d, s)		INSN(BPF_ALU64 | BPF_MOV | BPF_X, d, s, 0, 0)
#define MOV_IMM(d, i)		INSN(BPF_ALU64 | BPF_MOV | BPF_K, d, 0, 0, i)
#define ALU_REG(op, d, s)	INSN(BPF_ALU64 | (op) | BPF_X, d, s, 0, 0)
#define ALU_IMM(op, d, i)	INSN(BPF_ALU64 | (op) | BPF_K, d, 0, 0, i)
#define TO_BE16(d)		INSN(BPF_ALU | BPF_END | BPF_TO_BE, d, 0, 0, 16)
#define LOAD(size, d, s, o)	INSN(BPF_LDX | BPF_MEM | (size), d, s, o, 0)
#define STORE(size, d, o, s)	INSN(BPF_STX | BPF_MEM | (size), d, s, o, 0)
#define ATOMIC_ADD64(d, o, s)	INSN(BPF_STX | BPF_ATOMIC | BPF_DW, d, s, o, BPF_ADD)
#define CALL(f)			INSN(BPF_JMP | BPF_CALL, 0, 0, 0, f)
#define JUMP_REG(op, d, s)	INSN(BPF_JMP | (op) | BPF_X, d, s, 0, 0)
#define JUMP_IMM(op, d, i)	INSN(BPF_JMP | (op) | BPF_K, d, 0, 0, i)
#define JUMP()			INSN(BPF_JMP | BPF_JA, 0, 0, 0, 0)
#define EXIT()			INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)

/* Append an instruction. Return its number, which code_here() needs for a jump. */
static inline int code_put(struct code *c, struct bpf_insn insn)
{
	assert(c->n < CODE_MAX);
	c->insn[c->n] = insn;
	return c->n++;
}

/* Make an earlier jump lead to the next instruction. */
static inline void code_here(struct code *c, int jump)
{
	c->insn[jump].off = (short)(c->n - jump - 1);
}

/* Load the address of a map. @pseudo says what @map is: a file descriptor or a number. */
static inline void code_map(struct code *c, int reg, int pseudo, int map)
{
	code_put(c, INSN(BPF_LD | BPF_IMM | BPF_DW, reg, pseudo, 0, map));
	code_put(c, INSN(0, 0, 0, 0, 0));
}

#endif /* SPLIT_CODE_H */
