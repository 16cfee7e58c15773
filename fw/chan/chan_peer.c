// SPDX-License-Identifier: BSD-2-Clause
/*
 * chan_peer.c - links between two cards (uapi/PROTOCOL.rst).
 *
 * The sending card has a pipe to the host, the receiving card a pipe to the NFP. Both pipes use
 * one ring, in the memory of the receiving card (push) or of the host (staging). Instead of
 * writing a record, each card rings the data queue of the pipe on the other card, as the host
 * does otherwise. Each card checks the doorbells of the other card as it checks those of a host.
 *
 * The control context does LINK and UNLINK, the notes context rings.
 */
#include <nfp/me.h>
#include <nfp/mem_atomic.h>
#include <nfp/mem_bulk.h>
#include <nfp/pcie.h>

#include "chan_int.h"

/* Bytes from the doorbell of a pipe's data queue to the doorbell of the arm queue */
#define ARM_BELL	NFP_CHAN_FW_QC_STRIDE

/* For each pipe: DMA address of the data doorbell of the pipe on the other card */
__export __emem uint64_t chan_bell[CHAN_PIPES];
/* Values that DMA writes to doorbells: one for each DMA under way, the last for control */
__export __ctm __align8 __le32 chan_bell_value[CHAN_NOTE_BATCH + 1];
/* Bytes of the ring that are read back before a doorbell, and the nonce of a probe */
__export __ctm __align8 uint32_t chan_bell_back[2];
__export __ctm __align8 __le32 chan_nonce[2];

__vnic_window __emem uint8_t chan_push[CHAN_PUSH];

/* ---- LINK ---- */

static int push_ok(const struct chan_pipe *p, uint64_t addr, uint32_t size)
{
	uint64_t base = mem40_addr(emem40(chan_push));

	return p->dir == NFP_CHAN_TO_NFP && addr >= base && size <= CHAN_PUSH &&
	       addr - base <= CHAN_PUSH - size && !(addr & 4095);
}

/* Return: log2 of the unit in a ring of that size. In a stream it may be below a header's size. */
static uint32_t unit_shift(const struct chan_pipe *p, uint32_t ring_shift)
{
	uint32_t least = chan_is_stream(p->chan) ? 0 : CHAN_UNIT_SHIFT_MIN;

	return ring_shift > CHAN_UNITS_SHIFT_MAX + least ? ring_shift - CHAN_UNITS_SHIFT_MAX :
							   least;
}

/* Return: bytes of the largest message that this card sends by the link, with its header. */
static uint32_t most(const struct nfp_chan_fw_link *req, const struct chan_pipe *p)
{
	uint32_t own = chan_desc[p->chan].max_size + req->hdr_len;

	if (p->dir == NFP_CHAN_TO_NFP || req->peer_flags & NFP_CHAN_FW_PEER_PROBE)
		return 0;
	if (!req->match_len)
		return own;
	return le32_to_cpu(req->peer_arg) < own ? le32_to_cpu(req->peer_arg) : own;
}

static int request_ok(const struct nfp_chan_fw_link *req, const struct chan_pipe *p)
{
	const struct chan_desc *d = &chan_desc[p->chan];
	uint32_t shift = req->ring_shift, limit = le32_to_cpu(req->limit), unit, one;
	uint64_t ring = le64_to_cpu(req->ring_addr);

	if (shift < CHAN_RING_SHIFT_MIN || shift > CHAN_RING_SHIFT_MAX)
		return 0;
	if (req->peer_flags & ~(NFP_CHAN_FW_PEER_PROBE | NFP_CHAN_FW_PEER_PUSH |
				NFP_CHAN_FW_PEER_EXACT))
		return 0;
	if (req->peer_flags & NFP_CHAN_FW_PEER_PROBE &&
	    (!req->peer_arg || le32_to_cpu(req->peer_arg) > NFP_CHAN_FW_QC_PTR_MASK))
		return 0;
	if (!req->ring_addr || !req->doorbell_addr ||
	    !chan_addr_ok(le64_to_cpu(req->doorbell_addr), 4, 4))
		return 0;
	if (p->dir == NFP_CHAN_TO_NFP && req->peer_flags & NFP_CHAN_FW_PEER_PUSH ?
	    !push_ok(p, ring, 1u << shift) : !chan_addr_ok(ring, 1ull << shift, 4096))
		return 0;
	unit = 1u << unit_shift(p, shift);
	one = (uint32_t)sizeof(struct nfp_chan_hdr) + most(req, p);
	if (chan_is_stream(p->chan))
		one = d->elem_size;
	if (chan_is_stream(p->chan) && one & (unit - 1))
		return 0;
	one = (one + unit - 1) & ~(unit - 1);
	return one <= limit && limit <= 1u << shift;
}

