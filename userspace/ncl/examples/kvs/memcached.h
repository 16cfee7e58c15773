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

/* Connect to the port on this machine. -errno of connect(2) and others */
int memcached_open(struct memcached *m, uint16_t port);

/* Bytes of the value, of which @val has room for @room; -ENOENT, -E2BIG, -EPROTO, -EIO */
int memcached_get(struct memcached *m, uint64_t key, char *val, size_t room);

/* 0, -EPROTO (it refused), -EIO */
int memcached_set(struct memcached *m, uint64_t key, const char *val, size_t len);

#endif /* MEMCACHED_H */
