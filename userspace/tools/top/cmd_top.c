// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * cmd_top.c - nfpchan top: rates of channels and flows, live.
 *
 * A failure is printed when the terminal is restored: until then its text is in struct session.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>
#include "now.h"
#include "talkers.h"
#include "term.h"
#include "tool.h"
#include "top.h"

#define DELAY_MAX	3600	/* seconds */
#define ONCE_COLS	200	/* with --once nothing is cut */

/**
 * struct session - the state of the command
 * @top: the counters that are shown
 * @screen: the window
 * @card: the card
 * @talkers: the reader of the flow meter
 * @delay: --delay
 * @once: --once
 * @sigs: descriptor for signals
 * @timer: descriptor for the ends of intervals
 * @began: when the current interval began, in ns
 * @quit: the command ends
 * @why: text of the failure that ends it, or ""
 */
struct session {
	struct top top;
	struct top_screen screen;
	struct nfpchan_card *card;
	struct talkers talkers;
	uint64_t delay;
	bool once;
	int sigs;
	int timer;
	uint64_t began;
	bool quit;
	char why[256];
};

/* End the command, because of the last failure on the card if @text is NULL. */
static void give_up(struct session *s, const char *text)
{
	s->quit = true;
	if (text)
		snprintf(s->why, sizeof(s->why), "%s", text);
	else
		nfpchan_card_error(s->card, s->why, sizeof(s->why));
}

static void draw(struct session *s)
{
	char *text = NULL;
	size_t len = 0;
	FILE *out;

	if (s->screen.rows)
		term_size(&s->screen.rows, &s->screen.cols);
	out = open_memstream(&text, &len);
	if (out) {
		top_sort(&s->top);
		top_draw(out, &s->top, &s->screen);
	}
	/* One write for all of the window, so that it does not flicker. */
	if (!out || fclose(out) || fwrite(text, 1, len, stdout) != len || fflush(stdout))
		give_up(s, "the window cannot be written");
	free(text);
}

/* An interval has ended: show it, and end the command with --once. */
static void show(struct session *s, uint64_t now)
{
	s->top.ns = s->began ? now - s->began : 0;
	s->began = now;
	if (s->once && !s->top.ns)
		return;
	draw(s);
	s->quit |= s->once;
}

/* ---- channels ---- */

static void channels_read(struct session *s)
{
	struct top *t = &s->top;
	struct top_chan *chan;
	uint32_t i;

	if (nfpchan_card_info(s->card, &t->info)) {
		give_up(s, NULL);
		return;
	}
	chan = calloc((size_t)t->info.chan_count + 1, sizeof(*chan));
	if (!chan) {
		give_up(s, "out of memory");
		return;
	}
	for (i = 0; i < t->info.chan_count; i++)
		if (chan_row_id(s->card, i, &chan[i].row)) {
			free(chan);
			give_up(s, NULL);
			return;
		}
	top_chans_since(chan, i, t->chan, t->chans);
	free(t->chan);
	t->chan = chan;
	t->chans = i;
	show(s, now_ns());
}

/* ---- flows ---- */

/* The meter's records of an interval become the flows that are shown. */
static void flows_show(struct session *s)
{
	struct talkers *k = &s->talkers;
	struct top *t = &s->top;

	t->flows = top_flows_merge(k->flow, k->flows);
	t->more = k->more;
	free(t->flow);
	t->flow = malloc((t->flows + 1) * sizeof(*t->flow));
	if (!t->flow) {
		t->flows = 0;
		give_up(s, "out of memory");
		return;
	}
	memcpy(t->flow, k->flow, t->flows * sizeof(*t->flow));
	talkers_next(k);
	show(s, now_ns());
}

static void flows_forget(struct top *t)
{
	t->flows = 0;
	t->more = 0;
	t->meter = (struct totals){ .token = 0 };
}

