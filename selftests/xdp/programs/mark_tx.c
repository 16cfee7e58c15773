// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* mark_tx.c - the other one; a frame tells which of them has seen it. */
#define MARK	't'
#define MARKED	XDP_TX
#include "mark.h"
