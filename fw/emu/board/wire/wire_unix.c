// SPDX-License-Identifier: BSD-2-Clause
/*
 * wire_unix.c - a wire to another program, or another board, through a Unix socket.
 */
#define _GNU_SOURCE		/* accept4(), POLLRDHUP */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <syslog.h>
#include <unistd.h>

#include "board_fw.h"
#include "frame_fifo.h"
#include "wire.h"

#define NS_PER_MS	1000000ull
#define RETRY_NS	(100 * NS_PER_MS)
/* If the peer has read nothing for this long, transmission no longer waits for it. */
#define PATIENCE_NS	(100 * NS_PER_MS)

struct wire_unix {
	struct sockaddr_un addr;
	int listener;		/* -1: this wire connects */
	int fd;			/* -1: no peer */
	uint64_t retry_at;
	uint64_t moved_at;	/* when the peer last took a frame */
	uint64_t lost;
	struct frame_fifo out;
	uint8_t buf[WIRE_LIVE_FRAME_MAX];
};

static int sock(void)
{
	return socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

/* Close @fd, and keep the errno of the call that failed before, which is reported. */
static void close_keep_errno(int fd)
{
	int err = errno;

	close(fd);
	errno = err;
}

static bool start_connect(struct wire_unix *w)
{
	int fd = sock();

	if (fd < 0)
		return false;
	if (connect(fd, (struct sockaddr *)&w->addr, sizeof(w->addr))) {
		close_keep_errno(fd);
		return false;
	}
	w->fd = fd;
	w->moved_at = board_now_ns(NULL);
	return true;
}

/*
 * Set @listener only after bind() has created the path: unix_close() unlinks the path then, and
 * never removes another program's socket.
 */
static bool start_listen(struct wire_unix *w)
{
	int fd = sock();

	if (fd < 0)
		return false;
	if (bind(fd, (struct sockaddr *)&w->addr, sizeof(w->addr))) {
		close_keep_errno(fd);
		return false;
	}
	w->listener = fd;
	return !listen(fd, 1);
}

/*
 * connect() fails with ECONNREFUSED if nobody listens at the socket. A killed program leaves such
 * a socket.
 */
static bool stale(const struct wire_unix *w)
{
	struct stat st;

	return errno == ECONNREFUSED && !stat(w->addr.sun_path, &st) && S_ISSOCK(st.st_mode);
}

static void unix_close(void *ctx)
{
	struct wire_unix *w = ctx;

	if (w->lost)
		board_log(LOG_NOTICE, "wire: unix:%s: %llu frames lost", w->addr.sun_path,
			  (unsigned long long)w->lost);
	if (w->fd >= 0)
		close(w->fd);
	if (w->listener >= 0) {
		/*
		 * Unlink before close(): once the listener is closed, another program takes the
		 * path for stale and binds it, and unlink() would remove that program's socket.
		 */
		unlink(w->addr.sun_path);
		close(w->listener);
	}
	frame_fifo_exit(&w->out);
	free(w);
}

static bool start(struct wire_unix *w)
{
	if (start_connect(w))
		return true;
	if (stale(w))
		unlink(w->addr.sun_path);
	else if (errno != ENOENT)
		return false;
	return start_listen(w);
}

/*
 * Lock the directory, so that one program at a time opens a wire in it. Without the lock, two
 * programs that start together could both find no socket at the path, or one could connect
 * between the other's bind() and listen() and take the socket for stale.
 */
static bool start_alone(struct wire_unix *w)
{
	char dir[sizeof(w->addr.sun_path)];
	bool good;
	int fd;

	strcpy(dir, w->addr.sun_path);
	fd = open(dirname(dir), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return false;
	good = !flock(fd, LOCK_EX) && start(w);
	close_keep_errno(fd);
	return good;
}

struct wire_unix *wire_unix_open(const char *path, char *err, size_t errlen)
{
	struct wire_unix *w;

	if (!*path || strlen(path) >= sizeof(w->addr.sun_path)) {
		snprintf(err, errlen, "unix:%s: the path must have 1 to %zu characters", path,
			 sizeof(w->addr.sun_path) - 1);
		return NULL;
	}
	w = calloc(1, sizeof(*w));
	if (!w || !frame_fifo_init(&w->out)) {
		snprintf(err, errlen, "no memory for a wire port");
		free(w);
		return NULL;
	}
	w->addr.sun_family = AF_UNIX;
	memcpy(w->addr.sun_path, path, strlen(path) + 1);
	w->listener = -1;
	w->fd = -1;
	if (!start_alone(w)) {
		snprintf(err, errlen, "unix:%s: %s", path, strerror(errno));
		unix_close(w);
		return NULL;
	}
	return w;
}

static void hang_up(struct wire_unix *w)
{
	board_log(LOG_INFO, "wire: unix:%s: the peer has closed the connection", w->addr.sun_path);
	close(w->fd);
	w->fd = -1;
	w->retry_at = board_now_ns(NULL) + RETRY_NS;
	w->lost += frame_fifo_clear(&w->out);
}

static bool find_peer(struct wire_unix *w)
{
	if (w->listener >= 0) {
		w->fd = accept4(w->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
		w->moved_at = board_now_ns(NULL);
		return w->fd >= 0;
	}
	if (board_now_ns(NULL) < w->retry_at)
		return false;
	w->retry_at = board_now_ns(NULL) + RETRY_NS;
	return start_connect(w);
}

/*
 * Return 1 if the socket took the frame, 0 if it has no room now, and -1 if the connection has
 * ended. The next pull then sees the end, and closes the socket.
 */
static int put(struct wire_unix *w, const struct board_frame *f)
{
	if (send(w->fd, f->data, f->caplen, MSG_NOSIGNAL) < 0)
		return errno == EAGAIN || errno == EINTR || errno == ENOBUFS ? 0 : -1;
	w->moved_at = board_now_ns(NULL);
	return 1;
}

static void flush(struct wire_unix *w)
{
	struct board_frame f;

	while (frame_fifo_first(&w->out, &f) && put(w, &f) > 0)
		frame_fifo_drop(&w->out);
}

/* recv() returns 0 for an empty message as well as at the end of the connection. */
static bool peer_gone(const struct wire_unix *w)
{
	struct pollfd p = { .fd = w->fd, .events = POLLRDHUP };

	return poll(&p, 1, 0) > 0 && (p.revents & (POLLHUP | POLLRDHUP | POLLERR));
}

static int unix_pull(void *ctx, struct board_frame *f)
{
	struct wire_unix *w = ctx;
	ssize_t n;

	if (w->fd < 0 && !find_peer(w))
		return 0;
	flush(w);
	n = recv(w->fd, w->buf, sizeof(w->buf), MSG_TRUNC);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (n < 0 || (!n && peer_gone(w)))
		hang_up(w);
	if (n <= 0)
		return 0;
	/* MSG_TRUNC: @n is the length of the message, which may be more than @buf holds. */
	*f = (struct board_frame){
		.data = w->buf, .caplen = (size_t)n < sizeof(w->buf) ? (size_t)n : sizeof(w->buf),
		.len = n, .ts_ns = board_now_ns(NULL),
	};
	return 1;
}

static void unix_push(void *ctx, const struct board_frame *f)
{
	struct wire_unix *w = ctx;

	if (w->fd >= 0) {
		flush(w);
		if ((w->out.head == w->out.tail && put(w, f) > 0) || frame_fifo_put(&w->out, f))
			return;
	}
	w->lost++;
}

static bool unix_room(void *ctx)
{
	struct wire_unix *w = ctx;

	return w->fd < 0 || frame_fifo_room(&w->out) ||
	       board_now_ns(NULL) - w->moved_at > PATIENCE_NS;
}

static bool unix_carrier(void *ctx)
{
	struct wire_unix *w = ctx;

	return w->fd >= 0;
}

static uint64_t unix_deadline(void *ctx)
{
	struct wire_unix *w = ctx;
	uint64_t at = w->moved_at + PATIENCE_NS;

	if (w->fd < 0)
		return w->listener < 0 ? w->retry_at : UINT64_MAX;
	/*
	 * Transmission waits for the peer. If the peer never reads, poll() reports nothing when
	 * PATIENCE_NS ends, so a timer must wake the board.
	 */
	return frame_fifo_room(&w->out) || at <= board_now_ns(NULL) ? UINT64_MAX : at;
}

static int unix_fd(void *ctx, short *events)
{
	struct wire_unix *w = ctx;

	*events = POLLIN;
	if (w->fd < 0)
		return w->listener;
	if (w->out.head != w->out.tail)
		*events |= POLLOUT;
	return w->fd;
}

static uint64_t unix_lost(void *ctx)
{
	return ((struct wire_unix *)ctx)->lost;
}

const struct board_wire_ops wire_unix_ops = {
	.live = true,
	.pull = unix_pull,
	.deadline = unix_deadline,
	.push = unix_push,
	.room = unix_room,
	.carrier = unix_carrier,
	.fd = unix_fd,
	.lost = unix_lost,
	.close = unix_close,
};

int wire_plug(struct board *b, unsigned int port, const char *spec, char *err, size_t errlen)
{
	struct wire_unix *u;
	struct wire_tap *t;

	if (!strncmp(spec, "unix:", 5)) {
		u = wire_unix_open(spec + 5, err, errlen);
		if (u)
			board_wire(b, port, &wire_unix_ops, u);
		return u ? 0 : -1;
	}
	if (!strncmp(spec, "tap:", 4)) {
		t = wire_tap_open(spec + 4, err, errlen);
		if (t)
			board_wire(b, port, &wire_tap_ops, t);
		return t ? 0 : -1;
	}
	snprintf(err, errlen, "port%u=%s: must be tap:NAME or unix:PATH", port, spec);
	return -1;
}
