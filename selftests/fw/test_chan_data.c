// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_chan_data.c - the firmware carries messages in both directions. */
#include "fw_load.h"

#define OK	NFP_CHAN_FW_OK

static void fill(uint8_t *buf, size_t len, unsigned int seed)
{
	for (size_t i = 0; i < len; i++)
		buf[i] = (uint8_t)(seed * 31 + i * 7);
}

/* Echo every size through a small ring, so that messages wrap at every offset. */
static void echo_all_sizes(void **state)
{
	struct fw_host *h = *state;
	struct nfp_chan_fw_stat stat;
	uint8_t msg[2048], buf[2048];
	uint64_t bytes = 0;
	struct fw_pipe in, out;

	assert_int_equal(fw_open(&in, h, 0, CHAN_ID_ECHO_IN, 12), OK);
	assert_int_equal(fw_open(&out, h, 1, CHAN_ID_ECHO_OUT, 12), OK);
	for (unsigned int len = 0; len <= 2048; len++) {
		fill(msg, len, len);
		fw_send_run(&in, msg, len);
		assert_int_equal(fw_recv(&out, buf, sizeof(buf)), len);
		assert_memory_equal(msg, buf, len);
		fw_ring(&out);
		bytes += len;
	}
	assert_int_equal(in.note->pos, in.pos);
	assert_int_equal(in.note->seq, 2049);
	assert_int_equal(in.note->state, NFP_CHAN_STATE_OPEN);
	assert_int_equal(fw_stat(h, CHAN_ID_ECHO_IN).msgs, 2049);
	assert_int_equal(fw_stat(h, CHAN_ID_ECHO_IN).bytes, bytes);
	stat = fw_stat(h, CHAN_ID_ECHO_OUT);
	assert_int_equal(stat.msgs, 2049);
	assert_int_equal(stat.bytes, bytes);
	assert_int_equal(stat.dropped, 0);
	assert_int_equal(fw_irqs(&in) + fw_irqs(&out), 0);
	assert_int_equal(h->host->faults, 0);
}

/* Rings above 512 KiB have units larger than 8 bytes. */
static void large_units(void **state)
{
	struct fw_host *h = *state;
	struct fw_pipe in, out;
	uint8_t buf[2048] = { 0 }, got[2048];

	assert_int_equal(fw_open(&in, h, 0, CHAN_ID_ECHO_IN, 22), OK);
	assert_int_equal(fw_open(&out, h, 1, CHAN_ID_ECHO_OUT, 22), OK);
	/* More than one fill of the ring, so that positions wrap */
	for (unsigned int i = 0; out.pos < 5u << 20; i++) {
		fill(buf, i % 2000, i);
		fw_send_run(&in, buf, i % 2000);
		assert_int_equal(fw_recv(&out, got, sizeof(got)), i % 2000);
		assert_memory_equal(got, buf, i % 2000);
		fw_ring(&out);
	}
	assert_int_equal(out.note->pos % 64, 0);
}

/*
 * With policy "wait", the sender stops when the ring holds as many messages as the channel's
 * depth, goes on when there is room, and loses nothing.
 */
static void full_waits(void **state)
{
	struct fw_host *h = *state;
	struct fw_pipe ctl, out;
	uint64_t seq = 0;

	assert_int_equal(fw_open(&ctl, h, 0, CHAN_ID_LOAD_CTL, 12), OK);
	assert_int_equal(fw_open(&out, h, 1, CHAN_ID_LOAD, 18), OK);
	load(&ctl, 200, 2048, LOAD_LOAD);
	fw_look(&out);
	assert_int_equal(out.note->seq, 64);
	assert_int_equal(fw_stat(h, CHAN_ID_LOAD).stalled, 1);
	while (seq < 200) {
		assert_int_equal(load_next(&out, 2048), ++seq);
		fw_ring_run(&out);
		assert_int_equal(out.note->seq, seq + 64 < 200 ? seq + 64 : 200);
	}
	assert_int_equal(fw_stat(h, CHAN_ID_LOAD).msgs, 200);
	assert_int_equal(fw_stat(h, CHAN_ID_LOAD).dropped, 0);
}

