// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* xdp_run.c - see xdp_run.h. */
#define _GNU_SOURCE
#include "xdp_run.h"

char why[512];

bool __attribute__((format(printf, 1, 2))) differs(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, sizeof(why), fmt, ap);
	va_end(ap);
	return false;
}

struct frame *frames_next(struct frames *l)
{
	if (l->n == l->room) {
		l->room = l->room ? 2 * l->room : 64;
		l->f = realloc(l->f, l->room * sizeof(*l->f));
		if (!l->f)
			die("frames");
	}
	l->f[l->n].len = 0;
	return &l->f[l->n++];
}

void frames_add(struct frames *l, const void *data, uint32_t len)
{
	struct frame *f = frames_next(l);

	f->len = len < FRAME_ROOM ? len : FRAME_ROOM;
	memcpy(f->data, data, f->len);
}

void frames_sent(struct frames *l, const void *data, uint32_t len)
{
	struct frame *f;

	frames_add(l, data, len);
	f = &l->f[l->n - 1];
	if (f->len < ETH_ZLEN) {
		memset(f->data + f->len, 0, ETH_ZLEN - f->len);
		f->len = ETH_ZLEN;
	}
}

void frames_random(struct frames *l, uint32_t len, uint16_t type, uint64_t *x)
{
	static const uint8_t edge[] = { 0, 1, 0x7f, 0x80, 0xff };
	struct frame *f = frames_next(l);

	for (f->len = 0; f->len < len; f->len++) {
		uint32_t v = chance(x);

		f->data[f->len] = v & 0x700 ? v : edge[(v >> 16) % sizeof(edge)];
	}
	f->data[0] &= ~1;
	f->data[6] &= ~1;
	f->data[12] = type >> 8;
	f->data[13] = type;
}

void frames_send(int fd, const struct frames *l)
{
	unsigned int i;

	for (i = 0; i < l->n; i++)
		if (send(fd, l->f[i].data, l->f[i].len, 0) != l->f[i].len)
			die("send");
}

void outcome_clear(struct outcome *o)
{
	o->host.n = 0;
	o->peer.n = 0;
	o->event.n = 0;
	o->dropped = 0;
	o->aborted = 0;
}

bool frames_same(const char *what, const struct frames *want, const struct frames *got,
		 uint32_t pad)
{
	unsigned int i;
	uint32_t j;

	for (i = 0; i < want->n && i < got->n; i++) {
		const struct frame *w = &want->f[i], *g = &got->f[i];
		uint32_t len = w->len < g->len ? w->len : g->len;

		if (w->len - len > pad || g->len - len > pad)
			return differs("%s %u: %u bytes, on the host %u", what, i, g->len, w->len);
		for (j = 0; j < len; j++)
			if (w->data[j] != g->data[j])
				return differs("%s %u of %u bytes, byte %u: %02x, on the host %02x",
					       what, i, len, j, g->data[j], w->data[j]);
	}
	if (want->n != got->n)
		return differs("%s: %u of them, on the host %u", what, got->n, want->n);
	return true;
}

struct bpf_object *xdp_load(const char *path, const char *section, int ifindex)
{
	struct bpf_object *obj = bpf_object__open_file(path, NULL);
	struct bpf_program *prog;

	if (!obj)
		die(path);
	bpf_object__for_each_program(prog, obj) {
		bpf_program__set_autoload(prog, !strcmp(bpf_program__section_name(prog), section));
		bpf_program__set_type(prog, BPF_PROG_TYPE_XDP);
		bpf_program__set_ifindex(prog, ifindex);
	}
	offload_maps(obj, ifindex);
	if (bpf_object__load(obj)) {
		bpf_object__close(obj);
		return NULL;
	}
	return obj;
}

int xdp_fd(struct bpf_object *obj)
{
	struct bpf_program *prog;

	bpf_object__for_each_program(prog, obj)
		if (bpf_program__autoload(prog))
			return bpf_program__fd(prog);
	return -1;
}

unsigned int map_entries(int fd)
{
	uint8_t key[64], next[64];
	unsigned int n = 0;

	if (bpf_map_get_next_key(fd, NULL, next))
		return 0;
	do {
		n++;
		memcpy(key, next, sizeof(key));
	} while (n < 100000 && !bpf_map_get_next_key(fd, key, next));
	return n;
}

