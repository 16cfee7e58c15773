// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * chan_kill_in.c - processes that are killed within an io_uring request, and within a copy
 * from or to memory that is not present (userfaultfd). No resource is left, other processes
 * go on, and each message is accounted for. chan_kill.c kills processes in send and receive,
 * xdp_hook.c kills one that has a binding.
 */
#define _GNU_SOURCE
#include <liburing.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include "chan_test.h"

#define PAGE	4096
#define OTHER	2	/* sender number in messages of another process */

static struct shared {
	atomic_uint there;	/* not 0: the victim is in the call in which the test kills it */
} *sh;

static int raw_open(const char *name, unsigned int flags)
{
	return chan_must(nfpchan_card_fd(card), name, flags);
}

/* Wait until the victim sleeps in @call, and kill it. */
static void kill_in(pid_t pid, long call, const char *what)
{
	int status;

	ok(UNTIL(sh->there && sleeping_in(pid) == call), "a process in %s", what);
	if (kill(pid, SIGKILL))
		die("kill");
	status = reap(pid);
	ok(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL, "%s: killed", what);
}

/* Check that the next sender and the next receiver of the channels work, without old messages. */
static void goes_on(const char *what, uint32_t seq)
{
	struct nfpchan *tx = chan_start("echo-in", 0), *rx = chan_start("echo-out", 0);

	is(stamp_send(tx, 300, OTHER, seq, WAIT_NS), 0, "another process sends");
	ok(stamp_is(stamp_recv(rx), OTHER, seq),
	   "%s: the next message received is that of the new sender", what);
	nfpchan_close(tx);
	nfpchan_close(rx);
}

/* ---- io_uring ---- */

/* Submit requests that wait for messages of two channels, and a write that waits for room. */
static void run_uring(void *arg)
{
	int rx = raw_open("echo-out", 0), tick = raw_open("tick", 0), rv = raw_open("rv-in", 0);
	static char buf[3][MSG_MAX];
	struct io_uring_cqe *cqe;
	struct io_uring ring;

	(void)arg;
	if (io_uring_queue_init(8, &ring, 0))
		give_up("io_uring", "not there");
	io_uring_prep_read(io_uring_get_sqe(&ring), rx, buf[0], MSG_MAX, 0);
	io_uring_prep_poll_add(io_uring_get_sqe(&ring), rx, POLLIN);
	io_uring_prep_poll_multishot(io_uring_get_sqe(&ring), tick, POLLIN);
	/* The ME process takes the first message and finds no receiver: a second write waits. */
	io_uring_prep_write(io_uring_get_sqe(&ring), rv, buf[1], 16, 0);
	if (io_uring_submit(&ring) != 4 || io_uring_wait_cqe(&ring, &cqe) || cqe->res != 16)
		give_up("io_uring", "the first write");
	io_uring_cqe_seen(&ring, cqe);
	io_uring_prep_write(io_uring_get_sqe(&ring), rv, buf[2], 16, 0);
	if (io_uring_submit(&ring) != 1)
		give_up("io_uring", "submit");
	sh->there = 1;
	if (!io_uring_wait_cqe(&ring, &cqe))
		give_up("io_uring", "a request that waits has ended");
}

/* A killed process's io_uring requests release their files shortly after its death. */
static void uring(void)
{
	struct in_use used = in_use(), now;
	char buf[MSG_MAX];
	int rx;

	sh->there = 0;
	kill_in(spawn(run_uring, NULL), SYS_io_uring_enter, "requests of io_uring that wait");
	UNTIL((now = in_use(), now.pipes == used.pipes && now.lines == used.lines));
	nothing_left(&used, "io_uring");
	goes_on("io_uring", 1);
	/* The ME process had taken message 1 before the victim died, so the message is not lost. */
	rx = raw_open("rv-out", 0);
	is(read(rx, buf, sizeof(buf)), 16, "the message of the completed write is received");
	ok(!events_of(rx, POLLIN, 0), "the message of the waiting write was not sent");
	close(rx);
}

/* ---- memory that userfaultfd never provides ---- */

/* Set @there when a copy faults on the page; never provide the page, so the copy waits. */
static void *fault_seen(void *arg)
{
	struct pollfd p = { .fd = (intptr_t)arg, .events = POLLIN };

	if (poll(&p, 1, -1) == 1 && p.revents == POLLIN)
		sh->there = 1;
	return NULL;
}

