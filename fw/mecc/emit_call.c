// SPDX-License-Identifier: BSD-2-Clause
/* emit_call.c - instructions of calls and returns: arguments and results change registers. */
#include "emit_int.h"

struct move {
	struct en_opnd to, from;
};

static bool is_register(struct en_opnd o)
{
	return o.k == EN_A || o.k == EN_B;
}

static bool read_later(const struct emit *e, const struct move *m, unsigned int n, unsigned int i)
{
	for (unsigned int k = 0; k < n; k++)
		if (k != i && is_register(m[k].from) && emit_same(e, m[k].from, m[i].to))
			return true;
	return false;
}

/* Moves that take effect at once. In a circle of registers, one is kept in the scratch register. */
static void moves(struct emit *e, struct move *m, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++) {
		m[i].to = mir_register(e->f, m[i].to);
		m[i].from = mir_register(e->f, m[i].from);
	}
	while (n) {
		for (i = 0; i < n && read_later(e, m, n, i); i++)
			;
		if (i == n) {
			emit_mov(e, scratch(), m[0].to);
			for (i = 0; i < n; i++)
				if (emit_same(e, m[i].from, m[0].to))
					m[i].from = scratch();
			i = 0;
		}
		emit_mov(e, m[i].to, m[i].from);
		m[i] = m[--n];
	}
}

static void add_move(struct move *m, unsigned int *n, struct en_opnd to, struct en_opnd from)
{
	if (to.k != EN_NONE && from.k != EN_NONE)
		m[(*n)++] = (struct move){ to, from };
}

static struct en_opnd result(unsigned int word)
{
	return (struct en_opnd){ EN_A, 0, word };
}

void emit_call(struct emit *e, const struct minsn *in)
{
	const struct routine *r = &e->f->program->r[in->imm];
	struct move m[M_SRCS];
	unsigned int n = 0, i, at;

	for (i = 0; i < CALL_WORDS; i++)
		add_move(m, &n, r->param[i], in->s[i]);
	moves(e, m, n);
	at = e->img->n;
	if (r->ra.k != EN_NONE)
		emit_put(e, (struct en_insn){ .class = EN_IMMED, .d = r->ra });
	emit_put(e, (struct en_insn){ .class = EN_BR, .op = EN_ALWAYS, .imm = r->start });
	if (r->ra.k != EN_NONE)
		e->img->w[at].in.imm = e->img->n;
	e->begin = e->img->n;
	n = 0;
	add_move(m, &n, in->d, result(0));
	add_move(m, &n, in->d1, result(1));
	moves(e, m, n);
	emit_frame_pointers(e);
}

void emit_return(struct emit *e, const struct minsn *in)
{
	struct move m[2];
	unsigned int n = 0;

	if (!e->f->self->entry) {
		add_move(m, &n, result(0), in->s[0]);
		add_move(m, &n, result(1), in->s[1]);
		moves(e, m, n);
		emit_put(e, (struct en_insn){ .class = EN_RTN, .b = in->s[2] });
		return;
	}
	if (options.exit_at >= 0)
		emit_put(e, (struct en_insn){ .class = EN_BR, .op = EN_ALWAYS, .imm = options.exit_at });
	else
		emit_put(e, (struct en_insn){ .class = EN_ARB });
}
