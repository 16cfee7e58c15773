// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * serve_counts.c - the counters of ncl serve, in a file of STATE_DIR for each device. The server holds
 * a lock on the file, so a file without a lock is left over from a server that was killed.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>
#include "cmd.h"
#include "ncl_state.h"
#include "serve.h"

static const char *counts_path(const char *program, const char *place)
{
	static char path[STATE_PATH + sizeof("~serve")];

	state_path(path, program, place);
	return strcat(path, "~serve");
}

int counts_open(const char *program, const char *place)
{
	const char *path = counts_path(program, place);
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);

	if (fd >= 0 && !flock(fd, LOCK_EX | LOCK_NB) && !ftruncate(fd, 0))
		return fd;
	if (fd >= 0 && errno == EWOULDBLOCK)
		tool_fail("%s: another process serves %s at %s", path, program, place);
	else
		tool_fail("%s: %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	return -1;
}

/* All numbers have the same length, so a shorter text never leaves the end of a longer one. */
void counts_write(const struct served *p)
{
	const struct serve_counts *c = &p->counts;

	dprintf(p->file, "done %020lu\nfailed %020lu\nagain %020lu\nrefused %020lu\nmalformed %020lu\n",
		c->done, c->failed, c->again, c->refused, c->malformed);
	lseek(p->file, 0, SEEK_SET);
}

bool counts_read(const char *program, const char *place, struct serve_counts *c)
{
	FILE *f = fopen(counts_path(program, place), "re");
	bool served;

	if (!f)
		return false;
	served = flock(fileno(f), LOCK_SH | LOCK_NB) &&
		 fscanf(f, "done %lu failed %lu again %lu refused %lu malformed %lu", &c->done, &c->failed,
			&c->again, &c->refused, &c->malformed) == 5;
	fclose(f);
	return served;
}

void counts_close(const char *program, const struct served *p)
{
	if (p->file < 0)
		return;
	unlink(counts_path(program, p->node->label));
	close(p->file);
}
