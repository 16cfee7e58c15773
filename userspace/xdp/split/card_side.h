/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* card_side.h - the card's side of a split: the linked object, its size, the programs in it */
#ifndef SPLIT_CARD_H
#define SPLIT_CARD_H

#include "split.h"

/**
 * struct card_side - the linked programs of the card
 * @entry: the program at which a packet enters
 * @reached: for each program of the object, whether it is on the card
 * @calls: whether it makes tail calls to other programs on the card
 * @words: microengine instructions that it takes
 * @goes_on: whether packets from the card continue at it, on the host
 * @total: microengine instructions of all programs
 * @elf: the object; @len: its size in bytes
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
 * Link the programs of the card. A tail call to a program of the host becomes code that passes the
 * packet to the host, marked with a slot (carrier.h). Each program of the host gets one slot, from
 * @first on. Return 0, or -errno with the message in @err. The caller must call card_free() also
 * after an error.
 */
int card_link(struct card_side *c, const struct split *s, unsigned int first, char *err,
	      size_t len);
void card_free(struct card_side *c);
/* Make the linked object the card's part of the plan @s. */
void card_keep(struct card_side *c, struct split *s, unsigned int first);

/* Set @reached for the programs that @prog can reach by tail calls on the host. */
void card_reach(const struct split *s, int prog, bool *reached);

#endif /* SPLIT_CARD_H */
