// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * doorbell_calls.c - channels of a process that may not map the doorbells: each doorbell is an ioctl.
 *
 * usage: doorbell_calls [mapped]	mapped: the process may map them
 */
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "chan_test.h"
#include "tap.h"

#define COUNT	200

static bool mapped;

static void layout(struct nfpchan *ch, const char *name)
{
	struct nfp_chan_layout g = { .size = sizeof(g) };
	int fd = nfpchan_fd(ch);
	void *page;

	is(ioctl(fd, NFP_CHAN_IOC_LAYOUT, &g), 0, name);
	is(g.db_map, mapped, "db_map");
	errno = 0;
	page = mmap(NULL, g.page_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)g.db_off);
	is(errno, mapped ? 0 : EPERM, "mmap() of the doorbell page");
	if (page != MAP_FAILED)
		munmap(page, g.page_size);
	if (mapped)
		return;
	ok(!g.inline_size && !g.signal_db, "no inline page, no signal doorbell");
	page = mmap(NULL, g.page_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)g.inline_off);
	ok(page == MAP_FAILED && errno == EPERM, "mmap() of the inline page: EPERM");
	page = mmap(NULL, g.page_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		    (off_t)g.signal_db_off);
	ok(page == MAP_FAILED && errno == EPERM, "mmap() of the signal doorbell: EPERM");
}

static bool poll_in(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, (int)WAIT_MS) == 1 && p.revents == POLLIN;
}

/* Sleep in the library, in poll() of the channel, and in poll() of an eventfd. */
static void messages(struct nfpchan *tx, struct nfpchan *rx)
{
	int efd = eventfd(0, EFD_NONBLOCK), bad = 0;
	uint8_t msg[MSG_MAX], got[MSG_MAX];
	uint64_t count;
	ssize_t n;

	for (uint32_t i = 0; i < 3 * COUNT; i++) {
		uint32_t len = 16 + i * 37 % (MSG_MAX - 16);

		if (i == 2 * COUNT)
			is(nfpchan_eventfd(rx, efd), 0, "an eventfd");
		msg_fill(msg, len, 1, i);
		bad += nfpchan_send(tx, msg, len, WAIT_NS) != 0;
		if (i >= COUNT && i < 2 * COUNT)
			bad += !poll_in(nfpchan_fd(rx));
		if (i < 2 * COUNT) {
			n = nfpchan_recv(rx, got, sizeof(got), i < COUNT ? WAIT_NS : 0);
		} else {
			while ((n = nfpchan_recv(rx, got, sizeof(got), 0)) == -EAGAIN)
				if (!nfpchan_arm(rx) &&
				    (!poll_in(efd) || read(efd, &count, sizeof(count)) < 0))
					die("eventfd");
		}
		bad += n != (ssize_t)len || memcmp(msg, got, len) != 0;
	}
	is(bad, 0, "messages come back: asleep in a call, in poll(), on an eventfd");
	is(nfpchan_eventfd(rx, -1), 0, "no eventfd");
	close(efd);
}

static void events(struct nfpchan *rx)
{
	struct nfpchan *tick = chan_start("tick", NO_SPIN);
	uint64_t n;

	is(nfpchan_raise(tick), 0, "a signal");
	is(nfpchan_recv(tick, &n, sizeof(n), WAIT_NS), sizeof(n), "is answered");
	is(nfpchan_recv(rx, &n, sizeof(n), 0), -EAGAIN, "the other channel has nothing");
	nfpchan_close(tick);
}

static void rendezvous(void)
{
	struct nfpchan *tx = chan_start("rv-in", NO_SPIN), *rx = chan_start("rv-out", NO_SPIN);
	char buf[256];
	int bad = 0;

	for (int i = 0; i < COUNT; i++) {
		bad += nfpchan_send(tx, &i, sizeof(i), WAIT_NS) != 0;
		bad += nfpchan_recv(rx, buf, sizeof(buf), WAIT_NS) != sizeof(i);
	}
	is(bad, 0, "rendezvous");
	nfpchan_close(tx);
	nfpchan_close(rx);
}

int main(int argc, char **argv)
{
	struct nfpchan *tx, *rx;

	mapped = argc > 1 && !strcmp(argv[1], "mapped");
	card_start();
	tx = chan_start("echo-in", NO_SPIN);
	rx = chan_start("echo-out", NO_SPIN);
	layout(tx, "to the NFP");
	layout(rx, "to the host");
	messages(tx, rx);
	events(rx);
	rendezvous();
	nfpchan_close(tx);
	nfpchan_close(rx);
	nfpchan_card_close(card);
	return tap_done();
}
