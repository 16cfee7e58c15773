// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_chan_fw.c - the firmware's control block and mailbox. */
#include "chan_taken.h"
#include "fw_host.h"

static void control_block(void **state)
{
	struct fw_host *h = *state;
	struct nfp_chan_fw_cb cb = h->cb;
	struct nfp_chan_fw_chan c;
	char process[NFP_CHAN_NAME_LEN];
	uint32_t crc;

	assert_int_equal(cb.magic, NFP_CHAN_FW_MAGIC);
	assert_int_equal(cb.abi_major, NFP_CHAN_FW_ABI_MAJOR);
	assert_int_equal(cb.size, sizeof(cb));
	assert_int_equal(cb.chan_count, CHAN_COUNT);
	assert_int_equal(cb.pipe_count, NFP_CHAN_FW_PIPE_MAX);
	assert_int_equal(cb.mbox_queue, 134);
	assert_int_equal(cb.sig_queue, 135);
	assert_int_equal(nfp_chan_fw_queue(cb.queue_pages, 0), 34);
	assert_int_equal(nfp_chan_fw_queue(cb.queue_pages, 24), 162);
	assert_int_not_equal(cb.boot_id, 0);
	cb.magic = 0;
	cb.crc = 0;
	crc = fw_crc32(0xffffffff, &cb, sizeof(cb));
	for (unsigned int i = 0; i < cb.chan_count; i++) {
		fw_sram_read(h, cb.chan_off + i * cb.chan_stride, &c, sizeof(c));
		crc = fw_crc32(crc, &c, sizeof(c));
		assert_string_equal(c.name, chan_desc[i].name);
		assert_int_equal(c.id, i);
		assert_int_equal(c.depth, chan_desc[i].depth);
		fw_sram_read(h, c.process, process, sizeof(process));
		assert_string_equal(process, chan_names + chan_desc[i].process);
		if (i == CHAN_ID_FRAMES_OUT)
			assert_string_equal(process, "frames-out");
	}
	assert_int_equal(h->cb.crc, (uint32_t)~crc);
}

/* The queues, the memory and the microengines are none that the vendor's firmware has taken. */
static void others_left(void **state)
{
	struct fw_host *h = *state;
	const struct nfp_chan_fw_cb *cb = &h->cb;
	uint64_t queues = 1ull << cb->mbox_queue / 4 | 1ull << cb->sig_queue / 4;

	assert_int_equal(cb->mbox_queue & cb->sig_queue & 2, 2);
	assert_int_equal((cb->queue_pages | queues) & TAKEN_PAGES, 0);
	assert_int_equal(cb->queue_pages & queues, 0);
	assert_in_range(cb->push_addr, FREE_WINDOW, FREE_WINDOW_END - 1);
	assert_in_range(cb->push_size, 1, FREE_WINDOW_END - cb->push_addr);
	for (unsigned int i = 0; i < me_context_count; i++)
		assert_true(FREE_ME(me_contexts[i].island, me_contexts[i].me));
}

static void hello_answers(void **state)
{
	struct fw_host *h = *state;
	struct nfp_chan_fw_req req = {
		.cmd = NFP_CHAN_FW_CMD_HELLO, .vector = FW_VEC_RSP, .ring_addr = h->rsp_bus + 64,
	};
	volatile struct nfp_chan_fw_rsp *there = h->rsp + 4;

	assert_int_equal(h->value, h->cb.boot_id);
	assert_int_equal(h->host->irqs[FW_VEC_RSP], 1);
	req.seq = 77;
	fw_post(h, &req);
	host_run(h->host);
	assert_int_equal(there->seq, 77);
	assert_int_equal(there->status, NFP_CHAN_FW_OK);
}

/* Before HELLO, the card has no address for answers. A HELLO that is refused changes nothing. */
static void hello_refused(void **state)
{
	struct nfp_chan_fw_req req = { .cmd = NFP_CHAN_FW_CMD_CLOSE, .seq = 5 };
	struct fw_host *h = calloc(1, sizeof(*h));
	struct fw_pipe p;

	*state = h;
	fw_host_start(h);
	fw_post(h, &req);
	host_run(h->host);
	assert_int_equal(h->rsp->seq, 0);
	assert_int_equal(h->host->faults, 0);
	assert_int_equal(fw_hello(h), NFP_CHAN_FW_OK);
	assert_int_equal(fw_open(&p, h, 0, CHAN_ID_PIT, 14), NFP_CHAN_FW_OK);
	req.cmd = NFP_CHAN_FW_CMD_HELLO;
	req.ring_addr = h->rsp_bus + 8;
	assert_int_equal(fw_request(h, &req), NFP_CHAN_FW_EINVAL);
	req.ring_addr = 1ull << 40;
	assert_int_equal(fw_request(h, &req), NFP_CHAN_FW_EINVAL);
	req.ring_addr = 0;
	assert_int_equal(fw_request(h, &req), NFP_CHAN_FW_EINVAL);
	req.ring_addr = h->rsp_bus;
	req.vector = 256;
	assert_int_equal(fw_request(h, &req), NFP_CHAN_FW_EINVAL);
	/* The pipe is still open, and answers still go to the first address. */
	fw_send(&p, &req, sizeof(req));
	fw_look(&p);
	assert_int_equal(p.note->seq, 1);
	assert_int_equal(p.note->state, NFP_CHAN_STATE_OPEN);
	assert_int_equal(fw_close(&p), NFP_CHAN_FW_OK);
}

