// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_bpf_ctrl.c - control messages to the emulated card's BPF application, and its events,
 * through the rings of the control vNIC.
 */
#include "bpf_host.h"
#include "fw_ctrl.h"

#define ELEMS_MAX	2048000u	/* of firmware "full": fw_full.caps */
#include "random.h"

#define SLOT	56u		/* bytes of a key or a value */
#define PAIR	(2 * SLOT)
#define OP_LEN	(16 + PAIR)

enum { ALLOC = 1, FREE, LOOKUP, UPDATE, DELETE, GETNEXT, GETFIRST, EVENT };
enum { OK, NOMAP, NOENT, INVAL, PARSE, EXIST, NOMEM, TOOBIG };

struct msg {
	uint8_t b[256];
	uint16_t len;
};

static uint32_t be32(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3];
}

static void word(struct msg *m, uint32_t v)
{
	m->b[m->len++] = v >> 24;
	m->b[m->len++] = v >> 16;
	m->b[m->len++] = v >> 8;
	m->b[m->len++] = v;
}

static struct msg msg(uint8_t type, uint16_t tag)
{
	struct msg m = { .b = { type, 1, tag >> 8, tag }, .len = 4 };

	return m;
}

/* Send a message, and return the answer. Exactly one must come, and it must answer this message. */
static const uint8_t *ask(struct bpf_host *c, const struct msg *m, uint32_t *len)
{
	unsigned int irqs = c->h->irqs[CTRL_VECTOR];
	const uint8_t *a;

	bpf_post(c, m->b, m->len);
	assert_int_equal(c->h->irqs[CTRL_VECTOR], irqs + 1);
	a = bpf_take(c, len);
	assert_non_null(a);
	assert_int_equal(a[0], m->b[0] | 0x80);
	assert_int_equal(a[1], 1);
	assert_memory_equal(a + 2, m->b + 2, 2);
	assert_true(*len >= 8);
	return a;
}

static uint32_t map_alloc(struct bpf_host *c, uint32_t key, uint32_t value, uint32_t entries,
			  uint32_t type, uint32_t flags, uint32_t rc)
{
	struct msg m = msg(ALLOC, 0x1234);
	const uint8_t *a;
	uint32_t len;

	word(&m, key);
	word(&m, value);
	word(&m, entries);
	word(&m, type);
	word(&m, flags);
	a = ask(c, &m, &len);
	assert_int_equal(len, 12);
	assert_int_equal(be32(a + 4), rc);
	return be32(a + 8);
}

static uint32_t map_free(struct bpf_host *c, uint32_t tid, uint32_t rc)
{
	struct msg m = msg(FREE, 2);
	const uint8_t *a;
	uint32_t len;

	word(&m, tid);
	a = ask(c, &m, &len);
	assert_int_equal(len, 12);
	assert_int_equal(be32(a + 4), rc);
	return be32(a + 8);
}

static struct msg op_msg(uint8_t type, uint32_t tid, uint32_t count, uint32_t flags,
			 uint32_t key, uint64_t value)
{
	struct msg m = msg(type, 0xfffe);

	word(&m, tid);
	word(&m, count);
	word(&m, flags);
	bd_put32(m.b + 16, key);
	bd_put64(m.b + 16 + SLOT, value);
	m.len = OP_LEN;
	return m;
}

/*
 * Send a map operation, and return the number of entries in the answer. This number and the code
 * give the answer's length, which the driver checks.
 */
static uint32_t op(struct bpf_host *c, uint8_t type, uint32_t tid, uint32_t count,
		   uint32_t flags, uint32_t key, uint64_t value, uint32_t rc,
		   const uint8_t **entries)
{
	struct msg m = op_msg(type, tid, count, flags, key, value);
	uint32_t len, n;
	const uint8_t *a = ask(c, &m, &len);

	assert_int_equal(be32(a + 4), rc);
	n = be32(a + 8);
	assert_int_equal(be32(a + 12), 0);
	assert_int_equal(len, 16 + PAIR * (n + !!rc));
	*entries = a + 16;
	return n;
}

