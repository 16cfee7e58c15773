// SPDX-License-Identifier: GPL-2.0-only
/*
 * pair.c - one ring for both directions: a stream to the NFP in the ring of a
 * stream to the host (uapi/PROTOCOL.rst).
 *
 * The pipe to the NFP holds the file of the pipe to the host, so the ring outlives the
 * pipe to the NFP. A detach revokes pipes in the reverse order of their opening.
 */
#include <linux/file.h>
#include "pipe.h"

/* May another pipe share the ring of @rx? The card says whether the ring is free for it. */
bool nfpc_pair_may(const struct nfpc_pipe *rx)
{
	return rx->mapped && rx->chan->dir == NFP_CHAN_TO_HOST && nfpc_pipe_is_stream(rx) &&
	       !nfpc_pipe_is_port(rx);
}

/* @p, which is being opened, shares the ring of the pipe whose file is @ring. */
int nfpc_pair_open(struct nfpc_pipe *p, struct file *ring)
{
	const struct nfpc_pipe *rx = nfpc_pipe_of(ring);

	if (p->chan->dir != NFP_CHAN_TO_NFP || !nfpc_pipe_is_stream(p) ||
	    rx->chan->elem_size != p->chan->elem_size)
		return -EPROTOTYPE;
	p->ring_file = get_file(ring);
	p->ring_shift = rx->ring_shift;
	return 0;
}

/* @p ends, and releases the pipe whose ring it shares. */
void nfpc_pair_free(struct nfpc_pipe *p)
{
	if (p->ring_file)
		fput(p->ring_file);
	p->ring_file = NULL;
}

/* The pipe that owns the ring of @p: another pipe, or @p. */
struct nfpc_pipe *nfpc_ring_of(struct nfpc_pipe *p)
{
	return p->ring_file ? p->ring_file->private_data : p;
}
