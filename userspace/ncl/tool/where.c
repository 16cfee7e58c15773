// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* where.c - ncl deploy: find the interface of a place, and choose its mode. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <bpf/bpf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "cmd.h"
#include "deploy.h"
#include "netns.h"

/* Find a label of the AND file. Prints a message and returns NULL if the file does not have it. */
static const struct and_node *find_node(const struct deploy *d, const char *label, const char *option)
{
	const struct and_node *n = and_find(d->net, label);

	if (!n)
		tool_fail("%s %s: no such node in %s", option, label, d->and);
	return n;
}

static int find_mode(const char *name, enum state_mode *mode)
{
	int i;

	for (i = 0; state_modes[i]; i++)
		if (!strcmp(state_modes[i], name)) {
			*mode = (enum state_mode)i;
			return 0;
		}
	tool_fail("--map: mode '%s': offload, native or generic", name);
	return EXIT_USAGE;
}

/* Parse [NETNS/]INTERFACE[:MODE]. */
static int parse_where(struct place *p, char *text)
{
	char *slash = strchr(text, '/'), *colon;

	if (slash) {
		*slash = '\0';
		p->netns = text;
		text = slash + 1;
	}
	colon = strrchr(text, ':');
	if (colon) {
		*colon = '\0';
		p->chosen = true;
		if (find_mode(colon + 1, &p->state.mode))
			return EXIT_USAGE;
	}
	if (!*text || strlen(text) >= sizeof(p->ifname)) {
		tool_fail("--map: '%s' is no name of an interface", text);
		return EXIT_USAGE;
	}
	strcpy(p->ifname, text);
	return 0;
}

static int add_place(struct deploy *d, struct place *p)
{
	unsigned int i;

	for (i = 0; i < d->places; i++)
		if (d->place[i].node == p->node) {
			tool_fail("--map: '%s' is given twice", p->label);
			return EXIT_USAGE;
		}
	if (d->places == PLACES_MAX) {
		tool_fail("--map: more than %u places", PLACES_MAX);
		return EXIT_USAGE;
	}
	d->place[d->places++] = *p;
	return 0;
}

int deploy_map(struct deploy *d, char *text)
{
	struct place p = { .old_prog = -1, .prog = -1 };
	char *eq = strchr(text, '=');

	if (!eq) {
		tool_fail("--map is '%s', not LABEL=[NETNS/]INTERFACE[:MODE]", text);
		return EXIT_USAGE;
	}
	*eq = '\0';
	p.node = find_node(d, text, "--map");
	if (!p.node)
		return EXIT_USAGE;
	p.label = p.node->label;
	if (!p.node->device || !(desc_object(d->desc, text, true) || desc_object(d->desc, text, false))) {
		tool_fail("--map: '%s' is %s", text, p.node->device ? "a device without a kernel" :
			  "a host: devices have programs");
		return EXIT_USAGE;
	}
	return parse_where(&p, eq + 1) ? EXIT_USAGE : add_place(d, &p);
}

int deploy_mac(struct deploy *d, const char *text)
{
	struct given *g = &d->given[d->givens];
	const struct and_node *n;
	char label[AND_LABEL];
	const char *eq = strchr(text, '=');
	int end = 0;

	if (!eq || eq - text >= AND_LABEL ||
	    sscanf(eq + 1, "%2hhx:%2hhx:%2hhx:%2hhx:%2hhx:%2hhx%n", &g->mac[0], &g->mac[1],
		   &g->mac[2], &g->mac[3], &g->mac[4], &g->mac[5], &end) != 6 || eq[1 + end]) {
		tool_fail("--mac is '%s', not LABEL=XX:XX:XX:XX:XX:XX", text);
		return EXIT_USAGE;
	}
	snprintf(label, sizeof(label), "%.*s", (int)(eq - text), text);
	n = find_node(d, label, "--mac");
	if (!n)
		return EXIT_USAGE;
	if (d->givens == AND_NODES) {
		tool_fail("--mac: more than %u", AND_NODES);
		return EXIT_USAGE;
	}
	g->node = n->id;
	d->givens++;
	return 0;
}

