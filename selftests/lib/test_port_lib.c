// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_port_lib.c - the library's ports over the firmware: what a wait reports, a
 * select on channels of the port, asynchronous requests that complete on it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/eventfd.h>
#include "stream.h"
#include "stress_card.h"
#include "port_rig.h"
#include "ring_int.h"

static void test_wait(void **state)
{
	struct nfpchan_event ev[EVENTS];
	struct chan rx, tx, two;
	struct rig r;

	rig_start(&r, *state);
	assert_int_equal(nfpchan_port_wait(&r.port, ev, 0, NFPCHAN_NONBLOCK), -EINVAL);
	chan_on(&rx, &r, 0, CHAN_ID_TICK, 12);
	chan_on(&tx, &r, 1, CHAN_ID_PIT, 18);
	assert_null(told_of(&r));
	tick(&r);
	/* The port reports the channel as long as it has a message. */
	assert_ptr_equal(told_of(&r), &rx.ch);
	assert_ptr_equal(told_of(&r), &rx.ch);
	assert_int_equal(drain(&rx), 1);
	assert_null(told_of(&r));
	/* A channel to the NFP is reported once for each message taken. */
	assert_int_equal(nfpchan_send(&tx.ch, "x", 1, NFPCHAN_NONBLOCK), 0);
	assert_ptr_equal(told_of(&r), &tx.ch);
	assert_null(told_of(&r));
	/* With room for one event, each wait reports the next channel. */
	chan_on(&two, &r, 2, CHAN_ID_TICK, 12);
	tick(&r);
	tick(&r);
	wait_now(&r, ev, EVENTS);
	assert_int_equal(wait_now(&r, ev, EVENTS), 2);
	assert_int_equal(wait_now(&r, ev, 1), 1);
	assert_int_equal(wait_now(&r, ev + 1, 1), 1);
	assert_ptr_not_equal(ev[0].ch, ev[1].ch);
	assert_int_equal(drain(&rx) + drain(&two), 2);
	assert_int_equal(wait_now(&r, ev, EVENTS), -EAGAIN);
}

/* The library gives an element back before it reports it, so the card can write the next one. */
static void test_prefetch(void **state)
{
	struct fw_host *h = *state;
	struct chan rx;
	struct rig r;

	rig_start(&r, h);
	chan_on(&rx, &r, 0, CHAN_ID_TICK, 12);
	tick(&r);
	assert_ptr_equal(told_of(&r), &rx.ch);
	assert_int_equal(r.port.ch.ring.rung, r.port.ch.ring.pos);
	/* The next element comes while the caller receives. */
	assert_int_equal(drain(&rx), 1);
	tick(&r);
	assert_true(ring_moved(&r.port.ch.ring));
	assert_int_equal(irqs(&r.end) + irqs(&rx.end), 0);
}

static void test_close(void **state)
{
	struct chan rx, again;
	struct rig r;

	rig_start(&r, *state);
	for (unsigned int i = 0; i < 50; i++) {
		chan_on(&rx, &r, 0, CHAN_ID_TICK, 12);
		tick(&r);
		if (i % 3)
			assert_ptr_equal(told_of(&r), &rx.ch);
		tick(&r);
		chan_off(&rx);
		/* The closed channel's element is in the ring, and a new channel has its place. */
		chan_on(&again, &r, 0, CHAN_ID_TICK, 12);
		assert_null(told_of(&r));
		chan_off(&again);
	}
	/* The port closes first. */
	chan_on(&rx, &r, 0, CHAN_ID_TICK, 12);
	port_exit(&r.port);
	assert_null(rx.ch.port);
	tick(&r);
	assert_int_equal(drain(&rx), 1);
}

/* Elements with a cookie that the library never gave out are ignored. */
static void test_bad_cookies(void **state)
{
	static const uint64_t bad[] = { 0, 5, 1ull << 32 | 99, UINT64_MAX, 2ull << 32, 1 };
	enum { BAD = sizeof(bad) / sizeof(bad[0]) };
	struct fw_host *h = *state;
	struct chan rx[BAD], good;
	struct rig r;

	rig_start(&r, h);
	/* This channel has the first place; none of the bad cookies has its generation number. */
	chan_on(&good, &r, 20, CHAN_ID_ONCE, 12);
	assert_int_equal(good.ch.slot, 0);
	assert_int_equal(r.port.slots[0].gen, 1);
	for (unsigned int i = 0; i < BAD; i++) {
		end_open_on(&rx[i].end, h, i, CHAN_ID_TICK, 12, &r.end,
			    bad[i] == 1 ? r.port.slot_count : bad[i]);
		tick(&r);
	}
	for (unsigned int i = 0; i < BAD; i++)
		assert_null(told_of(&r));
	assert_int_equal(r.port.ch.ring.pos, 8 * BAD);
	chan_off(&good);
}

