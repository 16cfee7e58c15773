// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * isolation.c - a process has no access to the pages, files and messages of another process, nor to
 * an exclusive channel that another process has open. Members of the node's group may use all
 * functions of channels, other users none.
 */
#define _GNU_SOURCE
#include <endian.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <nfpchan.h>
#include <nfp_chan_fw.h>
#include "stream.h"
#include "users.h"

#define PAGE	4096
#define AREA	0x1000000ull	/* distance between the mmap() offsets in struct nfp_chan_layout */
#define AREAS	6
#define RW	(PROT_READ | PROT_WRITE)

static int card;

/* ---- pages ---- */

/* A pipe of this process, with all its pages mapped */
struct own {
	int fd;
	struct nfp_chan_layout g;
	volatile __u32 *page[3];	/* ring to NFP, control page, inline page; or NULL */
	volatile __u32 *db;
	const volatile struct nfp_chan_note *note;
};

static void *page_at(int fd, __u64 off, int prot)
{
	void *p = mmap(NULL, PAGE, prot, MAP_SHARED, fd, off);

	return p == MAP_FAILED ? NULL : p;
}

static bool own_open(struct own *o, const char *chan)
{
	o->fd = chan_open(card, chan, NFP_CHAN_OPEN_INLINE | NFP_CHAN_OPEN_MAPPED, 0);
	if (o->fd < 0)
		return false;
	o->g = chan_geom(o->fd);
	o->page[0] = page_at(o->fd, o->g.ring_off, RW);
	o->page[1] = page_at(o->fd, o->g.ctl_off, RW);
	o->page[2] = page_at(o->fd, o->g.inline_off, RW);
	o->db = page_at(o->fd, o->g.db_off, RW);
	o->note = page_at(o->fd, o->g.note_off, PROT_READ);
	return o->page[1] && o->db && o->note;
}

/* Return a value for a word of a page. Each word of each page has a different value. */
static __u32 mark(int pipe, int page, int word)
{
	return 0x80000000 | pipe << 20 | page << 16 | word;
}

/* Write the marks to all pages, or (@check) count the marks that were overwritten. */
static int marks(struct own *o, int pipes, bool check)
{
	int i, k, w, bad = 0;

	for (i = 0; i < pipes; i++)
		for (k = 0; k < 3; k++)
			for (w = 0; o[i].page[k] && w < PAGE / 4; w += 64)
				if (!check)
					o[i].page[k][w] = mark(i, k, w);
				else
					bad += o[i].page[k][w] != mark(i, k, w);
	return bad;
}

/* Return a bit mask of the pipes that the card has turned off. */
static __u32 faults(struct own *o, int pipes)
{
	__u32 mask = 0;
	int i;

	for (i = 0; i < pipes; i++)
		mask |= (__u32)(o[i].note->state == NFP_CHAN_STATE_FAULT) << i;
	return mask;
}

static void turn_off(struct own *o)
{
	/* Announce more data than the ring can hold. */
	o->db[o->g.db_data / 4] = (o->g.ring_size >> o->g.unit_shift) + 1;
	events_of(o->fd, 0, 20000);
}

/* Open all pipes of the card: no pipe may have a page of another pipe. */
static void pages_differ(void)
{
	struct own o[NFP_CHAN_FW_PIPE_MAX];
	int pipes = 0, bad = 0, i, inls = 0;

	while (own_open(&o[pipes], pipes & 1 ? "load" : "echo-in"))
		inls += o[pipes++].page[2] != NULL;
	is(pipes, card_info(card).pipe_count, "all pipes are open");
	ok(inls, "%d of them have an inline page", inls);
	marks(o, pipes, false);
	is(marks(o, pipes, true), 0,
	   "ring, control and inline page: no pipe has a page of another pipe");
	for (i = 0; i < pipes; i++) {
		turn_off(&o[i]);
		bad += faults(o, pipes) != (__u32)((2ull << i) - 1);
	}
	is(bad, 0, "doorbells: a wrong doorbell turns off its own pipe only");
	while (pipes--) {
		for (i = 0; i < 3; i++)
			if (o[pipes].page[i])
				munmap((void *)o[pipes].page[i], PAGE);
		munmap((void *)o[pipes].db, PAGE);
		munmap((void *)o[pipes].note, PAGE);
		close(o[pipes].fd);
	}
}

