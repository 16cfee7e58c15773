// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * accel_user.c - a user-space driver for the accelerators of fw/emu/accel.
 */
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "accel_user.h"

uint32_t accel_read(const struct accel_user *a, uint32_t reg)
{
	return a->pci->bar[reg / 4];
}

void accel_write(struct accel_user *a, uint32_t reg, uint32_t v)
{
	a->pci->bar[reg / 4] = v;
}

void accel_write64(struct accel_user *a, uint32_t reg, uint64_t v)
{
	accel_write(a, reg, v);
	accel_write(a, reg + 4, v >> 32);
}

int accel_open(struct accel_user *a, uint16_t device, unsigned int nth)
{
	memset(a, 0, sizeof(*a));
	a->pci = pci_user_open(ACCEL_VENDOR, device, nth);
	if (!a->pci)
		return -1;
	if (accel_read(a, ACCEL_ID) != ACCEL_ID_VALUE || accel_read(a, ACCEL_VERSION) != 1) {
		fprintf(stderr, "%s: id %#x version %u, not an accelerator of version 1\n",
			a->pci->slot, accel_read(a, ACCEL_ID), accel_read(a, ACCEL_VERSION));
		pci_user_close(a->pci);
		return -1;
	}
	accel_write(a, ACCEL_CONTROL, ACCEL_RESET);
	return 0;
}

void accel_close(struct accel_user *a)
{
	accel_write(a, ACCEL_CONTROL, ACCEL_RESET);
	pci_user_close(a->pci);
}

void accel_key(struct accel_user *a, uint32_t stream, const uint8_t key[16])
{
	accel_write(a, ACCEL_STREAM, stream);
	for (unsigned int i = 0; i < 16; i += 4) {
		uint32_t v;

		memcpy(&v, key + i, 4);
		accel_write(a, ACCEL_KEY + i, v);
	}
	accel_write(a, ACCEL_STREAM_SET, 1);
}

void accel_notify(struct accel_user *a, uint64_t addr, uint64_t data, uint32_t len)
{
	accel_write64(a, ACCEL_NOTIFY_ADDR, addr);
	accel_write64(a, ACCEL_NOTIFY_DATA, data);
	accel_write(a, ACCEL_NOTIFY_LEN, len);
}

int accel_start(struct accel_user *a, uint32_t size, uint32_t events)
{
	accel_write(a, ACCEL_CONTROL, 0);
	if (!a->ring)
		a->ring = pci_user_alloc(ACCEL_QUEUE_MAX * sizeof(*a->ring), &a->ring_dma);
	if (!a->ring)
		return -1;
	memset(a->ring, 0, size * sizeof(*a->ring));
	a->size = size;
	a->sleeps = a->pci->irq >= 0 && events & ACCEL_EVENT_IRQ_OK &&
		    events & ACCEL_EVENT_IRQ_BAD;
	a->filled = 0;
	a->taken = 0;
	accel_write64(a, ACCEL_QUEUE_BASE, a->ring_dma);
	accel_write(a, ACCEL_QUEUE_SIZE, size);
	accel_write(a, ACCEL_EVENTS, events);
	accel_write(a, ACCEL_CONTROL, ACCEL_ENABLE);
	if (accel_read(a, ACCEL_STATUS) == ACCEL_ENABLED)
		return 0;
	fprintf(stderr, "%s: refuses a ring of %u descriptors, events %#x (accel_regs.h)\n",
		a->pci->slot, size, events);
	return -1;
}

struct accel_desc *accel_slot(struct accel_user *a)
{
	return &a->ring[a->filled++ % a->size];
}

void accel_doorbell(struct accel_user *a, uint32_t n)
{
	__atomic_thread_fence(__ATOMIC_SEQ_CST);	/* after descriptors and data */
	accel_write(a, ACCEL_DOORBELL, n);
	a->doorbells++;
}

static long now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000l + ts.tv_nsec / 1000000;
}

/* Wait for an interrupt, or without one yield the CPU. */
static void rest(struct accel_user *a, long ms)
{
	struct pollfd p = { .fd = a->pci->irq, .events = POLLIN };
	uint64_t count;

	if (!a->sleeps)
		sched_yield();
	else if (poll(&p, 1, ms) == 1 && read(p.fd, &count, sizeof(count)) < 0)
		perror("eventfd");
}

const struct accel_done *accel_wait(struct accel_user *a, unsigned int ms)
{
	struct accel_done *done = &a->ring[a->taken % a->size].done;
	long end = now_ms() + ms, left = ms;

	/* The device writes the word with seq last. */
	while (__atomic_load_n(&done->seq, __ATOMIC_ACQUIRE) != a->taken + 1) {
		if (left < 0)
			return NULL;
		rest(a, left);
		left = end - now_ms();
	}
	a->taken++;
	return done;
}
