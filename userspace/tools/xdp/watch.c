// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* watch.c - print the events of a program, which come through a channel. */
#define _GNU_SOURCE
#include <endian.h>
#include <errno.h>
#include <inttypes.h>
#include <nfpchan/nfp_chan_xdp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "../tool.h"
#include "xdp.h"

#define NSEC_PER_SEC	1000000000ull
#define BURST		256	/* most events that are printed before signals are checked */

static int chan_fail(struct nfpchan *ch)
{
	char text[256];

	return tool_fail("%s", nfpchan_error(ch, text, sizeof(text)));
}

/* ---- an event ---- */

static void put_hex(const char *what, const uint8_t *p, size_t len)
{
	if (!len)
		return;
	printf(" %s ", what);
	while (len--)
		printf("%02x", *p++);
}

static void event_plain(const struct nfp_chan_xdp_event *e, const uint8_t *data)
{
	uint64_t ts = le64toh(e->ts_ns);
	uint16_t own = le16toh(e->data_len);

	printf("%u %" PRIu64 ".%09" PRIu64 " port %u len %u", le32toh(e->seq),
	       (uint64_t)(ts / NSEC_PER_SEC), (uint64_t)(ts % NSEC_PER_SEC), e->port,
	       le16toh(e->frame_len));
	put_hex("data", data, own);
	put_hex("packet", data + own, le16toh(e->pkt_len));
	putchar('\n');
}

static void event_json(struct json *j, const struct nfp_chan_xdp_event *e, const uint8_t *data)
{
	uint16_t own = le16toh(e->data_len);

	json_object(j, NULL);
	json_u64(j, "seq", le32toh(e->seq));
	json_u64(j, "ts_ns", le64toh(e->ts_ns));
	json_u64(j, "port", e->port);
	json_u64(j, "frame_len", le16toh(e->frame_len));
	json_hex(j, "data", data, own);
	json_hex(j, "packet", data + own, le16toh(e->pkt_len));
	json_close(j);
	json_row_end(j);
}

static int event(struct watch *w, struct json *j, const uint8_t *msg, size_t len)
{
	struct nfp_chan_xdp_event e;

	if (len >= sizeof(e))
		memcpy(&e, msg, sizeof(e));
	if (len < sizeof(e) ||
	    len != sizeof(e) + le16toh(e.data_len) + (size_t)le16toh(e.pkt_len))
		return tool_fail("%s: an event of %zu bytes has a header with another length",
				 nfpchan_name(w->ch), len);
	w->received++;
	if (tool.json)
		event_json(j, &e, msg + sizeof(e));
	else
		event_plain(&e, msg + sizeof(e));
	return 0;
}

/* ---- start and end ---- */

static struct nfpchan *open_free(struct nfpchan_card *card)
{
	struct nfp_chan_query q;
	struct nfpchan *ch;
	uint32_t id;
	int err = -ENOENT;

	for (id = 0; !nfpchan_query_id(card, id, &q); id++) {
		if (!(q.chan_flags & NFP_CHAN_F_XDP))
			continue;
		err = nfpchan_open(&ch, card, q.name, NULL);
		if (!err)
			return ch;
		if (err != -EBUSY)
			break;
	}
	if (err == -ENOENT)
		tool_fail("the firmware has no channel for events of XDP programs");
	else if (err == -EBUSY)
		tool_fail("all channels for events of XDP programs are in use");
	else
		tool_card_fail(card, NULL);
	return NULL;
}

/*
 * Open the card of --card, else the card of the interface. If the interface's card has no device
 * node, because its firmware has no channels, open the interface as card "bpf:DEV".
 */
static struct nfpchan_card *card_of(const struct netdev *net)
{
	static char by_bpf[32];
	struct nfpchan_card *card;

	if (!tool.card) {
		tool.card = net->bus;
		if (*net->bus && nfpchan_card_open(&card, tool.card, NULL, 0) != -ENODEV) {
			nfpchan_card_close(card);
		} else {
			snprintf(by_bpf, sizeof(by_bpf), "bpf:%s", net->name);
			tool.card = by_bpf;
		}
	}
	return tool_card();
}

