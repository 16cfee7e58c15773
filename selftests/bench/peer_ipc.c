// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * peer_ipc.c - ways of the kernel to pass messages: pipe(2), a seqpacket socket of AF_UNIX, and a
 * ring whose receiver sleeps on an eventfd.
 *
 * usage: peer_ipc [SECONDS]
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include "bench_time.h"
#include "insn_count.h"
#include "spsc.h"

static uint8_t out[65536], in[65536];

static void must(int ok, const char *what)
{
	if (ok)
		return;
	perror(what);
	exit(1);
}

/* ---- pipe and socket: two ends, a system call for each message ---- */

/**
 * struct ends - the two ends of a pipe or socket
 * @rx: descriptor to read
 * @tx: descriptor to write
 * @size: bytes of a message
 */
struct ends {
	int rx;
	int tx;
	uint32_t size;
};

static uint64_t fd_write(void *ctx)
{
	struct ends *e = ctx;

	/*
	 * At the end of the measurement the reader closes its end. Then writes fail, and do not
	 * count.
	 */
	if (write(e->tx, out, e->size) != (ssize_t)e->size)
		must(errno == EPIPE || errno == ECONNRESET, "write");
	return 0;
}

/* A pipe may return a part of a large message. */
static uint64_t fd_read(void *ctx)
{
	struct ends *e = ctx;
	ssize_t n = read(e->rx, in, e->size);

	must(n > 0, "read");
	return (uint64_t)n;
}

static void open_pipe(struct ends *e)
{
	int fd[2];

	must(!pipe(fd), "pipe");
	e->rx = fd[0];
	e->tx = fd[1];
}

static void open_seqpacket(struct ends *e)
{
	int fd[2];

	must(!socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fd), "socketpair");
	e->rx = fd[0];
	e->tx = fd[1];
}

static void fd_rate(const char *name, const char *size_name, void (*open_ends)(struct ends *e),
		    uint32_t size)
{
	struct ends e = { .size = size };
	struct bench_peer peer;
	char key[64];
	double rate;

	open_ends(&e);
	bench_peer_start(&peer, fd_write, &e);
	rate = bench_rate(fd_read, &e);
	atomic_store(&peer.stop, true);
	close(e.rx);
	bench_peer_stop(&peer);
	close(e.tx);
	snprintf(key, sizeof(key), "%s%s_%s", name, size_name, size < 65536 ? "Mps" : "GBps");
	bench_print(key, size < 65536 ? rate / size / 1e6 : rate / 1e9);
}

/**
 * struct pair - a pipe or socket for each direction
 * @there: the measuring thread writes, the peer reads
 * @back: the peer writes, the measuring thread reads
 */
struct pair {
	struct ends there;
	struct ends back;
};

static uint64_t fd_return(void *ctx)
{
	struct pair *p = ctx;

	if (read(p->there.rx, in, 64) == 64)
		must(write(p->back.tx, in, 64) == 64, "write");
	return 0;
}

static uint64_t fd_ping_pong(void *ctx)
{
	struct pair *p = ctx;
	uint64_t buf[8];

	must(write(p->there.tx, out, 64) == 64, "write");
	must(read(p->back.rx, buf, 64) == 64, "read");
	return 1;
}

static void fd_latency(const char *name, void (*open_ends)(struct ends *e))
{
	struct bench_peer peer;
	struct pair p;

	open_ends(&p.there);
	open_ends(&p.back);
	bench_peer_start(&peer, fd_return, &p);
	bench_latency(name, fd_ping_pong, &p);
	atomic_store(&peer.stop, true);
	close(p.there.tx);
	bench_peer_stop(&peer);
	close(p.there.rx);
	close(p.back.rx);
	close(p.back.tx);
}

/* ---- a ring, and an eventfd for a receiver that sleeps ---- */

/**
 * struct bell - ring and eventfd
 * @ring: the ring
 * @fd: the eventfd
 * @asleep: the receiver sleeps, or is about to. The flag is not in the cache line of an index,
 *	where each send would miss the cache for it
 */
struct bell {
	struct spsc *ring;
	int fd;
	_Alignas(64) atomic_bool asleep;
};

static struct bell there, back;

