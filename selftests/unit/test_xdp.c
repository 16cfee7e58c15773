// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_xdp.c - frames through offloaded programs: what a program finds, what
 * becomes of the frame, firmware functions, faults. Each program is loaded as
 * the stock driver loads it, and each frame comes in at the wire.
 */
#include "bpf_host.h"
#include "me_asm.h"
#include "vnic_bar.h"

#define BAR		0x200000ull
#define CFGQ		2
#define UPDATE_GEN	0x1u
#define UPDATE_ALL	0x23u
#define CTRL_UP		(CTRL_LIVE_ADDR | CTRL_PROMISC | CTRL_ENABLE)
#define START		BD_PROG_START(0)

/* Places in host memory, behind those of the control vNIC. */
#define IMAGE_OFF	CTRL_MSG_OFF
#define FL_OFF(ring)	(0xa0000u + 0x1000 * (ring))
#define BUF_OFF(ring)	(0xb0000u + 0x10000 * (ring))
#define BUF_SIZE	2048u
#define RING_SHIFT	8u
#define SLOTS		(1u << RING_SHIFT)
#define BUFS		16u
#define RX_VECTOR	7u

/* What A0 says: bpf/jit.c, nfp_outro() */
#define RET_PASS	0x11
#define RET_DROP	0x22
#define RET_TX		0x44
#define RET_ABORT	0x82
#define RETURN(v)	br(ALWAYS, BD_USTORE_DONE, 1), immed_any(A(0), (v), 2, false, false)
/* Call of a firmware function at word @at of the program: three words. */
#define CALL(at, fn, tid) br(ALWAYS, (fn), 2), immed(A(0), (tid)), immed(B(0), START + (at) + 3)
#define DATA		LM(1, 2)
#define LEN		LM(1, 0)

struct rig {
	struct bpf_host c;
	uint8_t in[4096];
	uint32_t in_len;
	bool waiting;		/* @in is at the wire */
	bool full;		/* the wire takes nothing */
	unsigned int metered;	/* frames that firmware got */
	unsigned int sent;	/* frames that left, the last one in @out */
	uint8_t out[4096];
	uint32_t out_len;
	uint32_t taken[2];	/* of each ring */
	uint8_t verdicts[4];	/* counters seen so far */
};

static int wire_pull(void *ctx, struct board_frame *f)
{
	struct rig *r = ctx;

	if (!r->waiting)
		return 0;
	r->waiting = false;
	*f = (struct board_frame){ .data = r->in, .caplen = r->in_len, .len = r->in_len };
	return 1;
}

static void wire_push(void *ctx, const struct board_frame *f)
{
	struct rig *r = ctx;

	assert_int_equal(f->caplen, f->len);
	assert_true(f->len <= sizeof(r->out));
	memcpy(r->out, f->data, f->len);
	r->out_len = f->len;
	r->sent++;
}

static bool wire_room(void *ctx)
{
	return !((struct rig *)ctx)->full;
}

static const struct board_wire_ops wire = {
	.live = true, .pull = wire_pull, .push = wire_push, .room = wire_room,
};

static void fw_packet(void *ctx, struct board_pkt *p)
{
	struct rig *r = ctx;

	r->metered++;
	board_pkt_free(r->c.h->b, p);
}

static const struct board_fw fw = { .packet = fw_packet };

static void offer(struct rig *r, unsigned int ring, uint32_t slot)
{
	uint64_t addr = HOST_BASE + BUF_OFF(ring) + BUF_SIZE * (slot % BUFS);
	uint8_t *d = r->c.h->mem + FL_OFF(ring) + 8 * (slot % SLOTS);

	bd_put32(d, addr >> 32);
	bd_put32(d + 4, addr);
	pcie_write(r->c.h, QC(bd_vnic_fl_queue(0, ring), ADD_WPTR), 1);
}

