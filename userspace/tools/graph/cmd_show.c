// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* cmd_show.c - nfpchan graph check, show, stats, unload. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "draw.h"
#include "loaded.h"
#include "now.h"
#include "tool.h"

/* The counters of an edge, as the process that holds the graph reports them */
struct counters {
	uint64_t msgs, bytes, dropped, stalled;
	char state[8];
	char via[8];
};

struct stats {
	struct counters edge[GRAPH_EDGES];
	struct loaded_jobs jobs[GRAPH_NODES];
};

static struct graph *read_graph(const char *path)
{
	struct graph *g;
	char err[512];

	if (graph_read(path, &g, err, sizeof(err)))
		tool_fail("%s", err);
	return g;
}

/* Get the graph from the process that holds it. */
static struct graph *ask_graph(const char *name)
{
	char *text = loaded_ask(name, "graph"), err[512];
	struct graph *g = NULL;

	if (text && graph_read_text(name, text, &g, err, sizeof(err)))
		tool_fail("%s", err);
	free(text);
	return g;
}

static bool has_accel(const struct graph *g, unsigned int node)
{
	return g->device[g->node[node].device].kind != GRAPH_CARD;
}

static bool read_counters(const struct graph *g, char *text, struct stats *s)
{
	char *save = NULL, *line = strtok_r(text, "\n", &save);
	unsigned int i;

	for (i = 0; line && i < g->edges; i++, line = strtok_r(NULL, "\n", &save)) {
		struct counters *c = &s->edge[i];

		if (sscanf(line, "%" SCNu64 "%" SCNu64 "%" SCNu64 "%" SCNu64 " %7s %7s", &c->msgs,
			   &c->bytes, &c->dropped, &c->stalled, c->state, c->via) != 6)
			return false;
	}
	if (i < g->edges)
		return false;
	for (i = 0; i < g->nodes; i++) {
		struct loaded_jobs *j = &s->jobs[i];

		if (!has_accel(g, i))
			continue;
		if (!line || sscanf(line, "%u %u %u %u %u", &j->good, &j->failed, &j->doorbells,
				    &j->notified, &j->interrupts) != 5)
			return false;
		line = strtok_r(NULL, "\n", &save);
	}
	return !line;
}

/* Get the counters from the process that holds the graph. @request: "stats" or "unload". */
static int ask_counters(const struct graph *g, const char *name, const char *request,
			struct stats *s)
{
	char *text = loaded_ask(name, request);
	bool ok = text && read_counters(g, text, s);

	free(text);
	if (text && !ok)
		tool_fail("graph '%s': its process does not answer as this nfpchan expects", name);
	return ok ? 0 : EXIT_FAILURE;
}

/* ---- check, show ---- */

int cmd_graph_check(const struct command *cmd, int argc, char **argv)
{
	static const struct tool_opt none[] = { { .name = NULL } };
	int ret = tool_options(cmd, argc, argv, none, "a file", 1);
	struct graph *g;

	if (ret >= 0)
		return ret;
	g = read_graph(argv[optind]);
	if (!g)
		return EXIT_FAILURE;
	printf("%s: %u devices, %u nodes, %u edges\n", argv[optind], g->devices, g->nodes, g->edges);
	graph_free(g);
	return tool_flush();
}

/* The path of a link that leaves its card, for struct graph_rate */
static const char *via_text(const char *via)
{
	if (!strcmp(via, "push"))
		return "push, ";
	return strcmp(via, "staging") ? "" : "staging, ";
}

static int measure(const struct graph *g, const char *name, int64_t interval,
		   struct graph_rate *rate)
{
	const struct timespec t = { interval / 1000000000, interval % 1000000000 };
	struct stats before, after;
	const struct counters *a = before.edge, *b = after.edge;
	uint64_t from = now_ns();
	double s;

	if (ask_counters(g, name, "stats", &before))
		return EXIT_FAILURE;
	nanosleep(&t, NULL);
	if (ask_counters(g, name, "stats", &after))
		return EXIT_FAILURE;
	s = (double)(now_ns() - from) / 1e9;
	for (unsigned int i = 0; i < g->edges; i++)
		rate[i] = (struct graph_rate){
			.known = strcmp(b[i].state, "host"), .via = via_text(b[i].via),
			.msgs = b[i].msgs, .bytes = b[i].bytes, .dropped = b[i].dropped,
			.msgs_s = (double)(b[i].msgs - a[i].msgs) / s,
			.bytes_s = (double)(b[i].bytes - a[i].bytes) / s,
		};
	return 0;
}

static bool is_file(const char *name)
{
	size_t len = strlen(name), tail = strlen(LOADED_SUFFIX);

	return strchr(name, '/') || (len > tail && !strcmp(name + len - tail, LOADED_SUFFIX));
}

static int show(const char *name, bool dot, int64_t interval)
{
	struct graph_rate rate[GRAPH_EDGES], *rates = is_file(name) ? NULL : rate;
	struct graph *g = rates ? ask_graph(name) : read_graph(name);
	int ret = EXIT_FAILURE;

	if (g && (!rates || !measure(g, name, interval, rates))) {
		if (dot)
			graph_dot(g, name, rates, stdout);
		else
			graph_tree(g, rates, stdout);
		ret = tool_flush();
	}
	graph_free(g);
	return ret;
}