int watch_start(struct watch *w, const char *name)
{
	w->card = card_of(&w->off->net);
	if (!w->card)
		return EXIT_FAILURE;
	w->ch = name ? tool_channel(w->card, name) : open_free(w->card);
	if (!w->ch)
		return EXIT_FAILURE;
	if (nfpchan_query(w->card, nfpchan_name(w->ch), &w->before))
		return tool_card_fail(w->card, NULL);
	if (nfpchan_xdp_bind(w->ch, w->off->fd, w->off->map_fd))
		return chan_fail(w->ch);
	w->sigs = tool_signals();
	if (w->sigs < 0)
		return EXIT_FAILURE;
	fprintf(stderr, "nfpchan: %s: program %u (%s), events of map %u (%s) on %s%s\n",
		w->off->dev, w->off->id, w->off->name, w->off->map_id, w->off->map_name,
		nfpchan_name(w->ch), tool_by_bpf() ? ", by bpf(2)" : "");
	return 0;
}

void watch_end(struct watch *w)
{
	nfpchan_close(w->ch);
	nfpchan_card_close(w->card);
	if (w->sigs >= 0)
		close(w->sigs);
}

/* ---- the loop ---- */

/* Print events that have arrived, at most BURST. @more: out: false if none is left. */
static int drain(struct watch *w, struct json *j, bool *more)
{
	unsigned int n;
	const void *msg;
	ssize_t len;
	int err = 0;

	*more = true;
	for (n = 0; !err && n < BURST && (!w->count || w->received < w->count); n++) {
		len = nfpchan_borrow(w->ch, &msg, NFPCHAN_NONBLOCK);
		*more = len != -EAGAIN;
		if (!*more)
			return 0;
		if (len < 0)
			return chan_fail(w->ch);
		err = event(w, j, msg, (size_t)len);
		if (!err && nfpchan_release(w->ch, 1))
			err = chan_fail(w->ch);
	}
	return err;
}

/* Wait for events or a signal, unless @more. Returns true if the command has to end. */
static bool ended(struct watch *w, bool more)
{
	struct pollfd pfd[2] = {
		{ .fd = w->sigs, .events = POLLIN },
		{ .fd = nfpchan_fd(w->ch), .events = POLLIN },
	};

	if (w->count && w->received == w->count)
		return true;
	/* A write fails if the reader of stdout has gone, because SIGPIPE is ignored. */
	if ((!more && fflush(stdout)) || ferror(stdout))
		return true;
	poll(pfd, 2, more ? 0 : -1);
	return pfd[0].revents;
}

/*
 * Unbind the map, then print the events that were emitted before. After the unbind no event enters
 * the channel, so the card's counter of messages is final, and says how many have to be printed.
 */
static int rest(struct watch *w, struct json *j, struct nfp_chan_query *after)
{
	const void *msg;
	ssize_t len;
	int err = 0;

	if (nfpchan_xdp_unbind(w->ch, w->off->map_fd))
		return chan_fail(w->ch);
	if (nfpchan_query(w->card, nfpchan_name(w->ch), after))
		return tool_card_fail(w->card, NULL);
	while (!err && w->received < after->msgs - w->before.msgs &&
	       (!w->count || w->received < w->count)) {
		len = nfpchan_borrow(w->ch, &msg, NSEC_PER_SEC);
		if (len < 0)
			return chan_fail(w->ch);
		err = event(w, j, msg, (size_t)len);
		nfpchan_release(w->ch, 1);
	}
	return err;
}

static void head_json(struct json *j, const struct watch *w)
{
	json_object(j, NULL);
	json_str(j, "device", w->off->dev);
	json_str(j, "channel", nfpchan_name(w->ch));
	json_object(j, "program");
	json_u64(j, "id", w->off->id);
	json_str(j, "name", w->off->name);
	json_close(j);
	json_object(j, "map");
	json_u64(j, "id", w->off->map_id);
	json_str(j, "name", w->off->map_name);
	json_close(j);
	json_rows(j, "events");
}

int watch_run(struct watch *w)
{
	struct nfp_chan_query after = w->before;
	bool more = true;
	struct json j;
	int err;

	tool_json_rows(&j);
	if (tool.json)
		head_json(&j, w);
	do {
		err = drain(w, &j, &more);
	} while (!err && !ended(w, more));
	offload_detach(w->off);
	if (!err)
		err = rest(w, &j, &after);
	if (tool.json) {
		json_rows_end(&j);
		json_u64(&j, "received", w->received);
		json_u64(&j, "dropped", after.dropped - w->before.dropped);
		json_close(&j);
		json_end(&j);
	} else if (!err) {
		printf("%" PRIu64 " events, %" PRIu64 " dropped\n", w->received,
		       (uint64_t)(after.dropped - w->before.dropped));
	}
	return err;
}