static void op1(struct bpf_host *c, uint8_t type, uint32_t tid, uint32_t flags, uint32_t key,
		uint64_t value, uint32_t rc)
{
	const uint8_t *e;

	assert_int_equal(op(c, type, tid, 1, flags, key, value, rc, &e), !rc);
	if (!rc && type <= DELETE)
		assert_int_equal(bd_get32(e), key);
	if (!rc && type == LOOKUP)
		assert_int_equal(bd_get64(e + SLOT), value);
}

static void test_alloc_free(void **state)
{
	struct bpf_host *c = *state;
	uint32_t a, h;

	a = map_alloc(c, 4, 8, 16, BD_MAP_ARRAY, 0, OK);
	h = map_alloc(c, 16, 32, 16, BD_MAP_HASH, 0, OK);
	assert_int_not_equal(a, h);
	map_alloc(c, 4, 8, 16, 5, 0, INVAL);
	map_alloc(c, 4, 8, 16, BD_MAP_HASH, 1, INVAL);
	map_alloc(c, 64, 8, 16, BD_MAP_HASH, 0, TOOBIG);
	map_alloc(c, 4, 60, 16, BD_MAP_HASH, 0, TOOBIG);
	map_alloc(c, 4, 8, ELEMS_MAX - 31, BD_MAP_HASH, 0, NOMEM);
	assert_int_equal(map_free(c, a, OK), 16);
	map_free(c, a, NOMAP);
	map_free(c, 0xdeadbeef, NOMAP);
	assert_int_equal(map_free(c, h, OK), 0);
}

static void test_hash(void **state)
{
	struct bpf_host *c = *state;
	uint32_t t = map_alloc(c, 4, 8, 2, BD_MAP_HASH, 0, OK);

	op1(c, LOOKUP, t, 0, 5, 0, NOENT);
	op1(c, UPDATE, t, BD_MAP_EXIST, 5, 50, NOENT);
	op1(c, UPDATE, t, BD_MAP_NOEXIST, 5, 50, OK);
	op1(c, UPDATE, t, BD_MAP_NOEXIST, 5, 51, EXIST);
	op1(c, UPDATE, t, 3, 5, 51, INVAL);
	op1(c, LOOKUP, t, 0, 5, 50, OK);
	op1(c, UPDATE, t, BD_MAP_ANY, 6, 60, OK);
	op1(c, UPDATE, t, BD_MAP_ANY, 7, 70, TOOBIG);
	op1(c, DELETE, t, 0, 5, 0, OK);
	op1(c, DELETE, t, 0, 5, 0, NOENT);
	op1(c, LOOKUP, t, 0, 6, 60, OK);
	op1(c, LOOKUP, t + 1, 0, 6, 60, NOMAP);
	assert_int_equal(map_free(c, t, OK), 1);
}

static void test_array(void **state)
{
	struct bpf_host *c = *state;
	uint32_t t = map_alloc(c, 4, 8, 2, BD_MAP_ARRAY, 0, OK);

	op1(c, LOOKUP, t, 0, 1, 0, OK);
	op1(c, UPDATE, t, BD_MAP_ANY, 1, 0x0102030405060708, OK);
	op1(c, LOOKUP, t, 0, 1, 0x0102030405060708, OK);
	op1(c, UPDATE, t, BD_MAP_NOEXIST, 1, 1, EXIST);
	op1(c, UPDATE, t, BD_MAP_ANY, 2, 1, TOOBIG);
	op1(c, LOOKUP, t, 0, 2, 0, NOENT);
	op1(c, DELETE, t, 0, 1, 0, INVAL);
}

/*
 * GETNEXT returns up to four entries with their values. If the map ends, the answer has the code
 * of the end and the entries before it.
 */
