/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* parse.h - shared by the files that read a policy graph. */
#ifndef GRAPH_PARSE_H
#define GRAPH_PARSE_H

#include "graph.h"
#include "tokens.h"

const struct graph_device *graph_find_device(const struct graph *g, const char *name);
const struct graph_node *graph_find_node(const struct graph *g, const char *name);

/* Check that token 2 is an arrow. */
int graph_arrow(struct tokens *t);
/* Fail because the graph has @most of @what already. */
int graph_full(struct tokens *t, const char *what, unsigned int most);
/* Convert @hex, which graph_is_hex(), to @len bytes. */
void graph_hex(const char *hex, uint8_t *to, unsigned int len);
bool graph_is_hex(const char *hex);

int graph_read_device(struct tokens *t, struct graph *g);
int graph_read_key(struct tokens *t, struct graph *g);
int graph_read_node(struct tokens *t, struct graph *g);
int graph_read_edge(struct tokens *t, struct graph *g);

#endif /* GRAPH_PARSE_H */
