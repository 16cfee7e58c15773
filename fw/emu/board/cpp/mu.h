/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mu.h - memory units, for the CPP bus. Firmware uses them through board_fw.h.
 */
#ifndef MU_H
#define MU_H

#include "cpp.h"

struct bd_region {
	uint64_t addr;		/* as bd_mu_normal() returns it */
	uint64_t len;
	uint8_t *mem;
};

/*
 * A range of memory that a unit watches: @written is called after a command on the bus has written
 * to any of the @len bytes at @addr.
 */
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
void bd_mu_reset(struct board *b);	/* zero all memory, remove mappings */
void bd_mu_unmap(struct board *b);	/* remove mappings only */
void bd_mu_forget(struct board *b);	/* zero all memory except that of the ARM, which is the NSP's */
void bd_mu_watch(struct board *b, const struct bd_watch *w);
uint64_t bd_mu_normal(uint64_t addr);
/*
 * Return 0, or -EFAULT if there is no memory or no such action. A failed read fills @buf with
 * ones.
 */
int bd_mu_read(struct board *b, const struct bd_cmd *c, void *buf, size_t len);
int bd_mu_write(struct board *b, const struct bd_cmd *c, const void *buf, size_t len);

void bd_mu_clear(void *mem, uint64_t len);	/* zero a memory of whole pages */

#endif /* MU_H */
