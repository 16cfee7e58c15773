// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* bpf_host.c - see bpf_host.h. */
#include "board/bpf_host.h"

void bpf_offer(struct bpf_host *c, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = c->offered++ % CTRL_SLOTS;

		vnic_fl_desc(c->h->mem + CTRL_RX_OFF + 8 * at,
			     HOST_BASE + CTRL_BUF_OFF + CTRL_BUF_SIZE * at);
	}
	pcie_write(c->h, QC(CTRL_FLQ, ADD_WPTR), n);
}

void bpf_open(struct bpf_host *c, uint32_t buffers, uint32_t room)
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

void bpf_post(struct bpf_host *c, const void *msg, uint16_t len)
{
	memcpy(c->h->mem + CTRL_MSG_OFF, msg, len);
	vnic_tx_desc(c->h->mem + CTRL_TX_OFF + 16 * (c->tx++ % CTRL_SLOTS),
		     HOST_BASE + CTRL_MSG_OFF, len, true, len);
	pcie_write(c->h, QC(CTRL_TXQ, ADD_WPTR), 1);
	host_run(c->h);
}

const uint8_t *bpf_take(struct bpf_host *c, uint32_t *len)
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

int bpf_setup(void **state)
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

int bpf_teardown(void **state)
{
	struct bpf_host *c = *state;

	host_destroy(c->h);
	free(c);
	return 0;
}
