// SPDX-License-Identifier: BSD-2-Clause
/*
 * vnic_rx.c - reception: a frame from the wire goes to the host. Steps: address filter, check of
 * the checksums, ring by RSS, metadata, statistics (nfp_net.h, nfd3/dp.c).
 */
#include <errno.h>

#include "bytes.h"
#include "nffw.h"
#include "pkt_hdr.h"
#include "pktbuf.h"
#include "vnic.h"
#include "vnic_bar.h"

/* Descriptor flags, two for each checksum: it was checked, and it is correct. */
#define RXD_IP4_CSUM		(1u << 6)
#define RXD_IP4_CSUM_OK		(1u << 5)
#define RXD_TCP_CSUM		(1u << 4)
#define RXD_TCP_CSUM_OK		(1u << 3)
#define RXD_UDP_CSUM		(1u << 2)
#define RXD_UDP_CSUM_OK		(1u << 1)

#define ETH_ADDRS		12u
#define META_MAX		16u	/* four words: types, sum, hash, VLAN tag */

/* Firmware that does not offer to filter broadcasts or multicasts lets them pass. */
static bool wanted(const struct board *b, const struct bd_vnic *v, const uint8_t *dst)
{
	uint32_t group = bd_is_bcast(dst) ? CTRL_L2BC : CTRL_L2MC;

	if (v->ctrl & CTRL_PROMISC)
		return true;
	if (!(dst[0] & 1))
		return !memcmp(dst, v->mac, 6);
	return (v->ctrl | ~bd_firmware(b)->vnic.cap) & group;
}

static uint16_t l4_flags(const uint8_t *frame, const struct bd_hdrs *h)
{
	bool udp = h->proto == PROTO_UDP, ok;

	if (!bd_hdrs_l4_whole(h))
		return 0;
	/* UDP checksum 0 means none: IPv4 allows that (RFC 768), IPv6 does not. */
	if (udp && !bd_be16(frame + h->l4 + 6))
		ok = h->version == 4;
	else
		ok = bd_sum16(frame + h->l4, h->end - h->l4, bd_pseudo(frame, h)) == 0xffff;
	if (udp)
		return RXD_UDP_CSUM | (ok ? RXD_UDP_CSUM_OK : 0);
	return RXD_TCP_CSUM | (ok ? RXD_TCP_CSUM_OK : 0);
}

/*
 * Return the checksum flags of a frame. The driver trusts a checksum that is flagged as correct.
 * If a checksum is flagged as checked only, the driver counts an error and lets the stack verify
 * it. Fragments and protocols other than TCP and UDP get no flag for their payload.
 */
static uint16_t csum_flags(const uint8_t *frame, const struct bd_hdrs *h)
{
	const uint8_t *ip = frame + h->l3;
	uint16_t flags = 0;

	if (!h->version)
		return 0;
	if (h->version == 4) {
		flags = RXD_IP4_CSUM;
		if (bd_sum16(ip, (ip[0] & 15) * 4u, 0) == 0xffff)
			flags |= RXD_IP4_CSUM_OK;
	}
	return flags | l4_flags(frame, h);
}

/* The metadata of a frame. The first type that is pushed is in the lowest bits. */
struct meta {
	uint8_t data[META_MAX];
	uint32_t types, shift;
	uint32_t len;		/* bytes after the word of types */
};

static void meta_push(struct meta *m, uint32_t type, unsigned int bits, uint32_t v)
{
	m->types |= type << m->shift;
	m->shift += bits;
	m->len += 4;
	bd_put_be32(m->data + m->len, v);
}

/*
 * Push the sum of all bytes after the Ethernet header (CHECKSUM_COMPLETE). The firmware sums
 * 32-bit words, and adds the carries (nic-firmware, actions.uc, __actions_checksum()).
 */
static void push_sum(struct meta *m, const struct board_pkt *pkt)
{
	uint64_t sum = 0;
	uint32_t at, word;

	for (at = ETH_HLEN; at < pkt->caplen; at += 4) {
		word = 0;
		memcpy(&word, pkt->data + at, pkt->caplen - at < 4 ? pkt->caplen - at : 4);
		sum += be32toh(word);
	}
	sum = (sum & UINT32_MAX) + (sum >> 32);
	meta_push(m, META_CSUM, 4, sum + (sum >> 32));
}

/* Return the ring that RSS chooses for a frame, and push the hash to the metadata. */
static unsigned int rss_ring(const struct board *b, const struct bd_vnic *v,
			     const struct board_pkt *pkt, const struct bd_hdrs *h, struct meta *m)
{
	enum bd_rss_type type = RSS_NONE;
	uint32_t hash;

	if (v->ctrl & CTRL_RSS2)
		type = bd_rss_hash(&v->rss, pkt->data, bd_pkt_room(b, pkt), h, &hash);
	if (type == RSS_NONE)
		return 0;
	meta_push(m, META_HASH | type << 4, 8, hash);
	return v->rss.table[hash & v->rss.cfg & RSS_CFG_MASK];
}

/* Say whether the frame has a VLAN tag that the host wants in the metadata instead. */
static bool strips(const struct bd_vnic *v, const struct board_pkt *pkt)
{
	return v->ctrl & CTRL_RXVLAN_V2 && pkt->caplen >= ETH_HLEN + VLAN_HLEN &&
	       bd_be16(pkt->data + ETH_ADDRS) == ETH_P_VLAN;
}

/*
 * Write metadata and frame into the ring's next buffer with one DMA. The metadata goes directly
 * before the frame's data. To strip a VLAN tag, the MAC addresses move over the tag, and the
 * metadata then covers the frame's first bytes. The firmware gets the same packet later, so
 * the frame's first bytes are restored.
 */