static __swaps void write_and_wait(uint64_t addr, __mem40 void *from, uint32_t len)
{
	SIGNAL sig;

	__assign_relative_register(&sig, SIG_DMA);
	chan_dma_host(1, PCIE_DMA_CFG_COMMAND, addr, from, len, &sig);
	wait_for_all(&sig);
}

/* Write @mark to the arm queue of the pipe at the other end, where the host sees the mark. */
static __swaps void mark_write(uint64_t bell, uint32_t mark)
{
	chan_bell_value[CHAN_NOTE_BATCH] = cpu_to_le32(mark);
	write_and_wait(bell + ARM_BELL, ctm40(&chan_bell_value[CHAN_NOTE_BATCH]), 4);
}

/*
 * Try all accesses of the link, so that the host sees whether they arrive. The sending card
 * writes a nonce into the ring. A receiving card that reads the ring by DMA compares the nonce.
 */
static __swaps int probe(const struct nfp_chan_fw_link *req, const struct chan_pipe *p)
{
	uint64_t ring = le64_to_cpu(req->ring_addr);
	__xwrite __le32 nonce[2];
	__xread __le32 found[2];
	SIGNAL sig;

	if (p->dir == NFP_CHAN_TO_HOST) {
		nonce[0] = req->peer_arg;
		nonce[1] = ~req->peer_arg;
		mem_write8(nonce, ctm40(chan_nonce), sizeof(nonce));
		write_and_wait(ring, ctm40(chan_nonce), sizeof(nonce));
	} else if (!(req->peer_flags & NFP_CHAN_FW_PEER_PUSH)) {
		__assign_relative_register(&sig, SIG_DMA);
		chan_dma_host(0, PCIE_DMA_CFG_COMMAND, ring, ctm40(chan_nonce), sizeof(found), &sig);
		wait_for_all(&sig);
		mem_read8(found, ctm40(chan_nonce), sizeof(found));
		if (found[0] != req->peer_arg || found[1] != ~req->peer_arg)
			return NFP_CHAN_FW_EREACH;
	}
	mark_write(le64_to_cpu(req->doorbell_addr), le32_to_cpu(req->peer_arg));
	return NFP_CHAN_FW_OK;
}

/* LINK of a pipe that may be linked. The pipe has carried nothing yet. */
int chan_peer_link(const struct nfp_chan_fw_link *req, unsigned int pipe)
{
	struct chan_pipe *p = &chan_pipe[pipe];

	if (!request_ok(req, p))
		return NFP_CHAN_FW_EINVAL;
	if (p->dir == NFP_CHAN_TO_HOST ? !chan_route_rule_ok(req, pipe) :
					    req->hdr_len || req->match_len)
		return NFP_CHAN_FW_EINVAL;
	if (p->prod || p->busy)
		return NFP_CHAN_FW_EBUSY;
	if (req->peer_flags & NFP_CHAN_FW_PEER_PROBE)
		return probe(req, p);
	chan_link_clear(pipe);
	/* A message may have come during the wait. */
	if (p->prod || p->busy || p->state != PIPE_OPEN)
		return NFP_CHAN_FW_EBUSY;
	chan_bell[pipe] = le64_to_cpu(req->doorbell_addr);
	p->ring = le64_to_cpu(req->ring_addr);
	p->ring_shift = req->ring_shift;
	p->unit_shift = (uint8_t)unit_shift(p, req->ring_shift);
	p->limit = le32_to_cpu(req->limit);
	p->push = (req->peer_flags & NFP_CHAN_FW_PEER_PUSH) != 0;
	p->armed = ARM_NO;
	p->link = LINK_PEER;
	if (p->dir == NFP_CHAN_TO_HOST) {
		p->hdr = req->hdr_len;
		chan_route_add(req, pipe);
	}
	/* Messages may wait for a receiver. */
	chan_kick(p->chan);
	return NFP_CHAN_FW_OK;
}

