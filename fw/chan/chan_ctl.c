// SPDX-License-Identifier: BSD-2-Clause
/*
 * chan_ctl.c - the mailbox: requests of the kernel module.
 *
 * The control context copies a request out of the mailbox once and checks the copy. It answers
 * when the request is done as a whole, with one DMA and one interrupt.
 */
#include <nfp/me.h>
#include <nfp/mem_atomic.h>
#include <nfp/mem_bulk.h>
#include <nfp/mem_ring.h>
#include <nfp/pcie.h>
#include <nfp/remote_me.h>

#include "chan_int.h"
#include "chan_sram.h"
#include "chan_xdp.h"

#define VECTORS		256	/* entries of the MSI-X table */

__export __ctm __align64 struct nfp_chan_fw_rsp chan_ctl_rsp;

/* The last HELLO says where responses go. @seq is the number of the last request. */
struct answer {
	uint64_t addr;		/* 0: no HELLO yet, or none since GOODBYE */
	uint16_t vector;
	__le32 seq;		/* 0: there was no request */
};

static int vector_ok(unsigned int vector)
{
	return vector < VECTORS || vector == NFP_CHAN_FW_NO_VECTOR;
}

/* ---- HELLO, GOODBYE, CLOSE ---- */

void chan_wait_idle(unsigned int pipe)
{
	struct chan_pipe *p = &chan_pipe[pipe];
	SIGNAL wake;

	if (chan_gathers(pipe))
		chan_kick(p->chan);
	__assign_relative_register(&wake, SIG_WAKE);
	while (p->busy || p->noting)
		wait_for_all(&wake);
}

/* Drop an interrupt that is pending, unless another pipe has the same entry. */
static __swaps void drop_vector(unsigned int pipe)
{
	unsigned int i, vector = chan_pipe[pipe].vector;

	if (vector == NFP_CHAN_FW_NO_VECTOR)
		return;
	for (i = 0; i < CHAN_PIPES; i++)
		if (i != pipe && chan_pipe[i].state != PIPE_FREE &&
		    chan_pipe[i].vector == vector)
			return;
	msix_pf_drop(CHAN_PCIE_ISL, vector);
}

/* Return: number of messages that were lost with the pipe. */
static __swaps uint32_t close_pipe(unsigned int pipe)
{
	struct chan_pipe *p = &chan_pipe[pipe];
	unsigned int chan = p->chan, proc, other;
	uint32_t before = 0, lost;

	chan_xdp_release(pipe);
	if (p->state == PIPE_OPEN)
		mem_decr32(emem40(&chan_shared.open_pipes[chan]));
	p->state = PIPE_CLOSING;
	chan_state[chan].pipes &= ~(1u << pipe);
	chan_note_pending &= ~(1u << pipe);
	chan_unlink(pipe, 0, &before);
	chan_wait_idle(pipe);
	other = chan_pair_close(pipe);
	if (other != CHAN_NONE) {
		/*
		 * The other pipe is PIPE_FAULT. The contexts that end its DMA wake control only
		 * when hold is set.
		 */
		chan_pipe[other].hold = 1;
		chan_wait_idle(other);
		chan_pipe[other].hold = 0;
	}
	chan_device_close(pipe);
	/* A delivery that ended during the waits may have asked for a record of this pipe. */
	chan_note_pending &= ~(1u << pipe);
	chan_fire_pending &= ~(1u << pipe);
	chan_late &= ~(1u << pipe);
	chan_port_close(pipe);
	lost = chan_lost(pipe);
	if (lost)
		chan_count_dropped(chan, lost);
	proc = p->waiter;
	p->waiter = CHAN_NONE;
	if (proc != CHAN_NONE)
		chan_complete(proc, CHAN_XREG_SEND, CHAN_SIG_SEND, CHAN_DROPPED);
	drop_vector(pipe);
	p->armed = ARM_NO;
	p->state = PIPE_FREE;
	return before + lost;
}

/*
 * A pipe to the NFP that shares a ring is closed before the pipe to the host: that pipe
 * would take its doorbells for a breach.
 */
