/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * alloc.h - give each virtual register a bank and a number.
 *
 * alloc.c drives the steps: live.c says which registers are live at the same time, coalesce.c joins
 * registers that a move connects, bank.c chooses banks, color.c numbers, spill.c puts what is left
 * over into local memory.
 */
#ifndef ALLOC_H
#define ALLOC_H

#include "mir.h"
#include "place.h"

#define BITS_PER	64u

/**
 * struct graph - relations between the virtual registers of a function
 * @clash: both are live at some place, so they have different numbers or banks
 * @apart: both are sources of an operation, so they have different banks
 */
struct graph {
	unsigned int n;		/* registers */
	unsigned int words;	/* of a row */
	uint64_t *clash;
	uint64_t *apart;
};

static inline uint64_t *graph_row(const struct graph *g, const uint64_t *set, unsigned int v)
{
	return (uint64_t *)set + (size_t)v * g->words;
}

static inline bool bit_test(const uint64_t *set, unsigned int v)
{
	return set[v / BITS_PER] >> v % BITS_PER & 1;
}

static inline void bit_set(uint64_t *set, unsigned int v)
{
	set[v / BITS_PER] |= 1ull << v % BITS_PER;
}

static inline void bit_clear(uint64_t *set, unsigned int v)
{
	set[v / BITS_PER] &= ~(1ull << v % BITS_PER);
}

#define FOR_BITS(v, set, words) \
	for (unsigned int w_ = 0; w_ < (words); w_++) \
		for (uint64_t m_ = (set)[w_]; \
		     m_ && ((v = w_ * BITS_PER + __builtin_ctzll(m_)), 1); m_ &= m_ - 1)

void alloc_registers(struct mfunc *f, struct objects *objs);

/* live.c. live_dead() removes operations whose results nothing reads. */
void live_graph(struct mfunc *f, struct graph *g);
void live_dead(struct mfunc *f);
void graph_free(struct graph *g);

void coalesce(struct mfunc *f, struct graph *g);

/* Choose banks. Return: true if operations were added, which have banks already. */
bool bank_choose(struct mfunc *f, const struct graph *g);

/* Choose numbers. @spill: gets true for registers that have none. Return: their number. */
unsigned int color_choose(struct mfunc *f, const struct graph *g, bool *spill);

void spill_registers(struct mfunc *f, struct objects *objs, const bool *spill, unsigned int n);

#endif /* ALLOC_H */
