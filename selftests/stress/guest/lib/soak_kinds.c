// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * soak_kinds.c - workers of a soak that no other test has: asynchronous echoes, streams that the
 * card generates or checks, and frames for the flow meter and an XDP program.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <linux/if_link.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <netinet/ip.h>
#include <netinet/udp.h>
#include <nfpchan/nfp_chan_flow.h>
#include <nfpchan/nfp_chan_xdp.h>
#include "xdp/programs/offload.h"
#include "soak.h"
#include "stream.h"

/* ---- two channels that report to a port, with asynchronous requests ---- */

static struct port_req {
	struct nfpchan_async a;
	uint32_t seq;		/* number of the message to send; 0: the request receives */
	uint8_t buf[MSG_MAX];
} port_req[2 * PORT_REQS];

static unsigned int sending;

static void port_submit(struct flow *f, struct port_req *q)
{
	bool sends = q - port_req < PORT_REQS;
	static uint32_t seq;
	int err;

	if (sends && traffic->halt)
		return;
	q->a = (struct nfpchan_async){ .buf = q->buf, .len = sizeof(q->buf), .user = q };
	if (sends) {
		q->seq = ++seq;
		q->a.len = flow_fill(f, q->buf, q->seq);
		sending++;
		err = nfpchan_send_async(f->in, &q->a);
	} else {
		err = nfpchan_recv_async(f->out, &q->a);
	}
	if (err)
		traffic_fault("asynchronous request: %s", strerror(-err));
}

static int port_begin(struct flow *f)
{
	unsigned int i;

	worker->busy = 1;
	for (i = 0; i < 2 * PORT_REQS; i++)
		port_submit(f, &port_req[i]);
	return 0;
}

static void port_done(struct flow *f, const struct nfpchan_event *event)
{
	struct port_req *q;

	if (!event->req)
		traffic_fault("the port has an event for a channel that has requests");
	q = event->req->user;
	if (q->a.ret < 0)
		traffic_fault("asynchronous %s: %s", q->seq ? "send" : "receive",
			      strerror(-q->a.ret));
	if (q->seq) {
		sending--;
		flow_sent(f, q->seq, 1);
	} else {
		stamp_got(f, q->buf, q->a.ret, 0);
	}
	port_submit(f, q);
}

static int port_recv(struct flow *f, uint32_t seq)
{
	struct nfpchan_event event[PORT_REQS];
	int n, i;

	(void)seq;
	n = nfpchan_port_wait(f->port, event, PORT_REQS, IDLE_NS);
	for (i = 0; i < n; i++)
		port_done(f, &event[i]);
	/* Once all its messages are sent, other workers may receive what it does not receive. */
	if (worker->busy && traffic->halt && !sending && !nfpchan_drain(f->in, NFPCHAN_NONBLOCK))
		worker->busy = 0;
	return n < 0 ? n : 0;
}

/* ---- streams ---- */

/*
 * Send streams that the ME process compares. A stream must begin at an open of the channel, so
 * each stream has its own open. The stream of a killed worker may break off anywhere.
 */
static int sink_send(struct flow *f, uint32_t seq)
{
	static uint64_t total, at;
	static uint32_t seed;
	uint8_t buf[SINK_PART];
	uint32_t len;
	ssize_t n;

	if (seq == 1) {
		total = sizeof(struct pit_stream) + flow_random(f, 500000);
		seed = unused_number();
		at = 0;
	}
	len = sizeof(struct pit_stream) + flow_random(f, sizeof(buf) - sizeof(struct pit_stream));
	len = len < total - at ? len : total - at;
	compared_bytes(buf, len, at, total, seed);
	n = nfpchan_write(f->in, buf, len, IDLE_NS);
	if (n < 0)
		return n;
	atomic_fetch_add(&worker->sent, n);
	at += n;
	f->last = at == total ? seq : 0;
	return 1;
}

