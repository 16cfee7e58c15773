// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_fabric_chain.c - the chain in each mode: its results, its critical path, and limits of all
 * buffers.
 */
#include <errno.h>

#include "fabric_run.h"
#include "random.h"

static const char * const rows_conventional[] = {
	"NIC -> CPU|Encrypted Image (DMA WR)|2",
	"CPU|the CPU acts|0",
	"CPU -> QAT|Command Notification (MMIO WR)|2",
	"CPU -> QAT|Command (DMA RD)|4",
	"CPU -> QAT|Encrypted Image (DMA RD)|4",
	"QAT|the engine works|0",
	"QAT -> CPU|Decrypted Image (DMA WR)|2",
	"CPU|the CPU acts|0",
	"CPU -> ML Accel.|Command Notification (MMIO WR)|2",
	"CPU -> ML Accel.|Command (DMA RD)|4",
	"CPU -> ML Accel.|Decrypted Image (DMA RD)|4",
	"ML Accel.|the engine works|0",
	"ML Accel. -> CPU|Inference Result (DMA WR)|2",
	"CPU|the CPU acts|0",
	"CPU -> NIC|Descriptor Notification (MMIO WR)|2",
	"CPU -> NIC|Descriptor (DMA RD)|4",
	"CPU -> NIC|Inference Result (DMA RD)|4",
	NULL
};

static const char * const rows_native[] = {
	"NIC -> QAT|Encrypted Image (DMA WR)|2",
	"QAT|the engine works|0",
	"QAT -> ML Accel.|Decrypted Image (DMA WR)|2",
	"ML Accel.|the engine works|0",
	"ML Accel. -> NIC|Inference Result (DMA WR)|2",
	NULL
};

/* Rows for comparison: an edge that goes through the CPU has more rows. */
static const char * const rows_hop[] = {
	"NIC -> QAT|Encrypted Image (DMA WR)|2",
	"QAT|the engine works|0",
	"QAT -> CPU|Decrypted Image (DMA WR)|2",
	"CPU|the CPU acts|0",
	"CPU -> ML Accel.|Decrypted Image (MMIO WR)|2",
	"ML Accel.|the engine works|0",
	"ML Accel. -> NIC|Inference Result (DMA WR)|2",
	NULL
};

static void same_rows(enum fab_mode mode, const char * const *want)
{
	struct fab_opt o = options(NULL);
	char way[64], what[64], got[160];
	struct fab_latency l;
	unsigned int i;

	assert_int_equal(fab_latency(&o, mode, &l), 0);
	for (i = 0; i < l.path.rows; i++) {
		assert_non_null(want[i]);
		fab_row_text(&l.f->sim, &l.path.row[i], way, what, sizeof(way));
		snprintf(got, sizeof(got), "%s|%s|%u", way, what, l.path.row[i].crossings);
		assert_string_equal(got, want[i]);
	}
	assert_null(want[i]);
	fab_free(l.f);
}

static void test_tables(void **state)
{
	same_rows(FAB_CONVENTIONAL, rows_conventional);
	same_rows(FAB_NATIVE, rows_native);
	same_rows(FAB_HOP, rows_hop);
}

static const struct {
	enum fab_mode mode;
	uint32_t crossings, cpu_actions;
	bool root;	/* the root complex has traffic */
} paths[] = {
	{ FAB_CONVENTIONAL, 36, 3, true },
	{ FAB_NATIVE, 6, 0, false },
	{ FAB_GLUE, 18, 0, false },
	{ FAB_CARD_DRIVEN, 24, 0, false },
	{ FAB_HOP, 8, 1, true },
	{ FAB_GLUE_NIC, 14, 0, false },
};

