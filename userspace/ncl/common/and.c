// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* and.c - read the AND file: hosts, devices, and links between them. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "and.h"
#include "ncp.h"
#include "tokens.h"

#define GROUP_FIRST	0xef4e4c00	/* 239.78.76.0 */
#define MULTICAST_FIRST	0xef4e8000	/* 239.78.128.0 */

/* State while reading a file. @line has the line of each node, @grouped the line of its group. */
struct reader {
	struct tokens t;
	struct and_net *net;
	unsigned int line[AND_NODES];
	unsigned int grouped[AND_NODES];
};

const struct and_node *and_node(const struct and_net *net, unsigned int id)
{
	return id && id <= net->nr ? &net->node[id - 1] : NULL;
}

const struct and_node *and_find(const struct and_net *net, const char *label)
{
	unsigned int i;

	for (i = 0; i < net->nr; i++)
		if (!strcmp(net->node[i].label, label))
			return &net->node[i];
	return NULL;
}

const struct and_multicast *and_multicast(const struct and_net *net, unsigned int id)
{
	unsigned int i;

	for (i = 0; i < net->multicasts; i++)
		if (net->multicast[i].id == id)
			return &net->multicast[i];
	return NULL;
}

static int read_address(struct reader *r, const char *text, uint32_t *ip)
{
	struct in_addr addr;

	if (inet_pton(AF_INET, text, &addr) != 1)
		return tokens_error(&r->t, EINVAL, "'%s' is no IPv4 address", text);
	*ip = addr.s_addr;
	return 0;
}

static int read_unicast(struct reader *r, const char *text, uint32_t *ip)
{
	int ret = read_address(r, text, ip);

	if (!ret && (!(ntohl(*ip) >> 24) || ntohl(*ip) >> 28 >= 0xe))
		return tokens_error(&r->t, EINVAL, "'%s' is no unicast address", text);
	return ret;
}

/* ADDRESS[:PORT] */
static int read_place(struct reader *r, struct and_node *n)
{
	char *port = strchr(r->t.token[2], ':'), *end;
	unsigned long val = NCP_PORT;

	if (port && n->device)
		return tokens_error(&r->t, EINVAL, "'%s': a device always has port %u; remove the port",
				    r->t.token[2], NCP_PORT);
	if (port) {
		*port++ = '\0';
		val = strtoul(port, &end, 10);
		if (*port < '0' || *port > '9' || *end || !val || val > UINT16_MAX)
			return tokens_error(&r->t, EINVAL, "port '%s' is no number from 1 to 65535", port);
	}
	n->port = (uint16_t)val;
	return read_unicast(r, r->t.token[2], &n->ip);
}

/* A host and a device may share an address. Two hosts may share one if their ports differ. */
static int check_address(struct reader *r, struct and_node *n)
{
	struct and_node *o, *host;
	unsigned int i;

	for (i = 0; i < r->net->nr; i++) {
		o = &r->net->node[i];
		if (o->ip != n->ip)
			continue;
		if (o->device == n->device && (n->device || o->port == n->port))
			return tokens_error(&r->t, EINVAL, "'%s' has the address%s of '%s' (line %u)",
					    n->label, n->device ? "" : " and port", o->label, r->line[i]);
		if (o->device == n->device)
			continue;
		host = n->device ? o : n;
		if (host->port != NCP_PORT)
			return tokens_error(&r->t, EINVAL, "'%s' has the address of device '%s', so "
					    "its port must be %u, not %u", host->label,
					    (n->device ? n : o)->label, NCP_PORT, host->port);
		o->behind = n->id;
		n->behind = o->id;
		r->net->linked[o->id][n->id] = true;
		r->net->linked[n->id][o->id] = true;
	}
	return 0;
}

static int read_node(struct reader *r, bool device)
{
	struct and_net *net = r->net;
	struct and_node n = { .device = device, .id = net->nr + 1 };
	const struct and_node *o;
	int ret;

	ret = tokens_name(&r->t, 1, "label", n.label, sizeof(n.label));
	if (ret)
		return ret;
	o = and_find(net, n.label);
	if (o)
		return tokens_error(&r->t, EINVAL, "label '%s' is used in line %u already", n.label,
				    r->line[o->id - 1]);
	if (net->nr == AND_NODES)
		return tokens_error(&r->t, EINVAL, "'%s' is one node too many: the limit is %u", n.label,
				    AND_NODES);
	ret = read_place(r, &n);
	if (!ret)
		ret = check_address(r, &n);
	if (ret)
		return ret;
	if (device)
		n.group = htonl(GROUP_FIRST + n.id);
	r->line[net->nr] = r->t.line;
	net->node[net->nr++] = n;
	return 0;
}

/* The node that token @i names. NULL: no such node; the error is set. */
static struct and_node *known(struct reader *r, unsigned int i)
{
	const struct and_node *o = and_find(r->net, r->t.token[i]);

	if (o)
		return &r->net->node[o->id - 1];
	tokens_error(&r->t, EINVAL, "no host or device '%s' in the lines above", r->t.token[i]);
	return NULL;
}

static int read_link(struct reader *r)
{
	struct and_node *a = known(r, 1), *b = a ? known(r, 2) : NULL;

	if (!b)
		return -EINVAL;
	if (a == b)
		return tokens_error(&r->t, EINVAL, "'%s' is linked to itself", a->label);
	r->net->linked[a->id][b->id] = true;
	r->net->linked[b->id][a->id] = true;
	return 0;
}

