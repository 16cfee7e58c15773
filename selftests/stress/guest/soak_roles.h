/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* soak_roles.h - what each process of a soak does, until it is told to stop. */
#ifndef SOAK_ROLES_H
#define SOAK_ROLES_H

#include "soak.h"
#include "stream.h"

/**
 * struct role - a process of the soak
 * @chan: its channel, what it receives from if there are two
 * @in: that which it sends to then, or NULL
 * @run: what it does there
 * @how: an argument
 * @mortal: it may be killed: what it carries is told apart by itself
 */
struct role {
	const char *chan;
	const char *in;
	void (*run)(const struct role *r);
	int how;
	bool mortal;
};

enum { HOW_COPY, HOW_PLACE, HOW_FD, HOW_MANY };

static inline struct nfpchan *soak_open(const char *name, int inline_max)
{
	struct nfpchan_opts o = { .size = sizeof(o), .inline_max = inline_max };
	struct nfpchan *ch;
	int err = nfpchan_open(&ch, card, name, &o);

	if (err)
		soak_fault("open %s: %s", name, strerror(-err));
	return ch;
}

/* ---- messages to the NFP ---- */

/* Of any size, or of the one that the channel has. */
static inline void run_send(const struct role *r)
{
	struct nfpchan *ch = soak_open(r->chan, r->how == HOW_PLACE ? 248 : 0);
	const struct nfp_chan_geom *g = nfpchan_geom(ch);
	uint32_t least = is_pit(r->chan) ? sizeof(struct pit_msg) : sizeof(struct stamp);
	uint32_t sender = soak_sender(r->chan), seq, len;
	uint8_t buf[MSG_MAX];
	int err;

	for (seq = 1; !soak->stopping; seq++) {
		len = soak_random(3) ? 64 : least + soak_random(g->max_size - least + 1);
		len = g->elem_size ? : len;
		soak_fill(r->chan, buf, len, sender, seq);
		do {
			err = nfpchan_send(ch, buf, len, IDLE_NS);
		} while (soak_later(err) && !soak->stopping);
		if (soak_later(err))
			break;
		if (err)
			soak_fault("send: %s", strerror(-err));
		soak_sent(sender, seq);
	}
	while ((err = nfpchan_drain(ch, IDLE_NS)) && soak_later(err))
		;
	if (err)
		soak_fault("drain: %s", strerror(-err));
	nfpchan_close(ch);
}

static inline void run_write(const struct role *r)
{
	int fd = chan_must(nfpchan_card_fd(card), r->chan, 0);
	uint32_t sender = soak_sender(r->chan), seq, len, max = chan_geom(fd).max_size;
	uint8_t buf[MSG_MAX];
	ssize_t n;

	for (seq = 1; !soak->stopping; seq++) {
		len = sizeof(struct stamp) + soak_random(max - sizeof(struct stamp) + 1);
		msg_fill(buf, len, sender, seq);
		n = write(fd, buf, len);
		if (n != (ssize_t)len)
			soak_fault("write: %zd, %s", n, strerror(errno));
		soak_sent(sender, seq);
	}
	/* What the card has not taken is lost with the close, and counted. */
	close(fd);
}

static inline void run_many(const struct role *r)
{
	struct nfpchan *ch = soak_open(r->chan, 0);
	uint32_t size = nfpchan_geom(ch)->elem_size, sender = soak_sender(r->chan), seq = 0, i, n;
	uint8_t buf[32 * 64];
	ssize_t did;

	while (!soak->stopping) {
		n = 1 + soak_random(32);
		for (i = 0; i < n; i++)
			soak_fill(r->chan, buf + i * size, size, sender, seq + 1 + i);
		did = nfpchan_send_many(ch, buf, n, IDLE_NS);
		if (soak_later(did))
			continue;
		if (did < 0)
			soak_fault("send_many: %s", strerror(-did));
		for (i = 0; i < did; i++)
			soak_sent(sender, ++seq);
	}
	while (nfpchan_drain(ch, IDLE_NS))
		;
	nfpchan_close(ch);
}

/* ---- messages to the host ---- */

/* Receives and has @got look at each, until nothing comes and it is to leave. */
static inline void soak_receive(struct nfpchan *ch, int how,
				void (*got)(const uint8_t *buf, ssize_t len))
{
	uint8_t buf[MSG_MAX];
	const void *data;
	ssize_t n;

	for (;;) {
		data = buf;
		if (how == HOW_PLACE)
			n = nfpchan_borrow(ch, &data, IDLE_NS);
		else
			n = nfpchan_recv(ch, buf, sizeof(buf), IDLE_NS);
		if (n >= 0)
			got(data, n);
		if (n >= 0 && how == HOW_PLACE)
			nfpchan_release(ch, 1);
		if (soak_later(n) && soak->leaving)
			break;
		if (n < 0 && !soak_later(n))
			soak_fault("receive: %s", strerror(-n));
	}
	nfpchan_close(ch);
}

