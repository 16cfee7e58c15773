// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_stress.c - everything at once for STRESS seconds (5): messages from many senders to many
 * receivers that open and close, inline and not, borrowed and in batches; a rendezvous whose
 * sends are cancelled; streams of bytes and of elements; a select. The library runs in many
 * threads, the emulated card in one. Everything that is received must be as it was sent, once and
 * in order, and everything else must be counted as lost; sleepers must be woken.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <unistd.h>

#include "test_apps.h"
#include "random.h"
#include "stress_card.h"
#include "stream.h"

#define SENDERS		3
#define RECEIVERS	3
#define MSG_MAX		2048
#define UIDS		4096	/* senders that a receiver distinguishes, a power of 2 */

/* Numbers of the pipes */
enum {
	PIPE_TX,
	PIPE_RX = PIPE_TX + SENDERS,
	PIPE_RV_IN = PIPE_RX + RECEIVERS,
	PIPE_RV_OUT,
	PIPE_BYTES_IN,
	PIPE_BYTES_OUT,
	PIPE_ELEM_IN,
	PIPE_ELEM_OUT,
	PIPE_LOAD_CTL,
	PIPE_LOAD,
	PIPE_TICK,
};

static struct stress_card card;
static atomic_bool stopping;	/* no worker begins anything new */
static atomic_bool leaving;	/* workers that receive from others end */
static atomic_uint uids;
static atomic_ulong sent, received, lost, inlined;
static atomic_ulong offered, delivered, taken_back, rv_received;
static atomic_ulong streamed, elements, selected;

struct worker {
	unsigned int index;
	uint64_t random;
	pthread_t thread;
	struct port *port;	/* the port that is still open at the end */
};

static uint32_t rnd(struct worker *w, uint32_t n)
{
	return random_below(&w->random, n);
}

/* ---- messages ---- */

/* @sum covers all other bytes, also @uid, @n and @len. */
struct msg {
	uint32_t sum;
	uint32_t uid;
	uint32_t n;
	uint32_t len;
};

static uint32_t checksum(const uint8_t *p, size_t len)
{
	uint32_t sum = 2166136261u;

	while (len--)
		sum = (sum ^ *p++) * 16777619;
	return sum;
}

static void msg_make(uint8_t *buf, uint32_t uid, uint32_t n, uint32_t len)
{
	struct msg m = { 0, uid, n, len };

	memcpy(buf, &m, sizeof(m));
	for (uint32_t i = sizeof(m); i < len; i++)
		buf[i] = (uint8_t)((uid * 31 + n) * 17 + i * 7 + (i >> 8));
	m.sum = checksum(buf + sizeof(m.sum), len - sizeof(m.sum));
	memcpy(buf, &m.sum, sizeof(m.sum));
}

static struct msg msg_check(const uint8_t *buf, size_t len)
{
	struct msg m;

	must(len >= sizeof(m));
	memcpy(&m, buf, sizeof(m));
	must(m.len == len);
	must(m.sum == checksum(buf + sizeof(m.sum), len - sizeof(m.sum)));
	return m;
}

static void send_one(struct worker *w, struct port *p, uint32_t uid, uint32_t n)
{
	uint8_t buf[MSG_MAX];
	uint32_t len = sizeof(struct msg) + rnd(w, rnd(w, 2) ? 64 : MSG_MAX - sizeof(struct msg));
	uint64_t before = p->ch.ring.count.inlined;
	bool in_place = rnd(w, 4) == 0;
	void *to;
	int err;

	if (!in_place)
		msg_make(buf, uid, n, len);
	for (;;) {
		if (in_place)
			err = nfpchan_reserve(&p->ch, &to, len, NFPCHAN_NONBLOCK);
		else
			err = nfpchan_send(&p->ch, buf, len, NFPCHAN_NONBLOCK);
		if (err != -EAGAIN)
			break;
		if (rnd(w, 2))
			port_nap(p, true);
		else
			sched_yield();
	}
	must(!err);
	atomic_fetch_add(&inlined, p->ch.ring.count.inlined - before);
	if (in_place) {
		msg_make(to, uid, n, len);
		must(!nfpchan_commit(&p->ch, len));
	}
	atomic_fetch_add(&sent, 1);
}

