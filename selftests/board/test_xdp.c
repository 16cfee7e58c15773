// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_xdp.c - offloaded programs: the state in which a program starts, and what the card does
  * with the frame afterwards.
 */
#include "xdp_card.h"

/* ---- verdicts ---- */

static void test_no_program(void **state)
{
	struct rig *r = *state;

	arrive(r, 100);
	assert_host(r, r->in, 100);
	assert_int_equal(r->metered, 1);
	assert_counted(r, -1, 0);
	assert_int_equal(r->c.h->b->xdp->packets, 0);
}

static void test_verdicts(void **state)
{
	struct rig *r = *state;

	RUN(r, 100, RETURN(RET_PASS));
	assert_host(r, r->in, 100);
	assert_int_equal(r->metered, 1);
	assert_counted(r, BD_VERDICT_PASS, 100);
	/* A new program replaces the old one, and its decoded form. */
	RUN(r, 101, RETURN(RET_DROP));
	assert_counted(r, BD_VERDICT_DROP, 101);
	RUN(r, 102, RETURN(RET_TX));
	assert_counted(r, BD_VERDICT_TX, 102);
	assert_int_equal(r->sent, 1);
	assert_int_equal(r->out_len, 102);
	assert_memory_equal(r->out, r->in, 102);
	RUN(r, 103, RETURN(RET_ABORT));
	assert_counted(r, BD_VERDICT_ABORTED, 103);
	/* The plain drop of a TC classifier has no counter (jit.c, nfp_outro_tc_da()). */
	RUN(r, 104, RETURN(0x02));
	assert_counted(r, -1, 0);
	assert_no_host(r);
	assert_int_equal(r->metered, 1);
	assert_int_equal(r->sent, 1);
	assert_int_equal(r->c.h->b->xdp->faults, 0);
	assert_int_equal(r->c.h->b->xdp->packets, 5);
	/* A detached program does not run. */
	assert_int_equal(vnic_reconfig(r->c.h, BAR, CFGQ, CTRL_UP, UPDATE_GEN), 0);
	arrive(r, 105);
	assert_host(r, r->in, 105);
	assert_counted(r, -1, 0);
	assert_int_equal(r->c.h->b->pkt[0].used + r->c.h->b->pkt[1].used, 0);
}

/* A program does not run for frames that the host does not receive. The flow meter gets them. */
static void test_filtered(void **state)
{
	struct rig *r = *state;
	struct host *h = r->c.h;

	ATTACH(r, RETURN(RET_DROP));
	assert_int_equal(vnic_reconfig(h, BAR, CFGQ, (CTRL_UP & ~2u) | CTRL_BPF, UPDATE_GEN), 0);
	arrive(r, 100);
	assert_int_equal(vnic_reconfig(h, BAR, CFGQ, (CTRL_UP & ~1u) | CTRL_BPF, UPDATE_GEN), 0);
	arrive(r, 100);
	assert_counted(r, -1, 0);
	assert_int_equal(r->metered, 2);
	assert_int_equal(h->b->xdp->packets, 0);
}

static void test_tx_without_room(void **state)
{
	struct rig *r = *state;

	ATTACH(r, RETURN(RET_TX));
	r->full = true;
	arrive(r, 100);
	assert_counted(r, BD_VERDICT_TX, 100);
	assert_int_equal(r->sent, 0);
	assert_int_equal(r->c.h->b->xdp->tx_full, 1);
	assert_int_equal(mu_read(r->c.h, BAR + 0xd48, 8), 1);
}

/* ---- the packet ---- */

/* The program writes length and packet data to the frame, so that the test sees them. */
static void test_environment(void **state)
{
	uint8_t want[300];
	struct rig *r = *state;
	unsigned int i;

	ATTACH(r,
	       /* the length by way of the stack, which begins at A22 and LM pointer 0 */
	       alu(LM(0, 3), NONE, B_, LEN),
	       alu(A(2), NONE, B_, LM(0, 3)),
	       alu(A(4), NONE, B_, DATA),
	       /* bytes 20 to 23, at any alignment, to bytes 1 to 4 */
	       cmd(READ32_SWAP, PKT, 0, A(4), I(20), 0, SWAP),
	       alu(X(0), NONE, B_, X(0)),
	       cmd(WRITE8_SWAP, PKT, 0, A(4), I(1), 3, SWAP),
	       /* the length to bytes 30 and 31 */
	       alu(X(0), NONE, B_, A(2)),
	       cmd(WRITE8_SWAP, PKT, 0, A(4), I(30), 1, SWAP),
	       RETURN(RET_PASS));
	/* Run the program in each context more than once. */
	for (i = 0; i < 2 * ME_CTXS_BPF + 1; i++) {
		memcpy(want, r->in, 300);
		memcpy(want + 1, r->in + 20, 4);
		bd_put16(want + 30, 290 + i);
		arrive(r, 290 + i);
		assert_host(r, want, 290 + i);
	}
	assert_int_equal(r->c.h->b->xdp->faults, 0);
	assert_int_equal(r->c.h->b->xdp->insns, i * 11);
}

