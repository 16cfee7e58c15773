// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* carrier.c - code of the card that tags a frame, and code of the host that removes the tag. */
#include <arpa/inet.h>
#include <linux/if_ether.h>
#include <linux/swab.h>
#include <stddef.h>
#include "carrier.h"

#define TYPE_AT		12	/* offset of the EtherType in an Ethernet header */

#define MD_DATA		((short)offsetof(struct xdp_md, data))
#define MD_DATA_END	((short)offsetof(struct xdp_md, data_end))
#define MD_QUEUE	((short)offsetof(struct xdp_md, rx_queue_index))

const uint16_t carrier_types[CARRIER_TYPES] = {
	0, ETH_P_IP, ETH_P_IPV6, ETH_P_ARP, ETH_P_8021Q, ETH_P_8021AD, ETH_P_MPLS_UC, ETH_P_PPP_SES,
};

/* Load the frame's address into r2. Return the jump for frames of fewer than @len bytes. */
static int put_frame(struct code *code, int ctx, int len)
{
	code_put(code, LOAD(BPF_W, R(2), ctx, MD_DATA));
	code_put(code, LOAD(BPF_W, R(3), ctx, MD_DATA_END));
	code_put(code, MOV_REG(R(4), R(2)));
	code_put(code, ALU_IMM(BPF_ADD, R(4), len));
	return code_put(code, JUMP_REG(BPF_JGT, R(4), R(3)));
}

/* Increment an entry of an array map; register @key has its number. */
static void put_count(struct code *code, int pseudo, int map, int key)
{
	int missing;

	code_put(code, STORE(BPF_W, R(10), -4, key));
	code_map(code, R(1), pseudo, map);
	code_put(code, MOV_REG(R(2), R(10)));
	code_put(code, ALU_IMM(BPF_ADD, R(2), -4));
	code_put(code, CALL(BPF_FUNC_map_lookup_elem));
	missing = code_put(code, JUMP_IMM(BPF_JEQ, R(0), 0));
	code_put(code, MOV_IMM(R(1), 1));
	code_put(code, ATOMIC_ADD64(R(0), 0, R(1)));
	code_here(code, missing);
}

static void put_exit(struct code *code, int verdict)
{
	code_put(code, MOV_IMM(R(0), verdict));
	code_put(code, EXIT());
}

/* Increment a counter of the card, and drop the frame. */
static void put_drop(struct code *code, int map, enum carrier_count what)
{
	code_put(code, MOV_IMM(R(3), (int)what));
	put_count(code, BPF_PSEUDO_MAP_IDX, map, R(3));
	put_exit(code, XDP_DROP);
}

/* Compute the EtherType's offset in the block, in @reg. Return the jump for types in the block. */
static int put_in_block(const struct carrier *c, struct code *code, int reg)
{
	code_put(code, LOAD(BPF_H, reg, R(2), TYPE_AT));
	code_put(code, TO_BE16(reg));
	code_put(code, ALU_IMM(BPF_SUB, reg, c->base));
	return code_put(code, JUMP_IMM(BPF_JLT, reg, (int)c->count));
}

void carrier_front(const struct carrier *c, int map, struct code *code)
{
	int shorter = put_frame(code, R(1), ETH_HLEN), in, out;

	in = put_in_block(c, code, R(5));
	out = code_put(code, JUMP());
	code_here(code, in);
	put_drop(code, map, COUNT_FORGED);
	code_here(code, shorter);
	code_here(code, out);
}

void carrier_leave(const struct carrier *c, int map, struct code *code)
{
	int other = code_put(code, JUMP_IMM(BPF_JNE, R(0), XDP_PASS)), shorter, in;

	shorter = put_frame(code, R(1), ETH_HLEN);
	in = put_in_block(c, code, R(5));
	code_here(code, other);
	code_here(code, shorter);
	code_put(code, EXIT());
	code_here(code, in);
	put_drop(code, map, COUNT_FORGED);
}

/* Move both MAC addresses of the frame in r2 from offset @from to offset @to, by words. */
static void put_addresses(struct code *code, int from, int to)
{
	int first = from < to ? 8 : 0, step = from < to ? -4 : 4, i;

	for (i = 0; i < 3; i++) {
		code_put(code, LOAD(BPF_W, R(3), R(2), (short)(from + first + i * step)));
		code_put(code, STORE(BPF_W, R(2), (short)(to + first + i * step), R(3)));
	}
}

/* Set r8 to the index of the frame's EtherType in carrier_types, or to 0. */
static void put_number(struct code *code)
{
	int known[CARRIER_TYPES], i;

	code_put(code, LOAD(BPF_H, R(5), R(2), TYPE_AT));
	for (i = 1; i < CARRIER_TYPES; i++) {
		code_put(code, MOV_IMM(R(8), i));
		known[i] = code_put(code, JUMP_IMM(BPF_JEQ, R(5), htons(carrier_types[i])));
	}
	code_put(code, MOV_IMM(R(8), 0));
	for (i = 1; i < CARRIER_TYPES; i++)
		code_here(code, known[i]);
}

