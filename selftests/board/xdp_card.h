/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * xdp_card.h - a card with an offloaded XDP program, for tests. Its firmware is "full", which has
 * all helpers. The program is loaded as the stock driver loads it. Frames arrive at port 0, and go to two RX rings of the host or back to
  * the wire.
 */
#ifndef XDP_RIG_H
#define XDP_RIG_H

#include "bpf_host.h"
#include "fw_code.h"
#include "me_asm.h"
#include "pktbuf.h"
#include "vnic_bar.h"
#include "bpf_frame.h"

#define BAR		((uint64_t)BD_VNIC_ADDR)
#define CFGQ		2
#define UPDATE_GEN	0x1u
#define UPDATE_ALL	0x23u
#define CTRL_UP		(CTRL_LIVE_ADDR | CTRL_PROMISC | CTRL_ENABLE)
#define START		(fw_full.bpf.start)

/* Offsets in host memory, above those of the control vNIC */
#define IMAGE_OFF	CTRL_MSG_OFF
#define FL_OFF(ring)	(0xa0000u + 0x1000 * (ring))
#define BUF_OFF(ring)	(0xb0000u + 0x10000 * (ring))
#define BUF_SIZE	2048u
#define RING_SHIFT	8u
#define SLOTS		(1u << RING_SHIFT)
#define BUFS		16u
#define RX_VECTOR	7u

/* Verdicts in register A0 at a program's end: nfp_outro() of bpf/jit.c */
#define RET_PASS	0x11
#define RET_DROP	0x22
#define RET_TX		0x44
#define RET_ABORT	0x82
#define RETURN(v)	br(ALWAYS, fw_full.bpf.done, 1), immed_any(A(0), (v), 2, false, false)
/* Addresses of the helpers: fw_full.caps */
#define USTORE_LOOKUP	0x47d
#define USTORE_UPDATE	0x200
#define USTORE_DELETE	0x300
#define USTORE_EVENT	0x480
/* Call firmware function @fn from word @at of the program on: three words */
#define CALL(at, fn, tid) br(ALWAYS, (fn), 2), immed(A(0), (tid)), immed(B(0), START + (at) + 3)
#define DATA		LM(1, 2)
#define LEN		LM(1, 0)

struct rig {
	struct bpf_host c;
	uint8_t in[4096];
	uint32_t in_len;
	bool waiting;		/* @in is the next frame of the wire */
	bool full;		/* the wire accepts no frame */
	unsigned int metered;	/* number of frames that the firmware received */
	unsigned int sent;	/* number of frames that the wire accepted; @out has the last one */
	uint8_t out[4096];
	uint32_t out_len;
	uint32_t taken[2];	/* number of frames taken from each ring */
	uint8_t verdicts[4];	/* last values of the verdicts' counters */
	uint64_t bytes[4];
};

static inline int wire_pull(void *ctx, struct board_frame *f)
{
	struct rig *r = ctx;

	if (!r->waiting)
		return 0;
	r->waiting = false;
	*f = (struct board_frame){ .data = r->in, .caplen = r->in_len, .len = r->in_len };
	return 1;
}

static inline void wire_push(void *ctx, const struct board_frame *f)
{
	struct rig *r = ctx;

	assert_int_equal(f->caplen, f->len);
	assert_true(f->len <= sizeof(r->out));
	memcpy(r->out, f->data, f->len);
	r->out_len = f->len;
	r->sent++;
}

static inline bool wire_room(void *ctx)
{
	return !((struct rig *)ctx)->full;
}

static const struct board_wire_ops wire = {
	.live = true, .pull = wire_pull, .push = wire_push, .room = wire_room,
};

static inline void fw_packet(void *ctx, struct board_pkt *p)
{
	struct rig *r = ctx;

	r->metered++;
	board_pkt_free(r->c.h->b, p);
}

static const struct board_fw fw = { .packet = fw_packet };

static inline void offer(struct rig *r, unsigned int ring, uint32_t slot)
{
	vnic_fl_desc(r->c.h->mem + FL_OFF(ring) + 8 * (slot % SLOTS),
		     HOST_BASE + BUF_OFF(ring) + BUF_SIZE * (slot % BUFS));
	pcie_write(r->c.h, QC(bd_vnic_fl_queue(0, ring), ADD_WPTR), 1);
}

