// SPDX-License-Identifier: BSD-2-Clause
/* me.c - the contexts of a microengine: start, run, helpers (hooks), signals. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "me_int.h"

#define RANDOM_SEED	0x2545f491
#define SIGNALS		15

void me_init(struct me *me, const struct me_ops *ops, void *priv)
{
	unsigned int i, v;

	memset(me, 0, sizeof(*me));
	me->ops = ops;
	me->priv = priv;
	me->random = RANDOM_SEED;
	for (i = 0; i < ME_CTXS; i++)
		for (v = 0; v < 256; v++)
			me->ctx[i].reg[ME_R_K + v] = v;
}

void me_exit(struct me *me)
{
	unsigned int i;

	for (i = 0; i < ME_CTXS; i++) {
		me_image_put(me->ctx[i].img);
		me->ctx[i].img = NULL;
	}
}

static int find_hook(const struct me *me, unsigned int addr)
{
	unsigned int i;

	for (i = 0; i < me->nhooks; i++)
		if (me->hook[i].addr == addr)
			return i;
	return -1;
}

int me_hook(struct me *me, unsigned int addr, me_hook_fn fn, void *priv)
{
	int i = find_hook(me, addr);

	if (addr >= ME_USTORE)
		return -EINVAL;
	if (i < 0) {
		if (me->nhooks == ME_HOOKS)
			return -ENOSPC;
		i = me->nhooks++;
	}
	me->hook[i].addr = addr;
	me->hook[i].fn = fn;
	me->hook[i].priv = priv;
	return 0;
}

static void go(struct me_ctx *c, uint32_t pc)
{
	c->in_hook = false;
	c->is_outside = pc - c->img->start >= c->img->n;
	c->outside = pc;
	if (!c->is_outside)
		c->at = pc - c->img->start;
}

void me_start(struct me *me, unsigned int ctx, struct me_image *img, unsigned int pc)
{
	struct me_ctx *c = &me->ctx[ctx];
	struct me_image *old = c->img;
	unsigned int i;

	c->img = me_image_get(img);
	me_image_put(old);
	for (i = 0; i < 4; i++)
		c->lm_ready[i] = 0;
	c->zn = 0;
	c->carry = 0;
	c->overflow = 0;
	c->prev = 0;
	c->prev_a = 0;
	c->mul_type = 0;
	c->mul_next = UINT8_MAX;
	c->signals = 0;
	c->wait = 0;
	c->wakeup = 0;
	c->alarm_sig = 0;
	c->ended = false;
	c->insns = 0;
	c->commands = 0;
	c->swaps = 0;
	/* Start at cycle 1, so that LM pointers whose lm_ready is 0 may be used at once. */
	c->stalls = 1;
	memset(&c->fault, 0, sizeof(c->fault));
	go(c, pc);
}

unsigned int me_pc(const struct me_ctx *c)
{
	return c->is_outside ? c->outside : c->img->insn[c->at].pc;
}

void me_signal(struct me_ctx *c, unsigned int sig)
{
	if (sig && sig <= SIGNALS)
		c->signals |= 1u << sig;
}

bool me_ready(const struct me_ctx *c)
{
	uint16_t have = c->signals & c->wait;

	return c->wait_any ? have || !c->wait : have == c->wait;
}

/*
 * Return: true if the context need not sleep any more. Signals are consumed if it waited for all of them.
 * After a wait for any, br_signal consumes them: flowenv's functions test each signal after
 * wait_for_any().
 */
static bool awake(struct me_ctx *c)
{
	if (!me_ready(c))
		return false;
	if (!c->wait_any)
		c->signals &= ~c->wait;
	c->wait = 0;
	return true;
}

static enum me_status no_code(struct me *me, struct me_ctx *c)
{
	c->fault = (struct me_fault){
		.reason = ME_FAULT_NO_CODE,
		.pc = c->outside,
		.ctx = c - me->ctx,
		.mode = c->img->mode,
	};
	return ME_FAULT;
}

/*
 * The context has branched to an address outside of its image: run the hook there. Return
 * ME_BUDGET if the context continues in its image: the caller goes on while the budget lasts.
 */
static enum me_status outside(struct me *me, struct me_ctx *c)
{
	int i = find_hook(me, c->outside);

