// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * mecc_run.c - run the entries of an object file of mecc on the emulated microengine.
 *
 * usage: mecc_run FILE.o SEED COUNT. The output is that of host.c; a line that begins with #
 * counts instructions, and cycles as the core does. The program places EMEM objects and applies
 * relocations, as the graft tool does. The file was compiled with --exit 8191.
 *
 * usage: mecc_run FILE.o all. Context 0 begins at the first entry, context 1 at the next one, and so
 * on, as fw_graft.h has it. The output is out[] when all have ended, or have waited for alarms for
 * IDLE cycles.
 */
#include <elf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board.h"
#include "board_fw.h"
#include "fw_code.h"
#include "fw_image.h"
#include "inputs.h"
#include "me.h"

#define EXIT_AT		8191
#define BUDGET		4000000
#define IDLE		2000000000	/* cycles in which all contexts wait for an alarm */
#define EMEM_BASE	0x204a000000ull
#define EMEM_SIZE	0x100000u

struct run {
	struct fw_image obj;
	uint64_t *words;
	unsigned int count;
	const Elf64_Sym *sym;
	unsigned int syms;
	const char *names;
	struct me me;
	struct me_board card;
	uint8_t emem[EMEM_SIZE];
};

__attribute__((noreturn))
static void die(const char *what, const char *name)
{
	fprintf(stderr, "mecc_run: %s: %s\n", name, what);
	exit(1);
}

static void load_words(struct run *r, const struct fw_section *s)
{
	r->count = s->size / FW_WORD_SIZE;
	r->words = malloc(s->size + 1);
	if (!r->words)
		die("no memory", s->name);
	memcpy(r->words, s->data, s->size);
}

/* Put each section where its memory is. EMEM sections get addresses one after the other. */
static void place(struct run *r)
{
	uint32_t at = 0;

	for (unsigned int i = 0; i < r->obj.sections; i++) {
		struct fw_section *s = &r->obj.section[i];

		if (s->type == SHT_SYMTAB) {
			r->sym = (const Elf64_Sym *)s->data;
			r->syms = s->size / sizeof(*r->sym);
			r->names = (const char *)r->obj.section[s->link].data;
		} else if (s->mem == FW_MEM_CODE) {
			load_words(r, s);
		} else if (s->mem == FW_MEM_LOCAL && s->data) {
			memcpy((uint8_t *)r->me.lm + s->addr, s->data, s->size);
		} else if (s->mem == FW_MEM_MU) {
			at = (at + s->align - 1) & -s->align;
			s->addr = (EMEM_BASE & 0xffffffff) + at;
			if (s->data)
				memcpy(r->emem + at, s->data, s->size);
			at += s->size;
		}
	}
}

static void relocate_section(struct run *r, const struct fw_section *s)
{
	const Elf64_Rela *rel = (const Elf64_Rela *)s->data;

	for (; (const uint8_t *)rel < s->data + s->size; rel++) {
		const Elf64_Sym *sym = &r->sym[ELF64_R_SYM(rel->r_info)];

		if (fw_relocate(&r->words[rel->r_offset / 8], ELF64_R_TYPE(rel->r_info),
				r->obj.section[sym->st_shndx].addr + sym->st_value + rel->r_addend))
			die("unknown relocation", r->names + sym->st_name);
	}
}

static void relocate(struct run *r)
{
	for (unsigned int i = 0; i < r->obj.sections; i++)
		if (r->obj.section[i].type == SHT_RELA)
			relocate_section(r, &r->obj.section[i]);
}

static uint32_t *find(struct run *r, const char *name)
{
	for (unsigned int i = 0; i < r->syms; i++)
		if (!strcmp(r->names + r->sym[i].st_name, name))
			return &r->me.lm[r->sym[i].st_value / 4];
	die("no such symbol", name);
}

