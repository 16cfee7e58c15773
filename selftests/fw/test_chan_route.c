// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_chan_route.c - links with rules: a link may take only messages that match, drop messages,
 * or put a header template in front of them.
 */
#include "fw_link.h"

/* Make a link for messages whose byte at @off, masked with @mask, is @value. */
static int make_match(struct fw_pipe *from, unsigned int to, uint32_t off, uint8_t mask, uint8_t value)
{
	struct nfp_chan_fw_link req = {
		.cmd = NFP_CHAN_FW_CMD_LINK, .pipe = (uint16_t)from->index, .to = (uint16_t)to,
		.match_len = mask ? 1 : 0, .match_off = off,
		.match_mask = { mask }, .match_value = { value },
	};

	return fw_request_link(from->h, &req);
}

static int make_header(struct fw_pipe *from, struct fw_pipe *to, const void *hdr, uint8_t len)
{
	struct nfp_chan_fw_link req = {
		.cmd = NFP_CHAN_FW_CMD_LINK, .pipe = (uint16_t)from->index,
		.to = (uint16_t)to->index, .hdr_len = len,
	};

	memcpy(req.hdr, hdr, len);
	return fw_request_link(from->h, &req);
}

/* Two links match on a byte. Other messages go to the host's pipe, or to a link that drops them. */
static void routes(void **state)
{
	/* The process "load" sends 16 bytes from registers, and 64 bytes from memory. */
	static const uint32_t sizes[] = { 16, 64 };
	uint64_t odd = 0, two = 0, drop = 0;
	struct fw_host *h = *state;
	struct fw_pipe p[6], host;

	OPEN(h, p, CHAN_ID_LOAD_CTL, CHAN_ID_LOAD, CHAN_ID_PIT, CHAN_ID_LOAD, CHAN_ID_ECHO_IN,
	     CHAN_ID_ECHO_OUT);
	assert_int_equal(fw_open(&host, h, 6, CHAN_ID_LOAD, 18), OK);
	assert_int_equal(make_match(&p[1], p[2].index, 0, 1, 1), OK);
	assert_int_equal(make_match(&p[3], p[4].index, 0, 3, 2), OK);
	for (unsigned int k = 0; k < 2; k++) {
		load(&p[0], 100, sizes[k], LOAD_LOAD);
		fw_look(&p[5]);
		fw_look(&host);
		odd += 50;
		two += 25;
		assert_int_equal(link_stat(&p[1]).msgs, odd);
		assert_int_equal(link_stat(&p[3]).msgs, two);
		for (uint64_t i = 1; i <= 25; i++) {
			assert_int_equal(load_take(&p[5], sizes[k]), 4 * i - 2);
			assert_int_equal(load_take(&host, sizes[k]), 4 * i);
		}
	}
	/* Make the host's pipe a link that drops. */
	assert_int_equal(make_match(&host, NFP_CHAN_FW_LINK_DROP, 0, 0, 0), OK);
	load(&p[0], 16, 64, LOAD_LOAD);
	odd += 8;
	two += 4;
	drop += 4;
	assert_int_equal(link_stat(&host).dropped, drop);
	assert_int_equal(fw_stat(h, CHAN_ID_LOAD).dropped, drop);
	assert_int_equal(link_stat(&p[1]).msgs, odd);
	assert_int_equal(link_stat(&p[3]).msgs, two);
	/* Without the second link, its messages are dropped like the others. */
	assert_int_equal(unmake(&p[3]), OK);
	assert_int_equal(fw_close(&p[3]), OK);
	load(&p[0], 16, 64, LOAD_LOAD);
	assert_int_equal(link_stat(&host).dropped, drop + 8);
	assert_int_equal(link_stat(&p[1]).msgs, odd + 8);
	assert_int_equal(fw_close(&host), OK);
}

/*
 * A message waits for the link that it matches. If that link ends, another pipe gets the message.
 */
