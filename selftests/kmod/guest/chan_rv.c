// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * chan_rv.c - rendezvous, in both directions. A send returns after the receiver has taken the
 * message, and not before. A message is delivered if its send succeeded. It is not delivered if
 * its send was given up, also if giving up races with the receiver.
 *
 * The ME process "rv" receives a message on rv-in and sends it back on rv-out. Both channels are
 * rendezvous, so the process takes the next message only after the host has received on rv-out.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include "chan_test.h"

#define LEN	64
#define TURNS	50
#define RACES	400
#define END	0xffffff	/* number of a message that ends a race */

static struct shared {
	atomic_uint started;		/* number of the send that was begun last */
	atomic_uint done;		/* number of the send that returned last */
	atomic_uint receiving;		/* number of the message that the receiver is about to take */
	atomic_uint delay;		/* loops for which the receiver waits before it receives */
	unsigned int seen[TURNS + 1];	/* value of @receiving when send n returned */
	bool delivered[RACES + 1];
} *sh;

/*
 * Open and close a channel. The firmware answers, and handles work in order, so after the answer it
 * has finished the work for all earlier messages.
 */
static void fence(void)
{
	int i;

	for (i = 0; i < 3; i++)
		nfpchan_close(chan_start("pour", 0));
}

/* Send a message that the process takes and holds, until the host receives it on rv-out. */
static void hold(struct nfpchan *tx, uint32_t seq)
{
	if (stamp_send(tx, LEN, 1, seq, WAIT_NS))
		give_up("rv-in", "the process takes no message");
}

/* ---- order ---- */

static void run_turns(void *arg)
{
	struct nfpchan *ch = chan_start("rv-in", NO_SPIN);
	uint32_t n;

	(void)arg;
	for (n = 1; n <= TURNS; n++) {
		sh->started = n;
		if (stamp_send(ch, LEN, 1, n, NFPCHAN_FOREVER))
			_exit(1);
		sh->seen[n] = sh->receiving;
		sh->done = n;
	}
	nfpchan_close(ch);
}

/* Send n must return when the process has passed on message n - 1, and not before. */
static void order_to_nfp(void)
{
	struct nfp_chan_query before = counters("rv-in");
	unsigned int n, early = 0, late = 0, stuck = 0;
	pid_t pid = spawn(run_turns, NULL);
	struct nfpchan *rx = chan_start("rv-out", 0);

	for (n = 1; n <= TURNS; n++) {
		if (nfpchan_wait(rx, WAIT_NS))
			give_up("rv-out", "nothing comes");
		/* The process has sent message n back, so send n returns and send n + 1 begins. */
		if (n < TURNS)
			stuck += !UNTIL(sh->started == n + 1 && sleeping_in(pid) == SYS_ppoll);
		fence();
		late += n < TURNS && sh->done != n;
		late += counters("rv-in").msgs - before.msgs != n;
		sh->receiving = n;
		if (!stamp_is(stamp_recv(rx), 1, n))
			break;
	}
	is(n - 1, TURNS, "to the NFP: all messages are received in order");
	is(reap(pid), 0, "the sender has ended");
	for (n = 1; n <= TURNS; n++)
		early += sh->seen[n] < n - 1;
	is(early, 0, "no send returned before its message was taken");
	is(late, 0, "no send returned while the process held the message before it");
	is(stuck, 0, "each of those sends slept");
	nfpchan_close(rx);
}

/* The card's process must not send a message before the host has taken the one before it. */
static void order_to_host(void)
{
	struct nfpchan *a = chan_start("load-rv", 0), *b = chan_start("load-rv", 0), *first;
	struct nfp_chan_query before = counters("load-rv");
	unsigned int n, early = 0;
	const void *data;
	ssize_t len;

	load_ask(LOAD_RV, TURNS, LEN, 21);
	for (n = 1; n <= TURNS; n++) {
		if (!UNTIL(events_of(nfpchan_fd(a), POLLIN, 0) ||
			   events_of(nfpchan_fd(b), POLLIN, 0)))
			give_up("load-rv", "nothing comes");
		first = events_of(nfpchan_fd(a), POLLIN, 0) ? a : b;
		len = nfpchan_borrow(first, &data, NFPCHAN_NONBLOCK);
		if (len < 0 || load_seq(data, len, LEN, 21) != n)
			break;
		fence();
		early += nfpchan_wait(a, NFPCHAN_NONBLOCK) != -EAGAIN;
		early += nfpchan_wait(b, NFPCHAN_NONBLOCK) != -EAGAIN;
		early += counters("load-rv").msgs - before.msgs != n;
		nfpchan_release(first, 1);
	}
	is(n - 1, TURNS, "to the host: all messages are received in order");
	is(early, 0,
	   "no message was sent to either receiver while the one before it was not taken");
	is(counters("load-rv").dropped - before.dropped, 0, "none was dropped");
	nfpchan_close(a);
	nfpchan_close(b);
}

