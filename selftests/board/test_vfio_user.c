// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_vfio_user.c - test the vfio-user server through its socket.
 */
#define _GNU_SOURCE		/* memfd_create */
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/wait.h>

#include "fds.h"
#include "vu_client.h"

#define CFG	VFIO_PCI_CONFIG_REGION_INDEX
#define MSIX	VFIO_PCI_MSIX_IRQ_INDEX
#define INTX	VFIO_PCI_INTX_IRQ_INDEX
#define ERR	VFIO_PCI_ERR_IRQ_INDEX
#define BIND	(VFIO_IRQ_SET_DATA_EVENTFD | VFIO_IRQ_SET_ACTION_TRIGGER)

static void version_offers_only_what_fits(void **state)
{
	struct rig *r = *state;

	r->fd = rig_connect_only(r);
	assert_true(rig_version(r, 0, 9, CAPS_ALL, sizeof(CAPS_ALL)) > 4);
	assert_int_equal(((struct vu_version *)r->reply)->minor, VU_MINOR);
	assert_non_null(strstr((char *)r->reply + 4, "\"write_multiple\":true"));
	assert_non_null(strstr((char *)r->reply + 4, "\"pgsizes\":4096"));
	rig_hangup(r);

	/* A client that sends no capabilities gets the protocol's defaults: no write_multiple. */
	r->fd = rig_connect_only(r);
	assert_true(rig_version(r, 0, 0, "", 0) > 4);
	assert_int_equal(((struct vu_version *)r->reply)->minor, 0);
	assert_null(strstr((char *)r->reply + 4, "write_multiple"));
}

static void device_region_and_irq_info(void **state)
{
	static const uint64_t sizes[VFIO_PCI_NUM_REGIONS] = {
		[0] = 128 << 20, [2] = 64 << 20, [4] = 16 << 20, [CFG] = 4096,
	};
	static const uint32_t counts[VFIO_PCI_NUM_IRQS] = {
		[INTX] = 1, [MSIX] = 256, [ERR] = 1,
	};
	struct vu_device_info d = { .argsz = 64 };
	struct vfio_region_info ri = { .argsz = 64 };
	struct vfio_irq_info ii = { .argsz = 16 };
	struct rig *r = *state;

	rig_connect(r);
	assert_int_equal(rig_call_plain(r, VU_GET_INFO, &d, sizeof(d)), 16);
	memcpy(&d, r->reply, sizeof(d));
	assert_int_equal(d.argsz, 16);
	assert_int_equal(d.flags, VFIO_DEVICE_FLAGS_RESET | VFIO_DEVICE_FLAGS_PCI);
	assert_int_equal(d.num_regions, VFIO_PCI_NUM_REGIONS);
	assert_int_equal(d.num_irqs, VFIO_PCI_NUM_IRQS);

	for (uint32_t i = 0; i < VFIO_PCI_NUM_REGIONS; i++) {
		struct vfio_region_info *got = (void *)r->reply;

		ri.index = i;
		assert_int_equal(rig_call_plain(r, VU_GET_REGION_INFO, &ri, sizeof(ri)), 32);
		assert_int_equal(got->size, sizes[i]);
		assert_int_equal(got->flags, sizes[i] ? 3 : 0);
		assert_int_equal(got->cap_offset, 0);
	}
	ri.index = VFIO_PCI_NUM_REGIONS;
	assert_int_equal(rig_call_plain(r, VU_GET_REGION_INFO, &ri, sizeof(ri)), -EINVAL);

	for (uint32_t i = 0; i < VFIO_PCI_NUM_IRQS; i++) {
		struct vfio_irq_info *got = (void *)r->reply;

		ii.index = i;
		assert_int_equal(rig_call_plain(r, VU_GET_IRQ_INFO, &ii, sizeof(ii)), 16);
		assert_int_equal(got->count, counts[i]);
		assert_false(got->flags & VFIO_IRQ_INFO_NORESIZE);
	}
	ii.index = VFIO_PCI_NUM_IRQS;
	assert_int_equal(rig_call_plain(r, VU_GET_IRQ_INFO, &ii, sizeof(ii)), -EINVAL);
}

