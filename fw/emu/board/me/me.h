/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * me.h - a microengine that executes instructions: the interface of the core.
 *
 * The core executes the instructions that the JIT compiler of the stock driver emits
 * (drivers/net/ethernet/netronome/nfp/bpf/jit.c and nfp_asm.h), and those of whole microengines
 * whose meaning public sources tell: GNU binutils' print_insn_nfp(), the headers and microcode of
 * flowenv and nic-firmware, and Intel's manual of the ancestor, the IXP2800. Any other
 * instruction is a fault (enum me_fault_reason): the core never guesses. Nothing of this was
 * compared with silicon.
 *
 * A program of the stock driver, one context at a time:
 *	img = me_image_new(start, words, n, &bad);	once for each program
 *	me_init(&me, &ops, priv);			once for each microengine
 *	me_hook(&me, done, NULL, NULL);			the address at which a program ends
 *	me_hook(&me, helper, fn, priv);			the address of a firmware function
 *	me_start(&me, ctx, img, start);			for each packet; then set the
 *	me_gpr_set(), me_lm_addr(), me.lm[]		registers that the firmware sets
 *	while (me_run(&me, ctx, budget) == ME_BUDGET)	until the program ends or faults
 *		;
 *
 * The firmware of a whole microengine, all contexts by turns:
 *	img = me_image_new_mode(ME_CTX8, 0, words, n, &bad);
 *	me_init(&me, &ops, priv);			ops.command executes commands
 *	me_start_all(&me, img, 0xff, 0);
 *	while (me_run_all(&me, budget) != ME_FAULT)	ME_WAIT: until a signal comes
 *		me_signal(&me.ctx[5], 3);
 *
 * After me_image_new(), nothing here allocates memory. Nothing is thread safe: the thread that
 * owns the board owns its microengines.
 */
#ifndef ME_H
#define ME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ME_CTXS		8	/* contexts */
#define ME_CTXS_BPF	4	/* contexts that the driver's programs may use */
#define ME_GPRS		32	/* in each bank, for each context; 16 in eight-context mode */
#define ME_XFERS	64	/* for each context: read (in) and write (out) registers; or 32 */
#define ME_LM_WORDS	1024	/* words of local memory, shared by the contexts */
#define ME_USTORE	16384	/* instructions: code addresses have 14 bits */
#define ME_HOOKS	16

struct board;
struct me;
struct me_image;

/* ---- images ---- */

/*
 * The use of an image. In four-context mode a whole microengine has the contexts 0, 2, 4 and 6, and
 * each has the registers of two.
 */
enum me_mode {
	ME_BPF,		/* a program of the stock driver; commands complete at once */
	ME_CTX4,	/* a whole microengine, four-context mode */
	ME_CTX8,	/* a whole microengine, eight-context mode */
};

/**
 * me_image_new() - decode a program of the stock driver (ME_BPF) for code addresses @start and up
 * @words: instructions as loaded, in host byte order: ECC in bits 51:45
 * @bad: if not NULL, gets the index of the word that was refused
 *
 * A word that the core does not support is not refused here: a card would not refuse it either.
 * A context that reaches the word faults.
 *
 * Return: an image with one reference, or NULL with errno: EINVAL (no words, or
 * beyond ME_USTORE), EBADMSG (ECC of @bad is wrong or bits 63:52 are set),
 * ENOMEM.
 */
struct me_image *me_image_new(unsigned int start, const uint64_t *words,
			      unsigned int n, unsigned int *bad);
struct me_image *me_image_new_mode(enum me_mode mode, unsigned int start, const uint64_t *words,
				   unsigned int n, unsigned int *bad);
struct me_image *me_image_get(struct me_image *img);
void me_image_put(struct me_image *img);	/* @img may be NULL */

/**
 * me_text_mode() - print an instruction in the vendor's assembler syntax
 *
 * In mode ME_BPF, registers have the numbers of four-context mode, and commands that the driver's
 * programs do not have are refused. me_text() is ME_CTX4.
 *
 * Return: 0, or -EINVAL if the core does not execute @insn; @buf then has the reason. @buf is
 * always NUL-terminated.
 */
int me_text_mode(uint64_t insn, enum me_mode mode, char *buf, size_t len);
int me_text(uint64_t insn, char *buf, size_t len);

/* ---- memory and commands ---- */

/* The address spaces of commands: command modes 4 and 1 of nfp_asm.h. */
enum me_space {
	ME_SPACE_PACKET,	/* packet addressing in CTM: 32 bits, A + B */
	ME_SPACE_MU,		/* a memory unit: 40 bits, (B << 8) + A */
};

