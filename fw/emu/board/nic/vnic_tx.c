// SPDX-License-Identifier: BSD-2-Clause
/*
 * vnic_tx.c - transmission from a vNIC's TX ring: fetch descriptors and data by DMA, complete the
 * checksums, send at the port, return the descriptors (nfd3/nfd3.h, nfd3/dp.c). Control messages
 * go to the application instead of a port.
 */
#include <syslog.h>

#include "bytes.h"
#include "dma.h"
#include "pcie_island.h"
#include "pkt_hdr.h"
#include "tso.h"
#include "vnic.h"
#include "vnic_bar.h"

#define TXD_SIZE		16
#define TXD_BATCH		32	/* descriptors fetched with one DMA */
#define TXD_PIECES_MAX		64	/* descriptors of a packet; Linux uses 18 at most */
#define TXD_EOP			0x80
#define TXD_META_MASK		0x7f
#define TXD_FLAG_CSUM		(1u << 7)
#define TXD_FLAG_LSO		(1u << 2)
#define TXD_FLAGS_KNOWN		0xf4u	/* CSUM, IP4_CSUM, TCP, UDP, LSO */
#define TXD_MSS_MASK		0x3fffu

/* The longest frame that may leave: MAX_MTU, the Ethernet header and two VLAN tags. */
#define TX_FRAME_MAX		(MAX_MTU + ETH_HLEN + 2 * VLAN_HLEN)

_Static_assert(TX_FRAME_MAX == BOARD_TX_MAX, "longest frame of a port");

/* Position in a TX ring, and a batch of descriptors that was fetched from the ring. */
struct walk {
	struct board *b;
	const struct bd_txring *ring;
	uint32_t at;		/* pointer of the next descriptor */
	uint32_t end;		/* the host's write pointer */
	uint32_t first;		/* pointer of the first of @desc */
	uint32_t have;
	uint8_t desc[TXD_BATCH * TXD_SIZE];
};

/* Fetch descriptors from @at, but none past the end of the ring's memory. False: DMA fault. */
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
	TX_ERROR,	/* drop this packet, and go on with the next */
	TX_PARTIAL,	/* the packet's last descriptor is not in the ring yet */
	TX_FAULT,	/* stop the ring */
};

struct packet {
	uint32_t len;
	uint16_t mss;
	uint8_t hdrlen;
	uint8_t meta;
	uint8_t tag;		/* length of the VLAN tag inserted into an LSO packet */
	uint8_t flags;
};

/* Gather the next packet into b->nic->txbuf. */
static enum outcome gather(struct walk *w, struct packet *p)
{
	struct board *b = w->b;
	enum outcome out = TX_SENT;
	uint32_t data_len = 0, pieces = 0;

	*p = (struct packet){ 0 };
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
			p->mss = bd_get16(d + 8) & TXD_MSS_MASK;
			p->hdrlen = d[10];
			p->flags = d[11];
			data_len = bd_get16(d + 14);
		}
		/*
		 * After an error, skip the packet's remaining descriptors without fetching their
		 * data.
		 */
		if (out == TX_SENT) {
			if (!len || p->len + len > data_len ||
			    bd_dma_now(b, false, BOARD_TLP_VNIC,
				       (uint64_t)d[0] << 32 | bd_get32(d + 4),
				       b->nic->txbuf + p->len, len))
				out = TX_ERROR;
			else
				p->len += len;
		}
		if (eop)
			break;
	}
	if (p->len != data_len || p->len <= p->meta)
		out = TX_ERROR;
	/*
	 * Refuse the flags of tunnels and of VLAN tags in the descriptor: the BAR does not
	 * advertise these.
	 */
	if (p->flags & ~TXD_FLAGS_KNOWN)
		out = TX_ERROR;
	return out;
}

/* The way of a ring's frames to the port. @frames counts those of the current packet. */
struct way_out {
	struct board *b;
	unsigned int vnic;
	unsigned int ring;
	unsigned int frames;
};

static void emit(void *ctx, const uint8_t *frame, uint32_t len)
{
	struct way_out *w = ctx;

	bd_vnic_count(w->b, w->vnic, STATS_TX, STATS_TXR(w->ring), frame, len);
	bd_port_tx(w->b, w->vnic, frame, len);
	w->frames++;
}

/*
 * Take the metadata off the front of a packet. The board supports one kind: a VLAN tag to insert.
 * The tag moves into the frame, which then starts where the metadata was. NULL: the metadata is
 * of another kind.
 */
static uint8_t *take_metadata(struct packet *p, uint8_t *buf)
{
	uint8_t *frame = buf + p->meta;

	p->len -= p->meta;
	if (!p->meta)
		return frame;
	if (p->meta != 8 || bd_be32(buf) != META_VLAN || p->len < ETH_HLEN)
		return NULL;
	bd_put_be32(buf, bd_be32(buf + 4));
	memmove(frame - VLAN_HLEN, frame, ETH_HLEN - 2);
	memcpy(frame - VLAN_HLEN + ETH_HLEN - 2, buf, VLAN_HLEN);
	p->len += VLAN_HLEN;
	if (p->flags & TXD_FLAG_LSO)
		p->tag = VLAN_HLEN;
	return frame - VLAN_HLEN;
}

