// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fail_nth.c - each call with its first allocation (or copy to or from user
 * memory) failing, then its second, until it needs no more: every failure is an
 * error that the header names, and leaves everything as it was.
 *
 * Needs a kernel with fault injection (scripts/vm --kernel debug).
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include "../../vm/guest/dir.h"
#include "../../vm/guest/users.h"

#define PAGE	4096
#define OWN	(4 * PAGE)	/* of a pipe, besides its ring */
#define MANY	2000		/* failures after which something is wrong */
#define PART	65536

static int card, nth_fd, rx, tx, sink, source, source_ctl, tick, port, efd, ep;
static char pci[32];
static char big[PART];
static struct nfp_chan_geom sink_geom, tick_geom;

/**
 * struct sweep - a call
 * @what: its name
 * @run: does it: 0 or more, or -errno
 * @want: what it comes to when nothing fails
 * @undo: what came of a call that succeeded
 * @vector: it takes an interrupt vector
 */
struct sweep {
	const char *what;
	long (*run)(void);
	long want;
	void (*undo)(long ret);
	bool vector;
};

struct state {
	unsigned int pipes;
	int vectors;
	int files;
};

static struct state look(void)
{
	struct state s = { 0 };
	char path[64];

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/msi_irqs", pci);
	s.pipes = card_info(card).pipe_used;
	s.vectors = dir_entries(path);
	s.files = dir_entries("/proc/self/fd");
	return s;
}

static bool same(const struct state *a, const struct state *b)
{
	return a->pipes == b->pipes && a->vectors == b->vectors && a->files == b->files;
}

/* ---- fault injection ---- */

/*
 * Slabs of all kinds may fail but those of entries in /proc: the interrupt core makes
 * some for each vector, goes on without those it has no memory for, and then warns
 * that they are not there to be removed (register_irq_proc(), unregister_irq_proc()).
 */
static void slabs_init(void)
{
	DIR *dir = opendir("/sys/kernel/slab");
	struct dirent *e;
	char path[320];

	if (!dir)
		die("/sys/kernel/slab");
	while ((e = readdir(dir))) {
		snprintf(path, sizeof(path), "/sys/kernel/slab/%s/failslab", e->d_name);
		if (e->d_name[0] != '.')
			file_put(path, strcmp(e->d_name, "proc_dir_entry") ? "1" : "0");
	}
	closedir(dir);
}

static void injection_init(void)
{
#define DEBUG	"/sys/kernel/debug/"
	slabs_init();
	file_put(DEBUG "failslab/cache-filter", "Y");
	file_put(DEBUG "failslab/ignore-gfp-wait", "N");
	file_put(DEBUG "failslab/verbose", "0");
	file_put(DEBUG "fail_page_alloc/ignore-gfp-wait", "N");
	file_put(DEBUG "fail_page_alloc/ignore-gfp-highmem", "N");
	file_put(DEBUG "fail_page_alloc/min-order", "0");
	file_put(DEBUG "fail_page_alloc/verbose", "0");
	file_put(DEBUG "fail_usercopy/verbose", "0");
	nth_fd = open("/proc/self/fail-nth", O_RDWR | O_CLOEXEC);
	if (nth_fd < 0)
		die("/proc/self/fail-nth");
}

static void nth_set(int n)
{
	char text[16];
	int len = snprintf(text, sizeof(text), "%d", n);

	/* The copy of this number may be the one that fails, once. */
	if (pwrite(nth_fd, text, len, 0) != len && pwrite(nth_fd, text, len, 0) != len)
		die("fail-nth");
}

/* 0: the failure has come. */
static int nth_get(void)
{
	char text[16] = "";

	/* Or of that one: then it was still to come. */
	if (pread(nth_fd, text, sizeof(text) - 1, 0) > 0)
		return atoi(text);
	return 1;
}

static void undo_close(long fd)
{
	close(fd);
}

/* ---- one call ---- */

