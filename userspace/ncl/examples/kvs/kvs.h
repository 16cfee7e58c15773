/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Constants that kvs.cc and the programs of both hosts share. */
#ifndef KVS_H
#define KVS_H

#define KVS_ENTRIES	64	/* largest number of keys in the device */
#define KVS_VALUE	128	/* largest size of a value in bytes */
#define KVS_MISSING	(-1)	/* *len: the store does not have the key */
#define KVS_FAILED	(-2)	/* *len: memcached refused the value */

/* Arguments of query() */
enum { KVS_KEY, KVS_PUT, KVS_LEN, KVS_VAL };

#endif /* KVS_H */
