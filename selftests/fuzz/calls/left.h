/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* left.h - check that programs have left nothing behind. */
#ifndef CHAN_FUZZ_LEFT_H
#define CHAN_FUZZ_LEFT_H

#include <stdbool.h>

void left_init(void);
bool left_nothing(void);
bool left_working(void);
const char *left_pci(void);

#endif /* CHAN_FUZZ_LEFT_H */
