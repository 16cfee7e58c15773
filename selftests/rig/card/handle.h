/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* handle.h - make a handle of the library for a pipe that a struct end has opened. */
#ifndef HANDLE_H
#define HANDLE_H

#include "ring_end.h"
#include "char_node.h"

static inline void handle_init(struct nfpchan *ch, const struct end *e, unsigned int chan)
{
	const struct chan_desc *d = end_desc(chan);

	memset(ch, 0, sizeof(*ch));
	memcpy(ch->name, d->name, sizeof(ch->name));
	ch->ops = &chan_pipe_ops;
	ch->fd = -1;
	ch->ring = e->r;
	ch->layout.dir = d->dir;
	ch->layout.kind = d->kind;
	ch->layout.elem_size = d->elem_size;
	ch->layout.max_size = d->max_size;
	ch->layout.depth = d->depth;
}

#endif /* HANDLE_H */
