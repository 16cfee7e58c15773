/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mu_ring.h - rings and work queues of the memory units, for the MU's commands. Firmware uses
 * them through board_fw.h.
 */
#ifndef MU_RING_H
#define MU_RING_H

#include "board_int.h"

#define BD_RINGS	1024

struct bd_ring {
	uint64_t addr;
	uint32_t words;		/* 0: not initialised */
	uint32_t head;		/* free-running, in words */
	uint32_t tail;
};

/* A ring used as a work queue has waiting threads, or words of work, but never both at once. */
#define BD_WORKQS	16
#define BD_WORKQ_THREADS 64	/* a power of 2 */

struct bd_workq {
	unsigned int ring;
	uint32_t head, tail;	/* free-running */
	struct board_thread thread[BD_WORKQ_THREADS];
};

struct bd_rings {
	struct bd_ring ring[BD_RINGS];
	struct bd_workq workq[BD_WORKQS];
	unsigned int workqs;
};

void bd_ring_reset(struct board *b);
void bd_ring_journal(struct board *b, unsigned int ring, uint32_t word);
uint32_t bd_ring_pop(struct board *b, unsigned int ring);

#endif /* MU_RING_H */
