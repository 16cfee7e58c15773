// SPDX-License-Identifier: BSD-2-Clause
/*
 * fault_inject.c - faults: how they change the transfers that cross PCIe.
 *
 * The faults read each request of the host on its way to the firmware, like a bus analyser. The
 * requests say which DMA addresses and which vector belong to a pipe. Transfers that belong to no
 * channel, such as those of the vNICs' rings, are not changed.
 */
#include <stdlib.h>

#include "bytes.h"
#include "cfg.h"
#include "dma.h"
#include "fault.h"
#include "fault_int.h"
#include "pcie_island.h"

#define REQ(f)	offsetof(struct nfp_chan_fw_req, f)
#define LINK(f)	offsetof(struct nfp_chan_fw_link, f)
#define RSP(f)	offsetof(struct nfp_chan_fw_rsp, f)
#define CB(f)	offsetof(struct nfp_chan_fw_cb, f)

static const uint8_t *cb(const struct board *b)
{
	return b->pcie->sram + NFP_CHAN_FW_SRAM_BASE;
}

bool fault_gone(const struct board *b)
{
	return b->faults->gone;
}

bool fault_halted(const struct board *b)
{
	return b->faults->halted;
}

/* ---- control block ---- */

/* Does the word at @off belong to the control block or to its channel table? */
static bool in_block(const struct board *b, uint32_t off)
{
	uint32_t table = bd_get32(cb(b) + CB(chan_off));
	uint32_t len = bd_get16(cb(b) + CB(chan_count)) * bd_get16(cb(b) + CB(chan_stride));

	return off < sizeof(struct nfp_chan_fw_cb) || (off >= table && off - table < len);
}

/* Is the word at @off the upper half of a counter? */
static bool is_stat_high(const struct board *b, uint32_t off)
{
	uint32_t stat = bd_get32(cb(b) + CB(stat_off));
	uint32_t len = bd_get16(cb(b) + CB(chan_count)) * sizeof(struct nfp_chan_fw_stat);

	return off >= stat && off - stat < len && (off - stat) & 4;
}

static uint32_t block_word(struct board *b, uint32_t off, uint32_t word)
{
	const struct fault_rule *r;

	r = fault_hit(b, FAULT_CB_GARBAGE, FAULT_ANY_PIPE);
	/* Keep the magic number: without it the host would only find no firmware. */
	if (r && off)
		return (off + r->value) * 2654435761u;
	if (fault_hit(b, FAULT_CB_STALE, FAULT_ANY_PIPE))
		return bd_get32(b->faults->stale + off);
	r = fault_find(b, FAULT_CB_CHANGE, FAULT_ANY_PIPE);
	if (r && off == r->value && fault_hit(b, FAULT_CB_CHANGE, FAULT_ANY_PIPE))
		return word + r->hits;
	r = fault_find(b, FAULT_CB_VERSION, FAULT_ANY_PIPE);
	if (r && off == CB(abi_major) && fault_hit(b, FAULT_CB_VERSION, FAULT_ANY_PIPE))
		return (word & 0xffff0000) | (r->value & 0xffff);
	return word;
}

/* The host reads @len bytes at offset @off of PCIe SRAM. Apply the faults to each word of @buf. */
void fault_sram_read(struct board *b, uint32_t off, uint8_t *buf, size_t len)
{
	const struct fault_rule *r;
	size_t i;

	if (off < NFP_CHAN_FW_SRAM_BASE)
		return;
	off -= NFP_CHAN_FW_SRAM_BASE;
	for (i = 0; i + 4 <= len; i += 4) {
		uint32_t word = bd_get32(buf + i);

		if (in_block(b, off + i))
			word = block_word(b, off + i, word);
		r = is_stat_high(b, off + i) ? fault_hit(b, FAULT_STAT_FLIP, FAULT_ANY_PIPE) : NULL;
		if (r)
			word += r->hits;
		if (fault_hit(b, FAULT_SRAM_ONES, FAULT_ANY_PIPE))
			word = UINT32_MAX;
		bd_put32(buf + i, word);
	}
}

/* ---- DMA on its way ---- */

