// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* mark_tx.c - send marked frames back; the mark tells which program has handled it. */
#define MARK	't'
#define MARKED	XDP_TX
#include "mark.h"
