/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* parse.h - what the files that read a policy graph share. */
#ifndef CHAIN_PARSE_H
#define CHAIN_PARSE_H

#include "graph.h"
#include "words.h"

const struct graph_device *graph_find_device(const struct graph *g, const char *name);
const struct graph_node *graph_find_node(const struct graph *g, const char *name);

/* The word 2 is an arrow. */
int graph_arrow(struct words *w);
/* There are too many of @what. */
int graph_full(struct words *w, const char *what, unsigned int most);
/* The bytes in hexadecimal digits of @hex, which are that. */
void graph_hex(const char *hex, uint8_t *to, unsigned int len);
bool graph_is_hex(const char *hex);

int graph_read_device(struct words *w, struct graph *g);
int graph_read_key(struct words *w, struct graph *g);
int graph_read_node(struct words *w, struct graph *g);
int graph_read_edge(struct words *w, struct graph *g);

#endif /* CHAIN_PARSE_H */