/*
 * The depth limits bytes: depth times the largest message. More messages fit if they are smaller.
 */
static void depth_in_bytes(void **state)
{
	struct fw_host *h = *state;
	struct fw_pipe ctl, out;

	assert_int_equal(fw_open(&ctl, h, 0, CHAN_ID_LOAD_CTL, 12), OK);
	assert_int_equal(fw_open(&out, h, 1, CHAN_ID_LOAD, 19), OK);
	load(&ctl, 100000, 24, LOAD_LOAD);
	fw_look(&out);
	assert_int_equal(out.note->pos, 64 * 2056 / 32 * 32);
	/* If the ring is smaller than these bytes, the ring's size is the limit. */
	assert_int_equal(fw_close(&out), OK);
	assert_int_equal(fw_open(&out, h, 1, CHAN_ID_LOAD, 12), OK);
	host_run(h->host);
	fw_look(&out);
	assert_int_equal(out.note->pos, 4096);
}

static void full_drops(void **state)
{
	struct fw_host *h = *state;
	struct nfp_chan_fw_stat stat;
	struct fw_pipe ctl, out;
	uint64_t last = 0;

	assert_int_equal(fw_open(&ctl, h, 0, CHAN_ID_LOAD_CTL, 12), OK);
	load(&ctl, 10, 100, LOAD_POUR);
	stat = fw_stat(h, CHAN_ID_POUR);
	assert_int_equal(stat.dropped, 10);	/* no receiver */
	assert_int_equal(fw_open(&out, h, 1, CHAN_ID_POUR, 14), OK);
	load(&ctl, 100, 2048, LOAD_POUR);
	fw_look(&out);
	assert_int_equal(out.note->seq, 4);
	for (int i = 0; i < 4; i++)
		last = load_next(&out, 2048);
	assert_int_equal(last, 4);
	stat = fw_stat(h, CHAN_ID_POUR);
	assert_int_equal(stat.msgs, 4);
	assert_int_equal(stat.dropped, 106);
	assert_int_equal(stat.stalled, 0);
	fw_ring(&out);
	load(&ctl, 1, 2048, LOAD_POUR);
	assert_int_equal(load_next(&out, 2048), 1);
}

/* Without a receiver the sender waits. It goes on when the first pipe is opened. */
static void no_receiver_waits(void **state)
{
	struct fw_host *h = *state;
	struct fw_pipe ctl, out, in, echo;
	uint8_t buf[64] = { 0 };

	assert_int_equal(fw_open(&ctl, h, 0, CHAN_ID_LOAD_CTL, 12), OK);
	load(&ctl, 3, 100, LOAD_LOAD);
	assert_int_equal(fw_stat(h, CHAN_ID_LOAD).stalled, 1);
	/* Another channel still works. */
	assert_int_equal(fw_open(&in, h, 2, CHAN_ID_ECHO_IN, 12), OK);
	assert_int_equal(fw_open(&echo, h, 3, CHAN_ID_ECHO_OUT, 12), OK);
	fw_send_run(&in, buf, sizeof(buf));
	assert_int_equal(fw_recv(&echo, buf, sizeof(buf)), sizeof(buf));
	assert_int_equal(fw_open(&out, h, 1, CHAN_ID_LOAD, 14), OK);
	fw_look(&out);
	for (uint64_t i = 1; i <= 3; i++)
		assert_int_equal(load_next(&out, 100), i);
}

