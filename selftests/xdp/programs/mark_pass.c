// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* mark_pass.c - one of two programs that replace each other: see mark_tx.c. */
#define MARK	'p'
#define MARKED	XDP_PASS
#include "mark.h"
