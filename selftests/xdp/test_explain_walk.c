// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_explain_walk.c - check, for programs that are not in a file, which paths
 * nfpchan xdp explain follows, what it knows on each, and the length on the card.
 */
#include <linux/bpf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "explain.h"
#include "random.h"

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

/* r2 = data, r3 = data_end; skip @o instructions if the packet has fewer than 32 bytes */
#define PACKET(o) \
	LDX(BPF_W, 2, 1, 0), LDX(BPF_W, 3, 1, 4), MOVR(4, 2), ALU(BPF_ADD, 4, 32), \
	JMPR(BPF_JGT, 4, 3, o)

/* Copy two words of the packet through register @r. */
#define COPY(r) \
	LDX(BPF_W, r, 2, 0), STX(BPF_W, 2, r, 16), LDX(BPF_W, r, 2, 4), STX(BPF_W, 2, r, 20)

/* Calls with a map: the key is at r10 - 4, the value at r10 - 16, an event's data at r10 - 8. */
#define LOOKUP(map) \
	MOV(6, 0), STX(BPF_W, 10, 6, -4), MOVR(2, 10), ALU(BPF_ADD, 2, -4), MAP(1, map), \
	CALL(BPF_FUNC_map_lookup_elem)
#define UPDATE \
	MOVR(3, 10), ALU(BPF_ADD, 3, -16), MOV(4, 0), MAP(1, 0), CALL(BPF_FUNC_map_update_elem)
#define EVENT(map) \
	MOV(6, 0), STX(BPF_DW, 10, 6, -8), MAP(2, map), MOV(3, -1), MOVR(4, 10), \
	ALU(BPF_ADD, 4, -8), MOV(5, 8), CALL(BPF_FUNC_perf_event_output), MOV(0, 2), EXIT
#define ADJUST(end, by)	MOV(2, by), CALL(BPF_FUNC_xdp_adjust_##end)

/* Four functions, each of which calls the function that starts two instructions later */
#define FOUR_DEEP CALLF(1), EXIT, CALLF(1), EXIT, CALLF(1), EXIT, CALLF(1), EXIT

static struct word word[2];
static struct xmap map = { .name = "m", .type = BPF_MAP_TYPE_ARRAY, .key_size = 4,
			   .value_size = 8, .max_entries = 1, .words = word };
static struct xmap events = { .name = "e", .type = BPF_MAP_TYPE_PERF_EVENT_ARRAY, .key_size = 4,
			      .value_size = 4, .max_entries = 1 };
static struct xprog prog;
static char *license;

static void run(const struct bpf_insn *insn, int n)
{
	struct xmap maps[] = { map, events };
	struct xobject o = { .map = maps, .maps = 2, .prog = &prog, .progs = 1,
			     .license = license };
	char err[64];

	limits_firmware(&o.limits, "full", err, sizeof(err));
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

/* Test that there is one issue, not counting notes, and that it is at this instruction. */
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

#define RUN(check, ...) do { \
		static const struct bpf_insn insn_[] = { __VA_ARGS__ }; \
		run(insn_, sizeof(insn_) / sizeof(*insn_)); \
		check; \
	} while (0)

/* FINE: no issue. ISSUE: one issue, at instruction @at. WORDS: no issue, @words on the card. */
#define FINE(...) RUN(assert_int_equal(issues_worst(&prog.issues), SEVERITY_NOTE), __VA_ARGS__)
#define ISSUE(why, at, ...) RUN(assert_issue(why, at), __VA_ARGS__)
#define WORDS(words, ...) RUN(assert_words(words), __VA_ARGS__)

static void test_least(void **state)
{
	(void)state;
	WORDS(26, MOV(0, XDP_PASS), EXIT);
	ISSUE(WHY_VERIFIER, 0, EXIT);
	ISSUE(WHY_VERIFIER, 0, MOV(0, XDP_PASS));
	ISSUE(WHY_MODULO, 1, MOV(0, 2), I(BPF_ALU64 | BPF_MOD | BPF_K, 0, 0, 0, 3), EXIT);
	/* An unreachable instruction, and unused fields that are not zero */
	ISSUE(WHY_VERIFIER, 2, MOV(0, 2), EXIT, MOV(0, 1), EXIT);
	ISSUE(WHY_VERIFIER, 1, MOV(1, 2), I(BPF_ALU64 | BPF_MOV | BPF_X, 0, 1, -2, 0), EXIT);
	ISSUE(WHY_VERIFIER, 1, MOV(0, 2), I(BPF_ALU | BPF_END | BPF_TO_BE, 0, 0, 0, 24), EXIT);
}

