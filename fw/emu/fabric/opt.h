/* SPDX-License-Identifier: BSD-2-Clause */
/* opt.h - the model's assumptions. Each of them is an option. */
#ifndef FAB_OPT_H
#define FAB_OPT_H

#include <stddef.h>
#include <stdint.h>

#define FAB_SIZE_MAX	(1u << 20)
#define FAB_INFLIGHT	64u

struct fab_opt {
	uint32_t size, mps, mrrs, rcb;
	uint32_t link_mbyte, link_ns, switch_ns, pipeline_ns, end_ns;
	uint32_t ph, pd, nph, cplh, cpld, egress, tags, inflight;
	uint32_t buffer_kb, stream_kb, nic_kb, window;
	uint32_t cpu_ns, cpus, card_ns, threads, engine_ns, engine_mbyte;
	uint32_t offered, messages;
};

/* Description of an option, for help and for the results */
struct fab_opt_about {
	const char *key, *what;
	uint32_t fallback, min, max;
	int power;		/* only powers of two */
	size_t offset;
};

extern const struct fab_opt_about fab_opts[];
extern const unsigned int fab_nopts;

uint32_t fab_opt_get(const struct fab_opt *o, unsigned int i);
void fab_opt_default(struct fab_opt *o);
/* Set an option by "KEY=VALUE". Return 0, -EINVAL or -ERANGE with a message in @why. */
int fab_opt_set(struct fab_opt *o, const char *arg, char *why, size_t size);
/* Check that the options are consistent. The result is like fab_opt_set()'s. */
int fab_opt_check(const struct fab_opt *o, char *why, size_t size);

#endif /* FAB_OPT_H */
