// SPDX-License-Identifier: BSD-2-Clause
/* mes.c - microengines that run code of a firmware file. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>

#include "board_fw.h"
#include "bytes.h"
#include "fw_code.h"
#include "fw_graft.h"
#include "fw_workers.h"
#include "me.h"
#include "mes.h"
#include "nffw.h"

#define SLICE		2000	/* instructions until the other units run again */

/**
 * struct bd_me - a microengine
 * @next: the next one, or NULL
 * @start: time at which it began, ns
 * @faulted: a context has executed what no microengine could; none runs any more
 */
struct bd_me {
	struct bd_me *next;
	struct me core;
	struct me_board bus;
	uint64_t start;
	bool faulted;
};

/* The driver unloads the file at its end, and then nobody can ask for the counts any more. */
static void log_counts(const struct bd_me *m)
{
	unsigned int i;

	for (i = 0; i < ME_CTXS; i++) {
		const struct me_ctx *c = &m->core.ctx[i];

		if (c->img)
			board_log(LOG_INFO, "i%u.me%u.%u has executed %" PRIu64 " instructions, %" PRIu64
				  " commands, %" PRIu64 " swaps", m->core.island, m->core.number, i,
				  c->insns, c->commands, c->swaps);
	}
}

void bd_mes_exit(struct board *b)
{
	struct bd_me *m;

	while ((m = b->mes->first)) {
		b->mes->first = m->next;
		log_counts(m);
		me_exit(&m->core);
		free(m);
	}
}

/* Copy the local memory that the file has for a microengine. Words are in little endian. */
static void load_local(struct me *core, const struct fw_image *img)
{
	unsigned int i;
	uint64_t at;

	for (i = 0; i < img->sections; i++) {
		const struct fw_section *s = &img->section[i];

		if (s->mem != FW_MEM_LOCAL || s->island != core->island || s->me != core->number ||
		    !s->data || s->addr % 4)
			continue;
		for (at = 0; at + 4 <= s->size && (s->addr + at) / 4 < ME_LM_WORDS; at += 4)
			core->lm[(s->addr + at) / 4] = fw_get32(s->data + at);
	}
}

static struct me_image *load_code(const struct fw_section *text, bool four)
{
	unsigned int n = (unsigned int)(text->size / FW_WORD_SIZE), i;
	uint64_t *words = calloc(n + 1, sizeof(*words));
	struct me_image *img = NULL;

	for (i = 0; words && i < n; i++)
		words[i] = bd_get64(text->data + FW_WORD_SIZE * i);
	if (words)
		img = me_image_new_mode(four ? ME_CTX4 : ME_CTX8, 0, words, n, NULL);
	free(words);
	return img;
}

static int start(struct board *b, unsigned int island, unsigned int me)
{
	const struct fw_image *img = &b->nffw->image;
	const struct fw_section *text = fw_image_code(img, island, me);
	struct me_image *code;
	struct fw_contexts c;
	struct bd_me *m;
	unsigned int i;

	if (!text || fw_contexts(img, island, me, &c))
		return -EINVAL;
	code = load_code(text, c.four);
	m = calloc(1, sizeof(*m));
	if (!code || !m) {
		me_image_put(code);
		free(m);
		return -ENOMEM;
	}
	m->bus.b = b;
	me_init(&m->core, &me_board_ops, &m->bus);
	m->start = board_now_ns(b);
	m->core.island = island;
	m->core.number = me;
	load_local(&m->core, img);
	me_start_all(&m->core, code, c.mask, 0);
	for (i = 0; i < FW_CONTEXTS; i++)
		if (m->core.ctx[i].img)
			me_start(&m->core, i, code, c.pc[i]);
	me_image_put(code);
	m->next = b->mes->first;
	b->mes->first = m;
	return 0;
}

void bd_mes_start(struct board *b)
{
	unsigned int i, island, me;

	bd_mes_exit(b);
	for (i = 0; fw_grafted(&b->nffw->image, i, &island, &me); i++)
		if (start(b, island, me))
			board_log(LOG_ERR, "i%u.me%u: its code cannot be started", island, me);
}

static void report(struct bd_me *m)
{
	char text[200];

	m->faulted = true;
	me_fault_print(&m->core.ctx[m->core.current].fault, text, sizeof(text));
	board_log(LOG_ERR, "i%u.me%u stops: %s", m->core.island, m->core.number, text);
}

/* ---- time ---- */

