// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_pair.c - one ring for both directions: the host changes what a source sent
 * in place, and returns it to the NFP, over the firmware on the board in this process.
 */
#define _GNU_SOURCE
#include <errno.h>
#include "ring_end.h"
#include "ring_int.h"
#include "stream.h"

#define OK	NFP_CHAN_FW_OK
#define RING	NFP_CHAN_FW_ERING
#define BAD	NFP_CHAN_FW_EINVAL
#define KEY	0xa5c3f01eu

/* Make the source send @bytes; the word at byte 4n is n modulo SOURCE_PERIOD / 4. */
static void order(struct end *ctl, uint32_t target, uint64_t bytes)
{
	struct source_req req = { bytes, 4096, target };

	assert_int_equal(ring_put(&ctl->r, &req, sizeof(req)), 0);
	host_run(ctl->h->host);
}

static uint32_t word_at(uint64_t pos)
{
	return (uint32_t)(pos / 4 % (SOURCE_PERIOD / 4));
}

/* Check that the words that came are those at *@pos, change them, and return them to the NFP. */
static uint64_t turn(struct end *rx, struct end *tx, uint64_t *pos, uint64_t most)
{
	uint8_t *data;
	int64_t n = ring_pair_avail(&rx->r, &tx->r, &data);
	uint32_t word;

	assert_true(n > 0 || n == -EAGAIN);
	if (n < 0)
		return 0;
	if ((uint64_t)n > most)
		n = (int64_t)most;
	n -= n % 4;
	for (int64_t i = 0; i < n; i += 4) {
		memcpy(&word, data + i, 4);
		assert_int_equal(word, word_at(*pos));
		word ^= KEY;
		memcpy(data + i, &word, 4);
		*pos += 4;
	}
	if (n)
		assert_int_equal(ring_pair_return(&rx->r, &tx->r, (uint64_t)n), n);
	return (uint64_t)n;
}

/* Check that the loop channel sends the changed words, from *@pos on. */
static void check(struct end *out, uint64_t *pos)
{
	const uint8_t *data;
	int64_t n = ring_avail(&out->r, &data);
	uint32_t word;

	if (n < 4)
		return;
	n -= n % 4;
	for (int64_t i = 0; i < n; i += 4) {
		memcpy(&word, data + i, 4);
		assert_int_equal(word ^ KEY, word_at(*pos));
		*pos += 4;
	}
	ring_consume(&out->r, (uint64_t)n);
}

struct rig {
	struct end ctl, rx, tx, out;
	uint32_t target;
};

static void rig_open(struct rig *g, struct fw_host *h, uint32_t target, unsigned int shift)
{
	bool bytes = target == SOURCE_BYTES;

	g->target = target;
	end_open(&g->ctl, h, 0, CHAN_ID_SOURCE_CTL, 12);
	end_open(&g->rx, h, 1, bytes ? CHAN_ID_SOURCE : CHAN_ID_SOURCE64, shift);
	assert_int_equal(end_open_of(&g->tx, h, 2, bytes ? CHAN_ID_LOOP_IN : CHAN_ID_LOOP64_IN,
				     shift, &g->rx), OK);
	ring_lend(&g->rx.r);
	ring_lend(&g->tx.r);
	end_open(&g->out, h, 3, bytes ? CHAN_ID_LOOP_OUT : CHAN_ID_LOOP64_OUT, 14);
}

static void there_and_back(struct fw_host *h, uint32_t target, unsigned int shift, uint64_t total,
			   uint64_t most)
{
	uint64_t in = 0, back = 0;
	struct rig g;

	rig_open(&g, h, target, shift);
	order(&g.ctl, target, total);
	while (back < total) {
		turn(&g.rx, &g.tx, &in, most);
		host_run(h->host);
		check(&g.out, &back);
		host_run(h->host);
	}
	assert_int_equal(in, total);
	assert_int_equal(ring_taken(&g.tx.r, g.tx.r.pos), 0);
	assert_int_equal(h->host->faults, 0);
}

static void elements(void **state)
{
	there_and_back(*state, SOURCE_64, 14, 64 * 20000, 5 * 64);
}

static void all_that_came(void **state)
{
	there_and_back(*state, SOURCE_64, 16, 64 * 20000, UINT64_MAX);
}

static void bytes(void **state)
{
	there_and_back(*state, SOURCE_BYTES, 12, 4 * 100000, 1000);
}

/* A full ring of 64 KiB has 65536 bytes: one more than the 16 bits of an arm can tell apart. */
static void bytes_in_a_full_ring(void **state)
{
	struct fw_host *h = *state;
	uint8_t *data;
	struct rig g;

	rig_open(&g, h, SOURCE_BYTES, 16);
	order(&g.ctl, SOURCE_BYTES, 65536);
	/* Nothing is given back, so only an arm makes the card send the next record. */
	while (ring_pair_avail(&g.rx.r, &g.tx.r, &data) < 65536) {
		assert_true(ring_arm(&g.rx.r) >= 0);
		host_run(h->host);
	}
	assert_int_equal(ring_pair_return(&g.rx.r, &g.tx.r, 65536), 65535);
	assert_int_equal(ring_pair_return(&g.rx.r, &g.tx.r, 1), -EAGAIN);
	host_run(h->host);
	assert_true(ring_arm(&g.tx.r) >= 0);
	host_run(h->host);
	assert_int_equal(ring_pair_return(&g.rx.r, &g.tx.r, 1), 1);
}

