/* SPDX-License-Identifier: BSD-2-Clause */
/* figures.h - all results of the model, as keys and values. */
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

/* Image sizes of the latency curve, and numbers of descriptors in the table of rates */
extern const uint32_t fab_sizes[], fab_inflights[];
extern const unsigned int fab_nsizes, fab_ninflights;
/* Only modes before this one are compared at all sizes and rates. */
#define FAB_COMPARED	FAB_HOP

/* Compute a part of the results. Return 0, or the error of a run after printing it. */
int fab_figures_latency(const struct fab_opt *o, struct fab_figures *g);
int fab_figures_curve(const struct fab_opt *o, struct fab_figures *g);
int fab_figures_rate(const struct fab_opt *o, struct fab_figures *g);
int fab_figures_push(const struct fab_opt *o, struct fab_figures *g);
int fab_figures_access(const struct fab_opt *o, struct fab_figures *g);
double fab_figure(const struct fab_figures *g, const char *name);

#endif /* FAB_FIGURES_H */
