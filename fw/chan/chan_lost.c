// SPDX-License-Identifier: BSD-2-Clause
/*
 * chan_lost.c - messages that nobody will receive: what a closed pipe still
 * held, and what the host takes back.
 *
 * Called by the control context, for pipes whose DMA it has stopped.
 */
#include <nfp/mem_bulk.h>
#include <nfp/pcie.h>

#include "chan_int.h"

__export __ctm __align64 struct nfp_chan_hdr chan_ctl_hdr;

static void pull_hdr(struct chan_pipe *p, uint64_t pos, struct nfp_chan_hdr *hdr)
{
	__xread struct nfp_chan_hdr in;
	SIGNAL sig;

	__assign_relative_register(&sig, SIG_DMA);
	chan_fetch(p, pos, ctm40(&chan_ctl_hdr), sizeof(in), &sig);
	mem_read8(&in, ctm40(&chan_ctl_hdr), sizeof(in));
	*hdr = in;
}

/*
 * Pass the message at @pos, number @seq + 1, or those that were taken back
 * there. False at @end, and where the host has written nonsense.
 */
static int pass(unsigned int pipe, uint64_t *pos, uint32_t *seq, uint64_t end)
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
 * To host, the header at the consumed position tells the number of the first
 * message that is left; the ring is the host's, so the answer is bounded.
 */
static uint32_t lost_to_host(struct chan_pipe *p)
{
	uint64_t most = (p->prod - p->cons) >> p->unit_shift;
	struct nfp_chan_hdr hdr;
	uint32_t n;

	pull_hdr(p, p->cons, &hdr);
	n = (p->seq - le16_to_cpu(hdr.seq) + 1) & 0xffff;
	return n >= 1 && n <= most ? n : 1;
}

static uint32_t lost_to_nfp(unsigned int pipe)
{
	struct chan_pipe *p = &chan_pipe[pipe];
	uint64_t pos = p->cons;
	uint32_t seq = p->seq, n = 0;

	for (;;) {
		if (p->skip && chan_skip[pipe].start == pos)
			n--;		/* not counted as one */
		if (!pass(pipe, &pos, &seq, p->prod))
			return n;
		n++;
	}
}

/* Messages that @pipe holds and that were not received. */
uint32_t chan_lost(unsigned int pipe)
{
	struct chan_pipe *p = &chan_pipe[pipe];
	const struct chan_desc *d = &chan_desc[p->chan];

	if (p->prod == p->cons || p->chan == CHAN_PORT)
		return 0;
	/* What went to another card is counted there. */
	if (chan_is_peer(p) && p->dir == NFP_CHAN_TO_HOST)
		return 0;
	if (p->dir == NFP_CHAN_TO_NFP && !chan_is_stream(p->chan))
		return lost_to_nfp(pipe);
	if (d->elem_size)
		return (uint32_t)(p->prod - p->cons) / chan_msg_bytes(p, d->elem_size);
	return lost_to_host(p);
}

/*
 * Take back message @msg_seq of a pipe to NFP and all behind it. The pipe is
 * on hold. Return: NFP_CHAN_FW_OK or the response's other code.
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
		/* Behind what an earlier request took back, or part of it? */
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
