// SPDX-License-Identifier: BSD-2-Clause
/*
 * msix.c - MSI-X messages: sent after earlier DMA, and pending while the host takes none.
 *
 * The front end has the MSI-X table (under QEMU the table never reaches the board). So the front
 * end also applies the mask bits and the capability's enable bit: if it cannot deliver a vector,
 * it returns -ENOENT, and the vector stays in the pending bit array.
 */
#include <errno.h>

#include "cfg.h"
#include "dma.h"
#include "fault_ops.h"
#include "msix.h"
#include "tlp.h"

#define WORD(v)	((v) / 64)
#define BIT(v)	(1ULL << ((v) % 64))

void bd_msix_reset(struct board *b)
{
	struct bd_msix *m = b->msix;

	memset(m->pending, 0, sizeof(m->pending));
	memset(m->queued, 0, sizeof(m->queued));
}

static void deliver(struct board *b, unsigned int v)
{
	struct bd_msix *m = b->msix;
	int err = -ENOENT;

	if (bd_gone(b) || (b->fault && b->fault->msix(b, v)))
		return;
	/* A message is a memory write, so it needs bus mastering, as DMA does. */
	if (b->host && bd_cfg_master(b))
		err = b->host->msix(b->host_ctx, v);
	if (err) {
		if (!(m->pending[WORD(v)] & BIT(v)))
			m->deferred++;
		m->pending[WORD(v)] |= BIT(v);
		return;
	}
	m->pending[WORD(v)] &= ~BIT(v);
	m->sent++;
	bd_tlp_msix(b);
}

/*
 * A vector has at most two queued messages: one after the DMA that was queued at the first
 * request, and one more for all later requests. So a later message can be late, by the length of
 * the DMA queue at most, but is never early and never lost.
 */
int board_msix(struct board *b, unsigned int vector)
{
	struct bd_msix *m = b->msix;
	uint64_t at = b->dma->tail;

	if (vector >= BOARD_MSIX_VECTORS)
		return -EINVAL;
	if (m->queued[WORD(vector)] & BIT(vector)) {
		if (m->behind[vector] != at)
			m->again[vector] = at;
		return 0;
	}
	if (b->dma->head == at) {
		deliver(b, vector);
		return 0;
	}
	m->queued[WORD(vector)] |= BIT(vector);
	m->behind[vector] = at;
	m->again[vector] = BD_NEVER;
	return 0;
}

void board_msix_drop(struct board *b, unsigned int vector)
{
	struct bd_msix *m = b->msix;

	if (vector >= BOARD_MSIX_VECTORS)
		return;
	m->queued[WORD(vector)] &= ~BIT(vector);
	m->pending[WORD(vector)] &= ~BIT(vector);
}

static void run_vector(struct board *b, unsigned int v)
{
	struct bd_msix *m = b->msix;

	if (m->behind[v] > b->dma->head)
		return;
	if (m->again[v] == BD_NEVER || m->again[v] <= b->dma->head) {
		m->queued[WORD(v)] &= ~BIT(v);
	} else {
		m->behind[v] = m->again[v];
		m->again[v] = BD_NEVER;
	}
	deliver(b, v);
}

void bd_msix_run(struct board *b)
{
	unsigned int w;

	for (w = 0; w < BOARD_MSIX_VECTORS / 64; w++) {
		uint64_t left = b->msix->queued[w];

		while (left) {
			run_vector(b, w * 64 + __builtin_ctzll(left));
			left &= left - 1;
		}
	}
}

void bd_msix_armed(struct board *b, unsigned int vector, bool armed)
{
	if (armed && vector < BOARD_MSIX_VECTORS &&
	    b->msix->pending[WORD(vector)] & BIT(vector))
		deliver(b, vector);
}

void bd_msix_retry(struct board *b)
{
	unsigned int v;

	for (v = 0; v < BOARD_MSIX_VECTORS; v++)
		bd_msix_armed(b, v, true);
}

/* Return word @word (0 to 7) of the pending bit array. */
uint32_t bd_msix_pba(const struct board *b, unsigned int word)
{
	if (word >= BOARD_MSIX_VECTORS / 32)
		return 0;
	return b->msix->pending[word / 2] >> (32 * (word % 2));
}