static void two_receivers(void **state)
{
	struct fw_host *h = *state;
	struct fw_pipe ctl, out[2];
	unsigned int got[2] = { 0 };
	uint8_t seen[101] = { 0 };

	assert_int_equal(fw_open(&ctl, h, 0, CHAN_ID_LOAD_CTL, 12), OK);
	for (int i = 0; i < 2; i++)
		assert_int_equal(fw_open(&out[i], h, 1 + i, CHAN_ID_LOAD, 17), OK);
	load(&ctl, 100, 100, LOAD_LOAD);
	for (int i = 0; i < 2; i++) {
		uint64_t last = 0;

		fw_look(&out[i]);
		while (out[i].note->pos != out[i].pos) {
			uint64_t seq = load_next(&out[i], 100);

			assert_true(seq > last);
			assert_int_equal(seen[seq]++, 0);
			last = seq;
			got[i]++;
		}
	}
	assert_int_equal(got[0], 50);
	assert_int_equal(got[1], 50);
	/*
	 * The card sends to the pipe with fewer outstanding bytes: pipe 1 has not given room back.
	 */
	fw_ring(&out[0]);
	load(&ctl, 20, 100, LOAD_LOAD);
	fw_look(&out[0]);
	fw_look(&out[1]);
	assert_int_equal(out[1].note->seq, 50);
	assert_int_equal(out[0].note->seq, 70);
}

/*
 * The card takes messages from two senders in turn, and each sender's messages in order. In the
 * modes of HAL_SWAP, the card may learn of one sender's messages later, so the turns are uneven.
 */
static void two_senders(void **state)
{
	struct fw_host *h = *state;
	struct fw_pipe in[2], out;
	uint8_t seq[2] = { 0 }, buf[2048];

	for (unsigned int i = 0; i < 2; i++)
		assert_int_equal(fw_open(&in[i], h, i, CHAN_ID_ECHO_IN, 14), OK);
	assert_int_equal(fw_open(&out, h, 2, CHAN_ID_ECHO_OUT, 14), OK);
	for (uint8_t n = 1; n <= 50; n++) {
		for (uint8_t i = 0; i < 2; i++) {
			uint8_t msg[2] = { i, n };

			fw_send(&in[i], msg, sizeof(msg));
		}
	}
	host_run(h->host);
	fw_look(&out);
	for (int n = 0; n < 100; n++) {
		assert_int_equal(fw_recv(&out, buf, sizeof(buf)), 2);
		if (hal_swap_get() == HAL_SWAP_WAIT)
			assert_int_equal(buf[0], n & 1);
		assert_in_range(buf[0], 0, 1);
		assert_int_equal(buf[1], ++seq[buf[0]]);
	}
}

/*
 * A rendezvous to the host: the ME process sends the next message only when the host gives room
 * back.
 */
static void rendezvous_to_host(void **state)
{
	struct fw_host *h = *state;
	struct fw_pipe ctl, out;

	assert_int_equal(fw_open(&ctl, h, 0, CHAN_ID_LOAD_CTL, 12), OK);
	assert_int_equal(fw_open(&out, h, 1, CHAN_ID_LOAD_RV, 12), OK);
	load(&ctl, 50, 40, LOAD_RV);
	for (uint64_t i = 1; i <= 50; i++) {
		assert_int_equal(out.note->seq, i);
		assert_int_equal(load_next(&out, 40), i);
		fw_ring_run(&out);
	}
	assert_int_equal(out.note->seq, 50);
}

/*
 * A rendezvous to the NFP: a message counts as taken when the ME process receives it. The process
 * "rv" sends each message back before it receives the next.
 */
static void rendezvous_to_nfp(void **state)
{
	struct fw_host *h = *state;
	uint8_t msg[8] = "message", buf[8];
	struct fw_pipe in, out;

	assert_int_equal(fw_open(&in, h, 0, CHAN_ID_RV_IN, 12), OK);
	fw_send_run(&in, msg, sizeof(msg));
	assert_int_equal(in.note->seq, 1);
	/* The process now waits in its send, so it does not take the second message. */
	fw_send_run(&in, msg, sizeof(msg));
	assert_int_equal(in.note->seq, 1);
	assert_int_equal(fw_open(&out, h, 1, CHAN_ID_RV_OUT, 12), OK);
	host_run(h->host);
	assert_int_equal(in.note->seq, 1);
	assert_int_equal(fw_recv(&out, buf, sizeof(buf)), sizeof(msg));
	host_run(h->host);
	assert_int_equal(in.note->seq, 1);
	fw_ring_run(&out);
	assert_int_equal(in.note->seq, 2);
}

