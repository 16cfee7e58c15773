/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nffw.h - tables in the card's memory that describe the card to the host: hardware information,
 * resources, loaded firmware and its symbols. The board's resets and the NSP use this.
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

void bd_nffw_reset(struct board *b);	/* only the NIC's symbols remain */
void bd_nffw_build(struct board *b);
/* dump_spec.c: write the dump specification and add its symbol */
void bd_dump_spec(struct board *b);
/* Address of the symbol @name if it has @len bytes; 0 otherwise. */
uint64_t bd_nffw_symbol(const struct board *b, const char *name, uint32_t len);

uint32_t bd_crc32_posix(const void *buf, size_t len);
void bd_hwinfo_build(struct board *b);
/* Value of @key, or of its override if there is one, or NULL. */
const char *bd_hwinfo_find(struct board *b, const char *key);
void bd_port_mac(const struct board *b, unsigned int port, uint8_t mac[6]);
void bd_resource_build(struct board *b);

#endif /* NFFW_H */
