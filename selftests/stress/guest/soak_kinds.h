/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * soak_kinds.h - processes of a soak whose channels are of a kind of their own: on a
 * port, signalled and exclusive, two with one ring; and those behind frames, of the
 * flow meter and of a program.
 */
#ifndef SOAK_KINDS_H
#define SOAK_KINDS_H

#include <arpa/inet.h>
#include <linux/if_link.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <netinet/ip.h>
#include <netinet/udp.h>
#include <linux/nfp_chan_flow.h>
#include <linux/nfp_chan_xdp.h>
#include "xdp/programs/offload.h"
#include "soak_roles.h"

/* ---- both ends on a port, asynchronous ---- */

#define PORT_REQS	4	/* of each direction outstanding */

struct port_req {
	struct nfpchan_async a;
	uint32_t seq;		/* of what is sent; 0: this one receives */
	uint8_t buf[MSG_MAX];
};

struct port_end {
	struct nfpchan *in, *out;
	struct port_req req[2 * PORT_REQS];
	uint32_t sender, seq;
	unsigned int sending;
};

static inline struct nfpchan *on_port(const char *name, struct nfpchan_port *port)
{
	struct nfpchan_opts o = { .size = sizeof(o), .port = port };
	struct nfpchan *ch;
	int err = nfpchan_open(&ch, card, name, &o);

	if (err)
		soak_fault("open %s on a port: %s", name, strerror(-err));
	return ch;
}

static inline void port_submit(struct port_end *e, struct port_req *q)
{
	bool sends = q - e->req < PORT_REQS;
	int err;

	if (sends && soak->stopping)
		return;
	q->a = (struct nfpchan_async){ .buf = q->buf, .len = sizeof(q->buf), .user = q };
	if (sends) {
		q->seq = ++e->seq;
		q->a.len = sizeof(struct stamp) + soak_random(1000);
		msg_fill(q->buf, q->a.len, e->sender, q->seq);
		e->sending++;
		err = nfpchan_send_async(e->in, &q->a);
	} else {
		err = nfpchan_recv_async(e->out, &q->a);
	}
	if (err)
		soak_fault("asynchronous request: %s", strerror(-err));
}

static inline void port_done(struct port_end *e, struct nfpchan_async *a)
{
	struct port_req *q = a->user;

	if (a->ret < 0)
		soak_fault("asynchronous %s: %s", q->seq ? "send" : "receive", strerror(-a->ret));
	if (q->seq) {
		e->sending--;
		soak_sent(e->sender, q->seq);
	} else {
		soak_received(q->buf, a->ret);
	}
	port_submit(e, q);
}

static inline void run_port(const struct role *r)
{
	static struct port_end e;
	struct nfpchan_event event[PORT_REQS];
	struct nfpchan_port *port;
	int n, i, err;

	post->busy = 1;
	err = nfpchan_port_open(&port, card, NULL);
	if (err)
		soak_fault("port: %s", strerror(-err));
	e.in = on_port(r->in, port);
	e.out = on_port(r->chan, port);
	e.sender = soak_sender(r->in);
	for (i = 0; i < 2 * PORT_REQS; i++)
		port_submit(&e, &e.req[i]);
	for (;;) {
		n = nfpchan_port_wait(port, event, PORT_REQS, IDLE_NS);
		if (n < 0 && !soak_later(n))
			soak_fault("port: %s", strerror(-n));
		for (i = 0; i < n; i++) {
			if (!event[i].req)
				soak_fault("a port told of a channel that has requests");
			port_done(&e, event[i].req);
		}
		/* Others receive what it has sent, if it does not. */
		if (post->busy && soak->stopping && !e.sending &&
		    !nfpchan_drain(e.in, NFPCHAN_NONBLOCK))
			post->busy = 0;
		if (n < 0 && soak->leaving && !post->busy)
			break;
	}
	nfpchan_close(e.in);
	nfpchan_close(e.out);
	nfpchan_port_close(port);
}

/* ---- one at a time has it, and signals it ---- */

static inline void run_signal(const struct role *r)
{
	struct nfpchan *ch = soak_open(r->chan, 0), *other;
	struct echo_count count;
	uint64_t last = 0, now;
	ssize_t n;

	while (!soak->stopping) {
		if (!soak_random(64) && nfpchan_open(&other, card, r->chan, NULL) != -EBUSY)
			soak_fault("an exclusive channel was opened twice");
		atomic_fetch_add(&post->asked, 1);
		if (nfpchan_raise(ch))
			soak_fault("signal");
		n = nfpchan_recv(ch, &count, sizeof(count), WAIT_NS);
		now = n == sizeof(count) ? le64toh(count.count) : 0;
		if (!now || (last && now != last + 1))
			soak_fault("%zd bytes, signal %llu behind %llu", n, (unsigned long long)now,
				   (unsigned long long)last);
		last = now;
		atomic_fetch_add(&post->received, 1);
	}
	nfpchan_close(ch);
}

/* ---- two channels, one ring ---- */

#define PAIR_ELEM	64

