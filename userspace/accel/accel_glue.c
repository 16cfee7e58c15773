// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * accel_glue.c - have the card drive an accelerator.
 */
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "accel_glue.h"

#define OUT_SIZE	1024

/* Find the accelerator's PCI address, "0000:04:00.0", and the offset of its doorbell. */
static int place(const struct accel_user *a, struct nfp_chan_device *d)
{
	unsigned int domain, bus, dev, fn;

	if (sscanf(a->pci->slot, "%x:%x:%x.%x", &domain, &bus, &dev, &fn) != 4)
		return -1;
	d->domain = domain;
	d->bus = (uint8_t)bus;
	d->devfn = (uint8_t)(dev << 3 | fn);
	d->doorbell_off = ACCEL_DOORBELL;
	return 0;
}

/* Map the page of the signal doorbell for the accelerator, which is behind an IOMMU. */
static int bell_map(struct accel_glue *g)
{
	const struct nfp_chan_layout *layout = nfpchan_layout(g->in);
	void *page;

	g->doorbell_size = layout->page_size;
	page = mmap(NULL, g->doorbell_size, PROT_READ | PROT_WRITE, MAP_SHARED, nfpchan_fd(g->in),
		    (off_t)layout->signal_db_off);
	if (page == MAP_FAILED) {
		perror("signal doorbell");
		return -1;
	}
	g->doorbell = page;
	/* A store of 0 adds nothing, but faults the page in. */
	*(volatile uint32_t *)((char *)page + layout->signal_db) = 0;
	g->doorbell_dma = pci_user_map(g->doorbell, g->doorbell_size);
	if (!g->doorbell_dma) {
		perror("signal doorbell: no address for the accelerator");
		munmap(page, g->doorbell_size);
		g->doorbell = NULL;
		return -1;
	}
	g->doorbell_dma += layout->signal_db;
	return 0;
}

/* Without an IOMMU the accelerator uses the address that the doorbell has on the bus. */
static int bell_ask(struct accel_glue *g)
{
	struct nfp_chan_device d = { .size = sizeof(d), .flags = NFP_CHAN_DEVICE_BELL };

	if (ioctl(nfpchan_fd(g->in), NFP_CHAN_IOC_DEVICE, &d)) {
		perror("signal doorbell");
		return -1;
	}
	g->doorbell_dma = d.bell_addr;
	return 0;
}

/* Find the address at which the accelerator reaches the ME process' signal doorbell. */
static int bell_open(struct accel_glue *g)
{
	if (!nfpchan_layout(g->in)->signal_db) {
		fprintf(stderr, "%s: no signal doorbell is left\n", nfpchan_name(g->in));
		return -1;
	}
	return pci_user_iommu() ? bell_map(g) : bell_ask(g);
}

static int device_open(struct accel_glue *g, const struct accel_glue_opts *o)
{
	struct accel_desc desc = { .stream = o->stream, .flags = o->flags };
	struct nfp_chan_device d = {
		.mem = (uintptr_t)g->mem, .dev_addr = g->mem_dma, .mem_size = ACCEL_GLUE_MEM,
		.in_size = (uint16_t)((nfpchan_layout(g->in)->max_size - o->skip + 7) & ~7u),
		.out_size = (uint16_t)(o->out_size ? o->out_size : OUT_SIZE),
		.slots = (uint16_t)o->slots, .skip = (uint16_t)o->skip,
		.src_at = offsetof(struct accel_desc, src),
		.dst_at = offsetof(struct accel_desc, dst),
		.len_at = offsetof(struct accel_desc, len),
		.room_at = offsetof(struct accel_desc, room),
		.done_at = offsetof(struct accel_desc, done),
		.done_len = sizeof(desc.done),
		.status_at = offsetof(struct accel_done, status),
		.seq_at = offsetof(struct accel_done, seq),
		.outlen_at = offsetof(struct accel_done, len),
		.status_ok = ACCEL_OK,
	};
	char why[256];

	d.desc = (uintptr_t)&desc;
	d.desc_len = sizeof(desc);
	if (place(g->accel, &d))
		return -1;
	if (!nfpchan_device_open(g->in, &d))
		return 0;
	fprintf(stderr, "%s, %s: %s\n", nfpchan_name(g->in), g->accel->pci->slot,
		nfpchan_error(g->in, why, sizeof(why)));
	return -1;
}

int accel_glue_open(struct accel_glue *g, struct accel_user *a, struct nfpchan *in,
		    const struct accel_glue_opts *o)
{
	memset(g, 0, sizeof(*g));
	g->accel = a;
	g->in = in;
	/* Allocate once for each accelerator, because pci_user_alloc() memory cannot be freed. */
	if (!a->glue)
		a->glue = pci_user_alloc(ACCEL_GLUE_MEM, &a->glue_dma);
	g->mem = a->glue;
	g->mem_dma = a->glue_dma;
	if (!g->mem || bell_open(g))
		return -1;
	g->ring = a->ring;
	g->ring_dma = a->ring_dma;
	a->ring = g->mem;
	a->ring_dma = g->mem_dma;
	accel_notify(a, g->doorbell_dma, 1, 4);
	if (!accel_start(a, o->slots, ACCEL_EVENT_NOTIFY_OK | ACCEL_EVENT_NOTIFY_BAD) &&
	    !device_open(g, o))
		return 0;
	accel_glue_close(g);
	return -1;
}

void accel_glue_close(struct accel_glue *g)
{
	nfpchan_device_close(g->in);
	accel_write(g->accel, ACCEL_CONTROL, 0);
	g->accel->ring = g->ring;
	g->accel->ring_dma = g->ring_dma;
	if (g->doorbell)
		munmap((void *)g->doorbell, g->doorbell_size);
	g->doorbell = NULL;
}
