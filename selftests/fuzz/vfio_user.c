// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * vfio_user.c - fuzzer of the vfio-user server: a client's messages go to the message parser and
 * to the emulated card behind it, with its firmware.
 *
 * The input is a list of messages. So that mutations get past the first check, it says how each
 * message differs from a valid one: the body is XORed to a template, and the header is right
 * unless a flag changes it.
 *
 * A byte (FRESH), then for each message:
 *
 *   byte 0    command
 *   byte 1    bits 3:0: FUZZ_*; bits 7:4: number of descriptors
 *   byte 2    number of bytes of the body
 *   then, with FUZZ_FDS, a byte for each descriptor; the body; with FUZZ_SIZE, a byte that is
 *   added to the header's size and one that is subtracted; with FUZZ_HDR, two bytes that are
 *   XORed to its flags and its error
 */
#define _GNU_SOURCE		/* memfd_create */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "board.h"
#include "front.h"
#include "hal.h"
#include "vfio_user.h"
#include "vfio_user_proto.h"

#define FUZZ_SIZE	0x1	/* change the header's size */
#define FUZZ_HDR	0x2	/* change the header's flags and error */
#define FUZZ_FDS	0x4	/* choose the kind of each descriptor, instead of the right one */
#define FUZZ_RUN	0x8	/* run the card after the message */

/*
 * If the first byte of the input is FRESH, the card is powered on for the input. This is done for
 * one in FRESH_EVERY of them, beginning with the first, or it would take most of the time.
 */
#define FRESH		0xff
#define FRESH_EVERY	64

#define MEM_SIZE	(1u << 20)
#define BODY_MAX	256
#define MESSAGES_MAX	64

enum { FD_EVENT, FD_MEM, FD_FULL, FD_NULL, FD_KINDS };

static struct board *board;
static int kinds[FD_KINDS];
static unsigned int sent;	/* commands of the last input, one bit for each */

static struct input {
	const uint8_t *p;
	size_t left;
} in;

static uint8_t byte(void)
{
	if (!in.left)
		return 0;
	in.left--;
	return *in.p++;
}

