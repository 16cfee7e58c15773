/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * accel_user.h - a user-space driver for the accelerators of fw/emu/accel: ring, keys and
 * notifications. fw/abi/accel_regs.h has the registers.
 *
 *	accel_open(&a, ACCEL_DEVICE_AES_GCM, 0);
 *	accel_key(&a, 7, key);
 *	accel_start(&a, 64, 0);
 *	*accel_slot(&a) = (struct accel_desc){ .src = ..., .dst = ..., .stream = 7, ... };
 *	accel_doorbell(&a, 1);
 *	done = accel_wait(&a, 1000);
 */
#ifndef ACCEL_USER_H
#define ACCEL_USER_H

#include "accel_regs.h"
#include "pci_user.h"

struct accel_user {
	struct pci_user *pci;
	struct accel_desc *ring;	/* in memory that the device reaches */
	uint64_t ring_dma;
	uint32_t size;			/* descriptors of the ring */
	uint32_t filled;		/* jobs whose descriptor was handed out by accel_slot() */
	uint32_t taken;			/* jobs whose completion was returned by accel_wait() */
	bool sleeps;			/* each completion interrupts, so accel_wait() sleeps */
	unsigned long doorbells;	/* stores of this process to the doorbell */
	void *glue;			/* memory shared with a card, see accel_glue.h */
	uint64_t glue_dma;
};

uint32_t accel_read(const struct accel_user *a, uint32_t reg);
void accel_write(struct accel_user *a, uint32_t reg, uint32_t v);
void accel_write64(struct accel_user *a, uint32_t reg, uint64_t v);

/* Open and reset the @nth device of that kind, from 0. Returns 0, or -1 with the reason printed. */
int accel_open(struct accel_user *a, uint16_t device, unsigned int nth);
void accel_close(struct accel_user *a);

/* Before accel_start(): set the key of a stream, and what a completion writes where. */
void accel_key(struct accel_user *a, uint32_t stream, const uint8_t key[16]);
void accel_notify(struct accel_user *a, uint64_t addr, uint64_t data, uint32_t len);

/* Start with a ring of @size descriptors. @events: ACCEL_EVENT_*. Returns 0 or -1. */
int accel_start(struct accel_user *a, uint32_t size, uint32_t events);

/* The next job's descriptor, to be filled. The caller limits the jobs under way to @size. */
struct accel_desc *accel_slot(struct accel_user *a);
/* Hand over @n filled descriptors. */
void accel_doorbell(struct accel_user *a, uint32_t n);

/*
 * Wait up to @ms milliseconds for the completion of the oldest job. Returns NULL if it did not
 * come. The call polls; it sleeps if pci_user_irq() was called, and accel_start() had both
 * ACCEL_EVENT_IRQ_OK and ACCEL_EVENT_IRQ_BAD.
 */
const struct accel_done *accel_wait(struct accel_user *a, unsigned int ms);

#endif /* ACCEL_USER_H */