/* Return the write pointer of queue controller @queue (0 or 1) in a doorbell page. */
static __u32 pointer(volatile __u32 *page, int queue)
{
	return page[(queue * NFP_CHAN_FW_QC_STRIDE + NFP_CHAN_FW_QC_STS_HI) / 4] &
	       NFP_CHAN_FW_QC_PTR_MASK;
}

/*
 * Each pipe adds a different number to the queue controllers in its doorbell pages. If each queue
 * controller then has the number of its pipe, no page has a register of another pipe.
 */
static void registers_differ(void)
{
	struct own o[NFP_CHAN_FW_PIPE_MAX];
	volatile __u32 *signal_db[NFP_CHAN_FW_PIPE_MAX];
	__u32 before[NFP_CHAN_FW_PIPE_MAX];
	int pipes = 0, bad = 0, signals = 0, i;

	for (; own_open(&o[pipes], "tick"); pipes++) {
		signal_db[pipes] = page_at(o[pipes].fd, o[pipes].g.signal_db_off, RW);
		before[pipes] = signal_db[pipes] ? pointer(signal_db[pipes], 0) : 0;
		signals += signal_db[pipes] != NULL;
	}
	for (i = 0; i < pipes; i++) {
		o[i].db[o[i].g.db_arm / 4] = 0x100 + i;
		if (signal_db[i])
			signal_db[i][o[i].g.signal_db / 4] = 1 + i;
	}
	for (i = 0; i < pipes; i++) {
		bad += pointer(o[i].db, 0) != 0;
		bad += pointer(o[i].db, 1) != 0x100u + i;
		if (!signal_db[i])
			continue;
		bad += ((pointer(signal_db[i], 0) - before[i]) & NFP_CHAN_FW_QC_PTR_MASK) != 1u + i;
		bad += pointer(signal_db[i], 1) != 0;
	}
	is(pipes, card_info(card).pipe_count, "all pipes are open");
	ok(signals && !bad,
	   "doorbells, and %d signal doorbells: a page has its own pipe's registers alone",
	   signals);
	while (pipes--) {
		if (signal_db[pipes])
			munmap((void *)signal_db[pipes], PAGE);
		munmap((void *)o[pipes].page[1], PAGE);
		munmap((void *)o[pipes].db, PAGE);
		munmap((void *)o[pipes].note, PAGE);
		if (o[pipes].page[0])
			munmap((void *)o[pipes].page[0], PAGE);
		close(o[pipes].fd);
	}
}

/* Try all offsets: mmap() must succeed only at those that LAYOUT returns. */
static void offsets(void)
{
	int fd = chan_must(card, "tick", NFP_CHAN_OPEN_MAPPED), good = 0, odd = 0;
	unsigned long off;
	void *p;

	for (off = 0; off < 8 * AREA; off += PAGE) {
		p = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, off);
		if (p == MAP_FAILED)
			continue;
		munmap(p, PAGE);
		good++;
		odd += off % AREA != 0;
	}
	ok(good == AREAS - 1 && !odd, "of all offsets, those of LAYOUT alone can be mapped");
	for (off = 1ull << 32; off; off <<= 1) {
		p = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, off);
		odd += p != MAP_FAILED;
	}
	is(odd, 0, "no offset that has the same lower 32 bits can be mapped");
	p = mmap(NULL, PAGE, RW, MAP_SHARED, fd, 3 * AREA);
	ok(p != MAP_FAILED && mremap(p, PAGE, 2 * PAGE, MREMAP_MAYMOVE) == MAP_FAILED,
	   "doorbells do not grow into the next pipe's");
	ok(mremap(p, 0, PAGE, MREMAP_MAYMOVE) == MAP_FAILED,
	   "a mapping of doorbells cannot be duplicated by mremap()");
	ok(remap_file_pages(p, PAGE, 0, 3 * AREA / PAGE + 1, 0),
	   "a mapping of doorbells cannot be moved within the file");
	munmap(p, PAGE);
	close(fd);
	for (off = 0, good = 0; off < 8 * AREA; off += AREA / 2)
		good += mmap(NULL, PAGE, PROT_READ, MAP_SHARED, card, off) != MAP_FAILED;
	is(good, 0, "nothing of the card's node can be mapped");
}

