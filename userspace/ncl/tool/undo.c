// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* undo.c - ncl undo: detach deployed programs and delete their state files. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "cmd.h"
#include "place.h"
#include "states.h"

/*
 * Detach the program of a place. If the program is gone already, for example with its interface,
 * only delete the state file.
 */
static int undo_place(const struct state *s)
{
	char path[STATE_PATH];
	int err = state_detach(s);

	if (err == -ESRCH && state_alive(s))
		return tool_fail("%s: program %u is in a network namespace that has no name (inode %llu): "
				 "ncl undo %s there", s->place, s->prog, (unsigned long long)s->netns,
				 s->program);
	if (err && err != -ESRCH && err != -ENOENT && err != -ENODEV)
		return tool_fail("%s: program %u on %s: %s", s->place, s->prog, s->ifname, strerror(-err));
	if (unlink(state_path(path, s->program, s->place)) && errno != ENOENT)
		return tool_fail("%s: %s", path, strerror(errno));
	if (err)
		printf("%s: program %u was gone from %s\n", s->place, s->prog, s->ifname);
	else
		printf("%s: program %u is off %s\n", s->place, s->prog, s->ifname);
	return 0;
}

static bool is_wanted(const struct state *s, char **labels, int n)
{
	int i;

	for (i = 0; i < n && strcmp(labels[i], s->place); i++)
		;
	return !n || i < n;
}

static int check_labels(const struct states *all, const char *program, char **labels, int n)
{
	unsigned int s;
	int i;

	for (i = 0; i < n; i++) {
		for (s = 0; s < all->n && strcmp(all->state[s].place, labels[i]); s++)
			;
		if (s == all->n)
			return tool_fail("%s is not deployed at %s on this machine", program, labels[i]);
	}
	return 0;
}

static int undo(const char *program, char **labels, int n)
{
	char path[STATE_PATH];
	struct states all;
	unsigned int i, left = 0;
	int ret = states_read(&all, program);

	if (ret)
		return ret;
	if (!all.n)
		ret = tool_fail("%s is not deployed on this machine: no file " STATE_DIR "/%s.*", program,
				program);
	else
		ret = check_labels(&all, program, labels, n);
	for (i = 0; i < all.n && !ret; i++) {
		if (is_wanted(&all.state[i], labels, n))
			ret = undo_place(&all.state[i]);
		else
			left++;
	}
	if (!ret && !left)
		unlink(state_desc_path(path, program));
	states_free(&all);
	return ret ? ret : tool_flush();
}

int cmd_undo(const struct command *cmd, int argc, char **argv)
{
	static const struct tool_opt none[] = { { .name = NULL } };
	int ret = tool_options(cmd, argc, argv, none, "a program", -1);

	if (ret >= 0)
		return ret;
	return undo(argv[optind], argv + optind + 1, argc - optind - 1);
}
