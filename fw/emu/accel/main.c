// SPDX-License-Identifier: BSD-2-Clause
/* main.c - an accelerator as a process, with a vfio-user server. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>
#include <unistd.h>

#include "accel.h"
#include "serve.h"

#define EXIT_USAGE	2

struct options {
	const char *socket;
	const char *stats;
	const struct accel_kind *kind;
	int ready_fd;
	bool once;
};

static const struct accel_kind * const kinds[] = { &accel_aes_gcm, &accel_classify };

static const char help[] =
"Usage: nfpaccel --socket PATH --kind KIND [OPTION]...\n"
"Emulate an accelerator for QEMU's vfio-user-pci device: fw/emu/accel/ACCEL.rst\n"
"\n"
"  --socket PATH    serve vfio-user on Unix socket PATH\n"
"  --kind KIND      aes-gcm: AES-128-GCM, with a key for each stream\n"
"                   classify: recognises the digit in an image of 8 by 8 pixels\n"
"  --stats FILE     write counters to FILE as JSON at exit, and on SIGUSR1\n"
"  --ready-fd N     write \"ready\" and a newline to descriptor N, then close it,\n"
"                   once the socket listens\n"
"  --once           exit when the first client that has used the device disconnects\n"
"  --help, --version\n"
"\n"
"nfpaccel logs to stderr. SIGTERM and SIGINT end it.\n"
"Exit status: 0; 1 after an error; 2 for wrong usage.\n";

enum { OPT_SOCKET = 256, OPT_KIND, OPT_STATS, OPT_READY_FD, OPT_ONCE, OPT_HELP, OPT_VERSION };

static const struct option long_options[] = {
	{ "socket", required_argument, NULL, OPT_SOCKET },
	{ "kind", required_argument, NULL, OPT_KIND },
	{ "stats", required_argument, NULL, OPT_STATS },
	{ "ready-fd", required_argument, NULL, OPT_READY_FD },
	{ "once", no_argument, NULL, OPT_ONCE },
	{ "help", no_argument, NULL, OPT_HELP },
	{ "version", no_argument, NULL, OPT_VERSION },
	{ 0 },
};

static void __attribute__((noreturn)) usage_exit(const char *what, const char *value)
{
	fprintf(stderr, "nfpaccel: %s%s%s\n", what, value ? ": " : "", value ? value : "");
	fprintf(stderr, "Try 'nfpaccel --help'.\n");
	exit(EXIT_USAGE);
}

static const struct accel_kind *kind_parse(const char *arg)
{
	for (unsigned int i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(arg, kinds[i]->name))
			return kinds[i];
	usage_exit("--kind must be aes-gcm or classify", arg);
}

static int fd_parse(const char *arg)
{
	char *end;
	long n = strtol(arg, &end, 10);

	if (end == arg || *end || n < 0 || n > 1 << 20 || fcntl(n, F_GETFD) < 0)
		usage_exit("--ready-fd is not an open descriptor", arg);
	return n;
}

static void options_parse(struct options *o, int argc, char **argv)
{
	int c;

	while ((c = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
		switch (c) {
		case OPT_SOCKET: o->socket = optarg; break;
		case OPT_KIND: o->kind = kind_parse(optarg); break;
		case OPT_STATS: o->stats = optarg; break;
		case OPT_READY_FD: o->ready_fd = fd_parse(optarg); break;
		case OPT_ONCE: o->once = true; break;
		case OPT_HELP:
			fputs(help, stdout);
			exit(EXIT_SUCCESS);
		case OPT_VERSION:
			puts("nfpaccel " NFPCHAN_VERSION);
			exit(EXIT_SUCCESS);
		default:
			/* getopt has printed the option */
			usage_exit("wrong usage", NULL);
		}
	}
	if (optind < argc)
		usage_exit("unknown argument", argv[optind]);
	if (!o->socket || !o->kind)
		usage_exit(o->socket ? "--kind is missing" : "--socket is missing", NULL);
}

static void complain(const char *what, const char *why)
{
	char line[512];

	snprintf(line, sizeof(line), "%s: %s", what, why);
	accel_log(LOG_ERR, line);
}

static int stats_write(void *dev, const char *path)
{
	int err = path ? accel_stats_json(dev, path) : 0;

	if (err)
		complain(path, strerror(-err));
	return err;
}

static bool run(void *dev, unsigned int budget)
{
	return accel_run(dev, budget);
}

static int serve(struct accel *a, const struct options *o)
{
	const struct serve accel = {
		.ops = &accel_dev,
		.dev = a,
		.socket = o->socket,
		.stats = o->stats,
		.ready_fd = o->ready_fd,
		.once = o->once,
		.run = run,
		.stats_write = stats_write,
	};

	return serve_device(&accel);
}

int main(int argc, char **argv)
{
	struct options o = { .ready_fd = -1 };
	struct accel *a;
	int ret, err;

	options_parse(&o, argc, argv);
	a = accel_create(o.kind);
	if (!a) {
		complain("device", strerror(ENOMEM));
		return EXIT_FAILURE;
	}
	ret = serve(a, &o);
	err = stats_write(a, o.stats);
	accel_destroy(a);
	return ret || err ? EXIT_FAILURE : EXIT_SUCCESS;
}