/* When the card has turned the port off, a wait fails, and its channels go on. */
static void test_port_fault(void **state)
{
	struct nfpchan_event ev[EVENTS];
	struct nfpchan_case c;
	struct chan rx;
	struct rig r;
	char buf[8];

	rig_start(&r, *state);
	chan_on(&rx, &r, 0, CHAN_ID_TICK, 12);
	end_doorbell(&r.end, RING_REG_DATA, 1);
	assert_int_equal(wait_now(&r, ev, EVENTS), -EIO);
	assert_int_equal(wait_now(&r, ev, EVENTS), -EIO);
	tick(&r);
	c = (struct nfpchan_case){ .ch = &rx.ch, .buf = buf, .len = 8, .guard = 1 };
	assert_int_equal(nfpchan_select(&c, 1, NFPCHAN_NONBLOCK), 0);
	assert_int_equal(c.ret, 8);
}

/*
 * When the card has turned the port off, all requests complete: with data that came, or with an
 * error.
 */
static void test_port_fault_async(void **state)
{
	struct nfpchan_event ev[EVENTS];
	struct nfpchan_async req[4];
	struct chan rx, tx;
	uint64_t count;
	struct rig r;

	rig_start(&r, *state);
	chan_on(&rx, &r, 0, CHAN_ID_TICK, 12);
	chan_on(&tx, &r, 1, CHAN_ID_PIT, 18);
	for (unsigned int i = 0; i < 3; i++)
		recv_start(&rx, &req[i], &count, sizeof(count));
	/* The message was sent, but the port could not report it. */
	send_start(&tx, &req[3], "x", 1);
	end_doorbell(&r.end, RING_REG_DATA, 1);
	fw_signal(r.h, CHAN_ID_TICK);
	assert_int_equal(wait_now(&r, ev, EVENTS), 2);
	assert_ptr_equal(ev[0].req == &req[0] ? ev[1].req : ev[0].req, &req[3]);
	assert_int_equal(req[0].ret, 8);
	assert_int_equal(wait_now(&r, ev, EVENTS), -EIO);
	chan_off(&rx);
	assert_int_equal(wait_now(&r, ev, EVENTS), 2);
	assert_int_equal(req[1].ret, -ECANCELED);
	assert_int_equal(req[2].ret, -ECANCELED);
	assert_int_equal(wait_now(&r, ev, EVENTS), -EIO);
}

/* ---- select ---- */

/*
 * A record need not show the last messages. A select that finds none asks for the next record, and
 * the next select finds them.
 */
static int select_asking(struct rig *r, struct nfpchan_case *cases, unsigned int n)
{
	int i;

	host_run(r->h->host);
	i = nfpchan_select(cases, n, NFPCHAN_NONBLOCK);
	if (i != -EAGAIN)
		return i;
	host_run(r->h->host);
	return nfpchan_select(cases, n, NFPCHAN_NONBLOCK);
}