/* Fill the client's memory with numbers that can be addresses in it, and lengths. */
static void memory_fill(int fd)
{
	uint64_t *mem = mmap(NULL, MEM_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	uint64_t x = 1;
	size_t i;

	if (mem == MAP_FAILED)
		abort();
	for (i = 0; i < MEM_SIZE / sizeof(*mem); i++) {
		x = x * 6364136223846793005ull + 1442695040888963407ull;
		mem[i] = x >> 60 < 8 ? (x >> 40) & (MEM_SIZE - 1) : x >> (x >> 58);
	}
	munmap(mem, MEM_SIZE);
}

/* Discard the card's writes to other devices, of which there are none. */
static int peer_send(void *ctx, const void *msg, size_t len)
{
	(void)ctx;
	(void)msg;
	(void)len;
	return 0;
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	uint64_t full = UINT64_MAX - 1;
	char err[128];

	(void)argc;
	(void)argv;
	kinds[FD_EVENT] = eventfd(0, EFD_NONBLOCK);
	kinds[FD_MEM] = memfd_create("fuzz", 0);
	kinds[FD_FULL] = eventfd(0, 0);
	kinds[FD_NULL] = open("/dev/null", O_RDWR);
	if (kinds[FD_NULL] < 0 || ftruncate(kinds[FD_MEM], MEM_SIZE) ||
	    write(kinds[FD_FULL], &full, sizeof(full)) != sizeof(full))
		abort();
	memory_fill(kinds[FD_MEM]);
	board = board_create(getenv("FUZZ_NO_FW") ? NULL : &hal_firmware, NULL);
	if (!board || board_set(board, "peers", "on", err, sizeof(err)) ||
	    board_set(board, "stores", "lenient", err, sizeof(err)))
		abort();
	return 0;
}

static size_t template_version(uint8_t *b)
{
	static const char caps[] = "{\"capabilities\":{\"max_msg_fds\":16,\"pgsizes\":4096,"
				   "\"max_data_xfer_size\":65536,\"write_multiple\":true}}";
	struct vu_version v = { .minor = VU_MINOR };

	memcpy(b, &v, sizeof(v));
	memcpy(b + sizeof(v), caps, sizeof(caps));
	return sizeof(v) + sizeof(caps);
}

/* Make a valid message of kind @cmd; return its length. */
static size_t template(unsigned int cmd, uint8_t *b)
{
	struct vu_dma_map map = { sizeof(map), VU_DMA_F_READ | VU_DMA_F_WRITE, 0, 0, MEM_SIZE };
	struct vu_dma_unmap unmap = { sizeof(unmap), 0, 0, MEM_SIZE };
	struct vfio_region_info region = { .argsz = sizeof(region) };
	struct vfio_irq_info irq = { .argsz = sizeof(irq) };
	struct vu_device_info info = { .argsz = sizeof(info) };
	struct vu_io_fds io = { .argsz = sizeof(io) };
	struct vu_irq_set set = {
		sizeof(set), VFIO_IRQ_SET_DATA_EVENTFD | VFIO_IRQ_SET_ACTION_TRIGGER,
		VFIO_PCI_MSIX_IRQ_INDEX, 0, 1,
	};
	struct vu_access access = { 0, VFIO_PCI_CONFIG_REGION_INDEX, 4 };
	struct vu_multi_write w = { 0, VFIO_PCI_CONFIG_REGION_INDEX, 4, { 0 } };
	struct vu_multi multi = { 1 };

#define GOOD(s) (memcpy(b, &(s), sizeof(s)), sizeof(s))
	switch (cmd) {
	case VU_VERSION:
		return template_version(b);
	case VU_DMA_MAP:
		return GOOD(map);
	case VU_DMA_UNMAP:
		return GOOD(unmap);
	case VU_GET_INFO:
		return GOOD(info);
	case VU_GET_REGION_INFO:
		return GOOD(region);
	case VU_GET_REGION_IO_FDS:
		return GOOD(io);
	case VU_GET_IRQ_INFO:
		return GOOD(irq);
	case VU_SET_IRQS:
		return GOOD(set);
	case VU_REGION_READ:
		return GOOD(access);
	case VU_REGION_WRITE:
		memcpy(b, &access, sizeof(access));
		memset(b + sizeof(access), 0, 4);
		return sizeof(access) + 4;
	case VU_REGION_WRITE_MULTI:
		memcpy(b, &multi, sizeof(multi));
		memcpy(b + sizeof(multi), &w, sizeof(w));
		return sizeof(multi) + sizeof(w);
	default:
		return 0;
	}
}

/* Adapt the counts in a body to its length. XORed bytes of the input may have made them wrong. */
static void body_counts(unsigned int cmd, uint8_t *b, size_t len)
{
	struct vu_access access;
	struct vu_multi multi;
	struct vu_irq_set set;

	if (cmd == VU_REGION_WRITE && len >= sizeof(access)) {
		memcpy(&access, b, sizeof(access));
		access.count += len - sizeof(access) - 4;
		memcpy(b, &access, sizeof(access));
	} else if (cmd == VU_REGION_WRITE_MULTI && len >= sizeof(multi)) {
		memcpy(&multi, b, sizeof(multi));
		multi.count += (len - sizeof(multi)) / sizeof(struct vu_multi_write) - 1;
		memcpy(b, &multi, sizeof(multi));
	} else if (cmd == VU_SET_IRQS && len >= sizeof(set)) {
		memcpy(&set, b, sizeof(set));
		set.argsz += len - sizeof(set);
		memcpy(b, &set, sizeof(set));
	}
}

/* Make the descriptors of a message; return their number. */
static unsigned int fds_make(unsigned int cmd, uint8_t how, int *fds)
{
	unsigned int n = how >> 4, i;

	if (n > VFIO_USER_FDS_MAX)
		n = VFIO_USER_FDS_MAX;
	for (i = 0; i < n; i++) {
		unsigned int kind = cmd == VU_DMA_MAP ? FD_MEM : FD_EVENT;

		if (how & FUZZ_FDS)
			kind = byte() % FD_KINDS;
		fds[i] = dup(kinds[kind]);
	}
	return n;
}

/* Handle a message as if the socket had delivered it. Return 0 if that ends the connection. */
static int message(struct vfio_user *v)
{
	static uint8_t msg[VFIO_USER_MSG_MAX], reply[VFIO_USER_MSG_MAX];
	struct vu_hdr h = { .id = 1, .cmd = byte() % (VU_CMD_MAX + 1) };
	uint8_t how = byte(), extra = byte(), *body = msg + sizeof(h);
	int fds[VFIO_USER_FDS_MAX], ret;
	size_t len, reply_len, i;
	unsigned int n;

	sent |= 1u << h.cmd;
	n = fds_make(h.cmd, how, fds);
	memset(body, 0, 2 * BODY_MAX + 2);
	len = template(h.cmd, body);
	for (i = 0; i < extra && i < BODY_MAX; i++)
		body[i] ^= byte();
	if (extra > len)
		len = extra;
	body_counts(h.cmd, body, len);
	h.size = sizeof(h) + len;
	if (how & FUZZ_SIZE) {
		h.size += byte();
		h.size -= byte();
	}
	if (how & FUZZ_HDR) {
		h.flags ^= byte();
		h.error ^= byte();
	}
	memcpy(msg, &h, sizeof(h));
	ret = vfio_user_msg_size(v, msg);
	if (ret > 0)
		ret = vfio_user_msg(v, msg, ret, fds, n, reply, &reply_len);
	for (i = 0; i < n; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	if (ret && ret != -EPROTO)
		abort();
	if (ret && !*vfio_user_reason(v))
		abort();
	if (how & FUZZ_RUN && !ret)
		board_run(board, 8);
	return !ret;
}

/* Handle a message of this harness, which is valid. */
static void good(struct vfio_user *v, uint16_t cmd, const void *body, size_t len)
{
	static uint8_t msg[VFIO_USER_MSG_MAX], reply[VFIO_USER_MSG_MAX];
	struct vu_hdr h = { .id = 1, .cmd = cmd, .size = sizeof(h) + len };
	size_t reply_len;

	memcpy(msg, &h, sizeof(h));
	if (len)
		memcpy(msg + sizeof(h), body, len);
	if (vfio_user_msg(v, msg, h.size, NULL, 0, reply, &reply_len))
		abort();
}

/*
 * Return a connection in its initial state. Powering the card on takes a hundred times as long as
 * the messages of an input, so only inputs that ask for it get it. Otherwise the card keeps its
 * memory, and interrupts and mappings of the last input are undone.
 */
static struct vfio_user *connection(struct vfio_user *v, int fresh)
{
	struct vu_irq_set none = {
		sizeof(none), VFIO_IRQ_SET_DATA_NONE | VFIO_IRQ_SET_ACTION_TRIGGER, 0, 0, 0,
	};
	struct vu_dma_unmap all = { sizeof(all), VU_UNMAP_F_ALL, 0, 0 };
	uint8_t body[BODY_MAX];

	if (v && fresh) {
		vfio_user_free(v);
		v = NULL;
	}
	if (!v) {
		v = vfio_user_new(&front_board, board);
		if (!v)
			abort();
		vfio_user_sender(v, peer_send, NULL);
		if (!fresh)
			good(v, VU_VERSION, body, template(VU_VERSION, body));
		return v;
	}
	if (sent & (1u << VU_REGION_WRITE | 1u << VU_REGION_WRITE_MULTI))
		good(v, VU_RESET, NULL, 0);
	if (sent & 1u << VU_DMA_MAP)
		good(v, VU_DMA_UNMAP, &all, sizeof(all));
	for (; sent & 1u << VU_SET_IRQS && none.index < VFIO_PCI_NUM_IRQS; none.index++)
		if (none.index != VFIO_PCI_REQ_IRQ_INDEX && none.index != VFIO_PCI_MSI_IRQ_INDEX)
			good(v, VU_SET_IRQS, &none, sizeof(none));
	sent = 0;
	return v;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static unsigned int asked;
	static struct vfio_user *v;
	unsigned int n;
	int fresh;

	in.p = data;
	in.left = size;
	fresh = byte() == FRESH && asked++ % FRESH_EVERY == 0;
	v = connection(v, fresh);
	for (n = 0; in.left && n < MESSAGES_MAX; n++)
		if (!message(v))
			break;
	/* The next input needs a new card: this input's connection may still be in any state. */
	if (fresh) {
		vfio_user_free(v);
		v = NULL;
	}
	return 0;
}
