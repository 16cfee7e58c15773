// SPDX-License-Identifier: BSD-2-Clause
/* vfio_user.c - the vfio-user server: the Unix socket, connections, and their messages. */
#define _GNU_SOURCE		/* accept4 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <syslog.h>
#include <unistd.h>

#include "vfio_user_priv.h"

/* Room for our commands to the client, and the time that we wait if there is no room. */
#define ASK_ROOM	(64u * 1024)
#define ASK_WAIT_MS	1000

/* Messages to send. */
struct out {
	size_t len;
	size_t sent;
	size_t end;	/* of the message whose first byte was sent last */
};

struct vfio_user_server {
	const struct vfio_user_dev *ops;
	void *dev;
	int listener;
	char path[sizeof(((struct sockaddr_un *)0)->sun_path)];
	unsigned long accepted;
	unsigned long served;

	/* the connection; v is NULL when there is none */
	struct vfio_user *v;
	int fd;
	size_t have;		/* bytes read of the current message */
	size_t want;		/* bytes to read; VFIO_USER_HDR until the header is read */
	int fds[VFIO_USER_FDS_MAX];
	unsigned int nfds;
	struct out reply;
	struct out ask;
	bool stuck;		/* the client has read nothing for ASK_WAIT_MS */
	uint8_t in[VFIO_USER_MSG_MAX] __attribute__((aligned(8)));
	uint8_t reply_buf[VFIO_USER_MSG_MAX] __attribute__((aligned(8)));
	uint8_t ask_buf[ASK_ROOM];
};

static void fds_close(struct vfio_user_server *s)
{
	for (unsigned int i = 0; i < s->nfds; i++)
		if (s->fds[i] >= 0)
			close(s->fds[i]);
	s->nfds = 0;
}

static void client_drop(struct vfio_user_server *s, int level, const char *reason)
{
	vu_log(s->ops, level, "vfio-user: connection %lu ended: %s", s->accepted, reason);
	fds_close(s);
	close(s->fd);
	s->fd = -1;
	s->served += s->v->negotiated;
	vfio_user_free(s->v);
	s->v = NULL;
}

/*
 * Return 0 if all is sent, or if the client must read first.
 *
 * Each message is sent alone. The kernel may split a send of more than 36 KiB anywhere, and QEMU
 * ends the connection if it reads a part of a header.
 */
static int out_send(struct vfio_user_server *s, struct out *o, const uint8_t *buf)
{
	while (o->sent < o->len) {
		struct vu_hdr h;
		ssize_t n;

		if (o->sent == o->end) {
			memcpy(&h, buf + o->sent, sizeof(h));
			o->end += h.size;
		}
		n = send(s->fd, buf + o->sent, o->end - o->sent, MSG_NOSIGNAL | MSG_DONTWAIT);
		if (n < 0)
			return errno == EAGAIN || errno == EINTR ? 0 : -errno;
		o->sent += n;
	}
	*o = (struct out){ 0 };
	return 0;
}

/* Send order: a reply that is partly sent, then our commands, then the reply. */
static int send_all(struct vfio_user_server *s)
{
	int ret = 0;

	if (s->reply.sent)
		ret = out_send(s, &s->reply, s->reply_buf);
	if (!ret && !s->reply.sent)
		ret = out_send(s, &s->ask, s->ask_buf);
	if (!ret && !s->ask.len)
		ret = out_send(s, &s->reply, s->reply_buf);
	return ret;
}

/* Send a command to the client. If there is no room for a second, the command is lost. */
static int ask(void *ctx, const void *msg, size_t len)
{
	struct vfio_user_server *s = ctx;
	struct pollfd p = { .fd = s->fd, .events = POLLOUT };

	while (len > ASK_ROOM - s->ask.len) {
		s->stuck = poll(&p, 1, s->stuck ? 0 : ASK_WAIT_MS) <= 0;
		if (s->stuck)
			return -ETIMEDOUT;
		if (send_all(s))
			return -EPIPE;
	}
	memcpy(s->ask_buf + s->ask.len, msg, len);
	s->ask.len += len;
	/* If the connection has ended, the next read detects it. */
	return send_all(s);
}

