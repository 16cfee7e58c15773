// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_vfio_user_peer.c - with peers=on, the board asks its client to do DMA writes to other
  * devices. The client may report a failure, send a reply without a request, or stop reading.
 */
#define _GNU_SOURCE		/* memfd_create */
#include "vu_client.h"

#define PEER		0xfe000000ull
#define STUCK_WRITES	2000u		/* of 256 bytes each: more than socket and queue hold */

static int peers_setup(void **state)
{
	struct rig *r;
	char err[128];

	rig_setup(state);
	r = *state;
	assert_int_equal(board_set(r->b, "peers", "maybe", err, sizeof(err)), -EINVAL);
	assert_int_equal(board_set(r->b, "peers", "on", err, sizeof(err)), 0);
	rig_connect(r);
	return 0;
}

static void done(void *ctx, int status)
{
	*(int *)ctx = status;
}

static int card_write(struct rig *r, uint64_t addr, const void *buf, uint32_t len)
{
	int status = 1;
	struct board_dma d = {
		.to_host = true, .purpose = BOARD_TLP_DATA, .host = addr,
		.mem = (void *)buf, .len = len, .done = done, .ctx = &status,
	};

	assert_int_equal(board_dma_enqueue(r->b, &d), 0);
	rig_settle(r);
	return status;
}

/* Assert that the next message to the client asks for this write. */
static void assert_asked(struct rig *r, uint64_t addr, const void *buf, uint32_t len)
{
	struct vu_dma_write w;
	struct vu_hdr h;
	uint8_t rest[4096];

	assert_int_equal(recv(r->fd, &h, sizeof(h), MSG_DONTWAIT), sizeof(h));
	assert_int_equal(h.cmd, VU_DMA_WRITE);
	assert_int_equal(h.flags, VU_F_NO_REPLY);
	assert_int_equal(h.size, sizeof(h) + sizeof(w) + len);
	assert_int_equal(recv(r->fd, &w, sizeof(w), MSG_DONTWAIT), sizeof(w));
	assert_true(w.addr == addr && w.count == len);
	assert_int_equal(recv(r->fd, rest, len, MSG_DONTWAIT), len);
	assert_memory_equal(rest, buf, len);
}

static uint64_t faults(struct rig *r)
{
	char path[96], text[8192];
	unsigned long long n = 0;
	char *p;
	FILE *f;

	snprintf(path, sizeof(path), "%s/stats", r->dir);
	assert_int_equal(board_stats_json(r->b, path), 0);
	f = fopen(path, "r");
	assert_non_null(f);
	text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
	fclose(f);
	unlink(path);
	p = strstr(text, "\"dma\": {");
	assert_non_null(p);
	p = strstr(p, "\"faults\": ");
	assert_int_equal(sscanf(p, "\"faults\": %llu", &n), 1);
	return n;
}

static void answer(struct rig *r, uint32_t flags)
{
	rig_send(r, &(struct vmsg){ .cmd = VU_DMA_WRITE, .flags = flags });
	rig_pump(r);
}

static void writes_leave(void **state)
{
	struct rig *r = *state;
	uint8_t buf[9000];
	void *mem;
	int fd = mem_fd(0x1000, &mem);

	for (unsigned int i = 0; i < sizeof(buf); i++)
		buf[i] = i * 7;
	assert_int_equal(rig_dma_map(r, 0x10000, 0x1000, 3, fd, 0), 0);
	assert_int_equal(card_write(r, 0x10000, buf, 64), 0);
	assert_memory_equal(mem, buf, 64);
	assert_int_equal(card_write(r, PEER, buf, 4), 0);
	assert_asked(r, PEER, buf, 4);
	assert_int_equal(card_write(r, PEER + 8, buf, sizeof(buf)), 0);
	for (unsigned int at = 0; at < sizeof(buf); at += 4096)
		assert_asked(r, PEER + 8 + at, buf + at,
			     sizeof(buf) - at < 4096 ? sizeof(buf) - at : 4096);
	/* A write that crosses the end of mapped memory goes to the client as a whole. */
	assert_int_equal(card_write(r, 0x10ffc, buf, 8), 0);
	assert_asked(r, 0x10ffc, buf, 8);
	assert_int_equal(faults(r), 0);
	close(fd);
}

static void failures_are_counted(void **state)
{
	struct rig *r = *state;
	uint32_t w = 1, id;

	for (unsigned int i = 0; i < 3; i++) {
		assert_int_equal(card_write(r, PEER, &w, 4), 0);
		assert_asked(r, PEER, &w, 4);
	}
	answer(r, VU_F_REPLY | VU_F_ERROR);
	answer(r, VU_F_REPLY | VU_F_ERROR);
	assert_int_equal(faults(r), 2);
	/* The connection still works. */
	assert_int_equal(rig_access(r, VU_REGION_READ, 0, VFIO_PCI_CONFIG_REGION_INDEX, 0, &id, 4),
			 0);
	assert_int_equal(id, 0x400019ee);
	answer(r, VU_F_REPLY | VU_F_ERROR);
	assert_int_equal(faults(r), 3);
	answer(r, VU_F_REPLY | VU_F_ERROR);	/* a fourth reply to three writes */
	assert_int_equal(rig_reply(r, VU_DMA_WRITE), EOF_SEEN);
}

static void success_is_not_asked_for(void **state)
{
	struct rig *r = *state;
	uint32_t w = 1;

	assert_int_equal(card_write(r, PEER, &w, 4), 0);
	assert_asked(r, PEER, &w, 4);
	answer(r, VU_F_REPLY);
	assert_int_equal(rig_reply(r, VU_DMA_WRITE), EOF_SEEN);
}

/* Read the next @n requests, and let the board send more whenever there is none. */
static void assert_all_asked(struct rig *r, const void *buf, uint32_t len, unsigned int n)
{
	struct pollfd p = { .fd = r->fd, .events = POLLIN };

	while (n--) {
		if (!poll(&p, 1, 0))
			rig_pump(r);
		assert_asked(r, PEER, buf, len);
	}
	rig_pump(r);
}

/* If the client does not read, the board waits once, for a second, and not for each write. */
static void client_does_not_read(void **state)
{
	struct rig *r = *state;
	unsigned int kept = 0, lost = 0;
	uint8_t buf[256] = { 0 };
	uint32_t id;

	for (unsigned int i = 0; i < STUCK_WRITES; i++) {
		if (card_write(r, PEER, buf, sizeof(buf)))
			lost++;
		else
			kept++;
	}
	assert_true(kept && lost);
	assert_int_equal(faults(r), lost);
	assert_all_asked(r, buf, sizeof(buf), kept);
	assert_int_equal(rig_access(r, VU_REGION_READ, 0, VFIO_PCI_CONFIG_REGION_INDEX, 0, &id, 4),
			 0);
	assert_int_equal(card_write(r, PEER, buf, 4), 0);
	assert_asked(r, PEER, buf, 4);

	/*
	 * QEMU ends the connection if it reads a part of a header. Here the socket has room for
	 * one message, and requests for 50 KiB wait for room.
	 */
	for (unsigned int i = 0; i < kept - 50; i++)
		assert_int_equal(card_write(r, PEER, buf, sizeof(buf)), 0);
	assert_asked(r, PEER, buf, sizeof(buf));
	assert_int_equal(card_write(r, PEER, buf, sizeof(buf)), 0);
	assert_all_asked(r, buf, sizeof(buf), kept - 50);
}

#define P(f)	cmocka_unit_test_setup_teardown(f, peers_setup, rig_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		P(writes_leave),
		P(failures_are_counted),
		P(success_is_not_asked_for),
		P(client_does_not_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
