/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * netcl.hpp - NetCL's dialect for a program that runs as plain C++ on the host; written from
 * "NetCL's dialect" in userspace/doc/NCL.rst, with ifs where the compiler's header has masks.
 */
#ifndef NETCL_HPP
#define NETCL_HPP

#include "ncl.h"

#define _kernel(id)
#define _at(...)
#define _spec(n)
#define _managed_
#define _lookup_

static inline void model_act_on(enum model_do what, unsigned int to)
{
	model_action.what = what;
	model_action.to = to;
}

#define _send_to_device(id)	model_act_on(MODEL_PASS, id)
#define _send_to_host(id)	model_act_on(MODEL_PASS, id)
#define _multicast(id)		model_act_on(MODEL_MULTICAST, id)
#define _reflect_long()		model_act_on(MODEL_PASS, window.from)

#define device			location

/* Entries that hosts have put into a table, by its address */
struct model_table {
	const void *at;
	uint32_t n;
	uint8_t there[64];	/* of a set: the value that a host gives a key */
};

static model_table model_tables[16];

static inline model_table &model_table_of(const void *at)
{
	unsigned int i = 0;

	while (model_tables[i].at && model_tables[i].at != at)
		i++;
	model_tables[i].at = at;
	return model_tables[i];
}

namespace ncl {

template<class T> struct just { typedef T type; };
template<class T> T least(T a, T b) { return b < a ? b : a; }
template<class T> T most(T a, T b) { return b > a ? b : a; }

template<class T> T up_to_end(T a, T b)
{
	T end = static_cast<T>(~static_cast<T>(0));

	return b > static_cast<T>(end - a) ? end : static_cast<T>(a + b);
}

template<class T> T down_to_0(T a, T b)
{
	return b >= a ? 0 : static_cast<T>(a - b);
}

#define MODEL_ATOMIC(name, what) \
	template<class T> T atomic_cond_##name(T *p, bool on, typename just<T>::type x = 1) \
	{ \
		T was = *p; \
		if (on) \
			*p = static_cast<T>(what); \
		return was; \
	} \
	template<class T> T atomic_cond_##name##_new(T *p, bool on, typename just<T>::type x = 1) \
	{ \
		atomic_cond_##name(p, on, x); \
		return *p; \
	} \
	template<class T> T atomic_##name(T *p, typename just<T>::type x = 1) \
	{ \
		return atomic_cond_##name(p, true, x); \
	} \
	template<class T> T atomic_##name##_new(T *p, typename just<T>::type x = 1) \
	{ \
		return atomic_cond_##name##_new(p, true, x); \
	}

MODEL_ATOMIC(add, was + x)
MODEL_ATOMIC(sub, was - x)
MODEL_ATOMIC(inc, was + x)
MODEL_ATOMIC(dec, was - x)
MODEL_ATOMIC(sadd, up_to_end<T>(was, x))
MODEL_ATOMIC(ssub, down_to_0<T>(was, x))
MODEL_ATOMIC(and, was & x)
MODEL_ATOMIC(or, was | x)
MODEL_ATOMIC(xor, was ^ x)
MODEL_ATOMIC(min, least<T>(was, x))
MODEL_ATOMIC(max, most<T>(was, x))
MODEL_ATOMIC(write, x)

template<class T> T atomic_read(T *p) { return *p; }

template<class T> T atomic_cond_read_or(T *p, bool on, typename just<T>::type other)
{
	if (on)
		return *p;
	return other;
}

template<class T> T atomic_cas(T *p, typename just<T>::type expected, typename just<T>::type x)
{
	T was = *p;

	if (was == expected)
		*p = x;
	return was;
}

/* ---- tables ---- */

template<class K, class V> struct kv { K key; V value; };
template<class K, class V> struct rv { K low, high; V value; };
template<class K, class V> using ncl_kv = kv<K, V>;
template<class K, class V> using ncl_rv = rv<K, V>;

template<class K, class V> bool fits(const kv<K, V> &e, K key) { return e.key == key; }
template<class K, class V> bool fits(const rv<K, V> &e, K key) { return !(key < e.low || key > e.high); }

template<class K, class V> const kv<K, V> *search(const kv<K, V> *e, uint32_t n, K key)
{
	for (; n; n--, e++)
		if (fits(*e, key))
			return e;
	return nullptr;
}

template<class K, class V> const rv<K, V> *search(const rv<K, V> *e, uint32_t n, K key)
{
	for (; n; n--, e++)
		if (fits(*e, key))
			return e;
	return nullptr;
}

template<class E, class K, class V> bool take(const E *e, const K &, V *to)
{
	if (e && to)
		*to = static_cast<V>(e->value);
	return e;
}

template<class K, class V, unsigned N, class T>
bool lookup(const kv<K, V> (&t)[N], typename just<K>::type key, T &to)
{
	return take(search(t, N, key), key, &to);
}

template<class K, class V, unsigned N, class T>
bool lookup(const rv<K, V> (&t)[N], typename just<K>::type key, T &to)
{
	return take(search(t, N, key), key, &to);
}

template<class K, class V, unsigned N, class T>
bool lookup(kv<K, V> (&t)[N], typename just<K>::type key, T &to)
{
	return take(search(t, model_table_of(t).n, key), key, &to);
}

template<class K, class V, unsigned N>
bool lookup(const kv<K, V> (&t)[N], typename just<K>::type key) { return search(t, N, key); }
template<class K, class V, unsigned N>
bool lookup(const rv<K, V> (&t)[N], typename just<K>::type key) { return search(t, N, key); }
template<class K, class V, unsigned N>
bool lookup(kv<K, V> (&t)[N], typename just<K>::type key)
{
	return search(t, model_table_of(t).n, key);
}

template<class T> bool is_in(const T *set, uint32_t n, T key)
{
	while (n)
		if (set[--n] == key)
			return true;
	return false;
}

template<class T, unsigned N> bool lookup(const T (&set)[N], typename just<T>::type key)
{
	return is_in(set, N, key);
}

template<class T, unsigned N> bool lookup(T (&set)[N], typename just<T>::type key)
{
	return is_in(set, model_table_of(set).n, key);
}

/* ---- a host's accesses, for the table that wrap.py writes ---- */

template<class K, class V, unsigned N>
int model_table_put(kv<K, V> (&t)[N], const void *key, const void *value)
{
	return model_put(t, &model_table_of(t).n, N, sizeof(*t), offsetof(__typeof__(*t), value), key,
			 sizeof(K), value, sizeof(V));
}

template<class K, class V, unsigned N>
const void *model_table_get(kv<K, V> (&t)[N], const void *key)
{
	return model_find(t, model_table_of(t).n, sizeof(*t), offsetof(__typeof__(*t), value), key,
			  sizeof(K));
}

template<class T, unsigned N>
int model_table_put(T (&set)[N], const void *key, const void *value)
{
	model_table &m = model_table_of(set);
	const T *e = static_cast<const T *>(model_find(set, m.n, sizeof(T), 0, key, sizeof(T)));
	uint32_t i = e ? e - set : m.n;

	if (i == N)
		return -1;
	memcpy(&set[i], key, sizeof(T));
	m.there[i] = *static_cast<const uint8_t *>(value);
	m.n += !e;
	return 0;
}

template<class T, unsigned N> const void *model_table_get(T (&set)[N], const void *key)
{
	model_table &m = model_table_of(set);
	const T *e = static_cast<const T *>(model_find(set, m.n, sizeof(T), 0, key, sizeof(T)));

	return e ? &m.there[e - set] : nullptr;
}

template<class T> bool bit_chk(T x, unsigned int n) { return (x >> n) % 2; }
template<unsigned int N, class T> bool bit_chk(T x) { return (x >> N) % 2; }
template<class T> T bit_set(T x, unsigned int n) { return x | (T)1 << n; }
template<class T> T bit_clr(T x, unsigned int n) { return bit_chk(x, n) ? x - ((T)1 << n) : x; }

namespace tna {

/* 16 or 32 bits of the key at a time */
template<unsigned int W> uint32_t xor_of(uint64_t key)
{
	uint32_t x = 0;

	for (unsigned int i = 0; i < 64; i += W)
		x ^= (key >> i) & ((1ull << W) - 1);
	return x;
}

/* The hashes that stand for a Tofino's, as userspace/doc/NCL.rst has them */
template<uint64_t A, uint64_t C, unsigned int B> uint32_t mixed(uint64_t key)
{
	uint64_t x = ((key % (1ull << 32)) ^ C) * A % (1ull << 32);

	x = ((x ^ x / (1 << 15)) + (key >> 32)) % (1ull << 32);
	x = x * (C | 1) % (1ull << 32);
	return (x ^ x / (1 << 13)) % (1ull << B);
}

template<unsigned int B> uint32_t crc16(uint64_t key) { return mixed<0x8005a001, 0x3d65c58b, B>(key); }
template<unsigned int B> uint32_t crc32(uint64_t key) { return mixed<0xedb88321, 0x04c11db7, B>(key); }
template<unsigned int B> uint32_t crc64(uint64_t key) { return mixed<0x42f0e1eb, 0xa9ea3693, B>(key); }

template<unsigned int B> uint32_t xor16(uint64_t key) { return xor_of<16>(key) % (1ull << B); }
template<unsigned int B> uint32_t xor32(uint64_t key) { return xor_of<32>(key) % (1ull << B); }

} /* namespace tna */

} /* namespace ncl */

#endif /* NETCL_HPP */
