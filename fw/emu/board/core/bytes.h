/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bytes.h - little-endian and big-endian fields at any address.
 */
#ifndef BYTES_H
#define BYTES_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

static inline uint16_t bd_get16(const void *p)
{
	uint16_t v;

	memcpy(&v, p, sizeof(v));
	return le16toh(v);
}

static inline uint32_t bd_get32(const void *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return le32toh(v);
}

static inline uint64_t bd_get64(const void *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return le64toh(v);
}

static inline void bd_put16(void *p, uint16_t v)
{
	v = htole16(v);
	memcpy(p, &v, sizeof(v));
}

static inline void bd_put32(void *p, uint32_t v)
{
	v = htole32(v);
	memcpy(p, &v, sizeof(v));
}

static inline void bd_put64(void *p, uint64_t v)
{
	v = htole64(v);
	memcpy(p, &v, sizeof(v));
}

static inline void bd_add64(void *p, uint64_t n)
{
	bd_put64(p, bd_get64(p) + n);
}

static inline uint16_t bd_be16(const void *p)
{
	return __builtin_bswap16(bd_get16(p));
}

static inline uint32_t bd_be32(const void *p)
{
	return __builtin_bswap32(bd_get32(p));
}

static inline void bd_put_be16(void *p, uint16_t v)
{
	bd_put16(p, __builtin_bswap16(v));
}

static inline void bd_put_be32(void *p, uint32_t v)
{
	bd_put32(p, __builtin_bswap32(v));
}

#endif /* BYTES_H */