static inline void run_pair(const struct role *r)
{
	struct nfpchan *ctl = soak_open("source-ctl", 0), *from = soak_open(r->chan, 0), *to;
	uint32_t sender = soak_sender(r->in), seq = 0;
	uint64_t bytes, pos;
	char why[128];
	uint32_t word;
	uint8_t *data;
	ssize_t n, i;
	void *p;
	int err = nfpchan_open_return(&to, card, r->in, from, NULL);

	if (err)
		soak_fault("to return: %s", nfpchan_card_error(card, why, sizeof(why)));
	while (!soak->stopping) {
		bytes = PAIR_ELEM * (1ull + soak_random(4096));
		struct source_req req = { htole64(bytes), htole32(4096), htole32(SOURCE_64) };

		if (nfpchan_send(ctl, &req, sizeof(req), WAIT_NS))
			soak_fault("request not taken");
		atomic_fetch_add(&post->asked, bytes / PAIR_ELEM);
		for (pos = 0; pos < bytes; pos += n) {
			n = nfpchan_returnable(to, &p, WAIT_NS);
			if (n <= 0)
				soak_fault("returnable at %llu: %s", (unsigned long long)pos,
					   strerror(-n));
			for (data = p, i = 0; i < n; i += 4) {
				memcpy(&word, data + i, 4);
				if (le32toh(word) != (pos + i) / 4 % (SOURCE_PERIOD / 4))
					soak_fault("word at %llu", (unsigned long long)pos + i);
			}
			for (i = 0; i < n; i += PAIR_ELEM)
				pit_fill(data + i, PAIR_ELEM, sender, ++seq);
			atomic_fetch_add(&post->received, n / PAIR_ELEM);
			if (nfpchan_return(to, n, WAIT_NS) != n)
				soak_fault("return at %llu", (unsigned long long)pos);
			atomic_fetch_add(&post->sent, n / PAIR_ELEM);
		}
	}
	if (nfpchan_drain(to, WAIT_NS))
		soak_fault("what was returned is not taken");
	nfpchan_close(to);
	nfpchan_close(from);
	nfpchan_close(ctl);
}

/* ---- frames from one port to the other, by flow meter and program ---- */

#define WIRE_FLOWS	200	/* at a time */
#define WIRE_NET	0x0a600000u	/* where its flows come from */

static inline bool sys_is(const char *path, const char *want)
{
	char text[64];

	return proc_read(path, text, sizeof(text)) && !strncmp(text, want, strlen(want));
}

static inline void link_up(int sock, const char *name)
{
	struct ifreq ifr = { 0 };
	char path[128];

	snprintf(path, sizeof(path), "/sys/class/net/%s/operstate", name);
	strcpy(ifr.ifr_name, name);
	if (ioctl(sock, SIOCGIFFLAGS, &ifr))
		soak_fault("%s: %s", name, strerror(errno));
	ifr.ifr_flags |= IFF_UP;
	if (ioctl(sock, SIOCSIFFLAGS, &ifr))
		soak_fault("%s up: %s", name, strerror(errno));
	if (!UNTIL(sys_is(path, "up")))
		soak_fault("%s has no link: the card's ports are to be joined by a cable", name);
}

static inline void frame_fill(uint8_t *f, uint32_t len, uint32_t flow)
{
	struct ether_header *eth = (void *)f;
	struct iphdr *ip = (void *)(eth + 1);
	struct udphdr *udp = (void *)(ip + 1);

	memset(f, 0, len);
	memset(eth->ether_dhost, 0xff, 6);
	eth->ether_shost[0] = 2;
	eth->ether_type = htons(ETHERTYPE_IP);
	ip->version = 4;
	ip->ihl = 5;
	ip->ttl = 1;
	ip->protocol = IPPROTO_UDP;
	ip->tot_len = htons(len - sizeof(*eth));
	ip->saddr = htonl(WIRE_NET | flow);
	ip->daddr = htonl(0x0a610001);
	udp->source = htons(1 + flow % 60000);
	udp->dest = htons(9);
	udp->len = htons(len - sizeof(*eth) - sizeof(*ip));
}

static inline void run_wire(const struct role *r)
{
	int sock = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0), one = 1, i;
	struct sockaddr_ll to = { .sll_family = AF_PACKET };
	uint8_t frame[1514];
	uint32_t len;

	(void)r;
	link_up(sock, "eth0");
	link_up(sock, "eth1");
	/* A queue in front of the driver would drop what has waited too long. */
	to.sll_ifindex = if_nametoindex("eth0");
	if (setsockopt(sock, SOL_PACKET, PACKET_QDISC_BYPASS, &one, sizeof(one)) ||
	    bind(sock, (void *)&to, sizeof(to)))
		soak_fault("packet socket: %s", strerror(errno));
	atomic_fetch_add(&soak->ready, 1);
	while (soak->ready < READY && !soak->stopping)
		poll(NULL, 0, 1);
	while (!soak->stopping) {
		for (i = 0; i < 8; i++) {
			len = 60 + soak_random(sizeof(frame) - 60 + 1);
			frame_fill(frame, len, soak_random(WIRE_FLOWS));
			if (send(sock, frame, len, 0) == (ssize_t)len) {
				atomic_fetch_add(&post->sent, 1);
				atomic_fetch_add(&post->sum, len - sizeof(struct ether_header));
			} else if (errno != ENOBUFS && errno != EAGAIN) {
				soak_fault("frame: %s", strerror(errno));
			}
		}
		/* The rate of a wire, not of this program */
		poll(NULL, 0, 1);
	}
	close(sock);
}