static void tick_signals(void **state)
{
	struct fw_host *h = *state;
	struct echo_count c;
	struct fw_pipe p;

	assert_int_equal(fw_open(&p, h, 0, CHAN_ID_TICK, 12), OK);
	for (uint64_t i = 1; i <= 3; i++) {
		fw_signal_run(h, CHAN_ID_TICK);
		assert_int_equal(fw_recv(&p, &c, sizeof(c)), sizeof(c));
		assert_int_equal(c.count, i);
		fw_ring(&p);
	}
	/* Channel "echo-in" takes no signals: the card ignores this one. */
	fw_signal_run(h, CHAN_ID_ECHO_IN);
	assert_int_equal(fw_recv(&p, &c, sizeof(c)), -1);
}

static int open_bell(struct fw_pipe *p, struct fw_host *h, unsigned int index,
		     unsigned int chan, unsigned int bell)
{
	struct nfp_chan_fw_req req;

	fw_open_req(p, h, index, chan, 12, &req);
	req.signal_db = (uint8_t)bell;
	return fw_request(h, &req);
}

static void ring_bell(struct fw_host *h, unsigned int bell, unsigned int queue, uint32_t n)
{
	qc_add_wptr(h->host, fw_bell_queue(h, bell) + queue, n);
}

static void expect_ticks(struct fw_pipe *p, uint64_t *count, unsigned int n)
{
	struct echo_count c;

	host_run(p->h->host);
	fw_look(p);
	while (n--) {
		assert_int_equal(fw_recv(p, &c, sizeof(c)), sizeof(c));
		assert_int_equal(c.count, ++*count);
	}
	assert_int_equal(fw_recv(p, &c, sizeof(c)), -1);
	fw_ring(p);
}

/* A store to the signal doorbell of a pipe signals the process. Other doorbells do nothing. */
static void doorbell_signals(void **state)
{
	struct fw_host *h = *state;
	struct fw_pipe a, b, none;
	uint64_t count = 0;
	uint32_t lost;

	assert_true(h->cb.signal_db_count > 1);
	assert_int_equal(open_bell(&none, h, 2, CHAN_ID_ECHO_OUT, 1), NFP_CHAN_FW_EINVAL);
	assert_int_equal(open_bell(&none, h, 2, CHAN_ID_TICK, h->cb.signal_db_count + 1u),
			 NFP_CHAN_FW_EINVAL);
	assert_int_equal(open_bell(&a, h, 0, CHAN_ID_TICK, h->cb.signal_db_count), OK);
	assert_int_equal(open_bell(&none, h, 2, CHAN_ID_TICK, h->cb.signal_db_count),
			 NFP_CHAN_FW_EINVAL);
	for (unsigned int i = 0; i < 3; i++) {
		ring_bell(h, h->cb.signal_db_count, 0, 1);
		expect_ticks(&a, &count, 1);
	}
	/*
	 * Two signals that come before the process runs count as one, whatever the values stored.
	 */
	ring_bell(h, h->cb.signal_db_count, 0, 1);
	ring_bell(h, h->cb.signal_db_count, 0, 0x20000);
	expect_ticks(&a, &count, 1);
	/* The page has a second queue, and doorbell 1 belongs to no pipe: both are ignored. */
	ring_bell(h, h->cb.signal_db_count, 1, 1);
	ring_bell(h, 1, 0, 1);
	expect_ticks(&a, &count, 0);

	/*
	 * A signal before the CLOSE counts: its message waits for the next pipe, or is lost with
	 * the old.
	 */
	ring_bell(h, h->cb.signal_db_count, 0, 1);
	assert_int_equal(fw_close(&a), OK);
	lost = h->value;
	assert_in_range(lost, 0, 1);
	count += lost;
	ring_bell(h, h->cb.signal_db_count, 0, 1);
	assert_int_equal(open_bell(&b, h, 1, CHAN_ID_TICK, 1), OK);
	expect_ticks(&b, &count, 1 - lost);
	ring_bell(h, h->cb.signal_db_count, 0, 1);
	expect_ticks(&b, &count, 0);
	ring_bell(h, 1, 0, 1);
	expect_ticks(&b, &count, 1);
}

