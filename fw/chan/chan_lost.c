// SPDX-License-Identifier: BSD-2-Clause
/*
 * chan_lost.c - messages that no process receives: those that a closed pipe still holds, and
 * those that the host takes back.
 *
 * The control context calls these functions, for pipes whose DMA it has stopped.
 */
#include <nfp/mem_bulk.h>
#include <nfp/pcie.h>

#include "chan_int.h"

__export __ctm __align64 struct nfp_chan_hdr chan_ctl_hdr;

static __swaps void pull_hdr(struct chan_pipe *p, uint64_t pos, struct nfp_chan_hdr *hdr)
{
	__xread struct nfp_chan_hdr in;
	SIGNAL sig;

	__assign_relative_register(&sig, SIG_DMA);
	chan_fetch(p, pos, ctm40(&chan_ctl_hdr), sizeof(in), &sig);
	mem_read8(&in, ctm40(&chan_ctl_hdr), sizeof(in));
	*hdr = in;
}

/*
 * Advance @pos and @seq over the message at @pos, or over messages there that were taken back.
 * Return: 0 at @end, or if the host has written no valid header.
 */
static __swaps int pass(unsigned int pipe, uint64_t *pos, uint32_t *seq, uint64_t end)
{
	struct chan_pipe *p = &chan_pipe[pipe];
	struct nfp_chan_hdr hdr;

	if (p->skip && chan_skip[pipe].start == *pos) {
		*pos = chan_skip[pipe].end;
		*seq = chan_skip[pipe].seq;
		return 1;
	}
	if (*pos == end)
		return 0;
	pull_hdr(p, *pos, &hdr);
	if (!chan_hdr_check(p, &hdr, *seq + 1, end - *pos))
		return 0;
	*pos += chan_msg_bytes(p, le32_to_cpu(hdr.len));
	++*seq;
	return 1;
}

/*
 * To the host, the header at the consumed position has the number of the first message that is
 * left. The host may write to its ring, so the result is limited by the bytes that are left.
 */
static __swaps uint32_t lost_to_host(struct chan_pipe *p)
{
	uint64_t most = (p->prod - p->cons) >> p->unit_shift;
	struct nfp_chan_hdr hdr;
	uint32_t n;

	pull_hdr(p, p->cons, &hdr);
	n = (p->seq - le16_to_cpu(hdr.seq) + 1) & 0xffff;
	return n >= 1 && n <= most ? n : 1;
}

static __swaps uint32_t lost_to_nfp(unsigned int pipe)
{
	struct chan_pipe *p = &chan_pipe[pipe];
	uint64_t pos = p->cons;
	uint32_t seq = p->seq, n = 0;

	for (;;) {
		if (p->skip && chan_skip[pipe].start == pos)
			n--;		/* these were taken back, so they are not lost */
		if (!pass(pipe, &pos, &seq, p->prod))
			return n;
		n++;
	}
}

/* Return: number of messages that @pipe holds and that were not received. */
uint32_t chan_lost(unsigned int pipe)
{
	struct chan_pipe *p = &chan_pipe[pipe];
	const struct chan_desc *d = &chan_desc[p->chan];

	if (p->prod == p->cons || p->chan == CHAN_PORT)
		return 0;
	/* The other card counts the messages that went there. */
	if (chan_is_peer(p) && p->dir == NFP_CHAN_TO_HOST)
		return 0;
	if (p->dir == NFP_CHAN_TO_NFP && !chan_is_stream(p->chan))
		return lost_to_nfp(pipe);
	if (d->elem_size)
		return (uint32_t)(p->prod - p->cons) / chan_msg_bytes(p, d->elem_size);
	return lost_to_host(p);
}

/*
 * Take back message @msg_seq of a pipe to the NFP and all messages after it. The pipe is on
 * hold. Return: NFP_CHAN_FW_*, for the response.
 */
int chan_cancel(unsigned int pipe, uint32_t msg_seq)
{
	struct chan_pipe *p = &chan_pipe[pipe];
	__emem struct chan_skip *skip = &chan_skip[pipe];
	uint64_t pos = p->cons, end = p->prod, start;
	uint32_t seq = p->seq;

	if ((int32_t)(msg_seq - seq) <= 0)
		return NFP_CHAN_FW_TAKEN;
	while ((int32_t)(msg_seq - seq) > 1) {
		/* Does message @msg_seq belong to those that an earlier request took back? */
		if (p->skip && skip->start == pos && (int32_t)(msg_seq - skip->seq) <= 0)
			break;
		if (!pass(pipe, &pos, &seq, end))
			return NFP_CHAN_FW_EINVAL;
	}
	start = pos;
	if (p->skip && start > skip->start)
		return NFP_CHAN_FW_EBUSY;
	while (pass(pipe, &pos, &seq, end))
		;
	if (pos == start)
		return NFP_CHAN_FW_EINVAL;
	skip->start = start;
	skip->end = pos;
	skip->seq = seq;
	p->skip = 1;
	chan_skip_check(pipe);
	return NFP_CHAN_FW_OK;
}