/* Receive from the meter. @again: out: there may be more. */
static void flows_recv(struct session *s, bool *again)
{
	struct talkers *k = &s->talkers;
	bool based = k->based;
	struct totals meter;
	char why[256];
	int ret = talkers_recv(k, &meter, again, why, sizeof(why));

	if (ret < 0) {
		give_up(s, why);
	} else if (!s->top.flows_view) {
		/* Another view was chosen while the meter answered. */
		talkers_next(k);
		talkers_close(k);
		*again = k->in && *again;
	} else if (ret) {
		s->top.meter = meter;
		flows_show(s);
	} else if (k->based && !based) {
		s->began = now_ns();
	}
}

/* Ask the meter at the end of an interval. If it cannot be read, say why and try again later. */
static void flows_ask(struct session *s)
{
	struct top *t = &s->top;

	*t->why = '\0';
	if (nfpchan_card_info(s->card, &t->info))
		give_up(s, NULL);
	else if (!s->talkers.in && talkers_open(&s->talkers, s->card, t->why, sizeof(t->why)))
		flows_forget(t);
	else if (talkers_ask(&s->talkers, s->why, sizeof(s->why)))
		s->quit = true;
	if (*t->why && s->once)
		give_up(s, t->why);
	else if (*t->why)
		draw(s);
}

/* ---- keys, signals, time ---- */

static void view(struct session *s, bool flows)
{
	struct top *t = &s->top;

	if (t->flows_view == flows)
		return;
	t->flows_view = flows;
	s->began = 0;
	t->ns = 0;
	if (!flows) {
		talkers_close(&s->talkers);
		/* Rates begin with these counters. */
		t->chans = 0;
		channels_read(s);
		return;
	}
	if (t->sort > TOP_BY_BYTES)
		t->sort = TOP_BY_BYTES;
	flows_forget(t);
	s->talkers.based = false;
	flows_ask(s);
	if (!s->once && !s->quit)
		draw(s);
}

static void key(struct session *s, char c)
{
	static const char orders[] = "nmbdsi";	/* by enum top_sort */
	const char *order = c ? strchr(orders, c) : NULL;
	struct top *t = &s->top;

	if (c == 'q') {
		s->quit = true;
	} else if (c == 'f' || c == 'c' || c == '\t') {
		view(s, c == '\t' ? !t->flows_view : c == 'f');
	} else if (order && (!t->flows_view || order - orders <= TOP_BY_BYTES)) {
		t->sort = (enum top_sort)(order - orders);
		draw(s);
	}
}

static void keys(struct session *s)
{
	char c[64];
	ssize_t i, n = read(STDIN_FILENO, c, sizeof(c));

	/* The terminal is gone. */
	if (n <= 0)
		s->quit = true;
	for (i = 0; i < n && !s->quit; i++)
		key(s, c[i]);
}

static void signalled(struct session *s)
{
	struct signalfd_siginfo info;
	int err = 0;

	if (read(s->sigs, &info, sizeof(info)) != sizeof(info))
		return;
	if (info.ssi_signo == SIGTSTP && s->screen.rows)
		err = term_stop();
	else if (info.ssi_signo == SIGCONT && s->screen.rows)
		err = term_take();
	else if (info.ssi_signo != SIGWINCH && info.ssi_signo != SIGCONT)
		s->quit = true;
	if (err)
		give_up(s, strerror(-err));
	else if (!s->quit && s->screen.rows)
		draw(s);
}

static void tick(struct session *s)
{
	uint64_t count;

	if (read(s->timer, &count, sizeof(count)) != sizeof(count))
		return;
	if (s->top.flows_view)
		flows_ask(s);
	else
		channels_read(s);
}

/* Wait for what comes first, and handle it. */
static void await(struct session *s, int ms)
{
	struct talkers *k = &s->talkers;
	struct pollfd pfd[] = {
		{ .fd = s->sigs, .events = POLLIN },
		{ .fd = s->screen.rows ? STDIN_FILENO : -1, .events = POLLIN },
		{ .fd = s->timer, .events = POLLIN },
		{ .fd = k->ctl.busy ? k->ctl.done : -1, .events = POLLIN },
		{ .fd = k->in ? nfpchan_fd(k->in) : -1, .events = POLLIN },
	};

	if (poll(pfd, sizeof(pfd) / sizeof(*pfd), ms) < 0)
		give_up(s, strerror(errno));
	if (pfd[3].revents && flow_ctl_join(&k->ctl))
		give_up(s, k->ctl.why);
	if (!s->quit && pfd[0].revents)
		signalled(s);
	if (!s->quit && pfd[1].revents)
		keys(s);
	if (!s->quit && pfd[2].revents)
		tick(s);
}

