// SPDX-License-Identifier: BSD-2-Clause
/*
 * wire_pcap.c - wire port over capture files, with libpcap.
 */
#include <errno.h>
#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <syslog.h>
#include <time.h>

#include "wire_pcap.h"

#define NS_PER_S	1000000000ull

struct wire_pcap {
	char *in_path;
	char *out_path;
	pcap_t *in;		/* NULL: no input file, or its end was reached */
	pcap_t *out;
	pcap_dumper_t *dump;	/* NULL: frames that leave are dropped */
	struct wire_pcap_stats stats;
	uint64_t read;		/* frames read from the input file */
	uint64_t first_refused;	/* the first frame left out, counted from 1 */
	int out_errno;

	/* replay by time stamps */
	bool real_pace;
	bool started;
	uint64_t start_ns;	/* CLOCK_MONOTONIC of the first frame */
	uint64_t first_ts;
	struct board_frame next;	/* read from the file, but not due yet */
	bool have_next;
	uint64_t due_ns;
};

static uint64_t monotonic_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

static int in_open(struct wire_pcap *w, const char *path, char *err, size_t errlen)
{
	char why[PCAP_ERRBUF_SIZE] = "";
	struct stat st;
	FILE *f;
	int link;

	/* Refuse pipes: a read from a pipe can block, and the whole board would wait. */
	if (stat(path, &st)) {
		snprintf(err, errlen, "%s: %s", path, strerror(errno));
		return -1;
	}
	if (!S_ISREG(st.st_mode)) {
		snprintf(err, errlen, "%s: not a regular file", path);
		return -1;
	}
	f = wire_pcapng_open(path);
	if (!f) {
		snprintf(err, errlen, "%s: %s", path, strerror(errno));
		return -1;
	}
	w->in = pcap_fopen_offline_with_tstamp_precision(f, PCAP_TSTAMP_PRECISION_NANO, why);
	if (!w->in) {
		fclose(f);
		snprintf(err, errlen, "%s: %s", path, why);
		return -1;
	}
	link = pcap_datalink(w->in);
	if (link != DLT_EN10MB) {
		const char *name = pcap_datalink_val_to_name(link);

		snprintf(err, errlen,
			 "%s: link type %d (%s), only Ethernet (%d) can arrive at a port",
			 path, link, name ? name : "unknown", DLT_EN10MB);
		return -1;
	}
	w->in_path = strdup(path);
	return w->in_path ? 0 : -1;
}

static int out_open(struct wire_pcap *w, const char *path, char *err, size_t errlen)
{
	w->out = pcap_open_dead_with_tstamp_precision(DLT_EN10MB, WIRE_PCAP_FRAME_MAX,
						      PCAP_TSTAMP_PRECISION_NANO);
	if (!w->out)
		return -1;
	w->dump = pcap_dump_open(w->out, path);
	if (!w->dump) {
		snprintf(err, errlen, "%s", pcap_geterr(w->out));
		return -1;
	}
	w->out_path = strdup(path);
	return w->out_path ? 0 : -1;
}

struct wire_pcap *wire_pcap_open(const struct wire_pcap_config *c, char *err,
				 size_t errlen)
{
	struct wire_pcap *w = calloc(1, sizeof(*w));

	snprintf(err, errlen, "no memory for a wire port");
	if (!w)
		return NULL;
	w->real_pace = c->real_pace;
	if ((c->in && in_open(w, c->in, err, errlen)) ||
	    (c->out && out_open(w, c->out, err, errlen))) {
		wire_pcap_close(w);
		return NULL;
	}
	return w;
}

static void in_close(struct wire_pcap *w)
{
	if (w->in)
		pcap_close(w->in);
	w->in = NULL;
}

static uint64_t wire_refused(void *ctx)
{
	const struct wire_pcap *w = ctx;

	return w->stats.too_long + w->stats.bad_caplen;
}

/* Say whether a frame can arrive at a port. If not, count it. */
static bool acceptable(struct wire_pcap *w, const struct pcap_pkthdr *h)
{
	bool too_long = h->len > WIRE_PCAP_FRAME_MAX;

	w->read++;
	if (!too_long && h->caplen <= h->len)
		return true;
	if (!wire_refused(w))
		w->first_refused = w->read;
	w->stats.too_long += too_long;
	w->stats.bad_caplen += !too_long;
	return false;
}

