// SPDX-License-Identifier: BSD-2-Clause
/*
 * dma.c - the PCIe DMA engine: a queue of descriptors, processed in order.
 *
 * One descriptor is one transfer here, of any length. On silicon a descriptor moves at most 4 KiB
 * - 1 bytes, and firmware splits longer transfers, which does not change the number of TLPs.
 */
#include <errno.h>
#include <syslog.h>

#include "cfg.h"
#include "dma.h"
#include "fault_ops.h"
#include "msix.h"
#include "tlp.h"

void bd_dma_reset(struct board *b)
{
	/*
	 * Drop the queued descriptors without calling @done: the firmware that enqueued them is
	 * restarted together with the engine.
	 */
	b->dma->head = b->dma->tail;
	b->dma->master_warned = false;
}

static bool master_ok(struct board *b, uint64_t host)
{
	if (bd_gone(b))
		return false;
	if (bd_cfg_master(b))
		return true;
	if (!b->dma->master_warned)
		board_log(LOG_WARNING, "DMA at 0x%llx refused: bus mastering is off in the command register",
			  (unsigned long long)host);
	b->dma->master_warned = true;
	return false;
}

int bd_dma_now(struct board *b, bool to_host, enum board_tlp purpose,
	       uint64_t host, void *mem, size_t len)
{
	int err = -EFAULT;

	b->dma->descs++;
	if (b->host && len && host <= UINT64_MAX - (len - 1) && master_ok(b, host)) {
		if (to_host)
			err = b->host->dma_write(b->host_ctx, host, mem, len);
		else
			err = b->host->dma_read(b->host_ctx, host, mem, len);
		/* Count the requests even after an error: they were on the link. */
		bd_tlp_dma(b, purpose, to_host, host, len);
	}
	if (err) {
		b->dma->faults++;
		return -EFAULT;
	}
	b->dma->bytes[to_host] += len;
	return 0;
}

int board_dma_enqueue(struct board *b, const struct board_dma *d)
{
	struct bd_dma *q = b->dma;

	if (!d->len || !d->mem)
		return -EINVAL;
	if (q->tail - q->head == BD_DMA_QUEUE)
		return -ENOSPC;
	q->ring[q->tail++ % BD_DMA_QUEUE] = *d;
	return 0;
}

unsigned int bd_dma_run(struct board *b, unsigned int budget)
{
	struct bd_dma *q = b->dma;
	unsigned int done = 0;

	while (q->head != q->tail && done < budget) {
		/* Copy the descriptor: @done may enqueue another one in the same slot. */
		struct board_dma d = q->ring[q->head % BD_DMA_QUEUE];
		int status;

		if (!b->fault || !b->fault->dma(b, &d, &status))
			status = bd_dma_now(b, d.to_host, d.purpose, d.host, d.mem, d.len);
		q->head++;
		done++;
		/* An interrupt may have waited for this transfer. */
		bd_msix_run(b);
		if (d.done)
			d.done(d.ctx, status);
	}
	return done;
}