static void *sender(void *arg)
{
	struct worker *w = arg;

	while (!atomic_load(&stopping)) {
		unsigned int pipe = PIPE_TX + w->index;
		uint32_t uid = atomic_fetch_add(&uids, 1), most = 1 + rnd(w, 4000);
		struct port *p = port_open(&card, pipe, CHAN_ID_ECHO_IN, 12 + rnd(w, 5),
					   1 + w->index, rnd(w, 3) * 64);

		for (uint32_t n = 1; n <= most && !atomic_load(&stopping); n++)
			send_one(w, p, uid, n);
		while (rnd(w, 4) && ring_taken(&p->ch.ring, p->ch.ring.pos) == -EAGAIN)
			port_nap(p, false);
		atomic_fetch_add(&lost, port_close(p));
	}
	return NULL;
}

/* The last message of each sender, to check their order */
struct seen {
	uint32_t uid[UIDS];
	uint32_t n[UIDS];
};

static void msg_received(struct seen *s, const uint8_t *buf, size_t len)
{
	struct msg m = msg_check(buf, len);
	uint32_t at = m.uid % UIDS;

	must(m.uid < atomic_load(&uids));
	must(s->uid[at] != m.uid || m.n > s->n[at]);
	s->uid[at] = m.uid;
	s->n[at] = m.n;
	atomic_fetch_add(&received, 1);
}

/* Receive some messages: borrow several, or copy them one by one. */
static unsigned int receive_some(struct worker *w, struct port *p, struct seen *s)
{
	unsigned int most = 1 + rnd(w, 8), n;
	uint8_t buf[MSG_MAX];
	const void *data[8];
	size_t size[8];
	ssize_t len = 0;

	if (rnd(w, 2)) {
		for (n = 0; n < most; n++) {
			len = nfpchan_borrow(&p->ch, &data[n], NFPCHAN_NONBLOCK);
			if (len < 0)
				break;
			size[n] = (size_t)len;
			msg_received(s, data[n], size[n]);
		}
		/* Check again: the card must not have overwritten borrowed messages. */
		if (n && rnd(w, 2))
			sched_yield();
		for (unsigned int i = 0; i < n; i++)
			msg_check(data[i], size[i]);
		must(!nfpchan_release(&p->ch, n));
	} else {
		for (n = 0; n < most; n++) {
			len = nfpchan_recv(&p->ch, buf, sizeof(buf), NFPCHAN_NONBLOCK);
			if (len < 0)
				break;
			msg_received(s, buf, (size_t)len);
		}
	}
	must(len >= 0 || len == -EAGAIN);
	return n;
}

static void *receiver(void *arg)
{
	struct worker *w = arg;
	struct seen *s = malloc(sizeof(*s));

	must(s);
	/* The last port stays open, and test_all() receives what is left there. */
	for (;;) {
		unsigned int left = 1 + rnd(w, 5000), n;

		memset(s, 0xff, sizeof(*s));
		w->port = port_open(&card, PIPE_RX + w->index, CHAN_ID_ECHO_OUT, 12 + rnd(w, 5),
				    0, 0);
		while (left && !atomic_load(&leaving)) {
			n = receive_some(w, w->port, s);
			left -= n < left ? n : left;
			if (n)
				continue;
			if (rnd(w, 2))
				port_nap(w->port, !atomic_load(&stopping));
			else
				sched_yield();
		}
		if (atomic_load(&leaving))
			break;
		atomic_fetch_add(&lost, port_close(w->port));
	}
	free(s);
	return NULL;
}

/* ---- rendezvous whose sends are cancelled ---- */

/* withdrawn[n % UIDS] is n if message n of the rendezvous was cancelled */
static _Atomic uint32_t withdrawn[UIDS];

static int cancel(struct port *p, uint32_t seq)
{
	struct nfp_chan_fw_req req = {
		.cmd = NFP_CHAN_FW_CMD_CANCEL,
		.pipe = (uint16_t)p->end.index,
		.msg_seq = seq,
	};
	int status;

	card_lock(&card);
	port_drain(p);
	status = fw_request(&card.h, &req);
	card_unlock(&card);
	return status;
}