static void test_walk(void **state)
{
	struct bpf_host *c = *state;
	uint32_t t = map_alloc(c, 4, 8, 10, BD_MAP_ARRAY, 0, OK), i;
	const uint8_t *e;

	for (i = 0; i < 10; i++)
		op1(c, UPDATE, t, 0, i, i * 11, OK);
	assert_int_equal(op(c, GETFIRST, t, 4, 0, 99, 0, OK, &e), 4);
	for (i = 0; i < 4; i++) {
		assert_int_equal(bd_get32(e + PAIR * i), i);
		assert_int_equal(bd_get64(e + PAIR * i + SLOT), i * 11);
	}
	assert_int_equal(op(c, GETNEXT, t, 4, 0, 3, 0, OK, &e), 4);
	assert_int_equal(bd_get32(e), 4);
	assert_int_equal(op(c, GETNEXT, t, 4, 0, 7, 0, NOENT, &e), 2);
	assert_int_equal(bd_get32(e), 8);
	assert_int_equal(bd_get32(e + PAIR), 9);
	assert_int_equal(op(c, GETNEXT, t, 4, 0, 9, 0, NOENT, &e), 0);
	assert_int_equal(op(c, GETNEXT, t, 1, 0, 5, 0, OK, &e), 1);
	assert_int_equal(bd_get32(e), 6);
	/*
	 * An unknown key starts at the first entry. A request of more than four entries returns
	 * four.
	 */
	assert_int_equal(op(c, GETNEXT, t, 1, 0, 77, 0, OK, &e), 1);
	assert_int_equal(bd_get32(e), 0);
	assert_int_equal(op(c, GETNEXT, t, ~0u, 0, 0, 0, OK, &e), 4);

	t = map_alloc(c, 4, 8, 10, BD_MAP_HASH, 0, OK);
	assert_int_equal(op(c, GETFIRST, t, 4, 0, 0, 0, NOENT, &e), 0);
	assert_int_equal(op(c, GETFIRST, t + 1, 4, 0, 0, 0, NOMAP, &e), 0);
}

/* A malformed message gets an answer that says so. Try each type, length and version. */
static void test_malformed(void **state)
{
	struct bpf_host *c = *state;
	uint32_t t = map_alloc(c, 4, 8, 10, BD_MAP_HASH, 0, OK), type, len, alen;
	const uint8_t *a, *e;

	for (type = 0; type < 256; type++) {
		for (len = 4; len <= 200; len += type ? 1 : 7) {
			struct msg m = op_msg(type, t, 0, 0, 0, 0);

			if ((type == ALLOC && len == 24) || (type == FREE && len == 8) ||
			    (type >= LOOKUP && type <= GETFIRST && len == OP_LEN))
				continue;
			m.len = len;
			a = ask(c, &m, &alen);
			assert_int_equal(be32(a + 4), PARSE);
		}
		for (len = 0; len < 256; len += len ? 127 : 2) {
			struct msg m = op_msg(type, t, 1, 0, 0, 0);

			m.b[1] = len;
			a = ask(c, &m, &alen);
			assert_int_equal(be32(a + 4), PARSE);
		}
	}
	for (type = LOOKUP; type <= GETFIRST; type++)
		op(c, type, t, 0, 0, 0, 0, PARSE, &e);
	for (type = LOOKUP; type <= DELETE; type++)
		op(c, type, t, 2, 0, 0, 0, PARSE, &e);
	assert_int_equal(map_free(c, t, OK), 0);
}

/* A message shorter than a header gets no answer. The next message does. */
static void test_too_short(void **state)
{
	struct bpf_host *c = *state;
	uint32_t len, alen;

	for (len = 1; len < 4; len++) {
		struct msg m = msg(LOOKUP, 1);

		bpf_post(c, m.b, len);
		assert_null(bpf_take(c, &alen));
		mu_write(c->h, CTRL_BAR + 0xc00 + CTRL_VECTOR, 0, 1);
	}
	assert_int_equal(c->h->b->ccm->dropped, 3);
	map_alloc(c, 4, 8, 16, BD_MAP_ARRAY, 0, OK);
}

