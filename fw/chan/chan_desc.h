/* SPDX-License-Identifier: BSD-2-Clause */
/* chan_desc.h - the tables of processes and channels that scripts/chantab generates. */
#ifndef CHAN_DESC_H
#define CHAN_DESC_H

#include <stdint.h>

/**
 * struct me_context - the place of an ME process
 * @island: the island
 * @me: the microengine of the island, from 0
 * @ctx: the context of the microengine
 */
struct me_context {
	uint8_t island;
	uint8_t me;
	uint8_t ctx;
};

extern const struct me_context me_contexts[];
extern const unsigned int me_context_count;

/**
 * struct chan_desc - a channel as declared in a .chan file
 * @name: the name by which the host opens the channel
 * @dir: NFP_CHAN_TO_HOST or NFP_CHAN_TO_NFP
 * @proc: index of its ME process in me_contexts
 * @flags: NFP_CHAN_FW_F_*
 * @kind: NFP_CHAN_MESSAGE or NFP_CHAN_STREAM
 * @elem_size: bytes of each message or of each element of a stream; 0: messages vary in size
 * @max_size: bytes of the largest message
 * @depth: messages that a pipe holds, 0 for a rendezvous
 * @process: offset of the process's name in chan_names
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
	uint16_t process;
};

/* The declared channels, and after them the channel of ports (CHAN_PORT). */
extern const struct chan_desc chan_desc[];

/* Names of the processes that have channels, each at a multiple of 4 and NUL-terminated */
extern const char chan_names[];

#endif /* CHAN_DESC_H */
