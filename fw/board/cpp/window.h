/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * window.h - PCIe-to-CPP windows: what is behind the BARs, for the host's
 * accesses (board.h).
 */
#ifndef WINDOW_H
#define WINDOW_H

#include "board_int.h"

#define BD_P2C_CSRS	24
#define BD_EXPL_OFF	0x80
#define BD_EXPL_GROUPS	4
#define BD_EXPL_AREAS	4

struct bd_win {
	uint32_t csr[BD_P2C_CSRS];
	uint32_t expl[BD_EXPL_GROUPS][BD_EXPL_AREAS][3];
};

extern const struct bd_unit bd_win_unit;

void bd_win_reset(struct board *b);
/* @off from the first CSR: as at PCIe-internal 0x30000 and config 0x400 */
uint32_t bd_win_csr_read(const struct board *b, unsigned int off);
void bd_win_csr_write(struct board *b, unsigned int off, uint32_t v);

#endif /* WINDOW_H */