static __swaps void close_all(void)
{
	unsigned int i;

	for (i = 0; i < CHAN_PIPES; i++)
		if (chan_pipe[i].state != PIPE_FREE && chan_pipe[i].pair != CHAN_NONE &&
		    chan_pipe[i].dir == NFP_CHAN_TO_NFP)
			close_pipe(i);
	for (i = 0; i < CHAN_PIPES; i++)
		if (chan_pipe[i].state != PIPE_FREE)
			close_pipe(i);
}

static __swaps int cmd_hello(const struct nfp_chan_fw_req *req, struct answer *answer)
{
	uint64_t addr = le64_to_cpu(req->ring_addr);
	unsigned int vector = le16_to_cpu(req->vector);

	if (!addr || !chan_addr_ok(addr, sizeof(struct nfp_chan_fw_rsp), 64) || !vector_ok(vector))
		return NFP_CHAN_FW_EINVAL;
	close_all();
	answer->addr = addr;
	answer->vector = (uint16_t)vector;
	return NFP_CHAN_FW_OK;
}

/* ---- OPEN ---- */

/* Does the ring hold a message, and can its doorbell tell every position in the ring? */
static int unit_ok(const struct chan_desc *d, unsigned int ring, unsigned int unit)
{
	uint32_t units;

	if (unit > ring || ring - unit > CHAN_UNITS_SHIFT_MAX)
		return 0;
	if (d->kind == NFP_CHAN_STREAM)
		return d->elem_size <= 1u << ring &&
		       (d->dir == NFP_CHAN_TO_HOST ||
			!(d->elem_size & ((1u << unit) - 1)));
	units = ((uint32_t)sizeof(struct nfp_chan_hdr) + d->max_size - 1) >> unit;
	return unit >= CHAN_UNIT_SHIFT_MIN && units < 1u << (ring - unit);
}

/* Is the inline page free, and do the pipe's messages go to the NFP? */
static int inline_ok(const struct chan_desc *d, unsigned int inline_page)
{
	unsigned int i;

	if (!inline_page)
		return 1;
	if (inline_page > CHAN_INLINE_PAGES || d->dir != NFP_CHAN_TO_NFP || d->kind != NFP_CHAN_MESSAGE)
		return 0;
	for (i = 0; i < CHAN_PIPES; i++)
		if (chan_pipe[i].state != PIPE_FREE && chan_pipe[i].inline_page == inline_page)
			return 0;
	return 1;
}

/* Is the signal doorbell free, and does the ME process take signals? */
static int signal_db_ok(const struct chan_desc *d, unsigned int signal_db)
{
	unsigned int i;

	if (!signal_db)
		return 1;
	if (signal_db > CHAN_BELLS || !(d->flags & NFP_CHAN_F_SIGNAL))
		return 0;
	for (i = 0; i < CHAN_PIPES; i++)
		if (chan_pipe[i].state != PIPE_FREE && chan_pipe[i].signal_db == signal_db)
			return 0;
	return 1;
}

/* A host that waits for several messages must say how long it waits at most. */
static int moderation_ok(const struct nfp_chan_fw_req *req)
{
	return le32_to_cpu(req->irq_usecs) <= NFP_CHAN_IRQ_USECS_MAX &&
	       (req->irq_usecs || le16_to_cpu(req->irq_count) <= 1);
}

static int flags_ok(const struct chan_desc *d, unsigned int flags)
{
	return !flags || (flags == NFP_CHAN_FW_OPEN_LINK && d->dir == NFP_CHAN_TO_HOST &&
			  d != &chan_desc[CHAN_PORT]);
}