/* Each context has a stack of 512 bytes, and its packet vector lies outside. */
static void test_stack(void **state)
{
	struct rig *r = *state;

	ATTACH(r,
	       immed(A(2), 508), alu(A(3), NONE, B_, A(22)), alu(B(3), NONE, B_, A(2)),
	       alu(A(2), A(3), ADD, B(3)),
	       csr_wr(0x9c, A(2)), NOP, NOP, NOP,
	       immed_any(LM(3, 0), 0xffff, 0, true, false),
	       immed_any(LM(3, 0), 0, 0, true, false),
	       RETURN(RET_PASS));
	for (unsigned int i = 0; i < ME_CTXS_BPF; i++) {
		arrive(r, 77);
		assert_host(r, r->in, 77);
	}
	/* A context has 1 KiB of local memory. Its stack starts at byte 64, so it is not NULL. */
	for (unsigned int i = 0; i < ME_CTXS_BPF; i++) {
		assert_int_equal(r->c.h->b->xdp->me.lm[256 * i + 16 + 127], 0xffffffff);
		assert_int_equal(me_gpr(&r->c.h->b->xdp->me.ctx[i], ME_R_A, 22), 1024 * i + 64);
	}
}

static void test_ends(void **state)
{
	uint8_t want[128];
	struct rig *r = *state;

	/* 4 bytes more at the start, 2 bytes less at the end, and back to the wire */
	RUN(r, 100, alu(DATA, DATA, SUB, I(4)), alu(LEN, LEN, ADD, I(2)), alu(A(4), NONE, B_, DATA),
	    immed(X(0), 0x1234), immed_w1(X(0), 0x5678),
	    cmd(WRITE8_SWAP, PKT, 0, A(4), I(0), 3, SWAP), RETURN(RET_TX));
	bd_put32(want, 0x56781234);
	memcpy(want + 4, r->in, 98);
	assert_int_equal(r->out_len, 102);
	assert_memory_equal(r->out, want, 102);
	assert_counted(r, BD_VERDICT_TX, 102);
	/* 16 bytes less at the start, to the host. The next frame is not affected. */
	RUN(r, 100, alu(DATA, DATA, ADD, I(16)), alu(LEN, LEN, SUB, I(16)), RETURN(RET_PASS));
	assert_host(r, r->in + 16, 84);
	arrive(r, 100);
	assert_host(r, r->in + 16, 84);
	/* the limits for the packet's start: offsets 44 and 248 of the packet buffer */
	RUN(r, 64, alu(DATA, DATA, SUB, I(92)), alu(LEN, LEN, ADD, I(92)), RETURN(RET_TX));
	assert_int_equal(r->out_len, 156);
	assert_memory_equal(r->out + 92, r->in, 64);
	RUN(r, 200, alu(DATA, DATA, ADD, I(112)), alu(LEN, LEN, SUB, I(112)), RETURN(RET_TX));
	assert_int_equal(r->out_len, 88);
	assert_memory_equal(r->out, r->in + 112, 88);
	assert_int_equal(r->c.h->b->xdp->faults, 0);
}

/* The MAC pads a short frame to 60 bytes. The counters of the verdict exclude the padding. */
static void test_short_back(void **state)
{
	uint8_t want[60] = { 0 };
	struct rig *r = *state;

	memcpy(want, r->in + 50, 14);
	RUN(r, 64, alu(DATA, DATA, ADD, I(50)), alu(LEN, LEN, SUB, I(50)), RETURN(RET_TX));
	assert_int_equal(r->out_len, 60);
	assert_memory_equal(r->out, want, 60);
	assert_counted(r, BD_VERDICT_TX, 14);
	/* The host gets the frame without padding. */
	RUN(r, 64, alu(DATA, DATA, ADD, I(50)), alu(LEN, LEN, SUB, I(50)), RETURN(RET_PASS));
	assert_host(r, want, 14);
}