static void optional_commands_are_refused(void **state)
{
	static const uint16_t cmds[] = {
		VU_DIRTY_PAGES, VU_FEATURE, VU_MIG_DATA_READ, VU_MIG_DATA_WRITE,
	};
	struct vu_io_fds io = { .argsz = 256 };
	uint8_t data[24] = { 24 };
	struct rig *r = *state;

	rig_connect(r);
	for (size_t i = 0; i < sizeof(cmds) / sizeof(cmds[0]); i++)
		assert_int_equal(rig_call_plain(r, cmds[i], data, sizeof(data)), -ENOTSUP);
	assert_int_equal(rig_call_plain(r, VU_GET_REGION_IO_FDS, &io, sizeof(io)), -ENOTSUP);
	io.index = 99;
	assert_int_equal(rig_call_plain(r, VU_GET_REGION_IO_FDS, &io, sizeof(io)), -EINVAL);
}

static void regions_are_read_and_written(void **state)
{
	/* Make BAR0.0 a GENERAL window, then write the CSR of BAR4.2 through it. */
	uint32_t general = 0x60000000, bulk = 0x20000000, got = 0;
	struct { struct vu_multi m; struct vu_multi_write w[2]; } multi = {
		.m.count = 2,
		.w[0] = { .offset = 0x30048, .region = 0, .count = 4, .data = { 1 } },
		.w[1] = { .offset = 0x30048, .region = 0, .count = 4, .data = { 2 } },
	};
	uint8_t cfg[4096];
	struct rig *r = *state;

	rig_connect(r);
	assert_int_equal(rig_access(r, VU_REGION_READ, 0, CFG, 0, cfg, sizeof(cfg)), 0);
	assert_int_equal(cfg[0] | cfg[1] << 8, 0x19ee);
	assert_int_equal(rig_access(r, VU_REGION_WRITE, 0, CFG, 0x400, &general, 4), 0);
	/* A posted write gets no reply. */
	assert_int_equal(rig_access(r, VU_REGION_WRITE, VU_F_NO_REPLY, 0, 0x30048,
				    &bulk, 4), -EAGAIN);
	assert_int_equal(rig_access(r, VU_REGION_READ, 0, 0, 0x30048, &got, 4), 0);
	assert_int_equal(got, bulk);

	assert_int_equal(rig_call_plain(r, VU_REGION_WRITE_MULTI, &multi, sizeof(multi)), 8);
	assert_int_equal(*(uint64_t *)r->reply, 2);
	assert_int_equal(rig_access(r, VU_REGION_READ, 0, 0, 0x30048, &got, 4), 0);
	assert_int_equal(got, 2);
	assert_int_equal(rig_call_plain(r, VU_RESET, NULL, 0), 0);
}

static void client_sets_the_transfer_limit(void **state)
{
	static const char caps[] = "{\"capabilities\":{\"max_data_xfer_size\":64}}";
	struct rig *r = *state;
	uint8_t buf[65];

	r->fd = rig_connect_only(r);
	assert_true(rig_version(r, 0, 1, caps, sizeof(caps)) > 4);
	assert_int_equal(rig_access(r, VU_REGION_READ, 0, CFG, 0, buf, 64), 0);
	assert_int_equal(rig_access(r, VU_REGION_READ, 0, CFG, 0, buf, 65), EOF_SEEN);
}

/* ---- DMA ---- */

struct dma_done {
	int status;
	bool done;
};

static void dma_done(void *ctx, int status)
{
	struct dma_done *d = ctx;

	d->status = status;
	d->done = true;
}

/* Do one transfer with the card's DMA engine, and return its status. */
static int card_dma(struct rig *r, bool to_host, uint64_t host, void *mem, uint32_t len)
{
	struct dma_done d = { 0 };
	struct board_dma desc = {
		.to_host = to_host, .purpose = BOARD_TLP_DATA, .host = host,
		.mem = mem, .len = len, .done = dma_done, .ctx = &d,
	};

	assert_int_equal(board_dma_enqueue(r->b, &desc), 0);
	while (board_run(r->b, 64))
		;
	assert_true(d.done);
	return d.status;
}

