// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * main.c - chan_fuzz: random programs of calls on /dev/nfp_chan0 and its channels.
 *
 * usage: chan_fuzz [--seed S] [--calls N] [--seconds T] [--corpus DIR] [--save DIR]
 *                  [--jobs J] [--detach N] [--trace FILE] [--results]
 *        chan_fuzz --replay FILE [--times N]
 *
 * Runs random programs of the seed S (1), J at once (by default one more than there are CPUs),
 * until N calls were made (20000) or T seconds are over. Programs that reach new coverage (by
 * KCOV, which the debug kernel must have, or by new results) are kept, mutated and run again. So
 * are those of --corpus, which run first, short ones before long ones. --save writes the kept
 * programs to DIR: with --calls 1 --jobs 1 it keeps those programs of a corpus whose coverage
 * shorter ones do not have. --detach: nfp is unbound and bound while each Nth program begins.
 * --trace: the running programs are in FILE.0, FILE.1, ..., for a kernel that crashes. --results:
 * print the results of each operation. Prints TAP. Meanwhile other users' processes check their
 * own channels (witness.c), and the errnos of all calls are checked (answer.c).
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <getopt.h>
#include <inttypes.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <linux/bpf.h>

#include "fuzz.h"
#include "job.h"
#include "left.h"
#include "users.h"
#include "witness.h"

#define KEEP		512	/* programs that are kept, at most */
#define SAY_S		60	/* interval of progress lines */
#define CALLS_MANY	20000	/* from this number of calls on, coverage must be more than ... */
#define PLACES_MANY	500	/* ... this many places of the module; a million calls had 880 */

struct setup setup = { .prog_fd = -1, .card_fd = -1 };

static struct {
	uint64_t seed, calls;
	unsigned int seconds, times;
	const char *corpus, *save, *replay;
	bool results;
} opt = { .seed = 1, .times = 1 };

static unsigned int saved;
static struct prog *keep;	/* shared memory, so that a fork need not copy it */
static unsigned int kept;
static uint64_t state;		/* of the random numbers */

/* ---- files and names for programs ---- */

static void name_add(const struct nfp_chan_query *q)
{
	uint8_t tag = q->dir == NFP_CHAN_TO_HOST ? TAG_READ : TAG_WRITE;

	if (strstr(q->name, "-ctl"))
		tag |= TAG_ASK;
	if (q->kind == NFP_CHAN_STREAM && tag == TAG_READ)
		tag |= TAG_LOOP;
	if (q->chan_flags & NFP_CHAN_F_XDP)
		tag |= TAG_XDP;
	setup.tags[setup.count] = tag;
	memcpy(setup.names[setup.count++], q->name, sizeof(q->name));
}

static void names_init(void)
{
	struct nfp_chan_query q = { .size = sizeof(q), .flags = NFP_CHAN_QUERY_BY_ID };
	int fd = card_open(O_RDWR);

	for (; q.id < NAMES && !ioctl(fd, NFP_CHAN_IOC_QUERY, &q); q.id++)
		name_add(&q);
	close(fd);
}

/* Load an XDP program that drops all packets, which XDP_BIND must refuse. */
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

/* ---- programs that are kept ---- */

