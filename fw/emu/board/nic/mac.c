// SPDX-License-Identifier: BSD-2-Clause
/*
 * mac.c - the MACs. A MAC moves frames from its wire into packet buffers, and sends
 * frames of the host and of the firmware to its wire. It also keeps the link state and the
 * statistics of its port (nfp_port.h, NFP_MAC_STATS_*).
 */
#include <errno.h>
#include <syslog.h>

#include "bytes.h"
#include "mac.h"
#include "mem_map.h"
#include "nffw.h"
#include "nsp.h"
#include "pkt_hdr.h"
#include "pktbuf.h"

/* Offsets of the counters of one direction in a port's statistics. */
struct mac_stats {
	uint16_t octets;
	uint16_t pkts;		/* 0: this direction has no such counter */
	uint16_t ok;
	uint16_t ucast;
	uint16_t mcast;
	uint16_t bcast;
	uint16_t size[7];	/* by length: 64, 65-127, 128-, 256-, 512-, 1024-, 1519- */
};

static const struct mac_stats rx_stats = {
	0x000, 0x070, 0x050, 0x060, 0x068, 0x030,
	{ 0x080, 0x088, 0x0c0, 0x0c8, 0x090, 0x098, 0x0d0 },
};

static const struct mac_stats tx_stats = {
	0x140, 0, 0x188, 0x190, 0x198, 0x160,
	{ 0x168, 0x1a0, 0x1a8, 0x170, 0x178, 0x1b0, 0x1b8 },
};

#define STAT_RX_TOO_LONG	0x010
#define STAT_RX_DROP_EVENTS	0x038

#define ETH_FCS_LEN		4
#define ETH_ALEN		6u
#define ETH_ZLEN		60u	/* shortest frame, without FCS */

/* Return the index in mac_stats.size for a frame of @len bytes with FCS. */
static unsigned int size_class(uint32_t len)
{
	if (len <= 64)
		return 0;
	if (len >= 1519)
		return 6;
	if (len >= 1024)
		return 5;
	return 26 - __builtin_clz(len);	/* 65-127: 1, 128-255: 2, up to 512-1023: 4 */
}

static void count(uint8_t *m, const struct mac_stats *s, const uint8_t *dst, uint32_t len)
{
	uint16_t kind = s->ucast;

	if (dst[0] & 1)
		kind = bd_is_bcast(dst) ? s->bcast : s->mcast;
	len += ETH_FCS_LEN;
	bd_add64(m + s->octets, len);
	bd_add64(m + s->ok, 1);
	bd_add64(m + kind, 1);
	bd_add64(m + s->size[size_class(len)], 1);
	if (s->pkts)
		bd_add64(m + s->pkts, 1);
}

/* ---- life ---- */

static bool carrier(const struct bd_port *p)
{
	return !p->wire || !p->wire->carrier || p->wire->carrier(p->ctx);
}

/* A port has link when it is on, and the other end of its wire sends the same signal. */
static void link_update(struct board *b, unsigned int port)
{
	struct bd_port *p = &b->mac->port[port];
	bool link = p->signal && carrier(p);
	unsigned int i;

	if (p->link == link)
		return;
	p->link = link;
	b->mac->kick = true;
	board_log(LOG_INFO, "port %u: link %s", port, link ? "up" : "down");
	for (i = 0; b->mac->sink[i]; i++)
		if (b->mac->sink[i]->link)
			b->mac->sink[i]->link(b, port);
}

static void configure(struct board *b, unsigned int port)
{
	struct bd_port *p = &b->mac->port[port];

	p->signal = bd_nsp_signal(b, port);
	if (p->wire && p->wire->light)
		p->wire->light(p->ctx, p->signal);
}

/* Reset the ports. The wires and their counters stay: a reset of the card does not touch them. */
void bd_port_reset(struct board *b)
{
	unsigned int i;

	bd_pkt_reset(b);
	for (i = 0; i < BOARD_PORTS; i++) {
		b->mac->port[i].rx_on = false;
		b->mac->port[i].link = true;
		configure(b, i);
	}
}

void bd_port_start(struct board *b)
{
	uint64_t stats = bd_nffw_symbol(b, "_mac_stats", BD_MACSTAT_SIZE * BOARD_PORTS);
	unsigned int i;

	for (i = 0; i < BOARD_PORTS; i++) {
		struct bd_port *p = &b->mac->port[i];

		p->stats = bd_firmware_loaded(b) ?
			   board_mem_ptr(b, stats + BD_MACSTAT_SIZE * i, BD_MACSTAT_SIZE) : NULL;
		p->rx_on = p->stats && b->mac->start == BD_START_LINK;
	}
}

void bd_port_start_when(struct board *b, enum bd_start when)
{
	b->mac->start = when;
	bd_port_start(b);
}