static void dma_reaches_what_is_mapped(void **state)
{
	struct rig *r = *state;
	uint8_t *mem, buf[8192];
	int fd = mem_fd(4 * 4096, (void **)&mem);

	rig_connect(r);
	/* Two adjacent regions, in reverse order in the file; a gap; a read-only region. */
	assert_int_equal(rig_dma_map(r, 0x10000, 4096, 3, fd, 4096), 0);
	assert_int_equal(rig_dma_map(r, 0x11000, 4096, 3, fd, 0), 0);
	assert_int_equal(rig_dma_map(r, 0x13000, 4096, 1, fd, 8192), 0);
	/* A ROM: the client maps it without a descriptor. DMA does not reach it. */
	assert_int_equal(rig_dma_map(r, 0xfffc0000, 0x40000, 1, -1, 0), 0);

	memset(buf, 0xa5, sizeof(buf));
	assert_int_equal(card_dma(r, true, 0x10ffc, buf, 8), 0);
	assert_int_equal(mem[4096 + 4095], 0xa5);
	assert_int_equal(mem[0], 0xa5);
	assert_int_equal(mem[4], 0);
	mem[8192] = 0x5a;
	assert_int_equal(card_dma(r, false, 0x13000, buf, 1), 0);
	assert_int_equal(buf[0], 0x5a);

	assert_int_equal(card_dma(r, true, 0x13000, buf, 1), -EFAULT);
	assert_int_equal(card_dma(r, true, 0x11ffc, buf, 8), -EFAULT);
	assert_int_equal(mem[4092], 0);	/* the failed write wrote nothing */
	assert_int_equal(card_dma(r, false, 0xfff0, buf, 32), -EFAULT);
	assert_int_equal(card_dma(r, false, 0xfffc0000, buf, 8), -EFAULT);
	assert_int_equal(card_dma(r, true, 0xfffffffffffffff8, buf, 64), -EFAULT);
	munmap(mem, 4 * 4096);
	close(fd);
}

static void dma_maps_and_unmaps_as_specified(void **state)
{
	struct rig *r = *state;
	int fd = mem_fd(8 * 4096, NULL);
	uint64_t b;

	rig_connect(r);
	assert_int_equal(rig_dma_map(r, 0x100000, 0x4000, 3, fd, 0), 0);
	assert_int_equal(rig_dma_map(r, 0x100000, 0x4000, 3, fd, 0), -EEXIST);
	assert_int_equal(rig_dma_map(r, 0x103000, 0x2000, 3, fd, 0), -EEXIST);
	assert_int_equal(rig_dma_map(r, 0xff000, 0x2000, 3, -1, 0), -EEXIST);
	assert_int_equal(rig_dma_map(r, 0xff000, 0x6000, 3, -1, 0), -EEXIST);
	assert_int_equal(rig_dma_map(r, 0x104000, 0x1000, 3, fd, 0), 0);

	/* Requests to unmap a part of a region, or no region, change nothing. */
	assert_int_equal(rig_dma_unmap(r, 0x100000, 0x1000, 0), -ENOENT);
	assert_int_equal(rig_dma_unmap(r, 0x101000, 0x3000, 0), -ENOENT);
	assert_int_equal(rig_dma_unmap(r, 0x101000, 0x4000, 0), -ENOENT);
	assert_int_equal(rig_dma_unmap(r, 0x900000, 0x1000, 0), -ENOENT);
	assert_int_equal(card_dma(r, false, 0x103ffc, &b, 8), 0);

	assert_int_equal(rig_dma_unmap(r, 0x100000, 0x4000, 0), 24);
	assert_int_equal(((struct vu_dma_unmap *)r->reply)->size, 0x4000);
	assert_int_equal(card_dma(r, false, 0x100000, &b, 8), -EFAULT);
	assert_int_equal(card_dma(r, false, 0x104000, &b, 8), 0);
	/* Map other memory at the same address. */
	assert_int_equal(rig_dma_map(r, 0x100000, 0x4000, 3, fd, 0x4000), 0);
	assert_int_equal(card_dma(r, false, 0x100000, &b, 8), 0);

	/* Unmap a range with several regions and gaps. Regions after the range stay. */
	assert_int_equal(rig_dma_map(r, 0x200000, 0x1000, 3, fd, 0), 0);
	assert_int_equal(rig_dma_unmap(r, 0, 0x200000, 0), 24);
	assert_int_equal(card_dma(r, false, 0x100000, &b, 8), -EFAULT);
	assert_int_equal(card_dma(r, false, 0x104000, &b, 8), -EFAULT);
	assert_int_equal(card_dma(r, false, 0x200000, &b, 8), 0);
	assert_int_equal(rig_dma_map(r, 0x104000, 0x1000, 3, fd, 0), 0);

	assert_int_equal(rig_dma_unmap(r, 0, 0, VU_UNMAP_F_ALL), 24);
	assert_int_equal(card_dma(r, false, 0x104000, &b, 8), -EFAULT);
	assert_int_equal(rig_dma_unmap(r, 0, 0, VU_UNMAP_F_ALL), 24);
	/* The flag for a dirty bitmap, of an older protocol, is refused. */
	assert_int_equal(rig_dma_unmap(r, 0, 4096, VU_UNMAP_F_DIRTY), -ENOTSUP);
	close(fd);
}

