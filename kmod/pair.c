// SPDX-License-Identifier: GPL-2.0-only
/*
 * pair.c - one ring for both directions: a stream to the NFP in the ring of a
 * stream to the host (uapi/PROTOCOL.rst).
 *
 * The pipe to the NFP holds the other's file, so the ring outlives it; at a
 * detach pipes are revoked in the reverse order of their opening.
 */
#include <linux/file.h>
#include "pipe.h"

static int pair_check(const struct nfpc_pipe *p, const struct nfpc_pipe *rx,
		      const struct nfp_chan_open *req)
{
	if (rx->card != p->card)
		return -EXDEV;
	if (p->dir != NFP_CHAN_TO_NFP || !nfpc_pipe_is_stream(p) ||
	    rx->dir != NFP_CHAN_TO_HOST || !nfpc_pipe_is_stream(rx) ||
	    nfpc_pipe_is_port(rx) ||
	    rx->elem_size != p->elem_size)
		return -EINVAL;
	if (req->ring_size && req->ring_size != nfpc_pipe_ring_size(rx))
		return -EINVAL;
	return p->card->fw.abi_minor < 6 ? -EOPNOTSUPP : 0;
}

/*
 * Have @p, which is being opened, share the ring of the pipe behind the fd that
 * @req names. Positions of read() and write() end here: who rings for the one
 * moves the other. Whether the ring is free to be shared, the card says.
 */
int nfpc_pair_open(struct nfpc_pipe *p, const struct nfp_chan_open *req)
{
	struct nfpc_pipe *rx;
	struct file *file;
	int err;

	file = fget(req->ring_fd);
	if (!file)
		return -EBADF;
	rx = nfpc_pipe_of(file);
	err = rx ? pair_check(p, rx, req) : -EINVAL;
	if (err)
		goto err_file;
	mutex_lock(&rx->lock);
	if (!rx->live)
		err = -ENODEV;
	else if (rx->pos)
		err = -EBUSY;
	else
		rx->shared++;
	mutex_unlock(&rx->lock);
	if (err)
		goto err_file;
	p->shared = 1;
	p->ring_file = file;
	p->ring_shift = rx->ring_shift;
	return 0;

err_file:
	fput(file);
	return err;
}

/* @p could not be opened. Once @p is closed, the ring is the other pipe's alone again. */
void nfpc_pair_undo(struct nfpc_pipe *p)
{
	p->shared = 0;
}

/* At the end of @p: the other pipe may go. */
void nfpc_pair_free(struct nfpc_pipe *p)
{
	struct nfpc_pipe *rx = nfpc_ring_of(p);

	if (rx == p)
		return;
	if (!p->shared) {
		mutex_lock(&rx->lock);
		rx->shared--;
		mutex_unlock(&rx->lock);
	}
	fput(p->ring_file);
	p->ring_file = NULL;
}

/* The pipe whose ring @p uses: another's, or its own. */
struct nfpc_pipe *nfpc_ring_of(struct nfpc_pipe *p)
{
	return p->ring_file ? p->ring_file->private_data : p;
}
