/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * chan_xdp.h - events of offloaded programs into channels: the table and the
 * buffers of chan_xdp_abi.h, for the managers and the event process.
 */
#ifndef CHAN_XDP_H
#define CHAN_XDP_H

#include <chan_xdp_abi.h>
#include <nfp.h>

extern __export __emem struct chan_xdp chan_xdp;
extern __export __emem uint8_t chan_xdp_buf[CHAN_XDP_BUFS][CHAN_XDP_BUF_SIZE];

/* chan_xdp.c. Only the control context calls these. */
__swaps void chan_xdp_init(void);
__swaps int chan_xdp_bind(unsigned int pipe, uint32_t map_id);
__swaps int chan_xdp_unbind(unsigned int pipe, uint32_t map_id);
__swaps void chan_xdp_release(unsigned int pipe);

#endif /* CHAN_XDP_H */
