// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_xdp_event.c - events of offloaded programs in channels: bindings, and the path from a
 * worker's helper call to a pipe. The test calls the function of the board that bpf_helpers.c
 * calls for a program.
 */
#include <endian.h>
#include <errno.h>
#include <stdbool.h>

#include "fw_host.h"
#include "skip.h"
#include <nfpchan/nfp_chan_xdp.h>

#include "bytes.h"
#include "chan_xdp.h"
#include "random.h"
#include "bpf_frame.h"

#define MAP		0x4321u
#define HEAD		sizeof(struct nfp_chan_xdp_event)
#define RING_SHIFT	20

static uint8_t frame[9238];

static const struct board_pkt pkt = {
	.data = frame, .caplen = sizeof(frame), .len = sizeof(frame),
	.ts_ns = 0x1122334455667788, .port = 1,
};

static struct board *board(struct fw_host *h)
{
	return h->host->b;
}

/* Emit an event as the helper does. Return false if its map is not bound to a pipe. */
static bool emit(struct fw_host *h, uint32_t map, const void *data, uint32_t data_len,
		 uint32_t pkt_len, int *err)
{
	struct bd_event e = {
		.map_id = map, .cpu = UINT32_MAX, .pkt = frame, .pkt_len = pkt_len,
		.data = data, .data_len = data_len,
	};

	board(h)->xdp->pkt = &pkt;
	return bd_xdp_event(board(h), &e, 1000, err);
}

/* Emit an event whose data is one word. Tests use the word as a sequence number. */
static int emit_word(struct fw_host *h, uint32_t map, uint32_t word)
{
	int err = 1;

	word = htole32(word);
	return emit(h, map, &word, sizeof(word), 0, &err) ? err : 1;
}

static int bind_cmd(struct fw_host *h, unsigned int cmd, unsigned int pipe, uint32_t map)
{
	struct nfp_chan_fw_req req = { .cmd = cmd, .pipe = pipe, .map_id = map };

	return fw_request(h, &req);
}

static int xbind(struct fw_pipe *p, uint32_t map)
{
	return bind_cmd(p->h, NFP_CHAN_FW_CMD_BIND, p->index, map);
}

static int xunbind(struct fw_pipe *p, uint32_t map)
{
	return bind_cmd(p->h, NFP_CHAN_FW_CMD_UNBIND, p->index, map);
}

static void open_bound(struct fw_pipe *p, struct fw_host *h, unsigned int index,
		       unsigned int chan, uint32_t map)
{
	assert_int_equal(fw_open(p, h, index, chan, RING_SHIFT), NFP_CHAN_FW_OK);
	assert_int_equal(xbind(p, map), NFP_CHAN_FW_OK);
}

/* Receive the next message. Store its header to @e, and return its data. */
static const uint8_t *receive(struct fw_pipe *p, struct nfp_chan_xdp_event *e)
{
	static uint8_t buf[CHAN_XDP_BUF_SIZE];
	int n;

	if (p->note->pos == p->pos)
		fw_look(p);
	n = fw_recv(p, buf, sizeof(buf));
	assert_true(n >= (int)HEAD);
	memcpy(e, buf, sizeof(*e));
	assert_int_equal(n, HEAD + le16toh(e->data_len) + le16toh(e->pkt_len));
	assert_int_equal(e->rsvd, 0);
	return buf + HEAD;
}

static uint64_t dropped(struct fw_host *h, unsigned int chan)
{
	return fw_stat(h, chan).dropped;
}

/* ---- bindings ---- */

