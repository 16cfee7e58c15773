// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * pair_api.c - one ring for both directions, through the library and by ioctl: what
 * a source sends is changed where it lies, goes back, and comes round checked. In
 * the end the card goes away under the mappings.
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

/* The word at byte 4n of what the source sends. */
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

/* What comes round at last is what was made of it. */
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
	ok(done == total && good, "all that the source sends comes, in place");
	pthread_join(thread, NULL);
	ok(t.done == total && t.good, "and is back, as it was changed");
	is(nfpchan_drain(out, WAIT_NS), 0, "all of it was taken");
	q = counters("loop64-in");
	ok(q.bytes - before == total, "the card has counted it");
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
	is(nfpchan_wait(in, WAIT_NS), 0, "waiting is as ever");
	is(nfpchan_recv(in, buf, 64, NFPCHAN_NONBLOCK), -EBUSY, "no receive from a ring that is lent");
	is(nfpchan_peek(in, &seen, NFPCHAN_NONBLOCK), -EBUSY, "no look into it");
	is(nfpchan_consume(in, 64), -EBUSY, "nothing to be given back");
	is(nfpchan_send(out, buf, 64, NFPCHAN_NONBLOCK), -EBUSY, "nor a send");
	is(nfpchan_read(in, buf, 64, NFPCHAN_NONBLOCK), -EBUSY, "nor a read");
	is(nfpchan_return(out, 64 * 11, NFPCHAN_NONBLOCK), -EINVAL, "no more is returned than came");
	is(nfpchan_return(out, 1, NFPCHAN_NONBLOCK), -EINVAL, "and no part of an element");
	is(nfpchan_return(in, 64, NFPCHAN_NONBLOCK), -EBADF, "nor by the wrong side");
	is(nfpchan_returnable(bytes, &data, NFPCHAN_NONBLOCK), -EBADF, "nor where nothing is shared");
	is(nfpchan_open_return(&ch, card, "loop64-in", in, NULL), -ESTALE, "shared once");
	is(nfpchan_open_return(&ch, card, "loop64-in", bytes, NULL), -EPROTOTYPE,
	   "not with elements of another size");
	ok(strstr(nfpchan_card_error(card, why, sizeof(why)), "elements of 1 bytes"), "it says so: %s", why);
	is(nfpchan_open_return(&ch, card, "echo-in", in, NULL), -ESTALE, "nor while it is");
	nfpchan_close(out);
	is(nfpchan_recv(in, buf, 64, WAIT_NS), 64, "afterwards the ring is the first one's again");
	is(nfpchan_open_return(&ch, card, "sink64", in, NULL), -ESTALE, "which has been used now");
	nfpchan_close(in);
	in = chan_start("source64", 0);
	is(nfpchan_open_return(&ch, card, "echo-in", in, NULL), -EPROTOTYPE, "messages are no stream");
	is(nfpchan_open_return(&ch, card, "sink64", in, &o), -EINVAL, "a ring of another size");
	out = returner("sink64", in);
	nfpchan_close(in);
	is(nfpchan_returnable(out, &data, NFPCHAN_NONBLOCK), -EBADF, "the other side is closed");
	is(nfpchan_open(&in, card, "source64", NULL), -EBUSY, "its pipe is not, as its ring is in use");
	nfpchan_close(out);
	is(nfpchan_open(&in, card, "source64", NULL), 0, "now it is");
	nfpchan_close(in);
	nfpchan_close(bytes);
	nfpchan_close(ctl);
}

/* Which errno comes when is in ioctl_errors.c. */
static void by_ioctl(void)
{
	int dev = card_open(O_RDWR), in = chan_must(dev, "source64", NFP_CHAN_OPEN_MAPPED), out;
	char buf[64];

	out = chan_open_shared(dev, "sink64", in);
	ok(out >= 0, "in the ring of another");
	fails(read(in, buf, 64), EBUSY, "read()");
	fails(write(out, buf, 64), EBUSY, "write()");
	is(chan_geom(out).ring_size, chan_geom(in).ring_size, "one size");
	close(out);
	close(in);
	close(dev);
}

/* The ring is in use by two files and three mappings when the card goes. */
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
	ok(n > 0, "something has come");
	memset(data, 0xff, (size_t)n);
	is(write(fd, info.pci, strlen(info.pci)), (long)strlen(info.pci), "nfp is unbound");
	close(fd);
	memcpy(&word, data, 4);
	is(word, UINT32_MAX, "the ring keeps what was written there");
	memset(data, 1, (size_t)n);
	is(nfpchan_returnable(out, &data, WAIT_NS), -ENODEV, "nothing comes any more");
	is(nfpchan_return(out, 64, WAIT_NS), -ENODEV, "and nothing goes");
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
