// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* fill.c - ncl deploy: find the addresses of the nodes, and write them to the program's maps. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "cmd.h"
#include "deploy.h"
#include "ncl_abi.h"
#include "neigh.h"

/**
 * struct hops - nodes that a device sends to directly
 * @n: number of nodes
 * @node: the nodes
 * @neigh: gateway and Ethernet address of each node
 */
struct hops {
	unsigned int n;
	const struct and_node *node[AND_NODES];
	struct neigh neigh[AND_NODES];
};

/* Returns the index of @node in @h. Adds @node if it is not there. */
static unsigned int hop(struct hops *h, const struct and_node *node)
{
	unsigned int i;

	for (i = 0; i < h->n; i++)
		if (h->node[i] == node)
			return i;
	h->node[i] = node;
	h->neigh[i] = (struct neigh){ .ip = node->ip, .via = node->ip };
	h->n++;
	return i;
}

/*
 * Returns the next node on the way to node @to. NULL with @local set: the next node is the device
 * itself, or the host that it belongs to. NULL without @local: there is no way to @to.
 */
static const struct and_node *next_hop(const struct deploy *d, const struct place *p, unsigned int to,
				       bool *local)
{
	unsigned int next = and_next(d->net, p->node->id, to);

	*local = next && (next == p->node->id || next == p->node->behind);
	return *local ? NULL : and_node(d->net, next);
}

static const char *ip_text(uint32_t ip)
{
	static char text[INET_ADDRSTRLEN];

	return inet_ntop(AF_INET, &ip, text, sizeof(text));
}

static int unknown(const struct deploy *d, const struct place *p, const struct hops *h, int err)
{
	unsigned int i;

	for (i = 0; i < h->n && (h->neigh[i].known || (err != -ETIMEDOUT && !h->neigh[i].err)); i++)
		;
	if (i == h->n)
		return tool_fail("%s: neighbours of %s: %s", p->label, p->ifname, strerror(-err));
	if (err == -EHOSTUNREACH)
		return tool_fail("%s: no route to %s (%s) out of %s", p->label, h->node[i]->label,
				 ip_text(h->node[i]->ip), p->ifname);
	if (err != -ETIMEDOUT)
		return tool_fail("%s: neighbour %s (%s) on %s: %s", p->label, h->node[i]->label,
				 ip_text(h->neigh[i].via), p->ifname, strerror(h->neigh[i].err));
	tool_fail("%s: %s (%s) did not say its Ethernet address on %s within %u s: is it up? --mac %s=ADDRESS "
		  "gives it, --timeout S waits longer", p->label, h->node[i]->label,
		  ip_text(h->neigh[i].via), p->ifname, (unsigned int)d->timeout, h->node[i]->label);
	return EXIT_TIMEOUT;
}

static int resolve(const struct deploy *d, const struct place *p, struct hops *h)
{
	unsigned int i, g;
	int err;

	for (i = 0; i < h->n; i++)
		for (g = 0; g < d->givens; g++)
			if (d->given[g].node == h->node[i]->id) {
				memcpy(h->neigh[i].mac, d->given[g].mac, sizeof(h->neigh[i].mac));
				h->neigh[i].known = true;
			}
	err = neigh_resolve(p->iface.index, h->neigh, h->n, (int64_t)d->timeout * 1000);
	return err ? unknown(d, p, h, err) : 0;
}

static int put_place(const struct place *p)
{
	struct ncl_address a = { .ip = p->node->ip, .port = htons(p->node->port),
				 .group = p->node->group };
	uint32_t group = ntohl(p->node->group);

	memcpy(a.mac, p->iface.mac, sizeof(a.mac));
	/* RFC 1112: the low 23 bits of the group's IPv4 address go into its Ethernet address. */
	a.group_mac[0] = 0x01;
	a.group_mac[2] = 0x5e;
	a.group_mac[3] = group >> 16 & 0x7f;
	a.group_mac[4] = (uint8_t)(group >> 8);
	a.group_mac[5] = (uint8_t)group;
	return place_put(p, NCL_MAP_PLACE, 0, &a, sizeof(a));
}

static int put_node(const struct deploy *d, const struct place *p, struct hops *h, unsigned int id)
{
	struct ncl_address a = { .ip = 0 };
	const struct and_node *next;
	bool local;

	next = next_hop(d, p, id, &local);
	if (local) {
		a.ip = p->node->ip;
		a.port = htons(p->node->port);
		a.flags = NCL_LOCAL;
		memcpy(a.mac, p->iface.mac, sizeof(a.mac));
	} else if (next) {
		a.ip = next->ip;
		a.port = htons(next->port);
		a.group = next->group;
		memcpy(a.mac, h->neigh[hop(h, next)].mac, sizeof(a.mac));
	}
	return place_put(p, NCL_MAP_NODES, id, &a, sizeof(a));
}

int deploy_fill(const struct deploy *d, const struct place *p)
{
	static struct hops h;
	const struct and_node *next;
	unsigned int id;
	bool local;
	int ret;

	h.n = 0;
	for (id = 1; id <= d->net->nr; id++) {
		next = next_hop(d, p, id, &local);
		if (next)
			hop(&h, next);
	}
	ret = place_enter(p);
	if (!ret)
		ret = resolve(d, p, &h);
	if (!ret)
		ret = put_place(p);
	for (id = 1; id <= d->net->nr && !ret; id++)
		ret = put_node(d, p, &h, id);
	return ret;
}
