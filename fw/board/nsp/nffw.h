/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nffw.h - tables in the card's memory that describe it to the host: hardware
 * information, resources, loaded firmware with its symbols. For the board's
 * resets, and for the NSP.
 */
#ifndef NFFW_H
#define NFFW_H

#include "board_int.h"

#define BD_SYMBOLS	128

struct bd_symbol {
	char name[40];
	uint64_t addr;
	uint32_t len;
};

struct bd_nffw {
	struct bd_symbol sym[BD_SYMBOLS];
	unsigned int count;
};

void bd_nffw_reset(struct board *b);	/* no symbols but the NIC's */
void bd_nffw_build(struct board *b);
void bd_dump_spec(struct board *b);	/* dump_spec.c: its symbol */
/* Address of a symbol of @len bytes, 0 for none. */
uint64_t bd_nffw_symbol(const struct board *b, const char *name, uint32_t len);

uint32_t bd_crc32_posix(const void *buf, size_t len);
void bd_hwinfo_build(struct board *b);
/* Value of @key with overrides applied, or NULL. */
const char *bd_hwinfo_find(struct board *b, const char *key);
void bd_port_mac(const struct board *b, unsigned int port, uint8_t mac[6]);
void bd_resource_build(struct board *b);

#endif /* NFFW_H */
