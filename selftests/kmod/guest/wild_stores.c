// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * wild_stores.c - two processes (writers) store random values to all mapped pages of their
 * channels, while other processes (victims) use other channels. The victims must lose nothing and
 * see none of the stores. A writer that damages its own channel gets errors from its own calls.
 *
 * usage: wild_stores [SEED [ROUNDS]]
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include "random.h"
#include "traffic.h"
#include "users.h"

#define PAGE		4096
#define WRITERS	2		/* processes that store random values */
#define RW		(PROT_READ | PROT_WRITE)
#define STORES		64		/* maximum of stores in a round */
#define VICTIMS		5		/* processes that use channels */
#define PIT		(VICTIMS - 1)	/* the victim that sends to channel "pit" */

/**
 * struct shared - state that the processes share
 * @left: rounds that remain for both writers together
 * @off: number of writers' pipes that the card has turned off
 */
static struct shared {
	atomic_int left;
	atomic_uint off;
} *sh;

static uint64_t seed = 1;
static int rounds = 200;

/* ---- a pipe, with all its writable pages mapped ---- */

#define AREAS	5

struct pipe {
	int fd;
	struct nfp_chan_layout g;
	uint8_t *area[AREAS];		/* ring, control, doorbells, inline page, signal doorbell */
	size_t len[AREAS];
	const volatile struct nfp_chan_note *note;
};

static void area_map(struct pipe *p, int i, __u64 off, size_t len)
{
	void *at = mmap(NULL, len, RW, MAP_SHARED, p->fd, off);

	if (at == MAP_FAILED)
		return;
	p->area[i] = at;
	p->len[i] = len;
}

static bool pipe_start(struct pipe *p, const char *chan)
{
	memset(p, 0, sizeof(*p));
	p->fd = chan_open(nfpchan_card_fd(card), chan, NFP_CHAN_OPEN_INLINE |
			  NFP_CHAN_OPEN_MAPPED | NFP_CHAN_OPEN_NONBLOCK, 0);
	if (p->fd < 0)
		return false;
	p->g = chan_geom(p->fd);
	p->note = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, p->fd, p->g.note_off);
	if (p->note == MAP_FAILED)
		die("record");
	area_map(p, 0, p->g.ring_off, 2ul * p->g.ring_size);
	area_map(p, 1, p->g.ctl_off, PAGE);
	area_map(p, 2, p->g.db_off, PAGE);
	area_map(p, 3, p->g.inline_off, PAGE);
	area_map(p, 4, p->g.signal_db_off, PAGE);
	return true;
}

static void pipe_stop(struct pipe *p)
{
	int i;

	for (i = 0; i < AREAS; i++)
		if (p->area[i])
			munmap(p->area[i], p->len[i]);
	munmap((void *)p->note, PAGE);
	close(p->fd);
}

static void bell(struct pipe *p, uint32_t units)
{
	*(volatile uint32_t *)(p->area[2] + p->g.db_data) = units;
}

/* ---- stores to the process's own channel ---- */

static bool turned_off(struct pipe *p)
{
	return events_of(p->fd, 0, WAIT_MS) & POLLERR && p->note->state == NFP_CHAN_STATE_FAULT;
}

/* Check that the card turns the pipe off after @what, and that the next pipe works. */
static void is_off(struct pipe *p, const char *what)
{
	bool tx = p->g.dir == NFP_CHAN_TO_NFP;

	ok(turned_off(p), "%s: the pipe is off, poll() says POLLERR", what);
	if (tx && p->g.kind == NFP_CHAN_MESSAGE)
		fails(ioctl(p->fd, NFP_CHAN_IOC_CANCEL, ARG(cancel, .seq = 1)), ENOMSG, "CANCEL");
	fails(ioctl(p->fd, NFP_CHAN_IOC_SIGNAL, ARG(signal)), EOPNOTSUPP, "SIGNAL");
	pipe_stop(p);
	ok(pipe_start(p, tx ? "echo-in" : "echo-out") &&
	   p->note->state == NFP_CHAN_STATE_OPEN, "the next pipe is open");
	pipe_stop(p);
}

static void doorbells(void)
{
	struct pipe p;

	pipe_start(&p, "pit");
	bell(&p, (p.g.ring_size >> p.g.unit_shift) + 1);
	is_off(&p, "more produced than the ring holds");
	pipe_start(&p, "echo-out");
	bell(&p, 1);
	is_off(&p, "more consumed than was produced");
	pipe_start(&p, "sink64");
	bell(&p, 1);
	is_off(&p, "part of a stream's element");
}

static void headers(void)
{
	struct nfp_chan_hdr h = { .len = 4096, .seq = 1 };
	struct pipe p;

	pipe_start(&p, "pit");
	memcpy(p.area[0], &h, sizeof(h));
	bell(&p, 8);
	is_off(&p, "a header with a length of 4096, where 2048 is the largest");
	h.len = 8;
	h.seq = 7;
	pipe_start(&p, "pit");
	memcpy(p.area[0], &h, sizeof(h));
	bell(&p, 2);
	is_off(&p, "a header with a wrong sequence number");
}