/* Run @does in a child as user @uid; return the child's exit status. */
static int status_as(uid_t uid, int (*does)(void))
{
	pid_t pid = fork_as(uid);

	if (!pid)
		_exit(does());
	return exit_status(pid);
}

/* Fill the pages of a pipe. The next owner of these pages must not find the data (look()). */
static int leave(void)
{
	int fd = chan_open(card, "echo-in", NFP_CHAN_OPEN_INLINE | NFP_CHAN_OPEN_MAPPED, 4096);
	__u32 *ring, *inl, *ctl;
	int i;

	ring = mmap(NULL, PAGE, RW, MAP_SHARED, fd, 0);
	ctl = mmap(NULL, PAGE, RW, MAP_SHARED, fd, 2 * AREA);
	inl = mmap(NULL, PAGE, RW, MAP_SHARED, fd, 4 * AREA);
	if (ring == MAP_FAILED || ctl == MAP_FAILED || inl == MAP_FAILED)
		return 1;
	for (i = 0; i < PAGE / 4; i++) {
		ring[i] = 0x65746f6e;
		ctl[i] = 0x65746f6e;
		((volatile __u32 *)inl)[i] = 0x65746f6e;
	}
	return 0;
}

static int look(void)
{
	int fd = chan_open(card, "echo-in", NFP_CHAN_OPEN_INLINE | NFP_CHAN_OPEN_MAPPED, 4096), found = 0, i, k;
	volatile __u32 *p;

	for (i = 0; i < 5; i++) {
		p = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, i * AREA);
		if (p == MAP_FAILED)
			return 100;
		/* Skip page 3: it has the queue controllers' registers, not memory. */
		for (k = 0; i != 3 && k < PAGE / 4; k++)
			found += p[k] == 0x65746f6e;
	}
	return found != 0;
}

static void leftovers(void)
{
	is(status_as(tester, leave), 0, "a user writes to all pages that it may write");
	is(status_as(NOBODY, look), 0, "the next user finds nothing of it");
}

/* ---- files ---- */

static int open_proc(pid_t pid, int fd)
{
	char path[64];
	int copy;

	snprintf(path, sizeof(path), "/proc/%d/fd/%d", pid, fd);
	copy = open(path, O_RDWR);
	return copy < 0 ? errno : 0;
}

static void files(void)
{
	int fd = chan_must(card, "tick", 0);
	pid_t pid, owner = getpid();

	is(open_proc(owner, fd), ENXIO, "a channel is not opened by way of /proc: ENXIO");
	pid = fork_as(tester);
	if (!pid)
		_exit(open_proc(owner, fd));
	is(exit_status(pid), EACCES, "by another user: EACCES");
	close(fd);
}

/* ---- channels ---- */

/* Return the errno of an OPEN by user @uid, with its own open of the node. */
static int open_as(uid_t uid, const char *name)
{
	pid_t pid = fork_as(uid);
	int fd, handle;

	if (pid)
		return exit_status(pid);
	handle = open("/dev/nfp_chan0", O_RDWR);
	fd = handle < 0 ? -1 : chan_open(handle, name, 0, 0);
	_exit(fd < 0 ? errno : 0);
}