static void test_select(void **state)
{
	unsigned int count[6] = { 0 };
	struct nfpchan_case cases[6];
	struct chan ctl, rx[6];
	struct rig r;
	char buf[64];
	int i;

	rig_start(&r, *state);
	chan_plain(&ctl, r.h, 30, CHAN_ID_LOAD_CTL, 12);
	for (i = 0; i < 6; i++) {
		chan_on(&rx[i], &r, (unsigned int)i, CHAN_ID_LOAD, 18);
		cases[i] = (struct nfpchan_case){ &rx[i].ch, buf, sizeof(buf), i != 5, 0 };
	}
	assert_int_equal(nfpchan_select(cases, 6, NFPCHAN_NONBLOCK), -EAGAIN);
	load(&ctl, 6 * 40);
	/* Of the channels that have messages, each is chosen in turn. */
	for (unsigned int n = 0; n < 5 * 40; n++) {
		i = select_asking(&r, cases, 6);
		assert_in_range(i, 0, 4);
		assert_int_equal(cases[i].ret, 16);
		count[i]++;
		for (int k = 0; n == 5 * 20 && k < 5; k++)
			assert_in_range(count[k], 17, 23);
	}
	assert_int_equal(nfpchan_select(cases, 6, NFPCHAN_NONBLOCK), -EAGAIN);
	/*
	 * A channel whose guard was 0 still has all its messages, and is chosen when its guard is
	 * set.
	 */
	cases[5].guard = 1;
	for (unsigned int n = 0; n < 40; n++)
		assert_int_equal(select_asking(&r, cases, 6), 5);
	assert_int_equal(nfpchan_select(cases, 6, NFPCHAN_NONBLOCK), -EAGAIN);
	for (i = 0; i < 6; i++)
		cases[i].guard = 0;
	assert_int_equal(nfpchan_select(cases, 6, NFPCHAN_NONBLOCK), -EINVAL);
}

/* A channel that is not on the port also has its turn; and no wait ends without a reason. */
static void test_select_mixed(void **state)
{
	struct nfpchan_case cases[2];
	unsigned int got[2] = { 0 };
	struct chan ctl, on, off;
	struct rig r;
	char buf[64];
	int i;

	rig_start(&r, *state);
	chan_plain(&ctl, r.h, 30, CHAN_ID_LOAD_CTL, 12);
	chan_on(&on, &r, 0, CHAN_ID_LOAD, 18);
	chan_plain(&off, r.h, 1, CHAN_ID_LOAD, 18);
	cases[0] = (struct nfpchan_case){ &on.ch, buf, sizeof(buf), 1, 0 };
	cases[1] = (struct nfpchan_case){ &off.ch, buf, sizeof(buf), 1, 0 };
	load(&ctl, 960);
	for (unsigned int n = 0; n < 960; n++) {
		i = select_asking(&r, cases, 2);
		assert_in_range(i, 0, 1);
		got[i]++;
		/* Its turn comes by chance, about 30 times until here. */
		if (n == 479)
			assert_true(got[1] > 0);
	}
	assert_int_equal(got[0], 480);
	assert_int_equal(got[1], 480);
	assert_int_equal(nfpchan_select(cases, 2, NFPCHAN_NONBLOCK), -EAGAIN);
}

/* ---- requests ---- */

/* The request that has completed, or NULL. */
static struct nfpchan_async *done(struct rig *r)
{
	struct nfpchan_event ev;
	int n = wait_now(r, &ev, 1);

	if (n == -EAGAIN)
		return NULL;
	assert_int_equal(n, 1);
	assert_non_null(ev.req);
	assert_ptr_equal(ev.req->ch, ev.ch);
	return ev.req;
}

static void test_recv_async(void **state)
{
	struct nfpchan_async req[6], *q;
	uint64_t buf[6][2];
	struct chan rx, other;
	struct rig r;

	rig_start(&r, *state);
	chan_on(&rx, &r, 0, CHAN_ID_TICK, 12);
	for (unsigned int i = 0; i < 6; i++)
		recv_start(&rx, &req[i], buf[i], i == 2 ? 4 : 8);
	assert_int_equal(nfpchan_send_async(&rx.ch, &req[0]), -EBADF);
	assert_null(done(&r));
	for (unsigned int i = 0; i < 2; i++) {
		tick(&r);
		assert_ptr_equal(done(&r), &req[i]);
		assert_int_equal(req[i].ret, 8);
		assert_int_equal(buf[i][0], i + 1);
		assert_null(done(&r));
	}
	/* The message does not fit into the buffer: the next request gets it. */
	tick(&r);
	assert_ptr_equal(done(&r), &req[2]);
	assert_int_equal(req[2].ret, -EMSGSIZE);
	assert_ptr_equal(done(&r), &req[3]);
	assert_int_equal(buf[3][0], 3);
	assert_null(done(&r));
	/*
	 * A request completes also if its message came earlier. Without a message none completes.
	 */
	tick(&r);
	tick(&r);
	tick(&r);
	assert_ptr_equal(done(&r), &req[4]);
	assert_ptr_equal(done(&r), &req[5]);
	assert_null(done(&r));
	assert_int_equal(nfpchan_recv_async(&rx.ch, &req[0]), 0);
	assert_ptr_equal(done(&r), &req[0]);
	assert_int_equal(buf[0][0], 6);
	/* A close completes the requests that are left, also one that had completed before. */
	tick(&r);
	for (unsigned int i = 0; i < 3; i++)
		assert_int_equal(nfpchan_recv_async(&rx.ch, &req[i]), 0);
	chan_off(&rx);
	for (unsigned int i = 0; i < 3; i++) {
		q = done(&r);
		assert_ptr_equal(q, &req[i]);
		assert_null(q->ch);
		assert_int_equal(q->ret, i ? -ECANCELED : 8);
	}
	chan_plain(&other, r.h, 0, CHAN_ID_TICK, 12);
	assert_int_equal(nfpchan_recv_async(&other.ch, &req[0]), -EOPNOTSUPP);
}

