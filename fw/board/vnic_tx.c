// SPDX-License-Identifier: BSD-2-Clause
/*
 * vnic_tx.c - transmission from a vNIC's TX ring: descriptors and pieces by
 * DMA, checksum, out at the port (control messages: to whom they are for),
 * completion (nfd3/nfd3.h, nfd3/dp.c).
 */
#include <syslog.h>

#include "board_int.h"

#define TXD_SIZE		16
#define TXD_BATCH		32	/* descriptors fetched at once */
#define TXD_PIECES_MAX		64	/* the stack makes 18 at most */
#define TXD_EOP			0x80
#define TXD_META_MASK		0x7f
#define TXD_FLAG_CSUM		(1u << 7)
#define TXD_FLAGS_KNOWN		0xf0u	/* CSUM, IP4_CSUM, TCP, UDP */

#define QC_PTR_MASK		0x3ffffu
#define ETH_ZLEN		60u
#define CTRL_TXRWB		(1u << 21)

/* Statistics in the control BAR (nfp_net_ctrl.h). */
#define STAT_TX_DISCARDS	0xd48
#define STAT_TX_ERRORS		0xd50
#define STAT_TX_OCTETS		0xd58
#define STAT_TX_UC_OCTETS	0xd60
#define STAT_TX_MC_OCTETS	0xd68
#define STAT_TX_BC_OCTETS	0xd70
#define STAT_TX_FRAMES		0xd78
#define STAT_TX_MC_FRAMES	0xd80
#define STAT_TX_BC_FRAMES	0xd88
#define STAT_TXR(ring)		(0x1000 + 0x10 * (ring))

/* Descriptors of one ring, fetched and walked from the read pointer. */
struct walk {
	struct board *b;
	const struct bd_txring *ring;
	uint32_t at;		/* next descriptor */
	uint32_t end;		/* write pointer */
	uint32_t first;		/* of those in @desc */
	uint32_t have;
	uint8_t desc[TXD_BATCH * TXD_SIZE];
};

/* Fetch from @at on, up to the ring's end; false on a DMA fault. */
static bool fetch(struct walk *w)
{
	uint32_t slot = w->at & w->ring->mask, n = (w->end - w->at) & QC_PTR_MASK;

	if (n > TXD_BATCH)
		n = TXD_BATCH;
	if (n > w->ring->mask + 1 - slot)
		n = w->ring->mask + 1 - slot;
	if (bd_dma_now(w->b, false, BOARD_TLP_VNIC, w->ring->addr + TXD_SIZE * (uint64_t)slot,
		       w->desc, TXD_SIZE * n))
		return false;
	w->first = w->at;
	w->have = n;
	return true;
}

static const uint8_t *next_desc(struct walk *w)
{
	uint32_t i = (w->at - w->first) & QC_PTR_MASK;

	if (i >= w->have) {
		if (!fetch(w))
			return NULL;
		i = 0;
	}
	w->at = (w->at + 1) & QC_PTR_MASK;
	return w->desc + TXD_SIZE * i;
}

enum outcome {
	TX_SENT,
	TX_ERROR,	/* this packet is dropped, the ring goes on */
	TX_PARTIAL,	/* its last piece is not in the ring yet */
	TX_FAULT,	/* the ring cannot be read on */
};

struct packet {
	uint32_t len;
	uint8_t meta;
	uint8_t flags;
};

/* Gather one packet into the board's buffer. */
static enum outcome gather(struct walk *w, struct packet *p)
{
	struct board *b = w->b;
	enum outcome out = TX_SENT;
	uint32_t data_len = 0, pieces = 0;

	p->len = 0;
	for (;;) {
		const uint8_t *d;
		uint32_t len;
		bool eop;

		if (w->at == w->end)
			return TX_PARTIAL;
		if (++pieces > TXD_PIECES_MAX)
			return TX_FAULT;
		d = next_desc(w);
		if (!d)
			return TX_FAULT;
		len = bd_get16(d + 1);
		eop = d[3] & TXD_EOP;
		if (!p->len) {
			p->meta = d[3] & TXD_META_MASK;
			p->flags = d[11];
			data_len = bd_get16(d + 14);
		}
		/* Pieces of a packet that is wrong are walked, not fetched. */
		if (out == TX_SENT) {
			if (!len || p->len + len > data_len ||
			    bd_dma_now(b, false, BOARD_TLP_VNIC,
				       (uint64_t)d[0] << 32 | bd_get32(d + 4),
				       b->txbuf + p->len, len))
				out = TX_ERROR;
			else
				p->len += len;
		}
		if (eop)
			break;
	}
	if (p->len != data_len || p->len <= p->meta)
		out = TX_ERROR;
	/* LSO, VLAN and tunnels are not advertised, nor is metadata. */
	if (p->flags & ~TXD_FLAGS_KNOWN || p->meta)
		out = TX_ERROR;
	return out;
}