/* CPP targets, as in nfp_cpp.h of the driver */
enum me_target {
	ME_TARGET_NBI = 1,
	ME_TARGET_ILA = 6,
	ME_TARGET_MU = 7,
	ME_TARGET_PCIE = 9,
	ME_TARGET_ARM = 10,
	ME_TARGET_CRYPTO = 12,
	ME_TARGET_CT = 14,
	ME_TARGET_CLS = 15,
};

/**
 * struct me_cmd - a command of a whole microengine
 * @target, @action, @token: what to do (enum me_target)
 * @len: length as encoded, or as the previous result overrides it
 * @xfer: first transfer register of @ctx
 * @bytes: byte mask, 0 if none is given
 * @data: 16 bits of immediate data, if @has_data
 * @has_ref: @data is a data reference instead, such as a ring number
 * @masters: the command names other masters or islands; @prev and @ref0 have them
 * @ctx, @sig_ctx: context that issued the command, and context that gets @signals
 * @signals: mask of signals that completion sends: 0, one, or a pair. Of a pair, a unit may clear
 *	the second, which tells a failure
 * @addr: 40 or 32 bits
 * @prev, @ref0: previous result and CmdIndirectRef0, valid if @indirect
 */
struct me_cmd {
	struct me *me;
	uint64_t addr;
	uint32_t prev;
	uint32_t ref0;
	uint16_t data;
	uint16_t signals;
	uint8_t target;
	uint8_t action;
	uint8_t token;
	uint8_t len;
	uint8_t xfer;
	uint8_t bytes;
	uint8_t ctx;
	uint8_t sig_ctx;
	bool indirect;
	bool has_data;
	bool has_ref;
	bool masters;
};

/*
 * The transfer registers of a command: @n words that the unit pushes to the context, or pulls from
 * it. NULL if the context has fewer: the command then is ME_FAULT_XFER.
 */
uint32_t *me_cmd_push(const struct me_cmd *cmd, unsigned int n);
const uint32_t *me_cmd_pull(const struct me_cmd *cmd, unsigned int n);

/* Complete a command: send its signals. The caller has written the registers by me_cmd_push(). */
void me_cmd_done(const struct me_cmd *cmd);

#define ME_CMD_LATER	(-1)

/**
 * struct me_ops - the memory that commands access
 * @command: execute a command of a whole microengine. Return ME_FAULT_NONE (the core sends the
 *	signals), ME_CMD_LATER (the callee has copied @cmd, and calls me_cmd_done() with the
 *	copy), or a reason of a fault: ME_FAULT_COMMAND if it does not know the command. Programs
 *	of the driver use @read, @write and @add only, whole microengines @command only
 * @read: read bytes, in the order of addresses. The core puts them into transfer registers in the
 *	byte order of the command
 * @write: write bytes, in the order of addresses
 * @add: add @v to a counter of 32 or (@wide) 64 bits, atomically for all others that use the
 *	memory. me_counter_add() computes the sum
 *
 * A command is complete when the callback returns, so a context that swaps out for a command
 * waits for nothing. A return value other than 0 is a fault of the context (ME_FAULT_MEMORY).
 * Programs compute addresses, so a callback must check them.
 */
struct me_ops {
	int (*read)(void *priv, enum me_space space, uint64_t addr,
		    void *buf, size_t len);
	int (*write)(void *priv, enum me_space space, uint64_t addr,
		     const void *buf, size_t len);
	int (*add)(void *priv, enum me_space space, uint64_t addr,
		   bool wide, uint64_t v);
	int (*command)(void *priv, struct me_cmd *cmd);
};

/* The board's memory units, without packet memory; @priv is the struct board. */
extern const struct me_ops me_mu_ops;

/**
 * struct me_board - the board as a whole microengine sees it: priv of me_board_ops
 * @thread: commands that wait for work at a work queue, one of each context; target 0: none
 */
struct me_board {
	struct board *b;
	struct me_cmd thread[ME_CTXS];
};

/* The commands of memory units, on the board's memory and rings. Others are ME_FAULT_COMMAND. */
extern const struct me_ops me_board_ops;

/*
 * Add @v to a counter. A counter is one big-endian word, or two, the low one first. The driver
 * swaps exactly these words of map values that a program adds to.
 */
void me_counter_add(void *mem, bool wide, uint64_t v);

/* ---- faults ---- */

