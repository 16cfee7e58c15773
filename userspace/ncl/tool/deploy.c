// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * deploy.c - ncl deploy. Everything that can fail is done first. Interfaces get their programs
 * last. If one interface refuses its program, the other interfaces get their old programs back.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include "cmd.h"
#include "deploy.h"

/* Options of the command line, not parsed yet */
struct args {
	struct tool_texts map;
	struct tool_texts mac;
};

/*
 * A device program refers to nodes by number. So the AND file must number its nodes like the AND
 * file that the program was compiled with.
 */
int same_nodes(const struct desc *desc, const char *prog, const struct and_net *net, const char *and)
{
	const struct and_node *a;
	const struct desc_node *n;
	unsigned int i;

	for (i = 0; i < net->nr || i < desc->nodes; i++) {
		a = i < net->nr ? &net->node[i] : NULL;
		n = i < desc->nodes ? &desc->node[i] : NULL;
		if (!a || !n || strcmp(a->label, n->label) || a->device != n->device)
			return tool_fail("node %u is %s%s in %s, and %s%s in %s: compile with this file", i + 1,
					 !n ? "not" : n->device ? "device " : "host ", n ? n->label : "",
					 prog, !a ? "not" : a->device ? "device " : "host ",
					 a ? a->label : "", and);
	}
	return 0;
}

static int read_files(struct deploy *d)
{
	char text[512];

	if (and_read(d->and, &d->net, text, sizeof(text)) ||
	    desc_read(d->prog, &d->desc, text, sizeof(text)))
		return tool_fail("%s", text);
	return same_nodes(d->desc, d->prog, d->net, d->and);
}

static int read_args(struct deploy *d, const struct args *a)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < a->map.count && !ret; i++)
		ret = deploy_map(d, (char *)a->map.text[i]);	/* of argv */
	for (i = 0; i < a->mac.count && !ret; i++)
		ret = deploy_mac(d, a->mac.text[i]);
	return ret;
}

/*
 * Let one `ncl deploy` run at a time: wait until earlier runs have ended. Returns a descriptor
 * that holds the lock until it is closed, or -1.
 */
static int lock(void)
{
	int fd;

	if (mkdir(STATE_DIR, 0755) && errno != EEXIST) {
		tool_fail(STATE_DIR ": %s", strerror(errno));
		return -1;
	}
	fd = open(STATE_DIR, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 || flock(fd, LOCK_EX)) {
		tool_fail(STATE_DIR ": %s", strerror(errno));
		if (fd >= 0)
			close(fd);
		return -1;
	}
	return fd;
}

/*
 * Write the description, which libncrt and `ncl show` read. rename() replaces the old description
 * in one step, so a reader never sees half a file.
 */
static int write_desc(const struct deploy *d)
{
	char path[STATE_PATH], temp[STATE_PATH + 1];
	FILE *f;
	bool bad;

	snprintf(temp, sizeof(temp), "%s~", state_desc_path(path, d->desc->name));
	f = fopen(temp, "we");
	if (!f)
		return tool_fail("%s: %s", temp, strerror(errno));
	desc_write(d->desc, f);
	bad = ferror(f);
	if (!fclose(f) && !bad && !rename(temp, path))
		return 0;
	tool_fail("%s: %s", path, strerror(errno));
	unlink(temp);
	return EXIT_FAILURE;
}

static int write_states(const struct deploy *d)
{
	char text[256];
	unsigned int i;

	if (write_desc(d))
		return EXIT_FAILURE;
	for (i = 0; i < d->places; i++)
		if (state_write(&d->place[i].state, text, sizeof(text)))
			return tool_fail("%s", text);
	return 0;
}

static void forget(const struct deploy *d)
{
	char path[STATE_PATH], text[8];
	unsigned int i;

	for (i = 0; i < d->places; i++) {
		const struct place *p = &d->place[i];

		if (p->replaces)
			state_write(&p->old, text, sizeof(text));
		else
			unlink(state_path(path, d->desc->name, p->label));
	}
}

static int attach_all(struct deploy *d)
{
	sigset_t all, before;
	unsigned int i;
	int ret = 0;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	for (i = 0; i < d->places && !ret; i++)
		ret = place_attach(&d->place[i]);
	if (!ret) {
		ret = write_states(d);
		if (ret)
			forget(d);
	}
	for (i = d->places; ret && i--;)
		place_revert(&d->place[i]);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return ret;
}

static void report(const struct deploy *d)
{
	const struct place *p;

	for (p = d->place; p < d->place + d->places; p++) {
		printf("%s: program %u on %s%s%s, %s", p->label, p->state.prog, p->netns ? p->netns : "",
		       p->netns ? "/" : "", p->ifname, state_modes[p->state.mode]);
		if (*p->why)
			printf(" (%s)", p->why);
		if (p->replaces)
			printf(", in place of %u", p->old.prog);
		putchar('\n');
	}
}

static int run(struct deploy *d)
{
	unsigned int i;
	int ret = 0, fd = lock();

	if (fd < 0)
		return EXIT_FAILURE;
	for (i = 0; i < d->places && !ret; i++)
		ret = deploy_look(d, &d->place[i]);
	for (i = 0; i < d->places && !ret; i++)
		ret = place_enter(&d->place[i]) || place_load(&d->place[i]);
	for (i = 0; i < d->places && !ret; i++)
		ret = deploy_fill(d, &d->place[i]);
	if (!ret)
		ret = attach_all(d);
	if (!ret) {
		report(d);
		ret = tool_flush();
	}
	for (i = 0; i < d->places; i++)
		place_close(&d->place[i]);
	close(fd);
	return ret;
}

static int options(const struct command *cmd, int argc, char **argv, struct deploy *d, struct args *a)
{
	const struct tool_opt opts[] = {
		{ "map", 'm', .texts = &a->map },
		{ "mac", 'M', .texts = &a->mac },
		{ "timeout", 't', .number = &d->timeout, .min = 1, .max = 3600 },
		{ "replace", 'r', .flag = &d->replace },
		{ .name = NULL },
	};
	int ret = tool_options(cmd, argc, argv, opts, "a description (PROG.ncd)", 2);

	if (ret >= 0)
		return ret;
	if (argc - optind < 2)
		return tool_usage(cmd, "an AND file is missing");
	return a->map.count ? -1 : tool_usage(cmd, "no place: --map LABEL=INTERFACE");
}

int cmd_deploy(const struct command *cmd, int argc, char **argv)
{
	static struct deploy d = { .timeout = 5 };
	struct args a = { .map.text = calloc((size_t)argc, sizeof(char *)),
			  .mac.text = calloc((size_t)argc, sizeof(char *)) };
	int ret;

	if (!a.map.text || !a.mac.text)
		abort();
	ret = options(cmd, argc, argv, &d, &a);
	if (ret < 0) {
		d.prog = argv[optind];
		d.and = argv[optind + 1];
		ret = read_files(&d);
		if (!ret)
			ret = read_args(&d, &a);
		if (!ret)
			ret = run(&d);
	}
	desc_free(d.desc);
	and_free(d.net);
	free(a.map.text);
	free(a.mac.text);
	return ret;
}