static void bind_refused(void **state)
{
	struct fw_host *h = *state;
	struct fw_pipe p, q, other;

	assert_int_equal(bind_cmd(h, NFP_CHAN_FW_CMD_BIND, 0, MAP), NFP_CHAN_FW_ENOENT);
	assert_int_equal(bind_cmd(h, NFP_CHAN_FW_CMD_UNBIND, 0, MAP), NFP_CHAN_FW_ENOENT);
	assert_int_equal(bind_cmd(h, NFP_CHAN_FW_CMD_BIND, NFP_CHAN_FW_PIPE_MAX, MAP),
			 NFP_CHAN_FW_EINVAL);
	assert_int_equal(bind_cmd(h, NFP_CHAN_FW_CMD_BIND, 0xffff, MAP), NFP_CHAN_FW_EINVAL);
	assert_int_equal(fw_open(&other, h, 5, CHAN_ID_POUR, 14), NFP_CHAN_FW_OK);
	assert_int_equal(xbind(&other, MAP), NFP_CHAN_FW_EINVAL);
	assert_int_equal(fw_open(&p, h, 0, CHAN_ID_XDP0, RING_SHIFT), NFP_CHAN_FW_OK);
	assert_int_equal(fw_open(&q, h, 1, CHAN_ID_XDP1, RING_SHIFT), NFP_CHAN_FW_OK);
	assert_int_equal(xbind(&p, 0), NFP_CHAN_FW_EINVAL);
	assert_int_equal(xunbind(&p, 0), NFP_CHAN_FW_ENOENT);
	assert_int_equal(xbind(&p, MAP), NFP_CHAN_FW_OK);
	assert_int_equal(xbind(&p, MAP), NFP_CHAN_FW_EBUSY);
	assert_int_equal(xbind(&q, MAP), NFP_CHAN_FW_EBUSY);
	assert_int_equal(xunbind(&q, MAP), NFP_CHAN_FW_ENOENT);
	assert_int_equal(xunbind(&p, MAP + 1), NFP_CHAN_FW_ENOENT);
	assert_int_equal(xunbind(&p, MAP), NFP_CHAN_FW_OK);
	assert_int_equal(xunbind(&p, MAP), NFP_CHAN_FW_ENOENT);
	assert_int_equal(xbind(&q, MAP), NFP_CHAN_FW_OK);
}

/* Only BIND and UNBIND may have a map id. BIND must not have an inline page. */
static void id_reserved(void **state)
{
	struct fw_host *h = *state;
	struct nfp_chan_fw_req req = { .map_id = 1 };
	struct fw_pipe p;

	assert_int_equal(fw_open(&p, h, 0, CHAN_ID_XDP0, RING_SHIFT), NFP_CHAN_FW_OK);
	for (unsigned int cmd = NFP_CHAN_FW_CMD_HELLO; cmd <= NFP_CHAN_FW_CMD_CANCEL; cmd++) {
		req.cmd = cmd;
		assert_int_equal(fw_request(h, &req), NFP_CHAN_FW_EINVAL);
	}
	req.cmd = NFP_CHAN_FW_CMD_BIND;
	req.inline_page = 1;
	assert_int_equal(fw_request(h, &req), NFP_CHAN_FW_EINVAL);
}

static void all_bindings(void **state)
{
	struct fw_host *h = *state;
	struct nfp_chan_xdp_event e;
	struct fw_pipe p;
	uint32_t i;

	assert_int_equal(fw_open(&p, h, 0, CHAN_ID_XDP0, RING_SHIFT), NFP_CHAN_FW_OK);
	for (i = 1; i <= CHAN_XDP_BINDS; i++)
		assert_int_equal(xbind(&p, i), NFP_CHAN_FW_OK);
	assert_int_equal(xbind(&p, i), NFP_CHAN_FW_ENOSPC);
	for (i = 1; i <= CHAN_XDP_BINDS; i++)
		assert_int_equal(emit_word(h, i, i), 0);
	host_run(h->host);
	for (i = 1; i <= CHAN_XDP_BINDS; i++) {
		receive(&p, &e);
		assert_int_equal(le32toh(e.map_id), i);
		assert_int_equal(le32toh(e.seq), 1);
	}
	assert_int_equal(xunbind(&p, 7), NFP_CHAN_FW_OK);
	assert_int_equal(emit_word(h, 7, 0), 1);
	assert_int_equal(xbind(&p, 99), NFP_CHAN_FW_OK);
}

