/* SPDX-License-Identifier: BSD-2-Clause */
/* report.h - prints tables and JSON. */
#ifndef FAB_REPORT_H
#define FAB_REPORT_H

#include <stdio.h>

#include "figures.h"

void fab_say_options(FILE *to, const struct fab_opt *o);
/* Print the rows of a path in the format of the paper's Tables 2 and 3. */
void fab_say_path(FILE *to, const struct fab_opt *o, const char *title,
		  const struct fab_latency *l);
void fab_say_curve(FILE *to, const struct fab_figures *g);
void fab_say_rates(FILE *to, const struct fab_figures *g, const struct fab_opt *o);
void fab_say_access(FILE *to, const struct fab_figures *g);
void fab_say_trace(FILE *to, const struct fab_latency *l);
/* Print "key value" lines, in the benchmarks' format. Keys of options begin with assumed_. */
void fab_say_keys(FILE *to, const struct fab_opt *o, const struct fab_figures *g);
/* Return 0 or -errno. */
int fab_json(const char *path, const struct fab_opt *o, const struct fab_figures *g);

#endif /* FAB_REPORT_H */
