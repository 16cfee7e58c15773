// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_chan_peer.c - links to another card (LINK with NFP_CHAN_FW_LINK_PEER). The test plays the
 * link peer: it writes to the ring and to the doorbells as that card would, and it breaks the
 * protocol. The card's doorbells for the link peer are words in host memory.
 */
#include "fw_link.h"

#define LIMIT	4096
#define ARM	(NFP_CHAN_FW_QC_STRIDE / 4)	/* words from a data doorbell to its arm doorbell */

/**
 * struct peer - a linked pipe
 * @bell: the link peer's data doorbell; its arm doorbell is at @bell[ARM]
 */
struct peer {
	struct fw_pipe p;
	volatile uint32_t *bell;
	uint64_t bell_bus;
};

static void peer_open(struct peer *e, struct fw_host *h, unsigned int index, unsigned int chan)
{
	assert_int_equal(fw_open(&e->p, h, index, chan, 16), OK);
	e->bell = host_dma_alloc(h->host, 4096, &e->bell_bus);
}

static struct nfp_chan_fw_link request(const struct peer *e)
{
	return (struct nfp_chan_fw_link){
		.cmd = NFP_CHAN_FW_CMD_LINK, .pipe = (uint16_t)e->p.index,
		.to = NFP_CHAN_FW_LINK_PEER, .ring_addr = e->p.ring_bus, .doorbell_addr = e->bell_bus,
		.limit = LIMIT, .ring_shift = 16, .peer_arg = LOAD_SIZE_MAX,
	};
}

static int unlink_mark(struct peer *e, uint32_t mark)
{
	struct nfp_chan_fw_req req = {
		.cmd = NFP_CHAN_FW_CMD_UNLINK, .pipe = (uint16_t)e->p.index, .msg_seq = mark,
	};

	return fw_request(e->p.h, &req);
}

/* The link peer rings the data doorbell for @bytes. */
static void give(struct peer *e, uint32_t bytes)
{
	qc_add_wptr(e->p.h->host, fw_data_queue(&e->p), bytes / e->p.unit);
	host_run(e->p.h->host);
}

/*
 * The card writes messages to the shared ring, and rings the link peer's doorbell for their units.
 */
static void sends(void **state)
{
	struct fw_host *h = *state;
	struct nfp_chan_hdr hdr;
	struct load_msg msg;
	struct fw_pipe ctl;
	struct peer e;

	assert_int_equal(fw_open(&ctl, h, 0, CHAN_ID_LOAD_CTL, 18), OK);
	peer_open(&e, h, 1, CHAN_ID_LOAD);
	struct nfp_chan_fw_link req = request(&e);
	req.hdr_len = 8;
	memcpy(req.hdr, "template", 8);
	assert_int_equal(fw_request_link(h, &req), OK);
	load(&ctl, 1, 64, LOAD_LOAD);
	assert_int_equal(*e.bell, 80 / 8);
	fw_copy_out(&e.p, 0, &hdr, sizeof(hdr));
	assert_int_equal(hdr.len, 72);
	assert_int_equal(hdr.seq, 1);
	assert_memory_equal(e.p.ring + 8, "template", 8);
	fw_copy_out(&e.p, 16, &msg, sizeof(msg));
	assert_int_equal(msg.seq, 1);
	assert_int_equal(link_stat(&e.p).msgs, 1);
	/* The card stops when LIMIT bytes are outstanding: 51 messages of 80 bytes. */
	load(&ctl, 100, 64, LOAD_LOAD);
	assert_int_equal(link_stat(&e.p).msgs, LIMIT / 80);
	assert_true(link_stat(&e.p).stalled > 0);
	give(&e, 10 * 80);
	assert_int_equal(link_stat(&e.p).msgs, LIMIT / 80 + 10);
	assert_int_equal(e.p.note->pos, 0);
	assert_int_equal(fw_irqs(&e.p), 0);
	assert_int_equal(fw_stat(h, CHAN_ID_LOAD).msgs, LIMIT / 80 + 10);
}

/*
 * UNLINK: the card rings the last doorbell, writes the mark to the arm doorbell, and then writes
 * nothing more to the link peer. Later messages wait for another pipe.
 */
