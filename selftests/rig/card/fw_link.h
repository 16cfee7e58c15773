/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* fw_link.h - helpers for tests of links, with the emulated card in this process. */
#ifndef FW_LINK_H
#define FW_LINK_H

#include "fw_load.h"

#define OK	NFP_CHAN_FW_OK

static inline int make(struct fw_pipe *from, struct fw_pipe *to)
{
	struct nfp_chan_fw_link req = {
		.cmd = NFP_CHAN_FW_CMD_LINK, .pipe = (uint16_t)from->index,
		.to = (uint16_t)to->index,
	};

	return fw_request_link(from->h, &req);
}

static inline int unmake(struct fw_pipe *p)
{
	struct nfp_chan_fw_req req = {
		.cmd = NFP_CHAN_FW_CMD_UNLINK, .pipe = (uint16_t)p->index,
	};

	return fw_request(p->h, &req);
}

static inline struct nfp_chan_fw_stat link_stat(const struct fw_pipe *from)
{
	struct nfp_chan_fw_stat s;

	fw_sram_read(from->h, from->h->cb.link_off + from->index * sizeof(s), &s, sizeof(s));
	return s;
}

/* Open pipes 0, 1, ... for the channels @chan, with rings of the default size. */
static inline void open_all(struct fw_host *h, struct fw_pipe *p, const unsigned int *chan,
		     unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		assert_int_equal(fw_open(&p[i], h, i, chan[i], 18), OK);
}

#define OPEN(h, p, ...)	open_all(h, p, (const unsigned int[]){ __VA_ARGS__ },	\
		sizeof((unsigned int[]){ __VA_ARGS__ }) / sizeof(unsigned int))

/* load_next(), after which the room of the message goes back. */
static inline uint64_t load_take(struct fw_pipe *p, uint32_t size)
{
	uint64_t seq = load_next(p, size);

	fw_ring_run(p);
	return seq;
}

#endif /* FW_LINK_H */