static int setup(void **state)
{
	struct rig *r = calloc(1, sizeof(*r));
	unsigned int ring, i;
	char err[128];
	struct host *h;

	assert_non_null(r);
	h = host_create(&fw, r);
	r->c.h = h;
	assert_int_equal(board_set(h->b, "app", "bpf", err, sizeof(err)), 0);
	board_wire(h->b, 0, &wire, r);
	board_port_rx(h->b, 0, true);
	bpf_open(&r->c, CTRL_SLOTS - 16, CTRL_BUF_ROOM);
	for (ring = 0; ring < 2; ring++) {
		mu_write(h, BAR + 0x800 + 8 * ring, HOST_BASE + FL_OFF(ring), 8);
		mu_write(h, BAR + 0xa00 + ring, RING_SHIFT, 1);
		mu_write(h, BAR + 0xa40 + ring, RX_VECTOR, 1);
	}
	mu_write(h, BAR + 0x10, 3, 8);
	mu_write(h, BAR + 0x18, 1500, 4);
	mu_write(h, BAR + 0x1c, BUF_SIZE, 4);
	assert_int_equal(bpf_reconfig(h, BAR, CFGQ, CTRL_UP, UPDATE_ALL), 0);
	for (ring = 0; ring < 2; ring++)
		for (i = 0; i < BUFS - 1; i++)
			offer(r, ring, i);
	for (i = 0; i < sizeof(r->in); i++)
		r->in[i] = i * 7 + 2;
	*state = r;
	return 0;
}

static int teardown(void **state)
{
	struct rig *r = *state;

	host_destroy(r->c.h);
	free(r);
	return 0;
}

#define WORDS(...)	(const uint64_t []){ __VA_ARGS__ }, \
			sizeof((const uint64_t []){ __VA_ARGS__ }) / 8

static void attach(struct rig *r, const uint64_t *words, unsigned int n)
{
	struct host *h = r->c.h;
	unsigned int i;

	for (i = 0; i < n; i++)
		bd_put64(h->mem + IMAGE_OFF + 8 * i, me_ecc(words[i]));
	mu_write(h, BAR + 0x8e, n, 2);
	mu_write(h, BAR + 0x90, HOST_BASE + IMAGE_OFF, 8);
	assert_int_equal(bpf_reconfig(h, BAR, CFGQ, CTRL_UP, UPDATE_BPF), 0);
	assert_int_equal(bpf_reconfig(h, BAR, CFGQ, CTRL_UP | BD_CTRL_BPF, UPDATE_GEN), 0);
}

#define ATTACH(r, ...)	attach(r, WORDS(__VA_ARGS__))

/* A frame in, and all that follows. */
static void arrive(struct rig *r, uint32_t len)
{
	r->in_len = len;
	r->waiting = true;
	host_run(r->c.h);
	assert_false(r->waiting);
}

/* The ring's next frame and its length, or NULL. */
static const uint8_t *take(struct rig *r, unsigned int ring, uint32_t *len)
{
	uint32_t slot = r->taken[ring] % SLOTS;
	const uint8_t *d = r->c.h->mem + FL_OFF(ring) + 8 * slot;

	if (!(d[3] & 0x80))
		return NULL;
	assert_int_equal(d[3] & 0x7f, 0);
	*len = bd_get16(d);
	offer(r, ring, r->taken[ring]++ + BUFS - 1);
	return r->c.h->mem + BUF_OFF(ring) + BUF_SIZE * (slot % BUFS);
}

/* It counts one of @len bytes as @v since the last call, and nothing else. */
static void assert_counted(struct rig *r, int v, uint32_t len)
{
	int i;

	for (i = BD_VERDICT_PASS; i <= BD_VERDICT_ABORTED; i++) {
		uint64_t n = mu_read(r->c.h, BAR + 0xd90 + 16 * i, 8);

		assert_int_equal(n, r->verdicts[i] + (i == v));
		r->verdicts[i] = n;
	}
	if (v >= 0)
		assert_in_range(mu_read(r->c.h, BAR + 0xd98 + 16 * v, 8), len, UINT32_MAX);
}

/* The next frame on ring 0 is @want. */
static void assert_host(struct rig *r, const void *want, uint32_t len)
{
	const uint8_t *p;
	uint32_t n = 0;

	p = take(r, 0, &n);
	assert_non_null(p);
	assert_int_equal(n, len);
	assert_memory_equal(p, want, len);
}

static void assert_no_host(struct rig *r)
{
	uint32_t n;

	assert_null(take(r, 0, &n));
	assert_null(take(r, 1, &n));
}

/* ---- verdicts ---- */

static void test_no_program(void **state)
{
	struct rig *r = *state;

	arrive(r, 100);
	assert_host(r, r->in, 100);
	assert_int_equal(r->metered, 1);
	assert_counted(r, -1, 0);
	assert_int_equal(r->c.h->b->xdp.packets, 0);
}

