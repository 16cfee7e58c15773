// SPDX-License-Identifier: BSD-2-Clause
/*
 * cpp.c - the CPP bus: which target takes a command.
 *
 * A command no target takes reads as all ones, as an access that a real bus
 * answers with an error does to the host.
 */
#include "board_int.h"

/* SOFTMODEL2 and 3 of the ARM's global CSRs (nfp_arm.h), read in probe. */
#define ARM_SOFTMODEL2	0x40014c
#define ARM_SOFTMODEL3	0x400150

static bool is_read(const struct bd_cmd *c)
{
	return c->token == 0 && (c->action == 0 || c->action == BD_ACT_RW ||
				 (c->action == 2 && c->target != BD_CPP_XPB));
}

static bool is_write(const struct bd_cmd *c)
{
	return c->token == 0 && (c->action == 1 || c->action == BD_ACT_RW ||
				 (c->action == 3 && c->target != BD_CPP_XPB));
}

/* Registers are words; other sizes see the bytes of the words around them. */
static void xpb_bytes(const struct board *b, uint64_t addr, uint8_t *buf, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		buf[i] = bd_xpb_read(b, (addr + i) & 0xfffffffc) >> (8 * ((addr + i) % 4));
}

static bool arm_read(uint64_t addr, void *buf, size_t len)
{
	if (addr != ARM_SOFTMODEL2 && addr != ARM_SOFTMODEL3)
		return false;
	memset(buf, 0, len);
	return true;
}

void bd_cpp_read(struct board *b, const struct bd_cmd *c, void *buf, size_t len)
{
	struct bd_cmd cmd = *c;
	bool ok = false;

	switch (c->target) {
	case BD_CPP_PCIE0:
	case BD_CPP_PCIE:
		ok = is_read(c);
		if (ok)
			bd_pcie_read(b, c->addr, buf, len);
		break;
	case BD_CPP_MU:
		if (cmd.action == BD_ACT_RW)
			cmd.action = 0;
		ok = !bd_mu_read(b, &cmd, buf, len);
		break;
	case BD_CPP_XPB:
		ok = is_read(c);
		if (ok)
			xpb_bytes(b, c->addr, buf, len);
		break;
	case BD_CPP_ARM:
		ok = is_read(c) && arm_read(c->addr, buf, len);
		break;
	}
	if (ok)
		return;
	memset(buf, 0xff, len);
	b->unsupported++;
}

void bd_cpp_write(struct board *b, const struct bd_cmd *c, const void *buf, size_t len)
{
	struct bd_cmd cmd = *c;
	bool ok = false;

	switch (c->target) {
	case BD_CPP_PCIE0:
	case BD_CPP_PCIE:
		ok = is_write(c);
		if (ok)
			bd_pcie_write(b, c->addr, buf, len);
		break;
	case BD_CPP_MU:
		if (cmd.action == BD_ACT_RW)
			cmd.action = 1;
		ok = !bd_mu_write(b, &cmd, buf, len);
		break;
	}
	if (!ok)
		b->unsupported++;
}