/*
 * The card ignores an OPEN that comes before HELLO. It may be meant for firmware that ran before a
 * reset, and its addresses may no longer be valid.
 */
static void hello_first(void **state)
{
	struct fw_host *h = calloc(1, sizeof(*h));
	struct nfp_chan_fw_req req;
	struct fw_pipe p;

	*state = h;
	fw_host_start(h);
	fw_open_req(&p, h, 0, CHAN_ID_TICK, 14, &req);
	req.seq = ++h->seq;
	fw_post(h, &req);
	host_run(h->host);
	fw_signal(h, CHAN_ID_TICK);
	fw_look(&p);
	assert_int_equal(p.note->pos, 0);
	assert_int_equal(*(uint64_t *)p.ring, 0);
	assert_int_equal(fw_irqs(&p), 0);
	assert_int_equal(fw_hello(h), NFP_CHAN_FW_OK);
	assert_int_equal(fw_request(h, &req), NFP_CHAN_FW_OK);
	fw_signal(h, CHAN_ID_TICK);
	fw_look(&p);
	assert_int_not_equal(p.note->pos, 0);
}

/* A second doorbell for the same request does not execute the request again. */
static void done_once(void **state)
{
	struct fw_host *h = *state;
	struct nfp_chan_fw_req req;
	struct fw_pipe p;

	fw_open_req(&p, h, 0, CHAN_ID_ECHO_IN, 14, &req);
	assert_int_equal(fw_request(h, &req), NFP_CHAN_FW_OK);
	h->rsp->seq = 0;
	qc_add_wptr(h->host, h->cb.mbox_queue, 1);
	host_run(h->host);
	assert_int_equal(h->rsp->seq, 0);
	assert_int_equal(h->host->irqs[FW_VEC_RSP], 2);
	assert_int_equal(fw_close(&p), NFP_CHAN_FW_OK);
}

static void unknown_commands(void **state)
{
	struct fw_host *h = *state;
	struct nfp_chan_fw_req req = { .cmd = NFP_CHAN_FW_CMD_GOODBYE + 1 };

	assert_int_equal(fw_request(h, &req), NFP_CHAN_FW_ENOSYS);
	req.cmd = 0;
	assert_int_equal(fw_request(h, &req), NFP_CHAN_FW_ENOSYS);
	req.cmd = NFP_CHAN_FW_CMD_CLOSE;
	assert_int_equal(fw_request(h, &req), NFP_CHAN_FW_ENOENT);
	req.pipe = NFP_CHAN_FW_PIPE_MAX;
	assert_int_equal(fw_request(h, &req), NFP_CHAN_FW_EINVAL);
	req.pipe = 0;
	req.inline_page = 1;
	assert_int_equal(fw_request(h, &req), NFP_CHAN_FW_EINVAL);
	req.inline_page = 0;
	req.map_id = 1;
	assert_int_equal(fw_request(h, &req), NFP_CHAN_FW_EINVAL);
}

/* An OPEN in which one field is wrong */
struct bad_open {
	const char *what;
	size_t off;
	size_t size;
	uint64_t value;
	int status;
};

#define FIELD(f)	offsetof(struct nfp_chan_fw_req, f), \
			sizeof(((struct nfp_chan_fw_req *)0)->f)

static const struct bad_open bad_opens[] = {
	{ "pipe", FIELD(pipe), NFP_CHAN_FW_PIPE_MAX, NFP_CHAN_FW_EINVAL },
	{ "chan", FIELD(chan), CHAN_COUNT, NFP_CHAN_FW_ENOENT },
	{ "vector", FIELD(vector), 256, NFP_CHAN_FW_EINVAL },
	{ "ring too small", FIELD(ring_shift), 11, NFP_CHAN_FW_EINVAL },
	{ "ring too large", FIELD(ring_shift), 23, NFP_CHAN_FW_EINVAL },
	{ "unit too small", FIELD(unit_shift), 2, NFP_CHAN_FW_EINVAL },
	{ "unit above ring", FIELD(unit_shift), 30, NFP_CHAN_FW_EINVAL },
	{ "ring unaligned", FIELD(ring_addr), 0x1000800, NFP_CHAN_FW_EINVAL },
	{ "ring beyond 40 bits", FIELD(ring_addr), 0xfffffff000, NFP_CHAN_FW_EINVAL },
	{ "note unaligned", FIELD(note_addr), 0x1000008, NFP_CHAN_FW_EINVAL },
	{ "note beyond 40 bits", FIELD(note_addr), 1ull << 40, NFP_CHAN_FW_EINVAL },
	{ "inline page", FIELD(inline_page), 7, NFP_CHAN_FW_EINVAL },
};

