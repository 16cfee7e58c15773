// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * ioctl_errors.c - every ioctl and mmap with every kind of wrong argument: the errno must be the
 * one that the header promises, the struct must be unchanged, and no fd and no pipe may be left.
 */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/eventfd.h>
#include <sys/uio.h>
#include <nfp_chan_fw.h>
#include <nfpchan/nfp_chan_peer.h>
#include "calls.h"
#include "fds.h"

#define PAGE 4096
#define PIPES 5			/* pipes that the test has open throughout */

static int card;
static int rx, tx;		/* channels echo-out and echo-in */
static int rx_map, tx_map;	/* the same channels, opened to be mapped */
static int ring;		/* the channel source64, opened to be mapped */
static char *edge;		/* a page that is followed by a page without access */
static char *rdonly;		/* a page that cannot be written */

/* The beginning of each ioctl's struct. */
struct head {
	__u32 size;
	__u32 flags;
};

struct req {
	const char *name;
	unsigned long cmd;
	int *fd;
	size_t size;
	const void *good;	/* a struct that the ioctl accepts */
	int rsvd;		/* offset of a reserved word, or 0 */
	int ring;		/* offset of a field that takes the fd of a stream's ring, or 0 */
	int to;			/* offset of a field that takes the fd of a channel to the NFP, or 0 */
	bool out;		/* the kernel writes the struct back */
};

