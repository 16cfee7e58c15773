// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fail_nth.c - make each call with its first allocation (or copy from or to user memory)
 * failing, then with its second, and so on until the call has no further one: see fail_nth.h.
 *
 * usage: fail_nth [node|channels|cancel|hook]
 *
 * Needs a kernel with fault injection (scripts/vm --kernel debug).
 */
#define _GNU_SOURCE
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include "dir.h"
#include "users.h"
#include "xdp/programs/offload.h"
#include "fail_nth.h"

#define PAGE	4096
#define OWN	(4 * PAGE)	/* locked memory of a pipe besides its ring */
#define PART	65536

static int rx, tx, link_end, sink, source, source_ctl, tick, pit, port, efd, ep;
static char big[PART];
static struct nfp_chan_layout pit_geom, tick_geom;

static void undo_close(long fd)
{
	close(fd);
}

/* ---- calls of the node ---- */

static long do_node(void)
{
	return result(open("/dev/nfp_chan0", O_RDWR | O_CLOEXEC));
}

static long do_port(void)
{
	struct nfp_chan_port p = { .size = sizeof(p), .fd = -77 };

	if (!ioctl(card, NFP_CHAN_IOC_PORT, &p))
		return p.fd;
	return p.fd == -77 ? -errno : -EBADE;
}

/* ---- calls of channels ---- */

static long do_eventfd(void)
{
	return result(ioctl(rx, NFP_CHAN_IOC_EVENTFD, ARG(eventfd, .fd = efd)));
}

static long do_bind(void)
{
	return result(ioctl(rx, NFP_CHAN_IOC_XDP_BIND, ARG(xdp_bind, .prog_fd = efd, .map_fd = efd)));
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

/* Map the ring with MAP_POPULATE, so that the kernel allocates page tables, which may fail. */
static long do_mmap(void)
{
	struct nfp_chan_layout g = pit_geom;
	void *p = mmap(NULL, 2ul * g.ring_size, PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_POPULATE, pit, g.ring_off);

	if (p == MAP_FAILED)
		return -errno;
	return munmap(p, 2ul * g.ring_size);
}

/* Touch a mapped page. The kernel retries a page fault that finds no memory, so this succeeds. */
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
	return opened(ARG(open, .name = "load", .ring_size = 4096,
			  .port_fd = port, .cookie = 1));
}

/* The fd of a stream to the host. A failed OPEN in its ring must not turn this pipe off. */
static int other;

static long do_open_ring(void)
{
	long ret = opened(ARG(open, .name = "sink64", .flags = NFP_CHAN_OPEN_MAPPED,
			      .ring_fd = other));

	return ret >= 0 || !events_of(other, POLLIN, 0) ? ret : -EBADE;
}

static void undo_open_ring(long fd)
{
	close(fd);
	close(other);
	other = chan_must(card, "source64", NFP_CHAN_OPEN_MAPPED);
}

/* A link with a header, a match and an operation, so that all parts of LINK are copied. */
static long do_link(void)
{
	static const char front[4], mask[1] = { 1 };
	static const struct nfp_chan_link_op add = { .op = NFP_CHAN_LINK_ADD, .len = 4, .arg = 1 };
	struct nfp_chan_link l = {
		.size = sizeof(l), .to_fd = tx, .fd = -77, .hdr = (uintptr_t)front,
		.hdr_len = sizeof(front), .mask = (uintptr_t)mask, .value = (uintptr_t)mask,
		.match_len = sizeof(mask), .ops = (uintptr_t)&add, .op_count = 1,
	};

	if (!ioctl(link_end, NFP_CHAN_IOC_LINK, &l))
		return l.fd;
	return l.fd == -77 ? -errno : -EBADE;
}

/* ---- messages: a write that fails sends nothing, a read that fails leaves the message ---- */

static int sent, received, rwf;

static long do_write(void)
{
	struct iovec v = { "message", 8 };
	long ret = result(pwritev2(tx, &v, 1, -1, rwf));

	sent += ret == 8;
	return ret;
}

static long do_read(void)
{
	char buf[2048];
	struct iovec v = { buf, sizeof(buf) };
	long ret = result(preadv2(rx, &v, 1, -1, rwf));

	if (ret < 0)
		return ret;
	received++;
	return ret == 8 && !strcmp(buf, "message") ? ret : -EBADMSG;
}

