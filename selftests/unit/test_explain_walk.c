// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_explain_walk.c - programs without a file: which paths nfpchan xdp explain
 * follows, what it knows on each, and how long they are on the card.
 */
#include <linux/bpf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "explain/explain.h"

#define I(c, d, s, o, i) \
	{ .code = (c), .dst_reg = (d), .src_reg = (s), .off = (o), .imm = (i) }
#define MOV(d, i)	I(BPF_ALU64 | BPF_MOV | BPF_K, d, 0, 0, i)
#define MOVR(d, s)	I(BPF_ALU64 | BPF_MOV | BPF_X, d, s, 0, 0)
#define ALU(op, d, i)	I(BPF_ALU64 | (op) | BPF_K, d, 0, 0, i)
#define ALUR(op, d, s)	I(BPF_ALU64 | (op) | BPF_X, d, s, 0, 0)
#define JMP(op, d, i, o) I(BPF_JMP | (op) | BPF_K, d, 0, o, i)
#define JMPR(op, d, s, o) I(BPF_JMP | (op) | BPF_X, d, s, o, 0)
#define LDX(sz, d, s, o) I(BPF_LDX | BPF_MEM | (sz), d, s, o, 0)
#define STX(sz, d, s, o) I(BPF_STX | BPF_MEM | (sz), d, s, o, 0)
#define CALL(id)	I(BPF_JMP | BPF_CALL, 0, 0, 0, id)
#define CALLF(o)	I(BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_CALL, 0, o)
#define MAP(d, n)	I(BPF_LD | BPF_IMM | BPF_DW, d, BPF_PSEUDO_MAP_IDX, 0, n), I(0, 0, 0, 0, 0)
#define EXIT		I(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)

/* r2 = data, r3 = data_end; to the end of the program (@o) unless 32 bytes are there */
#define PACKET(o) \
	LDX(BPF_W, 2, 1, 0), LDX(BPF_W, 3, 1, 4), MOVR(4, 2), ALU(BPF_ADD, 4, 32), \
	JMPR(BPF_JGT, 4, 3, o)

static struct word word[2];
static struct xmap map = { .name = "m", .type = BPF_MAP_TYPE_ARRAY, .key_size = 4,
			   .value_size = 8, .max_entries = 1, .words = word };
static struct xprog prog;

static void run(const struct bpf_insn *insn, int n)
{
	struct xobject o = { .map = &map, .maps = 1, .prog = &prog, .progs = 1,
			     .limits = limits_default };

	issues_free(&prog.issues);
	memset(word, 0, sizeof(word));
	memset(&prog, 0, sizeof(prog));
	prog.name = "test";
	prog.section = "xdp";
	prog.type = BPF_PROG_TYPE_XDP;
	prog.insn = (struct bpf_insn *)insn;
	prog.insns = n;
	prog_check(&o, &prog);
}

/* One obstacle, at that instruction; notes are none. */
static void assert_issue(enum reason why, int insn)
{
	unsigned int i;
	int n = 0;

	for (i = 0; i < prog.issues.count; i++) {
		if (reasons[prog.issues.issue[i].why].severity == SEVERITY_NOTE)
			continue;
		assert_string_equal(reasons[prog.issues.issue[i].why].name, reasons[why].name);
		assert_int_equal(prog.issues.issue[i].insn, insn);
		n++;
	}
	assert_int_equal(n, 1);
}

static void assert_words(unsigned int words)
{
	if (issues_worst(&prog.issues) != SEVERITY_NOTE)
		fail_msg("%s", prog.issues.issue[0].text);
	assert_int_equal(prog.words, words);
}

#define RUN(...) do { \
		static const struct bpf_insn insn_[] = { __VA_ARGS__ }; \
		run(insn_, sizeof(insn_) / sizeof(*insn_)); \
	} while (0)

