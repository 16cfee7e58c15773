/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * loaded.h - policy graphs whose links are up, each held by a process.
 *
 * A link lasts as long as its file is open. So `nfpchan chain load` leaves a process that has
 * the files, and listens at a socket with the graph's name in /run/nfpchan. It answers one
 * request a connection, a line, with text:
 *
 *	graph	the file as it was loaded
 *	stats	"MSGS BYTES DROPPED STALLED STATE VIA" of each edge, a line each, then
 *		"GOOD FAILED DOORBELLS NOTIFIED INTERRUPTS" of each node that has an accelerator
 *	unload	the same, after the links are down; then the process ends
 */
#ifndef CHAIN_LOADED_H
#define CHAIN_LOADED_H

#include <nfpchan.h>
#include "graph.h"

#define LOADED_RUN	"/run/nfpchan"
#define LOADED_SUFFIX	".chain"

struct loaded_accel;

/**
 * struct loaded_jobs - what an accelerator has counted, since it was switched on
 * @good: jobs done
 * @failed: jobs that failed
 * @doorbells: writes to its doorbell, by whomever
 * @notified: notifications of the card
 * @interrupts: of the host
 */
struct loaded_jobs {
	uint32_t good;
	uint32_t failed;
	uint32_t doorbells;
	uint32_t notified;
	uint32_t interrupts;
};

/**
 * struct loaded - the links of a graph
 * @g: the graph
 * @card: of each device
 * @from: of each edge: the channel to the host that it takes from; NULL: it leads to the host
 * @to: the channel to the NFP that it gives to; NULL: its messages are dropped
 * @link: both, linked
 * @in: of each node with an accelerator: the channel of its jobs, where its edge leads
 * @accel: of each node: the accelerator that its process drives, or NULL
 * @jobs: what that had counted when the links were taken down
 */
struct loaded {
	const struct graph *g;
	struct nfpchan_card *card[GRAPH_DEVICES];
	struct nfpchan *from[GRAPH_EDGES];
	struct nfpchan *to[GRAPH_EDGES];
	struct nfpchan_link *link[GRAPH_EDGES];
	struct nfpchan *in[GRAPH_NODES];
	struct loaded_accel *accel[GRAPH_NODES];
	struct loaded_jobs jobs[GRAPH_NODES];
};

/* Open and link all: 0, or EXIT_FAILURE with the reason printed and nothing left open. */
int loaded_open(struct loaded *l, const struct graph *g, const char *file);
void loaded_close(struct loaded *l);
/* Take the links down. Their counters stay until loaded_close(). */
void loaded_end(struct loaded *l);
/* Those of a node's accelerator. */
struct loaded_jobs loaded_jobs(const struct loaded *l, unsigned int node);
/* Counters of an edge, zero for one to the host. */
struct nfp_chan_link_stat loaded_stat(struct loaded *l, unsigned int edge);

/*
 * Give @n's accelerator to the process behind @in, which stays open for as long. 0, or EXIT_FAILURE
 * with the reason printed.
 */
int loaded_accel_open(struct loaded_accel **out, const struct graph *g,
		      const struct graph_node *n, struct nfpchan *in, const char *file);
void loaded_accel_close(struct loaded_accel *a);
struct loaded_jobs loaded_accel_jobs(const struct loaded_accel *a);

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
