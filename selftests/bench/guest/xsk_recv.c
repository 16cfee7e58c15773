// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * xsk_recv.c - receive the frames of an interface's queue 0 by AF_XDP, read the first bytes of
 * each, and count them until SIGINT. For comparison with nfpchan capture (selftests/bench/frames).
 *
 * usage: xsk_recv INTERFACE
 *
 * Says on stderr when it receives, and at the end how many frames there were, how many found no
 * free buffer, and whether the driver writes to the buffers itself (zero copy).
 */
#define _GNU_SOURCE
#include <bpf/bpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <linux/if_link.h>
#include <linux/if_xdp.h>
#include <net/if.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#define BUFFERS	4096	/* and slots of each ring */
#define SIZE	4096
#define BURST	64

/* A ring that the kernel shares */
struct ring {
	_Atomic uint32_t *prod;
	_Atomic uint32_t *cons;
	void *slots;
};

static volatile sig_atomic_t stop;
static uint64_t sum;

static void on_signal(int sig)
{
	(void)sig;
	stop = 1;
}

static void check(bool good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "xsk_recv: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void option(int fd, int name, const void *value, socklen_t len, const char *what)
{
	check(!setsockopt(fd, SOL_XDP, name, value, len), what);
}

static struct ring map_ring(int fd, const struct xdp_ring_offset *off, size_t slot, off_t page)
{
	size_t len = off->desc + BUFFERS * slot;
	uint8_t *p = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, page);

	check(p != MAP_FAILED, "mmap of a ring");
	return (struct ring){ (void *)(p + off->producer), (void *)(p + off->consumer),
			      p + off->desc };
}

/* Load a program that gives each frame to the socket, and attach it to the driver until exit. */
static void attach(int ifindex, int fd)
{
	int map = bpf_map_create(BPF_MAP_TYPE_XSKMAP, "xsks", 4, 4, 1, NULL), zero = 0, prog;
	struct bpf_insn insns[] = {
		/* return bpf_redirect_map(&xsks, 0, XDP_PASS) */
		{ BPF_LD | BPF_DW | BPF_IMM, BPF_REG_1, BPF_PSEUDO_MAP_FD, 0, map },
		{ 0, 0, 0, 0, 0 },
		{ BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_2, 0, 0, 0 },
		{ BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_3, 0, 0, XDP_PASS },
		{ BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_redirect_map },
		{ BPF_JMP | BPF_EXIT, 0, 0, 0, 0 },
	};
	LIBBPF_OPTS(bpf_link_create_opts, opts, .flags = XDP_FLAGS_DRV_MODE);

	check(map >= 0, "map");
	prog = bpf_prog_load(BPF_PROG_TYPE_XDP, "to_xsk", "GPL", insns,
			     sizeof(insns) / sizeof(insns[0]), NULL);
	check(prog >= 0, "program");
	check(!bpf_map_update_elem(map, &zero, &fd, 0), "entry of the map");
	check(bpf_link_create(prog, ifindex, BPF_XDP, &opts) >= 0, "attach");
}

/* Receive what is there, read it, and give the buffers back. Return the number of frames. */
static uint32_t receive(struct ring *rx, struct ring *fill, const uint8_t *mem)
{
	const struct xdp_desc *descs = rx->slots;
	uint64_t *free_slots = fill->slots;
	uint32_t cons = atomic_load_explicit(rx->cons, memory_order_relaxed), n;
	uint32_t prod = atomic_load_explicit(fill->prod, memory_order_relaxed);

	n = atomic_load_explicit(rx->prod, memory_order_acquire) - cons;
	if (n > BURST)
		n = BURST;
	for (uint32_t i = 0; i < n; i++) {
		const struct xdp_desc *d = &descs[(cons + i) % BUFFERS];

		sum += *(const uint64_t *)(mem + d->addr);
		free_slots[(prod + i) % BUFFERS] = d->addr / SIZE * SIZE;
	}
	atomic_store_explicit(rx->cons, cons + n, memory_order_release);
	atomic_store_explicit(fill->prod, prod + n, memory_order_release);
	return n;
}

int main(int argc, char **argv)
{
	int fd = socket(AF_XDP, SOCK_RAW | SOCK_CLOEXEC, 0), slots = BUFFERS, other = 64;
	struct sigaction sa = { .sa_handler = on_signal };
	struct sockaddr_xdp addr = { .sxdp_family = AF_XDP };
	struct pollfd pfd = { .fd = fd, .events = POLLIN };
	struct xdp_mmap_offsets off;
	struct xdp_statistics stats;
	struct xdp_options how;
	struct xdp_umem_reg umem = { .len = (uint64_t)BUFFERS * SIZE, .chunk_size = SIZE };
	struct ring rx, fill;
	uint64_t frames = 0;
	uint8_t *mem;
	uint32_t n;
	socklen_t len;

	if (argc != 2) {
		fprintf(stderr, "usage: xsk_recv INTERFACE\n");
		return 2;
	}
	addr.sxdp_ifindex = if_nametoindex(argv[1]);
	check(addr.sxdp_ifindex, argv[1]);
	check(fd >= 0, "socket");
	mem = mmap(NULL, umem.len, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	check(mem != MAP_FAILED, "mmap of buffers");
	umem.addr = (uintptr_t)mem;
	option(fd, XDP_UMEM_REG, &umem, sizeof(umem), "buffers");
	option(fd, XDP_UMEM_FILL_RING, &slots, sizeof(slots), "fill ring");
	option(fd, XDP_UMEM_COMPLETION_RING, &other, sizeof(other), "completion ring");
	option(fd, XDP_RX_RING, &slots, sizeof(slots), "receive ring");
	len = sizeof(off);
	check(!getsockopt(fd, SOL_XDP, XDP_MMAP_OFFSETS, &off, &len), "offsets");
	rx = map_ring(fd, &off.rx, sizeof(struct xdp_desc), XDP_PGOFF_RX_RING);
	fill = map_ring(fd, &off.fr, sizeof(uint64_t), (off_t)XDP_UMEM_PGOFF_FILL_RING);
	for (n = 0; n < BUFFERS; n++)
		((uint64_t *)fill.slots)[n] = (uint64_t)n * SIZE;
	atomic_store_explicit(fill.prod, BUFFERS, memory_order_release);
	attach((int)addr.sxdp_ifindex, fd);
	check(!bind(fd, (struct sockaddr *)&addr, sizeof(addr)), "bind");
	sigaction(SIGINT, &sa, NULL);
	fprintf(stderr, "receiving on %s\n", argv[1]);
	while (!stop) {
		n = receive(&rx, &fill, mem);
		frames += n;
		if (!n)
			poll(&pfd, 1, -1);
	}
	while ((n = receive(&rx, &fill, mem)))
		frames += n;
	len = sizeof(stats);
	check(!getsockopt(fd, SOL_XDP, XDP_STATISTICS, &stats, &len), "statistics");
	len = sizeof(how);
	check(!getsockopt(fd, SOL_XDP, XDP_OPTIONS, &how, &len), "options");
	fprintf(stderr, "%llu packets captured, %llu without a buffer, %s (%llx)\n",
		(unsigned long long)frames, (unsigned long long)stats.rx_ring_full,
		how.flags & XDP_OPTIONS_ZEROCOPY ? "zero copy" : "copied", (unsigned long long)sum);
	return 0;
}