static void test_verdicts(void **state)
{
	struct rig *r = *state;

	ATTACH(r, RETURN(RET_PASS));
	arrive(r, 100);
	assert_host(r, r->in, 100);
	assert_int_equal(r->metered, 1);
	assert_counted(r, BD_VERDICT_PASS, 100);
	/* replaced: the decoded form is not the old one */
	ATTACH(r, RETURN(RET_DROP));
	arrive(r, 101);
	assert_counted(r, BD_VERDICT_DROP, 101);
	ATTACH(r, RETURN(RET_TX));
	arrive(r, 102);
	assert_counted(r, BD_VERDICT_TX, 102);
	assert_int_equal(r->sent, 1);
	assert_int_equal(r->out_len, 102);
	assert_memory_equal(r->out, r->in, 102);
	ATTACH(r, RETURN(RET_ABORT));
	arrive(r, 103);
	assert_counted(r, BD_VERDICT_ABORTED, 103);
	/* a classifier's plain drop is in no counter (jit.c, nfp_outro_tc_da()) */
	ATTACH(r, RETURN(0x02));
	arrive(r, 104);
	assert_counted(r, -1, 0);
	assert_no_host(r);
	assert_int_equal(r->metered, 1);
	assert_int_equal(r->sent, 1);
	assert_int_equal(r->c.h->b->xdp.faults, 0);
	assert_int_equal(r->c.h->b->xdp.packets, 5);
	/* detached: frames pass it by */
	assert_int_equal(bpf_reconfig(r->c.h, BAR, CFGQ, CTRL_UP, UPDATE_GEN), 0);
	arrive(r, 105);
	assert_host(r, r->in, 105);
	assert_counted(r, -1, 0);
	assert_int_equal(r->c.h->b->pkt[0].used + r->c.h->b->pkt[1].used, 0);
}

/* What is not for the host, no program sees; the meter does. */
static void test_filtered(void **state)
{
	struct rig *r = *state;
	struct host *h = r->c.h;

	ATTACH(r, RETURN(RET_DROP));
	assert_int_equal(bpf_reconfig(h, BAR, CFGQ, (CTRL_UP & ~2u) | BD_CTRL_BPF, UPDATE_GEN), 0);
	arrive(r, 100);
	assert_int_equal(bpf_reconfig(h, BAR, CFGQ, (CTRL_UP & ~1u) | BD_CTRL_BPF, UPDATE_GEN), 0);
	arrive(r, 100);
	assert_counted(r, -1, 0);
	assert_int_equal(r->metered, 2);
	assert_int_equal(h->b->xdp.packets, 0);
}

static void test_tx_without_room(void **state)
{
	struct rig *r = *state;

	ATTACH(r, RETURN(RET_TX));
	r->full = true;
	arrive(r, 100);
	assert_counted(r, BD_VERDICT_TX, 100);
	assert_int_equal(r->sent, 0);
	assert_int_equal(r->c.h->b->xdp.tx_full, 1);
	assert_int_equal(mu_read(r->c.h, BAR + 0xd48, 8), 1);
}

/* ---- the packet ---- */

