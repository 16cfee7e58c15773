// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_fabric_switch.c - the order of TLPs, the switch's table and programs, and refusals of
 * devices.
 */
#include <errno.h>

#include "fabric_run.h"

/* ---- order ---- */

static const struct fab_tlp *blocked[8];

static bool not_blocked(void *ctx, const struct fab_tlp *t)
{
	unsigned int i;

	for (i = 0; i < 8; i++) {
		if (blocked[i] == t)
			return false;
	}
	return true;
}

/*
 * Queue TLPs of the classes @in, and block the TLPs at the positions @stop. Take TLPs until none
 * is allowed to pass. @want: positions of the TLPs that are taken, in their order.
 */
static void takes(const char *in, const char *stop, const char *want)
{
	struct fab_queue q;
	char got[16] = "";
	struct fab_tlp *t;
	unsigned int i, n = 0;

	fab_queue_init(&q);
	memset(blocked, 0, sizeof(blocked));
	for (i = 0; in[i]; i++) {
		t = fab_tlp_new(in[i] == 'P' ? FAB_P : in[i] == 'N' ? FAB_NP : FAB_CPL, i, 0, 0,
				0);
		fab_queue_put(&q, t);
		if (strchr(stop, '0' + i))
			blocked[n++] = t;
	}
	for (n = 0; (t = fab_queue_take(&q, not_blocked, NULL)); n++) {
		got[n] = '0' + t->addr;
		free(t);
	}
	assert_string_equal(got, want);
	memset(blocked, 0, sizeof(blocked));
	while ((t = fab_queue_take(&q, not_blocked, NULL)))
		free(t);
}

static void test_order(void **state)
{
	takes("PNCPNC", "", "012345");
	takes("PNC", "0", "");		/* no TLP passes a posted request */
	takes("NCP", "01", "2");	/* a posted request passes the other classes */
	takes("NCC", "0", "12");	/* a completion passes a read */
	takes("CNN", "0", "12");	/* a read passes a completion */
	takes("NN", "0", "");		/* a read does not pass another read */
	takes("NPC", "01", "");		/* and does not pass an earlier posted request */
	takes("NPC", "0", "12");
	takes("PNCP", "0", "");
}

/* ---- the table ---- */

static void test_table(void **state)
{
	static const struct fab_stage nine[9] = { { 0 } }, one = { FAB_ROUTE, 0 },
		strange = { FAB_PRIMS, 0 }, stream = { FAB_STORE, FAB_STREAMS };
	static struct fab_pipe p;
	unsigned int i;

	assert_int_equal(fab_pipe_add(&p, 1, FAB_P, 0x1000, 0x2000, nine, 9), -E2BIG);
	assert_int_equal(fab_pipe_add(&p, 1, FAB_P, 0x1000, 0x2000, nine, 0), -EINVAL);
	assert_int_equal(fab_pipe_add(&p, FAB_PORTS, FAB_P, 0, 1, &one, 1), -EINVAL);
	assert_int_equal(fab_pipe_add(&p, 1, FAB_CPL, 0, 1, &one, 1), -EINVAL);
	assert_int_equal(fab_pipe_add(&p, 1, FAB_P, 2, 2, &one, 1), -EINVAL);
	assert_int_equal(fab_pipe_add(&p, 1, FAB_P, 0, 1, &strange, 1), -EINVAL);
	assert_int_equal(fab_pipe_add(&p, 1, FAB_P, 0, 1, &stream, 1), -EINVAL);
	assert_int_equal(p.entries, 0);
	assert_int_equal(fab_pipe_add(&p, 1, FAB_P, 0x1000, 0x2000, nine, 8), 0);
	assert_int_equal(fab_pipe_add(&p, 1, FAB_P, 0x1fff, 0x3000, &one, 1), -EEXIST);
	assert_int_equal(fab_pipe_add(&p, 1, FAB_NP, 0x1fff, 0x3000, &one, 1), 0);
	assert_int_equal(fab_pipe_add(&p, 2, FAB_P, 0x1fff, 0x3000, &one, 1), 0);
	for (i = 3; i < FAB_ENTRIES; i++)
		assert_int_equal(fab_pipe_add(&p, 3, FAB_P, i, i + 1, &one, 1), 0);
	assert_int_equal(fab_pipe_add(&p, 3, FAB_P, 100, 101, &one, 1), -ENOSPC);
}