enum me_fault_reason {
	ME_FAULT_NONE,
	ME_FAULT_ENCODING,	/* the meaning of the instruction is not known */
	ME_FAULT_OPERANDS,	/* both operands are in the same single-ported register file */
	ME_FAULT_NO_CODE,	/* no instruction and no hook at this address */
	ME_FAULT_SLOT,		/* branch or context swap in a defer slot */
	ME_FAULT_CSR_READ,	/* no immed, which takes the value, follows local_csr_rd */
	ME_FAULT_MUL,		/* multiply steps are out of order */
	ME_FAULT_LM_EARLY,	/* LM pointer or index used less than 4 cycles after its write */
	ME_FAULT_XFER,		/* command exceeds the last transfer register */
	ME_FAULT_INDIRECT,	/* override of indirect_ref that is not supported */
	ME_FAULT_SIGNAL,	/* context swaps out, and nothing would wake it */
	ME_FAULT_ALIGN,		/* the address of a counter is not aligned to its size */
	ME_FAULT_MEMORY,	/* me_ops refused the address */
	ME_FAULT_CSR,		/* a local CSR that the core does not have */
	ME_FAULT_COMMAND,	/* a command that me_ops does not have */
	ME_FAULT_BPT,		/* ctx_arb[bpt], which stops the microengine */
	ME_FAULT_REASONS
};

/**
 * struct me_fault - an instruction that a real microengine would refuse, or whose effect is not
 *   defined
 * @pc: code address of the instruction
 * @ctx: context that ran it
 * @insn: the instruction without ECC; 0 for ME_FAULT_NO_CODE
 * @mode: mode of its image
 */
struct me_fault {
	uint64_t insn;
	uint32_t pc;
	uint8_t ctx;
	uint8_t mode;
	enum me_fault_reason reason;
};

const char *me_fault_text(enum me_fault_reason reason);

/* Print reason, address, context and instruction; for a command also target, action and token. */
void me_fault_print(const struct me_fault *f, char *buf, size_t len);

/* ---- contexts ---- */

/* Layout of me_ctx.reg. An operand of a decoded instruction is an index into it. */
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
 * A context. Callers that act as its firmware use the functions below. The other fields belong to
 * the core.
 */
struct me_ctx {
	uint32_t reg[ME_REGS];
	uint32_t lm_addr[4];	/* local memory pointers, in bytes */
	uint64_t lm_ready[4];	/* last cycle that still uses the pointer's old value */
	struct me_image *img;
	uint32_t at;		/* index of the next instruction in img->insn */
	uint32_t outside;	/* code address outside of the image, if is_outside */
	bool is_outside;
	bool in_hook;
	bool ended;		/* has reached an exit, or killed itself */
	uint32_t ret;		/* return address: B0 when the hook was called */
	uint32_t rtn;		/* target of rtn, kept while its defer slots run */
	uint32_t zn;		/* result that the flags N and Z describe */
	uint32_t carry;
	uint32_t overflow;
	uint32_t prev;		/* previous result, for indirect_ref and asr */
	uint32_t prev_a;	/* previous A operand, for indirect shifts */
	uint32_t mul_a;
	uint32_t mul_b;
	uint8_t mul_type;
	uint8_t mul_next;	/* multiply step that is allowed next */
	uint32_t align;		/* operand of the previous byte_align */
	uint16_t signals;
	uint16_t wait;		/* signals that the context waits for */
	bool wait_any;
	uint32_t wakeup;	/* CSR ActCtxWkpEvt */
	uint16_t alarm;		/* CSR ActCtxFtrCnt: value of the time stamp */
	uint8_t alarm_sig;	/* CSR ActFtrCntSgl; 0: none */
	uint64_t cmd_addr;	/* address of a command, kept while its defer slots run */
	uint32_t cmd_prev;
	uint64_t insns;		/* instructions since me_start() */
	uint64_t stalls;	/* cycles in which no instruction was executed */
	uint64_t commands;	/* commands of a whole microengine */
	uint64_t swaps;		/* ctx_arb and commands that swap */
	struct me_fault fault;
};

static inline uint32_t me_gpr(const struct me_ctx *c, enum me_reg bank, unsigned int n)
{
	return c->reg[bank + n % ME_GPRS];
}

/* Set GPR @n in both banks, because a program reads results of helpers from either. */
static inline void me_gpr_set(struct me_ctx *c, unsigned int n, uint32_t v)
{
	c->reg[ME_R_A + n % ME_GPRS] = v;
	c->reg[ME_R_B + n % ME_GPRS] = v;
}

/* Set LM pointer @i (0 to 3). It may be used at once. */
static inline void me_lm_addr(struct me_ctx *c, unsigned int i, uint32_t bytes)
{
	c->lm_addr[i % 4] = bytes % (4 * ME_LM_WORDS);
	c->lm_ready[i % 4] = 0;
}

/* Return: the code address of the context's next instruction. */
unsigned int me_pc(const struct me_ctx *c);