/* The number of round trips depends on the mode only, not on sizes, times or limits. */
static void test_round_trips(void **state)
{
	const struct fab_opt opts[] = {
		options(NULL), options("size=1", NULL), options("size=100000", NULL),
		options("link-ns=7", "switch-ns=3", "end-ns=0", "engine-ns=0", NULL),
		options("mps=128", "mrrs=128", "size=5000", "tags=1", NULL),
		options("cpu-ns=0", "card-ns=0", "pipeline-ns=0", NULL),
		options("mps=4096", "pd=256", "cpld=256", "mrrs=4096", "size=70000", NULL),
	};
	struct fab_latency l;
	unsigned int i, k;

	for (i = 0; i < sizeof(opts) / sizeof(opts[0]); i++) {
		for (k = 0; k < sizeof(paths) / sizeof(paths[0]); k++) {
			assert_int_equal(fab_latency(&opts[i], paths[k].mode, &l), 0);
			assert_int_equal(l.path.crossings, paths[k].crossings);
			assert_true(l.round_trips == paths[k].crossings / 4.0);
			/*
			 * If the CPU takes no time, the path has no step of the CPU, but still
			 * has the CPU's TLPs.
			 */
			if (opts[i].cpu_ns)
				assert_int_equal(l.path.cpu_actions, paths[k].cpu_actions);
			assert_int_equal(l.root_tlps > 0, paths[k].root);
			fab_free(l.f);
		}
	}
}

/* The steps of the path cover all of the time from the arrival of a message to its departure. */
static void test_path_covers(void **state)
{
	struct fab_opt o = options("size=9000", NULL);
	struct fab_latency l;
	enum fab_mode m;
	unsigned int i;

	for (m = 0; m < FAB_MODES; m++) {
		fab_time sum = 0;

		assert_int_equal(fab_latency(&o, m, &l), 0);
		for (i = 0; i < l.path.rows; i++)
			sum += l.path.row[i].takes;
		assert_int_equal(sum, l.path.takes);
		assert_int_equal(sum, l.f->chain->first_at);	/* the message arrives at time 0 */
		fab_free(l.f);
	}
}

/*
 * If the CPU, an engine or the pipeline takes longer, the chain takes longer by the same time,
 * multiplied by the number of uses in the mode.
 */
static void test_times_add(void **state)
{
	static const struct {
		enum fab_mode mode;
		const char *set;
		uint32_t times;
	} adds[] = {
		{ FAB_CONVENTIONAL, "cpu-ns=1200", 3 }, { FAB_NATIVE, "cpu-ns=1200", 0 },
		{ FAB_HOP, "cpu-ns=1200", 1 }, { FAB_GLUE, "cpu-ns=1200", 0 },
		{ FAB_CARD_DRIVEN, "card-ns=1200", 3 }, { FAB_NATIVE, "engine-ns=1150", 2 },
		{ FAB_NATIVE, "pipeline-ns=1033", 3 }, { FAB_GLUE, "pipeline-ns=1033", 9 },
		{ FAB_GLUE_NIC, "pipeline-ns=1033", 7 },
		{ FAB_CARD_DRIVEN, "pipeline-ns=1033", 0 },
	};
	struct fab_opt plain = options(NULL);
	struct fab_latency a, b;
	unsigned int i;

	for (i = 0; i < sizeof(adds) / sizeof(adds[0]); i++) {
		struct fab_opt more = options(adds[i].set, NULL);

		assert_int_equal(fab_latency(&plain, adds[i].mode, &a), 0);
		assert_int_equal(fab_latency(&more, adds[i].mode, &b), 0);
		assert_int_equal(b.path.takes - a.path.takes, adds[i].times * 1000 * FAB_NS);
		fab_free(a.f);
		fab_free(b.f);
	}
}

static void test_cpu_push(void **state)
{
	const struct fab_opt opts[] = { options(NULL), options("size=50000", NULL) };
	struct fab_latency l;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		assert_int_equal(fab_cpu_to_device(&opts[i], false, &l), 0);
		assert_true(l.round_trips == 2.5);
		fab_free(l.f);
		assert_int_equal(fab_cpu_to_device(&opts[i], true, &l), 0);
		assert_true(l.round_trips == 0.5);
		fab_free(l.f);
	}
}

