/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * bpf_host.h - the host's side of the card's BPF application, for tests. It drives the rings of
 * the control vNIC in the same way as the stock driver.
 */
#ifndef BPF_HOST_H
#define BPF_HOST_H

#include "bpf_caps.h"
#include "bpf_ctrl.h"
#include "bpf_maps.h"
#include "bpf_prog.h"
#include "bytes.h"
#include "mem_map.h"
#include "nffw.h"
#include "vnic.h"
#include "vnic_ring.h"

#define CTRL_BAR	((uint64_t)BD_CTRL_ADDR)
#define CTRL_FLQ	252
#define CTRL_TXQ	253
#define CTRL_CFGQ	254
#define CTRL_VECTOR	2u
#define CTRL_SHIFT	8
#define CTRL_SLOTS	(1u << CTRL_SHIFT)

/* Offsets in host memory */
#define CTRL_TX_OFF	0x0u
#define CTRL_RX_OFF	0x2000u
#define CTRL_MSG_OFF	0x4000u
#define CTRL_BUF_OFF	0x10000u
#define CTRL_BUF_SIZE	2048u
#define CTRL_BUF_ROOM	1500u	/* buffer size that most tests give to the card */

struct bpf_host {
	struct host *h;
	uint32_t tx;		/* number of messages sent */
	uint32_t rx;		/* number of answers taken */
	uint32_t offered;	/* number of buffers offered */
};

/* Offer the buffers of the next @n slots. */
static inline void bpf_offer(struct bpf_host *c, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = c->offered++ % CTRL_SLOTS;

		vnic_fl_desc(c->h->mem + CTRL_RX_OFF + 8 * at,
			     HOST_BASE + CTRL_BUF_OFF + CTRL_BUF_SIZE * at);
	}
	pcie_write(c->h, QC(CTRL_FLQ, ADD_WPTR), n);
}

/* Configure the rings for answers of up to @room bytes, and offer @buffers buffers. */
static inline void bpf_open(struct bpf_host *c, uint32_t buffers, uint32_t room)
{
	struct host *h = c->h;

	mu_write(h, CTRL_BAR + 0x200, HOST_BASE + CTRL_TX_OFF, 8);
	mu_write(h, CTRL_BAR + 0x600, CTRL_SHIFT, 1);
	mu_write(h, CTRL_BAR + 0x640, CTRL_VECTOR, 1);
	mu_write(h, CTRL_BAR + 0x800, HOST_BASE + CTRL_RX_OFF, 8);
	mu_write(h, CTRL_BAR + 0xa00, CTRL_SHIFT, 1);
	mu_write(h, CTRL_BAR + 0xa40, CTRL_VECTOR, 1);
	mu_write(h, CTRL_BAR + 0x08, 1, 8);
	mu_write(h, CTRL_BAR + 0x10, 1, 8);
	mu_write(h, CTRL_BAR + 0x1c, room, 4);
	assert_int_equal(vnic_reconfig(h, CTRL_BAR, CTRL_CFGQ, 1, 0x23), 0);
	memset(h->mem + CTRL_RX_OFF, 0, 8 * CTRL_SLOTS);
	c->tx = 0;
	c->rx = 0;
	c->offered = 0;
	host_arm(h, CTRL_VECTOR, true);
	bpf_offer(c, buffers);
}

/* Put a message into the TX ring, ring the doorbell, and run the card. */
static inline void bpf_post(struct bpf_host *c, const void *msg, uint16_t len)
{
	memcpy(c->h->mem + CTRL_MSG_OFF, msg, len);
	vnic_tx_desc(c->h->mem + CTRL_TX_OFF + 16 * (c->tx++ % CTRL_SLOTS),
		     HOST_BASE + CTRL_MSG_OFF, len, true, len);
	pcie_write(c->h, QC(CTRL_TXQ, ADD_WPTR), 1);
	host_run(c->h);
}

/* Return the next answer and its length, or NULL. Offer its buffer to the card again. */
static inline const uint8_t *bpf_take(struct bpf_host *c, uint32_t *len)
{
	uint32_t slot = c->rx % CTRL_SLOTS;
	const uint8_t *d = c->h->mem + CTRL_RX_OFF + 8 * slot;

	if (!(d[3] & 0x80))
		return NULL;
	assert_int_equal(d[3] & 0x7f, 0);
	assert_int_equal(d[2] | bd_get32(d + 4), 0);
	*len = bd_get16(d);
	assert_in_range(*len, 1, CTRL_BUF_ROOM);
	c->rx++;
	bpf_offer(c, 1);
	/* Do what the driver does after each interrupt: unmask the vector, and flush the write. */
	mu_write(c->h, CTRL_BAR + 0xc00 + CTRL_VECTOR, 0, 1);
	mu_read(c->h, CTRL_BAR + 0x30, 4);
	return c->h->mem + CTRL_BUF_OFF + CTRL_BUF_SIZE * slot;
}

static inline int bpf_setup(void **state)
{
	struct bpf_host *c = calloc(1, sizeof(*c));
	char err[256];

	assert_non_null(c);
	c->h = host_create_full(NULL, NULL);
	assert_int_equal(board_set(c->h->b, "app", "bpf", err, sizeof(err)), 0);
	bpf_open(c, CTRL_SLOTS - 16, CTRL_BUF_ROOM);
	*state = c;
	return 0;
}

static inline int bpf_teardown(void **state)
{
	struct bpf_host *c = *state;

	host_destroy(c->h);
	free(c);
	return 0;
}

#endif /* BPF_HOST_H */
