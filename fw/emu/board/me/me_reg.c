// SPDX-License-Identifier: BSD-2-Clause
/*
 * me_reg.c - registers of other contexts: absolute GPRs, indexed transfer registers.
 *
 * XferIndex counts bytes, and the contexts' transfer registers follow each other: nic-firmware
 * forms it as context << 7 | register << 2. All contexts share it, because the same source sets it
 * again after each swap.
 */
#include "me_int.h"

#define XFERS_MASK	0x3fc	/* 256 registers, in bytes */

static uint32_t *indexed(struct me *me, const struct me_ctx *c, unsigned int o, bool dst,
			 uint64_t now, enum me_fault_reason *why)
{
	unsigned int at = me->xfer_index / 4, ctx = at / 32, n = at % 32;

	if (now <= me->xfer_ready)
		*why = ME_FAULT_LM_EARLY;
	if (o & ME_XIDX_INC)
		me->xfer_index = (me->xfer_index + 4) & XFERS_MASK;
	else if (o & ME_XIDX_DEC)
		me->xfer_index = (me->xfer_index - 4) & XFERS_MASK;
	if (c->img->mode != ME_CTX8) {
		n += ctx % 2 * 32;
		ctx &= ~1u;
	}
	return &me->ctx[ctx].reg[(dst ? ME_R_OUT : ME_R_IN) + n];
}

uint32_t *me_far(struct me *me, const struct me_ctx *c, unsigned int o, bool dst, uint64_t now,
		 enum me_fault_reason *why)
{
	if ((o & ME_KIND) == ME_XIDX)
		return indexed(me, c, o, dst, now, why);
	return &me->ctx[ME_ABS_CTX(o)].reg[(o & ME_ABS_B ? ME_R_B : ME_R_A) + ME_ABS_REG(o)];
}