static void open_refused(void **state)
{
	struct fw_host *h = *state;
	struct nfp_chan_fw_req good, req;
	struct fw_pipe p;

	fw_open_req(&p, h, 3, CHAN_ID_ECHO_IN, 14, &good);
	for (size_t i = 0; i < sizeof(bad_opens) / sizeof(bad_opens[0]); i++) {
		const struct bad_open *b = &bad_opens[i];

		req = good;
		memcpy((char *)&req + b->off, &b->value, b->size);
		print_message("# %s\n", b->what);
		assert_int_equal(fw_request(h, &req), b->status);
	}
	assert_int_equal(fw_request(h, &good), NFP_CHAN_FW_OK);
	assert_int_equal(fw_request(h, &good), NFP_CHAN_FW_EBUSY);
	assert_int_equal(fw_close(&p), NFP_CHAN_FW_OK);
	assert_int_equal(fw_close(&p), NFP_CHAN_FW_ENOENT);
	/* A ring of 2^17 units: a ring has at most 2^16. */
	req = good;
	req.ring_shift = 22;
	req.unit_shift = 5;
	assert_int_equal(fw_request(h, &req), NFP_CHAN_FW_EINVAL);
	assert_int_equal(fw_request(h, &good), NFP_CHAN_FW_OK);
}

static void exclusive(void **state)
{
	struct fw_host *h = *state;
	struct fw_pipe a, b;

	assert_int_equal(fw_open(&a, h, 0, CHAN_ID_FLOWS, 17), NFP_CHAN_FW_OK);
	assert_int_equal(fw_open(&b, h, 1, CHAN_ID_FLOWS, 17), NFP_CHAN_FW_EBUSY);
	assert_int_equal(fw_close(&a), NFP_CHAN_FW_OK);
	assert_int_equal(fw_open(&b, h, 1, CHAN_ID_FLOWS, 17), NFP_CHAN_FW_OK);
}

static void all_pipes(void **state)
{
	struct fw_host *h = *state;
	struct fw_pipe p[NFP_CHAN_FW_PIPE_MAX];
	uint8_t msg[32] = { 1 }, buf[32];

	for (unsigned int i = 0; i < NFP_CHAN_FW_PIPE_MAX; i++)
		assert_int_equal(fw_open(&p[i], h, i,
					 i & 1 ? CHAN_ID_ECHO_OUT : CHAN_ID_ECHO_IN, 14),
				 NFP_CHAN_FW_OK);
	/* Each sender's message reaches one receiver. */
	for (unsigned int i = 0; i < NFP_CHAN_FW_PIPE_MAX; i += 2)
		fw_send(&p[i], msg, sizeof(msg));
	host_run(h->host);
	for (unsigned int i = 1; i < NFP_CHAN_FW_PIPE_MAX; i += 2)
		assert_int_equal(fw_recv(&p[i], buf, sizeof(buf)), sizeof(msg));
}

/* HELLO of a new host closes the pipes of the old host, and sequence numbers begin at 0. */
static void hello_resets(void **state)
{
	struct fw_host *h = *state;
	struct fw_pipe in, out;
	uint8_t msg[100] = { 0 };
	unsigned long irqs;

	assert_int_equal(fw_open(&in, h, 0, CHAN_ID_ECHO_IN, 14), NFP_CHAN_FW_OK);
	assert_int_equal(fw_open(&out, h, 1, CHAN_ID_ECHO_OUT, 14), NFP_CHAN_FW_OK);
	for (int i = 0; i < 3; i++)
		fw_send(&in, msg, sizeof(msg));
	host_run(h->host);
	fw_look(&out);
	irqs = fw_irqs(&out);
	fw_arm(&out, out.note->seq);
	h->seq = 0;
	assert_int_equal(fw_hello(h), NFP_CHAN_FW_OK);
	assert_int_equal(fw_stat(h, CHAN_ID_ECHO_OUT).dropped, 3);
	assert_int_equal(fw_open(&out, h, 1, CHAN_ID_ECHO_OUT, 14), NFP_CHAN_FW_OK);
	assert_int_equal(fw_open(&in, h, 0, CHAN_ID_ECHO_IN, 14), NFP_CHAN_FW_OK);
	fw_send_run(&in, msg, sizeof(msg));
	assert_int_equal(fw_recv(&out, msg, sizeof(msg)), 100);
	assert_int_equal(fw_irqs(&out), irqs);
}

