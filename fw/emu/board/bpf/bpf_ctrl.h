/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bpf_ctrl.h - control messages between the BPF application and the stock driver
 * (ccm.h, bpf/cmsg.c, bpf/fw.h), over the rings of the control vNIC.
 */
#ifndef BPF_CTRL_H
#define BPF_CTRL_H

#include "board_int.h"

struct bd_ccm {
	uint64_t made;		/* maps that the host has created */
	uint64_t freed;		/* maps that the host has freed */
	uint64_t requests;
	uint64_t refused;	/* requests that were answered with an error */
	uint64_t dropped;	/* requests without an answer: no header, or no RX buffer */
	uint64_t events;
	uint64_t events_lost;	/* no RX buffer, or the event was too long for it */
};

/* Process a message from the control vNIC's TX ring, and answer it. */
void bd_ccm_message(struct board *b, const uint8_t *msg, uint32_t len);

/**
 * struct bd_event - arguments of bpf_perf_event_output()
 * @map_id: the kernel's id of the perf event array
 * @cpu: low half of the helper's flags; all ones: the current CPU
 * @pkt: first bytes of the packet
 * @pkt_len: number of these bytes
 * @data: data of the program
 * @data_len: bytes of @data
 */
struct bd_event {
	uint64_t map_id;
	uint32_t cpu;
	const void *pkt;
	uint32_t pkt_len;
	const void *data;
	uint32_t data_len;
};

/*
 * Send an event to the host. Return: 0, or -ENOSPC if the host has offered no buffer, or only
 * smaller ones.
 */
int bd_ccm_event(struct board *b, const struct bd_event *e);

#endif /* BPF_CTRL_H */