static long nowait(long (*call)(void))
{
	long ret;

	rwf = RWF_NOWAIT;
	ret = call();
	rwf = 0;
	return ret;
}

static long do_write_nowait(void)
{
	return nowait(do_write);
}

static long do_read_nowait(void)
{
	return nowait(do_read);
}

/* Wait for the message that the card sends back. */
static bool echo_is_there(void)
{
	return events_of(rx, POLLIN, 20000);
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

/* Position in the stream that the card sends: each 4-byte word holds its own index. */
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

	if (write(source_ctl, req, sizeof(req)) != sizeof(req) || !events_of(source, POLLIN, 20000))
		die("source-ctl");
}

#define IOCTL(op, s, fd_, ...)							\
	.fd = &(fd_), .cmd = NFP_CHAN_IOC_##op,					\
	.arg = ARG(s, ##__VA_ARGS__), .size = sizeof(struct nfp_chan_##s)
#define OPEN(...)								\
	IOCTL(OPEN, open, card, __VA_ARGS__), .undo = undo_close, .vector = true, .copies = 1

static const struct sweep node[] = {
	{ "open of the node", .run = do_node, .undo = undo_close, .copies = 1 },
	{ "INFO", IOCTL(INFO, info, card), .copies = 2 },
	{ "QUERY", IOCTL(QUERY, query, card, .name = "tick"), .copies = 2 },
	{ "SIGNAL", IOCTL(SIGNAL, signal, card, .name = "tick"), .copies = 1 },
	{ "QUERY, by id", IOCTL(QUERY, query, card, .flags = NFP_CHAN_QUERY_BY_ID), .copies = 2 },
	{ "OPEN", OPEN(.name = "load", .ring_size = 4096) },
	{ "OPEN, with inline page and moderation",
	  OPEN(.name = "pit", .ring_size = 4096, .flags = NFP_CHAN_OPEN_INLINE | NFP_CHAN_OPEN_MAPPED,
	       .irq_count = 2, .irq_usecs = 100) },
	{ "OPEN, exclusive, with signal doorbell", OPEN(.name = "own", .ring_size = 4096) },
	{ "PORT", .run = do_port, .undo = undo_close, .vector = true, .copies = 1 },
	{ "OPEN, ring of 1 MiB", OPEN(.name = "source64", .ring_size = 1 << 20), .ring = 1 << 20 },
};

static const struct sweep chan[] = {
	{ "OPEN, in another's ring", .run = do_open_ring, .undo = undo_open_ring, .vector = true,
	  .copies = 1 },
	{ "OPEN, on a port", .run = do_open_on_port, .undo = undo_close, .vector = true,
	  .copies = 1 },
	{ "SIGNAL, of a channel", IOCTL(SIGNAL, signal, tick), .copies = 1 },
	{ "LAYOUT", IOCTL(LAYOUT, layout, rx), .copies = 2 },
	{ "ARM", IOCTL(ARM, arm, rx), .copies = 2 },
	{ "KICK, of a ring that is not mapped", IOCTL(KICK, kick, rx, .units = 1), .want = -EBUSY,
	  .copies = 1 },
	{ "LINK", .run = do_link, .undo = undo_close, .copies = 5 },
	{ "EVENTFD", .run = do_eventfd, .copies = 1 },
	{ "CANCEL, of none", IOCTL(CANCEL, cancel, tx, .seq = 1), .want = -ENOMSG, .copies = 1 },
	{ "XDP_BIND, of no program", .run = do_bind, .want = -EBADF, .copies = 1 },
	{ "XDP_UNBIND, of none", IOCTL(XDP_UNBIND, xdp_bind, rx, .prog_fd = -1),
	  .want = -ENOENT, .copies = 1 },
	{ "O_ASYNC", .run = do_async, .undo = undo_async },
	{ "poll", .run = do_poll, .copies = 1 },
	{ "epoll", .run = do_epoll, .undo = undo_epoll, .copies = 1 },
	{ "mmap, populated", .run = do_mmap },
	{ "mmap of the record, touched", .run = do_touch_note },
	{ "mmap of the control page, touched", .run = do_touch_ctl },
	{ "mmap of the doorbells, touched", .run = do_touch_db },
	{ "write", .run = do_write, .want = 8, .copies = 1 },
	{ "write, not to wait", .run = do_write_nowait, .want = 8, .copies = 1, .nowait = true },
	{ "write of 64 KiB of a stream", .run = do_write_large, .copies = 1 },
	{ "read of 64 KiB of a stream", .run = do_read_large, .copies = 1 },
};

static const struct sweep reads[] = {
	{ "read", .run = do_read, .want = 8, .undo = undo_read, .copies = 1 },
	{ "read, not to wait", .run = do_read_nowait, .want = 8, .undo = undo_read, .copies = 1,
	  .nowait = true },
};

/* ---- CANCEL: the process has taken the first message, so only the second can be cancelled ---- */

static uint32_t cancel_seq;

static long do_cancel_held(void)
{
	return result(ioctl(tx, NFP_CHAN_IOC_CANCEL, ARG(cancel, .seq = cancel_seq)));
}

/* Send two messages. The process takes the first and waits for a receiver, so the second waits. */
static void hold(void)
{
	if (write(tx, "held", 5) != 5 || write(tx, "back", 5) != 5)
		die("echo-in");
	cancel_seq += 2;
}

/*
 * Receive the message that the process took, and then "after". The cancelled message must not come.
 */
static bool let_go(void)
{
	char buf[16];
	bool good;

	rx = chan_must(card, "echo-out", NFP_CHAN_OPEN_NONBLOCK);
	good = echo_is_there() && read(rx, buf, sizeof(buf)) == 5 && !strcmp(buf, "held");
	if (write(tx, "after", 6) != 6)
		die("echo-in");
	cancel_seq++;
	good = echo_is_there() && read(rx, buf, sizeof(buf)) == 6 && !strcmp(buf, "after") &&
	       good;
	close(rx);
	return good;
}

static void undo_cancel(long ret)
{
	(void)ret;
	ok(let_go(),
	   "CANCEL: the message before the cancelled one is received, the cancelled one is not");
	hold();
}

static const struct sweep cancels = {
	"CANCEL", .run = do_cancel_held, .undo = undo_cancel, .copies = 1
};

static void of_cancel(void)
{
	tx = chan_must(card, "echo-in", NFP_CHAN_OPEN_NONBLOCK);
	hold();
	sweep(&cancels);
	/* Cancel the waiting message again, or the next opener of the channel would get it. */
	is(do_cancel_held(), 0, "CANCEL, once more");
	ok(let_go(), "no message is left in the card");
	close(tx);
}

/* ---- an offloaded program that is bound to a channel ---- */

static struct bpf_object *hook;
static int hook_map;

static long bind_hook(unsigned long cmd, int prog)
{
	return result(ioctl(rx, cmd, ARG(xdp_bind, .prog_fd = prog, .map_fd = hook_map)));
}

static long do_bind_hook(void)
{
	return bind_hook(NFP_CHAN_IOC_XDP_BIND, offload_prog(hook));
}

static long do_unbind_hook(void)
{
	return bind_hook(NFP_CHAN_IOC_XDP_UNBIND, -1);
}

static void undo_bind_hook(long ret)
{
	(void)ret;
	is(do_unbind_hook(), 0, "XDP_UNBIND of what was bound");
}

static void undo_unbind_hook(long ret)
{
	(void)ret;
	is(do_bind_hook(), 0, "XDP_BIND of what was unbound");
}

static const struct sweep hooks[] = {
	{ "XDP_BIND", .run = do_bind_hook, .undo = undo_bind_hook, .copies = 1 },
	{ "XDP_UNBIND", .run = do_unbind_hook, .undo = undo_unbind_hook, .copies = 1 },
};

static bool map_exists(uint32_t id)
{
	int fd = bpf_map_get_fd_by_id(id);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* If a failed call leaked a reference to program or map, that would exist after its close. */
static void of_hook(void)
{
	uint32_t id, map_id;
	int tries;

	hook = offload_load(OFFLOAD_HOOK, offload_ifindex());
	if (!hook)
		die(OFFLOAD_HOOK);
	id = offload_prog_id(hook);
	map_id = offload_map_id(hook, "events");
	hook_map = bpf_object__find_map_fd_by_name(hook, "events");
	rx = chan_must(card, "xdp0", NFP_CHAN_OPEN_NONBLOCK);
	sweep(&hooks[0]);
	is(do_bind_hook(), 0, "a program is bound");
	sweep(&hooks[1]);
	is(do_unbind_hook(), 0, "the program is unbound");
	ok(id && prog_exists(id), "the program is still loaded");
	bpf_object__close(hook);
	/* The kernel frees programs after an RCU grace period, in a worker. */
	for (tries = 0; tries < 1000 && (prog_exists(id) || map_exists(map_id)); tries++)
		usleep(10000);
	ok(!prog_exists(id), "the program is closed: the kernel has freed it");
	ok(map_id && !map_exists(map_id), "the map is closed: the kernel has freed it");
	close(rx);
}

/*
 * Limit locked memory to what one pipe needs. If a failed OPEN did not uncharge a page, the next
 * OPEN exceeds the limit and the test fails.
 */
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
		memlock(node[i].run == do_port ? RLIM_INFINITY : (node[i].ring ? : 4096) + OWN);
		sweep(&node[i]);
	}
	become(0);
}