/* A pipe at fault cannot be bound. Events of a map that is bound to such a pipe are dropped. */
static void fault(void **state)
{
	struct fw_host *h = *state;
	struct fw_pipe p;

	open_bound(&p, h, 0, CHAN_ID_XDP0, MAP);
	qc_add_wptr(h->host, fw_data_queue(&p), 1);
	host_run(h->host);
	assert_int_equal(p.note->state, NFP_CHAN_STATE_FAULT);
	assert_int_equal(xbind(&p, MAP + 1), NFP_CHAN_FW_ENOENT);
	assert_int_equal(emit_word(h, MAP, 1), 0);
	host_run(h->host);
	assert_int_equal(dropped(h, CHAN_ID_XDP0), 1);
	assert_int_equal(xunbind(&p, MAP), NFP_CHAN_FW_OK);
	assert_int_equal(emit_word(h, MAP, 1), 1);
}

/* ---- messages ---- */

static void contents(void **state)
{
	static const uint16_t lens[][2] = {
		{ 0, 0 }, { 1, 0 }, { 0, 1 }, { 64, 0 }, { 13, 14 }, { 512, 1514 },
		{ 512, sizeof(frame) }, { 0, sizeof(frame) },
	};
	struct fw_host *h = *state;
	struct nfp_chan_xdp_event e;
	const uint8_t *body;
	uint8_t data[512];
	struct fw_pipe p;
	int err = 1;

	for (unsigned int i = 0; i < sizeof(data); i++)
		data[i] = i * 11 + 3;
	open_bound(&p, h, 0, CHAN_ID_XDP2, MAP);
	for (unsigned int i = 0; i < ARRAY_SIZE(lens); i++) {
		assert_true(emit(h, MAP, data, lens[i][0], lens[i][1], &err));
		assert_int_equal(err, 0);
	}
	host_run(h->host);
	for (unsigned int i = 0; i < ARRAY_SIZE(lens); i++) {
		body = receive(&p, &e);
		assert_int_equal(le32toh(e.map_id), MAP);
		assert_int_equal(le32toh(e.seq), i + 1);
		assert_int_equal(le64toh(e.ts_ns), pkt.ts_ns);
		assert_int_equal(le16toh(e.frame_len), 1000);
		assert_int_equal(e.port, 1);
		assert_int_equal(le16toh(e.data_len), lens[i][0]);
		assert_int_equal(le16toh(e.pkt_len), lens[i][1]);
		assert_memory_equal(body, data, lens[i][0]);
		assert_memory_equal(body + lens[i][0], frame, lens[i][1]);
	}
	fw_look(&p);
	assert_int_equal(fw_recv(&p, data, sizeof(data)), -1);
}

static void not_bound(void **state)
{
	struct fw_host *h = *state;
	struct nfp_chan_fw_stat s;
	struct fw_pipe p;
	int err = 1;

	assert_int_equal(emit_word(h, MAP, 1), 1);
	open_bound(&p, h, 0, CHAN_ID_XDP0, MAP);
	/*
	 * A free slot of the table does not count as a binding of map 0. Ids of the board have 64
	 * bits.
	 */
	assert_int_equal(emit_word(h, 0, 1), 1);
	board(h)->xdp->pkt = &pkt;
	assert_false(bd_xdp_event(board(h), &(struct bd_event){ .map_id = 1ull << 32 | MAP },
				  60, &err));
	host_run(h->host);
	s = fw_stat(h, CHAN_ID_XDP0);
	assert_int_equal(s.msgs + s.dropped, 0);
}

/* Without the firmware of channels no map can be bound. */
static void no_firmware(void **state)
{
	struct bd_event e = { .map_id = MAP };
	struct board *b = board_create(NULL, NULL);
	int err;

	(void)state;
	assert_non_null(b);
	assert_false(bd_xdp_event(b, &e, 60, &err));
	board_destroy(b);
}

