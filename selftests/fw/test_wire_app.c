// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_wire_app.c - ME processes whose messages leave at the wire ports as frames. */
#include "fw_host.h"

#define OK	NFP_CHAN_FW_OK
#define MANY	100
#define FRAME_MAX	9216
#define ZLEN	60	/* length to which the MAC pads short frames */

/**
 * struct far - the other end of a wire
 * @n: number of frames received
 * @len: length of each frame
 * @frame: bytes of each frame
 * @paused: the far end pauses the wire
 */
struct far {
	unsigned int n;
	uint32_t len[MANY];
	uint8_t frame[MANY][FRAME_MAX];
	bool paused;
};

struct ports {
	struct fw_host h;
	struct far far[BOARD_PORTS];
};

static void far_push(void *ctx, const struct board_frame *f)
{
	struct far *far = ctx;

	assert_true(far->n < MANY && f->len <= sizeof(far->frame[0]));
	assert_int_equal(f->caplen, f->len);
	memcpy(far->frame[far->n], f->data, f->len);
	far->len[far->n++] = f->len;
}

static bool far_room(void *ctx)
{
	return !((struct far *)ctx)->paused;
}

static const struct board_wire_ops far_ops = { .push = far_push, .room = far_room };

static int setup(void **state)
{
	struct ports *p = calloc(1, sizeof(*p));

	fw_host_start(&p->h);
	assert_int_equal(fw_hello(&p->h), OK);
	for (unsigned int i = 0; i < BOARD_PORTS; i++)
		board_wire(p->h.host->b, i, &far_ops, &p->far[i]);
	*state = p;
	return 0;
}

static int teardown(void **state)
{
	struct ports *p = *state;

	fw_host_stop(&p->h);
	free(p);
	return 0;
}

static void fill(uint8_t *frame, uint32_t len, unsigned int n)
{
	for (uint32_t i = 0; i < len; i++)
		frame[i] = (uint8_t)(n * 31 + i + 1);
}

static void same(const struct far *far, unsigned int n, uint32_t len, unsigned int what)
{
	uint8_t want[FRAME_MAX] = { 0 };

	fill(want, len, what);
	assert_true(n < far->n);
	assert_int_equal(far->len[n], len < ZLEN ? ZLEN : len);
	assert_memory_equal(far->frame[n], want, far->len[n]);
}

/* Messages of any size leave at the port of their channel, whole and in order. */
static void frames(void **state)
{
	static const uint32_t sizes[] = { 14, 59, 60, 61, 64, 777, 1514, FRAME_MAX, 0 };
	static const unsigned int chan[] = { CHAN_ID_WIRE, CHAN_ID_WIRE1 };
	enum { SIZES = sizeof(sizes) / sizeof(sizes[0]) };
	struct ports *p = *state;
	struct fw_pipe pipe[2];
	uint8_t buf[FRAME_MAX];

	for (unsigned int port = 0; port < 2; port++)
		assert_int_equal(fw_open(&pipe[port], &p->h, port, chan[port], 20), OK);
	for (unsigned int n = 0; n < 2 * SIZES; n++) {
		fill(buf, sizes[n / 2], n);
		fw_send_run(&pipe[n % 2], buf, sizes[n / 2]);
	}
	for (unsigned int n = 0; n < 2 * SIZES; n++)
		same(&p->far[n % 2], n / 2, sizes[n / 2], n);
	for (unsigned int port = 0; port < 2; port++)
		assert_int_equal(p->far[port].n, SIZES);
	/* Each process has taken the messages of its channel. */
	assert_int_equal(fw_stat(&p->h, CHAN_ID_WIRE).msgs, SIZES);
	assert_int_equal(fw_stat(&p->h, CHAN_ID_WIRE1).msgs, SIZES);
}

/* While port 0 is paused, its messages wait in order. Messages still leave at port 1. */
static void pause_one(void **state)
{
	struct ports *p = *state;
	struct fw_pipe zero, one;
	uint8_t buf[64];

	assert_int_equal(fw_open(&zero, &p->h, 0, CHAN_ID_WIRE, 20), OK);
	assert_int_equal(fw_open(&one, &p->h, 1, CHAN_ID_WIRE1, 20), OK);
	p->far[0].paused = true;
	for (unsigned int n = 0; n < 8; n++) {
		fill(buf, sizeof(buf), n);
		fw_send_run(&zero, buf, sizeof(buf));
		fw_send_run(&one, buf, sizeof(buf));
	}
	assert_int_equal(p->far[0].n, 0);
	assert_int_equal(p->far[1].n, 8);
	p->far[0].paused = false;
	host_run(p->h.host);
	assert_int_equal(p->far[0].n, 8);
	for (unsigned int n = 0; n < 8; n++)
		same(&p->far[0], n, sizeof(buf), n);
}

/* After a reset, a frame that waited for the end of the pause does not leave. */
static void reset(void **state)
{
	struct ports *p = *state;
	struct fw_pipe zero;
	uint8_t buf[64];

	assert_int_equal(fw_open(&zero, &p->h, 0, CHAN_ID_WIRE, 20), OK);
	p->far[0].paused = true;
	fill(buf, sizeof(buf), 1);
	fw_send_run(&zero, buf, sizeof(buf));
	host_reset(p->h.host, BOARD_RESET_POWER);
	p->far[0].paused = false;
	host_run(p->h.host);
	assert_int_equal(p->far[0].n, 0);
}

#define TEST(f)	cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(frames),
		TEST(pause_one),
		TEST(reset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