static inline void fd_receive(int fd, void (*got)(const uint8_t *buf, ssize_t len))
{
	uint8_t buf[MSG_MAX];
	ssize_t n;

	while (events_of(fd, POLLIN, IDLE_NS / 1000000) || !soak->leaving) {
		/* Another process may have it; this does not sleep. */
		n = read(fd, buf, sizeof(buf));
		if (n >= 0)
			got(buf, n);
		else if (errno != EAGAIN)
			soak_fault("read: %s", strerror(errno));
	}
	close(fd);
}

static inline void run_receive(const struct role *r)
{
	if (r->how == HOW_FD)
		fd_receive(chan_must(nfpchan_card_fd(card), r->chan, NFP_CHAN_OPEN_NONBLOCK),
			   soak_received);
	else
		soak_receive(soak_open(r->chan, 0), r->how, soak_received);
}

/* ---- a rendezvous whose senders lose patience ---- */

static inline void run_meet(const struct role *r)
{
	struct nfpchan *ch = soak_open(r->chan, 0);
	uint32_t sender = soak_sender(r->chan), seq, len;
	uint8_t buf[MSG_MAX];
	int err;

	for (seq = 1; !soak->stopping; seq++) {
		len = sizeof(struct stamp) + soak_random(200);
		msg_fill(buf, len, sender, seq);
		err = nfpchan_send(ch, buf, len, soak_random(2) ? 100000 : IDLE_NS);
		/* Taken back: it was not sent. */
		if (soak_later(err))
			continue;
		if (err)
			soak_fault("rendezvous: %s", strerror(-err));
		soak_sent(sender, seq);
	}
	nfpchan_close(ch);
}

/* ---- what the card sends at full speed ---- */

#define ASK_SIZE	256

/* Counts what is asked for; the sums are of the channels asked. */
static inline void run_ask(const struct role *r)
{
	static const uint32_t count[] = {
		[LOAD_POUR] = 200, [LOAD_LOAD] = 100, [LOAD_RV] = 10,
	};
	struct nfpchan *ch = soak_open(r->chan, 0);
	struct load_req req;
	uint32_t token;
	int err;

	for (token = 1; !soak->stopping; token++) {
		req = (struct load_req){
			.count = htole32(count[token % 3]), .size = htole32(ASK_SIZE),
			.target = htole32(token % 3), .token = htole32(token),
		};
		do {
			err = nfpchan_send(ch, &req, sizeof(req), IDLE_NS);
		} while (soak_later(err));
		if (err)
			soak_fault("request: %s", strerror(-err));
		atomic_fetch_add(&post->sent, 1);
	}
	while (nfpchan_drain(ch, IDLE_NS))
		;
	nfpchan_close(ch);
}

/* In order of requests, and in each of them. */
static inline void loaded(const uint8_t *buf, ssize_t len)
{
	static uint32_t last;
	static uint64_t before;
	struct load_msg m = { 0 };
	uint32_t token;
	uint64_t seq;

	if (len == ASK_SIZE)
		memcpy(&m, buf, sizeof(m));
	token = le32toh(m.token);
	seq = load_seq(buf, len, ASK_SIZE, token);
	if (!seq || token < last || (token == last && seq <= before))
		soak_fault("%zd bytes, message %llu of request %u behind %llu of %u", len,
			   (unsigned long long)seq, token, (unsigned long long)before, last);
	last = token;
	before = seq;
	atomic_fetch_add(&post->received, 1);
}

static inline void run_loaded(const struct role *r)
{
	if (r->how == HOW_FD)
		fd_receive(chan_must(nfpchan_card_fd(card), r->chan, NFP_CHAN_OPEN_NONBLOCK), loaded);
	else
		soak_receive(soak_open(r->chan, 0), r->how, loaded);
}

/* ---- streams ---- */

static inline uint8_t byte_at(uint64_t pos)
{
	return pos * 0x9e3779b97f4a7c15ull >> 56;
}

/* Bytes that tell their position, from all of the soak's processes one sends them. */
static inline void run_bytes(const struct role *r)
{
	struct nfpchan *ch = soak_open(r->chan, 0);
	uint8_t buf[5000];
	uint32_t len, i;
	ssize_t n;

	while (!soak->stopping) {
		len = 1 + soak_random(sizeof(buf));
		for (i = 0; i < len; i++)
			buf[i] = byte_at(post->sent + i);
		n = nfpchan_write(ch, buf, len, IDLE_NS);
		if (n > 0)
			atomic_fetch_add(&post->sent, n);
		else if (!soak_later(n))
			soak_fault("write: %s", strerror(-n));
	}
	while (nfpchan_drain(ch, IDLE_NS))
		;
	nfpchan_close(ch);
}

#define SINK_PART	5000	/* bytes at a time */

/*
 * One stream behind the other, which are compared there: each has an open of its own,
 * as a new one begins there only. A killed one's may break off anywhere.
 */
