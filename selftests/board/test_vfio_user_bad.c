// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_vfio_user_bad.c - malformed vfio-user messages. The server must log the reason, close the
  * connection, and serve the next client.
 */
#define _GNU_SOURCE		/* memfd_create */
#include <sys/eventfd.h>

#include "fds.h"
#include "random.h"
#include "vu_client.h"

#define CFG	VFIO_PCI_CONFIG_REGION_INDEX
#define BIND	(VFIO_IRQ_SET_DATA_EVENTFD | VFIO_IRQ_SET_ACTION_TRIGGER)
#define K64	65536

/* Kind of the file descriptors sent with a message */
enum fdkind { FD_NONE, FD_MEM, FD_EVENT, FD_PIPE };

/*
 * A message, and the text that the log must have. The client sends VERSION before it, unless
 * @first is set. @size and @error replace the fields of the message's header if they are not 0.
 */
struct bad {
	uint16_t cmd;
	uint32_t flags;
	uint32_t size;
	uint32_t error;
	bool first;
	const void *data;
	size_t len;
	enum fdkind kind;
	unsigned int nfds;
	const char *reason;
};

#define D(type, ...)	.data = &(const type){ __VA_ARGS__ }, .len = sizeof(type)
#define RAW(n)		.data = zeroes, .len = (n)
#define V(text)		.data = "\0\0\0\0" text, .len = sizeof("\0\0\0\0" text), \
			.cmd = VU_VERSION, .first = true

struct irq_bool {
	struct vu_irq_set s;
	uint8_t on[3];
} __attribute__((packed));

struct one_write {
	struct vu_multi m;
	struct vu_multi_write w;
};

struct two_writes {
	struct vu_multi m;
	struct vu_multi_write w[2];
};

struct write8 {
	struct vu_access a;
	uint64_t data;
};

static const uint8_t zeroes[2 * K64];

