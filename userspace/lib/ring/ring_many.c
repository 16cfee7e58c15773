// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * ring_many.c - streams, and many messages of a fixed size at a time.
 *
 * The look at the record, the copy and the doorbell happen once for many elements.
 */
#include <errno.h>
#include <string.h>
#include "nfp_chan_offsets.h"
#include "ring_int.h"

int64_t ring_avail(struct ring *r, const uint8_t **data)
{
	const void *first;
	uint32_t len;
	int err = ring_peek(r, &first, &len);

	if (!err)
		err = ring_show(r);
	if (err)
		return err;
	*data = first;
	return (int64_t)(r->peer - r->pos);
}

void ring_bell(struct ring *r)
{
	give_back(r, 0);
	r->bell = r->rung + r->batch;
	ring_stop_set(r);
}

void ring_consume(struct ring *r, uint64_t bytes)
{
	r->pos += bytes;
	if (r->pos >= r->bell)
		ring_bell(r);
}

void ring_take_many(struct ring *r, uint32_t n)
{
	if (!r->borrowed)
		r->released = r->pos;
	r->pos += (uint64_t)n * r->elem_size;
	r->borrowed += n;
	ring_fast_off(r);
	ctl_publish(r);
}

int64_t ring_space(struct ring *r)
{
	int err = ring_tx_look(r, r->elem_size);

	if (err != -EAGAIN)
		return err;
	return (int64_t)((r->limit - (r->pos - r->peer)) / r->elem_size);
}

int64_t ring_get_many(struct ring *r, void *buf, uint32_t most)
{
	const uint8_t *data;
	uint64_t bytes;
	int err;

	if (r->borrowed)
		return ring_owed(r);
	if (r->lent)
		return ring_lent(r);
	if (r->hdr)
		return ring_pack_msgs(r, buf, most);
	if (r->peer == r->pos) {
		int64_t avail = ring_avail(r, &data);

		if (avail < 0)
			return avail;
	}
	bytes = r->peer - r->pos;
	if (bytes > (uint64_t)most * r->elem_size)
		bytes = (uint64_t)most * r->elem_size;
	memcpy(buf, r->data + (r->pos & r->mask), bytes);
	err = ring_verify(r);
	if (err)
		return err;
	ring_consume(r, bytes);
	return (int64_t)(bytes / r->elem_size);
}

int64_t ring_put_many(struct ring *r, const void *buf, uint32_t most)
{
	const uint8_t *from = buf;
	int64_t room;
	uint32_t n;
	void *to;
	int err = 0;

	if (!r->hdr) {
		room = ring_space(r);
		if (room <= 0)
			return room ? room : -EAGAIN;
		n = room < most ? (uint32_t)room : most;
		memcpy(r->data + (r->pos & r->mask), buf, (size_t)n * r->elem_size);
		ring_commit(r, n * r->elem_size);
		ring_kick(r);
		return n;
	}
	for (n = 0; n < most; n++) {
		err = ring_reserve(r, &to, r->elem_size);
		if (err)
			break;
		memcpy(to, from, r->elem_size);
		from += r->elem_size;
		ring_commit(r, r->elem_size);
	}
	err = n ? ring_kick(r) ?: err : err;
	return n && !r->dead ? (int64_t)n : err;
}