/* When a process ends: the host gets its last message, then EPIPE and an interrupt. OPEN fails. */
static void process_ends(void **state)
{
	struct fw_host *h = *state;
	struct echo_count c;
	struct fw_pipe p, q;

	assert_int_equal(fw_open(&p, h, 0, CHAN_ID_ONCE, 12), OK);
	fw_signal_run(h, CHAN_ID_ONCE);
	assert_int_equal(p.note->state, NFP_CHAN_STATE_EPIPE);
	assert_int_equal(fw_recv(&p, &c, sizeof(c)), sizeof(c));
	fw_ring(&p);
	fw_arm(&p, p.seq);
	host_run(h->host);
	assert_int_equal(fw_irqs(&p), 1);
	assert_int_equal(fw_open(&q, h, 1, CHAN_ID_ONCE, 12), NFP_CHAN_FW_ENOENT);
	assert_int_equal(fw_close(&p), OK);
	assert_int_equal(h->value, 0);
}

struct shown {
	const struct fw_pipe *p;
	uint32_t seq;
};

static bool is_shown(void *arg)
{
	const struct shown *s = arg;

	return s->p->note->seq == s->seq;
}

/* Wait until the record shows @seq messages. The card delays a record that shows little room. */
static void shown_in_the_end(struct fw_pipe *p, uint32_t seq)
{
	struct shown s = { p, seq };

	assert_int_equal(host_run_until(p->h->host, is_shown, &s, 10000), 0);
	host_run(p->h->host);
	assert_int_equal(p->note->seq, seq);
}

static void close_counts_lost(void **state)
{
	struct fw_host *h = *state;
	struct fw_pipe ctl, out, in;
	uint8_t buf[2048] = { 0 };

	assert_int_equal(fw_open(&ctl, h, 0, CHAN_ID_LOAD_CTL, 12), OK);
	assert_int_equal(fw_open(&out, h, 1, CHAN_ID_LOAD, 17), OK);
	load(&ctl, 10, 200, LOAD_LOAD);
	load_next(&out, 200);
	fw_ring_run(&out);
	assert_int_equal(fw_close(&out), OK);
	assert_int_equal(h->value, 9);
	assert_int_equal(fw_stat(h, CHAN_ID_LOAD).dropped, 9);
	/*
	 * To the NFP: the process "echo" took one message, and waits because echo-out has no
	 * receiver.
	 */
	assert_int_equal(fw_open(&in, h, 2, CHAN_ID_ECHO_IN, 14), OK);
	for (unsigned int i = 0; i < 6; i++)
		fw_send(&in, buf, 100 * i);
	shown_in_the_end(&in, 1);
	assert_int_equal(fw_close(&in), OK);
	assert_int_equal(h->value, 5);
	/* The host closes without taking a rendezvous: its sender goes on with the next message. */
	assert_int_equal(fw_open(&out, h, 1, CHAN_ID_LOAD_RV, 12), OK);
	load(&ctl, 2, 64, LOAD_RV);
	assert_int_equal(fw_close(&out), OK);
	assert_int_equal(h->value, 1);
	assert_int_equal(fw_open(&out, h, 1, CHAN_ID_LOAD_RV, 12), OK);
	host_run(h->host);
	assert_int_equal(load_next(&out, 64), 2);
}

/* Receive messages of one byte each: the characters of @want, and no more. */
static void expect_bytes(struct fw_pipe *p, const char *want)
{
	char c;

	for (; *want; want++) {
		assert_int_equal(fw_recv(p, &c, 1), 1);
		assert_int_equal(c, *want);
		fw_ring_run(p);
	}
	assert_int_equal(fw_recv(p, &c, 1), -1);
}

/*
 * The card reads several messages of a pipe at a time. If the pipe is closed, or the host cancels
 * them, before the process receives them, the process never receives them.
 */