static void *rv_sender(void *arg)
{
	struct worker *w = arg;
	struct port *p = port_open(&card, PIPE_RV_IN, CHAN_ID_RV_IN, 12, 1 + SENDERS, 72);
	uint8_t buf[256];
	uint32_t n;

	for (n = 1; !atomic_load(&stopping); n++) {
		uint32_t len = sizeof(struct msg) + rnd(w, 200), tries = rnd(w, 1 + rnd(w, 200));
		uint64_t end;
		int err;

		msg_make(buf, 0, n, len);
		must(!ring_put(&p->ch.ring, buf, len));
		atomic_fetch_add(&offered, 1);
		end = p->ch.ring.pos;
		while ((err = ring_taken(&p->ch.ring, end)) == -EAGAIN && tries--)
			sched_yield();
		if (!err) {
			atomic_fetch_add(&delivered, 1);
			continue;
		}
		must(err == -EAGAIN);
		err = cancel(p, p->ch.ring.seq);
		must(err == NFP_CHAN_FW_OK || err == NFP_CHAN_FW_TAKEN);
		/* The card has written the record before the answer. */
		must(!ring_taken(&p->ch.ring, end));
		if (err == NFP_CHAN_FW_OK) {
			atomic_store(&withdrawn[n % UIDS], n);
			atomic_fetch_add(&taken_back, 1);
		} else {
			atomic_fetch_add(&delivered, 1);
		}
	}
	w->port = p;
	return NULL;
}

static bool rv_receive(struct port *p, uint32_t *last)
{
	uint8_t buf[256];
	ssize_t len = nfpchan_recv(&p->ch, buf, sizeof(buf), NFPCHAN_NONBLOCK);
	struct msg m;

	must(len >= 0 || len == -EAGAIN);
	if (len < 0)
		return false;
	m = msg_check(buf, (size_t)len);
	must(m.n > *last);
	must(atomic_load(&withdrawn[m.n % UIDS]) != m.n);
	*last = m.n;
	atomic_fetch_add(&rv_received, 1);
	return true;
}

static void *rv_receiver(void *arg)
{
	struct worker *w = arg;
	uint32_t last = 0;

	w->port = port_open(&card, PIPE_RV_OUT, CHAN_ID_RV_OUT, 12, 0, 0);
	while (!atomic_load(&leaving))
		if (!rv_receive(w->port, &last))
			port_nap(w->port, !atomic_load(&stopping));
	w->index = last;
	return NULL;
}

/* ---- streams ---- */

static void bytes_check(const uint8_t *data, size_t len, uint64_t pos)
{
	for (size_t i = 0; i < len; i++)
		must(data[i] == byte_at(pos + i));
}

static void *bytes_sender(void *arg)
{
	struct worker *w = arg;
	struct port *p = port_open(&card, PIPE_BYTES_IN, CHAN_ID_LOOP_IN, 14, 0, 0);
	uint8_t buf[5000];
	uint64_t pos = 0;

	while (!atomic_load(&stopping)) {
		size_t len = 1 + rnd(w, sizeof(buf)), done = 0;

		for (size_t i = 0; i < len; i++)
			buf[i] = byte_at(pos + i);
		while (done < len) {
			ssize_t n = nfpchan_write(&p->ch, buf + done, len - done, NFPCHAN_NONBLOCK);

			must(n > 0 || n == -EAGAIN);
			if (n > 0)
				done += (size_t)n;
			else
				port_nap(p, true);
		}
		pos += len;
		atomic_store(&streamed, pos);
	}
	w->port = p;
	return NULL;
}

static size_t bytes_receive(struct worker *w, struct port *p, uint64_t *pos)
{
	uint8_t buf[3000];
	const void *data;
	ssize_t n;

	if (rnd(w, 2)) {
		n = nfpchan_read(&p->ch, buf, 1 + rnd(w, sizeof(buf)), NFPCHAN_NONBLOCK);
		if (n > 0)
			bytes_check(buf, (size_t)n, *pos);
	} else {
		n = nfpchan_peek(&p->ch, &data, NFPCHAN_NONBLOCK);
		if (n > 0) {
			n = 1 + rnd(w, (uint32_t)n);
			bytes_check(data, (size_t)n, *pos);
			must(!nfpchan_consume(&p->ch, (size_t)n));
		}
	}
	must(n > 0 || n == -EAGAIN);
	if (n < 0)
		return 0;
	*pos += (uint64_t)n;
	return (size_t)n;
}

static uint64_t bytes_pos;	/* position of the receiver */