static int signal_as(uid_t uid, const char *name)
{
	pid_t pid = fork_as(uid);
	int handle;

	if (pid)
		return exit_status(pid);
	handle = open("/dev/nfp_chan0", O_RDWR);
	_exit(handle >= 0 && !chan_signal(handle, name) ? 0 : errno);
}

static void exclusive(void)
{
	int fd, copy, sock[2];
	pid_t pid;
	__u64 n;
	char c;

	is(signal_as(tester, "own"), 0, "SIGNAL on an exclusive channel that is not open");
	fd = chan_must(card, "own", 0);
	ok(read(fd, &n, sizeof(n)) == 8, "the first opener receives the message of that signal");
	is(open_as(0, "own"), EBUSY, "it is open: a second OPEN by root fails");
	is(open_as(tester, "own"), EBUSY, "OPEN by another user fails");
	is(signal_as(0, "own"), EBUSY, "SIGNAL on the card by root fails");
	is(signal_as(tester, "own"), EBUSY, "SIGNAL on the card by another user fails");
	is(events_of(fd, POLLIN, 0), 0, "the refused signals brought no message");
	is(ioctl(fd, NFP_CHAN_IOC_SIGNAL, ARG(signal)), 0, "the owner signals it");
	ok(events_of(fd, POLLIN, 20000) && read(fd, &n, sizeof(n)) == 8,
	   "the owner receives the answer");

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, sock))
		die("socketpair");
	pid = fork_as(NOBODY);
	if (!pid) {
		close(fd);
		copy = fd_recv(sock[1]);
		if (ioctl(copy, NFP_CHAN_IOC_SIGNAL, ARG(signal)) || read(copy, &n, sizeof(n)) != 8)
			_exit(1);
		if (write(sock[1], "r", 1) != 1 || read(sock[1], &c, 1) != 1)
			_exit(2);
		_exit(0);
	}
	fd_send(sock[0], fd);
	close(fd);
	ok(read(sock[0], &c, 1) == 1, "the owner sends the fd to another process, which uses it");
	is(open_as(tester, "own"), EBUSY,
	   "the channel stays taken after the owner has closed its fd");
	if (write(sock[0], "x", 1) != 1)
		die("write");
	is(exit_status(pid), 0, "the other process exits");
	is(open_as(tester, "own"), 0, "after its exit another user opens the channel");
	close(sock[0]);
	close(sock[1]);
}

#define SECRETS	8

static const __u32 secret[16] = { 0x5ec2e700, 0x5ec2e701, 0x5ec2e702 };

/* Count how often the ring of @fd, as mapped, contains the secret. */
static int secrets_in(int fd)
{
	struct nfp_chan_layout g = chan_geom(fd);
	const char *ring = mmap(NULL, g.ring_size, PROT_READ, MAP_SHARED, fd, g.ring_off);
	size_t at;
	int n = 0;

	if (ring == MAP_FAILED)
		die("ring");
	for (at = 0; at + sizeof(secret) <= g.ring_size; at += 4)
		n += !memcmp(ring + at, secret, sizeof(secret));
	munmap((void *)ring, g.ring_size);
	return n;
}

/*
 * As another user, look for the secret in that user's rings to the host. Return 0 if none has it.
 */
static int look_for_secrets(void)
{
	static const char *const chans[] = { "echo-out", "load", "pour", "tick", "source" };
	int node = open("/dev/nfp_chan0", O_RDWR), fd;
	size_t i;

	if (node < 0)
		return 1;
	for (i = 0; i < sizeof(chans) / sizeof(chans[0]); i++) {
		fd = chan_open(node, chans[i], NFP_CHAN_OPEN_MAPPED, 0);
		if (fd < 0)
			return 2;
		if (secrets_in(fd))
			return 3;
		if (events_of(fd, POLLIN, 0))
			return 4;
	}
	return 0;
}

