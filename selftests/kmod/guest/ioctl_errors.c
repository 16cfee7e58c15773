// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * ioctl_errors.c - every ioctl and mmap with every kind of wrong argument: the
 * errno is the one the header promises, the struct is left as it was, and
 * neither an fd nor a pipe is left behind.
 */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/eventfd.h>
#include <sys/uio.h>
#include "calls.h"
#include "fds.h"

#define PAGE 4096

static int card;
static int rx, tx;		/* channels echo-out and echo-in */
static char *edge;		/* a page, and behind it one without access */
static char *rdonly;		/* a page that cannot be written */

/* All structs begin with these. */
struct head {
	__u32 size;
	__u32 flags;
};

struct req {
	const char *name;
	unsigned long cmd;
	int *fd;
	size_t size;
	int rsvd;		/* offset of a reserved word, or -1 */
	bool out;		/* the struct is written back */
	void (*fill)(void *arg);
};

static void fill_echo(void *arg)
{
	struct nfp_chan_query *q = arg;

	strcpy(q->name, "echo-out");
}

static void fill_open(void *arg)
{
	struct nfp_chan_open *o = arg;

	strcpy(o->name, "echo-out");
	o->fd = -77;
}

static void fill_port(void *arg)
{
	struct nfp_chan_port *p = arg;

	p->fd = -77;
}

static void fill_signal(void *arg)
{
	struct nfp_chan_signal *s = arg;

	strcpy(s->name, "tick");
}

static void fill_eventfd(void *arg)
{
	struct nfp_chan_eventfd *e = arg;

	e->fd = -1;
}

static void fill_xdp(void *arg)
{
	struct nfp_chan_xdp_bind *x = arg;

	x->prog_fd = -1;
	x->map_id = 1;
}

static const struct req reqs[] = {
	{ "INFO", NFP_CHAN_IOC_INFO, &card, sizeof(struct nfp_chan_info),
	  offsetof(struct nfp_chan_info, rsvd[1]), true, NULL },
	{ "QUERY", NFP_CHAN_IOC_QUERY, &card, sizeof(struct nfp_chan_query),
	  -1, true, fill_echo },
	{ "OPEN", NFP_CHAN_IOC_OPEN, &card, sizeof(struct nfp_chan_open),
	  offsetof(struct nfp_chan_open, port_fd), true, fill_open },
	{ "PORT", NFP_CHAN_IOC_PORT, &card, sizeof(struct nfp_chan_port),
	  offsetof(struct nfp_chan_port, rsvd), true, fill_port },
	{ "SIGNAL", NFP_CHAN_IOC_SIGNAL, &card, sizeof(struct nfp_chan_signal),
	  -1, false, fill_signal },
	{ "GEOM", NFP_CHAN_IOC_GEOM, &rx, sizeof(struct nfp_chan_geom),
	  -1, true, NULL },
	{ "EVENTFD", NFP_CHAN_IOC_EVENTFD, &rx, sizeof(struct nfp_chan_eventfd),
	  offsetof(struct nfp_chan_eventfd, rsvd), false, fill_eventfd },
	{ "CANCEL", NFP_CHAN_IOC_CANCEL, &tx, sizeof(struct nfp_chan_cancel),
	  offsetof(struct nfp_chan_cancel, rsvd), false, NULL },
	{ "XDP_BIND", NFP_CHAN_IOC_XDP_BIND, &rx, sizeof(struct nfp_chan_xdp_bind),
	  -1, false, fill_xdp },
	{ "XDP_UNBIND", NFP_CHAN_IOC_XDP_UNBIND, &rx, sizeof(struct nfp_chan_xdp_bind),
	  -1, false, fill_xdp },
};

/* Bytes of the struct's first version, which is always enough. */
static __u32 least(const struct req *r)
{
	switch (r->cmd) {
	case NFP_CHAN_IOC_GEOM:
		return 88;
	case NFP_CHAN_IOC_QUERY:
		return 120;
	case NFP_CHAN_IOC_OPEN:
		return 48;
	}
	return r->size;
}

/* @len bytes at @buf stay the same; nothing is left open. */
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

static char *fresh(const struct req *r, char *buf)
{
	memset(buf, 0, r->size);
	((struct head *)buf)->size = r->size;
	if (r->fill)
		r->fill(buf);
	return buf;
}