static const struct bad bad[] = {
	/* header */
	{ .cmd = VU_RESET, .size = 15, .reason = "message size 15, must be 16 to" },
	{ .cmd = VU_RESET, .size = 0xffffffff, .reason = "message size 4294967295" },
	{ .cmd = VU_REGION_WRITE, RAW(16 + K64 + 1), .reason = "message size 65569" },
	{ .cmd = VU_RESET, .flags = 1, .reason = "message flags 0x1" },
	{ .cmd = VU_RESET, .flags = 0x20, .reason = "message flags 0x20" },
	{ .cmd = VU_RESET, .flags = 0x80000000, .reason = "message flags 0x80000000" },
	{ .cmd = VU_RESET, .error = 5, .reason = "error 5 in a command" },
	{ .cmd = 0, .reason = "command 0," },
	{ .cmd = VU_DMA_READ, .reason = "command 11," },
	{ .cmd = VU_DMA_WRITE, .reason = "command 12," },
	{ .cmd = 19, .reason = "command 19," },
	{ .cmd = 0xffff, .reason = "command 65535," },

	/* VERSION */
	{ .cmd = VU_RESET, .first = true, .reason = "(DEVICE_RESET) before VERSION" },
	{ .cmd = VU_VERSION, .first = true, RAW(3), .reason = "VERSION of 3 bytes" },
	{ .cmd = VU_VERSION, .first = true, .flags = VU_F_NO_REPLY, RAW(4),
	  .reason = "VERSION flags 0x10" },
	{ .cmd = VU_VERSION, .first = true, D(struct vu_version, .major = 1),
	  .reason = "VERSION major 1, must be 0" },
	{ .cmd = VU_VERSION, RAW(4), .reason = "VERSION a second time" },
	{ .cmd = VU_VERSION, .first = true, .data = "\0\0\0\0{}", .len = 6,
	  .reason = "VERSION data of 2 bytes: NUL at 2" },
	{ .cmd = VU_VERSION, .first = true, RAW(6), .reason = "NUL at 0" },
	{ V(""), .reason = "byte 0: character 0x00, expected '{'" },
	{ V("[]"), .reason = "expected '{'" },
	{ V("{\"a\":1,}"), .reason = "byte 7: character 0x7d, expected '\"'" },
	{ V("{\"a\" 1}"), .reason = "expected ':'" },
	{ V("{\"a\":1"), .reason = "byte 6: character 0x00, expected '}'" },
	{ V("{\"a\":1} x"), .reason = "character 0x78 behind the object" },
	{ V("{\"a\":tru}"), .reason = "unknown word" },
	{ V("{\"a\":-}"), .reason = "expected a digit" },
	{ V("{\"a\":1.e3}"), .reason = "expected a digit" },
	{ V("{\"a\":\"\\x\"}"), .reason = "escape 0x78 unknown" },
	{ V("{\"a\":\"\\u12"), .reason = "\\u without 4 hex digits" },
	{ V("{\"a\":\"b\n\"}"), .reason = "character 0x0a in a string" },
	{ V("{\"a\":[[[[[[[[[[1]]]]]]]]]]}"), .reason = "nested deeper than 8" },
	{ V("{\"capabilities\":1}"), .reason = "expected '{'" },
	{ V("{\"capabilities\":{\"pgsizes\":8192}}"), .reason = "VERSION pgsizes 0x2000" },
	{ V("{\"capabilities\":{\"max_data_xfer_size\":0}}"),
	  .reason = "max_data_xfer_size is 0, least is 1" },
	{ V("{\"capabilities\":{\"max_msg_fds\":-1}}"),
	  .reason = "max_msg_fds is not a whole number" },
	{ V("{\"capabilities\":{\"max_dma_maps\":18446744073709551616}}"),
	  .reason = "max_dma_maps is not a whole number" },
	{ V("{\"capabilities\":{\"write_multiple\":1}}"),
	  .reason = "write_multiple is neither true nor false" },

	/* DMA_MAP */
#define MAP(...) .cmd = VU_DMA_MAP, D(struct vu_dma_map, __VA_ARGS__)
	{ .cmd = VU_DMA_MAP, RAW(31), .reason = "DMA_MAP of 31 bytes, must be 32" },
	{ .cmd = VU_DMA_MAP, RAW(40), .reason = "DMA_MAP of 40 bytes" },
	{ MAP(.argsz = 31, .size = 4096), .reason = "DMA_MAP argsz 31" },
	{ MAP(.argsz = 32, .flags = 4, .size = 4096), .reason = "DMA_MAP flags 0x4" },
	{ MAP(.argsz = 32, .size = 0), .reason = "DMA_MAP size 0," },
	{ MAP(.argsz = 32, .size = 4095), .reason = "DMA_MAP size 0xfff" },
	{ MAP(.argsz = 32, .addr = 1, .size = 4096), .reason = "DMA_MAP address 0x1," },
	{ MAP(.argsz = 32, .addr = -4096ull, .size = 8192),
	  .reason = "DMA_MAP address 0xfffffffffffff000 size 0x2000" },
	{ MAP(.argsz = 32, .size = 4096, .offset = 4096),
	  .reason = "DMA_MAP offset 0x1000 without a descriptor" },
	{ MAP(.argsz = 32, .size = 4096, .offset = 1), FD_MEM, 1, .reason = "DMA_MAP offset 0x1," },
	{ MAP(.argsz = 32, .size = 8192), FD_MEM, 1,
	  .reason = "size 0x2000, the file has 0x1000 bytes" },
	{ MAP(.argsz = 32, .size = 4096, .offset = 4096), FD_MEM, 1,
	  .reason = "DMA_MAP offset 0x1000 size 0x1000, the file has" },
	{ MAP(.argsz = 32, .size = 4096, .offset = -4096ull), FD_MEM, 1,
	  .reason = "DMA_MAP offset 0xfffffffffffff000" },
	{ MAP(.argsz = 32, .size = 4096), FD_PIPE, 1,
	  .reason = "DMA_MAP descriptor has file type 010000" },
	{ MAP(.argsz = 32, .size = 4096), FD_MEM, 2,
	  .reason = "DMA_MAP with 2 descriptors, limit 1" },

	/* DMA_UNMAP */
#define UNMAP(...) .cmd = VU_DMA_UNMAP, D(struct vu_dma_unmap, __VA_ARGS__)
	{ .cmd = VU_DMA_UNMAP, RAW(23), .reason = "DMA_UNMAP of 23 bytes" },
	{ UNMAP(.argsz = 23, .size = 4096), .reason = "DMA_UNMAP argsz 23" },
	{ UNMAP(.argsz = 24, .flags = 8, .size = 4096), .reason = "DMA_UNMAP flags 0x8" },
	{ UNMAP(.argsz = 24, .size = 0), .reason = "DMA_UNMAP address 0 size 0" },
	{ UNMAP(.argsz = 24, .addr = -1ull, .size = 2), .reason = "DMA_UNMAP address 0xff" },
	{ UNMAP(.argsz = 24, .flags = 2, .size = 4096),
	  .reason = "DMA_UNMAP of all with address 0 size 0x1000" },
	{ .cmd = VU_DMA_UNMAP, .data = (const uint32_t[10]){ 40 }, .len = 40,
	  .reason = "DMA_UNMAP of 40 bytes, must be 24" },
	{ UNMAP(.argsz = 24, .size = 4096), FD_MEM, 1,
	  .reason = "DMA_UNMAP with 1 descriptors, limit 0" },

	/* information */
	{ .cmd = VU_GET_INFO, RAW(15), .reason = "DEVICE_GET_INFO of 15 bytes" },
	{ .cmd = VU_GET_INFO, RAW(16), .reason = "DEVICE_GET_INFO argsz 0" },
	{ .cmd = VU_GET_INFO, D(struct vu_device_info, .argsz = 16, .flags = 1),
	  .reason = "DEVICE_GET_INFO flags 0x1" },
	{ .cmd = VU_GET_REGION_INFO, RAW(33), .reason = "GET_REGION_INFO of 33 bytes" },
	{ .cmd = VU_GET_REGION_INFO, D(struct vfio_region_info, .argsz = 31),
	  .reason = "GET_REGION_INFO argsz 31" },
	{ .cmd = VU_GET_REGION_INFO,
	  D(struct vfio_region_info, .argsz = 32, .offset = 7),
	  .reason = "offset 0x7, must be 0" },
	{ .cmd = VU_GET_REGION_IO_FDS, RAW(12), .reason = "GET_REGION_IO_FDS of 12" },
	{ .cmd = VU_GET_REGION_IO_FDS, D(struct vu_io_fds, .argsz = 16, .count = 1),
	  .reason = "GET_REGION_IO_FDS flags 0 count 1" },
	{ .cmd = VU_GET_IRQ_INFO, RAW(8), .reason = "GET_IRQ_INFO of 8 bytes" },
	{ .cmd = VU_GET_IRQ_INFO, D(struct vfio_irq_info, .argsz = 15),
	  .reason = "GET_IRQ_INFO argsz 15" },
	{ .cmd = VU_GET_IRQ_INFO, D(struct vfio_irq_info, .argsz = 16, .count = 3),
	  .reason = "GET_IRQ_INFO flags 0 count 3" },

	/* SET_IRQS */
#define IRQS(...) .cmd = VU_SET_IRQS, D(struct vu_irq_set, .index = 2, __VA_ARGS__)
	{ .cmd = VU_SET_IRQS, RAW(19), .reason = "SET_IRQS of 19 bytes" },
	{ IRQS(.argsz = 24, .flags = BIND), .reason = "SET_IRQS argsz 24 in a message with 20" },
	{ IRQS(.argsz = 20, .flags = 0x40), .reason = "SET_IRQS flags 0x40, known" },
	{ IRQS(.argsz = 20, .flags = 0x21 | 2, .count = 1), .reason = "one data type" },
	{ IRQS(.argsz = 20, .flags = 0x31, .count = 1), .reason = "one action" },
	{ IRQS(.argsz = 20, .flags = 0x20, .count = 1), .reason = "one data type" },
	{ .cmd = VU_SET_IRQS, D(struct vu_irq_set, .argsz = 20, .flags = BIND,
				.index = 5, .count = 1),
	  .reason = "SET_IRQS index 5, limit 5" },
	{ IRQS(.argsz = 20, .flags = BIND, .start = 256, .count = 1),
	  .reason = "start 256 count 1, it has 256" },
	{ IRQS(.argsz = 20, .flags = BIND, .start = 1, .count = 256),
	  .reason = "start 1 count 256" },
	{ IRQS(.argsz = 20, .flags = BIND, .start = 2, .count = 0xffffffff),
	  .reason = "start 2 count 4294967295" },
	{ IRQS(.argsz = 20, .flags = BIND, .start = 0xffffffff, .count = 2),
	  .reason = "start 4294967295 count 2" },
	{ IRQS(.argsz = 20, .flags = 0x21, .start = 4), .reason = "count 0 with start 4" },
	{ IRQS(.argsz = 20, .flags = 0x09), .reason = "count 0 with start 0 flags 0x9" },
	{ IRQS(.argsz = 20, .flags = BIND), .reason = "count 0 with start 0 flags 0x24" },
	{ .cmd = VU_SET_IRQS, D(struct irq_bool, .s = { .argsz = 23, .flags = 0x22,
				.index = 2, .count = 4 }),
	  .reason = "SET_IRQS of 23 bytes, must be 24" },
	{ .cmd = VU_SET_IRQS, D(struct irq_bool, .s = { .argsz = 23, .flags = 0x21,
				.index = 2, .count = 3 }),
	  .reason = "SET_IRQS of 23 bytes, must be 20" },
	{ IRQS(.argsz = 20, .flags = 0x21, .count = 1), FD_EVENT, 1,
	  .reason = "SET_IRQS with 1 descriptors, must be 0" },
	{ IRQS(.argsz = 20, .flags = BIND, .count = 3), FD_EVENT, 2,
	  .reason = "SET_IRQS with 2 descriptors for count 3" },
	{ IRQS(.argsz = 20, .flags = BIND, .count = 1), FD_PIPE, 1,
	  .reason = "must be an eventfd" },
	{ IRQS(.argsz = 20, .flags = BIND, .count = 17), FD_EVENT, 17,
	  .reason = "descriptors, limit 16" },
	{ IRQS(.argsz = 20, .flags = BIND, .count = 40), FD_EVENT, 40,
	  .reason = "descriptors, limit 16" },
	{ .cmd = VU_SET_IRQS, D(struct vu_irq_set, .argsz = 20, .flags = BIND,
				.index = 1, .count = 1), FD_EVENT, 1,
	  .reason = "index 1 start 0 count 1, it has 0" },

	/* regions */
#define AT(...) D(struct vu_access, __VA_ARGS__)
	{ .cmd = VU_REGION_READ, RAW(12), .reason = "REGION_READ of 12 bytes" },
	{ .cmd = VU_REGION_READ, RAW(20), .reason = "REGION_READ of 20 bytes" },
	{ .cmd = VU_REGION_READ, AT(.region = 9, .count = 4),
	  .reason = "REGION_READ region 9, limit 9" },
	{ .cmd = VU_REGION_READ, AT(.region = CFG), .reason = "REGION_READ count 0" },
	{ .cmd = VU_REGION_READ, AT(.count = K64 + 1),
	  .reason = "REGION_READ count 65537, must be 1 to 65536" },
	{ .cmd = VU_REGION_READ, AT(.region = CFG, .offset = 4094, .count = 4),
	  .reason = "region 7 offset 0xffe count 4, region has 0x1000" },
	{ .cmd = VU_REGION_READ, AT(.region = CFG, .offset = -1ull, .count = 4),
	  .reason = "offset 0xffffffffffffffff count 4" },
	{ .cmd = VU_REGION_READ, AT(.region = 1, .count = 4),
	  .reason = "region 1 offset 0 count 4, region has 0" },
	{ .cmd = VU_REGION_READ, AT(.offset = 128 << 20, .count = 1),
	  .reason = "offset 0x8000000 count 1" },
	{ .cmd = VU_REGION_READ, AT(.region = CFG, .count = 4), FD_MEM, 1,
	  .reason = "REGION_READ with 1 descriptors" },
	{ .cmd = VU_REGION_WRITE, RAW(15), .reason = "REGION_WRITE of 15 bytes" },
	{ .cmd = VU_REGION_WRITE, D(struct write8, .a.count = 9),
	  .reason = "REGION_WRITE count 9 with 8 bytes" },
	{ .cmd = VU_REGION_WRITE, D(struct write8, .a.count = 7),
	  .reason = "REGION_WRITE count 7 with 8 bytes" },
	{ .cmd = VU_REGION_WRITE, AT(.region = CFG), .reason = "REGION_WRITE count 0" },
	{ .cmd = VU_REGION_WRITE, .flags = VU_F_NO_REPLY,
	  D(struct write8, .a = { .offset = 16 << 20, .region = 4, .count = 8 }),
	  .reason = "REGION_WRITE region 4 offset 0x1000000" },
	{ .cmd = VU_REGION_WRITE_MULTI, RAW(4), .reason = "REGION_WRITE_MULTI of 4" },
	{ .cmd = VU_REGION_WRITE_MULTI, RAW(8), .reason = "REGION_WRITE_MULTI count 0" },
	{ .cmd = VU_REGION_WRITE_MULTI, D(struct one_write, .m.count = 2, .w.count = 4),
	  .reason = "REGION_WRITE_MULTI count 2 in 24 bytes" },
	{ .cmd = VU_REGION_WRITE_MULTI,
	  D(struct one_write, .m.count = 0x0aaaaaaaaaaaaaab, .w.count = 4),
	  .reason = "REGION_WRITE_MULTI count 768614336404564651" },
	{ .cmd = VU_REGION_WRITE_MULTI, D(struct one_write, .m.count = 1, .w.count = 9),
	  .reason = "REGION_WRITE_MULTI count 9, must be 1 to 8" },
	{ .cmd = VU_REGION_WRITE_MULTI,
	  D(struct two_writes, .m.count = 2, .w[0].count = 4,
	    .w[1] = { .region = 77, .count = 4 }),
	  .reason = "REGION_WRITE_MULTI region 77" },
	{ .cmd = VU_RESET, RAW(4), .reason = "DEVICE_RESET with 4 bytes" },
};