/* The size of the host's buffers limits what the host gets; programs handle longer frames. */
static void test_too_long(void **state)
{
	struct rig *r = *state;
	uint32_t len;

	RUN(r, 2044, alu(DATA, DATA, SUB, I(4)), alu(LEN, LEN, ADD, I(4)), RETURN(RET_PASS));
	assert_counted(r, BD_VERDICT_PASS, 2048);
	assert_non_null(take(r, 0, &len));
	assert_int_equal(len, 2048);
	arrive(r, 2045);
	assert_no_host(r);
	assert_counted(r, BD_VERDICT_PASS, 2049);
	assert_int_equal(mu_read(r->c.h, BAR + 0xd00, 8), 1);
	RUN(r, 2049, RETURN(RET_TX));
	assert_int_equal(r->out_len, 2049);
	/* A program shortens the frame by one byte: now it fits. */
	RUN(r, 2049, alu(LEN, LEN, SUB, I(1)), RETURN(RET_PASS));
	assert_host(r, r->in, 2048);
	assert_int_equal(mu_read(r->c.h, BAR + 0xd00, 8), 1);
}

/* The MAC verifies checksums before the program runs. */
static void test_checksum(void **state)
{
	static const uint8_t head[] = {
		0x08, 0x00, 0x45, 0, 0, 20, 0, 0, 0, 0, 64, 1, 0x66, 0x7b, 10, 0, 0, 0x6d, 10, 0, 0, 2,
	};
	struct rig *r = *state;

	memcpy(r->in + 12, head, sizeof(head));
	/* TTL to 0 */
	ATTACH(r, alu(A(4), NONE, B_, DATA), immed(X(0), 0),
	       cmd(WRITE8_SWAP, PKT, 0, A(4), I(22), 0, SWAP), RETURN(RET_PASS));
	vnic_reconfig(r->c.h, BAR, CFGQ, CTRL_UP | CTRL_RXCSUM | CTRL_BPF, UPDATE_GEN);
	arrive(r, 60);
	assert_int_equal(bd_get16(r->c.h->mem + FL_OFF(0) + 4), 0x60);	/* IPv4, correct */
	r->in[22] = 0;
	assert_host(r, r->in, 60);
	arrive(r, 60);
	assert_int_equal(bd_get16(r->c.h->mem + FL_OFF(0) + 8 + 4), 0x40);	/* IPv4, wrong */
}

static void test_queue(void **state)
{
	struct rig *r = *state;
	uint32_t len;

	RUN(r, 100, alu(LM(1, 4), LM(1, 4), OR_, I(16)), immed(LM(1, 6), 1), RETURN(RET_PASS));
	assert_non_null(take(r, 1, &len));
	assert_int_equal(len, 100);
	/* A number that is not a queue of the host is ignored. */
	RUN(r, 100, alu(LM(1, 4), LM(1, 4), OR_, I(16)), immed(LM(1, 6), 64), RETURN(RET_PASS));
	assert_host(r, r->in, 100);
	RUN(r, 100, alu(LM(1, 4), LM(1, 4), OR_, I(16)), immed(LM(1, 6), 2), RETURN(RET_PASS));
	assert_host(r, r->in, 100);
	/* Without the flag, a number is ignored, and so is the previous packet's choice. */
	RUN(r, 100, immed(LM(1, 6), 1), RETURN(RET_PASS));
	assert_host(r, r->in, 100);
	assert_no_host(r);
}

/* ---- RSS ---- */

/* Return the hash of ring 0's next frame, which must begin with @want. */
static uint32_t hash_of(struct rig *r, const void *want, unsigned int len)
{
	uint32_t slot = r->taken[0] % SLOTS;
	uint8_t *d = r->c.h->mem + FL_OFF(0) + 8 * slot;
	const uint8_t *p = r->c.h->mem + BUF_OFF(0) + BUF_SIZE * (slot % BUFS);

	assert_int_equal(d[3], 0x88);
	assert_int_equal(bd_be32(p), 0x41);	/* metadata: a hash over IPv4 and TCP */
	assert_memory_equal(p + 8, want, len);
	r->taken[0]++;
	return bd_be32(p + 4);
}

