/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* card.h - the card's side: linked, measured, and what it reaches. */
#ifndef SPLIT_CARD_H
#define SPLIT_CARD_H

#include "split.h"

/**
 * struct card_side - programs of the card, linked
 * @entry: the program that a packet enters
 * @reached: by the object's programs: on the card
 * @calls: it makes tail calls to others there
 * @words: instructions that it takes
 * @goes_on: frames go on to it, on the host
 * @total: instructions that all takes
 * @elf: the object, @len bytes
 */
struct card_side {
	int entry;
	bool *reached, *calls, *goes_on;
	unsigned int *words;
	unsigned int total;
	void *elf;
	size_t len;
};

/*
 * Link what is not the host's, with the code that goes on to the host at its ends,
 * stages from @first on. -errno with the reason in @err; to be freed in any case.
 */
int card_link(struct card_side *c, const struct split *s, unsigned int first, char *err,
	      size_t len);
void card_free(struct card_side *c);
/* It is what the card gets. */
void card_keep(struct card_side *c, struct split *s, unsigned int first);

/* Which programs one may reach by real tail calls */
void card_reach(const struct split *s, int prog, bool *reached);

#endif /* SPLIT_CARD_H */
