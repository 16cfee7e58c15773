// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * me_ips.c - instructions a second of one emulated microengine on one core.
 *
 * usage: me_ips [SECONDS]
 *
 * One figure is for a loop as the driver's JIT makes it of an XDP program that looks at the
 * Ethernet and IP headers: loads from the packet, byte swaps, comparisons of 64 bits, a stack in
 * local memory, a 64-bit shift and a product. A second figure is for instructions on registers
 * only.
 */
#define _GNU_SOURCE
#include <string.h>

#include "bench_time.h"
#include "fw_code.h"
#include "me.h"
#include "me_asm.h"

#define START	3072
#define DONE	8191

static uint8_t packet[2048];

static int packet_read(void *priv, enum me_space space, uint64_t addr, void *buf, size_t len)
{
	if (space != ME_SPACE_PACKET || addr > sizeof(packet) - len)
		return -1;
	memcpy(buf, packet + addr, len);
	return 0;
}

static int refuse_write(void *priv, enum me_space space, uint64_t addr, const void *buf, size_t len)
{
	return -1;
}

static int refuse_add(void *priv, enum me_space space, uint64_t addr, bool wide, uint64_t v)
{
	return -1;
}

static const struct me_ops ops = {
	.read = packet_read, .write = refuse_write, .add = refuse_add
};

/* Register A1 holds the number of packets that are left. */
static unsigned int xdp_program(uint64_t *w)
{
	enum { END = START + 40 };
	const uint64_t program[] = {
		/* r2 = data, r3 = data_end; r2 + 34 > r3? */
		alu(AB(4), NONE, B_, LM(1, 2)), alu(AB(6), B(22), ADD, LM(1, 2)),
		alu(AB(8), A(4), ADD, I(34)), immed(AB(9), 0),
		alu(NONE, A(6), SUB, B(8)), alu(NONE, A(9), SUBC, B(9)), br(LO, END, 0),
		/* Ethernet type, with its bytes swapped */
		cmd(READ32_SWAP, PKT, 0, A(4), I(12), 0, SWAP),
		ld_field_clr(AB(10), 3, X(0), ROT, 0), immed(AB(11), 0),
		ld_field_clr(AB(10), 15, B(10), ROT, 8), ld_field(AB(10), 5, B(10), ROT, 16),
		shf(AB(10), B(10), SHR, 16), immed(B(20), 0x0800),
		alu(NONE, A(10), XOR_, B(20)), br(NE, END, 0),
		/* IP addresses, to the stack and back */
		cmd(READ32_SWAP, PKT, 0, A(4), I(26), 1, SWAP),
		alu(AB(12), NONE, B_, X(0)), alu(AB(13), NONE, B_, X(1)),
		alu(LM(0, 0), NONE, B_, B(12)), alu(LM(0, 1), NONE, B_, B(13)),
		alu(AB(14), A(12), XOR_, B(13)), alu(AB(15), NONE, B_, LM(0, 1)),
		/* a hash: product, 64-bit shift */
		immed(B(20), 0x79b9), immed_w1(B(20), 0x9e37),
		mul_start(A(14), B(20)), mul_step(A(14), 32, 1, B(20)),
		mul_step(A(14), 32, 2, B(20)), mul_step(A(14), 32, 3, B(20)),
		mul_step(A(14), 32, 4, B(20)), mul_last(AB(16), 32), mul_last2(AB(17)),
		dbl_shf(AB(16), A(17), B(16), 7), shf(AB(17), B(17), SHR, 7),
		alu(AB(16), A(16), ADD, B(12)), alu(AB(17), A(17), ADDC, I(0)),
		alu(NONE, A(0), OR_, I(0)), shf(AB(18), B(16), SHR, 0),
		shf_and(AB(18), I(0x3f), B(18), ROT, 0), alu(AB(19), A(19), ADD, B(18)),
		/* END: go on with the next packet */
		alu(A(1), A(1), SUB, I(1)), br(NE, START, 1), NOP,
	};

	memcpy(w, program, sizeof(program));
	return sizeof(program) / sizeof(program[0]);
}

static unsigned int register_program(uint64_t *w)
{
	const uint64_t program[] = {
		alu(AB(2), A(2), ADD, B(4)), alu(AB(3), A(3), ADDC, B(5)),
		alu(AB(4), A(2), XOR_, B(3)), shf(AB(5), B(4), SHR, 3),
		ld_field(AB(6), 3, B(5), ROT, 8), alu(A(1), A(1), SUB, I(1)),
		br(NE, START, 1), immed(AB(7), 0x1234),
	};

	memcpy(w, program, sizeof(program));
	return sizeof(program) / sizeof(program[0]);
}

static struct me me;
static uint32_t rounds;

static uint64_t run(void *ctx)
{
	struct me_image *img = ctx;

	me_start(&me, 0, img, START);
	me_gpr_set(&me.ctx[0], 1, rounds);
	me_gpr_set(&me.ctx[0], 22, 64);
	me_lm_addr(&me.ctx[0], 0, 0x400);
	me_lm_addr(&me.ctx[0], 1, 0x200);
	if (me_run(&me, 0, UINT64_MAX) != ME_DONE) {
		fprintf(stderr, "me_ips: %s at %u\n",
			me_fault_text(me.ctx[0].fault.reason), me.ctx[0].fault.pc);
		exit(1);
	}
	return me.ctx[0].insns;
}

static void measure(const char *key, unsigned int (*make)(uint64_t *w))
{
	uint64_t w[64];
	unsigned int i, n = make(w);
	struct me_image *img;

	w[n++] = br(ALWAYS, DONE, 0);
	for (i = 0; i < n; i++)
		w[i] = fw_ecc(w[i]);
	img = me_image_new(START, w, n, NULL);
	if (!img)
		exit(1);
	me_init(&me, &ops, NULL);
	me_hook(&me, DONE, NULL, NULL);
	me.lm[0x82] = 128;
	rounds = 10000 / (n - 1);
	bench_print(key, bench_rate(run, img) / 1e6);
	me_exit(&me);
	me_image_put(img);
}

int main(int argc, char **argv)
{
	bench_args(argc, argv);
	memcpy(packet + 128, "\1\2\3\4\5\6\7\10\11\12\13\14\10\0\105", 15);
	measure("me_packet_Mips", xdp_program);
	measure("me_register_Mips", register_program);
	return 0;
}
