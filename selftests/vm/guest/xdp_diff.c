// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * xdp_diff.c - does an offloaded program do what it does on the host?
 *
 * usage: xdp_diff DEV PEER OBJECT...
 *
 * Each object's program is run by BPF_PROG_TEST_RUN on a number of packets, and
 * attached to DEV, into which PEER sends the same packets. What then comes to
 * the host at DEV (XDP_PASS), back to PEER (XDP_TX), is counted as dropped or
 * aborted, is in the maps, and came as events must be equal. DEV has one ring,
 * so all of it comes in the order of the packets.
 *
 * Maps named in_* are filled before. A program named known_* must differ: it
 * pins a difference between the card, or the driver's JIT, and the host.
 */
#include <arpa/inet.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/if_ether.h>
#include <linux/if_link.h>
#include <linux/if_packet.h>
#include <linux/perf_event.h>
#include <net/if.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define PACKETS		48
#define LEN_MIN		60	/* shorter ones the MAC pads */
#define LEN_MAX		1514
#define ROOM		2048
#define WAIT_MS		2000	/* for what does not come; all else is awaited */
#define EVENTS		(2 * PACKETS)
#define MAPS		8

struct frame {
	uint8_t data[ROOM];
	uint32_t len;
};

/* What a program makes of all packets. */
struct outcome {
	struct frame host[PACKETS], peer[PACKETS];
	unsigned int hosts, peers;
	struct frame event[EVENTS];
	unsigned int events;
	uint64_t dropped, aborted;
};

static struct outcome want, got;
static struct frame packet[PACKETS];
static char why[512];
static int dev, peer, dev_fd, peer_fd;
static const char *dev_name;

static void die(const char *what)
{
	printf("Bail out! %s: %s\n", what, strerror(errno));
	exit(1);
}

/* Note a difference; false for the caller to return. */
static bool __attribute__((format(printf, 1, 2))) differs(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, sizeof(why), fmt, ap);
	va_end(ap);
	return false;
}

/* ---- packets ---- */

static uint32_t chance(void)
{
	static uint64_t x = 0x9e3779b97f4a7c15;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return x >> 16;
}

static uint8_t byte_by_chance(void)
{
	static const uint8_t edge[] = { 0, 1, 0x7f, 0x80, 0xff };
	uint32_t v = chance();

	return v & 0x700 ? v : edge[(v >> 16) % sizeof(edge)];
}

static void make_packets(void)
{
	static const uint16_t types[] = { ETH_P_IP, ETH_P_IPV6, 0x88b5, 0x1234 };
	uint16_t type;
	unsigned int i;
	uint32_t j;

	for (i = 0; i < PACKETS; i++) {
		struct frame *p = &packet[i];

		p->len = LEN_MIN + chance() % 8;
		if (i % 4 == 1)
			p->len = LEN_MIN + chance() % 400;
		if (i % 8 == 7)
			p->len = LEN_MAX - chance() % 600;
		for (j = 0; j < p->len; j++)
			p->data[j] = byte_by_chance();
		p->data[0] &= ~1;
		p->data[6] &= ~1;
		type = htons(types[i % 4]);
		memcpy(p->data + 12, &type, 2);
	}
}

/* ---- events ---- */

static void event(void *ctx, int cpu, void *data, uint32_t len)
{
	struct outcome *o = ctx;
	struct frame *e = &o->event[o->events];

	(void)cpu;
	if (o->events == EVENTS)
		return;
	e->len = len < ROOM ? len : ROOM;
	memcpy(e->data, data, e->len);
	o->events++;
}

static struct perf_buffer *events_open(struct bpf_object *obj, struct outcome *o)
{
	struct bpf_map *map = bpf_object__find_map_by_name(obj, "events");
	struct perf_buffer *pb;

	if (!map)
		return NULL;
	pb = perf_buffer__new(bpf_map__fd(map), 16, event, NULL, o, NULL);
	if (!pb)
		die("perf_buffer__new");
	return pb;
}

