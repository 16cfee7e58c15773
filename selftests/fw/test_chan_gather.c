// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_chan_gather.c - small messages to the host share buffers and DMAs (fw/chan/chan_gather.c): the
 * host sees the same messages, in the same order, as if each had a DMA for itself.
 */
#include "fw_load.h"

#define OK	NFP_CHAN_FW_OK

/* load_next(), or 0 if the record shows no message. */
static uint64_t next_shown(struct fw_pipe *p, uint32_t size)
{
	return p->note->pos == p->pos ? 0 : load_next(p, size);
}

/* next_shown(), which asks for the next record first if this one shows no message. */
static uint64_t next_asking(struct fw_pipe *p, uint32_t size)
{
	if (p->note->pos == p->pos) {
		fw_ring(p);
		fw_look(p);
	}
	return next_shown(p, size);
}

/*
 * A buffer has had messages of other users. The padding behind a message must not show them. The
 * larger the ring, the larger are its units: here 64 bytes.
 */
static void padding_is_zero(void **state)
{
	static const uint8_t zeros[64];
	struct fw_host *h = *state;
	struct fw_pipe ctl, out;
	uint8_t pad[64];
	uint32_t used;

	assert_int_equal(fw_open(&ctl, h, 0, CHAN_ID_LOAD_CTL, 12), OK);
	assert_int_equal(fw_open(&out, h, 1, CHAN_ID_LOAD, 22), OK);
	assert_int_equal(out.unit, 64);
	for (uint32_t size = 500; size >= LOAD_SIZE_MIN; size--) {
		load(&ctl, 4, size, LOAD_LOAD);
		for (uint64_t seq = 1; seq <= 4; seq++) {
			assert_int_equal(next_asking(&out, size), seq);
			used = sizeof(struct nfp_chan_hdr) + size;
			used = fw_msg_bytes(&out, size) - used;
			fw_copy_out(&out, out.pos - used, pad, used);
			assert_memory_equal(pad, zeros, used);
		}
		fw_ring_run(&out);
	}
}

/* Messages that no record has shown are in the ring, or will be: a closed pipe has lost them. */
static void closed_pipe_loses_them(void **state)
{
	struct fw_host *h = *state;
	struct fw_pipe ctl, out;

	assert_int_equal(fw_open(&ctl, h, 0, CHAN_ID_LOAD_CTL, 12), OK);
	assert_int_equal(fw_open(&out, h, 1, CHAN_ID_LOAD, 16), OK);
	load(&ctl, 10, 32, LOAD_LOAD);
	assert_true(out.note->seq < 10);
	assert_int_equal(fw_stat(h, CHAN_ID_LOAD).msgs, 10);
	assert_int_equal(fw_close(&out), OK);
	assert_int_equal(h->value, 10);
	assert_int_equal(fw_stat(h, CHAN_ID_LOAD).dropped, 10);
	/* The next owner of the pipe sees nothing of them. */
	assert_int_equal(fw_open(&out, h, 1, CHAN_ID_LOAD, 16), OK);
	load(&ctl, 2, 32, LOAD_LOAD);
	assert_int_equal(next_asking(&out, 32), 1);
	assert_int_equal(next_asking(&out, 32), 2);
	assert_int_equal(next_asking(&out, 32), 0);
}

/* With more pipes than buffers, each message reaches one receiver, and each receiver gets its in order. */
static void more_pipes_than_buffers(void **state)
{
	struct fw_host *h = *state;
	uint64_t seq, last[9] = { 0 };
	struct fw_pipe ctl, out[9];
	unsigned int sum = 0;

	assert_int_equal(fw_open(&ctl, h, 0, CHAN_ID_LOAD_CTL, 12), OK);
	for (unsigned int i = 0; i < 9; i++)
		assert_int_equal(fw_open(&out[i], h, 1 + i, CHAN_ID_LOAD, 12), OK);
	load(&ctl, 3000, 48, LOAD_LOAD);
	for (unsigned int i = 0; sum < 3000; i = (i + 1) % 9) {
		for (seq = next_asking(&out[i], 48); seq; seq = next_shown(&out[i], 48)) {
			assert_true(seq > last[i]);
			last[i] = seq;
			sum++;
		}
		fw_ring_run(&out[i]);
	}
	for (unsigned int i = 0; i < 9; i++) {
		assert_true(last[i] > 0);
		assert_int_equal(next_asking(&out[i], 48), 0);
	}
}

/*
 * A message that has a DMA for itself does not overtake those in a buffer, nor they it. The first messages
 * of a round go out at once, and the second ones wait in a buffer.
 */
static void large_between_small(void **state)
{
	static const uint32_t sizes[] = { 32, 48, 1000, 64 };
	struct fw_host *h = *state;
	struct fw_pipe ctl, out;

	assert_int_equal(fw_open(&ctl, h, 0, CHAN_ID_LOAD_CTL, 12), OK);
	assert_int_equal(fw_open(&out, h, 1, CHAN_ID_LOAD, 18), OK);
	for (unsigned int round = 0; round < 40; round++) {
		for (unsigned int i = 0; i < 4; i++)
			load(&ctl, 3, sizes[i], LOAD_LOAD);
		for (unsigned int i = 0; i < 4; i++)
			for (uint64_t seq = 1; seq <= 3; seq++)
				assert_int_equal(next_asking(&out, sizes[i]), seq);
		fw_ring_run(&out);
	}
}

/*
 * Counters are shown within a millisecond, although no record is, because the host has not asked. The
 * messages in the buffer count: they have their place in the ring.
 */
static void counters_come_late(void **state)
{
	struct fw_host *h = *state;
	struct fw_pipe ctl, out;

	assert_int_equal(fw_open(&ctl, h, 0, CHAN_ID_LOAD_CTL, 12), OK);
	assert_int_equal(fw_open(&out, h, 1, CHAN_ID_LOAD, 18), OK);
	load(&ctl, 20, 32, LOAD_LOAD);
	assert_int_equal(load_next(&out, 32), 1);
	assert_true(out.note->seq < 20);
	assert_int_equal(fw_stat(h, CHAN_ID_LOAD).msgs, 20);
	assert_int_equal(fw_stat(h, CHAN_ID_LOAD).bytes, 20 * 32);
}

/*
 * A process sends a message and ends its channel, and the DMA engine is slow: it does nothing until the
 * firmware rests. No record shows the end before it shows the message.
 */
static void end_after_message(void **state)
{
	struct fw_host *h = *state;
	struct fw_pipe out;

	assert_int_equal(fw_open(&out, h, 0, CHAN_ID_ONCE, 12), OK);
	fw_signal(h, CHAN_ID_ONCE);
	board_run(h->host->b, 1);	/* the signal's event */
	while (h->host->fw->run(h->host->fw_ctx, 64))
		;
	while (board_run(h->host->b, 1))
		if (out.note->state == NFP_CHAN_STATE_EPIPE)
			assert_int_equal(out.note->seq, 1);
	assert_int_equal(out.note->state, NFP_CHAN_STATE_EPIPE);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		T(padding_is_zero),
		T(closed_pipe_loses_them),
		T(more_pipes_than_buffers),
		T(large_between_small),
		T(counters_come_late),
		T(end_after_message),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
