/* SPDX-License-Identifier: BSD-2-Clause */
/* chan_desc.h - what scripts/chantab writes down about channels. */
#ifndef CHAN_DESC_H
#define CHAN_DESC_H

#include <stdint.h>

/**
 * struct chan_desc - a channel as declared in a .chan file
 * @name: as the host opens it
 * @dir: NFP_CHAN_TO_HOST or NFP_CHAN_TO_NFP
 * @proc: index of its ME process in me_contexts
 * @flags: NFP_CHAN_FW_F_*
 * @kind: NFP_CHAN_MESSAGE or NFP_CHAN_STREAM
 * @elem_size: bytes of every message, 0 when they vary; of a stream's elements
 * @max_size: bytes of the largest message
 * @depth: messages that a pipe holds, 0 for a rendezvous
 */
struct chan_desc {
	char name[32];
	uint8_t dir;
	uint8_t proc;
	uint8_t kind;
	uint8_t flags;
	uint32_t elem_size;
	uint32_t max_size;
	uint32_t depth;
};

/* Those of the table, then the one of ports (CHAN_PORT). */
extern const struct chan_desc chan_desc[];

#endif /* CHAN_DESC_H */