int cmd_graph_show(const struct command *cmd, int argc, char **argv)
{
	int64_t interval = 1000 * (int64_t)NSEC_PER_MSEC;
	bool dot = false;
	const struct tool_opt opts[] = {
		{ "dot", 'd', .flag = &dot },
		{ "interval", 'i', .ns = &interval, .min = 1, .max = 60000 },
		{ .name = NULL },
	};
	int ret = tool_options(cmd, argc, argv, opts, "a file, or the name of a graph", 1);

	return ret < 0 ? show(argv[optind], dot, interval) : ret;
}

/* ---- stats, unload ---- */

static void json_edge(struct json *j, const struct graph *g, const struct graph_edge *e,
		      const struct counters *c)
{
	char match[128];

	json_object(j, NULL);
	json_str(j, "from", graph_end_name(g, e->from));
	json_str(j, "to", graph_end_name(g, e->to));
	json_str(j, "match", graph_match_text(&e->match, match, sizeof(match)));
	json_str(j, "state", c->state);
	json_str(j, "via", c->via);
	json_u64(j, "messages", c->msgs);
	json_u64(j, "bytes", c->bytes);
	json_u64(j, "dropped", c->dropped);
	json_u64(j, "stalled", c->stalled);
	json_close(j);
}

static void json_jobs(struct json *j, const struct graph *g, unsigned int node,
		      const struct loaded_jobs *jobs)
{
	json_object(j, NULL);
	json_str(j, "node", g->node[node].name);
	json_str(j, "device", g->device[g->node[node].device].name);
	json_u64(j, "done", jobs->good);
	json_u64(j, "failed", jobs->failed);
	json_u64(j, "doorbells", jobs->doorbells);
	json_u64(j, "notified", jobs->notified);
	json_u64(j, "interrupts", jobs->interrupts);
	json_close(j);
}

static void json_counters(const struct graph *g, const char *name, const struct stats *s)
{
	struct json j;

	json_init(&j, stdout);
	json_object(&j, NULL);
	json_str(&j, "graph", name);
	json_array(&j, "edges");
	for (unsigned int i = 0; i < g->edges; i++)
		json_edge(&j, g, &g->edge[i], &s->edge[i]);
	json_close(&j);
	json_array(&j, "accelerators");
	for (unsigned int i = 0; i < g->nodes; i++)
		if (has_accel(g, i))
			json_jobs(&j, g, i, &s->jobs[i]);
	json_close(&j);
	json_close(&j);
	json_end(&j);
}

static void plain_counters(const struct graph *g, const struct stats *s)
{
	char edge[2 * GRAPH_NAME + 4];
	bool head = false;

	printf("%-32s%-8s%-8s%14s%16s%10s%10s\n", "EDGE", "STATE", "VIA", "MESSAGES", "BYTES",
	       "DROPPED", "STALLED");
	for (unsigned int i = 0; i < g->edges; i++) {
		const struct counters *c = &s->edge[i];

		snprintf(edge, sizeof(edge), "%s -> %s", graph_end_name(g, g->edge[i].from),
			 graph_end_name(g, g->edge[i].to));
		printf("%-32s%-8s%-8s%14" PRIu64 "%16" PRIu64 "%10" PRIu64 "%10" PRIu64 "\n", edge,
		       c->state, c->via, c->msgs, c->bytes, c->dropped, c->stalled);
	}
	for (unsigned int i = 0; i < g->nodes; i++) {
		const struct loaded_jobs *jobs = &s->jobs[i];

		if (!has_accel(g, i))
			continue;
		if (!head)
			printf("\n%-32s%14s%14s%12s%12s\n", "ACCELERATOR", "DONE", "FAILED",
			       "DOORBELLS", "INTERRUPTS");
		head = true;
		printf("%-32s%14u%14u%12u%12u\n", g->node[i].name, jobs->good, jobs->failed,
		       jobs->doorbells, jobs->interrupts);
	}
}

static int counters(const struct command *cmd, int argc, char **argv, const char *request)
{
	static const struct tool_opt none[] = { { .name = NULL } };
	int ret = tool_options(cmd, argc, argv, none, "the name of a graph", 1);
	struct stats s;
	struct graph *g;

	if (ret >= 0)
		return ret;
	g = ask_graph(argv[optind]);
	ret = g ? ask_counters(g, argv[optind], request, &s) : EXIT_FAILURE;
	if (!ret) {
		if (tool.json)
			json_counters(g, argv[optind], &s);
		else
			plain_counters(g, &s);
		ret = tool_flush();
	}
	graph_free(g);
	return ret;
}

int cmd_graph_stats(const struct command *cmd, int argc, char **argv)
{
	return counters(cmd, argc, argv, "stats");
}

int cmd_graph_unload(const struct command *cmd, int argc, char **argv)
{
	return counters(cmd, argc, argv, "unload");
}
