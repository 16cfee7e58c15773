/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * ncl_host.h - the language on the hosts: kernels and variables by their C names.
 *
 * ncl.h includes this header when it compiles the hosts' code. All calls use one session. The first
 * call opens the session from the environment variables NCL_AND and NCL_HOST; ncl_open() opens the
 * session with options instead. ncrt.h describes what each call does, when it blocks and what it
 * returns.
 *
 * In C, a call returns a negative errno on failure, and ncl_error() returns the text.
 *
 *	ncl_out(allreduce, &(struct ncrt_wnd){ .size = sizeof(struct ncrt_wnd) },
 *		ncl_array(data, 4096));
 *	ncl_in(result, NCRT_FOREVER, hdata, &done);
 *	ncl_ctrl_wr(&nworkers, 16);
 *	ncl_map_put(idx, key, 3);
 *
 * In C++, the same calls are in namespace ncl. A call throws ncl::error on failure, or returns a
 * negative errno if exceptions are off.
 *
 *	ncl::wnd wnd;
 *	ncl::out(allreduce, {data}, wnd, {32});
 *	while (!done)
 *		ncl::in(result, {hdata, &done}, wnd, {32});
 *	ncl::ctrl_wr(&nworkers, 16);
 *	ncl::map_put(Idx, key, 3);
 */
#ifndef NCL_HOST_H
#define NCL_HOST_H

#include "ncrt.h"

/* Open the program's session with options. Call this before any other call. */
static inline int ncl_open(const struct ncrt_opts *opts)
{
	return ncrt_default_open(&ncl_program, opts);
}

/* The session, for calls of ncrt.h. NULL: the session cannot be opened; ncl_error() says why. */
static inline struct ncrt *ncl_session(void)
{
	int err;

	return ncrt_default(&ncl_program, &err);
}

/* Text of the calling thread's last failure */
static inline const char *ncl_error(void)
{
	return ncrt_last_error();
}

static inline int64_t ncl_out_at(const void *kernel, const struct ncrt_wnd *wnd,
				 const struct ncrt_arg *args, unsigned int nargs,
				 const uint16_t *mask)
{
	int err;
	struct ncrt *nc = ncrt_default(&ncl_program, &err);

	return nc ? ncrt_out(nc, ncrt_kernel_at(nc, kernel), args, nargs, wnd, mask) : err;
}

static inline int ncl_out_window_at(const void *kernel, const struct ncrt_wnd *wnd,
				    struct ncrt_window *answer, const struct ncrt_arg *args,
				    unsigned int nargs)
{
	int err;
	struct ncrt *nc = ncrt_default(&ncl_program, &err);

	return nc ? ncrt_out_window(nc, ncrt_kernel_at(nc, kernel), args, nargs, wnd, answer) : err;
}

static inline int ncl_in_at(const void *kernel, int64_t timeout, void *const *ext,
			    unsigned int next)
{
	int err;
	struct ncrt *nc = ncrt_default(&ncl_program, &err);

	return nc ? ncrt_in(nc, ncrt_kernel_at(nc, kernel), ext, next, timeout) : err;
}

static inline int ncl_ctrl_at(const void *var, const void *in, void *out, size_t count,
			      size_t size)
{
	int err;
	size_t offset = 0;
	struct ncrt *nc = ncrt_default(&ncl_program, &err);
	const char *name = nc ? ncrt_variable_at(nc, var, &offset) : NULL;

	if (!nc)
		return err;
	return in ? ncrt_ctrl_wr(nc, name, NULL, offset / size, in, count, size) :
		    ncrt_ctrl_rd(nc, name, NULL, offset / size, out, count, size);
}

static inline int ncl_map_at(const void *map, const void *key, const void *value, void *out)
{
	int err;
	size_t offset;
	struct ncrt *nc = ncrt_default(&ncl_program, &err);
	const char *name = nc ? ncrt_variable_at(nc, map, &offset) : NULL;

	if (!nc)
		return err;
	if (value)
		return ncrt_map_put(nc, name, NULL, key, value);
	return out ? ncrt_map_get(nc, name, NULL, key, out) : ncrt_map_del(nc, name, NULL, key);
}

