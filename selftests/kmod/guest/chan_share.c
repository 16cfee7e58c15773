// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * chan_share.c - channels that processes share: two channels at once, two receivers, two
 * senders, and two of each. No message is lost, doubled, altered or out of order.
 */
#define _GNU_SOURCE
#include "chan_test.h"

#define EACH	1500		/* messages that each sender sends */
#define NR	2		/* number of senders, and of receivers */
#define ROUNDS	6		/* requests to the load process */
#define PER	500		/* messages that each request asks for */

/**
 * struct shared - state that the processes of a test share
 * @want: number of messages that all receivers together must get
 * @total: messages received so far
 * @stop: eventfd, signalled when all messages have come
 * @ready: eventfd, counts the receivers that have opened their channel
 * @count: messages of each receiver
 * @bad: messages of each receiver that were not whole
 * @log: sender << 24 | number of each message, in the order received; 0 for empty messages
 */
static struct shared {
	unsigned int want;
	atomic_uint total;
	int stop;
	int ready;
	unsigned int count[NR];
	unsigned int bad[NR];
	uint32_t log[NR][NR * EACH];
} *sh;

static const uint32_t load_sizes[ROUNDS] = { 16, 17, 56, 57, 1000, MSG_MAX };

/* ---- processes ---- */

static void run_sender(void *arg)
{
	struct nfpchan *ch = chan_start("echo-in", 0);
	uint32_t sender = (uintptr_t)arg, seq;

	for (seq = 1; seq <= EACH; seq++)
		if (stamp_send(ch, msg_size(sender, seq, MSG_MAX), sender, seq, WAIT_NS))
			give_up("echo-in", "send");
	if (nfpchan_drain(ch, WAIT_NS))
		give_up("echo-in", "drain");
	nfpchan_close(ch);
}

/* Return the log entry of a message (@log of struct shared). */
static uint32_t note_stamp(const uint8_t *buf, ssize_t n, bool *whole)
{
	struct stamp s;

	*whole = msg_whole(buf, n, &s) &&
		 n == (n ? msg_size(s.sender, s.seq, MSG_MAX) : 0);
	return s.sender << 24 | s.seq;
}

static uint32_t note_load(const uint8_t *buf, ssize_t n, bool *whole)
{
	uint32_t round;
	uint64_t seq = 0;

	for (round = 0; round < ROUNDS && !seq; round++)
		seq = load_seq(buf, n, load_sizes[round], round + 1);
	*whole = seq != 0;
	return round << 24 | seq;
}

/**
 * struct receiver - arguments of a receiver
 * @id: index in the arrays of struct shared
 * @chan: its channel
 * @note: return the log entry of a message, and set @whole if the message is whole
 */
struct receiver {
	int id;
	const char *chan;
	uint32_t (*note)(const uint8_t *buf, ssize_t n, bool *whole);
};

/* Receive until all receivers together have received all messages. */
static void run_receiver(void *arg)
{
	const struct receiver *r = arg;
	struct nfpchan *ch = chan_start(r->chan, 0);
	struct pollfd p[2] = {
		{ .fd = nfpchan_fd(ch), .events = POLLIN },
		{ .fd = sh->stop, .events = POLLIN },
	};
	uint8_t buf[MSG_MAX];
	unsigned int at = 0;
	bool whole;
	ssize_t n;

	eventfd_write(sh->ready, 1);
	while (!(p[1].revents & POLLIN)) {
		n = nfpchan_recv(ch, buf, sizeof(buf), NFPCHAN_NONBLOCK);
		if (n == -EAGAIN && poll(p, 2, WAIT_MS) > 0)
			continue;
		if (n < 0 || at == NR * EACH)
			give_up(r->chan, n < 0 ? "nothing came" : "too many messages");
		sh->log[r->id][at] = r->note(buf, n, &whole);
		sh->bad[r->id] += !whole;
		sh->count[r->id] = ++at;
		if (atomic_fetch_add(&sh->total, 1) + 1 == sh->want)
			eventfd_write(sh->stop, 1);
	}
	nfpchan_close(ch);
}