static void read_ahead(void **state)
{
	struct fw_host *h = *state;
	struct fw_pipe in, out;

	/* The process takes "a", and waits because echo-out has no receiver. CLOSE drops "x". */
	assert_int_equal(fw_open(&in, h, 0, CHAN_ID_ECHO_IN, 12), OK);
	fw_send(&in, "a", 1);
	fw_send(&in, "x", 1);
	shown_in_the_end(&in, 1);
	assert_int_equal(fw_close(&in), OK);
	assert_int_equal(h->value, 1);
	assert_int_equal(fw_open(&in, h, 0, CHAN_ID_ECHO_IN, 12), OK);
	fw_send(&in, "b", 1);
	fw_send(&in, "c", 1);
	assert_int_equal(fw_open(&out, h, 1, CHAN_ID_ECHO_OUT, 12), OK);
	expect_bytes(&out, "abc");
	assert_int_equal(fw_close(&out), OK);

	fw_send(&in, "d", 1);
	fw_send(&in, "x", 1);
	shown_in_the_end(&in, 3);
	assert_int_equal(fw_cancel(&in, 4), OK);
	fw_send(&in, "e", 1);
	assert_int_equal(fw_open(&out, h, 1, CHAN_ID_ECHO_OUT, 12), OK);
	expect_bytes(&out, "de");
}

static void cancel(void **state)
{
	struct fw_host *h = *state;
	uint8_t msg[4] = { 0 }, buf[4];
	struct fw_pipe in, out;

	assert_int_equal(fw_open(&in, h, 0, CHAN_ID_ECHO_IN, 14), OK);
	for (msg[0] = 1; msg[0] <= 6; msg[0]++)
		fw_send(&in, msg, sizeof(msg));
	host_run(h->host);
	/*
	 * The process has taken message 1 and waits in its send. Messages 2 to 6 are in the ring.
	 */
	assert_int_equal(fw_cancel(&in, 1), NFP_CHAN_FW_TAKEN);
	assert_int_equal(fw_cancel(&in, 7), NFP_CHAN_FW_EINVAL);
	assert_int_equal(fw_cancel(&in, 5), OK);
	assert_int_equal(in.note->seq, 1);
	for (msg[0] = 7; msg[0] <= 8; msg[0]++)
		fw_send(&in, msg, sizeof(msg));
	assert_int_equal(fw_cancel(&in, 8), NFP_CHAN_FW_EBUSY);
	assert_int_equal(fw_cancel(&in, 3), OK);
	assert_int_equal(fw_cancel(&in, 2), OK);
	assert_int_equal(in.note->seq, 8);
	assert_int_equal(in.note->pos, in.pos);
	msg[0] = 9;
	fw_send(&in, msg, sizeof(msg));
	assert_int_equal(fw_open(&out, h, 1, CHAN_ID_ECHO_OUT, 12), OK);
	fw_look(&out);
	assert_int_equal(fw_recv(&out, buf, sizeof(buf)), 4);
	assert_int_equal(buf[0], 1);
	assert_int_equal(fw_recv(&out, buf, sizeof(buf)), 4);
	assert_int_equal(buf[0], 9);
	assert_int_equal(fw_recv(&out, buf, sizeof(buf)), -1);
	assert_int_equal(fw_cancel(&out, 1), NFP_CHAN_FW_EINVAL);
}

/* CANCEL from message 4: the card still delivers 1 to 3, then skips 4 and 5, then delivers 6. */
static void cancel_behind(void **state)
{
	struct fw_host *h = *state;
	uint8_t msg[4] = { 0 }, buf[4];
	static const uint8_t expect[] = { 1, 2, 3, 6 };
	struct fw_pipe in, out;

	assert_int_equal(fw_open(&in, h, 0, CHAN_ID_ECHO_IN, 14), OK);
	for (msg[0] = 1; msg[0] <= 5; msg[0]++)
		fw_send(&in, msg, sizeof(msg));
	host_run(h->host);
	assert_int_equal(fw_cancel(&in, 4), OK);
	fw_send(&in, msg, sizeof(msg));
	assert_int_equal(fw_open(&out, h, 1, CHAN_ID_ECHO_OUT, 12), OK);
	fw_look(&out);
	for (size_t i = 0; i < sizeof(expect); i++) {
		assert_int_equal(fw_recv(&out, buf, sizeof(buf)), 4);
		assert_int_equal(buf[0], expect[i]);
	}
	assert_int_equal(in.note->seq, 6);
	assert_int_equal(in.note->pos, in.pos);
}

