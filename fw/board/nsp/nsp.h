/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nsp.h - the service processor: its registers are memory that the host writes.
 */
#ifndef NSP_H
#define NSP_H

#include "board_int.h"

#define BD_OVERRIDES	16

struct bd_nsp {
	char override[BD_OVERRIDES][64];	/* HWINFO_SET: "key=value" */
	uint8_t port_state[BOARD_PORTS];	/* NSP_ETH_STATE bits 3:0 */
	uint8_t port_pause[BOARD_PORTS];	/* bit 0 TX, bit 1 RX */
	uint64_t commands;
	void (*port)(struct board *b, unsigned int port, bool up);
};

int bd_nsp_init(struct board *b);
void bd_nsp_reset(struct board *b);
/* @fn is told that the host turned a port on or off (NSP_ETH_CTRL_CONFIGURED). */
void bd_nsp_ports(struct board *b, void (*fn)(struct board *b, unsigned int port, bool up));
/* nsp_eth.c */
#define BD_ETH_TABLE_SIZE	(48 * 32)
unsigned int bd_nsp_eth_rescan(struct board *b, uint8_t *buf);
void bd_nsp_eth_control(struct board *b, const uint8_t *buf, uint32_t *ret, uint8_t *result);
void bd_sfp_read(unsigned int port, unsigned int off, void *buf, size_t len);

#endif /* NSP_H */