static void two_channels(void **state)
{
	struct fw_host *h = *state;
	struct nfp_chan_xdp_event e;
	struct fw_pipe p[2];
	const uint8_t *body;

	open_bound(&p[0], h, 3, CHAN_ID_XDP0, 100);
	open_bound(&p[1], h, 9, CHAN_ID_XDP3, 101);
	for (uint32_t i = 0; i < 100; i++)
		assert_int_equal(emit_word(h, 100 + i % 2, i), 0);
	host_run(h->host);
	for (uint32_t n = 0; n < 2; n++) {
		for (uint32_t i = n; i < 100; i += 2) {
			body = receive(&p[n], &e);
			assert_int_equal(le32toh(e.map_id), 100 + n);
			assert_int_equal(bd_get32(body), i);
			assert_int_equal(le32toh(e.seq), i / 2 + 1);
		}
	}
}

/* ---- loss ---- */

/*
 * Emit more events at once than there are buffers. The rest is counted as lost, all others
 * arrive.
 */
static void burst(void **state)
{
	struct fw_host *h = *state;
	struct nfp_chan_xdp_event e;
	struct fw_pipe p;
	uint32_t i;

	open_bound(&p, h, 0, CHAN_ID_XDP0, MAP);
	for (i = 0; i < CHAN_XDP_BUFS + 7; i++)
		assert_int_equal(emit_word(h, MAP, i), i < CHAN_XDP_BUFS ? 0 : -ENOSPC);
	host_run(h->host);
	assert_int_equal(dropped(h, CHAN_ID_XDP0), 7);
	assert_int_equal(emit_word(h, MAP, i), 0);
	host_run(h->host);
	for (i = 0; i < CHAN_XDP_BUFS; i++)
		receive(&p, &e);
	assert_int_equal(le32toh(e.seq), CHAN_XDP_BUFS);
	receive(&p, &e);
	assert_int_equal(le32toh(e.seq), CHAN_XDP_BUFS + 8);
	assert_int_equal(dropped(h, CHAN_ID_XDP0), 7);
	assert_int_equal(board(h)->xdp->events_lost, 7);
}

/*
 * The ring of free buffers has buffer numbers, and the host can write there. Wrong numbers are
 * refused.
 */
static void no_buffer(void **state)
{
	static const uint32_t bad[] = { CHAN_XDP_BUFS, UINT32_MAX };
	struct fw_host *h = *state;
	struct fw_pipe p;
	uint32_t buf;

	open_bound(&p, h, 0, CHAN_ID_XDP0, MAP);
	for (unsigned int i = 0; i < CHAN_XDP_BUFS; i++)
		assert_int_equal(board_ring_get(board(h), CHAN_RING_XDP_FREE, &buf, 1), 0);
	for (unsigned int i = 0; i < 2; i++) {
		assert_int_equal(board_ring_put(board(h), CHAN_RING_XDP_FREE, &bad[i], 1), 0);
		assert_int_equal(emit_word(h, MAP, i), -ENOSPC);
	}
	host_run(h->host);
	assert_int_equal(dropped(h, CHAN_ID_XDP0), 2);
}

static void too_long(void **state)
{
	struct fw_host *h = *state;
	uint8_t data[512] = { 0 };
	struct fw_pipe p;
	int err = 0;

	open_bound(&p, h, 0, CHAN_ID_XDP0, MAP);
	assert_true(emit(h, MAP, data, 1, CHAN_XDP_BUF_SIZE - HEAD, &err));
	assert_int_equal(err, -E2BIG);
	host_run(h->host);
	assert_int_equal(dropped(h, CHAN_ID_XDP0), 1);
	assert_int_equal(fw_recv(&p, data, sizeof(data)), -1);
}

/*
 * The receiver is slow. Events without room in the pipe are counted as dropped, and no emitter
 * waits.
 */
static void full(void **state)
{
	struct fw_host *h = *state;
	struct nfp_chan_xdp_event e;
	struct nfp_chan_fw_stat s;
	uint8_t data[512] = { 0 };
	struct fw_pipe p;
	int err = 1;

	open_bound(&p, h, 0, CHAN_ID_XDP0, MAP);
	for (uint32_t i = 0; i < 4000; i++) {
		assert_true(emit(h, MAP, data, sizeof(data), 0, &err));
		assert_int_equal(err, 0);
		if (i % 64 == 63)
			host_run(h->host);
	}
	host_run(h->host);
	s = fw_stat(h, CHAN_ID_XDP0);
	assert_int_equal(s.msgs + s.dropped, 4000);
	assert_in_range(s.dropped, 1, 3000);
	for (uint32_t i = 0; i < s.msgs; i++)
		receive(&p, &e);
	assert_int_equal(le32toh(e.seq), s.msgs);
	fw_ring_run(&p);
	assert_true(emit(h, MAP, data, sizeof(data), 0, &err));
	host_run(h->host);
	receive(&p, &e);
	assert_int_equal(le32toh(e.seq), 4001);
}