/* ---- maps ---- */

/* Entries of equal content on both sides, wherever the program finds them. */
static void fill(struct bpf_object *obj)
{
	uint8_t key[64], value[64];
	struct bpf_map *map;
	uint32_t i, j;

	bpf_object__for_each_map(map, obj) {
		if (strncmp(bpf_map__name(map), "in_", 3))
			continue;
		for (i = 0; i < bpf_map__max_entries(map); i++) {
			memset(key, 0, sizeof(key));
			memcpy(key, &i, sizeof(i));
			for (j = 0; j < sizeof(value); j++)
				value[j] = i * 29 + j * 31 + 5;
			if (bpf_map_update_elem(bpf_map__fd(map), key, value, BPF_ANY))
				die(bpf_map__name(map));
		}
	}
}

static unsigned int entries(int fd)
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

static bool same_map(const struct bpf_map *host, const struct bpf_map *card)
{
	int h = bpf_map__fd(host), c = bpf_map__fd(card);
	uint8_t key[64], next[64], hv[64] = { 0 }, cv[64] = { 0 };
	uint32_t len = bpf_map__value_size(host), i;
	bool more;

	if (entries(h) != entries(c))
		return differs("map %s: %u entries, on the host %u", bpf_map__name(host),
			       entries(c), entries(h));
	for (more = !bpf_map_get_next_key(h, NULL, key); more;
	     more = !bpf_map_get_next_key(h, key, next), memcpy(key, next, sizeof(key))) {
		if (bpf_map_lookup_elem(h, key, hv))
			die("lookup");
		if (bpf_map_lookup_elem(c, key, cv))
			return differs("map %s: key %02x%02x%02x%02x is missing",
				       bpf_map__name(host), key[0], key[1], key[2], key[3]);
		for (i = 0; i < len; i++)
			if (hv[i] != cv[i])
				return differs("map %s: key %02x%02x%02x%02x, byte %u: %02x, on the host %02x",
					       bpf_map__name(host), key[0], key[1], key[2],
					       key[3], i, cv[i], hv[i]);
	}
	return true;
}

static bool same_maps(struct bpf_object *host, struct bpf_object *card)
{
	struct bpf_map *map;

	bpf_object__for_each_map(map, host)
		if (bpf_map__type(map) != BPF_MAP_TYPE_PERF_EVENT_ARRAY &&
		    !same_map(map, bpf_object__find_map_by_name(card, bpf_map__name(map))))
			return false;
	return true;
}

/* ---- programs ---- */

/* Loaded for interface @ifindex, or for the host when it is 0. */
static struct bpf_object *load(const char *path, int ifindex)
{
	struct bpf_object *obj = bpf_object__open_file(path, NULL);
	struct bpf_program *prog;
	struct bpf_map *map;

	if (!obj)
		die(path);
	bpf_object__for_each_program(prog, obj) {
		bpf_program__set_type(prog, BPF_PROG_TYPE_XDP);
		bpf_program__set_ifindex(prog, ifindex);
	}
	/* Perf rings are the kernel's, whoever writes to them. */
	bpf_object__for_each_map(map, obj)
		if (bpf_map__type(map) != BPF_MAP_TYPE_PERF_EVENT_ARRAY)
			bpf_map__set_ifindex(map, ifindex);
	if (bpf_object__load(obj)) {
		bpf_object__close(obj);
		return NULL;
	}
	return obj;
}

static int prog_fd(struct bpf_object *obj)
{
	return bpf_program__fd(bpf_object__next_program(obj, NULL));
}

/* ---- on the host ---- */

static void keep(struct frame *list, unsigned int *n, const void *data, uint32_t len)
{
	if (*n == PACKETS)
		return;
	list[*n].len = len < ROOM ? len : ROOM;
	memcpy(list[*n].data, data, list[*n].len);
	++*n;
}