/* While the load process waits for its message to be taken, it handles no other request. */
static void sender_waits(void)
{
	struct load_req r = {
		.count = htole32(1), .size = htole32(LEN),
		.target = htole32(LOAD_LOAD), .token = htole32(23),
	};
	struct nfpchan *rv = chan_start("load-rv", 0), *load = chan_start("load", 0);
	struct nfpchan *ctl = chan_start("load-ctl", 0);
	const void *data;
	char buf[MSG_MAX];

	load_ask(LOAD_RV, 1, LEN, 22);
	is(nfpchan_borrow(rv, &data, WAIT_NS), LEN, "to the host: a message, borrowed");
	nfpchan_send(ctl, &r, sizeof(r), WAIT_NS);
	fence();
	is(nfpchan_drain(ctl, NFPCHAN_NONBLOCK), -EAGAIN,
	   "the process waits until the message is taken");
	is(nfpchan_recv(load, buf, sizeof(buf), NFPCHAN_NONBLOCK), -EAGAIN,
	   "the process does not handle its next request");
	is(nfpchan_release(rv, 1), 0, "the message is given back");
	is(load_recv(load, LEN, 23), 1, "the process goes on with its next request");
	is(nfpchan_drain(ctl, WAIT_NS), 0, "that request has been taken");
	nfpchan_close(rv);
	nfpchan_close(load);
	nfpchan_close(ctl);
}

/* ---- giving up ---- */

static void give_up_waiting(void)
{
	struct nfpchan *tx = chan_start("rv-in", 0), *rx;
	struct nfp_chan_query q, before = counters("rv-in");
	unsigned int i, bad = 0;
	char buf[MSG_MAX];

	hold(tx, 1);
	is(stamp_send(tx, LEN, 1, 2, 5000000), -ETIMEDOUT,
	   "the process takes no message: a send with a timeout expires");
	is(stamp_send(tx, LEN, 1, 3, NFPCHAN_NONBLOCK), -EAGAIN,
	   "the process takes no message: non-blocking send: EAGAIN");
	is(nfpchan_drain(tx, NFPCHAN_NONBLOCK), 0, "no message is under way after that");
	is(events_of(nfpchan_fd(tx), POLLOUT, 0), POLLOUT, "poll: POLLOUT");
	for (i = 0; i < 100; i++)
		bad += stamp_send(tx, i, 1, 4, i & 1 ? 1000 : NFPCHAN_NONBLOCK) !=
		       (i & 1 ? -ETIMEDOUT : -EAGAIN);
	is(bad, 0, "100 more sends are given up");
	fence();
	q = counters("rv-in");
	is(q.msgs - before.msgs, 1, "none of them was taken");
	is(q.dropped - before.dropped, 0, "none counts as dropped");

	rx = chan_start("rv-out", 0);
	is(nfpchan_recv(rx, buf, 1, WAIT_NS), -EMSGSIZE, "receive into too small a buffer");
	ok(stamp_is(stamp_recv(rx), 1, 1), "the message that the process took is received");
	is(nfpchan_recv(rx, buf, sizeof(buf), NFPCHAN_NONBLOCK), -EAGAIN,
	   "no further message: EAGAIN");
	is(nfpchan_recv(rx, buf, sizeof(buf), 1000000), -ETIMEDOUT,
	   "receive with a timeout: ETIMEDOUT");
	is(stamp_send(tx, LEN, 1, 5, WAIT_NS), 0, "another message is sent");
	ok(stamp_is(stamp_recv(rx), 1, 5), "that message is received next");
	nfpchan_close(tx);
	is(counters("rv-in").dropped - before.dropped, 0, "closing the channel dropped no message");
	nfpchan_close(rx);
}

