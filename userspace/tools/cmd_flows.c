// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * cmd_flows.c - nfpchan flows: print records of the flow meter as they come, or send them to a
 * collector, and print the meter's totals.
 *
 * The meter answers a request on "flow-ctl" by a message on "flows", after the records that it
 * sent before.
 *
 * The first request sets time-outs, if there are any to set, and asks for the totals at the start.
 * They include the records that an earlier reader has received, so that a loss can be told from those
 * at the end.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <unistd.h>
#include "flow_ctl.h"
#include "flow_print.h"
#include "ipfix.h"
#include "tool.h"

#define QUIET_DEFAULT	200	/* ms */
#define QUIET_MAX	4000000	/* ms; in us it is below 2^32 */
#define TIME_MAX	4000000	/* s; in ms it is below 2^32 */
#define IPFIX_ACTIVE	120	/* s; collectors expect a report of a long flow every few minutes */
#define REFRESH		60	/* s */
#define BURST		256	/* records between two looks at the signals */

/* What the command waits for. The token of a request is the session's token + the phase. */
enum phase {
	PHASE_BASE,	/* the totals at the start */
	PHASE_FLUSH,	/* all flows, then the totals */
	PHASE_RUN,	/* the user, who ends the command */
	PHASE_LAST,	/* the totals at the end */
	PHASE_DONE,
};

/**
 * struct flows - the state of the command
 * @flush: --flush
 * @follow: --follow
 * @quiet_us: --quiet
 * @count: --count; 0: no limit
 * @idle_ms: --idle; 0: as it is
 * @active_ms: --active; 0: as it is
 * @collector: --ipfix
 * @domain: --domain
 * @refresh: --refresh
 * @ipfix: the sender to @collector
 * @in: the channel "flows"
 * @ctl: the current request
 * @sigs: descriptor for signals
 * @phase: what the command waits for
 * @stop: a signal or --count ends the command
 * @token: token of this session
 * @shown: records printed
 * @sum: sum of all records received
 * @end: the last totals
 * @json: the JSON document
 */
struct flows {
	bool flush;
	bool follow;
	uint64_t quiet_us;
	uint64_t count;
	uint32_t idle_ms;
	uint32_t active_ms;
	const char *collector;
	uint64_t domain;
	uint64_t refresh;
	struct ipfix *ipfix;
	struct nfpchan *in;
	struct flow_ctl ctl;
	int sigs;
	enum phase phase;
	bool stop;
	uint32_t token;
	uint64_t shown;
	struct flow_sum sum;
	struct totals end;
	struct json json;
};

/* ---- requests ---- */

static int request_join(struct flows *f)
{
	return flow_ctl_join(&f->ctl) ? tool_fail("%s", f->ctl.why) : 0;
}

static int request_start(struct flows *f, enum phase phase, uint32_t op, uint64_t quiet_us)
{
	f->phase = phase;
	if (flow_ctl_start(&f->ctl, op, quiet_us, f->token + (uint32_t)phase))
		return tool_fail("%s", f->ctl.why);
	return 0;
}

static int request_base(struct flows *f)
{
	if (!f->idle_ms && !f->active_ms)
		return request_start(f, PHASE_BASE, NFP_FLOW_OP_TOTALS, 0);
	f->phase = PHASE_BASE;
	if (flow_ctl_times(&f->ctl, f->idle_ms, f->active_ms, f->token + PHASE_BASE))
		return tool_fail("%s", f->ctl.why);
	return 0;
}

/* ---- records from the card ---- */

static void print_record(struct flows *f, const struct flow *rec)
{
	if (tool.json) {
		flow_json(&f->json, rec);
		json_row_end(&f->json);
		return;
	}
	if (!f->shown)
		flow_plain_head(stdout);
	flow_plain(stdout, rec);
}

static int got_record(struct flows *f, const void *msg, size_t len)
{
	struct flow rec = { 0 };

	if (!flow_decode(&rec, msg, len))
		return tool_fail("a flow record makes no sense (%zu bytes, reason %u, family %u)",
				 len, rec.reason, rec.family);
	flow_sum_add(&f->sum, &rec);
	/* Count records beyond --count as well: the totals must add up. */
	if (f->count && f->shown == f->count)
		return 0;
	if (!f->ipfix)
		print_record(f, &rec);
	else if (ipfix_add(f->ipfix, &rec))
		return EXIT_FAILURE;
	if (++f->shown == f->count)
		f->stop = true;
	return 0;
}