static void raise(struct board *b, unsigned int vector)
{
	if (b->host && bd_cfg_master(b) && vector < BOARD_MSIX_VECTORS)
		b->host->msix(b->host_ctx, vector);
}

static void land(struct board *b, const struct fault_held *h)
{
	bd_dma_now(b, true, BOARD_TLP_DATA, h->host, h->mem, h->len);
	if (h->kind == FAULT_MBOX_TORN)
		raise(b, b->faults->mbox_vector);
}

/* Remove entry @i from the list of held writes, and keep the order of the others. */
static void unhold(struct bd_fault *f, unsigned int i)
{
	free(f->held[i].mem);
	memmove(&f->held[i], &f->held[i + 1], (--f->nheld - i) * sizeof(f->held[0]));
}

static bool hold(struct board *b, enum fault_kind kind, unsigned int pipe,
		 const struct board_dma *d, uint32_t wait)
{
	struct bd_fault *f = b->faults;
	struct fault_held h = {
		.kind = kind, .pipe = pipe, .wait = wait, .host = d->host, .len = d->len,
	};

	/*
	 * Do not hold a write while the host has bus mastering off, as it is after a reset: such
	 * a write fails at once.
	 */
	if (f->nheld == FAULT_HELD || !bd_cfg_master(b))
		return false;
	h.mem = malloc(d->len);
	if (!h.mem)
		return false;
	memcpy(h.mem, d->mem, d->len);
	f->held[f->nheld++] = h;
	return true;
}

/*
 * The fault @kind delays writes of @pipe until a number of events. Count one event for each delayed
 * write, and do the writes for which it was the last.
 */
static void held_event(struct board *b, enum fault_kind kind, unsigned int pipe)
{
	struct bd_fault *f = b->faults;
	unsigned int i = 0;

	while (i < f->nheld) {
		struct fault_held *h = &f->held[i];

		if (h->kind != kind || h->pipe != pipe || --h->wait) {
			i++;
			continue;
		}
		land(b, h);
		unhold(f, i);
	}
}

static bool is_held(const struct bd_fault *f, enum fault_kind kind, unsigned int pipe)
{
	unsigned int i;

	for (i = 0; i < f->nheld; i++)
		if (f->held[i].kind == kind && f->held[i].pipe == pipe)
			return true;
	return false;
}

/* Fault @kind ends: let all writes land that it holds. */
void fault_release(struct board *b, enum fault_kind kind)
{
	struct bd_fault *f = b->faults;
	unsigned int i = 0;

	while (i < f->nheld) {
		if (f->held[i].kind != kind) {
			i++;
			continue;
		}
		land(b, &f->held[i]);
		unhold(f, i);
	}
}

/* Discard all held writes: a reset ends all DMA. */
void fault_drop(struct board *b)
{
	while (b->faults->nheld)
		unhold(b->faults, b->faults->nheld - 1);
}

void fault_forget(struct board *b)
{
	struct bd_fault *f = b->faults;

	fault_drop(b);
	memset(f->pipe, 0, sizeof(f->pipe));
	f->rsp = 0;
	f->have_rsp = false;
}

/* Discard the writes that are held for @pipe: the host owns the pipe's memory again after CLOSE. */
static void pipe_forget(struct bd_fault *f, unsigned int pipe)
{
	unsigned int i = 0;

	while (i < f->nheld) {
		if (f->held[i].pipe == pipe)
			unhold(f, i);
		else
			i++;
	}
}

static void pipes_forget(struct bd_fault *f)
{
	unsigned int i;

	for (i = 0; i < NFP_CHAN_FW_PIPE_MAX; i++)
		pipe_forget(f, i);
	memset(f->pipe, 0, sizeof(f->pipe));
}

/* ---- the mailbox ---- */

/* Return the request in the mailbox; NULL: the offset of the mailbox in the control block is wrong. */
static const uint8_t *request(const struct board *b)
{
	uint32_t off = bd_get32(cb(b) + CB(mbox_off));

	return off > NFP_CHAN_FW_SRAM_SIZE - sizeof(struct nfp_chan_fw_link) ? NULL : cb(b) + off;
}

