// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_accel_random.c - random registers, descriptors and doorbells. The device counts each job
 * once, never has more jobs than its ring holds, and works after a reset. The environment
 * variables SEED and COUNT set the seed and the number of rounds.
 */
#include "accel_host.h"
#include "random.h"

#define COUNT		20000

static const uint32_t regs[] = {
	ACCEL_CONTROL, ACCEL_QUEUE_BASE, ACCEL_QUEUE_BASE + 4, ACCEL_QUEUE_SIZE, ACCEL_EVENTS,
	ACCEL_NOTIFY_ADDR, ACCEL_NOTIFY_ADDR + 4, ACCEL_NOTIFY_DATA, ACCEL_NOTIFY_LEN,
	ACCEL_STREAM, ACCEL_STREAM_SET, ACCEL_KEY, ACCEL_DOORBELL, ACCEL_MSIX_PBA,
};

/* Return @good often, a small number mostly, and any number sometimes. */
static uint32_t some(uint64_t *x, uint32_t good)
{
	switch (random_below(x, 4)) {
	case 0: return random_next(x);
	case 1: return random_below(x, 16);
	default: return good;
	}
}

static void descriptors(struct accel_host *h, uint64_t *x)
{
	struct accel_desc *ring = (struct accel_desc *)(h->mem + RING);

	for (unsigned int i = 0; i < 16; i++)
		ring[i] = (struct accel_desc){
			.src = some(x, SRC), .dst = some(x, DST), .len = some(x, 100),
			.room = some(x, 4096), .stream = some(x, 5), .flags = some(x, ACCEL_SEAL),
			.zero = { random_below(x, 8) ? 0 : random_next(x) },
		};
}

static void registers(struct accel_host *h, uint64_t *x)
{
	unsigned int n = 1 + random_below(x, 4);

	while (n--)
		reg_set(h, regs[random_below(x, sizeof(regs) / sizeof(regs[0]))], some(x, 1));
	if (random_below(x, 8) == 0) {
		uint8_t buf[64];
		uint32_t off = random_below(x, ACCEL_BAR_SIZE - sizeof(buf));

		for (unsigned int i = 0; i < sizeof(buf); i++)
			buf[i] = random_next(x);
		accel_bar_write(h->a, off, buf, 1 + random_below(x, sizeof(buf)));
		accel_bar_read(h->a, off, buf, sizeof(buf));
	}
}

static void random_hosts(void **state)
{
	uint64_t x = random_seed(27), done = 0;
	struct accel_host *h = *state;
	const char *env = getenv("COUNT");
	unsigned long count = env ? strtoul(env, NULL, 0) : COUNT;

	for (unsigned long i = 0; i < count; i++) {
		uint32_t before;

		if (random_below(&x, 4) == 0) {
			host_start(h, 16, random_below(&x, 16));
			host_key(h, 5, i);
		}
		descriptors(h, &x);
		registers(h, &x);
		if (random_below(&x, 2))
			reg_set(h, ACCEL_DOORBELL, some(&x, 3));
		if (reg_get(h, ACCEL_STATUS) & ACCEL_ENABLED)
			assert_true(reg_get(h, ACCEL_ASKED) - reg_get(h, ACCEL_DONE) <=
				    reg_get(h, ACCEL_QUEUE_SIZE));
		before = h->a->regs.done;
		accel_run(h->a, random_below(&x, 32));
		done += h->a->regs.done - before;
		assert_int_equal((uint32_t)done, h->a->stats.good + h->a->stats.failed);
	}
	printf("# %" PRIu64 " jobs, %u good\n", done, h->a->stats.good);
	assert_true(h->a->stats.good && h->a->stats.failed);
	reg_set(h, ACCEL_CONTROL, ACCEL_RESET);
	host_key(h, 5, 1);
	host_start(h, 4, 0);
	assert_int_equal(host_job(h, (struct accel_desc){ .len = 100, .stream = 5,
							  .flags = ACCEL_SEAL }), ACCEL_OK);
}

static int start(void **state)
{
	*state = host_new(&accel_aes_gcm);
	((struct accel_host *)*state)->any = true;
	return 0;
}

static int end(void **state)
{
	host_free(*state);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(random_hosts, start, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