static void test_recv_async_end(void **state)
{
	struct nfpchan_async req[3];
	struct chan once;
	struct rig r;
	char buf[8];

	rig_start(&r, *state);
	chan_on(&once, &r, 0, CHAN_ID_ONCE, 12);
	for (unsigned int i = 0; i < 3; i++)
		recv_start(&once, &req[i], buf, 8);
	fw_signal(r.h, CHAN_ID_ONCE);
	for (unsigned int i = 0; i < 3; i++) {
		assert_ptr_equal(done(&r), &req[i]);
		assert_int_equal(req[i].ret, i ? -EPIPE : 8);
	}
}

/* Sends for which there is no room yet complete as the ME process takes messages. */
static void test_send_async(void **state)
{
	struct nfpchan_async req[80];
	struct chan tx, rx;
	unsigned int n = 0, got = 0;
	uint8_t msg[80][4], buf[2048];
	struct rig r;

	rig_start(&r, *state);
	chan_on(&tx, &r, 0, CHAN_ID_ECHO_IN, 12);
	chan_on(&rx, &r, 1, CHAN_ID_ECHO_OUT, 12);
	for (unsigned int i = 0; i < 80; i++) {
		memset(msg[i], (int)i, 4);
		send_start(&tx, &req[i], msg[i], i == 40 ? 4096 : 4);
	}
	for (unsigned int idle = 0; (n < 80 || got < 79) && idle < 1000; idle++) {
		struct nfpchan_event ev[EVENTS];
		int events = wait_now(&r, ev, EVENTS);

		for (int i = 0; i < events; i++) {
			if (ev[i].ch == &tx.ch) {
				assert_ptr_equal(ev[i].req, &req[n]);
				assert_int_equal(req[n].ret, n == 40 ? -EMSGSIZE : 0);
				n++;
				continue;
			}
			while (nfpchan_recv(&rx.ch, buf, sizeof(buf), NFPCHAN_NONBLOCK) == 4) {
				assert_int_equal(buf[0], got < 40 ? got : got + 1);
				got++;
			}
		}
	}
	assert_int_equal(n, 80);
	assert_int_equal(got, 79);
	/* Nothing was armed, so there was no interrupt. */
	assert_int_equal(irqs(&tx.end) + irqs(&rx.end) + irqs(&r.end), 0);
}

/* Rendezvous sends: each completes when its message was received, in order. */
static void test_rendezvous_async(void **state)
{
	struct nfpchan_async req[4];
	struct chan tx, rx;
	struct rig r;
	char buf[256];

	rig_start(&r, *state);
	chan_plain(&rx, r.h, 1, CHAN_ID_RV_OUT, 12);
	chan_on(&tx, &r, 0, CHAN_ID_RV_IN, 12);
	for (unsigned int i = 0; i < 4; i++)
		send_start(&tx, &req[i], &"abcd"[i], 1);
	/* The ME process has taken the first message, and waits until its answer is received. */
	assert_ptr_equal(done(&r), &req[0]);
	assert_null(done(&r));
	for (unsigned int i = 0; i < 3; i++) {
		assert_int_equal(nfpchan_recv(&rx.ch, buf, sizeof(buf), NFPCHAN_NONBLOCK), 1);
		assert_int_equal(buf[0], 'a' + (int)i);
		assert_ptr_equal(done(&r), &req[i + 1]);
		assert_int_equal(req[i + 1].ret, 0);
		assert_null(done(&r));
	}
}