/*
 * The clock of a microengine counts the cycles of its instructions. They take longer here than on a
 * card, so the clock falls behind. When all contexts wait, cycles pass up to what the clock of a card
 * would be.
 */
static uint64_t card_cycles(const struct board *b, const struct bd_me *m)
{
	return (board_now_ns(b) - m->start) * bd_firmware(b)->vnic.me_mhz / 1000;
}

/* Let cycles pass, up to the next alarm. Return: true if an alarm has come. */
static bool idle(const struct board *b, struct bd_me *m)
{
	uint64_t cycles = card_cycles(b, m), alarm = me_next_alarm(&m->core);

	if (cycles <= m->core.clock)
		return false;
	cycles -= m->core.clock;
	me_idle(&m->core, alarm < cycles ? alarm : cycles);
	return alarm <= cycles;
}

uint64_t bd_mes_deadline(const struct board *b)
{
	const uint32_t mhz = bd_firmware(b)->vnic.me_mhz;
	uint64_t at = BD_NEVER, alarm, ns;
	const struct bd_me *m;

	for (m = b->mes->first; m; m = m->next) {
		alarm = me_next_alarm(&m->core);
		if (m->faulted || alarm == UINT64_MAX)
			continue;
		ns = m->start + (m->core.clock + alarm) * 1000 / mhz + 1;
		at = ns < at ? ns : at;
	}
	return at;
}

/* ---- commands of other units ---- */

static struct bd_me *find(const struct board *b, unsigned int island, unsigned int me)
{
	struct bd_me *m = b->mes->first;

	while (m && (m->core.island != island || m->core.number != me))
		m = m->next;
	return m;
}

bool board_me_runs(const struct board *b, unsigned int island, unsigned int me)
{
	return find(b, island, me);
}

int board_me_push(struct board *b, unsigned int island, unsigned int me, unsigned int ctx,
		  unsigned int xfer, const uint32_t *words, unsigned int n, unsigned int sig)
{
	struct bd_me *m = find(b, island, me);
	uint32_t *to;

	if (!m || ctx >= ME_CTXS || !m->core.ctx[ctx].img)
		return -ENOENT;
	if (xfer > ME_XFERS || n > ME_XFERS || sig >= 16)
		return -EINVAL;

	const struct me_cmd cmd = { .me = &m->core, .ctx = ctx, .sig_ctx = ctx, .xfer = xfer,
				    .signals = 1 << sig };

	to = me_cmd_push(&cmd, n);
	if (!to)
		return -EINVAL;
	memcpy(to, words, n * sizeof(*words));
	me_cmd_done(&cmd);
	return 0;
}

/* ---- running ---- */

/* Return: true if the microengine goes on, or has executed something that others may act on. */
static bool run(const struct board *b, struct bd_me *m)
{
	uint64_t before = m->core.clock;

	switch (me_run_all(&m->core, SLICE)) {
	case ME_FAULT:
		report(m);
		return false;
	case ME_BUDGET:
		return true;
	case ME_WAIT:
		return m->core.clock != before || idle(b, m);
	default:
		return false;
	}
}

bool bd_mes_run(struct board *b)
{
	bool more = false;
	struct bd_me *m;

	for (m = b->mes->first; m; m = m->next)
		more |= !m->faulted && run(b, m);
	return more;
}

static void context_stats(FILE *f, const struct me_ctx *c, const char *sep)
{
	fprintf(f, "%s\n\t\t\t{\"instructions\": %" PRIu64 ", \"commands\": %" PRIu64 ", \"swaps\": %" PRIu64
		", \"pc\": %u, \"ended\": %s}", sep, c->insns, c->commands, c->swaps, me_pc(c),
		c->ended ? "true" : "false");
}

void bd_mes_stats(const struct board *b, FILE *f)
{
	const struct bd_me *m;
	unsigned int i;

	fputs("\t\"microengines\": [", f);
	for (m = b->mes->first; m; m = m->next) {
		const char *sep = "";

		fprintf(f, "%s\n\t\t{\"island\": %u, \"me\": %u, \"cycles\": %" PRIu64
			", \"fault\": %s, \"contexts\": [", m == b->mes->first ? "" : ",",
			m->core.island, m->core.number, m->core.clock, m->faulted ? "true" : "false");
		for (i = 0; i < ME_CTXS; i++) {
			if (!m->core.ctx[i].img)
				continue;
			context_stats(f, &m->core.ctx[i], sep);
			sep = ",";
		}
		fputs("]}", f);
	}
	fputs("],\n", f);
}