static void save(const struct prog *p)
{
	char path[256];
	FILE *f;

	if (!opt.save)
		return;
	snprintf(path, sizeof(path), "%s/%016" PRIx64 "-%u", opt.save, opt.seed, ++saved);
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

/* Keep a program that has reached new coverage. */
static void prog_keep(const struct prog *p)
{
	keep[kept < KEEP ? kept++ : random_mix(&state) % KEEP] = *p;
	save(p);
}

/* The corpus, short files first */
static struct dirent **list;
static int listed, given;

static void path_of(const struct dirent *e, char *path, size_t len)
{
	snprintf(path, len, "%s/%s", opt.corpus, e->d_name);
}

static int by_size(const struct dirent **a, const struct dirent **b)
{
	struct stat sa = { 0 }, sb = { 0 };
	char path[512];

	path_of(*a, path, sizeof(path));
	stat(path, &sa);
	path_of(*b, path, sizeof(path));
	stat(path, &sb);
	return sa.st_size != sb.st_size ? (sa.st_size > sb.st_size ? 1 : -1) : alphasort(a, b);
}

static int not_hidden(const struct dirent *e)
{
	return e->d_name[0] != '.';
}

static bool corpus_bad;

static bool next_of_corpus(struct prog *p)
{
	char path[512];

	if (given == listed)
		return false;
	path_of(list[given++], path, sizeof(path));
	corpus_bad = !read_file(path, p);
	return !corpus_bad;
}

static bool run_corpus(void)
{
	bool good;

	listed = scandir(opt.corpus, &list, not_hidden, by_size);
	if (listed < 0)
		die(opt.corpus);
	good = jobs_run(next_of_corpus, prog_keep) && !corpus_bad;
	while (listed)
		free(list[--listed]);
	free(list);
	return good;
}

static time_t begin, said;

/* Print a progress line each minute. */
static void say(void)
{
	time_t now = time(NULL);

	if (now - said < SAY_S)
		return;
	said = now;
	printf("# %ld s: %" PRIu64 " calls, %u places, %u kept\n", (long)(now - begin),
	       cover_calls(), cover_places(), kept);
	fflush(stdout);
}

static bool next_random(struct prog *p)
{
	say();
	if (opt.seconds ? time(NULL) - begin >= opt.seconds : cover_calls() >= opt.calls)
		return false;
	if (kept && random_mix(&state) % 2) {
		*p = keep[random_mix(&state) % kept];
		prog_mutate(p, &keep[random_mix(&state) % kept], &state);
	} else {
		prog_random(p, random_mix(&state));
	}
	return true;
}

static bool next_replay(struct prog *p)
{
	return opt.times && opt.times-- && read_file(opt.replay, p);
}

static void no_news(const struct prog *p)
{
	(void)p;
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
		{ "jobs", required_argument, NULL, 'j' },
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
		case 'j': job_opt.jobs = number(optarg); break;
		case 'u': job_opt.detach = number(optarg); break;
		case 'T': job_opt.trace = optarg; break;
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
	if (!job_opt.jobs)
		job_opt.jobs = sysconf(_SC_NPROCESSORS_ONLN) + 1;
	if (job_opt.jobs > JOBS)
		job_opt.jobs = JOBS;
}

static bool kernel_has_kcov(void)
{
	static const char debug[] = "-nfpchan-debug";
	struct utsname u;
	size_t len;

	if (uname(&u))
		die("uname");
	len = strlen(u.release);
	return len >= sizeof(debug) && !strcmp(u.release + len - strlen(debug), debug);
}

/* Check that KCOV has guided the run: otherwise a broken KCOV would not be noticed. */
static void guided(bool kcov)
{
	ok(kcov, "guided by KCOV");
	if (!ok(!cover_failing(), "KCOV followed each thread of each program"))
		printf("# %u threads were not followed\n", cover_failing());
	if (cover_calls() >= CALLS_MANY)
		ok(cover_places() > PLACES_MANY, "more than 500 places of the module were reached");
}

int main(int argc, char **argv)
{
	bool kcov, good = true;

	options(argc, argv);
	users_init();
	setup.tester = tester;
	names_init();
	prog_init();
	kcov = cover_init();
	answer_init();
	offload_init();
	left_init();
	witness_start();
	jobs_init();
	state = opt.seed;
	begin = time(NULL);
	said = begin;
	keep = mmap(NULL, KEEP * sizeof(*keep), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (keep == MAP_FAILED)
		die("mmap");
	printf("# seed %" PRIu64 ", %u channels, %u programs at once, %s\n", opt.seed,
	       setup.count, job_opt.jobs, kcov ? "guided by KCOV" : "no KCOV: guided by results");

	if (opt.replay)
		good = ok(jobs_run(next_replay, no_news), "the program ends");
	else if (opt.corpus)
		good = ok(run_corpus(), "all programs of the corpus end and leave nothing");
	if (good && !opt.replay)
		good = ok(jobs_run(next_random, prog_keep),
			  "random programs end, and leave nothing");
	ok(witness_stop(), "other users' streams came back as they were sent, all the time");
	ok(!answer_wrong(), "all errnos are those that nfp_chan.h names");
	ok(left_nothing(), "no pipe, vector, file or memory is left");
	ok(left_working(), "channels work as before");
	if (kernel_has_kcov())
		guided(kcov);
	jobs_print();
	cover_print(opt.results);
	printf("# in %ld s %" PRIu64 " calls, %u kept, %u kinds of results, %u places of the module\n",
	       (long)(time(NULL) - begin), cover_calls(), kept, cover_results(), cover_places());
	return tap_done();
}
