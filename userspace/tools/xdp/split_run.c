// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* split_run.c - run a split: load both sides, replace them, report, detach. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <inttypes.h>
#include <net/if.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>
#include "../tool.h"
#include "card_limits.h"
#include "split_cmd.h"
#include "xdp.h"

#define TEXT	4096

/**
 * struct side - the programs of one generation. Each load of the object makes a generation
 * @w: the open object, and the plan where its programs run
 * @first: number of the first slot of the dispatcher (carrier.h) that the generation uses
 * @card: the card's object, loaded
 * @prog: the card's program
 * @host: the host's object, loaded
 */
struct side {
	struct split_work w;
	unsigned int first;
	struct bpf_object *card, *host;
	int prog;
};

/**
 * struct running - a split that is attached
 * @a: the command line
 * @limits: what the card offers
 * @d: state of the interface before the split
 * @table: the dispatcher: the host's XDP program that calls the program in a frame's slot
 * @links: the BPF links that attach the card's program and the dispatcher
 * @side: the current generation, and the previous one. Frames that the card handed over before a
 *	replacement continue in the previous generation
 * @now: index of the current generation
 */
struct running {
	struct split_args *a;
	struct limits limits;
	struct device d;
	struct split_table table;
	struct split_links links;
	struct side side[2];
	int now;
};

/* Load the card's and the host's object. @old: the generation whose maps both use, or NULL. */
static int side_load(struct running *r, struct side *to, const struct side *old)
{
	char err[TEXT];

	to->card = card_load(&to->w.s, (int)if_nametoindex(r->a->dev), old ? old->card : NULL,
			     &to->prog, err, sizeof(err));
	if (to->card)
		to->host = host_load(&to->w.s, &r->table, to->card, old ? old->host : NULL, err,
				     sizeof(err));
	if (!to->host)
		return tool_fail("%s: %s", r->a->object, err);
	return old && (maps_names_check(r->a->dev, to->card) || maps_names_check(r->a->dev, to->host)) ?
	       EXIT_FAILURE : 0;
}

static void side_close(struct side *s)
{
	bpf_object__close(s->card);
	bpf_object__close(s->host);
	work_close(&s->w);
	*s = (struct side){ .prog = -1 };
}

/* ---- start ---- */

static int look_at_device(struct running *r)
{
	const struct issues *list = &r->d.issues;
	unsigned int i;
	int ret = card_limits(&r->limits, r->a->linking, NULL, &r->d, r->a->dev);

	if (ret)
		return ret;
	for (i = 0; i < list->count; i++)
		if (reasons[list->issue[i].why].severity == SEVERITY_ERROR)
			return tool_fail("%s: %s", r->a->dev, list->issue[i].text);
	return 0;
}

static int start(struct running *r)
{
	struct carrier *c = &r->a->opts.carrier;
	struct side *s = &r->side[0];
	char err[TEXT];
	int ret;

	ret = look_at_device(r);
	if (!ret)
		ret = work_open(&s->w, r->a, &r->limits, &r->d, 0);
	if (ret)
		return ret;
	plan_plain(&s->w.s, stderr);
	if (c->kind == CARRIER_QUEUE) {
		c->slots = s->w.s.slots;
		if (queues_free(r->a->dev, c, err, sizeof(err)))
			return tool_fail("%s", err);
	}
	if (table_make(&r->table, c, err, sizeof(err)))
		return tool_fail("%s", err);
	if (side_load(r, s, NULL))
		return EXIT_FAILURE;
	if (links_attach(&r->links, r->a->dev, &r->table, s->host, s->prog, s->w.s.redirect, err,
			 sizeof(err)))
		return tool_fail("%s", err);
	fprintf(stderr, "nfpchan: %s: attached\n", r->a->dev);
	return 0;
}

/* ---- replacement ---- */

/*
 * Load and attach a new generation. Generations use the two halves of the slots in turn. Frames
 * that the card has already marked for the old generation still reach the old programs, which
 * stay loaded until the next replacement.
 */
static int replace_side(struct running *r, struct side *to, const struct side *old)
{
	char err[TEXT];
	int ret;

	to->first = old->first ? 0 : r->a->opts.carrier.slots / 2;
	ret = work_open(&to->w, r->a, &r->limits, &r->d, to->first);
	if (!ret && to->w.s.redirect != old->w.s.redirect)
		ret = tool_fail("%s: a program with redirects and one without cannot "
				"replace each other: one needs generic XDP, the other native "
				"XDP",
				r->a->object);
	if (!ret)
		ret = side_load(r, to, old);
	if (!ret && links_replace(&r->links, to->host, to->prog, err, sizeof(err)))
		ret = tool_fail("%s: %s", r->a->object, err);
	return ret;
}

