// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* prog.c - programs: generated at random, mutated, printed and parsed. */
#include <string.h>

#include "fuzz.h"

static uint8_t pick_op(uint64_t *state)
{
	unsigned int i, sum = 0, at;

	for (i = 0; i < op_count; i++)
		sum += ops[i].weight;
	at = random_mix(state) % sum;
	for (i = 0; at >= ops[i].weight; i++)
		at -= ops[i].weight;
	return i;
}

/* Choose a slot of @kind, one time in 16 any slot. Multiples of SLOTS: see slot_like(). */
static uint8_t pick_slot(enum slot_kind kind, uint64_t *state)
{
	uint64_t r = random_mix(state);

	if (r % 16 == 0)
		kind = ANY;
	return slots_of[kind].first + (r >> 8) % slots_of[kind].count + (r >> 16) % 16 * SLOTS;
}

static struct call call_of(uint8_t op, uint64_t *state, unsigned int threads)
{
	return (struct call){
		.op = op,
		.thread = random_mix(state) % threads,
		.a = pick_slot(ops[op].a, state),
		.b = pick_slot(ops[op].b, state),
		.x = random_mix(state),
		.y = random_mix(state),
		.z = random_mix(state),
	};
}

static struct call call_random(uint64_t *state, unsigned int threads)
{
	return call_of(pick_op(state), state, threads);
}

static int op_find(const char *name)
{
	unsigned int i;

	for (i = 0; i < op_count; i++)
		if (!strcmp(ops[i].name, name))
			return i;
	return -1;
}

/* Make an OPEN valid: right size of the struct, no unknown flags, writable memory. */
static void open_right(struct call *c)
{
	c->a %= SLOTS;
	c->x |= 1 << 9 | 1 << 13;
	c->z |= 32;
}

/*
 * Generate a program. Half of the programs have one thread, so they do the same each time. Most
 * are long, because starting and ending a process takes as long as some dozens of calls. They
 * begin with a few opens.
 */
void prog_random(struct prog *p, uint64_t seed)
{
	uint64_t state = seed;
	unsigned int threads = random_mix(&state) & 1 ? THREADS : 1, i;
	unsigned int opens = random_mix(&state) % 12;

	memset(p, 0, sizeof(*p));
	p->user = random_mix(&state) % 4;
	p->lock = random_mix(&state) % 8;
	p->n = 1 + random_mix(&state) % (random_mix(&state) % 4 ? CALLS : CALLS / 16);
	for (i = 0; i < p->n; i++)
		p->call[i] = i < opens ? call_of(op_find("open"), &state, threads) :
					 call_random(&state, threads);
	for (i = 0; i < opens && i < p->n; i++)
		open_right(&p->call[i]);
}

static void call_insert(struct prog *p, unsigned int at, const struct call *c)
{
	if (p->n == CALLS)
		p->n--;
	memmove(&p->call[at + 1], &p->call[at], (p->n - at) * sizeof(*c));
	p->call[at] = *c;
	p->n++;
}

static void call_change(struct call *c, uint64_t *state)
{
	uint32_t *word[] = { &c->x, &c->y, &c->z };
	uint64_t r = random_mix(state);

	switch (r % 6) {
	case 0:
		c->a = r >> 8;
		break;
	case 1:
		c->b = r >> 8;
		break;
	case 2:
		c->thread = r >> 8;
		break;
	case 3:
		*word[(r >> 8) % 3] ^= 1u << (r >> 16) % 32;
		break;
	default:
		*word[(r >> 8) % 3] = r >> 32;
	}
}

/* Insert a sequence of calls of @other. */
static void call_splice(struct prog *p, unsigned int at, const struct prog *other,
			uint64_t *state)
{
	unsigned int from = random_mix(state) % other->n, n = 1 + random_mix(state) % 64, i;

	for (i = 0; i < n && from + i < other->n && at + i < CALLS; i++)
		call_insert(p, at + i, &other->call[from + i]);
}

/* Make a number of random changes, some of them with calls of @other. */
void prog_mutate(struct prog *p, const struct prog *other, uint64_t *state)
{
	unsigned int changes = 1 + random_mix(state) % (4 + p->n / 16), at;
	struct call c;

	while (changes--) {
		at = random_mix(state) % p->n;
		switch (random_mix(state) % 6) {
		case 0:
			c = call_random(state, THREADS);
			call_insert(p, at, &c);
			break;
		case 1:
			call_splice(p, at, other, state);
			break;
		case 2:
			if (p->n > 1)
				memmove(&p->call[at], &p->call[at + 1],
					(--p->n - at) * sizeof(c));
			break;
		case 3:
			p->call[at] = call_random(state, THREADS);
			break;
		default:
			call_change(&p->call[at], state);
		}
	}
}

void prog_print(const struct prog *p, FILE *f)
{
	unsigned int i;

	fprintf(f, "as %u %u\n", p->user, p->lock);
	for (i = 0; i < p->n; i++) {
		const struct call *c = &p->call[i];

		fprintf(f, "%u %s %u %u %x %x %x\n", c->thread % THREADS,
			ops[c->op % op_count].name, c->a, c->b, c->x, c->y, c->z);
	}
}

/* Parse a program. Return false if it is none, or has an unknown operation. */
bool prog_parse(struct prog *p, FILE *f)
{
	char line[128], name[16];
	unsigned int t, a, b;
	struct call *c;
	int op;

	memset(p, 0, sizeof(*p));
	if (fscanf(f, "as %u %u\n", &a, &b) != 2)
		return false;
	p->user = a;
	p->lock = b;
	while (p->n < CALLS && fgets(line, sizeof(line), f)) {
		c = &p->call[p->n++];
		if (sscanf(line, "%u %15s %u %u %x %x %x", &t, name, &a, &b, &c->x, &c->y,
			   &c->z) != 7)
			return false;
		op = op_find(name);
		if (op < 0)
			return false;
		c->op = op;
		c->thread = t;
		c->a = a;
		c->b = b;
	}
	return p->n > 0;
}
