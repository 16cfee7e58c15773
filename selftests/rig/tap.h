/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* tap.h - TAP output of test programs, most of them in the guest. */
#ifndef TAP_H
#define TAP_H

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "slowly.h"

extern int tap_count;

bool ok(bool good, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
bool is(long got, long want, const char *what);
bool fails(long got, int want, const char *what);
void skip(const char *name, const char *why);
int tap_done(void);
void __attribute__((noreturn)) die(const char *what);

#endif /* TAP_H */
