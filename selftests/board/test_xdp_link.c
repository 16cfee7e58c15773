// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_xdp_link.c - events of offloaded programs on a channel that has a link. An event waits in
  * its buffer for the link's receiver, as long as its map is bound.
 */
#include <endian.h>
#include <errno.h>

#include "fw_link.h"
#include <nfpchan/nfp_chan_xdp.h>

#include "chan_xdp.h"
#include "bpf_frame.h"

#define MAP	0x4321u
#define HEAD	sizeof(struct nfp_chan_xdp_event)

static const struct board_pkt pkt = { .caplen = 60, .len = 60 };

/* Emit an event of one word, as the helper does that a program calls. */
static int emit(struct fw_host *h, uint32_t word)
{
	struct bd_event e = {
		.map_id = MAP, .cpu = UINT32_MAX, .data = &word, .data_len = sizeof(word),
	};
	int err = 1;

	h->host->b->xdp->pkt = &pkt;
	assert_true(bd_xdp_event(h->host->b, &e, 60, &err));
	return err;
}

static int bind_cmd(struct fw_pipe *p, unsigned int cmd)
{
	struct nfp_chan_fw_req req = { .cmd = cmd, .pipe = p->index, .map_id = MAP };

	return fw_request(p->h, &req);
}

/* Make a link that takes all events from @p to @to. */
static int take_all(struct fw_pipe *p, struct fw_pipe *to)
{
	struct nfp_chan_fw_link req = {
		.cmd = NFP_CHAN_FW_CMD_LINK, .pipe = (uint16_t)p->index,
		.to = (uint16_t)to->index, .match_len = 1,
	};

	return fw_request_link(p->h, &req);
}

/*
 * Receive the events that the process "echo" sends to the host, and assert that their words are
 * @due, @due + 1 and so on. Return their number.
 */
static uint32_t words(struct fw_pipe *out, uint32_t due)
{
	uint8_t buf[2048];
	uint32_t word, n = 0;

	for (;;) {
		fw_look(out);
		if (out->note->pos == out->pos)
			return n;
		assert_int_equal(fw_recv(out, buf, sizeof(buf)), HEAD + sizeof(word));
		memcpy(&word, buf + HEAD, sizeof(word));
		assert_int_equal(word, due + n++);
		fw_ring_run(out);
	}
}

static void open_linked(struct fw_host *h, struct fw_pipe *p, struct fw_pipe *in)
{
	assert_int_equal(fw_open(p, h, 0, CHAN_ID_XDP0, 20), OK);
	assert_int_equal(fw_open(in, h, 1, CHAN_ID_ECHO_IN, 18), OK);
	assert_int_equal(take_all(p, in), OK);
	assert_int_equal(bind_cmd(p, NFP_CHAN_FW_CMD_BIND), OK);
}

/*
 * The link's receiver "echo" sends to a channel that the host has not opened, so it takes no
 * further event. Events wait in their buffers, and none is lost.
 */
static void wait(void **state)
{
	struct fw_host *h = *state;
	struct fw_pipe p, in, out;

	open_linked(h, &p, &in);
	for (uint32_t i = 0; i < CHAN_XDP_BUFS; i++)
		assert_int_equal(emit(h, i), 0);
	host_run(h->host);
	assert_int_equal(fw_stat(h, CHAN_ID_XDP0).dropped, 0);
	assert_int_equal(fw_open(&out, h, 2, CHAN_ID_ECHO_OUT, 18), OK);
	host_run(h->host);
	assert_int_equal(words(&out, 0), CHAN_XDP_BUFS);
	assert_int_equal(link_stat(&p).msgs, CHAN_XDP_BUFS);
	assert_int_equal(link_stat(&p).dropped, 0);
	assert_int_equal(emit(h, 0), 0);
	host_run(h->host);
	assert_int_equal(words(&out, 0), 1);
}

/* Return the number of events that were delivered or dropped. */
static uint64_t gone(struct fw_host *h)
{
	struct nfp_chan_fw_stat s = fw_stat(h, CHAN_ID_XDP0);

	return s.msgs + s.dropped;
}

/*
 * UNBIND, UNLINK, and CLOSE of either channel do not wait for the link's receiver. If the binding
 * ends, the events that wait are dropped. If only the link ends, the host's ring gets them.
 */
static void ends(void **state)
{
	struct fw_host *h = *state;
	struct fw_pipe p, in;

	for (unsigned int how = 0; how < 4; how++) {
		uint64_t before;
		int status = -1;

		assert_int_equal(fw_hello(h), OK);
		before = gone(h);
		open_linked(h, &p, &in);
		for (uint32_t i = 0; i < 20; i++)
			assert_int_equal(emit(h, i), 0);
		host_run(h->host);
		assert_in_range(gone(h), before, before + 2);
		if (how == 0)
			status = bind_cmd(&p, NFP_CHAN_FW_CMD_UNBIND);
		if (how == 1)
			status = fw_close(&p);
		if (how == 2)
			status = unmake(&p);
		if (how == 3)
			status = fw_close(&in);
		assert_int_equal(status, OK);
		host_run(h->host);
		assert_int_equal(gone(h), before + 20);
	}
	/* The last two rounds delivered all 20 events, the first two at most 2 together. */
	assert_in_range(fw_stat(h, CHAN_ID_XDP0).msgs, 2 * 20, 2 * 20 + 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(wait),
		T(ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