/* Read the next frame that can arrive into w->next. Return false at the end of the file. */
static bool frame_read(struct wire_pcap *w)
{
	struct pcap_pkthdr *h;
	const u_char *data;
	int ret;

	while (w->in) {
		ret = pcap_next_ex(w->in, &h, &data);
		if (ret == PCAP_ERROR_BREAK) {
			board_log(LOG_INFO, "wire: %s: end of file: %llu frames, %llu left out",
				  w->in_path, (unsigned long long)w->stats.in,
				  (unsigned long long)wire_refused(w));
			in_close(w);
			break;
		}
		if (ret != 1) {
			board_log(LOG_ERR, "pcap-in: %s: breaks off after %llu frames: %s",
				  w->in_path, (unsigned long long)w->read, pcap_geterr(w->in));
			w->stats.in_failed = true;
			in_close(w);
			break;
		}
		if (!acceptable(w, h))
			continue;
		w->next = (struct board_frame){
			.data = data, .caplen = h->caplen, .len = h->len,
			/* tv_usec holds ns: the file was opened with that precision */
			.ts_ns = h->ts.tv_sec * NS_PER_S + h->ts.tv_usec,
		};
		w->have_next = true;
		return true;
	}
	return false;
}

static void pace_next(struct wire_pcap *w)
{
	uint64_t now = monotonic_ns();

	if (!w->started) {
		w->started = true;
		w->start_ns = now;
		w->first_ts = w->next.ts_ns;
	}
	/*
	 * Captures of several receive queues have time stamps that go back. A frame with a stamp
	 * before the first frame's is due at once.
	 */
	w->due_ns = w->next.ts_ns > w->first_ts ?
		    w->start_ns + (w->next.ts_ns - w->first_ts) : w->start_ns;
}

static int wire_pull(void *ctx, struct board_frame *f)
{
	struct wire_pcap *w = ctx;

	if (!w->have_next) {
		if (!frame_read(w))
			return -1;
		if (w->real_pace)
			pace_next(w);
	}
	if (w->real_pace && monotonic_ns() < w->due_ns)
		return 0;
	w->have_next = false;
	w->stats.in++;
	*f = w->next;
	return 1;
}

static uint64_t wire_deadline(void *ctx)
{
	struct wire_pcap *w = ctx;

	return w->real_pace && w->have_next ? w->due_ns : UINT64_MAX;
}

static void wire_push(void *ctx, const struct board_frame *f)
{
	struct wire_pcap *w = ctx;
	struct pcap_pkthdr h = {
		.ts.tv_sec = f->ts_ns / NS_PER_S,
		.ts.tv_usec = f->ts_ns % NS_PER_S,	/* ns, as in frame_read() */
		.caplen = f->caplen, .len = f->len,
	};

	if (!w->dump)
		return;
	if (!w->stats.out_failed) {
		pcap_dump((u_char *)w->dump, &h, f->data);
		if (!ferror(pcap_dump_file(w->dump))) {
			w->stats.out++;
			return;
		}
		w->out_errno = errno;
	}
	w->stats.out_failed++;
}

void wire_pcap_stats(const struct wire_pcap *w, struct wire_pcap_stats *s)
{
	*s = w->stats;
}

static bool in_end(struct wire_pcap *w)
{
	const char *path = w->in_path;
	bool more = w->have_next || frame_read(w);
	uint64_t refused = wire_refused(w);

	if (refused)
		board_log(LOG_ERR, "pcap-in: %s: %llu of %llu frames are left out: %llu longer than %u bytes, %llu with more bytes captured than they have; the first is frame %llu",
			  path, (unsigned long long)refused, (unsigned long long)w->read,
			  (unsigned long long)w->stats.too_long, WIRE_PCAP_FRAME_MAX,
			  (unsigned long long)w->stats.bad_caplen,
			  (unsigned long long)w->first_refused);
	if (more && w->stats.in)
		board_log(LOG_NOTICE, "pcap-in: %s: the run ended when %llu frames had arrived; there are more in the file",
			  path, (unsigned long long)w->stats.in);
	else if (more)
		board_log(LOG_NOTICE, "pcap-in: %s: no frame has arrived: the run ended before the port took frames (start=)",
			  path);
	return !refused && !w->stats.in_failed;
}

static bool out_end(struct wire_pcap *w)
{
	if (w->dump && !w->out_errno && pcap_dump_flush(w->dump)) {
		w->out_errno = errno;
		w->stats.out_failed++;
	}
	if (w->out_errno)
		board_log(LOG_ERR, "pcap-out: %s: %s: at least %llu frames are missing",
			  w->out_path, strerror(w->out_errno),
			  (unsigned long long)w->stats.out_failed);
	return !w->out_errno;
}

bool wire_pcap_end(struct wire_pcap *w)
{
	bool in = in_end(w), out = out_end(w);

	return in && out;
}

void wire_pcap_close(struct wire_pcap *w)
{
	in_close(w);
	if (w->dump)
		pcap_dump_close(w->dump);
	if (w->out)
		pcap_close(w->out);
	free(w->in_path);
	free(w->out_path);
	free(w);
}

static void wire_close(void *ctx)
{
	wire_pcap_close(ctx);
}

const struct board_wire_ops wire_pcap_ops = {
	.pull = wire_pull,
	.deadline = wire_deadline,
	.push = wire_push,
	.refused = wire_refused,
	.close = wire_close,
};
