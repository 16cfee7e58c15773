/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * netcl.hpp - NetCL's dialect of NCL, in C++.
 *
 * Files in this dialect include no header: nclc -include netcl.hpp FILE.cpp --and NET.and. Numbers
 * of devices, hosts and groups are those of the AND file. "NetCL's dialect" in userspace/doc/NCL.rst
 * shows the NCL form of each construct.
 */
#ifndef NETCL_HPP
#define NETCL_HPP

#ifndef __cplusplus
#error "NetCL's dialect is C++"
#endif

#include "ncl.h"

/* ---- specifiers ---- */

/* Functions with the same number are versions of one kernel for different places. */
#define _kernel(id)	_net_ _out_ __attribute__((annotate("ncl.id", id)))
/* Numbers of devices */
#define _at(...)	__attribute__((annotate("ncl.at", __VA_ARGS__)))
/* Elements of a pointer argument that one window carries */
#define _spec(n)	__attribute__((annotate("ncl.spec", n)))
/* Hosts may write the variable as well. */
#define _managed_	_net_ __attribute__((annotate("ncl.managed")))
/* A table for lookup(): const with initial values, or _managed_ */
#define _lookup_	__attribute__((annotate("ncl.lookup"), used))

/* ---- what happens to the window ---- */

extern "C" {
/* Return @id. nclc checks the number if it is a constant. */
uint32_t ncl_device_(uint32_t id) __attribute__((const));
uint32_t ncl_host_(uint32_t id) __attribute__((const));
uint32_t ncl_group_(uint32_t id) __attribute__((const));
}

#define _send_to_device(id)	ncl_decide_(NCL_PASS, ncl_device_(id))
#define _send_to_host(id)	ncl_decide_(NCL_PASS, ncl_host_(id))
/* To the members of a group, "multicast ID LABEL..." of the AND file */
#define _multicast(id)		ncl_decide_(NCL_MULTICAST, ncl_group_(id))
/* To the node that sent the window, through the kernels of other devices on the way */
#define _reflect_long()		ncl_decide_(NCL_PASS, window.from)

