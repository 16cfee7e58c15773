// SPDX-License-Identifier: BSD-2-Clause
/* me_text_flow.c - print operands, local CSRs, branches, context arbitration, commands. */
#include <stdarg.h>
#include <stdio.h>

#include "me_int.h"

void me_put(struct me_put *t, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(t->buf + t->used, t->len - t->used, fmt, ap);
	va_end(ap);
	t->used += (size_t)n < t->len - t->used ? (size_t)n : t->len - t->used - 1;
}

static void put_far(struct me_put *t, unsigned int o)
{
	static const char *const step[] = { "", "++", "--" };

	switch (o & ME_KIND) {
	case ME_LM:
		me_put(t, "*l$index%u", ME_LM_PTR(o));
		if (o & ME_LM_POST)
			me_put(t, "%s", o & 1 ? "--" : "++");
		else if (o & ME_LM_OFF)
			me_put(t, "[%u]", o & ME_LM_OFF);
		break;
	case ME_ABS:
		me_put(t, "@gpr%c_%u", o & ME_ABS_B ? 'B' : 'A',
		       ME_ABS_CTX(o) * 16 + ME_ABS_REG(o));
		break;
	case ME_XIDX:
		me_put(t, "*$index%s", step[o & 3]);
		break;
	}
}

void me_put_operand(struct me_put *t, unsigned int o)
{
	if (o & ME_FAR)
		put_far(t, o);
	else if (o < ME_R_B)
		me_put(t, "gprA_%u", o - ME_R_A);
	else if (o < ME_R_IN)
		me_put(t, "gprB_%u", o - ME_R_B);
	else if (o < ME_R_K)
		me_put(t, "$xfer_%u", (o - ME_R_IN) % ME_XFERS);
	else if (o < ME_R_NONE)
		me_put(t, "0x%x", o - ME_R_K);
	else
		me_put(t, "--");
}

static void put_csr(struct me_put *t, const struct me_insn *in)
{
	const char *name = me_csr_name(in->d0);

	me_put(t, "local_csr_%s[", in->op == ME_OP_CSR_RD ? "rd" : "wr");
	if (name)
		me_put(t, "%s", name);
	else
		me_put(t, "0x%x", in->d0);
	if (in->op != ME_OP_CSR_RD) {
		me_put(t, ", ");
		me_put_operand(t, in->a);
	}
	me_put(t, "]");
}

static void put_defer(struct me_put *t, unsigned int slots)
{
	if (slots)
		me_put(t, ", defer[%u]", slots);
}

static void put_branch(struct me_put *t, const struct me_insn *in)
{
	static const char *const name[] = {
		[ME_OP_BEQ] = "beq", [ME_OP_BNE] = "bne", [ME_OP_BMI] = "bmi",
		[ME_OP_BPL] = "bpl", [ME_OP_BHS] = "bcs", [ME_OP_BLO] = "bcc",
		[ME_OP_BVS] = "bvs", [ME_OP_BVC] = "bvc", [ME_OP_BGE] = "bge",
		[ME_OP_BLT] = "blt", [ME_OP_BLE] = "ble", [ME_OP_BGT] = "bgt",
		[ME_OP_BR] = "br", [ME_OP_BR_CTX] = "br=ctx", [ME_OP_BR_NCTX] = "br!=ctx",
		[ME_OP_BR_SIG] = "br_signal", [ME_OP_BR_NSIG] = "br_!signal",
		[ME_OP_BR_BSET] = "br_bset", [ME_OP_BR_BCLR] = "br_bclr",
		[ME_OP_BR_BYTE_EQ] = "br=byte", [ME_OP_BR_BYTE_NE] = "br!=byte",
	};

	me_put(t, "%s[", name[in->op]);
	if (in->op > ME_OP_BR_NSIG) {
		me_put_operand(t, in->a);
		me_put(t, ", ");
	}
	if (in->op > ME_OP_BR)
		me_put(t, "%u, ", in->d0);
	if (in->op == ME_OP_BR_BYTE_EQ || in->op == ME_OP_BR_BYTE_NE) {
		me_put_operand(t, in->b);
		me_put(t, ", ");
	}
	me_put(t, ".%u]", in->d1);
	put_defer(t, in->x);
}

static void put_rtn(struct me_put *t, const struct me_insn *in)
{
	me_put(t, in->d1 ? "jump[" : "rtn[");
	me_put_operand(t, in->a);
	if (in->d1)
		me_put(t, ", .%u", in->d1);
	me_put(t, "]");
	put_defer(t, in->x);
}

static void put_arb(struct me_put *t, const struct me_insn *in)
{
	const char *sep = "";
	unsigned int i;

	if (in->op == ME_OP_BPT) {
		me_put(t, "ctx_arb[bpt]");
		return;
	}
	me_put(t, "ctx_arb[%s", in->d0 == 1 ? "voluntary" : in->y & ME_ARB_CSR ? "--" :
	       !in->d0 ? "kill" : "");
	for (i = 1; i < 16; i++) {
		if (!(in->d0 >> i & 1))
			continue;
		me_put(t, "%ssig%u", sep, i);
		sep = ", ";
	}
	me_put(t, "]%s", in->d0 && in->x ? ", any" : "");
	if (in->y & ME_ARB_BR)
		me_put(t, ", br[.%u]", in->d1);
	put_defer(t, in->act);
}

static void put_cmd(struct me_put *t, const struct me_insn *in)
{
	unsigned int defer = in->d1 & ME_CMD_CTX;
	bool mu = in->d1 & ME_CMD_MU;
	uint8_t target, action;
	const char *unit;
	char name[96];

	me_bus_target(in->act, &target, &action);
	me_cmd_name(target, action, ME_CMD_TOKEN(in->d1), in->x, &unit, name, sizeof(name));
	me_put(t, "%s[%s, $xfer_%u, ", unit, name, in->d0);
	me_put_operand(t, mu ? in->b : in->a);
	me_put(t, in->d1 & (ME_CMD_MU | ME_CMD_A_HIGH) ? ", <<8, " : ", ");
	me_put_operand(t, mu ? in->a : in->b);
	me_put(t, ", %u]%s", in->x + 1, in->d1 & ME_CMD_INDIR ? ", indirect_ref" : "");
	if (defer != ME_CMD_NO_SWAP)
		me_put(t, ", ctx_swap[sig%u]", in->y);
	else if (in->y)
		me_put(t, ", sig_done[sig%u]", in->y);
	if (defer != ME_CMD_NO_SWAP)
		put_defer(t, defer);
}

void me_text_flow(struct me_put *t, const struct me_insn *in)
{
	if (in->op <= ME_OP_CSR_RD)
		put_csr(t, in);
	else if (in->op < ME_OP_RTN)
		put_branch(t, in);
	else if (in->op == ME_OP_RTN)
		put_rtn(t, in);
	else if (in->op <= ME_OP_BPT)
		put_arb(t, in);
	else
		put_cmd(t, in);
}
