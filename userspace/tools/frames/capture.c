// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * capture.c - frames from the card to a file, or to several: a stream and a thread for each.
 *
 * At the end a thread asks the card to stop. The card sends the totals after the last frame of each
 * stream, so the files have all frames that the card has copied, and their statistics count them all.
 * The totals wake the other threads as well.
 *
 * A stream waits as long as nobody reads its pipe. So signals have a thread, which never writes to one.
 */
#define _GNU_SOURCE
#include <endian.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>
#include "../tool.h"
#include "capture.h"

/* What a stream waits for */
enum phase {
	PHASE_START,	/* the answer to the request */
	PHASE_RUN,	/* the totals */
	PHASE_DONE,
};

/**
 * struct stream - a stream of a capture
 * @run: the capture
 * @index: number of the stream
 * @to: where its frames go
 * @file: the same, in pcapng format
 * @phase: what the stream waits for
 * @thread: of the streams but the first one
 * @err: its result
 */
struct stream {
	struct run *run;
	unsigned int index;
	const struct capture_file *to;
	struct pcapng file;
	enum phase phase;
	pthread_t thread;
	int err;
};

/**
 * struct run - a capture under way
 * @c: the capture
 * @frames: the records
 * @info: about the card
 * @signals: the thread that waits for signals
 * @taken: frames that have come
 * @started: the card captures
 * @stop: a signal, --count or a failure ends the capture
 * @asked: a thread has asked the card to stop
 * @stream: the streams
 */
struct run {
	struct capture *c;
	struct frames *frames;
	struct nfp_chan_info info;
	pthread_t signals;
	atomic_ullong taken;
	atomic_bool started;
	atomic_bool stop;
	atomic_bool asked;
	struct stream stream[NFP_FRAMES_STREAMS];
};

static void take_frame(struct stream *s, const struct nfp_frames_hdr *hdr, const uint8_t *data)
{
	struct run *r = s->run;
	uint64_t count = r->c->count, n = atomic_fetch_add(&r->taken, 1) + 1;

	if (count && n > count)
		return;
	pcapng_record(&s->file, hdr, data);
	if (n == count)
		r->stop = true;
}

static void comment(const struct capture *c, const struct nfp_chan_info *info, char *buf, size_t len)
{
	const struct frames_ask *a = &c->ask;
	int n = snprintf(buf, len, "card %s, firmware %s %s; times are of the card's MAC", info->pci,
			 info->fw_name, info->fw_version);

	if (a->sample > 1 && n > 0 && (size_t)n < len)
		n += snprintf(buf + n, len - (size_t)n, "; one in %u frames", a->sample);
	if (*a->filter.text && n > 0 && (size_t)n < len)
		snprintf(buf + n, len - (size_t)n, "; filter, run by the card: %s", a->filter.text);
}

/* The file begins when the card captures: who reads the beginning knows that. */
static void begin_file(struct stream *s)
{
	const struct run *r = s->run;
	const struct frames_ask *a = &r->c->ask;
	char text[1400], name[64];

	comment(r->c, &r->info, text, sizeof(text));
	snprintf(name, sizeof(name), "Agilio %s", r->info.pci);
	pcapng_begin(&s->file, s->to->out, name, text, a->filter.text, a->snap);
}

static int take(void *ctx, const struct nfp_frames_hdr *hdr, const uint8_t *data)
{
	struct stream *s = ctx;
	struct run *r = s->run;
	struct nfp_frames_totals totals;
	char why[160];

	switch (hdr->kind) {
	case NFP_FRAMES_FRAME:
		take_frame(s, hdr, data);
		return 0;
	case NFP_FRAMES_DROPS:
		pcapng_record(&s->file, hdr, data);
		return 0;
	case NFP_FRAMES_START:
		if (hdr->port != NFP_FRAMES_OK)
			return tool_fail("the card refuses: %s",
					 frames_refusal(hdr, why, sizeof(why)));
		begin_file(s);
		s->phase = PHASE_RUN;
		r->started = true;
		return 0;
	case NFP_FRAMES_TOTALS:
		if (le64toh(hdr->ns) != r->frames->token ||
		    le16toh(hdr->caplen) != sizeof(totals))
			return 0;
		memcpy(&totals, data, sizeof(totals));
		pcapng_end(&s->file, &totals);
		if (!s->index)
			r->c->totals = totals;
		s->phase = PHASE_DONE;
		return 0;
	default:
		return tool_fail("a record of kind %u makes no sense", hdr->kind);
	}
}

/* Returns 0; -EPIPE: the reader has gone, and may; or EXIT_FAILURE with the reason printed. */
static int flush(const struct stream *s)
{
	errno = 0;
	if (!fflush(s->to->out) && !ferror(s->to->out))
		return 0;
	if (s->run->c->until_closed && errno == EPIPE)
		return -EPIPE;
	return tool_fail("%s: %s", s->to->path, strerror(errno ? errno : EIO));
}

