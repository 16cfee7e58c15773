/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * ncl.h - NCL, the net compute language: kernels for the network in C and C++.
 *
 * Every file that nclc compiles includes this header. A program that adds fields to the window
 * defines NCL_WINDOW first:
 *
 *	#define NCL_WINDOW uint32_t ver; uint16_t slot;
 *	#include <ncl.h>
 *
 * userspace/doc/NCL.rst describes the language.
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
/* An argument of an incoming kernel that is not in the window: a pointer that the host gives */
#define _ext_		__attribute__((annotate("ncl.ext")))
/* Labels of the AND file: the places of a kernel or variable. Without _at_(): every device. */
#define _at_(...)	__attribute__((annotate("ncl.at", __VA_ARGS__)))
/* Elements of each array argument that one window carries */
#define _win_(...)	__attribute__((annotate("ncl.win", __VA_ARGS__)))
/* Key of the lock that the kernel holds: an expression of window fields and arguments */
#define _lock_(expr)	__attribute__((annotate("ncl.lock", #expr)))
/* The incoming kernel takes the windows of the outgoing kernel @name. */
#define _pair_(name)	__attribute__((annotate("ncl.pair", name)))
/* At the places of its _at_(), the function is the kernel @name. */
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
 * @seq: number of the window in the invocation, from 0
 * @invocation: number of the invocation
 * @len: elements of the kernel's first array that the window carries
 * @from: node that sent the window first
 * @to: node that the window is for; 0: the host at the first device
 *
 * The fields of NCL_WINDOW follow these.
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

/* Debug information then has the type of the window even if no kernel reads a field. */
static const struct ncl_window ncl_window_type_
	__asm__("ncl_window_type_") __attribute__((used)) = { 0 };

extern __thread const struct ncl_window window;
extern __thread const struct ncl_location location;

/* Number of the node with this label, a constant */
uint32_t ncl_place(const char *label) __attribute__((const));

#define ncl_at(label)	(location.id == ncl_place(label))

/*
 * ---- what happens to the window: the last call decides; without a call the window is passed on
 * ----
 */

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
/* To all neighbours of the device */
#define _bcast()	ncl_decide_(NCL_BCAST, 0)
/* On to the node that the window is for, or to the node with the given label */
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

	/* Pointer to the value of @key; nullptr: the map does not have @key */
	__attribute__((always_inline)) const V *operator[](K key) const
	{
		return static_cast<const V *>(ncl_map_get_(this, &key));
	}
};

} /* namespace ncl */

#endif

#define ncl_map(K, V, N) \
	struct { K *key_; V *value_; char (*entries_)[N]; }

/* Pointer to the value of @key; NULL: the map does not have @key */
#define ncl_get(map, key) \
	((const __typeof__(*(map).value_) *)ncl_map_get_(&(map), \
		(__typeof__(*(map).key_)[1]){ (key) }))

#if defined(__has_include) && !defined(NCL_NO_HOST)
#if __has_include("ncl_host.h") && (!defined(__cplusplus) || __has_include(<stdexcept>))
#include "ncl_host.h"
#endif
#endif

#endif /* NCL_H */
