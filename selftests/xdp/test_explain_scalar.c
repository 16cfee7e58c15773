// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_explain_scalar.c - compute with random numbers, and check that each result is
 * within the bounds that explain has; check that important bounds are narrow enough.
 */
#include <linux/bpf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>
#include "scalar.h"
#include "random.h"

#define ROUNDS	300000

static uint64_t chance(void)
{
	static uint64_t x;

	if (!x)
		x = random_seed(0x9e3779b97f4a7c15);
	return random_next(&x);
}

/* Return a random number, often near a boundary of a type or a shift. */
static uint64_t number(void)
{
	static const uint64_t edge[] = { 0, 1, 31, 32, 63, 64, INT32_MAX, 1ull << 31, UINT32_MAX,
					 1ull << 32, INT64_MAX, 1ull << 63, UINT64_MAX };
	uint64_t v = chance();

	switch (v % 4) {
	case 0:
		return edge[(v >> 8) % (sizeof(edge) / sizeof(*edge))] + (v >> 16) % 3 - 1;
	case 1:
		return (v >> 8) & 0xff;
	case 2:
		return v >> (v >> 8) % 64;
	}
	return v;
}

static void assert_in(const struct scalar *s, uint64_t v, const char *what, uint8_t code)
{
	if ((v & ~s->bits.unknown) == s->bits.value && v >= s->umin && v <= s->umax &&
	    (int64_t)v >= s->smin && (int64_t)v <= s->smax && (uint32_t)v >= s->umin32 &&
	    (uint32_t)v <= s->umax32 && (int32_t)v >= s->smin32 && (int32_t)v <= s->smax32)
		return;
	fail_msg("%s 0x%02x: %#llx is not in %#llx/%#llx u %#llx-%#llx s %lld-%lld", what, code,
		 (unsigned long long)v, (unsigned long long)s->bits.value,
		 (unsigned long long)s->bits.unknown, (unsigned long long)s->umin,
		 (unsigned long long)s->umax, (long long)s->smin, (long long)s->smax);
}

static bool jump(uint64_t a, uint64_t b, uint8_t op, bool half)
{
	int64_t x = half ? (int32_t)a : (int64_t)a, y = half ? (int32_t)b : (int64_t)b;

	if (half) {
		a = (uint32_t)a;
		b = (uint32_t)b;
	}
	switch (op) {
	case BPF_JEQ:	return a == b;
	case BPF_JNE:	return a != b;
	case BPF_JSET:	return a & b;
	case BPF_JGT:	return a > b;
	case BPF_JGE:	return a >= b;
	case BPF_JLT:	return a < b;
	case BPF_JLE:	return a <= b;
	case BPF_JSGT:	return x > y;
	case BPF_JSGE:	return x >= y;
	case BPF_JSLT:	return x < y;
	}
	return x <= y;
}

static const uint8_t jumps[] = { BPF_JEQ, BPF_JNE, BPF_JSET, BPF_JGT, BPF_JGE, BPF_JLT,
				 BPF_JLE, BPF_JSGT, BPF_JSGE, BPF_JSLT, BPF_JSLE };
static const uint8_t alus[] = { BPF_ADD, BPF_SUB, BPF_MUL, BPF_AND, BPF_OR, BPF_XOR, BPF_LSH,
				BPF_RSH, BPF_ARSH, BPF_DIV };

#define ANY(list)	list[chance() % (sizeof(list) / sizeof(*(list)))]

/* Set @s to something that is true of @v: narrow it by a few comparisons with constants. */
static void known(struct scalar *s, uint64_t v)
{
	struct scalar c;
	unsigned int i, n = chance() % 4;
	uint64_t with;
	uint8_t op;
	bool half;

	if (chance() % 5 == 0) {
		scalar_const(s, v);
		return;
	}
	scalar_any(s);
	for (i = 0; i < n; i++) {
		with = chance() % 2 ? number() : v + chance() % 64 - 32;
		op = ANY(jumps);
		half = chance() % 3 == 0;
		scalar_const(&c, with);
		scalar_learn(s, &c, op, jump(v, with, op, half), half);
	}
	assert_in(s, v, "learnt", 0);
}

/* Compute a op b. Return false if the result is undefined, or if explain does not follow it. */
static bool compute(uint8_t op, bool half, uint64_t a, uint64_t b, uint64_t *v)
{
	unsigned int bits = half ? 32 : 64;

	if (half) {
		a = (uint32_t)a;
		b = (uint32_t)b;
	}
	switch (op) {
	case BPF_ADD:	*v = a + b; break;
	case BPF_SUB:	*v = a - b; break;
	case BPF_MUL:	*v = a * b; break;
	case BPF_AND:	*v = a & b; break;
	case BPF_OR:	*v = a | b; break;
	case BPF_XOR:	*v = a ^ b; break;
	case BPF_DIV:	*v = b ? a / b : 0; break;
	default:
		if (b >= bits)
			return false;
		*v = op == BPF_LSH ? a << b : op == BPF_RSH ? a >> b :
		     half ? (uint64_t)((int32_t)a >> b) : (uint64_t)((int64_t)a >> b);
	}
	if (half)
		*v = (uint32_t)*v;
	return true;
}