/* Send the secret as messages of @len bytes to a process that sends them back. */
static void send_secrets(size_t len)
{
	int tx = chan_must(card, "echo-in", 0), sent = 0;
	char msg[1000] = "";

	memcpy(msg, secret, sizeof(secret));
	while (sent < SECRETS && write(tx, msg, len) == (ssize_t)len)
		sent++;
	is(sent, SECRETS, "the card accepts all messages with a secret");
	close(tx);
}

/* Large unread messages are in the receiver's ring, and not in the rings of another user. */
static void rings_to_host(void)
{
	int rx = chan_must(card, "echo-out", NFP_CHAN_OPEN_MAPPED), tries;

	send_secrets(1000);
	/*
	 * Wait until all messages are in this ring. The card could send a waiting message to a
	 * later pipe.
	 */
	for (tries = 0; tries < 2000 && secrets_in(rx) < SECRETS; tries++)
		usleep(10000);
	is(secrets_in(rx), SECRETS, "all messages are in the ring of their receiver");
	is(status_as(tester, look_for_secrets), 0,
	   "another user neither sees nor receives them by its own rings");
	is(secrets_in(rx), SECRETS, "the receiver's ring still has all of them");
	close(rx);
}

/* Small unread messages wait in buffers of the card. They go to their receiver alone. */
static void buffers_to_host(void)
{
	int rx = chan_must(card, "echo-out", 0), tries, got = 0;
	__u64 before = chan_query(card, "echo-out").msgs;
	char msg[sizeof(secret)];

	send_secrets(sizeof(secret));
	for (tries = 0; tries < 2000 && chan_query(card, "echo-out").msgs < before + SECRETS; tries++)
		usleep(10000);
	is(status_as(tester, look_for_secrets), 0,
	   "another user neither sees nor receives the messages that the card holds");
	while (got < SECRETS && events_of(rx, POLLIN, slowly(20000)) &&
	       read(rx, msg, sizeof(msg)) == sizeof(msg) && !memcmp(msg, secret, sizeof(msg)))
		got++;
	is(got, SECRETS, "the receiver reads all of them");
	close(rx);
}

/* Each message goes to one of the processes that have the channel open. */
static void shared(void)
{
	int rx[2], tx = chan_must(card, "echo-in", 0), got[2] = { 0 }, bad = 0, k;
	struct pollfd p[2];
	unsigned int i, msg, seen = 0;

	for (k = 0; k < 2; k++) {
		rx[k] = chan_must(card, "echo-out", NFP_CHAN_OPEN_NONBLOCK);
		p[k] = (struct pollfd){ .fd = rx[k], .events = POLLIN };
	}
	is(open_as(tester, "echo-out"), 0, "a shared channel is opened a third time");
	for (i = 0; i < 32; i++)
		bad += write(tx, &i, sizeof(i)) != sizeof(i);
	while (got[0] + got[1] < 32 && poll(p, 2, slowly(20000)) > 0) {
		for (k = 0; k < 2; k++) {
			while (read(rx[k], &msg, sizeof(msg)) == sizeof(msg)) {
				bad += msg > 31 || seen & 1u << msg;
				seen |= 1u << msg;
				got[k]++;
			}
		}
	}
	ok(!bad && seen == ~0u, "32 messages: each is received once");
	ok(got[0] && got[1], "each of two receivers got some");
	close(rx[0]);
	close(rx[1]);
	close(tx);
}

/* ---- permissions ---- */

/*
 * Use all functions of channels with no permission except the group's. Each of the functions below
 * runs in its own process.
 */
static bool may_ask(int node)
{
	return card_info(node).chan_count && !chan_query(node, "tick").pipes;
}

static bool may_read_write(int node)
{
	int rx = chan_open(node, "echo-out", 0, 0);
	int tx = chan_open(node, "echo-in", 0, 0);
	char buf[2048] = "hello";

	return chan_geom(tx).max_size == 2048 && write(tx, buf, 6) == 6 &&
	       read(rx, buf, sizeof(buf)) == 6 && !strcmp(buf, "hello");
}