/* Ask for a number of bytes, receive them, and check that they are words that count up. */
static int source_round(struct flow *f, uint32_t seq)
{
	uint64_t bytes = 65536ull * (1 + flow_random(f, 8)), pos, at;
	struct source_req req = { htole64(bytes), htole32(4096), htole32(SOURCE_BYTES) };
	const uint8_t *data;
	const void *p;
	ssize_t n, i;

	(void)seq;
	if (nfpchan_send(f->in, &req, sizeof(req), WAIT_NS))
		traffic_fault("request not taken");
	atomic_fetch_add(&worker->asked, bytes);
	for (pos = 0; pos < bytes; pos += n) {
		n = nfpchan_peek(f->out, &p, WAIT_NS);
		if (n < 0)
			traffic_fault("peek at %llu: %s", (unsigned long long)pos, strerror(-n));
		for (data = p, i = 0; i < n; i++) {
			at = pos + i;
			if (data[i] != (uint8_t)(at / 4 % (SOURCE_PERIOD / 4) >> at % 4 * 8))
				traffic_fault("byte %llu", (unsigned long long)at);
		}
		nfpchan_consume(f->out, n);
		atomic_fetch_add(&worker->received, n);
	}
	return 0;
}

/* ---- elements one at a time ---- */

static int ping_round(struct flow *f, uint32_t seq)
{
	uint8_t buf[64];
	ssize_t n;

	flow_fill(f, buf, seq);
	if (nfpchan_send(f->in, buf, sizeof(buf), WAIT_NS))
		traffic_fault("element %u was not sent", seq);
	flow_sent(f, seq, 1);
	n = nfpchan_recv(f->out, buf, sizeof(buf), WAIT_NS);
	if (n != sizeof(buf))
		traffic_fault("element %u did not come back: %zd", seq, n);
	stamp_got(f, buf, n, seq);
	return 0;
}

/* ---- frames from one port to the other, seen by the flow meter and an XDP program ---- */

#define WIRE_FLOWS	200	/* different flows */
#define WIRE_NET	0x0a600000u	/* source addresses of the flows: 10.96.0.0 */

static bool sys_is(const char *path, const char *want)
{
	char text[64];

	return proc_read(path, text, sizeof(text)) && !strncmp(text, want, strlen(want));
}

static void link_up(int sock, const char *name)
{
	struct ifreq ifr = { 0 };
	char path[128];

	snprintf(path, sizeof(path), "/sys/class/net/%s/operstate", name);
	strcpy(ifr.ifr_name, name);
	if (ioctl(sock, SIOCGIFFLAGS, &ifr))
		traffic_fault("%s: %s", name, strerror(errno));
	ifr.ifr_flags |= IFF_UP;
	if (ioctl(sock, SIOCSIFFLAGS, &ifr))
		traffic_fault("%s up: %s", name, strerror(errno));
	if (!UNTIL(sys_is(path, "up")))
		traffic_fault("%s has no link: a cable must join the card's ports", name);
}

static void frame_fill(uint8_t *f, uint32_t len, uint32_t flow)
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

static int wire_sock = -1;

static int wire_open(struct flow *f)
{
	struct sockaddr_ll to = { .sll_family = AF_PACKET };
	int one = 1;

	(void)f;
	wire_sock = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
	link_up(wire_sock, "eth0");
	link_up(wire_sock, "eth1");
	/* Bypass the queueing discipline, which drops frames that have waited too long. */
	to.sll_ifindex = if_nametoindex("eth0");
	if (setsockopt(wire_sock, SOL_PACKET, PACKET_QDISC_BYPASS, &one, sizeof(one)) ||
	    bind(wire_sock, (void *)&to, sizeof(to)))
		traffic_fault("packet socket: %s", strerror(errno));
	atomic_fetch_add(ready, 1);
	while (*ready < READY && !traffic->halt)
		poll(NULL, 0, 1);
	return 0;
}

