// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * cmd_replay.c - nfpchan replay: send the frames of a capture at a wire port, with its timing.
 *
 * The card sends a frame when its time has come (nfp_chan_frames.h). This command gives the card each
 * frame a little earlier, so that little is left to be sent when the command is interrupted.
 */
#define _GNU_SOURCE
#include "now.h"
#include "../tool.h"

#ifdef NFPCHAN_LIBPCAP
#include <endian.h>
#include <errno.h>
#include <inttypes.h>
#include <nfpchan/nfp_chan_frames.h>
#include <pcap/pcap.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define NSEC_PER_SEC	1000000000ull
#define AHEAD_NS	50000000ull	/* the card gets a frame so long before its time */
#define BATCH		65536		/* bytes to send at a time */
#define RECORD_MAX	(sizeof(struct nfp_frames_hdr) + NFP_FRAMES_SEND_MAX + NFP_FRAMES_ELEM)
#define INTERRUPTED	(-1)

/**
 * struct replay - a replay under way
 * @in: the capture
 * @path: its name
 * @out: the channel "frames-out"
 * @sigs: descriptor for signals
 * @port: --port
 * @speed: --speed; 0: as fast as possible
 * @began: when the replay began, by this machine's clock
 * @first: time of the first frame
 * @now: time of the current frame after the first one, at the replay's speed
 * @len: bytes in @batch
 * @sent: frames sent
 * @cut: frames of which the capture has a part
 * @left_out: frames that are too long for the port
 * @batch: records to send
 */
struct replay {
	pcap_t *in;
	const char *path;
	struct nfpchan *out;
	int sigs;
	unsigned int port;
	double speed;
	uint64_t began;
	uint64_t first;
	uint64_t now;
	size_t len;
	uint64_t sent;
	uint64_t cut;
	uint64_t left_out;
	uint8_t batch[BATCH + RECORD_MAX];
};

static int out_fail(const struct replay *r)
{
	char text[256];

	return tool_fail("%s", nfpchan_error(r->out, text, sizeof(text)));
}

/* Wait until there is room, if @room, or until @timeout ms have passed; or for a signal. */
static int wait(const struct replay *r, bool room, int timeout)
{
	struct pollfd pfd[2] = {
		{ .fd = r->sigs, .events = POLLIN },
		{ .fd = room ? nfpchan_fd(r->out) : -1, .events = POLLOUT },
	};

	if (poll(pfd, 2, timeout) < 0)
		return tool_fail("poll: %s", strerror(errno));
	return pfd[0].revents ? INTERRUPTED : 0;
}

static int flush(struct replay *r)
{
	size_t at = 0;
	int err = 0;

	while (!err && at < r->len) {
		ssize_t n = nfpchan_write(r->out, r->batch + at, r->len - at, NFPCHAN_NONBLOCK);

		if (n > 0)
			at += (size_t)n;
		else
			err = n == -EAGAIN ? wait(r, true, -1) : out_fail(r);
	}
	r->len = 0;
	return err;
}

static void add(struct replay *r, struct nfp_frames_hdr hdr, const uint8_t *data, size_t len)
{
	uint8_t *to = r->batch + r->len;
	size_t size = NFP_FRAMES_ROOM(len);

	memset(to + size - NFP_FRAMES_ELEM, 0, NFP_FRAMES_ELEM);
	memcpy(to, &hdr, sizeof(hdr));
	if (len)
		memcpy(to + sizeof(hdr), data, len);
	r->len += size;
}

/* Wait until it is time to give the card the frame of @now. */
static int pace(struct replay *r)
{
	uint64_t at = r->began + r->now, now;
	int err = 0;

	while (!err && (now = now_ns()) + AHEAD_NS < at) {
		err = flush(r);
		if (!err)
			err = wait(r, false, (int)((at - now - AHEAD_NS) / NSEC_PER_MSEC % 3600000) + 1);
	}
	return err;
}

static int send_frame(struct replay *r, const struct pcap_pkthdr *h, const uint8_t *data)
{
	/* The capture was opened for nanoseconds, which are in tv_usec then. */
	uint64_t ts = (uint64_t)h->ts.tv_sec * NSEC_PER_SEC + (uint64_t)h->ts.tv_usec, after;
	struct nfp_frames_hdr hdr = { .kind = NFP_FRAMES_FRAME, .port = (uint8_t)r->port };
	int err = 0;

	if (h->caplen > NFP_FRAMES_SEND_MAX) {
		r->left_out++;
		return 0;
	}
	if (!r->sent)
		r->first = ts;
	r->cut += h->caplen < h->len;
	r->sent++;
	if (r->speed > 0) {
		after = ts > r->first ? (uint64_t)((double)(ts - r->first) / r->speed) : 0;
		/* Time stamps that step back are sent at once. */
		r->now = after > r->now ? after : r->now;
		err = pace(r);
	}
	hdr.caplen = htole16((uint16_t)h->caplen);
	hdr.len = htole32(h->len);
	hdr.ns = htole64(r->now);
	add(r, hdr, data, h->caplen);
	return !err && r->len >= BATCH ? flush(r) : err;
}