static void test_match(void **state)
{
	static const struct fab_stage one = { FAB_ROUTE, 0 };
	static struct fab_pipe p;
	struct fab_tlp *t = fab_tlp_new(FAB_P, 0x1ff0, 16, 0, 0);

	assert_int_equal(fab_pipe_add(&p, 1, FAB_P, 0x1000, 0x2000, &one, 1), 0);
	assert_non_null(fab_pipe_match(&p, 1, t));
	assert_null(fab_pipe_match(&p, 2, t));
	t->cls = FAB_NP;
	assert_null(fab_pipe_match(&p, 1, t));
	t->cls = FAB_P;
	t->len = 17;	/* beyond the end of the frame */
	assert_null(fab_pipe_match(&p, 1, t));
	t->addr = 0xfff;
	assert_null(fab_pipe_match(&p, 1, t));
	free(t);
}

/* ---- access control ---- */

static void test_access(void **state)
{
	const struct fab_opt opts[] = { options(NULL), options("mps=128", "mrrs=128", NULL) };
	struct fab_access a;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		fab_access(&opts[i], false, &a);
		assert_int_equal(a.moved_bytes, 0);
		assert_int_equal(a.denied_bytes, a.asked_bytes);
		assert_int_equal(a.answered, a.asked_tlps / 2);
		/* without these rules the access would be forwarded */
		fab_access(&opts[i], true, &a);
		assert_int_equal(a.denied, 0);
		assert_in_range(a.moved_bytes, a.asked_bytes / 2, a.asked_bytes);
	}
}

/* A device must not write to the stream of another device: the table also matches the port. */
static void test_neighbour(void **state)
{
	struct fab_opt o = options(NULL);
	struct fabric *f = fab_build(&o, FAB_NATIVE);
	struct fab_chain *c = f->chain;
	uint8_t data[64] = { 1 };

	fab_dma_write(&c->dev[FAB_CLASSIFY].dma, FAB_STREAM(0), data, sizeof(data),
		      fab_op(&f->sim, FAB_DMA_WR, "Intrusion", FAB_CLASSIFY, FAB_NOBODY), 0);
	assert_int_equal(fab_chain_run(c, 20, 1000), 0);
	assert_int_equal(f->n.denied, 1);
	assert_int_equal(f->n.denied_bytes, sizeof(data));
	assert_int_equal(c->equal, 20);
	fab_free(f);
}

/* ---- devices ---- */

static void test_doorbell(void **state)
{
	struct fab_opt o = options(NULL);
	struct fabric *f = fab_build(&o, FAB_CONVENTIONAL);
	struct fab_chain *c = f->chain;
	uint32_t tail = c->window + 1;

	/* more than the ring has descriptors */
	fab_store(&c->dev[FAB_ROOT], FAB_BAR(FAB_DECRYPT) + FAB_DOORBELL, &tail, 4, "Bell", 0);
	fab_sim_run(&f->sim);
	assert_int_equal(f->n.bad, 1);
	assert_int_equal(c->q[FAB_DECRYPT].head, 0);
	/* no register is there */
	fab_store(&c->dev[FAB_ROOT], FAB_BAR(FAB_DECRYPT) + 8, &tail, 4, "Bell", 0);
	fab_sim_run(&f->sim);
	assert_int_equal(f->n.unclaimed, 1);
	fab_free(f);
}

/* A message that was changed after its encryption does not reach the classifier. */
static void test_tampered(void **state)
{
	static const enum fab_mode modes[] = { FAB_CONVENTIONAL, FAB_GLUE, FAB_NATIVE,
					       FAB_CARD_DRIVEN, FAB_GLUE_NIC };
	struct fab_opt o = options(NULL);
	unsigned int i;

	for (i = 0; i < 5; i++) {
		struct fabric *f = fab_build(&o, modes[i]);
		struct fab_chain *c = f->chain;
		uint8_t data[256];

		fab_seal(&c->work, 0, o.size, data);
		data[40] ^= 1;
		c->accepted = 1;
		c->rx(c, 0, data, fab_step(&f->sim, FAB_WIRE, FAB_NIC, 0, 0, c->message));
		fab_sim_run(&f->sim);
		assert_int_equal(c->delivered, 0);
		assert_int_equal(f->n.bad, 1);
		assert_int_equal(f->lane[2 * FAB_CLASSIFY].payload, 0);
		fab_free(f);
	}
}

