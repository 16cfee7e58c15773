/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* traffic_kinds.h - the lanes of traffic.h that have a channel, or one there and one back. */
#ifndef TRAFFIC_KINDS_H
#define TRAFFIC_KINDS_H

#include "traffic_lane.h"

/* ---- messages, by the library; some go inline ---- */

static int echo_send(struct flow *f, uint32_t seq)
{
	uint32_t max = seq % 3 ? 64 : MSG_MAX;

	return stamp_send(f->in, sizeof(struct stamp) + flow_random(f, max - sizeof(struct stamp)),
			  f->gen, seq, NFPCHAN_FOREVER);
}

static int echo_recv(struct flow *f, uint32_t seq)
{
	uint8_t buf[MSG_MAX];
	ssize_t n;

	do {
		n = nfpchan_recv(f->out, buf, sizeof(buf), NFPCHAN_FOREVER);
	} while (n >= 0 && !flow_ours(f, buf, n, seq));
	return n < 0 ? n : 0;
}

/* ---- a rendezvous, by read() and write() ---- */

static int fd_send(struct flow *f, const void *buf, size_t len)
{
	ssize_t n = write(f->in_fd, buf, len);

	return n < 0 ? -errno : n == (ssize_t)len ? 0 : -EIO;
}

static int rv_send(struct flow *f, uint32_t seq)
{
	uint8_t buf[256];
	uint32_t len = sizeof(struct stamp) + flow_random(f, sizeof(buf) - sizeof(struct stamp));

	msg_fill(buf, len, f->gen, seq);
	return fd_send(f, buf, len);
}

static int fd_recv_stamp(struct flow *f, uint32_t seq)
{
	uint8_t buf[MSG_MAX];
	ssize_t n;

	do {
		n = read(f->out_fd, buf, sizeof(buf));
	} while (n >= 0 && !flow_ours(f, buf, n, seq));
	return n < 0 ? -errno : 0;
}

/* ---- elements of a stream, by poll(), read() and write() ---- */

static int elem_send(struct flow *f, uint32_t seq)
{
	uint8_t buf[64];

	msg_fill(buf, sizeof(buf), f->gen, seq);
	return fd_send(f, buf, sizeof(buf));
}

static int elem_recv(struct flow *f, uint32_t seq)
{
	struct pollfd p = { .fd = f->out_fd, .events = POLLIN };
	uint8_t buf[64];
	ssize_t n;

	do {
		if (ppoll(&p, 1, NULL, NULL) != 1)
			return -errno;
		n = read(p.fd, buf, sizeof(buf));
	} while (n >= 0 && !flow_ours(f, buf, n, seq));
	return n < 0 ? -errno : 0;
}

/* ---- bytes of a stream, in place ---- */

#define NONCE	16

static void nonce_make(struct flow *f, uint8_t *nonce)
{
	uint32_t i, x = mix(f->gen);

	for (i = 0; i < NONCE; i++, x = mix(x + i))
		nonce[i] = x;
}

static int bytes_write(struct flow *f, const void *buf, size_t len)
{
	ssize_t n;

	/* Fewer were sent only if the card went: the next call says so. */
	do {
		n = nfpchan_write(f->in, buf, len, NFPCHAN_FOREVER);
		if (n < 0)
			return n;
		buf = (const uint8_t *)buf + n;
		len -= n;
	} while (len);
	return 0;
}

/* Where a generation begins: it has no other way to tell. */
static int bytes_begin(struct flow *f)
{
	uint8_t nonce[NONCE];

	nonce_make(f, nonce);
	return bytes_write(f, nonce, NONCE);
}

static int bytes_send(struct flow *f, uint32_t seq)
{
	uint8_t buf[4 + 1500];
	uint32_t len = sizeof(struct stamp) + flow_random(f, 1500 - sizeof(struct stamp));

	memcpy(buf, &len, 4);
	msg_fill(buf + 4, len, f->gen, seq);
	return bytes_write(f, buf, 4 + len);
}

static int bytes_read(struct flow *f, uint8_t *buf, size_t len)
{
	const void *data;
	ssize_t n;
	int err;

	while (len) {
		n = nfpchan_peek(f->out, &data, NFPCHAN_FOREVER);
		if (n < 0)
			return n;
		n = n < (ssize_t)len ? n : (ssize_t)len;
		memcpy(buf, data, n);
		/* Zeros, if the card has gone meanwhile */
		err = nfpchan_consume(f->out, n) ? : nfpchan_wait(f->out, 0);
		if (err && err != -EAGAIN)
			return err;
		buf += n;
		len -= n;
	}
	return 0;
}

static int bytes_start(struct flow *f)
{
	uint8_t nonce[NONCE], seen[NONCE];
	int err = bytes_read(f, seen, NONCE);

	nonce_make(f, nonce);
	while (!err && memcmp(seen, nonce, NONCE)) {
		memmove(seen, seen + 1, NONCE - 1);
		err = bytes_read(f, seen + NONCE - 1, 1);
	}
	return err;
}

static int bytes_recv(struct flow *f, uint32_t seq)
{
	uint8_t buf[1500];
	uint32_t len;
	int err = bytes_read(f, (uint8_t *)&len, 4);

	if (err)
		return err;
	if (len > sizeof(buf))
		lane_fault(f->lane, "length %u of message %u of bytes", len, seq);
	err = bytes_read(f, buf, len);
	if (!err && !flow_ours(f, buf, len, seq))
		lane_fault(f->lane, "message %u of bytes is of another", seq);
	return err;
}

/* ---- requests; what they ask for comes at full speed ---- */

#define ASKED	20

static int load_send(struct flow *f, uint32_t seq)
{
	struct load_req r = {
		.count = htole32(ASKED), .size = htole32(16 + seq * 61 % 2000),
		.target = htole32(LOAD_LOAD), .token = htole32(f->gen << 16 ^ seq),
	};

	return fd_send(f, &r, sizeof(r));
}

static int load_some(struct flow *f, uint32_t seq)
{
	uint32_t size = 16 + seq * 61 % 2000, token = f->gen << 16 ^ seq, due = 1;
	struct load_msg m = { 0 };
	uint8_t buf[MSG_MAX];
	ssize_t n;

	while (due <= ASKED) {
		n = read(f->out_fd, buf, sizeof(buf));
		if (n < 0)
			return -errno;
		memcpy(&m, buf, sizeof(m));
		/* Asked for by a generation that is no more: at the beginning only. */
		if (seq == 1 && due == 1 && le32toh(m.token) != token)
			continue;
		if (load_seq(buf, n, size, token) != due)
			lane_fault(f->lane, "%zd bytes are not message %u of request %u",
				   n, due, seq);
		due++;
	}
	return 0;
}

/* ---- signals, of one process at a time ---- */

static int own_signal(struct flow *f, uint32_t seq)
{
	struct nfp_chan_signal s = { .size = sizeof(s) };
	struct echo_count count;
	static uint64_t before;
	ssize_t n;

	if (ioctl(f->out_fd, NFP_CHAN_IOC_SIGNAL, &s))
		return -errno;
	n = nfpchan_recv(f->out, &count, sizeof(count), NFPCHAN_FOREVER);
	if (n < 0)
		return n;
	if (n != sizeof(count) || (seq > 1 && le64toh(count.count) != before + 1))
		lane_fault(f->lane, "count %llu behind %llu",
			   (unsigned long long)le64toh(count.count), (unsigned long long)before);
	before = le64toh(count.count);
	return 0;
}
#endif /* TRAFFIC_KINDS_H */
