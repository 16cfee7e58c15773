// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * ring_pair.c - one ring for two streams (uapi/PROTOCOL.rst): elements that came to the host
 * are changed in place, and go to the NFP from there.
 *
 * Both streams count the same bytes. Bytes that were given to the NFP count as given back by
 * the stream to the host, because the card uses their room again once an ME process has
 * taken them.
 */
#include <errno.h>
#include "ring_int.h"

int ring_lent(struct ring *r)
{
	return ring_fail(r, r->lent, r->lent == -EISCONN ?
			 "the channel is linked: the card carries its messages" :
			 "the channel shares its ring with another: nfpchan_return() alone moves it",
			 0, 0, 0);
}

void ring_lend(struct ring *r)
{
	r->lent = -EBUSY;
	ring_fast_off(r);
}

void ring_link(struct ring *r, bool linked)
{
	r->lent = linked ? -EISCONN : 0;
	ring_fast_set(r);
}

void ring_unpair(struct ring *rx)
{
	rx->lent = 0;
	ring_fast_set(rx);
}

int64_t ring_pair_avail(struct ring *rx, struct ring *tx, uint8_t **data)
{
	int ready = ring_ready(rx);

	if (ready <= 0)
		return ready ? ready : -EAGAIN;
	ready = ring_show(rx);
	if (ready)
		return ready;
	*data = tx->data + (rx->pos & rx->mask);
	return (int64_t)(rx->peer - rx->pos);
}

/*
 * A lower bound of the bytes that the card has taken. The record of the stream to the NFP may
 * be old. But the card writes to the ring only where it has taken bytes, so the position of the
 * stream to the host bounds it too.
 */
static uint64_t taken(const struct ring *rx, const struct ring *tx)
{
	if (rx->peer < rx->limit || rx->peer - rx->limit < tx->peer)
		return tx->peer;
	return rx->peer - rx->limit;
}

int64_t ring_pair_return(struct ring *rx, struct ring *tx, uint64_t bytes)
{
	uint64_t room;
	int err = tx->dead ? tx->dead : ring_look(tx);

	if (err != -EAGAIN)
		return err;
	if (!bytes || bytes > rx->peer - rx->pos || bytes % rx->elem_size)
		return ring_fail(tx, -EINVAL, "%llu bytes to return, %llu have come in elements of %llu",
				 bytes, rx->peer - rx->pos, rx->elem_size);
	room = tx->limit - (tx->pos - taken(rx, tx));
	if (!room)
		return -EAGAIN;
	if (bytes > room)
		bytes = room;
	ring_commit(tx, (uint32_t)bytes);
	ring_kick(tx);
	rx->pos = tx->pos;
	rx->rung = tx->pos;
	rx->ctl->rung = tx->pos;
	ctl_publish(rx);
	return (int64_t)bytes;
}