static void test_stream_async(void **state)
{
	static uint8_t in[100000], out[100000];
	struct nfpchan_async send, recv;
	struct chan tx, rx;
	size_t got = 0;
	struct rig r;

	rig_start(&r, *state);
	chan_on(&tx, &r, 0, CHAN_ID_LOOP_IN, 12);
	chan_on(&rx, &r, 1, CHAN_ID_LOOP_OUT, 12);
	for (size_t i = 0; i < sizeof(in); i++)
		in[i] = (uint8_t)(i * 31 >> 3);
	send_start(&tx, &send, in, sizeof(in));
	recv_start(&rx, &recv, out, sizeof(out));
	send.user = &send;
	for (unsigned int i = 0; got < sizeof(in) && i < 10000; i++) {
		struct nfpchan_async *q = done(&r);

		if (!q)
			continue;
		assert_true(q->ret >= 0);
		if (q == &send) {
			send.user = NULL;
			continue;
		}
		got += (size_t)q->ret;
		if (got < sizeof(out))
			recv_start(&rx, &recv, out + got, sizeof(out) - got);
	}
	assert_null(send.user);
	assert_int_equal(got, sizeof(in));
	assert_memory_equal(in, out, sizeof(in));
}

/* ---- who is woken ---- */

#define WOKEN_NS	(slowly(5) * 1000000000ll)

/* Start a port whose waits can sleep. */
static void sleepers_start(struct rig *r, struct fw_host *h)
{
	rig_start(r, h);
	r->port.wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	r->port.ch.wake = r->port.wake_fd + 1;
	r->port.ch.policy.watch = WATCH_SPIN;
	r->port.ch.policy.spin_ns = 0;
}

/* A wait that has found nothing and is about to sleep. */
static void sleeper(struct rig *r, struct pause *p)
{
	*p = (struct pause){ .timeout = WOKEN_NS };
	assert_int_equal(port_select(&r->port, NULL, 0, p), -EAGAIN);
}

/* Its sleep ends at once, as there was a wake-up, and not by the timeout. */
static void woken(struct rig *r, struct pause *p)
{
	assert_int_equal(port_pause(&r->port, p), 0);
	assert_false(p->expired);
}

static void rests(struct rig *r)
{
	eventfd_t count;

	assert_int_equal(r->port.waiting, 0);
	assert_int_equal(eventfd_read(r->port.wake_fd, &count), -1);
	port_exit(&r->port);
}

/* A wake-up for one wait is not lost when other calls look at the port first. */
static void test_wake_other(void **state)
{
	struct nfpchan_async req;
	struct nfpchan_case c;
	struct chan tx, rx;
	struct pause p;
	struct rig r;
	char buf[8];

	sleepers_start(&r, *state);
	chan_on(&tx, &r, 0, CHAN_ID_PIT, 18);
	chan_on(&rx, &r, 1, CHAN_ID_TICK, 12);
	sleeper(&r, &p);
	send_start(&tx, &req, "x", 1);
	c = (struct nfpchan_case){ .ch = &rx.ch, .buf = buf, .len = 8, .guard = 1 };
	for (unsigned int i = 0; i < 3; i++)
		assert_int_equal(nfpchan_select(&c, 1, NFPCHAN_NONBLOCK), -EAGAIN);
	woken(&r, &p);
	assert_ptr_equal(done(&r), &req);
	rests(&r);
}

/*
 * Another wait has seen that the card failed. A wait that sleeps is woken, as the card will not
 * wake it.
 */
static void test_wake_fault(void **state)
{
	struct nfpchan_event ev[EVENTS];
	struct pause p;
	struct rig r;

	sleepers_start(&r, *state);
	sleeper(&r, &p);
	end_doorbell(&r.end, RING_REG_DATA, 1);
	assert_int_equal(wait_now(&r, ev, EVENTS), -EIO);
	woken(&r, &p);
	rests(&r);
}