static int open_check(const struct nfp_chan_fw_req *req, unsigned int pipe, unsigned int chan)
{
	const struct chan_desc *d;
	uint32_t i;

	if (pipe >= CHAN_PIPES)
		return NFP_CHAN_FW_EINVAL;
	if (chan > CHAN_PORT || chan_state[chan].ended)
		return NFP_CHAN_FW_ENOENT;
	d = &chan_desc[chan];
	if (req->ring_shift < CHAN_RING_SHIFT_MIN || req->ring_shift > CHAN_RING_SHIFT_MAX)
		return NFP_CHAN_FW_EINVAL;
	if (!unit_ok(d, req->ring_shift, req->unit_shift))
		return NFP_CHAN_FW_EINVAL;
	if (!vector_ok(le16_to_cpu(req->vector)) || !inline_ok(d, req->inline_page) ||
	    !signal_db_ok(d, req->signal_db) || !moderation_ok(req) ||
	    !chan_port_ok(req, chan) || req->rsvd[0] || req->rsvd[1] ||
	    !flags_ok(d, le16_to_cpu(req->flags)))
		return NFP_CHAN_FW_EINVAL;
	if (!chan_addr_ok(le64_to_cpu(req->ring_addr), 1ull << req->ring_shift, 4096) ||
	    !chan_addr_ok(le64_to_cpu(req->note_addr), sizeof(struct nfp_chan_note), 64))
		return NFP_CHAN_FW_EINVAL;
	if (chan_pipe[pipe].state != PIPE_FREE)
		return NFP_CHAN_FW_EBUSY;
	if (!(d->flags & NFP_CHAN_F_EXCLUSIVE))
		return NFP_CHAN_FW_OK;
	for (i = 0; i < CHAN_PIPES; i++)
		if (chan_pipe[i].state != PIPE_FREE && chan_pipe[i].chan == chan)
			return NFP_CHAN_FW_EBUSY;
	return NFP_CHAN_FW_OK;
}

/* Return: bytes that may be outstanding: @depth messages, or in a stream the whole ring. */
static uint32_t limit(const struct chan_pipe *p, const struct chan_desc *d)
{
	uint32_t size = 1u << p->ring_shift, one = chan_msg_bytes(p, d->max_size);
	uint64_t bytes = (uint64_t)one * (d->depth ? d->depth : 1);
	/* A unit may be as large as the ring, so this may be more bytes than any ring has. */
	uint64_t most = (uint64_t)CHAN_SEQ_SPAN << p->unit_shift;

	if (d->kind == NFP_CHAN_STREAM) {
		bytes = size - size % one;
		most = chan_counts_notes(p) || size / one <= CHAN_SEQ_SPAN ? size
									   : CHAN_SEQ_SPAN * one;
	}
	if (most > size)
		most = size;
	return (uint32_t)(bytes < most ? bytes : most);
}

static __swaps void set_moderation(unsigned int pipe, const struct nfp_chan_fw_req *req)
{
	__xwrite struct chan_mod out;
	struct chan_mod m;

	m.until = 0;
	m.ticks = le32_to_cpu(req->irq_usecs) * (1000 / ME_TSC_NS);
	m.count = le16_to_cpu(req->irq_count);
	out = m;
	mem_write8(&out, emem40(&chan_mod[pipe]), sizeof(out));
}

/* Return: the index of the request's channel. CHAN_PORT, after the table, stands for a port. */
static unsigned int req_chan(const struct nfp_chan_fw_req *req)
{
	unsigned int chan = le16_to_cpu(req->chan);

	if (chan == NFP_CHAN_ID_PORT)
		return CHAN_PORT;
	return chan < CHAN_COUNT ? chan : CHAN_PORT + 1;
}

