// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * chan_apps.c - run one of the four applications with the frames of a card's Ethernet ports, until
 * a signal ends it. Then print what it has counted. README.rst describes the applications.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "frames_io.h"
#include "kvs.h"
#include "logmon.h"
#include "maglev.h"
#include "sketch.h"

#define SECOND	1000000000ll

static const char usage[] =
	"usage: chan_apps maglev VIP BACKEND=MAC...   balance connections to the address VIP\n"
	"       chan_apps sketch [SHIFT]              count packets, one in 2^SHIFT (0: all)\n"
	"       chan_apps kvs                         store values, and answer with them\n"
	"       chan_apps logmon WORD...              count lines with a word, in packets of TCP\n"
	"       chan_apps text CHANNEL WORD...        the same, in the bytes of a stream\n";

static volatile sig_atomic_t stopped;

static void on_signal(int sig)
{
	(void)sig;
	stopped = 1;
}

static int fail(const char *what, const char *why)
{
	fprintf(stderr, "chan_apps: %s: %s\n", what, why);
	return 1;
}

/* ---- the applications: make, take a turn, print ---- */

static void *maglev_make(char **argv)
{
	struct in_addr vip, addr;
	struct maglev *m;
	unsigned char mac[6];
	char ip[16], more;

	if (!argv[0] || !argv[1] || !inet_aton(argv[0], &vip))
		return NULL;
	m = maglev_new(vip.s_addr);
	for (argv++; m && *argv; argv++) {
		if (sscanf(*argv, "%15[0-9.]=%hhx:%hhx:%hhx:%hhx:%hhx:%hhx%c", ip, &mac[0], &mac[1],
			   &mac[2], &mac[3], &mac[4], &mac[5], &more) != 7 ||
		    !inet_aton(ip, &addr) || maglev_add(m, addr.s_addr, mac) < 0) {
			fail(*argv, "not ADDRESS=MAC, or more than 256 of them (MAGLEV_BACKENDS)");
			free(m);
			return NULL;
		}
	}
	if (m)
		maglev_fill(m);
	return m;
}

static void maglev_print(void *app)
{
	struct maglev *m = app;
	char ip[16];

	for (unsigned int i = 0; i < m->count; i++) {
		inet_ntop(AF_INET, &m->backends[i].addr, ip, sizeof(ip));
		printf("%s %" PRIu64 " packets\n", ip, m->backends[i].packets);
	}
	printf("%" PRIu64 " connections, %" PRIu64 " other packets\n", m->fresh, m->other);
}

static void *sketch_make(char **argv)
{
	unsigned long shift = 0;
	char *end = "";

	if (argv[0])
		shift = strtoul(argv[0], &end, 10);
	if (!*end && shift <= SKETCH_SHIFT)
		return sketch_new((uint32_t)shift);
	fail(argv[0], "SHIFT is a number, at most 16 (SKETCH_SHIFT)");
	return NULL;
}

static void sketch_print(void *app)
{
	struct sketch *s = app;
	uint32_t most = 0;

	for (unsigned int i = 0; i < SKETCH_COLS; i++)
		most = s->count[0][i] > most ? s->count[0][i] : most;
	printf("%" PRIu64 " packets, about %" PRIu32 " of the largest flow\n", s->packets, most);
}

static void *kvs_make(char **argv)
{
	return argv[0] ? NULL : kvs_new(16, 26);
}

static void kvs_print(void *app)
{
	struct kvs *k = app;

	printf("%" PRIu64 " sets, %" PRIu64 " gets, %" PRIu64 " found, %" PRIu64 " bad requests\n",
	       k->sets, k->gets, k->hits, k->bad);
}

static void *logmon_make(char **argv)
{
	struct logmon *m = argv[0] ? logmon_new() : NULL;

	for (; m && *argv; argv++)
		if (logmon_add(m, *argv)) {
			fail(*argv, "an empty word, or more than 8 of them (LOGMON_WORDS)");
			free(m);
			return NULL;
		}
	return m;
}

static void logmon_print(void *app)
{
	struct logmon *m = app;

	for (unsigned int i = 0; i < m->count; i++)
		printf("%s: %" PRIu64 " lines\n", m->words[i], m->lines[i]);
	printf("%" PRIu64 " bytes, %" PRIu64 " gaps\n", m->bytes, m->lost);
}

