/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vfio_user.h - vfio-user front end: makes an emulated PCI device usable as QEMU's vfio-user-pci.
 *
 * There are two layers. struct vfio_user is a connection without its socket: bytes and file
 * descriptors in, bytes out. struct vfio_user_server feeds it from a Unix socket, one client at a
 * time: a second client waits until the first one leaves.
 *
 * The client is not trusted. A message that breaks the protocol (wrong sizes, counts, indices,
 * flags or descriptors) ends its connection, and the reason is logged. A well-formed request that
 * is not possible gets an error reply.
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
#define VFIO_USER_FDS_MAX	16u	/* descriptors of one message */

struct vfio_user;

/**
 * struct vfio_user_dev - a device, for the front end
 * @vectors: number of MSI-X vectors, at most VFIO_USER_VECTORS_MAX
 * @attach: a host has connected and was just switched on. Until @detach, the device
 *	accesses the host by vfio_user_dma_read(), vfio_user_dma_write() and vfio_user_msix()
 * @detach: the host has gone
 * @flr: the client requests a function level reset
 * @bar_size: return the bytes of BAR 0 to 5; 0: there is no such BAR
 * @cfg_read: the host reads configuration space. An access never reaches beyond its
 *	region's end
 * @cfg_write: the host writes configuration space
 * @bar_read: the host reads a BAR
 * @bar_write: the host writes a BAR
 * @msix_armed: the host has armed or disarmed a vector
 * @write_failed: the client could not perform a vfio_user_peer_write(); NULL: ignored
 * @log: write a log line, with a level of syslog(3)
 *
 * @dev is the argument of vfio_user_new() or vfio_user_listen().
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

/* Make a connection to @dev, in the state before VERSION. Return NULL if there is no memory. */
struct vfio_user *vfio_user_new(const struct vfio_user_dev *ops, void *dev);
/* End a connection: release the client's memory and eventfds, and detach the device. */
void vfio_user_free(struct vfio_user *v);

/*
 * Copy host memory at DMA address @addr. Return 0, or -EFAULT if a byte is not mapped; @buf is
 * undefined then. A write becomes visible after all earlier writes. Each of its aligned 8-byte
 * words becomes visible as a whole, in ascending order.
 */
int vfio_user_dma_read(struct vfio_user *v, uint64_t addr, void *buf, size_t len);
int vfio_user_dma_write(struct vfio_user *v, uint64_t addr, const void *buf, size_t len);

/*
 * Ask the client to write at DMA address @addr, which is not guest memory but the BAR of another
 * device. The write is posted: 0 means that it was sent, and @write_failed is called if it fails
 * later. -EFAULT means that it was not sent.
 *
 * QEMU performs these writes in order, in pieces of at most 8 bytes. They may be later than a
 * vfio_user_dma_write() or vfio_user_msix() that follows, because the destinations differ.
 */
int vfio_user_peer_write(struct vfio_user *v, uint64_t addr, const void *buf, size_t len);

/*
 * Raise a vector. Return 0, or -ENOENT if the host has not armed it; it was not delivered then.
 */
int vfio_user_msix(struct vfio_user *v, unsigned int vector);

/*
 * Size of the message with the header at @hdr, including the header; -EPROTO if the header is not
 * valid.
 */
int vfio_user_msg_size(struct vfio_user *v, const void *hdr);

/*
 * Set the function that sends commands to the client; vfio_user_server has one. @send returns 0
 * if all bytes are sent or queued. Without @send, there are no peer writes.
 */
void vfio_user_sender(struct vfio_user *v, int (*send)(void *ctx, const void *msg, size_t len),
		      void *ctx);

/**
 * vfio_user_msg() - serve one message
 * @msg: @len bytes, of any alignment
 * @fds: file descriptors of the message. Those that are kept are set to -1; the caller
 *	closes the others
 * @reply: room for VFIO_USER_MSG_MAX bytes
 * @reply_len: number of bytes to send, 0 for none
 *
 * Return: 0, or -EPROTO if the connection must end. vfio_user_reason() then names the
 *	field, its value and the limit. The state stays consistent.
 */
int vfio_user_msg(struct vfio_user *v, const void *msg, size_t len,
		  int *fds, unsigned int nfds, void *reply, size_t *reply_len);
const char *vfio_user_reason(const struct vfio_user *v);

struct vfio_user_server;

/*
 * Listen on Unix socket @path, and replace an existing socket at which nobody listens. Return
 * NULL with the reason in @err.
 */
struct vfio_user_server *vfio_user_listen(const struct vfio_user_dev *ops, void *dev,
					  const char *path, char *err, size_t errlen);
/* End the connection, if there is one, and remove the socket. */
void vfio_user_close(struct vfio_user_server *s);

/* Get the file descriptor and the events to poll for. */
void vfio_user_pollfd(const struct vfio_user_server *s, struct pollfd *p);

/*
 * Accept a client, and serve at most @burst messages, without blocking. Return true if there may
 * be more to read now.
 */
bool vfio_user_serve(struct vfio_user_server *s, unsigned int burst);

/* Return true if a client is connected that has sent VERSION. */
bool vfio_user_attached(const struct vfio_user_server *s);
/* Number of clients that sent VERSION and have disconnected. */
unsigned long vfio_user_served(const struct vfio_user_server *s);

#endif /* VFIO_USER_H */
