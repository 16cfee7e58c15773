/* SPDX-License-Identifier: BSD-2-Clause */
/* vfio_user_priv.h - declarations that the files of the vfio-user front end share. */
#ifndef VFIO_USER_PRIV_H
#define VFIO_USER_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dma_map.h"
#include "vfio_user.h"
#include "vfio_user_proto.h"

#define VU_REASON_LEN	256

/* Mappings of a client at the same time. Linux's vm.max_map_count is 65530. */
#define VU_MAX_DMA_MAPS	32768u
#define VU_PGSIZE	4096u
#define VU_PEER_MAX	4096u	/* bytes of one DMA_WRITE */

/* Capabilities from the client's VERSION message, or the protocol's defaults. */
struct vu_caps {
	uint64_t max_msg_fds;
	uint64_t max_data_xfer_size;
	uint64_t max_dma_maps;
	uint64_t pgsizes;
	bool write_multiple;
};

/*
 * An interrupt: @fd is the client's eventfd, or -1. @masked: the client has masked it. @pending
 * (INTx only): it was raised while masked. For MSI-X vectors the device keeps the pending bits.
 */
struct vu_irq {
	int fd;
	bool masked;
	bool pending;
};

/* AIO context that signals eventfds; see vfio_user_irq.c. */
struct vu_aio {
	bool tried;
	unsigned long ctx;	/* 0: not available */
	int null;
	unsigned int pending;
};

struct vu_ctx {
	struct vfio_user *v;
	const uint8_t *data;	/* the message's data, after the header */
	size_t len;
	int *fds;		/* descriptors that a handler keeps are set to -1 */
	unsigned int nfds;
	uint8_t *reply;		/* VFIO_USER_DATA_MAX bytes, after the header */
	size_t reply_len;
};

struct vfio_user {
	const struct vfio_user_dev *ops;
	void *dev;
	bool negotiated;
	bool write_multiple;
	uint32_t max_xfer;
	struct dma_map dma;
	struct vu_irq intx;
	struct vu_irq err;
	struct vu_aio aio;
	int (*send)(void *ctx, const void *msg, size_t len);
	void *send_ctx;
	uint64_t posted;	/* DMA_WRITEs sent, minus those that have failed */
	char reason[VU_REASON_LEN];
	struct vu_irq msix[];	/* ops->vectors */
};

/* Write a line to the device's log. */
void vu_log(const struct vfio_user_dev *ops, int level, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Record why the connection must end. Return -EPROTO. */
int vu_bad(struct vfio_user *v, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/*
 * Copy a message that consists only of this structure to @r. The structure begins with argsz.
 * Return 0 or -EPROTO.
 */
int vu_query(struct vu_ctx *c, const char *what, void *r, size_t size);

/*
 * Parse the text of VERSION. Unknown keys are skipped. Return 0, or -EPROTO with the reason in
 * @err.
 */
int vu_caps_parse(const char *text, size_t len, struct vu_caps *c,
		  char *err, size_t errlen);

/*
 * Message handlers. Return 0 with a reply of reply_len bytes; -EPROTO after vu_bad() if the
 * connection must end; any other -errno for an error reply.
 */
int vu_dma_map(struct vu_ctx *c);
int vu_dma_unmap(struct vu_ctx *c);
int vu_dma_write_failed(struct vu_ctx *c, uint32_t error);
int vu_get_irq_info(struct vu_ctx *c);
int vu_set_irqs(struct vu_ctx *c);

void vu_dma_release(struct vfio_user *v);
void vu_irq_init(struct vfio_user *v);
void vu_irq_release(struct vfio_user *v);

#endif /* VFIO_USER_PRIV_H */
