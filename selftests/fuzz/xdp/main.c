// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * main.c - xdp_fuzz: random programs in the card and on the host.
 *
 * usage: xdp_fuzz DEV PEER [--seed S] [--count N] [--allow NAME]... [--show] [--find]
 *
 * Runs programs of the seeds from S on (1), N of them (1 if S is given, else 500), on DEV, to
 * which PEER sends packets. NAME is a known difference that the generator would avoid; --list
 * prints the names. --show prints each program. A program that differs is reduced. With --find
 * the run ends at the first program that differs, and fails if there is none.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "tap.h"

#define GROUPS		10	/* tests, each of a range of seeds */
#define REASONS		64

static struct {
	uint64_t seed;
	unsigned int count;
	uint32_t allow;
	bool show, find;
} opt = { .seed = 1 };

static struct {
	unsigned int loaded, differ, passed, sent, dropped;
	uint64_t insns;
	bool code[256];		/* opcodes that a loaded program has had */
	struct {
		char text[120];
		unsigned int n;
	} reason[REASONS];
} sum;

static void usage(void)
{
	fprintf(stderr,
		"usage: xdp_fuzz DEV PEER [--seed S] [--count N] [--allow NAME]... [--show]\n"
		"                [--find]\n"
		"       xdp_fuzz --list\n");
	exit(2);
}

static uint64_t number(const char *s)
{
	char *end;
	uint64_t v = strtoull(s, &end, 0);

	if (end == s || *end)
		usage();
	return v;
}

static void options(int argc, char **argv)
{
	static const struct option longs[] = {
		{ "seed", required_argument, NULL, 's' }, { "count", required_argument, NULL, 'n' },
		{ "allow", required_argument, NULL, 'a' }, { "show", no_argument, NULL, 'v' },
		{ "list", no_argument, NULL, 'l' }, { "find", no_argument, NULL, 'f' }, { 0 },
	};
	uint32_t bits;
	unsigned int i;
	int c;

	while ((c = getopt_long(argc, argv, "", longs, NULL)) != -1) {
		switch (c) {
		case 's':
			opt.seed = number(optarg);
			opt.count = opt.count ? opt.count : 1;
			break;
		case 'n':
			opt.count = number(optarg);
			break;
		case 'a':
			bits = avoid_bits(optarg);
			if (!bits)
				usage();
			opt.allow |= bits;
			break;
		case 'v':
			opt.show = true;
			break;
		case 'f':
			opt.find = true;
			break;
		case 'l':
			for (i = 0; i < AVOIDS; i++)
				puts(avoid_name(i));
			exit(0);
		default:
			usage();
		}
	}
	if (optind + 2 != argc)
		usage();
	opt.count = opt.count ? opt.count : 500;
}

/* Count how often programs were refused for this reason, whose numbers are ignored. */
static void reason(const char *text)
{
	char key[sizeof(sum.reason[0].text)];
	unsigned int i = 0, k = 0;

	for (; *text && k < sizeof(key) - 1; text++) {
		bool digit = *text >= '0' && *text <= '9';

		if (digit && k && key[k - 1] == 'N')
			continue;
		key[k++] = digit ? 'N' : *text;
	}
	key[k] = 0;
	while (i < REASONS - 1 && sum.reason[i].n && strcmp(sum.reason[i].text, key))
		i++;
	memcpy(sum.reason[i].text, key, sizeof(key));
	sum.reason[i].n++;
}

static void loaded(const struct program *p)
{
	unsigned int passed, sent, dropped, i;

	card_fates(&passed, &sent, &dropped);
	sum.loaded++;
	sum.passed += passed;
	sum.sent += sent;
	sum.dropped += dropped;
	sum.insns += p->n;
	for (i = 0; i < p->n; i++) {
		sum.code[p->insn[i].code] = true;
		i += is_wide(&p->insn[i]);
	}
}

static void different(struct program *p)
{
	unsigned int n = p->n, tried, i;

	sum.differ++;
	printf("# seed %" PRIu64 ": %s\n", p->seed, card_why());
	tried = reduce(p);
	card_try(p);
	printf("# of %u instructions %u are left, %u programs tried; the first %u are in each program: %s\n",
	       n, p->n, tried, p->head, card_why());
	disasm(p, "#   ");
	printf("# again: xdp_fuzz DEV PEER --seed %" PRIu64, p->seed);
	for (i = 0; i < AVOIDS; i++)
		if (opt.allow >> i & 1)
			printf(" --allow %s", avoid_name(i));
	putchar('\n');
}

