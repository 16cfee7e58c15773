/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* vnic_ring.h - what the stock driver writes for a vNIC: control BAR and descriptors. */
#ifndef VNIC_RING_H
#define VNIC_RING_H

#include "host.h"

/* Reconfigure a vNIC. Return the bits of @update that the card has not cleared: 0 after success. */
static inline uint32_t vnic_reconfig(struct host *h, uint64_t bar, unsigned int queue,
				     uint32_t ctrl, uint32_t update)
{
	mu_write(h, bar, ctrl, 4);
	mu_write(h, bar + 4, update, 4);
	qc_add_wptr(h, queue, 1);
	return mu_read(h, bar + 4, 4);
}

/* Fill in the descriptor of a free receive buffer. */
static inline void vnic_fl_desc(uint8_t *d, uint64_t addr)
{
	uint16_t high = addr >> 32;

	memset(d, 0, 8);
	memcpy(d, &high, 2);
	memcpy(d + 4, &addr, 4);
}

/* Fill in the descriptor of a piece of @len bytes of a packet that has @total bytes. */
static inline void vnic_tx_desc(uint8_t *d, uint64_t addr, uint16_t len, bool eop, uint16_t total)
{
	memset(d, 0, 16);
	d[0] = (uint8_t)(addr >> 32);
	memcpy(d + 1, &len, 2);
	d[3] = eop ? 0x80 : 0;
	memcpy(d + 4, &addr, 4);
	memcpy(d + 14, &total, 2);
}

#endif /* VNIC_RING_H */