static void *bytes_receiver(void *arg)
{
	struct worker *w = arg;

	w->port = port_open(&card, PIPE_BYTES_OUT, CHAN_ID_LOOP_OUT, 13, 0, 0);
	while (!atomic_load(&leaving))
		if (!bytes_receive(w, w->port, &bytes_pos))
			port_nap(w->port, !atomic_load(&stopping));
	return NULL;
}

/* Send elements and receive them back in one thread, on the fast path of ring_alone(). */
static void *elements_both(void *arg)
{
	struct worker *w = arg;
	struct port *tx = port_open(&card, PIPE_ELEM_IN, CHAN_ID_LOOP64_IN, 13, 0, 0);
	struct port *rx = port_open(&card, PIPE_ELEM_OUT, CHAN_ID_LOOP64_OUT, 13, 0, 0);
	uint64_t in = 0, out = 0;
	uint8_t buf[40 * 64];

	ring_alone(&rx->ch.ring, true);
	while (!atomic_load(&stopping) || out < in) {
		ssize_t n = 1 + rnd(w, 40);

		for (ssize_t i = 0; i < n * 64; i++)
			buf[i] = byte_at(in + (uint64_t)i);
		if (!atomic_load(&stopping)) {
			n = nfpchan_send_many(&tx->ch, buf, (size_t)n, NFPCHAN_NONBLOCK);
			must(n > 0 || n == -EAGAIN);
			in += n > 0 ? (uint64_t)n * 64 : 0;
		}
		if (rnd(w, 2)) {
			n = nfpchan_recv_many(&rx->ch, buf, 40, NFPCHAN_NONBLOCK);
		} else {
			n = nfpchan_recv(&rx->ch, buf, 64, NFPCHAN_NONBLOCK);
			n = n == 64 ? 1 : n;
		}
		must(n > 0 || n == -EAGAIN);
		if (n > 0) {
			bytes_check(buf, (size_t)n * 64, out);
			out += (uint64_t)n * 64;
		} else {
			sched_yield();
		}
	}
	atomic_store(&elements, out / 64);
	must(!port_close(tx));
	must(!port_close(rx));
	return NULL;
}

/* ---- select ---- */

static void load_check(const uint8_t *buf, ssize_t len, struct load_req *req, uint64_t *seq)
{
	struct load_msg m;

	memcpy(&m, buf, sizeof(m));
	must(len == (ssize_t)req->size);
	must(m.seq == ++*seq && m.token == req->token);
	for (ssize_t i = sizeof(m); i < len; i++)
		must(buf[i] == (uint8_t)(m.seq + (uint64_t)i));
}

static void *selector(void *arg)
{
	struct worker *w = arg;
	struct port *ctl = port_open(&card, PIPE_LOAD_CTL, CHAN_ID_LOAD_CTL, 12, 0, 0);
	struct port *load = port_open(&card, PIPE_LOAD, CHAN_ID_LOAD, 14, 0, 0);
	struct port *tick = port_open(&card, PIPE_TICK, CHAN_ID_TICK, 12, 0, 0);
	struct load_req req = { 0 };
	struct echo_count count;
	uint64_t seq = 0, ticks = 0;
	uint8_t buf[2048];

	while (!atomic_load(&stopping) || seq < req.count) {
		struct nfpchan_case c[] = {
			{ .ch = &load->ch, .buf = buf, .len = sizeof(buf), .guard = true },
			{ .ch = &tick->ch, .buf = &count, .len = sizeof(count), .guard = true },
			{ .ch = &ctl->ch, .guard = seq == req.count },
		};
		int i = nfpchan_select(c, 3, NFPCHAN_NONBLOCK);

		must((i >= 0 && c[i].ret >= 0) || i == -EAGAIN);
		if (i == 0) {
			load_check(buf, c[0].ret, &req, &seq);
			atomic_fetch_add(&selected, 1);
		} else if (i == 1) {
			must(count.count > ticks);
			ticks = count.count;
		} else if (i == 2) {
			req = (struct load_req){ 1 + rnd(w, 300), 16 + rnd(w, 2032), LOAD_LOAD, rnd(w, ~0u) };
			seq = 0;
			must(!nfpchan_send(&ctl->ch, &req, sizeof(req), NFPCHAN_NONBLOCK));
			card_lock(&card);
			fw_signal(&card.h, CHAN_ID_TICK);
			card_unlock(&card);
		} else {
			sched_yield();
		}
	}
	must(ticks);
	must(!port_close(ctl));
	must(!port_close(load));
	port_close(tick);
	return NULL;
}

