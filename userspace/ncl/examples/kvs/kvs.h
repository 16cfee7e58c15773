/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* What kvs.cc and both hosts agree on. */
#ifndef KVS_H
#define KVS_H

#define KVS_ENTRIES	64	/* keys that the device has, at most */
#define KVS_VALUE	128	/* bytes of a value, at most */
#define KVS_MISSING	(-1)	/* *len: there is no such key */
#define KVS_FAILED	(-2)	/* *len: memcached refused it */

/* Arguments of query() */
enum { KVS_KEY, KVS_PUT, KVS_LEN, KVS_VAL };

#endif /* KVS_H */
