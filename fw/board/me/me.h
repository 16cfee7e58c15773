/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * me.h - a microengine that executes instructions.
 *
 * It executes every instruction that the JIT of the stock driver emits
 * (drivers/net/ethernet/netronome/nfp/bpf/jit.c and nfp_asm.h; the bit fields agree with GNU
 * binutils' print_insn_nfp()), for contexts in four-context mode. Any other instruction is a
 * fault (enum me_fault_reason): the core does not guess its meaning.
 *
 * Use:
 * 	img = me_image_new(start, words, n, &bad);	once for each load
 * 	me_init(&me, &ops, priv);			once for each microengine
 * 	me_hook(&me, done, NULL, NULL);			exit address
 * 	me_hook(&me, helper, fn, priv);			firmware function
 * 	me_start(&me, ctx, img, start);			for each packet, then set the
 * 	me_gpr_set(), me_lm_addr(), me.lm[]		registers and memory as firmware would
 * 	while (me_run(&me, ctx, budget) == ME_BUDGET)	and act on the other statuses
 * 		;
 *
 * Only me_image_new() allocates memory. Nothing here is thread safe: the thread that owns the
 * board owns its microengines.
 */
#ifndef ME_H
#define ME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ME_CTXS		4	/* contexts, four-context mode */
#define ME_GPRS		32	/* in each bank, for each context in this mode */
#define ME_XFERS	64	/* transfer registers: as many for reads, and for writes */
#define ME_LM_WORDS	1024	/* local memory, shared by the contexts */
#define ME_USTORE	16384	/* 14-bit code addresses */
#define ME_HOOKS	16

struct me;
struct me_image;

/* ---- images ---- */

/**
 * me_image_new() - decode a program for code addresses from @start on
 * @words: instructions as loaded, in host byte order, with ECC in bits 51:45
 * @bad: if not NULL, receives the index of the refused word
 *
 * A word that is not a known instruction is accepted here, as on a card. A context that reaches
 * the word gets a fault.
 *
 * Return: an image with one reference, or NULL with errno: EINVAL (no words, or beyond
 * 	ME_USTORE), EBADMSG (word @bad has a wrong ECC, or bits 63:52 are set), ENOMEM.
 */
struct me_image *me_image_new(unsigned int start, const uint64_t *words,
			      unsigned int n, unsigned int *bad);
struct me_image *me_image_get(struct me_image *img);
void me_image_put(struct me_image *img);	/* @img may be NULL */

/* Compute the ECC of an instruction, and put it into bits 51:45 (nfp_asm.c). */
uint64_t me_ecc(uint64_t insn);

/**
 * me_text() - write an instruction in the vendor's assembler syntax
 *
 * Return: 0, or -EINVAL if the core cannot execute the instruction; @buf then has the
 * 	reason. @buf is always terminated.
 */
int me_text(uint64_t insn, char *buf, size_t len);

/* ---- memory ---- */

/* Address space of a command: command modes 4 and 1 of nfp_asm.h. */
enum me_space {
	ME_SPACE_PACKET,	/* 32 bits, A + B: packet addressing in CTM */
	ME_SPACE_MU,		/* 40 bits, (B << 8) + A: a memory unit */
};

/**
 * struct me_ops - memory for the commands of a microengine
 * @read: read bytes in address order. The core puts them into transfer registers in the
 * 	byte order of the command
 * @write: write bytes in address order
 * @add: add @v to a counter of one 32-bit word, or of 64 bits, atomically. me_counter_add()
 * 	computes the sum
 *
 * A command is complete when the callback returns, so a context that swaps out for a command does
 * not wait. A return value other than 0 is a fault of the context (ME_FAULT_MEMORY). Programs
 * compute addresses, so the callbacks must expect any address.
 */
struct me_ops {
	int (*read)(void *priv, enum me_space space, uint64_t addr,
		    void *buf, size_t len);
	int (*write)(void *priv, enum me_space space, uint64_t addr,
		     const void *buf, size_t len);
	int (*add)(void *priv, enum me_space space, uint64_t addr,
		   bool wide, uint64_t v);
};

/* The memory units of a board, without packets. @priv is the struct board. */
extern const struct me_ops me_mu_ops;

/*
 * Add to a counter. A counter is big-endian words, the low word first. The driver swaps exactly
 * these words when it passes map values to which a program adds.
 */
void me_counter_add(void *mem, bool wide, uint64_t v);

/* ---- faults ---- */

enum me_fault_reason {
	ME_FAULT_NONE,
	ME_FAULT_ENCODING,	/* not an instruction that the stock JIT emits */
	ME_FAULT_OPERANDS,	/* both operands are in one single-ported register file */
	ME_FAULT_NO_CODE,	/* no code was loaded at this address */
	ME_FAULT_SLOT,		/* branch or context swap in a defer slot */
	ME_FAULT_CSR_READ,	/* local_csr_rd without an immed that takes the value */
	ME_FAULT_MUL,		/* multiply step out of order */
	ME_FAULT_LM_EARLY,	/* LM pointer used less than 4 cycles after it was written */
	ME_FAULT_XFER,		/* command beyond the last transfer register */
	ME_FAULT_INDIRECT,	/* override that the core does not support */
	ME_FAULT_SIGNAL,	/* swap out without a signal that could wake the context */
	ME_FAULT_ALIGN,		/* counter not aligned to its size */
	ME_FAULT_MEMORY,	/* me_ops refused the address */
	ME_FAULT_REASONS
};

/**
 * struct me_fault - something that a real microengine would not do, or that is undefined
 * @pc: code address of the instruction
 * @ctx: context that executed it
 * @insn: the instruction, without ECC; 0 for ME_FAULT_NO_CODE
 */
struct me_fault {
	uint64_t insn;
	uint32_t pc;
	uint8_t ctx;
	enum me_fault_reason reason;
};

const char *me_fault_text(enum me_fault_reason reason);

/* ---- contexts ---- */

/* Layout of me_ctx.reg. Operands are indices into it. */
enum me_reg {
	ME_R_A = 0,				/* GPRs */
	ME_R_B = ME_R_A + ME_GPRS,
	ME_R_IN = ME_R_B + ME_GPRS,		/* transfer registers */
	ME_R_OUT = ME_R_IN + ME_XFERS,
	ME_R_K = ME_R_OUT + ME_XFERS,		/* the 256 immediate operands */
	ME_R_NONE = ME_R_K + 256,		/* no destination */
	ME_REGS
};

/* A context. Firmware uses the functions below; the other fields belong to the core. */
struct me_ctx {
	uint32_t reg[ME_REGS];
	uint32_t lm_addr[4];	/* bytes */
	uint64_t lm_ready[4];	/* last cycle in which the pointer still has its old value */
	struct me_image *img;
	uint32_t at;		/* index of the next decoded instruction of img */
	uint32_t outside;	/* code address, while is_outside */
	bool is_outside;
	bool in_hook;
	uint32_t ret;		/* value of B0 when the hook was first called */
	uint32_t rtn;		/* rtn's target, kept until its defer slots are executed */
	uint32_t zn;		/* result from which N and Z are derived */
	uint32_t carry;
	uint32_t overflow;
	uint32_t prev;		/* previous result, for indirect_ref and asr */
	uint32_t prev_a;	/* previous A operand, for indirect shifts */
	uint32_t mul_a;
	uint32_t mul_b;
	uint8_t mul_type;
	uint8_t mul_next;	/* the multiply step that must come next */
	uint16_t signals;
	uint16_t wait;		/* signals that the context waits for */
	bool wait_any;
	uint64_t cmd_addr;	/* address of a command with defer slots */
	uint32_t cmd_prev;
	uint64_t insns;		/* executed since me_start() */
	/* cycles beyond one for each instruction, as far as LM pointers need them */
	uint64_t stalls;
	struct me_fault fault;
};

static inline uint32_t me_gpr(const struct me_ctx *c, enum me_reg bank, unsigned int n)
{
	return c->reg[bank + n % ME_GPRS];
}

/* Set both banks, because a program reads results of firmware functions from either bank. */
static inline void me_gpr_set(struct me_ctx *c, unsigned int n, uint32_t v)
{
	c->reg[ME_R_A + n % ME_GPRS] = v;
	c->reg[ME_R_B + n % ME_GPRS] = v;
}

/* Set LM pointer @i (0 to 3) with immediate effect. */
static inline void me_lm_addr(struct me_ctx *c, unsigned int i, uint32_t bytes)
{
	c->lm_addr[i % 4] = bytes % (4 * ME_LM_WORDS);
	c->lm_ready[i % 4] = 0;
}

/* Code address of the context's next instruction. */
unsigned int me_pc(const struct me_ctx *c);

/* Send signal 1 to 15 to a context. */
void me_signal(struct me_ctx *c, unsigned int sig);

/* ---- running ---- */

enum me_status {
	ME_DONE,	/* reached an exit address */
	ME_BUDGET,	/* not finished: call again */
	ME_YIELD,	/* ctx_arb[voluntary]: run the other contexts, then call again */
	ME_WAIT,	/* waits for me_signal(), or for a hook that returned ME_HOOK_AGAIN */
	ME_FAULT,	/* see me_ctx.fault; remains until me_start() */
};

enum me_hook_ret {
	ME_HOOK_RETURN,	/* continue at the address that B0 had at the call */
	ME_HOOK_AGAIN,	/* me_run() returns ME_WAIT; its next call calls the hook again */
	ME_HOOK_DONE,	/* the context is done */
};

/**
 * typedef me_hook_fn - a firmware function at a published code address
 *
 * The function sees the registers as the program's branch left them. B0 is the return address;
 * the core has saved it, because the function may return a result in B0. The function must not
 * change registers that the program expects unchanged (LM0, LM1, R6 to R9 and so on).
 */
typedef enum me_hook_ret (*me_hook_fn)(struct me *me, struct me_ctx *c, void *priv);

/* One microengine. The code that plays the firmware may read and write lm. */
struct me {
	struct me_ctx ctx[ME_CTXS];
	uint32_t lm[ME_LM_WORDS];
	const struct me_ops *ops;
	void *priv;
	uint32_t random;	/* PseudoRndNum; any seed except 0 */
	unsigned int nhooks;
	struct {
		unsigned int addr;
		me_hook_fn fn;
		void *priv;
	} hook[ME_HOOKS];
};

void me_init(struct me *me, const struct me_ops *ops, void *priv);
void me_exit(struct me *me);	/* drops the contexts' images */

/**
 * me_hook() - define what is at code address @addr outside of images
 * @fn: a firmware function, or NULL for an exit
 *
 * A later call for the same address replaces the earlier one. If an image covers the address, the
 * image is used.
 *
 * Return: 0, -EINVAL (no such address) or -ENOSPC (ME_HOOKS are in use).
 */
int me_hook(struct me *me, unsigned int addr, me_hook_fn fn, void *priv);

/*
 * Let a context start at code address @pc of @img. The context holds a reference to the image
 * until the next me_start() or me_exit(), so an image can be replaced while a context executes
 * it. Registers and LM pointers keep their values. Flags, signals, counts and a fault are
 * cleared.
 */
void me_start(struct me *me, unsigned int ctx, struct me_image *img, unsigned int pc);

/**
 * me_run() - run a context until it is done, waits, or has a fault
 * @budget: instructions after which to return. A firmware function counts as one. The
 * 	budget is checked at taken branches, so a run may exceed it by the instructions up to
 * 	the next branch. With 0 nothing is executed
 */
enum me_status me_run(struct me *me, unsigned int ctx, uint64_t budget);

#endif /* ME_H */