/* Length, packet pointer, stack: seen through what the program writes. */
static void test_environment(void **state)
{
	uint8_t want[300];
	struct rig *r = *state;
	unsigned int i;

	ATTACH(r,
	       /* the stack, 512 bytes from A22 and LM0 on */
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
	/* each context, and more than once */
	for (i = 0; i < 2 * ME_CTXS + 1; i++) {
		memcpy(want, r->in, 300);
		memcpy(want + 1, r->in + 20, 4);
		bd_put16(want + 30, 290 + i);
		arrive(r, 290 + i);
		assert_host(r, want, 290 + i);
	}
	assert_int_equal(r->c.h->b->xdp.faults, 0);
	assert_int_equal(r->c.h->b->xdp.insns, i * 11);
}

/* A stack of 512 bytes in each context, apart from the packet vector. */
static void test_stack(void **state)
{
	struct rig *r = *state;
	unsigned int i;

	ATTACH(r,
	       immed(A(2), 508), alu(A(3), NONE, B_, A(22)), alu(B(3), NONE, B_, A(2)),
	       alu(A(2), A(3), ADD, B(3)),
	       csr_wr(0x9c, A(2)), NOP, NOP, NOP,
	       immed_any(LM(3, 0), 0xffff, 0, true, false),
	       immed_any(LM(3, 0), 0, 0, true, false),
	       RETURN(RET_PASS));
	for (i = 0; i < ME_CTXS; i++) {
		arrive(r, 77);
		assert_host(r, r->in, 77);
	}
	/* LM pointers are of the context, in 1 KiB each; none is NULL */
	for (i = 0; i < ME_CTXS; i++) {
		assert_int_equal(r->c.h->b->xdp.me.lm[256 * i + 16 + 127], 0xffffffff);
		assert_int_equal(me_gpr(&r->c.h->b->xdp.me.ctx[i], ME_R_A, 22), 1024 * i + 64);
	}
}

static void test_ends(void **state)
{
	uint8_t want[128];
	struct rig *r = *state;

	/* 4 more in front, 2 less behind: back out of the port */
	ATTACH(r, alu(DATA, DATA, SUB, I(4)), alu(LEN, LEN, ADD, I(2)),
	       alu(A(4), NONE, B_, DATA), immed(X(0), 0x1234), immed_w1(X(0), 0x5678),
	       cmd(WRITE8_SWAP, PKT, 0, A(4), I(0), 3, SWAP), RETURN(RET_TX));
	arrive(r, 100);
	bd_put32(want, 0x56781234);
	memcpy(want + 4, r->in, 98);
	assert_int_equal(r->out_len, 102);
	assert_memory_equal(r->out, want, 102);
	assert_counted(r, BD_VERDICT_TX, 102);
	/* 16 less in front: to the host; the buffer is whole again after that */
	ATTACH(r, alu(DATA, DATA, ADD, I(16)), alu(LEN, LEN, SUB, I(16)), RETURN(RET_PASS));
	arrive(r, 100);
	assert_host(r, r->in + 16, 84);
	arrive(r, 100);
	assert_host(r, r->in + 16, 84);
	/* as far as it goes: offsets 44 and 248 of the packet buffer */
	ATTACH(r, alu(DATA, DATA, SUB, I(84)), alu(LEN, LEN, ADD, I(84)), RETURN(RET_TX));
	arrive(r, 64);
	assert_int_equal(r->out_len, 148);
	assert_memory_equal(r->out + 84, r->in, 64);
	ATTACH(r, alu(DATA, DATA, ADD, I(120)), alu(LEN, LEN, SUB, I(120)), RETURN(RET_TX));
	arrive(r, 134);
	assert_int_equal(r->out_len, 14);
	assert_memory_equal(r->out, r->in + 120, 14);
	assert_int_equal(r->c.h->b->xdp.faults, 0);
}

/* The host allows its largest frame, which grows beyond its buffers. */
static void test_grows_too_long(void **state)
{
	struct rig *r = *state;

	mu_write(r->c.h, BAR + 0x18, 2034, 4);
	assert_int_equal(bpf_reconfig(r->c.h, BAR, CFGQ, CTRL_UP, UPDATE_GEN), 0);
	ATTACH(r, alu(DATA, DATA, SUB, I(4)), alu(LEN, LEN, ADD, I(4)), RETURN(RET_PASS));
	arrive(r, 2045);
	assert_no_host(r);
	assert_counted(r, BD_VERDICT_PASS, 2049);
	assert_int_equal(mu_read(r->c.h, BAR + 0xd08, 8), 1);
}

/* The MTU is what the host takes: a program may send more back out. */
static void test_above_mtu(void **state)
{
	struct rig *r = *state;

	ATTACH(r, RETURN(RET_TX));
	arrive(r, 1515);
	assert_int_equal(r->out_len, 1515);
	ATTACH(r, RETURN(RET_PASS));
	arrive(r, 1515);
	assert_no_host(r);
	/* one byte less after the program */
	ATTACH(r, alu(LEN, LEN, SUB, I(1)), RETURN(RET_PASS));
	arrive(r, 1515);
	assert_host(r, r->in, 1514);
	assert_int_equal(mu_read(r->c.h, BAR + 0xd08, 8), 1);
}

/* The MAC has looked at checksums before a program runs. */
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
	bpf_reconfig(r->c.h, BAR, CFGQ, CTRL_UP | CTRL_RXCSUM | BD_CTRL_BPF, UPDATE_GEN);
	arrive(r, 60);
	assert_int_equal(bd_get16(r->c.h->mem + FL_OFF(0) + 4), 0x60);	/* IPv4, right */
	r->in[22] = 0;
	assert_host(r, r->in, 60);
	arrive(r, 60);
	assert_int_equal(bd_get16(r->c.h->mem + FL_OFF(0) + 8 + 4), 0x40);	/* came in wrong */
}

