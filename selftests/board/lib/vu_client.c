// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* vu_client.c - see vu_client.h. */
#define _GNU_SOURCE
#include "board/vu_client.h"

int rig_setup(void **state)
{
	struct rig *r = calloc(1, sizeof(*r));
	char err[256];

	assert_non_null(r);
	strcpy(r->dir, "/tmp/test_vfio_user.XXXXXX");
	assert_non_null(mkdtemp(r->dir));
	snprintf(r->path, sizeof(r->path), "%s/sock", r->dir);
	r->b = board_create(NULL, NULL);
	assert_non_null(r->b);
	r->s = vfio_user_listen(&front_board, r->b, r->path, err, sizeof(err));
	assert_non_null(r->s);
	r->fd = -1;
	*state = r;
	return 0;
}

int rig_teardown(void **state)
{
	struct rig *r = *state;

	if (r->fd >= 0)
		close(r->fd);
	vfio_user_close(r->s);
	board_destroy(r->b);
	rmdir(r->dir);
	free(r);
	return 0;
}

void rig_pump(struct rig *r)
{
	struct pollfd p;

	for (;;) {
		vfio_user_pollfd(r->s, &p);
		if (poll(&p, 1, 0) != 1)
			return;
		vfio_user_serve(r->s, 64);
	}
}

int rig_connect_only(struct rig *r)
{
	struct sockaddr_un sa = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_true(fd >= 0);
	memcpy(sa.sun_path, r->path, sizeof(r->path));
	assert_int_equal(connect(fd, (struct sockaddr *)&sa, sizeof(sa)), 0);
	return fd;
}

void fd_send(int fd, const void *buf, size_t len, const int *fds, unsigned int nfds)
{
	char control[CMSG_SPACE(64 * sizeof(int))] = { 0 };
	struct iovec iov = { (void *)buf, len };
	struct msghdr mh = { .msg_iov = &iov, .msg_iovlen = 1 };

	if (nfds) {
		struct cmsghdr *cm;

		mh.msg_control = control;
		mh.msg_controllen = CMSG_SPACE(nfds * sizeof(int));
		cm = CMSG_FIRSTHDR(&mh);
		cm->cmsg_level = SOL_SOCKET;
		cm->cmsg_type = SCM_RIGHTS;
		cm->cmsg_len = CMSG_LEN(nfds * sizeof(int));
		memcpy(CMSG_DATA(cm), fds, nfds * sizeof(int));
	}
	assert_int_equal(sendmsg(fd, &mh, MSG_NOSIGNAL), len);
}

size_t vmsg_build(uint8_t *buf, const struct vmsg *m)
{
	struct vu_hdr h = {
		.id = 0x4711, .cmd = m->cmd, .size = sizeof(h) + m->len, .flags = m->flags,
	};

	memcpy(buf, &h, sizeof(h));
	if (m->len)
		memcpy(buf + sizeof(h), m->data, m->len);
	return h.size;
}

void rig_send(struct rig *r, const struct vmsg *m)
{
	static uint8_t buf[2 * VFIO_USER_MSG_MAX];

	fd_send(r->fd, buf, vmsg_build(buf, m), m->fds, m->nfds);
}

int rig_reply(struct rig *r, uint16_t cmd)
{
	struct vu_hdr h;
	ssize_t n = recv(r->fd, &h, sizeof(h), MSG_DONTWAIT);

	if (n < 0 && errno == EAGAIN)
		return -EAGAIN;
	if (n <= 0)
		return EOF_SEEN;
	assert_int_equal(n, sizeof(h));
	assert_int_equal(h.cmd, cmd);
	assert_int_equal(h.id, 0x4711);
	if (h.flags == (VU_F_REPLY | VU_F_ERROR)) {
		assert_int_equal(h.size, sizeof(h));
		return -(int)h.error;
	}
	assert_int_equal(h.flags, VU_F_REPLY);
	assert_int_equal(h.error, 0);
	if (h.size > sizeof(h))
		assert_int_equal(recv(r->fd, r->reply, h.size - sizeof(h),
				      MSG_DONTWAIT), h.size - sizeof(h));
	return h.size - sizeof(h);
}