/* ---- the server's log: stderr ---- */

static int log_fd, stderr_fd;

static int log_open(void **state)
{
	(void)state;
	log_fd = memfd_create("log", MFD_CLOEXEC);
	stderr_fd = dup(2);
	return log_fd < 0 || stderr_fd < 0;
}

static int log_close(void **state)
{
	(void)state;
	close(stderr_fd);
	return close(log_fd);
}

/*
 * Redirect stderr to the log, only while the server processes a message: otherwise the output
 * of a failed assertion would be lost.
 */
static void log_begin(void)
{
	fflush(stderr);
	assert_int_equal(ftruncate(log_fd, 0), 0);
	lseek(log_fd, 0, SEEK_SET);
	dup2(log_fd, 2);
}

static const char *log_end(void)
{
	static char text[65536];
	ssize_t n;

	fflush(stderr);
	dup2(stderr_fd, 2);
	n = pread(log_fd, text, sizeof(text) - 1, 0);
	text[n > 0 ? n : 0] = '\0';
	return text;
}

static void fds_make(enum fdkind kind, int *fds, unsigned int n)
{
	int p[2];

	for (unsigned int i = 0; i < n; i++) {
		if (kind == FD_MEM) {
			fds[i] = mem_fd(4096, NULL);
		} else if (kind == FD_EVENT) {
			fds[i] = eventfd(0, EFD_NONBLOCK);
		} else {
			assert_int_equal(pipe(p), 0);
			close(p[0]);
			fds[i] = p[1];
		}
	}
}

