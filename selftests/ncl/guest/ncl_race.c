// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * ncl_race.c - run kernels on several CPUs at once, and check the variables that they change.
 *
 * usage: ncl_race DEV PEER PROG.ncd
 *
 * DEV and PEER are the ends of a veth pair with several queues. The program of selftests/ncl/race
 * is attached to DEV, first in native and then in generic XDP. Several threads, each on a fixed
 * CPU, send windows into PEER; the XDP program runs on the CPU of the sender. The program counts
 * each window, either as one that a kernel processed (NCL_WINDOWS) or as one that it dropped
 * because the lock was held for too long (NCL_BUSY). Each processed window adds a known number to
 * variables of its kernel, so the test knows the value that a variable must have if a lock or
 * atomic additions protect it.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/if_ether.h>
#include <linux/if_link.h>
#include <linux/if_packet.h>
#include <linux/ip.h>
#include <linux/udp.h>
#include <net/if.h>
#include <pthread.h>
#include <sched.h>
#include <sys/socket.h>
#include <unistd.h>
#include "clock.h"
#include "desc.h"
#include "ncl_abi.h"
#include "ncp.h"
#include "tap.h"

#define THREADS	4
#define WINDOWS	20000	/* windows that each thread sends to each kernel */
#define WAIT_S	30
#define ADD	3	/* value in each window, which kernel only_added adds */

struct window {
	struct ethhdr eth;
	struct iphdr ip;
	struct udphdr udp;
	struct ncp_hdr ncp;
	uint32_t v;
} __attribute__((packed));

struct sender {
	pthread_t thread;
	const char *peer;
	const struct desc_kernel *kernel;
	uint16_t hash;
	unsigned int nr;
};

static struct desc *desc;
static struct bpf_object *obj;

/* ---- frames ---- */

static struct window window_of(const struct sender *s, uint32_t seq)
{
	struct window w = {
		.eth = { .h_dest = { 2, 0, 0, 0, 0, 1 }, .h_source = { 2, 0, 0, 0, 0, 2 },
			 .h_proto = htons(ETH_P_IP) },
		.ip = { .version = 4, .ihl = 5, .ttl = 64, .protocol = IPPROTO_UDP,
			.tot_len = htons(sizeof(w) - sizeof(w.eth)),
			.saddr = htonl(0x0a010002), .daddr = htonl(0x0a010001) },
		.udp = { .source = htons(NCP_PORT), .dest = htons(NCP_PORT),
			 .len = htons(sizeof(w) - sizeof(w.eth) - sizeof(w.ip)) },
		.ncp = { .magic = NCP_MAGIC, .version = NCP_VERSION, .program = s->hash,
			 .kernel = s->kernel->id, .from = 1, .len = 1, .size = sizeof(w.v),
			 .seq = seq, .invocation = s->nr },
		.v = ADD,
	};

	return w;
}

/*
 * Send WINDOWS windows. If the queue of the other end is full, send() fails, and the thread sends
 * the window again.
 */
static void *send_windows(void *arg)
{
	struct sender *s = arg;
	struct sockaddr_ll to = {
		.sll_family = AF_PACKET, .sll_ifindex = if_nametoindex(s->peer),
	};
	int fd = socket(AF_PACKET, SOCK_RAW, 0), one = 1;
	cpu_set_t cpus;
	uint32_t i;

	CPU_ZERO(&cpus);
	CPU_SET(s->nr % sysconf(_SC_NPROCESSORS_ONLN), &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus) || fd < 0 ||
	    setsockopt(fd, SOL_PACKET, PACKET_QDISC_BYPASS, &one, sizeof(one)) ||
	    bind(fd, (struct sockaddr *)&to, sizeof(to)))
		die("packet socket");
	for (i = 0; i < WINDOWS; i++) {
		struct window w = window_of(s, i);

		while (send(fd, &w, sizeof(w), 0) < 0) {
			if (errno != ENOBUFS && errno != EAGAIN)
				die("send");
			sched_yield();
		}
	}
	close(fd);
	return NULL;
}

/* ---- maps ---- */

static uint64_t counted(enum ncl_count what)
{
	int fd = bpf_object__find_map_fd_by_name(obj, NCL_MAP_COUNTS);
	uint32_t key = what;
	uint64_t n;

	if (bpf_map_lookup_elem(fd, &key, &n))
		die("counters");
	return n;
}

static uint64_t element(const char *name, uint32_t i)
{
	const struct desc_var *v = desc_var(desc, name, NULL);
	unsigned int size = v ? desc_type_size(v->type) : 0;
	uint8_t entry[64];
	uint32_t key;
	uint64_t n = 0;

	if (!v || v->layout != DESC_ROW || v->size > sizeof(entry))
		die(name);
	key = i / v->per;
	if (bpf_map_lookup_elem(bpf_object__find_map_fd_by_name(obj, v->map), &key, entry))
		die(name);
	memcpy(&n, entry + i % v->per * size, size);
	return n;
}