static void of_channels(void)
{
	size_t i;

	rx = chan_must(card, "echo-out", NFP_CHAN_OPEN_NONBLOCK);
	tx = chan_must(card, "echo-in", NFP_CHAN_OPEN_NONBLOCK);
	link_end = chan_must(card, "load", 0);
	sink = chan_must(card, "sink", NFP_CHAN_OPEN_NONBLOCK);
	source = chan_must(card, "source", NFP_CHAN_OPEN_NONBLOCK);
	source_ctl = chan_must(card, "source-ctl", NFP_CHAN_OPEN_NONBLOCK);
	tick = chan_must(card, "tick", NFP_CHAN_OPEN_MAPPED);
	pit = chan_must(card, "pit", NFP_CHAN_OPEN_MAPPED);
	port = do_port();
	other = chan_must(card, "source64", NFP_CHAN_OPEN_MAPPED);
	pit_geom = chan_geom(pit);
	tick_geom = chan_geom(tick);
	efd = eventfd(0, EFD_CLOEXEC);
	ep = epoll_create1(EPOLL_CLOEXEC);
	stream_ask();
	/* do_async() turns on SIGIO, which would kill this process. */
	signal(SIGIO, SIG_IGN);
	for (i = 0; i < sizeof(chan) / sizeof(chan[0]); i++)
		sweep(&chan[i]);
	undo_read(0);
	sweep(&reads[0]);
	sweep(&reads[1]);
	while (received < sent && echo_is_there() && do_read() == 8)
		;
	is(received, sent, "each message that was sent was received once");
	close(rx);
	close(tx);
	close(link_end);
	close(sink);
	close(source);
	close(source_ctl);
	close(tick);
	close(pit);
	close(port);
	close(other);
}