/*
 * After the answer to GOODBYE the test unmaps all memory, so any DMA of the card would fault.
 * Until the next HELLO the card writes nothing and raises no vector, whatever the host does.
 */
static void goodbye(void **state)
{
	struct fw_host *h = *state;
	struct nfp_chan_fw_req req;
	struct fw_pipe in, out;
	uint8_t msg[100] = { 0 };
	unsigned int logged;

	assert_int_equal(fw_open(&in, h, 0, CHAN_ID_ECHO_IN, 14), NFP_CHAN_FW_OK);
	assert_int_equal(fw_open(&out, h, 1, CHAN_ID_ECHO_OUT, 14), NFP_CHAN_FW_OK);
	for (int i = 0; i < 3; i++)
		fw_send_run(&in, msg, sizeof(msg));
	fw_arm(&out, out.note->seq);
	assert_int_equal(fw_goodbye(h), NFP_CHAN_FW_OK);
	assert_int_equal(h->value, 0);
	assert_int_equal(h->host->irqs[FW_VEC_RSP], 4);
	assert_int_equal(fw_stat(h, CHAN_ID_ECHO_OUT).dropped, 3);
	fw_free(&in);
	fw_free(&out);
	host_dma_free(h->host, h->rsp_bus);
	logged = h->host->logged;

	fw_ring_run(&out);
	fw_signal_run(h, CHAN_ID_TICK);
	fw_open_req(&out, h, 1, CHAN_ID_ECHO_OUT, 14, &req);
	req.seq = ++h->seq;
	fw_post(h, &req);
	host_run(h->host);
	req.cmd = NFP_CHAN_FW_CMD_GOODBYE;
	req.seq = ++h->seq;
	fw_post(h, &req);
	host_run(h->host);
	assert_int_equal(h->host->logged, logged);
	assert_int_equal(h->host->faults, 0);

	h->rsp = host_dma_alloc(h->host, 4096, &h->rsp_bus);
	assert_int_equal(fw_hello(h), NFP_CHAN_FW_OK);
	assert_int_equal(h->value, h->cb.boot_id);
	assert_int_equal(fw_open(&out, h, 1, CHAN_ID_ECHO_OUT, 14), NFP_CHAN_FW_OK);
	assert_int_equal(fw_open(&in, h, 0, CHAN_ID_ECHO_IN, 14), NFP_CHAN_FW_OK);
	fw_send_run(&in, msg, sizeof(msg));
	assert_int_equal(fw_recv(&out, msg, sizeof(msg)), 100);
}

/* A GOODBYE that is refused changes nothing. */
static void goodbye_refused(void **state)
{
	struct fw_host *h = *state;
	struct nfp_chan_fw_req req = { .cmd = NFP_CHAN_FW_CMD_GOODBYE, .inline_page = 1 };
	struct fw_pipe p;

	assert_int_equal(fw_open(&p, h, 0, CHAN_ID_ECHO_IN, 14), NFP_CHAN_FW_OK);
	assert_int_equal(fw_request(h, &req), NFP_CHAN_FW_EINVAL);
	assert_int_equal(fw_close(&p), NFP_CHAN_FW_OK);
}

/* After each reset the firmware starts with its initial state, and a new boot id. */
static void restarts(void **state)
{
	struct fw_host *h = *state;
	uint32_t boot = h->cb.boot_id;
	struct fw_pipe p;

	assert_int_equal(fw_open(&p, h, 0, CHAN_ID_ECHO_IN, 14), NFP_CHAN_FW_OK);
	for (int i = 0; i < 3; i++) {
		host_reset(h->host, BOARD_RESET_POWER);
		host_run(h->host);
		fw_sram_read(h, 0, &h->cb, sizeof(h->cb));
		assert_int_equal(h->cb.magic, NFP_CHAN_FW_MAGIC);
		assert_int_not_equal(h->cb.boot_id, boot);
		boot = h->cb.boot_id;
		assert_int_equal(fw_hello(h), NFP_CHAN_FW_OK);
		assert_int_equal(fw_open(&p, h, 0, CHAN_ID_ECHO_IN, 14), NFP_CHAN_FW_OK);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(control_block),
		T(hello_answers),
		T(others_left),
		cmocka_unit_test_teardown(hello_refused, fw_teardown),
		cmocka_unit_test_teardown(hello_first, fw_teardown),
		T(done_once),
		T(unknown_commands),
		T(open_refused),
		T(exclusive),
		T(all_pipes),
		T(hello_resets),
		T(goodbye),
		T(goodbye_refused),
		T(restarts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
