// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* states.c - read the state files of this machine. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "cmd.h"
#include "states.h"

/* A state file is named PROG.PLACE. A name that ends with "~" is a file that is being written. */
static int is_state(const struct dirent *e)
{
	return *e->d_name != '.' && strchr(e->d_name, '.') && !strchr(e->d_name, '~');
}

static int read_one(struct states *s, const char *name)
{
	char path[sizeof(STATE_DIR) + sizeof(((struct dirent *)0)->d_name) + 1], text[512];
	int err;

	snprintf(path, sizeof(path), STATE_DIR "/%s", name);
	err = state_read_file(path, &s->state[s->n], text, sizeof(text));
	if (!err)
		s->n++;
	/* -ENOENT: `ncl undo` has deleted the file since the folder was read. */
	return err && err != -ENOENT ? tool_fail("%s", text) : 0;
}

static bool is_of(const char *name, const char *program)
{
	size_t len = program ? strlen(program) : 0;

	return !program || (!strncmp(name, program, len) && name[len] == '.');
}

int states_read(struct states *s, const char *program)
{
	struct dirent **list = NULL;
	int n = scandir(STATE_DIR, &list, is_state, alphasort), i, ret = 0;

	*s = (struct states){ .n = 0 };
	if (n < 0 && errno != ENOENT)
		return tool_fail(STATE_DIR ": %s", strerror(errno));
	s->state = calloc(n > 0 ? (size_t)n : 1, sizeof(*s->state));
	if (!s->state)
		abort();
	for (i = 0; i < n; i++) {
		if (!ret && is_of(list[i]->d_name, program))
			ret = read_one(s, list[i]->d_name);
		free(list[i]);
	}
	free(list);
	if (ret)
		states_free(s);
	return ret;
}

void states_free(struct states *s)
{
	free(s->state);
	s->state = NULL;
	s->n = 0;
}