static bool one(uint64_t seed)
{
	static struct program p;

	generate(&p, seed, opt.allow);
	if (opt.show)
		disasm(&p, "# ");
	switch (card_try(&p)) {
	case SAME:
		loaded(&p);
		return true;
	case REJECTED:
		reason(card_why());
		if (opt.show)
			printf("# refused: %s\n", card_why());
		return true;
	case DIFFERENT:
		loaded(&p);
		different(&p);
		break;
	}
	return false;
}

/* Say whether a loaded program had the instruction. */
static bool has(uint8_t code)
{
	if (!sum.code[code])
		printf("# no program has instruction 0x%02x\n", code);
	return sum.code[code];
}

/* Say whether programs had the operation by immediate and by register, in 64 and in 32 bits. */
static bool has_all(uint8_t class, uint8_t class32, uint8_t op)
{
	return has(class | op | BPF_K) & has(class | op | BPF_X) &
	       has(class32 | op | BPF_K) & has(class32 | op | BPF_X);
}

/* Say whether programs had each instruction of the JIT, except cBPF's and immediate stores. */
static bool covered(void)
{
	static const uint8_t alu[] = {
		BPF_ADD, BPF_SUB, BPF_MUL, BPF_DIV, BPF_OR, BPF_AND, BPF_LSH, BPF_RSH, BPF_XOR,
		BPF_MOV, BPF_ARSH,
	};
	static const uint8_t jmp[] = {
		BPF_JEQ, BPF_JGT, BPF_JGE, BPF_JSET, BPF_JNE, BPF_JSGT, BPF_JSGE, BPF_JLT,
		BPF_JLE, BPF_JSLT, BPF_JSLE,
	};
	static const uint8_t size[] = { BPF_B, BPF_H, BPF_W, BPF_DW };
	static const uint8_t others[] = {
		BPF_ALU | BPF_NEG, BPF_ALU64 | BPF_NEG, BPF_ALU | BPF_END | BPF_TO_BE,
		BPF_LD | BPF_IMM | BPF_DW, BPF_STX | BPF_ATOMIC | BPF_W,
		BPF_STX | BPF_ATOMIC | BPF_DW, BPF_JMP | BPF_JA, BPF_JMP | BPF_CALL,
		BPF_JMP | BPF_EXIT,
	};
	unsigned int i;
	bool all = true;

	for (i = 0; i < sizeof(alu); i++)
		all &= has_all(BPF_ALU64, BPF_ALU, alu[i]);
	for (i = 0; i < sizeof(jmp); i++)
		all &= has_all(BPF_JMP, BPF_JMP32, jmp[i]);
	for (i = 0; i < sizeof(size); i++)
		all &= has(BPF_LDX | BPF_MEM | size[i]) & has(BPF_STX | BPF_MEM | size[i]);
	for (i = 0; i < sizeof(others); i++)
		all &= has(others[i]);
	return all;
}

static void summary(void)
{
	unsigned int i;

	printf("# %u of %u programs loaded, %" PRIu64 " instructions; packets: %u passed, %u sent back, %u dropped or aborted\n",
	       sum.loaded, opt.count, sum.insns, sum.passed, sum.sent, sum.dropped);
	for (i = 0; i < REASONS && sum.reason[i].n; i++)
		printf("# refused: %u: %s\n", sum.reason[i].n, sum.reason[i].text);
}

/* Find the first program that differs. */
static int find(void)
{
	static struct program p;
	unsigned int i;

	for (i = 0; i < opt.count; i++) {
		generate(&p, opt.seed + i, opt.allow);
		if (card_try(&p) == DIFFERENT) {
			printf("seed %" PRIu64 ": %s\n", p.seed, card_why());
			return 0;
		}
	}
	printf("none of %u programs differs\n", opt.count);
	return 1;
}

int main(int argc, char **argv)
{
	unsigned int i, k = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	options(argc, argv);
	card_begin(argv[optind], argv[optind + 1]);
	if (opt.find)
		return find();
	for (i = 0; i < GROUPS && k < opt.count; i++) {
		unsigned int n = (opt.count + GROUPS - 1) / GROUPS, first = k;
		bool good = true;

		for (; n-- && k < opt.count; k++)
			good &= one(opt.seed + k);
		ok(good, "seeds %" PRIu64 " to %" PRIu64, opt.seed + first, opt.seed + k - 1);
	}
	summary();
	/* A run of a few programs cannot cover all instructions. */
	if (opt.count >= 100) {
		ok(sum.loaded * 10 >= opt.count * 9, "nine of ten programs load");
		ok(covered(), "the programs have all instructions of the JIT");
	}
	return tap_done();
}
