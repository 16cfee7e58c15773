// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * detach.c - nfp is detached from the card while channels are open. Every sleeper wakes, every
 * call returns ENODEV, every mapping stays and stores to it have no effect. After nfp has come
 * back, channels open again while the dead ones are still open.
 *
 * usage: detach unbind | rmmod
 */
#include <dirent.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include "fdinfo.h"

#define PAGE 4096

static int card;
static char pci[32];

/**
 * struct sleeper - a thread in a call that sleeps until the detach
 * @what: its channel, or NULL for a port
 * @call: the call
 * @same: the thread uses the file of the previous sleeper in the table
 * @fd: its descriptor
 * @ret: result of the call
 * @err: errno of the call
 * @thread: the thread
 */
struct sleeper {
	const char *what;
	long (*call)(struct sleeper *s);
	bool same;
	int fd;
	long ret;
	int err;
	pthread_t thread;
};

static long call_read(struct sleeper *s)
{
	char buf[2048];

	return read(s->fd, buf, sizeof(buf));
}

/* Write until there is no more room, and then sleep. */
static long call_write(struct sleeper *s)
{
	char buf[256] = { 0 };
	long ret;

	do {
		ret = write(s->fd, buf, sizeof(buf));
	} while (ret > 0);
	return ret;
}

static long call_poll(struct sleeper *s)
{
	struct pollfd p = { .fd = s->fd, .events = POLLIN };

	if (poll(&p, 1, slowly(60000)) != 1)
		return 0;
	if (!(p.revents & POLLHUP))
		return 1;
	return call_read(s);
}

/* Wait exclusively: the detach must wake all exclusive waiters of the file, not only one. */
static long call_epoll(struct sleeper *s)
{
	struct epoll_event ev = { .events = EPOLLIN | EPOLLEXCLUSIVE };
	int ep = epoll_create1(EPOLL_CLOEXEC), n;

	if (ep < 0 || epoll_ctl(ep, EPOLL_CTL_ADD, s->fd, &ev))
		die("epoll");
	n = epoll_wait(ep, &ev, 1, 60000);
	close(ep);
	if (n != 1)
		return 0;
	if (!(ev.events & EPOLLHUP))
		return 1;
	return call_read(s);
}

static void *sleeper_run(void *arg)
{
	struct sleeper *s = arg;

	s->ret = s->call(s);
	s->err = errno;
	return NULL;
}

static struct sleeper sleepers[] = {
	{ .what = "tick", .call = call_read },
	{ .what = "tick", .call = call_read },
	{ .what = "pour", .call = call_read },
	{ .what = "load", .call = call_poll },
	{ .what = "echo-in", .call = call_write },
	{ .what = "rv-in", .call = call_write },
	{ .what = "own", .call = call_epoll },
	{ .what = "own", .call = call_epoll, .same = true },
	{ .what = "own", .call = call_epoll, .same = true },
	{ .what = NULL, .call = call_read },	/* read() of a port */
};

#define SLEEPERS (sizeof(sleepers) / sizeof(sleepers[0]))

/* Count this process's threads that sleep: state S in /proc/self/task/T/stat. */
static unsigned int asleep(void)
{
	DIR *tasks = opendir("/proc/self/task");
	char path[300], buf[256], *p;
	unsigned int n = 0;
	struct dirent *d;

	if (!tasks)
		die("/proc/self/task");
	while ((d = readdir(tasks))) {
		if (d->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "/proc/self/task/%s/stat", d->d_name);
		proc_read(path, buf, sizeof(buf));
		p = strrchr(buf, ')');
		n += p && p[2] == 'S';
	}
	closedir(tasks);
	return n;
}

static void sleepers_start(void)
{
	size_t i;

	for (i = 0; i < SLEEPERS; i++) {
		sleepers[i].fd = sleepers[i].same ? dup(sleepers[i - 1].fd) :
				 sleepers[i].what ? chan_must(card, sleepers[i].what, 0) :
						    port_open(card);
		if (pthread_create(&sleepers[i].thread, NULL, sleeper_run, &sleepers[i]))
			die("pthread_create");
	}
	/* The main thread runs, so SLEEPERS sleeping threads are all of the sleepers. */
	while (asleep() < SLEEPERS)
		sched_yield();
}

