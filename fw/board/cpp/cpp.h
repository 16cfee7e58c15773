/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cpp.h - the CPP bus: commands to its targets, for the windows; numbers of
 * the targets, for tables that name them.
 */
#ifndef CPP_H
#define CPP_H

#include "board_int.h"

enum bd_cpp_target {
	BD_CPP_PCIE0 = 0,
	BD_CPP_MU = 7,
	BD_CPP_PCIE = 9,
	BD_CPP_ARM = 10,
	BD_CPP_XPB = 14,
};

#define BD_ACT_RW	32	/* not a command: read or write as the host does */

/* A command: target, action and token as nfp_target.c lists them. */
struct bd_cmd {
	uint8_t target;
	uint8_t action;
	uint8_t token;
	uint8_t mask;		/* byte mask, the operand of "immediate" actions */
	uint64_t addr;
};

struct bd_cpp {
	uint64_t unsupported;	/* commands that nothing answers */
};

void bd_cpp_read(struct board *b, const struct bd_cmd *c, void *buf, size_t len);
void bd_cpp_write(struct board *b, const struct bd_cmd *c, const void *buf, size_t len);

#endif /* CPP_H */