static void test_alu(void **state)
{
	struct scalar a, b;
	uint64_t x, y, v;
	unsigned int i;
	uint8_t op;
	bool half;

	(void)state;
	for (i = 0; i < ROUNDS; i++) {
		x = number();
		y = number();
		op = ANY(alus);
		half = chance() & 1;
		if (!compute(op, half, x, y, &v))
			continue;
		known(&a, x);
		known(&b, y);
		scalar_alu(&a, &b, op | BPF_X | (half ? BPF_ALU : BPF_ALU64));
		assert_in(&a, v, "alu", op);
	}
}

static void test_jumps(void **state)
{
	struct scalar a, b;
	uint64_t x, y;
	unsigned int i;
	bool half, way;
	uint8_t op;
	int said;

	(void)state;
	for (i = 0; i < ROUNDS; i++) {
		x = number();
		y = chance() % 4 ? number() : x + chance() % 3 - 1;
		op = ANY(jumps);
		half = chance() & 1;
		way = jump(x, y, op, half);
		known(&a, x);
		known(&b, y);
		said = scalar_branch(&a, &b, op, half);
		if (said >= 0 && said != way)
			fail_msg("jump 0x%02x of %#llx and %#llx: said %d", op,
				 (unsigned long long)x, (unsigned long long)y, said);
		if (said >= 0)
			continue;
		scalar_learn(&a, &b, op, way, half);
		assert_in(&a, x, "jump, left", op);
		assert_in(&b, y, "jump, right", op);
	}
}

static void test_truncate(void **state)
{
	static const unsigned int sizes[] = { 1, 2, 4 };
	struct scalar a;
	unsigned int i, size;
	uint64_t x;

	(void)state;
	for (i = 0; i < ROUNDS; i++) {
		x = number();
		size = ANY(sizes);
		known(&a, x);
		scalar_truncate(&a, size);
		assert_in(&a, x & ((1ull << (8 * size)) - 1), "truncate", size);
	}
}

static void test_extend(void **state)
{
	static const unsigned int sizes[] = { 8, 16, 32 };
	unsigned int i, bits;
	struct scalar a;
	uint64_t x, v;
	bool half;

	(void)state;
	for (i = 0; i < ROUNDS; i++) {
		x = number();
		bits = ANY(sizes);
		half = bits < 32 && chance() & 1;
		v = (int64_t)(x << (64 - bits)) >> (64 - bits);
		known(&a, x);
		scalar_extend(&a, bits, half);
		if (half) {
			v = (uint32_t)v;
			scalar_zext(&a);
			scalar_sync(&a);
		}
		assert_in(&a, v, "extend", bits);
	}
}

/* The driver needs to know that numbers do not exceed 16 or 32 bits. */
static void test_enough(void **state)
{
	struct scalar a, b;

	(void)state;
	scalar_any(&a);
	scalar_truncate(&a, 2);
	assert_int_equal(a.umax, 0xffff);
	scalar_const(&b, 0xffff);
	scalar_alu(&a, &b, BPF_ALU64 | BPF_MUL | BPF_K);
	assert_int_equal(a.umax, 0xffffull * 0xffff);
	assert_int_equal(a.umin, 0);

	scalar_any(&a);
	scalar_const(&b, 31);
	scalar_alu(&a, &b, BPF_ALU64 | BPF_AND | BPF_K);
	assert_int_equal(a.umax, 31);
	assert_int_equal(a.bits.unknown, 31);

	/* The verifier knows nothing of a quotient, not even that it has 32 bits. */
	scalar_any(&a);
	scalar_truncate(&a, 4);
	scalar_const(&b, 10);
	scalar_alu(&a, &b, BPF_ALU | BPF_DIV | BPF_K);
	assert_true(a.umax == UINT64_MAX);

	scalar_any(&a);
	scalar_const(&b, 100);
	scalar_learn(&a, &b, BPF_JGT, false, false);
	assert_int_equal(a.umax, 100);
	scalar_learn(&a, &b, BPF_JEQ, false, false);
	assert_int_equal(a.umax, 99);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_alu),
		cmocka_unit_test(test_jumps),
		cmocka_unit_test(test_truncate),
		cmocka_unit_test(test_extend),
		cmocka_unit_test(test_enough),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
