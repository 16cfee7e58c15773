/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * me.h - a microengine that executes: the contract of the core.
 *
 * It runs every instruction that the JIT of the stock driver emits
 * (drivers/net/ethernet/netronome/nfp/bpf/jit.c and nfp_asm.h; bit fields agree
 * with GNU binutils' print_insn_nfp()), for contexts in four-context mode. What
 * is not emitted by it is a fault, not a guess: see enum me_fault_reason.
 *
 * Use:
 *	img = me_image_new(start, words, n, &bad);	once per load
 *	me_init(&me, &ops, priv);			once per microengine
 *	me_hook(&me, done, NULL, NULL);			exit address
 *	me_hook(&me, helper, fn, priv);			firmware function
 *	me_start(&me, ctx, img, start);			per packet, then set
 *	me_gpr_set(), me_lm_addr(), me.lm[]		what firmware would
 *	while (me_run(&me, ctx, budget) == ME_BUDGET)	or as its status says
 *		;
 *
 * Nothing here allocates after me_image_new(), and nothing is thread safe: the
 * thread that owns the board owns its microengines.
 */
#ifndef ME_H
#define ME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ME_CTXS		4	/* contexts, four-context mode */
#define ME_GPRS		32	/* of each bank, per context in that mode */
#define ME_XFERS	64	/* transfer registers in, and out, likewise */
#define ME_LM_WORDS	1024	/* local memory, shared by the contexts */
#define ME_USTORE	16384	/* 14-bit code addresses */
#define ME_HOOKS	16

struct me;
struct me_image;

/* ---- images ---- */

/**
 * me_image_new() - decode a program for code addresses @start and up
 * @words: instructions as loaded, in host byte order: ECC in bits 51:45
 * @bad: if not NULL, gets the index of the word that was refused
 *
 * A word that is no instruction the core knows does not fail here, as it would
 * not on a card: it is a fault when a context comes to it.
 *
 * Return: an image with one reference, or NULL with errno: EINVAL (no words, or
 * beyond ME_USTORE), EBADMSG (ECC of @bad is wrong or bits 63:52 are set),
 * ENOMEM.
 */
struct me_image *me_image_new(unsigned int start, const uint64_t *words,
			      unsigned int n, unsigned int *bad);
struct me_image *me_image_get(struct me_image *img);
void me_image_put(struct me_image *img);	/* NULL is fine */

/* ECC of an instruction, in place: bits 51:45 (nfp_asm.c). */
uint64_t me_ecc(uint64_t insn);

/**
 * me_text() - an instruction in the vendor's assembler syntax
 *
 * Return: 0, or -EINVAL when it is none that the core executes; @buf then says
 * why. Always terminated.
 */
int me_text(uint64_t insn, char *buf, size_t len);

/* ---- memory ---- */

/* What an address is in: command modes 4 and 1 of nfp_asm.h. */
enum me_space {
	ME_SPACE_PACKET,	/* 32 bits, A + B: packet addressing in CTM */
	ME_SPACE_MU,		/* 40 bits, (B << 8) + A: a memory unit */
};

/**
 * struct me_ops - memory as the microengine's commands reach it
 * @read: bytes in address order; the core puts them into transfer registers in
 *	the byte order of the command
 * @write: the other way round
 * @add: add @v to a counter of one 32-bit word, or of 64 bits; as one step to
 *	everything else that sees the memory. me_counter_add() does the sum
 *
 * Commands complete before the callback returns, so a context swap waits for
 * nothing. Any other return value than 0 is a fault of the context
 * (ME_FAULT_MEMORY). Any address may come: programs compute them.
 */
struct me_ops {
	int (*read)(void *priv, enum me_space space, uint64_t addr,
		    void *buf, size_t len);
	int (*write)(void *priv, enum me_space space, uint64_t addr,
		     const void *buf, size_t len);
	int (*add)(void *priv, enum me_space space, uint64_t addr,
		   bool wide, uint64_t v);
};

/* Memory units of a board, and no packets: @priv is its struct board. */
extern const struct me_ops me_mu_ops;

/*
 * The counter's form: big-endian words, the low one first (the driver swaps
 * exactly these words of map values that a program adds to).
 */
void me_counter_add(void *mem, bool wide, uint64_t v);

/* ---- faults ---- */

enum me_fault_reason {
	ME_FAULT_NONE,
	ME_FAULT_ENCODING,	/* no instruction that the stock JIT emits */
	ME_FAULT_OPERANDS,	/* both operands from one single-ported file */
	ME_FAULT_NO_CODE,	/* nothing was loaded at this address */
	ME_FAULT_SLOT,		/* branch or context swap in a defer slot */
	ME_FAULT_CSR_READ,	/* no immed after local_csr_rd takes its value */
	ME_FAULT_MUL,		/* multiply step out of order */
	ME_FAULT_LM_EARLY,	/* LM pointer used < 4 cycles after its write */
	ME_FAULT_XFER,		/* command beyond the last transfer register */
	ME_FAULT_INDIRECT,	/* override that is not understood */
	ME_FAULT_SIGNAL,	/* swap out that nothing would end */
	ME_FAULT_ALIGN,		/* counter not aligned to its size */
	ME_FAULT_MEMORY,	/* me_ops refused the address */
	ME_FAULT_REASONS
};

/**
 * struct me_fault - what a real microengine would not do, or not defined
 * @pc: code address of the instruction
 * @ctx: context that ran it
 * @insn: the word there, without ECC; 0 for ME_FAULT_NO_CODE
 */
struct me_fault {
	uint64_t insn;
	uint32_t pc;
	uint8_t ctx;
	enum me_fault_reason reason;
};

const char *me_fault_text(enum me_fault_reason reason);

/* ---- contexts ---- */

/* Where things are in me_ctx.reg: operands are indices into it. */
enum me_reg {
	ME_R_A = 0,				/* GPRs */
	ME_R_B = ME_R_A + ME_GPRS,
	ME_R_IN = ME_R_B + ME_GPRS,		/* transfer registers */
	ME_R_OUT = ME_R_IN + ME_XFERS,
	ME_R_K = ME_R_OUT + ME_XFERS,		/* the 256 immediate operands */
	ME_R_NONE = ME_R_K + 256,		/* no destination */
	ME_REGS
};

/*
 * A context. Firmware's side of the contract goes through the functions below;
 * the rest of the state is the core's.
 */
struct me_ctx {
	uint32_t reg[ME_REGS];
	uint32_t lm_addr[4];	/* bytes */
	uint64_t lm_ready[4];	/* last cycle the pointer's old value counts */
	struct me_image *img;
	uint32_t at;		/* next of img's decoded instructions */
	uint32_t outside;	/* code address, when not in the image */
	bool is_outside;
	bool in_hook;
	uint32_t ret;		/* B0 as the hook found it */
	uint32_t rtn;		/* latched by rtn for after its slots */
	uint32_t zn;		/* result that N and Z are of */
	uint32_t carry;
	uint32_t overflow;
	uint32_t prev;		/* previous result: indirect_ref, asr */
	uint32_t prev_a;	/* previous A operand: indirect shift */
	uint32_t mul_a;
	uint32_t mul_b;
	uint8_t mul_type;
	uint8_t mul_next;	/* step that must come next */
	uint16_t signals;
	uint16_t wait;		/* signals it sleeps for */
	bool wait_any;
	uint64_t cmd_addr;	/* latched by a command with defer slots */
	uint32_t cmd_prev;
	uint64_t insns;		/* executed since me_start() */
	uint64_t stalls;	/* cycles beyond one each, as far as they matter */
	struct me_fault fault;
};

static inline uint32_t me_gpr(const struct me_ctx *c, enum me_reg bank, unsigned int n)
{
	return c->reg[bank + n % ME_GPRS];
}

/* Both banks: results of firmware functions are read from either. */
static inline void me_gpr_set(struct me_ctx *c, unsigned int n, uint32_t v)
{
	c->reg[ME_R_A + n % ME_GPRS] = v;
	c->reg[ME_R_B + n % ME_GPRS] = v;
}

/* Set LM pointer @i (0 to 3), to take effect at once. */
static inline void me_lm_addr(struct me_ctx *c, unsigned int i, uint32_t bytes)
{
	c->lm_addr[i % 4] = bytes % (4 * ME_LM_WORDS);
	c->lm_ready[i % 4] = 0;
}

/* Code address the context is at. */
unsigned int me_pc(const struct me_ctx *c);

/* Give a context a signal, 1 to 15. */
void me_signal(struct me_ctx *c, unsigned int sig);

/* ---- running ---- */

enum me_status {
	ME_DONE,	/* came to an exit address */
	ME_BUDGET,	/* more to do: call again */
	ME_YIELD,	/* ctx_arb[voluntary]: call again after the others */
	ME_WAIT,	/* waits for me_signal(), or for a hook that said so */
	ME_FAULT,	/* see me_ctx.fault; stays so until me_start() */
};

enum me_hook_ret {
	ME_HOOK_RETURN,	/* go on at the address that B0 held at the call */
	ME_HOOK_AGAIN,	/* not now: me_run() says ME_WAIT, and calls again */
	ME_HOOK_DONE,	/* the context is done */
};

/**
 * typedef me_hook_fn - a firmware function at a published code address
 *
 * It sees the registers as the program's branch left them, B0 the return
 * address, which the core keeps, since B0 is a result register as well. What it
 * must preserve (LM0, LM1, R6 to R9 and so on) it preserves by leaving it.
 */
typedef enum me_hook_ret (*me_hook_fn)(struct me *me, struct me_ctx *c, void *priv);

/* One microengine. lm may be read and written by whoever plays its firmware. */
struct me {
	struct me_ctx ctx[ME_CTXS];
	uint32_t lm[ME_LM_WORDS];
	const struct me_ops *ops;
	void *priv;
	uint32_t random;	/* PseudoRndNum; any value but 0 is a seed */
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
 * me_hook() - say what is at code address @addr outside of images
 * @fn: a firmware function, or NULL for an exit
 *
 * A later call for the same address replaces the earlier. An image that covers
 * the address hides it.
 *
 * Return: 0, -EINVAL (no such address) or -ENOSPC (ME_HOOKS are in use).
 */
int me_hook(struct me *me, unsigned int addr, me_hook_fn fn, void *priv);

/*
 * Point a context at code address @pc of @img, of which it takes a reference
 * until the next me_start() or me_exit(). So an image may be replaced while a
 * context is in the middle of it. Registers and LM pointers stay as they are;
 * flags, signals, counts and a fault are cleared.
 */
void me_start(struct me *me, unsigned int ctx, struct me_image *img, unsigned int pc);

/**
 * me_run() - run a context until it is done, waits or faults
 * @budget: instructions after which to come back, a firmware function counting
 *	as one. Looked at where a branch is taken, so a run may overdraw by a
 *	straight stretch of code; at 0 nothing is done
 */
enum me_status me_run(struct me *me, unsigned int ctx, uint64_t budget);

#endif /* ME_H */
