// SPDX-License-Identifier: BSD-2-Clause
/*
 * me_cmd.c - memory commands of the driver's programs: lengths, overrides, byte order.
 *
 * The CPP bus is not modelled: a command is complete when me_cmd() returns, so a context that
 * swaps out for a command continues at once.
 */
#include <string.h>

#include "board_fw.h"
#include "bytes.h"
#include "me_int.h"

#define MU_ADDR		((1ULL << 40) - 1)

/*
 * Bits of the previous result by which indirect_ref overrides fields of a command (nfp_asm.h,
 * CMD_OVE_*).
 */
#define OVE_MASK	0xff
#define OVE_DATA	(2 << 3)	/* bits 31:16 are the data */
#define OVE_LEN		(1 << 7)	/* bits 12:8 are the length */
#define OV_LEN(p)	((p) >> 8 & 31)
#define OV_ADD		8		/* override of the length that selects add_imm; bit 2: 64 bits */
#define LEN_WIDE	4

uint64_t me_cmd_addr(const struct me_insn *in, uint32_t a, uint32_t b)
{
	if (in->d1 & ME_CMD_MU)
		return (((uint64_t)b << 8) + a) & MU_ADDR;
	if (in->d1 & ME_CMD_A_HIGH)
		return (((uint64_t)a << 8) + b) & MU_ADDR;
	return a + b;
}

static enum me_space space(const struct me_insn *in)
{
	return in->d1 & ME_CMD_MU ? ME_SPACE_MU : ME_SPACE_PACKET;
}

static enum me_fault_reason add(struct me *me, const struct me_insn *in,
				uint64_t addr, bool wide, uint64_t v)
{
	if (addr % (wide ? 8 : 4))
		return ME_FAULT_ALIGN;
	return me->ops->add(me->priv, space(in), addr, wide, v) ?
	       ME_FAULT_MEMORY : ME_FAULT_NONE;
}

static enum me_fault_reason add_imm(struct me *me, const struct me_insn *in,
				    uint64_t addr, uint32_t prev)
{
	unsigned int len = OV_LEN(prev);

	if ((prev & OVE_MASK) != (OVE_DATA | OVE_LEN) || (len & ~LEN_WIDE) != OV_ADD)
		return ME_FAULT_INDIRECT;
	return add(me, in, addr, len & LEN_WIDE, prev >> 16);
}

/* Convert bytes of memory to words of transfer registers. */
static void to_xfer(uint32_t *x, const uint8_t *buf, unsigned int words, bool be)
{
	unsigned int i;

	for (i = 0; i < words; i++)
		x[i] = be ? bd_be32(buf + 4 * i) : bd_get32(buf + 4 * i);
}

static void from_xfer(uint8_t *buf, const uint32_t *x, unsigned int words)
{
	unsigned int i;

	for (i = 0; i < words; i++)
		bd_put32(buf + 4 * i, x[i]);
}

static enum me_fault_reason move(struct me *me, struct me_ctx *c, const struct me_insn *in,
				 uint64_t addr, unsigned int n)
{
	bool bytes = in->act == ME_ACT_READ8 || in->act == ME_ACT_WRITE8_SWAP;
	unsigned int words = bytes ? (n + 3) / 4 : n;
	uint8_t buf[32 * 4] = { 0 };
	size_t len = bytes ? n : 4 * n;

	if (in->d0 + words > ME_XFERS)
		return ME_FAULT_XFER;
	if (in->act == ME_ACT_WRITE8_SWAP || in->act == ME_ACT_WRITE32_SWAP) {
		from_xfer(buf, &c->reg[ME_R_OUT + in->d0], words);
		return me->ops->write(me->priv, space(in), addr, buf, len) ?
		       ME_FAULT_MEMORY : ME_FAULT_NONE;
	}
	if (me->ops->read(me->priv, space(in), addr, buf, len))
		return ME_FAULT_MEMORY;
	to_xfer(&c->reg[ME_R_IN + in->d0], buf, words, in->act == ME_ACT_READ8);
	return ME_FAULT_NONE;
}

static enum me_fault_reason act(struct me *me, struct me_ctx *c, const struct me_insn *in,
				uint64_t addr, uint32_t prev)
{
	unsigned int n = in->x;
	bool wide = n & LEN_WIDE;
	uint64_t v;

	switch (in->act) {
	case ME_ACT_ADD_IMM:
		return add_imm(me, in, addr, prev);
	case ME_ACT_ADD:
		if (in->d0 + 1u + wide > ME_XFERS)
			return ME_FAULT_XFER;
		v = c->reg[ME_R_OUT + in->d0];
		if (wide)
			v |= (uint64_t)c->reg[ME_R_OUT + in->d0 + 1] << 32;
		return add(me, in, addr, wide, v);
	}
	if (in->d1 & ME_CMD_INDIR) {
		if (prev & OVE_MASK & ~OVE_LEN)
			return ME_FAULT_INDIRECT;
		if (prev & OVE_LEN)
			n = OV_LEN(prev);
	}
	return move(me, c, in, addr, n + 1);
}

enum me_fault_reason me_cmd(struct me *me, struct me_ctx *c, const struct me_insn *in,
			    uint64_t addr, uint32_t prev)
{
	enum me_fault_reason why = act(me, c, in, addr, prev);

	/*
	 * A command that swaps waits for its signal itself. Send the signal only if the command
	 * does not.
	 */
	if (!why && (in->d1 & ME_CMD_CTX) == ME_CMD_NO_SWAP)
		me_signal(c, in->y);
	return why;
}

void me_counter_add(void *mem, bool wide, uint64_t v)
{
	uint8_t *p = mem;
	uint64_t old = bd_be32(p);

	if (wide)
		old |= (uint64_t)bd_be32(p + 4) << 32;
	v += old;
	bd_put_be32(p, v);
	if (wide)
		bd_put_be32(p + 4, v >> 32);
}

/* ---- a board's memory units ---- */

static void *mu_ptr(void *priv, enum me_space sp, uint64_t addr, size_t len)
{
	return sp == ME_SPACE_MU ? board_mem_ptr(priv, addr, len) : NULL;
}

static int mu_read(void *priv, enum me_space sp, uint64_t addr, void *buf, size_t len)
{
	void *mem = mu_ptr(priv, sp, addr, len);

	if (!mem)
		return -1;
	memcpy(buf, mem, len);
	return 0;
}

static int mu_write(void *priv, enum me_space sp, uint64_t addr, const void *buf, size_t len)
{
	void *mem = mu_ptr(priv, sp, addr, len);

	if (!mem)
		return -1;
	memcpy(mem, buf, len);
	return 0;
}

static int mu_add(void *priv, enum me_space sp, uint64_t addr, bool wide, uint64_t v)
{
	void *mem = mu_ptr(priv, sp, addr, wide ? 8 : 4);

	if (!mem)
		return -1;
	me_counter_add(mem, wide, v);
	return 0;
}

const struct me_ops me_mu_ops = { .read = mu_read, .write = mu_write, .add = mu_add };