static void client_accept(struct vfio_user_server *s)
{
	int fd = accept4(s->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

	if (fd < 0) {
		if (errno != EAGAIN && errno != ECONNABORTED && errno != EINTR)
			vu_log(s->ops, LOG_ERR, "vfio-user: accept: %s", strerror(errno));
		return;
	}
	s->v = vfio_user_new(s->ops, s->dev);
	if (!s->v) {
		vu_log(s->ops, LOG_ERR, "vfio-user: no memory for a connection");
		close(fd);
		return;
	}
	vfio_user_sender(s->v, ask, s);
	s->fd = fd;
	s->have = 0;
	s->want = VFIO_USER_HDR;
	s->reply = (struct out){ 0 };
	s->ask = (struct out){ 0 };
	s->stuck = false;
	s->accepted++;
	vu_log(s->ops, LOG_INFO, "vfio-user: connection %lu", s->accepted);
}

/*
 * Take all file descriptors of @mh. Close those beyond the limit, because open ones would leak.
 */
static int fds_take(struct vfio_user_server *s, struct msghdr *mh)
{
	unsigned int extra = 0;
	struct cmsghdr *cm;

	for (cm = CMSG_FIRSTHDR(mh); cm; cm = CMSG_NXTHDR(mh, cm)) {
		size_t n = (cm->cmsg_len - CMSG_LEN(0)) / sizeof(int);

		if (cm->cmsg_level != SOL_SOCKET || cm->cmsg_type != SCM_RIGHTS)
			continue;
		for (size_t i = 0; i < n; i++) {
			int fd;

			memcpy(&fd, CMSG_DATA(cm) + i * sizeof(fd), sizeof(fd));
			if (s->nfds < VFIO_USER_FDS_MAX) {
				s->fds[s->nfds++] = fd;
			} else {
				close(fd);
				extra++;
			}
		}
	}
	if (extra)
		return vu_bad(s->v, "message with %u descriptors, limit %u",
			      s->nfds + extra, VFIO_USER_FDS_MAX);
	if (mh->msg_flags & MSG_CTRUNC)
		return vu_bad(s->v, "control message truncated behind %u descriptors, limit %u",
			      s->nfds, VFIO_USER_FDS_MAX);
	return 0;
}

/*
 * Read the rest of the message. Return 1 if it is complete, 0 if not, -errno on failure, and
 * -ECONNRESET at the end of the stream.
 *
 * Header and data are read separately. Descriptors arrive with the first byte of the client's
 * send. A read across the end of a message could not tell which message they belong to.
 */
static int message_read(struct vfio_user_server *s)
{
	while (s->have < s->want) {
		union {
			char buf[CMSG_SPACE(VFIO_USER_FDS_MAX * sizeof(int))];
			struct cmsghdr align;
		} control;
		struct iovec iov = {
			.iov_base = s->in + s->have, .iov_len = s->want - s->have,
		};
		struct msghdr mh = {
			.msg_iov = &iov, .msg_iovlen = 1,
			.msg_control = control.buf,
			.msg_controllen = sizeof(control.buf),
		};
		ssize_t n = recvmsg(s->fd, &mh, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
		int ret;

		if (n < 0)
			return errno == EAGAIN || errno == EINTR ? 0 : -errno;
		ret = fds_take(s, &mh);
		if (ret)
			return ret;
		if (!n)
			return -ECONNRESET;
		s->have += n;
		if (s->have != VFIO_USER_HDR || s->want != VFIO_USER_HDR)
			continue;
		ret = vfio_user_msg_size(s->v, s->in);
		if (ret < 0)
			return ret;
		s->want = ret;
	}
	return 1;
}

/* Serve one message. Return 1: done; 0: nothing to do now; -errno: the connection must end. */
static int message_serve(struct vfio_user_server *s)
{
	int ret = send_all(s);

	/*
	 * Read no message before the last reply is sent, so that a client that does not read is
	 * not served.
	 */
	if (ret || s->reply.len)
		return ret;
	ret = message_read(s);
	if (ret <= 0)
		return ret;
	ret = vfio_user_msg(s->v, s->in, s->have, s->fds, s->nfds, s->reply_buf,
			    &s->reply.len);
	fds_close(s);
	s->have = 0;
	s->want = VFIO_USER_HDR;
	if (!ret)
		ret = send_all(s);
	return ret ? ret : 1;
}

bool vfio_user_serve(struct vfio_user_server *s, unsigned int burst)
{
	int ret = 1;

	if (!s->v)
		client_accept(s);
	for (; s->v && burst && ret > 0; burst--) {
		ret = message_serve(s);
		if (ret == -EPROTO)
			client_drop(s, LOG_ERR, vfio_user_reason(s->v));
		else if (ret == -ECONNRESET && !s->have)
			client_drop(s, LOG_INFO, "closed by the client");
		else if (ret == -ECONNRESET)
			client_drop(s, LOG_ERR, "closed in the middle of a message");
		else if (ret < 0)
			client_drop(s, LOG_ERR, strerror(-ret));
	}
	return s->v && ret > 0;
}

void vfio_user_pollfd(const struct vfio_user_server *s, struct pollfd *p)
{
	p->fd = s->v ? s->fd : s->listener;
	p->events = POLLIN;
	if (s->v && s->reply.len)
		p->events = POLLOUT;
	else if (s->v && s->ask.len)
		p->events = POLLIN | POLLOUT;
	p->revents = 0;
}

bool vfio_user_attached(const struct vfio_user_server *s)
{
	return s->v && s->v->negotiated;
}

unsigned long vfio_user_served(const struct vfio_user_server *s)
{
	return s->served;
}

/* Remove a socket that was left by a server that was killed. Fail if a server listens there. */
static int socket_remove_stale(const struct sockaddr_un *sa, char *err, size_t errlen)
{
	struct stat st;
	int fd, ret;

	if (lstat(sa->sun_path, &st))
		return 0;	/* bind() reports any other problem */
	if (!S_ISSOCK(st.st_mode)) {
		snprintf(err, errlen, "%s exists and is not a socket", sa->sun_path);
		return -EADDRINUSE;
	}
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0) {
		snprintf(err, errlen, "socket: %s", strerror(errno));
		return -errno;
	}
	ret = connect(fd, (const struct sockaddr *)sa, sizeof(*sa)) ? errno : 0;
	close(fd);
	if (ret == ECONNREFUSED && !unlink(sa->sun_path))
		return 0;
	snprintf(err, errlen, "%s: %s", sa->sun_path,
		 !ret || ret == EAGAIN ? "another server listens there" : strerror(ret));
	return -EADDRINUSE;
}

struct vfio_user_server *vfio_user_listen(const struct vfio_user_dev *ops, void *dev,
					  const char *path, char *err, size_t errlen)
{
	struct sockaddr_un sa = { .sun_family = AF_UNIX };
	struct vfio_user_server *s;

	if (!*path || strlen(path) >= sizeof(sa.sun_path)) {
		snprintf(err, errlen, "socket path of %zu characters, must be 1 to %zu",
			 strlen(path), sizeof(sa.sun_path) - 1);
		return NULL;
	}
	strcpy(sa.sun_path, path);
	if (socket_remove_stale(&sa, err, errlen))
		return NULL;
	s = calloc(1, sizeof(*s));
	if (!s) {
		snprintf(err, errlen, "no memory for the server");
		return NULL;
	}
	s->ops = ops;
	s->dev = dev;
	s->fd = -1;
	s->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (s->listener < 0 ||
	    bind(s->listener, (struct sockaddr *)&sa, sizeof(sa)) ||
	    listen(s->listener, 16)) {
		snprintf(err, errlen, "%s: %s", path, strerror(errno));
		if (s->listener >= 0)
			close(s->listener);
		free(s);
		return NULL;
	}
	strcpy(s->path, path);
	return s;
}

void vfio_user_close(struct vfio_user_server *s)
{
	if (s->v)
		client_drop(s, LOG_INFO, "the server ends");
	unlink(s->path);
	close(s->listener);
	free(s);
}