/*
 * Of 64 messages to the host, one record shows the first, and one record shows all others after
 * the host has given room back. A third record shows that the card took the request.
 */
static void notes_aggregate(void **state)
{
	int slow = hal_swap_get() == HAL_SWAP_RANDOM;
	struct fw_host *h = *state;
	struct fw_pipe ctl, out;
	uint8_t buf[32];

	assert_int_equal(fw_open(&ctl, h, 0, CHAN_ID_LOAD_CTL, 12), OK);
	assert_int_equal(fw_open(&out, h, 1, CHAN_ID_LOAD, 18), OK);
	board_tlp_clear(h->host->b);
	load(&ctl, 64, 32, LOAD_LOAD);
	assert_in_range(out.note->seq, 1, slow ? 64 : 1);
	assert_int_equal(fw_recv(&out, buf, sizeof(buf)), 32);
	fw_ring_run(&out);
	assert_int_equal(out.note->seq, 64);
	/* The only read over PCIe is the card's read of the request. */
	assert_int_equal(host_tlp(h->host, BOARD_TLP_DATA).dev_nonposted, 1);
	/*
	 * 63 messages of 40 bytes, with their headers, fill 10 writes of 256 bytes. The first message,
	 * and the message that comes during its DMA, have a write each.
	 */
	assert_in_range(host_tlp(h->host, BOARD_TLP_DATA).dev_posted, 11, slow ? 64 : 12);
	assert_in_range(host_tlp(h->host, BOARD_TLP_NOTE).dev_posted, slow ? 2 : 3, slow ? 4 : 3);
	assert_int_equal(host_tlp(h->host, BOARD_TLP_NOTE).dev_nonposted, 0);
	assert_int_equal(host_tlp(h->host, BOARD_TLP_MSIX).dev_posted, 0);
}

/*
 * To the NFP: the card writes a record when the ring is empty, when the host has armed, and after
 * each quarter of the ring. A record for less room is written late.
 */
static void room_aggregates(void **state)
{
	struct fw_host *h = *state;
	uint8_t buf[64] = { 0 };
	struct fw_pipe in, echo;

	assert_int_equal(fw_open(&in, h, 0, CHAN_ID_PIT64, 18), OK);
	board_tlp_clear(h->host->b);
	for (unsigned int i = 0; i < 512; i++)
		fw_send(&in, buf, 64);
	host_run(h->host);
	assert_int_equal(in.note->seq, 512);
	/* On a slow machine, late records come before the ring is empty. */
	assert_in_range(host_tlp(h->host, BOARD_TLP_NOTE).dev_posted, 1, 10);

	assert_int_equal(fw_open(&echo, h, 1, CHAN_ID_ECHO_IN, 14), OK);
	fw_send(&echo, buf, 1);
	fw_send(&echo, buf, 1);
	fw_arm(&echo, 0);
	host_run(h->host);
	assert_int_equal(echo.note->seq, 1);
	assert_int_equal(fw_irqs(&echo), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(echo_all_sizes),
		T(large_units),
		T(full_waits),
		T(depth_in_bytes),
		T(full_drops),
		T(no_receiver_waits),
		T(two_receivers),
		T(two_senders),
		T(rendezvous_to_host),
		T(rendezvous_to_nfp),
		T(tick_signals),
		T(doorbell_signals),
		T(process_ends),
		T(close_counts_lost),
		T(read_ahead),
		T(cancel),
		T(cancel_behind),
		T(notes_aggregate),
		T(room_aggregates),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