/*
 * ENOSPC: whatever the interrupt domains fail for, msi_handle_pci_fail() says that,
 * so that who asks for a vector cannot know.
 */
static bool expected(const struct sweep *s, long ret)
{
	return ret == -ENOMEM || ret == -EFAULT || (s->vector && ret == -ENOSPC) ||
	       ret == s->want || (ret >= 0 && s->want >= 0);
}

/* How often each errno came: a call that can lack memory says ENOMEM at least once. */
static void tell(const unsigned int *came)
{
	unsigned int err;

	printf("#");
	for (err = 0; err < 256; err++)
		if (came[err])
			printf(" %s %u", err ? strerrorname_np(err) : "ok", came[err]);
	printf("\n");
}

static void sweep(const struct sweep *s)
{
	struct state before = look(), now;
	int n, left, failed = 0, odd = 0, other = 0;
	unsigned int came[256] = { 0 };
	long ret = -1;
	bool good;

	for (n = 1; n <= MANY; n++) {
		nth_set(n);
		ret = s->run();
		left = nth_get();
		nth_set(0);
		failed += !left && ret < 0 && ret != s->want;
		came[ret < 0 ? -ret & 0xff : 0]++;
		if (!expected(s, ret)) {
			odd++;
			printf("# failure %d: %ld (%s)\n", n, ret, strerror(-ret));
		}
		if (ret >= 0 && s->undo)
			s->undo(ret);
		now = look();
		if (!same(&before, &now)) {
			other++;
			printf("# failure %d: pipes %u, %u before; vectors %d, %d; files %d, %d\n",
			       n, now.pipes, before.pipes, now.vectors, before.vectors, now.files,
			       before.files);
			before = now;
		}
		if (left)
			break;
	}
	tell(came);
	/* What was not given back at a failure is missing now: see the limits. */
	good = !odd && !other && n <= MANY && (ret == s->want || (ret >= 0 && s->want >= 0));
	/* An open that lacks nothing: then it is the injection that does not work. */
	if (s->vector && came[ENOMEM] < 10)
		good = false;
	if (!ok(good,
		"%s: %d points of failure, %d of them end it, nothing changes", s->what, n - 1,
		failed))
		printf("# at last: %ld (%s), want %ld\n", ret, strerror(-ret), s->want);
}

static long result(long ret)
{
	return ret < 0 ? -errno : ret;
}

/* ---- calls of the node ---- */

static long do_node(void)
{
	return result(open("/dev/nfp_chan0", O_RDWR | O_CLOEXEC));
}

static long do_info(void)
{
	struct nfp_chan_info info = { .size = sizeof(info) };

	return result(ioctl(card, NFP_CHAN_IOC_INFO, &info));
}

static long do_query(void)
{
	struct nfp_chan_query q = { .size = sizeof(q), .name = "tick" };

	return result(ioctl(card, NFP_CHAN_IOC_QUERY, &q));
}

static long do_query_id(void)
{
	struct nfp_chan_query q = {
		.size = sizeof(q), .flags = NFP_CHAN_QUERY_BY_ID, .id = 0,
	};

	return result(ioctl(card, NFP_CHAN_IOC_QUERY, &q));
}

/* The struct tells of an fd when one is open, and else not. */
static long opened(struct nfp_chan_open *o)
{
	o->size = sizeof(*o);
	o->fd = -77;
	if (!ioctl(card, NFP_CHAN_IOC_OPEN, o))
		return o->fd;
	return o->fd == -77 ? -errno : -EBADE;
}

static long do_open(void)
{
	struct nfp_chan_open o = { .name = "load", .ring_size = 4096 };

	return opened(&o);
}

static long do_open_inline(void)
{
	struct nfp_chan_open o = {
		.name = "pit", .ring_size = 4096, .flags = NFP_CHAN_OPEN_INLINE,
		.irq_count = 2, .irq_usecs = 100,
	};

	return opened(&o);
}

