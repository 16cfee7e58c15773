/* SPDX-License-Identifier: BSD-2-Clause */
/* nsp.h - the service processor (NSP). Its registers are memory that the host writes. */
#ifndef NSP_H
#define NSP_H

#include "board_int.h"

#define BD_OVERRIDES	16

/* Rate and forward error correction (FEC) of a port, encoded as in NSP_ETH_STATE. */
enum bd_eth_rate {
	BD_ETH_10G = 4,
	BD_ETH_25G = 5,
};

enum bd_eth_fec {
	BD_FEC_AUTO,
	BD_FEC_BASER,
	BD_FEC_RS,
	BD_FEC_OFF,
};

/*
 * Settings of a port that the host makes. They last until power-off. A real card keeps them in
 * its flash.
 */
struct bd_nsp_port {
	uint8_t state;		/* NSP_ETH_STATE bits 3:0 */
	uint8_t pause;		/* bit 0 TX, bit 1 RX */
	uint8_t rate;		/* enum bd_eth_rate */
	uint8_t fec;		/* enum bd_eth_fec */
};

struct bd_nsp {
	char override[BD_OVERRIDES][64];	/* set by HWINFO_SET: "key=value" */
	struct bd_nsp_port port[BOARD_PORTS];
	uint64_t commands;
	void (*changed)(struct board *b, unsigned int port);
};

/**
 * struct bd_nsp_file - a file that the host gives with a command
 * @len: bytes
 * @dma: the file is in the host's memory, in the pieces that the list at @list names
 * @buf: otherwise: the file, in the NSP's buffer, which has @room bytes from there on
 */
struct bd_nsp_file {
	uint32_t len;
	bool dma;
	uint64_t list;
	const uint8_t *buf;
	uint32_t room;
};

/*
 * Return value of a command that loads firmware: the driver prints "Firmware loading failure" with
 * the reason (nfpcore/nfp_nsp.c, nfp_nsp_load_fw_extended_msg()).
 */
#define BD_FW_FAILED(why)	(2u << 8 | (uint32_t)(why) << 16)

int bd_nsp_init(struct board *b);
void bd_nsp_reset(struct board *b);
/* Register @fn. It is called when the host has set a port: on or off, its rate or its FEC. */
void bd_nsp_ports(struct board *b, void (*fn)(struct board *b, unsigned int port));
/* fw_load.c. Return: the result for STATUS. @ret: the return value */
uint8_t bd_nsp_fw_load(struct board *b, const struct bd_nsp_file *f, uint32_t *ret);
/* nsp_eth.c */
void bd_nsp_eth_reset(struct board *b);
/*
 * Return the signal that a port sends: a number made of rate and FEC, or 0 while the port is off.
 * A wire has link when both of its ends send the same signal.
 */
unsigned int bd_nsp_signal(const struct board *b, unsigned int port);
#define BD_ETH_TABLE_SIZE	(48 * 32)
unsigned int bd_nsp_eth_rescan(struct board *b, uint8_t *buf);
void bd_nsp_eth_control(struct board *b, const uint8_t *buf, uint32_t *ret, uint8_t *result);
void bd_sfp_read(unsigned int port, unsigned int off, void *buf, size_t len);

#endif /* NSP_H */