static void attend(struct session *s)
{
	struct talkers *k = &s->talkers;
	bool again = false;

	if (k->in)
		flows_recv(s, &again);
	if (!s->quit)
		await(s, again ? 0 : -1);
}

/* ---- start and end ---- */

/* As tool_signals(); for a window with all after which the terminal has to be restored or drawn. */
static int signals(bool window)
{
	static const int with_window[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH };
	sigset_t set;
	size_t i;

	if (!window)
		return tool_signals();
	sigemptyset(&set);
	for (i = 0; i < sizeof(with_window) / sizeof(*with_window); i++)
		sigaddset(&set, with_window[i]);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static bool begin(struct session *s)
{
	struct itimerspec every = { .it_interval.tv_sec = (time_t)s->delay,
				    .it_value.tv_sec = (time_t)s->delay };
	int err;

	s->card = tool_card();
	if (!s->card)
		return false;
	s->sigs = signals(s->screen.rows);
	s->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (s->sigs < 0 || s->timer < 0 || timerfd_settime(s->timer, 0, &every, NULL))
		return !tool_fail("%s", strerror(errno));
	err = s->screen.rows ? term_take() : 0;
	if (err)
		term_restore();
	return !err || !tool_fail("the terminal: %s", strerror(-err));
}

static int run(struct session *s)
{
	struct nfp_chan_info info;
	char card[sizeof(info.pci)];
	bool flows = s->top.flows_view;

	if (nfpchan_card_info(s->card, &info))
		return tool_card_fail(s->card, NULL);
	snprintf(card, sizeof(card), "%s", tool_by_bpf() ? tool.card : info.pci);
	s->top.card = card;
	s->top.flows_view = !flows;
	view(s, flows);
	while (!s->quit)
		attend(s);
	term_restore();
	return *s->why ? tool_fail("%s", s->why) : EXIT_SUCCESS;
}

static int top_options(const struct command *cmd, int argc, char **argv, struct session *s)
{
	const struct tool_opt opts[] = {
		{ "delay", 'd', .number = &s->delay, .min = 1, .max = DELAY_MAX },
		{ "flows", 'f', .flag = &s->top.flows_view },
		{ "once", 'o', .flag = &s->once },
		{ .name = NULL },
	};
	int ret = tool_options(cmd, argc, argv, opts, NULL, 0);
	const char *no_color = getenv("NO_COLOR");

	if (ret >= 0)
		return ret;
	if (tool.json)
		return tool_usage(cmd, "no JSON: nfpchan stats and nfpchan flows have it");
	if (!s->once && !term_usable())
		return tool_usage(cmd, "no terminal with escape codes: --once prints one interval");
	s->screen.cols = ONCE_COLS;
	if (!s->once) {
		s->screen.escapes = true;
		s->screen.colours = !no_color || !*no_color;
		term_size(&s->screen.rows, &s->screen.cols);
	}
	return -1;
}

int cmd_top(const struct command *cmd, int argc, char **argv)
{
	struct session s = { .delay = 1, .sigs = -1, .timer = -1, .top.sort = TOP_BY_MSGS };
	int ret = top_options(cmd, argc, argv, &s);

	if (ret >= 0)
		return ret;
	ret = begin(&s) ? run(&s) : EXIT_FAILURE;
	/* The thread of a request may still be in a call. It ends with the process. */
	if (!s.talkers.asked) {
		talkers_close(&s.talkers);
		nfpchan_card_close(s.card);
	}
	free(s.top.chan);
	free(s.top.flow);
	return ret;
}