static void request_read(struct board *b)
{
	const uint8_t *req = request(b);
	struct bd_fault *f = b->faults;
	struct fault_pipe *p;
	unsigned int pipe;

	if (!req)
		return;
	pipe = bd_get16(req + REQ(pipe));
	p = &f->pipe[pipe % NFP_CHAN_FW_PIPE_MAX];
	switch (bd_get16(req + REQ(cmd))) {
	case NFP_CHAN_FW_CMD_GOODBYE:
		pipes_forget(f);
		break;
	case NFP_CHAN_FW_CMD_HELLO:
		pipes_forget(f);
		f->rsp = bd_get64(req + REQ(ring_addr));
		f->mbox_vector = bd_get16(req + REQ(vector));
		f->have_rsp = false;
		break;
	case NFP_CHAN_FW_CMD_OPEN:
		p->open = true;
		p->chan = bd_get16(req + REQ(chan));
		p->vector = bd_get16(req + REQ(vector));
		p->ring = bd_get64(req + REQ(ring_addr));
		p->ring_size = 1ULL << (req[REQ(ring_shift)] % 32);
		p->note = bd_get64(req + REQ(note_addr));
		p->last_pos = 0;
		break;
	case NFP_CHAN_FW_CMD_LINK:
		if (bd_get16(req + LINK(to)) != NFP_CHAN_FW_LINK_PEER ||
		    req[LINK(peer_flags)] & NFP_CHAN_FW_PEER_PROBE)
			break;
		p->ring = bd_get64(req + LINK(ring_addr));
		p->ring_size = 1ULL << (req[LINK(ring_shift)] % 32);
		break;
	case NFP_CHAN_FW_CMD_CLOSE:
		p->open = false;
		pipe_forget(f, pipe % NFP_CHAN_FW_PIPE_MAX);
		break;
	}
}

/*
 * Fault irq-freed: raise the vectors of closed pipes, which the host has freed after CLOSE was
 * answered. board_msix() leaves the vector pending while the host has it masked.
 */
static void freed_vectors(struct board *b)
{
	struct bd_fault *f = b->faults;
	unsigned int i;

	for (i = 0; i < NFP_CHAN_FW_PIPE_MAX; i++)
		if (f->pipe[i].ring_size && !f->pipe[i].open && fault_hit(b, FAULT_IRQ_FREED, i))
			board_msix(b, f->pipe[i].vector);
}

/* Apply the faults that a request triggers. */
static void request_strikes(struct board *b)
{
	freed_vectors(b);
	if (fault_hit(b, FAULT_GONE, FAULT_ANY_PIPE))
		b->faults->gone = true;
	if (fault_hit(b, FAULT_FW_STOP, FAULT_ANY_PIPE))
		b->faults->halted = true;
}

/*
 * Write the first 64-bit word and raise the vector, so that the host looks at half of a response.
 * The second word lands when the fault ends.
 */
static bool response_torn(struct board *b, const struct board_dma *d)
{
	struct board_dma rest = *d;

	rest.host += 8;
	rest.mem = (uint8_t *)d->mem + 8;
	rest.len -= 8;
	if (!hold(b, FAULT_MBOX_TORN, FAULT_ANY_PIPE, &rest, 1))
		return false;
	bd_dma_now(b, true, BOARD_TLP_COMMAND, d->host, d->mem, 8);
	raise(b, b->faults->mbox_vector);
	return true;
}

static void response_write(struct board *b, uint8_t *rsp)
{
	bd_dma_now(b, true, BOARD_TLP_COMMAND, b->faults->rsp, rsp,
		   sizeof(struct nfp_chan_fw_rsp));
}