int rig_call(struct rig *r, const struct vmsg *m)
{
	rig_send(r, m);
	rig_pump(r);
	return rig_reply(r, m->cmd);
}

int rig_access(struct rig *r, uint16_t cmd, uint32_t flags, uint32_t region, uint64_t off,
	       void *data, uint32_t n)
{
	static uint8_t buf[VFIO_USER_DATA_MAX];
	struct vu_access a = { .offset = off, .region = region, .count = n };
	bool write = cmd == VU_REGION_WRITE;
	int ret;

	memcpy(buf, &a, sizeof(a));
	if (write)
		memcpy(buf + sizeof(a), data, n);
	ret = rig_call(r, &(struct vmsg){
		.cmd = cmd, .flags = flags, .data = buf, .len = sizeof(a) + (write ? n : 0),
	});
	if (ret < 0)
		return ret;
	assert_memory_equal(r->reply, &a, sizeof(a));
	assert_int_equal(ret, sizeof(a) + (write ? 0 : n));
	if (!write)
		memcpy(data, r->reply + sizeof(a), n);
	return 0;
}

int rig_version(struct rig *r, uint16_t major, uint16_t minor, const char *json, size_t len)
{
	uint8_t buf[1024];
	struct vu_version v = { .major = major, .minor = minor };

	memcpy(buf, &v, sizeof(v));
	memcpy(buf + sizeof(v), json, len);
	return rig_call_plain(r, VU_VERSION, buf, sizeof(v) + len);
}

void rig_connect(struct rig *r)
{
	uint16_t command = 6, msix = 0x8000;

	r->fd = rig_connect_only(r);
	assert_true(rig_version(r, 0, 1, CAPS_ALL, sizeof(CAPS_ALL)) > 4);
	assert_int_equal(rig_access(r, VU_REGION_WRITE, 0, VFIO_PCI_CONFIG_REGION_INDEX,
				    4, &command, 2), 0);
	/* The card's MSI-X capability is at 0xb0. */
	assert_int_equal(rig_access(r, VU_REGION_WRITE, 0, VFIO_PCI_CONFIG_REGION_INDEX,
				    0xb2, &msix, 2), 0);
}

void rig_hangup(struct rig *r)
{
	close(r->fd);
	r->fd = -1;
	rig_pump(r);
}

int rig_dma_map(struct rig *r, uint64_t addr, uint64_t size, uint32_t flags, int fd, uint64_t off)
{
	struct vu_dma_map m = {
		.argsz = sizeof(m), .flags = flags, .offset = off, .addr = addr, .size = size,
	};

	return rig_call(r, &(struct vmsg){
		.cmd = VU_DMA_MAP, .data = &m, .len = sizeof(m), .fds = &fd, .nfds = fd >= 0,
	});
}

int rig_dma_unmap(struct rig *r, uint64_t addr, uint64_t size, uint32_t flags)
{
	struct vu_dma_unmap m = {
		.argsz = sizeof(m), .flags = flags, .addr = addr, .size = size,
	};

	return rig_call_plain(r, VU_DMA_UNMAP, &m, sizeof(m));
}

int rig_set_irqs(struct rig *r, uint32_t index, uint32_t flags, uint32_t start, uint32_t count,
		 const int *fds, unsigned int nfds)
{
	struct vu_irq_set s = {
		.argsz = sizeof(s), .flags = flags, .index = index,
		.start = start, .count = count,
	};

	return rig_call(r, &(struct vmsg){
		.cmd = VU_SET_IRQS, .data = &s, .len = sizeof(s), .fds = fds, .nfds = nfds,
	});
}

int mem_fd(size_t size, void **mem)
{
	int fd = memfd_create("test", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, size), 0);
	if (mem) {
		*mem = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		assert_ptr_not_equal(*mem, MAP_FAILED);
	}
	return fd;
}

unsigned int events(int fd)
{
	uint64_t n = 0;

	return read(fd, &n, sizeof(n)) == sizeof(n) ? n : 0;
}

void rig_settle(struct rig *r)
{
	while (board_run(r->b, 64))
		;
}

void rig_msix(struct rig *r, unsigned int vector)
{
	assert_int_equal(board_msix(r->b, vector), 0);
	rig_settle(r);
}
