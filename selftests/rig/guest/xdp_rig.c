// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* xdp_rig.c - see xdp_rig.h. */
#define _GNU_SOURCE
#include "xdp_rig.h"

int wire_fd;

static void on_event(void *ctx, int cpu, void *data, uint32_t len)
{
	struct heard *h = ctx;

	(void)cpu;
	if (h->in - h->out == 64 || len > EVENT_MAX)
		give_up("perf ring", "more events than expected, or larger");
	memcpy(h->event[h->in % 64].data, data, len);
	h->event[h->in++ % 64].len = len;
}

void rig_fill(struct rig *r, struct bpf_object *obj)
{
	static const char * const names[] = { "events", "more" };
	int i;

	memset(r, 0, sizeof(*r));
	r->obj = obj;
	r->prog = offload_prog(obj);
	r->prog_id = offload_prog_id(obj);
	if (!r->prog_id)
		die("program");
	for (i = 0; i < MAPS; i++) {
		r->map[i] = bpf_object__find_map_fd_by_name(obj, names[i]);
		r->map_id[i] = offload_map_id(obj, names[i]);
		if (!r->map_id[i])
			die(names[i]);
	}
}

void rig_load(struct rig *r, int ifindex)
{
	struct bpf_object *obj = offload_load(OFFLOAD_HOOK, ifindex);

	if (!obj)
		die(OFFLOAD_HOOK);
	rig_fill(r, obj);
}

void rig_listen(struct rig *r)
{
	int i;

	for (i = 0; i < MAPS; i++) {
		r->pb[i] = perf_buffer__new(r->map[i], 16, on_event, NULL, &r->heard[i], NULL);
		if (!r->pb[i])
			die("perf_buffer__new");
	}
}

void rig_attach(struct rig *r, int ifindex)
{
	if (bpf_xdp_attach(ifindex, r->prog, XDP_FLAGS_HW_MODE, NULL))
		die("attach");
}

void rig_detach(int ifindex)
{
	if (bpf_xdp_detach(ifindex, XDP_FLAGS_HW_MODE, NULL))
		die("detach");
}

void rig_close(struct rig *r)
{
	int i;

	for (i = 0; i < MAPS; i++)
		perf_buffer__free(r->pb[i]);
	bpf_object__close(r->obj);
}

void wire_open(const char *dev)
{
	struct sockaddr_ll sa = {
		.sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL),
		.sll_ifindex = (int)if_nametoindex(dev),
	};

	wire_fd = socket(AF_PACKET, SOCK_RAW, 0);
	if (wire_fd < 0 || bind(wire_fd, (struct sockaddr *)&sa, sizeof(sa)))
		die(dev);
}

static void frame_make(uint8_t buf[FRAME_MAX], const struct ask *a)
{
	uint32_t i;

	for (i = 0; i < a->frame; i++)
		buf[i] = a->nr * 29 + i * 7 + (i >> 8) + 1;
	memset(buf, 0x02, 12);
	buf[12] = 0x88;		/* EtherType for local experiments */
	buf[13] = 0xb5;
	buf[14] = a->map;
	buf[15] = 0;
	buf[16] = a->own;
	buf[17] = 0;
	buf[18] = a->pkt;
	buf[19] = a->pkt >> 8;
	memcpy(buf + 20, &a->nr, 4);
}

void ask(const struct ask *a)
{
	uint8_t buf[FRAME_MAX];

	frame_make(buf, a);
	if (send(wire_fd, buf, a->frame, 0) != (ssize_t)a->frame)
		die("send");
}

/* Make the event that the program emits for frame @a: the program's data, then the packet's. */
static uint32_t event_of(const struct ask *a, uint8_t *want)
{
	uint8_t frame[FRAME_MAX];
	uint64_t own[16];
	unsigned int i;

	frame_make(frame, a);
	for (i = 0; i < 16; i++) {
		memcpy(&own[i], frame + 20 + i % 5 * 8, 8);
		own[i] += i;
	}
	memcpy(want, own, a->own);
	memcpy(want + a->own, frame, a->pkt);
	return a->own + a->pkt;
}

static bool differs(const char *what, const struct ask *a, uint32_t len, uint32_t want)
{
	printf("# %s of frame %u (%u + %u bytes): %u bytes, want %u\n", what, a->nr, a->own,
	       a->pkt, len, want);
	return false;
}

bool perf_is(struct rig *r, const struct ask *a)
{
	uint8_t want[EVENT_MAX] = { 0 };
	uint32_t n = event_of(a, want), len;
	struct heard *h = &r->heard[a->map];
	const uint8_t *data;

	if (!UNTIL((perf_buffer__consume(r->pb[a->map]), h->in != h->out)))
		return differs("no event", a, 0, n);
	len = h->event[h->out % 64].len;
	data = h->event[h->out++ % 64].data;
	if (len < n || len > n + 7 || memcmp(data, want, n))
		return differs("perf event", a, len, n);
	return true;
}

bool perf_empty(struct rig *r, unsigned int map)
{
	perf_buffer__consume(r->pb[map]);
	return r->heard[map].in == r->heard[map].out;
}

bool chan_is(struct nfpchan *ch, const struct rig *r, const struct ask *a, uint32_t seq)
{
	uint8_t want[EVENT_MAX], buf[EVENT_MAX];
	uint32_t n = event_of(a, want);
	struct nfp_chan_xdp_event e;
	ssize_t len = nfpchan_recv(ch, buf, sizeof(buf), WAIT_NS);

	if (len != (ssize_t)(HEAD + n) || memcmp(buf + HEAD, want, n))
		return differs(len < 0 ? "no message" : "message", a, len, HEAD + n);
	memcpy(&e, buf, HEAD);
	if (le32toh(e.map_id) == r->map_id[a->map] && le32toh(e.seq) == seq && e.ts_ns &&
	    le16toh(e.data_len) == a->own && le16toh(e.pkt_len) == a->pkt &&
	    le16toh(e.frame_len) == a->frame && e.port == 0 && e.rsvd == 0)
		return true;
	printf("# map %u, number %u (want %u, %u), lengths %u %u %u, port %u\n",
	       le32toh(e.map_id), le32toh(e.seq), r->map_id[a->map], seq, le16toh(e.data_len),
	       le16toh(e.pkt_len), le16toh(e.frame_len), e.port);
	return false;
}
