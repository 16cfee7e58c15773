/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* linking.h - the options of commands that link programs. */
#ifndef NFPCHAN_LINKING_H
#define NFPCHAN_LINKING_H

#include <nfpchan_xdp.h>
#include "../tool.h"

/**
 * struct linking - the options
 * @entry: --entry
 * @slots: --slot, as given
 * @words: --words
 * @firmware: --firmware, or NULL
 * @loop: --loop
 * @native: --native
 */
struct linking {
	const char *entry;
	struct tool_texts slots;
	uint64_t words;
	const char *firmware;
	bool loop, native;
};

/* Entries of a command's table of options */
#define LINKING_OPTS(l) \
	{ "entry", 'e', .text = &(l)->entry }, \
	{ "slot", 'S', .texts = &(l)->slots }, \
	{ "loop", 'l', .flag = &(l)->loop }, \
	{ "firmware", 'F', .text = &(l)->firmware }, \
	{ "words", 'w', .number = &(l)->words, .min = 1, .max = WORDS_MOST }

/* Prepare @l for a command line of @argc words; and free it. */
void linking_begin(struct linking *l, int argc);
void linking_end(struct linking *l);
/* Was --entry, --slot, --words, --firmware or --loop given? */
bool linking_given(const struct linking *l);

/*
 * Link objects. Returns 0, or the exit status with the reason printed. The caller frees @image
 * by nfpchan_xdp_image_free().
 */
int linking_run(const struct linking *l, const char *const *objects, unsigned int count,
		struct nfpchan_xdp_image *image);

/**
 * struct slot_list - the values of --slot
 * @slot: the slots, whose names point into @text
 * @count: number of slots
 * @text: copies of the values, in which NULs end the names
 */
struct slot_list {
	struct nfpchan_xdp_slot *slot;
	unsigned int count;
	char **text;
};

/* Returns 0, or the exit status with the reason printed. Call slots_free() in both cases. */
int slots_parse(const struct tool_texts *texts, struct slot_list *list);
void slots_free(struct slot_list *list);

#endif /* NFPCHAN_LINKING_H */