static void test_least(void **state)
{
	(void)state;
	RUN(MOV(0, XDP_PASS), EXIT);
	assert_words(26);
	RUN(EXIT);
	assert_issue(WHY_VERIFIER, 0);
	RUN(MOV(0, XDP_PASS));
	assert_issue(WHY_VERIFIER, 0);
	RUN(MOV(0, 2), I(BPF_ALU64 | BPF_MOD | BPF_K, 0, 0, 0, 3), EXIT);
	assert_issue(WHY_MODULO, 1);
}

static void test_bounds(void **state)
{
	(void)state;
	RUN(MOV(0, 2), PACKET(1), LDX(BPF_B, 0, 2, 31), EXIT);
	assert_int_equal(issues_worst(&prog.issues), SEVERITY_NOTE);
	assert_int_equal(prog.packet, 31);
	RUN(MOV(0, 2), PACKET(1), LDX(BPF_H, 0, 2, 31), EXIT);
	assert_issue(WHY_VERIFIER, 6);
}

/* What is known of a register holds for its copies, also on the stack. */
static void test_copies(void **state)
{
	(void)state;
	RUN(MOV(0, 2), PACKET(5), LDX(BPF_DW, 5, 2, 0), MOVR(6, 5), JMP(BPF_JGT, 6, 1000, 2),
	    MOV(7, 3), ALUR(BPF_MUL, 7, 5), EXIT);
	assert_int_equal(issues_worst(&prog.issues), SEVERITY_NOTE);
	RUN(MOV(0, 2), PACKET(6), LDX(BPF_DW, 5, 2, 0), STX(BPF_DW, 10, 5, -8),
	    JMP(BPF_JGT, 5, 1000, 3), LDX(BPF_DW, 8, 10, -8), MOV(7, 3), ALUR(BPF_MUL, 7, 8),
	    EXIT);
	assert_int_equal(issues_worst(&prog.issues), SEVERITY_NOTE);
	RUN(MOV(0, 2), PACKET(4), LDX(BPF_DW, 5, 2, 0), JMP(BPF_JGT, 5, -1, 2), MOV(7, 3),
	    ALUR(BPF_MUL, 7, 5), EXIT);
	assert_issue(WHY_MUL_RANGE, 9);
}

static void test_loops(void **state)
{
	(void)state;
	RUN(MOV(0, 2), MOV(6, 0), ALU(BPF_ADD, 6, 1), JMP(BPF_JLT, 6, 100, -2), EXIT);
	assert_int_equal(issues_worst(&prog.issues), SEVERITY_NOTE);
	RUN(MOV(0, 2), JMP(BPF_JA, 0, 0, -1), EXIT);
	assert_issue(WHY_VERIFIER, 1);
	RUN(MOV(0, 2), MOV(6, 0), ALU(BPF_ADD, 6, 1), JMP(BPF_JLT, 6, 600000, -2), EXIT);
	assert_issue(WHY_COMPLEX, -1);
}

/* Of two paths that differ in a number only, the verifier looks at one. */
static void test_pruned(void **state)
{
	(void)state;
	RUN(MOV(0, 2), PACKET(8), LDX(BPF_W, 5, 2, 0), LDX(BPF_W, 6, 2, 4), MOV(7, 3),
	    JMP(BPF_JSET, 6, 1, 1), MOV(7, 7), MOV(8, 1), JMP(BPF_JEQ, 5, 5, 0),
	    ALUR(BPF_DIV, 5, 7), EXIT);
	assert_issue(WHY_PRUNED, 13);
}

static void test_dead_code(void **state)
{
	unsigned int words;

	(void)state;
	RUN(MOV(0, 2), MOV(6, 1), JMP(BPF_JEQ, 6, 1, 1), CALL(BPF_FUNC_ktime_get_ns), EXIT);
	assert_int_equal(issues_worst(&prog.issues), SEVERITY_NOTE);
	words = prog.words;
	RUN(MOV(0, 2), MOV(6, 1), EXIT);
	assert_words(words);
}