static void test_queue(void **state)
{
	struct rig *r = *state;
	uint32_t len;

	ATTACH(r, alu(LM(1, 4), LM(1, 4), OR_, I(16)), immed(LM(1, 6), 1), RETURN(RET_PASS));
	arrive(r, 100);
	assert_non_null(take(r, 1, &len));
	assert_int_equal(len, 100);
	/* what is none of the host's queues: as without a choice */
	ATTACH(r, alu(LM(1, 4), LM(1, 4), OR_, I(16)), immed(LM(1, 6), 64), RETURN(RET_PASS));
	arrive(r, 100);
	assert_host(r, r->in, 100);
	ATTACH(r, alu(LM(1, 4), LM(1, 4), OR_, I(16)), immed(LM(1, 6), 2), RETURN(RET_PASS));
	arrive(r, 100);
	assert_host(r, r->in, 100);
	/* a number alone is no choice, nor one of the packet before */
	ATTACH(r, immed(LM(1, 6), 1), RETURN(RET_PASS));
	arrive(r, 100);
	assert_host(r, r->in, 100);
	assert_no_host(r);
}

/* ---- firmware functions ---- */

static uint32_t hash_map(struct rig *r)
{
	const struct bd_map_attr attr = {
		.type = BD_MAP_HASH, .key_size = 4, .value_size = 8, .max_entries = 2,
	};
	uint32_t tid;

	assert_int_equal(bd_map_alloc(r->c.h->b, &attr, &tid), 0);
	return tid;
}

/* R0 and R1 to the first bytes of the frame, and pass. */
#define SHOW_R0 \
	alu(X(0), NONE, B_, A(0)), alu(X(1), NONE, B_, B(1)), alu(A(4), NONE, B_, DATA), \
	cmd(WRITE8_SWAP, PKT, 0, A(4), I(0), 7, SWAP), RETURN(RET_PASS)

/* What a program with SHOW_R0 left in R0. */
static uint64_t shown(struct rig *r)
{
	const uint8_t *p;
	uint32_t len;

	arrive(r, 64);
	p = take(r, 0, &len);
	assert_non_null(p);
	assert_int_equal(len, 64);
	assert_memory_equal(p + 8, r->in + 8, 56);
	return bd_get64(p);
}