static void dma_survives_a_truncated_file(void **state)
{
	struct rig *r = *state;
	int fd = mem_fd(2 * 4096, NULL);
	uint64_t b;

	rig_connect(r);
	assert_int_equal(rig_dma_map(r, 0, 0x2000, 3, fd, 0), 0);
	assert_int_equal(card_dma(r, false, 0x1000, &b, 8), 0);
	assert_int_equal(ftruncate(fd, 4096), 0);
	assert_int_equal(card_dma(r, false, 0x1000, &b, 8), -EFAULT);
	assert_int_equal(card_dma(r, true, 0x1000, &b, 8), -EFAULT);
	assert_int_equal(card_dma(r, true, 0, &b, 8), 0);
	close(fd);
}

/* ---- connections ---- */

static void messages_may_come_in_pieces(void **state)
{
	struct vu_access a = { .offset = 0, .region = CFG, .count = 2 };
	uint8_t buf[64];
	struct rig *r = *state;
	size_t n;

	rig_connect(r);
	n = vmsg_build(buf, &(struct vmsg){
		.cmd = VU_REGION_READ, .data = &a, .len = sizeof(a) });
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(rig_reply(r, VU_REGION_READ), -EAGAIN);
		fd_send(r->fd, buf + i, 1, NULL, 0);
		rig_pump(r);
	}
	assert_int_equal(rig_reply(r, VU_REGION_READ), sizeof(a) + 2);

	/* Send two messages at once. */
	memcpy(buf + n, buf, 16);
	memcpy(buf + n + 16, &a, sizeof(a));
	fd_send(r->fd, buf, n, NULL, 0);
	fd_send(r->fd, buf, n, NULL, 0);
	rig_pump(r);
	assert_int_equal(rig_reply(r, VU_REGION_READ), sizeof(a) + 2);
	assert_int_equal(rig_reply(r, VU_REGION_READ), sizeof(a) + 2);

	/* The client closes its socket in the middle of a message. */
	fd_send(r->fd, buf, 20, NULL, 0);
	rig_hangup(r);
	assert_int_equal(vfio_user_served(r->s), 1);
	rig_connect(r);
}

/*
 * A client sends requests and does not read the replies. The server stops serving it, and
 * continues without losing a request when the client reads.
 */
static void slow_reader_holds_only_itself(void **state)
{
	struct vu_access a = { .offset = 0, .region = CFG, .count = 4096 };
	unsigned int sent = 0, got = 0;
	uint8_t buf[32];
	struct rig *r = *state;
	ssize_t n;

	rig_connect(r);
	vmsg_build(buf, &(struct vmsg){
		.cmd = VU_REGION_READ, .data = &a, .len = sizeof(a) });
	while ((n = send(r->fd, buf, sizeof(buf), MSG_DONTWAIT)) > 0) {
		assert_int_equal(n, sizeof(buf));
		sent++;
		if (sent % 16 == 0)
			rig_pump(r);
	}
	assert_true(sent > 50);
	while (got < sent) {
		struct { struct vu_hdr h; uint8_t data[16 + 4096]; } m;

		rig_pump(r);
		assert_int_equal(recv(r->fd, &m, sizeof(m), MSG_WAITALL), sizeof(m));
		assert_int_equal(m.h.cmd, VU_REGION_READ);
		got++;
	}
}

