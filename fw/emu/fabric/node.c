// SPDX-License-Identifier: BSD-2-Clause
/*
 * node.c - nodes, and the links between them.
 */
#include "dma.h"

static const char * const names[] = {
	[FAB_ROOT] = "CPU", [FAB_NIC] = "NIC", [FAB_DECRYPT] = "QAT",
	[FAB_CLASSIFY] = "ML Accel.", [FAB_SWITCH] = "switch", [FAB_NOBODY] = "nobody",
};

const char *fab_node_name(uint8_t node)
{
	return node <= FAB_NOBODY ? names[node] : "?";
}

/* A receiver has finite buffers, except for completions of its own reads. */
static void limits(const struct fab_opt *o, const struct fab_node *to, struct fab_credits *c)
{
	*c = (struct fab_credits){
		.header = { [FAB_P] = o->ph, [FAB_NP] = o->nph },
		.data = { [FAB_P] = o->pd },
	};
	if (to->id == FAB_SWITCH) {
		c->header[FAB_CPL] = o->cplh;
		c->data[FAB_CPL] = o->cpld;
	}
}

static void lane_init(struct fab_lane *l, struct fab_node *from, uint8_t from_port,
		      struct fab_node *to, uint8_t to_port)
{
	*l = (struct fab_lane){
		.f = from->f, .from = from, .to = to, .from_port = from_port, .to_port = to_port,
	};
	fab_queue_init(&l->tx);
	l->answers_end = &l->answers;
	limits(&from->f->opt, to, &l->limit);
	l->left = l->limit;
	from->tx[from_port] = l;
	to->rx[to_port].lane = l;
	fab_queue_init(&to->rx[to_port].q);
}

void fab_link(struct fabric *f, uint8_t port)
{
	struct fab_node *n = &f->node[port], *sw = &f->node[FAB_SWITCH];

	lane_init(&f->lane[2 * port], n, 0, sw, port);
	lane_init(&f->lane[2 * port + 1], sw, port, n, 0);
}

static void look(void *ctx, uint64_t arg)
{
	struct fab_node *n = ctx;
	unsigned int i;

	n->look_pending = false;
	for (i = 0; i < FAB_PORTS; i++) {
		if (n->tx[i])
			fab_answers_run(n->tx[i]);
	}
	if (n->dma)
		fab_dma_run(n->dma);
	/* Begin with a different port each time, for fairness. */
	for (i = 0; i < FAB_PORTS; i++)
		fab_node_ready(n, (arg + i) % FAB_PORTS);
}

void fab_node_look(struct fab_node *n)
{
	if (n->look_pending)
		return;
	n->look_pending = true;
	fab_after(&n->f->sim, 0, look, n, n->looks++);
}