static void test_bounds(void **state)
{
	(void)state;
	FINE(MOV(0, 2), PACKET(1), LDX(BPF_B, 0, 2, 31), EXIT);
	assert_int_equal(prog.packet, 31);
	ISSUE(WHY_VERIFIER, 6, MOV(0, 2), PACKET(1), LDX(BPF_H, 0, 2, 31), EXIT);
}

/* A comparison of a register narrows its copies as well, also those on the stack. */
static void test_copies(void **state)
{
	(void)state;
	FINE(MOV(0, 2), PACKET(5), LDX(BPF_DW, 5, 2, 0), MOVR(6, 5), JMP(BPF_JGT, 6, 1000, 2),
	     MOV(7, 3), ALUR(BPF_MUL, 7, 5), EXIT);
	FINE(MOV(0, 2), PACKET(6), LDX(BPF_DW, 5, 2, 0), STX(BPF_DW, 10, 5, -8),
	     JMP(BPF_JGT, 5, 1000, 3), LDX(BPF_DW, 8, 10, -8), MOV(7, 3), ALUR(BPF_MUL, 7, 8),
	     EXIT);
	ISSUE(WHY_MUL_RANGE, 9, MOV(0, 2), PACKET(4), LDX(BPF_DW, 5, 2, 0), JMP(BPF_JGT, 5, -1, 2),
	      MOV(7, 3), ALUR(BPF_MUL, 7, 5), EXIT);
}

static void test_loops(void **state)
{
	(void)state;
	FINE(MOV(0, 2), MOV(6, 0), ALU(BPF_ADD, 6, 1), JMP(BPF_JLT, 6, 100, -2), EXIT);
	ISSUE(WHY_VERIFIER, 1, MOV(0, 2), JMP(BPF_JEQ, 0, 2, -1), EXIT);
	ISSUE(WHY_COMPLEX, -1, MOV(0, 2), MOV(6, 0), ALU(BPF_ADD, 6, 1),
	      JMP(BPF_JLT, 6, 600000, -2), EXIT);
}

/* The verifier follows only one of two paths that differ only in a number. */
static void test_pruned(void **state)
{
	(void)state;
	ISSUE(WHY_PRUNED, 13, MOV(0, 2), PACKET(8), LDX(BPF_W, 5, 2, 0), LDX(BPF_W, 6, 2, 4),
	      MOV(7, 3), JMP(BPF_JSET, 6, 1, 1), MOV(7, 7), MOV(8, 1), JMP(BPF_JEQ, 5, 5, 0),
	      ALUR(BPF_DIV, 5, 7), EXIT);
}

static void test_dead_code(void **state)
{
	unsigned int words;

	(void)state;
	FINE(MOV(0, 2), MOV(6, 1), JMP(BPF_JEQ, 6, 1, 1), CALL(BPF_FUNC_ktime_get_ns), EXIT);
	words = prog.words;
	WORDS(words, MOV(0, 2), MOV(6, 1), EXIT);
}

static void test_functions(void **state)
{
	(void)state;
	/* The function uses r6, so the program gets routines that save and restore r6 to r9. */
	WORDS(2 + 2 + 3 + 1 + (1 + 2 + 2 + 2) + 13 + 18 + 8, MOV(1, 2), CALLF(1), EXIT, MOVR(6, 1),
	      MOVR(0, 6), EXIT);
	ISSUE(WHY_CALL_DEPTH, 1, MOV(1, 4), CALLF(-2), EXIT);
	ISSUE(WHY_VERIFIER, 2, CALLF(1), EXIT, MOVR(0, 6), EXIT);
}