static int got_totals(struct flows *f, const void *msg, size_t len)
{
	struct totals t;

	if (!totals_decode(&t, msg, len))
		return tool_fail("totals of %zu bytes make no sense", len);
	/* Ignore the answer to an earlier reader, which has ended before it came. */
	if (t.token != f->token + (uint32_t)f->phase)
		return 0;
	f->end = t;
	switch (f->phase) {
	case PHASE_BASE:
		flow_sum_base(&f->sum, &t);
		if (f->flush)
			return request_start(f, PHASE_FLUSH, NFP_FLOW_OP_FLUSH, f->quiet_us);
		f->phase = PHASE_RUN;
		return 0;
	case PHASE_FLUSH:
		f->phase = f->follow ? PHASE_RUN : PHASE_DONE;
		return 0;
	default:
		f->phase = PHASE_DONE;
		return 0;
	}
}

/* Receive the records that have arrived. @more: out: there may be more. */
static int drain(struct flows *f, bool *more)
{
	unsigned int n;

	for (n = 0; n < BURST && f->phase != PHASE_DONE; n++) {
		const void *msg;
		char text[256];
		ssize_t len;
		int err = 0;

		len = nfpchan_borrow(f->in, &msg, NFPCHAN_NONBLOCK);
		*more = len != -EAGAIN;
		if (len == -EAGAIN)
			return 0;
		if (len < 0)
			return tool_fail("%s", nfpchan_error(f->in, text, sizeof(text)));
		if (len && *(const uint8_t *)msg == NFP_FLOW_TOTALS)
			err = got_totals(f, msg, (size_t)len);
		else
			err = got_record(f, msg, (size_t)len);
		if (!err && nfpchan_release(f->in, 1))
			err = tool_fail("%s", nfpchan_error(f->in, text, sizeof(text)));
		if (err)
			return err;
	}
	return 0;
}

/* ---- the loop ---- */

static int interrupted(struct flows *f)
{
	struct signalfd_siginfo info;

	if (read(f->sigs, &info, sizeof(info)) != sizeof(info))
		return 0;
	if (f->stop)
		return tool_fail("ended before the totals came");
	f->stop = true;
	if (f->phase == PHASE_FLUSH)
		fprintf(stderr, "nfpchan: waiting for the flush, interrupt again to end at once\n");
	return 0;
}

/* Sleep, unless @more says not to. Then handle signals and the end of the thread. */
static int attend(struct flows *f, bool more)
{
	struct pollfd pfd[3] = {
		{ .fd = f->sigs, .events = POLLIN },
		{ .fd = f->ctl.busy ? f->ctl.done : -1, .events = POLLIN },
		{ .fd = nfpchan_fd(f->in), .events = POLLIN },
	};
	int err = tool_flush();

	if (!err && f->ipfix && !more)
		err = ipfix_flush(f->ipfix);
	if (err)
		return err;
	if (poll(pfd, 3, more ? 0 : -1) < 0)
		return tool_fail("poll: %s", strerror(errno));
	if (pfd[0].revents)
		err = interrupted(f);
	if (!err && pfd[1].revents)
		err = request_join(f);
	return err;
}

static int run(struct flows *f)
{
	bool more = true;
	int err;

	err = request_base(f);
	while (!err && f->phase != PHASE_DONE) {
		if (f->stop && f->phase == PHASE_RUN)
			err = request_start(f, PHASE_LAST, NFP_FLOW_OP_TOTALS, 0);
		if (!err)
			err = drain(f, &more);
		if (!err && f->phase != PHASE_DONE && !(f->stop && f->phase == PHASE_RUN))
			err = attend(f, more);
	}
	if (!err && f->ipfix)
		err = ipfix_flush(f->ipfix);
	return err ? err : request_join(f);
}

static int finish(struct flows *f, int err)
{
	bool complete = !err;
	char why[160];

	if (complete && !flow_sum_check(&f->sum, &f->end, why, sizeof(why))) {
		err = tool_fail("records and totals do not add up: %s", why);
		complete = false;
	}
	if (tool.json) {
		json_rows_end(&f->json);
		totals_json(&f->json, &f->end);
		json_bool(&f->json, "complete", complete);
		json_close(&f->json);
		json_end(&f->json);
	} else if (f->phase == PHASE_DONE) {
		totals_plain(stdout, &f->end);
	}
	return err;
}

