/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* explain_place.h - the object of a place, and the limits of a card. */
#ifndef NCLC_EXPLAIN_PLACE_H
#define NCLC_EXPLAIN_PLACE_H

#include "nclc.h"

/* Check the object of a place. Returns false if the target is a card and no card can run it. */
bool explain_object(struct place *at);
void explain_too_long(const struct place *at, unsigned int window, unsigned int fits);
void explain_print(const struct place *at, unsigned int window, unsigned int fits);

#endif /* NCLC_EXPLAIN_PLACE_H */