static void run_host(struct bpf_object *obj)
{
	struct perf_buffer *pb = events_open(obj, &want);
	unsigned int i;

	fill(obj);
	for (i = 0; i < PACKETS; i++) {
		uint8_t out[4096];
		LIBBPF_OPTS(bpf_test_run_opts, o,
			    .data_in = packet[i].data, .data_size_in = packet[i].len,
			    .data_out = out, .data_size_out = sizeof(out), .repeat = 1);

		if (bpf_prog_test_run_opts(prog_fd(obj), &o))
			die("BPF_PROG_TEST_RUN");
		if (o.retval == XDP_PASS)
			keep(want.host, &want.hosts, out, o.data_size_out);
		else if (o.retval == XDP_TX)
			keep(want.peer, &want.peers, out, o.data_size_out);
		else if (o.retval == XDP_DROP)
			want.dropped++;
		else
			want.aborted++;
	}
	if (pb)
		perf_buffer__consume(pb);
	perf_buffer__free(pb);
}

/* ---- on the card ---- */

static int packet_socket(int ifindex)
{
	struct sockaddr_ll sa = {
		.sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL), .sll_ifindex = ifindex,
	};
	struct packet_mreq mr = { .mr_ifindex = ifindex, .mr_type = PACKET_MR_PROMISC };
	int fd = socket(AF_PACKET, SOCK_RAW | SOCK_NONBLOCK, 0), room = 8 << 20, one = 1;

	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof(room)) ||
	    setsockopt(fd, SOL_PACKET, PACKET_IGNORE_OUTGOING, &one, sizeof(one)) ||
	    setsockopt(fd, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &mr, sizeof(mr)) ||
	    bind(fd, (struct sockaddr *)&sa, sizeof(sa)))
		die("packet socket");
	return fd;
}

static bool take(int fd, struct frame *list, unsigned int *n)
{
	uint8_t buf[4096];
	ssize_t len = recv(fd, buf, sizeof(buf), 0);

	if (len < 0)
		return false;
	keep(list, n, buf, len);
	return true;
}

static uint64_t counter(const char *name)
{
	char line[256], key[64];
	uint64_t v = 0, n;
	FILE *f;

	snprintf(line, sizeof(line), "ethtool -S %s", dev_name);
	f = popen(line, "r");
	if (!f)
		die("ethtool");
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, " %63[^:]: %lu", key, &n) == 2 && !strcmp(key, name))
			v = n;
	pclose(f);
	return v;
}

static uint64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000ull + ts.tv_nsec / 1000000;
}

static bool complete(uint64_t dropped, uint64_t aborted)
{
	if (got.hosts < want.hosts || got.peers < want.peers || got.events < want.events)
		return false;
	/* All that can be seen has come: the rest is what was dropped. */
	got.dropped = counter("bpf_app1_pkts") - dropped;
	got.aborted = counter("bpf_app3_pkts") - aborted;
	return got.hosts + got.peers + got.dropped + got.aborted >= PACKETS;
}

/* Take what comes, until all has that should, or nothing does any more. */
static void collect(struct perf_buffer *pb, uint64_t dropped, uint64_t aborted)
{
	struct pollfd fds[3] = {
		{ .fd = dev_fd, .events = POLLIN }, { .fd = peer_fd, .events = POLLIN },
		{ .fd = pb ? perf_buffer__epoll_fd(pb) : -1, .events = POLLIN },
	};
	uint64_t end = now_ms() + WAIT_MS;
	bool moved;

	while (!complete(dropped, aborted) && now_ms() < end) {
		poll(fds, 3, 50);
		moved = false;
		while (take(dev_fd, got.host, &got.hosts))
			moved = true;
		while (take(peer_fd, got.peer, &got.peers))
			moved = true;
		if (pb)
			perf_buffer__consume(pb);
		if (moved)
			end = now_ms() + WAIT_MS;
	}
}