static long do_open_signal(void)
{
	struct nfp_chan_open o = { .name = "own", .ring_size = 4096 };

	return opened(&o);
}

static long do_open_large(void)
{
	struct nfp_chan_open o = { .name = "source64", .ring_size = 1 << 20 };

	return opened(&o);
}

static long do_port(void)
{
	struct nfp_chan_port p = { .size = sizeof(p), .fd = -77 };

	if (!ioctl(card, NFP_CHAN_IOC_PORT, &p))
		return p.fd;
	return p.fd == -77 ? -errno : -EBADE;
}

static long do_signal(void)
{
	return result(chan_signal(card, "tick"));
}

/* ---- calls of channels ---- */

static long do_geom(void)
{
	struct nfp_chan_geom g = { .size = sizeof(g) };

	return result(ioctl(rx, NFP_CHAN_IOC_GEOM, &g));
}

static long do_eventfd(void)
{
	struct nfp_chan_eventfd e = { .size = sizeof(e), .fd = efd };

	return result(ioctl(rx, NFP_CHAN_IOC_EVENTFD, &e));
}

static long do_trigger(void)
{
	return result(ioctl(rx, NFP_CHAN_IOC_TRIGGER));
}

static long do_cancel(void)
{
	struct nfp_chan_cancel c = { .size = sizeof(c), .seq = 1 };

	return result(ioctl(tx, NFP_CHAN_IOC_CANCEL, &c));
}

static long do_bind(void)
{
	struct nfp_chan_xdp_bind x = { .size = sizeof(x), .prog_fd = efd, .map_id = 1 };

	return result(ioctl(rx, NFP_CHAN_IOC_XDP_BIND, &x));
}

static long do_async(void)
{
	return result(fcntl(rx, F_SETFL, O_NONBLOCK | O_ASYNC));
}

static void undo_async(long ret)
{
	(void)ret;
	fcntl(rx, F_SETFL, O_NONBLOCK);
}

static long do_poll(void)
{
	struct pollfd p = { .fd = rx, .events = POLLIN };

	return result(poll(&p, 1, 0));
}

static long do_epoll(void)
{
	struct epoll_event ev = { .events = EPOLLIN };

	return result(epoll_ctl(ep, EPOLL_CTL_ADD, rx, &ev));
}

static void undo_epoll(long ret)
{
	(void)ret;
	epoll_ctl(ep, EPOLL_CTL_DEL, rx, NULL);
}

/* All of the ring, populated: page tables are what may be missing. */
static long do_mmap(void)
{
	struct nfp_chan_geom g = sink_geom;
	void *p = mmap(NULL, 2ul * g.ring_size, PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_POPULATE, sink, g.ring_off);

	if (p == MAP_FAILED)
		return -errno;
	return munmap(p, 2ul * g.ring_size);
}

/*
 * A fault that finds no memory is tried again. Of a channel that is not read: once
 * the control page was mapped, read() and write() are EBUSY.
 */
static long touch(uint64_t off)
{
	volatile uint32_t *p = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, tick, off);

	if (p == MAP_FAILED)
		return -errno;
	(void)*p;
	return munmap((void *)p, PAGE);
}

static long do_touch_note(void)
{
	return touch(tick_geom.note_off);
}

static long do_touch_ctl(void)
{
	return touch(tick_geom.ctl_off);
}

static long do_touch_db(void)
{
	return touch(tick_geom.db_off);
}

static long do_open_on_port(void)
{
	struct nfp_chan_open o = {
		.name = "load", .ring_size = 4096, .flags = NFP_CHAN_OPEN_PORT, .port_fd = port,
		.cookie = 1,
	};

	return opened(&o);
}

static long do_signal_chan(void)
{
	struct nfp_chan_signal sig = { .size = sizeof(sig) };

	return result(ioctl(tick, NFP_CHAN_IOC_SIGNAL, &sig));
}

