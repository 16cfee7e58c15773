// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * xdp_balancer.c - guest side of balancer.t: check that the balancer of the examples
 * handles a capture on the card as it does on the host.
 *
 * usage: xdp_balancer DEV OBJECT CAPTURE SENT FLOWS
 *
 * The frames of CAPTURE arrive at DEV's wire when the flow meter has a receiver,
 * whose totals go to FLOWS. The frames that the host's run sends back go to SENT, to be
 * compared with the frames that leave the card.
 */
#include <endian.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../../userspace/examples/xdp/balancer.h"
#include "xdp_run.h"

#define INSNS_MIN	300
#define V4_GROUP	0
#define V6_GROUP	1
#define OF_GROUP	4	/* backends in each group */

static struct outcome want, got;
static struct frames packets;
static struct card_run card_run;

/* Report a test. If it failed, print the difference that was noted. */
static void same(bool good, const char *name)
{
	if (!ok(good, "%s", name))
		printf("# %s\n", why);
}

/* ---- captures ---- */

struct pcap_record {
	uint32_t sec, fraction, caplen, len;
};

static void capture_read(const char *path)
{
	struct pcap_record r;
	FILE *f = fopen(path, "r");

	if (!f || fseek(f, 24, SEEK_SET))
		die(path);
	while (fread(&r, sizeof(r), 1, f) == 1) {
		struct frame *p = frames_next(&packets);

		p->len = r.len;
		if (r.caplen != r.len || r.len > sizeof(p->data) ||
		    fread(p->data, r.len, 1, f) != 1)
			die("a frame that is not whole, or too long");
	}
	fclose(f);
}

/* Write frames in hexadecimal, one on each line. */
static void frames_write(const char *path, const struct frames *l)
{
	FILE *f = fopen(path, "w");
	unsigned int i, j;

	if (!f)
		die(path);
	for (i = 0; i < l->n; i++) {
		for (j = 0; j < l->f[i].len; j++)
			fprintf(f, "%02x", l->f[i].data[j]);
		fputc('\n', f);
	}
	if (fclose(f))
		die(path);
}

/* ---- configuration ---- */

static void put(struct bpf_object *obj, const char *map, const void *key, const void *value)
{
	if (bpf_map_update_elem(bpf_object__find_map_fd_by_name(obj, map), key, value, BPF_ANY))
		die(map);
}

static void rule(struct bpf_object *obj, uint8_t proto, uint16_t port)
{
	struct balancer_rule key = { .proto = proto, .port = htons(port) };
	uint32_t value = 1;

	put(obj, "rules", &key, &value);
}

static void service(struct bpf_object *obj, const char *addr, uint8_t proto, uint16_t port,
		    uint32_t group)
{
	struct balancer_service key = { .proto = proto, .port = htons(port) };

	if (inet_pton(AF_INET, addr, &key.addr[3]) != 1 &&
	    inet_pton(AF_INET6, addr, key.addr) != 1)
		die(addr);
	put(obj, "services", &key, &group);
}

static void backends(struct bpf_object *obj, const char *net, uint32_t group)
{
	uint32_t i, k;

	for (i = 0; i < OF_GROUP; i++) {
		struct balancer_backend b = { .mac = { 2, 0, 0, 0, group, i } };

		k = group * OF_GROUP + i;
		if (inet_pton(AF_INET, net, &b.addr[3]) != 1 &&
		    inet_pton(AF_INET6, net, b.addr) != 1)
			die(net);
		b.addr[3] |= htonl(i + 1);
		put(obj, "backends", &k, &b);
	}
	for (i = 0; i < BALANCER_SLOTS; i++) {
		uint32_t slot = group * BALANCER_SLOTS + i;

		k = group * OF_GROUP + i * 7 % OF_GROUP;
		put(obj, "slots", &slot, &k);
	}
}

static void configure(struct bpf_object *obj)
{
	rule(obj, IPPROTO_TCP, 80);
	rule(obj, IPPROTO_TCP, 5201);
	rule(obj, IPPROTO_UDP, 53);
	backends(obj, "10.1.0.0", V4_GROUP);
	backends(obj, "2001:db8:bb::", V6_GROUP);
	service(obj, "192.0.2.2", IPPROTO_TCP, 5201, V4_GROUP);
	service(obj, "192.0.2.2", IPPROTO_UDP, 53, V4_GROUP);
	service(obj, "198.51.100.2", IPPROTO_TCP, 80, V4_GROUP);
	service(obj, "2001:db8::2", IPPROTO_TCP, 80, V6_GROUP);
}

/* ---- runs ---- */