static void replace(struct running *r)
{
	struct side *to = &r->side[!r->now];

	if (r->a->opts.carrier.kind == CARRIER_QUEUE) {
		tool_fail("%s: not replaced: with --carrier queue, frames in the RX queues would reach "
			  "the wrong program. End this command and start it again", r->a->dev);
		return;
	}
	side_close(to);
	if (replace_side(r, to, &r->side[r->now])) {
		tool_fail("%s: not replaced", r->a->dev);
		side_close(to);
		return;
	}
	r->now = !r->now;
	plan_plain(&to->w.s, stderr);
	fprintf(stderr, "nfpchan: %s: replaced\n", r->a->dev);
}

/* ---- counters ---- */

static uint64_t host_count(const struct running *r, uint32_t key)
{
	int cpus = libbpf_num_possible_cpus(), i;
	uint64_t *value, sum = 0;

	value = cpus > 0 ? calloc((size_t)cpus, sizeof(*value)) : NULL;
	if (value && !bpf_map_lookup_elem(r->table.counts, &key, value))
		for (i = 0; i < cpus; i++)
			sum += value[i];
	free(value);
	return sum;
}

static uint64_t card_count(const struct running *r, uint32_t key)
{
	int fd = bpf_object__find_map_fd_by_name(r->side[r->now].card, SPLIT_MAP);
	uint64_t value = 0;

	return fd < 0 || bpf_map_lookup_elem(fd, &key, &value) ? 0 : value;
}

static void stages_plain(const struct running *r, const struct side *s)
{
	unsigned int i;

	for (i = 0; s->w.opened && i < s->w.o.progs; i++)
		if (s->w.s.prog[i].slot >= 0)
			printf("frames from the card to %s: %" PRIu64 "\n", s->w.o.prog[i].name,
			       host_count(r, (uint32_t)s->w.s.prog[i].slot));
}

static void report_plain_counts(const struct running *r)
{
	unsigned int slots = r->a->opts.carrier.slots;

	stages_plain(r, &r->side[r->now]);
	printf("frames that the card passed: %" PRIu64 "\n", host_count(r, slots));
	printf("dropped, came in with a private EtherType: %" PRIu64 "\n",
	       card_count(r, COUNT_FORGED));
	printf("dropped, could not be handed to their program on the host: %" PRIu64 "\n",
	       card_count(r, COUNT_LOST) + host_count(r, slots + 1));
}

static void report_json_counts(const struct running *r)
{
	unsigned int slots = r->a->opts.carrier.slots, i;
	const struct side *s = &r->side[r->now];
	struct json j;

	json_init(&j, stdout);
	json_object(&j, NULL);
	json_str(&j, "device", r->a->dev);
	plan_json(&s->w.s, &j);
	json_object(&j, "to_host");
	for (i = 0; i < s->w.o.progs; i++)
		if (s->w.s.prog[i].slot >= 0)
			json_u64(&j, s->w.o.prog[i].name,
				 host_count(r, (uint32_t)s->w.s.prog[i].slot));
	json_close(&j);
	json_u64(&j, "passed", host_count(r, slots));
	json_u64(&j, "forged", card_count(r, COUNT_FORGED));
	json_u64(&j, "lost", card_count(r, COUNT_LOST) + host_count(r, slots + 1));
	json_close(&j);
	json_end(&j);
}

/* ---- find a split ---- */

bool split_runs(const char *dev)
{
	LIBBPF_OPTS(bpf_xdp_query_opts, q);
	struct bpf_prog_info info = { 0 };
	uint32_t len = sizeof(info);
	bool is = false;
	int fd;

	if (bpf_xdp_query((int)if_nametoindex(dev), 0, &q))
		return false;
	fd = bpf_prog_get_fd_by_id(q.drv_prog_id ? q.drv_prog_id : q.skb_prog_id);
	if (fd < 0)
		return false;
	if (!bpf_obj_get_info_by_fd(fd, &info, &len))
		is = !strcmp(info.name, SPLIT_PROG);
	close(fd);
	return is;
}

/* ---- run until a signal ---- */

static int signals(void)
{
	sigset_t set;
	int fd;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	if (sigprocmask(SIG_BLOCK, &set, NULL))
		return -errno;
	fd = signalfd(-1, &set, SFD_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static void wait_for_end(struct running *r, int sigs)
{
	struct signalfd_siginfo info;

	while (read(sigs, &info, sizeof(info)) == sizeof(info) && info.ssi_signo == SIGHUP)
		replace(r);
}

int split_run(struct split_args *a)
{
	struct running r = {
		.a = a, .table = { -1, -1, -1 }, .links = { -1, -1, { -1, -1 } },
		.side = { { .prog = -1 }, { .prog = -1 } },
	};
	int ret = split_options(a), sigs = ret < 0 ? signals() : -1;

	if (ret < 0)
		ret = sigs < 0 ? tool_fail("signalfd: %s", strerror(-sigs)) : start(&r);
	if (!ret) {
		wait_for_end(&r, sigs);
		links_detach(&r.links);
		(tool.json ? report_json_counts : report_plain_counts)(&r);
	}
	links_detach(&r.links);
	table_free(&r.table);
	side_close(&r.side[0]);
	side_close(&r.side[1]);
	issues_free(&r.d.issues);
	slots_free(&a->slots);
	if (sigs >= 0)
		close(sigs);
	return ret;
}
