/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vfio_user_proto.h - the wire format of the vfio-user protocol.
 *
 * Source: QEMU docs/interop/vfio-user.rst. Host byte order. Every structure is naturally aligned.
 * Definitions that the protocol takes from VFIO unchanged (flags, region and interrupt indices,
 * vfio_region_info, vfio_irq_info) come from <linux/vfio.h>.
 */
#ifndef VFIO_USER_PROTO_H
#define VFIO_USER_PROTO_H

#include <stdint.h>
#include <linux/vfio.h>

#define VU_MAJOR	0
#define VU_MINOR	1

enum vu_cmd {
	VU_VERSION		= 1,
	VU_DMA_MAP		= 2,
	VU_DMA_UNMAP		= 3,
	VU_GET_INFO		= 4,
	VU_GET_REGION_INFO	= 5,
	VU_GET_REGION_IO_FDS	= 6,
	VU_GET_IRQ_INFO		= 7,
	VU_SET_IRQS		= 8,
	VU_REGION_READ		= 9,
	VU_REGION_WRITE		= 10,
	VU_DMA_READ		= 11,	/* server to client only */
	VU_DMA_WRITE		= 12,	/* server to client only */
	VU_RESET		= 13,
	VU_DIRTY_PAGES		= 14,	/* removed from the specification */
	VU_REGION_WRITE_MULTI	= 15,
	VU_FEATURE		= 16,
	VU_MIG_DATA_READ	= 17,
	VU_MIG_DATA_WRITE	= 18,
	VU_CMD_MAX
};

#define VU_F_TYPE	0xfu
#define VU_F_COMMAND	0x0u
#define VU_F_REPLY	0x1u
#define VU_F_NO_REPLY	0x10u
#define VU_F_ERROR	0x20u

struct vu_hdr {
	uint16_t id;
	uint16_t cmd;
	uint32_t size;		/* bytes of the message including this header */
	uint32_t flags;
	uint32_t error;		/* errno, in replies with VU_F_ERROR */
};

struct vu_version {
	uint16_t major;
	uint16_t minor;
	/* optional JSON text with its NUL */
};

/* vfio_device_info in linux/vfio.h has more fields than the protocol's. */
struct vu_device_info {
	uint32_t argsz;
	uint32_t flags;
	uint32_t num_regions;
	uint32_t num_irqs;
};

#define VU_DMA_F_READ	0x1u
#define VU_DMA_F_WRITE	0x2u

struct vu_dma_map {
	uint32_t argsz;
	uint32_t flags;
	uint64_t offset;	/* offset in the file, if there is a descriptor */
	uint64_t addr;
	uint64_t size;
};

#define VU_UNMAP_F_DIRTY	0x1u
#define VU_UNMAP_F_ALL		0x2u

struct vu_dma_unmap {
	uint32_t argsz;
	uint32_t flags;
	uint64_t addr;
	uint64_t size;
};

struct vu_io_fds {
	uint32_t argsz;
	uint32_t flags;
	uint32_t index;
	uint32_t count;
};

struct vu_irq_set {
	uint32_t argsz;
	uint32_t flags;
	uint32_t index;
	uint32_t start;
	uint32_t count;
	/* with VFIO_IRQ_SET_DATA_BOOL: count bytes */
};

struct vu_access {
	uint64_t offset;
	uint32_t region;
	uint32_t count;
	/* data */
};

struct vu_dma_write {
	uint64_t addr;
	uint64_t count;
	/* data */
};

struct vu_multi {
	uint64_t count;
	/* struct vu_multi_write[] */
};

#define VU_MULTI_DATA	8

struct vu_multi_write {
	uint64_t offset;
	uint32_t region;
	uint32_t count;
	uint8_t data[VU_MULTI_DATA];
};

_Static_assert(sizeof(struct vu_hdr) == 16, "vfio-user header");
_Static_assert(sizeof(struct vu_dma_map) == 32, "DMA_MAP");
_Static_assert(sizeof(struct vu_dma_unmap) == 24, "DMA_UNMAP");
_Static_assert(sizeof(struct vu_irq_set) == 20, "SET_IRQS");
_Static_assert(sizeof(struct vu_multi_write) == 24, "REGION_WRITE_MULTI");
_Static_assert(sizeof(struct vu_dma_write) == 16, "DMA_WRITE");

#endif /* VFIO_USER_PROTO_H */
