// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_accel_queue.c - the queue of an accelerator: rings that wrap, hostile descriptors, DMA
 * that fails, the notification and the interrupt of a completion, resets.
 */
#include "accel_host.h"

#define JOB(...)	((struct accel_desc){ __VA_ARGS__ })
#define PLAIN		(ACCEL_NONCE_LEN + 100)
#define SEALED		(PLAIN + ACCEL_TAG_LEN)
#define CAP_EXP		0x40		/* offset of the PCIe capability, as lspci prints it */

static int aes(void **state)
{
	struct accel_host *h = host_new(&accel_aes_gcm);

	for (unsigned int i = 0; i < PLAIN; i++)
		h->mem[SRC + i] = i;
	host_key(h, 5, 0x11223344);
	*state = h;
	return 0;
}

static int classify(void **state)
{
	*state = host_new(&accel_classify);
	return 0;
}

static int gone(void **state)
{
	host_free(*state);
	return 0;
}

static void there_and_back(void **state)
{
	struct accel_host *h = *state;

	host_start(h, 4, 0);
	assert_int_equal(reg_get(h, ACCEL_STATUS), ACCEL_ENABLED);
	/* more jobs than the ring has descriptors */
	for (unsigned int i = 0; i < 9; i++) {
		memset(h->mem + DST, 0, 2 * SEALED);
		assert_int_equal(host_job(h, JOB(.len = PLAIN, .stream = 5, .flags = ACCEL_SEAL)),
				 ACCEL_OK);
		assert_int_equal(host_slot(h, h->rung - 1)->done.len, SEALED);
		assert_memory_not_equal(h->mem + DST + ACCEL_NONCE_LEN,
					h->mem + SRC + ACCEL_NONCE_LEN, 100);
		assert_int_equal(host_job(h, JOB(.src = DST, .dst = DST + 4096, .len = SEALED,
						 .stream = 5)), ACCEL_OK);
		assert_memory_equal(h->mem + DST + 4096, h->mem + SRC, PLAIN);
	}
	assert_int_equal(reg_get(h, ACCEL_DONE), 18);
	assert_int_equal(reg_get(h, ACCEL_GOOD), 18);
	/* reads: descriptor and input; writes: output and completion */
	assert_int_equal(reg_get(h, ACCEL_READS), 36);
	assert_int_equal(reg_get(h, ACCEL_WRITES), 36);
}

static void tampered(void **state)
{
	struct accel_host *h = *state;

	host_start(h, 4, 0);
	host_job(h, JOB(.len = PLAIN, .stream = 5, .flags = ACCEL_SEAL));
	memset(h->mem + DST + 4096, 0xee, 4096);
	h->mem[DST + SEALED - 1] ^= 0x80;
	assert_int_equal(host_job(h, JOB(.src = DST, .dst = DST + 4096, .len = SEALED,
					 .stream = 5)), ACCEL_BAD_TAG);
	for (unsigned int i = 0; i < 4096; i++)
		assert_int_equal(h->mem[DST + 4096 + i], 0xee);
	assert_int_equal(reg_get(h, ACCEL_FAILED), 1);
	h->mem[DST + SEALED - 1] ^= 0x80;
	assert_int_equal(host_job(h, JOB(.src = DST, .dst = DST + 4096, .len = SEALED,
					 .stream = 5)), ACCEL_OK);
}

