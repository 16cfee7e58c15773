/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cpp.h - the CPP bus: commands that the windows send to targets, and the targets' numbers.
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

#define BD_ACT_RW	32	/* not a card's action: as the host reads or writes */

/* A CPP command: target, action and token have the values listed in nfp_target.c. */
struct bd_cmd {
	uint8_t target;
	uint8_t action;
	uint8_t token;
	uint8_t mask;		/* byte mask, the operand of "immediate" actions */
	uint64_t addr;
};

struct bd_cpp {
	uint64_t unsupported;	/* number of commands that no target took */
};

void bd_cpp_read(struct board *b, const struct bd_cmd *c, void *buf, size_t len);
void bd_cpp_write(struct board *b, const struct bd_cmd *c, const void *buf, size_t len);

#endif /* CPP_H */