static void bad_send(struct rig *r, const struct bad *m, const int *fds)
{
	static uint8_t buf[3 * K64];
	struct vu_hdr *h = (struct vu_hdr *)buf;
	size_t n = vmsg_build(buf, &(struct vmsg){
		.cmd = m->cmd, .flags = m->flags, .data = m->data, .len = m->len });

	if (m->size)
		h->size = m->size;
	h->error = m->error;
	fd_send(r->fd, buf, n, fds, m->nfds);
}

static void each_ends_its_connection(void **state)
{
	struct rig *r = *state;
	int before = fds_open();

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		const struct bad *m = &bad[i];
		const char *log;
		uint16_t id = 0;
		int fds[64];

		fds_make(m->kind, fds, m->nfds);
		if (m->first)
			r->fd = rig_connect_only(r);
		else
			rig_connect(r);
		rig_pump(r);
		bad_send(r, m, fds);
		log_begin();
		rig_pump(r);
		log = log_end();
		if (rig_reply(r, m->cmd) != EOF_SEEN)
			fail_msg("row %zu (%s): not disconnected", i, m->reason);
		if (!strstr(log, m->reason))
			fail_msg("row %zu: log has no '%s' but '%s'", i, m->reason, log);
		close(r->fd);
		for (unsigned int f = 0; f < m->nfds; f++)
			close(fds[f]);

		rig_connect(r);
		assert_int_equal(rig_access(r, VU_REGION_READ, 0, CFG, 0, &id, 2), 0);
		assert_int_equal(id, 0x19ee);
		rig_hangup(r);
		if (fds_open() != before)
			fail_msg("row %zu (%s): descriptors leaked", i, m->reason);
	}
}

