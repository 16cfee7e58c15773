// SPDX-License-Identifier: BSD-2-Clause
/*
 * me_decode_cmd.c - decode commands.
 *
 * Programs of the stock driver have six commands, which me_cmd.c executes. The commands of whole
 * microengines are those whose name binutils prints; me_bus.c takes them to the board. Immediate
 * addresses and data (modes 5 to 7), and third-party transfers (2 and 3) are not supported.
 */
#include "me_dec.h"

/* Return: the operation (enum me_act) of a command of a driver's program, or -1. */
static int action(uint64_t w)
{
	unsigned int cnt = BITS(w, 27, 25);
	bool indir = BIT(w, 41);

	switch (BITS(w, 38, 32) << 2 | BITS(w, 19, 18)) {
	case 0x5c << 2 | 2:
		return ME_ACT_READ32_SWAP;
	case 0x43 << 2 | 1:
		return ME_ACT_READ8;
	case 0x42 << 2 | 2:
		return ME_ACT_WRITE8_SWAP;
	case 0x5f << 2 | 2:
		return ME_ACT_WRITE32_SWAP;
	case 0x47 << 2 | 0:
		return !indir && !(cnt & 3) ? ME_ACT_ADD : -1;
	case 0x47 << 2 | 2:
		return indir && !cnt ? ME_ACT_ADD_IMM : -1;
	default:
		return -1;
	}
}

static bool bus(uint64_t w, enum me_mode m, struct me_insn *in)
{
	uint8_t target, act;
	const char *unit;
	char name[96];

	in->act = BITS(w, 38, 32);
	in->d1 |= BITS(w, 19, 18) << 12;
	return me_bus_target(in->act, &target, &act) &&
	       me_cmd_name(target, act, BITS(w, 19, 18), in->x, &unit, name, sizeof(name)) &&
	       (m != ME_CTX8 || in->d0 < ME_XFERS / 2);
}

void me_decode_cmd(uint64_t w, enum me_mode m, struct me_insn *in)
{
	unsigned int mode = BITS(w, 44, 42), swp = BITS(w, 9, 8);
	bool defer = swp == 1 || swp == 2, ok;
	int act = action(w);

	in->x = BITS(w, 27, 25);
	in->y = BITS(w, 31, 28);
	in->d0 = BITS(w, 24, 20) + BIT(w, 40) * 32;
	in->d1 = swp | (BIT(w, 41) ? ME_CMD_INDIR : 0) | (mode == 1 ? ME_CMD_MU : 0) |
		 (mode == 0 ? ME_CMD_A_HIGH : 0);
	if (m == ME_BPF) {
		in->act = act;
		in->op = defer ? ME_OP_CMD_DEFER : ME_OP_CMD;
		ok = act >= 0 && (mode == 1 || mode == 4);
	} else {
		in->op = defer ? ME_OP_BUS_DEFER : ME_OP_BUS;
		ok = (mode == 0 || mode == 1 || mode == 4) && bus(w, m, in);
	}
	if (!ok || !me_re(m, BITS(w, 7, 0), ME_R_A, false, false, false, &in->a) ||
	    !me_re(m, BITS(w, 17, 10), ME_R_B, false, false, false, &in->b))
		me_refuse(in, ME_FAULT_ENCODING);
	else if (swp != ME_CMD_NO_SWAP && !in->y)
		me_refuse(in, ME_FAULT_SIGNAL);
	else
		me_pair_ok(in);
}
