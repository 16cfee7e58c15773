/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * soak.h - what the processes of a soak share, how each of them counts, and how
 * long a message is under way.
 */
#ifndef SOAK_H
#define SOAK_H

#include "chan_test.h"
#include "pits.h"

#define SENDERS_MAX	4096	/* that a receiver tells apart, a power of 2 */
#define IDLE_NS		50000000ll	/* after that a look at the flags */

/**
 * struct post - a process's place, shared; who restarts a killed process goes on
 * @pid: who has it
 * @kills: processes killed there
 * @busy: it still sends, though it receives as well
 * @asked: messages, elements or bytes that the card was asked for
 * @sent: those whose send has succeeded
 * @received: those that were taken from the ring
 * @lost: those that the card said it had lost
 * @sum: of the hash of each message sent, less that of each received
 * @fault: what went wrong
 */
struct post {
	pid_t pid;
	unsigned int kills;
	atomic_uint busy;
	atomic_ullong asked;
	atomic_ullong sent;
	atomic_ullong received;
	atomic_ullong lost;
	atomic_ullong sum;
	char fault[200];
};

/* A vCPU that stood still, as a thread on it saw it. */
struct hiccup {
	int64_t from, to;
};

#define HICCUPS		4096	/* a power of 2 */
#define WORST		10

struct outlier {
	int64_t at, ns;
	int64_t waited;		/* of it the process was runnable and did not run */
	int64_t still;		/* a vCPU stood still */
};

/* Round trips of one at a time. */
struct latency {
	atomic_ullong bucket[512];	/* 8 for each power of two, ns */
	atomic_ullong count;
	struct outlier worst[WORST];
	atomic_ullong hiccups[2];
	struct hiccup hiccup[2][HICCUPS];
};

#define POSTS		40
#define READY		3	/* frames may go */

static struct soak {
	atomic_uint stopping;	/* nobody sends any more */
	atomic_uint leaving;	/* who receives leaves when nothing is there */
	atomic_uint senders;	/* numbers given out */
	uint32_t seed;
	atomic_uint ready;	/* of those that frames need: links, meter, program */
	struct latency latency;
	struct post post[POSTS];
} *soak;

static struct post *post;	/* of this process */
static uint32_t soak_x;

static inline uint32_t soak_random(uint32_t n)
{
	soak_x = mix(soak_x + 0x9e3779b9);
	return soak_x % n;
}

static void __attribute__((noreturn, format(printf, 1, 2)))
soak_fault(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(post->fault, sizeof(post->fault), fmt, ap);
	va_end(ap);
	_exit(1);
}

/* Anything else than these three is none of a soak's. */
static inline bool soak_later(ssize_t err)
{
	return err == -EAGAIN || err == -ETIMEDOUT || err == -EINTR;
}

static inline uint64_t soak_hash(uint32_t sender, uint32_t seq)
{
	return (uint64_t)mix(sender * 0x9e3779b1u ^ mix(seq)) << 32 | mix(seq * 0x85ebca6bu + sender);
}

/* ---- what a message says ---- */

/* Those that a receiver here tells apart are counted, as it has a table of them. */
static inline uint32_t soak_sender(const char *chan)
{
	return is_pit(chan) ? pit_new() : atomic_fetch_add(&soak->senders, 1) + 1;
}

/* A message to @chan. */
static inline void soak_fill(const char *chan, uint8_t *buf, uint32_t len, uint32_t sender,
			     uint32_t seq)
{
	if (is_pit(chan))
		pit_fill(buf, len, sender, seq);
	else
		msg_fill(buf, len, sender, seq);
}

static inline void soak_sent(uint32_t sender, uint32_t seq)
{
	atomic_fetch_add(&post->sum, soak_hash(sender, seq));
	atomic_fetch_add(&post->sent, 1);
}

/* Of each sender in order, as far as they come this way. */
static inline void soak_received(const uint8_t *buf, ssize_t len)
{
	static uint32_t last[SENDERS_MAX], who[SENDERS_MAX];
	struct stamp s;
	uint32_t *seq;

	if (!msg_whole(buf, len, &s) || !len)
		soak_fault("%zd bytes that nobody sent", len);
	seq = &last[s.sender % SENDERS_MAX];
	if (who[s.sender % SENDERS_MAX] != s.sender) {
		who[s.sender % SENDERS_MAX] = s.sender;
		*seq = 0;
	}
	if (s.seq <= *seq)
		soak_fault("message %u of sender %u behind %u", s.seq, s.sender, *seq);
	*seq = s.seq;
	atomic_fetch_sub(&post->sum, soak_hash(s.sender, s.seq));
	atomic_fetch_add(&post->received, 1);
}