#define REQ(op, s, fd_, ...)							\
	.name = #op, .cmd = NFP_CHAN_IOC_##op, .fd = &(fd_),			\
	.size = sizeof(struct nfp_chan_##s), .good = ARG(s, ##__VA_ARGS__)

static const struct req reqs[] = {
	{ REQ(INFO, info, card), .out = true },
	{ REQ(QUERY, query, card, .name = "echo-out"), .out = true },
	{ REQ(OPEN, open, card, .name = "echo-out", .ring_fd = -1, .port_fd = -1, .fd = -77),
	  .out = true },
	{ REQ(OPEN, open, card, .name = "sink64", .flags = NFP_CHAN_OPEN_MAPPED, .port_fd = -1,
	      .fd = -77), .ring = offsetof(struct nfp_chan_open, ring_fd), .out = true },
	{ REQ(PORT, port, card, .fd = -77), .rsvd = offsetof(struct nfp_chan_port, rsvd),
	  .out = true },
	{ REQ(SIGNAL, signal, card, .name = "tick") },
	{ REQ(LAYOUT, layout, rx), .out = true },
	{ REQ(EVENTFD, eventfd, rx, .fd = -1), .rsvd = offsetof(struct nfp_chan_eventfd, rsvd) },
	{ REQ(ARM, arm, rx), .out = true },
	{ REQ(KICK, kick, rx_map, .units = 1), .rsvd = offsetof(struct nfp_chan_kick, rsvd) },
	{ REQ(CANCEL, cancel, tx), .rsvd = offsetof(struct nfp_chan_cancel, rsvd) },
	{ REQ(XDP_BIND, xdp_bind, rx, .prog_fd = -1) },
	{ REQ(XDP_UNBIND, xdp_bind, rx, .prog_fd = -1) },
	{ REQ(LINK, link, rx, .fd = -77), .to = offsetof(struct nfp_chan_link, to_fd), .out = true },
	{ REQ(PEER, link, rx, .fd = -77), .to = offsetof(struct nfp_chan_link, to_fd) },
	{ REQ(DEVICE, device, tx), .rsvd = offsetof(struct nfp_chan_device, rsvd2) },
};

/* Make a call that must fail with @want, leave @len bytes at @buf unchanged and nothing open. */
static void bad(int fd, unsigned long cmd, void *buf, size_t len, int want,
		const char *who, const char *what)
{
	unsigned int pipes = card_info(card).pipe_used;
	int fds = fds_open(), ret, err;
	char before[2 * PAGE];

	if (len)
		memcpy(before, buf, len);
	ret = ioctl(fd, cmd, buf);
	err = errno;
	if (!ok(ret == -1 && err == want && (!len || !memcmp(before, buf, len)) &&
		fds_open() == fds && card_info(card).pipe_used == pipes,
		"%s, %s: %s", who, what, strerror(want)))
		printf("# got %d, errno %d (%s), struct %s, fds %d -> %d, pipes %u -> %u\n", ret, err,
		       strerror(err), len && memcmp(before, buf, len) ? "changed" : "kept", fds,
	       fds_open(), pipes, card_info(card).pipe_used);
}

/* Call an ioctl with a struct that is wrong in one way. */
#define BAD(to, op, s, want, what, ...)						\
	bad(to, NFP_CHAN_IOC_##op, ARG(s, ##__VA_ARGS__), sizeof(struct nfp_chan_##s), want,	\
	    #op, what)
#define BAD_OPEN(to, want, what, ...)						\
	BAD(to, OPEN, open, want, what, .fd = -77, .ring_fd = -1, .port_fd = -1, ##__VA_ARGS__)
#define BAD_SHARED(to, want, what, ...)						\
	BAD(to, OPEN, open, want, what, .fd = -77, .flags = NFP_CHAN_OPEN_MAPPED,		\
	    .port_fd = -1, ##__VA_ARGS__)

static char *fresh(const struct req *r, char *buf)
{
	memcpy(buf, r->good, r->size);
	if (r->ring)
		memcpy(buf + r->ring, &ring, sizeof(ring));
	if (r->to)
		memcpy(buf + r->to, &tx, sizeof(tx));
	return buf;
}

static void common(const struct req *r)
{
	char buf[2 * PAGE] __attribute__((aligned(8)));
	struct head *h = (struct head *)buf;
	char *part = edge + PAGE - (r->size - 8);

	bad(*r->fd, r->cmd, NULL, 0, EFAULT, r->name, "no struct");
	memcpy(part, fresh(r, buf), r->size - 8);
	bad(*r->fd, r->cmd, part, r->size - 8, EFAULT, r->name,
	    "a struct that ends beyond readable memory");
	fresh(r, buf);
	h->size = 0;
	bad(*r->fd, r->cmd, buf, r->size, EINVAL, r->name, "size 0");
	h->size = r->size - 1;
	bad(*r->fd, r->cmd, buf, r->size, EINVAL, r->name, "size too small");
	memset(buf, 0, sizeof(buf));
	fresh(r, buf);
	buf[r->size + 5] = 1;
	h->size = r->size + 8;
	bad(*r->fd, r->cmd, buf, r->size + 8, E2BIG, r->name, "a longer struct whose end is not 0");
	buf[r->size + 5] = 0;
	h->size = PAGE + 1;
	bad(*r->fd, r->cmd, buf, r->size, E2BIG, r->name, "more than a page");
	h->size = 0xffffffff;
	bad(*r->fd, r->cmd, buf, r->size, E2BIG, r->name, "size of all ones");
	fresh(r, buf);
	h->flags = 0x80000000;
	bad(*r->fd, r->cmd, buf, r->size, EINVAL, r->name, "unknown flag");
	if (r->rsvd) {
		fresh(r, buf);
		buf[r->rsvd] = 1;
		bad(*r->fd, r->cmd, buf, r->size, EINVAL, r->name, "reserved field");
	}
	if (r->out) {
		mprotect(rdonly, PAGE, PROT_READ | PROT_WRITE);
		fresh(r, rdonly);
		mprotect(rdonly, PAGE, PROT_READ);
		bad(*r->fd, r->cmd, rdonly, r->size, EFAULT, r->name, "struct is read-only");
	}
	fresh(r, buf);
	bad(*r->fd, r->cmd ^ (0x40 << _IOC_NRSHIFT), buf, r->size, ENOTTY, r->name,
	    "unknown number");
	bad(*r->fd, r->cmd ^ (1 << _IOC_TYPESHIFT), buf, r->size, ENOTTY, r->name,
	    "unknown type");
	bad(*r->fd, r->cmd ^ (_IOC_WRITE << _IOC_DIRSHIFT), buf, r->size, ENOTTY, r->name,
	    "other direction");
}

/* A struct, and what a later header has behind it */
#define MORE(op, s, fd, ...) do {						\
	struct {								\
		struct nfp_chan_##s was;					\
		__u64 more;							\
	} arg = { .was = { .size = sizeof(arg), ##__VA_ARGS__ } };		\
										\
	is(ioctl(fd, NFP_CHAN_IOC_##op, &arg), 0,				\
	   #op ", a longer struct with 0 at its end is taken");			\
	is(arg.was.size, sizeof(arg.was), #op ", size: the bytes that were filled in");		\
	ok(!arg.more, #op ", what is behind the known part is unchanged");	\
} while (0)

/*
 * A caller built with a later header has a longer struct, which is 0 at its end. link_api.c has the
 * sizes of LINK_STAT.
 */
static void sizes(void)
{
	MORE(INFO, info, card);
	MORE(QUERY, query, card, .name = "echo-out");
	MORE(LAYOUT, layout, rx);
	MORE(ARM, arm, rx);
}

static void features(void)
{
	const __u64 all = NFP_CHAN_FEATURE_RING | NFP_CHAN_FEATURE_PORT | NFP_CHAN_FEATURE_KICK |
			  NFP_CHAN_FEATURE_LINK | NFP_CHAN_FEATURE_XDP | NFP_CHAN_FEATURE_PEER |
			  NFP_CHAN_FEATURE_DEVICE;

	ok(card_info(card).features == all, "INFO, features: all of the headers");
	is(chan_geom(rx_map).db_map, 1, "LAYOUT: doorbells can be mapped");
	is(chan_geom(rx_map).rsvd, 0, "LAYOUT, the reserved field");
}

static void kinds(void)
{
	char buf[PAGE] __attribute__((aligned(8)));
	int stream = chan_must(card, "loop-in", 0), port = port_open(card);
	size_t i;

	for (i = 0; i < sizeof(reqs) / sizeof(reqs[0]); i++) {
		if (reqs[i].cmd == NFP_CHAN_IOC_SIGNAL)
			continue;
		fresh(&reqs[i], buf);
		bad(reqs[i].fd == &card ? rx : card, reqs[i].cmd, buf, reqs[i].size, EOPNOTSUPP,
		    reqs[i].name, "on the other kind of fd");
	}
	BAD(card, LINK_STAT, link_stat, EOPNOTSUPP, "on a card");
	BAD(rx, LINK_STAT, link_stat, EOPNOTSUPP, "on a channel");
	BAD(rx, CANCEL, cancel, EOPNOTSUPP, "on a channel to the host", .seq = 1);
	BAD(stream, CANCEL, cancel, EOPNOTSUPP, "on a stream", .seq = 1);
	BAD(port, CANCEL, cancel, EOPNOTSUPP, "on a port", .seq = 1);
	BAD(port, SIGNAL, signal, EOPNOTSUPP, "on a port");
	BAD(port, LINK, link, EOPNOTSUPP, "on a port", .to_fd = -1);
	BAD(tx, LINK, link, EOPNOTSUPP, "on a channel to the NFP", .to_fd = -1);
	BAD(tx, PEER, link, EOPNOTSUPP, "on a channel to the NFP", .to_fd = -1);
	BAD(rx, DEVICE, device, EOPNOTSUPP, "on a channel to the host");
	close(port);
	close(stream);
}

static void doorbells(void)
{
	const __u32 most = chan_geom(rx_map).ring_size >> chan_geom(rx_map).unit_shift;
	struct nfp_chan_arm *a;

	BAD(rx_map, KICK, kick, EINVAL, "no units");
	BAD(rx_map, KICK, kick, EINVAL, "more units than the ring has", .units = most + 1);
	BAD(rx_map, KICK, kick, EINVAL, "units of all ones", .units = 0xffffffff);
	BAD(rx, KICK, kick, EBUSY, "not opened to be mapped", .units = 1);
	BAD(rx, KICK, kick, EINVAL, "no units, not opened to be mapped");
	BAD(rx, ARM, arm, EINVAL, "a count, not opened to be mapped", .flags = NFP_CHAN_ARM_SEQ);
	BAD(rx_map, ARM, arm, EINVAL, "a count without its flag", .seq = 1);
	a = ARG(arm, .events = 77);
	is(ioctl(rx, NFP_CHAN_IOC_ARM, a), 0, "ARM");
	is(a->events, 0, "no event is pending: it is armed");
	a = ARG(arm, .events = 77);
	is(ioctl(tx, NFP_CHAN_IOC_ARM, a), 0, "ARM of a channel to the NFP");
	is(a->events & POLLOUT, POLLOUT, "a message has room: it is not armed");
	a = ARG(arm, .flags = NFP_CHAN_ARM_SEQ, .events = 77);
	is(ioctl(rx_map, NFP_CHAN_IOC_ARM, a), 0, "ARM with a count");
	is(a->events, 0, "it is armed");
}

#define ENDLESS	"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"	/* fills the field, without a NUL */

static void names(void)
{
	BAD(card, QUERY, query, EINVAL, "name without end", .name = ENDLESS);
	BAD_OPEN(card, EINVAL, "name without end", .name = ENDLESS);
	BAD(card, SIGNAL, signal, EINVAL, "name without end", .name = ENDLESS);
	BAD(card, QUERY, query, ENOENT, "no such name", .name = "aaaa");
	BAD_OPEN(card, ENOENT, "no such name", .name = "aaaa");
	BAD(card, SIGNAL, signal, ENOENT, "no such name", .name = "aaaa");
	BAD(card, QUERY, query, ENOENT, "no such id", .flags = NFP_CHAN_QUERY_BY_ID,
	    .id = card_info(card).chan_count);
	BAD(card, QUERY, query, ENOENT, "id of all ones", .flags = NFP_CHAN_QUERY_BY_ID,
	    .id = 0xffffffff);
	BAD(card, SIGNAL, signal, EOPNOTSUPP,
	    "a process that takes no signals", .name = "echo-out");
	BAD(rx, SIGNAL, signal, EINVAL, "on a channel, with its name", .name = "echo-out");
	BAD(rx, SIGNAL, signal, EINVAL, "on a channel, with another name", .name = "tick");
	BAD(rx, SIGNAL, signal, EINVAL, "on a channel, a byte behind the name", .name = "\0t");
}

static void opens(void)
{
	static const unsigned int sizes[] = { 1, 4095, 2048, 6144, 8388608, 0x80000000 };
	int rd = card_open(O_RDONLY), wr = card_open(O_WRONLY), first, n = 0;
	int held[NFP_CHAN_FW_PIPE_MAX];
	struct rlimit old;
	size_t i;

	BAD_OPEN(card, EINVAL, "inline page, not mapped", .name = "echo-in",
		 .flags = NFP_CHAN_OPEN_INLINE);
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		BAD_OPEN(card, EINVAL, "bad ring size", .name = "echo-out", .ring_size = sizes[i]);
	BAD_OPEN(wr, EACCES, "to host, card write-only", .name = "echo-out");
	BAD_OPEN(rd, EACCES, "to NFP, card read-only", .name = "echo-in");
	BAD(rd, SIGNAL, signal, EACCES, "card read-only", .name = "tick");
	close(rd);
	close(wr);

	first = chan_must(card, "flows", 0);
	BAD_OPEN(card, EBUSY, "exclusive and open", .name = "flows");
	close(first);

	getrlimit(RLIMIT_NOFILE, &old);
	setrlimit(RLIMIT_NOFILE, &(struct rlimit){ 3, old.rlim_max });
	BAD_OPEN(card, EMFILE, "no fd free", .name = "echo-out");
	setrlimit(RLIMIT_NOFILE, &old);

	while (n < NFP_CHAN_FW_PIPE_MAX && (held[n] = chan_open(card, "echo-out", 0, 0)) >= 0)
		n++;
	is(n + PIPES, card_info(card).pipe_count, "OPEN, all pipes");
	BAD_OPEN(card, ENOSPC, "no pipe free", .name = "echo-out");
	while (n)
		close(held[--n]);
	is(card_info(card).pipe_used, PIPES, "closing gives the pipes back");
}

#define BAD_ON_PORT(want, what, ...)						\
	BAD(card, OPEN, open, want, what, .name = "tick", .fd = -77, .ring_fd = -1, ##__VA_ARGS__)

static void ports(void)
{
	int wr = card_open(O_WRONLY), null = open("/dev/null", O_RDONLY);

	BAD(wr, PORT, port, EACCES, "card write-only", .fd = -77);
	BAD(card, PORT, port, EINVAL,
	    "hold interrupts back for 2 elements without a time", .fd = -77, .irq_count = 2);
	BAD(card, PORT, port, EINVAL, "interrupts held back too long", .fd = -77,
	    .irq_usecs = NFP_CHAN_IRQ_USECS_MAX + 1);
	BAD_ON_PORT(EBADF, "on a channel", .port_fd = rx);
	BAD_ON_PORT(EBADF, "on another file", .port_fd = null);
	BAD_ON_PORT(EBADF, "on no file", .port_fd = 200);
	BAD_ON_PORT(EBADF, "on fd -2", .port_fd = -2);
	BAD_ON_PORT(EINVAL, "a cookie without a port", .port_fd = -1, .cookie = 1);
	close(wr);
	close(null);
}

static void shared(void)
{
	int rd = card_open(O_RDONLY), null = open("/dev/null", O_RDONLY), first;
	int bytes = chan_must(card, "loop-out", 0);

	BAD_SHARED(rd, EACCES, "card read-only", .name = "sink64", .ring_fd = ring);
	BAD_SHARED(card, EBADF, "on no file", .name = "sink64", .ring_fd = 200);
	BAD_SHARED(card, EBADF, "on fd -2", .name = "sink64", .ring_fd = -2);
	BAD(card, OPEN, open, EINVAL, "in a ring, not mapped", .name = "sink64", .ring_fd = ring,
	    .port_fd = -1);
	BAD_SHARED(card, EINVAL, "in a ring, with a size", .name = "sink64", .ring_fd = ring,
		   .ring_size = chan_geom(ring).ring_size);
	BAD_SHARED(card, EBADF, "in a ring, fd 0 by mistake", .name = "sink64");
	BAD_SHARED(card, EBADF, "on another file", .name = "sink64", .ring_fd = null);
	BAD_SHARED(card, EBADF, "on the card", .name = "sink64", .ring_fd = card);
	BAD_SHARED(card, EBADF, "on a stream that is not to be mapped", .name = "loop-in",
		   .ring_fd = bytes);
	BAD_SHARED(card, EBADF, "on messages", .name = "sink64", .ring_fd = rx_map);
	BAD_SHARED(card, ENOENT, "no such name", .name = "aaaa", .ring_fd = ring);
	BAD_SHARED(card, EPROTOTYPE, "messages to the NFP", .name = "echo-in", .ring_fd = ring);
	BAD_SHARED(card, EPROTOTYPE, "elements of another size", .name = "sink", .ring_fd = ring);
	BAD_SHARED(card, EPROTOTYPE, "a stream to the host", .name = "source", .ring_fd = ring);
	first = chan_must(card, "sink64", 0);
	BAD_SHARED(card, EBUSY, "exclusive and open", .name = "sink64", .ring_fd = ring);
	close(first);
	first = chan_open_shared(card, "sink64", ring);
	ok(first >= 0, "OPEN in a ring");
	BAD_SHARED(card, ESTALE, "shared already", .name = "loop64-in", .ring_fd = ring);
	close(first);
	close(bytes);
	close(rd);
	close(null);
}

static void eventfds(void)
{
	int null = open("/dev/null", O_RDONLY);

	BAD(rx, EVENTFD, eventfd, EBADF, "fd -2", .fd = -2);
	BAD(rx, EVENTFD, eventfd, EBADF, "no such fd", .fd = 200);
	BAD(rx, EVENTFD, eventfd, EBADF, "not an eventfd", .fd = null);
	BAD(rx, EVENTFD, eventfd, EBADF, "a channel", .fd = rx);
	BAD(tx, CANCEL, cancel, ENOMSG, "a message never sent", .seq = 1);
	BAD(rx, XDP_BIND, xdp_bind, EBADF, "no such fd", .prog_fd = 200, .map_fd = null);
	BAD(rx, XDP_BIND, xdp_bind, EBADF, "not a program", .prog_fd = null, .map_fd = null);
	BAD(rx, XDP_BIND, xdp_bind, EBADF, "no such map", .prog_fd = null, .map_fd = 200);
	BAD(rx, XDP_BIND, xdp_bind, EBADF, "map -1", .prog_fd = null, .map_fd = -1);
	BAD(rx, XDP_UNBIND, xdp_bind, EBADF, "no such map", .prog_fd = -1, .map_fd = 200);
	BAD(rx, XDP_UNBIND, xdp_bind, EINVAL, "a program", .prog_fd = null, .map_fd = null);
	BAD(rx, XDP_UNBIND, xdp_bind, ENOENT, "not a map", .prog_fd = -1, .map_fd = null);
	BAD(rx, LINK, link, EBADF, "no such fd", .to_fd = 200);
	BAD(rx, LINK, link, EBADF, "not a channel", .to_fd = null);
	BAD(rx, LINK, link, EBADF, "a channel to the host", .to_fd = rx);
	BAD(rx, LINK, link, EINVAL, "the flag of PEER", .to_fd = tx, .flags = NFP_CHAN_PEER_STAGE);
	BAD(rx, PEER, link, EBADF, "to nowhere", .to_fd = -1);
	BAD(rx, PEER, link, EXDEV, "within a card", .to_fd = tx);
	close(null);
}

static void map(int fd, __u64 off, size_t len, int prot, int flags, int want,
		const char *what)
{
	void *p = mmap(NULL, len, prot, flags, fd, off);

	fails(p == MAP_FAILED ? -1 : 0, want, what);
	if (p != MAP_FAILED)
		munmap(p, len);
}

static void maps(void)
{
	struct nfp_chan_layout r = chan_geom(rx_map), t = chan_geom(tx_map);
	int rw = PROT_READ | PROT_WRITE, fds[2];
	struct iovec iov;
	char *p;

	map(rx_map, r.ring_off, r.ring_size, rw, MAP_SHARED, EACCES, "mmap, ring to host, writable");
	map(rx_map, r.note_off, PAGE, rw, MAP_SHARED, EACCES, "mmap, record, writable");
	map(rx_map, r.ring_off, r.ring_size, PROT_READ, MAP_PRIVATE, EINVAL, "mmap, private");
	map(tx_map, t.ring_off, 2 * t.ring_size + PAGE, rw, MAP_SHARED, EINVAL, "mmap, ring, too long");
	map(tx_map, t.ring_off + PAGE, PAGE, rw, MAP_SHARED, EINVAL, "mmap, not at the start");
	map(rx_map, r.note_off, 2 * PAGE, PROT_READ, MAP_SHARED, EINVAL, "mmap, record, too long");
	map(rx_map, r.db_off, 2 * PAGE, rw, MAP_SHARED, EINVAL, "mmap, doorbells, too long");
	map(rx_map, r.ctl_off, 2 * PAGE, rw, MAP_SHARED, EINVAL, "mmap, control page, too long");
	map(rx_map, r.db_off + 0x1000000, PAGE, rw, MAP_SHARED, EINVAL, "mmap, unknown offset");
	map(rx_map, 1ull << 40, PAGE, rw, MAP_SHARED, EINVAL, "mmap, far offset");
	map(rx_map, r.inline_off, PAGE, rw, MAP_SHARED, EINVAL, "mmap, no inline page");
	map(rx_map, r.signal_db_off, PAGE, rw, MAP_SHARED, EINVAL, "mmap, no signal doorbell");
	map(tx_map, t.ring_off, PAGE, rw | PROT_EXEC, MAP_SHARED, EPERM, "mmap, executable");
	map(rx, r.ring_off, PAGE, PROT_READ, MAP_SHARED, EACCES, "mmap, not opened for it");
	map(tx, 1ull << 40, PAGE, rw, MAP_SHARED, EACCES, "mmap, not opened for it, far offset");
	map(card, 0, PAGE, PROT_READ, MAP_SHARED, ENODEV, "mmap of the card");

	p = mmap(NULL, r.ring_size, PROT_READ, MAP_SHARED, rx_map, r.ring_off);
	if (!ok(p != MAP_FAILED, "mmap, ring to host, read-only"))
		return;
	fails(mprotect(p, r.ring_size, rw), EACCES, "mprotect, ring to host, writable");
	fails(mprotect(p, r.ring_size, PROT_READ | PROT_EXEC), EACCES, "mprotect, executable");
	fails(mremap(p, r.ring_size, 2 * r.ring_size, MREMAP_MAYMOVE) == MAP_FAILED ? -1 : 0,
	      EFAULT, "mremap, larger");
	/* vmsplice() would pin the ring's page into a kernel pipe instead of copying it. */
	iov = (struct iovec){ .iov_base = p, .iov_len = PAGE };
	if (pipe(fds))
		die("pipe");
	fails(vmsplice(fds[1], &iov, 1, 0), EFAULT, "vmsplice, which would pin a page");
	close(fds[0]);
	close(fds[1]);
	munmap(p, r.ring_size);
}

static void calls(void)
{
	char buf[4096] = { 0 };

	fails(read(tx, buf, sizeof(buf)), EBADF, "read, a channel to the NFP");
	fails(write(rx, buf, 8), EBADF, "write, a channel to the host");
	fails(write(tx, buf, 2049), EMSGSIZE, "write, more than max_size");
	fails(write(tx, edge + PAGE, 8), EFAULT, "write, no buffer");
	fails(lseek(rx, 0, SEEK_SET), ESPIPE, "lseek");
	fails(pread(rx, buf, 8, 0), ESPIPE, "pread");
	fails(read(card, buf, 8), EINVAL, "read of the card");
	fails(read(rx_map, buf, 8), EBUSY, "read, opened to be mapped");
	fails(write(tx_map, buf, 8), EBUSY, "write, opened to be mapped");
}

int main(void)
{
	size_t i;

	card = card_open(O_RDWR);
	rx = chan_must(card, "echo-out", NFP_CHAN_OPEN_NONBLOCK);
	tx = chan_must(card, "echo-in", NFP_CHAN_OPEN_NONBLOCK);
	rx_map = chan_must(card, "echo-out", NFP_CHAN_OPEN_MAPPED);
	tx_map = chan_must(card, "echo-in", NFP_CHAN_OPEN_MAPPED);
	ring = chan_must(card, "source64", NFP_CHAN_OPEN_MAPPED);
	edge = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	mprotect(edge + PAGE, PAGE, PROT_NONE);
	rdonly = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	for (i = 0; i < sizeof(reqs) / sizeof(reqs[0]); i++)
		common(&reqs[i]);
	sizes();
	features();
	kinds();
	doorbells();
	names();
	opens();
	ports();
	shared();
	eventfds();
	maps();
	calls();
	is(chan_query(card, "echo-in").msgs, 0, "none of the refused calls sent a message");
	is(card_info(card).pipe_used, PIPES, "no pipe is left open");
	return tap_done();
}
