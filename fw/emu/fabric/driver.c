// SPDX-License-Identifier: BSD-2-Clause
/*
 * driver.c - the driver of queue devices: it sees a completion, writes a descriptor for the next
 * device, and rings that device's doorbell. The CPU runs the driver, or the card.
 */
#include <string.h>

#include "chain.h"

#define RING_BYTES	4096u

uint64_t fab_driver_size(const struct fab_chain *c)
{
	return FAB_RINGS * ((uint64_t)c->window * c->slot_size + RING_BYTES);
}

uint64_t fab_driver_buffer(const struct fab_driver *d, unsigned int ring, uint64_t seq)
{
	const struct fab_chain *c = d->c;

	return d->at->base + ((uint64_t)ring * c->window + seq % c->window) * c->slot_size;
}

uint64_t fab_driver_ring(const struct fab_driver *d, unsigned int ring)
{
	const struct fab_chain *c = d->c;

	return d->at->base + FAB_RINGS * (uint64_t)c->window * c->slot_size +
	       ring * RING_BYTES;
}

static uint8_t device_of(unsigned int ring)
{
	static const uint8_t device[] = {
		[FAB_RX] = FAB_NIC, [FAB_TO_DECRYPT] = FAB_DECRYPT,
		[FAB_TO_CLASSIFY] = FAB_CLASSIFY, [FAB_TX] = FAB_NIC,
	};

	return device[ring];
}

/* The argument of a driver's step */
static uint64_t order(unsigned int ring, uint64_t seq, uint32_t len)
{
	return seq << 24 | (uint64_t)ring << 22 | len;
}

_Static_assert(FAB_MESSAGE_MAX < 1u << 22, "len fits beside ring and seq");

static void submit(void *ctx, uint64_t arg, uint32_t step)
{
	struct fab_driver *d = ctx;
	unsigned int ring = arg >> 22 & 3;
	uint64_t seq = arg >> 24;
	struct fab_desc desc = {
		.src = fab_driver_buffer(d, ring - 1, seq),
		.dst = fab_driver_buffer(d, ring, seq),
		.len = arg & 0x3fffff, .seq = seq,
	};
	uint64_t at = fab_driver_ring(d, ring) + d->tail[ring] % d->c->window * sizeof(desc);
	uint8_t device = device_of(ring);

	memcpy(fab_device_mem(d->at, at, sizeof(desc)), &desc, sizeof(desc));
	d->tail[ring]++;
	fab_store(d->at, FAB_BAR(device) + FAB_DOORBELL, &d->tail[ring], 4,
		  device == FAB_NIC ? "Descriptor Notification" : "Command Notification", step);
}

void fab_driver_submit(struct fab_driver *d, unsigned int ring, uint64_t seq, uint32_t len,
		       uint32_t cause)
{
	fab_engine_do(&d->agent, 0, cause, submit, d, order(ring, seq, len));
}

static void last_seen(void *ctx, uint64_t arg, uint32_t step)
{
	struct fab_driver *d = ctx;
	uint64_t seq = arg >> 24, at = fab_driver_buffer(d, d->last, seq);
	uint32_t len = arg & 0x3fffff;

	fab_chain_got(d->c, seq, fab_device_mem(d->at, at, len), len, step);
}

/*
 * A device has written to the memory with the rings: a completion, or data before a completion.
 */
static void written(void *ctx, uint64_t addr, uint32_t len, uint32_t step)
{
	struct fab_driver *d = ctx;
	uint64_t rings = fab_driver_ring(d, 0);
	unsigned int ring;
	struct fab_done done;

	if (addr < rings || len != sizeof(done))
		return;
	ring = (addr - rings) / RING_BYTES;
	memcpy(&done, fab_device_mem(d->at, addr, len), len);
	if (done.status || done.len > FAB_MESSAGE_MAX) {
		d->c->f->n.bad++;
		return;
	}
	if (ring >= d->first - 1 && ring < d->last)
		fab_driver_submit(d, ring + 1, done.seq, done.len, step);
	else if (ring == d->last && ring != FAB_TX)
		fab_engine_do(&d->agent, 0, step, last_seen, d, order(ring, done.seq, done.len));
}

void fab_driver_init(struct fab_driver *d, struct fab_chain *c, struct fab_device *at,
		     enum fab_kind kind, unsigned int first, unsigned int last)
{
	const struct fab_opt *o = &c->f->opt;
	bool card = kind == FAB_CARD;

	*d = (struct fab_driver){ .c = c, .at = at, .first = first, .last = last };
	d->agent = (struct fab_engine){
		.f = c->f, .kind = kind, .node = at->n->id,
		.servers = card ? o->threads : o->cpus, .ns = card ? o->card_ns : o->cpu_ns,
	};
	at->written = written;
	at->ctx = d;
}
