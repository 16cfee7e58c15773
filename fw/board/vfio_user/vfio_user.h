/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vfio_user.h - vfio-user front end: a board as QEMU's vfio-user-pci device.
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

#include "board.h"

#define VFIO_USER_HDR		16u	/* bytes of a message header */
#define VFIO_USER_XFER_MAX	65536u	/* data of one REGION_READ or _WRITE */
#define VFIO_USER_DATA_MAX	(16u + VFIO_USER_XFER_MAX)
#define VFIO_USER_MSG_MAX	(VFIO_USER_HDR + VFIO_USER_DATA_MAX)
#define VFIO_USER_FDS_MAX	16u	/* descriptors with one message */

struct vfio_user;

/* A connection to @b, in the state before VERSION. NULL: ENOMEM. */
struct vfio_user *vfio_user_new(struct board *b);
/* The peer has gone: its memory and eventfds go, the board loses its host. */
void vfio_user_free(struct vfio_user *v);

/*
 * Size of the message that begins with the header at @hdr, with the header;
 * -EPROTO when that cannot be a message.
 */
int vfio_user_msg_size(struct vfio_user *v, const void *hdr);

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
struct vfio_user_server *vfio_user_listen(struct board *b, const char *path,
					  char *err, size_t errlen);
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