/* Signal a process by the card's node, by the channel, and by the channel's doorbell. */
static bool may_signal(int node)
{
	int tick = chan_open(node, "tick", 0, 0);
	int mapped = chan_open(node, "tick", NFP_CHAN_OPEN_MAPPED | NFP_CHAN_OPEN_LINK, 0);
	struct nfp_chan_layout g = chan_geom(mapped);
	volatile __u32 *bells = page_at(mapped, g.signal_db_off, RW);
	__u64 n;

	if (!bells || chan_signal(node, "tick") || read(tick, &n, sizeof(n)) != sizeof(n) ||
	    ioctl(tick, NFP_CHAN_IOC_SIGNAL, ARG(signal)) || read(tick, &n, sizeof(n)) != sizeof(n))
		return false;
	bells[g.signal_db / 4] = 1;
	return read(tick, &n, sizeof(n)) == sizeof(n);
}

static bool may_cancel(int node)
{
	int tx = chan_open(node, "echo-in", 0, 0), rx, i, got;

	/* Nobody receives, so the process holds the first message, and the others wait. */
	for (i = 1; i <= 3; i++)
		if (write(tx, &i, sizeof(i)) != sizeof(i))
			return false;
	if (ioctl(tx, NFP_CHAN_IOC_CANCEL, ARG(cancel, .seq = 3)) ||
	    write(tx, &i, sizeof(i)) != sizeof(i))
		return false;
	rx = chan_open(node, "echo-out", 0, 0);
	for (i = 1; i <= 4; i++)
		if (i != 3 && (read(rx, &got, sizeof(got)) != sizeof(got) || got != i))
			return false;
	return true;
}

static bool may_eventfd(int node)
{
	int tick = chan_open(node, "tick", 0, 0), efd = eventfd(0, 0);
	__u64 n;

	return !ioctl(tick, NFP_CHAN_IOC_EVENTFD, ARG(eventfd, .fd = efd)) &&
	       !events_of(tick, POLLIN, 0) && !chan_signal(node, "tick") &&
	       read(efd, &n, sizeof(n)) == sizeof(n);
}

static bool may_async(int node)
{
	int tick = chan_open(node, "tick", 0, 0);
	sigset_t io = signal_block(SIGIO);

	return !fcntl(tick, F_SETOWN, getpid()) && !fcntl(tick, F_SETFL, O_ASYNC) &&
	       !chan_signal(node, "tick") && sigwaitinfo(&io, NULL) == SIGIO;
}

static bool may_port(int node)
{
	struct nfp_chan_port_event news;
	int port = port_open(node), tick = chan_open_on(node, "tick", port, 5);
	__u64 n;

	return !chan_signal(node, "tick") && read(port, &news, sizeof(news)) == sizeof(news) &&
	       news.cookie == 5 && read(tick, &n, sizeof(n)) == sizeof(n);
}

/* Send and receive with the library, which maps all pages of a pipe. */
static bool may_map(int node)
{
	struct nfpchan_opts o = { .size = sizeof(o), .spin_us = -1 };
	struct nfpchan *tx, *rx;
	char buf[2048], why[256];
	struct nfpchan_card *c;

	(void)node;
	return !nfpchan_card_open(&c, "0", why, sizeof(why)) &&
	       !nfpchan_open(&rx, c, "echo-out", &o) && !nfpchan_open(&tx, c, "echo-in", &o) &&
	       !nfpchan_send(tx, "mapped", 7, NFPCHAN_FOREVER) &&
	       nfpchan_recv(rx, buf, sizeof(buf), NFPCHAN_FOREVER) == 7 &&
	       !strcmp(buf, "mapped");
}

