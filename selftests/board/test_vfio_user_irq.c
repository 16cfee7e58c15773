// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_vfio_user_irq.c - interrupts through the vfio-user server.
 */
#define _GNU_SOURCE		/* memfd_create */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <time.h>

#include "vu_client.h"

#define MSIX	VFIO_PCI_MSIX_IRQ_INDEX
#define INTX	VFIO_PCI_INTX_IRQ_INDEX
#define ERR	VFIO_PCI_ERR_IRQ_INDEX
#define BIND	(VFIO_IRQ_SET_DATA_EVENTFD | VFIO_IRQ_SET_ACTION_TRIGGER)
#define NONE	VFIO_IRQ_SET_DATA_NONE
#define BOOL	VFIO_IRQ_SET_DATA_BOOL
#define TRIGGER	VFIO_IRQ_SET_ACTION_TRIGGER
#define MASK	VFIO_IRQ_SET_ACTION_MASK
#define UNMASK	VFIO_IRQ_SET_ACTION_UNMASK

static void vectors_bind_and_unbind_singly(void **state)
{
	struct rig *r = *state;
	int fd[3];

	rig_connect(r);
	for (int i = 0; i < 3; i++) {
		fd[i] = eventfd(0, EFD_NONBLOCK);
		/* QEMU binds each vector in this way when the guest first unmasks it. */
		assert_int_equal(rig_set_irqs(r, MSIX, BIND, 7 - i, 1, &fd[i], 1), 0);
	}
	for (int i = 0; i < 3; i++)
		rig_msix(r, 7 - i);
	for (int i = 0; i < 3; i++)
		assert_int_equal(events(fd[i]), 1);

	/* Unbind the second vector: a request without descriptors, with a start above 0. */
	assert_int_equal(rig_set_irqs(r, MSIX, BIND, 6, 1, NULL, 0), 0);
	for (int i = 0; i < 3; i++)
		rig_msix(r, 7 - i);
	assert_int_equal(events(fd[0]), 1);
	assert_int_equal(events(fd[1]), 0);
	assert_int_equal(events(fd[2]), 1);

	/* The interrupt of the unbound vector is pending, and goes to the new eventfd. */
	assert_int_equal(rig_set_irqs(r, MSIX, BIND, 6, 1, &fd[1], 1), 0);
	rig_settle(r);
	assert_int_equal(events(fd[1]), 1);

	/* Bind several vectors with one request, then replace the descriptor of one of them. */
	assert_int_equal(rig_set_irqs(r, MSIX, BIND, 253, 3, fd, 3), 0);
	assert_int_equal(rig_set_irqs(r, MSIX, BIND, 253, 1, &fd[2], 1), 0);
	rig_msix(r, 253);
	rig_msix(r, 255);
	assert_int_equal(events(fd[0]), 0);
	assert_int_equal(events(fd[2]), 2);

	/* Unbind all vectors. */
	assert_int_equal(rig_set_irqs(r, MSIX, NONE | TRIGGER, 0, 0, NULL, 0), 0);
	rig_msix(r, 7);
	rig_msix(r, 255);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(events(fd[i]), 0);
		close(fd[i]);
	}
}

static void masked_vectors_stay_pending(void **state)
{
	struct { struct vu_irq_set s; uint8_t on[2]; } __attribute__((packed)) set = {
		.s = { .argsz = 22, .flags = BOOL | TRIGGER, .index = MSIX,
		       .start = 1, .count = 2 },
		.on = { 0, 1 },
	};
	struct rig *r = *state;
	int fd[2] = { eventfd(0, EFD_NONBLOCK), eventfd(0, EFD_NONBLOCK) };

	rig_connect(r);
	assert_int_equal(rig_set_irqs(r, MSIX, BIND, 1, 2, fd, 2), 0);
	assert_int_equal(rig_set_irqs(r, MSIX, NONE | MASK, 1, 1, NULL, 0), 0);
	rig_msix(r, 1);
	rig_msix(r, 2);
	assert_int_equal(events(fd[0]), 0);
	assert_int_equal(events(fd[1]), 1);
	assert_int_equal(rig_set_irqs(r, MSIX, NONE | UNMASK, 1, 2, NULL, 0), 0);
	rig_settle(r);
	assert_int_equal(events(fd[0]), 1);
	assert_int_equal(events(fd[1]), 0);

	/* The client triggers one of two vectors, then a range with vectors that are not bound. */
	assert_int_equal(rig_call_plain(r, VU_SET_IRQS, &set, sizeof(set)), 0);
	assert_int_equal(rig_set_irqs(r, MSIX, NONE | TRIGGER, 2, 9, NULL, 0), 0);
	assert_int_equal(events(fd[0]), 0);
	assert_int_equal(events(fd[1]), 2);
	/* The card never masks a vector, so it refuses an eventfd for the action MASK. */
	assert_int_equal(rig_set_irqs(r, MSIX, VFIO_IRQ_SET_DATA_EVENTFD | MASK,
				      1, 1, fd, 1), -ENOTTY);
	close(fd[0]);
	close(fd[1]);
}

