// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_chan_hostile.c - when the host breaks the protocol on a pipe, the card
 * turns that pipe off with state FAULT. The other pipes still work.
 */
#include "test_apps.h"
#include "fw_host.h"
#include "random.h"

#define OK	NFP_CHAN_FW_OK

/* Two pipes that keep to the protocol. They must work whatever happens on other pipes. */
struct witness {
	struct fw_pipe in, out;
	uint8_t n;
};

static void witness_open(struct witness *w, struct fw_host *h)
{
	w->n = 0;
	assert_int_equal(fw_open(&w->in, h, 30, CHAN_ID_ECHO_IN, 14), OK);
	assert_int_equal(fw_open(&w->out, h, 31, CHAN_ID_ECHO_OUT, 14), OK);
}

static void witness_check(struct witness *w)
{
	uint8_t msg[3] = { 1, 2, ++w->n }, buf[2048];

	fw_send_run(&w->in, msg, sizeof(msg));
	assert_int_equal(fw_recv(&w->out, buf, sizeof(buf)), sizeof(msg));
	assert_memory_equal(msg, buf, sizeof(msg));
	fw_ring(&w->out);
	assert_int_equal(w->in.note->state, NFP_CHAN_STATE_OPEN);
}

static void assert_fault(struct fw_pipe *p)
{
	unsigned long before = fw_irqs(p);

	fw_look(p);
	assert_int_equal(p->note->state, NFP_CHAN_STATE_FAULT);
	assert_int_equal(fw_irqs(p), before + 1);
}

/* A message with a wrong header */
struct bad_header {
	const char *what;
	unsigned int chan;
	struct nfp_chan_hdr hdr;
	uint32_t bytes;		/* that the doorbell announces */
};

static const struct bad_header bad_headers[] = {
	{ "longer than the channel's messages", CHAN_ID_ECHO_IN, { 2049, 1, 0 }, 2064 },
	{ "longer than what is announced", CHAN_ID_ECHO_IN, { 100, 1, 0 }, 104 },
	{ "longer than any", CHAN_ID_ECHO_IN, { 0xffffffff, 1, 0 }, 16 },
	{ "wraps with its header", CHAN_ID_ECHO_IN, { 0xfffffff8, 1, 0 }, 16 },
	{ "number 0", CHAN_ID_ECHO_IN, { 8, 0, 0 }, 16 },
	{ "number ahead", CHAN_ID_ECHO_IN, { 8, 2, 0 }, 16 },
	{ "reserved", CHAN_ID_ECHO_IN, { 8, 1, 1 }, 16 },
	{ "not the fixed size", CHAN_ID_LOAD_CTL, { 15, 1, 0 }, 24 },
	{ "rendezvous with two messages", CHAN_ID_RV_IN, { 8, 1, 0 }, 32 },
};

static void headers(void **state)
{
	struct fw_host *h = *state;
	struct witness w;
	struct fw_pipe p;

	witness_open(&w, h);
	for (size_t i = 0; i < sizeof(bad_headers) / sizeof(bad_headers[0]); i++) {
		const struct bad_header *b = &bad_headers[i];

		print_message("# %s\n", b->what);
		assert_int_equal(fw_open(&p, h, (unsigned int)i, b->chan, 14), OK);
		fw_copy_in(&p, 0, &b->hdr, sizeof(b->hdr));
		p.pos = b->bytes;
		fw_ring(&p);
		assert_fault(&p);
		assert_int_equal(p.note->pos, 0);
		witness_check(&w);
		/* The pipe stays off after a further message. */
		p.pos += 8;
		fw_ring_run(&p);
		assert_int_equal(p.note->state, NFP_CHAN_STATE_FAULT);
		assert_int_equal(fw_close(&p), OK);
		witness_check(&w);
	}
}

