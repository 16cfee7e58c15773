/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * ncl.h - NCL, the net compute language: kernels for the network in C and C++.
 *
 * A file that nclc compiles includes it, after the program's own fields of the window, if
 * it has some:
 *
 *	#define NCL_WINDOW uint32_t ver; uint16_t slot;
 *	#include <ncl.h>
 *
 * userspace/NCL.rst describes the language.
 */
#ifndef NCL_H
#define NCL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifndef __clang__
#error "the C of a program with kernels is compiled by nclc"
#endif

/* ---- specifiers ---- */

#define _net_		__attribute__((annotate("ncl.net"), used))
#define _out_		__attribute__((annotate("ncl.out")))
#define _in_		__attribute__((annotate("ncl.in")))
#define _ctrl_		__attribute__((annotate("ncl.ctrl")))
#define _nolock_	__attribute__((annotate("ncl.nolock")))
/* An argument of an incoming kernel that is no window's: a pointer that the host gives */
#define _ext_		__attribute__((annotate("ncl.ext")))
/* Where it is: labels of the AND file. Without: at all devices. */
#define _at_(...)	__attribute__((annotate("ncl.at", __VA_ARGS__)))
/* Elements that a window has of each array among the arguments */
#define _win_(...)	__attribute__((annotate("ncl.win", __VA_ARGS__)))
/* The kernel holds the lock of that number, which is of the window and the arguments */
#define _lock_(expr)	__attribute__((annotate("ncl.lock", #expr)))
/* An incoming kernel takes windows of that outgoing one. */
#define _pair_(name)	__attribute__((annotate("ncl.pair", name)))
/* The function is the kernel of that name, for the places of its _at_(). */
#define _as_(name)	__attribute__((annotate("ncl.as", name)))

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the window, the place ---- */

#ifndef NCL_WINDOW
#define NCL_WINDOW
#endif

/**
 * struct ncl_window - the window that a kernel runs on
 * @seq: its number in the invocation, from 0
 * @invocation: number of the invocation
 * @len: elements that it has of the kernel's first array
 * @from: node that made it
 * @to: node that it is for; 0: for who is behind the first device
 *
 * The program's own fields are behind them.
 */
struct ncl_window {
	uint32_t seq;
	uint32_t invocation;
	uint32_t len;
	uint32_t from;
	uint32_t to;
	NCL_WINDOW
};

struct ncl_location {
	uint32_t id;		/* number of the node in the AND file */
};

/* Tells the compiler what a window has, also where no kernel looks. */
static const struct ncl_window ncl_window_type_
	__asm__("ncl_window_type_") __attribute__((used)) = { 0 };

extern __thread const struct ncl_window window;
extern __thread const struct ncl_location location;

/* Number of a node, a constant */
uint32_t ncl_place(const char *label) __attribute__((const));

#define ncl_at(label)	(location.id == ncl_place(label))

/* ---- what becomes of the window; the last decision counts, without one it is passed ---- */

enum { NCL_PASS, NCL_DROP, NCL_REFLECT, NCL_BCAST, NCL_MULTICAST };

extern __thread uint32_t ncl_decision_;

#define NCL_INLINE_ static inline __attribute__((always_inline, unused))

NCL_INLINE_ void ncl_decide_(uint32_t what, uint32_t to)
{
	ncl_decision_ = to << 8 | what;
}

#define _drop()		ncl_decide_(NCL_DROP, 0)
/* Back to the sender */
#define _reflect()	ncl_decide_(NCL_REFLECT, 0)
/* To all that are next to the device */
#define _bcast()	ncl_decide_(NCL_BCAST, 0)
/* On to the node that it is for, or to the node with a label */
#define _pass(...)	ncl_decide_(NCL_PASS, 0 __VA_OPT__(+ ncl_place(__VA_ARGS__)))

/* ---- maps: kernels look up, hosts insert and delete ---- */

const void *ncl_map_get_(const void *map, const void *key);

#ifdef __cplusplus
} /* extern "C" */

namespace ncl {

template<class K, class V, unsigned int N> struct Map {
	K *key_;
	V *value_;
	char (*entries_)[N];

	/* The value, or a null pointer */
	__attribute__((always_inline)) const V *operator[](K key) const
	{
		return static_cast<const V *>(ncl_map_get_(this, &key));
	}
};

} /* namespace ncl */

#endif

#define ncl_map(K, V, N) \
	struct { K *key_; V *value_; char (*entries_)[N]; }

/* The value, or NULL */
#define ncl_get(map, key) \
	((const __typeof__(*(map).value_) *)ncl_map_get_(&(map), \
		(__typeof__(*(map).key_)[1]){ (key) }))

#if defined(__has_include) && !defined(NCL_NO_HOST)
#if __has_include("ncl_host.h") && (!defined(__cplusplus) || __has_include(<stdexcept>))
#include "ncl_host.h"
#endif
#endif

#endif /* NCL_H */
