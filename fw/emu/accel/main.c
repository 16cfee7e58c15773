// SPDX-License-Identifier: BSD-2-Clause
/* main.c - an accelerator as a process, with a vfio-user server. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <syslog.h>
#include <unistd.h>

#include "accel.h"

/* Client messages, then jobs, that the main loop handles before it polls again. */
#define BURST		64
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

static int signals_open(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGUSR1);
	signal(SIGPIPE, SIG_IGN);
	if (sigprocmask(SIG_BLOCK, &set, NULL))
		return -1;
	return signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
}

static int stats_write(const struct accel *a, const char *path)
{
	int err = path ? accel_stats_json(a, path) : 0;

	if (err)
		complain(path, strerror(-err));
	return err;
}

static void ready_tell(int fd)
{
	if (fd < 0)
		return;
	if (write(fd, "ready\n", 6) != 6)
		complain("--ready-fd", strerror(errno));
	close(fd);
}

static int loop(struct accel *a, struct vfio_user_server *s, int sigfd, const struct options *o)
{
	struct signalfd_siginfo si;
	bool more = true;

	for (;;) {
		struct pollfd p[2] = { { 0 }, { .fd = sigfd, .events = POLLIN } };

		vfio_user_pollfd(s, &p[0]);
		if (poll(p, 2, more ? 0 : -1) < 0 && errno != EINTR) {
			complain("poll", strerror(errno));
			return -1;
		}
		if (p[1].revents && read(sigfd, &si, sizeof(si)) == sizeof(si)) {
			if (si.ssi_signo != SIGUSR1)
				return 0;
			stats_write(a, o->stats);
		}
		more = p[0].revents && vfio_user_serve(s, BURST);
		if (o->once && vfio_user_served(s))
			return 0;
		more |= accel_run(a, BURST);
	}
}

static int serve(struct accel *a, const struct options *o)
{
	struct vfio_user_server *s;
	char err[256];
	int sigfd, ret;

	s = vfio_user_listen(&accel_dev, a, o->socket, err, sizeof(err));
	if (!s) {
		complain("--socket", err);
		return -1;
	}
	sigfd = signals_open();
	if (sigfd < 0) {
		complain("signalfd", strerror(errno));
		vfio_user_close(s);
		return -1;
	}
	ready_tell(o->ready_fd);
	ret = loop(a, s, sigfd, o);
	vfio_user_close(s);
	close(sigfd);
	return ret;
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
