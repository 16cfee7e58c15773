/* refused: kernel 'k' has no body */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

_net_ _out_ _win_(1) void k(uint32_t *v);

void (*host)(uint32_t *v) = k;