/* No byte crosses the PCIe link twice: count the payload. */
static void link_use(void **state)
{
	struct fw_host *h = *state;
	struct board_tlp_count c;
	uint64_t in = 0, total = 64 * 256;
	struct rig g;

	rig_open(&g, h, SOURCE_64, 14);
	end_close(&g.out);
	board_tlp_clear(h->host->b);
	order(&g.ctl, SOURCE_64, total);
	while (turn(&g.rx, &g.tx, &in, UINT64_MAX))
		host_run(h->host);
	board_tlp_get(h->host->b, BOARD_TLP_DATA, &c);
	/* The request (24 bytes), all data to the host, and the part that the loop read. */
	assert_int_equal(in, total);
	assert_int_equal(c.payload, 24 + total + 4096);
}

static void note_state(struct end *e, uint32_t state)
{
	const struct nfp_chan_note *n = e->note;

	host_run(e->h->host);
	assert_int_equal(n->state, state);
}

/* Returning more than came is an error of the returning channel; the other one stays open. */
static void returns_too_much(void **state)
{
	struct fw_host *h = *state;
	uint64_t in = 0;
	struct rig g;

	rig_open(&g, h, SOURCE_64, 14);
	order(&g.ctl, SOURCE_64, 64 * 10);
	turn(&g.rx, &g.tx, &in, 64);
	host_run(h->host);
	/* Nine elements are left, so ten are one more than ever came. */
	end_doorbell(&g.tx, RING_REG_DATA, 64 * 10);
	note_state(&g.tx, NFP_CHAN_STATE_FAULT);
	note_state(&g.rx, NFP_CHAN_STATE_OPEN);
	end_close(&g.tx);
	ring_unpair(&g.rx.r);
	assert_true(ring_ready(&g.rx.r) == 1);
}

/* The receiving channel may not give room back itself while its ring is lent. */
static void gives_back_by_itself(void **state)
{
	struct fw_host *h = *state;
	struct rig g;

	rig_open(&g, h, SOURCE_64, 14);
	order(&g.ctl, SOURCE_64, 64 * 10);
	end_doorbell(&g.rx, RING_REG_DATA, 64);
	note_state(&g.rx, NFP_CHAN_STATE_FAULT);
	note_state(&g.tx, NFP_CHAN_STATE_OPEN);
}

/*
 * When the returning channel closes, what the NFP has not taken is lost and counted, and the
 * receiving channel goes on alone.
 */
static void returner_ends(void **state)
{
	struct fw_host *h = *state;
	uint64_t in = 0, total = 64 * 2000;
	const uint8_t *data;
	uint32_t word, lost;
	int64_t n;
	struct rig g;

	rig_open(&g, h, SOURCE_64, 14);
	end_close(&g.out);	/* so the loop reads one part of 4096 bytes only */
	order(&g.ctl, SOURCE_64, total);
	while (in < 12288) {
		turn(&g.rx, &g.tx, &in, 12288 - in);
		host_run(h->host);
	}
	lost = end_close(&g.tx);
	assert_int_equal(lost, (12288 - 4096) / 64);
	ring_unpair(&g.rx.r);
	while (in < total) {
		host_run(h->host);
		n = ring_avail(&g.rx.r, &data);
		assert_true(n > 0);
		for (int64_t i = 0; i < n; i += 4, in += 4) {
			memcpy(&word, data + i, 4);
			assert_int_equal(word, word_at(in));
		}
		ring_consume(&g.rx.r, (uint64_t)n);
	}
	assert_int_equal(h->host->faults, 0);
}

/*
 * When the receiving channel closes, the returning one fails: the card must not read the ring any
 * more.
 */
static void ring_goes(void **state)
{
	struct fw_host *h = *state;
	uint64_t in = 0;
	struct rig g;

	rig_open(&g, h, SOURCE_64, 14);
	end_close(&g.out);
	order(&g.ctl, SOURCE_64, 64 * 1000);
	turn(&g.rx, &g.tx, &in, 8192);
	host_run(h->host);
	turn(&g.rx, &g.tx, &in, 8192);
	end_close(&g.rx);
	note_state(&g.tx, NFP_CHAN_STATE_FAULT);
	/* The loop could send now, so it asks the returning channel for more. */
	end_open(&g.out, h, 3, CHAN_ID_LOOP64_OUT, 14);
	host_run(h->host);
	end_doorbell(&g.tx, RING_REG_DATA, 64);
	host_run(h->host);
	assert_int_equal(h->host->faults, 0);
	end_close(&g.tx);
	end_open(&g.tx, h, 2, CHAN_ID_LOOP64_IN, 12);
}