static void send_ends(void **state)
{
	struct fw_host *h = *state;
	struct fw_pipe ctl, rest;
	struct peer e;

	assert_int_equal(fw_open(&ctl, h, 0, CHAN_ID_LOAD_CTL, 18), OK);
	peer_open(&e, h, 1, CHAN_ID_LOAD);
	struct nfp_chan_fw_link req = request(&e);
	assert_int_equal(fw_request_link(h, &req), OK);
	load(&ctl, 100, 64, LOAD_LOAD);
	assert_int_equal(unlink_mark(&e, 0x1234), OK);
	assert_int_equal(e.bell[ARM], 0x1234);
	host_run(h->host);
	assert_int_equal(e.p.note->state, NFP_CHAN_STATE_FAULT);
	assert_int_equal(e.p.note->pos, 0);
	*e.bell = 0;
	assert_int_equal(unlink_mark(&e, 1), NFP_CHAN_FW_ENOENT);
	assert_int_equal(fw_close(&e.p), OK);
	assert_int_equal(h->value, 0);
	assert_int_equal(fw_open(&rest, h, 2, CHAN_ID_LOAD, 18), OK);
	host_run(h->host);
	fw_look(&rest);
	for (uint64_t i = LIMIT / 72 + 1; i <= 100; i++)
		assert_int_equal(load_take(&rest, 64), i);
	assert_int_equal(*e.bell, 0);
	assert_int_equal(e.bell[ARM], 0x1234);
}

/* The link peer gives back more room than the card has used: the card turns the pipe off. */
static void room_too_much(void **state)
{
	struct fw_host *h = *state;
	struct fw_pipe ctl;
	struct peer e;

	assert_int_equal(fw_open(&ctl, h, 0, CHAN_ID_LOAD_CTL, 18), OK);
	peer_open(&e, h, 1, CHAN_ID_LOAD);
	struct nfp_chan_fw_link req = request(&e);
	assert_int_equal(fw_request_link(h, &req), OK);
	load(&ctl, 1, 64, LOAD_LOAD);
	give(&e, 80);
	assert_int_equal(e.p.note->state, NFP_CHAN_STATE_FAULT);
	load(&ctl, 5, 64, LOAD_LOAD);
	assert_int_equal(link_stat(&e.p).msgs, 1);
	assert_int_equal(unlink_mark(&e, 7), OK);
	assert_int_equal(e.bell[ARM], 7);
}

/* Open and link a receiving pipe whose ring is in the card's memory. */
static void receiver_open(struct peer *e, struct fw_host *h)
{
	peer_open(e, h, 1, CHAN_ID_PIT);
	struct nfp_chan_fw_link req = request(e);
	req.ring_addr = h->cb.push_addr + 0x10000;
	req.peer_flags = NFP_CHAN_FW_PEER_PUSH;
	assert_int_equal(fw_request_link(h, &req), OK);
	e->p.ring = board_mem_ptr(h->host->b, req.ring_addr, 0x10000);
	assert_non_null(e->p.ring);
}

static void receives(void **state)
{
	uint8_t msg[1000] = { 0 };
	struct fw_host *h = *state;
	uint32_t taken = 0;
	struct peer e;

	receiver_open(&e, h);
	for (unsigned int i = 0; i < 200; i++) {
		fw_send_run(&e.p, msg, sizeof(msg));
		taken += *e.bell;
		*e.bell = 0;
	}
	assert_int_equal(taken * 8, 200 * 1008);
	assert_int_equal(link_stat(&e.p).msgs, 200);
	assert_int_equal(link_stat(&e.p).bytes, 200 * sizeof(msg));
	assert_int_equal(fw_stat(h, CHAN_ID_PIT).msgs, 200);
	assert_int_equal(e.p.note->pos, 0);
}

/* Breaches: a message with a wrong number, and a doorbell for more than the limit. */
static void breaches(void **state)
{
	struct fw_host *h = *state;
	struct peer e;

	receiver_open(&e, h);
	e.p.seq = 1;
	fw_send_run(&e.p, "x", 1);
	assert_int_equal(e.p.note->state, NFP_CHAN_STATE_FAULT);
	assert_int_equal(link_stat(&e.p).msgs, 0);
	assert_int_equal(fw_close(&e.p), OK);
	receiver_open(&e, h);
	give(&e, LIMIT + 8);
	assert_int_equal(e.p.note->state, NFP_CHAN_STATE_FAULT);
	assert_int_equal(unlink_mark(&e, 9), OK);
	assert_int_equal(e.bell[ARM], 9);
}

/* The answer to UNLINK has the number of messages that no process has taken. */
static void left(void **state)
{
	struct fw_host *h = *state;
	struct peer e;

	/* The process "echo" takes one message, and waits because echo-out has no receiver. */
	peer_open(&e, h, 1, CHAN_ID_ECHO_IN);
	struct nfp_chan_fw_link req = request(&e);
	assert_int_equal(fw_request_link(h, &req), OK);
	for (int i = 0; i < 5; i++)
		fw_send_run(&e.p, "any", 3);
	assert_int_equal(unlink_mark(&e, 3), OK);
	assert_int_equal(h->value, 4);
	assert_int_equal(link_stat(&e.p).msgs, 1);
	assert_int_equal(fw_stat(h, CHAN_ID_ECHO_IN).dropped, 4);
	assert_int_equal(fw_close(&e.p), OK);
	assert_int_equal(h->value, 0);
}