/* A report of all flows; their packets are received, and what the meter has lost. */
static inline void flows_flush(struct nfpchan *ctl, struct nfpchan *ch, uint32_t token,
			       uint32_t quiet_us, struct nfp_flow_totals *t)
{
	struct nfp_flow_req req = {
		.op = htole32(NFP_FLOW_OP_FLUSH), .quiet_us = htole32(quiet_us),
		.token = htole32(token),
	};
	struct nfp_flow_record rec;
	ssize_t n;

	if (nfpchan_send(ctl, &req, sizeof(req), WAIT_NS))
		soak_fault("flow-ctl");
	for (;;) {
		n = nfpchan_recv(ch, &rec, sizeof(rec), WAIT_NS);
		if (n != sizeof(rec))
			soak_fault("flows: %zd", n);
		if (rec.type == NFP_FLOW_TOTALS)
			break;
		/* The host's own frames are none of the soak's. */
		if (rec.family != 4 || rec.proto != IPPROTO_UDP ||
		    (rec.src[0] << 24 | rec.src[1] << 16) != WIRE_NET)
			continue;
		atomic_fetch_add(&post->received, le64toh(rec.packets));
		atomic_fetch_add(&post->sum, -le64toh(rec.bytes));
	}
	memcpy(t, &rec, sizeof(*t));
	if (le32toh(t->token) != token)
		soak_fault("totals %u, asked for %u", le32toh(t->token), token);
}

static inline void run_flows(const struct role *r)
{
	struct nfpchan *ctl = soak_open(r->in, 0), *ch = soak_open(r->chan, 0);
	struct nfp_flow_totals first, t;
	uint32_t token = 0;
	bool last;

	/* What was before, but not before the first frame of ours */
	flows_flush(ctl, ch, ++token, 0, &first);
	atomic_fetch_add(&soak->ready, 1);
	do {
		last = soak->leaving;
		/* At last all that was sent is to have been seen. */
		flows_flush(ctl, ch, ++token, last ? 100000 : 0, &t);
		if (!last)
			poll(NULL, 0, 20);
	} while (!last);
	atomic_fetch_add(&post->lost, le64toh(t.dropped) - le64toh(first.dropped));
	nfpchan_close(ctl);
	nfpchan_close(ch);
}

/* The program on eth1, whose every frame is an event. */
static inline struct bpf_object *hook_attach(struct nfpchan *ch)
{
	unsigned int dev = if_nametoindex("eth1");
	struct bpf_object *obj = offload_load("build/guest/xdp/event.o", dev);
	uint32_t map = obj ? offload_map_id(obj, "events") : 0;
	char why[128];

	if (!map)
		soak_fault("event.o: %s", strerror(errno));
	if (nfpchan_xdp_bind(ch, offload_prog(obj), map))
		soak_fault("bind: %s", nfpchan_error(ch, why, sizeof(why)));
	if (bpf_xdp_attach(dev, offload_prog(obj), XDP_FLAGS_HW_MODE, NULL))
		soak_fault("attach: %s", strerror(errno));
	return obj;
}

/* Numbered by the card; those that are missing it has counted as dropped. */
static inline void hooked(const uint8_t *buf, ssize_t len)
{
	struct nfp_chan_xdp_event e = { 0 };
	static uint32_t last;
	uint32_t digest[2] = { 0 };

	if (len == (ssize_t)sizeof(e) + 8 + 14) {
		memcpy(&e, buf, sizeof(e));
		memcpy(digest, buf + sizeof(e), 8);
	}
	if (!e.frame_len || le32toh(e.seq) <= last || digest[0] != le16toh(e.frame_len) ||
	    digest[1] != 0x12345678 || buf[sizeof(e) + 8] != 0xff || buf[sizeof(e) + 8 + 6] != 2)
		soak_fault("event of %zd bytes, number %u behind %u", len, le32toh(e.seq), last);
	last = le32toh(e.seq);
	atomic_fetch_sub(&post->sum, digest[0] - sizeof(struct ether_header));
	atomic_fetch_add(&post->received, 1);
}

static inline void run_hook(const struct role *r)
{
	struct nfpchan *ch = soak_open(r->chan, 0);
	struct bpf_object *obj = hook_attach(ch);

	atomic_fetch_add(&soak->ready, 1);
	soak_receive(ch, r->how, hooked);
	if (bpf_xdp_detach(if_nametoindex("eth1"), XDP_FLAGS_HW_MODE, NULL))
		soak_fault("detach: %s", strerror(errno));
	bpf_object__close(obj);
}

#endif /* SOAK_KINDS_H */
