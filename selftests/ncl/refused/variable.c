// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* variable.c - variables of the network */
#include <ncl.h>

/* ---- declared: 8: 'a' is a variable of the hosts */
extern _net_ uint32_t a;
_net_ _out_ _win_(16) void k(int32_t *v, uint32_t n)
{
	v[0] = a;
}

/* ---- begins: 5: 'a' has an initial value */
_net_ uint32_t a = 7;
_net_ _out_ _win_(16) void k(int32_t *v, uint32_t n)
{
	v[0] = a;
}

/* ---- dims: 5: 'a' has more than 4 dimensions */
_net_ uint32_t a[2][2][2][2][2];
_net_ _out_ _win_(16) void k(int32_t *v, uint32_t n)
{
	v[0] = a[0][0][0][0][n & 1];
}

/* ---- dimension: 5: 'a' has a dimension that is not a constant above 0 */
_net_ uint32_t a[4][0];

_net_ _out_ _win_(1) void k(uint32_t *v)
{
	*v = a[1][0];
}

/* ---- element_large: 5: an element of 'a' has 64 bytes; on a card a value has at most 56 */
_net_ struct { int x[16]; } a[4];
_net_ _out_ _win_(16) void k(int32_t *v, uint32_t n)
{
	v[0] = a[n & 3].x[0];
}

/* ---- no_net: 5: 'a' has a specifier for variables of the network, but no _net_ */
_ctrl_ uint32_t a;

_net_ _out_ _win_(1) void k(uint32_t *v)
{
	*v = a;
}

/* ---- host_memory: 5: 'calls' is a variable of the hosts */
int calls;
_net_ _out_ _win_(16) void k(int32_t *v, uint32_t n)
{
	v[0] = calls++;
}

/* ---- variable_twice: 5: two variables 'a' are at the same place; the other is in line 9 */
_net_ _at_("s1") static uint32_t a;
_net_ _out_ _at_("s1") _win_(1) void k(uint32_t *v)
{
	{
		_net_ static uint32_t a;

		v[0] = a++;
	}
	a += v[0];
}

/* ---- variable_type: 5: 'a' has elements that are neither numbers nor structures */
_net_ char *a[4];

_net_ _out_ _win_(1) void k(uint32_t *v)
{
	*v = a[1] != NULL;
}

/* ---- ctrl_written: 8: a kernel writes 'limit', which is _ctrl_ */
_net_ _ctrl_ uint32_t limit;
_net_ _out_ _win_(16) void k(int32_t *v, uint32_t n)
{
	limit = n;
}

/* ---- address: 10: the address of 'a' is taken; kernels can only read */
_net_ uint32_t a[4];

_net_ _out_ _win_(16) void k(int32_t *v, uint32_t n)
{
	for (int i = 0; i < 4; i++)
		v[i] = (int32_t)(uintptr_t)&a[n & 3];
}

/* ---- choice: 9: a pointer is 'a' or something else */
_net_ uint32_t a[4], b[4];

_net_ _out_ _win_(16) void k(int32_t *v, uint32_t n)
{
	uint32_t *p = n & 64 ? a : b;

	p[n & 3]++;
}

/* ---- atomic: 8: an atomic builtin is used on 'a' */
_net_ uint32_t a;
_net_ _out_ _win_(16) void k(int32_t *v, uint32_t n)
{
	v[0] = __sync_fetch_and_add(&a, n);
}

/* ---- copy_length: 8: the length of this copy of 'a' is not a constant */
_net_ int32_t a[16];
_net_ _out_ _win_(16) void k(int32_t *v, uint32_t n)
{
	memcpy(v, a, n & 63);
}

/* ---- table: 5: constant table 't' is read with an index that is not a constant */
static const int t[4] = { 1, 3, 7, 9 };
_net_ _out_ _win_(16) void k(int32_t *v, uint32_t n)
{
	v[0] = t[n & 3];
}

/* ---- map_large: 5: map 'm' has keys of 40 bytes and values of 40 */
_net_ ncl_map(struct { char c[40]; }, struct { char d[40]; }, 16) m;
_net_ _out_ _win_(16) void k(int32_t *v, uint32_t n)
{
	v[0] = n;
}

/* ---- map_types: 5: map 'm' has keys or values that are neither numbers nor structures */
_net_ ncl_map(uint32_t, void *, 4) m;

_net_ _out_ void k(uint32_t key)
{
	if (ncl_get(m, key))
		_drop();
}

/* ---- map_written: 8: read-only variable is not assignable */
_net_ ncl_map(uint32_t, uint32_t, 16) m;
_net_ _out_ _win_(16) void k(int32_t *v, uint32_t n)
{
	*ncl_get(m, n) = v[0];
}