/* Each message of random bytes gets an answer. */
static void test_random_messages(void **state)
{
	struct bpf_host *c = *state;
	uint32_t len;

	srand(random_seed(3));
	for (unsigned int i = 0; i < 20000; i++) {
		struct msg m = msg(1 + rand() % 8, rand());

		for (unsigned int j = 4; j < sizeof(m.b); j++)
			m.b[j] = rand() % 4 ? 0 : rand();
		/* Most messages are plausible: small numbers in the words, correct lengths. */
		for (unsigned int j = 4; j < 24; j += 4)
			if (rand() % 8)
				bd_put32(m.b + j, htobe32(rand() % 8));
		m.len = m.b[0] == ALLOC ? 24 : m.b[0] == FREE ? 8 : OP_LEN;
		if (!(rand() % 16))
			m.len = 4 + rand() % 250;
		ask(c, &m, &len);
	}
	assert_int_equal(c->h->b->ccm->requests, 20000);
	assert_int_equal(c->h->b->ccm->dropped, 0);
}

/* The card reads a message only when it has a buffer for the answer. */
static void test_no_buffer(void **state)
{
	struct bpf_host *c = *state;
	struct msg m = op_msg(LOOKUP, 1, 1, 0, 0, 0);
	uint32_t len;

	vnic_reconfig(c->h, CTRL_BAR, CTRL_CFGQ, 0, 0x23);
	bpf_open(c, 1, CTRL_BUF_ROOM);
	bpf_post(c, m.b, m.len);
	bpf_post(c, m.b, m.len);
	bpf_post(c, m.b, m.len);
	assert_int_equal(c->h->b->ccm->requests, 1);
	assert_int_equal(pcie_read(c->h, QC(CTRL_TXQ, STS_LO)) & 0x3ffff, 1);
	assert_non_null(bpf_take(c, &len));	/* also offers a buffer again */
	host_run(c->h);
	assert_int_equal(c->h->b->ccm->requests, 2);
	bpf_offer(c, 1);
	host_run(c->h);
	assert_int_equal(c->h->b->ccm->requests, 3);
	assert_non_null(bpf_take(c, &len));
	assert_non_null(bpf_take(c, &len));
	assert_null(bpf_take(c, &len));
}

/* The card sends one interrupt. It sends no second one until the driver has unmasked the vector. */
static void test_interrupt(void **state)
{
	struct bpf_host *c = *state;
	struct msg m = op_msg(LOOKUP, 1, 1, 0, 0, 0);
	uint32_t len;

	bpf_post(c, m.b, m.len);
	assert_int_equal(mu_read(c->h, CTRL_BAR + 0xc00 + CTRL_VECTOR, 1), 1);
	bpf_post(c, m.b, m.len);
	bpf_post(c, m.b, m.len);
	assert_int_equal(c->h->irqs[CTRL_VECTOR], 1);
	bpf_take(c, &len);
	assert_int_equal(c->h->irqs[CTRL_VECTOR], 2);
	bpf_take(c, &len);
	bpf_take(c, &len);
	assert_int_equal(c->h->irqs[CTRL_VECTOR], 2);
}

/*
 * A ring stops if its pointers are wrong, or if it lies outside of the host's memory. The card
 * does nothing else.
 */
static void test_hostile_rings(void **state)
{
	struct bpf_host *c = *state;
	struct msg m = op_msg(LOOKUP, 1, 1, 0, 0, 0);
	uint32_t len;

	pcie_write(c->h, QC(CTRL_FLQ, ADD_WPTR), 1000);
	bpf_post(c, m.b, m.len);
	assert_null(bpf_take(c, &len));
	assert_false(c->h->b->nic->vnic[BD_VNIC_CTRL].rx[0].on);

	/* The address of a buffer is not mapped. This answer is lost, and the next one is not. */
	bpf_open(c, 8, CTRL_BUF_ROOM);
	bd_put32(c->h->mem + CTRL_RX_OFF + 4, 0x10);
	bd_put16(c->h->mem + CTRL_RX_OFF, 0);
	bpf_post(c, m.b, m.len);
	assert_false(c->h->mem[CTRL_RX_OFF + 3] & 0x80);
	c->rx = 1;
	assert_int_equal(c->h->b->ccm->dropped, 1);
	mu_write(c->h, CTRL_BAR + 0xc00 + CTRL_VECTOR, 0, 1);
	ask(c, &m, &len);

	/* The buffers are smaller than the answer. */
	bpf_open(c, 8, 100);
	bpf_post(c, m.b, m.len);
	assert_null(bpf_take(c, &len));
	assert_int_equal(c->h->b->ccm->dropped, 2);
	/* The card refuses impossible rings. */
	mu_write(c->h, CTRL_BAR + 0xa00, 19, 1);
	assert_int_equal(vnic_reconfig(c->h, CTRL_BAR, CTRL_CFGQ, 1, 0x23) >> 31, 1);
	mu_write(c->h, CTRL_BAR + 0xa00, CTRL_SHIFT, 1);
	mu_write(c->h, CTRL_BAR + 0x10, 3, 8);
	assert_int_equal(vnic_reconfig(c->h, CTRL_BAR, CTRL_CFGQ, 1, 0x23) >> 31, 1);
}