/* If the last write of a REGION_WRITE_MULTI is invalid, the server does not do the first one. */
static void bad_message_has_no_effect(void **state)
{
	const struct two_writes w = {
		.m.count = 2,
		.w[0] = { .offset = 0x3c, .region = CFG, .count = 1, .data = { 0x55 } },
		.w[1] = { .offset = 0x3c, .region = CFG, .count = 9 },
	};
	struct rig *r = *state;
	size_t out;
	uint8_t msg[sizeof(struct vu_hdr) + sizeof(w)];
	uint8_t reply[VFIO_USER_MSG_MAX], line = 0xff;
	struct vfio_user *v = vfio_user_new(&front_board, r->b);
	size_t n;

	n = vmsg_build(r->reply, &(struct vmsg){
		.cmd = VU_VERSION, .data = "\0\0\0\0" CAPS_ALL,
		.len = 4 + sizeof(CAPS_ALL) });
	assert_int_equal(vfio_user_msg(v, r->reply, n, NULL, 0, reply, &out), 0);
	n = vmsg_build(msg, &(struct vmsg){
		.cmd = VU_REGION_WRITE_MULTI, .data = &w, .len = sizeof(w) });
	assert_int_equal(vfio_user_msg(v, msg, n, NULL, 0, reply, &out), -EPROTO);
	assert_int_equal(out, 0);
	board_cfg_read(r->b, 0x3c, &line, 1);
	assert_int_equal(line, 0);
	vfio_user_free(v);
}