/* Two runs with the same options leave the same trace. Any other option changes the trace. */
static void test_determinism(void **state)
{
	struct fab_opt o = options("size=3000", NULL), other = options("size=3000", "end-ns=40", NULL);
	enum fab_mode m;

	for (m = 0; m < FAB_MODES; m++) {
		struct fabric *a = run(&o, m, 50), *b = run(&o, m, 50);
		struct fabric *c = run(&other, m, 50);

		assert_int_equal(a->sim.steps, b->sim.steps);
		assert_int_equal(fab_trace_hash(&a->sim), fab_trace_hash(&b->sim));
		assert_int_not_equal(fab_trace_hash(&a->sim), fab_trace_hash(&c->sim));
		fab_free(a);
		fab_free(b);
		fab_free(c);
	}
}

/*
 * Check that lane @l and its receiver never held more than their limits, and are empty at the
 * end.
 */
static void within(const struct fab_lane *l)
{
	const struct fab_rx *rx = &l->to->rx[l->to_port];
	unsigned int c;

	for (c = 0; c < FAB_CLASSES; c++) {
		assert_in_range(l->tx_most[c], 0, l->f->opt.egress);
		assert_int_equal(rx->used.header[c] + rx->used.data[c] + l->tx.n[c], 0);
		if (!l->limit.header[c])
			continue;
		assert_in_range(rx->most.header[c], 0, l->limit.header[c]);
		assert_in_range(rx->most.data[c], 0, l->limit.data[c]);
	}
	assert_memory_equal(&l->left, &l->limit, sizeof(l->left));
	assert_int_equal(l->nanswers, 0);
}

/*
 * With very few credits, buffers and tags all messages still arrive. Some receivers have used all
 * of their credits.
 */
static void test_scarce(void **state)
{
	const struct fab_opt opts[] = {
		options("ph=1", "pd=16", "nph=1", "cplh=1", "cpld=16", "egress=1", "tags=1",
			"inflight=1", "size=4000", NULL),
		options("ph=2", "pd=16", "nph=1", "cplh=2", "cpld=16", "egress=1", "tags=3",
			"inflight=8", "size=700", NULL),
		options("ph=127", "pd=16", "mps=128", "nph=127", "cplh=127", "cpld=16",
			"inflight=16", "size=64", "buffer-kb=16", "stream-kb=4", NULL),
	};
	unsigned int i, k, used_up = 0;
	enum fab_mode m;

	for (i = 0; i < sizeof(opts) / sizeof(opts[0]); i++) {
		for (m = 0; m < FAB_MODES; m++) {
			struct fabric *f = run(&opts[i], m, 60);

			for (k = 0; k < 2 * FAB_PORTS; k++) {
				const struct fab_lane *l = &f->lane[k];
				const struct fab_rx *rx = &l->to->rx[l->to_port];

				within(l);
				used_up += rx->most.header[FAB_P] == l->limit.header[FAB_P];
			}
			fab_free(f);
		}
	}
	assert_true(used_up > 0);
}

static uint32_t between(uint64_t *r, uint32_t lo, uint32_t hi)
{
	return lo + random_below(r, hi - lo + 1);
}

/* Return random options with small limits that are consistent with each other. */
static struct fab_opt random_options(uint64_t *r)
{
	struct fab_opt o = options(NULL);
	uint32_t kb;

