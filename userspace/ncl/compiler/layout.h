/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* layout.h - the layout of variables in their BPF maps. */
#ifndef NCLC_LAYOUT_H
#define NCLC_LAYOUT_H

#include "nclc.h"

/* Returns false if accesses were split: collect them again. */
bool layout_decide(struct place *at);

#endif /* NCLC_LAYOUT_H */