static int flows_options(const struct command *cmd, int argc, char **argv, struct flows *f)
{
	uint64_t quiet = QUIET_MAX + 1, idle = 0, active = TIME_MAX + 1;	/* not given */
	const struct tool_opt opts[] = {
		{ "flush", 'f', .flag = &f->flush },
		{ "quiet", 'q', .number = &quiet, .max = QUIET_MAX },
		{ "count", 'n', .number = &f->count, .min = 1, .max = UINT64_MAX },
		{ "follow", 'F', .flag = &f->follow },
		{ "idle", 'i', .number = &idle, .min = 1, .max = TIME_MAX },
		{ "active", 'a', .number = &active, .max = TIME_MAX },
		{ "ipfix", 'x', .text = &f->collector },
		{ "domain", 'd', .number = &f->domain, .max = UINT32_MAX },
		{ "refresh", 'r', .number = &f->refresh, .max = TIME_MAX },
		{ .name = NULL },
	};
	int ret = tool_options(cmd, argc, argv, opts, NULL, 0);

	if (ret >= 0)
		return ret;
	if (!f->flush && (quiet <= QUIET_MAX || f->follow))
		return tool_usage(cmd, "--quiet and --follow go with --flush");
	if ((f->domain || f->refresh != REFRESH) && !f->collector)
		return tool_usage(cmd, "--domain and --refresh go with --ipfix");
	if (active > TIME_MAX && f->collector)
		active = IPFIX_ACTIVE;
	f->idle_ms = (uint32_t)idle * 1000;
	if (active <= TIME_MAX)
		f->active_ms = active ? (uint32_t)active * 1000 : NFP_FLOW_NEVER;
	f->quiet_us = (quiet <= QUIET_MAX ? quiet : QUIET_DEFAULT) * 1000;
	return -1;
}

/*
 * Replay on the emulated card may start with the first receiver of "flows". So open that channel
 * last, when nothing else can fail.
 */
static bool flows_open(struct flows *f, struct nfpchan_card *card)
{
	if (getrandom(&f->token, sizeof(f->token), 0) != sizeof(f->token)) {
		tool_fail("getrandom: %s", strerror(errno));
		return false;
	}
	f->sigs = tool_signals();
	if (f->sigs < 0)
		return false;
	if (f->collector) {
		f->ipfix = ipfix_open(f->collector, (uint32_t)f->domain, (uint32_t)f->refresh);
		if (!f->ipfix)
			return false;
	}
	f->ctl.done = eventfd(0, EFD_CLOEXEC);
	if (f->ctl.done < 0) {
		tool_fail("eventfd: %s", strerror(errno));
		return false;
	}
	f->ctl.ch = tool_channel(card, NFP_CHAN_FLOW_CTL);
	if (!f->ctl.ch)
		return false;
	f->in = tool_channel(card, NFP_CHAN_FLOWS);
	return f->in;
}

int cmd_flows(const struct command *cmd, int argc, char **argv)
{
	struct flows f = { .sigs = -1, .ctl.done = -1, .refresh = REFRESH };
	struct nfpchan_card *card;
	int ret;

	ret = flows_options(cmd, argc, argv, &f);
	if (ret >= 0)
		return ret;
	card = tool_card();
	if (!card)
		return EXIT_FAILURE;
	ret = EXIT_FAILURE;
	if (flows_open(&f, card)) {
		tool_json_rows(&f.json);
		if (tool.json) {
			json_object(&f.json, NULL);
			json_rows(&f.json, "flows");
		}
		ret = finish(&f, run(&f));
		/* The thread may still be in a call. It ends with the process. */
		if (f.ctl.busy)
			return ret;
	}
	ipfix_close(f.ipfix);
	nfpchan_close(f.in);
	nfpchan_close(f.ctl.ch);
	nfpchan_card_close(card);
	if (f.ctl.done >= 0)
		close(f.ctl.done);
	if (f.sigs >= 0)
		close(f.sigs);
	return ret;
}