static void common(const struct req *r)
{
	char buf[2 * PAGE] __attribute__((aligned(8)));
	struct head *h = (struct head *)buf;
	char *part = edge + PAGE - (r->size - 8);

	bad(*r->fd, r->cmd, NULL, 0, EFAULT, r->name, "no struct");
	memcpy(part, fresh(r, buf), r->size - 8);
	bad(*r->fd, r->cmd, part, r->size - 8, EFAULT, r->name, "not all of a struct");
	fresh(r, buf);
	h->size = 0;
	bad(*r->fd, r->cmd, buf, r->size, EINVAL, r->name, "size 0");
	h->size = least(r) - 1;
	bad(*r->fd, r->cmd, buf, r->size, EINVAL, r->name, "size too small");
	memset(buf, 0, sizeof(buf));
	fresh(r, buf);
	buf[r->size + 5] = 1;
	h->size = r->size + 8;
	bad(*r->fd, r->cmd, buf, r->size + 8, E2BIG, r->name, "more than known");
	buf[r->size + 5] = 0;
	h->size = PAGE + 1;
	bad(*r->fd, r->cmd, buf, r->size, E2BIG, r->name, "more than a page");
	h->size = 0xffffffff;
	bad(*r->fd, r->cmd, buf, r->size, E2BIG, r->name, "size of all ones");
	fresh(r, buf);
	h->flags = 0x80000000;
	bad(*r->fd, r->cmd, buf, r->size, EINVAL, r->name, "unknown flag");
	if (r->rsvd >= 0) {
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

/* A caller built with a later header: longer, the rest 0, another number. */
static void longer(void)
{
	struct {
		struct nfp_chan_info info;
		__u64 more;
	} arg = { .info.size = sizeof(arg) };

	is(ioctl(card, _IOC(_IOC_READ | _IOC_WRITE, NFP_CHAN_IOC_TYPE, 0, sizeof(arg)), &arg), 0,
	   "INFO, a longer struct with 0 at its end is taken");
	ok(arg.info.chan_count && !arg.more && arg.info.size == sizeof(arg),
	   "and answered as far as known");
}

static void kinds(void)
{
	char buf[PAGE] __attribute__((aligned(8)));
	size_t i;

	for (i = 0; i < sizeof(reqs) / sizeof(reqs[0]); i++) {
		if (reqs[i].cmd == NFP_CHAN_IOC_SIGNAL)
			continue;
		fresh(&reqs[i], buf);
		bad(reqs[i].fd == &card ? rx : card, reqs[i].cmd, buf, reqs[i].size, ENOTTY,
		    reqs[i].name, "on the other kind of fd");
	}
	bad(card, NFP_CHAN_IOC_TRIGGER, NULL, 0, ENOTTY, "TRIGGER", "on the card");
}

static void names(void)
{
	struct nfp_chan_query q = { .size = sizeof(q) };
	struct nfp_chan_signal s = { .size = sizeof(s) };
	struct nfp_chan_open o = { .size = sizeof(o), .fd = -77 };

	memset(q.name, 'a', sizeof(q.name));
	memset(o.name, 'a', sizeof(o.name));
	memset(s.name, 'a', sizeof(s.name));
	bad(card, NFP_CHAN_IOC_QUERY, &q, sizeof(q), EINVAL, "QUERY", "name without end");
	bad(card, NFP_CHAN_IOC_OPEN, &o, sizeof(o), EINVAL, "OPEN", "name without end");
	bad(card, NFP_CHAN_IOC_SIGNAL, &s, sizeof(s), EINVAL, "SIGNAL", "name without end");
	q.name[4] = 0;
	o.name[4] = 0;
	s.name[4] = 0;
	bad(card, NFP_CHAN_IOC_QUERY, &q, sizeof(q), ENOENT, "QUERY", "no such name");
	bad(card, NFP_CHAN_IOC_OPEN, &o, sizeof(o), ENOENT, "OPEN", "no such name");
	bad(card, NFP_CHAN_IOC_SIGNAL, &s, sizeof(s), ENOENT, "SIGNAL", "no such name");
	q.flags = NFP_CHAN_QUERY_BY_ID;
	q.id = card_info(card).chan_count;
	bad(card, NFP_CHAN_IOC_QUERY, &q, sizeof(q), ENOENT, "QUERY", "no such id");
	q.id = 0xffffffff;
	bad(card, NFP_CHAN_IOC_QUERY, &q, sizeof(q), ENOENT, "QUERY", "id of all ones");
	strcpy(s.name, "echo-out");
	bad(card, NFP_CHAN_IOC_SIGNAL, &s, sizeof(s), EOPNOTSUPP, "SIGNAL",
	    "a process that takes none");
}

static void opens(void)
{
	static const unsigned int sizes[] = { 1, 4095, 2048, 6144, 8388608, 0x80000000 };
	int rd = card_open(O_RDONLY), wr = card_open(O_WRONLY), first, fd, n;
	struct nfp_chan_open o = { .size = sizeof(o), .fd = -77 };
	struct nfp_chan_signal s = { .size = sizeof(s), .name = "tick" };
	int held[NFP_CHAN_FW_PIPE_MAX];
	struct rlimit old, low;
	size_t i;

	strcpy(o.name, "echo-out");
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		o.ring_size = sizes[i];
		bad(card, NFP_CHAN_IOC_OPEN, &o, sizeof(o), EINVAL, "OPEN", "bad ring size");
	}
	o.ring_size = 0;
	bad(wr, NFP_CHAN_IOC_OPEN, &o, sizeof(o), EACCES, "OPEN", "to host, card write-only");
	strcpy(o.name, "echo-in");
	bad(rd, NFP_CHAN_IOC_OPEN, &o, sizeof(o), EACCES, "OPEN", "to NFP, card read-only");
	bad(rd, NFP_CHAN_IOC_SIGNAL, &s, sizeof(s), EACCES, "SIGNAL", "card read-only");
	close(rd);
	close(wr);

	first = chan_must(card, "flows", 0);
	strcpy(o.name, "flows");
	bad(card, NFP_CHAN_IOC_OPEN, &o, sizeof(o), EBUSY, "OPEN", "exclusive and open");
	close(first);

	getrlimit(RLIMIT_NOFILE, &old);
	low = old;
	low.rlim_cur = 3;
	setrlimit(RLIMIT_NOFILE, &low);
	strcpy(o.name, "echo-out");
	bad(card, NFP_CHAN_IOC_OPEN, &o, sizeof(o), EMFILE, "OPEN", "no fd free");
	setrlimit(RLIMIT_NOFILE, &old);

	for (n = 0; n < NFP_CHAN_FW_PIPE_MAX; n++) {
		fd = chan_open(card, "echo-out", 0, 0);
		if (fd < 0)
			break;
		held[n] = fd;
	}
	is(n + 2, card_info(card).pipe_count, "OPEN, all pipes");
	bad(card, NFP_CHAN_IOC_OPEN, &o, sizeof(o), ENOSPC, "OPEN", "no pipe free");
	while (n)
		close(held[--n]);
	is(card_info(card).pipe_used, 2, "closing gives the pipes back");
}

static void ports(void)
{
	struct nfp_chan_open o = {
		.size = sizeof(o), .flags = NFP_CHAN_OPEN_PORT, .name = "tick", .fd = -77,
	};
	struct nfp_chan_port p = { .size = sizeof(p), .fd = -77 };
	int wr = card_open(O_WRONLY), null = open("/dev/null", O_RDONLY);

	bad(wr, NFP_CHAN_IOC_PORT, &p, sizeof(p), EACCES, "PORT", "card write-only");
	p.irq_count = 2;
	bad(card, NFP_CHAN_IOC_PORT, &p, sizeof(p), EINVAL, "PORT", "2 elements, for no time");
	p.irq_count = 0;
	p.irq_usecs = NFP_CHAN_FW_IRQ_USECS_MAX + 1;
	bad(card, NFP_CHAN_IOC_PORT, &p, sizeof(p), EINVAL, "PORT", "held back too long");
	p.irq_usecs = 0;
	p.flags = NFP_CHAN_OPEN_PORT;
	bad(card, NFP_CHAN_IOC_PORT, &p, sizeof(p), EINVAL, "PORT", "that reports to a port");
	o.port_fd = rx;
	bad(card, NFP_CHAN_IOC_OPEN, &o, sizeof(o), EINVAL, "OPEN", "on a channel");
	o.port_fd = null;
	bad(card, NFP_CHAN_IOC_OPEN, &o, sizeof(o), EINVAL, "OPEN", "on another file");
	o.port_fd = 200;
	bad(card, NFP_CHAN_IOC_OPEN, &o, sizeof(o), EBADF, "OPEN", "on no file");
	o.port_fd = -1;
	bad(card, NFP_CHAN_IOC_OPEN, &o, sizeof(o), EBADF, "OPEN", "on fd -1");
	o.flags = 0;
	bad(card, NFP_CHAN_IOC_OPEN, &o, sizeof(o), EINVAL, "OPEN", "a port without its flag");
	o.port_fd = 0;
	o.cookie = 1;
	bad(card, NFP_CHAN_IOC_OPEN, &o, sizeof(o), EINVAL, "OPEN", "a cookie without a port");
	close(wr);
	close(null);
}

static void eventfds(void)
{
	struct nfp_chan_eventfd e = { .size = sizeof(e), .fd = -2 };
	struct nfp_chan_cancel c = { .size = sizeof(c), .seq = 1 };
	int null = open("/dev/null", O_RDONLY);

	bad(rx, NFP_CHAN_IOC_EVENTFD, &e, sizeof(e), EINVAL, "EVENTFD", "fd -2");
	e.fd = 200;
	bad(rx, NFP_CHAN_IOC_EVENTFD, &e, sizeof(e), EBADF, "EVENTFD", "no such fd");
	e.fd = null;
	bad(rx, NFP_CHAN_IOC_EVENTFD, &e, sizeof(e), EINVAL, "EVENTFD", "not an eventfd");
	e.fd = rx;
	bad(rx, NFP_CHAN_IOC_EVENTFD, &e, sizeof(e), EINVAL, "EVENTFD", "a channel");
	bad(rx, NFP_CHAN_IOC_CANCEL, &c, sizeof(c), EINVAL, "CANCEL", "of a channel to the host");
	bad(tx, NFP_CHAN_IOC_CANCEL, &c, sizeof(c), EINVAL, "CANCEL", "a message never sent");
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
	struct nfp_chan_geom r = chan_geom(rx), t = chan_geom(tx);
	int rw = PROT_READ | PROT_WRITE, fds[2];
	struct iovec iov;
	char *p;

	map(rx, r.ring_off, r.ring_size, rw, MAP_SHARED, EACCES, "mmap, ring to host, writable");
	map(rx, r.note_off, PAGE, rw, MAP_SHARED, EACCES, "mmap, record, writable");
	map(rx, r.ring_off, r.ring_size, PROT_READ, MAP_PRIVATE, EINVAL, "mmap, private");
	map(tx, t.ring_off, 2 * t.ring_size + PAGE, rw, MAP_SHARED, EINVAL, "mmap, ring, too long");
	map(tx, t.ring_off + PAGE, PAGE, rw, MAP_SHARED, EINVAL, "mmap, not at the start");
	map(rx, r.note_off, 2 * PAGE, PROT_READ, MAP_SHARED, EINVAL, "mmap, record, too long");
	map(rx, r.db_off, 2 * PAGE, rw, MAP_SHARED, EINVAL, "mmap, doorbells, too long");
	map(rx, r.ctl_off, 2 * PAGE, rw, MAP_SHARED, EINVAL, "mmap, control page, too long");
	map(rx, r.db_off + 0x1000000, PAGE, rw, MAP_SHARED, EINVAL, "mmap, unknown offset");
	map(rx, 1ull << 40, PAGE, rw, MAP_SHARED, EINVAL, "mmap, far offset");
	map(rx, r.inl_off, PAGE, rw, MAP_SHARED, EINVAL, "mmap, no inline page");
	map(rx, r.bell_off, PAGE, rw, MAP_SHARED, EINVAL, "mmap, no signal doorbell");
	map(tx, t.ring_off, PAGE, rw | PROT_EXEC, MAP_SHARED, EPERM, "mmap, executable");
	map(card, 0, PAGE, PROT_READ, MAP_SHARED, ENODEV, "mmap of the card");

	p = mmap(NULL, r.ring_size, PROT_READ, MAP_SHARED, rx, r.ring_off);
	if (!ok(p != MAP_FAILED, "mmap, ring to host, read-only"))
		return;
	fails(mprotect(p, r.ring_size, rw), EACCES, "mprotect, ring to host, writable");
	fails(mprotect(p, r.ring_size, PROT_READ | PROT_EXEC), EACCES, "mprotect, executable");
	fails(mremap(p, r.ring_size, 2 * r.ring_size, MREMAP_MAYMOVE) == MAP_FAILED ? -1 : 0,
	      EFAULT, "mremap, larger");
	/* What is given to a pipe of the kernel's is pinned, not copied. */
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
}

int main(void)
{
	size_t i;

	card = card_open(O_RDWR);
	rx = chan_must(card, "echo-out", NFP_CHAN_OPEN_NONBLOCK);
	tx = chan_must(card, "echo-in", NFP_CHAN_OPEN_NONBLOCK);
	edge = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	mprotect(edge + PAGE, PAGE, PROT_NONE);
	rdonly = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	for (i = 0; i < sizeof(reqs) / sizeof(reqs[0]); i++)
		common(&reqs[i]);
	longer();
	kinds();
	names();
	opens();
	ports();
	eventfds();
	maps();
	calls();
	is(chan_query(card, "echo-in").msgs, 0, "nothing was sent by all that");
	is(card_info(card).pipe_used, 2, "and no pipe left open");
	return tap_done();
}