struct source {
	struct fw_host *h;
	uint32_t left;
};

/* Give the board a frame. A program emits an event for it at once. */
static int pull(void *ctx, struct board_frame *f)
{
	struct source *s = ctx;

	if (!s->left)
		return -1;
	assert_int_equal(emit_word(s->h, MAP, s->left--), 0);
	*f = (struct board_frame){ .data = frame, .caplen = 60, .len = 60 };
	return 1;
}

/* The board reads the wire no faster than the microengines handle the events of frames. */
static void keeps_up(void **state)
{
	static const struct board_wire_ops wire = { .pull = pull };
	struct source s = { .h = *state, .left = 5000 };
	struct fw_pipe p;

	open_bound(&p, s.h, 0, CHAN_ID_XDP0, MAP);
	board_wire(board(s.h), 0, &wire, &s);
	board_port_rx(board(s.h), 0, true);
	while (board_run(board(s.h), 64))
		;
	assert_int_equal(fw_stat(s.h, CHAN_ID_XDP0).msgs, 5000);
	assert_int_equal(fw_stat(s.h, CHAN_ID_XDP0).dropped, 0);
	board_wire(board(s.h), 0, NULL, NULL);
}

/* ---- the end of a binding ---- */

/* When UNBIND is answered, all events emitted before it are in the pipe. */
static void unbind_drains(void **state)
{
	struct fw_host *h = *state;
	struct nfp_chan_xdp_event e;
	struct fw_pipe p;

	open_bound(&p, h, 0, CHAN_ID_XDP0, MAP);
	for (uint32_t i = 0; i < CHAN_XDP_BUFS + 3; i++)
		emit_word(h, MAP, i);
	assert_int_equal(xunbind(&p, MAP), NFP_CHAN_FW_OK);
	assert_int_equal(emit_word(h, MAP, 0), 1);
	assert_int_equal(dropped(h, CHAN_ID_XDP0), 3);
	for (uint32_t i = 0; i < CHAN_XDP_BUFS; i++)
		receive(&p, &e);
	/* A new binding starts its counts at 0. */
	assert_int_equal(xbind(&p, MAP), NFP_CHAN_FW_OK);
	assert_int_equal(emit_word(h, MAP, 0), 0);
	host_run(h->host);
	receive(&p, &e);
	assert_int_equal(le32toh(e.seq), 1);
}

static void close_unbinds(void **state)
{
	struct fw_host *h = *state;
	struct fw_pipe p, q;

	open_bound(&p, h, 0, CHAN_ID_XDP0, MAP);
	assert_int_equal(xbind(&p, MAP + 1), NFP_CHAN_FW_OK);
	open_bound(&q, h, 1, CHAN_ID_XDP1, MAP + 2);
	for (uint32_t i = 0; i < 60; i++)
		assert_int_equal(emit_word(h, MAP + i % 3, i), 0);
	assert_int_equal(fw_close(&p), NFP_CHAN_FW_OK);
	assert_int_equal(h->value, 40);		/* events lost with the pipe */
	assert_int_equal(fw_stat(h, CHAN_ID_XDP0).msgs, 40);
	assert_int_equal(fw_stat(h, CHAN_ID_XDP0).dropped, 40);
	assert_int_equal(emit_word(h, MAP, 0), 1);
	assert_int_equal(emit_word(h, MAP + 1, 0), 1);
	assert_int_equal(emit_word(h, MAP + 2, 0), 0);
	open_bound(&p, h, 0, CHAN_ID_XDP0, MAP);
}