	if (i < 0)
		return no_code(me, c);
	if (!me->hook[i].fn)
		return ME_DONE;
	if (!c->in_hook)
		c->ret = c->reg[ME_R_B];
	c->in_hook = true;
	switch (me->hook[i].fn(me, c, me->hook[i].priv)) {
	case ME_HOOK_RETURN:
		go(c, c->ret);
		return ME_BUDGET;
	case ME_HOOK_AGAIN:
		return ME_WAIT;
	case ME_HOOK_DONE:
		break;
	}
	return ME_DONE;
}

enum me_status me_run_ctx(struct me *me, struct me_ctx *c, uint64_t budget, bool alone)
{
	const uint64_t end = budget > UINT64_MAX - c->insns ? UINT64_MAX : c->insns + budget;
	enum me_status st;

	if (c->fault.reason)
		return ME_FAULT;
	if (c->ended)
		return ME_DONE;
	if (!awake(c))
		return ME_WAIT;
	while (c->insns < end) {
		if (c->is_outside) {
			/*
			 * Count the hook as an instruction: a hook that returns to its own
			 * address must use up the budget.
			 */
			c->insns++;
			st = outside(me, c);
			if (st != ME_BUDGET)
				return st;
			continue;
		}
		switch (me_exec(me, c, end - c->insns)) {
		case ME_STOP_FAULT:
			return ME_FAULT;
		case ME_STOP_ARB:
			if (c->ended)
				return ME_DONE;
			if (!c->wait || !alone)
				return ME_YIELD;
			if (!awake(c))
				return ME_WAIT;
			break;
		case ME_STOP_BUDGET:
		case ME_STOP_OUTSIDE:
			break;
		}
	}
	return ME_BUDGET;
}

enum me_status me_run(struct me *me, unsigned int ctx, uint64_t budget)
{
	return me_run_ctx(me, &me->ctx[ctx], budget, true);
}

const char *me_fault_text(enum me_fault_reason reason)
{
	static const char *const text[ME_FAULT_REASONS] = {
		[ME_FAULT_NONE] = "none",
		[ME_FAULT_ENCODING] = "an instruction whose meaning is not known",
		[ME_FAULT_OPERANDS] = "both operands are in the same register file",
		[ME_FAULT_NO_CODE] = "no code at this address",
		[ME_FAULT_SLOT] = "a branch or a context swap in a defer slot",
		[ME_FAULT_CSR_READ] = "local_csr_rd is not followed by an immed",
		[ME_FAULT_MUL] = "a step of a multiplication is out of order",
		[ME_FAULT_LM_EARLY] = "an LM pointer or an index is used within 3 cycles after its write",
		[ME_FAULT_XFER] = "a command needs more transfer registers than there are",
		[ME_FAULT_INDIRECT] = "an override of indirect_ref that is not supported",
		[ME_FAULT_SIGNAL] = "a context swap without a signal",
		[ME_FAULT_ALIGN] = "the address of a counter is not aligned",
		[ME_FAULT_MEMORY] = "a command to an address without memory",
		[ME_FAULT_CSR] = "a local CSR that the emulation does not have",
		[ME_FAULT_COMMAND] = "a command that the emulation does not have",
		[ME_FAULT_BPT] = "a breakpoint, which stops the microengine",
	};

	return reason < ME_FAULT_REASONS ? text[reason] : "unknown";
}

void me_fault_print(const struct me_fault *f, char *buf, size_t len)
{
	char text[192], cmd[64] = "";
	struct me_insn in = { 0 };
	uint8_t target, action;

	me_text_mode(f->insn, f->mode, text, sizeof(text));
	me_decode(f->insn, f->mode, &in);
	if ((in.op == ME_OP_BUS || in.op == ME_OP_BUS_DEFER) &&
	    me_bus_target(in.act, &target, &action))
		snprintf(cmd, sizeof(cmd), " (target %u, action %u, token %u)", target, action,
			 ME_CMD_TOKEN(in.d1));
	snprintf(buf, len, "%s: address %u, context %u: %s%s", me_fault_text(f->reason), f->pc,
		 f->ctx, f->reason == ME_FAULT_NO_CODE ? "" : text, cmd);
}