static __swaps int cmd_open(const struct nfp_chan_fw_req *req)
{
	unsigned int pipe = le16_to_cpu(req->pipe), chan = req_chan(req);
	__xrw uint32_t before;
	struct chan_pipe *p;
	int status = open_check(req, pipe, chan);

	if (status == NFP_CHAN_FW_OK)
		status = chan_pair_check(req, chan);
	if (status != NFP_CHAN_FW_OK)
		return status;
	p = &chan_pipe[pipe];
	lmem_zero(p, sizeof(*p));
	p->ring = le64_to_cpu(req->ring_addr);
	p->note = le64_to_cpu(req->note_addr);
	p->vector = le16_to_cpu(req->vector);
	p->ring_shift = req->ring_shift;
	p->unit_shift = req->unit_shift;
	p->chan = (uint8_t)chan;
	p->dir = chan_desc[chan].dir;
	p->inline_page = req->inline_page;
	p->signal_db = req->signal_db;
	p->link = CHAN_NONE;
	p->mute = le16_to_cpu(req->flags) & NFP_CHAN_FW_OPEN_LINK;
	chan_pair_open(pipe, le16_to_cpu(req->ring_of));
	if (p->inline_page)
		chan_inline_clear(p->inline_page);
	chan_stage_drop(pipe);
	p->waiter = CHAN_NONE;
	p->limit = limit(p, &chan_desc[chan]);
	set_moderation(pipe, req);
	chan_port_open(pipe, le16_to_cpu(req->port), req->cookie);
	qc_init_queue(CHAN_PCIE_ISL, CHAN_QUEUE_PIPE(pipe));
	qc_init_queue(CHAN_PCIE_ISL, CHAN_QUEUE_PIPE(pipe) + 1);
	p->state = PIPE_OPEN;
	chan_state[chan].pipes |= 1u << pipe;
	before = 1;
	mem_test_add(&before, emem40(&chan_shared.open_pipes[chan]), sizeof(before));
	if (!before && chan != CHAN_PORT && p->dir == NFP_CHAN_TO_HOST)
		chan_signal(chan, CHAN_SIG_OPEN);
	/* Messages may wait for a receiver. */
	chan_kick(chan);
	return NFP_CHAN_FW_OK;
}

/* ---- CANCEL ---- */

static __swaps int cmd_cancel(const struct nfp_chan_fw_req *req, unsigned int pipe)
{
	struct chan_pipe *p = &chan_pipe[pipe];
	SIGNAL wake;
	int status;

	if (p->dir != NFP_CHAN_TO_NFP || chan_is_stream(p->chan))
		return NFP_CHAN_FW_EINVAL;
	/* A message whose delivery has begun counts as taken. */
	p->hold = 1;
	chan_wait_idle(pipe);
	status = p->state == PIPE_OPEN ? chan_cancel(pipe, le32_to_cpu(req->msg_seq))
				       : NFP_CHAN_FW_EINVAL;
	/* The record with the new position has to arrive before the response. */
	chan_ask(pipe);
	__assign_relative_register(&wake, SIG_WAKE);
	while (chan_note_pending & 1u << pipe || p->noting)
		wait_for_all(&wake);
	p->hold = 0;
	chan_kick(p->chan);
	return status;
}

/* ---- the mailbox ---- */

static __swaps void respond(const struct answer *answer, const struct nfp_chan_fw_req *req,
			    int status, uint32_t value)
{
	__xwrite struct nfp_chan_fw_rsp out;
	struct nfp_chan_fw_rsp rsp;
	SIGNAL sig;

	if (!answer->addr)
		return;
	rsp.status = cpu_to_le32(status);
	rsp.value = cpu_to_le32(value);
	rsp.rsvd = 0;
	rsp.seq = req->seq;
	out = rsp;
	mem_write8(&out, ctm40(&chan_ctl_rsp), sizeof(out));
	__assign_relative_register(&sig, SIG_DMA);
	chan_dma_host(1, PCIE_DMA_CFG_COMMAND, answer->addr, ctm40(&chan_ctl_rsp),
		      sizeof(rsp), &sig);
	wait_for_all(&sig);
	if (answer->vector != NFP_CHAN_FW_NO_VECTOR)
		msix_pf_send(CHAN_PCIE_ISL, CHAN_C2P_CTL, answer->vector);
}

/* Commands for a pipe that is open. */
static __swaps int pipe_request(const struct nfp_chan_fw_req *req, uint32_t *value)
{
	unsigned int pipe = le16_to_cpu(req->pipe);

	if (pipe >= CHAN_PIPES)
		return NFP_CHAN_FW_EINVAL;
	if (chan_pipe[pipe].state == PIPE_FREE)
		return NFP_CHAN_FW_ENOENT;
	switch (le16_to_cpu(req->cmd)) {
	case NFP_CHAN_FW_CMD_CLOSE:
		*value = close_pipe(pipe);
		return NFP_CHAN_FW_OK;
	case NFP_CHAN_FW_CMD_CANCEL:
		return cmd_cancel(req, pipe);
	case NFP_CHAN_FW_CMD_UNLINK:
		return chan_unlink(pipe, le32_to_cpu(req->msg_seq), value);
	case NFP_CHAN_FW_CMD_BIND:
		return chan_xdp_bind(pipe, le32_to_cpu(req->map_id));
	default:
		return chan_xdp_unbind(pipe, le32_to_cpu(req->map_id));
	}
}

