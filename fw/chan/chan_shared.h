/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * chan_shared.h - the memory that ME processes share with the channel managers.
 *
 * Processes and managers are different images, which may be compiled apart. So this memory has a fixed
 * address in EMEM. Words that one side writes and the other one reads are big-endian, which a
 * microengine is; the managers of the emulated card have the byte order of the machine.
 */
#ifndef CHAN_SHARED_H
#define CHAN_SHARED_H

#include <nfp_chan_fw.h>
#include <nfp.h>

#define CHAN_SHARED_ADDR	0x4a000000ull	/* behind the memory of the vendor's images */

/**
 * struct chan_shared - what processes and managers share
 * @up: CHAN_TABLE_ID of the managers, big-endian; 0: they do not run yet. A process that was compiled
 *	with another table of channels waits for ever
 * @tickets: for each channel: the place of the next message in the channel's order
 * @open_pipes: for each channel: its open pipes
 * @self: for each context (CHAN_SELF()): the index of its process in me_contexts
 */
struct chan_shared {
	__be32 up;
	uint32_t tickets[NFP_CHAN_FW_CHAN_MAX];
	uint32_t open_pipes[NFP_CHAN_FW_CHAN_MAX + 1];
	uint8_t self[64 * 16 * 8];
};

#define CHAN_SELF(island, me, c)	((island) << 7 | (me) << 3 | (c))

#ifdef __MECC__
#define chan_shared	(*(__emem struct chan_shared *)(uint32_t)CHAN_SHARED_ADDR)
#else
extern __export_fixed __emem struct chan_shared chan_shared;
#endif

#endif /* CHAN_SHARED_H */