static void test_event(void **state)
{
	static uint8_t big[10000];
	struct bpf_host *c = *state;
	struct bd_event e = {
		.map_id = 0x1122334455667788, .cpu = ~0u,
		.pkt = "packet", .pkt_len = 6, .data = "of the program", .data_len = 14,
	};
	const uint8_t *m;
	uint32_t len;

	assert_int_equal(bd_ccm_event(c->h->b, &e), 0);
	host_run(c->h);
	assert_int_equal(c->h->irqs[CTRL_VECTOR], 1);
	m = bpf_take(c, &len);
	assert_non_null(m);
	assert_int_equal(len, 24 + 8 + 14);
	assert_memory_equal(m, "\x08\x01\0\0\xff\xff\xff\xff\x11\x22\x33\x44\x55\x66\x77\x88"
			    "\0\0\0\x0e\0\0\0\x06" "packet\0\0of the program", len);

	e.pkt = big;
	e.pkt_len = CTRL_BUF_ROOM - 24;
	e.data_len = 0;
	assert_int_equal(bd_ccm_event(c->h->b, &e), 0);
	assert_non_null(bpf_take(c, &len));
	assert_int_equal(len, CTRL_BUF_ROOM);
	e.data_len = 1;
	assert_int_equal(bd_ccm_event(c->h->b, &e), -ENOSPC);
	e.pkt_len = sizeof(big);
	assert_int_equal(bd_ccm_event(c->h->b, &e), -ENOSPC);
	e.pkt_len = ~0u;
	e.data_len = ~0u;
	assert_int_equal(bd_ccm_event(c->h->b, &e), -ENOSPC);
	assert_null(bpf_take(c, &len));
	assert_int_equal(c->h->b->ccm->events, 5);
	assert_int_equal(c->h->b->ccm->events_lost, 3);
}

static void test_event_no_buffer(void **state)
{
	struct bpf_host *c = *state;
	struct bd_event e = { .data = "x", .data_len = 1, .pkt = "" };

	for (unsigned int i = 0; i < CTRL_SLOTS - 16; i++)
		assert_int_equal(bd_ccm_event(c->h->b, &e), 0);
	assert_int_equal(bd_ccm_event(c->h->b, &e), -ENOSPC);
	vnic_reconfig(c->h, CTRL_BAR, CTRL_CFGQ, 0, 0x23);
	assert_int_equal(bd_ccm_event(c->h->b, &e), -ENOSPC);
	assert_int_equal(c->h->b->ccm->events_lost, 2);
}

/* The plain NIC (app=nic) has no control vNIC, so a doorbell of its queues does nothing. */
static void test_app_nic(void **state)
{
	struct bpf_host *c = *state;
	char err[256];

	assert_int_equal(board_set(c->h->b, "app", "nic", err, sizeof(err)), 0);
	assert_int_equal(vnic_reconfig(c->h, CTRL_BAR, CTRL_CFGQ, 1, 3), 3);
	assert_int_equal(mu_read(c->h, BD_VNIC_ADDR + 0x38, 4) & CTRL_BPF, 0);
	assert_int_equal(board_set(c->h->b, "app", "x", err, sizeof(err)), -EINVAL);
	assert_string_equal(err, "app=x: must be nic, or bpf if the firmware has it");
}