static void share_init(unsigned int want)
{
	memset(sh, 0, sizeof(*sh));
	sh->want = want;
	sh->stop = eventfd(0, EFD_CLOEXEC);
	sh->ready = eventfd(0, EFD_CLOEXEC | EFD_SEMAPHORE);
	if (sh->stop < 0 || sh->ready < 0)
		die("eventfd");
}

static void share_exit(void)
{
	close(sh->stop);
	close(sh->ready);
}

/* Start @nr processes that receive from @chan; return when all of them have it open. */
static void receivers_start(struct receiver *r, pid_t *pids, unsigned int nr, const char *chan,
			    uint32_t (*note)(const uint8_t *buf, ssize_t n, bool *whole))
{
	eventfd_t one;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		r[i] = (struct receiver){ .id = i, .chan = chan, .note = note };
		pids[i] = spawn(run_receiver, &r[i]);
	}
	for (i = 0; i < nr; i++)
		if (!(events_of(sh->ready, POLLIN, WAIT_MS) & POLLIN) ||
		    eventfd_read(sh->ready, &one))
			give_up(chan, "no receiver");
}

static unsigned int failures(const pid_t *pids, unsigned int nr)
{
	unsigned int i, bad = 0;

	for (i = 0; i < nr; i++)
		bad += reap(pids[i]) != 0;
	return bad;
}

/* ---- checks of what the receivers logged ---- */