/* Each hostile descriptor gets a completion with an error status, and the next job is done. */
static void hostile_descriptors(void **state)
{
	static const struct {
		struct accel_desc d;
		uint32_t status;
	} bad[] = {
		{ { .src = SRC, .dst = DST, .len = PLAIN, .room = 4096, .stream = 5,
		    .flags = 2 }, ACCEL_BAD_DESC },
		{ { .src = SRC, .dst = DST, .len = PLAIN, .room = 4096, .stream = 5,
		    .zero = { 0, 1 } }, ACCEL_BAD_DESC },
		{ { .src = SRC, .dst = DST, .len = 0, .room = 4096, .stream = 5 },
		  ACCEL_BAD_LEN },
		{ { .src = SRC, .dst = DST, .len = 27, .room = 4096, .stream = 5 },
		  ACCEL_BAD_LEN },
		{ { .src = SRC, .dst = DST, .len = 11, .room = 4096, .stream = 5,
		    .flags = ACCEL_SEAL }, ACCEL_BAD_LEN },
		{ { .src = SRC, .dst = DST, .len = ACCEL_LEN_MAX + 29, .room = -1u, .stream = 5 },
		  ACCEL_BAD_LEN },
		{ { .src = SRC, .dst = DST, .len = -1u, .room = -1u, .stream = 5,
		    .flags = ACCEL_SEAL }, ACCEL_BAD_LEN },
		{ { .src = SRC, .dst = DST, .len = PLAIN, .room = SEALED - 1, .stream = 5,
		    .flags = ACCEL_SEAL }, ACCEL_BAD_ROOM },
		{ { .src = SRC, .dst = DST, .len = PLAIN, .room = 4096, .stream = 4,
		    .flags = ACCEL_SEAL }, ACCEL_BAD_STREAM },
		{ { .src = SRC, .dst = DST, .len = PLAIN, .room = 4096, .stream = -1u,
		    .flags = ACCEL_SEAL }, ACCEL_BAD_STREAM },
		{ { .src = NOWHERE, .dst = DST, .len = PLAIN, .room = 4096, .stream = 5,
		    .flags = ACCEL_SEAL }, ACCEL_READ_FAILED },
		{ { .src = -8ull, .dst = DST, .len = PLAIN, .room = 4096, .stream = 5,
		    .flags = ACCEL_SEAL }, ACCEL_READ_FAILED },
		{ { .src = MEM_SIZE - 8, .dst = DST, .len = PLAIN, .room = 4096, .stream = 5,
		    .flags = ACCEL_SEAL }, ACCEL_READ_FAILED },
		{ { .src = SRC, .dst = -8ull, .len = PLAIN, .room = 4096, .stream = 5,
		    .flags = ACCEL_SEAL }, ACCEL_WRITE_FAILED },
	};
	struct accel_host *h = *state;
	unsigned int n = sizeof(bad) / sizeof(bad[0]);

	host_start(h, 16, 0);
	memset(h->mem + DST, 0xee, 4096);
	for (unsigned int i = 0; i < n; i++) {
		assert_int_equal(host_job(h, bad[i].d), bad[i].status);
		assert_int_equal(host_slot(h, i)->done.len, 0);
	}
	assert_int_equal(h->mem[DST], 0xee);
	assert_int_equal(reg_get(h, ACCEL_FAILED), n);
	assert_int_equal(reg_get(h, ACCEL_DMA_FAILED), 4);
	assert_int_equal(reg_get(h, ACCEL_GOOD), 0);
	assert_int_equal(host_job(h, JOB(.len = PLAIN, .stream = 5, .flags = ACCEL_SEAL)),
			 ACCEL_OK);
}

/* A message of the largest size, and one that is a byte longer */
static void largest(void **state)
{
	struct accel_host *h = *state;
	uint32_t len = ACCEL_LEN_MAX + ACCEL_NONCE_LEN;

	host_start(h, 4, 0);
	assert_int_equal(host_job(h, JOB(.len = len, .room = -1u, .stream = 5,
					 .flags = ACCEL_SEAL)), ACCEL_OK);
	assert_int_equal(host_job(h, JOB(.src = DST, .dst = SRC, .len = len + ACCEL_TAG_LEN,
					 .room = len, .stream = 5)), ACCEL_OK);
	assert_int_equal(host_slot(h, 1)->done.len, len);
	assert_int_equal(h->mem[SRC + PLAIN - 1], PLAIN - 1);
	assert_int_equal(reg_get(h, ACCEL_MAX_LEN), len + ACCEL_TAG_LEN);
}

static void wrong_configuration(void **state)
{
	static const struct {
		uint32_t reg, v;
	} wrong[] = {
		{ ACCEL_QUEUE_SIZE, 0 }, { ACCEL_QUEUE_SIZE, 3 }, { ACCEL_QUEUE_SIZE, 8192 },
		{ ACCEL_QUEUE_BASE, RING + 32 }, { ACCEL_EVENTS, ACCEL_EVENT_NOTIFY_BAD },
	};
	struct accel_host *h = *state;

	for (unsigned int i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		host_start(h, 4, 0);
		reg_set(h, ACCEL_CONTROL, 0);
		reg_set(h, wrong[i].reg, wrong[i].v);
		reg_set(h, ACCEL_CONTROL, ACCEL_ENABLE);
		assert_int_equal(reg_get(h, ACCEL_STATUS), ACCEL_BAD_CONFIG);
		reg_set(h, ACCEL_DOORBELL, 1);
		assert_false(accel_run(h->a, 1));
		assert_int_equal(reg_get(h, ACCEL_OVERRUNS), i + 1);
	}
	host_start(h, 4, 0);
	/* An enabled queue keeps its setup, so these writes change nothing. */
	reg_set(h, ACCEL_QUEUE_SIZE, 3);
	reg_set(h, ACCEL_QUEUE_BASE, 0);
	assert_int_equal(reg_get(h, ACCEL_QUEUE_SIZE), 4);
	assert_int_equal(reg_get(h, ACCEL_QUEUE_BASE), RING);
	/*
	 * The device ignores a doorbell for more descriptors than the ring has, and counts an
	 * overrun.
	 */
	reg_set(h, ACCEL_DOORBELL, 5);
	reg_set(h, ACCEL_DOORBELL, -1u);
	assert_false(accel_run(h->a, 1));
	assert_int_equal(reg_get(h, ACCEL_ASKED), 0);
	reg_set(h, ACCEL_DOORBELL, 4);
	reg_set(h, ACCEL_DOORBELL, 1);
	assert_int_equal(reg_get(h, ACCEL_ASKED), 4);
}

