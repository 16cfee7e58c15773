/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* job.h - run several programs at once, each in its own process. */
#ifndef CHAN_FUZZ_JOB_H
#define CHAN_FUZZ_JOB_H

#include "fuzz.h"

/**
 * struct job_opt - how programs are run
 * @jobs: programs that run at once, at most JOBS
 * @detach: unbind and bind nfp at the start of each @detach-th program; 0: never
 * @trace: beginning of the names of files for the running programs, or NULL
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
