// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* bpf_memory.c - ring and control page of a channel of a card "bpf:DEV". */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include "bpf.h"

/* Map the ring twice in a row: a message that wraps around is then contiguous. */
static int ring_memory(void **out, size_t size)
{
	int fd = memfd_create("nfpchan", MFD_CLOEXEC), err = 0;
	char *p;

	if (fd < 0)
		return -errno;
	p = mmap(NULL, 2 * size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED || ftruncate(fd, (off_t)size) ||
	    mmap(p, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED ||
	    mmap(p + size, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) ==
	    MAP_FAILED)
		err = -errno;
	close(fd);
	if (!err)
		*out = p;
	else if (p != MAP_FAILED)
		munmap(p, 2 * size);
	return err;
}

int bpf_memory(struct nfpchan *ch, struct nfp_chan_note *note, uint64_t pos,
	       const struct ring_db *db)
{
	struct nfp_chan_ctl *ctl = calloc(1, sizeof(*ctl));
	int err = ctl ? ring_memory(&ch->map_ring, ch->layout.ring_size) : -ENOMEM;

	if (err) {
		free(ctl);
		return err;
	}
	ctl->pos = pos;
	ctl->rung = pos;
	ch->map_ctl = ctl;
	err = ring_init(&ch->ring, &ch->layout, ch->map_ring, note, ctl, db);
	if (err)
		bpf_memory_free(ch);
	return err;
}

void bpf_memory_free(struct nfpchan *ch)
{
	if (ch->map_ring)
		munmap(ch->map_ring, 2 * (size_t)ch->layout.ring_size);
	free(ch->map_ctl);
	ch->map_ring = NULL;
	ch->map_ctl = NULL;
}

int bpf_no_eventfd(struct nfpchan *ch, int fd)
{
	(void)ch;
	(void)fd;
	return -EOPNOTSUPP;
}