	o.size = between(r, 1, between(r, 0, 1) ? 300 : 20000);
	kb = (o.size + 28 + 4095) / 4096 * 4;
	o.mps = 128 << between(r, 0, 5);
	o.mrrs = 128 << between(r, 0, 5);
	o.rcb = 64 << between(r, 0, 1);
	o.ph = between(r, 1, 8);
	o.nph = between(r, 1, 4);
	o.cplh = between(r, 1, 8);
	o.pd = o.mps / 16 + between(r, 0, 20);
	o.cpld = o.mps / 16 + between(r, 0, 20);
	o.egress = between(r, 1, 4);
	o.tags = between(r, 1, 8);
	o.inflight = between(r, 1, 8);
	o.buffer_kb = kb * between(r, 1, 8);
	o.stream_kb = kb * between(r, 1, 8);
	o.cpus = between(r, 1, 3);
	o.threads = between(r, 1, 3);
	o.link_ns = between(r, 0, 300);
	o.engine_ns = between(r, 0, 300);
	o.cpu_ns = between(r, 0, 300);
	return o;
}

static void test_random(void **state)
{
	uint64_t r = random_seed(2704);
	char *rounds = getenv("COUNT");
	int i, n = rounds ? atoi(rounds) : 40;
	unsigned int k;
	enum fab_mode m;

	for (i = 0; i < n; i++) {
		struct fab_opt o = random_options(&r);

		for (m = 0; m < FAB_MODES; m++) {
			struct fabric *f = run(&o, m, 40);

			for (k = 0; k < 2 * FAB_PORTS; k++)
				within(&f->lane[k]);
			fab_free(f);
		}
	}
}

/*
 * Back pressure: a slow stream-native device stops the devices that push to it, link by link, and
 * its input buffer never exceeds its size.
 */
static void test_pushed_back(void **state)
{
	struct fab_opt o = options("stream-kb=4", "window=64", "engine-ns=3000", "egress=1",
				   "ph=2", "size=200", NULL);
	struct fabric *f = run(&o, FAB_NATIVE, 100);
	const struct fab_lane *to_switch = &f->lane[2 * FAB_NIC];
	const struct fab_sdev *s = &f->chain->s[FAB_DECRYPT];
	unsigned int k;

	for (k = 0; k < 2 * FAB_PORTS; k++)
		within(&f->lane[k]);
	assert_int_equal(to_switch->to->rx[FAB_NIC].most.header[FAB_P], 2);
	assert_in_range(s->most, 4096 - 228 + 1, 4096);
	fab_free(f);
}

/* A NIC whose buffer is full drops a message and counts it. All other messages arrive whole. */
static void test_dropped(void **state)
{
	struct fab_opt o = options("nic-kb=4", NULL);
	struct fabric *f = run(&o, FAB_CONVENTIONAL, 500);

	assert_true(f->n.dropped > 0 && f->chain->delivered > 0);
	fab_free(f);
}

/*
 * A chain that begins and ends at one port can deadlock: the NIC's posted writes wait for a
 * buffer of the switch, and the NIC's reads of results must not pass posted writes. The NIC
 * therefore must not have more buffers than the switch. A run that deadlocks ends with -EDEADLK.
 */
static void test_stuck(void **state)
{
	struct fab_opt o = options("buffer-kb=8", "window=64", NULL);
	struct fabric *f = fab_build(&o, FAB_GLUE);
	struct fab_chain *c = f->chain;

	assert_int_equal(fab_chain_run(c, 100, 1000), -EDEADLK);
	assert_int_equal(c->equal, c->delivered);
	assert_true(c->delivered < c->accepted);
	assert_int_equal(f->n.overruns + f->n.bad + f->n.unclaimed, 0);
	fab_free(f);
	/*
	 * There is no deadlock if the NIC reads nothing, or if it has no more buffers than the
	 * switch.
	 */
	fab_free(run(&o, FAB_GLUE_NIC, 100));
	o.window = 2;
	fab_free(run(&o, FAB_GLUE, 100));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tables),
		cmocka_unit_test(test_round_trips),
		cmocka_unit_test(test_path_covers),
		cmocka_unit_test(test_times_add),
		cmocka_unit_test(test_cpu_push),
		cmocka_unit_test(test_determinism),
		cmocka_unit_test(test_scarce),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_pushed_back),
		cmocka_unit_test(test_dropped),
		cmocka_unit_test(test_stuck),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
