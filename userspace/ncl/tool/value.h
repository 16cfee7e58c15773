/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* value.h - variables of a device, as text and in JSON. */
#ifndef NCL_VALUE_H
#define NCL_VALUE_H

#include "desc.h"
#include "json.h"

/*
 * Print a variable, whose BPF map is @fd. 0, or -errno: then the values that were printed are
 * right, and others are missing.
 */
int value_print(const struct desc_var *v, int fd);
int value_json(const struct desc_var *v, int fd, struct json *j);

#endif /* NCL_VALUE_H */
