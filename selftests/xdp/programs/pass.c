// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* pass.c - the smallest program. */
#define NO_LICENSE
#include "diff.h"

SEC("xdp") int pass(struct xdp_md *ctx) { return XDP_PASS; }
