// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* code.c - what a kernel's code may not do */
#include <ncl.h>

/* ---- division: 7: the divisor r1 is not one constant */
_net_ _out_ _win_(16) void k(int32_t *v, uint32_t n)
{
	v[0] = (uint32_t)v[0] / n;
}

/* ---- stack: 10: access to the stack by a variable offset */
_net_ _out_ _win_(16) void k(int32_t *v, uint32_t n)
{
	int a[16];

	memcpy(a, v, sizeof(a));
	v[0] = a[n & 15];
}

/* ---- stack_large: 5: needs more than the 512 bytes of stack that BPF has */
_net_ _out_ _win_(2) void k(int32_t *v)
{
	int32_t x[200];

	for (int i = 0; i < 200; i++)
		x[i] = v[0] + i * v[1];
	v[0] = x[v[1] & 127];
}

/* ---- loop: 8: this loop cannot be unrolled: its bound is not a constant */
_net_ uint32_t total[4];
_net_ _out_ _win_(16) void k(int32_t *v, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		total[i & 3] += v[0];
}

/* ---- loop_long: 9: its iterations have more than about 100000 instructions together */
_net_ _out_ _win_(2) void k(int32_t *v)
{
	int32_t x = v[1];

	for (int i = 0; i < 30000; i++)
		x = (x ^ (x >> 3)) * 5 + i;
	v[0] = x;
}

/* ---- branch: 5: is too long: a branch of BPF reaches at most 32767 instructions */
_net_ _out_ _win_(2) void k(int32_t *v)
{
	int32_t x = v[1];

	for (int i = 0; i < 9000; i++)
		x = (x ^ (x >> 3)) * 5 + i;
	v[0] = x;
}

/* ---- too_long: 6: it fits with windows of  */
_net_ int32_t sum[4000];
_net_ _out_ _win_(200) void k(int32_t *v)
{
	for (uint32_t i = 0; i < window.len; i++)
		v[i] = sum[window.seq * window.len + i] += v[i];
}

/* ---- recursion: 12: 'f' calls itself */
static int f(int x)
{
	return x < 2 ? x : f(x - 1) * f(x - 2);
}

_net_ _out_ _win_(16) void k(int32_t *v, uint32_t n)
{
	v[0] = f(v[1]);
}

/* ---- pointer_call: 9: a function is called through a pointer */
int (*f)(int);

_net_ _out_ _win_(16) void k(int32_t *v, uint32_t n)
{
	v[0] = f(v[1]);
}
