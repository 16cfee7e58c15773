// SPDX-License-Identifier: BSD-2-Clause
/*
 * switch.c - a PCIe switch. It forwards completions to the requester, and requests as a program
 * or (in a plain switch) the address says. It refuses all other requests.
 */
#include <stdlib.h>

#include "pipe.h"

uint8_t fab_port_of(uint64_t addr)
{
	uint64_t node = addr / FAB_BAR_SIZE;

	return node >= FAB_NIC && node < FAB_PORTS ? node : FAB_ROOT;
}

static bool switch_may(struct fab_node *n, uint8_t port, const struct fab_tlp *t)
{
	struct fab_pipe *p = n->unit;
	const struct fab_entry *e;

	if (t->cls == FAB_CPL)
		return fab_lane_room(n->tx[t->requester], FAB_CPL);
	e = fab_pipe_match(p, port, t);
	if (e)
		return fab_pipe_may(p, e, t);
	if (p->plain)
		return fab_lane_room(n->tx[fab_port_of(t->addr)], t->cls);
	return t->cls == FAB_P || fab_answer_room(n->tx[port]);
}

/* Drop the request. Answer a read as refused, so that the requester does not wait. */
static void deny(struct fab_node *n, uint8_t port, struct fab_tlp *t)
{
	n->f->n.denied++;
	n->f->n.denied_bytes += t->len;
	if (t->cls == FAB_NP)
		fab_answer_refuse(n->tx[port], t, t->step);
	free(t);
}

static void switch_take(struct fab_node *n, uint8_t port, struct fab_tlp *t)
{
	struct fab_pipe *p = n->unit;
	struct fab_entry *e;

	if (t->cls == FAB_CPL) {
		fab_lane_put(n->tx[t->requester], t);
		return;
	}
	e = fab_pipe_match(p, port, t);
	if (!e && !p->plain)
		deny(n, port, t);
	else if (!e)
		fab_lane_put(n->tx[fab_port_of(t->addr)], t);
	else if (!fab_pipe_run(p, e, t))
		free(t);
}

void fab_switch_init(struct fab_node *n, struct fab_pipe *p)
{
	const struct fab_opt *o = &n->f->opt;

	p->n = n;
	n->unit = p;
	n->may = switch_may;
	n->take = switch_take;
	n->latency = (o->switch_ns + (p->plain ? 0 : o->pipeline_ns)) * FAB_NS;
}