static __swaps int dispatch(const struct nfp_chan_fw_req *req, struct answer *answer,
			    uint32_t *value)
{
	unsigned int cmd = le16_to_cpu(req->cmd);
	__xread __le32 boot_id;
	int status;

	/*
	 * HELLO sets the address of answers, and GOODBYE clears it. A request without an address
	 * comes from before the start of this firmware, or from after GOODBYE. It is refused, and
	 * respond() sends no answer.
	 */
	if (!answer->addr && cmd != NFP_CHAN_FW_CMD_HELLO)
		return NFP_CHAN_FW_EINVAL;
	if (cmd == NFP_CHAN_FW_CMD_LINK)
		return chan_link();
	if (cmd == NFP_CHAN_FW_CMD_DEVICE)
		return chan_device_request();
	if ((req->inline_page || req->signal_db || req->irq_count || req->irq_usecs || req->port ||
	     req->ring_of || req->flags) &&
	    cmd != NFP_CHAN_FW_CMD_OPEN)
		return NFP_CHAN_FW_EINVAL;
	if (req->map_id && cmd != NFP_CHAN_FW_CMD_BIND && cmd != NFP_CHAN_FW_CMD_UNBIND)
		return NFP_CHAN_FW_EINVAL;
	switch (cmd) {
	case NFP_CHAN_FW_CMD_HELLO:
		status = cmd_hello(req, answer);
		if (status != NFP_CHAN_FW_OK)
			return status;
		pcie_sram_read(CHAN_PCIE_ISL, &boot_id,
			       SRAM_AT(offsetof(struct nfp_chan_fw_cb, boot_id)), sizeof(boot_id));
		*value = le32_to_cpu(boot_id);
		return NFP_CHAN_FW_OK;
	case NFP_CHAN_FW_CMD_GOODBYE:
		close_all();
		return NFP_CHAN_FW_OK;
	case NFP_CHAN_FW_CMD_OPEN:
		return cmd_open(req);
	case NFP_CHAN_FW_CMD_CLOSE:
	case NFP_CHAN_FW_CMD_CANCEL:
	case NFP_CHAN_FW_CMD_BIND:
	case NFP_CHAN_FW_CMD_UNBIND:
	case NFP_CHAN_FW_CMD_UNLINK:
		return pipe_request(req, value);
	}
	return NFP_CHAN_FW_ENOSYS;
}

static __swaps void request(struct answer *answer)
{
	__xread struct nfp_chan_fw_req in;
	struct nfp_chan_fw_req req;
	uint32_t value = 0;
	int status;

	pcie_sram_read(CHAN_PCIE_ISL, &in, SRAM_AT(SRAM_MBOX), sizeof(in));
	req = in;
	/*
	 * Each request is done once. The doorbell of a request that the host gave up may be
	 * counted when the next request is in the mailbox, before that one's own doorbell.
	 */
	if (!req.seq || req.seq == answer->seq)
		return;
	answer->seq = req.seq;
	status = dispatch(&req, answer, &value);
	respond(answer, &req, status, value);
	if (le16_to_cpu(req.cmd) == NFP_CHAN_FW_CMD_GOODBYE && status == NFP_CHAN_FW_OK)
		answer->addr = 0;
}

void chan_ctl_main(void)
{
	struct answer answer;
	SIGNAL wake;

	answer.addr = 0;
	answer.seq = 0;
	answer.vector = NFP_CHAN_FW_NO_VECTOR;
	chan_init();
	__assign_relative_register(&wake, SIG_WAKE);
	for (;;) {
		while (!chan_mbox_pending)
			wait_for_all(&wake);
		chan_mbox_pending = 0;
		request(&answer);
	}
}