/*
 * Read the capabilities, which must end at the end of their symbol, as the driver requires
 * (bpf/main.c). *@funcs: bits by the number of the helper.
 */
static void capabilities(const struct bpf_host *c, uint32_t *types, uint32_t *funcs)
{
	const struct bd_nffw *n = c->h->b->nffw;
	uint32_t i, at = 0;

	for (i = 0; i < n->count && strcmp(n->sym[i].name, "_abi_bpf_capabilities"); i++)
		;
	assert_true(i < n->count);
	for (*types = 0, *funcs = 0; at < n->sym[i].len; ) {
		uint32_t type = mu_read(c->h, n->sym[i].addr + at, 4);

		assert_in_range(type, 1, 8);
		*types |= 1u << type;
		if (type == 1)
			*funcs |= 1u << mu_read(c->h, n->sym[i].addr + at + 8, 4);
		at += 8 + mu_read(c->h, n->sym[i].addr + at + 4, 4);
	}
	assert_int_equal(at, n->sym[i].len);
}

static void test_capabilities(void **state)
{
	struct bpf_host *c = *state;
	const struct bd_nffw *n = c->h->b->nffw;
	uint32_t i, types, funcs;

	capabilities(c, &types, &funcs);
	assert_int_equal(types, 0x1fe);
	assert_int_equal(funcs, 1u << 1 | 1u << 2 | 1u << 3 | 1u << 25);
	for (i = 0; i < n->count && strcmp(n->sym[i].name, "_pf0_net_app_id"); i++)
		;
	assert_true(i < n->count);
	assert_int_equal(mu_read(c->h, n->sym[i].addr, 4), 2);
}

/* Options reduce what the firmware offers. An option with a wrong value changes nothing. */
static void test_lean(void **state)
{
	static const char *const bad[] = { "lookup,", ",lookup", "look", "lookup,peek", "lookup event" };
	struct bpf_host *c = *state;
	uint32_t types, funcs;
	char err[256];

	assert_int_equal(board_set(c->h->b, "bpf-helpers", "lookup,random", err, sizeof(err)), 0);
	capabilities(c, &types, &funcs);
	assert_int_equal(types, 1u << 1 | 1u << 3 | 1u << 4 | 1u << 7 | 1u << 8);
	assert_int_equal(funcs, 1u << 1);
	for (unsigned int i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(board_set(c->h->b, "bpf-helpers", bad[i], err, sizeof(err)), -EINVAL);
		assert_non_null(strstr(err, bad[i]));
		assert_non_null(strstr(err, "must be a list of lookup,update,delete,event,adjust_head,"));
	}
	capabilities(c, &types, &funcs);
	assert_int_equal(funcs, 1u << 1);
	/* No helpers at all. */
	assert_int_equal(board_set(c->h->b, "bpf-helpers", "", err, sizeof(err)), 0);
	capabilities(c, &types, &funcs);
	assert_int_equal(types, 1u << 3 | 1u << 7 | 1u << 8);
	assert_int_equal(board_set(c->h->b, "bpf-words", "0", err, sizeof(err)), -EINVAL);
	assert_string_equal(err, "bpf-words=0: must be 1 to the firmware's limit (public: 2816, full: 2560)");
	assert_int_equal(board_set(c->h->b, "bpf-words", "2561", err, sizeof(err)), -EINVAL);
	assert_int_equal(board_set(c->h->b, "bpf-words", "100", err, sizeof(err)), 0);
	assert_int_equal(mu_read(c->h, BD_VNIC_ADDR + 0x82, 2), 100);
}

int main(void)
{
#define TEST(f)	cmocka_unit_test_setup_teardown(f, bpf_setup, bpf_teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_alloc_free),
		TEST(test_hash),
		TEST(test_array),
		TEST(test_walk),
		TEST(test_malformed),
		TEST(test_too_short),
		TEST(test_random_messages),
		TEST(test_no_buffer),
		TEST(test_interrupt),
		TEST(test_hostile_rings),
		TEST(test_event),
		TEST(test_event_no_buffer),
		TEST(test_app_nic),
		TEST(test_capabilities),
		TEST(test_lean),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