static void count(struct board *b, unsigned int vnic, unsigned int ring,
		  const uint8_t *frame, uint32_t len)
{
	static const uint8_t bcast[6] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };
	uint8_t *bar = bd_vnic_bar(b, vnic);

	bd_add64(bar + STAT_TX_OCTETS, len);
	bd_add64(bar + STAT_TX_FRAMES, 1);
	if (!memcmp(frame, bcast, sizeof(bcast))) {
		bd_add64(bar + STAT_TX_BC_OCTETS, len);
		bd_add64(bar + STAT_TX_BC_FRAMES, 1);
	} else if (frame[0] & 1) {
		bd_add64(bar + STAT_TX_MC_OCTETS, len);
		bd_add64(bar + STAT_TX_MC_FRAMES, 1);
	} else {
		bd_add64(bar + STAT_TX_UC_OCTETS, len);
	}
	bd_add64(bar + STAT_TXR(ring), 1);
	bd_add64(bar + STAT_TXR(ring) + 8, len);
}

static void send(struct board *b, unsigned int vnic, unsigned int ring, struct packet *p)
{
	if (vnic == BD_VNIC_CTRL) {
		bd_ccm_message(b, b->txbuf, p->len);
		return;
	}
	/* The driver does not pad; the MAC does. */
	if (p->len < ETH_ZLEN) {
		memset(b->txbuf + p->len, 0, ETH_ZLEN - p->len);
		p->len = ETH_ZLEN;
	}
	if (p->flags & TXD_FLAG_CSUM)
		bd_tx_checksum(b->txbuf, p->len);
	count(b, vnic, ring, b->txbuf, p->len);
	bd_port_tx(b, vnic, b->txbuf, p->len);
}

/* Give descriptors back: the driver frees their buffers when it sees this. */
static void complete(struct board *b, unsigned int vnic, unsigned int ring, uint32_t rptr)
{
	struct bd_txring *t = &b->vnic[vnic].tx[ring];
	unsigned int queue = bd_vnic_tx_queue(vnic, ring);
	uint8_t word[8];

	board_qc_add_rptr(b, queue, (rptr - board_qc_rptr(b, queue)) & QC_PTR_MASK);
	if (b->vnic[vnic].ctrl & CTRL_TXRWB && t->wb_addr) {
		bd_put64(word, rptr);
		if (bd_dma_now(b, true, BOARD_TLP_VNIC, t->wb_addr, word, sizeof(word)))
			b->vnic[vnic].faults++;
	}
	t->unreported = true;
}

static void ring_fault(struct board *b, unsigned int vnic, unsigned int ring, const char *why)
{
	b->vnic[vnic].faults++;
	b->vnic[vnic].tx[ring].on = false;
	board_log(LOG_WARNING, "vNIC %u: TX ring %u stopped until it is configured anew: %s",
		  vnic, ring, why);
}

unsigned int bd_vnic_tx(struct board *b, unsigned int vnic, unsigned int ring,
			unsigned int budget, bool *more)
{
	struct bd_txring *t = &b->vnic[vnic].tx[ring];
	unsigned int queue = bd_vnic_tx_queue(vnic, ring), done = 0;
	uint32_t rptr = board_qc_rptr(b, queue);
	struct walk w = { .b = b, .ring = t, .at = rptr, .end = board_qc_wptr(b, queue) };
	enum outcome out = TX_SENT;

	/* A packet's pieces are announced together; else wait for the rest. */
	if (w.at == w.end || (t->partial && t->partial_wptr == w.end))
		return 0;
	if (((w.end - w.at) & QC_PTR_MASK) > t->mask + 1) {
		ring_fault(b, vnic, ring, "more descriptors announced than it has");
		return 0;
	}
	while (done < budget && w.at != w.end) {
		struct packet p;

		out = gather(&w, &p);
		if (out == TX_PARTIAL || out == TX_FAULT)
			break;
		done++;
		rptr = w.at;
		if (out == TX_SENT)
			send(b, vnic, ring, &p);
		else
			bd_add64(bd_vnic_bar(b, vnic) + STAT_TX_ERRORS, 1);
	}
	if (done)
		complete(b, vnic, ring, rptr);
	if (out == TX_FAULT)
		ring_fault(b, vnic, ring, "descriptors not mapped, or a packet without an end");
	else if (out != TX_PARTIAL && w.at != w.end)
		*more = true;
	t->partial = out == TX_PARTIAL;
	t->partial_wptr = w.end;
	return done;
}
