// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_ncrt_ctrl.c - requests of libncrt for variables of a device on another machine, to a server that
 * answers wrongly, late or not at all. selftests/ncl/serve.t tests ncl serve.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <cmocka.h>
#include "hosts.h"

#define VALUE	77u
#define LATER	5	/* by how much a later session has a larger number */

struct message {
	struct ncp_hdr hdr;
	struct ncp_ctrl ctrl;
	uint8_t data[400];
} __attribute__((packed));

/* What the server does with a request. It chooses by the index of the element that is read. */
enum { GOOD, WRONG, THIRD, DENIED, STALE, NEVER, CLOSED };

static int serve_socket(void)
{
	struct sockaddr_in own = {
		.sin_family = AF_INET, .sin_addr.s_addr = loop_ip(S1), .sin_port = htons(NCP_CTRL_PORT),
	};
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	assert_true(fd >= 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&own, sizeof(own)), 0);
	return fd;
}

static void answer(int fd, const struct message *m, size_t len, const struct sockaddr_in *to)
{
	sendto(fd, m, len, 0, (const struct sockaddr *)to, sizeof(*to));
}

static struct message answer_to(const struct message *asked, uint32_t error, const void *data, size_t bytes)
{
	struct message m = *asked;

	m.hdr.flags = NCP_CTRL | NCP_ANSWER;
	m.hdr.from = asked->hdr.to;
	m.hdr.to = asked->hdr.from;
	m.hdr.size = htole16((uint16_t)(sizeof(m.ctrl) + bytes));
	m.ctrl.error = htole32(error);
	memcpy(m.data, data, bytes);
	return m;
}

#define LEN(bytes)	(sizeof(struct ncp_hdr) + sizeof(struct ncp_ctrl) + (bytes))
#define WRONGS		14

/* Send answers that each have one wrong field. */
static void answer_wrongly(int fd, const struct message *good, const struct sockaddr_in *to)
{
	struct message m;
	unsigned int i;

	for (i = 0; i < WRONGS; i++) {
		m = *good;
		memset(m.data, 0xee, 4);
		switch (i) {
		case 0: m.hdr.magic = 0; break;
		case 1: m.hdr.version++; break;
		case 2: m.hdr.flags = NCP_CTRL; break;
		case 3: m.hdr.flags = 0xff; break;
		case 4: m.hdr.program = 0; break;
		case 5: m.hdr.from = htole16(S2); break;
		case 6: m.hdr.to = htole16(W2); break;
		case 7: m.hdr.size = 0; break;
		case 8: m.hdr.seq = 0; break;
		case 9: m.ctrl.session = 0; break;
		case 10: m.ctrl.what = NCP_CTRL_WRITE; break;
		case 11: m.ctrl.error = htole32(4096); break;
		case 12: m.ctrl.error = 0xffffffff; break;
		}
		answer(fd, &m, i == 13 ? LEN(3) : LEN(4), to);
	}
	/* values of a wrong size, an error with too long a text, and no header */
	m = answer_to(good, 0, (uint8_t [8]){ 0 }, 8);
	answer(fd, &m, LEN(8), to);
	m = answer_to(good, EPERM, (uint8_t [300]){ 0 }, 300);
	answer(fd, &m, LEN(300), to);
	answer(fd, &m, 0, to);
}

/* Serve until the test kills the process. */
static void serve(int fd)
{
	static const char text[] = "no\033[1m";
	const uint32_t value = htole32(VALUE);
	struct message m, good, other;
	unsigned int copies = 0;
	struct sockaddr_in from;
	uint64_t stale = 0;
	socklen_t len;

	for (;;) {
		len = sizeof(from);
		if (recvfrom(fd, &m, sizeof(m), 0, (struct sockaddr *)&from, &len) < 0)
			_exit(1);
		good = answer_to(&m, 0, &value, 4);
		switch (le64toh(m.ctrl.index)) {
		case WRONG:
			answer_wrongly(fd, &good, &from);
			break;
		case THIRD:
			if (++copies < 3 || !(m.hdr.flags & NCP_AGAIN))
				continue;
			break;
		case DENIED:
			other = answer_to(&m, EPERM, text, strlen(text));
			answer(fd, &other, LEN(strlen(text)), &from);
			continue;
		case STALE:
			if (stale && le64toh(m.ctrl.session) == stale + LATER + 1)
				break;
			stale = le64toh(m.ctrl.session);
			other = answer_to(&m, ESTALE, "", 0);
			other.ctrl.index = htole64(stale + LATER);
			answer(fd, &other, LEN(0), &from);
			continue;
		case NEVER:
			continue;
		}
		answer(fd, &good, LEN(4), &from);
	}
}

static int get(struct ncrt *nc, size_t index)
{
	uint32_t x = 0;
	int err = ncrt_ctrl_rd(nc, "count", "s1", index, &x, 1, sizeof(x));

	assert_int_equal(x, err ? 0 : VALUE);
	return err;
}

static void text_has(const char *part)
{
	if (!strstr(ncrt_last_error(), part))
		fail_msg("'%s' is not in '%s'", part, ncrt_last_error());
}

static void requests_to_a_wrong_server(void **state)
{
	const struct ncrt_opts o = { .size = sizeof(o), .ctrl_timeout_ms = 300 };
	struct ncrt *nc = loop_open(W1, &o);
	struct ncrt_stats st;
	int fd = serve_socket();
	pid_t server = fork();

	(void)state;
	assert_true(server >= 0);
	if (!server)
		serve(fd);
	assert_int_equal(get(nc, GOOD), 0);
	assert_int_equal(get(nc, WRONG), 0);
	ncrt_stats(nc, &st, sizeof(st));
	assert_true(st.malformed >= WRONGS + 3);
	assert_int_equal(get(nc, THIRD), 0);
	assert_int_equal(get(nc, DENIED), -EPERM);
	assert_string_equal(ncrt_last_error(), "no?[1m");
	assert_int_equal(get(nc, STALE), 0);
	assert_int_equal(get(nc, NEVER), -ETIMEDOUT);
	text_has("count of s1: no answer of 127.");
	text_has(":20813 within 300 ms, sent ");
	assert_int_equal(get(nc, GOOD), 0);
	kill(server, SIGKILL);
	host_end(server);
	close(fd);
	assert_int_equal(get(nc, CLOSED), -ECONNREFUSED);
	text_has("no file /run/ncl/loop.s1");
	ncrt_close(nc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(requests_to_a_wrong_server),
	};

	loop_files();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