static inline void sink_stream(const char *chan, uint32_t seed)
{
	uint64_t total = sizeof(struct pit_stream) + soak_random(500000), at = 0;
	struct nfpchan *ch = soak_open(chan, 0);
	uint8_t buf[SINK_PART];
	uint32_t len;
	ssize_t n;
	int err;

	while (at < total) {
		len = sizeof(struct pit_stream) + soak_random(sizeof(buf) - sizeof(struct pit_stream));
		len = len < total - at ? len : total - at;
		pit_bytes(buf, len, at, total, seed);
		n = nfpchan_write(ch, buf, len, IDLE_NS);
		if (n > 0) {
			atomic_fetch_add(&post->sent, n);
			at += n;
		} else if (!soak_later(n)) {
			soak_fault("write: %s", strerror(-n));
		}
	}
	while ((err = nfpchan_drain(ch, IDLE_NS)) && soak_later(err))
		;
	if (err)
		soak_fault("drain: %s", strerror(-err));
	nfpchan_close(ch);
}

static inline void run_sink(const struct role *r)
{
	while (!soak->stopping)
		sink_stream(r->chan, pit_new());
}

static inline void run_bytes_back(const struct role *r)
{
	struct nfpchan *ch = soak_open(r->chan, 0);
	const uint8_t *data;
	const void *p;
	ssize_t n, i;

	for (;;) {
		n = nfpchan_peek(ch, &p, IDLE_NS);
		if (soak_later(n) && soak->leaving)
			break;
		if (soak_later(n))
			continue;
		if (n < 0)
			soak_fault("peek: %s", strerror(-n));
		n = 1 + soak_random(n);
		for (data = p, i = 0; i < n; i++)
			if (data[i] != byte_at(post->received + i))
				soak_fault("byte %llu", (unsigned long long)post->received + i);
		nfpchan_consume(ch, n);
		atomic_fetch_add(&post->received, n);
	}
	nfpchan_close(ch);
}

/* As much as it asks for, words that count. */
static inline void run_source(const struct role *r)
{
	struct nfpchan *ctl = soak_open("source-ctl", 0), *ch = soak_open(r->chan, 0);
	uint64_t bytes, pos, at;
	const uint8_t *data;
	const void *p;
	ssize_t n, i;

	while (!soak->stopping) {
		bytes = 65536ull * (1 + soak_random(8));
		struct source_req req = { htole64(bytes), htole32(4096), htole32(r->how) };

		if (nfpchan_send(ctl, &req, sizeof(req), WAIT_NS))
			soak_fault("request not taken");
		atomic_fetch_add(&post->asked, bytes);
		for (pos = 0; pos < bytes; pos += n) {
			n = nfpchan_peek(ch, &p, WAIT_NS);
			if (n < 0)
				soak_fault("peek at %llu: %s", (unsigned long long)pos, strerror(-n));
			for (data = p, i = 0; i < n; i++) {
				at = pos + i;
				if (data[i] != (uint8_t)(at / 4 % (SOURCE_PERIOD / 4) >> at % 4 * 8))
					soak_fault("byte %llu", (unsigned long long)at);
			}
			nfpchan_consume(ch, n);
			atomic_fetch_add(&post->received, n);
		}
	}
	nfpchan_close(ctl);
	nfpchan_close(ch);
}

/* ---- one at a time: latency ---- */

static inline void *watch_cpu(void *arg)
{
	struct latency *l = &soak->latency;
	uintptr_t cpu = (uintptr_t)arg;
	struct sched_param real_time = { .sched_priority = 1 };
	struct timespec ms = { .tv_nsec = 1000000 };
	int64_t from, to;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
	sched_setscheduler(0, SCHED_FIFO, &real_time);
	/* This measures sleep itself. */
	while (!soak->leaving) {
		from = clock_ns();
		clock_nanosleep(CLOCK_MONOTONIC, 0, &ms, NULL);
		to = clock_ns();
		if (to - from > 2000000)
			l->hiccup[cpu][atomic_fetch_add(&l->hiccups[cpu], 1) % HICCUPS] =
				(struct hiccup){ from, to };
	}
	return NULL;
}

static inline void run_ping(const struct role *r)
{
	struct nfpchan *tx = soak_open("loop64-in", 0), *rx = soak_open(r->chan, 0);
	int delay = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
	uint32_t sender = soak_sender(r->chan), seq;
	uint8_t buf[64], back[64];
	int64_t at, waited;
	pthread_t watch;
	ssize_t n;

	for (uintptr_t cpu = 0; cpu < 2; cpu++)
		pthread_create(&watch, NULL, watch_cpu, (void *)cpu);
	for (seq = 1; !soak->stopping; seq++) {
		msg_fill(buf, sizeof(buf), sender, seq);
		waited = run_delay(delay);
		at = clock_ns();
		if (nfpchan_send(tx, buf, sizeof(buf), WAIT_NS))
			soak_fault("element %u was not sent", seq);
		soak_sent(sender, seq);
		n = nfpchan_recv(rx, back, sizeof(back), WAIT_NS);
		if (n != sizeof(back))
			soak_fault("element %u did not come back: %zd", seq, n);
		latency_add(&soak->latency, at, clock_ns() - at, run_delay(delay) - waited);
		soak_received(back, n);
	}
	nfpchan_close(tx);
	nfpchan_close(rx);
}

#endif /* SOAK_ROLES_H */