static int ask_to_stop(struct run *r)
{
	return atomic_exchange(&r->asked, true) ? 0 : frames_stop(r->frames);
}

/* Sleep until a record comes. */
static int wait_record(struct stream *s)
{
	struct pollfd pfd = {
		.fd = nfpchan_fd(s->run->frames->stream[s->index].in), .events = POLLIN,
	};
	int err = flush(s);

	if (!err && poll(&pfd, 1, -1) < 0)
		err = tool_fail("poll: %s", strerror(errno));
	return err;
}

/* Take records until the stream has come to @phase. */
static int run(struct stream *s, enum phase phase)
{
	struct run *r = s->run;
	int err = 0;

	while (!err && s->phase < phase) {
		if (r->stop)
			err = ask_to_stop(r);
		if (!err)
			err = frames_read(r->frames, s->index, take, s);
		if (err == -EAGAIN)
			err = wait_record(s);
	}
	return err ?: flush(s);
}

/* ---- signals ---- */

static void wait_signal(int sigs)
{
	struct pollfd pfd = { .fd = sigs, .events = POLLIN };
	struct signalfd_siginfo info;

	while (read(sigs, &info, sizeof(info)) != sizeof(info))
		poll(&pfd, 1, -1);
}

static void say_what_blocks(const struct capture *c)
{
	for (unsigned int i = 0; i < c->streams; i++) {
		struct pollfd pfd = { .fd = fileno(c->file[i].out), .events = POLLOUT };

		if (!poll(&pfd, 1, 0))
			fprintf(stderr, "nfpchan: %s: waiting for its reader, interrupt again to end at once\n",
				c->file[i].path);
	}
}

/* The first signal ends the capture in order, the second one ends the process. */
static void *signals(void *arg)
{
	struct run *r = arg;

	wait_signal(r->c->sigs);
	if (!r->started) {
		tool_fail("ended before the card answered");
		_exit(EXIT_FAILURE);
	}
	if (!atomic_exchange(&r->stop, true)) {
		ask_to_stop(r);
		say_what_blocks(r->c);
		wait_signal(r->c->sigs);
	}
	tool_fail("ended before all frames were written");
	_exit(EXIT_FAILURE);
}

/* ---- the streams ---- */

static void *thread(void *arg)
{
	struct stream *s = arg;

	s->err = run(s, PHASE_DONE);
	if (s->err) {
		s->run->stop = true;
		ask_to_stop(s->run);
	}
	return NULL;
}

/* The streams but the first one. Returns 0, or EXIT_FAILURE with the reason printed. */
static int start_threads(struct run *r, unsigned int *n)
{
	int err;

	for (; *n < r->c->streams; ++*n) {
		err = pthread_create(&r->stream[*n].thread, NULL, thread, &r->stream[*n]);
		if (err)
			return tool_fail("pthread_create: %s", strerror(err));
	}
	return 0;
}

/* All streams, once the first one has the card's answer. */
static int run_all(struct run *r)
{
	unsigned int threads = 1, i;
	int err = start_threads(r, &threads);

	if (!err)
		err = run(&r->stream[0], PHASE_DONE);
	for (i = 1; i < threads; i++) {
		/* The totals may never come. */
		if (err)
			pthread_cancel(r->stream[i].thread);
		pthread_join(r->stream[i].thread, NULL);
		err = err ?: r->stream[i].err;
	}
	return err;
}

/* The card captures from START on. */
static int start_and_run(struct run *r)
{
	int err = frames_start(r->frames, &r->c->ask) ?: run(&r->stream[0], PHASE_RUN);

	return err ?: run_all(r);
}

/* Capture, while a thread waits for signals. */
static int run_with_signals(struct run *r)
{
	int err = pthread_create(&r->signals, NULL, signals, r);

	if (err)
		return tool_fail("pthread_create: %s", strerror(err));
	err = start_and_run(r);
	pthread_cancel(r->signals);
	pthread_join(r->signals, NULL);
	return err;
}

int capture_run(struct capture *c, struct nfpchan_card *card)
{
	struct run r = { .c = c };
	unsigned int i;
	int err;

	for (i = 0; i < c->streams; i++)
		r.stream[i] = (struct stream){ .run = &r, .index = i, .to = &c->file[i] };
	if (nfpchan_card_info(card, &r.info))
		return tool_card_fail(card, NULL);
	r.frames = frames_open(card, c->streams);
	if (!r.frames)
		return EXIT_FAILURE;
	err = run_with_signals(&r);
	/* A failed capture drops what its buffers have, and so waits for no reader at the end. */
	for (i = 0; err && i < c->streams; i++)
		__fpurge(c->file[i].out);
	c->written = c->count && r.taken > c->count ? c->count : r.taken;
	frames_close(r.frames);
	return err == -EPIPE ? 0 : err;
}

int capture_file_open(struct capture_file *f, const char *path)
{
	snprintf(f->path, sizeof(f->path), "%s", path);
	f->out = fopen(path, "we");
	return f->out ? 0 : tool_fail("%s: %s", path, strerror(errno));
}
