// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * pair_api.c - one ring for both directions, through the library and by ioctl. The host changes
 * the elements of source64 in place and returns them to loop64. loop64 sends them back, and the
 * test checks them. At the end nfp is unbound while the ring is mapped.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/mman.h>
#include "chan_test.h"
#include "stream.h"

#define RECORD	64
#define RECORDS	20000
#define KEY	0x5a17c0deu

static void order(struct nfpchan *ctl, uint64_t bytes)
{
	struct source_req req = { htole64(bytes), htole32(8192), htole32(SOURCE_64) };

	if (nfpchan_send(ctl, &req, sizeof(req), WAIT_NS))
		give_up("source-ctl", "send");
}

/* The word that the source sends at byte @pos. */
static uint32_t word_at(uint64_t pos)
{
	return htole32((uint32_t)(pos / 4 % (SOURCE_PERIOD / 4)));
}

static struct nfpchan *returner(const char *name, struct nfpchan *from)
{
	struct nfpchan *ch;
	char why[256];

	if (nfpchan_open_return(&ch, card, name, from, NULL))
		give_up(name, nfpchan_card_error(card, why, sizeof(why)));
	return ch;
}

struct trip {
	struct nfpchan *back;
	uint64_t done;
	bool good;
};

/* Check that the data that loop64 sends back is the data as the host changed it. */
static void *check_all(void *arg)
{
	struct trip *t = arg;
	const void *data;
	uint32_t word;
	ssize_t n;

	t->good = true;
	while (t->done < (uint64_t)RECORD * RECORDS) {
		n = nfpchan_peek(t->back, &data, WAIT_NS);
		if (n <= 0)
			break;
		for (ssize_t i = 0; i < n; i += 4, t->done += 4) {
			memcpy(&word, (const char *)data + i, 4);
			t->good = t->good && word == (word_at(t->done) ^ KEY);
		}
		nfpchan_consume(t->back, (size_t)n);
	}
	return NULL;
}

static void round_trip(int spin)
{
	struct nfpchan *ctl = chan_start("source-ctl", spin), *in = chan_start("source64", spin);
	struct nfpchan *out = returner("loop64-in", in);
	struct trip t = { .back = chan_start("loop64-out", spin) };
	uint64_t done = 0, at = 0, total = (uint64_t)RECORD * RECORDS;
	struct nfp_chan_query q;
	uint64_t before = counters("loop64-in").bytes;
	bool good = true;
	pthread_t thread;
	uint32_t word;
	void *data;
	ssize_t n;

	pthread_create(&thread, NULL, check_all, &t);
	order(ctl, total);
	while (done < total) {
		n = nfpchan_returnable(out, &data, WAIT_NS);
		if (n <= 0)
			break;
		for (ssize_t i = 0; i < n; i += 4, at += 4) {
			memcpy(&word, (char *)data + i, 4);
			good = good && word == word_at(at);
			word ^= KEY;
			memcpy((char *)data + i, &word, 4);
		}
		if (nfpchan_return(out, (size_t)n, WAIT_NS) != n)
			break;
		done += (uint64_t)n;
	}
	ok(done == total && good, "all that the source sends comes into the shared ring");
	pthread_join(thread, NULL);
	ok(t.done == total && t.good, "all of it comes back as the host changed it");
	is(nfpchan_drain(out, WAIT_NS), 0, "the card has taken all of it");
	q = counters("loop64-in");
	ok(q.bytes - before == total, "the card has counted all bytes");
	nfpchan_close(out);
	nfpchan_close(in);
	nfpchan_close(t.back);
	nfpchan_close(ctl);
}

