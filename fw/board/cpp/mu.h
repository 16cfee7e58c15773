/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mu.h - memory units, for the CPP bus; firmware has them by board_fw.h.
 */
#ifndef MU_H
#define MU_H

#include "cpp.h"

struct bd_region {
	uint64_t addr;		/* normal form, see bd_mu_normal() */
	uint64_t len;
	uint8_t *mem;
};

/* What is written there, by commands on the bus, its owner is told. */
struct bd_watch {
	uint64_t addr;
	uint64_t len;
	void (*written)(struct board *b, uint64_t addr, size_t len);
};

#define BD_BUILTIN_MAX		16
#define BD_MAPPED_MAX		64

struct bd_mu {
	struct bd_region builtin[BD_BUILTIN_MAX];
	struct bd_region mapped[BD_MAPPED_MAX];
	unsigned int nbuiltin;
	unsigned int nmapped;
	const struct bd_watch *watch[4];
};

int bd_mu_init(struct board *b);
void bd_mu_exit(struct board *b);
void bd_mu_reset(struct board *b);	/* memory to 0, mappings gone */
void bd_mu_unmap(struct board *b);	/* mappings alone */
void bd_mu_watch(struct board *b, const struct bd_watch *w);
uint64_t bd_mu_normal(uint64_t addr);
/* 0, or -EFAULT: nothing there, or no such action; buf is then all ones. */
int bd_mu_read(struct board *b, const struct bd_cmd *c, void *buf, size_t len);
int bd_mu_write(struct board *b, const struct bd_cmd *c, const void *buf, size_t len);

void bd_mu_clear(void *mem, uint64_t len);	/* whole pages of a memory to 0 */

#endif /* MU_H */
