// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_xdp_call.c - the firmware functions that offloaded programs call, for maps and events.
 */
#include "xdp_card.h"

static uint32_t hash_map(struct rig *r)
{
	const struct bd_map_attr attr = {
		.type = BD_MAP_HASH, .key_size = 4, .value_size = 8, .max_entries = 2,
	};
	uint32_t tid;

	assert_int_equal(bd_map_alloc(r->c.h->b, &attr, &tid), 0);
	return tid;
}

/* End of a program: store R0 (A0 and B1) to the frame's first 8 bytes, and pass the frame. */
#define SHOW_R0 \
	alu(X(0), NONE, B_, A(0)), alu(X(1), NONE, B_, B(1)), alu(A(4), NONE, B_, DATA), \
	cmd(WRITE8_SWAP, PKT, 0, A(4), I(0), 7, SWAP), RETURN(RET_PASS)

/* Run a program that ends with SHOW_R0, and return its R0. */
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

	ATTACH(r, immed(LM(0, 0), 0x5678), CALL(1, USTORE_LOOKUP, tid), SHOW_R0);
	assert_int_equal(shown(r), 0);
	assert_int_equal(bd_map_update(r->c.h->b, tid, key, value, BD_MAP_ANY), 0);
	assert_int_equal(bd_map_lookup(r->c.h->b, tid, key, &addr), 0);
	assert_int_equal(shown(r), (addr >> 8) << 32 | (addr & 0xff));
	/* Read the value at the address that lookup has returned in R0. */
	ATTACH(r, immed(LM(0, 0), 0x5678), CALL(1, USTORE_LOOKUP, tid),
	       cmd(READ32_SWAP, MU, 0, A(0), B(1), 1, SWAP),
	       alu(A(0), NONE, B_, X(0)), alu(B(1), NONE, B_, X(1)), SHOW_R0);
	assert_int_equal(shown(r), 0x0807060504030201);
	/* a map that does not exist */
	ATTACH(r, immed(LM(0, 0), 0x5678), CALL(1, USTORE_LOOKUP, 99), SHOW_R0);
	assert_int_equal(shown(r), 0);
}

/* Call update, with the key at LM pointer 0, the value at LM pointer 2, and the flags in R4. */
#define UPDATE(tid, key, flags) \
	alu(A(2), A(22), ADD, I(32)), csr_wr(0x94, A(2)), immed(LM(0, 0), (key)), \
	immed(AB(8), (flags)), immed(AB(9), 0), immed(LM(2, 0), 0x1111), immed(LM(2, 1), 0x22), \
	CALL(7, USTORE_UPDATE, tid), SHOW_R0

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
	ATTACH(r, immed(LM(0, 0), 5), CALL(1, USTORE_DELETE, tid), SHOW_R0);
	assert_int_equal(shown(r), 0);
	assert_int_equal(shown(r), (uint64_t)-ENOENT);
	ATTACH(r, immed(LM(0, 0), 5), CALL(1, USTORE_DELETE, 99), SHOW_R0);
	assert_int_equal(shown(r), (uint64_t)-EBADFD);
}

/* Emit an event: R2 is map 0x4321, R3 current CPU and @pkt bytes of packet, R4 stack, R5 @len. */
#define EVENT(pkt, len) EVENT_OF(immed(AB(7), (pkt)), (len), 0, 6, immed(AB(9), 0))

/* The same. @flags and @high load the upper halves of R3 and R4, and R4 is a pointer of @type. */
#define EVENT_OF(flags, len, len_hi, type, high) \
	immed(LM(0, 0), 0x7788), immed_w1(LM(0, 0), 0x5566), immed(LM(0, 1), 0x99), \
	immed(AB(4), 0x4321), immed(AB(5), 0), \
	immed_any(AB(6), 0, 0, true, false), (flags), \
	alu(AB(8), NONE, B_, A(22)), (high), immed(AB(10), (len)), \
	immed(AB(11), (len_hi)), immed(AB(1), (type)), br(ALWAYS, USTORE_EVENT, 1), \
	immed(B(0), START + 14), SHOW_R0

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
	/*
	 * More bytes than the packet has; more than the stack has; unknown bits in the flags; a
	 * length of more than 32 bits.
	 */
	ATTACH(r, EVENT(65, 5));
	assert_int_equal(shown(r), (uint64_t)-EFAULT);
	ATTACH(r, EVENT(10, 513));
	assert_int_equal(shown(r), (uint64_t)-E2BIG);
	ATTACH(r, EVENT_OF(immed_any(AB(7), 0, 0, true, false), 5, 0, 6, immed(AB(9), 0)));
	assert_int_equal(shown(r), (uint64_t)-EINVAL);
	ATTACH(r, EVENT_OF(immed(AB(7), 10), 5, 1, 6, immed(AB(9), 0)));
	assert_int_equal(shown(r), (uint64_t)-E2BIG);
	/* a pointer to a map's value, at an address without memory; a pointer of an unknown type */
	ATTACH(r, EVENT_OF(immed(AB(7), 10), 5, 0, 4, immed_any(AB(9), 0, 0, true, false)));
	assert_int_equal(shown(r), (uint64_t)-EFAULT);
	ATTACH(r, EVENT_OF(immed(AB(7), 10), 5, 0, 1, immed(AB(9), 0)));
	assert_int_equal(shown(r), (uint64_t)-EINVAL);
	assert_null(bpf_take(&r->c, &len));
	assert_int_equal(r->c.h->b->ccm->events, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		XDP_TEST(test_lookup),
		XDP_TEST(test_update_delete),
		XDP_TEST(test_event),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
