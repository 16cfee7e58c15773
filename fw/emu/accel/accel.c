// SPDX-License-Identifier: BSD-2-Clause
/* accel.c - an accelerator: creation, resets, connection to the host. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>

#include "accel.h"

/* Limit of log lines. A host can cause log lines, and must not be able to fill the disk. */
#define LOG_LINES	1000

void accel_log(int level, const char *text)
{
	static const char * const names[] = {
		"emerg", "alert", "crit", "error", "warning", "notice", "info", "debug",
	};
	static unsigned int lines;

	if (++lines == LOG_LINES)
		text = "no further lines: the limit of the log is reached";
	if (lines <= LOG_LINES)
		fprintf(stderr, "nfpaccel: %s: %s\n", names[level & 7], text);
}

struct accel *accel_create(const struct accel_kind *kind)
{
	struct accel *a = calloc(1, sizeof(*a));

	if (!a)
		return NULL;
	a->kind = kind;
	/* The output may be a tag longer than the input, or may have a tag only. */
	a->in = malloc(kind->max_len);
	a->out = malloc(kind->max_len + ACCEL_TAG_LEN);
	if (!a->in || !a->out) {
		accel_destroy(a);
		return NULL;
	}
	accel_cfg_init(a);
	return a;
}

void accel_destroy(struct accel *a)
{
	accel_reset(a);
	free(a->in);
	free(a->out);
	free(a);
}

void accel_reset(struct accel *a)
{
	for (unsigned int i = 0; a->kind->key && i < ACCEL_STREAM_COUNT; i++)
		a->kind->key(a, i, NULL);
	memset(&a->regs, 0, sizeof(a->regs));
	a->irq_pending = false;
}

/* ---- for the vfio-user server ---- */

static void flr(void *dev)
{
	accel_reset(dev);
	accel_cfg_init(dev);
}

static void attach(void *dev, struct vfio_user *v)
{
	struct accel *a = dev;

	flr(a);
	a->host = v;
}

static void detach(void *dev)
{
	struct accel *a = dev;

	a->host = NULL;
	flr(a);
}

static uint64_t bar_size(void *dev, unsigned int bar)
{
	(void)dev;
	return bar ? 0 : ACCEL_BAR_SIZE;
}

static void cfg_read(void *dev, unsigned int off, void *buf, size_t len)
{
	struct accel *a = dev;

	memcpy(buf, a->cfg + off, len);
}

static void cfg_write(void *dev, unsigned int off, const void *buf, size_t len)
{
	struct accel *a = dev;

	if (accel_cfg_write(a, off, buf, len))
		flr(a);
	else if (a->irq_pending)
		accel_irq(a);	/* an interrupt waits while the host has not enabled bus mastering */
}

static void bar_read(void *dev, unsigned int bar, uint64_t off, void *buf, size_t len)
{
	(void)bar;
	accel_bar_read(dev, off, buf, len);
}

static void bar_write(void *dev, unsigned int bar, uint64_t off, const void *buf, size_t len)
{
	(void)bar;
	accel_bar_write(dev, off, buf, len);
}

static void msix_armed(void *dev, unsigned int vector, bool armed)
{
	struct accel *a = dev;

	(void)vector;
	if (armed && a->irq_pending)
		accel_irq(a);
}

static void write_failed(void *dev)
{
	struct accel *a = dev;

	a->stats.dma_failed++;
}

const struct vfio_user_dev accel_dev = {
	.vectors = 1,
	.attach = attach,
	.detach = detach,
	.flr = flr,
	.bar_size = bar_size,
	.cfg_read = cfg_read,
	.cfg_write = cfg_write,
	.bar_read = bar_read,
	.bar_write = bar_write,
	.msix_armed = msix_armed,
	.write_failed = write_failed,
	.log = accel_log,
};

int accel_stats_json(const struct accel *a, const char *path)
{
	const struct accel_stats *s = &a->stats;
	FILE *f = fopen(path, "w");
	int n, err = 0;

	if (!f)
		return -errno;
	n = fprintf(f, "{\"kind\": \"%s\", \"doorbells\": %" PRIu32 ", \"overruns\": %" PRIu32
		    ", \"good\": %" PRIu32 ", \"failed\": %" PRIu32 ", \"reads\": %" PRIu32
		    ", \"writes\": %" PRIu32 ", \"dma_failed\": %" PRIu32 ", \"notified\": %" PRIu32
		    ", \"interrupts\": %" PRIu32 "}\n", a->kind->name, s->doorbells, s->overruns,
		    s->good, s->failed, s->reads, s->writes, s->dma_failed, s->notified,
		    s->interrupts);
	if (n < 0)
		err = -EIO;
	if (fclose(f) && !err)
		err = -errno;
	return err;
}
