// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session.c - the channels of a capture, and the records in the ring (nfp_chan_frames.h). */
#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include "../tool.h"
#include "session.h"

struct frames *frames_open(struct nfpchan_card *card, unsigned int streams)
{
	static const char * const name[NFP_FRAMES_STREAMS] = {
		NFP_CHAN_FRAMES, NFP_CHAN_FRAMES_1, NFP_CHAN_FRAMES_2, NFP_CHAN_FRAMES_3,
	};
	struct frames *f = calloc(1, sizeof(*f));
	bool ok;

	if (!f) {
		tool_fail("out of memory");
		return NULL;
	}
	f->ctl = tool_channel(card, NFP_CHAN_FRAMES_CTL);
	ok = f->ctl;
	for (; ok && f->streams < streams; f->streams++) {
		f->stream[f->streams].in = tool_channel(card, name[f->streams]);
		ok = f->stream[f->streams].in;
	}
	if (ok)
		return f;
	frames_close(f);
	return NULL;
}

void frames_close(struct frames *f)
{
	if (!f)
		return;
	for (unsigned int i = 0; i < f->streams; i++)
		nfpchan_close(f->stream[i].in);
	nfpchan_close(f->ctl);
	free(f);
}

static int chan_fail(struct nfpchan *ch)
{
	char text[256];

	return tool_fail("%s", nfpchan_error(ch, text, sizeof(text)));
}

/* ---- requests ---- */

struct request {
	struct nfp_frames_req req;
	struct nfp_frames_insn insn[NFP_FRAMES_INSNS];
};

static int ask(struct frames *f, struct request *r)
{
	size_t len = sizeof(r->req) + le16toh(r->req.insns) * sizeof(r->insn[0]);

	r->req.token = htole64(f->token);
	return nfpchan_send(f->ctl, r, len, NFPCHAN_FOREVER) ? chan_fail(f->ctl) : 0;
}

int frames_start(struct frames *f, const struct frames_ask *a)
{
	struct request r = { .req = {
		.op = htole32(NFP_FRAMES_OP_START),
		.snap = htole32(a->snap),
		.sample = htole32(a->sample),
		.ports = (uint8_t)a->ports,
		.streams = (uint8_t)f->streams,
		.insns = htole16((uint16_t)a->filter.insns),
	} };

	memcpy(r.insn, a->filter.insn, a->filter.insns * sizeof(r.insn[0]));
	if (getrandom(&f->token, sizeof(f->token), 0) != sizeof(f->token))
		return tool_fail("getrandom: %s", strerror(errno));
	return ask(f, &r);
}

int frames_stop(struct frames *f)
{
	struct request r = { .req.op = htole32(NFP_FRAMES_OP_STOP) };

	return ask(f, &r);
}

const char *frames_refusal(const struct nfp_frames_hdr *hdr, char *buf, size_t len)
{
	static const char * const why[] = {
		[NFP_FRAMES_BAD_REQUEST] = "the request is not valid",
		[NFP_FRAMES_BAD_CODE] = "no instruction of classic BPF",
		[NFP_FRAMES_BAD_JUMP] = "the jump leaves the program",
		[NFP_FRAMES_BAD_MEM] = "the scratch memory has cells 0 to 15",
		[NFP_FRAMES_BAD_CONST] = "division by 0, or a shift by more than 31 bits",
		[NFP_FRAMES_BAD_OFFSET] = "an offset that only Linux has: compile for a file, as tcpdump -y EN10MB -dd does",
		[NFP_FRAMES_BAD_END] = "the last instruction is no return",
		[NFP_FRAMES_BAD_STREAM] = "the host has not opened it",
	};
	const char *text = hdr->port < sizeof(why) / sizeof(why[0]) ? why[hdr->port] : NULL;

	if (hdr->port == NFP_FRAMES_BAD_REQUEST)
		snprintf(buf, len, "%s", text);
	else if (hdr->port == NFP_FRAMES_BAD_STREAM)
		snprintf(buf, len, "stream %u: %s", le32toh(hdr->len), text);
	else
		snprintf(buf, len, "instruction %u of the filter: %s", le32toh(hdr->len),
			 text ? text : "unknown reason");
	return buf;
}

/* ---- records ---- */

static size_t record_size(const struct nfp_frames_hdr *hdr)
{
	return NFP_FRAMES_ROOM(le16toh(hdr->caplen));
}

/* Complete the record that is not whole with the first of @len bytes. Returns how many it took. */
static size_t complete(struct frames_stream *s, const uint8_t *data, size_t len)
{
	struct nfp_frames_hdr hdr;
	size_t n;

	memcpy(&hdr, s->carry, sizeof(hdr));
	n = record_size(&hdr) - s->carried;
	if (n > len)
		n = len;
	memcpy(s->carry + s->carried, data, n);
	s->carried += n;
	return n;
}

static bool is_answer(const struct frames *f, const struct nfp_frames_hdr *hdr)
{
	return hdr->kind == NFP_FRAMES_START && !hdr->caplen && le64toh(hdr->ns) == f->token;
}

/* Hand over the records in @len bytes, and keep the beginning of one that is not whole. */
static int records(struct frames *f, struct frames_stream *s, const uint8_t *data, size_t len,
		   frames_take *take, void *ctx)
{
	struct nfp_frames_hdr hdr;
	size_t at = 0, size;
	int ret = 0;

	if (s->carried) {
		at = complete(s, data, len);
		memcpy(&hdr, s->carry, sizeof(hdr));
		if (s->carried < record_size(&hdr))
			return 0;
		s->carried = 0;
		ret = take(ctx, &hdr, s->carry + sizeof(hdr));
	}
	for (; !ret && at < len; at += size) {
		/* Read the header once: the card can write to the ring at any time. */
		memcpy(&hdr, data + at, sizeof(hdr));
		size = sizeof(hdr);
		/* What was made for an earlier host comes first, and may begin in a record. */
		s->synced = s->synced || is_answer(f, &hdr);
		if (!s->synced)
			continue;
		size = record_size(&hdr);
		if (size > len - at) {
			memcpy(s->carry, &hdr, sizeof(hdr));
			s->carried = len - at;
			memcpy(s->carry + sizeof(hdr), data + at + sizeof(hdr),
			       len - at - sizeof(hdr));
			break;
		}
		ret = take(ctx, &hdr, data + at + sizeof(hdr));
	}
	return ret;
}

int frames_read(struct frames *f, unsigned int stream, frames_take *take, void *ctx)
{
	struct frames_stream *s = &f->stream[stream];
	const void *data;
	ssize_t len = nfpchan_peek(s->in, &data, NFPCHAN_NONBLOCK);
	int ret;

	if (len == -EAGAIN)
		return -EAGAIN;
	if (len < 0)
		return chan_fail(s->in);
	ret = records(f, s, data, (size_t)len, take, ctx);
	if (nfpchan_consume(s->in, (size_t)len) && !ret)
		ret = chan_fail(s->in);
	return ret;
}
