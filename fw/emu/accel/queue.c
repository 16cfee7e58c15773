// SPDX-License-Identifier: BSD-2-Clause
/*
 * queue.c - jobs. The device reads descriptor and input by DMA, and writes output and completion
 * by DMA. Then it sends a notification or an interrupt.
 *
 * No descriptor can stop the queue. A job that cannot be done gets a completion with an error
 * status, and the next job begins.
 */
#include <endian.h>
#include <stddef.h>
#include <string.h>

#include "accel.h"

static bool dma_read(struct accel *a, uint64_t addr, void *buf, size_t len)
{
	a->stats.reads++;
	if (a->host && accel_cfg_master(a) && !vfio_user_dma_read(a->host, addr, buf, len))
		return true;
	a->stats.dma_failed++;
	return false;
}

/*
 * Posted write, as on a bus. An address that is not guest memory may belong to another device. If
 * that write fails, accel_dev.write_failed is called later.
 */
static bool dma_write(struct accel *a, uint64_t addr, const void *buf, size_t len)
{
	a->stats.writes++;
	if (a->host && accel_cfg_master(a) &&
	    (!vfio_user_dma_write(a->host, addr, buf, len) ||
	     !vfio_user_peer_write(a->host, addr, buf, len)))
		return true;
	a->stats.dma_failed++;
	return false;
}

void accel_irq(struct accel *a)
{
	a->irq_pending = !a->host || !accel_cfg_master(a) || vfio_user_msix(a->host, 0);
	a->stats.interrupts += !a->irq_pending;
}

static void notify(struct accel *a)
{
	uint64_t data = htole64(a->regs.notify_data);

	dma_write(a, a->regs.notify_addr, &data, a->regs.notify_len);
	a->stats.notified++;
}

static void desc_to_cpu(struct accel_desc *d)
{
	d->src = le64toh(d->src);
	d->dst = le64toh(d->dst);
	d->len = le32toh(d->len);
	d->room = le32toh(d->room);
	d->stream = le32toh(d->stream);
	d->flags = le32toh(d->flags);
}

/* Check what can be checked before the input is read. */
static enum accel_status desc_check(const struct accel *a, const struct accel_desc *d,
				    uint32_t *size)
{
	enum accel_status status = ACCEL_OK;

	if (d->flags & ~a->kind->flags || d->zero[0] || d->zero[1])
		return ACCEL_BAD_DESC;
	if (d->len > a->kind->max_len)
		return ACCEL_BAD_LEN;
	*size = a->kind->size(d, &status);
	if (status != ACCEL_OK)
		return status;
	if (d->room < *size)
		return ACCEL_BAD_ROOM;
	if (a->kind->key && (d->stream >= ACCEL_STREAM_COUNT || !a->stream[d->stream]))
		return ACCEL_BAD_STREAM;
	return ACCEL_OK;
}

static enum accel_status job_run(struct accel *a, uint64_t at, struct accel_done *done)
{
	struct accel_desc d;
	struct accel_job job = { .desc = &d, .in = a->in, .out = a->out };
	enum accel_status status;
	uint32_t size;

	if (!dma_read(a, at, &d, offsetof(struct accel_desc, done)))
		return ACCEL_READ_FAILED;
	desc_to_cpu(&d);
	status = desc_check(a, &d, &size);
	if (status != ACCEL_OK)
		return status;
	if (!dma_read(a, d.src, a->in, d.len))
		return ACCEL_READ_FAILED;
	status = a->kind->run(a, &job);
	if (status != ACCEL_OK)
		return status;
	if (!dma_write(a, d.dst, a->out, size))
		return ACCEL_WRITE_FAILED;
	done->len = htole32(size);
	done->result = htole32(job.result);
	return ACCEL_OK;
}

static void job_next(struct accel *a)
{
	uint64_t at = a->regs.queue_base + sizeof(struct accel_desc) *
		      (a->regs.done & (a->regs.queue_size - 1));
	struct accel_done done = { 0 };
	enum accel_status status = job_run(a, at, &done);
	bool good = status == ACCEL_OK;

	a->regs.done++;
	a->stats.good += good;
	a->stats.failed += !good;
	done.status = htole32(status);
	done.seq = htole32(a->regs.done);
	dma_write(a, at + offsetof(struct accel_desc, done), &done, sizeof(done));
	if (a->regs.events & (good ? ACCEL_EVENT_NOTIFY_OK : ACCEL_EVENT_NOTIFY_BAD))
		notify(a);
	if (a->regs.events & (good ? ACCEL_EVENT_IRQ_OK : ACCEL_EVENT_IRQ_BAD))
		accel_irq(a);
}

static bool job_waits(const struct accel *a)
{
	return a->regs.status & ACCEL_ENABLED && a->regs.done != a->regs.asked;
}

bool accel_run(struct accel *a, unsigned int budget)
{
	for (; budget && job_waits(a); budget--)
		job_next(a);
	return job_waits(a);
}
