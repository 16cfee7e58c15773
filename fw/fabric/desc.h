/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * desc.h - descriptors of a queue in memory, and the completions that replace them.
 */
#ifndef FAB_DESC_H
#define FAB_DESC_H

#include <stdint.h>

/* Memory here is that of one machine: no byte order is at stake. */
struct fab_desc {
	uint64_t src, dst;
	uint32_t len;
	uint16_t cmd, flags;
	uint64_t seq;
};

/* Written over the beginning of the descriptor */
struct fab_done {
	uint32_t status;	/* 0: good */
	uint32_t len;		/* of what is at dst now */
	uint64_t seq;
};

/* The CPU's order to the root complex: send @len bytes of host memory */
struct fab_push {
	uint64_t src;
	uint32_t len, zero;
};

#endif /* FAB_DESC_H */
