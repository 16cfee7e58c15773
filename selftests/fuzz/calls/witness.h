/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* witness.h - other users of the card, whose data programs must not affect. */
#ifndef CHAN_FUZZ_WITNESS_H
#define CHAN_FUZZ_WITNESS_H

#include <stdbool.h>

void witness_start(void);
bool witness_go(void);
void witness_turn(void);
bool witness_halt(void);
bool witness_stop(void);

#endif /* CHAN_FUZZ_WITNESS_H */
