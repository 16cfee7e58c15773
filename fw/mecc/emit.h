/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EMIT_H
#define EMIT_H

#include "mir.h"
#include "place.h"

#define FRAME_POINTER	16	/* words that one local memory pointer reaches */
#define FRAME_WORDS	32	/* words that pointers 2 and 3 reach */
#define LM_LATENCY	3	/* instructions between the write of a pointer and its use */

enum reloc { RELOC_NONE, RELOC_LO16, RELOC_HI16 };

/* An instruction of the image, and where it comes from */
struct word {
	struct en_insn in;
	struct where at;
	uint8_t reloc;		/* the immediate is a half of the address of sym, plus addend */
	uint32_t sym;
	uint32_t addend;
};

struct image {
	struct word *w;
	unsigned int n;
	struct image_function {
		const char *name;
		unsigned int start, words;
		bool entry;
	} *fn;
	unsigned int fns;
};

void emit_function(struct image *img, const struct mfunc *f);

/*
 * slots.c. The last of @tail words at the image's end is a branch or a command, the others belong to
 * it. Move up to @max of the words before them, from word @begin on, into its defer slots.
 * Return: their number.
 */
unsigned int slots_fill(struct image *img, unsigned int begin, unsigned int tail, unsigned int max);

/* object.c, list.c */
void object_write(const struct image *img, const struct objects *objs);
void list_print(const struct image *img, const struct objects *objs);

#endif /* EMIT_H */