#ifndef __cplusplus

/* Arguments of ncl_out(): an array of @n elements; a number */
#define ncl_array(p, n) \
	((struct ncrt_arg){ .data = (void *)(p), .count = (n), .size = sizeof(*(p)) })
#define ncl_value(x) \
	((struct ncrt_arg){ .i = (int64_t)(x), .f = (double)(x) })

#define NCL_ARGS(...) ((struct ncrt_arg[]){ __VA_ARGS__ })

/* ncl_out(KERNEL, WND, ARGUMENT...): WND is a struct ncrt_wnd *, or NULL */
#define ncl_out(kernel, wnd, ...) \
	ncl_out_at((const void *)(kernel), wnd, NCL_ARGS(__VA_ARGS__), \
		   sizeof(NCL_ARGS(__VA_ARGS__)) / sizeof(struct ncrt_arg), NULL)

/* ncl_out_window(KERNEL, WND, ANSWER, ARGUMENT...): ANSWER is a struct ncrt_window * or NULL */
#define ncl_out_window(kernel, wnd, answer, ...) \
	ncl_out_window_at((const void *)(kernel), wnd, answer, NCL_ARGS(__VA_ARGS__), \
			  sizeof(NCL_ARGS(__VA_ARGS__)) / sizeof(struct ncrt_arg))

