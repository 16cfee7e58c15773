/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* annotate.h - specifiers, which clang stores as annotations. */
#ifndef NCLC_ANNOTATE_H
#define NCLC_ANNOTATE_H

#include "nclc.h"

/* Read the specifiers of functions and variables: each gets a kernel or a variable of @p. */
void annotate_all(struct program *p);
/* Read the specifiers of the parameters of @fn, the function of kernel @k. */
void annotate_params(struct kernel *k, LLVMValueRef fn);
/* The variable of @p for @global; a new one if there is none yet */
struct var *var_of(struct program *p, LLVMValueRef global);
/* The window size for a size @w in the source: @w, or scaled while window_search.c tries sizes */
unsigned int window_trial(unsigned int w);
/* All devices: the places of what has no _at_() */
places_t all_devices(const struct and_net *net);
/* The description limits the length of names: refuse a longer one. */
void check_text(const struct where *at, const char *what, const char *s);

#endif /* NCLC_ANNOTATE_H */
