// SPDX-License-Identifier: BSD-2-Clause
/*
 * me_ring.c - commands to rings and work queues of EMEM.
 *
 * flowenv's mem_ring.h and mem_ring.c tell addresses, lengths and results. The same words mean
 * packet commands in CTM and other things in IMEM, which the board does not have.
 */
#include "board_fw.h"
#include "bytes.h"
#include "me_int.h"

#define EMEM		24	/* islands 24 to 26 */
#define EMEMS		3
#define DIRECT		2	/* locality of an address, bits 39:38 */
#define NOT_DIRECT	4	/* bits 37:35 of an address of EMEM with another locality: 4 to 6 */
#define RING_MASK	0xffff
#define PUT_OK		(1u << 31)
#define WORDS_MAX	16
#define DESC_BYTES	16
#define TYPE_2		2
#define EMEM_BITS	0xfc00000000ull	/* that a descriptor does not have */

/*
 * Say whether an address is one of EMEM. A direct one names the island; the vendor's images have
 * DRAM of island 24 at 0x2000000000.
 */
static bool in_emem(uint64_t addr)
{
	if (addr >> 38 == DIRECT)
		return (addr >> 32 & 0x3f) - EMEM < EMEMS;
	return (addr >> 35 & 7) - NOT_DIRECT < EMEMS;
}

static int rd_qdesc(struct board *b, struct me_cmd *cmd)
{
	const uint8_t *desc = board_mem_ptr(b, cmd->addr, DESC_BYTES);
	uint32_t w[DESC_BYTES / 4];
	unsigned int i;

	if (!cmd->has_ref)
		return ME_FAULT_INDIRECT;
	if (!desc)
		return ME_FAULT_MEMORY;
	for (i = 0; i < DESC_BYTES / 4; i++)
		w[i] = bd_be32(desc + 4 * i);
	/* Rings of another type are not known. */
	if ((w[1] & 3) != TYPE_2)
		return ME_FAULT_COMMAND;
	return board_ring_load(b, cmd->data, cmd->addr & EMEM_BITS, w) ? ME_FAULT_MEMORY :
	       ME_FAULT_NONE;
}

static int push_qdesc(struct board *b, struct me_cmd *cmd, unsigned int ring)
{
	uint32_t *in = me_cmd_push(cmd, DESC_BYTES / 4);

	if (!in)
		return ME_FAULT_XFER;
	return board_ring_desc(b, ring, in) ? ME_FAULT_MEMORY : ME_FAULT_NONE;
}

/* The answer is in the first read register: the words that were in the ring, and success. */
static int put(struct board *b, struct me_cmd *cmd, unsigned int ring, unsigned int n)
{
	int used = board_ring_used(b, ring);
	bool ok = used >= 0 && !board_ring_put(b, ring, me_cmd_pull(cmd, n), n);

	*me_cmd_push(cmd, 1) = (used < 0 ? 0 : used) | (ok ? PUT_OK : 0);
	return ME_FAULT_NONE;
}

/* A second signal tells that there were too few words. */
static int get(struct board *b, struct me_cmd *cmd, unsigned int ring, unsigned int n)
{
	if (!board_ring_get(b, ring, me_cmd_push(cmd, n), n))
		cmd->signals &= 0x5555;
	return ME_FAULT_NONE;
}

/* Words that are missing are 0. */
static int get_freely(struct board *b, struct me_cmd *cmd, unsigned int ring, unsigned int n)
{
	uint32_t *in = me_cmd_push(cmd, n);
	unsigned int i;

	for (i = 0; i < n; i++)
		if (board_ring_get(b, ring, &in[i], 1))
			in[i] = 0;
	return ME_FAULT_NONE;
}

static void work_came(const struct board_thread *t)
{
	struct me_cmd *cmd = t->ctx, copy = *cmd;

	cmd->target = 0;
	me_cmd_done(&copy);
}

static int add_thread(struct me_board *mb, struct me_cmd *cmd, unsigned int ring, unsigned int n)
{
	struct me_cmd *wait = &mb->thread[cmd->ctx];
	struct board_thread t = { .data = me_cmd_push(cmd, n), .n = n, .done = work_came,
				  .ctx = wait };

	/* A context that asks twice would need two places. */
	if (wait->target)
		return ME_FAULT_COMMAND;
	*wait = *cmd;
	if (!board_workq_thread(mb->b, ring, &t))
		return ME_CMD_LATER;
	wait->target = 0;
	return ME_FAULT_MEMORY;
}

int me_ring(struct me_board *mb, struct me_cmd *cmd)
{
	unsigned int ring = cmd->addr & RING_MASK, n = cmd->len + 1u;
	unsigned int op = cmd->action << 2 | cmd->token;

	if (!in_emem(cmd->addr))
		return ME_FAULT_COMMAND;
	if (op == (16 << 2 | 0))
		return rd_qdesc(mb->b, cmd);
	if (cmd->masters || cmd->has_ref || cmd->has_data || cmd->bytes)
		return ME_FAULT_INDIRECT;
	if (n > WORDS_MAX || !me_cmd_push(cmd, n))
		return ME_FAULT_XFER;
	switch (op) {
	case 16 << 2 | 2:
		return push_qdesc(mb->b, cmd, ring);
	case 19 << 2 | 1:
		return add_thread(mb, cmd, ring, n);
	case 19 << 2 | 2:
		return board_workq_work(mb->b, ring, me_cmd_pull(cmd, n), n) ? ME_FAULT_MEMORY :
		       ME_FAULT_NONE;
	case 20 << 2 | 0:
		return put(mb->b, cmd, ring, n);
	case 21 << 2 | 0:
		return get(mb->b, cmd, ring, n);
	case 21 << 2 | 2:
		return get_freely(mb->b, cmd, ring, n);
	default:
		return ME_FAULT_COMMAND;
	}
}
