// SPDX-License-Identifier: BSD-2-Clause
/*
 * me_atomic.c - atomic commands of memory units.
 *
 * flowenv's mem_atomic.h and mem_atomic.c tell operations and lengths. A command works on up to
 * eight words, or up to four words or numbers of 64 bits if it adds. "test" returns the old values.
 * "imm" has its operand in the 16 bits of indirect_ref; without these its meaning is not known.
 * Numbers of 64 bits have their low word first, as the driver's programs have them.
 */
#include "board_fw.h"
#include "bytes.h"
#include "me_int.h"

#define WIDE	4
#define IMM16	8	/* bit of the length: the operand is that of indirect_ref */
#define MASKED	8	/* the same bit of a compare: there is a byte mask */

enum { TOKEN_TEST = 1, TOKEN_IMM = 2 };

struct value {
	uint8_t *mem;
	uint64_t v;		/* operand */
	bool wide;
};

static uint64_t load(const struct value *x)
{
	uint64_t v = bd_be32(x->mem);

	return x->wide ? v | (uint64_t)bd_be32(x->mem + 4) << 32 : v;
}

static void store(const struct value *x, uint64_t v)
{
	bd_put_be32(x->mem, v);
	if (x->wide)
		bd_put_be32(x->mem + 4, v >> 32);
}

static uint64_t max(const struct value *x)
{
	return x->wide ? UINT64_MAX : UINT32_MAX;
}

static uint64_t new_value(unsigned int action, const struct value *x, uint64_t old)
{
	switch (action) {
	case 5:			/* set */
		return old | x->v;
	case 6:			/* clr */
		return old & ~x->v;
	case 7:			/* add */
		return old + x->v;
	case 8:			/* addsat */
		return x->v > max(x) - old ? max(x) : old + x->v;
	case 9:			/* sub */
		return old - x->v;
	case 10:		/* subsat */
		return x->v > old ? 0 : old - x->v;
	case 15:		/* xor */
		return old ^ x->v;
	default:		/* write, swap */
		return x->v;
	}
}

static uint32_t byte_mask(unsigned int bytes)
{
	uint32_t mask = 0;
	unsigned int i;

	for (i = 0; i < 4; i++)
		if (bytes >> i & 1)
			mask |= 0xffu << (8 * i);
	return mask;
}

static uint64_t operand(const uint32_t *out, unsigned int i, bool wide)
{
	return wide ? out[2 * i] | (uint64_t)out[2 * i + 1] << 32 : out[i];
}

static void give(uint32_t *in, unsigned int i, bool wide, uint64_t v)
{
	if (wide)
		in[2 * i + 1] = v >> 32;
	in[wide ? 2 * i : i] = v;
}

/* Compare the bytes of the mask, and write the whole word if they are equal. */
static void compare_write(struct me_cmd *cmd, uint8_t *mem, unsigned int n)
{
	const uint32_t *out = me_cmd_pull(cmd, n);
	uint32_t *in = me_cmd_push(cmd, n), mask = byte_mask(cmd->bytes), old, v;
	unsigned int i;

	for (i = 0; i < n; i++) {
		v = out[i];
		old = bd_be32(mem + 4 * i);
		if (cmd->token & TOKEN_TEST)
			in[i] = old;
		if (!((old ^ v) & mask))
			bd_put_be32(mem + 4 * i, v);
	}
}

static void read_modify_write(struct me_cmd *cmd, uint8_t *mem, unsigned int n, bool wide)
{
	unsigned int words = wide ? 2 * n : n, i;
	bool imm = cmd->token & TOKEN_IMM, read = cmd->action == 3;
	const uint32_t *out = me_cmd_pull(cmd, words);
	uint32_t *in = me_cmd_push(cmd, words);
	struct value x = { .wide = wide };
	uint64_t old;

	for (i = 0; i < n; i++) {
		x.mem = mem + (wide ? 8 : 4) * i;
		x.v = imm ? cmd->data : operand(out, i, wide);
		old = load(&x);
		if (read || cmd->token & TOKEN_TEST)
			give(in, i, wide, old);
		if (!read)
			store(&x, new_value(cmd->action, &x, old));
	}
}

/* Check what indirect_ref overrides. */
static bool override_ok(const struct me_cmd *cmd, bool imm, bool compare)
{
	if (cmd->masters || cmd->has_ref || cmd->has_data != imm || (!compare && cmd->bytes))
		return false;
	return imm ? cmd->len & IMM16 && !(cmd->len & ~(IMM16 | WIDE)) :
	       compare ? cmd->bytes && (cmd->len & ~7u) == MASKED : cmd->len < 8;
}

int me_atomic(struct board *b, struct me_cmd *cmd)
{
	bool sums = cmd->action >= 7 && cmd->action <= 10, compare = cmd->action == 3 && cmd->token;
	bool imm = !compare && cmd->token & TOKEN_IMM, wide = sums && cmd->len & WIDE;
	unsigned int n = imm ? 1 : (cmd->len & (sums ? 3 : 7)) + 1, words = wide ? 2 * n : n;
	uint8_t *mem;

	if (cmd->action > 10 && cmd->action != 15)
		return ME_FAULT_COMMAND;
	if ((imm && !cmd->has_data) || (compare && !cmd->bytes))
		return ME_FAULT_COMMAND;
	if (!override_ok(cmd, imm, compare))
		return ME_FAULT_INDIRECT;
	if (!me_cmd_push(cmd, words))
		return ME_FAULT_XFER;
	if (cmd->addr % (wide ? 8 : 4))
		return ME_FAULT_ALIGN;
	mem = board_mem_ptr(b, cmd->addr, 4 * words);
	if (!mem)
		return ME_FAULT_MEMORY;
	if (compare)
		compare_write(cmd, mem, n);
	else
		read_modify_write(cmd, mem, n, wide);
	return ME_FAULT_NONE;
}