static void run(struct run *r, struct me_image *img, const Elf64_Sym *sym, uint64_t seed,
		unsigned int count)
{
	const char *name = r->names + sym->st_name;
	uint32_t *in = find(r, "in"), *out = find(r, "out");
	uint64_t x = inputs_start(seed, name), insns = 0, cycles = 0;

	for (unsigned int n = 0; n < count; n++) {
		enum me_status st;

		inputs_next(&x, in);
		me_start(&r->me, 1, img, sym->st_value / 8);
		st = me_run(&r->me, 1, BUDGET);
		insns += r->me.ctx[1].insns;
		cycles += r->me.ctx[1].insns + r->me.ctx[1].stalls;
		if (st != ME_DONE) {
			printf("%s %u: status %d at %u: %s\n", name, n, st, me_pc(&r->me.ctx[1]),
			       me_fault_text(r->me.ctx[1].fault.reason));
			exit(1);
		}
		printf("%s %u", name, n);
		for (unsigned int i = 0; i < OUT_WORDS; i++)
			printf(" %08x", out[i]);
		putchar('\n');
	}
	fprintf(stderr, "# %s: %llu words, %llu instructions and %llu cycles in %u runs\n", name,
		(unsigned long long)sym->st_size / 8, (unsigned long long)insns,
		(unsigned long long)cycles, count);
}

static bool is_entry(const Elf64_Sym *sym)
{
	return sym->st_info == ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
}

static void print_out(struct run *r)
{
	uint32_t *out = find(r, "out");

	for (unsigned int i = 0; i < OUT_WORDS; i++)
		printf("%s%x", i ? " " : "", out[i]);
	putchar('\n');
}

static void start(struct run *r, struct me_image *img)
{
	unsigned int ctx = 0, i;

	me_start_all(&r->me, img, 0xff, 0);
	r->me.ctx_enables = 0;
	for (i = 0; i < r->syms && ctx < ME_CTXS; i++) {
		if (!is_entry(&r->sym[i]))
			continue;
		me_start(&r->me, ctx, img, r->sym[i].st_value / 8);
		r->me.ctx_enables |= 0x100u << ctx++;
	}
}

/* Return: 0, or 1 if a context has faulted, waits for ever or does not wait. */
static int run_all(struct run *r, struct me_image *img)
{
	uint64_t idle = 0, n;
	enum me_status st;
	char text[256];

	start(r, img);
	while ((st = me_run_all(&r->me, BUDGET)) == ME_WAIT && idle < IDLE) {
		n = me_next_alarm(&r->me);
		if (n == UINT64_MAX) {
			puts("all wait for signals that nobody sends");
			print_out(r);
			return 1;
		}
		idle += n;
		me_idle(&r->me, n);
	}
	if (st == ME_FAULT) {
		me_fault_print(&r->me.ctx[r->me.current].fault, text, sizeof(text));
		puts(text);
	} else if (st == ME_BUDGET) {
		puts("a context does not end");
	}
	print_out(r);
	return st == ME_FAULT || st == ME_BUDGET;
}

int main(int argc, char **argv)
{
	struct run *r = calloc(1, sizeof(*r));
	struct me_image *img;
	unsigned int i, c;
	char err[200];
	bool all = argc == 3 && !strcmp(argv[2], "all");

	if ((argc != 4 && !all) || !r)
		return 2;
	r->card.b = board_create(NULL, NULL);
	if (!r->card.b || board_mem_map(r->card.b, EMEM_BASE, r->emem, EMEM_SIZE))
		die("no memory", argv[0]);
	me_init(&r->me, &me_board_ops, &r->card);
	/* Registers and memory of a card have any contents at first. */
	for (c = 0; c < ME_CTXS; c++)
		for (i = 0; i < ME_R_K; i++)
			r->me.ctx[c].reg[i] = 0xdead0000 + (c << 12) + i;
	if (me_hook(&r->me, EXIT_AT, NULL, NULL))
		return 2;
	if (fw_object_open(&r->obj, argv[1], err, sizeof(err)))
		die(err, argv[1]);
	place(r);
	relocate(r);
	img = me_image_new_mode(ME_CTX8, 0, r->words, r->count, &i);
	if (!img)
		die("refused by the microengine", argv[1]);
	if (all)
		return run_all(r, img);
	for (i = 0; i < r->syms; i++)
		if (is_entry(&r->sym[i]))
			run(r, img, &r->sym[i], strtoull(argv[2], NULL, 0), atoi(argv[3]));
	me_image_put(img);
	return 0;
}
