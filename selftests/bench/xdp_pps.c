// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * xdp_pps.c - frames a second through offloaded programs, end to end, on one core. Frames wait at
 * the wire of a port, which takes them as fast as it can. The program drops a frame, sends it
 * back, or passes it to the host's buffers. The programs are C that the driver has translated, and
 * are loaded as the driver loads them.
 *
 * usage: xdp_pps [SECONDS]
 */
#define _GNU_SOURCE
#include <endian.h>

#define FW_HOST_PLAIN
#include "bench_time.h"
#include "fw_code.h"
#include "me.h"
#include "mem_map.h"
#include "vnic_ring.h"
#include "xdp_images.h"

#define RING_SHIFT	12
#define RING_SIZE	(1u << RING_SHIFT)
#define BUF_ROOM	1600u
#define BUF_SIZE	2048u
#define BAR		BD_VNIC_ADDR	/* of vNIC 0 */
#define FL_QUEUE	0
#define CFG_QUEUE	2
#define CTRL		0xa0a08637u	/* the driver's, without moderation; promiscuous */
#define UPDATE_ALL	0x127u
#define FRAME_LEN	60u		/* without the FCS */
#define BATCH		256u
#define CTRL_BPF	(1u << 27)
#define UPDATE_GEN	0x1u
#define UPDATE_BPF	0x400u
#define BPF_SIZE	0x8e
#define BPF_ADDR	0x90
#define PASSED		0xd90		/* counters of the verdicts, 16 bytes each */

static struct {
	struct host *h;
	uint8_t *ring, *bufs;	/* descriptors of buffers, and the buffers */
	uint64_t ring_bus, bufs_bus;
	uint32_t taken, given;
	uint8_t *image;
	uint64_t image_bus;
	uint8_t frame[FRAME_LEN];
	unsigned int waiting;	/* frames at the wire that the port has not taken */
	unsigned int sent;	/* frames that the program has sent back */
} t;

static void fail(const char *what)
{
	fprintf(stderr, "xdp_pps: %s\n", what);
	exit(1);
}

static void bar(uint32_t off, uint64_t v, unsigned int size)
{
	mu_write(t.h, BAR + off, v, size);
}

static void update(uint32_t ctrl, uint32_t what)
{
	if (vnic_reconfig(t.h, BAR, CFG_QUEUE, ctrl, what))
		fail("the vNIC refused its configuration");
}

static void offer(uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t slot = t.given++ % RING_SIZE;

		vnic_fl_desc(t.ring + 8 * slot, t.bufs_bus + BUF_SIZE * (uint64_t)slot);
	}
	qc_add_wptr(t.h, FL_QUEUE, n);
}

static void receive(void)
{
	t.ring = host_dma_alloc(t.h, 8 * RING_SIZE, &t.ring_bus);
	t.bufs = host_dma_alloc(t.h, BUF_SIZE * RING_SIZE, &t.bufs_bus);
	bar(0x800, t.ring_bus, 8);
	bar(0xa00, RING_SHIFT, 1);
	bar(0x10, 1, 8);
	bar(0x18, 1500, 4);
	bar(0x1c, BUF_ROOM, 4);
	update(CTRL, UPDATE_ALL);
	offer(RING_SIZE - 16);
}

/* Return how many frames have arrived, and offer their buffers again. */
static uint32_t taken(void)
{
	uint32_t n = 0;

	while (t.taken != t.given && t.ring[8 * (t.taken % RING_SIZE) + 3] & 0x80) {
		t.ring[8 * (t.taken++ % RING_SIZE) + 3] = 0;
		n++;
	}
	offer(n);
	return n;
}

static int wire_pull(void *ctx, struct board_frame *f)
{
	if (!t.waiting)
		return 0;
	t.waiting--;
	*f = (struct board_frame){ .data = t.frame, .caplen = FRAME_LEN, .len = FRAME_LEN };
	return 1;
}

static void wire_push(void *ctx, const struct board_frame *f)
{
	bench_sink += f->data[0];
	t.sent++;
}

static const struct board_wire_ops wire = { .live = true, .pull = wire_pull, .push = wire_push };

static void load(const uint64_t *words, size_t size)
{
	size_t i;

	for (i = 0; i < size / 8; i++) {
		uint64_t word = htole64(fw_ecc(words[i]));

		memcpy(t.image + 8 * i, &word, 8);
	}
	bar(BPF_SIZE, size / 8, 2);
	bar(BPF_ADDR, t.image_bus, 8);
	update(CTRL, UPDATE_BPF);
	update(CTRL | CTRL_BPF, UPDATE_GEN);
}

/* Return how many frames have met @verdict: 0 pass, 1 drop, 2 sent back. */
static uint64_t counted(unsigned int verdict)
{
	return mu_read(t.h, BAR + PASSED + 16 * verdict, 8);
}

static uint64_t batch(void *ctx)
{
	unsigned int *verdict = ctx;
	uint64_t before = counted(*verdict);

	t.waiting = BATCH;
	t.sent = 0;
	host_run(t.h);
	if (counted(*verdict) - before != BATCH || t.waiting ||
	    taken() != (*verdict ? 0 : BATCH) || t.sent != (*verdict == 2 ? BATCH : 0))
		fail("frames were lost, or met another verdict");
	return BATCH;
}

static void measure(const char *key, unsigned int verdict, uint16_t type)
{
	memset(t.frame, 0x5a, sizeof(t.frame));
	t.frame[12] = type >> 8;
	t.frame[13] = type & 0xff;
	bench_print(key, bench_rate(batch, &verdict) / 1e6);
}

int main(int argc, char **argv)
{
	bench_args(argc, argv);
	t.h = host_create_full(NULL, NULL);
	receive();
	board_wire(t.h->b, 0, &wire, NULL);
	t.image = host_dma_alloc(t.h, sizeof(image_macs), &t.image_bus);
	load(image_drop, sizeof(image_drop));
	measure("xdp_drop_Mpps", 1, 0x88b5);
	measure("xdp_pass_Mpps", 0, 0x0806);
	load(image_macs, sizeof(image_macs));
	measure("xdp_tx_Mpps", 2, 0x88b5);
	host_destroy(t.h);
	return 0;
}