static void test_functions(void **state)
{
	(void)state;
	/* r6 is saved: a routine each to save and restore it */
	RUN(MOV(1, 2), CALLF(1), EXIT, MOVR(6, 1), MOVR(0, 6), EXIT);
	assert_words(2 + 2 + 3 + 1 + (1 + 2 + 2 + 2) + 13 + 18 + 8);
	RUN(MOV(1, 4), CALLF(-2), EXIT);
	assert_int_equal(issues_worst(&prog.issues), SEVERITY_ERROR);
	RUN(CALLF(1), EXIT, MOVR(0, 6), EXIT);
	assert_issue(WHY_VERIFIER, 2);
}

static void test_maps(void **state)
{
	(void)state;
	RUN(MOV(6, 0), STX(BPF_W, 10, 6, -4), MOVR(2, 10), ALU(BPF_ADD, 2, -4), MAP(1, 0),
	    CALL(BPF_FUNC_map_lookup_elem), JMP(BPF_JEQ, 0, 0, 2), MOV(1, 1),
	    I(BPF_STX | BPF_ATOMIC | BPF_DW, 0, 1, 0, BPF_ADD), MOV(0, 2), EXIT);
	assert_int_equal(issues_worst(&prog.issues), SEVERITY_NOTE);
	assert_int_equal(word[0].use, USE_ATOMIC);
	assert_int_equal(word[1].use, USE_ATOMIC);
	RUN(MOV(6, 0), STX(BPF_W, 10, 6, -4), MOVR(2, 10), ALU(BPF_ADD, 2, -4), MAP(1, 0),
	    CALL(BPF_FUNC_map_lookup_elem), LDX(BPF_DW, 0, 0, 0), EXIT);
	assert_issue(WHY_VERIFIER, 7);
}

/* The JIT checks nothing where one call moves the start by a constant. */
static void test_head(void **state)
{
	(void)state;
	RUN(MOVR(6, 1), MOV(2, -32), CALL(BPF_FUNC_xdp_adjust_tail), MOVR(1, 6), MOV(2, 14),
	    CALL(BPF_FUNC_xdp_adjust_head), MOV(0, 2), EXIT);
	assert_int_equal(issues_worst(&prog.issues), SEVERITY_NOTE);
	RUN(MOVR(6, 1), MOV(2, -33), CALL(BPF_FUNC_xdp_adjust_tail), MOVR(1, 6), MOV(2, 14),
	    CALL(BPF_FUNC_xdp_adjust_head), MOV(0, 2), EXIT);
	assert_issue(WHY_HEAD_UNCHECKED, 5);
}

static void test_div_zero(void **state)
{
	(void)state;
	RUN(MOV(0, 2), MOV(1, 0), ALUR(BPF_DIV, 0, 1), EXIT);
	assert_issue(WHY_DIV_ZERO, 2);
}

/* Not of a register: the file may hold anything. */
static void test_hostile(void **state)
{
	static struct bpf_insn insn[64];
	uint64_t x = 88172645463325252ull;
	unsigned int i, j;

	(void)state;
	for (i = 0; i < 20000; i++) {
		for (j = 0; j < 64; j++) {
			x ^= x << 13;
			x ^= x >> 7;
			x ^= x << 17;
			memcpy(&insn[j], &x, 8);
			/* Small numbers lead further. */
			if (j % 4)
				insn[j].imm = (int8_t)insn[j].imm;
			if (j % 3)
				insn[j].off = insn[j].off % 16;
			if (i % 2) {
				insn[j].dst_reg %= 11;
				insn[j].src_reg %= 11;
			}
		}
		run(insn, 64);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_least),
		cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_copies),
		cmocka_unit_test(test_loops),
		cmocka_unit_test(test_pruned),
		cmocka_unit_test(test_dead_code),
		cmocka_unit_test(test_functions),
		cmocka_unit_test(test_maps),
		cmocka_unit_test(test_head),
		cmocka_unit_test(test_div_zero),
		cmocka_unit_test(test_hostile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