/*
 * Map a page on which a copy waits for ever. @protect: the page is present, with @len bytes
 * from @has, and only a write to the page waits.
 */
static void *page_away(bool protect, const void *has, size_t len)
{
	struct uffdio_api api = { .api = UFFD_API, .features = UFFD_FEATURE_PAGEFAULT_FLAG_WP };
	struct uffdio_register reg = {
		.mode = protect ? UFFDIO_REGISTER_MODE_WP : UFFDIO_REGISTER_MODE_MISSING,
	};
	struct uffdio_writeprotect wp = { .mode = UFFDIO_WRITEPROTECT_MODE_WP };
	intptr_t fd = syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK);
	void *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pthread_t thread;

	if (page == MAP_FAILED || fd < 0 || ioctl(fd, UFFDIO_API, &api))
		die("userfaultfd");
	if (protect)
		memcpy(page, has, len);
	reg.range.start = (uintptr_t)page;
	reg.range.len = PAGE;
	wp.range = reg.range;
	if (ioctl(fd, UFFDIO_REGISTER, &reg) || (protect && ioctl(fd, UFFDIO_WRITEPROTECT, &wp)))
		die("userfaultfd");
	if (pthread_create(&thread, NULL, fault_seen, (void *)fd))
		give_up("userfaultfd", "no thread");
	return page;
}

static void run_write(void *arg)
{
	int fd = raw_open("echo-in", 0);
	void *page = page_away(false, NULL, 0);

	(void)arg;
	if (write(fd, page, 64) != -2)
		give_up("write", "has ended");
}

/* A message has come, so read() waits in the copy to user memory, and not for a message. */
static void run_read(void *arg)
{
	int fd = raw_open("tick", 0);
	void *page = page_away(false, NULL, 0);

	(void)arg;
	if (chan_signal(nfpchan_card_fd(card), "tick") || !events_of(fd, POLLIN, WAIT_MS))
		give_up("tick", "no message");
	if (read(fd, page, PAGE) != -2)
		give_up("read", "has ended");
}

static void run_query(void *arg)
{
	void *page = page_away(false, NULL, 0);

	(void)arg;
	if (ioctl(nfpchan_card_fd(card), NFP_CHAN_IOC_QUERY, page) != -2)
		give_up("QUERY", "has ended");
}

/* The kernel has opened the channel, and waits to copy the fd's number to the caller. */
static void run_open(void *arg)
{
	void *page = page_away(true, ARG(open, .fd = -1, .ring_fd = -1, .port_fd = -1,
					 .name = "echo-out"), sizeof(struct nfp_chan_open));

	(void)arg;
	if (ioctl(nfpchan_card_fd(card), NFP_CHAN_IOC_OPEN, page) != -2)
		give_up("OPEN", "has ended");
}

/**
 * struct away - a call that is killed while it waits for a page of its memory
 * @what: the call, for test names
 * @run: makes the call
 * @call: its system call number
 * @chan: channel whose dropped messages are counted
 * @dropped: messages of @chan that the kill drops
 */
static const struct away {
	const char *what;
	void (*run)(void *arg);
	long call;
	const char *chan;
	unsigned int dropped;
} aways[] = {
	{ "write, its message being copied", run_write, SYS_write, "echo-in", 0 },
	{ "read, its message being copied", run_read, SYS_read, "tick", 1 },
	{ "QUERY, its struct being copied", run_query, SYS_ioctl, "tick", 0 },
	{ "OPEN, its answer being copied", run_open, SYS_ioctl, "echo-out", 0 },
};

static void away(const struct away *a, uint32_t seq)
{
	struct nfp_chan_query before = counters(a->chan);
	struct in_use used = in_use();

	sh->there = 0;
	kill_in(spawn(a->run, NULL), a->call, a->what);
	nothing_left(&used, a->what);
	ok(UNTIL(counters(a->chan).dropped - before.dropped == a->dropped),
	   "%s: %u counted as dropped", a->what, a->dropped);
	goes_on(a->what, seq);
}

int main(void)
{
	size_t i;

	card_start();
	sh = shared_memory(sizeof(*sh));
	uring();
	for (i = 0; i < sizeof(aways) / sizeof(aways[0]); i++)
		away(&aways[i], 10 + i);
	return tap_done();
}
