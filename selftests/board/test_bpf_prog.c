// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_bpf_prog.c - load, attach, replace and detach offloaded programs, as the stock driver does.
 */
#include <unistd.h>

#include "bpf_host.h"
#include "fw_ctrl.h"

#define BAR(vnic)	((uint64_t)BD_VNIC_ADDR + 0x8000 * (vnic))
#define CFGQ(vnic)	(2 + 128 * (vnic))
#define IMAGE_OFF	0x4000u
#define UPDATE_GEN	0x1u
#define UPDATE_BPF	0x400u
#define CTRL_DOWN	0x80000220u	/* interface is down, as after probe */
#define CTRL_UP		0x80000221u

/* an instruction of all zeroes has no parity bits */
#define ZERO		0x0000000000000000ull
/* bit 0 of an instruction contributes to the first three parity bits (nfp_asm.c) */
#define BIT0		(7ull << 45 | 1)

static uint32_t load(struct host *h, unsigned int vnic, uint64_t addr, uint16_t count,
		     uint32_t ctrl)
{
	mu_write(h, BAR(vnic) + 0x8e, count, 2);
	mu_write(h, BAR(vnic) + 0x90, addr, 8);
	return vnic_reconfig(h, BAR(vnic), CFGQ(vnic), ctrl, UPDATE_BPF);
}

static void image(struct host *h, unsigned int n, uint64_t word)
{
	for (unsigned int i = 0; i < n; i++)
		bd_put64(h->mem + IMAGE_OFF + 8 * i, word);
}

static void assert_active(struct host *h, unsigned int vnic, uint32_t count, uint64_t word)
{
	uint32_t n = 0, i;
	const uint64_t *w = bd_prog_active(h->b, vnic, &n);

	if (!count) {
		assert_null(w);
		return;
	}
	assert_non_null(w);
	assert_int_equal(n, count);
	for (i = 0; i < n; i++)
		assert_int_equal(w[i], word);
}

/* The driver frees the image when the load has succeeded, so the card must have copied it. */
static void test_attach_detach(void **state)
{
	struct host *h = ((struct bpf_host *)*state)->h;

	for (unsigned int v = 0; v < BOARD_PORTS; v++) {
		image(h, 26, BIT0);
		assert_int_equal(load(h, v, HOST_BASE + IMAGE_OFF, 26, CTRL_UP), 0);
		image(h, 26, ~0ull);
		assert_active(h, v, 0, 0);
		assert_int_equal(vnic_reconfig(h, BAR(v), CFGQ(v), CTRL_UP | CTRL_BPF,
					       UPDATE_GEN), 0);
		assert_active(h, v, 26, BIT0);
		/* Interface down and up: the program stays loaded. */
		assert_int_equal(vnic_reconfig(h, BAR(v), CFGQ(v), CTRL_DOWN | CTRL_BPF,
					       0x23), 0);
		assert_int_equal(vnic_reconfig(h, BAR(v), CFGQ(v), CTRL_UP | CTRL_BPF,
					       0x127), 0);
		assert_active(h, v, 26, BIT0);
	}
	assert_int_equal(vnic_reconfig(h, BAR(0), CFGQ(0), CTRL_UP, UPDATE_GEN), 0);
	assert_active(h, 0, 0, 0);
	assert_active(h, 1, 26, BIT0);
}

/* The driver relocates a program to its port's start in the store. Both ports' programs fit. */
static void test_places(void **state)
{
	struct host *h = ((struct bpf_host *)*state)->h;
	uint32_t max = mu_read(h, BAR(0) + 0x82, 2), start[2], v;

	for (v = 0; v < BOARD_PORTS; v++) {
		start[v] = mu_read(h, BAR(v) + 0x84, 2);
		assert_int_equal(mu_read(h, BAR(v) + 0x82, 2), max);
		assert_true(start[v] + max <= BD_USTORE_WORDS);
		assert_true(mu_read(h, BAR(v) + 0x86, 2) < start[0]);
		assert_int_equal(mu_read(h, BAR(v) + 0x80, 1), fw_full.bpf.abi);
		image(h, max, v ? BIT0 : ZERO);
		assert_int_equal(load(h, v, HOST_BASE + IMAGE_OFF, max, 0), 0);
		assert_int_equal(vnic_reconfig(h, BAR(v), CFGQ(v), CTRL_UP | CTRL_BPF,
					       UPDATE_GEN), 0);
	}
	assert_true(start[1] >= start[0] + max);
	assert_active(h, 0, max, ZERO);
	assert_active(h, 1, max, BIT0);
}