static inline int xdp_setup(void **state)
{
	struct rig *r = calloc(1, sizeof(*r));
	struct host *h;

	assert_non_null(r);
	h = host_create_full(&fw, r);
	r->c.h = h;
	board_wire(h->b, 0, &wire, r);
	board_port_rx(h->b, 0, true);
	bpf_open(&r->c, CTRL_SLOTS - 16, CTRL_BUF_ROOM);
	for (unsigned int ring = 0; ring < 2; ring++) {
		mu_write(h, BAR + 0x800 + 8 * ring, HOST_BASE + FL_OFF(ring), 8);
		mu_write(h, BAR + 0xa00 + ring, RING_SHIFT, 1);
		mu_write(h, BAR + 0xa40 + ring, RX_VECTOR, 1);
	}
	mu_write(h, BAR + 0x10, 3, 8);
	mu_write(h, BAR + 0x18, 1500, 4);
	mu_write(h, BAR + 0x1c, BUF_SIZE, 4);
	assert_int_equal(vnic_reconfig(h, BAR, CFGQ, CTRL_UP, UPDATE_ALL), 0);
	for (unsigned int ring = 0; ring < 2; ring++)
		for (unsigned int i = 0; i < BUFS - 1; i++)
			offer(r, ring, i);
	for (unsigned int i = 0; i < sizeof(r->in); i++)
		r->in[i] = i * 7 + 2;
	*state = r;
	return 0;
}

static inline int xdp_teardown(void **state)
{
	struct rig *r = *state;

	host_destroy(r->c.h);
	free(r);
	return 0;
}

#define WORDS(...)	(const uint64_t []){ __VA_ARGS__ }, \
			sizeof((const uint64_t []){ __VA_ARGS__ }) / 8

static inline void attach(struct rig *r, const uint64_t *words, unsigned int n)
{
	struct host *h = r->c.h;

	for (unsigned int i = 0; i < n; i++)
		bd_put64(h->mem + IMAGE_OFF + 8 * i, fw_ecc(words[i]));
	mu_write(h, BAR + 0x8e, n, 2);
	mu_write(h, BAR + 0x90, HOST_BASE + IMAGE_OFF, 8);
	assert_int_equal(vnic_reconfig(h, BAR, CFGQ, CTRL_UP, UPDATE_BPF), 0);
	assert_int_equal(vnic_reconfig(h, BAR, CFGQ, CTRL_UP | CTRL_BPF, UPDATE_GEN), 0);
}

#define ATTACH(r, ...)	attach(r, WORDS(__VA_ARGS__))

/* Let a frame of @len bytes arrive, and run the card until it has nothing more to do. */
static inline void arrive(struct rig *r, uint32_t len)
{
	r->in_len = len;
	r->waiting = true;
	host_run(r->c.h);
	assert_false(r->waiting);
}

/* Attach a program of these words, then let a frame arrive. */
#define RUN(r, len, ...) do { ATTACH(r, __VA_ARGS__); arrive(r, len); } while (0)

/* Return the ring's next frame and its length, or NULL. */
static inline const uint8_t *take(struct rig *r, unsigned int ring, uint32_t *len)
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

/*
 * Assert that since the last call the card has counted one frame of @len bytes with verdict @v,
 * and no other verdict. With @v -1, assert that it has counted none.
 */
static inline void assert_counted(struct rig *r, int v, uint32_t len)
{
	for (int i = BD_VERDICT_PASS; i <= BD_VERDICT_ABORTED; i++) {
		uint64_t n = mu_read(r->c.h, BAR + 0xd90 + 16 * i, 8);

		assert_int_equal(n, r->verdicts[i] + (i == v));
		r->verdicts[i] = n;
		n = mu_read(r->c.h, BAR + 0xd98 + 16 * i, 8);
		assert_int_equal(n, r->bytes[i] + (i == v ? len : 0));
		r->bytes[i] = n;
	}
}

/* Assert that the next frame of ring 0 is @want. */
static inline void assert_host(struct rig *r, const void *want, uint32_t len)
{
	const uint8_t *p;
	uint32_t n = 0;

	p = take(r, 0, &n);
	assert_non_null(p);
	assert_int_equal(n, len);
	assert_memory_equal(p, want, len);
}

static inline void assert_no_host(struct rig *r)
{
	uint32_t n;

	assert_null(take(r, 0, &n));
	assert_null(take(r, 1, &n));
}

/* A test that gets a new card */
#define XDP_TEST(f)	cmocka_unit_test_setup_teardown(f, xdp_setup, xdp_teardown)

#endif /* XDP_RIG_H */