/* The process waits for a message and send() may spin: a non-blocking send succeeds. */
static void offer(void)
{
	struct nfpchan *tx = chan_start("rv-in", SPIN_LONG), *rx = chan_start("rv-out", 0);

	is(stamp_send(tx, LEN, 1, 6, NFPCHAN_NONBLOCK), 0, "non-blocking, the process waits: taken");
	ok(stamp_is(stamp_recv(rx), 1, 6), "the message is received");
	nfpchan_close(tx);
	nfpchan_close(rx);
}

/* ---- races ---- */

/*
 * struct skew - the delay of one side of a race, relative to the other side
 *
 * After each round the delay changes towards the other outcome. The step doubles while the outcome
 * stays the same, so both outcomes happen on a machine of any speed.
 */
struct skew {
	int at;
	int step;
	bool later;
};

static void skew_move(struct skew *s, bool later)
{
	s->step = later != s->later ? 1000 : s->step < 500000 ? 2 * s->step : s->step;
	s->later = later;
	s->at += later ? s->step : -s->step;
}

static void pause_for(unsigned int loops)
{
	while (loops--)
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
}

static void run_receive(void *arg)
{
	struct nfpchan *ch = chan_start("rv-out", 0);
	struct stamp s;

	(void)arg;
	sh->started = 1;
	while (pause_for(sh->delay), (s = stamp_recv(ch)).seq != END) {
		if (s.seq > RACES || sh->delivered[s.seq])
			_exit(1);
		sh->delivered[s.seq] = true;
	}
	nfpchan_close(ch);
}

/*
 * Let a sender's timeout race with the receiver. A skew above 0 is the sender's timeout in ns; one
 * below 0 is the receiver's delay in loops.
 */
static void race_timeout(void)
{
	struct nfpchan *tx;
	unsigned int i, sent = 0, given_up = 0, wrong = 0, other = 0;
	struct skew skew = { .at = 200000, .step = 1000 };
	int ret[RACES + 1];
	pid_t pid;

	memset(sh, 0, sizeof(*sh));
	pid = spawn(run_receive, NULL);
	tx = chan_start("rv-in", 0);
	if (!UNTIL(sh->started))
		give_up("rv-out", "not opened");
	for (i = 1; i <= RACES; i++) {
		sh->delay = skew.at < 0 ? -skew.at : 0;
		ret[i] = stamp_send(tx, LEN, 1, i, skew.at > 0 ? skew.at : 1);
		skew_move(&skew, ret[i] != 0);
	}
	sh->delay = 0;
	hold(tx, END);
	is(reap(pid), 0, "race with a time that expires: no message was received twice");
	for (i = 1; i <= RACES; i++) {
		sent += ret[i] == 0;
		given_up += ret[i] == -ETIMEDOUT;
		other += ret[i] && ret[i] != -ETIMEDOUT;
		if (ret[i] && ret[i] != -ETIMEDOUT)
			printf("# message %u: %s\n", i, strerror(-ret[i]));
		wrong += (ret[i] == 0) != sh->delivered[i];
	}
	is(wrong, 0, "the delivered messages are those whose send succeeded");
	is(other, 0, "each was sent or timed out");
	ok(sent >= 20 && given_up >= 20,
	   "sends that succeed and sends that time out: %u sent, %u given up", sent, given_up);
	nfpchan_close(tx);
}

/* ---- write() and the cancel ioctl ---- */

static struct race {
	int tx;
	struct nfpchan *rx;
	pid_t tid;			/* thread id of the writer */
	atomic_uint next;		/* number of the message that the writer may write */
	atomic_uint written;		/* number of the last message whose write() has returned */
	int ret;			/* result of that write(): 0 or -errno */
	atomic_uint go;			/* number of the message that the receiver may receive */
	atomic_uint received;		/* number of the last message that the receiver tried */
	struct stamp got;		/* stamp of the received message */
	unsigned int delay;		/* loops that the receiver waits before it receives */
} race;

