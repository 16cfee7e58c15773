/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* draw.h - draw a policy graph as text and in the language of Graphviz. */
#ifndef GRAPH_DRAW_H
#define GRAPH_DRAW_H

#include <stdio.h>
#include "graph.h"

/**
 * struct graph_rate - what an edge has carried
 * @known: false for an edge to the host, where no link counts
 * @via: the path of a link between two cards: "push, " or "staging, "; else empty
 * @msgs: messages; elements of a stream
 * @bytes: bytes of @msgs
 * @dropped: messages that were dropped by the channel's policy
 * @msgs_s: messages per second
 * @bytes_s: bytes per second
 */
struct graph_rate {
	bool known;
	const char *via;
	uint64_t msgs, bytes, dropped;
	double msgs_s, bytes_s;
};

/* Draw a tree from each node that no edge leads to. @rate: one for each edge, or NULL. */
void graph_tree(const struct graph *g, const struct graph_rate *rate, FILE *out);

/* Write the graph in the language of Graphviz' dot. @name is the name of the graph. */
void graph_dot(const struct graph *g, const char *name, const struct graph_rate *rate, FILE *out);

#endif /* GRAPH_DRAW_H */
