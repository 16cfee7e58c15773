// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * remote.c - variables of devices on other machines: requests to `ncl serve`.
 *
 * A session has one request at a time, and numbers its requests. It sends a request again until the
 * answer comes. The server executes each number once.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <ctype.h>
#include <endian.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include "ncl_state.h"
#include "rt.h"

#define CTRL_HDR	sizeof(struct ncp_ctrl)

/**
 * struct exchange - a request and its answer
 * @program: name of the program
 * @v: the variable
 * @op: the operation
 * @device: device that has the variable
 * @out: the request
 * @in: the answer
 * @data: bytes after the struct ncp_ctrl of @in
 */
struct exchange {
	const char *program;
	const struct desc_var *v;
	struct var_op op;
	const struct and_node *device;
	struct frame out;
	struct frame in;
	size_t data;
};

static struct ncp_ctrl *ctrl_of(struct frame *f)
{
	return (struct ncp_ctrl *)f->data;
}

static const char *address(const struct exchange *x)
{
	static __thread char text[INET_ADDRSTRLEN];

	return inet_ntop(AF_INET, &x->device->ip, text, sizeof(text));
}

/* ---- the request ---- */

static size_t key_size(const struct exchange *x)
{
	return x->v->layout == DESC_HASH ? x->v->key_size : 0;
}

static void append(struct frame *f, size_t *size, const void *data, size_t bytes)
{
	memcpy(f->data + *size, data, bytes);
	*size += bytes;
}

static void fill(struct ncrt *nc, struct exchange *x)
{
	const struct var_op *op = &x->op;
	struct ncp_ctrl c = {
		.session = htole64(nc->remote_session), .index = htole64(op->index),
		.count = htole32((uint32_t)op->count), .key_size = htole16((uint16_t)key_size(x)),
		.size = htole16((uint16_t)(key_size(x) ? x->v->value_size : op->size)),
		.what = (uint8_t)op->what,
	};
	size_t size = 0;

	memcpy(c.variable, x->v->name, strlen(x->v->name));
	append(&x->out, &size, &c, sizeof(c));
	if (key_size(x))
		append(&x->out, &size, op->key, key_size(x));
	if (op->what == VAR_WR)
		append(&x->out, &size, op->from, op->count * op->size);
	else if (op->what == MAP_PUT)
		append(&x->out, &size, op->from, x->v->value_size);
	x->out.hdr = (struct ncp_hdr){
		.magic = htole16(NCP_MAGIC), .version = NCP_VERSION, .flags = NCP_CTRL,
		.program = htole16(nc->desc->hash), .from = htole16(nc->self),
		.to = htole16((uint16_t)x->device->id), .size = htole16((uint16_t)size),
		.seq = htole32(++nc->remote_seq),
	};
}

/* ---- the answer ---- */

/* Bytes of values in the answer of an executed request */
static size_t values(const struct exchange *x)
{
	if (x->op.what == VAR_RD)
		return x->op.count * x->op.size;
	return x->op.what == MAP_GET ? x->v->value_size : 0;
}

static bool is_answer(struct exchange *x, size_t len)
{
	const struct ncp_hdr *h = &x->in.hdr, *sent = &x->out.hdr;
	const struct ncp_ctrl *c = ctrl_of(&x->in), *asked = ctrl_of(&x->out);
	uint32_t error;

	if (len < HDR + CTRL_HDR || h->magic != sent->magic || h->version != sent->version ||
	    h->flags != (NCP_CTRL | NCP_ANSWER) || h->program != sent->program ||
	    h->from != sent->to || h->to != sent->from || le16toh(h->size) != len - HDR ||
	    h->seq != sent->seq || c->session != asked->session || c->what != asked->what)
		return false;
	x->data = len - HDR - CTRL_HDR;
	error = le32toh(c->error);
	return error ? error < 4096 && x->data <= NCP_CTRL_TEXT : x->data == values(x);
}

/* The text comes from another machine: keep only what a terminal prints. */
static int failed(struct exchange *x)
{
	const uint8_t *from = x->in.data + CTRL_HDR;
	char text[NCP_CTRL_TEXT + 1];
	size_t i;

	for (i = 0; i < x->data; i++)
		text[i] = isprint(from[i]) ? (char)from[i] : '?';
	text[i] = '\0';
	return rt_fail(-(int)le32toh(ctrl_of(&x->in)->error), "%s", text);
}

/* ---- the socket ---- */

static int sys_fail(struct exchange *x, int err)
{
	if (err == ECONNREFUSED)
		return rt_fail(-err, "%s: no file " STATE_DIR "/%s.%s, so device %s is not on this machine, and nobody serves its variables at %s:%u: `ncl serve`",
			       x->v->name, x->program, x->v->place, x->v->place, address(x), NCP_CTRL_PORT);
	return rt_fail(-err, "%s of %s: %s:%u: %s", x->v->name, x->v->place, address(x), NCP_CTRL_PORT,
		       strerror(err));
}

