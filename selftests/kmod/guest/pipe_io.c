// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * pipe_io.c - read, write, poll, eventfd and mappings of channel fds, with the test processes of
 * selftests/fw/apps.
 */
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include "clock.h"
#include "fdinfo.h"

#define PAGE 4096
#define WAIT_MS slowly(5000)
#define ANY (POLLIN | POLLOUT)

static int card;

static void fill(unsigned char *buf, size_t len, unsigned int seed)
{
	size_t i;

	for (i = 0; i < len; i++)
		buf[i] = seed * 31 + i * 7;
}

/* Echo messages of lengths around multiples of a word, with enough bytes to wrap several times. */
static void echo(int rx, int tx)
{
	static const unsigned int sizes[] = { 0, 1, 7, 8, 9, 63, 64, 100, 1500, 2047, 2048 };
	unsigned char out[2048], in[2049];
	size_t i, bad = 0, bytes = 0;
	ssize_t n;

	for (i = 0; i < 600; i++) {
		unsigned int len = sizes[i % (sizeof(sizes) / sizeof(sizes[0]))];

		fill(out, len, i);
		if (write(tx, out, len) != len)
			die("write");
		memset(in, 0xa5, sizeof(in));
		n = read(rx, in, sizeof(in));
		bad += n != len || memcmp(in, out, len) || in[len] != 0xa5;
		bytes += len;
	}
	is(bad, 0, "600 messages of 0 to 2048 bytes come back as they were");
	ok(bytes > 4 * chan_geom(rx).ring_size, "they wrap the ring several times");
	is(chan_query(card, "echo-in").msgs, 600, "the card counted the messages");
	is(chan_query(card, "echo-in").bytes, bytes, "the card counted their bytes");
}

static void vectors(int rx, int tx)
{
	char a[3] = "abc", b[5] = "defgh", c[4], d[10];
	struct iovec out[2] = { { a, 3 }, { b, 5 } }, in[2] = { { c, 4 }, { d, 10 } };

	is(writev(tx, out, 2), 8, "writev sends one message");
	is(readv(rx, in, 2), 8, "readv receives it");
	ok(!memcmp(c, "abcd", 4) && !memcmp(d, "efgh", 4), "readv fills its buffers in order");
}

static void short_buffer(int rx, int tx)
{
	char buf[100];

	fill((void *)buf, sizeof(buf), 3);
	is(write(tx, buf, 100), 100, "write of 100 bytes");
	ok(events_of(rx, POLLIN, WAIT_MS) & POLLIN, "poll: EPOLLIN");
	fails(read(rx, buf, 99), EMSGSIZE, "read, buffer too small");
	fails(read(rx, mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), PAGE),
	      EFAULT, "read, buffer is read-only");
	is(read(rx, buf, 100), 100, "the message has stayed");
}

static void nonblock(void)
{
	int rx = chan_must(card, "echo-out", NFP_CHAN_OPEN_NONBLOCK);
	char buf[16];
	long arms;

	fails(read(rx, buf, sizeof(buf)), EAGAIN, "read, nothing there");
	arms = fdinfo_number(rx, "arms");
	fails(read(rx, buf, sizeof(buf)), EAGAIN, "read, still nothing");
	is(fdinfo_number(rx, "arms"), arms, "a pipe that is armed is not armed again");
	is(events_of(rx, ANY, 0), 0, "poll: no event");
	close(rx);
}

/* Fill the channel: 16 messages in the ring, its depth, and one that the process has taken. */
static void full(void)
{
	int tx = chan_must(card, "echo-in", NFP_CHAN_OPEN_NONBLOCK), rx;
	unsigned char buf[2048], in[2048];
	int n = 0, got = 0;

	fill(buf, sizeof(buf), 9);
	/* Nobody receives on echo-out, so the echo process takes one message and waits. */
	while (n < 17 && events_of(tx, POLLOUT, WAIT_MS) & POLLOUT)
		n += write(tx, buf, sizeof(buf)) == (ssize_t)sizeof(buf);
	is(n, 17, "the channel takes its depth of 16, and one that the process holds");
	fails(write(tx, buf, sizeof(buf)), EAGAIN, "write, the channel is full");
	is(events_of(tx, ANY, 0), 0, "poll: not EPOLLOUT");
	rx = chan_must(card, "echo-out", 0);
	while (got < n && read(rx, in, sizeof(in)) == (ssize_t)sizeof(in))
		got += !memcmp(in, buf, sizeof(buf));
	is(got, n, "all messages are received");
	ok(events_of(tx, POLLOUT, WAIT_MS) & POLLOUT, "poll: EPOLLOUT again");
	close(rx);
	close(tx);
}

