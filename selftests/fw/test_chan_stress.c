// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_chan_stress.c - senders and receivers open and close pipes at random,
 * while the board runs for random numbers of turns. Each message is received
 * once or counted as lost. A receiver gets the messages of one sender in order.
 * At the end no message is left in a ring.
 */
#include "fw_host.h"
#include "random.h"

#define OK	NFP_CHAN_FW_OK
#define ENDS	5		/* senders, and as many receivers */
#define STEPS	60000
#define SIZE	700

struct end {
	struct fw_pipe p;
	bool open;
	uint32_t uid;
	uint32_t last[STEPS];	/* of a receiver: last message from each sender, by uid */
};

/* Beginning of a message: the sender, and the number of the message among those of all senders */
struct msg {
	uint32_t uid;
	uint32_t n;
};

static struct {
	struct fw_host h;
	struct end in[ENDS];
	struct end out[ENDS];
	uint32_t uids;
	uint8_t seen[STEPS];
	uint32_t sent, received, lost;
	uint64_t random;
} s;

static uint32_t rnd(uint32_t n)
{
	return random_below(&s.random, n);
}

static void receive(struct end *e)
{
	uint8_t buf[2048];
	struct msg m;
	int len = fw_recv(&e->p, buf, sizeof(buf));

	if (len < 0)
		return;
	memcpy(&m, buf, sizeof(m));
	assert_true(m.uid <= s.uids);
	assert_true(m.n < s.sent);
	assert_int_equal(s.seen[m.n]++, 0);
	assert_true(m.n >= e->last[m.uid]);
	e->last[m.uid] = m.n;
	for (int i = sizeof(m); i < len; i++)
		assert_int_equal(buf[i], (uint8_t)(m.n + (uint32_t)i));
	s.received++;
	fw_ring(&e->p);
}

static void send_some(struct end *e)
{
	uint8_t buf[SIZE];
	uint32_t len = (uint32_t)sizeof(struct msg) + rnd(SIZE - sizeof(struct msg));
	struct msg m = { e->uid, s.sent };

	if (e->p.pos + fw_msg_bytes(&e->p, len) - e->p.note->pos > e->p.size)
		return;
	memcpy(buf, &m, sizeof(m));
	for (uint32_t i = sizeof(m); i < len; i++)
		buf[i] = (uint8_t)(m.n + i);
	s.sent++;
	fw_put(&e->p, buf, len);
	if (rnd(4))
		fw_ring(&e->p);
}

static void change(struct end *e, unsigned int index, unsigned int chan)
{
	if (!e->open) {
		assert_int_equal(fw_open(&e->p, &s.h, index, chan, 13), OK);
		e->open = true;
		e->uid = ++s.uids;
		return;
	}
	fw_ring(&e->p);
	assert_int_equal(fw_close(&e->p), OK);
	assert_int_equal(e->p.note->state, NFP_CHAN_STATE_OPEN);
	s.lost += s.h.value;
	fw_free(&e->p);
	e->open = false;
}

static void step(void)
{
	unsigned int i = rnd(ENDS);

	switch (rnd(40)) {
	case 0:
		change(&s.in[i], i, CHAN_ID_ECHO_IN);
		break;
	case 1:
		change(&s.out[i], ENDS + i, CHAN_ID_ECHO_OUT);
		break;
	case 2:
		if (s.out[i].open)
			fw_arm(&s.out[i].p, s.out[i].p.seq);
		break;
	case 3:
		if (s.in[i].open)
			fw_arm(&s.in[i].p, s.in[i].p.note->seq);
		break;
	default:
		if (s.in[i].open)
			send_some(&s.in[i]);
		i = rnd(ENDS);
		if (s.out[i].open)
			receive(&s.out[i]);
		board_run(s.h.host->b, rnd(12));
	}
}

static void drain(void)
{
	uint32_t before;

	do {
		before = s.received;
		host_run(s.h.host);
		for (unsigned int i = 0; i < ENDS; i++)
			for (unsigned int n = 0; n < 1000 && s.out[i].open; n++)
				receive(&s.out[i]);
	} while (s.received != before);
}

static void come_and_go(uint64_t seed)
{
	struct nfp_chan_fw_stat in, out;

	memset(&s, 0, sizeof(s));
	s.random = seed;
	fw_host_start(&s.h);
	assert_int_equal(fw_hello(&s.h), OK);
	for (unsigned int n = 0; n < STEPS; n++)
		step();
	for (unsigned int i = 0; i < ENDS; i++) {
		if (s.in[i].open)
			fw_ring(&s.in[i].p);
		if (!s.out[i].open)
			change(&s.out[i], ENDS + i, CHAN_ID_ECHO_OUT);
	}
	drain();
	for (unsigned int i = 0; i < ENDS; i++)
		if (s.in[i].open)
			assert_int_equal(s.in[i].p.note->pos, s.in[i].p.pos);
	print_message("# %u sent, %u received, %u lost with closed pipes\n",
		      s.sent, s.received, s.lost);
	assert_true(s.received > STEPS / 4);
	assert_int_equal(s.sent, s.received + s.lost);
	in = fw_stat(&s.h, CHAN_ID_ECHO_IN);
	out = fw_stat(&s.h, CHAN_ID_ECHO_OUT);
	assert_int_equal(in.msgs, out.msgs);
	assert_int_equal(in.dropped + out.dropped, s.lost);
	assert_int_equal(out.msgs, s.received + out.dropped);
	assert_int_equal(s.h.host->faults, 0);
	fw_host_stop(&s.h);
}

static void eight_seeds(void **state)
{
	uint64_t seed = random_seed(2463534242);

	(void)state;
	for (unsigned int i = 0; i < 8; i++)
		come_and_go(random_mix(&seed));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(eight_seeds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
