/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * chan_device.h - what control and the processes that drive a device share.
 *
 * Control writes chan_device, then counts chan_device_want up, and signals the process. The
 * process reads chan_device, copies the count to chan_device_have, and signals control, which
 * waits for that.
 */
#ifndef CHAN_DEVICE_H
#define CHAN_DEVICE_H

#include <nfp_chan_fw.h>
#include <nfp.h>
#include "chan_table.h"

#define CHAN_DEVICES	2	/* processes of glue.chan, the contexts of one microengine */

static const uint8_t chan_device_in[CHAN_DEVICES] = { CHAN_ID_DEV0_IN, CHAN_ID_DEV1_IN };
static const uint8_t chan_device_out[CHAN_DEVICES] = { CHAN_ID_DEV0_OUT, CHAN_ID_DEV1_OUT };

/* Signal of the control context: SIG_WAKE. */
#define CHAN_DEVICE_SIG	1

/**
 * struct chan_device - a process' device
 * @doorbell: DMA address of the doorbell; 0: there is no device
 * @descs: DMA address of the descriptors
 * @in: DMA address of the input of slot 0
 * @out: DMA address of the output of slot 0
 * @dev_in: address of the input of slot 0 as the device sees it
 * @dev_out: address of the output of slot 0 as the device sees it
 * @status_ok: this field and the next four are those of @req as numbers
 * @req: the request that has given the device
 */
struct chan_device {
	uint64_t doorbell;
	uint64_t descs;
	uint64_t in;
	uint64_t out;
	uint64_t dev_in;
	uint64_t dev_out;
	uint32_t status_ok;
	uint16_t in_size;
	uint16_t out_size;
	uint16_t skip;
	uint16_t slots;
	struct nfp_chan_fw_device req;
};

extern __export __emem struct chan_device chan_device[CHAN_DEVICES];
extern __export __emem uint32_t chan_device_want[CHAN_DEVICES];
extern __export __emem uint32_t chan_device_have[CHAN_DEVICES];
extern __export __emem uint32_t chan_device_lost[CHAN_DEVICES];

#endif /* CHAN_DEVICE_H */