/* The driver counts the depth of calls, also of calls that no path reaches. */
static void test_call_depth(void **state)
{
	(void)state;
	FINE(MOV(0, 2), FOUR_DEEP, CALLF(1), EXIT, CALLF(1), EXIT, CALLF(1), EXIT, MOV(0, 2),
	     EXIT);
	ISSUE(WHY_CALL_DEPTH, 15, MOV(0, 2), FOUR_DEEP, FOUR_DEEP, MOV(0, 2), EXIT);
	/* The recursion is never reached: the verifier does not see it, but the driver does. */
	ISSUE(WHY_RECURSION, 5, MOV(0, 2), JMP(BPF_JEQ, 0, 2, 1), CALLF(1), EXIT, MOV(0, 2),
	      CALLF(-2), EXIT);
}

/* The verifier knows that pointers into maps are not 0, but not that other pointers are not. */
static void test_null(void **state)
{
	(void)state;
	ISSUE(WHY_HELPER, 3, MOV(0, 2), MOVR(2, 10), JMP(BPF_JNE, 2, 0, 1),
	      CALL(BPF_FUNC_ktime_get_ns), EXIT);
	FINE(LOOKUP(0), JMP(BPF_JEQ, 0, 0, 2), JMP(BPF_JNE, 0, 0, 1), CALL(BPF_FUNC_ktime_get_ns),
	     MOV(0, 2), EXIT);
	FINE(MOV(0, 2), MAP(1, 0), JMP(BPF_JNE, 1, 0, 1), CALL(BPF_FUNC_ktime_get_ns), EXIT);
	/* The lower half of a pointer may be 0. */
	ISSUE(WHY_HELPER, 4, MOV(0, 2), MAP(1, 0), I(BPF_JMP32 | BPF_JNE | BPF_K, 1, 0, 1, 0),
	      CALL(BPF_FUNC_ktime_get_ns), EXIT);
}

static void test_events(void **state)
{
	(void)state;
	license = "Dual BSD/GPL";
	FINE(EVENT(1));
	license = "BSD";
	ISSUE(WHY_VERIFIER, 8, EVENT(1));
	license = NULL;
	/* Each helper accepts only its types of maps. */
	ISSUE(WHY_VERIFIER, 6, LOOKUP(1), MOV(0, 2), EXIT);
	ISSUE(WHY_VERIFIER, 8, EVENT(0));
}

/* The value that the JIT leaves in the register of a copy matters also after a call. */
static void test_copy_last(void **state)
{
	(void)state;
	ISSUE(WHY_COPY_LAST, 6, MOV(0, 2), PACKET(7), COPY(7), CALL(BPF_FUNC_get_prandom_u32),
	      MOVR(0, 7), EXIT, EXIT);
	FINE(MOV(0, 2), PACKET(7), COPY(4), I(BPF_LD | BPF_IMM | BPF_DW, 0, 0, 0, 1),
	     I(0, 0, 0, 0, 0), EXIT, EXIT);
	/* A byte swap reads no source register: the field is 0, which is not a use of r0. */
	FINE(MOV(0, 2), PACKET(7), COPY(0), I(BPF_ALU | BPF_END | BPF_TO_BE, 3, 0, 0, 16),
	     MOV(0, 2), EXIT, EXIT);
}

static void test_frame_pointer(void **state)
{
	(void)state;
	ISSUE(WHY_FRAME_POINTER, 1, MOV(0, 2), STX(BPF_DW, 10, 10, -8), EXIT);
	FINE(MOV(0, 2), MOVR(2, 10), STX(BPF_DW, 10, 0, -8), EXIT);
}