static void *writer(void *arg)
{
	uint8_t buf[LEN];
	uint32_t n;

	race.tid = syscall(SYS_gettid);
	for (n = 1; n <= RACES; n++) {
		if (!UNTIL(race.next >= n))
			give_up("race", "no turn");
		msg_fill(buf, LEN, 1, n);
		race.ret = write(race.tx, buf, LEN) == LEN ? 0 : -errno;
		race.written = n;
	}
	return arg;
}

static void *receiver(void *arg)
{
	unsigned int round = 0;

	for (;;) {
		if (!UNTIL(race.go > round))
			give_up("race", "no round");
		round = race.go;
		if (round > RACES)
			return arg;
		pause_for(race.delay);
		race.got = stamp_recv(race.rx);
		race.received = round;
	}
}

static int cancel(int fd, uint32_t seq)
{
	return ioctl(fd, NFP_CHAN_IOC_CANCEL, ARG(cancel, .seq = seq)) ? -errno : 0;
}

/*
 * Offer message @n while the process holds message @held. The receiver takes @held, so the
 * process takes @n, while this cancels @n. Return 1 if @n was delivered, 0 if it was cancelled,
 * and -1 if the results of cancel and write() do not fit together.
 */
static int cancel_once(unsigned int n, unsigned int held, unsigned int delay)
{
	int ret;

	race.next = n;
	if (!UNTIL(sleeping_in(race.tid) == SYS_write))
		give_up("race", "write() does not wait");
	race.go = n;
	pause_for(delay);
	ret = cancel(race.tx, n);
	if (!UNTIL(race.written == n && race.received == n))
		give_up("race", "a call does not return");
	if (!stamp_is(race.got, 1, held))
		return -1;
	if (ret == 0 && race.ret == -ECANCELED)
		return 0;
	if (ret == -EALREADY && race.ret == 0)
		return 1;
	printf("# message %u: cancel %d, write %d\n", n, ret, race.ret);
	return -1;
}

/* The process is free, so it takes message @n at once, and then holds the message. */
static void write_held(unsigned int n)
{
	race.next = n;
	if (!UNTIL(race.written == n) || race.ret)
		give_up("race", "the process takes no message");
}

static void race_cancel(void)
{
	unsigned int n = 1, held = 0, count[2] = { 0, 0 }, bad = 0;
	struct nfp_chan_query before = counters("rv-in");
	pthread_t w, r;
	struct skew skew = { .step = 1000 };
	int ret;

	race.tx = chan_must(nfpchan_card_fd(card), "rv-in", 0);
	race.rx = chan_start("rv-out", 0);
	if (pthread_create(&w, NULL, writer, NULL) || pthread_create(&r, NULL, receiver, NULL))
		die("pthread_create");
	while (n <= RACES) {
		if (!held) {
			write_held(n);
			held = n++;
			continue;
		}
		race.delay = skew.at < 0 ? -skew.at : 0;
		ret = cancel_once(n, held, skew.at > 0 ? skew.at : 0);
		if (ret < 0) {
			bad++;
			break;
		}
		count[ret]++;
		skew_move(&skew, ret == 0);
		held = ret ? n : 0;
		n++;
	}
	is(bad, 0, "race with cancel: write() and cancel agree with what is received");
	ok(count[0] >= 20 && count[1] >= 20,
	   "cancels that succeed and cancels that are late: %u cancelled, %u delivered",
	   count[0], count[1]);
	is(counters("rv-in").msgs - before.msgs, n - 1 - count[0],
	   "the card counted the delivered messages");
	is(counters("rv-in").dropped - before.dropped, 0, "the card counted none as dropped");
	if (bad)
		give_up("race", "the rest makes no sense");
	race.go = RACES + 1;
	pthread_join(w, NULL);
	pthread_join(r, NULL);
	if (held)
		ok(stamp_is(stamp_recv(race.rx), 1, held), "the last message is received");
	is(cancel(race.tx, n), -ENOMSG, "cancel of a message that was never sent: ENOMSG");
	close(race.tx);
	nfpchan_close(race.rx);
}

int main(void)
{
	struct in_use used;

	card_start();
	sh = shared_memory(sizeof(*sh));
	used = in_use();
	order_to_nfp();
	order_to_host();
	sender_waits();
	give_up_waiting();
	offer();
	race_timeout();
	race_cancel();
	nothing_left(&used, "rendezvous");
	return tap_done();
}