void carrier_tag(int map, struct code *code)
{
	int shorter, full, shorter2, known;

	code_put(code, MOV_REG(R(6), R(1)));
	code_put(code, MOV_REG(R(7), R(2)));
	shorter = put_frame(code, R(6), ETH_HLEN);
	put_number(code);
	known = code_put(code, JUMP_IMM(BPF_JNE, R(8), 0));
	code_put(code, MOV_REG(R(1), R(6)));
	code_put(code, MOV_IMM(R(2), -CARRIER_INSERTED));
	code_put(code, CALL(BPF_FUNC_xdp_adjust_head));
	full = code_put(code, JUMP_IMM(BPF_JNE, R(0), 0));
	shorter2 = put_frame(code, R(6), ETH_HLEN + CARRIER_INSERTED);
	put_addresses(code, CARRIER_INSERTED, 0);
	code_put(code, STORE(BPF_H, R(2), TYPE_AT + 2, R(8)));
	code_here(code, known);
	code_put(code, ALU_REG(BPF_ADD, R(8), R(7)));
	code_put(code, TO_BE16(R(8)));
	code_put(code, STORE(BPF_H, R(2), TYPE_AT, R(8)));
	put_exit(code, XDP_PASS);
	code_here(code, shorter);
	code_here(code, full);
	code_here(code, shorter2);
	put_drop(code, map, COUNT_LOST);
}

void carrier_stub(const struct carrier *c, unsigned int slot, struct code *code)
{
	if (c->kind == CARRIER_ETHERTYPE) {
		code_put(code, MOV_IMM(R(2), c->base + (int)(slot * CARRIER_TYPES)));
		return;
	}
	code_put(code, MOV_IMM(R(2), (int)(c->queue - slot)));
	code_put(code, STORE(BPF_W, R(1), MD_QUEUE, R(2)));
	put_exit(code, XDP_PASS);
}

/* ---- the host's side ---- */

/*
 * Restore the EtherType of the frame in r2. r8 is its index in carrier_types. @lost gets the
 * jumps for frames that cannot be restored.
 */
static void put_restore(struct code *code, int *lost)
{
	int done[CARRIER_TYPES], next, i;

	for (i = 1; i < CARRIER_TYPES; i++) {
		next = code_put(code, JUMP_IMM(BPF_JNE, R(8), i));
		code_put(code, MOV_IMM(R(5), htons(carrier_types[i])));
		code_put(code, STORE(BPF_H, R(2), TYPE_AT, R(5)));
		done[i] = code_put(code, JUMP());
		code_here(code, next);
	}
	lost[0] = put_frame(code, R(6), ETH_HLEN + CARRIER_INSERTED);
	put_addresses(code, 0, CARRIER_INSERTED);
	code_put(code, MOV_REG(R(1), R(6)));
	code_put(code, MOV_IMM(R(2), CARRIER_INSERTED));
	code_put(code, CALL(BPF_FUNC_xdp_adjust_head));
	lost[1] = code_put(code, JUMP_IMM(BPF_JNE, R(0), 0));
	for (i = 1; i < CARRIER_TYPES; i++)
		code_here(code, done[i]);
}

/*
 * Set r7 to the number of the slot, and restore the frame. Return the jump for frames without a tag.
 * @shorter gets the jump for frames without an Ethernet header, @lost those of put_restore().
 */
static int put_untag(const struct carrier *c, struct code *code, int *shorter, int *lost)
{
	int out, in;

	*shorter = put_frame(code, R(6), ETH_HLEN);
	in = put_in_block(c, code, R(7));
	out = code_put(code, JUMP());
	code_here(code, in);
	code_put(code, MOV_REG(R(8), R(7)));
	code_put(code, ALU_IMM(BPF_AND, R(8), CARRIER_TYPES - 1));
	code_put(code, ALU_IMM(BPF_DIV, R(7), CARRIER_TYPES));
	put_restore(code, lost);
	return out;
}

static int put_unqueue(const struct carrier *c, struct code *code)
{
	code_put(code, LOAD(BPF_W, R(2), R(6), MD_QUEUE));
	code_put(code, MOV_IMM(R(7), (int)c->queue));
	code_put(code, ALU_REG(BPF_SUB, R(7), R(2)));
	return code_put(code, JUMP_IMM(BPF_JGE, R(7), (int)c->slots));
}

void carrier_dispatcher(const struct carrier *c, int progs, int counts, struct code *code)
{
	int none, shorter = -1, lost[2] = { -1, -1 };

	code_put(code, MOV_REG(R(6), R(1)));
	if (c->kind == CARRIER_QUEUE)
		none = put_unqueue(c, code);
	else
		none = put_untag(c, code, &shorter, lost);
	put_count(code, BPF_PSEUDO_MAP_FD, counts, R(7));
	code_put(code, MOV_REG(R(1), R(6)));
	code_map(code, R(2), BPF_PSEUDO_MAP_FD, progs);
	code_put(code, MOV_REG(R(3), R(7)));
	code_put(code, CALL(BPF_FUNC_tail_call));
	if (lost[0] >= 0) {
		code_here(code, lost[0]);
		code_here(code, lost[1]);
	}
	code_put(code, MOV_IMM(R(7), (int)c->slots + 1));
	put_count(code, BPF_PSEUDO_MAP_FD, counts, R(7));
	put_exit(code, XDP_DROP);
	code_here(code, none);
	if (shorter >= 0)
		code_here(code, shorter);
	code_put(code, MOV_IMM(R(7), (int)c->slots));
	put_count(code, BPF_PSEUDO_MAP_FD, counts, R(7));
	put_exit(code, XDP_PASS);
}
