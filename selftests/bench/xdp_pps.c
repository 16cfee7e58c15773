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

#include "bench_vnic.h"
#include "me.h"
#include "xdp_images.h"

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
	struct bench_rx rx;
	uint8_t *image;
	uint64_t image_bus;
	uint8_t frame[FRAME_LEN];
	unsigned int waiting;	/* frames at the wire that the port has not taken */
	unsigned int sent;	/* frames that the program has sent back */
} t;

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
		uint64_t word = htole64(me_ecc(words[i]));

		memcpy(t.image + 8 * i, &word, 8);
	}
	bench_bar(t.h, 0, BPF_SIZE, size / 8, 2);
	bench_bar(t.h, 0, BPF_ADDR, t.image_bus, 8);
	bench_update(t.h, 0, CTRL, UPDATE_BPF);
	bench_update(t.h, 0, CTRL | CTRL_BPF, UPDATE_GEN);
}

/* Return how many frames have met @verdict: 0 pass, 1 drop, 2 sent back. */
static uint64_t counted(unsigned int verdict)
{
	return mu_read(t.h, BAR(0) + PASSED + 16 * verdict, 8);
}

static uint64_t batch(void *ctx)
{
	unsigned int *verdict = ctx;
	uint64_t before = counted(*verdict);

	t.waiting = BATCH;
	t.sent = 0;
	host_run(t.h);
	if (counted(*verdict) - before != BATCH || t.waiting ||
	    bench_taken(&t.rx) != (*verdict ? 0 : BATCH) || t.sent != (*verdict == 2 ? BATCH : 0))
		bench_fail("frames were lost, or met another verdict");
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
	bench_receive(&t.rx, t.h, 0);
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