static void intx_masks_itself(void **state)
{
	struct rig *r = *state;
	int fd = eventfd(0, EFD_NONBLOCK);

	rig_connect(r);
	assert_int_equal(rig_set_irqs(r, INTX, BIND, 0, 1, &fd, 1), 0);
	assert_int_equal(rig_set_irqs(r, INTX, NONE | TRIGGER, 0, 1, NULL, 0), 0);
	assert_int_equal(events(fd), 1);
	assert_int_equal(rig_set_irqs(r, INTX, NONE | TRIGGER, 0, 1, NULL, 0), 0);
	assert_int_equal(events(fd), 0);
	assert_int_equal(rig_set_irqs(r, INTX, NONE | UNMASK, 0, 1, NULL, 0), 0);
	assert_int_equal(events(fd), 1);
	assert_int_equal(rig_set_irqs(r, INTX, NONE | TRIGGER, 0, 0, NULL, 0), 0);
	assert_int_equal(rig_set_irqs(r, INTX, NONE | UNMASK, 0, 1, NULL, 0), 0);
	assert_int_equal(events(fd), 0);
	close(fd);
}

/* The event of uncorrectable errors can be bound, but not masked. */
static void error_event_can_be_bound(void **state)
{
	struct rig *r = *state;
	int fd = eventfd(0, EFD_NONBLOCK);

	rig_connect(r);
	assert_int_equal(rig_set_irqs(r, ERR, BIND, 0, 1, &fd, 1), 0);
	assert_int_equal(rig_set_irqs(r, ERR, NONE | TRIGGER, 0, 1, NULL, 0), 0);
	assert_int_equal(events(fd), 1);
	assert_int_equal(rig_set_irqs(r, ERR, NONE | MASK, 0, 1, NULL, 0), -ENOTTY);
	assert_int_equal(rig_set_irqs(r, ERR, NONE | TRIGGER, 0, 0, NULL, 0), 0);
	assert_int_equal(rig_set_irqs(r, ERR, NONE | TRIGGER, 0, 1, NULL, 0), 0);
	assert_int_equal(events(fd), 0);
	close(fd);
}

/* A write to an eventfd at its limit must not block the server, even without O_NONBLOCK. */
static void full_eventfd_does_not_block(void **state)
{
	uint64_t full = UINT64_MAX - 1;
	struct rig *r = *state;
	int fd = eventfd(0, 0);

	rig_connect(r);
	assert_int_equal(write(fd, &full, sizeof(full)), sizeof(full));
	assert_int_equal(rig_set_irqs(r, MSIX, BIND, 0, 1, &fd, 1), 0);
	rig_msix(r, 0);
	assert_true(events(fd) > 0);
	close(fd);
}

#define FILLS	1000

/* A client that fills its eventfd while the server writes to it */
struct filler {
	int fd;
	atomic_ulong raised;
	atomic_ulong filled;
	atomic_bool blocked;
};

static bool goes_on(struct filler *f)
{
	unsigned long before = f->raised;
	time_t end = time(NULL) + 10;

	while (f->raised == before && time(NULL) < end)
		sched_yield();
	return f->raised != before;
}

static void *filler_run(void *arg)
{
	uint64_t full = UINT64_MAX - 1, n;
	struct filler *f = arg;

	while (f->filled < FILLS && !f->blocked) {
		/* Empty the eventfd and fill it: the server may see room in between. */
		assert_int_equal(fcntl(f->fd, F_SETFL, O_NONBLOCK), 0);
		(void)!read(f->fd, &n, sizeof(n));
		(void)!write(f->fd, &full, sizeof(full));
		assert_int_equal(fcntl(f->fd, F_SETFL, 0), 0);
		f->blocked = !goes_on(f);
		f->filled++;
	}
	(void)!read(f->fd, &n, sizeof(n));
	return NULL;
}

static void client_cannot_block_its_card(void **state)
{
	struct filler f = { .fd = eventfd(0, 0) };
	struct rig *r = *state;
	pthread_t thread;

	rig_connect(r);
	assert_int_equal(rig_set_irqs(r, MSIX, BIND, 0, 1, &f.fd, 1), 0);
	assert_int_equal(pthread_create(&thread, NULL, filler_run, &f), 0);
	while (f.filled < FILLS && !f.blocked) {
		board_msix(r->b, 0);
		f.raised++;
	}
	pthread_join(thread, NULL);
	assert_false(f.blocked);
	close(f.fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(vectors_bind_and_unbind_singly),
		T(masked_vectors_stay_pending),
		T(intx_masks_itself),
		T(error_event_can_be_bound),
		T(full_eventfd_does_not_block),
		T(client_cannot_block_its_card),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
