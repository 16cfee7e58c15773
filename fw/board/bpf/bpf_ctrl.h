/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bpf_ctrl.h - control messages between the BPF application and the stock driver
 * (ccm.h, bpf/cmsg.c, bpf/fw.h), over the rings of the control vNIC.
 */
#ifndef BPF_CTRL_H
#define BPF_CTRL_H

#include "board_int.h"

struct bd_ccm {
	uint64_t made;		/* maps, and */
	uint64_t freed;		/* those, by the host */
	uint64_t requests;
	uint64_t refused;	/* answered with an error */
	uint64_t dropped;	/* not answered: no header, or no way back */
	uint64_t events;
	uint64_t events_lost;	/* no buffer of the host's, or too long for it */
};

/* A message has come on the control vNIC's TX ring. */
void bd_ccm_message(struct board *b, const uint8_t *msg, uint32_t len);

/**
 * struct bd_event - what a program gives to bpf_perf_event_output()
 * @map_id: the kernel's id of the perf event array
 * @cpu: low half of the helper's flags, all ones for the current CPU
 * @pkt: first bytes of the packet, @pkt_len of them
 * @data: the program's own bytes, @data_len of them
 */
struct bd_event {
	uint64_t map_id;
	uint32_t cpu;
	const void *pkt;
	uint32_t pkt_len;
	const void *data;
	uint32_t data_len;
};

/* To the host. -ENOSPC when it has no buffer, or none of that size. */
int bd_ccm_event(struct board *b, const struct bd_event *e);

#endif /* BPF_CTRL_H */