/* Direct RSS to ring 0, and prepare a TCP frame. */
static void rss_up(struct rig *r)
{
	static const uint8_t head[] = {
		0x08, 0x00, 0x45, 0, 0, 86, 0, 0, 0, 0, 64, 6, 0, 0,
		66, 9, 149, 187, 161, 142, 100, 80, 2794 >> 8, 2794 & 0xff, 1766 >> 8, 1766 & 0xff,
	};

	memcpy(r->in + 12, head, sizeof(head));
	mu_write(r->c.h, BAR + CFG_RSS_CTRL, 0x01003c7f, 4);
	for (unsigned int i = 0; i < 40; i++)
		mu_write(r->c.h, BAR + CFG_RSS_KEY + i, i * 37 + 11, 1);
	for (unsigned int i = 0; i < 128; i++)
		mu_write(r->c.h, BAR + CFG_RSS_TABLE + i, 0, 1);
	assert_int_equal(vnic_reconfig(r->c.h, BAR, CFGQ, CTRL_UP | CTRL_RSS2,
				       UPDATE_GEN | UPDATE_RSS), 0);
}

static void attach_rss(struct rig *r, const uint64_t *words, unsigned int n)
{
	attach(r, words, n);
	assert_int_equal(vnic_reconfig(r->c.h, BAR, CFGQ, CTRL_UP | CTRL_BPF | CTRL_RSS2,
				       UPDATE_GEN), 0);
}

/* RSS uses the header offsets from before the program, and the bytes there after the program. */
static void test_hash(void **state)
{
	uint32_t plain, want, len;
	struct rig *r = *state;
	struct bd_hdrs h;

	rss_up(r);
	bd_hdrs_parse(r->in, 100, &h);
	arrive(r, 100);
	plain = hash_of(r, r->in, 100);
	/* The program changes the EtherType: the headers are not parsed again. */
	attach_rss(r, WORDS(alu(A(4), NONE, B_, DATA), immed(X(0), 0x1234),
			    cmd(WRITE8_SWAP, PKT, 0, A(4), I(12), 1, SWAP), RETURN(RET_PASS)));
	arrive(r, 100);
	assert_int_equal(hash_of(r, r->in, 12), plain);
	/* The program removes the first 16 bytes: RSS hashes the bytes now at the old offsets. */
	attach_rss(r, WORDS(alu(DATA, DATA, ADD, I(16)), alu(LEN, LEN, SUB, I(16)),
			    RETURN(RET_PASS)));
	arrive(r, 100);
	bd_rss_hash(&r->c.h->b->nic->vnic[0].rss, r->in + 16, 84, &h, &want);
	assert_int_not_equal(want, plain);
	assert_int_equal(hash_of(r, r->in + 16, 84), want);
	/* The program selects a queue: there is no hash. */
	attach_rss(r, WORDS(alu(LM(1, 4), LM(1, 4), OR_, I(16)), immed(LM(1, 6), 1),
			    RETURN(RET_PASS)));
	arrive(r, 100);
	assert_non_null(take(r, 1, &len));
	assert_int_equal(len, 100);
	/* The program selects a queue that the host does not have: RSS is used. */
	attach_rss(r, WORDS(alu(LM(1, 4), LM(1, 4), OR_, I(16)), immed(LM(1, 6), 2),
			    RETURN(RET_PASS)));
	arrive(r, 100);
	assert_int_equal(hash_of(r, r->in, 100), plain);
}

/* A restart of the firmware unloads the program. */
static void test_restart(void **state)
{
	struct rig *r = *state;

	RUN(r, 100, RETURN(RET_DROP));
	assert_counted(r, BD_VERDICT_DROP, 100);
	board_reset(r->c.h->b, BOARD_RESET_POWER);
	assert_null(r->c.h->b->xdp->prog[0].img);
	assert_int_equal(r->c.h->b->xdp->packets, 1);
	board_port_rx(r->c.h->b, 0, true);
	arrive(r, 100);
	assert_int_equal(r->metered, 1);
	assert_int_equal(r->c.h->b->xdp->packets, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		XDP_TEST(test_no_program),
		XDP_TEST(test_verdicts),
		XDP_TEST(test_filtered),
		XDP_TEST(test_tx_without_room),
		XDP_TEST(test_environment),
		XDP_TEST(test_stack),
		XDP_TEST(test_ends),
		XDP_TEST(test_short_back),
		XDP_TEST(test_too_long),
		XDP_TEST(test_checksum),
		XDP_TEST(test_queue),
		XDP_TEST(test_hash),
		XDP_TEST(test_restart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
