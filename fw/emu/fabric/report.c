// SPDX-License-Identifier: BSD-2-Clause
/* report.c - prints tables and JSON. */
#include <errno.h>
#include <string.h>

#include "report.h"

void fab_say_options(FILE *to, const struct fab_opt *o)
{
	unsigned int i;

	fprintf(to, "What is assumed (--set KEY=VALUE):\n");
	for (i = 0; i < fab_nopts; i++)
		fprintf(to, "  %-13s %8u  %s\n", fab_opts[i].key, fab_opt_get(o, i),
			fab_opts[i].what);
	fprintf(to, "\n");
}

/* Crossings in round trips, as text: "1/2", "1", "1/4" */
static const char *trips(uint32_t crossings, uint32_t trip)
{
	static char text[32];

	if (!crossings)
		return "";
	if (crossings % trip == 0)
		snprintf(text, sizeof(text), "%u", crossings / trip);
	else if (trip % crossings == 0)
		snprintf(text, sizeof(text), "1/%u", trip / crossings);
	else
		snprintf(text, sizeof(text), "%u/%u", crossings, trip);
	return text;
}

void fab_say_path(FILE *to, const struct fab_opt *o, const char *title,
		  const struct fab_latency *l)
{
	char way[64], what[64];
	fab_time takes;
	uint32_t trip;
	unsigned int i;

	fab_round_trip(o, &trip, &takes);
	fprintf(to, "%s\n  %-22s %-36s %8s %8s\n", title, "Direction", "Data (PCIe operation)",
		"PCIe RTT", "ns");
	for (i = 0; i < l->path.rows; i++) {
		const struct fab_row *r = &l->path.row[i];

		fab_row_text(&l->f->sim, r, way, what, sizeof(way));
		fprintf(to, "  %-22s %-36s %8s %8.0f\n", way, what, trips(r->crossings, trip),
			r->takes / 1e3);
	}
	fprintf(to, "  %-22s %-36s %8.2f %8.0f\n", "Total", "", l->round_trips,
		l->path.takes / 1e3);
	fprintf(to, "  A round trip is %u link crossings, %.0f ns. The CPU acts %u times. TLPs at"
		" the root complex: %ju.\n\n", trip, takes / 1e3, l->path.cpu_actions,
		(uintmax_t)l->root_tlps);
}

static double at_size(const struct fab_figures *g, const char *mode, uint32_t size)
{
	char name[48];

	snprintf(name, sizeof(name), "%s_%u_us", mode, size);
	return fab_figure(g, name);
}

void fab_say_curve(FILE *to, const struct fab_figures *g)
{
	unsigned int i;

	fprintf(to, "Latency over size of the image, us; and how many times less than"
		" conventional\n  %8s %13s %9s %9s %12s   %7s %6s %12s\n", "bytes",
		"conventional", "native", "glue", "card-driven", "native", "glue",
		"card-driven");
	for (i = 0; i < fab_nsizes; i++) {
		double c = at_size(g, "conventional", fab_sizes[i]);
		double n = at_size(g, "native", fab_sizes[i]);
		double s = at_size(g, "glue", fab_sizes[i]);
		double d = at_size(g, "card_driven", fab_sizes[i]);

		fprintf(to, "  %8u %13.2f %9.2f %9.2f %12.2f   %7.2f %6.2f %12.2f\n",
			fab_sizes[i], c, n, s, d, c / n, c / s, c / d);
	}
	fprintf(to, "\n");
}

static double rate(const struct fab_figures *g, const char *mode, uint32_t inflight)
{
	char name[48];

	snprintf(name, sizeof(name), "%s_inflight%u_Mps", mode, inflight);
	return fab_figure(g, name);
}

void fab_say_rates(FILE *to, const struct fab_figures *g, const struct fab_opt *o)
{
	unsigned int i;

	fprintf(to, "Images of %u bytes, million a second of %.2f offered, by descriptors that"
		" a queue device has in flight\n  %8s %13s %9s %9s %12s   %s\n", o->size,
		o->offered / 1e3, "", "conventional", "native", "glue", "card-driven",
		"glue/conventional");
	for (i = 0; i < fab_ninflights; i++) {
		double c = rate(g, "conventional", fab_inflights[i]);
		double s = rate(g, "glue", fab_inflights[i]);

		fprintf(to, "  %8u %13.2f %9.2f %9.2f %12.2f   %.2f\n", fab_inflights[i], c,
			rate(g, "native", fab_inflights[i]), s,
			rate(g, "card_driven", fab_inflights[i]), s / c);
	}
	fprintf(to, "\n");
}

void fab_say_access(FILE *to, const struct fab_figures *g)
{
	fprintf(to, "Access control: an accelerator writes and reads where no entry allows it\n"
		"  asked for %.0f bytes, moved %.0f; denied %.0f TLPs, %.0f reads refused\n"
		"  with a switch without tables %.0f bytes move\n\n",
		fab_figure(g, "access_asked_bytes"), fab_figure(g, "access_moved_bytes"),
		fab_figure(g, "access_denied_tlps"), fab_figure(g, "access_reads_refused"),
		fab_figure(g, "access_moved_bytes_plain"));
}

void fab_say_trace(FILE *to, const struct fab_latency *l)
{
	static const char * const kinds[] = {
		[FAB_WIRE] = "wire", [FAB_CROSS] = "cross", [FAB_PASS] = "pass",
		[FAB_CPU] = "cpu", [FAB_CARD] = "card", [FAB_ENGINE] = "engine",
	};
	const struct fab_sim *s = &l->f->sim;
	uint32_t i;

	for (i = 1; i < s->steps; i++) {
		const struct fab_step *t = &s->step[i];

		fprintf(to, "%6u %12.3f ns %-6s %-9s from %-6u %6u bytes  %s\n", i,
			t->end / 1e3, kinds[t->kind], fab_node_name(t->node), t->cause,
			t->bytes, s->op[t->op].what);
	}
}

void fab_say_keys(FILE *to, const struct fab_opt *o, const struct fab_figures *g)
{
	unsigned int i;
	const char *c;

	for (i = 0; i < fab_nopts; i++) {
		fprintf(to, "assumed_");
		for (c = fab_opts[i].key; *c; c++)
			fputc(*c == '-' ? '_' : *c, to);
		fprintf(to, " %u\n", fab_opt_get(o, i));
	}
	for (i = 0; i < g->keys; i++)
		fprintf(to, "%s %.5f\n", g->key[i].name, g->key[i].value);
}

int fab_json(const char *path, const struct fab_opt *o, const struct fab_figures *g)
{
	FILE *to = fopen(path, "w");
	unsigned int i;

	if (!to)
		return -errno;
	fprintf(to, "{\n \"assumptions\": {");
	for (i = 0; i < fab_nopts; i++)
		fprintf(to, "%s\n  \"%s\": %u", i ? "," : "", fab_opts[i].key, fab_opt_get(o, i));
	fprintf(to, "\n },\n \"raw\": {");
	for (i = 0; i < g->keys; i++)
		fprintf(to, "%s\n  \"%s\": %.5f", i ? "," : "", g->key[i].name, g->key[i].value);
	fprintf(to, "\n }\n}\n");
	i = ferror(to);
	return fclose(to) || i ? -EIO : 0;
}
