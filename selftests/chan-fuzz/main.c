// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * main.c - chan_fuzz: random programs of calls on /dev/nfp_chan0 and its channels.
 *
 * usage: chan_fuzz [--seed S] [--calls N] [--seconds T] [--corpus DIR] [--save DIR]
 *                  [--detach N] [--trace FILE] [--results]
 *        chan_fuzz --replay FILE [--times N]
 *
 * Runs programs of the seed S (1) until N calls were made (20000) or T seconds
 * are over. Those that came to something new, by KCOV where the kernel has it,
 * are changed and run again; with those of --corpus, which are run first. --save
 * writes them. --detach: nfp is unbound and bound under each Nth program. --trace:
 * the program that runs is in FILE, for a kernel that crashes. --results: what
 * errors there were. Prints TAP.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <grp.h>
#include <inttypes.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <linux/bpf.h>

#include "fuzz.h"
#include "left.h"

#define KEEP		4096	/* programs that came to something new */
#define HUNG_S		60
#define CHECK_EVERY	32	/* programs after which nothing may be left */

struct setup setup = { .prog_fd = -1 };

static struct {
	uint64_t seed, calls;
	unsigned int seconds, detach, times;
	const char *corpus, *save, *trace, *replay;
	bool results;
} opt = { .seed = 1, .times = 1 };

static struct {
	uint64_t progs, calls, crashed, detached;
	unsigned int saved;
} sum;

static struct prog keep[KEEP];
static unsigned int kept;

static void __attribute__((noreturn)) die(const char *what)
{
	printf("Bail out! %s: %s\n", what, strerror(errno));
	exit(1);
}

/* ---- what programs find ---- */

static void group_init(void)
{
	struct passwd *pw = getpwnam("tester");
	struct group *gr = getgrnam("nfpchan");

	if (!pw || !gr || setgroups(1, &gr->gr_gid) || setresgid(gr->gr_gid, gr->gr_gid, -1))
		die("users tester and nfpchan");
	setup.tester = pw->pw_uid;
}

static void names_init(void)
{
	struct nfp_chan_query q = { .size = sizeof(q), .flags = NFP_CHAN_QUERY_BY_ID };
	int fd = open("/dev/nfp_chan0", O_RDWR | O_CLOEXEC);

	if (fd < 0)
		die("/dev/nfp_chan0");
	for (; q.id < NAMES && !ioctl(fd, NFP_CHAN_IOC_QUERY, &q); q.id++)
		memcpy(setup.names[setup.count++], q.name, sizeof(q.name));
	close(fd);
}

/* An XDP program that drops all, for XDP_BIND to refuse. */
static void prog_init(void)
{
	static const struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0, .imm = 1 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr attr = {
		.prog_type = BPF_PROG_TYPE_XDP,
		.insns = (uintptr_t)insns,
		.insn_cnt = 2,
		.license = (uintptr_t)"GPL",
	};

	setup.prog_fd = syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof(attr));
}

/* ---- one program ---- */

static void trace(const struct prog *p)
{
	FILE *f = opt.trace ? fopen(opt.trace, "w") : NULL;

	if (!f)
		return;
	prog_print(p, f);
	fclose(f);
}

/* Where each thread of @pid waits in the kernel. */
static void stacks(pid_t pid)
{
	char cmd[96];

	snprintf(cmd, sizeof(cmd), "grep -H . /proc/%d/task/*/stack | sed 's/^/# /'", pid);
	if (system(cmd))
		printf("# no stacks of process %d\n", pid);
}

/* All that was started is gone, or false. */
static bool reap_all(void)
{
	struct timespec wait = { .tv_sec = HUNG_S };
	sigset_t chld;
	int status;
	pid_t pid;

	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	for (;;) {
		pid = waitpid(-1, &status, WNOHANG);
		if (pid < 0)
			return true;
		if (!pid && sigtimedwait(&chld, NULL, &wait) < 0 && errno == EAGAIN)
			return false;
		sum.crashed += pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) > 128;
	}
}

static void put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		die(path);
	close(fd);
}

/* nfp goes and comes back under the program's files. */
static void detach(void)
{
	struct stat st;

	put("/sys/bus/pci/drivers/nfp/unbind", left_pci());
	put("/sys/bus/pci/drivers/nfp/bind", left_pci());
	/* The node is the group's when udev has seen it. */
	while (stat("/dev/nfp_chan0", &st) || st.st_gid != getgid())
		poll(NULL, 0, 10);
	sum.detached++;
}

static bool run(const struct prog *p)
{
	pid_t pid;

	trace(p);
	fflush(stdout);
	pid = fork();
	if (pid < 0)
		die("fork");
	if (!pid) {
		setsid();
		exec_prog(p);
	}
	sum.progs++;
	sum.calls += p->n;
	if (opt.detach && sum.progs % opt.detach == 0)
		detach();
	if (reap_all())
		return true;
	printf("# a program does not end within %d s:\n", HUNG_S);
	prog_print(p, stdout);
	stacks(pid);
	kill(-pid, SIGKILL);
	if (!reap_all())
		printf("# nor when it is killed\n");
	return false;
}

/* ---- those that are kept ---- */

