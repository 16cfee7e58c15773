// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* stats_prom.c - counters of channels in the text format of Prometheus. */
#include <inttypes.h>
#include <stddef.h>
#include <string.h>
#include "chan_row.h"

static const struct {
	const char *name;
	const char *help;
	size_t offset;	/* of the counter in struct chan_row */
} metrics[] = {
	{ "messages", "Messages, or elements of a stream, carried since the firmware started",
	  offsetof(struct chan_row, q.msgs) },
	{ "bytes", "Bytes of these messages", offsetof(struct chan_row, q.bytes) },
	{ "dropped", "Messages or elements dropped by the channel's policy or with a closed pipe",
	  offsetof(struct chan_row, q.dropped) },
	{ "stalls", "Times that a sender on the card has waited for room or for a receiver",
	  offsetof(struct chan_row, q.stalled) },
	{ "interrupts", "Interrupts since the kernel module was attached to the card",
	  offsetof(struct chan_row, q.irqs) },
	{ "signals", "Signals to the ME process since the kernel module was attached to the card",
	  offsetof(struct chan_row, q.signals) },
	{ "repeats", "Times that a program has taken a message again",
	  offsetof(struct chan_row, repeated) },
};

static void label(FILE *out, const char *name, const char *value)
{
	fprintf(out, "%s=\"", name);
	for (; *value; value++) {
		if (*value == '\\' || *value == '"')
			fputc('\\', out);
		if (*value == '\n')
			fputs("\\n", out);
		else
			fputc(*value, out);
	}
	fputc('"', out);
}

void chan_rows_prometheus(FILE *out, const char *card, const struct chan_row *rows, size_t n)
{
	uint64_t value;
	size_t i, k;

	for (i = 0; i < sizeof(metrics) / sizeof(metrics[0]); i++) {
		fprintf(out, "# HELP nfpchan_%s_total %s.\n", metrics[i].name, metrics[i].help);
		fprintf(out, "# TYPE nfpchan_%s_total counter\n", metrics[i].name);
		for (k = 0; k < n; k++) {
			memcpy(&value, (const char *)&rows[k] + metrics[i].offset, sizeof(value));
			fprintf(out, "nfpchan_%s_total{", metrics[i].name);
			label(out, "card", card);
			label(out, ",channel", rows[k].q.name);
			label(out, ",direction", dir_name(rows[k].q.dir));
			fprintf(out, "} %" PRIu64 "\n", value);
		}
	}
}