/* A wrong position in the control page misleads poll() only. */
static void control(void)
{
	struct nfp_chan_ctl *ctl;
	struct pipe p;

	pipe_start(&p, "pit");
	ctl = (void *)p.area[1];
	ctl->pos = 0xdeadbeef12345678;
	ctl->arm = 0xffffffff;
	is(events_of(p.fd, POLLIN | POLLOUT, 0), 0,
	   "a position out of the ring: poll() finds no room");
	ctl->pos = 0;
	is(events_of(p.fd, POLLIN | POLLOUT, 0), POLLOUT, "the right position: poll() finds room");
	pipe_stop(&p);
}

/* The card takes from the inline page only a message that is in the ring as well. */
static void inline_page(void)
{
	int rx = chan_must(nfpchan_card_fd(card), "echo-out", 0);
	struct nfp_chan_hdr h = { .len = 6, .seq = 1 };
	char got[MSG_MAX];
	struct pipe p;
	size_t i;

	pipe_start(&p, "echo-in");
	for (i = 0; i < p.len[3] / 4; i++)
		((volatile uint32_t *)p.area[3])[i] = 0xa5a5a5a5;
	memcpy(p.area[0], &h, sizeof(h));
	memcpy(p.area[0] + sizeof(h), "whole", 6);
	bell(&p, 2);
	ok(events_of(rx, POLLIN, WAIT_MS) & POLLIN && read(rx, got, sizeof(got)) == 6 &&
	   !strcmp(got, "whole"), "garbage in the inline page: a message in the ring arrives");
	pipe_stop(&p);
	close(rx);
}

static sigjmp_buf back;

static void on_fault(int sig)
{
	siglongjmp(back, sig);
}

/* A store to a page that is mapped read-only raises SIGSEGV. */
static void read_only(void)
{
	struct sigaction old, sa = { .sa_handler = on_fault };
	struct nfp_chan_layout g;
	volatile uint8_t *at[2];
	volatile int i, stores = 0;
	int fd;

	fd = chan_must(nfpchan_card_fd(card), "tick", NFP_CHAN_OPEN_MAPPED);
	g = chan_geom(fd);
	at[0] = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, g.ring_off);
	at[1] = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, g.note_off);
	sigaction(SIGSEGV, &sa, &old);
	for (i = 0; i < 2; i++) {
		if (sigsetjmp(back, 1))
			continue;
		*at[i] = 1;
		stores++;
	}
	sigaction(SIGSEGV, &old, NULL);
	is(stores, 0, "ring to the host, record: a store is SIGSEGV");
	munmap((void *)at[0], PAGE);
	munmap((void *)at[1], PAGE);
	close(fd);
}

/* ---- writers: processes that store random values ---- */

static const char *const writer_chans[] = {
	"pit", "pit64", "sink", "sink64", "tick", "own", "load", "pour", "source", "source64",
};

/* Store one to eight bytes, mostly at the start of an area, where its fields are. */
static void store(struct pipe *p, uint64_t *state)
{
	uint64_t r = random_mix(state), value = random_mix(state);
	int i = r % AREAS;
	volatile uint8_t *to;
	size_t at;

	if (!p->area[i])
		return;
	at = (r >> 16) % (r & 0x100 ? p->len[i] : 64);
	to = p->area[i] + (at & ~7ul);
	if (r & 0x200)
		value %= 64;
	switch ((r >> 10) % 8) {
	case 0:
		to[at % 8] = value;
		break;
	case 1:
		*(volatile uint16_t *)(to + at % 8 / 2 * 2) = value;
		break;
	case 2:
		*(volatile uint64_t *)to = value;
		break;
	case 3:
		(void)*(volatile uint32_t *)to;
		break;
	default:
		*(volatile uint32_t *)(to + at % 8 / 4 * 4) = value;
	}
}

static void some_call(struct pipe *p, uint64_t *state)
{
	struct nfp_chan_cancel c = { .size = sizeof(c), .seq = random_mix(state) % 4 };
	char buf[MSG_MAX] = { 0 };

	switch (random_mix(state) % 4) {
	case 0:
		events_of(p->fd, POLLIN | POLLOUT, 0);
		break;
	case 1:
		(void)!read(p->fd, buf, sizeof(buf));
		break;
	case 2:
		(void)!write(p->fd, buf, p->g.elem_size ?: 64);
		break;
	case 3:
		ioctl(p->fd, NFP_CHAN_IOC_CANCEL, &c);
	}
}

