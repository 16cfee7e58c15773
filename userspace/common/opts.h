/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* opts.h - options of a caller that was compiled with another version of the library. */
#ifndef NFPCHAN_OPTS_H
#define NFPCHAN_OPTS_H

#include <stddef.h>

/**
 * opts_copy() - copy the caller's options
 * @to: out: the options as this library knows them
 * @known: bytes of @to
 * @from: the caller's options, which begin with their size
 * @given: that size, in bytes
 *
 * Fields that an older caller does not have become 0. A newer caller must leave the fields that
 * this library does not know at 0.
 *
 * Return: 0, -EINVAL (@given is less than a size_t has), -E2BIG (a byte beyond @known is not 0).
 */
int opts_copy(void *to, size_t known, const void *from, size_t given);

/* For the text of a failure of opts_copy(): the values are @given and @known. */
#define OPTS_TEXT	"options of %zu bytes: this library knows the first %zu, and beyond them all must be 0"

#endif /* NFPCHAN_OPTS_H */