static void *reader(void *arg)
{
	char buf[256];

	return (void *)(long)read(*(int *)arg, buf, sizeof(buf));
}

static void on_signal(int sig)
{
	(void)sig;
}

static void rendezvous(void)
{
	struct nfp_chan_query q;
	int tx = chan_must(card, "rv-in", 0), rx;
	struct sigaction sa = { .sa_handler = on_signal };
	char buf[64] = "rendezvous";
	pthread_t t;
	void *ret;
	int i;

	/* The process takes one message, and then waits for a receiver on rv-out. */
	is(write(tx, buf, 64), 64, "rendezvous: write returns when the message is taken");
	is(events_of(tx, POLLOUT, WAIT_MS) & POLLOUT, POLLOUT, "poll: nothing is under way");
	sigaction(SIGALRM, &sa, NULL);
	alarm(1);
	fails(write(tx, buf, 64), EINTR, "rendezvous: no receiver, a signal ends the wait");
	fcntl(tx, F_SETFL, O_NONBLOCK);
	fails(write(tx, buf, 64), EAGAIN, "rendezvous: no receiver, O_NONBLOCK");
	q = chan_query(card, "rv-in");
	is(q.msgs, 1, "messages whose write was given up were not delivered");
	fcntl(tx, F_SETFL, 0);

	rx = chan_must(card, "rv-out", 0);
	for (i = 0; i < 20; i++) {
		if (pthread_create(&t, NULL, reader, &rx))
			die("pthread_create");
		if (i && write(tx, buf, 64) != 64)
			die("write");
		pthread_join(t, &ret);
		if ((long)ret != 64)
			break;
	}
	is(i, 20, "20 messages by rendezvous on both sides");
	is(chan_query(card, "rv-in").msgs, 20, "the card counted the messages");
	close(rx);
	close(tx);
}

/* A read() that finds no message arms the pipe. Then the process's message raises one interrupt. */
static void fire(int rx, const char *what)
{
	unsigned long long irqs = chan_query(card, "tick").irqs;
	uint64_t end = now_ns() + WAIT_MS * 1000000ull;
	__u64 count;

	fails(read(rx, &count, 8), EAGAIN, what);
	is(chan_signal(card, "tick"), 0, "signal the process");
	while (chan_query(card, "tick").irqs == irqs && now_ns() < end)
		sched_yield();
	ok(read(rx, &count, 8) == 8, "the process's message comes");
	is(chan_query(card, "tick").irqs - irqs, 1, "one interrupt was raised");
}

static void events(void)
{
	int rx = chan_must(card, "tick", NFP_CHAN_OPEN_NONBLOCK);
	int efd = eventfd(0, EFD_NONBLOCK), other = eventfd(0, EFD_NONBLOCK);
	__u64 n = 0;

	fire(rx, "read, no eventfd bound");
	is(ioctl(rx, NFP_CHAN_IOC_EVENTFD, ARG(eventfd, .fd = efd)), 0, "bind an eventfd");
	ok(read(efd, &n, 8) == 8 && n == 1,
	   "the eventfd is signalled at once for the earlier interrupt");
	fire(rx, "read, an eventfd bound");
	ok(read(efd, &n, 8) == 8 && n == 1, "the eventfd is signalled");
	fails(read(efd, &n, 8), EAGAIN, "the eventfd is signalled once");
	is(chan_query(card, "tick").signals, 2, "two signals were counted");

	is(ioctl(rx, NFP_CHAN_IOC_EVENTFD, ARG(eventfd, .fd = other)), 0, "bind a second eventfd");
	close(efd);
	fire(rx, "read, a second eventfd bound");
	ok(read(other, &n, 8) == 8 && n == 1, "the second eventfd is signalled");
	is(ioctl(rx, NFP_CHAN_IOC_EVENTFD, ARG(eventfd, .fd = -1)), 0, "unbind");
	fire(rx, "read, no eventfd bound any more");
	fails(read(other, &n, 8), EAGAIN, "the unbound eventfd is not signalled");
	close(other);
	close(rx);
}