static void bell_open(struct bell *b, uint32_t slots)
{
	b->ring = spsc_new(slots, 64);
	b->fd = eventfd(0, 0);
	must(b->fd >= 0, "eventfd");
	atomic_store(&b->asleep, false);
}

static void bell_close(struct bell *b)
{
	spsc_free(b->ring);
	close(b->fd);
}

static void bell_wake(struct bell *b)
{
	/*
	 * The sender stores the message and then reads @asleep. The receiver stores @asleep and
	 * then looks for a message. So at least one of them sees the store of the other.
	 */
	atomic_thread_fence(memory_order_seq_cst);
	if (atomic_load_explicit(&b->asleep, memory_order_relaxed) &&
	    atomic_exchange(&b->asleep, false))
		must(!eventfd_write(b->fd, 1), "eventfd");
}

static bool bell_send(struct bell *b)
{
	if (!spsc_send(b->ring, out, 64))
		return false;
	bell_wake(b);
	return true;
}

/* Look for a message a few times, then sleep. */
static void bell_recv(struct bell *b, void *buf)
{
	eventfd_t count;
	int looks;

	for (;;) {
		for (looks = 0; looks < 100; looks++) {
			if (spsc_recv(b->ring, buf, 64))
				return;
			__builtin_ia32_pause();
		}
		atomic_store(&b->asleep, true);
		if (spsc_recv(b->ring, buf, 64)) {
			/* The sender has added to the eventfd already. Take that count. */
			if (!atomic_exchange(&b->asleep, false))
				must(!eventfd_read(b->fd, &count), "eventfd");
			return;
		}
		must(!eventfd_read(b->fd, &count), "eventfd");
	}
}

static uint64_t step_send(void *ctx)
{
	if (!bell_send(ctx))
		bench_pause();
	return 0;
}

static uint64_t step_recv(void *ctx)
{
	uint64_t buf[8];

	bell_recv(ctx, buf);
	bench_sink += buf[0];
	return 1;
}

static atomic_bool last;

static uint64_t step_return(void *ctx)
{
	uint64_t buf[8];

	bell_recv(&there, buf);
	if (!atomic_load(&last))
		bell_send(&back);
	return 0;
}

static uint64_t step_ping_pong(void *ctx)
{
	uint64_t buf[8];

	bell_send(&there);
	bell_recv(&back, buf);
	return 1;
}

static void insn_send(void *arg)
{
	for (int i = 0; i < 128; i++)
		bell_send(arg);
}

static void insn_recv(void *arg)
{
	uint64_t buf[8];

	for (int i = 0; i < 128; i++)
		bell_recv(arg, buf);
}

static void bell_figures(void)
{
	struct bench_peer peer;

	bell_open(&there, 4096);
	bench_print("eventfd64_one_Mps", bench_peer_rate(step_send, step_recv, &there) / 1e6);
	bell_close(&there);

	bell_open(&there, 4096);
	bell_open(&back, 4096);
	bench_peer_start(&peer, step_return, NULL);
	bench_latency("eventfd64_rtt", step_ping_pong, NULL);
	atomic_store(&last, true);
	atomic_store(&peer.stop, true);
	bell_send(&there);
	bench_peer_stop(&peer);
	insn_print("eventfd64", "send", insn_send, &there, 128);
	insn_send(&there);
	insn_print("eventfd64", "recv", insn_recv, &there, 128);
	bell_close(&there);
	bell_close(&back);
}

int main(int argc, char **argv)
{
	bench_args(argc, argv);
	signal(SIGPIPE, SIG_IGN);
	fd_rate("pipe", "64_one", open_pipe, 64);
	fd_rate("pipe", "1k", open_pipe, 1024);
	fd_rate("pipe", "_64k", open_pipe, 65536);
	fd_latency("pipe64_rtt", open_pipe);
	fd_rate("seqpacket", "64_one", open_seqpacket, 64);
	fd_rate("seqpacket", "1k", open_seqpacket, 1024);
	fd_rate("seqpacket", "_64k", open_seqpacket, 65536);
	fd_latency("seqpacket64_rtt", open_seqpacket);
	bell_figures();
	return bench_sink == 42;
}