static void all_at_once(void **state)
{
	struct fw_host *h = *state;
	uint64_t in = 0;
	struct rig g;

	rig_open(&g, h, SOURCE_64, 14);
	order(&g.ctl, SOURCE_64, 64 * 1000);
	turn(&g.rx, &g.tx, &in, 4096);
	assert_int_equal(fw_hello(h), OK);
	rig_open(&g, h, SOURCE_64, 14);
}

static void open_checks(void **state)
{
	struct fw_host *h = *state;
	struct end rx, tx, out, ctl, more;
	const uint8_t *data;
	uint64_t bus;

	end_open(&ctl, h, 0, CHAN_ID_SOURCE_CTL, 12);
	end_open(&rx, h, 1, CHAN_ID_SOURCE64, 14);
	end_open(&out, h, 3, CHAN_ID_LOOP_OUT, 14);
	assert_int_equal(end_open_of(&tx, h, 2, CHAN_ID_LOOP_IN, 14, &rx), BAD);
	assert_int_equal(end_open_of(&tx, h, 2, CHAN_ID_SOURCE, 14, &rx), BAD);
	assert_int_equal(end_open_of(&tx, h, 2, CHAN_ID_PIT64, 14, &rx), BAD);
	assert_int_equal(end_open_of(&tx, h, 2, CHAN_ID_LOOP64_IN, 15, &rx), BAD);
	assert_int_equal(end_open_of(&tx, h, 2, CHAN_ID_LOOP64_IN, 12, &ctl), BAD);
	bus = rx.ring_bus;
	rx.ring_bus = out.ring_bus;
	assert_int_equal(end_open_of(&tx, h, 2, CHAN_ID_LOOP64_IN, 14, &rx), BAD);
	rx.ring_bus = bus;
	rx.index = NFP_CHAN_FW_PIPE_MAX;
	assert_int_equal(end_open_of(&tx, h, 2, CHAN_ID_LOOP64_IN, 14, &rx), BAD);
	rx.index = 5;
	assert_int_equal(end_open_of(&tx, h, 2, CHAN_ID_LOOP64_IN, 14, &rx), RING);
	rx.index = 1;
	assert_int_equal(end_open_of(&tx, h, 2, CHAN_ID_LOOP64_IN, 14, &rx), OK);
	assert_int_equal(end_open_of(&more, h, 4, CHAN_ID_SINK64, 14, &rx), RING);
	assert_int_equal(end_open_of(&more, h, 4, CHAN_ID_LOOP64_IN, 14, &rx), NFP_CHAN_FW_EBUSY);
	end_close(&tx);
	/*
	 * The ring may be lent again as long as the receiver has given nothing back, and not
	 * later.
	 */
	assert_int_equal(end_open_of(&tx, h, 4, CHAN_ID_SINK64, 14, &rx), OK);
	end_close(&tx);
	order(&ctl, SOURCE_64, 640);
	assert_true(ring_avail(&rx.r, &data) > 0);
	ring_consume(&rx.r, 64);
	ring_flush(&rx.r);
	host_run(h->host);
	assert_int_equal(end_open_of(&tx, h, 2, CHAN_ID_LOOP64_IN, 14, &rx), RING);
	/* A ring of a pipe that the card has turned off cannot be lent. */
	end_doorbell(&out, RING_REG_DATA, 1);
	host_run(h->host);
	assert_int_equal(end_open_of(&tx, h, 2, CHAN_ID_LOOP_IN, 14, &out), RING);
}

/* In the library, all other calls that would move a lent ring are refused. */
static void calls_refused(void **state)
{
	struct fw_host *h = *state;
	uint8_t buf[64] = { 0 };
	const void *data;
	uint32_t len;
	uint8_t *at;
	void *room;
	struct rig g;

	rig_open(&g, h, SOURCE_64, 14);
	order(&g.ctl, SOURCE_64, 640);
	assert_int_equal(ring_peek(&g.rx.r, &data, &len), -EBUSY);
	assert_int_equal(ring_get_many(&g.rx.r, buf, 1), -EBUSY);
	assert_false(ring_get_one(&g.rx.r, g.rx.r.get_stop, g.rx.r.fast, buf, 64));
	assert_int_equal(ring_put(&g.tx.r, buf, 64), -EBUSY);
	assert_int_equal(ring_put_many(&g.tx.r, buf, 1), -EBUSY);
	assert_int_equal(ring_reserve(&g.tx.r, &room, 64), -EBUSY);
	assert_true(ring_pair_avail(&g.rx.r, &g.tx.r, &at) > 0);
	assert_int_equal(ring_pair_return(&g.rx.r, &g.tx.r, 0), -EINVAL);
	assert_int_equal(ring_pair_return(&g.rx.r, &g.tx.r, 32), -EINVAL);
	assert_int_equal(ring_pair_return(&g.rx.r, &g.tx.r, 1 << 20), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(elements),
		T(all_that_came),
		T(bytes),
		T(bytes_in_a_full_ring),
		T(link_use),
		T(returns_too_much),
		T(gives_back_by_itself),
		T(returner_ends),
		T(ring_goes),
		T(all_at_once),
		T(open_checks),
		T(calls_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