static int wire_send(struct flow *f, uint32_t seq)
{
	uint8_t frame[1514];
	uint32_t len;
	int i;

	(void)seq;
	for (i = 0; i < 8; i++) {
		len = 60 + flow_random(f, sizeof(frame) - 60 + 1);
		frame_fill(frame, len, flow_random(f, WIRE_FLOWS));
		if (send(wire_sock, frame, len, 0) == (ssize_t)len) {
			atomic_fetch_add(&worker->sent, 1);
			atomic_fetch_add(&worker->sum, len - sizeof(struct ether_header));
		} else if (errno != ENOBUFS && errno != EAGAIN) {
			traffic_fault("frame: %s", strerror(errno));
		}
	}
	/* Limit the rate to what the emulated wire carries. */
	poll(NULL, 0, 1);
	return 1;
}

/* Have the meter report all flows: count their packets, and the meter's totals in @t. */
static void flows_flush(struct flow *f, uint32_t token, uint32_t quiet_us,
			struct nfp_flow_totals *t)
{
	struct nfp_flow_req req = {
		.op = htole32(NFP_FLOW_OP_FLUSH), .quiet_us = htole32(quiet_us),
		.token = htole32(token),
	};
	struct nfp_flow_record rec;
	ssize_t n;

	if (nfpchan_send(f->in, &req, sizeof(req), WAIT_NS))
		traffic_fault("flow-ctl");
	for (;;) {
		n = nfpchan_recv(f->out, &rec, sizeof(rec), WAIT_NS);
		if (n != sizeof(rec))
			traffic_fault("flows: %zd", n);
		if (rec.type == NFP_FLOW_TOTALS)
			break;
		/* Skip frames that the guest itself has sent. */
		if (rec.family != 4 || rec.proto != IPPROTO_UDP ||
		    (rec.src[0] << 24 | rec.src[1] << 16) != WIRE_NET)
			continue;
		atomic_fetch_add(&worker->received, le64toh(rec.packets));
		atomic_fetch_add(&worker->sum, -le64toh(rec.bytes));
	}
	memcpy(t, &rec, sizeof(*t));
	if (le32toh(t->token) != token)
		traffic_fault("totals %u, asked for %u", le32toh(t->token), token);
}

static struct nfp_flow_totals flows_first;

/* Flush the flows from before. This ends before the first frame of the soak is sent. */
static int flows_start(struct flow *f)
{
	flows_flush(f, 0, 0, &flows_first);
	atomic_fetch_add(ready, 1);
	return 0;
}

static int flows_recv(struct flow *f, uint32_t seq)
{
	bool last = traffic->halt == TRAFFIC_LEAVES;
	struct nfp_flow_totals t;

		/* The last flush: wait until the meter has seen all frames. */
	flows_flush(f, seq, last ? 100000 : 0, &t);
	if (last) {
		atomic_fetch_add(&worker->lost, le64toh(t.dropped) - le64toh(flows_first.dropped));
		return -ETIMEDOUT;
	}
	poll(NULL, 0, 20);
	return 0;
}

static struct bpf_object *hook;

/* Attach the program to eth1, where it emits an event for each frame. */
static int hook_attach(struct flow *f)
{
	unsigned int dev = if_nametoindex("eth1");
	int map;
	char why[128];

	hook = offload_load("build/guest/xdp/event.o", dev);
	map = hook ? bpf_object__find_map_fd_by_name(hook, "events") : -1;
	if (map < 0)
		traffic_fault("event.o: %s", strerror(errno));
	if (nfpchan_xdp_bind(f->out, offload_prog(hook), map))
		traffic_fault("bind: %s", nfpchan_error(f->out, why, sizeof(why)));
	if (bpf_xdp_attach(dev, offload_prog(hook), XDP_FLAGS_HW_MODE, NULL))
		traffic_fault("attach: %s", strerror(errno));
	atomic_fetch_add(ready, 1);
	return 0;
}

static void hook_detach(struct flow *f)
{
	(void)f;
	if (bpf_xdp_detach(if_nametoindex("eth1"), XDP_FLAGS_HW_MODE, NULL))
		traffic_fault("detach: %s", strerror(errno));
	bpf_object__close(hook);
}