static void probes(void **state)
{
	struct fw_host *h = *state;
	struct peer from, to;
	uint32_t word[2];

	peer_open(&from, h, 1, CHAN_ID_LOAD);
	peer_open(&to, h, 2, CHAN_ID_PIT);
	struct nfp_chan_fw_link a = request(&from), b = request(&to);
	a.peer_flags = b.peer_flags = NFP_CHAN_FW_PEER_PROBE;
	a.peer_arg = b.peer_arg = 0x2abcd;
	b.ring_addr = from.p.ring_bus;
	assert_int_equal(fw_request_link(h, &b), NFP_CHAN_FW_EREACH);
	assert_int_equal(to.bell[ARM], 0);
	assert_int_equal(fw_request_link(h, &a), OK);
	memcpy(word, from.p.ring, sizeof(word));
	assert_int_equal(word[0], 0x2abcd);
	assert_int_equal(word[1], (uint32_t)~0x2abcdu);
	assert_int_equal(from.bell[ARM], 0x2abcd);
	assert_int_equal(fw_request_link(h, &b), OK);
	assert_int_equal(to.bell[ARM], 0x2abcd);
	/* A probe does not make a link. */
	assert_int_equal(unlink_mark(&from, 1), NFP_CHAN_FW_ENOENT);
	assert_int_equal(unlink_mark(&to, 1), NFP_CHAN_FW_ENOENT);
}

#define REFUSED(e, status, ...) do { \
	struct nfp_chan_fw_link r = request(e); \
	__VA_ARGS__; \
	assert_int_equal(fw_request_link((e)->p.h, &r), status); \
} while (0)

static void refused(void **state)
{
	struct fw_host *h = *state;
	struct peer e, q;

	peer_open(&e, h, 1, CHAN_ID_LOAD);
	peer_open(&q, h, 2, CHAN_ID_PIT);
	REFUSED(&e, NFP_CHAN_FW_EINVAL, r.ring_shift = 11);
	REFUSED(&e, NFP_CHAN_FW_EINVAL, r.ring_shift = 23);
	REFUSED(&e, NFP_CHAN_FW_EINVAL, r.limit = (1 << 16) + 8);
	REFUSED(&e, NFP_CHAN_FW_EINVAL, r.limit = LOAD_SIZE_MAX);
	REFUSED(&e, NFP_CHAN_FW_EINVAL, r.doorbell_addr = 0);
	REFUSED(&e, NFP_CHAN_FW_EINVAL, r.doorbell_addr += 2);
	REFUSED(&e, NFP_CHAN_FW_EINVAL, r.doorbell_addr = 1ull << 40);
	REFUSED(&e, NFP_CHAN_FW_EINVAL, r.ring_addr += 8);
	REFUSED(&e, NFP_CHAN_FW_EINVAL, r.peer_flags = 8);
	REFUSED(&e, NFP_CHAN_FW_EINVAL, r.peer_flags = NFP_CHAN_FW_PEER_PROBE; r.peer_arg = 0);
	REFUSED(&e, NFP_CHAN_FW_EINVAL,
		r.peer_flags = NFP_CHAN_FW_PEER_PROBE; r.peer_arg = 0x40000);
	REFUSED(&e, NFP_CHAN_FW_EINVAL, r.hdr_len = 6);
	REFUSED(&q, NFP_CHAN_FW_EINVAL, r.hdr_len = 8);
	REFUSED(&q, NFP_CHAN_FW_EINVAL, r.match_len = 1);
	REFUSED(&q, NFP_CHAN_FW_EINVAL, r.peer_flags = NFP_CHAN_FW_PEER_PUSH);
	REFUSED(&q, NFP_CHAN_FW_EINVAL, r.peer_flags = NFP_CHAN_FW_PEER_PUSH;
		r.ring_addr = h->cb.push_addr + h->cb.push_size - 4096);
	fw_send_run(&q.p, "any", 3);
	REFUSED(&q, NFP_CHAN_FW_EBUSY, (void)r);
	REFUSED(&e, OK, (void)r);
	REFUSED(&e, NFP_CHAN_FW_EBUSY, (void)r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(sends),
		T(send_ends),
		T(room_too_much),
		T(receives),
		T(breaches),
		T(left),
		T(probes),
		T(refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