static void hello_unbinds(void **state)
{
	struct fw_host *h = *state;
	struct fw_pipe p;

	open_bound(&p, h, 0, CHAN_ID_XDP0, MAP);
	assert_int_equal(emit_word(h, MAP, 0), 0);
	assert_int_equal(fw_hello(h), NFP_CHAN_FW_OK);
	assert_int_equal(emit_word(h, MAP, 0), 1);
	open_bound(&p, h, 0, CHAN_ID_XDP0, MAP);
}

static void restart_unbinds(void **state)
{
	struct fw_host *h = *state;
	struct nfp_chan_xdp_event e;
	struct fw_pipe p;

	open_bound(&p, h, 0, CHAN_ID_XDP0, MAP);
	assert_int_equal(emit_word(h, MAP, 0), 0);
	host_reset(h->host, BOARD_RESET_POWER);
	assert_int_equal(emit_word(h, MAP, 0), 1);
	host_run(h->host);
	assert_int_equal(fw_hello(h), NFP_CHAN_FW_OK);
	open_bound(&p, h, 0, CHAN_ID_XDP0, MAP);
	assert_int_equal(emit_word(h, MAP, 0), 0);
	host_run(h->host);
	receive(&p, &e);
}

/* ---- all at once ---- */

/* Receive all events that are there. Check that they are in order, and that none comes twice. */
static uint32_t drain(struct fw_pipe *p, uint32_t *last)
{
	struct nfp_chan_xdp_event e;
	uint32_t n = 0;

	while (p->note->pos != p->pos) {
		receive(p, &e);
		assert_true(le32toh(e.seq) > *last);
		*last = le32toh(e.seq);
		n++;
	}
	if (p->pos != p->rung)
		fw_ring(p);
	return n;
}

/*
 * Emit bursts while the firmware is at any point of its work. Each event arrives or is counted as
 * lost.
 */
static void stress(void **state)
{
	struct fw_host *h = *state;
	uint64_t sent = 0, got = 0, x = random_seed(0x9e3779b97f4a7c15);
	struct nfp_chan_fw_stat s;
	uint32_t last = 0, i, n;
	struct fw_pipe p;

	open_bound(&p, h, 0, CHAN_ID_XDP0, MAP);
	for (i = 0; i < 20000; i++) {
		for (n = random_below(&x, i % 64 ? 24 : 200); n; n--)
			sent += emit_word(h, MAP, i) <= 0;
		board_run(board(h), 1 + random_below(&x, 40));
		if (random_below(&x, 16) == 0)
			got += drain(&p, &last);
		if (random_below(&x, 512) == 0) {
			assert_int_equal(xunbind(&p, MAP), NFP_CHAN_FW_OK);
			s = fw_stat(h, CHAN_ID_XDP0);
			assert_int_equal(s.msgs + s.dropped, sent);
			fw_look(&p);
			got += drain(&p, &last);
			last = 0;
			assert_int_equal(xbind(&p, MAP), NFP_CHAN_FW_OK);
		}
	}
	host_run(h->host);
	fw_look(&p);
	got += drain(&p, &last);
	s = fw_stat(h, CHAN_ID_XDP0);
	assert_int_equal(s.msgs, got);
	assert_int_equal(s.msgs + s.dropped, sent);
	assert_true(s.dropped);
}

/* With random swaps the board may read the wire before the firmware has done its work. */
static const char *no_pace(void)
{
	return hal_swap_get() == HAL_SWAP_RANDOM ? "with random swaps the wire has no pace" : NULL;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(bind_refused),
		T(id_reserved),
		T(all_bindings),
		T(fault),
		T(contents),
		T(not_bound),
		cmocka_unit_test(no_firmware),
		T(two_channels),
		T(burst),
		T(no_buffer),
		T(too_long),
		T(full),
		unless(no_pace(), (struct CMUnitTest)T(keeps_up)),
		T(unbind_drains),
		T(close_unbinds),
		T(hello_unbinds),
		T(restart_unbinds),
		T(stress),
	};

	for (unsigned int i = 0; i < sizeof(frame); i++)
		frame[i] = i * 7 + i / 256;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