static void away(const char *how)
{
	if (!strcmp(how, "unbind"))
		file_put("/sys/bus/pci/drivers/nfp/unbind", pci);
	else if (system("rmmod nfp"))
		die("rmmod nfp");
}

static void back(const char *how)
{
	if (!strcmp(how, "unbind"))
		file_put("/sys/bus/pci/drivers/nfp/bind", pci);
	else if (system("modprobe nfp"))
		die("modprobe nfp");
}

struct maps {
	int fd;
	struct nfp_chan_layout g;
	volatile char *ring;
	const volatile struct nfp_chan_note *note;
	volatile struct nfp_chan_ctl *ctl;
	volatile __u32 *db;
};

static void maps_make(struct maps *m, int on, const char *chan)
{
	int rw = PROT_READ | PROT_WRITE;

	m->fd = chan_must(on, chan, NFP_CHAN_OPEN_MAPPED);
	m->g = chan_geom(m->fd);
	m->ring = mmap(NULL, 2UL * m->g.ring_size, m->g.dir == NFP_CHAN_TO_NFP ? rw : PROT_READ,
		       MAP_SHARED, m->fd, m->g.ring_off);
	m->note = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, m->fd, m->g.note_off);
	m->ctl = mmap(NULL, PAGE, rw, MAP_SHARED, m->fd, m->g.ctl_off);
	m->db = mmap(NULL, PAGE, rw, MAP_SHARED, m->fd, m->g.db_off);
	if (m->ring == MAP_FAILED || m->note == MAP_FAILED || m->ctl == MAP_FAILED ||
	    m->db == MAP_FAILED)
		die("mmap");
}

static void maps_after(struct maps *m, __u64 pos)
{
	is(m->note->state, NFP_CHAN_STATE_GONE, "mapped record: GONE");
	ok(m->note->pos == pos, "mapped record: the position is still the last one");
	m->db[m->g.db_data / 4] = 1;
	m->db[m->g.db_arm / 4] = 1;
	m->ctl->pos = 8;
	if (m->g.dir == NFP_CHAN_TO_NFP)
		m->ring[m->g.ring_size + 5] = 1;
	ok(m->note->state == NFP_CHAN_STATE_GONE && m->note->pos == pos,
	   "stores to ring, control page and doorbells do not change the record");
}

static void calls_after(int fd, int efd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	struct nfp_chan_arm *a = ARG(arm);
	char buf[8];

	fails(ioctl(card, NFP_CHAN_IOC_INFO, ARG(info)), ENODEV, "INFO");
	fails(ioctl(card, NFP_CHAN_IOC_QUERY, ARG(query, .name = "tick")), ENODEV, "QUERY");
	fails(ioctl(card, NFP_CHAN_IOC_OPEN, ARG(open, .name = "tick", .fd = -77, .ring_fd = -1,
						.port_fd = -1)), ENODEV, "OPEN");
	fails(chan_signal(card, "tick"), ENODEV, "SIGNAL on the card");
	fails(ioctl(fd, NFP_CHAN_IOC_SIGNAL, ARG(signal)), ENODEV, "SIGNAL on the channel");
	fails(ioctl(fd, NFP_CHAN_IOC_LAYOUT, ARG(layout)), ENODEV, "LAYOUT");
	fails(ioctl(fd, NFP_CHAN_IOC_EVENTFD, ARG(eventfd, .fd = efd)), ENODEV, "EVENTFD");
	is(ioctl(fd, NFP_CHAN_IOC_ARM, a), 0, "ARM");
	is(a->events & (POLLHUP | POLLERR), POLLHUP | POLLERR, "ARM: EPOLLHUP, EPOLLERR");
	fails(ioctl(fd, NFP_CHAN_IOC_KICK, ARG(kick, .units = 1)), ENODEV, "KICK");
	fails(read(fd, buf, sizeof(buf)), ENODEV, "read");
	is(poll(&p, 1, 0) == 1 ? p.revents & (POLLHUP | POLLERR) : 0, POLLHUP | POLLERR,
	   "poll: EPOLLHUP, EPOLLERR");
}

