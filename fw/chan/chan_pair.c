// SPDX-License-Identifier: BSD-2-Clause
/*
 * chan_pair.c - one ring for both directions: a stream to the NFP of which the
 * ring is that of a stream to the host (uapi/PROTOCOL.rst).
 *
 * Both pipes count the same bytes. The host rings for the pipe to the NFP. The bytes that
 * the ME process takes from that pipe become room of the pipe to the host.
 */
#include "chan_int.h"

/* May the pipe that @req opens share the ring of the pipe that it names? */
int chan_pair_check(const struct nfp_chan_fw_req *req, unsigned int chan)
{
	const struct chan_desc *d = &chan_desc[chan];
	unsigned int of = le16_to_cpu(req->ring_of);
	const struct chan_pipe *rx;

	if (!of)
		return NFP_CHAN_FW_OK;
	if (of > CHAN_PIPES)
		return NFP_CHAN_FW_EINVAL;
	rx = &chan_pipe[of - 1];
	if (rx->state != PIPE_OPEN)
		return NFP_CHAN_FW_ERING;
	if (d->dir != NFP_CHAN_TO_NFP || d->kind != NFP_CHAN_STREAM ||
	    rx->dir != NFP_CHAN_TO_HOST || !chan_is_stream(rx->chan) ||
	    rx->chan == CHAN_PORT || d->elem_size != chan_desc[rx->chan].elem_size)
		return NFP_CHAN_FW_EINVAL;
	if (le64_to_cpu(req->ring_addr) != rx->ring || req->ring_shift != rx->ring_shift ||
	    req->unit_shift != rx->unit_shift)
		return NFP_CHAN_FW_EINVAL;
	if (rx->pair != CHAN_NONE || rx->link != CHAN_NONE || rx->cons)
		return NFP_CHAN_FW_ERING;
	return NFP_CHAN_FW_OK;
}

void chan_pair_open(unsigned int pipe, unsigned int ring_of)
{
	chan_pipe[pipe].pair = ring_of ? (uint8_t)(ring_of - 1) : CHAN_NONE;
	if (ring_of)
		chan_pipe[ring_of - 1].pair = (uint8_t)pipe;
}

/* @pipe to the host has room up to where @cons is. */
static __swaps void give(unsigned int pipe, uint64_t cons)
{
	struct chan_pipe *p = &chan_pipe[pipe];

	p->cons = cons;
	chan_ask(pipe);
	if (chan_state[p->chan].head != CHAN_NONE)
		chan_kick(p->chan);
}

/*
 * A pipe that shares its ring is closed. When that is the pipe to the NFP, all that the
 * host rang for is room, and the pipe to the host goes on alone. When it is the pipe to
 * the host, the ring is gone and the pipe to the NFP is turned off. Return: the number of
 * a pipe that was turned off, so that the caller waits for the end of its DMA; else
 * CHAN_NONE.
 */
unsigned int chan_pair_close(unsigned int pipe)
{
	struct chan_pipe *p = &chan_pipe[pipe];
	unsigned int other = p->pair;

	if (other == CHAN_NONE)
		return CHAN_NONE;
	p->pair = CHAN_NONE;
	chan_pipe[other].pair = CHAN_NONE;
	if (p->dir == NFP_CHAN_TO_NFP) {
		give(other, p->prod);
		return CHAN_NONE;
	}
	chan_fault(other);
	return other;
}

/*
 * The host has rung for @bytes of @pipe to the NFP. Return: 0 if a record has not shown
 * the host so many bytes of the pipe to the host. Else the host is done with these bytes,
 * so the pipe to the host may tell it of more.
 */
int chan_pair_returns(unsigned int pipe, uint64_t bytes)
{
	const struct chan_pipe *p = &chan_pipe[pipe];

	if (p->pair == CHAN_NONE)
		return 1;
	if (bytes > chan_pipe[p->pair].sent_pos - p->prod)
		return 0;
	chan_ask(p->pair);
	return 1;
}

/* The bytes that were taken of @pipe to the NFP are room of the pipe to the host. */
void chan_pair_taken(unsigned int pipe)
{
	const struct chan_pipe *p = &chan_pipe[pipe];

	if (p->pair != CHAN_NONE)
		give(p->pair, p->cons);
}