static void test_replace(void **state)
{
	struct host *h = ((struct bpf_host *)*state)->h;
	uint64_t loads;

	image(h, 100, ZERO);
	assert_int_equal(load(h, 0, HOST_BASE + IMAGE_OFF, 100, CTRL_UP), 0);
	assert_int_equal(vnic_reconfig(h, BAR(0), CFGQ(0), CTRL_UP | CTRL_BPF, UPDATE_GEN), 0);
	loads = h->b->ustore->prog[0].loads;
	image(h, 50, BIT0);
	assert_int_equal(load(h, 0, HOST_BASE + IMAGE_OFF, 50, CTRL_UP | CTRL_BPF), 0);
	assert_active(h, 0, 50, BIT0);
	assert_int_equal(h->b->ustore->prog[0].loads, loads + 1);
}

/* If an image is refused, the program before it stays active. */
static void test_refused(void **state)
{
	static const struct {
		uint64_t addr;
		uint16_t count;
		uint64_t word;
	} t[] = {
		{ HOST_BASE + IMAGE_OFF, 0, ZERO },
		{ HOST_BASE + IMAGE_OFF, 2560 + 1, ZERO },	/* of firmware "full" */
		{ HOST_BASE + IMAGE_OFF, 0xffff, ZERO },
		{ HOST_BASE + IMAGE_OFF + 1, 26, ZERO },		/* 8-context mode */
		{ HOST_BASE + IMAGE_OFF + 4, 26, ZERO },
		{ 0, 26, ZERO },
		{ HOST_BASE + HOST_SIZE - 8, 2, ZERO },
		{ ~7ull, 26, ZERO },
		{ HOST_BASE + IMAGE_OFF, 26, 1 },		/* no ECC */
		{ HOST_BASE + IMAGE_OFF, 26, BIT0 ^ 1ull << 51 },
		{ HOST_BASE + IMAGE_OFF, 26, 1ull << 52 },
		{ HOST_BASE + IMAGE_OFF, 26, 1ull << 56 },	/* relocation left */
		{ HOST_BASE + IMAGE_OFF, 26, 1ull << 63 },
	};
	struct host *h = ((struct bpf_host *)*state)->h;

	image(h, 10, BIT0);
	assert_int_equal(load(h, 0, HOST_BASE + IMAGE_OFF, 10, CTRL_UP), 0);
	assert_int_equal(vnic_reconfig(h, BAR(0), CFGQ(0), CTRL_UP | CTRL_BPF, UPDATE_GEN), 0);
	for (unsigned int i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		image(h, fw_full.bpf.max_len, ZERO);
		bd_put64(h->mem + IMAGE_OFF + 8 * 25, t[i].word);
		assert_int_equal(load(h, 0, t[i].addr, t[i].count, CTRL_UP | CTRL_BPF),
				 UPDATE_BPF | 1u << 31);
		assert_active(h, 0, 10, BIT0);
		assert_int_equal(h->b->ustore->refused, i + 1);
	}
}

static void test_bit_without_program(void **state)
{
	struct host *h = ((struct bpf_host *)*state)->h;

	assert_int_equal(vnic_reconfig(h, BAR(0), CFGQ(0), CTRL_UP | CTRL_BPF, UPDATE_GEN),
			 UPDATE_GEN | 1u << 31);
	assert_active(h, 0, 0, 0);
	/* The control vNIC refuses programs, too. */
	assert_int_equal(vnic_reconfig(h, CTRL_BAR, CTRL_CFGQ, 1, UPDATE_BPF),
			 UPDATE_BPF | 1u << 31);
}

