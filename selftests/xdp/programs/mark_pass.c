// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* mark_pass.c - pass marked frames; the test replaces this program by mark_tx.c, and back. */
#define MARK	'p'
#define MARKED	XDP_PASS
#include "mark.h"
