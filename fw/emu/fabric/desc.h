/* SPDX-License-Identifier: BSD-2-Clause */
/* desc.h - descriptors of a queue in memory, and the completions that replace them. */
#ifndef FAB_DESC_H
#define FAB_DESC_H

#include <stdint.h>

/* The model's memory is used by one machine only, so the byte order does not matter. */
struct fab_desc {
	uint64_t src, dst;
	uint32_t len;
	uint16_t cmd, flags;
	uint64_t seq;
};

/* A completion overwrites the beginning of the descriptor. */
struct fab_done {
	uint32_t status;	/* 0: success */
	uint32_t len;		/* bytes written to dst */
	uint64_t seq;
};

/* The CPU stores this to the root complex, which then sends @len bytes of host memory. */
struct fab_push {
	uint64_t src;
	uint32_t len, zero;
};

#endif /* FAB_DESC_H */
