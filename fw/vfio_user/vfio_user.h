/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vfio_user.h - vfio-user front end: an emulated PCI device as QEMU's vfio-user-pci.
 *
 * In two layers. struct vfio_user is one connection without its socket: bytes
 * and descriptors in, bytes out. struct vfio_user_server feeds it from a Unix
 * socket, one client after the other: a client that connects while another is
 * served waits until that one leaves.
 *
 * A peer is not trusted. A message that breaks the protocol (sizes, counts,
 * indices, flags, descriptors that do not fit what it says or what we
 * announced) ends its connection with a logged reason. A request that is
 * well-formed but not possible gets an error reply.
 */
#ifndef VFIO_USER_H
#define VFIO_USER_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VFIO_USER_CFG_SIZE	4096u	/* configuration space, PCI Express */
#define VFIO_USER_VECTORS_MAX	2048u
#define VFIO_USER_HDR		16u	/* bytes of a message header */
#define VFIO_USER_XFER_MAX	65536u	/* data of one REGION_READ or _WRITE */
#define VFIO_USER_DATA_MAX	(16u + VFIO_USER_XFER_MAX)
#define VFIO_USER_MSG_MAX	(VFIO_USER_HDR + VFIO_USER_DATA_MAX)
#define VFIO_USER_FDS_MAX	16u	/* descriptors with one message */

struct vfio_user;

/**
 * struct vfio_user_dev - a device, as the front end sees it
 * @vectors: MSI-X vectors that it has, at most VFIO_USER_VECTORS_MAX
 * @attach: a host is there, newly switched on. Until @detach the device reaches
 *	it by vfio_user_dma_read(), vfio_user_dma_write() and vfio_user_msix()
 * @detach: the host has gone
 * @flr: a function level reset that the client asks for
 * @bar_size: bytes of a BAR, 0 to 5; 0: there is none
 * @cfg_read, @cfg_write, @bar_read, @bar_write: the host's accesses, none of which
 *	reaches beyond the end of its region
 * @msix_armed: the host has armed or unarmed a vector
 * @write_failed: the client could not do a vfio_user_peer_write(); NULL: of no interest
 * @log: a line of log, level as in syslog(3)
 *
 * @dev is what vfio_user_new() or vfio_user_listen() got.
 */
struct vfio_user_dev {
	unsigned int vectors;
	void (*attach)(void *dev, struct vfio_user *v);
	void (*detach)(void *dev);
	void (*flr)(void *dev);
	uint64_t (*bar_size)(void *dev, unsigned int bar);
	void (*cfg_read)(void *dev, unsigned int off, void *buf, size_t len);
	void (*cfg_write)(void *dev, unsigned int off, const void *buf, size_t len);
	void (*bar_read)(void *dev, unsigned int bar, uint64_t off, void *buf, size_t len);
	void (*bar_write)(void *dev, unsigned int bar, uint64_t off, const void *buf, size_t len);
	void (*msix_armed)(void *dev, unsigned int vector, bool armed);
	void (*write_failed)(void *dev);
	void (*log)(int level, const char *text);
};

/* A connection to @dev, in the state before VERSION. NULL: ENOMEM. */
struct vfio_user *vfio_user_new(const struct vfio_user_dev *ops, void *dev);
/* The peer has gone: its memory and eventfds go, the device loses its host. */
void vfio_user_free(struct vfio_user *v);

/*
 * Copy host memory at DMA address @addr: 0, or -EFAULT when a byte of it is not mapped
 * (nothing is promised of @buf then). A write becomes visible after all earlier ones,
 * aligned 8-byte words whole and in ascending order.
 */
int vfio_user_dma_read(struct vfio_user *v, uint64_t addr, void *buf, size_t len);
int vfio_user_dma_write(struct vfio_user *v, uint64_t addr, const void *buf, size_t len);

/*
 * Have the client write at DMA address @addr, which is no memory of the guest's: the BAR of
 * another device. Posted: 0 says that it is on its way, and @write_failed is
 * told if it came to nothing. -EFAULT: it did not leave.
 *
 * QEMU does these writes one after the other, in pieces of at most 8 bytes, and later than
 * a vfio_user_dma_write() or vfio_user_msix() that follows: two destinations, no order.
 */
int vfio_user_peer_write(struct vfio_user *v, uint64_t addr, const void *buf, size_t len);

/* Raise a vector: 0, or -ENOENT when the host has not armed it: then it was not delivered. */
int vfio_user_msix(struct vfio_user *v, unsigned int vector);

/*
 * Size of the message that begins with the header at @hdr, with the header;
 * -EPROTO when that cannot be a message.
 */
int vfio_user_msg_size(struct vfio_user *v, const void *hdr);

/*
 * How messages to the client leave that are no replies: vfio_user_server has one. 0 when
 * all of it is sent or kept. Without it there are no peer writes.
 */
void vfio_user_sender(struct vfio_user *v, int (*send)(void *ctx, const void *msg, size_t len),
		      void *ctx);

/**
 * vfio_user_msg() - serve one message
 * @msg: its bytes, @len of them, of any alignment
 * @fds: the descriptors that came with it; those that are kept become -1, the
 *	others remain the caller's to close
 * @reply: room for VFIO_USER_MSG_MAX bytes
 * @reply_len: what is to be sent, 0 for nothing
 *
 * Return: 0, or -EPROTO when the connection must end; vfio_user_reason() then
 * names the field, its value and the limit. The state stays consistent.
 */
int vfio_user_msg(struct vfio_user *v, const void *msg, size_t len,
		  int *fds, unsigned int nfds, void *reply, size_t *reply_len);
const char *vfio_user_reason(const struct vfio_user *v);

struct vfio_user_server;

/*
 * Listen on Unix socket @path. A socket there that nobody serves is replaced.
 * NULL with the reason in @err.
 */
struct vfio_user_server *vfio_user_listen(const struct vfio_user_dev *ops, void *dev,
					  const char *path, char *err, size_t errlen);
/* End the connection, if there is one, and remove the socket. */
void vfio_user_close(struct vfio_user_server *s);

/* The descriptor and events to wait for. */
void vfio_user_pollfd(const struct vfio_user_server *s, struct pollfd *p);

/*
 * Accept, read, serve and answer without blocking, at most @burst messages.
 * True when there may be more to read at once.
 */
bool vfio_user_serve(struct vfio_user_server *s, unsigned int burst);

/* There is a host: a client that has said VERSION. */
bool vfio_user_attached(const struct vfio_user_server *s);
/* Clients that were served and have left; not who never said VERSION. */
unsigned long vfio_user_served(const struct vfio_user_server *s);

#endif /* VFIO_USER_H */