/* The socket is bound to the host's address, by which servers know the host. */
static int open_socket(struct ncrt *nc, struct exchange *x)
{
	struct sockaddr_in own = { .sin_family = AF_INET,
				   .sin_addr.s_addr = and_node(nc->net, nc->self)->ip };
	struct timespec ts;
	int fd, err;

	if (nc->remote_sock >= 0)
		return 0;
	fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return sys_fail(x, errno);
	if (bind(fd, (struct sockaddr *)&own, sizeof(own))) {
		err = sys_fail(x, errno);
		close(fd);
		return err;
	}
	nc->remote_sock = fd;
	clock_gettime(CLOCK_REALTIME, &ts);
	nc->remote_session = (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
	return 0;
}

void remote_close(struct ncrt *nc)
{
	if (nc->remote_sock >= 0)
		close(nc->remote_sock);
}

/* Linux then takes datagrams of this server only, and reports if its port is closed. */
static int connect_to(struct ncrt *nc, struct exchange *x)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_addr.s_addr = x->device->ip,
				  .sin_port = htons(NCP_CTRL_PORT) };
	socklen_t len = sizeof(int);
	int old;

	getsockopt(nc->remote_sock, SOL_SOCKET, SO_ERROR, &old, &len);
	return connect(nc->remote_sock, (struct sockaddr *)&to, sizeof(to)) ? sys_fail(x, errno) : 0;
}

/* ---- an exchange ---- */

static int send_once(struct ncrt *nc, struct exchange *x)
{
	size_t len = HDR + le16toh(x->out.hdr.size);

	if (send(nc->remote_sock, &x->out.hdr, len, 0) >= 0 || errno == ENOBUFS || errno == EAGAIN)
		return 0;
	return sys_fail(x, errno);
}

/* 1: the answer is in @x->in. 0: it has not come within @ns. */
static int await(struct ncrt *nc, struct exchange *x, uint64_t ns)
{
	struct pollfd fd = { .fd = nc->remote_sock, .events = POLLIN };
	uint64_t end = timer_now() + ns, now;
	struct timespec ts;
	ssize_t len;

	for (;;) {
		len = recv(nc->remote_sock, &x->in.hdr, FRAME_MAX, 0);
		if (len >= 0 && is_answer(x, (size_t)len))
			return 1;
		if (len >= 0) {
			pthread_mutex_lock(&nc->lock);
			nc->stats.malformed++;
			pthread_mutex_unlock(&nc->lock);
		} else if (errno != EAGAIN && errno != EINTR) {
			return sys_fail(x, errno);
		}
		now = timer_now();
		if (now >= end)
			return 0;
		ts = (struct timespec){ (time_t)((end - now) / 1000000000), (long)((end - now) % 1000000000) };
		if (len < 0)
			ppoll(&fd, 1, &ts, NULL);
	}
}

static int ask(struct ncrt *nc, struct exchange *x)
{
	uint64_t since = timer_now(), wait = RTO_FIRST, limit = nc->remote_ms * 1000000ull, gone;
	unsigned int tries = 0;
	int ret = 0;

	fill(nc, x);
	while (!ret && (gone = timer_now() - since) < limit) {
		ret = send_once(nc, x);
		tries++;
		if (!ret)
			ret = await(nc, x, wait < limit - gone ? wait : limit - gone);
		x->out.hdr.flags |= NCP_AGAIN;
		wait = 2 * wait < RTO_MAX ? 2 * wait : RTO_MAX;
	}
	if (!ret)
		return rt_fail(-ETIMEDOUT, "%s of %s: no answer of %s:%u within %u ms, sent %u times",
			       x->v->name, x->v->place, address(x), NCP_CTRL_PORT, nc->remote_ms, tries);
	return ret < 0 ? ret : 0;
}

/*
 * The server knows a session of this host with a larger number, because this host's clock was set
 * back. Continue with a number that is larger still.
 */
static bool outdated(struct ncrt *nc, struct exchange *x)
{
	uint64_t latest = le64toh(ctrl_of(&x->in)->index);

	if (le32toh(ctrl_of(&x->in)->error) != ESTALE || latest <= nc->remote_session ||
	    latest >= UINT64_MAX - 1)
		return false;
	nc->remote_session = latest + 1;
	return true;
}

static int exchange(struct ncrt *nc, struct exchange *x)
{
	int err = ask(nc, x);

	if (!err && outdated(nc, x))
		err = ask(nc, x);
	if (err)
		return err;
	if (ctrl_of(&x->in)->error)
		return failed(x);
	if (values(x))
		memcpy(x->op.to, x->in.data + CTRL_HDR, values(x));
	return 0;
}

/* Exchange as many requests as the elements need. */
static int exchange_all(struct ncrt *nc, struct exchange *x)
{
	const struct var_op all = x->op;
	size_t most = NCP_CTRL_DATA / all.size, done, n;
	int err = 0;

	for (done = 0; done < all.count && !err; done += n) {
		n = all.count - done < most ? all.count - done : most;
		x->op.index = all.index + done;
		x->op.count = n;
		if (all.what == VAR_WR)
			x->op.from = (const uint8_t *)all.from + done * all.size;
		else
			x->op.to = (uint8_t *)all.to + done * all.size;
		err = exchange(nc, x);
	}
	return err;
}

int remote_do(struct ncrt *nc, const struct desc_var *v, const struct var_op *op)
{
	struct exchange x = { .program = nc->desc->name, .v = v, .op = *op, .device = and_find(nc->net, v->place) };
	size_t bytes = v->layout == DESC_HASH ? v->key_size + v->value_size : op->size;
	int saved = errno, err = var_check(v, op);

	if (err)
		return err;
	if (!x.device || bytes > NCP_CTRL_DATA)
		return rt_fail(-EINVAL, "%s of %s: an element of %zu bytes, %zu at most on another machine",
			       v->name, v->place, bytes, NCP_CTRL_DATA);
	pthread_mutex_lock(&nc->remote);
	err = open_socket(nc, &x);
	if (!err)
		err = connect_to(nc, &x);
	if (!err)
		err = v->layout == DESC_HASH ? exchange(nc, &x) : exchange_all(nc, &x);
	pthread_mutex_unlock(&nc->remote);
	errno = saved;
	return err;
}