static void test_maps(void **state)
{
	(void)state;
	FINE(LOOKUP(0), JMP(BPF_JEQ, 0, 0, 2), MOV(1, 1),
	     I(BPF_STX | BPF_ATOMIC | BPF_DW, 0, 1, 0, BPF_ADD), MOV(0, 2), EXIT);
	assert_int_equal(word[0].use, USE_ATOMIC);
	assert_int_equal(word[1].use, USE_ATOMIC);
	ISSUE(WHY_VERIFIER, 7, LOOKUP(0), LDX(BPF_DW, 0, 0, 0), EXIT);
	/* The verifier lets root read the kernel's struct of a map. The card has no such struct. */
	ISSUE(WHY_POINTER, 3, MOV(0, 2), MAP(1, 0), LDX(BPF_DW, 2, 1, 0), EXIT);
	/* An atomic addition must be aligned, and a value must have been written. */
	ISSUE(WHY_VERIFIER, 9, LOOKUP(0), JMP(BPF_JEQ, 0, 0, 2), MOV(1, 1),
	      I(BPF_STX | BPF_ATOMIC | BPF_W, 0, 1, 2, BPF_ADD), MOV(0, 2), EXIT);
	ISSUE(WHY_VALUE_BEYOND, 9, MOV(6, 0), STX(BPF_W, 10, 6, -4), MOVR(2, 10),
	      ALU(BPF_ADD, 2, -4), UPDATE, MOV(0, 2), EXIT);
	ISSUE(WHY_VALUE_UNWRITTEN, 7, MOVR(2, 10), ALU(BPF_ADD, 2, -4), UPDATE, MOV(0, 2), EXIT);
}

/* The JIT emits no check if a single call moves the start by a constant. */
static void test_head(void **state)
{
	(void)state;
	FINE(MOVR(6, 1), ADJUST(tail, -32), MOVR(1, 6), ADJUST(head, 14), MOV(0, 2), EXIT);
	ISSUE(WHY_HEAD_UNCHECKED, 5, MOVR(6, 1), ADJUST(tail, -33), MOVR(1, 6), ADJUST(head, 14),
	      MOV(0, 2), EXIT);
	/* Calls can move the start down by 92 bytes in all, and up by 112. */
	ISSUE(WHY_HEADROOM, 5, MOVR(6, 1), ADJUST(head, -48), MOVR(1, 6), ADJUST(head, -48),
	      MOV(0, 2), EXIT);
	FINE(MOVR(6, 1), ADJUST(head, -48), MOVR(1, 6), ADJUST(head, 48), MOVR(1, 6),
	     ADJUST(head, -48), MOV(0, 2), EXIT);
	FINE(ADJUST(head, -92), MOV(0, 2), EXIT);
	ISSUE(WHY_HEADROOM, 1, ADJUST(head, -93), MOV(0, 2), EXIT);
	FINE(ADJUST(head, 112), MOV(0, 2), EXIT);
	ISSUE(WHY_HEADROOM, 1, ADJUST(head, 113), MOV(0, 2), EXIT);
}

static void test_div_zero(void **state)
{
	(void)state;
	ISSUE(WHY_DIV_ZERO, 2, MOV(0, 2), MOV(1, 0), ALUR(BPF_DIV, 0, 1), EXIT);
}

/* A function with many calls of itself: a walk along each chain of eight calls would never end. */
static void test_calls_itself(void **state)
{
	struct bpf_insn insn[64] = { MOV(0, 2), CALLF(1), EXIT };
	int i;

	(void)state;
	for (i = 3; i < 63; i++)
		insn[i] = (struct bpf_insn)CALLF(2 - i);
	insn[63] = (struct bpf_insn)EXIT;
	run(insn, 64);
	assert_issue(WHY_CALL_DEPTH, 3);
}

/* Test that each issue has a text, and the number of an instruction or -1. */
static void assert_issues(int insns)
{
	for (unsigned int i = 0; i < prog.issues.count; i++)
		assert_true(prog.issues.issue[i].insn >= -1 && prog.issues.issue[i].insn < insns &&
			    *prog.issues.issue[i].text);
}

/* Random bytes as instructions: a file may contain anything. */
static void test_garbage(void **state)
{
	static struct bpf_insn insn[64];
	uint64_t x = 88172645463325252ull;
	unsigned int i, j;

	(void)state;
	for (i = 0; i < 5000; i++) {
		for (j = 0; j < 64; j++) {
			random_next(&x);
			memcpy(&insn[j], &x, 8);
		}
		run(insn, 64);
		assert_true(prog.issues.count);
		assert_issues(64);
	}
}