static void notifications(void **state)
{
	struct accel_host *h = *state;

	reg_set(h, ACCEL_NOTIFY_ADDR, (uint32_t)NOWHERE);
	reg_set(h, ACCEL_NOTIFY_ADDR + 4, NOWHERE >> 32);
	reg_set(h, ACCEL_NOTIFY_DATA, 0x11223344);
	reg_set(h, ACCEL_NOTIFY_DATA + 4, 0x55667788);
	reg_set(h, ACCEL_NOTIFY_LEN, 4);
	host_start(h, 4, ACCEL_EVENT_NOTIFY_OK);
	host_job(h, JOB(.len = PLAIN, .stream = 5, .flags = ACCEL_SEAL));
	assert_int_equal(h->peers, 1);
	assert_true(h->peer.addr == NOWHERE && h->peer.count == 4);
	assert_memory_equal(h->peer_data, "\x44\x33\x22\x11", 4);
	host_job(h, JOB(.len = 1, .stream = 5));
	assert_int_equal(h->peers, 1);	/* no notification for the failed job */

	reg_set(h, ACCEL_CONTROL, 0);
	reg_set(h, ACCEL_NOTIFY_LEN, 8);
	reg_set(h, ACCEL_NOTIFY_ADDR, 0x3000);	/* an address in the guest's memory */
	reg_set(h, ACCEL_NOTIFY_ADDR + 4, 0);
	host_start(h, 4, ACCEL_EVENT_NOTIFY_BAD);
	host_job(h, JOB(.len = 1, .stream = 5));
	assert_memory_equal(h->mem + 0x3000, "\x44\x33\x22\x11\x88\x77\x66\x55", 8);
	assert_int_equal(h->peers, 1);
	assert_int_equal(reg_get(h, ACCEL_NOTIFIED), 2);
}

/* A posted write that fails is counted, and has no other effect. */
static void failed_writes(void **state)
{
	uint32_t failed = VU_F_REPLY | VU_F_ERROR;
	struct accel_host *h = *state;

	host_start(h, 4, 0);
	assert_int_equal(host_job(h, JOB(.dst = NOWHERE, .len = 0x40 - ACCEL_TAG_LEN, .stream = 5,
					 .flags = ACCEL_SEAL)), ACCEL_OK);
	assert_int_equal(h->peers, 1);
	assert_int_equal(h->peer.count, 0x40);
	assert_int_equal(host_send(h, VU_DMA_WRITE, failed, NULL, 0, NULL, 0), 0);
	assert_int_equal(reg_get(h, ACCEL_DMA_FAILED), 1);
	assert_int_equal(host_job(h, JOB(.len = PLAIN, .stream = 5, .flags = ACCEL_SEAL)),
			 ACCEL_OK);
	/* An answer without a request ends the connection. */
	assert_int_equal(host_send(h, VU_DMA_WRITE, failed, NULL, 0, NULL, 0), -EPROTO);
	assert_int_equal(host_send(h, VU_DMA_WRITE, VU_F_REPLY, NULL, 0, NULL, 0), -EPROTO);
	assert_int_equal(host_send(h, VU_DMA_WRITE, 0, NULL, 0, NULL, 0), -EPROTO);
	assert_int_equal(reg_get(h, ACCEL_DMA_FAILED), 1);
}

static uint64_t events(int fd)
{
	uint64_t n = 0;

	return read(fd, &n, sizeof(n)) == sizeof(n) ? n : 0;
}

static void interrupts(void **state)
{
	struct vu_irq_set set = {
		sizeof(set), VFIO_IRQ_SET_DATA_EVENTFD | VFIO_IRQ_SET_ACTION_TRIGGER,
		VFIO_PCI_MSIX_IRQ_INDEX, 0, 1,
	};
	int mine = eventfd(0, EFD_NONBLOCK), fd = dup(mine);
	struct accel_host *h = *state;

	host_start(h, 4, ACCEL_EVENT_IRQ_BAD);
	/* No eventfd is set yet, so the interrupt stays pending. */
	host_job(h, JOB(.len = 1, .stream = 5));
	assert_int_equal(reg_get(h, ACCEL_MSIX_PBA), 1);
	assert_int_equal(host_send(h, VU_SET_IRQS, 0, &set, sizeof(set), &fd, 1), 0);
	assert_int_equal(events(mine), 1);
	assert_int_equal(reg_get(h, ACCEL_MSIX_PBA), 0);
	host_job(h, JOB(.len = PLAIN, .stream = 5, .flags = ACCEL_SEAL));
	assert_int_equal(events(mine), 0);
	host_job(h, JOB(.len = 1, .stream = 5));
	assert_int_equal(events(mine), 1);
	assert_int_equal(reg_get(h, ACCEL_INTERRUPTS), 2);
	close(mine);
}