static void test_resets(void **state)
{
	struct host *h = ((struct bpf_host *)*state)->h;
	uint64_t loads;

	image(h, 10, BIT0);
	assert_int_equal(load(h, 0, HOST_BASE + IMAGE_OFF, 10, CTRL_UP), 0);
	assert_int_equal(vnic_reconfig(h, BAR(0), CFGQ(0), CTRL_UP | CTRL_BPF, UPDATE_GEN), 0);
	board_reset(h->b, BOARD_RESET_FLR);
	assert_active(h, 0, 0, 0);
	loads = h->b->ustore->prog[0].loads;
	board_reset(h->b, BOARD_RESET_POWER);
	/* If this number started at 0 again, the decoded old image would be used for a new one. */
	assert_int_equal(h->b->ustore->prog[0].loads, loads);
	cfg_write(h, 4, 0x6, 2);
	host_windows(h);
	assert_int_equal(vnic_reconfig(h, BAR(0), CFGQ(0), CTRL_UP | CTRL_BPF, UPDATE_GEN),
			 UPDATE_GEN | 1u << 31);
}

/* The offsets of the counters are in nfp_net_ctrl.h, from NFP_NET_CFG_STATS_APP0 on. */
static void test_counters(void **state)
{
	struct host *h = ((struct bpf_host *)*state)->h;

	for (unsigned int v = BD_VERDICT_PASS; v <= BD_VERDICT_ABORTED; v++) {
		bd_prog_count(h->b, 1, v, 100 + v);
		bd_prog_count(h->b, 1, v, 1000);
		assert_int_equal(mu_read(h, BAR(1) + 0xd90 + 16 * v, 8), 2);
		assert_int_equal(mu_read(h, BAR(1) + 0xd98 + 16 * v, 8), 1100 + v);
		assert_int_equal(mu_read(h, BAR(0) + 0xd90 + 16 * v, 8), 0);
	}
}

/* Option images=FILE writes each loaded image, without ECC bits, and no image that was refused. */
static void test_images(void **state)
{
	static const char want[] =
		"# vNIC 0, load 1: 2 words from 3072\n000000000001\n000000000001\n"
		"# vNIC 1, load 1: 1 words from 5632\n000000000000\n";
	struct host *h = ((struct bpf_host *)*state)->h;
	char path[] = "/tmp/test_bpf_prog.XXXXXX", err[128], got[256] = "";
	FILE *f = fdopen(mkstemp(path), "r");

	assert_non_null(f);
	assert_int_equal(board_set(h->b, "images", "/none/such", err, sizeof(err)), -EINVAL);
	assert_int_equal(board_set(h->b, "images", path, err, sizeof(err)), 0);
	image(h, 2, BIT0);
	assert_int_equal(load(h, 0, HOST_BASE + IMAGE_OFF, 2, CTRL_UP), 0);
	image(h, 2, 1);
	assert_int_equal(load(h, 0, HOST_BASE + IMAGE_OFF, 2, CTRL_UP), UPDATE_BPF | 1u << 31);
	image(h, 2, ZERO);
	assert_int_equal(load(h, 1, HOST_BASE + IMAGE_OFF, 1, CTRL_UP), 0);
	assert_int_equal(fread(got, 1, sizeof(got) - 1, f), sizeof(want) - 1);
	assert_string_equal(got, want);
	fclose(f);
	unlink(path);
}

int main(void)
{
#define TEST(f)	cmocka_unit_test_setup_teardown(f, bpf_setup, bpf_teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_attach_detach),
		TEST(test_places),
		TEST(test_replace),
		TEST(test_refused),
		TEST(test_bit_without_program),
		TEST(test_resets),
		TEST(test_counters),
		TEST(test_images),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