void bd_port_kick(struct board *b)
{
	b->mac->kick = true;
}

/*
 * Say whether a frame may be pulled from the wire of @port. A live wire (board_wire_ops.live)
 * cannot wait. Any other wire waits while a sink has no room.
 */
static bool may_pull(struct board *b, unsigned int port)
{
	const struct bd_sink *const *s;
	struct bd_port *p = &b->mac->port[port];

	p->stalled = false;
	for (s = b->mac->sink; *s && p->wire && !p->wire->live; s++)
		p->stalled |= (*s)->room && !(*s)->room(b, port);
	return !p->stalled;
}

bool bd_port_kicked(struct board *b)
{
	bool kicked = b->mac->kick;
	unsigned int i;

	for (i = 0; i < BOARD_PORTS; i++)
		if (b->mac->port[i].stalled)
			kicked |= may_pull(b, i);
	b->mac->kick = false;
	return kicked;
}

void bd_port_wire(struct board *b, unsigned int port,
		  const struct board_wire_ops *ops, void *ctx)
{
	struct bd_port *p;

	if (port >= BOARD_PORTS)
		return;
	p = &b->mac->port[port];
	if (p->wire && p->wire->close)
		p->wire->close(p->ctx);
	p->wire = ops;
	p->ctx = ctx;
	p->holding = false;
	p->ended = false;
	p->idle = false;
	configure(b, port);
	link_update(b, port);
}

void board_port_rx(struct board *b, unsigned int port, bool on)
{
	if (port >= BOARD_PORTS)
		return;
	b->mac->port[port].rx_on = on;
	b->mac->kick |= on;
}

uint64_t bd_port_wire_lost(const struct bd_port *p)
{
	return p->wire && p->wire->lost ? p->wire->lost(p->ctx) : 0;
}

uint64_t bd_port_wire_refused(const struct bd_port *p)
{
	return p->wire && p->wire->refused ? p->wire->refused(p->ctx) : 0;
}

uint64_t board_port_lost(const struct board *b, unsigned int port)
{
	return port < BOARD_PORTS ? b->mac->port[port].too_long + b->mac->port[port].rx_fwlost : 0;
}

static void port_set(struct board *b, unsigned int port)
{
	unsigned int i;

	configure(b, port);
	/* A cable may join the two ports of this card: then the link of both ports changes. */
	for (i = 0; i < BOARD_PORTS; i++)
		link_update(b, i);
}

int bd_mac_init(struct board *b)
{
	bd_nsp_ports(b, port_set);
	return 0;
}

void bd_mac_exit(struct board *b)
{
	unsigned int i;

	for (i = 0; i < BOARD_PORTS; i++)
		bd_port_wire(b, i, NULL, NULL);
}

void bd_mac_sink(struct board *b, const struct bd_sink *s)
{
	BD_REGISTER(b->mac->sink, s);
}

/* ---- frames ---- */

/* Make sure that @held has a frame: pull one if it has none. False: the wire has no frame now. */
static bool next_frame(struct bd_port *p)
{
	int ret;

	if (p->holding)
		return true;
	if (!p->wire || !p->wire->pull || p->ended)
		return false;
	ret = p->wire->pull(p->ctx, &p->held);
	p->idle = ret == 0;
	p->ended = ret < 0;
	p->holding = ret > 0;
	return p->holding;
}

static void discard(struct bd_port *p, uint16_t stat, uint64_t *own)
{
	if (p->stats)
		bd_add64(p->stats + stat, 1);
	(*own)++;
	p->holding = false;
}

static bool taken(const struct board *b, unsigned int port, const struct bd_port *p)
{
	const struct bd_sink *const *s;

	for (s = b->mac->sink; *s; s++)
		if ((*s)->open ? (*s)->open(b, port) : p->rx_on)
			return true;
	return false;
}

static void deliver(struct board *b, unsigned int port, struct bd_port *p, struct board_pkt *pkt)
{
	const struct bd_sink *const *s;
	enum bd_sunk what = BD_PKT_NEXT;

	for (s = b->mac->sink; *s && what == BD_PKT_NEXT; s++)
		if ((*s)->open || p->rx_on)
			what = (*s)->packet(b, port, pkt);
	if (what == BD_PKT_KEPT)
		return;
	p->rx_fwlost += what == BD_PKT_LOST;
	board_pkt_free(b, pkt);
}