/* ---- the test ---- */

static void worker_start(struct worker *w, void *(*fn)(void *arg), unsigned int index)
{
	static uint64_t seed;

	if (!seed)
		seed = random_seed(1);
	*w = (struct worker){ .index = index, .random = random_mix(&seed) };
	assert_int_equal(pthread_create(&w->thread, NULL, fn, w), 0);
}

static unsigned int seconds(void)
{
	const char *s = getenv("STRESS");
	int n = s ? atoi(s) : 0;

	return n > 0 ? (unsigned int)n : 5;
}

/* Wake all sleepers, so that they look at the flags. */
static void wake_all(void)
{
	card_lock(&card);
	for (unsigned int i = 0; i < NFP_CHAN_FW_PIPE_MAX; i++)
		if (card.ports[i])
			sem_post(&card.ports[i]->irq);
	card_unlock(&card);
}

static void drain(struct worker *rx, struct worker *rv, struct worker *bytes)
{
	static struct seen s[RECEIVERS];
	unsigned long before;
	uint32_t last = rv->index;

	memset(s, 0xff, sizeof(s));
	do {
		before = atomic_load(&received) + atomic_load(&rv_received) + bytes_pos;
		card_drain(&card);
		host_run(card.h.host);
		for (unsigned int i = 0; i < RECEIVERS; i++)
			while (receive_some(&rx[i], rx[i].port, &s[i]))
				;
		while (rv_receive(rv->port, &last))
			;
		while (bytes_receive(bytes, bytes->port, &bytes_pos))
			;
	} while (before != atomic_load(&received) + atomic_load(&rv_received) + bytes_pos);
}

static void test_all(void **state)
{
	struct worker tx[SENDERS], rx[RECEIVERS], other[6];
	struct nfp_chan_fw_stat in, out;

	stress_start(&card);
	for (unsigned int i = 0; i < RECEIVERS; i++)
		worker_start(&rx[i], receiver, i);
	worker_start(&other[0], rv_receiver, 0);
	worker_start(&other[1], bytes_receiver, 0);
	worker_start(&other[2], rv_sender, 0);
	worker_start(&other[3], bytes_sender, 0);
	worker_start(&other[4], elements_both, 0);
	worker_start(&other[5], selector, 0);
	for (unsigned int i = 0; i < SENDERS; i++)
		worker_start(&tx[i], sender, i);

	/* On a slow machine go on until each kind of traffic has carried something. */
	sleep(seconds());
	while (!inlined || !taken_back || !streamed || !selected || !card.naps)
		usleep(10000);
	atomic_store(&stopping, true);
	for (unsigned int i = 0; i < SENDERS; i++)
		pthread_join(tx[i].thread, NULL);
	for (unsigned int i = 2; i < 6; i++)
		pthread_join(other[i].thread, NULL);
	atomic_store(&leaving, true);
	wake_all();
	for (unsigned int i = 0; i < RECEIVERS; i++)
		pthread_join(rx[i].thread, NULL);
	for (unsigned int i = 0; i < 2; i++)
		pthread_join(other[i].thread, NULL);
	stress_quiet(&card);
	drain(rx, &other[0], &other[1]);

	print_message("# messages: %lu sent (%lu inline), %lu received, %lu lost at closes of pipes\n",
		      sent, inlined, received, lost);
	print_message("# rendezvous: %lu offered, %lu delivered, %lu cancelled\n",
		      offered, delivered, taken_back);
	print_message("# streams: %lu bytes, %lu elements; %lu messages selected; %u ends; %lu naps\n",
		      streamed, elements, selected, uids, card.naps);
	assert_int_equal(sent, received + lost);
	assert_int_equal(offered, delivered + taken_back);
	assert_int_equal(delivered, rv_received);
	assert_int_equal(streamed, bytes_pos);
	in = fw_stat(&card.h, CHAN_ID_ECHO_IN);
	out = fw_stat(&card.h, CHAN_ID_ECHO_OUT);
	assert_int_equal(in.dropped + out.dropped, lost);
	assert_int_equal(out.msgs, received + out.dropped);
	assert_int_equal(card.h.host->faults, 0);
	fw_host_stop(&card.h);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
