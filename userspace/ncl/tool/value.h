/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* value.h - print variables of a device, as text or JSON. */
#ifndef NCL_VALUE_H
#define NCL_VALUE_H

#include "desc.h"
#include "json.h"

/*
 * Print a variable, whose BPF map is @fd. Returns 0, or -errno: the values printed until then are
 * right, the others are missing.
 */
int value_print(const struct desc_var *v, int fd);
int value_json(const struct desc_var *v, int fd, struct json *j);

#endif /* NCL_VALUE_H */