/* The doorbell announces more units than may be outstanding. */
static void too_many_units(void **state)
{
	struct fw_host *h = *state;
	static const struct { unsigned int chan; uint32_t shift; uint32_t units; } bad[] = {
		{ CHAN_ID_LOAD_CTL, 12, 4 * 24 / 8 + 1 },
		{ CHAN_ID_ECHO_IN, 12, 4096 / 8 + 1 },
		{ CHAN_ID_RV_IN, 12, 264 / 8 + 1 },
		{ CHAN_ID_ECHO_IN, 12, 0x3ffff },
		{ CHAN_ID_ECHO_IN, 22, 0x3ffff },
	};
	struct witness w;
	struct fw_pipe p;

	witness_open(&w, h);
	/* Five good messages, with room for four: the card takes none of them. */
	assert_int_equal(fw_open(&p, h, 20, CHAN_ID_LOAD_CTL, 12), OK);
	for (uint16_t n = 0; n < 5; n++) {
		struct nfp_chan_hdr hdr = { 16, n + 1, 0 };

		fw_copy_in(&p, 24 * n, &hdr, sizeof(hdr));
	}
	p.pos = 5 * 24;
	fw_ring(&p);
	assert_fault(&p);
	assert_int_equal(p.note->pos, 0);
	assert_int_equal(fw_close(&p), OK);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(fw_open(&p, h, (unsigned int)i, bad[i].chan, bad[i].shift), OK);
		qc_add_wptr(h->host, fw_data_queue(&p), bad[i].units);
		assert_fault(&p);
		witness_check(&w);
	}
}

/* The host gives back more room than it has received messages. */
static void credits(void **state)
{
	struct fw_host *h = *state;
	static const uint32_t units[] = { 1, 3, 0x3fff0 };
	struct load_req one = { 1, 16, LOAD_LOAD, 0 }, req = { 2, 16, LOAD_LOAD, 0 };
	struct witness w;
	struct fw_pipe ctl, p;

	witness_open(&w, h);
	assert_int_equal(fw_open(&ctl, h, 29, CHAN_ID_LOAD_CTL, 12), OK);
	/*
	 * The second message is in the ring, but no record shows it yet: giving it back is a
	 * breach.
	 */
	assert_int_equal(fw_open(&p, h, 9, CHAN_ID_LOAD, 18), OK);
	fw_send_run(&ctl, &one, sizeof(one));
	fw_send_run(&ctl, &one, sizeof(one));
	assert_int_equal(p.note->pos, 24);
	qc_add_wptr(h->host, fw_data_queue(&p), 6);
	assert_fault(&p);
	assert_int_equal(fw_close(&p), OK);
	assert_int_equal(h->value, 2);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(fw_open(&p, h, (unsigned int)i, CHAN_ID_LOAD, 18), OK);
		fw_send_run(&ctl, &one, sizeof(one));
		fw_send_run(&ctl, &one, sizeof(one));
		fw_look(&p);
		assert_int_equal(p.note->pos, 48);
		qc_add_wptr(h->host, fw_data_queue(&p), 6 + units[i]);
		assert_fault(&p);
		witness_check(&w);
		/* The pipe that is off gets no further messages. They wait for another pipe. */
		fw_send_run(&ctl, &req, sizeof(req));
		assert_int_equal(p.note->seq, 2);
		assert_int_equal(fw_close(&p), OK);
		assert_int_equal(h->value, 2);
		assert_int_equal(fw_open(&p, h, 10, CHAN_ID_LOAD, 18), OK);
		fw_look(&p);
		assert_int_equal(p.note->seq, 2);
		assert_int_equal(fw_close(&p), OK);
	}
}

/*
 * A pipe is turned off during a rendezvous: the sender's send ends, and its next message is sent.
 */
