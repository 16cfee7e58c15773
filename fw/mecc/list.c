// SPDX-License-Identifier: BSD-2-Clause
/* list.c - print the instructions with their source lines, and the size of each function. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emit.h"
#include "fw_code.h"

struct source {
	const char *file;
	char **line;
	unsigned int lines;
};

static void read_source(struct source *s, const char *file)
{
	FILE *f = fopen(file, "r");
	char *line = NULL;
	size_t size = 0;

	*s = (struct source){ .file = file };
	while (f && getline(&line, &size, f) >= 0) {
		line[strcspn(line, "\n")] = 0;
		s->line = room(s->line, s->lines, sizeof(*s->line));
		s->line[s->lines++] = text("%s", line);
	}
	free(line);
	if (f)
		fclose(f);
}

static void print_line(struct source *s, struct where at)
{
	if (!at.file || !at.line)
		return;
	if (!s->file || strcmp(s->file, at.file))
		read_source(s, at.file);
	printf("%s:%u:%s%s\n", at.file, at.line, at.line <= s->lines ? "\t" : "",
	       at.line <= s->lines ? s->line[at.line - 1] : "");
}

static void print_word(const struct image *img, const struct objects *objs, unsigned int i)
{
	const struct word *w = &img->w[i];
	char buf[128];

	encode_text(&w->in, buf, sizeof(buf));
	printf("%6u  %012llx  %s", i, (unsigned long long)fw_ecc(encode(&w->in)), buf);
	if (w->reloc)
		printf("  ; %s of %s + %u", w->reloc == RELOC_LO16 ? "low half" : "high half",
		       objs->o[w->sym].name, w->addend);
	putchar('\n');
}

void list_print(const struct image *img, const struct objects *objs)
{
	struct source src = { 0 };
	unsigned int i, f;

	for (f = 0; f < img->fns; f++) {
		const struct image_function *fn = &img->fn[f];
		struct where last = { NULL, 0 };

		printf("%s: %u words\n", fn->name, fn->words);
		for (i = fn->start; i < fn->start + fn->words; i++) {
			struct where at = img->w[i].at;

			if (at.line != last.line || at.file != last.file)
				print_line(&src, at);
			last = at;
			print_word(img, objs, i);
		}
	}
	printf("code: %u of %u words\n", img->n, STORE_WORDS);
	printf("local memory: %u of %u bytes\n", objs->lm, LM_BYTES);
}
