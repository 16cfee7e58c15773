/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* left.h - what programs have left behind, which is to be nothing. */
#ifndef CHAN_FUZZ_LEFT_H
#define CHAN_FUZZ_LEFT_H

#include <stdbool.h>

void left_init(void);
bool left_nothing(void);
bool left_working(void);
const char *left_pci(void);

#endif /* CHAN_FUZZ_LEFT_H */
