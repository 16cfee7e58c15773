// SPDX-License-Identifier: BSD-2-Clause
/*
 * wire_tap.c - a tap interface of the machine at a wire port
 * (Documentation/networking/tuntap.rst).
 */
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <poll.h>
#include <linux/if_tun.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <syslog.h>
#include <unistd.h>

#include "board_fw.h"
#include "wire.h"

struct wire_tap {
	char name[IFNAMSIZ];
	int fd;
	bool broken;
	uint64_t lost;		/* frames that left the port and that write() refused */
	uint8_t buf[WIRE_LIVE_FRAME_MAX];
};

struct wire_tap *wire_tap_open(const char *name, char *err, size_t errlen)
{
	struct ifreq ifr = { .ifr_flags = IFF_TAP | IFF_NO_PI };
	struct wire_tap *w;

	if (!*name || strlen(name) >= IFNAMSIZ) {
		snprintf(err, errlen, "tap:%s: the name must have 1 to %d characters", name, IFNAMSIZ - 1);
		return NULL;
	}
	w = calloc(1, sizeof(*w));
	if (!w) {
		snprintf(err, errlen, "no memory for a wire port");
		return NULL;
	}
	memcpy(w->name, name, strlen(name) + 1);
	memcpy(ifr.ifr_name, w->name, IFNAMSIZ);
	w->fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
	if (w->fd < 0 || ioctl(w->fd, TUNSETIFF, &ifr)) {
		snprintf(err, errlen, "tap:%s: %s%s", name, w->fd < 0 ? "/dev/net/tun: " : "",
			 strerror(errno));
		if (w->fd >= 0)
			close(w->fd);
		free(w);
		return NULL;
	}
	return w;
}

static int tap_pull(void *ctx, struct board_frame *f)
{
	struct wire_tap *w = ctx;
	ssize_t n;

	if (w->broken)
		return -1;
	n = read(w->fd, w->buf, sizeof(w->buf));
	if (n > 0) {
		*f = (struct board_frame){
			.data = w->buf, .caplen = n, .len = n, .ts_ns = board_now_ns(NULL),
		};
		return 1;
	}
	/*
	 * The interface is down while read() fails with EIO; frames may come later. Other errors
	 * are final: the interface was deleted, for example.
	 */
	if (n < 0 && (errno == EAGAIN || errno == EINTR || errno == EIO))
		return 0;
	board_log(LOG_ERR, "wire: tap:%s: %s", w->name, n ? strerror(errno) : "end of file");
	w->broken = true;
	return -1;
}

static void tap_push(void *ctx, const struct board_frame *f)
{
	struct wire_tap *w = ctx;

	if (write(w->fd, f->data, f->caplen) == (ssize_t)f->caplen)
		return;
	if (!w->lost++)
		board_log(LOG_NOTICE, "wire: tap:%s: %s: a frame is lost (later ones are only counted)",
			  w->name, strerror(errno));
}

static void tap_light(void *ctx, unsigned int signal)
{
	struct wire_tap *w = ctx;
	unsigned int carrier = !!signal;

	/*
	 * Show the port's link as the interface's carrier. Kernels before 5.0 do not have
	 * TUNSETCARRIER; frames pass without.
	 */
	if (ioctl(w->fd, TUNSETCARRIER, &carrier))
		board_log(LOG_DEBUG, "wire: tap:%s: carrier: %s", w->name, strerror(errno));
}

static int tap_fd(void *ctx, short *events)
{
	struct wire_tap *w = ctx;

	*events = POLLIN;
	return w->broken ? -1 : w->fd;
}

static uint64_t tap_lost(void *ctx)
{
	return ((struct wire_tap *)ctx)->lost;
}

static void tap_close(void *ctx)
{
	struct wire_tap *w = ctx;

	if (w->lost)
		board_log(LOG_NOTICE, "wire: tap:%s: %llu frames lost", w->name,
			  (unsigned long long)w->lost);
	close(w->fd);
	free(w);
}

const struct board_wire_ops wire_tap_ops = {
	.live = true,
	.pull = tap_pull,
	.push = tap_push,
	.light = tap_light,
	.fd = tap_fd,
	.lost = tap_lost,
	.close = tap_close,
};