/* Return: true if the fault has written, held or dropped the response. */
static bool response(struct board *b, const struct board_dma *d)
{
	uint8_t rsp[sizeof(struct nfp_chan_fw_rsp)];
	struct bd_fault *f = b->faults;
	const struct fault_rule *r;

	if (fault_hit(b, FAULT_MBOX_SILENT, FAULT_ANY_PIPE))
		return true;
	r = fault_hit(b, FAULT_MBOX_LATE, FAULT_ANY_PIPE);
	if (r && hold(b, FAULT_MBOX_LATE, FAULT_ANY_PIPE, d, r->value))
		return true;
	if (fault_hit(b, FAULT_MBOX_TORN, FAULT_ANY_PIPE) && response_torn(b, d))
		return true;
	memcpy(rsp, d->mem, sizeof(rsp));
	if (fault_hit(b, FAULT_MBOX_TWICE, FAULT_ANY_PIPE)) {
		/* Repeat the previous response. Then write the present one twice. */
		if (f->have_rsp)
			response_write(b, f->last_rsp);
		raise(b, f->mbox_vector);
		response_write(b, rsp);
		raise(b, f->mbox_vector);
	}
	memcpy(f->last_rsp, rsp, sizeof(rsp));
	f->have_rsp = true;
	r = fault_hit(b, FAULT_MBOX_SEQ, FAULT_ANY_PIPE);
	if (r)
		bd_put32(rsp + RSP(seq), bd_get32(rsp + RSP(seq)) + r->value);
	r = fault_hit(b, FAULT_MBOX_STATUS,
		      request(b) ? bd_get16(request(b) + REQ(pipe)) : FAULT_ANY_PIPE);
	if (r)
		bd_put32(rsp + RSP(status), r->value);
	r = fault_hit(b, FAULT_MBOX_VALUE, FAULT_ANY_PIPE);
	if (r)
		bd_put32(rsp + RSP(value), r->value);
	response_write(b, rsp);
	return true;
}

/* ---- doorbells ---- */

/* Return: true if the doorbell write must be dropped. */
bool fault_doorbell(struct board *b, unsigned int queue)
{
	uint64_t pages = bd_get64(cb(b) + CB(queue_pages)), page = 1ULL << queue / 4;
	unsigned int pipe;

	if (queue == bd_get16(cb(b) + CB(mbox_queue))) {
		request_strikes(b);
		held_event(b, FAULT_MBOX_LATE, FAULT_ANY_PIPE);
		if (fault_hit(b, FAULT_MBOX_DEAF, FAULT_ANY_PIPE))
			return true;
		request_read(b);
		return false;
	}
	pipe = (unsigned int)__builtin_popcountll(pages & (page - 1));
	if (!(queue & 2) || !(pages & page) || pipe >= NFP_CHAN_FW_PIPE_MAX)
		return false;
	if (!(queue & 1) && fault_hit(b, FAULT_IRQ_SPURIOUS, pipe))
		raise(b, b->faults->pipe[pipe].vector);
	return fault_hit(b, FAULT_BELL_LOST, pipe);
}

/* ---- records and messages ---- */

static bool note(struct board *b, const struct board_dma *d, unsigned int pipe)
{
	struct fault_pipe *p = &b->faults->pipe[pipe];
	uint8_t rec[sizeof(struct nfp_chan_note)];
	const struct fault_rule *r;
	uint64_t last = p->last_pos;

	memcpy(rec, d->mem, sizeof(rec));
	p->last_pos = bd_get64(rec);
	r = fault_hit(b, FAULT_NOTE_POS, pipe);
	if (r)
		bd_put64(rec, bd_get64(rec) + r->value);
	r = fault_hit(b, FAULT_NOTE_BACK, pipe);
	if (r)
		bd_put64(rec, last - r->value);
	r = fault_hit(b, FAULT_NOTE_STATE, pipe);
	if (r)
		bd_put32(rec + offsetof(struct nfp_chan_note, state), r->value);
	if (!fault_hit(b, FAULT_NOTE_LOST, pipe))
		bd_dma_now(b, true, BOARD_TLP_NOTE, d->host, rec, sizeof(rec));
	held_event(b, FAULT_DATA_LATE, pipe);
	return true;
}