static void rendezvous_fault(void **state)
{
	struct fw_host *h = *state;
	struct load_req req = { 2, 16, LOAD_RV, 0 };
	struct fw_pipe ctl, p, q;

	assert_int_equal(fw_open(&ctl, h, 0, CHAN_ID_LOAD_CTL, 12), OK);
	assert_int_equal(fw_open(&p, h, 1, CHAN_ID_LOAD_RV, 12), OK);
	fw_send_run(&ctl, &req, sizeof(req));
	qc_add_wptr(h->host, fw_data_queue(&p), 4);
	assert_fault(&p);
	assert_int_equal(fw_open(&q, h, 2, CHAN_ID_LOAD_RV, 12), OK);
	host_run(h->host);
	assert_int_equal(q.note->seq, 1);
	assert_int_equal(fw_stat(h, CHAN_ID_LOAD_RV).dropped, 1);
}

/* The host unmaps the memory of open pipes. */
static void memory_gone(void **state)
{
	struct fw_host *h = *state;
	struct load_req req = { 3, 16, LOAD_LOAD, 0 };
	struct witness w;
	struct fw_pipe ctl, p, in;

	witness_open(&w, h);
	assert_int_equal(fw_open(&ctl, h, 0, CHAN_ID_LOAD_CTL, 12), OK);
	assert_int_equal(fw_open(&p, h, 1, CHAN_ID_LOAD, 12), OK);
	assert_int_equal(fw_open(&in, h, 2, CHAN_ID_RV_IN, 12), OK);
	fw_free(&p);
	host_dma_free(h->host, in.ring_bus);
	fw_send(&ctl, &req, sizeof(req));
	qc_add_wptr(h->host, fw_data_queue(&in), 2);
	host_run(h->host);
	assert_true(h->host->faults > 0);
	/* The card's read of the unmapped ring returns ones, which are not a valid header. */
	assert_int_equal(in.note->state, NFP_CHAN_STATE_FAULT);
	witness_check(&w);
	assert_int_equal(fw_close(&p), OK);
	assert_int_equal(fw_close(&in), OK);
	witness_check(&w);
}

/* Doorbells of pipes that are not open, with any value, change nothing. */
static void closed_pipes(void **state)
{
	struct fw_host *h = *state;
	struct witness w;
	struct fw_pipe p;

	witness_open(&w, h);
	for (unsigned int q = 0; q < 60; q++)
		qc_add_wptr(h->host, nfp_chan_fw_queue(h->cb.queue_pages, q / 2) + q % 2,
			    q * 977 & 0x3ffff);
	host_run(h->host);
	witness_check(&w);
	/* A pipe that is opened after this begins with count 0 and no interrupt. */
	assert_int_equal(fw_open(&p, h, 0, CHAN_ID_RV_IN, 12), OK);
	fw_send_run(&p, "x", 1);
	assert_int_equal(p.note->seq, 1);
	assert_int_equal(fw_irqs(&p), 0);
}

/* With random doorbells and ring contents on other pipes, the witness gets each message. */
static void noise(void **state)
{
	struct fw_host *h = *state;
	struct witness w;
	struct fw_pipe p[8];
	uint64_t x = random_seed(12345), r = 0;

	witness_open(&w, h);
	for (int round = 0; round < 300; round++) {
		for (unsigned int i = 0; i < 8; i++) {
			unsigned int chan = (unsigned int)(round + (int)i) % CHAN_COUNT;

			if (chan == CHAN_ID_ECHO_IN || chan == CHAN_ID_ECHO_OUT)
				chan = CHAN_ID_LOAD_CTL;
			if (fw_open(&p[i], h, i, chan, 12 + i % 3) != OK)
				continue;
			for (unsigned int n = 0; n < 32; n++) {
				r = random_next(&x);
				p[i].ring[r >> 20 & 0xfff] = (uint8_t)(r >> 8);
				if (n % 8 == 0)
					qc_add_wptr(h->host,
						    fw_data_queue(&p[i]) + (r >> 9 & 1),
						   r >> 16 & 0x1f);
			}
		}
		board_run(h->host->b, r >> 56);
		witness_check(&w);
		for (unsigned int i = 0; i < 8; i++) {
			fw_close(&p[i]);
			fw_free(&p[i]);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(headers),
		T(too_many_units),
		T(credits),
		T(rendezvous_fault),
		T(memory_gone),
		T(closed_pipes),
		T(noise),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
