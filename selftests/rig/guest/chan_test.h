/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * chan_test.h - helpers of the channel tests: child processes, resources in use, messages whose
 * contents can be checked, and requests to the card's test processes.
 */
#ifndef CHAN_TEST_H
#define CHAN_TEST_H

#include <endian.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <nfpchan.h>
#include "test_apps.h"
#include "clock.h"
#include "dir.h"
#include "calls.h"

#define MSG_MAX		2048
#define WAIT_MS		slowly(20000)	/* a wait that takes longer has failed */
#define WAIT_NS		(WAIT_MS * 1000000ll)
#define PROGRAM_S	slowly(40)	/* a program that takes longer has failed */
#define NO_SPIN		(-1)
#define SPIN_LONG	1000000000	/* us; so long that a call never sleeps */

/* Each process opens its own handle. */
extern struct nfpchan_card *card;

void __attribute__((noreturn)) give_up(const char *what, const char *why);
void on_alarm(int sig);
void card_start(void);

#define OPTS(...)	(&(struct nfpchan_opts){ .size = sizeof(struct nfpchan_opts), __VA_ARGS__ })

struct nfpchan *chan_start_with(const char *name, const struct nfpchan_opts *opts);

static inline struct nfpchan *chan_start(const char *name, int32_t spin_us)
{
	return chan_start_with(name, OPTS(.spin_us = spin_us));
}

struct nfp_chan_query counters(const char *name);

/*
 * Evaluate @cond again and again until it is true, for WAIT_MS at most. The value is that of
 * @cond.
 */
#define UNTIL(cond) ({							\
	uint64_t until_end = now_ns() + WAIT_NS;			\
	bool until_ok;							\
									\
	while (!(until_ok = (cond)) && now_ns() < until_end)		\
		sched_yield();						\
	until_ok;							\
})

/* ---- processes ---- */

void *shared_memory(size_t len);
pid_t spawn(void (*run)(void *arg), void *arg);
int reap(pid_t pid);
long sleeping_in(pid_t tid);
unsigned long cpu_used(pid_t pid);

/* ---- resources in use ---- */

struct in_use {
	unsigned int pipes;	/* pipes of the card */
	unsigned int lines;	/* lines of nfp_chan in /proc/interrupts */
	unsigned int fds;	/* descriptors of this process */
	char vectors[4096];	/* vectors of the PCI function, by their interrupt numbers */
};

struct in_use in_use(void);
void nothing_left(const struct in_use *before, const char *after);

/* ---- contents ---- */

/* Beginning of each message that is not empty */
struct stamp {
	uint32_t sender;
	uint32_t seq;
	uint32_t sum;
};

uint32_t mix(uint32_t x);
uint32_t msg_sum(const uint8_t *buf, uint32_t len);
uint32_t msg_size(uint32_t sender, uint32_t seq, uint32_t max);
void msg_fill(uint8_t *buf, uint32_t len, uint32_t sender, uint32_t seq);
bool msg_whole(const uint8_t *buf, ssize_t len, struct stamp *s);
int stamp_send(struct nfpchan *ch, uint32_t len, uint32_t sender, uint32_t seq,
	       int64_t timeout);
struct stamp stamp_recv(struct nfpchan *ch);
bool stamp_is(struct stamp s, uint32_t sender, uint32_t seq);

/* ---- contents that the card checks, because it does not send them back: see pit.h ---- */

bool is_compared(const char *chan);	/* is it such a channel of messages or elements? */
uint32_t unused_number(void);		/* for a sender or a seed */
void compared_fill(uint8_t *buf, uint32_t len, uint32_t sender, uint32_t seq);
void compared_bytes(uint8_t *buf, uint32_t len, uint64_t at, uint64_t total, uint32_t seed);
bool compared_well(const char *chan);

/* ---- the card's load process ---- */

void load_ask(uint32_t target, uint32_t count, uint32_t size, uint32_t token);
uint64_t load_seq(const void *buf, ssize_t n, uint32_t size, uint32_t token);
uint64_t load_recv(struct nfpchan *ch, uint32_t size, uint32_t token);
uint32_t load_all(struct nfpchan *ch, uint32_t count, uint32_t size, uint32_t token);

#endif /* CHAN_TEST_H */
