// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Figure 4 of the paper, with windows for the whole array. seq: 64. fill: random */
#include "../../../userspace/ncl/examples/paper/fig4.c"