/* The card takes the last record when all frames before have left. */
static int finish(struct replay *r)
{
	int err;

	add(r, (struct nfp_frames_hdr){ .kind = NFP_FRAMES_END }, NULL, 0);
	err = flush(r);
	while (!err) {
		err = nfpchan_drain(r->out, 100 * NSEC_PER_MSEC);
		if (!err)
			break;
		err = err == -ETIMEDOUT ? wait(r, false, 0) : out_fail(r);
	}
	return err;
}

static int run(struct replay *r)
{
	struct pcap_pkthdr *h;
	const u_char *data;
	int err, n;

	r->began = now_ns();
	add(r, (struct nfp_frames_hdr){ .kind = NFP_FRAMES_START,
					.ns = htole64(NFP_FRAMES_SYNC) }, NULL, 0);
	err = flush(r);
	while (!err) {
		n = pcap_next_ex(r->in, &h, &data);
		if (n == PCAP_ERROR_BREAK)
			return finish(r);
		err = n == 1 ? send_frame(r, h, data) : tool_fail("%s: %s", r->path,
								  pcap_geterr(r->in));
	}
	return err;
}

static void sum(const struct replay *r)
{
	struct json j;

	if (!tool.json) {
		printf("%" PRIu64 " frames sent at port %u\n", r->sent, r->port);
		return;
	}
	json_init(&j, stdout);
	json_object(&j, NULL);
	json_u64(&j, "sent", r->sent);
	json_u64(&j, "cut", r->cut);
	json_u64(&j, "left_out", r->left_out);
	json_close(&j);
	json_end(&j);
}

static int replayed(struct replay *r)
{
	int err = run(r);

	if (err > 0)
		return err;
	sum(r);
	if (r->cut)
		fprintf(stderr, "nfpchan: %s has only a part of %" PRIu64 " frames, which was sent\n",
			r->path, r->cut);
	if (r->left_out)
		return tool_fail("%s: %" PRIu64 " frames have more than %u bytes, and were left out",
				 r->path, r->left_out, NFP_FRAMES_SEND_MAX);
	return tool_flush();
}

static bool open_capture(struct replay *r)
{
	char why[PCAP_ERRBUF_SIZE];

	r->in = pcap_open_offline_with_tstamp_precision(r->path, PCAP_TSTAMP_PRECISION_NANO, why);
	if (!r->in)
		return !tool_fail("%s", why);
	if (pcap_datalink(r->in) == DLT_EN10MB)
		return true;
	tool_fail("%s: the frames are %s, the port sends Ethernet", r->path,
		  pcap_datalink_val_to_name(pcap_datalink(r->in)) ?: "of an unknown kind");
	return false;
}

static int replay_options(const struct command *cmd, int argc, char **argv, struct replay *r)
{
	const char *speed = NULL;
	uint64_t port = 0;
	bool fast = false;
	char *end;
	const struct tool_opt opts[] = {
		{ "port", 'p', .number = &port, .max = NFP_FRAMES_PORTS - 1 },
		{ "speed", 's', .text = &speed },
		{ "as-fast-as-possible", 'a', .flag = &fast },
		{ .name = NULL },
	};
	int ret = tool_options(cmd, argc, argv, opts, "a capture", 1);

	if (ret >= 0)
		return ret;
	if (speed && fast)
		return tool_usage(cmd, "give one of --speed and --as-fast-as-possible");
	r->speed = fast ? 0 : 1;
	if (speed) {
		r->speed = strtod(speed, &end);
		if (*end || !(r->speed >= 0.001 && r->speed <= 1000000))
			return tool_usage(cmd, "--speed is \"%s\", allowed are 0.001 to 1000000", speed);
	}
	r->port = (unsigned int)port;
	r->path = argv[optind];
	return -1;
}

int cmd_replay(const struct command *cmd, int argc, char **argv)
{
	struct replay *r = calloc(1, sizeof(*r));
	int ret = r ? replay_options(cmd, argc, argv, r) : tool_fail("out of memory");

	if (ret >= 0) {
		free(r);
		return ret;
	}
	ret = EXIT_FAILURE;
	r->sigs = -1;
	if (open_capture(r))
		r->out = tool_open(NFP_CHAN_FRAMES_OUT);
	if (r->out)
		r->sigs = tool_signals();
	if (r->sigs >= 0) {
		ret = replayed(r);
		close(r->sigs);
	}
	nfpchan_close(r->out);
	if (r->in)
		pcap_close(r->in);
	free(r);
	return ret;
}
#else
int cmd_replay(const struct command *cmd, int argc, char **argv)
{
	const struct tool_opt opts[] = {
		{ "port", 'p', .text = &(const char *){ NULL } },
		{ "speed", 's', .text = &(const char *){ NULL } },
		{ "as-fast-as-possible", 'a', .flag = &(bool){ false } },
		{ .name = NULL },
	};
	int ret = tool_options(cmd, argc, argv, opts, "a capture", 1);

	return ret >= 0 ? ret : tool_fail("this nfpchan was built without libpcap, which reads captures");
}
#endif
