// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * capture.c - frames from the card to a file.
 *
 * At the end the card is asked to stop. It sends the totals after the last frame, so the file has all
 * frames that the card has copied, and its statistics count them all.
 */
#define _GNU_SOURCE
#include <endian.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>
#include "../tool.h"
#include "capture.h"

/* What the capture waits for */
enum phase {
	PHASE_START,	/* the answer to the request */
	PHASE_RUN,	/* a signal, or the last frame of --count */
	PHASE_STOP,	/* the totals */
	PHASE_DONE,
};

/**
 * struct run - a capture under way
 * @c: the capture
 * @frames: the records
 * @info: about the card
 * @file: the file
 * @phase: what the capture waits for
 * @stop: a signal or --count ends the capture
 */
struct run {
	struct capture *c;
	struct frames *frames;
	struct nfp_chan_info info;
	struct pcapng file;
	enum phase phase;
	bool stop;
};

static int take_frame(struct run *r, const struct nfp_frames_hdr *hdr, const uint8_t *data)
{
	struct capture *c = r->c;

	if (c->count && c->written == c->count)
		return 0;
	pcapng_record(&r->file, hdr, data);
	if (hdr->kind == NFP_FRAMES_FRAME && ++c->written == c->count)
		r->stop = true;
	return 0;
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
static void begin_file(struct run *r)
{
	const struct frames_ask *a = &r->c->ask;
	char text[1400], name[64];

	comment(r->c, &r->info, text, sizeof(text));
	snprintf(name, sizeof(name), "Agilio %s", r->info.pci);
	pcapng_begin(&r->file, r->c->out, name, text, a->filter.text, a->snap);
}

static int take(void *ctx, const struct nfp_frames_hdr *hdr, const uint8_t *data)
{
	struct run *r = ctx;
	char why[160];

	switch (hdr->kind) {
	case NFP_FRAMES_FRAME:
	case NFP_FRAMES_DROPS:
		return take_frame(r, hdr, data);
	case NFP_FRAMES_START:
		if (hdr->port != NFP_FRAMES_OK)
			return tool_fail("the card refuses: %s",
					 frames_refusal(hdr, why, sizeof(why)));
		begin_file(r);
		r->phase = PHASE_RUN;
		return 0;
	case NFP_FRAMES_TOTALS:
		if (le64toh(hdr->ns) != r->frames->token ||
		    le16toh(hdr->caplen) != sizeof(r->c->totals))
			return 0;
		memcpy(&r->c->totals, data, sizeof(r->c->totals));
		pcapng_end(&r->file, &r->c->totals);
		r->phase = PHASE_DONE;
		return 0;
	default:
		return tool_fail("a record of kind %u makes no sense", hdr->kind);
	}
}

/* Returns 0; -EPIPE: the reader has gone, and may; or EXIT_FAILURE with the reason printed. */
static int flush(const struct capture *c)
{
	errno = 0;
	if (!fflush(c->out) && !ferror(c->out))
		return 0;
	if (c->until_closed && errno == EPIPE)
		return -EPIPE;
	return tool_fail("%s: %s", c->path, strerror(errno ? errno : EIO));
}

static int interrupted(struct run *r)
{
	struct signalfd_siginfo info;

	if (read(r->c->sigs, &info, sizeof(info)) != sizeof(info))
		return 0;
	if (r->phase == PHASE_START)
		return tool_fail("ended before the card answered");
	if (r->stop)
		return tool_fail("ended before the totals came");
	r->stop = true;
	return 0;
}

/* Handle signals. @idle: sleep until one or a frame comes. */
static int attend(struct run *r, bool idle)
{
	struct pollfd pfd[2] = {
		{ .fd = r->c->sigs, .events = POLLIN },
		{ .fd = nfpchan_fd(r->frames->in), .events = POLLIN },
	};
	int err = idle ? flush(r->c) : 0;

	if (err)
		return err;
	if (poll(pfd, idle ? 2 : 1, idle ? -1 : 0) < 0)
		return tool_fail("poll: %s", strerror(errno));
	return pfd[0].revents ? interrupted(r) : 0;
}

static int run(struct run *r)
{
	int err = frames_start(r->frames, &r->c->ask);

	while (!err && r->phase != PHASE_DONE) {
		if (r->stop && r->phase == PHASE_RUN) {
			r->phase = PHASE_STOP;
			err = frames_stop(r->frames);
			continue;
		}
		err = frames_read(r->frames, take, r);
		if (!err || err == -EAGAIN)
			err = r->phase == PHASE_DONE ? 0 : attend(r, err == -EAGAIN);
	}
	return err;
}

int capture_run(struct capture *c, struct nfpchan_card *card)
{
	struct run r = { .c = c, .phase = PHASE_START };
	int err;

	if (nfpchan_card_info(card, &r.info))
		return tool_card_fail(card, NULL);
	r.frames = frames_open(card);
	if (!r.frames)
		return EXIT_FAILURE;
	err = run(&r);
	if (!err)
		err = flush(c);
	frames_close(r.frames);
	return err == -EPIPE ? 0 : err;
}