static int look_at_iface(const struct deploy *d, struct place *p)
{
	char ip[INET_ADDRSTRLEN];
	int err = iface_read(p->ifname, &p->iface);

	if (err == -EPROTOTYPE)
		return tool_fail("%s: %s is no Ethernet interface", p->label, p->ifname);
	if (err)
		return tool_fail("%s: interface %s: %s", p->label, p->ifname, strerror(-err));
	strcpy(p->ifname, p->iface.name);
	if (!p->iface.up)
		return tool_fail("%s: %s is down: ip link set dev %s up", p->label, p->ifname, p->ifname);
	inet_ntop(AF_INET, &p->node->ip, ip, sizeof(ip));
	if (!iface_has(p->ifname, p->node->ip))
		return tool_fail("%s: %s has not the address that %s says: ip address add %s/24 dev %s",
				 p->label, p->ifname, d->and, ip, p->ifname);
	return 0;
}

/*
 * Choose the mode if the user did not: offload if the interface is a card and the program has an
 * object for cards, otherwise native.
 */
static void choose_mode(const struct deploy *d, struct place *p)
{
	const struct desc_object *card = desc_object(d->desc, p->label, true);

	if (p->chosen)
		return;
	p->state.mode = STATE_NATIVE;
	if (strcmp(p->iface.driver, "nfp"))
		snprintf(p->why, sizeof(p->why), *p->iface.driver ? "driver %s" : "no driver",
			 p->iface.driver);
	else if (card && card->words)
		p->state.mode = STATE_OFFLOAD;
	else
		snprintf(p->why, sizeof(p->why), "not for a card");
}

static int find_object(const struct deploy *d, struct place *p)
{
	bool card = p->state.mode == STATE_OFFLOAD;
	const struct desc_object *o = desc_object(d->desc, p->label, card);
	const char *slash = strrchr(d->prog, '/');

	if (!o)
		return tool_fail("%s: %s has no object for %s", p->label, d->prog, card ? "a card" :
				 "XDP on this machine");
	if (*o->file == '/')
		slash = NULL;
	snprintf(p->path, sizeof(p->path), "%.*s%s", slash ? (int)(slash - d->prog + 1) : 0, d->prog,
		 o->file);
	return 0;
}

/*
 * Read the state of the program that was deployed at this place. If that program is gone, ignore
 * its state.
 */
static int look_at_old(const struct deploy *d, struct place *p)
{
	char text[256];
	int err = state_read(p->state.program, p->label, &p->old, text, sizeof(text));
	int64_t id;

	if (err)
		return err == -ENOENT ? 0 : tool_fail("%s", text);
	id = state_attached(&p->old);
	p->old_prog = bpf_prog_get_fd_by_id(p->old.prog);
	p->replaces = p->old_prog >= 0 && (id == -ESRCH || id == p->old.prog);
	if (!p->replaces)
		return 0;
	if (!d->replace)
		return tool_fail("%s is deployed at %s already: program %u on %s (%s). --replace puts this "
				 "one in its place, ncl undo %s ends it", p->old.program, p->label,
				 p->old.prog, p->old.ifname, state_modes[p->old.mode], p->old.program);
	if (id == -ESRCH)
		return tool_fail("%s is deployed at %s in a network namespace that has no name (inode %llu): "
				 "ncl undo %s there", p->old.program, p->label,
				 (unsigned long long)p->old.netns, p->old.program);
	return 0;
}

int deploy_look(struct deploy *d, struct place *p)
{
	struct state *s = &p->state;

	strcpy(s->program, d->desc->name);
	s->hash = d->desc->hash;
	strcpy(s->place, p->label);
	s->node = p->node->id;
	if (look_at_old(d, p) || place_enter(p) || look_at_iface(d, p))
		return EXIT_FAILURE;
	strcpy(s->ifname, p->ifname);
	s->ifindex = (unsigned int)p->iface.index;
	s->netns = state_netns();
	choose_mode(d, p);
	return find_object(d, p);
}
