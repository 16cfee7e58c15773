/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * accel_glue.h - accelerators that the card drives. This process sets an accelerator up. Then
 * each message of dev0-in or dev1-in is a job, and its result is sent on dev0-out or dev1-out.
 *
 *	accel_open(&a, ACCEL_DEVICE_AES_GCM, 0);
 *	accel_key(&a, 7, key);
 *	nfpchan_open(&in, card, "dev0-in", NULL);
 *	accel_glue_open(&g, &a, in, &(struct accel_glue_opts){ .slots = 16, .stream = 7 });
 */
#ifndef ACCEL_GLUE_H
#define ACCEL_GLUE_H

#include "accel_user.h"
#include "nfpchan.h"

#define ACCEL_GLUE_MEM	(1u << 20)	/* bytes that card and accelerator share */

/**
 * struct accel_glue_opts - how the card uses an accelerator
 * @slots: jobs that the accelerator has at a time: a power of 2, up to 64
 * @skip: first bytes of a message that the accelerator does not get
 * @out_size: bytes of the largest output, a multiple of 8; 0: 1024
 * @stream: struct accel_desc.stream of each job
 * @flags: struct accel_desc.flags of each job
 */
struct accel_glue_opts {
	uint32_t slots;
	uint32_t skip;
	uint32_t out_size;
	uint32_t stream;
	uint32_t flags;
};

struct accel_glue {
	struct accel_user *accel;
	struct nfpchan *in;
	void *mem;		/* shared by card and accelerator: ring, inputs, outputs */
	uint64_t mem_dma;
	struct accel_desc *ring;	/* the ring of this process, restored at the close */
	uint64_t ring_dma;
	volatile void *doorbell;	/* signal doorbell's page, mapped for the accelerator */
	size_t doorbell_size;
	uint64_t doorbell_dma;
};

/*
 * Start the accelerator, which is open and has its keys, and have the ME process of @in drive
 * it. Returns 0, or -1 with the reason printed. May be called again after accel_glue_close().
 */
int accel_glue_open(struct accel_glue *g, struct accel_user *a, struct nfpchan *in,
		    const struct accel_glue_opts *o);
void accel_glue_close(struct accel_glue *g);

#endif /* ACCEL_GLUE_H */
