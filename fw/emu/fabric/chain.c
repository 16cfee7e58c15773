// SPDX-License-Identifier: BSD-2-Clause
/*
 * chain.c - the messages of a chain: their arrival from the wire, and their return to the wire.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "chain.h"

static const char * const names[] = {
	[FAB_CONVENTIONAL] = "conventional", [FAB_NATIVE] = "native", [FAB_GLUE] = "glue",
	[FAB_CARD_DRIVEN] = "card-driven", [FAB_HOP] = "hop",
	[FAB_GLUE_NIC] = "glue-nic",
};

const char *fab_mode_name(enum fab_mode mode)
{
	return mode < FAB_MODES ? names[mode] : "?";
}

static void message_start(struct fab_chain *c)
{
	struct fab_sim *sim = &c->f->sim;
	uint64_t seq = c->accepted++;
	uint8_t *data = fab_alloc(1, c->message);

	fab_seal(&c->work, seq, c->f->opt.size, data);
	c->rx(c, seq, data, fab_step(sim, FAB_WIRE, FAB_NIC, 0, 0, c->message));
	free(data);
}

/*
 * Start waiting messages, while fewer than the NIC's number of receive buffers are in the chain.
 */
static void messages_start(struct fab_chain *c)
{
	while (c->waiting && c->accepted - c->delivered < c->window) {
		c->waiting--;
		message_start(c);
	}
}

static void arrive(void *ctx, uint64_t arg)
{
	struct fab_chain *c = ctx;

	(void)arg;
	c->offered++;
	if ((c->waiting + 1) * c->message > c->f->opt.nic_kb * 1024ull) {
		c->f->n.dropped++;
		return;
	}
	c->waiting++;
	messages_start(c);
}

void fab_chain_got(void *chain, uint64_t seq, const uint8_t *data, uint32_t len,
		   uint32_t step)
{
	struct fab_chain *c = chain;
	uint8_t want[FAB_RESULT];

	if (seq != c->delivered || len != FAB_RESULT) {
		c->f->n.bad++;
		return;
	}
	fab_reference(seq, c->f->opt.size, want);
	if (!memcmp(data, want, FAB_RESULT))
		c->equal++;
	c->last_at = c->f->sim.now;
	if (!c->delivered++) {
		c->end = step;
		c->first_at = c->last_at;
	}
	messages_start(c);
}

int fab_chain_run(struct fab_chain *c, uint32_t n, fab_time period)
{
	uint32_t i;

	for (i = 0; i < n; i++)
		fab_after(&c->f->sim, i * period, arrive, c, 0);
	fab_sim_run(&c->f->sim);
	return c->delivered == c->accepted && !c->waiting ? 0 : -EDEADLK;
}

double fab_chain_rate(const struct fab_chain *c)
{
	if (c->delivered < 2)
		return 0;
	return (c->delivered - 1) * 1e12 / (c->last_at - c->first_at);
}

/* ---- creation ---- */

struct fabric *fab_new(const struct fab_opt *o)
{
	struct fabric *f = fab_alloc(1, sizeof(*f));
	unsigned int i;

	f->opt = *o;
	fab_sim_init(&f->sim);
	f->chain = fab_alloc(1, sizeof(*f->chain));
	f->chain->f = f;
	fab_work_init(&f->chain->work);
	for (i = 0; i < FAB_NODES; i++) {
		f->node[i].f = f;
		f->node[i].id = i;
	}
	for (i = 0; i < FAB_PORTS; i++)
		fab_link(f, i);
	return f;
}

static void queue_free(struct fab_queue *q)
{
	unsigned int i;

	for (i = 0; i < FAB_CLASSES; i++) {
		while (q->head[i]) {
			struct fab_tlp *t = q->head[i];

			q->head[i] = t->next;
			free(t);
		}
	}
}

void fab_free(struct fabric *f)
{
	struct fab_chain *c = f->chain;
	unsigned int i;

	for (i = 0; i < 2 * FAB_PORTS; i++) {
		queue_free(&f->lane[i].tx);
		queue_free(&f->lane[i].to->rx[f->lane[i].to_port].q);
		fab_answers_free(&f->lane[i]);
	}
	for (i = 0; i < FAB_PORTS; i++)
		fab_device_free(&c->dev[i]);
	fab_pipe_free(&c->pipe);
	fab_pipe_free(&c->root_pipe);
	fab_work_free(&c->work);
	fab_sim_free(&f->sim);
	free(c);
	free(f);
}