static bool may_share_ring(int node)
{
	struct source_req req = { htole64(64), htole32(64), htole32(SOURCE_64) };
	struct nfpchan *ctl, *in, *out;
	struct nfpchan_card *c;
	char why[256];
	void *data;

	(void)node;
	return !nfpchan_card_open(&c, "0", why, sizeof(why)) &&
	       !nfpchan_open(&ctl, c, "source-ctl", NULL) &&
	       !nfpchan_open(&in, c, "source64", NULL) &&
	       !nfpchan_open_return(&out, c, "sink64", in, NULL) &&
	       !nfpchan_send(ctl, &req, sizeof(req), NFPCHAN_FOREVER) &&
	       nfpchan_returnable(out, &data, NFPCHAN_FOREVER) == 64 &&
	       nfpchan_return(out, 64, NFPCHAN_FOREVER) == 64 &&
	       !nfpchan_drain(out, NFPCHAN_FOREVER);
}

/*
 * Only root can load a program, but a user may bind a program whose fd root has passed on. This
 * test binds without a program: EBADF, and not EPERM, shows that the user may bind.
 */
static bool may_bind(int node)
{
	struct nfp_chan_xdp_bind *x = ARG(xdp_bind, .prog_fd = -1, .map_fd = node);
	int ch = chan_open(node, "xdp0", 0, 0);

	return ioctl(ch, NFP_CHAN_IOC_XDP_BIND, x) && errno == EBADF &&
	       ioctl(ch, NFP_CHAN_IOC_XDP_UNBIND, x) && errno == ENOENT;
}

static const struct {
	const char *what;
	bool (*does)(int node);
} rights[] = {
	{ "INFO, QUERY", may_ask },
	{ "OPEN, LAYOUT, read, write", may_read_write },
	{ "SIGNAL, and its doorbell", may_signal },
	{ "CANCEL", may_cancel },
	{ "EVENTFD, TRIGGER", may_eventfd },
	{ "O_ASYNC", may_async },
	{ "PORT, OPEN on it", may_port },
	{ "mapped rings", may_map },
	{ "OPEN in the ring of another channel", may_share_ring },
	{ "XDP_BIND, XDP_UNBIND", may_bind },
};

static int open_errno(int flags)
{
	int fd = open("/dev/nfp_chan0", flags);

	return fd < 0 ? errno : 0;
}

/* Run @does as user tester, without any capability and with no way to regain one. */
static void __attribute__((noreturn)) tester_does(bool (*does)(int node))
{
	int node;

	alarm(slowly(40));
	if (setresuid(tester, tester, tester))
		_exit(2);
	node = open("/dev/nfp_chan0", O_RDWR);
	_exit(node < 0 ? 3 : !does(node));
}

static void group(void)
{
	char name[128];
	pid_t pid;
	size_t i;

	for (i = 0; i < sizeof(rights) / sizeof(rights[0]); i++) {
		pid = fork_as(tester);
		if (!pid)
			tester_does(rights[i].does);
		snprintf(name, sizeof(name), "a user of the group: %s", rights[i].what);
		is(exit_status(pid), 0, name);
	}
	pid = fork_or_die();
	if (!pid) {
		if (setgroups(0, NULL) || setresgid(NOBODY, NOBODY, NOBODY))
			_exit(1);
		become(tester);
		if (open_errno(O_RDONLY) != EACCES || open_errno(O_WRONLY) != EACCES)
			_exit(2);
		_exit(open_errno(O_RDWR) == EACCES ? 0 : 3);
	}
	is(exit_status(pid), 0, "the same user outside of the group: EACCES for each mode of open");
}

int main(void)
{
	users_init();
	card = card_open(O_RDWR);
	pages_differ();
	registers_differ();
	offsets();
	leftovers();
	files();
	exclusive();
	rings_to_host();
	buffers_to_host();
	shared();
	group();
	is(card_info(card).pipe_used, 0, "no pipe is left open");
	return tap_done();
}