static uint32_t insns(int fd)
{
	struct bpf_prog_info info = {};
	uint32_t len = sizeof(info);

	if (bpf_prog_get_info_by_fd(fd, &info, &len))
		die("program's information");
	return info.xlated_prog_len / 8;
}

/* Receive from the flow meter: its first receiver makes the card read the capture. */
static pid_t meter_start(const char *flows)
{
	pid_t pid = fork();
	int fd;

	if (pid)
		return pid;
	fd = open(flows, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	if (fd >= 0 && dup2(fd, 1) == 1)
		execlp("nfpchan", "nfpchan", "flows", "--json", "--flush", NULL);
	_exit(127);
}

static bool run_card(struct bpf_object *obj, const char *flows)
{
	int status;
	pid_t pid;

	card_run_start(&card_run, obj);
	pid = meter_start(flows);
	card_collect(&card_run);
	card_run_stop(&card_run);
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		die("flow meter");
	return !status || differs("nfpchan flows: status 0x%x", status);
}

/* Check also that the capture has a packet for each of these verdicts. */
static void check_counters(struct bpf_object *obj)
{
	static const char * const name[] = {
		"control", "flow", "new", "balanced", "short", "protocol", "no rule", "no state",
		"full", "no backend",
	};
	static const uint32_t seen = 1 << BALANCER_PASS_CONTROL | 1 << BALANCER_PASS_FLOW |
		1 << BALANCER_PASS_NEW | 1 << BALANCER_TX | 1 << BALANCER_DROP_RULE |
		1 << BALANCER_DROP_STATE;
	int fd = bpf_object__find_map_fd_by_name(obj, "counters");
	struct balancer_count c;
	uint64_t total = 0;
	uint32_t i, is = 0;

	printf("#");
	for (i = 0; i < BALANCER_WHYS; i++) {
		if (bpf_map_lookup_elem(fd, &i, &c))
			die("counters");
		printf(" %s %llu", name[i], c.packets);
		total += c.packets;
		is |= !!c.packets << i;
	}
	printf("\n");
	differs("verdicts 0x%x, to be seen 0x%x; %lu packets of %u", is, seen, total, packets.n);
	same((is & seen) == seen && total == packets.n,
	     "each packet has one verdict, and all verdicts occur");
}

static void check_events(void)
{
	unsigned int i;

	same(frames_same("event", &want.event, &got.event, 7) &&
	     (got.event.n == want.dropped || differs("%u events", got.event.n)),
	     "each dropped packet has an event, in order");
	for (i = 0; i < got.event.n; i++)
		if (((struct balancer_event *)got.event.f[i].data)->why <= BALANCER_TX)
			break;
	differs("event %u", i);
	same(i == got.event.n, "each event has a reason");
}

static void check_maps(struct bpf_object *host, struct bpf_object *card)
{
	struct bpf_map *map;

	bpf_object__for_each_map(map, host)
		if (bpf_map__type(map) != BPF_MAP_TYPE_PERF_EVENT_ARRAY)
			same(map_same(map, bpf_object__find_map_by_name(card, bpf_map__name(map))),
			     bpf_map__name(map));
	same(map_entries(bpf_object__find_map_fd_by_name(card, "flows")) > 1, "the map has flows");
}

int main(int argc, char **argv)
{
	struct bpf_object *host, *card;
	uint32_t n;

	if (argc != 6) {
		fprintf(stderr, "usage: xdp_balancer DEV OBJECT CAPTURE SENT FLOWS\n");
		return 2;
	}
	capture_read(argv[3]);
	card_run = (struct card_run){
		.dev = argv[1], .total = packets.n, .want = &want, .got = &got, .peer_fd = -1,
		.dev_fd = packet_socket(if_nametoindex(argv[1])),
	};
	host = xdp_load(argv[2], "xdp", 0);
	card = xdp_load(argv[2], "xdp", if_nametoindex(argv[1]));
	if (!host || !card)
		die(argv[2]);
	n = insns(xdp_fd(card));
	differs("%u instructions", n);
	same(n >= INSNS_MIN, "the program has 300 instructions or more");
	configure(host);
	configure(card);
	run_host(host, &packets, &want);
	frames_write(argv[4], &want.peer);
	same(run_card(card, argv[5]), "the capture has arrived");
	printf("# %u instructions; %u packets: %u passed, %u sent back, %lu dropped, %lu aborted\n",
	       n, packets.n, want.host.n, want.peer.n, want.dropped, want.aborted);
	same(frames_same("passed", &want.host, &got.host, 0), "the same packets pass, in order");
	check_events();
	differs("%lu dropped, %lu aborted", got.dropped, got.aborted);
	same(want.dropped == got.dropped && !got.aborted, "as many packets are dropped");
	check_counters(card);
	check_maps(host, card);
	return tap_done();
}
