// SPDX-License-Identifier: BSD-2-Clause
/*
 * me_bus.c - commands of whole microengines: fields, overrides, signals.
 *
 * flowenv's gro/_uc/iref.uc tells what indirect_ref overrides by the previous result, and by
 * CmdIndirectRef0. Its mem_atomic.c and mem_ring.c tell which commands end with a pair of signals,
 * an even one and the next one.
 *
 * A command reads its transfer registers when it is issued, or after its defer slots. Silicon reads
 * them later; firmware that relies on that is wrong.
 */
#include "me_int.h"

#define OV_SM		(1 << 0)	/* signal master */
#define OV_MASTER	(3 << 1)	/* data master, signal master, island */
#define OV_DATA(p)	((p) >> 3 & 7)
#define OV_BYTES	(1 << 6)
#define OV_LEN		(1 << 7)
#define OV_SIG_NUM	(1 << 13)
#define OV_SIG_CTX	(1 << 14)
#define OV_TARGET	(1 << 15)

enum { DATA_NONE, DATA_REF, DATA_16, DATA_BYTES = 6 };

bool me_bus_target(unsigned int field, uint8_t *target, uint8_t *action)
{
	static const uint8_t low[8] = {
		ME_TARGET_ILA, ME_TARGET_NBI, 0, ME_TARGET_PCIE, 0, ME_TARGET_CRYPTO,
		ME_TARGET_ARM, ME_TARGET_CT,
	};

	if (field < 0x20) {
		*target = low[field >> 2];
		*action = field & 3;
		return *target;
	}
	*target = field >= 0x60 ? ME_TARGET_CLS : ME_TARGET_MU;
	*action = field & 0x1f;
	return field >= 0x40;
}

static enum me_fault_reason override(struct me_cmd *cmd, unsigned int *sig)
{
	uint32_t p = cmd->prev;

	cmd->masters = p & (OV_SM | OV_MASTER);
	if (p & OV_TARGET)
		return ME_FAULT_INDIRECT;
	if (p & OV_BYTES)
		cmd->bytes = cmd->ref0;
	if (p & OV_LEN)
		cmd->len = p >> 8 & 0x1f;
	if (p & OV_SIG_NUM)
		*sig = cmd->ref0 >> 9 & 0xf;
	if (p & OV_SIG_CTX)
		cmd->sig_ctx = cmd->ref0 >> 13 & 7;
	cmd->data = p >> 16;
	switch (OV_DATA(p)) {
	case DATA_NONE:
		break;
	case DATA_REF:
		cmd->data &= 0x3fff;
		cmd->has_ref = true;
		break;
	case DATA_16:
		cmd->has_data = true;
		break;
	case DATA_BYTES:
		cmd->bytes = cmd->data;
		break;
	default:
		return ME_FAULT_INDIRECT;
	}
	return ME_FAULT_NONE;
}

/*
 * Return: true if the command both pulls and pushes, or tells a failure by a second signal.
 */
static bool pair(const struct me_cmd *cmd)
{
	bool test = cmd->token == 1;

	if (cmd->target != ME_TARGET_MU)
		return false;
	switch (cmd->action) {
	case 3:			/* test_compare_write */
		return cmd->token == 3;
	case 4 ... 10:		/* swap, test_set, test_clr, test_add, ... */
	case 15:
		return test;
	case 12:		/* CAM: the key, the answer */
		return true;
	case 20:		/* put */
	case 21:		/* get: without get_eop, get_freely */
	case 22:
		return cmd->token == 0;
	default:
		return false;
	}
}

enum me_fault_reason me_bus(struct me *me, struct me_ctx *c, const struct me_insn *in,
			    uint64_t addr, uint32_t prev)
{
	bool swap = (in->d1 & ME_CMD_CTX) != ME_CMD_NO_SWAP;
	struct me_cmd cmd = {
		.me = me, .addr = addr, .token = ME_CMD_TOKEN(in->d1), .len = in->x,
		.xfer = in->d0, .ctx = c - me->ctx, .sig_ctx = c - me->ctx,
		.indirect = in->d1 & ME_CMD_INDIR,
	};
	enum me_fault_reason why;
	unsigned int sig = in->y;
	int ret;

	me_bus_target(in->act, &cmd.target, &cmd.action);
	if (cmd.indirect) {
		cmd.prev = prev;
		cmd.ref0 = me->ref0;
		why = override(&cmd, &sig);
		if (why)
			return why;
	}
	cmd.signals = sig ? (pair(&cmd) ? 3 << (sig & ~1u) : 1 << sig) : 0;
	c->commands++;
	if (swap) {
		c->wait = cmd.signals & ~1u;
		c->wait_any = false;
	}
	ret = me->ops->command ? me->ops->command(me->priv, &cmd) : ME_FAULT_COMMAND;
	if (ret == ME_CMD_LATER)
		return ME_FAULT_NONE;
	if (!ret)
		me_cmd_done(&cmd);
	return ret;
}

static bool fits(const struct me_cmd *cmd, unsigned int n)
{
	enum me_mode mode = cmd->me->ctx[cmd->ctx].img->mode;

	return cmd->xfer + n <= (mode == ME_CTX8 ? ME_XFERS / 2 : ME_XFERS);
}

uint32_t *me_cmd_push(const struct me_cmd *cmd, unsigned int n)
{
	return fits(cmd, n) ? &cmd->me->ctx[cmd->ctx].reg[ME_R_IN + cmd->xfer] : NULL;
}

const uint32_t *me_cmd_pull(const struct me_cmd *cmd, unsigned int n)
{
	return fits(cmd, n) ? &cmd->me->ctx[cmd->ctx].reg[ME_R_OUT + cmd->xfer] : NULL;
}

void me_cmd_done(const struct me_cmd *cmd)
{
	unsigned int sig;

	for (sig = 1; sig < 16; sig++)
		if (cmd->signals >> sig & 1)
			me_signal(&cmd->me->ctx[cmd->sig_ctx], sig);
}
