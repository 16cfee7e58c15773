// SPDX-License-Identifier: BSD-2-Clause
/*
 * vnic_freelist.c - into an RX ring: take the buffer that the host offers next,
 * fill it, write what it holds over the offer (nfp_net.h, nfd3/dp.c).
 */
#include <errno.h>
#include <syslog.h>

#include "board_int.h"

/*
 * Both views of a slot: the host's offer (address bits 47:32, 0, address bits
 * 31:0) and the descriptor over it (length, 0, flags, words that are 0 here).
 */
#define SLOT_SIZE	8
#define RXD_DD		0x80
#define QC_PTR_MASK	0x3ffffu

/* Buffers the host has offered and nothing has filled. */
unsigned int bd_fl_room(struct board *b, unsigned int vnic, unsigned int ring)
{
	struct bd_rxring *r = &b->vnic[vnic].rx[ring];
	unsigned int queue = bd_vnic_fl_queue(vnic, ring);
	uint32_t n = (board_qc_wptr(b, queue) - board_qc_rptr(b, queue)) & QC_PTR_MASK;

	if (!r->on)
		return 0;
	if (n > r->mask + 1) {
		b->vnic[vnic].faults++;
		r->on = false;
		board_log(LOG_WARNING, "vNIC %u: RX ring %u stopped until it is configured anew: %u buffers offered in a ring of %u",
			  vnic, ring, n, r->mask + 1);
		return 0;
	}
	return n;
}

/*
 * The descriptor is written last and whole: the driver looks at its DD bit and
 * takes the rest for granted, its length too. -ENOBUFS: none offered; -EMSGSIZE:
 * more than the host says a buffer takes; -EFAULT: not host memory, and the
 * buffer is gone, as on a real bus.
 */
int bd_fl_put(struct board *b, unsigned int vnic, unsigned int ring,
	      void *data, uint32_t len)
{
	struct bd_rxring *r = &b->vnic[vnic].rx[ring];
	unsigned int queue = bd_vnic_fl_queue(vnic, ring);
	uint8_t slot[SLOT_SIZE], desc[SLOT_SIZE] = { 0 };
	uint64_t at;
	int err = -EFAULT;

	if (len > r->room || len > UINT16_MAX)
		return -EMSGSIZE;
	if (!bd_fl_room(b, vnic, ring))
		return -ENOBUFS;
	at = r->addr + SLOT_SIZE * (uint64_t)(board_qc_rptr(b, queue) & r->mask);
	bd_put16(desc, len);
	desc[3] = RXD_DD;
	if (!bd_dma_now(b, false, BOARD_TLP_VNIC, at, slot, sizeof(slot)) &&
	    !bd_dma_now(b, true, BOARD_TLP_VNIC, (uint64_t)bd_get16(slot) << 32 | bd_get32(slot + 4),
			data, len))
		err = bd_dma_now(b, true, BOARD_TLP_VNIC, at, desc, sizeof(desc));
	board_qc_add_rptr(b, queue, 1);
	if (err)
		b->vnic[vnic].faults++;
	else
		r->unreported = true;
	return err;
}