/* Make the card send a few messages to the channel. */
static void feed(const char *chan, uint64_t *state)
{
	struct load_req r = { .count = htole32(8), .size = htole32(64) };
	int fd;

	if (!strcmp(chan, "tick")) {
		chan_signal(nfpchan_card_fd(card), chan);
	} else if (!strcmp(chan, "load") || !strcmp(chan, "pour")) {
		r.target = htole32(strcmp(chan, "load") ? LOAD_POUR : LOAD_LOAD);
		fd = chan_open(nfpchan_card_fd(card), "load-ctl", NFP_CHAN_OPEN_NONBLOCK, 0);
		/* If load-ctl is full, earlier requests still produce enough messages. */
		if (write(fd, &r, sizeof(r)) < 0)
			random_mix(state);
		close(fd);
	}
}

static void writer_round(uint64_t *state)
{
	size_t chan_nr = sizeof(writer_chans) / sizeof(writer_chans[0]);
	const char *chan = writer_chans[random_mix(state) % chan_nr];
	unsigned int n = random_mix(state) % STORES;
	struct pipe p;

	/* OPEN fails if the channel is exclusive and the other writer has it open. */
	if (!pipe_start(&p, chan))
		return;
	feed(chan, state);
	while (n--) {
		store(&p, state);
		if (random_mix(state) % 8 == 0)
			some_call(&p, state);
	}
	sh->off += p.note->state == NFP_CHAN_STATE_FAULT;
	pipe_stop(&p);
}

static void run_writer(void *arg)
{
	uint64_t state = seed << 8 | (uintptr_t)arg;

	alarm(0);
	while (atomic_fetch_sub(&sh->left, 1) > 0)
		writer_round(&state);
}

/* ---- victims: they use their channels until the writers have ended ---- */

/*
 * Writers open the channel "pit" as well. The ME process checks the contents and the order of this
 * victim's messages (pit.h). It does not check the messages of writers.
 */
static const struct kind victim_kinds[VICTIMS] = {
	{ .name = "echo-out", .in = "echo-in", .out = "echo-out",
	  .send = msg_send, .recv = msg_recv, .got = stamp_got },
	{ .name = "rv-out", .in = "rv-in", .out = "rv-out", .raw = true,
	  .send = msg_send, .recv = msg_recv, .got = stamp_got },
	{ .name = "loop-out", .in = "loop-in", .out = "loop-out",
	  .begin = bytes_begin, .send = bytes_send, .start = bytes_start, .recv = bytes_recv },
	{ .name = "loop64-out", .in = "loop64-in", .out = "loop64-out", .raw = true,
	  .send = msg_send, .recv = msg_recv, .got = stamp_got },
	{ .name = "pit", .in = "pit", .send = msg_send },
};

static void victim_check(unsigned int i, const struct nfp_chan_query *before)
{
	const char *chan = victim_kinds[i].name;
	struct nfp_chan_query now = counters(chan);
	unsigned long long count = i == PIT ? traffic->worker[i].sent : traffic->worker[i].received;
	unsigned long long n = now.msgs - before->msgs;

	ok(!traffic->worker[i].fault[0], "%s", chan);
	/* "pit" also counts messages of writers whose header happened to be valid. */
	ok(count && (i == PIT ? n >= count : n == count), "%s: %llu, %s; the card counted %llu",
	   chan, count, i == PIT ? "each taken" : "whole and in order", n);
	if (i == PIT)
		compared_well(chan);
	is(now.dropped == before->dropped || i == PIT, true, "none was dropped");
}

static void victims(void)
{
	struct nfp_chan_query before[VICTIMS];
	struct in_use used = in_use();
	pid_t writers[WRITERS];
	uintptr_t i;

	atomic_store(&sh->left, rounds);
	for (i = 0; i < VICTIMS; i++)
		before[i] = counters(victim_kinds[i].name);
	traffic_init(victim_kinds, VICTIMS, true, seed);
	traffic_start();
	/* The writers run as another user, without a privilege. */
	become(NOBODY);
	for (i = 0; i < WRITERS; i++)
		writers[i] = spawn(run_writer, (void *)i);
	become(0);
	for (i = 0; i < WRITERS; i++)
		is(reap(writers[i]), 0, "a writer ends by itself");
	traffic_stop();
	for (i = 0; i < VICTIMS; i++)
		victim_check(i, &before[i]);
	ok(sh->off > 0, "the card has turned off %u of %d pipes of the writers", sh->off,
	   rounds);
	nothing_left(&used, "after that");
}

int main(int argc, char **argv)
{
	if (argc > 1)
		seed = strtoull(argv[1], NULL, 0);
	if (argc > 2)
		rounds = atoi(argv[2]);
	users_init();
	card_start();
	alarm(0);
	sh = shared_memory(sizeof(*sh));
	printf("# seed %llu, %d rounds\n", (unsigned long long)seed, rounds);
	doorbells();
	headers();
	control();
	inline_page();
	read_only();
	victims();
	return tap_done();
}