static bool send(struct way_out *w, struct packet *p)
{
	uint8_t *frame;

	if (w->vnic == BD_VNIC_CTRL) {
		if (!p->meta)
			w->b->nic->app->message(w->b, w->b->nic->txbuf, p->len);
		return !p->meta;
	}
	frame = take_metadata(p, w->b->nic->txbuf);
	if (!frame)
		return false;
	if (p->flags & TXD_FLAG_LSO) {
		uint32_t hdrlen = p->hdrlen + p->tag;

		return hdrlen + p->mss <= TX_FRAME_MAX &&
		       bd_tso(frame, p->len, hdrlen, p->mss, emit, w);
	}
	if (p->len > TX_FRAME_MAX)
		return false;
	if (p->flags & TXD_FLAG_CSUM)
		bd_tx_checksum(frame, p->len);
	emit(w, frame, p->len);
	return true;
}

/*
 * Return descriptors to the host: advance the read pointer up to @rptr, and write the pointer to
 * host memory if the driver has asked for that. The driver then frees the buffers.
 */
static void complete(struct board *b, unsigned int vnic, unsigned int ring, uint32_t rptr,
		     unsigned int frames)
{
	struct bd_txring *t = &b->nic->vnic[vnic].tx[ring];
	unsigned int queue = bd_vnic_tx_queue(vnic, ring);
	uint8_t word[8];

	board_qc_add_rptr(b, queue, (rptr - board_qc_rptr(b, queue)) & QC_PTR_MASK);
	if (b->nic->vnic[vnic].ctrl & CTRL_TXRWB && t->wb_addr) {
		bd_put64(word, rptr);
		if (bd_dma_now(b, true, BOARD_TLP_VNIC, t->wb_addr, word, sizeof(word)))
			b->nic->vnic[vnic].total.faults++;
	}
	bd_vnic_report(&t->irq, frames);
}

static void ring_fault(struct board *b, unsigned int vnic, unsigned int ring, const char *why)
{
	b->nic->vnic[vnic].total.faults++;
	b->nic->vnic[vnic].tx[ring].on = false;
	board_log(LOG_WARNING, "vNIC %u: TX ring %u stopped until it is configured anew: %s",
		  vnic, ring, why);
}

/* Send packets of @w until the ring is empty, the port has no room, or *@done reaches @budget. */
static enum outcome packets(struct walk *w, struct way_out *o, unsigned int budget,
			    uint32_t *rptr, unsigned int *done)
{
	enum outcome out = TX_SENT;

	while (*done < budget && w->at != w->end && bd_port_room(w->b, o->vnic)) {
		struct packet p;

		o->frames = 0;
		out = gather(w, &p);
		if (out == TX_PARTIAL || out == TX_FAULT)
			break;
		*rptr = w->at;
		if (out == TX_ERROR || !send(o, &p))
			bd_add64(bd_vnic_bar(w->b, o->vnic) + STATS_TX + STAT_ERRORS, 1);
		*done += o->frames ? o->frames : 1;
	}
	return out;
}

uint32_t bd_vnic_tx_left(struct board *b, unsigned int vnic, unsigned int ring)
{
	unsigned int queue = bd_vnic_tx_queue(vnic, ring);

	return (board_qc_wptr(b, queue) - board_qc_rptr(b, queue)) & QC_PTR_MASK;
}

unsigned int bd_vnic_tx(struct board *b, unsigned int vnic, unsigned int ring,
			unsigned int budget, bool *more)
{
	struct bd_txring *t = &b->nic->vnic[vnic].tx[ring];
	unsigned int queue = bd_vnic_tx_queue(vnic, ring), done = 0;
	uint32_t rptr = board_qc_rptr(b, queue);
	struct walk w = { .b = b, .ring = t, .at = rptr, .end = board_qc_wptr(b, queue) };
	struct way_out o = { .b = b, .vnic = vnic, .ring = ring };
	enum outcome out;

	/* If the last packet lacked descriptors, wait until the host moves the write pointer. */
	if (w.at == w.end || (t->partial && t->partial_wptr == w.end))
		return 0;
	if (((w.end - w.at) & QC_PTR_MASK) > t->mask + 1) {
		ring_fault(b, vnic, ring, "more descriptors announced than the ring has");
		return 0;
	}
	out = packets(&w, &o, budget, &rptr, &done);
	if (done)
		complete(b, vnic, ring, rptr, done);
	if (out == TX_FAULT)
		ring_fault(b, vnic, ring,
			   "its descriptors cannot be read, or a packet has too many of them");
	else if (out != TX_PARTIAL && w.at != w.end && bd_port_room(b, vnic))
		*more = true;
	t->partial = out == TX_PARTIAL;
	t->partial_wptr = w.end;
	return done;
}