static void use_again(void)
{
	int fresh = card_open(O_RDWR), rx = chan_must(fresh, "echo-out", 0);
	int tx = chan_must(fresh, "echo-in", 0);
	char buf[2048];
	ssize_t n;

	/* First receive the messages that the ME process has kept from before the detach. */
	is(write(tx, "again", 5), 5, "a channel is opened and written to");
	do {
		n = read(rx, buf, sizeof(buf));
	} while (n > 0 && n != 5);
	ok(n == 5 && !memcmp(buf, "again", 5), "the message is read back");
	close(rx);
	close(tx);
	close(fresh);
}

/* The new card's first pipe has the doorbells that the dead card's first pipe had. */
static void doorbell_after(struct maps *gone, int fresh)
{
	struct maps now;

	maps_make(&now, fresh, "load");
	gone->db[gone->g.db_data / 4] = 1;
	use_again();
	is(now.note->state, NFP_CHAN_STATE_OPEN,
	   "a doorbell mapped from the dead card does not reach the new card");
	munmap((void *)now.ring, 2UL * now.g.ring_size);
	munmap((void *)now.note, PAGE);
	munmap((void *)now.ctl, PAGE);
	munmap((void *)now.db, PAGE);
	close(now.fd);
}

int main(int argc, char **argv)
{
	int efd = eventfd(0, EFD_NONBLOCK), evt, fresh, port;
	struct maps rx, tx;
	struct stat st;
	__u64 n = 0, pos;
	size_t i;

	if (argc != 2)
		return 2;
	card = card_open(O_RDWR);
	strcpy(pci, card_info(card).pci);
	maps_make(&rx, card, "load");
	maps_make(&tx, card, "load-ctl");
	pos = rx.note->pos;
	tx.ring[3] = rx.ring[3] + 1;
	evt = chan_must(card, "tick", NFP_CHAN_OPEN_NONBLOCK);
	if (ioctl(evt, NFP_CHAN_IOC_EVENTFD, ARG(eventfd, .fd = efd)))
		die("EVENTFD");
	sleepers_start();

	away(argv[1]);
	for (i = 0; i < SLEEPERS; i++) {
		pthread_join(sleepers[i].thread, NULL);
		errno = sleepers[i].err;
		fails(sleepers[i].ret, ENODEV, sleepers[i].what ? sleepers[i].what : "port");
	}
	ok(read(efd, &n, 8) == 8 && n == 1, "the eventfd is signalled a last time");
	is(stat("/dev/nfp_chan0", &st), -1, "the node is gone");
	is(lines_with("/proc/interrupts", "nfp_chan"), 0, "no vector is left");
	ok(fdinfo_has(evt, "\nstate:\tgone\n") && fdinfo_has(evt, "\nvector:\t-1\n"),
	   "fdinfo says that the channel is gone");
	calls_after(evt, efd);
	fails(ioctl(tx.fd, NFP_CHAN_IOC_CANCEL, ARG(cancel, .seq = 1)), ENODEV, "CANCEL");
	fails(mmap(NULL, PAGE, PROT_READ, MAP_SHARED, rx.fd, rx.g.note_off) == MAP_FAILED ? -1 : 0,
	      ENODEV, "mmap");
	is(tx.ring[3], rx.ring[3] + 1, "the mapped rings stay as they are");
	maps_after(&rx, pos);
	maps_after(&tx, 0);

	back(argv[1]);
	fresh = card_open(O_RDWR);
	is(card_info(fresh).pipe_used, 0,
	   "nfp is back: the card has the same name and no open pipe");
	calls_after(evt, efd);
	port = sleepers[SLEEPERS - 1].fd;
	doorbell_after(&rx, fresh);
	fails(chan_open_on(card, "once", port, 0), ENODEV, "OPEN on a port of the dead card");
	fails(chan_open_on(fresh, "once",
			   port, 0), EXDEV, "OPEN on the new card with a port of the dead card");
	use_again();
	for (i = 0; i < SLEEPERS; i++)
		close(sleepers[i].fd);
	close(evt);
	close(rx.fd);
	close(card);
	is(rx.note->state, NFP_CHAN_STATE_GONE,
	   "the channel is closed but still mapped: the record says GONE");
	munmap((void *)rx.ring, 2UL * rx.g.ring_size);
	use_again();
	return tap_done();
}
