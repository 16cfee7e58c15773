// SPDX-License-Identifier: BSD-2-Clause
/*
 * regs.c - BAR 0: registers, counters, doorbell.
 */
#include <endian.h>
#include <string.h>

#include "accel.h"

static void half_set(uint64_t *r, bool upper, uint32_t v)
{
	unsigned int shift = upper ? 32 : 0;

	*r = (*r & ~((uint64_t)UINT32_MAX << shift)) | (uint64_t)v << shift;
}

static uint32_t counter(const struct accel *a, uint32_t off)
{
	const struct accel_stats *s = &a->stats;

	switch (off) {
	case ACCEL_DOORBELLS: return s->doorbells;
	case ACCEL_OVERRUNS: return s->overruns;
	case ACCEL_GOOD: return s->good;
	case ACCEL_FAILED: return s->failed;
	case ACCEL_READS: return s->reads;
	case ACCEL_WRITES: return s->writes;
	case ACCEL_DMA_FAILED: return s->dma_failed;
	case ACCEL_NOTIFIED: return s->notified;
	case ACCEL_INTERRUPTS: return s->interrupts;
	default: return 0;
	}
}

static uint32_t reg_read(const struct accel *a, uint32_t off)
{
	const struct accel_regs *r = &a->regs;

	switch (off) {
	case ACCEL_ID: return ACCEL_ID_VALUE;
	case ACCEL_VERSION: return 1;
	case ACCEL_KIND: return a->kind->kind;
	case ACCEL_MAX_LEN: return a->kind->max_len;
	case ACCEL_CONTROL: return r->status & ACCEL_ENABLED ? ACCEL_ENABLE : 0;
	case ACCEL_STATUS: return r->status;
	case ACCEL_QUEUE_BASE: return r->queue_base;
	case ACCEL_QUEUE_BASE + 4: return r->queue_base >> 32;
	case ACCEL_QUEUE_SIZE: return r->queue_size;
	case ACCEL_EVENTS: return r->events;
	case ACCEL_NOTIFY_ADDR: return r->notify_addr;
	case ACCEL_NOTIFY_ADDR + 4: return r->notify_addr >> 32;
	case ACCEL_NOTIFY_DATA: return r->notify_data;
	case ACCEL_NOTIFY_DATA + 4: return r->notify_data >> 32;
	case ACCEL_NOTIFY_LEN: return r->notify_len;
	case ACCEL_DONE: return r->done;
	case ACCEL_ASKED: return r->asked;
	case ACCEL_STREAMS: return a->kind->key ? ACCEL_STREAM_COUNT : 0;
	case ACCEL_STREAM: return r->stream;
	case ACCEL_MSIX_PBA: return a->irq_pending;
	default: return counter(a, off);
	}
}

/* The configuration is checked and used when the device is enabled. */
static bool config_good(const struct accel_regs *r)
{
	bool notifies = r->events & (ACCEL_EVENT_NOTIFY_OK | ACCEL_EVENT_NOTIFY_BAD);

	return r->queue_size && r->queue_size <= ACCEL_QUEUE_MAX &&
	       !(r->queue_size & (r->queue_size - 1)) &&
	       !(r->queue_base % sizeof(struct accel_desc)) &&
	       (!notifies || r->notify_len == 4 || r->notify_len == 8);
}

static void control(struct accel *a, uint32_t v)
{
	struct accel_regs *r = &a->regs;

	if (v & ACCEL_RESET) {
		accel_reset(a);
		return;
	}
	if (!(v & ACCEL_ENABLE)) {
		r->status = 0;
		return;
	}
	if (r->status & ACCEL_ENABLED)
		return;
	r->status = config_good(r) ? ACCEL_ENABLED : ACCEL_BAD_CONFIG;
	r->done = 0;
	r->asked = 0;
}

/* Ignore a doorbell for more jobs than the ring has room for. */
static void doorbell(struct accel *a, uint32_t n)
{
	struct accel_regs *r = &a->regs;

	a->stats.doorbells++;
	if (r->status & ACCEL_ENABLED && n <= r->queue_size - (r->asked - r->done))
		r->asked += n;
	else
		a->stats.overruns++;
}

static void stream_set(struct accel *a, uint32_t v)
{
	if (a->kind->key && a->regs.stream < ACCEL_STREAM_COUNT)
		a->kind->key(a, a->regs.stream, v ? a->regs.key : NULL);
	memset(a->regs.key, 0, sizeof(a->regs.key));
}

/* The queue's configuration cannot change while the queue is enabled. */
static void config_write(struct accel_regs *r, uint32_t off, uint32_t v)
{
	switch (off) {
	case ACCEL_QUEUE_BASE: half_set(&r->queue_base, false, v); break;
	case ACCEL_QUEUE_BASE + 4: half_set(&r->queue_base, true, v); break;
	case ACCEL_QUEUE_SIZE: r->queue_size = v; break;
	case ACCEL_EVENTS: r->events = v & 0xf; break;
	case ACCEL_NOTIFY_ADDR: half_set(&r->notify_addr, false, v); break;
	case ACCEL_NOTIFY_ADDR + 4: half_set(&r->notify_addr, true, v); break;
	case ACCEL_NOTIFY_DATA: half_set(&r->notify_data, false, v); break;
	case ACCEL_NOTIFY_DATA + 4: half_set(&r->notify_data, true, v); break;
	case ACCEL_NOTIFY_LEN: r->notify_len = v; break;
	}
}

static void reg_write(struct accel *a, uint32_t off, uint32_t v)
{
	struct accel_regs *r = &a->regs;
	uint32_t le = htole32(v);

	switch (off) {
	case ACCEL_DOORBELL:
		doorbell(a, v);
		return;
	case ACCEL_CONTROL:
		control(a, v);
		return;
	case ACCEL_STREAM:
		r->stream = v;
		return;
	case ACCEL_STREAM_SET:
		stream_set(a, v);
		return;
	}
	if (off >= ACCEL_KEY && off < ACCEL_KEY + sizeof(r->key))
		memcpy(r->key + (off - ACCEL_KEY), &le, sizeof(le));
	else if (!(r->status & ACCEL_ENABLED))
		config_write(r, off, v);
}

void accel_bar_read(struct accel *a, uint64_t off, uint8_t *buf, size_t len)
{
	memset(buf, 0xff, len);
	if (!accel_cfg_memory(a) || off % 4)
		return;
	for (; len >= 4; len -= 4, off += 4, buf += 4) {
		uint32_t v = htole32(reg_read(a, off));

		memcpy(buf, &v, 4);
	}
}

void accel_bar_write(struct accel *a, uint64_t off, const uint8_t *buf, size_t len)
{
	if (!accel_cfg_memory(a) || off % 4)
		return;
	for (; len >= 4; len -= 4, off += 4, buf += 4) {
		uint32_t v;

		memcpy(&v, buf, 4);
		reg_write(a, off, le32toh(v));
	}
}
