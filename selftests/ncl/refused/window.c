// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* window.c - windows */
#include <ncl.h>

/* ---- win_count: 5: _win_() of 'k' has 1 number for 2 arrays */
_net_ _out_ _win_(4) void k(int32_t *v, int32_t *w)
{
	v[0] += w[0];
}

/* ---- win_large: 5: a window of 'k' has 1600 bytes; the limit is 1440 */
_net_ _out_ _win_(400) void k(int32_t *v)
{
	v[0]++;
}

/* ---- win_missing: 5: the number of elements of it in a window is not given: add _win_(16) */
_net_ _out_ void k(int32_t *v)
{
	v[0]++;
}

/* ---- win_zero: 5: _win_() of 'k' has 0; a window can have 1 to 1440 */
_net_ _out_ _win_(0) void k(int32_t *v)
{
	v[0]++;
}

/* ---- variable_win: 5: a variable cannot have the specifier '_win_' */
_net_ _win_(4) uint32_t a;

_net_ _out_ _win_(1) void k(uint32_t *v)
{
	*v = a;
}

/* ---- index: 7: element 16 of 'v' is not in the window, which has 16 elements */
_net_ _out_ _win_(16) void k(int32_t *v, uint32_t n)
{
	v[16] = n;
}

/* ---- index_loop: 8: element 16 of 'v' is not in the window */
_net_ _out_ _win_(16) void k(int32_t *v, uint32_t n)
{
	for (int i = 0; i <= 16; i++)
		v[i] = n;
}

/* ---- index_sum: 13: an index is a sum of more than 8 values */
_net_ uint8_t a[2][3][5][7];

_net_ _out_ _win_(9) void k(uint8_t *v)
{
	uint8_t *p = a[v[0]][v[1]][v[2]];

	p += v[3] * 3;
	p += v[4] * 5;
	p[v[5] * 11 + v[6] * 13 + v[7] * 17 + v[8] * 19] = 1;
}