/* One wake-up for two waits wakes both. */
static void test_wake_all(void **state)
{
	struct nfpchan_async req[2];
	struct pause p[3];
	struct chan rx;
	struct rig r;
	char buf[8];

	sleepers_start(&r, *state);
	chan_on(&rx, &r, 0, CHAN_ID_TICK, 12);
	for (unsigned int i = 0; i < 2; i++) {
		recv_start(&rx, &req[i], buf, 8);
		sleeper(&r, &p[i]);
	}
	chan_off(&rx);
	woken(&r, &p[0]);
	assert_ptr_equal(done(&r), &req[0]);
	/* A third wait that begins meanwhile does not take the wake-up of the second. */
	sleeper(&r, &p[2]);
	woken(&r, &p[2]);
	woken(&r, &p[1]);
	assert_ptr_equal(done(&r), &req[1]);
	rests(&r);
}

/* ---- threads ---- */

#define THREAD_CHANS	6
#define THREAD_MSGS	6000

static struct stress_card card;
static struct nfpchan_port shared;
static struct port *shared_pipe, *pipes[THREAD_CHANS];

/* Receive from all channels of the port, and sleep when there is no message. */
static void receive_all(void)
{
	struct nfpchan_event ev[2];
	unsigned int received = 0;
	char buf[64];
	int n;

	while (received < THREAD_MSGS) {
		n = nfpchan_port_wait(&shared, ev, 2, NFPCHAN_NONBLOCK);
		must(n > 0 || n == -EAGAIN);
		for (int i = 0; i < n; i++)
			while (nfpchan_recv(ev[i].ch, buf, sizeof(buf), NFPCHAN_NONBLOCK) == 16)
				received++;
		if (n == -EAGAIN && !nfpchan_arm(&shared.ch)) {
			struct timespec until;

			clock_gettime(CLOCK_REALTIME, &until);
			until.tv_sec += STRESS_WAKE_S;
			must(!sem_timedwait(&shared_pipe->irq, &until));
		}
	}
	assert_int_equal(received, THREAD_MSGS);
}

static void *requester(void *arg)
{
	struct port *ctl = arg;

	for (unsigned int sent = 0; sent < THREAD_MSGS; sent += 20) {
		struct load_req req = { .count = 20, .size = 16, .target = LOAD_LOAD };

		must(!nfpchan_send(&ctl->ch, &req, sizeof(req), NFPCHAN_FOREVER));
	}
	return NULL;
}

/* A thread that sleeps only on the port, while messages come: no wake-up is lost. */
static void test_thread(void **state)
{
	pthread_t thread;
	struct port *ctl;

	stress_start(&card);
	shared_pipe = port_start(&card, (struct nfp_chan_fw_req){
		.pipe = PORT, .chan = NFP_CHAN_ID_PORT, .ring_shift = 12 }, 0);
	shared.ch = shared_pipe->ch;
	shared.ch.lock = (struct lock){ 0 };
	port_init(&shared, -1);
	for (unsigned int i = 0; i < THREAD_CHANS; i++) {
		struct nfp_chan_fw_req req = {
			.pipe = (uint16_t)i, .chan = CHAN_ID_LOAD, .ring_shift = 18,
			.port = PORT + 1,
		};
		uint64_t cookie;

		must(!port_reserve(&shared, 0, &cookie));
		req.cookie = cookie;
		pipes[i] = port_start(&card, req, 0);
		port_attach(&shared, cookie, &pipes[i]->ch);
	}
	ctl = port_open(&card, 30, CHAN_ID_LOAD_CTL, 12, 0, 0);
	pthread_create(&thread, NULL, requester, ctl);
	receive_all();
	pthread_join(thread, NULL);
	/* No channel raised an interrupt of its own. */
	for (unsigned int i = 0; i < THREAD_CHANS; i++)
		assert_int_equal(irqs(&pipes[i]->end), 0);
	stress_quiet(&card);
	fw_host_stop(&card.h);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		T(test_wait),
		T(test_prefetch),
		T(test_close),
		T(test_bad_cookies),
		T(test_port_fault),
		T(test_port_fault_async),
		T(test_select),
		T(test_select_mixed),
		T(test_recv_async),
		T(test_recv_async_end),
		T(test_send_async),
		T(test_rendezvous_async),
		T(test_stream_async),
		T(test_wake_other),
		T(test_wake_fault),
		T(test_wake_all),
		cmocka_unit_test(test_thread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
