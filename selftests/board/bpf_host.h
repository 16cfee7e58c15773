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
void bpf_offer(struct bpf_host *c, uint32_t n);

/* Configure the rings for answers of up to @room bytes, and offer @buffers buffers. */
void bpf_open(struct bpf_host *c, uint32_t buffers, uint32_t room);

/* Put a message into the TX ring, ring the doorbell, and run the card. */
void bpf_post(struct bpf_host *c, const void *msg, uint16_t len);

/* Return the next answer and its length, or NULL. Offer its buffer to the card again. */
const uint8_t *bpf_take(struct bpf_host *c, uint32_t *len);
int bpf_setup(void **state);
int bpf_teardown(void **state);

#endif /* BPF_HOST_H */
