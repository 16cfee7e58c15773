/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * vu_client.h - a vfio-user client that sends raw messages, and the server under test.
 *
 * Both run in one thread. After each send, rig_pump() lets the server process its input; then
  * the client looks for an answer.
 */
#ifndef VU_CLIENT_H
#define VU_CLIENT_H

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <cmocka.h>

#include "board.h"
#include "board_fw.h"
#include "front.h"
#include "vfio_user.h"
#include "vfio_user_proto.h"

#define CAPS_ALL "{\"capabilities\":{\"max_msg_fds\":16,\"write_multiple\":true}}"
#define EOF_SEEN	(-1)

struct rig {
	char dir[64];
	char path[80];
	struct board *b;
	struct vfio_user_server *s;
	int fd;			/* the client's socket, or -1 */
	uint8_t reply[VFIO_USER_MSG_MAX] __attribute__((aligned(8)));
};

/* A message to send. */
struct vmsg {
	uint16_t cmd;
	uint32_t flags;
	const void *data;
	size_t len;
	const int *fds;
	unsigned int nfds;
};

int rig_setup(void **state);
int rig_teardown(void **state);
void rig_pump(struct rig *r);
int rig_connect_only(struct rig *r);
void fd_send(int fd, const void *buf, size_t len, const int *fds, unsigned int nfds);

/* Write message @m, with its header, to @buf. Return the size. */
size_t vmsg_build(uint8_t *buf, const struct vmsg *m);
void rig_send(struct rig *r, const struct vmsg *m);

/*
 * Receive a reply into r->reply. Return the length of its data, EOF_SEEN if the server has closed
 * the connection, -EAGAIN if there is no reply, or the errno of an error reply, negative.
 */
int rig_reply(struct rig *r, uint16_t cmd);
int rig_call(struct rig *r, const struct vmsg *m);

static inline int rig_call_plain(struct rig *r, uint16_t cmd, const void *data, size_t len)
{
	return rig_call(r, &(struct vmsg){ .cmd = cmd, .data = data, .len = len });
}

int rig_access(struct rig *r, uint16_t cmd, uint32_t flags, uint32_t region, uint64_t off,
	       void *data, uint32_t n);
int rig_version(struct rig *r, uint16_t major, uint16_t minor, const char *json, size_t len);

/* Connect, negotiate VERSION, and enable memory space, bus mastering and MSI-X. */
void rig_connect(struct rig *r);
void rig_hangup(struct rig *r);
int rig_dma_map(struct rig *r, uint64_t addr, uint64_t size, uint32_t flags, int fd, uint64_t off);
int rig_dma_unmap(struct rig *r, uint64_t addr, uint64_t size, uint32_t flags);
int rig_set_irqs(struct rig *r, uint32_t index, uint32_t flags, uint32_t start, uint32_t count,
		 const int *fds, unsigned int nfds);

/* Make shared memory of @size bytes, and map it if @mem is not NULL. Return its descriptor. */
int mem_fd(size_t size, void **mem);

/* Return the number of events of an eventfd since the last call. */
unsigned int events(int fd);
void rig_settle(struct rig *r);
void rig_msix(struct rig *r, unsigned int vector);

#define T(f)	cmocka_unit_test_setup_teardown(f, rig_setup, rig_teardown)

#endif /* VU_CLIENT_H */