/* ---- mutations ---- */

#define ROUNDS	200000

static uint64_t rng;

static uint32_t rnd(uint32_t below)
{
	return random_below(&rng, below);
}

static const struct vmsg good[] = {
	{ .cmd = VU_VERSION, .data = "\0\0\0\0" CAPS_ALL, .len = 4 + sizeof(CAPS_ALL) },
	{ .cmd = VU_DMA_MAP, D(struct vu_dma_map, .argsz = 32, .flags = 3, .size = 4096) },
	{ .cmd = VU_DMA_UNMAP, D(struct vu_dma_unmap, .argsz = 24, .size = 4096) },
	{ .cmd = VU_GET_INFO, D(struct vu_device_info, .argsz = 16) },
	{ .cmd = VU_GET_REGION_INFO, D(struct vfio_region_info, .argsz = 32, .index = 4) },
	{ .cmd = VU_GET_REGION_IO_FDS, D(struct vu_io_fds, .argsz = 16) },
	{ .cmd = VU_GET_IRQ_INFO, D(struct vfio_irq_info, .argsz = 16, .index = 2) },
	{ .cmd = VU_SET_IRQS, D(struct vu_irq_set, .argsz = 20, .flags = BIND,
				.index = 2, .start = 3, .count = 1) },
	{ .cmd = VU_SET_IRQS, D(struct irq_bool, .s = { .argsz = 23, .flags = 0x22,
				.index = 2, .start = 3, .count = 3 }) },
	{ .cmd = VU_REGION_READ, AT(.region = CFG, .offset = 64, .count = 64) },
	{ .cmd = VU_REGION_READ, AT(.region = 0, .offset = 0x30000, .count = 8) },
	{ .cmd = VU_REGION_WRITE, D(struct write8, .a = { .region = 4, .count = 8 }) },
	{ .cmd = VU_REGION_WRITE_MULTI,
	  D(struct two_writes, .m.count = 2, .w[0].count = 4, .w[1].count = 8) },
	{ .cmd = VU_FEATURE, RAW(8) },
};