/* Make a valid instruction; @left others follow before the last two of the program. */
static struct bpf_insn random_insn(uint64_t *x, int left)
{
	static const uint8_t op[] = {
		BPF_ADD, BPF_SUB, BPF_OR, BPF_AND, BPF_LSH, BPF_RSH, BPF_XOR, BPF_MOV, BPF_ARSH,
		BPF_MUL, BPF_DIV, BPF_JEQ, BPF_JGT, BPF_JGE, BPF_JSET, BPF_JNE, BPF_JSGT,
		BPF_JSGE, BPF_JLT, BPF_JLE, BPF_JSLT, BPF_JSLE,
	};
	static const uint8_t size[] = { BPF_B, BPF_H, BPF_W, BPF_DW };
	uint64_t r = random_next(x);
	unsigned int dst = r % 9, kind = r >> 8 & 7, n = r >> 16 & 3;
	unsigned int src = (r >> 24) % 9, reg = r >> 32 & BPF_X, half = r >> 40 & 1;
	int imm = r >> 48 & 31;
	/* Use MUL and DIV rarely, because the driver refuses most of them. */
	uint8_t alu = op[(r >> 58) % (r >> 53 & 31 ? 9 : 11)];

	switch (kind) {
	case 0:		/* a load from the packet */
		return (struct bpf_insn)LDX(size[n], dst, 9, imm & 24);
	case 1:		/* a store to the stack, and a load from it */
		return (struct bpf_insn)STX(size[n], 10, src, -8 - (imm & 24));
	case 2:
		return (struct bpf_insn)LDX(size[n], dst, 10, -8 - (imm & 24));
	case 3:
	case 4:		/* a forward jump: most loops would be endless */
		return (struct bpf_insn)I((half ? BPF_JMP32 : BPF_JMP) | reg |
					  op[11 + (r >> 58) % 11], dst, reg ? src : 0,
					  imm % (left + 1), reg ? 0 : imm);
	}
	return (struct bpf_insn)I((half ? BPF_ALU : BPF_ALU64) | reg | alu, dst, reg ? src : 0, 0,
				  reg ? 0 : 1 + imm % 31);
}

/* Random valid programs: most are followed to their end, and many are translated as well. */
static void test_random(void **state)
{
	static const struct bpf_insn intro[] = {
		PACKET(57), MOVR(9, 2), MOV(0, 1), MOV(1, 2), MOVR(3, 0), MOVR(4, 1), MOV(5, 5),
		LDX(BPF_B, 6, 9, 0), LDX(BPF_H, 7, 9, 2), LDX(BPF_W, 8, 9, 4), LDX(BPF_B, 2, 9, 1),
		STX(BPF_DW, 10, 6, -8), STX(BPF_DW, 10, 7, -16), STX(BPF_DW, 10, 8, -24),
		STX(BPF_DW, 10, 2, -32),
	};
	static struct bpf_insn insn[64];
	uint64_t x = 88172645463325252ull;
	unsigned int i, j, examined = 0, sized = 0;

	(void)state;
	memcpy(insn, intro, sizeof(intro));
	insn[62] = (struct bpf_insn)MOV(0, 2);
	insn[63] = (struct bpf_insn)EXIT;
	for (i = 0; i < 10000; i++) {
		for (j = sizeof(intro) / sizeof(*intro); j < 62; j++)
			insn[j] = random_insn(&x, 61 - j);
		run(insn, 64);
		examined += prog.examined;
		sized += !!prog.words;
	}
	printf("# of %u random programs, %u were followed to the end, %u translated\n", i,
	       examined, sized);
	assert_in_range(examined, 5000, i);
	assert_in_range(sized, 1000, i);
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
		cmocka_unit_test(test_call_depth),
		cmocka_unit_test(test_null),
		cmocka_unit_test(test_events),
		cmocka_unit_test(test_copy_last),
		cmocka_unit_test(test_frame_pointer),
		cmocka_unit_test(test_maps),
		cmocka_unit_test(test_head),
		cmocka_unit_test(test_div_zero),
		cmocka_unit_test(test_calls_itself),
		cmocka_unit_test(test_garbage),
		cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
