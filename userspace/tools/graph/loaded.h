/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * loaded.h - policy graphs that are loaded: a process holds the links of each.
 *
 * A link lasts as long as its file is open. Therefore `nfpchan graph load` leaves a process
 * that holds the files. The process listens at a socket in /run/nfpchan that has the name of
 * the graph. A client sends one request per connection, a line, and gets a text:
 *
 *	graph	the file as it was loaded
 *	stats	"MSGS BYTES DROPPED STALLED STATE VIA" of each edge, one per line, then
 *		"GOOD FAILED DOORBELLS NOTIFIED INTERRUPTS" of each node of an accelerator
 *	unload	the same, after the links are closed; the process then ends
 */
#ifndef GRAPH_LOADED_H
#define GRAPH_LOADED_H

#include <nfpchan.h>
#include "graph.h"

#define LOADED_RUN	"/run/nfpchan"
#define LOADED_SUFFIX	".graph"

struct loaded_accel;

/**
 * struct loaded_jobs - counters of an accelerator, since it was enabled
 * @good: jobs done
 * @failed: jobs that failed
 * @doorbells: writes to its doorbell, by the card or by the host
 * @notified: notifications that it sent to the card
 * @interrupts: interrupts that it sent to the host
 */
struct loaded_jobs {
	uint32_t good;
	uint32_t failed;
	uint32_t doorbells;
	uint32_t notified;
	uint32_t interrupts;
};

/**
 * struct loaded - the open links of a graph
 * @g: the graph
 * @card: the cards, by device
 * @from: by edge: the channel to the host; NULL: the edge leads to the host
 * @to: by edge: the channel to the NFP; NULL: in @in, or the messages are dropped
 * @link: by edge: the link
 * @in: by node of an accelerator: the channel that takes its jobs
 * @accel: by node: the accelerator, or NULL
 * @jobs: by node: the last counters of the accelerator, after the links were closed
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

/* Open all links. Returns 0, or EXIT_FAILURE with the reason printed and nothing left open. */
int loaded_open(struct loaded *l, const struct graph *g, const char *file);
void loaded_close(struct loaded *l);
/* Close the links. Their counters stay until loaded_close(). */
void loaded_end(struct loaded *l);
/* The counters of a node's accelerator. */
struct loaded_jobs loaded_jobs(const struct loaded *l, unsigned int node);
/* The counters of an edge, zeros for an edge to the host. */
struct nfp_chan_link_stat loaded_stat(struct loaded *l, unsigned int edge);

/*
 * Have the ME process of @in drive the accelerator of @n. @in has to stay open until
 * loaded_accel_close(). Returns 0, or EXIT_FAILURE with the reason printed.
 */
int loaded_accel_open(struct loaded_accel **out, const struct graph *g,
		      const struct graph_node *n, struct nfpchan *in, const char *file);
void loaded_accel_close(struct loaded_accel *a);
struct loaded_jobs loaded_accel_jobs(const struct loaded_accel *a);

/* Bind the events of @node's XDP program to @ch. 0, or EXIT_FAILURE with the reason printed. */
int events_bind(struct nfpchan *ch, const struct graph_node *node, const char *file);

/* The name of the graph: the file name without the suffix. -1 with the reason printed. */
int loaded_name(const char *file, char *name, size_t size);

/* Listen at the graph's socket. Returns a descriptor, or -1 with the reason printed. */
int loaded_listen(const char *name);
/* Remove the graph's socket. */
void loaded_unlisten(const char *name);
/* Answer requests until "unload" or a signal. @text answers "graph". Returns the exit status. */
int loaded_serve(struct loaded *l, int listener, const char *name, const char *text);

/* Send a request. Returns the answer, for free(), or NULL with the reason printed. */
char *loaded_ask(const char *name, const char *request);

#endif /* GRAPH_LOADED_H */
