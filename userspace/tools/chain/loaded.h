/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * loaded.h - policy graphs whose links are up, each held by a process.
 *
 * A link lasts as long as its file is open. So `nfpchan chain load` leaves a process that has
 * the files, and listens at a socket with the graph's name in /run/nfpchan. It answers one
 * request a connection, a line, with text:
 *
 *	graph	the file as it was loaded
 *	stats	"MSGS BYTES DROPPED STALLED STATE VIA" of each edge, a line each
 *	unload	the same, after the links are down; then the process ends
 */
#ifndef CHAIN_LOADED_H
#define CHAIN_LOADED_H

#include <nfpchan.h>
#include "graph.h"

#define LOADED_RUN	"/run/nfpchan"
#define LOADED_SUFFIX	".chain"

/**
 * struct loaded - the links of a graph
 * @g: the graph
 * @card: of each device
 * @from: of each edge: the channel to the host that it takes from; NULL: it leads to the host
 * @to: the channel to the NFP that it gives to; NULL: its messages are dropped
 * @link: both, linked
 */
struct loaded {
	const struct graph *g;
	struct nfpchan_card *card[GRAPH_DEVICES];
	struct nfpchan *from[GRAPH_EDGES];
	struct nfpchan *to[GRAPH_EDGES];
	struct nfpchan_link *link[GRAPH_EDGES];
};

/* Open and link all: 0, or EXIT_FAILURE with the reason printed and nothing left open. */
int loaded_open(struct loaded *l, const struct graph *g, const char *file);
void loaded_close(struct loaded *l);
/* Take the links down. Their counters stay until loaded_close(). */
void loaded_end(struct loaded *l);
/* Counters of an edge, zero for one to the host. */
struct nfp_chan_link_stat loaded_stat(struct loaded *l, unsigned int edge);

/*
 * Have the events of @node's XDP program come to @ch. 0, or EXIT_FAILURE with the reason printed.
 */
int events_bind(struct nfpchan *ch, const struct graph_node *node, const char *file);

/* The name of the graph in @file: its last part, without the suffix. -1 with the reason printed. */
int loaded_name(const char *file, char *name, size_t size);

/*
 * Listen at the graph's socket. -1 with the reason printed: the name is in use, for one.
 */
int loaded_listen(const char *name);
/* Nobody finds it there any more. */
void loaded_unlisten(const char *name);
/* Answer until "unload" or SIGTERM. @text is what "graph" gives. Returns the exit status. */
int loaded_serve(struct loaded *l, int listener, const char *name, const char *text);

/* Ask the process that has a graph: its answer, to be freed; NULL with the reason printed. */
char *loaded_ask(const char *name, const char *request);

#endif /* CHAIN_LOADED_H */