static void refusals(void)
{
	struct nfpchan *ctl = chan_start("source-ctl", 0), *in = chan_start("source64", 0);
	struct nfpchan *out = returner("sink64", in), *bytes = chan_start("source", 0), *ch;
	struct nfpchan_opts o = { .size = sizeof(o), .ring_size = 4096 };
	const void *seen;
	char buf[64], why[256];
	void *data;

	order(ctl, 640);
	is(nfpchan_wait(in, WAIT_NS), 0, "wait works on a shared ring");
	is(nfpchan_recv(in, buf, 64, NFPCHAN_NONBLOCK), -EBUSY,
	   "recv on a ring that is shared: EBUSY");
	is(nfpchan_peek(in, &seen, NFPCHAN_NONBLOCK), -EBUSY, "peek on a shared ring: EBUSY");
	is(nfpchan_consume(in, 64), -EBUSY, "consume on a shared ring: EBUSY");
	is(nfpchan_send(out, buf, 64, NFPCHAN_NONBLOCK), -EBUSY, "send on a shared ring: EBUSY");
	is(nfpchan_read(in, buf, 64, NFPCHAN_NONBLOCK), -EBUSY, "read on a shared ring: EBUSY");
	is(nfpchan_return(out, 64 * 11, NFPCHAN_NONBLOCK), -EINVAL,
	   "return of more than came: EINVAL");
	is(nfpchan_return(out, 1, NFPCHAN_NONBLOCK), -EINVAL,
	   "return of part of an element: EINVAL");
	is(nfpchan_return(in, 64, NFPCHAN_NONBLOCK), -EBADF,
	   "return by the channel to the host: EBADF");
	is(nfpchan_returnable(bytes, &data, NFPCHAN_NONBLOCK), -EBADF,
	   "returnable on a ring that is not shared: EBADF");
	is(nfpchan_open_return(&ch, card, "loop64-in",
			       in, NULL), -ESTALE, "a ring that is shared is not shared again");
	is(nfpchan_open_return(&ch, card, "loop64-in", bytes, NULL), -EPROTOTYPE,
	   "a stream with elements of another size");
	ok(strstr(nfpchan_card_error(card, why, sizeof(why)), "elements of 1 bytes"),
	   "the error text has the size: %s", why);
	is(nfpchan_open_return(&ch, card, "echo-in",
			       in, NULL), -ESTALE, "a message channel, on a ring that is shared");
	nfpchan_close(out);
	is(nfpchan_recv(in, buf, 64, WAIT_NS), 64,
	   "after the close the first channel receives again");
	is(nfpchan_open_return(&ch, card, "sink64",
			       in, NULL), -ESTALE, "a ring from which the host has received is not shared");
	nfpchan_close(in);
	in = chan_start("source64", 0);
	is(nfpchan_open_return(&ch, card, "echo-in",
			       in, NULL), -EPROTOTYPE, "a message channel on a stream's ring");
	is(nfpchan_open_return(&ch, card, "sink64", in, &o), -EINVAL, "a ring of another size");
	out = returner("sink64", in);
	nfpchan_close(in);
	is(nfpchan_returnable(out, &data, NFPCHAN_NONBLOCK), -EBADF,
	   "returnable after the close of the channel to the host");
	is(nfpchan_open(&in, card, "source64",
			NULL), -EBUSY, "the closed channel's pipe stays while its ring is in use");
	nfpchan_close(out);
	is(nfpchan_open(&in, card, "source64", NULL), 0, "the pipe is free after the second close");
	nfpchan_close(in);
	nfpchan_close(bytes);
	nfpchan_close(ctl);
}

/* A shared ring by ioctl. ioctl_errors.c has the errnos of wrong arguments. */
static void by_ioctl(void)
{
	int dev = card_open(O_RDWR), in = chan_must(dev, "source64", NFP_CHAN_OPEN_MAPPED), out;
	char buf[64];

	out = chan_open_shared(dev, "sink64", in);
	ok(out >= 0, "OPEN with a ring_fd opens a channel in the ring of another");
	fails(read(in, buf, 64), EBUSY, "read() of a channel whose ring is shared");
	fails(write(out, buf, 64), EBUSY, "write() of a channel in a shared ring");
	is(chan_geom(out).ring_size, chan_geom(in).ring_size, "both channels have one ring size");
	close(out);
	close(in);
	close(dev);
}

/* Unbind nfp while two files and three mappings use the ring. */
static void detached(void)
{
	struct nfpchan *ctl = chan_start("source-ctl", 0), *in = chan_start("source64", 0);
	struct nfpchan *out = returner("sink64", in);
	int fd = open("/sys/bus/pci/drivers/nfp/unbind", O_WRONLY);
	struct nfp_chan_info info;
	uint32_t word = 0;
	void *data;
	ssize_t n;

	if (fd < 0 || nfpchan_card_info(card, &info))
		die("unbind");
	order(ctl, 64 * 64);
	n = nfpchan_returnable(out, &data, WAIT_NS);
	ok(n > 0, "data has come");
	memset(data, 0xff, (size_t)n);
	is(write(fd, info.pci, strlen(info.pci)), (long)strlen(info.pci), "nfp is unbound");
	close(fd);
	memcpy(&word, data, 4);
	is(word, UINT32_MAX, "the ring keeps what was written there");
	memset(data, 1, (size_t)n);
	is(nfpchan_returnable(out, &data, WAIT_NS), -ENODEV, "returnable: ENODEV");
	is(nfpchan_return(out, 64, WAIT_NS), -ENODEV, "return: ENODEV");
	nfpchan_close(in);
	nfpchan_close(out);
	nfpchan_close(ctl);
}

int main(void)
{
	card_start();
	round_trip(0);
	round_trip(NO_SPIN);
	refusals();
	by_ioctl();
	is(counters("source64").pipes + counters("sink64").pipes, 0, "no pipe is left open");
	detached();
	return tap_done();
}
