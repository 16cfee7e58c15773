// SPDX-License-Identifier: BSD-2-Clause
/*
 * me_mu.c - commands of memory units: reads and writes.
 *
 * The names tell the byte order (flowenv, mem_bulk.h). Without "swap" a register has the bytes of
 * memory from its upper end. With "swap" it has them from its lower end: the stock driver's
 * programs rely on that for units of 32 bits and of bytes. No source tells how "swap" orders the
 * bytes of 64 bits, nor how "le" orders bytes. These commands are faults.
 */
#include <string.h>

#include "board_fw.h"
#include "bytes.h"
#include "me_int.h"

#define BYTES_MAX	128

struct bulk {
	uint8_t unit;		/* bytes; 0: no such command */
	bool write;
	bool swap;
};

static struct bulk bulk_of(const struct me_cmd *cmd)
{
	switch (cmd->action << 2 | cmd->token) {
	case 0 << 2 | 0:
		return (struct bulk){ 8, false, false };
	case 1 << 2 | 0:
		return (struct bulk){ 8, true, false };
	case 28 << 2 | 0:
		return (struct bulk){ 4, false, false };
	case 28 << 2 | 2:
		return (struct bulk){ 4, false, true };
	case 31 << 2 | 0:
		return (struct bulk){ 4, true, false };
	case 31 << 2 | 2:
		return (struct bulk){ 4, true, true };
	case 3 << 2 | 1:
		return (struct bulk){ 1, false, false };
	case 2 << 2 | 0:
		return (struct bulk){ 1, true, false };
	case 2 << 2 | 2:
		return (struct bulk){ 1, true, true };
	default:
		return (struct bulk){ 0, false, false };
	}
}

static void from_memory(uint32_t *x, const uint8_t *mem, unsigned int bytes, bool swap)
{
	uint8_t buf[BYTES_MAX] = { 0 };
	unsigned int i;

	memcpy(buf, mem, bytes);
	for (i = 0; i < (bytes + 3) / 4; i++)
		x[i] = swap ? bd_get32(buf + 4 * i) : bd_be32(buf + 4 * i);
}

static void to_memory(uint8_t *mem, const uint32_t *x, unsigned int bytes, bool swap)
{
	uint8_t buf[BYTES_MAX];
	unsigned int i;

	for (i = 0; i < (bytes + 3) / 4; i++) {
		if (swap)
			bd_put32(buf + 4 * i, x[i]);
		else
			bd_put_be32(buf + 4 * i, x[i]);
	}
	memcpy(mem, buf, bytes);
}

static int bulk(struct board *b, struct me_cmd *cmd, struct bulk k)
{
	unsigned int bytes = (cmd->len + 1u) * k.unit, words = (bytes + 3) / 4;
	const uint32_t *out = me_cmd_pull(cmd, words);
	uint32_t *in = me_cmd_push(cmd, words);
	uint8_t *mem;

	if (cmd->masters || cmd->has_ref || cmd->has_data || cmd->bytes)
		return ME_FAULT_INDIRECT;
	if (!out || !in || bytes > BYTES_MAX)
		return ME_FAULT_XFER;
	mem = board_mem_ptr(b, cmd->addr, bytes);
	if (!mem)
		return ME_FAULT_MEMORY;
	if (k.write)
		to_memory(mem, out, bytes, k.swap);
	else
		from_memory(in, mem, bytes, k.swap);
	return ME_FAULT_NONE;
}

static int command(void *priv, struct me_cmd *cmd)
{
	struct me_board *mb = priv;
	struct bulk k;

	if (cmd->target != ME_TARGET_MU)
		return ME_FAULT_COMMAND;
	k = bulk_of(cmd);
	if (k.unit)
		return bulk(mb->b, cmd, k);
	if (cmd->action >= 3 && cmd->action <= 15)
		return me_atomic(mb->b, cmd);
	if (cmd->action >= 16 && cmd->action <= 23)
		return me_ring(mb, cmd);
	return ME_FAULT_COMMAND;
}

const struct me_ops me_board_ops = { .command = command };