static void hangup_releases_everything(void **state)
{
	int fd = mem_fd(4096, NULL), ev[16];
	struct rig *r = *state;
	int before = fds_open();
	uint64_t b = 0;

	for (int i = 0; i < 16; i++)
		ev[i] = eventfd(0, EFD_NONBLOCK);
	rig_connect(r);
	assert_int_equal(rig_dma_map(r, 0, 4096, 3, fd, 0), 0);
	assert_int_equal(rig_set_irqs(r, MSIX, BIND, 0, 16, ev, 16), 0);
	assert_int_equal(card_dma(r, true, 0, &b, 8), 0);
	rig_hangup(r);
	assert_int_equal(fds_open(), before + 16);
	assert_int_equal(card_dma(r, true, 0, &b, 8), -EFAULT);
	rig_msix(r, 3);
	assert_int_equal(events(ev[3]), 0);

	/* The next client gets none of the mappings and pending interrupts. */
	rig_connect(r);
	assert_int_equal(card_dma(r, true, 0, &b, 8), -EFAULT);
	assert_int_equal(rig_set_irqs(r, MSIX, BIND, 3, 1, &ev[3], 1), 0);
	rig_settle(r);
	assert_int_equal(events(ev[3]), 0);
	for (int i = 0; i < 16; i++)
		close(ev[i]);
	close(fd);
}

static void killed_client_is_followed_by_the_next(void **state)
{
	struct rig *r = *state;
	uint16_t id = 0;
	int waiting, status, p[2];
	pid_t pid;
	char c;

	assert_int_equal(pipe(p), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		/* Send half a message, then wait for SIGKILL. */
		int fd = rig_connect_only(r);

		if (send(fd, "abcdefgh", 8, 0) == 8 && write(p[1], "x", 1) == 1)
			pause();
		_exit(1);
	}
	assert_int_equal(read(p[0], &c, 1), 1);
	rig_pump(r);
	/* A second client waits until the first has gone; its connection does not fail. */
	waiting = rig_connect_only(r);
	rig_pump(r);
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	rig_pump(r);
	r->fd = waiting;
	assert_true(rig_version(r, 0, 1, CAPS_ALL, sizeof(CAPS_ALL)) > 4);
	assert_int_equal(rig_access(r, VU_REGION_READ, 0, CFG, 0, &id, 2), 0);
	assert_int_equal(id, 0x19ee);
	close(p[0]);
	close(p[1]);
}

static void socket_path_is_checked(void **state)
{
	char path[96], err[256], longer[200];
	struct rig *r = *state;
	struct vfio_user_server *s;
	FILE *f;

	/* The socket of a running server is not replaced. */
	assert_null(vfio_user_listen(&front_board, r->b, r->path, err, sizeof(err)));
	assert_non_null(strstr(err, "another server"));
	/* A regular file is not replaced either. */
	snprintf(path, sizeof(path), "%s/file", r->dir);
	f = fopen(path, "w");
	assert_non_null(f);
	fclose(f);
	assert_null(vfio_user_listen(&front_board, r->b, path, err, sizeof(err)));
	assert_non_null(strstr(err, "not a socket"));
	assert_int_equal(access(path, F_OK), 0);
	unlink(path);
	/* The socket of a killed server is replaced. */
	struct sockaddr_un sa = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	strcpy(sa.sun_path, path);
	assert_int_equal(bind(fd, (struct sockaddr *)&sa, sizeof(sa)), 0);
	close(fd);
	s = vfio_user_listen(&front_board, r->b, path, err, sizeof(err));
	assert_non_null(s);
	vfio_user_close(s);
	assert_int_not_equal(access(path, F_OK), 0);

	memset(longer, 'a', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	assert_null(vfio_user_listen(&front_board, r->b, longer, err, sizeof(err)));
	assert_non_null(strstr(err, "199"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(version_offers_only_what_fits),
		T(device_region_and_irq_info),
		T(optional_commands_are_refused),
		T(regions_are_read_and_written),
		T(client_sets_the_transfer_limit),
		T(dma_reaches_what_is_mapped),
		T(dma_maps_and_unmaps_as_specified),
		T(dma_survives_a_truncated_file),
		T(messages_may_come_in_pieces),
		T(slow_reader_holds_only_itself),
		T(hangup_releases_everything),
		T(killed_client_is_followed_by_the_next),
		T(socket_path_is_checked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
