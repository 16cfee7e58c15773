// SPDX-License-Identifier: BSD-2-Clause
/*
 * me_image.c - programs: check, decode, link.
 *
 * me_image.insn has the n decoded words first, then an ME_OP_OUTSIDE that is executed after the
 * last word. The linker appends, as branches need them: an ME_OP_OUTSIDE for each target outside
 * of the image, and for each branch with defer slots a copy of the slots.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fw_code.h"
#include "me_int.h"

#define INSN_BITS	45
#define INSN_MASK	((1ULL << INSN_BITS) - 1)
#define SLOTS_MAX	3

struct linker {
	struct me_image *img;
	unsigned int used;		/* entries of img->insn in use */
	uint32_t outside[ME_USTORE];	/* index of the ME_OP_OUTSIDE of a code address, or 0 */
};

static struct me_insn *append(struct linker *l, const struct me_insn *in)
{
	struct me_insn *to = &l->img->insn[l->used++];

	*to = *in;
	return to;
}

static uint32_t resolve(struct linker *l, unsigned int addr)
{
	struct me_image *img = l->img;

	if (addr >= img->start && addr - img->start < img->n)
		return addr - img->start;
	if (!l->outside[addr]) {
		l->outside[addr] = l->used;
		append(l, &(struct me_insn){ .op = ME_OP_OUTSIDE, .pc = addr, .imm = addr });
	}
	return l->outside[addr];
}

/* Return: true if the instruction may be in a defer slot: it must not branch or swap. */
static bool slot_ok(const struct me_insn *in)
{
	if (in->op == ME_OP_CMD || in->op == ME_OP_BUS)
		return (in->d1 & ME_CMD_CTX) == ME_CMD_NO_SWAP;
	return in->op <= ME_OP_CSR_WR;
}

static void copy_slots(struct linker *l, unsigned int i, unsigned int n)
{
	struct me_image *img = l->img;

	while (n--) {
		struct me_insn *in = append(l, &img->insn[++i]);

		/*
		 * The slots run off the end of the program: the copied entry is its
		 * ME_OP_OUTSIDE.
		 */
		if (i == img->n)
			return;
		if (slot_ok(in) || in->op == ME_OP_FAULT)
			continue;
		*in = (struct me_insn){ .op = ME_OP_FAULT, .x = ME_FAULT_SLOT, .pc = in->pc };
	}
}

static void link_branch(struct linker *l, unsigned int i)
{
	struct me_insn *in = &l->img->insn[i], jump = { .op = ME_OP_JUMP, .pc = in->pc };
	uint32_t at;

	if (in->op == ME_OP_RTN)
		jump.op = ME_OP_RTN_GO;
	else
		jump.imm = resolve(l, in->d1);
	in->imm = jump.imm;
	if (!in->x)
		return;
	at = l->used;
	copy_slots(l, i, in->x);
	append(l, &jump);
	in->imm = at;
}

/* Link ctx_arb with slots, a target, or both. */
static void link_arb(struct linker *l, unsigned int i)
{
	struct me_insn *in = &l->img->insn[i], fire = *in;
	unsigned int n = in->act, next = i + 1 + n > l->img->n ? l->img->n : i + 1 + n;

	in->imm = in->y & ME_ARB_BR ? resolve(l, in->d1) : next;
	if (!n)
		return;
	fire.op = ME_OP_ARB_FIRE;
	fire.imm = in->imm;
	in->imm = l->used;
	copy_slots(l, i, n);
	append(l, &fire);
}

/* The address of the command is kept before its slots run. The command is executed after them. */
static void link_cmd(struct linker *l, unsigned int i)
{
	struct me_insn *in = &l->img->insn[i], fire = *in;
	unsigned int n = in->d1 & ME_CMD_CTX;

	in->imm = l->used;
	copy_slots(l, i, n);
	fire.op = in->op == ME_OP_CMD_DEFER ? ME_OP_CMD_FIRE : ME_OP_BUS_FIRE;
	append(l, &fire);
	/* x = 1: the entry before it is no word of the program, and is not counted */
	append(l, &(struct me_insn){ .op = ME_OP_JUMP, .x = 1, .pc = in->pc,
				     .imm = i + 1 + n > l->img->n ? l->img->n : i + 1 + n });
}

static int link_image(struct me_image *img)
{
	struct linker *l = calloc(1, sizeof(*l));
	unsigned int i;

	if (!l)
		return -ENOMEM;
	l->img = img;
	l->used = img->n;
	append(l, &(struct me_insn){ .op = ME_OP_OUTSIDE, .imm = img->start + img->n });
	for (i = 0; i < img->n; i++) {
		if (me_is_branch(img->insn[i].op))
			link_branch(l, i);
		else if (img->insn[i].op == ME_OP_CMD_DEFER ||
			 img->insn[i].op == ME_OP_BUS_DEFER)
			link_cmd(l, i);
		else if (img->insn[i].op == ME_OP_ARB_BR || img->insn[i].op == ME_OP_ARB_DEFER)
			link_arb(l, i);
	}
	free(l);
	return 0;
}

static int check(unsigned int start, const uint64_t *words, unsigned int n, unsigned int *bad)
{
	unsigned int i;

	if (!n || n > ME_USTORE || start > ME_USTORE - n)
		return EINVAL;
	for (i = 0; i < n; i++) {
		if (fw_ecc(words[i]) == words[i])
			continue;
		if (bad)
			*bad = i;
		return EBADMSG;
	}
	return 0;
}

struct me_image *me_image_new_mode(enum me_mode mode, unsigned int start, const uint64_t *words,
				   unsigned int n, unsigned int *bad)
{
	struct me_image *img;
	unsigned int i;
	int err = check(start, words, n, bad);

	if (err) {
		errno = err;
		return NULL;
	}
	/*
	 * Entries for each word, at most: the word, a target outside, its slots, a command and a
	 * jump.
	 */
	img = calloc(1, sizeof(*img) + (n * (SLOTS_MAX + 4ul) + 1) * sizeof(img->insn[0]));
	if (!img)
		return NULL;
	img->refs = 1;
	img->mode = mode;
	img->start = start;
	img->n = n;
	img->word = malloc(n * sizeof(img->word[0]));
	if (!img->word)
		goto fail;
	for (i = 0; i < n; i++) {
		img->word[i] = words[i] & INSN_MASK;
		img->insn[i].pc = start + i;
		me_decode(img->word[i], mode, &img->insn[i]);
	}
	if (!link_image(img))
		return img;
fail:
	me_image_put(img);
	errno = ENOMEM;
	return NULL;
}

struct me_image *me_image_new(unsigned int start, const uint64_t *words,
			      unsigned int n, unsigned int *bad)
{
	return me_image_new_mode(ME_BPF, start, words, n, bad);
}

struct me_image *me_image_get(struct me_image *img)
{
	img->refs++;
	return img;
}

void me_image_put(struct me_image *img)
{
	if (!img || --img->refs)
		return;
	free(img->word);
	free(img);
}