static int read_group(struct reader *r)
{
	struct and_node *n = known(r, 1);
	int ret;

	if (!n)
		return -EINVAL;
	if (!n->device)
		return tokens_error(&r->t, EINVAL, "'%s' is a host: only a device has a group", n->label);
	if (r->grouped[n->id - 1])
		return tokens_error(&r->t, EINVAL, "'%s' has a group already, from line %u", n->label,
				    r->grouped[n->id - 1]);
	r->grouped[n->id - 1] = r->t.line;
	ret = read_address(r, r->t.token[2], &n->group);
	if (!ret && ntohl(n->group) >> 28 != 0xe)
		return tokens_error(&r->t, EINVAL, "'%s' is no multicast address: 224.0.0.0 to "
				    "239.255.255.255", r->t.token[2]);
	return ret;
}

static int read_multicast(struct reader *r)
{
	struct and_multicast *m;
	const struct and_node *n;
	unsigned int i;
	uint64_t id;
	int ret;

	if (r->t.n < 3)
		return tokens_error(&r->t, EINVAL, "'multicast' needs a number and at least one label");
	ret = tokens_number(&r->t, 1, "group", AND_MULTICAST_MAX, &id);
	if (ret)
		return ret;
	if (!id || and_multicast(r->net, (unsigned int)id))
		return tokens_error(&r->t, EINVAL, id ? "group %s is defined twice" :
				    "'%s' is no number of a group: the first is 1", r->t.token[1]);
	if (r->net->multicasts == AND_MULTICASTS)
		return tokens_error(&r->t, EINVAL, "group %s is one too many: the limit is %u (AND_MULTICASTS)",
				    r->t.token[1], AND_MULTICASTS);
	m = &r->net->multicast[r->net->multicasts++];
	m->id = (unsigned int)id;
	m->ip = htonl(MULTICAST_FIRST + m->id);
	for (i = 2; i < r->t.n; i++) {
		n = known(r, i);
		if (!n)
			return -EINVAL;
		m->member[n->id] = true;
		m->devices |= n->device;
	}
	return 0;
}

static int read_statement(struct reader *r)
{
	const char *what = r->t.token[0];
	bool link = !strcmp(what, "link");

	if (!strcmp(what, "multicast"))
		return read_multicast(r);
	if (strcmp(what, "host") && strcmp(what, "device") && strcmp(what, "group") && !link)
		return tokens_error(&r->t, EINVAL, "unknown statement '%s': a line begins with host, "
				    "device, link, group or multicast", what);
	if (r->t.n != 3)
		return tokens_error(&r->t, EINVAL, "'%s' has %u word%s after it: %s", what, r->t.n - 1,
				    r->t.n == 2 ? "" : "s", link ? "two labels are needed" :
				    "a label and an address are needed");
	if (link)
		return read_link(r);
	if (!strcmp(what, "group"))
		return read_group(r);
	return read_node(r, !strcmp(what, "device"));
}

int and_read(const char *path, struct and_net **net, char *err, size_t errlen)
{
	struct reader r = { .net = calloc(1, sizeof(*r.net)) };
	int ret;

	ret = tokens_open(&r.t, path, NULL, err, errlen);
	if (ret) {
		free(r.net);
		return ret;
	}
	if (!r.net)
		ret = tokens_error(&r.t, ENOMEM, "%s", strerror(ENOMEM));
	while (!ret && (ret = tokens_next(&r.t)) > 0)
		ret = read_statement(&r);
	r.t.line = 0;
	if (!ret && !r.net->nr)
		ret = tokens_error(&r.t, EINVAL, "the file has no host and no device");
	tokens_close(&r.t);
	if (ret)
		free(r.net);
	else
		*net = r.net;
	return ret;
}

void and_free(struct and_net *net)
{
	free(net);
}

/*
 * Count the links from each node to @to. A host is only the first or last node of a path. 0: no
 * path.
 */
static void distances(const struct and_net *net, unsigned int to, unsigned int *dist)
{
	unsigned int queue[AND_NODES], head = 0, tail = 0, at, i;

	queue[tail++] = to;
	while (head < tail) {
		at = queue[head++];
		if (at != to && !net->node[at - 1].device)
			continue;
		for (i = 1; i <= net->nr; i++)
			if (i != to && !dist[i] && net->linked[at][i]) {
				dist[i] = dist[at] + 1;
				queue[tail++] = i;
			}
	}
}

unsigned int and_next(const struct and_net *net, unsigned int from, unsigned int to)
{
	unsigned int dist[AND_NODES + 1] = { 0 }, next = 0, i;
	const struct and_node *f = and_node(net, from);

	if (!f || !and_node(net, to) || from == to)
		return f && from == to ? to : 0;
	distances(net, to, dist);
	for (i = net->nr; i; i--) {
		bool passes = i == to || (net->node[i - 1].device && dist[i]);

		if (net->linked[from][i] && passes && (!next || dist[i] <= dist[next]))
			next = i;
	}
	if (f->device || next != f->behind)
		return next;
	/*
	 * The host at a device sends out of the device's interface, so the device's next hop
	 * counts.
	 */
	return next && next != to ? and_next(net, next, to) : 0;
}