static void routes_change(void **state)
{
	struct fw_host *h = *state;
	struct fw_pipe p[4];

	for (unsigned int turns = 0; turns < 200; turns += 1 + turns / 8) {
		struct load_req req = { 8, 64, LOAD_LOAD, 0xabcd };

		assert_int_equal(fw_hello(h), OK);
		OPEN(h, p, CHAN_ID_LOAD_CTL, CHAN_ID_LOAD, CHAN_ID_ECHO_IN, CHAN_ID_LOAD);
		assert_int_equal(make_match(&p[1], p[2].index, 0, 0xfc, 0), OK);
		/*
		 * "echo" takes message 1 and waits in its send. Messages 2 and 3 match the link
		 * too.
		 */
		fw_send(&p[0], &req, sizeof(req));
		for (unsigned int i = 0; i < turns; i++)
			board_run(h->host->b, 1);
		assert_int_equal(fw_close(&p[1]), OK);
		host_run(h->host);
		fw_look(&p[3]);
		for (uint64_t i = 1 + link_stat(&p[1]).msgs; i <= 8; i++)
			assert_int_equal(load_take(&p[3], 64), i);
		for (int i = 0; i < 4; i++)
			fw_free(&p[i]);
		/* Receive what "echo" sends, so that "echo" receives again in the next round. */
		assert_int_equal(fw_open(&p[0], h, 8, CHAN_ID_ECHO_OUT, 12), OK);
		host_run(h->host);
		assert_int_equal(fw_close(&p[0]), OK);
	}
}

/*
 * A link puts a template in front of each message. The statistics count the message's bytes without
 * the template.
 */
static void headers(void **state)
{
	struct fw_host *h = *state;
	uint8_t buf[2048], hdr[64];
	struct fw_pipe p[4], tick, pit;

	OPEN(h, p, CHAN_ID_RV_IN, CHAN_ID_RV_OUT, CHAN_ID_ECHO_IN, CHAN_ID_ECHO_OUT);
	for (unsigned int len = 4; len <= 64; len += 20) {
		for (unsigned int i = 0; i < len; i++)
			hdr[i] = (uint8_t)(len + i);
		assert_int_equal(make_header(&p[1], &p[2], hdr, (uint8_t)len), OK);
		for (unsigned int n = 0; n <= 256; n += 64) {
			memset(buf, (int)n + 1, n);
			fw_send_run(&p[0], buf, n);
			assert_int_equal(fw_recv(&p[3], buf, sizeof(buf)), len + n);
			assert_memory_equal(buf, hdr, len);
			for (unsigned int i = 0; i < n; i++)
				assert_int_equal(buf[len + i], (uint8_t)(n + 1));
			fw_ring_run(&p[3]);
		}
		assert_int_equal(link_stat(&p[1]).bytes, 64 + 128 + 192 + 256);
		assert_int_equal(unmake(&p[1]), OK);
	}
	/* A message of 8 bytes with a template of 56 bytes fits a channel of 64-byte messages. */
	assert_int_equal(fw_open(&tick, h, 4, CHAN_ID_TICK, 12), OK);
	assert_int_equal(fw_open(&pit, h, 5, CHAN_ID_PIT64, 16), OK);
	assert_int_equal(make(&tick, &pit), NFP_CHAN_FW_ESIZE);
	assert_int_equal(make_header(&tick, &pit, hdr, 56), OK);
	fw_signal_run(h, CHAN_ID_TICK);
	assert_int_equal(fw_stat(h, CHAN_ID_PIT64).bytes, 64);
}

/*
 * Send a message through the link and "echo", and check the header template of @hdr bytes. Return
 * the template's counter, which has @len bytes at offset @off.
 */
static uint64_t state_of(struct fw_pipe *in, struct fw_pipe *out, uint32_t hdr, uint32_t off, uint32_t len)
{
	uint8_t buf[2048] = { 0 };
	uint64_t state = 0;

	fw_send_run(in, buf, 8);
	assert_int_equal(fw_recv(out, buf, sizeof(buf)), hdr + 8);
	memcpy(&state, buf + off, len);
	memset(buf + off, 0, len);
	for (uint32_t i = 0; i < hdr; i++)
		assert_int_equal(buf[i], i < off || i >= off + len ? 0xa0 + i : 0);
	fw_ring_run(out);
	return state;
}