namespace ncl {

/* The device that runs the kernel: device.id */
extern __thread const ::ncl_location device __asm__("location");

/* ---- atomics ---- */

template<class T> struct same { typedef T type; };

/* All bits set if @on, else 0. clang then masks the value instead of branching. */
template<class T> NCL_INLINE_ T mask_(bool on)
{
	if (sizeof(T) > 4) {
		uint64_t all = -static_cast<uint64_t>(on);

		__asm__("" : "+r"(all));
		return static_cast<T>(all);
	}
	uint32_t all = -static_cast<uint32_t>(on);

	__asm__("" : "+r"(all));	/* keep clang from making branches */
	return static_cast<T>(all);
}

/*
 * A kernel holds a lock where it needs one, so the atomics are plain reads and writes. A
 * conditional atomic chooses a value instead of a branch: accesses in one basic block share one map
 * look-up. @off is the value that changes nothing.
 */
#define NCL_ATOMIC_(name, expr, off) \
	template<class T> NCL_INLINE_ T atomic_##name(T *p, typename same<T>::type x) \
	{ \
		T old = *p; \
		*p = static_cast<T>(expr); \
		(void)x; \
		return old; \
	} \
	template<class T> NCL_INLINE_ T atomic_##name##_new(T *p, typename same<T>::type x) \
	{ \
		T old = *p, now = static_cast<T>(expr); \
		(void)x; \
		*p = now; \
		return now; \
	} \
	template<class T> NCL_INLINE_ T atomic_cond_##name(T *p, bool on, typename same<T>::type x) \
	{ \
		T old = *p; \
		x = static_cast<T>(off); \
		*p = static_cast<T>(expr); \
		return old; \
	} \
	template<class T> \
	NCL_INLINE_ T atomic_cond_##name##_new(T *p, bool on, typename same<T>::type x) \
	{ \
		T old = *p; \
		x = static_cast<T>(off); \
		T now = static_cast<T>(expr); \
		*p = now; \
		return now; \
	}

/* Variants without an operand use 1. */
#define NCL_ATOMIC_1_(name) \
	template<class T> NCL_INLINE_ T atomic_##name(T *p) { return atomic_##name(p, 1); } \
	template<class T> NCL_INLINE_ T atomic_##name##_new(T *p) { return atomic_##name##_new(p, 1); } \
	template<class T> NCL_INLINE_ T atomic_cond_##name(T *p, bool on) \
	{ \
		return atomic_cond_##name(p, on, 1); \
	} \
	template<class T> NCL_INLINE_ T atomic_cond_##name##_new(T *p, bool on) \
	{ \
		return atomic_cond_##name##_new(p, on, 1); \
	}

/* Saturating arithmetic on unsigned types: the result stops at the end of the range. */
template<class T> NCL_INLINE_ T sadd_(T a, T b)
{
	static_assert(static_cast<T>(-1) > 0, "saturating atomics are for unsigned numbers");
	T sum = static_cast<T>(a + b);

	return sum < a ? static_cast<T>(-1) : sum;
}

template<class T> NCL_INLINE_ T ssub_(T a, T b)
{
	static_assert(static_cast<T>(-1) > 0, "saturating atomics are for unsigned numbers");
	return a < b ? 0 : static_cast<T>(a - b);
}

#define NCL_OR_0_	x & mask_<T>(on)
#define NCL_OR_ONES_	x | mask_<T>(!on)
#define NCL_OR_OLD_	on ? x : old

NCL_ATOMIC_(add, old + x, NCL_OR_0_)
NCL_ATOMIC_(sub, old - x, NCL_OR_0_)
NCL_ATOMIC_(inc, old + x, NCL_OR_0_)
NCL_ATOMIC_(dec, old - x, NCL_OR_0_)
NCL_ATOMIC_(sadd, sadd_<T>(old, x), NCL_OR_0_)
NCL_ATOMIC_(ssub, ssub_<T>(old, x), NCL_OR_0_)
NCL_ATOMIC_(and, old & x, NCL_OR_ONES_)
NCL_ATOMIC_(or, old | x, NCL_OR_0_)
NCL_ATOMIC_(xor, old ^ x, NCL_OR_0_)
NCL_ATOMIC_(min, x < old ? x : old, NCL_OR_OLD_)
NCL_ATOMIC_(max, x > old ? x : old, NCL_OR_OLD_)
NCL_ATOMIC_(write, x, NCL_OR_OLD_)
NCL_ATOMIC_1_(inc)
NCL_ATOMIC_1_(dec)
#undef NCL_ATOMIC_
#undef NCL_ATOMIC_1_
#undef NCL_OR_0_
#undef NCL_OR_ONES_
#undef NCL_OR_OLD_

template<class T> NCL_INLINE_ T atomic_read(T *p)
{
	return *p;
}

/* The value if @on, else @other */
template<class T> NCL_INLINE_ T atomic_cond_read_or(T *p, bool on, typename same<T>::type other)
{
	T old = *p;

	return on ? old : other;
}

/* Write @x if the value is @expected. Return the old value. */
template<class T>
NCL_INLINE_ T atomic_cas(T *p, typename same<T>::type expected, typename same<T>::type x)
{
	T old = *p;

	*p = old == expected ? x : old;
	return old;
}

/* ---- tables ---- */

template<class K, class V> struct kv {
	K key;
	V value;
};

/* A range of keys, @low to @high */
template<class K, class V> struct rv {
	K low, high;
	V value;
};

template<class K, class V> using ncl_kv = kv<K, V>;
template<class K, class V> using ncl_rv = rv<K, V>;

template<class T> NCL_INLINE_ bool is_(const T &entry, T key)
{
	return entry == key;
}

template<class K, class V> NCL_INLINE_ bool is_(const kv<K, V> &entry, K key)
{
	return entry.key == key;
}

template<class K, class V> NCL_INLINE_ bool is_(const rv<K, V> &entry, K key)
{
	return entry.low <= key && key <= entry.high;
}

template<class T> struct key_of_ { typedef T type; };
template<class K, class V> struct key_of_<kv<K, V>> { typedef K type; };
template<class K, class V> struct key_of_<rv<K, V>> { typedef K type; };

/* For a const table: compare with each entry. If no entry has @key, @to is unchanged. */
template<class E, unsigned int N>
NCL_INLINE_ bool lookup(const E (&table)[N], typename key_of_<E>::type key)
{
	bool found = false;

	for (unsigned int i = 0; i < N; i++)
		found |= is_(table[i], key);
	return found;
}

template<class E, unsigned int N, class V>
NCL_INLINE_ bool lookup(const E (&table)[N], typename key_of_<E>::type key, V &to)
{
	bool found = false;

	for (unsigned int i = 0; i < N; i++) {
		bool is = !found && is_(table[i], key);
		V old = to, now = static_cast<V>(table[i].value);

		to = is ? now : old;
		found |= is;
	}
	return found;
}

/* For a _managed_ table: look up in a map */
template<class E, unsigned int N>
NCL_INLINE_ bool lookup(E (&table)[N], typename key_of_<E>::type key)
{
	return ncl_map_get_(&table, &key);
}

template<class K, class V, unsigned int N, class T>
NCL_INLINE_ bool lookup(kv<K, V> (&table)[N], typename same<K>::type key, T &to)
{
	auto p = static_cast<const V *>(ncl_map_get_(&table, &key));

	if (!p)
		return false;
	to = static_cast<T>(*p);
	return true;
}

/* ---- bits ---- */

template<class T> NCL_INLINE_ bool bit_chk(T x, unsigned int n)
{
	return x >> n & 1;
}

template<unsigned int N, class T> NCL_INLINE_ bool bit_chk(T x)
{
	return x >> N & 1;
}

template<class T> NCL_INLINE_ T bit_set(T x, unsigned int n)
{
	return static_cast<T>(x | static_cast<T>(1) << n);
}

template<class T> NCL_INLINE_ T bit_clr(T x, unsigned int n)
{
	return static_cast<T>(x & ~(static_cast<T>(1) << n));
}

/*
 * Hashes of a key with @B result bits. A Tofino computes CRCs in hardware. Here crc*() are other
 * hashes, each with different constants, which a card computes in about ten instructions.
 */
namespace tna {

template<uint32_t A, uint32_t C> NCL_INLINE_ uint32_t mix_(uint64_t key)
{
	uint32_t x = static_cast<uint32_t>(key) ^ C;

	x *= A;
	x ^= x >> 15;
	x += static_cast<uint32_t>(key >> 32);
	x *= C | 1;
	return x ^ x >> 13;
}

template<unsigned int B> NCL_INLINE_ uint32_t bits_(uint32_t x)
{
	static_assert(B >= 1 && B <= 32, "a hash has 1 to 32 bits");
	return B == 32 ? x : x & ((1u << (B & 31)) - 1);
}

template<unsigned int B> NCL_INLINE_ uint32_t crc16(uint64_t key)
{
	return bits_<B>(mix_<0x8005a001, 0x3d65c58b>(key));
}

template<unsigned int B> NCL_INLINE_ uint32_t crc32(uint64_t key)
{
	return bits_<B>(mix_<0xedb88321, 0x04c11db7>(key));
}

template<unsigned int B> NCL_INLINE_ uint32_t crc64(uint64_t key)
{
	return bits_<B>(mix_<0x42f0e1eb, 0xa9ea3693>(key));
}

/* Exclusive or of the key's words of 32 or 16 bits */
template<unsigned int B> NCL_INLINE_ uint32_t xor32(uint64_t key)
{
	return bits_<B>(static_cast<uint32_t>(key) ^ static_cast<uint32_t>(key >> 32));
}

template<unsigned int B> NCL_INLINE_ uint32_t xor16(uint64_t key)
{
	uint32_t x = static_cast<uint32_t>(key) ^ static_cast<uint32_t>(key >> 32);

	return bits_<B>((x ^ x >> 16) & 0xffff);
}

} /* namespace tna */

/* ---- hosts ---- */

#ifdef NCL_HOST_H
template<class K, class V, unsigned int N>
int map_put(kv<K, V> (&table)[N], typename same<K>::type key, typename same<V>::type value)
{
	return check(ncl_map_at(&table, &key, &value, nullptr));
}

template<class K, class V, unsigned int N>
V map_get(kv<K, V> (&table)[N], typename same<K>::type key)
{
	V value = {};

	check(ncl_map_at(&table, &key, nullptr, &value));
	return value;
}

template<class E, unsigned int N> int map_put(E (&set)[N], typename same<E>::type key)
{
	uint8_t there = 1;

	return check(ncl_map_at(&set, &key, &there, nullptr));
}

template<class E, unsigned int N> int map_del(E (&table)[N], typename key_of_<E>::type key)
{
	return check(ncl_map_at(&table, &key, nullptr, nullptr));
}
#endif

} /* namespace ncl */

#endif /* NETCL_HPP */
