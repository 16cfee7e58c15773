/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * accel_user.h - a driver in user space of the accelerators of fw/accel: their queue, keys, and
 * whom they tell. fw/accel/accel_regs.h has the registers.
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
	struct accel_desc *ring;	/* in memory that devices reach */
	uint64_t ring_dma;
	uint32_t size;			/* descriptors */
	uint32_t filled;		/* jobs that have their descriptor */
	uint32_t taken;			/* jobs whose completion was seen */
	bool sleeps;			/* each completion interrupts */
	unsigned long doorbells;	/* rung by this process */
	void *glue;			/* memory that it shares with a card, accel_glue.h */
	uint64_t glue_dma;
};

uint32_t accel_read(const struct accel_user *a, uint32_t reg);
void accel_write(struct accel_user *a, uint32_t reg, uint32_t v);
void accel_write64(struct accel_user *a, uint32_t reg, uint64_t v);

/* The @nth device of that kind, reset. 0 or -1; why is printed. */
int accel_open(struct accel_user *a, uint16_t device, unsigned int nth);
void accel_close(struct accel_user *a);

/* Before accel_start(): a stream's key, and where completions are announced. */
void accel_key(struct accel_user *a, uint32_t stream, const uint8_t key[16]);
void accel_notify(struct accel_user *a, uint64_t addr, uint64_t data, uint32_t len);

/* A ring of @size descriptors; @events: ACCEL_EVENT_*. 0 or -1. */
int accel_start(struct accel_user *a, uint32_t size, uint32_t events);

/* The next job's descriptor, to be filled. The ring's user knows how many are under way. */
struct accel_desc *accel_slot(struct accel_user *a);
/* Hand over @n filled descriptors. */
void accel_doorbell(struct accel_user *a, uint32_t n);

/*
 * The completion of the oldest job that was not seen yet, after @ms milliseconds at most; NULL:
 * there is none. Looks again and again; sleeps if pci_user_irq() was called and accel_start()
 * had both ACCEL_EVENT_IRQ_OK and ACCEL_EVENT_IRQ_BAD.
 */
const struct accel_done *accel_wait(struct accel_user *a, unsigned int ms);

#endif /* ACCEL_USER_H */
