/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * figures.h - all figures of the model under keys.
 */
#ifndef FAB_FIGURES_H
#define FAB_FIGURES_H

#include "measure.h"

#define FAB_KEYS	256

struct fab_key {
	char name[48];
	double value;
};

struct fab_figures {
	struct fab_key key[FAB_KEYS];
	unsigned int keys;
};

/* Sizes of the curve, and descriptors in flight of the table of rates */
extern const uint32_t fab_sizes[], fab_inflights[];
extern const unsigned int fab_nsizes, fab_ninflights;
/* Modes before this one are compared at all sizes and rates. */
#define FAB_COMPARED	FAB_HOP

/* Parts of what there is to know; each 0 or an error of a run, which it has said. */
int fab_figures_latency(const struct fab_opt *o, struct fab_figures *g);
int fab_figures_curve(const struct fab_opt *o, struct fab_figures *g);
int fab_figures_rate(const struct fab_opt *o, struct fab_figures *g);
int fab_figures_push(const struct fab_opt *o, struct fab_figures *g);
int fab_figures_access(const struct fab_opt *o, struct fab_figures *g);
double fab_figure(const struct fab_figures *g, const char *name);

#endif /* FAB_FIGURES_H */