static int put(struct board *b, unsigned int vnic, unsigned int ring, struct board_pkt *pkt,
	       const uint8_t *meta, struct bd_rxd *d, bool strip)
{
	uint32_t cut = strip ? VLAN_HLEN : 0;
	uint8_t saved[ETH_ADDRS + VLAN_HLEN], *at = pkt->data + cut - d->meta_len;
	int err;

	memcpy(saved, pkt->data, sizeof(saved));
	if (strip)
		memmove(pkt->data + VLAN_HLEN, saved, ETH_ADDRS);
	memcpy(at, meta, d->meta_len);
	d->len = d->meta_len + pkt->caplen - cut;
	err = bd_fl_put(b, vnic, ring, at, d);
	memcpy(pkt->data, saved, sizeof(saved));
	return err;
}

static void bad(struct board *b, unsigned int vnic)
{
	b->nic->vnic[vnic].total.rx_errors++;
	bd_add64(bd_vnic_bar(b, vnic) + STATS_RX + STAT_ERRORS, 1);
}

/*
 * Say whether the host gets this frame. A frame that a capture has cut is an error, and so is a
 * frame whose length does not fit into a packet vector.
 */
static bool admitted(struct board *b, unsigned int vnic, const struct board_pkt *pkt)
{
	bool whole = pkt->caplen >= ETH_HLEN && pkt->caplen == pkt->len &&
		     pkt->caplen <= BD_PV_LEN_MASK;
	struct bd_vnic *v = &b->nic->vnic[vnic];

	if (!(v->ctrl & CTRL_ENABLE) || !v->rx_mask) {
		v->total.rx_off++;
		return false;
	}
	if (!whole) {
		bad(b, vnic);
		return false;
	}
	if (wanted(b, v, pkt->data))
		return true;
	v->total.rx_filtered++;
	return false;
}

/*
 * Choose a ring and put the frame into it.
 * @h: the headers as they were when the frame arrived
 * @flags: result of the checksum check
 * @meta: metadata so far
 * @chosen: ring that the program chose, or BD_VNIC_RINGS. If the host has enabled that ring, the
 *	frame goes there without RSS and has no hash
 */
static void deliver(struct board *b, unsigned int vnic, struct board_pkt *pkt,
		    const struct bd_hdrs *h, uint16_t flags, struct meta *meta,
		    unsigned int chosen)
{
	struct bd_vnic *v = &b->nic->vnic[vnic];
	struct bd_rxd d = { .flags = flags };
	bool strip = strips(v, pkt);
	unsigned int ring = chosen;
	int err;

	if (chosen >= BD_VNIC_RINGS || !(v->rx_mask >> chosen & 1))
		ring = rss_ring(b, v, pkt, h, meta);
	if (strip)
		meta_push(meta, META_VLAN, 4, META_VLAN_STRIPPED | bd_be16(pkt->data + ETH_HLEN));
	bd_put_be32(meta->data, meta->types);
	d.meta_len = meta->types ? 4 + meta->len : 0;
	err = ring < BD_VNIC_RINGS ? put(b, vnic, ring, pkt, meta->data, &d, strip) : -ENOBUFS;
	if (!err) {
		v->total.rx_given++;
		bd_vnic_count(b, vnic, STATS_RX, STATS_RXR(ring), pkt->data, pkt->caplen);
	} else {
		v->total.rx_discards++;
		bd_add64(bd_vnic_bar(b, vnic) + STATS_RX + STAT_DISCARDS, 1);
	}
}

/*
 * The order of the steps is that of the NIC firmware (app_config_tables.c, cfg_act_build_nbi();
 * actions.uc): the MAC checks the checksums (pv.uc, pv_init_nbi()), then come the address filter,
 * the program, RSS, and the host's buffer (pkt_io.uc, pkt_io_tx_host()). The MTU is no limit
 * here: each frame that fits into a buffer goes to the host. The checksum flags do not change if
 * the program invalidates a checksum. RSS reads addresses and ports from the packet as the
 * program has left it, but at the offsets that the headers had before the program ran.
 *
 * With CSUM_COMPLETE the frame has its sum as metadata instead of the flags. The firmware sums
 * before the program runs. Whether the BPF image corrects the sum of a frame that the program
 * changes is not known. So the board gives neither sum nor flags for a frame that passed through
 * a program, and the host checks these frames itself.
 */
enum bd_sunk bd_vnic_rx(struct board *b, unsigned int vnic, struct board_pkt *pkt)
{
	struct bd_vnic *v = &b->nic->vnic[vnic];
	bool complete = v->ctrl & CTRL_CSUM_COMPLETE;
	bool program = v->ctrl & CTRL_BPF && b->nic->app->loaded(b, vnic);
	unsigned int chosen = BD_VNIC_RINGS;
	struct meta meta = { 0 };
	uint16_t flags = 0;
	struct bd_hdrs h;

	if (!admitted(b, vnic, pkt))
		return BD_PKT_NEXT;
	bd_hdrs_parse(pkt->data, pkt->caplen, &h);
	if (v->ctrl & CTRL_RXCSUM && !complete)
		flags = csum_flags(pkt->data, &h);
	if (complete && !program)
		push_sum(&meta, pkt);
	if (program && !b->nic->app->frame(b, vnic, pkt, &chosen)) {
		v->total.rx_consumed++;
		return BD_PKT_DONE;
	}
	deliver(b, vnic, pkt, &h, flags, &meta, chosen);
	return BD_PKT_NEXT;
}