static void edge_triggered(void)
{
	struct epoll_event ev = { .events = EPOLLIN | EPOLLET }, got;
	int rx = chan_must(card, "tick", NFP_CHAN_OPEN_NONBLOCK);
	int ep = epoll_create1(0), i;
	__u64 count;

	epoll_ctl(ep, EPOLL_CTL_ADD, rx, &ev);
	for (i = 0; i < 50; i++) {
		if (chan_signal(card, "tick") || epoll_wait(ep, &got, 1, WAIT_MS) != 1)
			break;
		while (read(rx, &count, 8) == 8)
			;
	}
	is(i, 50, "edge-triggered epoll: 50 wake-ups of 50");
	close(ep);
	close(rx);
}

/* A process sends one message and ends. */
static void ended(void)
{
	int rx = chan_must(card, "once", 0);
	__u64 count;

	is(chan_signal(card, "once"), 0, "signal a process that then ends");
	ok(events_of(rx, POLLIN, WAIT_MS) & POLLIN, "poll: EPOLLIN");
	is(read(rx, &count, 8), 8, "its message is received");
	ok(events_of(rx, POLLIN, WAIT_MS) & POLLHUP, "poll: EPOLLHUP");
	fails(read(rx, &count, 8), EPIPE, "read after the process has ended");
	close(rx);
	fails(chan_open(card, "once", 0, 0), EPIPE, "open again");
}

static void mapped(void)
{
	int rx = chan_must(card, "tick", NFP_CHAN_OPEN_MAPPED), rw = PROT_READ | PROT_WRITE;
	struct nfp_chan_layout g = chan_geom(rx);
	const struct nfp_chan_note *note;
	const volatile char *ring;
	struct nfp_chan_ctl *ctl;
	volatile __u32 *db;
	__u64 count;

	ring = mmap(NULL, 2UL * g.ring_size, PROT_READ, MAP_SHARED, rx, g.ring_off);
	note = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, rx, g.note_off);
	ctl = mmap(NULL, PAGE, rw, MAP_SHARED, rx, g.ctl_off);
	db = mmap(NULL, PAGE, rw, MAP_SHARED, rx, g.db_off);
	if (!ok(ring != MAP_FAILED && note != MAP_FAILED && ctl != MAP_FAILED && db != MAP_FAILED,
		"all four mappings"))
		return;
	fails(read(rx, &count, 8), EBUSY, "read of a mapped channel");
	ok(!memcmp((char *)ring, (char *)ring + g.ring_size, g.ring_size),
	   "the ring appears twice");
	ok(!ctl->pos && !ctl->rung && !ctl->seq && !note->pos, "positions begin with 0");
	is(events_of(rx, ANY, 0), 0, "poll: nothing");
	chan_signal(card, "tick");
	ok(events_of(rx, POLLIN, WAIT_MS) & POLLIN, "poll wakes up");
	ok(*(__u64 *)(ring + 8) == *(__u64 *)(ring + g.ring_size + 8) &&
	   *(__u32 *)ring == 8 && note->pos == 16, "the message is in the ring");
	ctl->pos = 16;
	is(events_of(rx, ANY, 0), 0, "consumed: poll: nothing");
	db[g.db_data / 4] = 16 >> g.unit_shift;
	ctl->rung = 16;

	/* Wrong values in the control page mislead only the poll() of this pipe. */
	ctl->pos = 0xfffffffffffffff3;
	ctl->arm = 0xffffffff;
	ok(events_of(rx, POLLIN, WAIT_MS) & POLLIN,
	   "a random position: poll still reports the message");
	/* With the 16 bytes that were given back above, this is more than the ring holds. */
	db[g.db_data / 4] = 0x1ffff;
	is(events_of(rx, 0, WAIT_MS), POLLERR,
	   "more consumed than there is: poll for errors: EPOLLERR");
	close(rx);
	is(note->state, NFP_CHAN_STATE_FAULT, "the record says FAULT");
	munmap((void *)ring, 2UL * g.ring_size);
	munmap((void *)note, PAGE);
	munmap(ctl, PAGE);
	munmap((void *)db, PAGE);
}

