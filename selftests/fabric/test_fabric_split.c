// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_fabric_split.c - the model splits transfers into the same TLPs as the card's accounting,
 * and as cocotbext-pcie.
 */
#include "host.h"
#include "measure.h"
#include "random.h"
#include "tlp.h"
#include "tlp_split.h"

/* TLPs of a transfer, counted as the card counts them */
struct split {
	uint64_t requests, completions, payload, overhead;
};

struct transfer {
	struct fabric *f;
	uint8_t *data;
	uint64_t len;
};

static void read_done(void *ctx, uint64_t arg, bool good, uint32_t step)
{
	struct transfer *t = ctx;
	uint64_t i;

	assert_true(good && step);
	for (i = 0; i < t->len; i++)
		assert_int_equal(t->data[i], (uint8_t)(t->f->chain->dev[FAB_ROOT].mem[arg + i]));
}

/*
 * Run one transfer between the NIC and host memory in the model. Returns the traffic of the NIC's
 * link.
 */
static struct split model(const struct fab_opt *o, bool to_host, uint64_t at, uint32_t len)
{
	struct fabric *f = fab_new(o);
	struct fab_chain *c = f->chain;
	struct transfer t = { f, NULL, len };
	const struct fab_lane *up = &f->lane[2 * FAB_NIC], *down = up + 1;
	struct split s;
	uint64_t i;

	fab_build_nodes(f, FAB_CONVENTIONAL, true);
	t.data = fab_alloc(1, len);
	for (i = 0; i < len; i++) {
		t.data[i] = to_host ? i * 7 : 0;
		c->dev[FAB_ROOT].mem[at + i] = i * 11;
	}
	if (to_host)
		fab_dma_write(&c->dev[FAB_NIC].dma, FAB_HOST + at, t.data, len, 0, 0);
	else
		fab_dma_read(&c->dev[FAB_NIC].dma, FAB_HOST + at, t.data, len, 0, 0, read_done,
			     &t, at);
	fab_sim_run(&f->sim);
	if (to_host)
		assert_memory_equal(c->dev[FAB_ROOT].mem + at, t.data, len);
	s = (struct split){
		.requests = up->tlps[FAB_P] + up->tlps[FAB_NP],
		.completions = down->tlps[FAB_CPL],
		.payload = up->payload + down->payload,
		.overhead = up->overhead + down->overhead,
	};
	assert_int_equal(f->n.overruns + f->n.unclaimed + f->n.bad, 0);
	free(t.data);
	fab_free(f);
	return s;
}

static void same_as_card(struct host *h, const struct fab_opt *o, bool to_host, uint64_t at,
			 uint32_t len)
{
	struct board_tlp_count n;
	struct split s = model(o, to_host, at, len);

	board_tlp_clear(h->b);
	bd_tlp_dma(h->b, BOARD_TLP_DATA, to_host, FAB_HOST + at, len);
	n = host_tlp(h, BOARD_TLP_DATA);
	if (s.requests != n.dev_posted + n.dev_nonposted || s.completions != n.completions ||
	    s.payload != n.payload || s.overhead != n.overhead)
		fail_msg("%s, %u bytes at %#jx: %ju requests and %ju completions, %ju bytes",
			 to_host ? "write" : "read", len, (uintmax_t)at, (uintmax_t)s.requests,
			 (uintmax_t)s.completions, (uintmax_t)(s.payload + s.overhead));
}

static void test_card(void **state)
{
	static const uint32_t lens[] = { 1, 4, 63, 64, 65, 92, 255, 256, 257, 511, 512, 513,
					 1500, 4095, 4096, 4097, 16412 };
	static const uint64_t ats[] = { 0, 1, 4, 63, 64, 0x44, 0xfc, 0x144, 0x1fc, 0xfc0,
					0xfff };
	struct host *h = *state;
	uint64_t r = random_seed(27);
	struct fab_opt o;
	unsigned int i, k;

	fab_opt_default(&o);
	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		for (k = 0; k < ARRAY_SIZE(ats); k++) {
			same_as_card(h, &o, true, ats[k], lens[i]);
			same_as_card(h, &o, false, ats[k], lens[i]);
		}
	}
	for (i = 0; i < 500; i++) {
		same_as_card(h, &o, i & 1, random_below(&r, 8192),
			     1 + random_below(&r, 8192));
	}
}

static unsigned int count(uint64_t at, uint64_t len, uint32_t max, uint32_t align)
{
	unsigned int n = 0;
	uint64_t now;

	for (; len; at += now, len -= now, n++)
		now = tlp_piece(at, len, max, align);
	return n;
}

/*
 * TLPs of cocotbext-pcie 0.2.17 (commit 92732edd), made by running its memory regions and its
 * root complex alone, with MPS 256, MRRS 512 and RCB 64. For a transfer that begins at a multiple
 * of MRRS, the model and cocotbext-pcie have the same TLPs. For other transfers the counts differ
 * by at most one, and both are valid: the card ends TLPs at multiples of MPS and MRRS, cocotbext-
 * pcie makes each TLP as long as possible, and it ends completions at RCB only where it has to.
 */
static const struct {
	uint32_t at, len;
	unsigned int writes, reads, completions;
} vectors[] = {
	{ 0, 64, 1, 1, 1 }, { 0, 92, 1, 1, 1 }, { 0, 256, 1, 1, 1 }, { 0, 257, 2, 1, 2 },
	{ 0x200, 1024, 4, 2, 4 }, { 0, 4096, 16, 8, 16 }, { 0xe00, 1024, 4, 2, 4 },
	{ 0x1000, 16412, 65, 33, 65 }, { 0x44, 256, 1, 1, 1 }, { 0x44, 512, 2, 1, 3 },
	{ 0x144, 450, 2, 1, 2 }, { 0xfc0, 300, 2, 2, 2 }, { 1, 1000, 4, 2, 4 },
	{ 0xff0, 32, 2, 2, 2 },
};

static void test_cocotb(void **state)
{
	struct fab_opt o;
	unsigned int i;

	fab_opt_default(&o);
	for (i = 0; i < ARRAY_SIZE(vectors); i++) {
		uint32_t at = vectors[i].at, len = vectors[i].len;
		struct split w = model(&o, true, at, len), r = model(&o, false, at, len);
		unsigned int apart = at % 512 ? 1 : 0;

		assert_int_equal(w.requests, count(at, len, 256, 256));
		assert_in_range(w.requests, vectors[i].writes, vectors[i].writes + apart);
		assert_in_range(r.requests, vectors[i].reads, vectors[i].reads + apart);
		assert_in_range(r.completions, vectors[i].completions,
				vectors[i].completions + apart);
	}
}

/* No TLP exceeds its size limit or crosses a page, with any limits. */
static void test_legal(void **state)
{
	static const uint32_t limits[] = { 128, 256, 512, 1024, 2048, 4096 };
	uint64_t r = random_seed(4);
	unsigned int i;

	for (i = 0; i < 20000; i++) {
		uint32_t max = limits[random_below(&r, ARRAY_SIZE(limits))];
		uint32_t align = i & 1 ? max : 64;
		uint64_t at = random_below(&r, 1 << 20), len = 1 + random_below(&r, 1 << 14);
		uint64_t now = tlp_piece(at, len, max, align);

		assert_in_range(now, 1, max);
		assert_true(now <= len && at / 4096 == (at + now - 1) / 4096);
		/* Only the last TLP may end at any address. */
		assert_true(now == len || (at + now) % align == 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_card, host_setup, host_teardown),
		cmocka_unit_test(test_cocotb),
		cmocka_unit_test(test_legal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
