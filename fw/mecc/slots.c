// SPDX-License-Identifier: BSD-2-Clause
/*
 * slots.c - move instructions into the defer slots of a branch or of a command that swaps.
 *
 * The words after such an instruction are executed before it takes effect. Only words of the same
 * block that depend on no word before them are moved, so flags, previous results and waits for
 * local memory pointers stay as they are.
 */
#include "emit.h"

#define LOOK_BACK	12	/* words */

/* Does the word take nothing from the word before it? */
static bool is_free(const struct word *w)
{
	switch (w->in.class) {
	case EN_ALU:
		return w->in.op != EN_ADDC && w->in.op != EN_SUBC;
	case EN_SHF:
		return w->in.n != EN_IND && w->in.op != EN_SHF_ASR;
	case EN_LDF:
	case EN_IMMED:
	case EN_IMMED_W1:
		return true;
	default:
		return false;
	}
}

static bool same(struct en_opnd a, struct en_opnd b)
{
	return a.k == b.k && a.n == b.n && a.p == b.p && a.k != EN_NONE && a.k != EN_IMM;
}

/* Some instructions also read their destination. */
static bool touches(const struct en_insn *in, struct en_opnd o)
{
	return same(in->d, o) || same(in->a, o) || same(in->b, o);
}

static bool uses(const struct en_insn *in, enum en_kind k)
{
	return in->d.k == k || in->a.k == k || in->b.k == k;
}

static bool depend(const struct en_insn *a, const struct en_insn *b)
{
	return touches(b, a->d) || touches(a, b->d);
}

/* May word @i be executed after all words up to @end that are not in the mask @moved? */
static bool may_move(const struct word *w, unsigned int i, unsigned int end, uint32_t moved)
{
	const struct en_insn *last = &w[end - 1].in;

	/* When a command reads or writes its transfer registers is not known. */
	if (last->class == EN_CMD && uses(&w[i].in, EN_XFER))
		return false;
	for (unsigned int j = i + 1; j < end; j++)
		if (!(moved >> (end - j) & 1) && depend(&w[i].in, &w[j].in))
			return false;
	return true;
}

/* Return: the words that are moved, bit n for the n-th last. */
static uint32_t choose(const struct word *w, unsigned int begin, unsigned int end,
		       unsigned int tail, unsigned int max)
{
	uint32_t moved = 0;
	unsigned int i, n = 0;

	for (i = end - tail; i < end; i++)
		if (uses(&w[i].in, EN_LM))
			return 0;
	for (i = end - tail; i-- > begin && n < max && end - i < LOOK_BACK;) {
		const struct word *before = i > begin ? &w[i - 1] : NULL;

		/* The value of a local CSR goes to the next word, and a branch may skip it. */
		if (!is_free(&w[i]) || (before && (before->in.class == EN_CSR_RD ||
						   before->in.class == EN_BR)))
			break;
		if (may_move(w, i, end, moved)) {
			moved |= 1u << (end - i);
			n++;
		} else if (uses(&w[i].in, EN_LM)) {
			break;	/* It would be executed earlier than its pointer allows. */
		}
	}
	return moved;
}

unsigned int slots_fill(struct image *img, unsigned int begin, unsigned int tail, unsigned int max)
{
	unsigned int end = img->n, to = begin, n = 0, i;
	uint32_t moved = choose(img->w, begin, end, tail, max);
	struct word slot[3];

	if (end - begin > LOOK_BACK)
		to = end - LOOK_BACK;
	for (i = to; i < end; i++) {
		if (moved >> (end - i) & 1)
			slot[n++] = img->w[i];
		else
			img->w[to++] = img->w[i];
	}
	img->w[to - 1].in.slots = n;
	for (i = 0; i < n; i++)
		img->w[to + i] = slot[i];
	return n;
}