/* The card adds to a counter in the template for each message. Each LINK sets the first value. */
static void states(void **state)
{
	static const struct {
		uint8_t len;
		uint32_t step;
		uint64_t first;
	} kinds[] = {
		{ 4, 1, 0 }, { 4, 1, UINT32_MAX - 1 }, { 4, 0x80000000, 7 }, { 8, 3, 0x1122334455667788 },
		{ 8, 1, UINT32_MAX - 1 }, { 8, UINT32_MAX, UINT64_MAX - 2ull * UINT32_MAX },
	};
	struct nfp_chan_fw_link req = { .cmd = NFP_CHAN_FW_CMD_LINK, .hdr_len = 16, .state_off = 4 };
	struct fw_host *h = *state;
	struct fw_pipe p[4];

	OPEN(h, p, CHAN_ID_RV_IN, CHAN_ID_RV_OUT, CHAN_ID_ECHO_IN, CHAN_ID_ECHO_OUT);
	req.pipe = (uint16_t)p[1].index;
	req.to = (uint16_t)p[2].index;
	for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
		uint64_t mask = UINT64_MAX >> (64 - 8 * kinds[k].len), want = kinds[k].first;

		for (unsigned int i = 0; i < sizeof(req.hdr); i++)
			req.hdr[i] = (uint8_t)(i < req.hdr_len ? 0xa0 + i : 0);
		memcpy(req.hdr + 4, &want, kinds[k].len);
		req.state_len = kinds[k].len;
		req.state_step = kinds[k].step;
		assert_int_equal(fw_request_link(h, &req), OK);
		for (unsigned int i = 0; i < 4; i++, want = (want + kinds[k].step) & mask)
			assert_int_equal(state_of(&p[0], &p[3], 16, 4, kinds[k].len), want);
		assert_int_equal(unmake(&p[1]), OK);
	}
}

/* LINK refuses rules that nfp_chan_fw.h forbids. */
static void refused_rules(void **state)
{
	struct fw_host *h = *state;
	struct fw_pipe p[4];

#define RULE(status, _from, _to, ...) do {					\
	struct nfp_chan_fw_link req = {						\
		.cmd = NFP_CHAN_FW_CMD_LINK, .pipe = (_from), .to = (_to), __VA_ARGS__	\
	};									\
	assert_int_equal(fw_request_link(h, &req), status);			\
} while (0)
	OPEN(h, p, CHAN_ID_RV_OUT, CHAN_ID_ECHO_IN, CHAN_ID_SOURCE64, CHAN_ID_LOOP64_IN);
	RULE(NFP_CHAN_FW_EINVAL, 0, 1, .match_len = 9);
	RULE(NFP_CHAN_FW_EINVAL, 0, 1, .match_len = 8, .match_off = 249);
	RULE(NFP_CHAN_FW_EINVAL, 0, 1, .match_len = 1, .match_off = UINT32_MAX);
	RULE(NFP_CHAN_FW_EINVAL, 0, 1, .match_len = 1, .match_mask = { 1, 1 });
	RULE(NFP_CHAN_FW_EINVAL, 0, 1, .match_len = 1, .match_mask = { 1 }, .match_value = { 2 });
	RULE(NFP_CHAN_FW_EINVAL, 0, 1, .match_len = 1, .match_value = { [7] = 1 });
	RULE(NFP_CHAN_FW_EINVAL, 0, 1, .hdr_len = 3);
	RULE(NFP_CHAN_FW_EINVAL, 0, 1, .hdr_len = 68);
	RULE(NFP_CHAN_FW_EINVAL, 0, 1, .hdr_len = 4, .hdr = { [4] = 1 });
	RULE(NFP_CHAN_FW_EINVAL, 0, NFP_CHAN_FW_LINK_DROP, .hdr_len = 4);
	RULE(NFP_CHAN_FW_EINVAL, 2, 3, .match_len = 1);
	RULE(NFP_CHAN_FW_EINVAL, 2, 3, .hdr_len = 4);
	RULE(NFP_CHAN_FW_EINVAL, 0, 1, .hdr_len = 16, .state_len = 2, .state_step = 1);
	RULE(NFP_CHAN_FW_EINVAL, 0, 1, .hdr_len = 16, .state_len = 4);
	RULE(NFP_CHAN_FW_EINVAL, 0, 1, .hdr_len = 16, .state_len = 4, .state_off = 2, .state_step = 1);
	RULE(NFP_CHAN_FW_EINVAL, 0, 1, .hdr_len = 16, .state_len = 8, .state_off = 12, .state_step = 1);
	RULE(NFP_CHAN_FW_EINVAL, 0, 1, .hdr_len = 16, .state_len = 4, .state_off = 252, .state_step = 1);
	RULE(NFP_CHAN_FW_EINVAL, 0, 1, .hdr_len = 16, .state_off = 4);
	RULE(NFP_CHAN_FW_EINVAL, 0, 1, .hdr_len = 16, .state_step = 1);
	RULE(OK, 0, 1, .match_len = 8, .match_off = 248, .match_mask = { 255 }, .match_value = { 9 });
	assert_int_equal(unmake(&p[0]), OK);
	RULE(OK, 2, NFP_CHAN_FW_LINK_DROP, .hdr_len = 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(routes),
		T(routes_change),
		T(headers),
		T(states),
		T(refused_rules),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
