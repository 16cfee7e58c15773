// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * me_vendor.c - the code of a firmware file of the vendor.
 *
 * usage: me_vendor init FILE. Run the initialisation code on the emulated microengines. Print
 * "SECTION done", or why not, for each section .init; and "ring NUMBER ADDRESS BYTES WORDS" for each
 * ring that is set up then, with the words in it.
 *
 * usage: me_vendor words FILE 4|8. Print the instructions of the microengines that run in four or in
 * eight contexts, in hexadecimal without ECC, one a line.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board.h"
#include "board_fw.h"
#include "fw_image.h"
#include "fw_workers.h"
#include "me.h"

#define BUDGET	100000
#define RINGS	1024
#define INSN	((UINT64_C(1) << 45) - 1)	/* without ECC */

static void run(struct board *b, const struct fw_image *img, const struct fw_section *s)
{
	struct me_board bus = { .b = b };
	unsigned int n = (unsigned int)(s->size / FW_WORD_SIZE);
	uint64_t *words = calloc(n + 1, sizeof(*words));
	struct me *me = calloc(1, sizeof(*me));
	struct fw_contexts c;
	struct me_image *code;
	char text[300];

	if (!words || !me || fw_contexts(img, s->island, s->me, &c))
		exit(1);
	for (unsigned int i = 0; i < n; i++)
		words[i] = fw_get64(s->data + FW_WORD_SIZE * i);
	code = me_image_new_mode(c.four ? ME_CTX4 : ME_CTX8, 0, words, n, NULL);
	if (!code)
		exit(1);
	me_init(me, &me_board_ops, &bus);
	me->island = s->island;
	me->number = s->me;
	me_start_all(me, code, c.mask, 0);
	if (me_run_all(me, BUDGET) == ME_DONE) {
		printf("%s done\n", s->name);
	} else {
		me_fault_print(&me->ctx[me->current].fault, text, sizeof(text));
		printf("%s at %u: %s\n", s->name, me_pc(&me->ctx[me->current]), text);
	}
	me_image_put(code);
	me_exit(me);
	free(me);
	free(words);
}

static void init(const struct fw_image *img)
{
	struct board *b = board_create(NULL, NULL);
	uint32_t w[4];

	if (!b)
		exit(1);
	for (unsigned int i = 0; i < img->sections; i++)
		if (!strncmp(img->section[i].name, ".init.", 6))
			run(b, img, &img->section[i]);
	for (unsigned int ring = 0; ring < RINGS; ring++) {
		uint32_t bytes;

		if (board_ring_desc(b, ring, w))
			continue;
		bytes = 2048u << (w[0] >> 28);
		printf("ring %u %u %u %u\n", ring, w[1] & ~(bytes - 1), bytes, w[2] & 0xffffff);
	}
	board_destroy(b);
}

static void words(const struct fw_image *img, bool four)
{
	for (unsigned int i = 0; i < img->sections; i++) {
		const struct fw_section *s = &img->section[i];
		struct fw_contexts c;

		if (s->mem != FW_MEM_CODE || fw_contexts(img, s->island, s->me, &c) || c.four != four)
			continue;
		for (uint64_t at = 0; at < s->size; at += FW_WORD_SIZE)
			printf("%" PRIx64 "\n", fw_get64(s->data + at) & INSN);
	}
}

int main(int argc, char **argv)
{
	struct fw_image img;
	char err[200];

	if (argc < 3 || argc != 3 + !strcmp(argv[1], "words"))
		return 2;
	if (fw_image_open(&img, argv[2], err, sizeof(err))) {
		fprintf(stderr, "%s: %s\n", argv[2], err);
		return 1;
	}
	if (argc == 3)
		init(&img);
	else
		words(&img, *argv[3] == '4');
	fw_image_close(&img);
	return 0;
}
