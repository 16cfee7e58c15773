// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* complete_kinds.c - what completion offers for arguments and values of ncl. */
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include "and.h"
#include "cmd.h"
#include "ncl_state.h"

/* A state file is STATE_DIR/PROGRAM.PLACE. One that is being written has "~" in its name. */
static char *place_of(char *name)
{
	char *dot = strrchr(name, '.');

	if (!dot || strchr(name, '~'))
		return NULL;
	*dot = 0;
	return dot + 1;
}

/* Offer the places of a program; @program is NULL: the programs */
static void offer_states(const struct completion *c, const char *program)
{
	char last[DESC_NAME] = "", *name, *place;
	glob_t g;
	size_t i;

	if (glob(STATE_DIR "/*.*", 0, NULL, &g))
		return;
	for (i = 0; i < g.gl_pathc; i++) {
		name = strrchr(g.gl_pathv[i], '/') + 1;
		place = place_of(name);
		if (place && program && !strcmp(name, program))
			complete_offer(c, 0, place, NULL);
		if (place && !program && strcmp(name, last))
			complete_offer(c, 0, name, NULL);
		snprintf(last, sizeof(last), "%s", name);
	}
	globfree(&g);
}

static void programs(const struct completion *c)
{
	offer_states(c, NULL);
}

static void labels(const struct completion *c)
{
	if (c->nargs)
		offer_states(c, c->args[0]);
}

/* The hosts of the AND file, if it is in front of the cursor */
static void hosts(const struct completion *c)
{
	const char *file = c->nargs ? c->args[c->nargs - 1] : "";
	struct and_net *net;
	unsigned int i;

	if (and_read(file, &net, NULL, 0))
		return;
	for (i = 0; i < net->nr; i++)
		if (!net->node[i].device)
			complete_offer(c, 0, net->node[i].label, NULL);
	and_free(net);
}

/* LABEL=[NETNS/]INTERFACE[:MODE]. The interfaces of another network namespace are not looked up. */
static void places(const struct completion *c)
{
	const char *equal = strchr(c->word, '='), *colon = equal ? strchr(equal, ':') : NULL;
	int i;

	for (i = 0; colon && state_modes[i]; i++)
		complete_offer(c, (size_t)(colon + 1 - c->word), state_modes[i], NULL);
	if (equal && !colon && !strchr(equal, '/'))
		complete_interfaces(c, (size_t)(equal + 1 - c->word));
}

const struct value_kind ncl_kinds[] = {
	{ "PROG.ncd", .files = ".ncd" },
	{ "NET.and", .files = ".and" },
	{ "PROG", .offer = programs },
	{ "undo LABEL", .offer = labels },
	{ "--allow", .offer = hosts },
	{ "--map", .offer = places },
	{ "SHELL", .words = "bash zsh fish" },
	{ .name = NULL },
};
