/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * accel_host.h - a host for an accelerator in the test's own process. The host sends vfio-user
 * messages, has memory at DMA address 0, and records the accelerator's writes to other devices.
 */
#ifndef ACCEL_HOST_H
#define ACCEL_HOST_H

#define _GNU_SOURCE		/* for memfd_create() */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>
#include <linux/pci_regs.h>

#include "accel.h"
#include "vfio_user_proto.h"

#define MEM_SIZE	(4u << 20)
#define RING		0x1000
#define SRC		0x10000
#define DST		0x200000
#define NOWHERE		0x900000000ull	/* a DMA address of no memory and no device */

struct accel_host {
	struct accel *a;
	struct vfio_user *v;
	uint8_t *mem;
	int fd;
	/* last write to another device, and the number of such writes */
	struct vu_dma_write peer;
	uint8_t peer_data[64];
	unsigned int peers;
	bool any;		/* writes to other devices may have any size; do not record them */
	uint32_t rung;		/* descriptors for which the host has rung the doorbell */
};

static inline int host_sent(void *ctx, const void *msg, size_t len)
{
	struct accel_host *h = ctx;
	const uint8_t *body = (const uint8_t *)msg + sizeof(struct vu_hdr);

	memcpy(&h->peer, body, sizeof(h->peer));
	assert_int_equal(len, sizeof(struct vu_hdr) + sizeof(h->peer) + h->peer.count);
	h->peers++;
	if (h->any)
		return 0;
	assert_true(h->peer.count <= sizeof(h->peer_data));
	memcpy(h->peer_data, body + sizeof(h->peer), h->peer.count);
	return 0;
}

/* Send a message to the device. Returns the result of vfio_user_msg(). */
static inline int host_send(struct accel_host *h, uint16_t cmd, uint32_t flags,
			    const void *body, size_t len, int *fds, unsigned int nfds)
{
	static uint8_t msg[VFIO_USER_MSG_MAX], reply[VFIO_USER_MSG_MAX];
	struct vu_hdr hdr = { .cmd = cmd, .flags = flags, .size = sizeof(hdr) + len };
	size_t reply_len;

	memcpy(msg, &hdr, sizeof(hdr));
	if (len)
		memcpy(msg + sizeof(hdr), body, len);
	return vfio_user_msg(h->v, msg, hdr.size, fds, nfds, reply, &reply_len);
}

static inline uint32_t reg_get(struct accel_host *h, uint32_t off)
{
	uint32_t v;

	accel_bar_read(h->a, off, (uint8_t *)&v, 4);
	return v;
}

static inline void reg_set(struct accel_host *h, uint32_t off, uint32_t v)
{
	accel_bar_write(h->a, off, (uint8_t *)&v, 4);
}

static inline void host_config(struct accel_host *h, uint32_t off, uint16_t v)
{
	struct {
		struct vu_access a;
		uint16_t v;
	} w = { { off, VFIO_PCI_CONFIG_REGION_INDEX, 2 }, v };

	assert_int_equal(host_send(h, VU_REGION_WRITE, 0, &w, sizeof(w.a) + 2, NULL, 0), 0);
}

/* Set or clear memory space and bus mastering in the command register. */
static inline void host_command(struct accel_host *h, uint16_t command)
{
	host_config(h, PCI_COMMAND, command);
}

static inline struct accel_host *host_new(const struct accel_kind *kind)
{
	struct accel_host *h = calloc(1, sizeof(*h));
	struct vu_dma_map map = { sizeof(map), VU_DMA_F_READ | VU_DMA_F_WRITE, 0, 0, MEM_SIZE };
	struct vu_version version = { .minor = VU_MINOR };
	int fd;

	assert_non_null(h);
	h->a = accel_create(kind);
	assert_non_null(h->a);
	h->v = vfio_user_new(&accel_dev, h->a);
	assert_non_null(h->v);
	vfio_user_sender(h->v, host_sent, h);
	h->fd = memfd_create("accel", MFD_CLOEXEC);
	assert_int_equal(ftruncate(h->fd, MEM_SIZE), 0);
	h->mem = mmap(NULL, MEM_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, h->fd, 0);
	assert_ptr_not_equal(h->mem, MAP_FAILED);
	assert_int_equal(host_send(h, VU_VERSION, 0, &version, sizeof(version), NULL, 0), 0);
	fd = h->fd;
	assert_int_equal(host_send(h, VU_DMA_MAP, 0, &map, sizeof(map), &fd, 1), 0);
	host_command(h, 6);
	return h;
}

static inline void host_free(struct accel_host *h)
{
	vfio_user_free(h->v);
	accel_destroy(h->a);
	munmap(h->mem, MEM_SIZE);
	close(h->fd);
	free(h);
}

static inline void host_start(struct accel_host *h, uint32_t size, uint32_t events)
{
	reg_set(h, ACCEL_CONTROL, 0);
	reg_set(h, ACCEL_QUEUE_BASE, RING);
	reg_set(h, ACCEL_QUEUE_SIZE, size);
	reg_set(h, ACCEL_EVENTS, events);
	reg_set(h, ACCEL_CONTROL, ACCEL_ENABLE);
	h->rung = 0;
}

static inline void host_key(struct accel_host *h, uint32_t stream, uint32_t word)
{
	reg_set(h, ACCEL_STREAM, stream);
	for (unsigned int i = 0; i < 16; i += 4)
		reg_set(h, ACCEL_KEY + i, word);
	reg_set(h, ACCEL_STREAM_SET, 1);
}

static inline struct accel_desc *host_slot(struct accel_host *h, uint32_t n)
{
	return (struct accel_desc *)(h->mem + RING) + n % reg_get(h, ACCEL_QUEUE_SIZE);
}

/*
 * Run one job and return its status. The defaults of @d are input at SRC and output at DST. The
 * completion must have the job's number.
 */
static inline uint32_t host_job(struct accel_host *h, struct accel_desc d)
{
	struct accel_desc *slot = host_slot(h, h->rung++);

	d.src = d.src ? d.src : SRC;
	d.dst = d.dst ? d.dst : DST;
	d.room = d.room ? d.room : 4096;
	*slot = d;
	reg_set(h, ACCEL_DOORBELL, 1);
	while (accel_run(h->a, 8))
		;
	assert_int_equal(slot->done.seq, h->rung);
	assert_memory_equal(slot, &d, offsetof(struct accel_desc, done));
	return slot->done.status;
}

#endif /* ACCEL_HOST_H */
