/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cpp_window.h - PCIe-to-CPP windows, which decode accesses to the BARs. board.c passes the host's
 * accesses to them.
 */
#ifndef WINDOW_H
#define WINDOW_H

#include "board_int.h"

#define BD_P2C_CSRS	24
#define BD_EXPL_GROUPS	4
#define BD_EXPL_AREAS	4

struct bd_win {
	uint32_t csr[BD_P2C_CSRS];
	uint32_t expl[BD_EXPL_GROUPS][BD_EXPL_AREAS][3];
};

int bd_win_init(struct board *b);
void bd_win_reset(struct board *b);
void bd_win_read(struct board *b, unsigned int bar, uint64_t off, void *buf, size_t len);
void bd_win_write(struct board *b, unsigned int bar, uint64_t off, const void *buf, size_t len);

#endif /* WINDOW_H */
