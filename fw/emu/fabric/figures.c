// SPDX-License-Identifier: BSD-2-Clause
/* figures.c - all results of the model, as keys and values. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "figures.h"

const uint32_t fab_sizes[] = {
	64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072, 262144,
	524288, 1048576,
};
const unsigned int fab_nsizes = sizeof(fab_sizes) / sizeof(fab_sizes[0]);
const uint32_t fab_inflights[] = { 1, 2, 4, 8, 16 };
const unsigned int fab_ninflights = sizeof(fab_inflights) / sizeof(fab_inflights[0]);

/* Names of modes in keys */
static const char * const tags[FAB_MODES] = {
	[FAB_CONVENTIONAL] = "conventional", [FAB_NATIVE] = "native", [FAB_GLUE] = "glue",
	[FAB_CARD_DRIVEN] = "card_driven", [FAB_HOP] = "hop",
	[FAB_GLUE_NIC] = "glue_stream_nic",
};

__attribute__((format(printf, 3, 4)))
static void put(struct fab_figures *g, double value, const char *name, ...)
{
	struct fab_key *k = &g->key[g->keys];
	va_list ap;

	if (g->keys == FAB_KEYS)
		return;
	va_start(ap, name);
	vsnprintf(k->name, sizeof(k->name), name, ap);
	va_end(ap);
	k->value = value;
	g->keys++;
}

double fab_figure(const struct fab_figures *g, const char *name)
{
	unsigned int i;

	for (i = 0; i < g->keys; i++) {
		if (!strcmp(g->key[i].name, name))
			return g->key[i].value;
	}
	return NAN;
}

static int failed(const char *what, enum fab_mode mode, const struct fab_opt *o, int rc)
{
	const char *why = "an error of the model: more TLPs than credits, TLPs for an address"
			  " without memory, or completions with errors";

	if (rc == -EDEADLK)
		why = "deadlock: no TLP can move, and not all messages have left"
		      " (window= must not exceed what buffer-kb= holds)";
	else if (rc == -EBADMSG)
		why = "a result differs from the reference";
	fprintf(stderr, "nfpfabric: %s, %s, size=%u: %s\n", what, fab_mode_name(mode), o->size,
		why);
	return rc;
}

static int latency(const struct fab_opt *o, enum fab_mode mode, struct fab_latency *l)
{
	int rc = fab_latency(o, mode, l);

	if (rc)
		return failed("a message", mode, o, rc);
	fab_free(l->f);
	return 0;
}

/* Relative increase of the latency by a pipeline of 33 ns */
static int overhead(const struct fab_opt *o, enum fab_mode mode, double *share)
{
	struct fab_opt with = *o, without = *o;
	struct fab_latency a, b;
	int rc;

	with.pipeline_ns = 33;
	without.pipeline_ns = 0;
	rc = latency(&with, mode, &a);
	if (!rc)
		rc = latency(&without, mode, &b);
	if (!rc)
		*share = a.us / b.us - 1;
	return rc;
}

int fab_figures_latency(const struct fab_opt *o, struct fab_figures *g)
{
	struct fab_latency l;
	double native, glue;
	enum fab_mode m;
	int rc;

	for (m = 0; m < FAB_MODES; m++) {
		rc = latency(o, m, &l);
		if (rc)
			return rc;
		put(g, l.round_trips, "rtt_%s", tags[m]);
		put(g, l.path.cpu_actions, "cpu_actions_%s", tags[m]);
		put(g, l.root_tlps, "root_tlps_%s", tags[m]);
		put(g, l.link_bytes, "link_bytes_%s", tags[m]);
	}
	rc = overhead(o, FAB_NATIVE, &native);
	if (!rc)
		rc = overhead(o, FAB_GLUE, &glue);
	if (rc)
		return rc;
	put(g, native, "pipeline_overhead_33ns_native");
	put(g, glue, "pipeline_overhead_33ns_glue");
	put(g, native > glue ? native : glue, "pipeline_overhead_33ns");
	return 0;
}

int fab_figures_curve(const struct fab_opt *o, struct fab_figures *g)
{
	struct fab_opt at = *o;
	struct fab_latency l;
	enum fab_mode m;
	unsigned int i;
	int rc;

	for (i = 0; i < fab_nsizes; i++) {
		at.size = fab_sizes[i];
		for (m = 0; m < FAB_COMPARED; m++) {
			rc = latency(&at, m, &l);
			if (rc)
				return rc;
			put(g, l.us, "%s_%u_us", tags[m], at.size);
		}
	}
	return 0;
}

int fab_figures_rate(const struct fab_opt *o, struct fab_figures *g)
{
	double rate[FAB_COMPARED];
	struct fab_opt at = *o;
	struct fab_rate r;
	enum fab_mode m;
	unsigned int i;
	int rc;

	for (i = 0; i <= fab_ninflights; i++) {
		/*
		 * The last run uses the option inflight itself: there are targets for its
		 * results.
		 */
		at.inflight = i < fab_ninflights ? fab_inflights[i] : o->inflight;
		for (m = 0; m < FAB_COMPARED; m++) {
			rc = fab_rate(&at, m, &r);
			if (rc)
				return failed("a rate", m, &at, rc);
			rate[m] = r.per_second / 1e6;
			if (i < fab_ninflights)
				put(g, rate[m], "%s_inflight%u_Mps", tags[m], at.inflight);
		}
		if (i < fab_ninflights)
			put(g, rate[FAB_GLUE] / rate[FAB_CONVENTIONAL],
			    "glue_vs_conventional_inflight%u", at.inflight);
	}
	for (m = 0; m < FAB_COMPARED; m++)
		put(g, rate[m], "%s_Mps", tags[m]);
	put(g, rate[FAB_GLUE] / rate[FAB_CONVENTIONAL], "glue_throughput_vs_conventional_%u",
	    o->size);
	return 0;
}

int fab_figures_push(const struct fab_opt *o, struct fab_figures *g)
{
	struct fab_latency l;
	int pushed, rc;

	for (pushed = 0; pushed < 2; pushed++) {
		rc = fab_cpu_to_device(o, pushed, &l);
		if (rc)
			return failed("from the CPU", FAB_CONVENTIONAL, o, rc);
		put(g, l.round_trips, pushed ? "rtt_cpu_push" : "rtt_cpu_doorbell");
		put(g, l.us, pushed ? "cpu_push_us" : "cpu_doorbell_us");
		fab_free(l.f);
	}
	return 0;
}

int fab_figures_access(const struct fab_opt *o, struct fab_figures *g)
{
	struct fab_access a;

	fab_access(o, false, &a);
	put(g, a.asked_bytes, "access_asked_bytes");
	put(g, a.moved_bytes, "access_moved_bytes");
	put(g, a.denied, "access_denied_tlps");
	put(g, a.denied_bytes, "access_denied_bytes");
	put(g, a.answered, "access_reads_refused");
	fab_access(o, true, &a);
	put(g, a.moved_bytes, "access_moved_bytes_plain");
	return 0;
}
