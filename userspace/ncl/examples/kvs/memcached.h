/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* memcached.h - GET and SET by memcached's text protocol, over TCP. */
#ifndef MEMCACHED_H
#define MEMCACHED_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct memcached {
	FILE *in, *out;
};

/* Connect to memcached on this machine. Returns 0 or the -errno of connect(2) and others. */
int memcached_open(struct memcached *m, uint16_t port);

/*
 * Read a value into @val, which has @room bytes. Returns the value's size, -ENOENT, -E2BIG,
 * -EPROTO or -EIO.
 */
int memcached_get(struct memcached *m, uint64_t key, char *val, size_t room);

/* Write a value. Returns 0, -EPROTO (memcached refused it) or -EIO. */
int memcached_set(struct memcached *m, uint64_t key, const char *val, size_t len);

#endif /* MEMCACHED_H */