/* ---- doorbells ---- */

/*
 * The ring is in host memory and the doorbell on a card. PCIe keeps no order between writes to
 * two destinations. But a read does not pass the writes before it, so these writes have landed
 * when the read is answered.
 */
static __swaps void flush(struct chan_pipe *p, uint64_t pos, SIGNAL *sig)
{
	chan_dma(p, 0, (pos - 1) & ~7ull, ctm40(chan_bell_back), sizeof(chan_bell_back), sig);
	wait_for_all(sig);
}

/*
 * Ring for the bytes before @pos that were not rung for yet. @slot and @sig belong to the notes
 * context. Return: whether a doorbell is under way.
 */
int chan_peer_ring(unsigned int pipe, uint64_t pos, unsigned int slot, SIGNAL *sig)
{
	struct chan_pipe *p = &chan_pipe[pipe];
	uint32_t units = (uint32_t)((pos - p->sent_pos) >> p->unit_shift);

	if (!units)
		return 0;
	if (p->dir == NFP_CHAN_TO_HOST && !p->push)
		flush(p, pos, sig);
	p->sent_pos += (uint64_t)units << p->unit_shift;
	chan_bell_value[slot] = cpu_to_le32(units);
	chan_dma_host(1, PCIE_DMA_CFG_NOTE, chan_bell[pipe], ctm40(&chan_bell_value[slot]), 4,
		      sig);
	return 1;
}

/* ---- the end ---- */

/* Wait until the other card was rung for all that was sent. */
static __swaps void ring_rest(unsigned int pipe)
{
	SIGNAL wake;

	__assign_relative_register(&wake, SIG_WAKE);
	chan_note_kick(pipe);
	while (chan_note_pending & 1u << pipe || chan_pipe[pipe].noting)
		wait_for_all(&wake);
}

/*
 * End the pipe's part of the link, and turn the pipe off, because it has no ring any more. The
 * other card is rung for all messages that were sent to it. Messages that came and were not
 * received are counted in *@lost. @mark is the last write to the other card; the host sees the
 * mark in the arm queue of that card's pipe. If @mark is 0, the other card may be gone, and
 * nothing is written to it.
 */
void chan_peer_unlink(unsigned int pipe, uint32_t mark, uint32_t *lost)
{
	struct chan_pipe *p = &chan_pipe[pipe];
	unsigned int proc = p->waiter;

	if (p->state == PIPE_OPEN) {
		p->state = PIPE_FAULT;
		mem_decr32(emem40(&chan_shared.open_pipes[p->chan]));
	}
	p->hold = 1;
	chan_state[p->chan].pipes &= ~(1u << pipe);
	chan_route_drop(pipe);
	if (!mark)
		chan_note_pending &= ~(1u << pipe);
	chan_wait_idle(pipe);
	if (p->dir == NFP_CHAN_TO_HOST) {
		if (mark)
			ring_rest(pipe);
	} else {
		*lost = chan_lost(pipe);
		if (*lost)
			chan_count_dropped(p->chan, *lost);
	}
	if (mark)
		mark_write(chan_bell[pipe], mark & NFP_CHAN_FW_QC_PTR_MASK);
	chan_link_wait_shown(pipe);
	p->waiter = CHAN_NONE;
	if (proc != CHAN_NONE)
		chan_complete(proc, CHAN_XREG_SEND, CHAN_SIG_SEND, CHAN_DROPPED);
	p->link = CHAN_NONE;
	p->hdr = 0;
	p->push = 0;
	p->prod = 0;
	p->cons = 0;
	p->sent_pos = 0;
	p->skip = 0;
	p->hold = 0;
	chan_stage_drop(pipe);
	p->note_state = NFP_CHAN_STATE_FAULT;
	if (p->state == PIPE_FAULT) {
		chan_note_kick(pipe);
		chan_kick(p->chan);
	}
}