/* Change the header of a message. The header is at the start of the message's first DMA. */
static void header(struct board *b, const struct board_dma *d, unsigned int pipe)
{
	uint8_t hdr[sizeof(struct nfp_chan_hdr)];
	const struct fault_rule *len, *seq;

	if (d->len < sizeof(hdr))
		return;
	len = fault_hit(b, FAULT_HDR_LEN, pipe);
	seq = fault_hit(b, FAULT_HDR_SEQ, pipe);
	if (!len && !seq)
		return;
	memcpy(hdr, d->mem, sizeof(hdr));
	if (len)
		bd_put32(hdr, len->value);
	if (seq)
		bd_put16(hdr + 4, bd_get16(hdr + 4) + seq->value);
	bd_dma_now(b, true, BOARD_TLP_DATA, d->host, hdr, sizeof(hdr));
}

/*
 * Change cookies in the events that a port's ring gets: to the cookie of another channel, or to
 * one that no channel has.
 */
static void cookies(struct board *b, const struct board_dma *d, unsigned int pipe)
{
	uint8_t news[sizeof(struct nfp_chan_port_event)];
	const struct fault_rule *r;
	uint32_t i;

	if (b->faults->pipe[pipe].chan != NFP_CHAN_ID_PORT)
		return;
	for (i = 0; i + sizeof(news) <= d->len; i += sizeof(news)) {
		r = fault_hit(b, FAULT_PORT_COOKIE, pipe);
		if (!r)
			continue;
		bd_put64(news, bd_get64((const uint8_t *)d->mem + i) + r->value);
		bd_dma_now(b, true, BOARD_TLP_DATA, d->host + i, news, sizeof(news));
	}
}

static bool data(struct board *b, const struct board_dma *d, unsigned int pipe)
{
	const struct fault_rule *r;
	uint32_t len = d->len;

	if (fault_hit(b, FAULT_DATA_LOST, pipe))
		return true;
	r = fault_hit(b, FAULT_DATA_LATE, pipe);
	if (r && hold(b, FAULT_DATA_LATE, pipe, d, r->value))
		return true;
	/* Hold this write until the next one of the pipe has landed. */
	if (!is_held(b->faults, FAULT_DATA_SWAP, pipe) && fault_hit(b, FAULT_DATA_SWAP, pipe) &&
	    hold(b, FAULT_DATA_SWAP, pipe, d, 1))
		return true;
	r = fault_hit(b, FAULT_DATA_SHORT, pipe);
	if (r)
		len -= r->value < len ? r->value : len;
	if (len)
		bd_dma_now(b, true, BOARD_TLP_DATA, d->host, d->mem, len);
	header(b, d, pipe);
	cookies(b, d, pipe);
	held_event(b, FAULT_DATA_SWAP, pipe);
	return true;
}

/*
 * Return: true if the fault has made, held or dropped the transfer, so that the caller must not
 * make it.
 */
bool fault_dma(struct board *b, struct board_dma *d, int *status)
{
	const struct fault_pipe *p;
	unsigned int i;

	*status = 0;
	if (!d->to_host)
		return false;
	if (d->host == b->faults->rsp && d->len == sizeof(struct nfp_chan_fw_rsp))
		return response(b, d);
	for (i = 0; i < NFP_CHAN_FW_PIPE_MAX; i++) {
		p = &b->faults->pipe[i];
		/* The memory of a closed pipe may belong to another pipe now. */
		if (!p->open)
			continue;
		if (d->host == p->note && d->len == sizeof(struct nfp_chan_note))
			return note(b, d, i);
		if (d->host >= p->ring && d->host - p->ring < p->ring_size)
			return data(b, d, i);
	}
	return false;
}

/* ---- interrupts ---- */

/* Return: true if the interrupt must be dropped. */
bool fault_msix(struct board *b, unsigned int vector)
{
	struct bd_fault *f = b->faults;
	unsigned int i;

	if (f->rsp && vector == f->mbox_vector)
		return fault_hit(b, FAULT_MBOX_IRQ, FAULT_ANY_PIPE);
	for (i = 0; i < NFP_CHAN_FW_PIPE_MAX; i++) {
		if (!f->pipe[i].open || f->pipe[i].vector != vector)
			continue;
		if (fault_hit(b, FAULT_IRQ_TWICE, i))
			raise(b, vector);
		return fault_hit(b, FAULT_IRQ_LOST, i);
	}
	return false;
}
