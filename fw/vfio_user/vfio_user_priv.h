/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vfio_user_priv.h - what the files of the vfio-user front end share.
 */
#ifndef VFIO_USER_PRIV_H
#define VFIO_USER_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dma_map.h"
#include "vfio_user.h"
#include "vfio_user_proto.h"

#define VU_REASON_LEN	256

/* Windows a client may map at once; below Linux's vm.max_map_count of 65530. */
#define VU_MAX_DMA_MAPS	32768u
#define VU_PGSIZE	4096u
#define VU_PEER_MAX	4096u	/* bytes of one DMA_WRITE */

/* What a client said in VERSION, or the protocol's defaults. */
struct vu_caps {
	uint64_t max_msg_fds;
	uint64_t max_data_xfer_size;
	uint64_t max_dma_maps;
	uint64_t pgsizes;
	bool write_multiple;
};

/*
 * An interrupt of an index: the client's eventfd or -1. @masked by the client;
 * @pending, for INTx alone, says that it was raised meanwhile. (Of MSI-X
 * vectors the device keeps the pending bits.)
 */
struct vu_irq {
	int fd;
	bool masked;
	bool pending;
};

/* How eventfds are signalled: vfio_user_irq.c. */
struct vu_aio {
	bool tried;
	unsigned long ctx;	/* 0: it cannot be had */
	int null;
	unsigned int pending;
};

struct vu_ctx {
	struct vfio_user *v;
	const uint8_t *data;	/* of the message, behind the header */
	size_t len;
	int *fds;		/* taken ones become -1 */
	unsigned int nfds;
	uint8_t *reply;		/* room for VFIO_USER_DATA_MAX behind the header */
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
	uint64_t posted;	/* DMA_WRITEs, without those that have failed */
	char reason[VU_REASON_LEN];
	struct vu_irq msix[];	/* ops->vectors */
};

/* A line for the device's log. */
void vu_log(const struct vfio_user_dev *ops, int level, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Note why the connection must end. Returns -EPROTO. */
int vu_bad(struct vfio_user *v, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* The message @what is this structure alone, into @r; it begins with argsz. 0 or -EPROTO. */
int vu_query(struct vu_ctx *c, const char *what, void *r, size_t size);

/*
 * Text of VERSION. 0, or -EPROTO with the reason in @err. Accepts any JSON;
 * what it does not know it skips.
 */
int vu_caps_parse(const char *text, size_t len, struct vu_caps *c,
		  char *err, size_t errlen);

/*
 * Handlers: 0 and a reply of reply_len bytes; -EPROTO with a reason noted when
 * the connection must end; any other -errno for an error reply.
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
