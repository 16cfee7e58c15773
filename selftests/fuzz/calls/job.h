/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* job.h - several programs at once, each in a process of its own. */
#ifndef CHAN_FUZZ_JOB_H
#define CHAN_FUZZ_JOB_H

#include "fuzz.h"

/**
 * struct job_opt - how programs are run
 * @jobs: so many at once, at most JOBS
 * @detach: nfp goes and comes under each program of a multiple of this number; 0: never
 * @trace: where programs that run are written, with a number behind it; or NULL
 */
struct job_opt {
	unsigned int jobs;
	unsigned int detach;
	const char *trace;
};

extern struct job_opt job_opt;

void jobs_init(void);
bool jobs_run(bool (*next)(struct prog *p), void (*news)(const struct prog *p));
void jobs_print(void);

#endif /* CHAN_FUZZ_JOB_H */
