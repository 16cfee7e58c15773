// SPDX-License-Identifier: BSD-2-Clause
/*
 * vnic_freelist.c - delivery into an RX ring: take the next buffer that the host offers, write
 * the frame into the buffer, and replace the offer by a descriptor (nfp_net.h, nfd3/dp.c).
 */
#include <errno.h>
#include <syslog.h>

#include "bytes.h"
#include "dma.h"
#include "pcie_island.h"
#include "vnic.h"

/*
 * A slot of the ring has one of two layouts. The host's offer: address bits 47:32, 0, address
 * bits 31:0. The descriptor that replaces the offer: length, 0, DD with the metadata's length,
 * flags, 0.
 */
#define SLOT_SIZE	BD_FL_SLOT
#define RXD_DD		0x80

/* Return the number of buffers that the host has offered and the board has not filled yet. */
unsigned int bd_fl_room(struct board *b, unsigned int vnic, unsigned int ring)
{
	struct bd_rxring *r = &b->nic->vnic[vnic].rx[ring];
	unsigned int queue = bd_vnic_fl_queue(vnic, ring);
	uint32_t n = (board_qc_wptr(b, queue) - board_qc_rptr(b, queue)) & QC_PTR_MASK;

	if (!r->on)
		return 0;
	if (n > r->mask + 1) {
		b->nic->vnic[vnic].total.faults++;
		r->on = false;
		board_log(LOG_WARNING, "vNIC %u: RX ring %u stopped until it is configured anew: %u buffers offered in a ring of %u",
			  vnic, ring, n, r->mask + 1);
		return 0;
	}
	return n;
}

/*
 * Get the address of the buffer that the ring's slot at pointer @at offers. Offers are fetched in
 * batches, up to @room of them.
 */
static int offer(struct board *b, struct bd_rxring *r, uint32_t at, uint32_t room,
		 uint64_t *addr)
{
	uint32_t i = (at - r->first) & QC_PTR_MASK, slot = at & r->mask, n = BD_FL_BATCH;
	const uint8_t *s;

	if (i >= r->have) {
		if (n > room)
			n = room;
		if (n > r->mask + 1 - slot)
			n = r->mask + 1 - slot;
		r->have = 0;
		if (bd_dma_now(b, false, BOARD_TLP_VNIC, r->addr + SLOT_SIZE * (uint64_t)slot,
			       r->offers, SLOT_SIZE * n))
			return -EFAULT;
		r->first = at;
		r->have = n;
		i = 0;
	}
	s = r->offers + SLOT_SIZE * i;
	*addr = (uint64_t)bd_get16(s) << 32 | bd_get32(s + 4);
	return 0;
}

int bd_fl_put(struct board *b, unsigned int vnic, unsigned int ring,
	      void *data, const struct bd_rxd *d)
{
	struct bd_rxring *r = &b->nic->vnic[vnic].rx[ring];
	unsigned int queue = bd_vnic_fl_queue(vnic, ring);
	uint32_t at = board_qc_rptr(b, queue), room;
	uint8_t desc[SLOT_SIZE] = { 0 };
	uint64_t addr;
	int err;

	if (d->len > r->room || d->len > UINT16_MAX)
		return -EMSGSIZE;
	room = bd_fl_room(b, vnic, ring);
	if (!room)
		return -ENOBUFS;
	bd_put16(desc, d->len);
	desc[3] = RXD_DD | d->meta_len;
	bd_put16(desc + 4, d->flags);
	err = offer(b, r, at, room, &addr);
	if (!err)
		err = bd_dma_now(b, true, BOARD_TLP_VNIC, addr, data, d->len);
	if (!err)
		err = bd_dma_now(b, true, BOARD_TLP_VNIC,
				 r->addr + SLOT_SIZE * (uint64_t)(at & r->mask), desc, SLOT_SIZE);
	board_qc_add_rptr(b, queue, 1);
	if (err)
		b->nic->vnic[vnic].total.faults++;
	else
		bd_vnic_report(&r->irq, 1);
	return err;
}