/* ncl_in(KERNEL, TIMEOUT, POINTER...): pointers for its _ext_ arguments */
#define ncl_in(kernel, timeout, ...) \
	ncl_in_at((const void *)(kernel), timeout, (void *[]){ NULL, ##__VA_ARGS__ } + 1, \
		  sizeof((void *[]){ NULL, ##__VA_ARGS__ }) / sizeof(void *) - 1)

/* Write a variable, or an element of an array: ncl_ctrl_wr(&limit[3], 7). */
#define ncl_ctrl_wr(p, x) \
	ncl_ctrl_at((const void *)(p), &(__typeof__(*(p))){ x }, NULL, 1, sizeof(*(p)))

/* Read a variable or element to @to, which has the same type: ncl_ctrl_rd(&limit[3], &now). */
#define ncl_ctrl_rd(p, to) \
	ncl_ctrl_at((const void *)(p), NULL, 1 ? (to) : (__typeof__(*(p)) *)0, 1, sizeof(*(p)))

/* Maps and lookup tables of ncl_map(): @key and @value; ncl_map_get() stores the value in @to. */
#define ncl_map_key_(map, key)	((__typeof__(*(map).key_)[1]){ (key) })
#define ncl_map_put(map, key, value) \
	ncl_map_at(&(map), ncl_map_key_(map, key), (__typeof__(*(map).value_)[1]){ (value) }, NULL)
#define ncl_map_get(map, key, to) \
	ncl_map_at(&(map), ncl_map_key_(map, key), NULL, 1 ? (to) : (map).value_)
#define ncl_map_del(map, key)	ncl_map_at(&(map), ncl_map_key_(map, key), NULL, NULL)

#else

#include <initializer_list>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace ncl {

class error : public std::runtime_error {
public:
	explicit error(int code) : std::runtime_error(ncrt_last_error()), code(code) {}
	const int code;		/* negative errno */
};

template<class T> inline T check(T ret)
{
#ifdef __cpp_exceptions
	if (ret < 0)
		throw error(static_cast<int>(ret));
#endif
	return ret;
}

/*
 * An argument: a number, an array, a container, or a pointer to as many elements as the windows
 * need
 */
struct arg : ncrt_arg {
	template<class T, std::enable_if_t<std::is_arithmetic_v<T> || std::is_enum_v<T>, int> = 0>
	arg(T x) : ncrt_arg{nullptr, 0, 0, 0, static_cast<int64_t>(x), static_cast<double>(x)} {}
	template<class T, size_t N> arg(T (&a)[N]) : arg(&a[0], N) {}
	template<class T, std::enable_if_t<std::is_pointer_v<T>, int> = 0>
	arg(T p) : arg(p, 0) {}
	template<class T> arg(T *p, size_t n)
		: ncrt_arg{const_cast<std::remove_cv_t<T> *>(p), n, sizeof(T), 0, 0, 0} {}
	template<class T, class = decltype(std::declval<T &>().data())>
	arg(T &c) : arg(c.data(), c.size()) {}
};

struct wnd : ncrt_wnd {
	wnd() : ncrt_wnd() { size = sizeof(ncrt_wnd); }
};

/* Elements of each array that one window carries */
struct mask {
	uint16_t of[NCRT_ARGS_MAX] = {};
	bool given = false;

	mask() = default;
	mask(std::initializer_list<unsigned int> n)
	{
		unsigned int i = 0;

		for (unsigned int x : n)
			if (i < NCRT_ARGS_MAX)
				of[i++] = static_cast<uint16_t>(x);
		given = i > 0;
	}
	const uint16_t *get() const { return given ? of : nullptr; }
};

template<class... A>
int64_t out(void (*kernel)(A...), std::initializer_list<arg> args, const ncrt_wnd &w = wnd(),
	    const mask &m = mask())
{
	ncrt_arg list[NCRT_ARGS_MAX + 1];
	unsigned int n = 0;

	for (const arg &a : args)
		if (n <= NCRT_ARGS_MAX)
			list[n++] = a;
	return check(ncl_out_at(reinterpret_cast<const void *>(kernel), &w, list, n, m.get()));
}

/* Send one window, and return the window that comes back. */
template<class... A>
ncrt_window out_window(void (*kernel)(A...), std::initializer_list<arg> args,
		       const ncrt_wnd &w = wnd())
{
	ncrt_arg list[NCRT_ARGS_MAX + 1];
	ncrt_window answer = {};
	unsigned int n = 0;

	for (const arg &a : args)
		if (n <= NCRT_ARGS_MAX)
			list[n++] = a;
	check(ncl_out_window_at(reinterpret_cast<const void *>(kernel), &w, &answer, list, n));
	return answer;
}

/* Receive a window. A timeout of 0 in @w means forever. */
template<class... A>
int in(void (*kernel)(A...), std::initializer_list<void *> ext, const ncrt_wnd &w = wnd(),
       const mask & = mask())
{
	int64_t timeout = w.timeout_ms ? w.timeout_ms * INT64_C(1000000) : NCRT_FOREVER;

	return check(ncl_in_at(reinterpret_cast<const void *>(kernel), timeout, ext.begin(),
			       static_cast<unsigned int>(ext.size())));
}

template<class T, class V> int ctrl_wr(T *var, V value)
{
	std::remove_cv_t<T> x = static_cast<std::remove_cv_t<T>>(value);

	return check(ncl_ctrl_at(const_cast<const std::remove_cv_t<T> *>(var), &x, nullptr, 1,
				 sizeof(T)));
}

template<class T> std::remove_cv_t<T> ctrl_rd(T *var)
{
	std::remove_cv_t<T> x = {};

	check(ncl_ctrl_at(const_cast<const std::remove_cv_t<T> *>(var), nullptr, &x, 1, sizeof(T)));
	return x;
}

/* ncl.h defines Map. The `as` template converts key and value to the types of the map. */
template<class K, class V, unsigned int N> struct Map;
template<class T> struct as { typedef T type; };

template<class K, class V, unsigned int N>
int map_put(const Map<K, V, N> &map, typename as<K>::type key, typename as<V>::type value)
{
	return check(ncl_map_at(&map, &key, &value, nullptr));
}

template<class K, class V, unsigned int N>
V map_get(const Map<K, V, N> &map, typename as<K>::type key)
{
	V value = {};

	check(ncl_map_at(&map, &key, nullptr, &value));
	return value;
}

template<class K, class V, unsigned int N>
int map_del(const Map<K, V, N> &map, typename as<K>::type key)
{
	return check(ncl_map_at(&map, &key, nullptr, nullptr));
}

} /* namespace ncl */

#endif /* __cplusplus */

#endif /* NCL_HOST_H */
