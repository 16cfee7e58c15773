/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* window_search.h - the largest window with which a program fits a card. */
#ifndef NCLC_WINDOW_SEARCH_H
#define NCLC_WINDOW_SEARCH_H

#include "nclc.h"

/*
 * The largest window with which the program fits a card; 0: none fits. *@of is the program's
 * largest window now. @fits_now: the program fits with that.
 */
unsigned int largest_window(const struct program *p, unsigned int *of, bool fits_now);

#endif /* NCLC_WINDOW_SEARCH_H */