static int by_value(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* Count the messages whose number is not larger than the last one of the same sender. */
static unsigned int disorder(unsigned int nr)
{
	uint32_t last[256], i, k, v;
	unsigned int bad = 0;

	for (i = 0; i < nr; i++) {
		memset(last, 0, sizeof(last));
		for (k = 0; k < sh->count[i]; k++) {
			v = sh->log[i][k];
			bad += v && v <= last[v >> 24];
			if (v)
				last[v >> 24] = v;
		}
	}
	return bad;
}

/* Collect all receivers' log entries in @all, sorted; return their number. */
static unsigned int gather(uint32_t *all, unsigned int nr)
{
	unsigned int i, n = 0;

	for (i = 0; i < nr; i++) {
		memcpy(all + n, sh->log[i], sh->count[i] * sizeof(*all));
		n += sh->count[i];
	}
	qsort(all, n, sizeof(*all), by_value);
	return n;
}

static int wants_stamps(uint32_t *want, unsigned int senders)
{
	unsigned int n = 0;
	uint32_t s, seq;

	for (s = 1; s <= senders; s++)
		for (seq = 1; seq <= EACH; seq++)
			want[n++] = msg_size(s, seq, MSG_MAX) ? s << 24 | seq : 0;
	qsort(want, n, sizeof(*want), by_value);
	return n;
}

static int wants_load(uint32_t *want)
{
	unsigned int n = 0;
	uint32_t round, seq;

	for (round = 1; round <= ROUNDS; round++)
		for (seq = 1; seq <= PER; seq++)
			want[n++] = round << 24 | seq;
	return n;
}

static void verdict(const uint32_t *want, unsigned int n, unsigned int receivers)
{
	static uint32_t all[NR * NR * EACH];
	unsigned int got = gather(all, receivers), i;

	is(sh->bad[0] + sh->bad[1], 0, "all messages are whole");
	if (!ok(got == n && !memcmp(all, want, n * sizeof(*want)),
		"each of %u messages came exactly once", n)) {
		for (i = 0; i < got && i < n && all[i] == want[i]; i++)
			;
		printf("# %u came; in order of numbers, place %u: %x, want %x\n", got, i,
		       i < got ? all[i] : 0, i < n ? want[i] : 0);
	}
	is(disorder(receivers), 0, "the messages of each sender are in order");
	if (receivers > 1)
		ok(sh->count[0] && sh->count[1], "each receiver got messages");
}

/* ---- tests ---- */

/* Run senders and receivers through the ME process that sends each message back. */
static void around_echo(unsigned int senders, unsigned int receivers)
{
	struct nfp_chan_query in = counters("echo-in"), out = counters("echo-out");
	static uint32_t want[NR * EACH];
	struct in_use used = in_use();
	struct receiver r[NR];
	pid_t rx[NR], tx[NR];
	uintptr_t i;
	int n = wants_stamps(want, senders);

	printf("# %u senders, %u receivers\n", senders, receivers);
	share_init(senders * EACH);
	receivers_start(r, rx, receivers, "echo-out", note_stamp);
	for (i = 0; i < senders; i++)
		tx[i] = spawn(run_sender, (void *)(i + 1));
	is(failures(tx, senders), 0, "the senders ended without an error");
	is(failures(rx, receivers), 0, "the receivers ended without an error");
	verdict(want, n, receivers);
	is(counters("echo-in").msgs - in.msgs, n, "the card counted all messages to the NFP");
	is(counters("echo-out").msgs - out.msgs, n, "the card counted all messages to the host");
	is(counters("echo-in").dropped + counters("echo-out").dropped -
	   in.dropped - out.dropped, 0, "nothing was dropped");
	share_exit();
	nothing_left(&used, "after that");
}

static void ask_rounds(void)
{
	uint32_t round;

	for (round = 0; round < ROUNDS; round++)
		load_ask(LOAD_LOAD, PER, load_sizes[round], round + 1);
}

static void two_receivers(void)
{
	struct nfp_chan_query before = counters("load");
	static uint32_t want[ROUNDS * PER];
	struct in_use used = in_use();
	struct receiver r[NR];
	pid_t rx[NR];
	int n = wants_load(want);

	printf("# the load process, 2 receivers\n");
	share_init(n);
	receivers_start(r, rx, NR, "load", note_load);
	ask_rounds();
	is(failures(rx, NR), 0, "the receivers ended without an error");
	verdict(want, n, NR);
	is(counters("load").msgs - before.msgs, n, "the card counted all messages");
	is(counters("load").dropped - before.dropped, 0, "nothing was dropped");
	share_exit();
	nothing_left(&used, "after that");
}

/* Send messages of all sizes and receive them back. Up to 8 messages are under way at a time. */
static void run_sizes(void *arg)
{
	struct nfpchan *tx = chan_start("echo-in", 0), *rx = chan_start("echo-out", 0);
	uint8_t in[MSG_MAX], out[MSG_MAX];
	uint32_t sent = 0, got = 0;
	unsigned int i;

	(void)arg;
	while (got <= MSG_MAX) {
		for (; sent <= MSG_MAX && sent < got + 8; sent++) {
			for (i = 0; i < sent; i++)
				out[i] = mix(sent) + i * 13;
			if (nfpchan_send(tx, out, sent, WAIT_NS))
				give_up("echo-in", "send");
		}
		if (nfpchan_recv(rx, in, sizeof(in), WAIT_NS) != got)
			give_up("echo-out", "wrong size");
		for (i = 0; i < got; i++)
			if (in[i] != (uint8_t)(mix(got) + i * 13))
				give_up("echo-out", "wrong contents");
		got++;
	}
	nfpchan_close(tx);
	nfpchan_close(rx);
}

/* One process uses the echo process's channels while another uses the load process's. */
static void two_channels(void)
{
	static uint32_t want[ROUNDS * PER];
	struct in_use used = in_use();
	struct receiver r[1];
	pid_t sizes, rx[1];
	int n = wants_load(want);

	printf("# two processes on two channels at once\n");
	share_init(n);
	receivers_start(r, rx, 1, "load", note_load);
	sizes = spawn(run_sizes, NULL);
	ask_rounds();
	is(failures(&sizes, 1), 0, "every size from 0 to 2048 comes back as it was");
	is(failures(rx, 1), 0, "the receiver of the load process ended without an error");
	verdict(want, n, 1);
	share_exit();
	nothing_left(&used, "after that");
}

int main(void)
{
	card_start();
	sh = shared_memory(sizeof(*sh));
	two_channels();
	two_receivers();
	around_echo(1, 1);
	around_echo(2, 1);
	around_echo(2, 2);
	return tap_done();
}