/* Send signal @sig (1 to 15) to a context. */
void me_signal(struct me_ctx *c, unsigned int sig);

/* ---- running ---- */

enum me_status {
	ME_DONE,	/* the context has reached an exit address */
	ME_BUDGET,	/* the budget is used up: call again */
	ME_YIELD,	/* ctx_arb[voluntary]: let others run, then call again */
	ME_WAIT,	/* waits for me_signal(), or a hook has returned ME_HOOK_AGAIN */
	ME_FAULT,	/* see me_ctx.fault; lasts until me_start() */
};

enum me_hook_ret {
	ME_HOOK_RETURN,	/* continue at the address that B0 had at the call */
	ME_HOOK_AGAIN,	/* not ready: me_run() returns ME_WAIT, and then calls again */
	ME_HOOK_DONE,	/* the context has finished */
};

/**
 * typedef me_hook_fn - a firmware function at a published code address
 *
 * The function sees the registers as they were at the program's branch. B0 has the return
 * address. The core keeps a copy, because B0 is also a result register. The function must not
 * change registers that its callers expect to keep (LM0, LM1, R6 to R9 and so on).
 */
typedef enum me_hook_ret (*me_hook_fn)(struct me *me, struct me_ctx *c, void *priv);

/* A microengine. The caller, which acts as its firmware, may read and write @lm. */
struct me {
	struct me_ctx ctx[ME_CTXS];
	uint32_t lm[ME_LM_WORDS];
	const struct me_ops *ops;
	void *priv;
	uint32_t random;	/* state of PseudoRndNum; any value except 0 is a seed */
	/* For whole microengines */
	uint8_t island;		/* its place, for ActCtxStatus; the caller may set it */
	uint8_t number;		/* of the island's microengines, from 0 on */
	uint8_t current;	/* context that has run last */
	bool midway;		/* it has not swapped out yet */
	uint64_t clock;		/* cycles of all contexts, and idle ones */
	uint64_t time;		/* time stamp at cycle 0 */
	uint32_t ctx_enables;	/* CSRs */
	uint32_t ref0;
	uint32_t byte_index;
	uint32_t xfer_index;
	uint64_t xfer_ready;	/* last cycle that still uses the old index */
	uint32_t mailbox[4];
	unsigned int nhooks;
	struct {
		unsigned int addr;
		me_hook_fn fn;
		void *priv;
	} hook[ME_HOOKS];
};

void me_init(struct me *me, const struct me_ops *ops, void *priv);
void me_exit(struct me *me);	/* releases the images of the contexts */

/**
 * me_hook() - set what happens at code address @addr, outside of images
 * @fn: a firmware function, or NULL for an exit
 *
 * A later call for the same address replaces an earlier one. If an image covers the address, the
 * image is executed instead.
 *
 * Return: 0, -EINVAL (no such address) or -ENOSPC (ME_HOOKS are in use).
 */
int me_hook(struct me *me, unsigned int addr, me_hook_fn fn, void *priv);

/*
 * Start a context at code address @pc of @img. The context takes a reference to @img until the
 * next me_start() or me_exit(), so an image may be replaced while a context runs it. Registers
 * and LM pointers keep their values. Flags, signals, counts and a fault are cleared.
 */
void me_start(struct me *me, unsigned int ctx, struct me_image *img, unsigned int pc);

/**
 * me_run() - run a context until it has finished, waits, faults, or has used up the budget
 * @budget: number of instructions, where a hook counts as one. The core compares it at taken
 *	branches only, so a run may exceed it by one straight stretch of code. 0: run nothing
 */
enum me_status me_run(struct me *me, unsigned int ctx, uint64_t budget);

/* ---- whole microengines ---- */

/*
 * Start the contexts of the mask @ctxs, and stop the others. In four-context mode odd contexts do
 * not exist.
 */
void me_start_all(struct me *me, struct me_image *img, unsigned int ctxs, unsigned int pc);

/**
 * me_run_all() - run the contexts by turns
 * @budget: number of instructions, as for me_run()
 *
 * A context runs until it swaps out. The next ready one in the order of numbers follows.
 *
 * Return: ME_WAIT (all contexts wait for signals), ME_DONE (all have ended), ME_BUDGET, or
 * ME_FAULT (me_ctx.fault of context me.current).
 */
enum me_status me_run_all(struct me *me, uint64_t budget);

/*
 * Let @cycles pass in which no context runs, and send the signals of alarms that are due.
 * me_next_alarm() returns the cycles until the next one, UINT64_MAX for none.
 */
void me_idle(struct me *me, uint64_t cycles);
uint64_t me_next_alarm(const struct me *me);

#endif /* ME_H */