static void save(const struct prog *p)
{
	char path[256];
	FILE *f;

	if (!opt.save)
		return;
	snprintf(path, sizeof(path), "%s/%016" PRIx64 "-%u", opt.save, opt.seed, ++sum.saved);
	f = fopen(path, "w");
	if (!f)
		die(path);
	prog_print(p, f);
	fclose(f);
}

static bool read_file(const char *path, struct prog *p)
{
	FILE *f = fopen(path, "r");
	bool good = f && prog_parse(p, f);

	if (f)
		fclose(f);
	if (!good)
		printf("# %s: not a program\n", path);
	return good;
}

static bool run_corpus(void)
{
	struct dirent **list;
	int n = scandir(opt.corpus, &list, NULL, alphasort), i;
	bool good = true;
	char path[512];

	if (n < 0)
		die(opt.corpus);
	for (i = 0; i < n; i++) {
		snprintf(path, sizeof(path), "%s/%s", opt.corpus, list[i]->d_name);
		if (good && list[i]->d_name[0] != '.' && kept < KEEP &&
		    (good = read_file(path, &keep[kept])))
			good = run(&keep[kept++]);
		free(list[i]);
	}
	free(list);
	cover_news();
	return good;
}

static bool more(time_t end)
{
	if (opt.seconds)
		return time(NULL) < end;
	return sum.calls < opt.calls;
}

static bool run_random(void)
{
	time_t end = time(NULL) + opt.seconds;
	uint64_t state = opt.seed;
	struct prog p;

	while (more(end)) {
		if (kept && rnd(&state) % 2) {
			p = keep[rnd(&state) % kept];
			prog_mutate(&p, &keep[rnd(&state) % kept], &state);
		} else {
			prog_random(&p, rnd(&state));
		}
		if (!run(&p))
			return false;
		if (cover_news()) {
			keep[kept < KEEP ? kept++ : rnd(&state) % KEEP] = p;
			save(&p);
		}
		if (sum.progs % CHECK_EVERY == 0 && !left_nothing())
			return false;
	}
	return true;
}

static bool replay(void)
{
	struct prog p;
	unsigned int i;

	if (!read_file(opt.replay, &p))
		return false;
	for (i = 0; i < opt.times; i++)
		if (!run(&p) || !left_nothing())
			return false;
	return true;
}

/* ---- main ---- */

static uint64_t number(const char *s)
{
	char *end;
	uint64_t v = strtoull(s, &end, 0);

	if (*end || !*s) {
		fprintf(stderr, "chan_fuzz: not a number: %s\n", s);
		exit(2);
	}
	return v;
}

static void options(int argc, char **argv)
{
	static const struct option longs[] = {
		{ "seed", required_argument, NULL, 's' },
		{ "calls", required_argument, NULL, 'c' },
		{ "seconds", required_argument, NULL, 't' },
		{ "corpus", required_argument, NULL, 'd' },
		{ "save", required_argument, NULL, 'w' },
		{ "detach", required_argument, NULL, 'u' },
		{ "trace", required_argument, NULL, 'T' },
		{ "replay", required_argument, NULL, 'r' },
		{ "times", required_argument, NULL, 'n' },
		{ "results", no_argument, NULL, 'l' },
		{ 0 }
	};
	int o;

	while ((o = getopt_long(argc, argv, "", longs, NULL)) >= 0) {
		switch (o) {
		case 's': opt.seed = number(optarg); break;
		case 'c': opt.calls = number(optarg); break;
		case 't': opt.seconds = number(optarg); break;
		case 'd': opt.corpus = optarg; break;
		case 'w': opt.save = optarg; break;
		case 'u': opt.detach = number(optarg); break;
		case 'T': opt.trace = optarg; break;
		case 'r': opt.replay = optarg; break;
		case 'n': opt.times = number(optarg); break;
		case 'l': opt.results = true; break;
		default: exit(2);
		}
	}
	if (optind < argc)
		exit(2);
	if (!opt.calls)
		opt.calls = 20000;
}

static int tests;

static bool ok(bool good, const char *name)
{
	printf("%s %d - %s\n", good ? "ok" : "not ok", ++tests, name);
	return good;
}

int main(int argc, char **argv)
{
	bool kcov, good = true;
	sigset_t chld;

	options(argc, argv);
	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	sigprocmask(SIG_BLOCK, &chld, NULL);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	group_init();
	names_init();
	prog_init();
	kcov = cover_init();
	left_init();
	printf("# seed %" PRIu64 ", %u channels, %s\n", opt.seed, setup.count,
	       kcov ? "guided by KCOV" : "no KCOV: guided by results");

	if (opt.replay)
		good = ok(replay(), "the program ends");
	else if (opt.corpus)
		good = ok(run_corpus(), "the corpus");
	if (good && !opt.replay)
		good = ok(run_random(), "random programs end, and leave nothing");
	good &= ok(left_nothing(), "no pipe, vector, file, memory is left");
	good &= ok(left_working(), "channels work as before");
	printf("# %" PRIu64 " programs, %" PRIu64 " calls, %u kept, %" PRIu64 " ended by their own fault, %" PRIu64 " detached\n",
	       sum.progs, sum.calls, kept, sum.crashed, sum.detached);
	if (opt.results)
		cover_print();
	printf("# %u kinds of results, %u places of the module\n", cover_results(), cover_places());
	printf("1..%d\n", tests);
	return good ? 0 : 1;
}