static uint64_t sum_of(const char *name)
{
	const struct desc_var *v = desc_var(desc, name, NULL);
	uint64_t n = 0;
	uint32_t i;

	for (i = 0; v && i < desc_var_count(v); i++)
		n += element(name, i);
	return n;
}

/* ---- a kernel ---- */

struct ran {
	uint64_t windows, busy;
};

/*
 * Send windows to a kernel from all threads. Returns how many windows were processed and how many
 * were dropped because the lock was held.
 */
static struct ran run(const char *kernel, const char *peer)
{
	struct sender s[THREADS];
	struct ran was = { counted(NCL_WINDOWS), counted(NCL_BUSY) }, now;
	uint64_t end = now_ns() + slowly(WAIT_S) * 1000000000ull;
	unsigned int i;

	for (i = 0; i < THREADS; i++) {
		s[i] = (struct sender){ .peer = peer, .kernel = desc_kernel(desc, kernel),
					.hash = desc->hash, .nr = i };
		if (!s[i].kernel || pthread_create(&s[i].thread, NULL, send_windows, &s[i]))
			die(kernel);
	}
	for (i = 0; i < THREADS; i++)
		pthread_join(s[i].thread, NULL);
	do {
		now.windows = counted(NCL_WINDOWS) - was.windows;
		now.busy = counted(NCL_BUSY) - was.busy;
	} while (now.windows + now.busy < THREADS * WINDOWS && now_ns() < end && !sched_yield());
	printf("# %s: %lu windows processed, %lu dropped because the lock was held\n", kernel,
	       now.windows, now.busy);
	return now;
}

static bool all_equal(const char *name, uint64_t want)
{
	bool good = true;
	uint32_t i;

	for (i = 0; i < desc_var_count(desc_var(desc, name, NULL)); i++)
		if (element(name, i) != want) {
			printf("# %s[%u] is %lu, not %lu\n", name, i, element(name, i), want);
			good = false;
		}
	return good;
}

static void test(const char *mode, const char *peer)
{
	struct ran r = run("all_locked", peer);

	is(r.windows + r.busy, THREADS * WINDOWS, "one lock: each window is processed or dropped");
	ok(all_equal("locked", r.windows), "%s: one lock: each cell is the number of windows", mode);
	r = run("slots_locked", peer);
	is(r.windows + r.busy, THREADS * WINDOWS, "a lock per slot: each window is processed or dropped");
	is(sum_of("slots"), r.windows, "a lock per slot: the sum of the cells is the number of windows");
	r = run("only_added", peer);
	is(r.windows, THREADS * WINDOWS, "only additions: no window is dropped");
	is(element("added", 0), ADD * r.windows, "only additions: a variable has the sum of all windows");
	is(sum_of("by_slot"), r.windows, "only additions: the sum of an array is the number of windows");
	r = run("not_locked", peer);
	is(r.windows, THREADS * WINDOWS, "_nolock_: no window is dropped");
	printf("# %s: without a lock %lu of %lu updates were lost\n", mode,
	       r.windows - element("loose", 0), r.windows);
}

/* ---- the program ---- */

static void attach(const char *path, const char *dev, uint32_t flags)
{
	const struct desc_object *o = desc->object;
	struct ncl_address own = { .ip = htonl(0x0a010001), .port = htons(NCP_PORT) };
	struct bpf_program *prog;
	char file[512];
	uint32_t zero = 0;

	snprintf(file, sizeof(file), "%.*s/%s", (int)(strrchr(path, '/') - path), path, o->file);
	obj = bpf_object__open_file(file, NULL);
	prog = obj ? bpf_object__next_program(obj, NULL) : NULL;
	if (!prog || bpf_object__load(obj))
		die(file);
	if (bpf_map_update_elem(bpf_object__find_map_fd_by_name(obj, NCL_MAP_PLACE), &zero, &own,
				BPF_ANY))
		die(NCL_MAP_PLACE);
	if (bpf_xdp_attach(if_nametoindex(dev), bpf_program__fd(prog), flags, NULL))
		die("attach");
}

int main(int argc, char **argv)
{
	static const struct { const char *name; uint32_t flags; } mode[] = {
		{ "native", XDP_FLAGS_DRV_MODE }, { "generic", XDP_FLAGS_SKB_MODE },
	};
	char err[256];
	unsigned int i;

	if (argc != 4 || !strchr(argv[3], '/')) {
		fprintf(stderr, "usage: ncl_race DEV PEER PROG.ncd\n");
		return 2;
	}
	if (desc_read(argv[3], &desc, err, sizeof(err)))
		die(err);
	for (i = 0; i < 2; i++) {
		attach(argv[3], argv[1], mode[i].flags);
		test(mode[i].name, argv[2]);
		if (bpf_xdp_detach(if_nametoindex(argv[1]), mode[i].flags, NULL))
			die("detach");
		bpf_object__close(obj);
	}
	desc_free(desc);
	return tap_done();
}