static void mutate(uint8_t *msg, size_t *len)
{
	static const uint32_t odd[] = {
		0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffff000, 4096, 257,
	};
	size_t at;

	for (unsigned int n = 1 + rnd(3); n; n--) {
		switch (rnd(4)) {
		case 0:
			msg[rnd(*len)] ^= 1 << rnd(8);
			break;
		case 1:
			msg[rnd(*len)] = rnd(256);
			break;
		case 2:
			at = rnd(*len / 4) * 4;
			memcpy(msg + at, &odd[rnd(8)], *len - at < 4 ? *len - at : 4);
			break;
		default:
			/* Change the length; mostly set the header's size field to match. */
			*len = sizeof(struct vu_hdr) + rnd(160);
			if (rnd(8)) {
				uint32_t size = *len;

				memcpy(msg + 4, &size, 4);
			}
		}
	}
}

/* Give a message to the parser, and assert what must hold for any message. */
static void feed(struct vfio_user *v, uint8_t *msg, size_t len, unsigned int *accepted)
{
	static uint8_t reply[VFIO_USER_MSG_MAX];
	int fds[2] = { -1, -1 };
	unsigned int nfds = 0;
	size_t out = 12345;
	int ret;

	if (!rnd(64)) {
		nfds = 1 + rnd(2);
		fds_make(rnd(2) ? FD_MEM : FD_EVENT, fds, nfds);
	}
	ret = vfio_user_msg(v, msg, len, fds, nfds, reply, &out);
	assert_true(ret == 0 || ret == -EPROTO);
	assert_true(out <= sizeof(reply));
	if (ret) {
		assert_int_equal(out, 0);
		assert_true(*vfio_user_reason(v));
	} else if (out) {
		assert_int_equal(((struct vu_hdr *)reply)->size, out);
	}
	*accepted += !ret;
	for (unsigned int i = 0; i < nfds; i++)
		if (fds[i] >= 0)
			close(fds[i]);
}

static void parser_stands_mutations(void **state)
{
	struct rig *r = *state;
	int before = fds_open();
	unsigned int accepted = 0, whole = 0;
	struct vfio_user *v = NULL;
	bool changed;
	uint8_t msg[512];
	size_t len;

	rng = random_seed(0x9e3779b97f4a7c15);
	log_begin();
	for (unsigned int i = 0; i < ROUNDS; i++) {
		if (i % 2000 == 0) {
			if (v)
				vfio_user_free(v);
			v = vfio_user_new(&front_board, r->b);
			assert_non_null(v);
			len = vmsg_build(msg, &good[0]);
			feed(v, msg, len, &whole);
			log_end();
			log_begin();
		}
		memset(msg, 0, sizeof(msg));
		len = vmsg_build(msg, &good[rnd(sizeof(good) / sizeof(good[0]))]);
		changed = rnd(16);
		if (changed)
			mutate(msg, &len);
		feed(v, msg, len, changed ? &accepted : &whole);
	}
	vfio_user_free(v);
	log_end();
	/* Enough of the mutations passed the checks of the header. */
	assert_true(accepted > ROUNDS / 20);
	assert_int_equal(fds_open(), before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(each_ends_its_connection),
		T(bad_message_has_no_effect),
		T(parser_stands_mutations),
	};

	return cmocka_run_group_tests(tests, log_open, log_close);
}