/* Check an event. Events are numbered by the card, which counts missing ones as dropped. */
static bool hooked_got(struct flow *f, const void *data, ssize_t len, uint32_t seq)
{
	const uint8_t *buf = data;
	struct nfp_chan_xdp_event e = { 0 };
	static uint32_t last;
	uint32_t digest[2] = { 0 };

	(void)f;
	(void)seq;
	if (len == (ssize_t)sizeof(e) + 8 + 14) {
		memcpy(&e, buf, sizeof(e));
		memcpy(digest, buf + sizeof(e), 8);
	}
	if (!e.frame_len || le32toh(e.seq) <= last || digest[0] != le16toh(e.frame_len) ||
	    digest[1] != 0x12345678 || buf[sizeof(e) + 8] != 0xff || buf[sizeof(e) + 8 + 6] != 2)
		traffic_fault("event of %zd bytes, number %u behind %u", len, le32toh(e.seq), last);
	last = le32toh(e.seq);
	atomic_fetch_sub(&worker->sum, digest[0] - sizeof(struct ether_header));
	atomic_fetch_add(&worker->received, 1);
	return true;
}

/* ---- all workers; each has the name of its channel ---- */

#define TO_NFP(chan)	.name = (chan), .in = (chan)
#define TO_HOST(chan)	.name = (chan), .out = (chan), .late = true

const struct kind soak_kinds[SOAK_KINDS] = {
	{ TO_NFP("echo-in"), .inline_max = 248, .mortal = true, .send = msg_send },
	{ TO_NFP("echo-in"), .raw = true, .mortal = true, .send = msg_send },
	{ TO_HOST("echo-out"), .in = "echo-in", .ported = true, .mortal = true,
	  .start = port_begin, .recv = port_recv },
	{ TO_HOST("echo-out"), .mortal = true, .recv = place_recv, .got = stamp_got },
	{ TO_HOST("echo-out"), .raw = true, .mortal = true, .recv = poll_recv, .got = stamp_got },
	{ TO_NFP("rv-in"), .hasty = true, .mortal = true, .send = msg_send },
	{ TO_NFP("rv-in"), .hasty = true, .mortal = true, .send = msg_send },
	{ TO_HOST("rv-out"), .mortal = true, .recv = msg_recv, .got = stamp_got },
	{ TO_HOST("rv-out"), .raw = true, .mortal = true, .recv = poll_recv, .got = stamp_got },
	{ TO_NFP("pit"), .inline_max = 248, .mortal = true, .send = msg_send },
	{ TO_NFP("pit64"), .mortal = true, .send = many_send },
	{ TO_NFP("sink"), .mortal = true, .send = sink_send },
	{ TO_NFP("load-ctl"), .send = load_send },
	{ TO_HOST("load"), .mortal = true, .recv = place_recv, .got = load_got },
	{ TO_HOST("pour"), .mortal = true, .recv = msg_recv, .got = load_got },
	{ TO_HOST("load-rv"), .raw = true, .mortal = true, .recv = poll_recv, .got = load_got },
	{ TO_NFP("loop-in"), .begin = bytes_begin, .send = bytes_send },
	{ TO_HOST("loop-out"), .start = bytes_start, .recv = bytes_recv },
	{ .name = "source", .in = "source-ctl", .out = "source", .recv = source_round },
	{ .name = "loop64-out", .in = "loop64-in", .out = "loop64-out", .recv = ping_round },
	{ .name = "own", .out = "own", .recv = signal_round },
	{ .name = "source64", .in = "source-ctl", .out = "source64", .back = "sink64",
	  .open = pair_open,
	  .begin = pair_begin, .send = pair_send, .start = pair_start, .recv = pair_recv },
	{ .name = WIRE, .frames = true, .open = wire_open, .send = wire_send },
	{ TO_HOST(METER), .in = NFP_CHAN_FLOW_CTL, .frames = true,
	  .start = flows_start, .recv = flows_recv },
	{ TO_HOST("xdp0"), .frames = true, .open = hook_attach, .close = hook_detach,
	  .recv = place_recv, .got = hooked_got },
};
