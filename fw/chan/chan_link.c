// SPDX-License-Identifier: BSD-2-Clause
/*
 * chan_link.c - links: messages of a pipe to the host go to the ME process behind a
 * pipe to the NFP, within the card (uapi/PROTOCOL.rst).
 *
 * A pipe in a link has room when the receiving process waits for a message. The context that
 * takes a message from the sender takes the receiver's buffer at the same time, and copies the
 * message there. No copy is kept in between. The control context does LINK and UNLINK.
 */
#include <nfp/me.h>
#include <nfp/mem_atomic.h>
#include <nfp/mem_bulk.h>
#include <nfp/pcie.h>
#include <nfp/remote_me.h>

#include "chan_int.h"
#include "chan_sram.h"

#define REQ_PART	64	/* bytes of the request that are read at a time */

ctassert(sizeof(struct nfp_chan_fw_link) % REQ_PART == 0);
ctassert(sizeof(struct nfp_chan_fw_device) % REQ_PART == 0);
ctassert(CHAN_CHUNK <= 0xffff);

/* Can @pipe be in a link, at the end of direction @dir? */
static int end_check(unsigned int pipe, unsigned int dir)
{
	const struct chan_pipe *p = &chan_pipe[pipe];

	if (pipe >= CHAN_PIPES)
		return NFP_CHAN_FW_EINVAL;
	if (p->state != PIPE_OPEN)
		return NFP_CHAN_FW_ENOENT;
	if (p->dir != dir || p->chan == CHAN_PORT)
		return NFP_CHAN_FW_EINVAL;
	if (chan_state[p->chan].ended)
		return NFP_CHAN_FW_ENDED;
	return p->link != CHAN_NONE || p->pair != CHAN_NONE ? NFP_CHAN_FW_EBUSY : NFP_CHAN_FW_OK;
}

/* Wait until no message is under way through the link, and the host can read the counters. */
void chan_link_wait_shown(unsigned int pipe)
{
	const struct chan_pipe *p = &chan_pipe[pipe];
	SIGNAL wake;

	__assign_relative_register(&wake, SIG_WAKE);
	while (p->linking || chan_link_dirty & 1u << pipe)
		wait_for_all(&wake);
}

static void dirty(unsigned int pipe)
{
	chan_link_dirty |= 1u << pipe;
	signal_ctx(CHAN_CTX_NOTE, SIG_WAKE);
}

/* Set the counters of a link to 0, and wait until the host can see that. */
void chan_link_clear(unsigned int pipe)
{
	mem_zero(emem40(&chan_link_stat[pipe]), sizeof(chan_link_stat[pipe]));
	dirty(pipe);
	chan_link_wait_shown(pipe);
}

static int link_check(const struct nfp_chan_fw_link *req, unsigned int from, unsigned int to)
{
	int status = end_check(from, NFP_CHAN_TO_HOST);

	if (status == NFP_CHAN_FW_OK && to != NFP_CHAN_FW_LINK_DROP)
		status = end_check(to, NFP_CHAN_TO_NFP);
	return status == NFP_CHAN_FW_OK ? chan_route_check(req, from, to) : status;
}

/* Read a long request in parts, with as many transfer registers as other requests take. */
void chan_request_read(void *req, uint32_t size)
{
	__xread uint32_t part[REQ_PART / 4];
	uint32_t off;

	for (off = 0; off < size; off += REQ_PART) {
		pcie_sram_read(CHAN_PCIE_ISL, part, SRAM_AT(SRAM_MBOX + off), REQ_PART);
		reg_cp_in((uint8_t *)req + off, part, REQ_PART);
	}
}

/* The request LINK in the mailbox. The counters of the link are 0 when it is answered. */
int chan_link(void)
{
	struct nfp_chan_fw_link req;
	unsigned int from, to;
	int status;

	chan_request_read(&req, sizeof(req));
	from = le16_to_cpu(req.pipe);
	to = le16_to_cpu(req.to);
	if (to == NFP_CHAN_FW_LINK_PEER) {
		status = end_check(from, from < CHAN_PIPES ? chan_pipe[from].dir : 0);
		return status == NFP_CHAN_FW_OK ? chan_peer_link(&req, from) : status;
	}
	status = link_check(&req, from, to);
	if (status != NFP_CHAN_FW_OK)
		return status;
	chan_link_clear(from);
	chan_pipe[from].link = to == NFP_CHAN_FW_LINK_DROP ? LINK_DROP : (uint8_t)to;
	if (to != NFP_CHAN_FW_LINK_DROP)
		chan_pipe[to].link = (uint8_t)from;
	chan_route_add(&req, from);
	/* Messages may wait for a receiver. */
	chan_kick(chan_pipe[from].chan);
	return NFP_CHAN_FW_OK;
}

/*
 * Take down the link of @pipe. When this returns, messages that were under way have arrived and
 * are counted. Messages that wait keep their place in the channel. @mark and @lost are for a
 * link to another card: see chan_peer_unlink().
 */
