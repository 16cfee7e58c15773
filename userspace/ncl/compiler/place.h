/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* place.h - compile the program for all places. */
#ifndef NCLC_PLACE_H
#define NCLC_PLACE_H

#include "nclc.h"

/* Compile @p for all places. Returns false if a card cannot run the object of a place. */
bool compile_places(struct program *p);

#endif /* NCLC_PLACE_H */