static long long number(const char *path)
{
	char buf[32];

	if (!proc_read(path, buf, sizeof(buf)))
		die(path);
	return atoll(buf);
}

/*
 * Rings of 4 MiB are charged to the memory cgroup. 300 at once would exceed the machine's memory.
 */
static void memory(void)
{
	char pid[16], file[] = "/sys/fs/cgroup/nfp_chan_test/memory.current";
	long long before, held;
	int fd, i;

	file_put("/sys/fs/cgroup/cgroup.subtree_control", "+memory");
	mkdir("/sys/fs/cgroup/nfp_chan_test", 0755);
	snprintf(pid, sizeof(pid), "%d", getpid());
	file_put("/sys/fs/cgroup/nfp_chan_test/cgroup.procs", pid);
	before = number(file);
	fd = chan_open(card, "load", 0, 1 << 22);
	held = number(file) - before;
	ok(fd >= 0 && held >= 1 << 22, "a ring of 4 MiB is charged to the memory cgroup");
	is(chan_geom(fd).unit_shift, 6, "its unit is 64 bytes");
	close(fd);
	for (i = 0; i < 300; i++) {
		fd = chan_open(card, "load", 0, 1 << 22);
		if (fd < 0)
			break;
		close(fd);
	}
	is(i, 300, "300 times opened with 4 MiB and closed");
	held = number(file) - before;
	ok(held < 1 << 22, "the memory of the closed rings is not charged any more");
	printf("# %lld bytes\n", held);
	file_put("/sys/fs/cgroup/cgroup.procs", pid);
	rmdir("/sys/fs/cgroup/nfp_chan_test");
}

/* Check a channel's fdinfo, and the byte counts that the INFO ioctl reports. */
static void told(void)
{
	struct nfp_chan_info before = card_info(card);
	int fd = chan_open(card, "echo-in", 0, 1 << 16);
	struct nfp_chan_info open = card_info(card);
	struct nfp_chan_layout g = chan_geom(fd);
	char text[128];
	int other;

	is(open.dma_bytes - before.dma_bytes, (1 << 16) + PAGE, "INFO: a ring and a record more");
	is(open.held_bytes, 0, "INFO: the card holds no memory of closed pipes");
	snprintf(text, sizeof(text), "chan:\techo-in\npipe:\t%ld\ndir:\tto-nfp\nring:\t65536\nlimit:\t%u\n",
		 fdinfo_number(fd, "pipe"), g.limit);
	ok(fdinfo_has(fd, text), "fdinfo: name, pipe, direction, ring and limit");
	ok(fdinfo_has(fd, "\nirq-count:\t0\nirq-usecs:\t0\nport:\t-1\nstate:\topen\n"),
	   "fdinfo: interrupts and state");
	is(write(fd, "", 1), 1, "a message");
	is(fdinfo_number(fd, "msgs"), 1, "fdinfo: the message is counted");
	is(fdinfo_number(fd, "position"), 16, "fdinfo: the position has moved");
	ok(fdinfo_number(fd, "vector") > 0 && fdinfo_has(fd, "\naccess:\tfile\n"),
	   "fdinfo: the channel has a vector, and is used by read() and write()");
	other = chan_must(card, "echo-in", NFP_CHAN_OPEN_MAPPED);
	ok(fdinfo_has(other, "\naccess:\tmmap\n"),
	   "fdinfo of a channel that is opened to be mapped");
	close(other);
	close(fd);
	is(card_info(card).dma_bytes, before.dma_bytes, "closed: INFO shows the memory as freed");
}

int main(void)
{
	int rx, tx;

	card = card_open(O_RDWR);
	rx = chan_must(card, "echo-out", 0);
	tx = chan_must(card, "echo-in", 0);
	echo(rx, tx);
	vectors(rx, tx);
	short_buffer(rx, tx);
	close(rx);
	close(tx);
	nonblock();
	full();
	rendezvous();
	events();
	edge_triggered();
	mapped();
	memory();
	told();
	ended();
	is(card_info(card).pipe_used, 0, "no pipe is left open");
	return tap_done();
}
