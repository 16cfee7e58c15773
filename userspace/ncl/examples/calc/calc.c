/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* A calculator: the device computes a[i] = a[i] OP b[i] and sends the window back. */
#include <stdint.h>
#include <ncl.h>

#define WIN	8

enum { ADD, SUB, AND, OR, XOR };

_net_ _out_ _at_("s1") _win_(WIN, WIN) void calc(uint8_t op, uint32_t *a, const uint32_t *b)
{
	for (int i = 0; i < WIN; i++) {
		if (op == ADD)
			a[i] += b[i];
		else if (op == SUB)
			a[i] -= b[i];
		else if (op == AND)
			a[i] &= b[i];
		else if (op == OR)
			a[i] |= b[i];
		else if (op == XOR)
			a[i] ^= b[i];
	}
	if (op <= XOR)
		_reflect();
	else
		_drop();
}

/* ---- the hosts' code ---- */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = { "add", "sub", "and", "or", "xor" };

static uint32_t expected(unsigned int op, uint32_t a, uint32_t b)
{
	switch (op) {
	case ADD: return a + b;
	case SUB: return a - b;
	case AND: return a & b;
	case OR: return a | b;
	default: return a ^ b;
	}
}

/* Compute with random numbers and all operations, and compare with the results of this machine. */
static int test(unsigned int n, unsigned int seed)
{
	struct ncrt_wnd wnd = { .size = sizeof(wnd), .flags = NCRT_BACK | NCRT_PAD };
	uint32_t *a = calloc(n, 4), *b = calloc(n, 4), *got = calloc(n, 4);

	if (!a || !b || !got)
		return perror("calc"), 1;
	for (unsigned int op = ADD; op <= XOR; op++) {
		for (unsigned int i = 0; i < n; i++) {
			got[i] = a[i] = (uint32_t)rand_r(&seed) << 16 ^ (uint32_t)rand_r(&seed);
			b[i] = (uint32_t)rand_r(&seed) << 16 ^ (uint32_t)rand_r(&seed);
		}
		if (ncl_out(calc, &wnd, ncl_value(op), ncl_array(got, n), ncl_array(b, n)) < 0)
			return fprintf(stderr, "calc: %s\n", ncl_error()), 1;
		for (unsigned int i = 0; i < n; i++) {
			if (got[i] == expected(op, a[i], b[i]))
				continue;
			fprintf(stderr, "calc: %s %u %u gives %u\n", names[op], a[i], b[i], got[i]);
			return 1;
		}
		printf("%s: %u right\n", names[op], n);
	}
	return free(a), free(b), free(got), 0;
}

int main(int argc, char **argv)
{
	struct ncrt_wnd wnd = { .size = sizeof(wnd), .flags = NCRT_BACK };
	uint32_t a[WIN] = { 0 }, b[WIN] = { 0 };
	unsigned int op = 0;

	if (argc == 4 && !strcmp(argv[1], "test"))
		return test((unsigned int)strtoul(argv[2], NULL, 0),
			    (unsigned int)strtoul(argv[3], NULL, 0));
	while (argc == 4 && op <= XOR && strcmp(argv[1], names[op]))
		op++;
	if (argc != 4 || op > XOR)
		return fprintf(stderr, "usage: calc add|sub|and|or|xor A B\n"
			       "       calc test COUNT SEED\n"), 2;
	a[0] = (uint32_t)strtoul(argv[2], NULL, 0);
	b[0] = (uint32_t)strtoul(argv[3], NULL, 0);
	if (ncl_out(calc, &wnd, ncl_value(op), ncl_array(a, WIN), ncl_array(b, WIN)) < 0)
		return fprintf(stderr, "calc: %s\n", ncl_error()), 1;
	printf("%u\n", a[0]);
	return 0;
}