/* ---- latency ---- */

static inline int64_t clock_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ll + ts.tv_nsec;
}

static inline unsigned int latency_bucket(uint64_t ns)
{
	unsigned int e = ns < 8 ? 0 : 63 - __builtin_clzll(ns) - 2;

	return e ? e * 8 + (ns >> (e - 1)) % 8 : ns;
}

/* Smallest value of a bucket. */
static inline uint64_t latency_value(unsigned int bucket)
{
	unsigned int e = bucket / 8;

	return e ? (8ull + bucket % 8) << (e - 1) : bucket;
}

/* The time that this thread waited for a CPU, as the scheduler counts it. */
static inline int64_t run_delay(int fd)
{
	char text[128] = "";
	long long ran, waited = 0;

	if (pread(fd, text, sizeof(text) - 1, 0) <= 0 ||
	    sscanf(text, "%lld %lld", &ran, &waited) != 2)
		return 0;
	return waited;
}

static inline int64_t still_between(const struct latency *l, int64_t from, int64_t to)
{
	int64_t most = 0;

	for (unsigned int cpu = 0; cpu < 2; cpu++) {
		int64_t sum = 0;

		for (unsigned int i = 0; i < HICCUPS; i++) {
			struct hiccup h = l->hiccup[cpu][i];

			h.from = h.from > from ? h.from : from;
			h.to = h.to < to ? h.to : to;
			sum += h.to > h.from ? h.to - h.from : 0;
		}
		most = sum > most ? sum : most;
	}
	return most;
}

/* The worst are kept, with what is known of them. */
static inline void latency_add(struct latency *l, int64_t at, int64_t ns, int64_t waited)
{
	struct outlier *least = &l->worst[0];

	atomic_fetch_add(&l->bucket[latency_bucket(ns) % 512], 1);
	atomic_fetch_add(&l->count, 1);
	for (unsigned int i = 1; i < WORST; i++)
		if (l->worst[i].ns < least->ns)
			least = &l->worst[i];
	if (ns > least->ns)
		*least = (struct outlier){ at, ns, waited, still_between(l, at, at + ns) };
}

static inline uint64_t latency_at(const struct latency *l, double share)
{
	uint64_t want = l->count * share, sum = 0;
	unsigned int i;

	for (i = 0; i < 511; i++) {
		sum += l->bucket[i];
		if (sum > want)
			break;
	}
	return latency_value(i);
}

static inline void latency_show(const struct latency *l)
{
	uint64_t p99 = latency_at(l, 0.99);
	unsigned int i, outliers = 0, open = 0;
	int64_t max = 0;

	for (i = 0; i < WORST; i++)
		max = l->worst[i].ns > max ? l->worst[i].ns : max;
	printf("# latency there and back: %llu, p50 %llu us, p99 %llu us, p99.9 %llu us, max %lld us\n",
	       (unsigned long long)l->count, (unsigned long long)latency_at(l, 0.5) / 1000,
	       (unsigned long long)p99 / 1000, (unsigned long long)latency_at(l, 0.999) / 1000,
	       (long long)max / 1000);
	for (i = 0; i < WORST; i++) {
		const struct outlier *o = &l->worst[i];
		int64_t known = o->waited > o->still ? o->waited : o->still;
		/* What is left of it is to be none. */
		bool explained = o->ns - known <= 10 * (int64_t)p99;

		if (o->ns <= 10 * (int64_t)p99)
			continue;
		outliers++;
		open += !explained;
		printf("# outlier of %lld us: %lld us runnable and not running, %lld us a vCPU stood still%s\n",
		       (long long)o->ns / 1000, (long long)o->waited / 1000,
		       (long long)o->still / 1000,
		       explained ? "" : ": not explained by the guest");
	}
	/* A timing is never asserted: who reads it judges. */
	printf("# outliers: %u of the %d longest, %u of them not explained by the guest\n",
	       outliers, WORST, open);
}

#endif /* SOAK_H */