/* Without bus mastering the device does no DMA. It continues when bus mastering is enabled. */
static void no_bus_master(void **state)
{
	struct accel_host *h = *state;

	host_start(h, 4, 0);
	host_command(h, 2);
	reg_set(h, ACCEL_DOORBELL, 1);
	assert_false(accel_run(h->a, 8));
	assert_int_equal(host_slot(h, 0)->done.seq, 0);
	assert_int_equal(reg_get(h, ACCEL_DMA_FAILED), 2);
	host_command(h, 6);
	h->rung++;
	assert_int_equal(host_job(h, JOB(.len = PLAIN, .stream = 5, .flags = ACCEL_SEAL)),
			 ACCEL_OK);
	/* Without memory space the registers cannot be accessed. */
	host_command(h, 4);
	assert_int_equal(reg_get(h, ACCEL_ID), -1u);
}

static void resets(void **state)
{
	struct accel_host *h = *state;

	for (unsigned int how = 0; how < 3; how++) {
		host_key(h, 5, 0x11223344);
		host_start(h, 4, 0);
		host_job(h, JOB(.len = PLAIN, .stream = 5, .flags = ACCEL_SEAL));
		reg_set(h, ACCEL_DOORBELL, 1);
		if (how == 0)
			reg_set(h, ACCEL_CONTROL, ACCEL_RESET);
		else if (how == 1)
			assert_int_equal(host_send(h, VU_RESET, 0, NULL, 0, NULL, 0), 0);
		else
			host_config(h, CAP_EXP + PCI_EXP_DEVCTL, PCI_EXP_DEVCTL_BCR_FLR);
		assert_int_equal(reg_get(h, ACCEL_STATUS), how ? -1u : 0);
		host_command(h, 6);	/* a function level reset clears these bits */
		assert_false(accel_run(h->a, 8));
		assert_int_equal(reg_get(h, ACCEL_STATUS), 0);
		assert_int_equal(reg_get(h, ACCEL_QUEUE_BASE), 0);
		host_start(h, 4, 0);
		assert_int_equal(host_job(h, JOB(.len = PLAIN, .stream = 5,
						 .flags = ACCEL_SEAL)), ACCEL_BAD_STREAM);
	}
	assert_int_equal(reg_get(h, ACCEL_GOOD), 3);	/* the reset keeps the counters */
	assert_int_equal(reg_get(h, ACCEL_KEY), 0);
}

static void classes(void **state)
{
	struct accel_host *h = *state;
	int32_t score[10];
	uint32_t class;

	host_start(h, 4, 0);
	assert_int_equal(reg_get(h, ACCEL_KIND), ACCEL_KIND_CLASSIFY);
	assert_int_equal(reg_get(h, ACCEL_STREAMS), 0);
	assert_int_equal(host_job(h, JOB(.len = 64)), ACCEL_OK);
	class = host_slot(h, 0)->done.result;
	memcpy(score, h->mem + DST, sizeof(score));
	assert_int_equal(host_slot(h, 0)->done.len, sizeof(score));
	for (unsigned int i = 0; i < 10; i++)
		assert_true(score[i] <= score[class]);
	assert_int_equal(host_job(h, JOB(.len = 63)), ACCEL_BAD_LEN);
	assert_int_equal(host_job(h, JOB(.len = 65)), ACCEL_BAD_LEN);
	assert_int_equal(host_job(h, JOB(.len = 64, .room = 39)), ACCEL_BAD_ROOM);
	assert_int_equal(host_job(h, JOB(.len = 64, .flags = ACCEL_SEAL)), ACCEL_BAD_DESC);
}

#define AES(f)	cmocka_unit_test_setup_teardown(f, aes, gone)

int main(void)
{
	const struct CMUnitTest tests[] = {
		AES(there_and_back),
		AES(tampered),
		AES(hostile_descriptors),
		AES(largest),
		AES(wrong_configuration),
		AES(notifications),
		AES(failed_writes),
		AES(interrupts),
		AES(no_bus_master),
		AES(resets),
		cmocka_unit_test_setup_teardown(classes, classify, gone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