static long do_unbind(void)
{
	struct nfp_chan_xdp_bind x = { .size = sizeof(x), .prog_fd = -1, .map_id = 1 };

	return result(ioctl(rx, NFP_CHAN_IOC_XDP_UNBIND, &x));
}

/* In another's ring, whose read() goes on when that fails. */
static int other;

static long do_open_ring(void)
{
	struct nfp_chan_open o = {
		.name = "sink64", .flags = NFP_CHAN_OPEN_RING_OF, .ring_fd = other,
	};
	long ret = opened(&o);
	char buf[64];

	if (ret < 0 && (read(other, buf, sizeof(buf)) != -1 || errno != EAGAIN))
		return -EBADE;
	return ret;
}

static void undo_open_ring(long fd)
{
	close(fd);
	close(other);
	other = chan_must(card, "source64", NFP_CHAN_OPEN_NONBLOCK);
}

/* ---- messages: what could not be sent is not, what could not be read stays ---- */

static int sent, received;

static long do_write(void)
{
	long ret = result(write(tx, "message", 8));

	sent += ret == 8;
	return ret;
}

static long do_read(void)
{
	char buf[2048];
	long ret = result(read(rx, buf, sizeof(buf)));

	if (ret < 0)
		return ret;
	received++;
	return ret == 8 && !strcmp(buf, "message") ? ret : -EBADMSG;
}

/* The echo comes when the card gets to it. */
static bool echo_is_there(void)
{
	struct pollfd p = { .fd = rx, .events = POLLIN };

	return poll(&p, 1, 20000) == 1;
}

static void undo_read(long ret)
{
	(void)ret;
	if (write(tx, "message", 8) != 8 || !echo_is_there())
		die("echo");
	sent++;
}

static long do_write_large(void)
{
	long ret = result(write(sink, big, PART));

	return ret == -EAGAIN ? 0 : ret;
}

/* A stream of bytes: at each place of it the word that is its place. */
static uint64_t stream_pos;

static long do_read_large(void)
{
	long ret, i;

	ret = result(read(source, big, PART));
	if (ret < 0)
		return ret;
	for (i = 0; i < ret; i++)
		if ((uint8_t)big[i] != (uint8_t)((stream_pos + i) % PART / 4 >> (stream_pos + i) %
						 4 * 8))
			return -EBADMSG;
	stream_pos += ret;
	return ret;
}

static void stream_ask(void)
{
	uint64_t req[2] = { htole64(64 << 20), htole64(4096) };
	struct pollfd p = { .fd = source, .events = POLLIN };

	if (write(source_ctl, req, sizeof(req)) != sizeof(req) || poll(&p, 1, 20000) != 1)
		die("source-ctl");
}

static const struct sweep node[] = {
	{ "open of the node", do_node, 0, undo_close, false },
	{ "INFO", do_info, 0, NULL, false },
	{ "QUERY", do_query, 0, NULL, false },
	{ "SIGNAL", do_signal, 0, NULL, false },
	{ "QUERY, by id", do_query_id, 0, NULL, false },
	{ "OPEN", do_open, 0, undo_close, true },
	{ "OPEN, with inline page and moderation", do_open_inline, 0, undo_close, true },
	{ "OPEN, exclusive, with signal doorbell", do_open_signal, 0, undo_close, true },
	{ "PORT", do_port, 0, undo_close, true },
	{ "OPEN, ring of 1 MiB", do_open_large, 0, undo_close, true },
};

