/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nffw.h - tables in the card's memory that describe the card to the host: hardware information,
 * resources, and the loaded firmware with its symbols.
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

void bd_nffw_reset(struct board *b);	/* keeps no symbols except those of the NIC firmware */
void bd_nffw_build(struct board *b);
void bd_dump_spec(struct board *b);	/* dump_spec.c */
/* Return the address of the symbol @name, or 0 if no symbol of @len bytes has that name. */
uint64_t bd_nffw_symbol(const struct board *b, const char *name, uint32_t len);

uint32_t bd_crc32_posix(const void *buf, size_t len);
void bd_hwinfo_build(struct board *b);
/*
 * Return the value of @key, or NULL. A value that the host has set (HWINFO_SET) overrides the
 * table.
 */
const char *bd_hwinfo_find(struct board *b, const char *key);
void bd_port_mac(const struct board *b, unsigned int port, uint8_t mac[6]);
void bd_resource_build(struct board *b);

#endif /* NFFW_H */