/* The kernel frees credentials, and the user that they refer to, after an RCU grace period. */
static bool users_are(long want)
{
	int tries;

	for (tries = 0; tries < 1000 && users_known() != want; tries++)
		usleep(10000);
	return is(users_known(), want, "no reference to a user is left");
}

static const struct {
	const char *name;
	void (*run)(void);
} parts[] = {
	{ "node", of_node }, { "channels", of_channels }, { "cancel", of_cancel },
	{ "hook", of_hook },
};

int main(int argc, char **argv)
{
	int mapped, before;
	long users;
	size_t i;

	users_init();
	users = users_known();
	memlock(RLIM_INFINITY);
	card = card_open(O_RDWR);
	strcpy(pci, card_info(card).pci);
	injection_init();
	/*
	 * Check that the count of DMA mappings includes a pipe's memory. Otherwise no leak is
	 * found.
	 */
	before = look().n[DMA];
	rx = chan_must(card, "tick", 0);
	mapped = look().n[DMA];
	close(rx);
	ok(mapped > before, "a pipe's memory is counted: %d mappings of %d",
	   mapped - before, mapped);
	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (argc < 2 || !strcmp(argv[1], parts[i].name))
			parts[i].run();
	is(card_info(card).pipe_used, 0, "no pipe is left open");
	users_are(users);
	return tap_done();
}