/* Move the held frame to the sinks. False: no packet buffer is free, so the wire must pause. */
static bool receive(struct board *b, unsigned int port, struct bd_port *p)
{
	const struct board_frame *f = &p->held;
	struct board_pkt *pkt;

	if (f->caplen > BD_FRAME_MAX || f->caplen > f->len) {
		discard(p, STAT_RX_TOO_LONG, &p->too_long);
		return true;
	}
	if (!taken(b, port, p)) {
		discard(p, STAT_RX_DROP_EVENTS, &p->rx_nofw);
		return true;
	}
	pkt = bd_pkt_get(b, f->caplen);
	if (!pkt) {
		p->paused++;
		return false;
	}
	if (f->caplen)
		memcpy(pkt->data, f->data, f->caplen);
	if (f->caplen < ETH_ALEN)
		memset(pkt->data + f->caplen, 0, ETH_ALEN - f->caplen);
	pkt->caplen = f->caplen;
	pkt->len = f->len;
	pkt->ts_ns = f->ts_ns;
	pkt->port = port;
	p->holding = false;
	p->rx_frames++;
	p->rx_bytes += f->len;
	count(p->stats, &rx_stats, pkt->data, f->len);
	deliver(b, port, p, pkt);
	return true;
}

/*
 * Receive the held frame. Without link the frame is dropped; only a live wire delivers frames
 * then.
 */
static bool take(struct board *b, unsigned int port, struct bd_port *p)
{
	if (p->link)
		return receive(b, port, p);
	p->rx_nolink++;
	p->holding = false;
	return true;
}

/*
 * Say whether frames are pulled from the wire at all. A live wire always delivers its frames. Any
 * other wire waits until the receiver is on and the port has link.
 */
static bool takes_frames(const struct bd_port *p)
{
	return p->wire && (p->wire->live || (p->rx_on && p->link));
}

unsigned int bd_port_run(struct board *b, unsigned int budget, bool *more)
{
	unsigned int i, n, done = 0;

	for (i = 0; i < BOARD_PORTS; i++) {
		struct bd_port *p = &b->mac->port[i];

		if (!takes_frames(p))
			continue;
		if (p->wire->carrier)
			link_update(b, i);
		for (n = 0; n < budget && may_pull(b, i); n++)
			if (!next_frame(p) || !take(b, i, p))
				break;
		/*
		 * The pull may have found that a peer has come or gone. No other event reports
		 * such a change.
		 */
		if (p->wire->carrier)
			link_update(b, i);
		done += n;
		if (n == budget)
			*more = true;
	}
	return done;
}

uint64_t bd_port_deadline(const struct board *b)
{
	uint64_t at = BD_NEVER, t;
	unsigned int i;

	for (i = 0; i < BOARD_PORTS; i++) {
		const struct bd_port *p = &b->mac->port[i];

		if (!takes_frames(p) || !p->wire->deadline || !p->idle)
			continue;
		t = p->wire->deadline(p->ctx);
		if (t < at)
			at = t;
	}
	return at;
}

int bd_port_wire_fd(const struct board *b, unsigned int port, short *events)
{
	const struct bd_port *p = &b->mac->port[port];

	*events = 0;
	/*
	 * While a held frame waits for a packet buffer, nothing more is pulled: do not poll the
	 * wire.
	 */
	if (port >= BOARD_PORTS || !takes_frames(p) || !p->wire->fd || p->holding)
		return -1;
	return p->wire->fd(p->ctx, events);
}

bool bd_port_room(struct board *b, unsigned int port)
{
	struct bd_port *p;

	/* Messages of the control vNIC do not leave at a wire, so they never wait for one. */
	if (port >= BOARD_PORTS)
		return true;
	p = &b->mac->port[port];
	return !p->link || !p->wire || !p->wire->room || p->wire->room(p->ctx);
}

void bd_port_tx(struct board *b, unsigned int port, const uint8_t *data, uint32_t len)
{
	struct bd_port *p = &b->mac->port[port];
	struct board_frame f = { .data = data, .caplen = len, .len = len };
	uint8_t padded[ETH_ZLEN] = { 0 };

	/* Neither the driver nor an XDP program pads short frames, so the MAC does. */
	if (len < ETH_ZLEN) {
		memcpy(padded, data, len);
		f.data = padded;
		f.caplen = f.len = ETH_ZLEN;
	}
	/* Without link the frame is lost, as in a real MAC. */
	if (!p->link) {
		p->tx_nolink++;
		return;
	}
	p->tx_frames++;
	p->tx_bytes += f.len;
	count(p->stats, &tx_stats, f.data, f.len);
	if (!p->wire || !p->wire->push)
		return;
	f.ts_ns = board_now_ns(b);
	p->wire->push(p->ctx, &f);
}

int board_port_tx(struct board *b, unsigned int port, const uint8_t *data, uint32_t len)
{
	if (port >= BOARD_PORTS)
		return -EINVAL;
	if (len > BOARD_TX_MAX)
		return -EMSGSIZE;
	if (!bd_port_room(b, port))
		return -EAGAIN;
	bd_port_tx(b, port, data, len);
	return 0;
}
