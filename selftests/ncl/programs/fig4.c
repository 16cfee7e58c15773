// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Fig. 4 of the paper, with windows of the whole array. seq: 64. fill: random */
#include "../../../userspace/ncl/examples/paper/fig4.c"