static void read_end(void *ctx, uint64_t arg, bool good, uint32_t step)
{
	*(int *)ctx = good;
}

/* A read of an address without memory ends with an error completion. */
static void test_refused(void **state)
{
	struct fab_opt o = options(NULL);
	struct fabric *f = fab_build(&o, FAB_CONVENTIONAL);
	uint8_t to[1024];
	int good = -1;

	fab_dma_read(&f->chain->dev[FAB_NIC].dma, FAB_BAR(FAB_DECRYPT) + FAB_MEMORY, to,
		     sizeof(to), 0, 0, read_end, &good, 0);
	fab_sim_run(&f->sim);
	assert_int_equal(good, 0);
	assert_int_equal(f->n.unclaimed, 2);	/* several requests, each of MRRS bytes */
	fab_free(f);
}

/* ---- options ---- */

static void refuses(const char *arg, int rc, const char *says)
{
	struct fab_opt o, before;
	char why[256] = "";

	fab_opt_default(&o);
	before = o;
	assert_int_equal(fab_opt_set(&o, arg, why, sizeof(why)), rc);
	if (!strstr(why, says))
		fail_msg("%s: '%s' does not say '%s'", arg, why, says);
	assert_memory_equal(&o, &before, sizeof(o));
}

static void test_options(void **state)
{
	char arg[64], says[64];
	unsigned int i;
	struct fab_opt o;

	for (i = 0; i < fab_nopts; i++) {
		const struct fab_opt_about *a = &fab_opts[i];

		snprintf(says, sizeof(says), "allowed are %u to %u", a->min, a->max);
		snprintf(arg, sizeof(arg), "%s=%llu", a->key, a->max + 1ull);
		refuses(arg, -ERANGE, says);
		if (a->min) {
			snprintf(arg, sizeof(arg), "%s=%u", a->key, a->min - 1);
			refuses(arg, -ERANGE, says);
		}
		fab_opt_default(&o);
		assert_int_equal(fab_opt_get(&o, i), a->fallback);
		snprintf(arg, sizeof(arg), "%s=%u", a->key, a->max);
		assert_int_equal(fab_opt_set(&o, arg, says, sizeof(says)), 0);
		assert_int_equal(fab_opt_get(&o, i), a->max);
		snprintf(arg, sizeof(arg), "%s", a->key);
		refuses(arg, -EINVAL, "KEY=VALUE");
	}
	refuses("mps=300", -EINVAL, "powers of two");
	refuses("mps=", -EINVAL, "not a whole number");
	refuses("mps=0x100", -EINVAL, "not a whole number");
	refuses("mps=-256", -EINVAL, "not a whole number");
	refuses("mps=99999999999999999999999", -EINVAL, "not a whole number");
	refuses("mp=256", -EINVAL, "no such option");
	refuses("", -EINVAL, "no such option");
}

static void unfit(const char *a, const char *b, const char *says)
{
	struct fab_opt o;
	char why[256];

	fab_opt_default(&o);
	assert_int_equal(fab_opt_set(&o, a, why, sizeof(why)), 0);
	assert_int_equal(fab_opt_set(&o, b, why, sizeof(why)), 0);
	assert_int_equal(fab_opt_check(&o, why, sizeof(why)), -ERANGE);
	if (!strstr(why, says))
		fail_msg("%s %s: '%s' does not say '%s'", a, b, why, says);
}

static void test_options_fit(void **state)
{
	unfit("mps=4096", "pd=255", "needs 256 credits");
	unfit("mps=512", "cpld=31", "needs 32 credits");
	unfit("size=8000", "buffer-kb=4", "needs 8 KiB");
	unfit("size=8000", "stream-kb=7", "needs 8 KiB");
	unfit("size=8000", "nic-kb=4", "needs 8 KiB");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_match),
		cmocka_unit_test(test_access),
		cmocka_unit_test(test_neighbour),
		cmocka_unit_test(test_doorbell),
		cmocka_unit_test(test_tampered),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_options),
		cmocka_unit_test(test_options_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