static const struct sweep chan[] = {
	{ "OPEN, in another's ring", do_open_ring, 0, undo_open_ring, true },
	{ "OPEN, on a port", do_open_on_port, 0, undo_close, true },
	{ "SIGNAL, of a channel", do_signal_chan, 0, NULL, false },
	{ "GEOM", do_geom, 0, NULL, false },
	{ "EVENTFD", do_eventfd, 0, NULL, false },
	{ "TRIGGER", do_trigger, 0, NULL, false },
	{ "CANCEL", do_cancel, -EINVAL, NULL, false },
	{ "XDP_BIND", do_bind, -EINVAL, NULL, false },
	{ "XDP_UNBIND", do_unbind, -ENOENT, NULL, false },
	{ "O_ASYNC", do_async, 0, undo_async, false },
	{ "poll", do_poll, 0, NULL, false },
	{ "epoll", do_epoll, 0, undo_epoll, false },
	{ "mmap, populated", do_mmap, 0, NULL, false },
	{ "mmap of the record, touched", do_touch_note, 0, NULL, false },
	{ "mmap of the control page, touched", do_touch_ctl, 0, NULL, false },
	{ "mmap of the doorbells, touched", do_touch_db, 0, NULL, false },
	{ "write", do_write, 8, NULL, false },
	{ "write of 64 KiB of a stream", do_write_large, 0, NULL, false },
	{ "read of 64 KiB of a stream", do_read_large, 0, NULL, false },
};

static const struct sweep reads = { "read", do_read, 8, undo_read, false };

/* What is allowed is what is needed: a page more, and the next OPEN fails. */
static void memlock(rlim_t bytes)
{
	struct rlimit r = { bytes, RLIM_INFINITY };

	if (setrlimit(RLIMIT_MEMLOCK, &r))
		die("setrlimit");
}

static void of_node(void)
{
	size_t i;

	become(tester);
	for (i = 0; i < sizeof(node) / sizeof(node[0]); i++) {
		if (node[i].run == do_open_large)
			memlock((1 << 20) + OWN);
		else if (node[i].run == do_port)
			memlock(RLIM_INFINITY);
		else
			memlock(4096 + OWN);
		sweep(&node[i]);
	}
	become(0);
}

static void of_channels(void)
{
	size_t i;

	rx = chan_must(card, "echo-out", NFP_CHAN_OPEN_NONBLOCK);
	tx = chan_must(card, "echo-in", NFP_CHAN_OPEN_NONBLOCK);
	sink = chan_must(card, "sink", NFP_CHAN_OPEN_NONBLOCK);
	source = chan_must(card, "source", NFP_CHAN_OPEN_NONBLOCK);
	source_ctl = chan_must(card, "source-ctl", NFP_CHAN_OPEN_NONBLOCK);
	tick = chan_must(card, "tick", NFP_CHAN_OPEN_NONBLOCK);
	port = do_port();
	other = chan_must(card, "source64", NFP_CHAN_OPEN_NONBLOCK);
	sink_geom = chan_geom(sink);
	tick_geom = chan_geom(tick);
	efd = eventfd(0, EFD_CLOEXEC);
	ep = epoll_create1(EPOLL_CLOEXEC);
	stream_ask();
	/* What comes of SIGIO does not matter. */
	signal(SIGIO, SIG_IGN);
	for (i = 0; i < sizeof(chan) / sizeof(chan[0]); i++)
		sweep(&chan[i]);
	undo_read(0);
	sweep(&reads);
	while (received < sent && echo_is_there() && do_read() == 8)
		;
	is(received, sent, "what was sent was received, each once");
	close(rx);
	close(tx);
	close(sink);
	close(source);
	close(source_ctl);
	close(tick);
	close(port);
	close(other);
}

/* Credentials, and what they refer to, go by RCU. */
static bool users_are(long want)
{
	int tries;

	for (tries = 0; tries < 1000 && users_known() != want; tries++)
		usleep(10000);
	return is(users_known(), want, "no reference to a user is left");
}

int main(void)
{
	long users;

	users_init();
	users = users_known();
	memlock(RLIM_INFINITY);
	card = card_open(O_RDWR);
	strcpy(pci, card_info(card).pci);
	injection_init();
	of_node();
	of_channels();
	is(card_info(card).pipe_used, 0, "no pipe is left open");
	users_are(users);
	return tap_done();
}