int chan_unlink(unsigned int pipe, uint32_t mark, uint32_t *lost)
{
	unsigned int from = pipe, other = chan_pipe[pipe].link;

	if (other == CHAN_NONE)
		return NFP_CHAN_FW_ENOENT;
	if (other == LINK_PEER) {
		chan_peer_unlink(pipe, mark, lost);
		return NFP_CHAN_FW_OK;
	}
	if (chan_pipe[pipe].dir == NFP_CHAN_TO_NFP)
		from = other;
	chan_pipe[pipe].link = CHAN_NONE;
	if (other != LINK_DROP)
		chan_pipe[other].link = CHAN_NONE;
	chan_route_drop(from);
	chan_link_wait_shown(from);
	chan_kick(chan_pipe[from].chan);
	return NFP_CHAN_FW_OK;
}

/* Return: bytes that the process at the other end of the link waits for; 0: it does not wait. */
int chan_link_ready(unsigned int pipe)
{
	const struct chan_pipe *p = &chan_pipe[pipe], *to;
	unsigned int proc;

	if (p->link == LINK_DROP)
		return CHAN_CHUNK;
	to = &chan_pipe[p->link];
	proc = chan_state[to->chan].rhead;
	if (to->state != PIPE_OPEN || proc == CHAN_NONE)
		return 0;
	return chan_slot[proc].rlen;
}

/* Return: the process whose buffer takes the next message of @pipe. */
unsigned int chan_link_claim(unsigned int pipe)
{
	struct chan_pipe *p = &chan_pipe[pipe];
	struct chan_state *c = &chan_state[chan_pipe[p->link].chan];
	unsigned int proc = c->rhead;

	c->rhead = chan_slot[proc].rnext;
	c->last = p->link;
	p->linking++;
	return proc;
}

void chan_link_count(unsigned int pipe, uint32_t msgs, uint32_t bytes)
{
	mem_add64_imm(msgs, emem40(&chan_link_stat[pipe].msgs));
	mem_add64_imm(bytes, emem40(&chan_link_stat[pipe].bytes));
	dirty(pipe);
}

/*
 * Give process @proc @len bytes of the message of @work, from @from on. The link may be cut
 * meanwhile: the control context waits for messages that are under way.
 */
void chan_link_deliver(unsigned int pipe, unsigned int proc, const struct chan_work *work,
		       uint32_t from, uint32_t len)
{
	struct chan_pipe *p = &chan_pipe[pipe];
	uint32_t n = chan_is_stream(p->chan) ? len / chan_desc[p->chan].elem_size : 1;
	__xread struct chan_work req;
	__mem40 uint8_t *buf;
	uint32_t hdr;

	mem_read8(&req, emem40(&chan_recv_req[proc]), sizeof(req));
	buf = mem40_ptr((uint64_t)req.addr_hi << 32 | req.addr_lo);
	hdr = chan_route_header(pipe, buf);
	chan_work_copy(work, from, buf + hdr, len);
	chan_count(p->chan, n, len, 1);
	chan_count(req.chan, n, hdr + len, 1);
	chan_link_count(pipe, n, len);
	p->linking--;
	if (p->link == CHAN_NONE)
		chan_settle();
	chan_complete(proc, CHAN_XREG_RECV, req.sig, hdr + len);
}

/* A process waits for messages of @chan, and no pipe has one. Look for one in the links. */
void chan_link_look(unsigned int chan)
{
	const struct chan_state *c = &chan_state[chan];
	unsigned int i, n, from;

	if (c->rhead == CHAN_NONE)
		return;
	for (n = 1; n <= CHAN_PIPES; n++) {
		i = (c->last + n) % CHAN_PIPES;
		if (!(c->pipes & 1u << i) || !chan_is_linked(&chan_pipe[i]))
			continue;
		from = chan_pipe[chan_pipe[i].link].chan;
		if (chan_state[from].head != CHAN_NONE)
			chan_kick(from);
	}
}

/* Return: the pipe whose link does not take the next message of @chan, or CHAN_NONE. */
unsigned int chan_link_blame(unsigned int chan, unsigned int route)
{
	uint32_t pipes = chan_state[chan].pipes & ~chan_matched;

	if (route != CHAN_NONE)
		return route;
	while (pipes && chan_pipe[ffs(pipes)].link == CHAN_NONE)
		pipes &= pipes - 1;
	return pipes ? ffs(pipes) : CHAN_NONE;
}

/* The link of @pipe has dropped @dropped messages. 0: a message has to wait for the link. */
void chan_link_count_missed(unsigned int pipe, uint32_t dropped)
{
	if (pipe == CHAN_NONE)
		return;
	if (dropped)
		mem_add64_imm(dropped, emem40(&chan_link_stat[pipe].dropped));
	else
		mem_incr64(emem40(&chan_link_stat[pipe].stalled));
	dirty(pipe);
}
