/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* draw.h - a policy graph for people, and for Graphviz. */
#ifndef CHAIN_DRAW_H
#define CHAIN_DRAW_H

#include <stdio.h>
#include "graph.h"

/**
 * struct graph_rate - what an edge has carried
 * @known: false for an edge to the host: no link counts there
 * @via: how a link goes that leaves its card: "push, " or "staging, "; else empty
 * @msgs: messages; of streams elements
 * @bytes: their bytes
 * @dropped: messages that the channel's policy dropped
 * @msgs_s: messages in a second
 * @bytes_s: bytes in a second
 */
struct graph_rate {
	bool known;
	const char *via;
	uint64_t msgs, bytes, dropped;
	double msgs_s, bytes_s;
};

/* A tree of each node that no edge leads to. @rate: of each edge, or NULL. */
void graph_tree(const struct graph *g, const struct graph_rate *rate, FILE *out);

/* The graph in the language of Graphviz' dot; @name is its name. */
void graph_dot(const struct graph *g, const char *name, const struct graph_rate *rate, FILE *out);

#endif /* CHAIN_DRAW_H */
