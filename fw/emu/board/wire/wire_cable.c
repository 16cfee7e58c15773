// SPDX-License-Identifier: BSD-2-Clause
/*
 * wire_cable.c - a cable between the two ports of a board.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <syslog.h>

#include "frame_fifo.h"
#include "wire.h"

/*
 * @signal of an end whose port has not called light() yet. The other port's link does not wait
 *	for it.
 */
#define NOT_YET		UINT_MAX

struct end {
	struct end *peer;	/* NULL: the other end was closed */
	struct frame_fifo in;
	bool given;		/* pull() returned the first frame of @in, still in use */
	unsigned int signal;	/* what this end's port sends, see light(); 0: off */
	uint64_t lost;
};

static int cable_pull(void *ctx, struct board_frame *f)
{
	struct end *e = ctx;

	if (e->given)
		frame_fifo_drop(&e->in);
	e->given = frame_fifo_first(&e->in, f);
	return e->given;
}

static void cable_push(void *ctx, const struct board_frame *f)
{
	struct end *peer = ((struct end *)ctx)->peer;

	if (!peer || frame_fifo_put(&peer->in, f))
		return;
	if (!peer->lost++)
		board_log(LOG_WARNING, "wire: cable: a packet has more segments than the queue holds: some are lost");
}

static bool cable_room(void *ctx)
{
	struct end *peer = ((struct end *)ctx)->peer;

	return !peer || frame_fifo_room(&peer->in);
}

static void cable_light(void *ctx, unsigned int signal)
{
	((struct end *)ctx)->signal = signal;
}

static bool cable_carrier(void *ctx)
{
	struct end *e = ctx;

	if (!e->peer || !e->peer->signal)
		return false;
	return e->peer->signal == e->signal || e->peer->signal == NOT_YET;
}

/* Frames that this end's port pushed and that did not fit into the peer's queue. */
static uint64_t cable_lost(void *ctx)
{
	struct end *peer = ((struct end *)ctx)->peer;

	return peer ? peer->lost : 0;
}

static void cable_close(void *ctx)
{
	struct end *e = ctx;

	if (e->peer)
		e->peer->peer = NULL;
	frame_fifo_exit(&e->in);
	free(e);
}

static const struct board_wire_ops cable_ops = {
	.live = true,
	.pull = cable_pull,
	.push = cable_push,
	.room = cable_room,
	.light = cable_light,
	.carrier = cable_carrier,
	.lost = cable_lost,
	.close = cable_close,
};

int wire_cable_plug(struct board *b)
{
	struct end *e[BOARD_PORTS] = { NULL };
	unsigned int i;

	for (i = 0; i < BOARD_PORTS; i++) {
		e[i] = calloc(1, sizeof(*e[i]));
		if (e[i] && frame_fifo_init(&e[i]->in))
			continue;
		if (i)
			cable_close(e[0]);
		free(e[i]);
		return -ENOMEM;
	}
	for (i = 0; i < BOARD_PORTS; i++)
		e[i]->peer = e[!i];
	for (i = 0; i < BOARD_PORTS; i++)
		e[i]->signal = NOT_YET;
	for (i = 0; i < BOARD_PORTS; i++)
		board_wire(b, i, &cable_ops, e[i]);
	return 0;
}