bool map_fds_same(const char *name, int h, int c, uint32_t len)
{
	uint8_t key[64], next[64], hv[64] = { 0 }, cv[64] = { 0 };
	uint32_t i;
	bool more;

	if (map_entries(h) != map_entries(c))
		return differs("map %s: %u entries, on the host %u", name, map_entries(c),
			       map_entries(h));
	for (more = !bpf_map_get_next_key(h, NULL, key); more;
	     more = !bpf_map_get_next_key(h, key, next), memcpy(key, next, sizeof(key))) {
		if (bpf_map_lookup_elem(h, key, hv))
			die("lookup");
		if (bpf_map_lookup_elem(c, key, cv))
			return differs("map %s: key %02x%02x%02x%02x is missing", name, key[0],
				       key[1], key[2], key[3]);
		for (i = 0; i < len; i++)
			if (hv[i] != cv[i])
				return differs("map %s: key %02x%02x%02x%02x, byte %u: %02x, on the host %02x",
					       name, key[0], key[1], key[2], key[3], i, cv[i],
					       hv[i]);
	}
	return true;
}

bool map_same(const struct bpf_map *host, const struct bpf_map *card)
{
	return map_fds_same(bpf_map__name(host), bpf_map__fd(host), bpf_map__fd(card),
			    bpf_map__value_size(host));
}

bool maps_same(struct bpf_object *host, struct bpf_object *card)
{
	struct bpf_map *map;

	bpf_object__for_each_map(map, host)
		if (bpf_map__type(map) != BPF_MAP_TYPE_PERF_EVENT_ARRAY &&
		    !map_same(map, bpf_object__find_map_by_name(card, bpf_map__name(map))))
			return false;
	return true;
}

bool outcome_same(const struct outcome *want, const struct outcome *got)
{
	if (!frames_same("passed", &want->host, &got->host, 0) ||
	    !frames_same("sent back", &want->peer, &got->peer, 0) ||
	    !frames_same("event", &want->event, &got->event, 7))
		return false;
	if (want->dropped != got->dropped || want->aborted != got->aborted)
		return differs("%lu dropped, %lu aborted, on the host %lu, %lu", got->dropped,
			       got->aborted, want->dropped, want->aborted);
	return true;
}

static void event_one(void *ctx, int cpu, void *data, uint32_t len)
{
	(void)cpu;
	frames_add(ctx, data, len);
}

struct perf_buffer *events_open(struct bpf_object *obj, struct outcome *o)
{
	struct bpf_map *map = bpf_object__find_map_by_name(obj, "events");
	struct perf_buffer *pb;

	if (!map)
		return NULL;
	pb = perf_buffer__new(bpf_map__fd(map), 64, event_one, NULL, &o->event, NULL);
	if (!pb)
		die("perf_buffer__new");
	return pb;
}

void run_host_fd(int fd, struct perf_buffer *pb, const struct frames *packets, struct outcome *o)
{
	unsigned int i;

	for (i = 0; i < packets->n; i++) {
		uint8_t out[4096];
		LIBBPF_OPTS(bpf_test_run_opts, t,
			    .data_in = packets->f[i].data, .data_size_in = packets->f[i].len,
			    .data_out = out, .data_size_out = sizeof(out), .repeat = 1);

		if (bpf_prog_test_run_opts(fd, &t))
			die("BPF_PROG_TEST_RUN");
		if (t.retval == XDP_PASS)
			frames_add(&o->host, out, t.data_size_out);
		else if (t.retval == XDP_TX)
			frames_sent(&o->peer, out, t.data_size_out);
		else if (t.retval == XDP_DROP)
			o->dropped++;
		else
			o->aborted++;
		if (pb)
			perf_buffer__consume(pb);
	}
}

void run_host(struct bpf_object *obj, const struct frames *packets, struct outcome *o)
{
	struct perf_buffer *pb = events_open(obj, o);

	run_host_fd(xdp_fd(obj), pb, packets, o);
	perf_buffer__free(pb);
}

int packet_socket(int ifindex)
{
	struct sockaddr_ll sa = {
		.sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL), .sll_ifindex = ifindex,
	};
	struct packet_mreq mr = { .mr_ifindex = ifindex, .mr_type = PACKET_MR_PROMISC };
	int fd = socket(AF_PACKET, SOCK_RAW | SOCK_NONBLOCK, 0), room = 8 << 20, one = 1;

	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof(room)) ||
	    setsockopt(fd, SOL_PACKET, PACKET_IGNORE_OUTGOING, &one, sizeof(one)) ||
	    setsockopt(fd, SOL_PACKET, PACKET_AUXDATA, &one, sizeof(one)) ||
	    setsockopt(fd, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &mr, sizeof(mr)) ||
	    bind(fd, (struct sockaddr *)&sa, sizeof(sa)))
		die("packet socket");
	return fd;
}