static void test_lookup(void **state)
{
	uint8_t key[4] = { 0x78, 0x56, 0, 0 }, value[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
	struct rig *r = *state;
	uint32_t tid = hash_map(r);
	uint64_t addr;

	ATTACH(r, immed(LM(0, 0), 0x5678), CALL(1, BD_USTORE_LOOKUP, tid), SHOW_R0);
	assert_int_equal(shown(r), 0);
	assert_int_equal(bd_map_update(r->c.h->b, tid, key, value, BD_MAP_ANY), 0);
	assert_int_equal(bd_map_lookup(r->c.h->b, tid, key, &addr), 0);
	assert_int_equal(shown(r), (addr >> 8) << 32 | (addr & 0xff));
	/* the value itself, where the address in R0 says */
	ATTACH(r, immed(LM(0, 0), 0x5678), CALL(1, BD_USTORE_LOOKUP, tid),
	       cmd(READ32_SWAP, MU, 0, A(0), B(1), 1, SWAP),
	       alu(A(0), NONE, B_, X(0)), alu(B(1), NONE, B_, X(1)), SHOW_R0);
	assert_int_equal(shown(r), 0x0807060504030201);
	/* no such map */
	ATTACH(r, immed(LM(0, 0), 0x5678), CALL(1, BD_USTORE_LOOKUP, 99), SHOW_R0);
	assert_int_equal(shown(r), 0);
}

/* Key at LM0, value at LM2, flags in R4. */
#define UPDATE(tid, key, flags) \
	alu(A(2), A(22), ADD, I(32)), csr_wr(0x94, A(2)), immed(LM(0, 0), (key)), \
	immed(AB(8), (flags)), immed(AB(9), 0), immed(LM(2, 0), 0x1111), immed(LM(2, 1), 0x22), \
	CALL(7, BD_USTORE_UPDATE, tid), SHOW_R0

static void test_update_delete(void **state)
{
	struct rig *r = *state;
	uint32_t tid = hash_map(r);
	uint8_t key[4] = { 5 };
	uint64_t addr;

	ATTACH(r, UPDATE(tid, 5, BD_MAP_EXIST));
	assert_int_equal(shown(r), (uint64_t)-ENOENT);
	ATTACH(r, UPDATE(tid, 5, BD_MAP_NOEXIST));
	assert_int_equal(shown(r), 0);
	assert_int_equal(bd_map_lookup(r->c.h->b, tid, key, &addr), 0);
	assert_int_equal(bd_get64(board_mem_ptr(r->c.h->b, addr, 8)), 0x2200001111);
	assert_int_equal(shown(r), (uint64_t)-EEXIST);
	ATTACH(r, UPDATE(tid, 6, BD_MAP_ANY));
	assert_int_equal(shown(r), 0);
	ATTACH(r, UPDATE(tid, 7, BD_MAP_ANY));
	assert_int_equal(shown(r), (uint64_t)-E2BIG);
	ATTACH(r, immed(LM(0, 0), 5), CALL(1, BD_USTORE_DELETE, tid), SHOW_R0);
	assert_int_equal(shown(r), 0);
	assert_int_equal(shown(r), (uint64_t)-ENOENT);
	ATTACH(r, immed(LM(0, 0), 5), CALL(1, BD_USTORE_DELETE, 99), SHOW_R0);
	assert_int_equal(shown(r), (uint64_t)-EBADFD);
}

/* R2 map 0x4321, R3 current CPU and @pkt bytes, R4 the stack, R5 @len bytes. */
#define EVENT(pkt, len) \
	immed(LM(0, 0), 0x7788), immed_w1(LM(0, 0), 0x5566), immed(LM(0, 1), 0x99), \
	immed(AB(4), 0x4321), immed(AB(5), 0), \
	immed_any(AB(6), 0, 0, true, false), immed(AB(7), (pkt)), \
	alu(AB(8), NONE, B_, A(22)), immed(AB(9), 0), immed(AB(10), (len)), immed(AB(11), 0), \
	immed(AB(1), 6), br(ALWAYS, BD_USTORE_EVENT, 1), immed(B(0), START + 14), SHOW_R0

static void test_event(void **state)
{
	static const uint8_t head[24] = {
		8, 1, 0, 0, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0x43, 0x21,
		0, 0, 0, 5, 0, 0, 0, 10,
	};
	struct rig *r = *state;
	const uint8_t *msg;
	uint32_t len;

	ATTACH(r, EVENT(10, 5));
	assert_int_equal(shown(r), 0);
	msg = bpf_take(&r->c, &len);
	assert_non_null(msg);
	assert_memory_equal(msg, head, sizeof(head));
	assert_memory_equal(msg + 24, r->in, 10);
	assert_memory_equal(msg + 36, "\x88\x77\x66\x55\x99", 5);
	/* more than the packet has; more than a stack has; bits of the helper's
	 * flags that mean nothing
	 */
	ATTACH(r, EVENT(65, 5));
	assert_int_equal(shown(r), (uint64_t)-EFAULT);
	ATTACH(r, EVENT(10, 513));
	assert_int_equal(shown(r), (uint64_t)-E2BIG);
	assert_null(bpf_take(&r->c, &len));
	assert_int_equal(r->c.h->b->ccm.events, 1);
}

/* ---- faults ---- */

static void assert_fault(struct rig *r, uint32_t len)
{
	uint64_t n = r->c.h->b->xdp.faults;

	arrive(r, len);
	assert_int_equal(r->c.h->b->xdp.faults, n + 1);
	assert_counted(r, BD_VERDICT_ABORTED, len);
	assert_no_host(r);
	assert_int_equal(r->metered, 0);
	assert_int_equal(r->sent, 0);
}

static void test_faults(void **state)
{
	struct rig *r = *state;

	/* what the JIT does not emit: ctx_arb[kill] and the like */
	ATTACH(r, NOP, 0x1fffffffffffull, RETURN(RET_PASS));
	assert_fault(r, 100);
	assert_fault(r, 101);
	ATTACH(r, br(ALWAYS, 4000, 0));
	assert_fault(r, 100);
	ATTACH(r, br(ALWAYS, START, 0));
	assert_fault(r, 100);
	/* no verdict, two of them */
	ATTACH(r, RETURN(0x10));
	assert_fault(r, 100);
	ATTACH(r, RETURN(0x13));
	assert_fault(r, 100);
	/* one too far on either side, and less than a header */
	ATTACH(r, alu(DATA, DATA, SUB, I(85)), alu(LEN, LEN, ADD, I(85)), RETURN(RET_PASS));
	assert_fault(r, 100);
	ATTACH(r, alu(DATA, DATA, ADD, I(121)), RETURN(RET_PASS));
	assert_fault(r, 200);
	ATTACH(r, alu(LEN, LEN, SUB, I(47)), RETURN(RET_PASS));
	assert_fault(r, 60);
	ATTACH(r, immed(LEN, 0x3fff), RETURN(RET_TX));
	assert_fault(r, 60);
	/* the map memory of nobody */
	ATTACH(r, immed_any(A(1), 0, 0, true, false), immed_any(B(1), 0, 0, true, false),
	       cmd(READ32_SWAP, MU, 0, A(1), B(1), 0, SWAP), RETURN(RET_PASS));
	assert_fault(r, 60);
	assert_int_equal(r->c.h->b->pkt[0].used, 0);
}

/* Packet memory ends with the buffer; a read may be some bytes over. */
static void test_buffer_end(void **state)
{
	struct rig *r = *state;

#define AT(off)	immed(A(4), (off)), alu(B(4), NONE, B_, A(4)), alu(A(4), B(4), ADD, DATA)
	ATTACH(r, AT(2047), cmd(READ32_SWAP, PKT, 0, A(4), I(0), 0, SWAP), RETURN(RET_DROP));
	arrive(r, 1000);
	assert_counted(r, BD_VERDICT_DROP, 1000);
	ATTACH(r, AT(2044), cmd(WRITE8_SWAP, PKT, 0, A(4), I(0), 3, SWAP), RETURN(RET_DROP));
	arrive(r, 1000);
	assert_counted(r, BD_VERDICT_DROP, 1000);
	ATTACH(r, AT(2048), cmd(READ32_SWAP, PKT, 0, A(4), I(0), 0, SWAP), RETURN(RET_PASS));
	assert_fault(r, 1000);
	ATTACH(r, AT(2045), cmd(WRITE8_SWAP, PKT, 0, A(4), I(0), 3, SWAP), RETURN(RET_PASS));
	assert_fault(r, 1000);
	/* and nothing is before its beginning */
	ATTACH(r, alu(A(4), DATA, SUB, I(129)),
	       cmd(READ32_SWAP, PKT, 0, A(4), I(0), 0, SWAP), RETURN(RET_PASS));
	assert_fault(r, 1000);
	ATTACH(r, cmd_indir(CADD, PKT, 0, A(4), I(0), 0, SWAP), RETURN(RET_PASS));
	assert_fault(r, 1000);
}

/* A restart of the firmware forgets the image. */
static void test_restart(void **state)
{
	struct rig *r = *state;

	ATTACH(r, RETURN(RET_DROP));
	arrive(r, 100);
	assert_counted(r, BD_VERDICT_DROP, 100);
	board_reset(r->c.h->b, BOARD_RESET_POWER);
	assert_null(r->c.h->b->xdp.prog[0].img);
	assert_int_equal(r->c.h->b->xdp.packets, 1);
	board_port_rx(r->c.h->b, 0, true);
	arrive(r, 100);
	assert_int_equal(r->metered, 1);
	assert_int_equal(r->c.h->b->xdp.packets, 1);
}

int main(void)
{
#define TEST(f)	cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_no_program),
		TEST(test_verdicts),
		TEST(test_filtered),
		TEST(test_tx_without_room),
		TEST(test_environment),
		TEST(test_stack),
		TEST(test_ends),
		TEST(test_grows_too_long),
		TEST(test_above_mtu),
		TEST(test_checksum),
		TEST(test_queue),
		TEST(test_lookup),
		TEST(test_update_delete),
		TEST(test_event),
		TEST(test_faults),
		TEST(test_buffer_end),
		TEST(test_restart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