#define TURN(name)									\
static ssize_t name##_turn(struct nfpchan *in, struct nfpchan *back, void *app)		\
{											\
	return frames_turn(in, back, name##_packet, app, SECOND);			\
}

TURN(maglev)
TURN(sketch)
TURN(kvs)
TURN(logmon)

static ssize_t text_turn(struct nfpchan *in, struct nfpchan *back, void *app)
{
	const void *text;
	ssize_t n = nfpchan_peek(in, &text, SECOND);
	int err;

	(void)back;
	if (n < 0)
		return n;
	logmon_bytes(app, text, (size_t)n);
	err = nfpchan_consume(in, (size_t)n);
	return err ? err : n;
}

/**
 * struct app - an application
 * @name: its name
 * @make: make its state from the arguments. NULL: they are wrong
 * @turn: handle what has come
 * @print: print what it has counted
 * @answers: it sends packets
 */
static const struct app {
	const char *name;
	void *(*make)(char **argv);
	ssize_t (*turn)(struct nfpchan *in, struct nfpchan *back, void *app);
	void (*print)(void *app);
	bool answers;
} apps[] = {
	{ "maglev", maglev_make, maglev_turn, maglev_print, true },
	{ "sketch", sketch_make, sketch_turn, sketch_print, false },
	{ "kvs", kvs_make, kvs_turn, kvs_print, true },
	{ "logmon", logmon_make, logmon_turn, logmon_print, false },
	{ "text", logmon_make, text_turn, logmon_print, false },
};

/* ---- the card ---- */

/* Have the card copy all frames to "frames". */
static int frames_ask(struct nfpchan_card *card)
{
	const struct nfp_frames_req req = {
		.op = htole32(NFP_FRAMES_OP_START),
		.snap = htole32(NFP_FRAMES_SEND_MAX),
		.sample = htole32(1),
		.ports = (1 << NFP_FRAMES_PORTS) - 1,
		.token = htole64(NFP_FRAMES_SYNC),
	};
	struct nfpchan *ctl;
	int err = nfpchan_open(&ctl, card, NFP_CHAN_FRAMES_CTL, NULL);

	if (err)
		return err;
	err = nfpchan_send(ctl, &req, sizeof(req), NFPCHAN_FOREVER);
	nfpchan_close(ctl);
	return err;
}

/* Look for the answer to frames_ask(). Return the bytes up to its end, or all. @back: as in frames_sync() */
static size_t frames_find(const struct nfp_frames_hdr *from, size_t size, struct nfp_frames_hdr *back,
			  bool *found)
{
	const struct nfp_frames_hdr begin = {
		.kind = NFP_FRAMES_START,
		.ns = htole64(NFP_FRAMES_SYNC),
	};
	size_t n;

	for (n = 0; n < size / sizeof(*from) && !*found; n++) {
		*found = from[n].kind == begin.kind && from[n].ns == begin.ns && !from[n].caplen;
		if (back)
			back[n] = begin;
	}
	return n * sizeof(*from);
}

/*
 * Pass what the card made for an earlier host, and the answer to frames_ask(). Each element of it that
 * goes @back says that a host begins, as "frames-out" expects.
 */
static ssize_t frames_sync(struct nfpchan *in, struct nfpchan *back)
{
	const void *shown;
	void *data = NULL;
	bool found = false;
	ssize_t n = 0;
	size_t len;

	while (!found && n >= 0) {
		n = back ? nfpchan_returnable(back, &data, NFPCHAN_FOREVER) :
			   nfpchan_peek(in, &shown, NFPCHAN_FOREVER);
		if (n < 0)
			break;
		len = frames_find(back ? data : shown, (size_t)n, data, &found);
		n = back ? nfpchan_return(back, len, NFPCHAN_FOREVER) : nfpchan_consume(in, len);
	}
	return n;
}

static int run(const struct app *a, void *app, const char *name)
{
	struct nfpchan_opts opts = { .size = sizeof(opts), .flags = NFPCHAN_ALONE };
	struct nfpchan *in, *back = NULL;
	struct nfpchan_card *card;
	ssize_t n = 0;
	char text[256];

	if (nfpchan_card_open(&card, NULL, text, sizeof(text)))
		return fail("card", text);
	if (nfpchan_open(&in, card, name, &opts) ||
	    (a->answers && nfpchan_open_return(&back, card, NFP_CHAN_FRAMES_OUT, in, &opts)) ||
	    (a->turn != text_turn && frames_ask(card)))
		return fail(name, nfpchan_card_error(card, text, sizeof(text)));
	if (a->turn != text_turn)
		n = frames_sync(in, back);
	if (n >= 0) {
		printf("%s: receives from %s\n", a->name, name);
		fflush(stdout);
	}
	while (!stopped && (n >= 0 || n == -ETIMEDOUT || n == -EINTR))
		n = a->turn(in, back, app);
	a->print(app);
	if (!stopped)
		fail(name, strerror((int)-n));
	nfpchan_close(back);
	nfpchan_close(in);
	nfpchan_card_close(card);
	return !stopped;
}

int main(int argc, char **argv)
{
	const struct sigaction stop = { .sa_handler = on_signal };
	const struct app *a = NULL;
	const char *name = NFP_CHAN_FRAMES;
	void *app;

	for (size_t i = 0; argc > 1 && i < sizeof(apps) / sizeof(apps[0]); i++)
		if (!strcmp(argv[1], apps[i].name))
			a = &apps[i];
	argv += 2;
	if (a && a->turn == text_turn && *argv)
		name = *argv++;
	app = a ? a->make(argv) : NULL;
	if (!app) {
		fputs(usage, stderr);
		return 2;
	}
	sigaction(SIGINT, &stop, NULL);
	sigaction(SIGTERM, &stop, NULL);
	return run(a, app, name);
}