static void run_card(struct bpf_object *obj)
{
	struct perf_buffer *pb = events_open(obj, &got);
	uint64_t dropped, aborted;
	unsigned int i;

	fill(obj);
	if (bpf_xdp_attach(dev, prog_fd(obj), XDP_FLAGS_HW_MODE, NULL))
		die("attach");
	dropped = counter("bpf_app1_pkts");
	aborted = counter("bpf_app3_pkts");
	for (i = 0; i < PACKETS; i++)
		if (send(peer_fd, packet[i].data, packet[i].len, 0) != packet[i].len)
			die("send");
	collect(pb, dropped, aborted);
	perf_buffer__free(pb);
	if (bpf_xdp_detach(dev, XDP_FLAGS_HW_MODE, NULL))
		die("detach");
}

/* ---- comparison ---- */

static bool same_frames(const char *what, const struct frame *w, unsigned int nw,
			const struct frame *g, unsigned int ng, uint32_t pad)
{
	unsigned int i;
	uint32_t j;

	for (i = 0; i < nw && i < ng; i++) {
		/* Records of the perf ring are rounded up to 8 bytes. */
		uint32_t len = w[i].len < g[i].len ? w[i].len : g[i].len;

		if (w[i].len - len > pad || g[i].len - len > pad)
			return differs("%s %u: %u bytes, on the host %u", what, i, g[i].len, w[i].len);
		for (j = 0; j < len; j++)
			if (w[i].data[j] != g[i].data[j])
				return differs("%s %u of %u bytes, byte %u: %02x, on the host %02x",
					       what, i, len, j, g[i].data[j], w[i].data[j]);
	}
	if (nw != ng)
		return differs("%s: %u of them, on the host %u", what, ng, nw);
	return true;
}

static bool same(struct bpf_object *host, struct bpf_object *card)
{
	if (!same_frames("passed", want.host, want.hosts, got.host, got.hosts, 0) ||
	    !same_frames("sent back", want.peer, want.peers, got.peer, got.peers, 0) ||
	    !same_frames("event", want.event, want.events, got.event, got.events, 7))
		return false;
	if (want.dropped != got.dropped || want.aborted != got.aborted)
		return differs("%lu dropped, %lu aborted, on the host %lu, %lu", got.dropped,
			       got.aborted, want.dropped, want.aborted);
	return same_maps(host, card);
}

static bool compare(const char *path)
{
	struct bpf_object *host, *card;
	bool good;

	memset(&want, 0, sizeof(want));
	memset(&got, 0, sizeof(got));
	why[0] = 0;
	host = load(path, 0);
	if (!host)
		return differs("does not load for the host");
	card = load(path, dev);
	if (!card) {
		bpf_object__close(host);
		return differs("does not load for the card");
	}
	run_host(host);
	run_card(card);
	good = same(host, card);
	bpf_object__close(card);
	bpf_object__close(host);
	return good;
}

int main(int argc, char **argv)
{
	int i, failed = 0;

	if (argc < 4) {
		fprintf(stderr, "usage: xdp_diff DEV PEER OBJECT...\n");
		return 2;
	}
	dev_name = argv[1];
	dev = if_nametoindex(argv[1]);
	peer = if_nametoindex(argv[2]);
	dev_fd = packet_socket(dev);
	peer_fd = packet_socket(peer);
	make_packets();
	for (i = 3; i < argc; i++) {
		const char *name = strrchr(argv[i], '/') ? strrchr(argv[i], '/') + 1 : argv[i];
		bool known = !strncmp(name, "known_", 6);
		bool good = compare(argv[i]);

		printf("%s %d - %s\n", good != known ? "ok" : "not ok", i - 2, name);
		failed += good == known;
		if (known)
			printf("# known difference: %s\n", good ? "none any more" : why);
		else
			printf("# %u passed, %u sent back, %lu dropped, %lu aborted, %u events%s%s\n",
			       want.hosts, want.peers, want.dropped, want.aborted, want.events,
			       good ? "" : ": ", why);
		fflush(stdout);
	}
	printf("1..%d\n", argc - 3);
	return failed ? 1 : 0;
}