/* The kernel has removed the outer VLAN tag from the frame. Put the tag back. */
static void tag_restore(struct frame *f, const struct tpacket_auxdata *aux)
{
	uint16_t tag[2] = { htons(ETH_P_8021Q), htons(aux->tp_vlan_tci) };

	if (aux->tp_status & TP_STATUS_VLAN_TPID_VALID)
		tag[0] = htons(aux->tp_vlan_tpid);
	memmove(f->data + 2 * ETH_ALEN + sizeof(tag), f->data + 2 * ETH_ALEN,
		f->len - 2 * ETH_ALEN);
	memcpy(f->data + 2 * ETH_ALEN, tag, sizeof(tag));
	f->len += sizeof(tag);
}

bool take(int fd, struct frames *l)
{
	union {
		char buf[CMSG_SPACE(sizeof(struct tpacket_auxdata))];
		struct cmsghdr align;
	} control;
	char buf[FRAME_ROOM - 4];
	struct iovec iov = { buf, sizeof(buf) };
	struct msghdr m = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = &control, .msg_controllen = sizeof(control),
	};
	ssize_t len = fd < 0 ? -1 : recvmsg(fd, &m, 0);
	struct tpacket_auxdata aux;
	struct cmsghdr *c;

	if (len < 0)
		return false;
	frames_add(l, buf, len);
	c = CMSG_FIRSTHDR(&m);
	if (c && c->cmsg_level == SOL_PACKET && c->cmsg_type == PACKET_AUXDATA) {
		memcpy(&aux, CMSG_DATA(c), sizeof(aux));
		if (aux.tp_status & TP_STATUS_VLAN_VALID)
			tag_restore(&l->f[l->n - 1], &aux);
	}
	return true;
}

static bool card_complete(struct card_run *r)
{
	const struct outcome *want = r->want;
	struct outcome *got = r->got;
	uint64_t sent = got->peer.n;

	if (got->host.n < want->host.n || got->event.n < want->event.n ||
	    (r->peer_fd >= 0 && sent < want->peer.n))
		return false;
	/* Now the counters are final. */
	got->dropped = counter(r->dev, "bpf_app1_pkts") - r->dropped;
	got->aborted = counter(r->dev, "bpf_app3_pkts") - r->aborted;
	if (r->peer_fd < 0)
		sent = counter(r->dev, "bpf_app2_pkts") - r->sent;
	return got->host.n + sent + got->dropped + got->aborted >= r->total;
}

void card_run_start(struct card_run *r, struct bpf_object *obj)
{
	if (bpf_xdp_attach(if_nametoindex(r->dev), xdp_fd(obj), XDP_FLAGS_HW_MODE, NULL))
		die("attach");
	r->pb = events_open(obj, r->got);
	r->dropped = counter(r->dev, "bpf_app1_pkts");
	r->sent = counter(r->dev, "bpf_app2_pkts");
	r->aborted = counter(r->dev, "bpf_app3_pkts");
}

/*
 * After 513 events the driver leaves further events in its ring until the card sends another
 * message (late_events in selftests/xdp/KNOWN.rst). Make a map, so that the card sends an answer.
 */
static void driver_wake(const struct card_run *r)
{
	LIBBPF_OPTS(bpf_map_create_opts, o, .map_ifindex = if_nametoindex(r->dev));
	int fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, NULL, 4, 4, 1, &o);

	if (fd >= 0)
		close(fd);
}

void card_collect(struct card_run *r)
{
	struct pollfd fds[3] = {
		{ .fd = r->dev_fd, .events = POLLIN }, { .fd = r->peer_fd, .events = POLLIN },
		{ .fd = r->pb ? perf_buffer__epoll_fd(r->pb) : -1, .events = POLLIN },
	};
	uint64_t end = now_ms() + WAIT_MS;
	bool moved;

	while (!card_complete(r) && now_ms() < end) {
		if (!poll(fds, 3, 50) && r->got->event.n < r->want->event.n)
			driver_wake(r);
		moved = false;
		while (take(r->dev_fd, &r->got->host))
			moved = true;
		while (take(r->peer_fd, &r->got->peer))
			moved = true;
		if (r->pb)
			perf_buffer__consume(r->pb);
		if (moved)
			end = now_ms() + WAIT_MS;
	}
}

void card_run_stop(struct card_run *r)
{
	perf_buffer__free(r->pb);
	if (bpf_xdp_detach(if_nametoindex(r->dev), XDP_FLAGS_HW_MODE, NULL))
		die("detach");
}
