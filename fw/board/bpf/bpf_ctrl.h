/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bpf_ctrl.h - control messages between the BPF application and the stock driver (ccm.h,
 * bpf/cmsg.c, bpf/fw.h), through the rings of the control vNIC.
 */
#ifndef BPF_CTRL_H
#define BPF_CTRL_H

#include "board_int.h"

struct bd_ccm {
	uint64_t made;		/* maps allocated */
	uint64_t freed;		/* maps freed by the host */
	uint64_t requests;
	uint64_t refused;	/* answered with an error */
	uint64_t dropped;	/* not answered: no header, or the answer was not delivered */
	uint64_t events;
	uint64_t events_lost;	/* no buffer of the host, or too long for the buffer */
};

/* Handle a message from the control vNIC's TX ring. */
void bd_ccm_message(struct board *b, const uint8_t *msg, uint32_t len);

/**
 * struct bd_event - arguments of bpf_perf_event_output()
 * @map_id: the kernel's id of the perf event array
 * @cpu: low half of the helper's flags; all ones for the current CPU
 * @pkt: first @pkt_len bytes of the packet
 * @data: @data_len bytes that the program adds
 */
struct bd_event {
	uint64_t map_id;
	uint32_t cpu;
	const void *pkt;
	uint32_t pkt_len;
	const void *data;
	uint32_t data_len;
};

/* Send an event to the host. Return -ENOSPC if the host offers no buffer of sufficient size. */
int bd_ccm_event(struct board *b, const struct bd_event *e);

#endif /* BPF_CTRL_H */
