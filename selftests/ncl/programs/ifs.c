// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Writes under conditions, and returns from the middle of a kernel. seq: 4. fill: random */
#include <ncl.h>

_net_ uint32_t a[4], b[4];
_net_ int32_t best;
_net_ uint8_t state;

_net_ _out_ _win_(3) void branches(int32_t *v, uint8_t op)
{
	if (op == 0)
		return;
	if (op & 1) {
		a[window.seq] = (uint32_t)v[0];
		if (op & 2)
			b[window.seq] = a[window.seq] + 1;
	} else if (a[window.seq] > (uint32_t)v[1]) {
		a[window.seq]--;
		_drop();
	} else {
		b[window.seq] ^= a[window.seq];
	}
	if (v[2] > best) {
		best = v[2];
		_reflect();
	}
	v[0] = (int32_t)(a[window.seq] | b[window.seq]);
}

_net_ _out_ void machine(uint8_t event, uint32_t n)
{
	switch (state & 3) {
	case 0:
		if (event == 1)
			state = 1;
		break;
	case 1:
		a[1] += n;
		state = event & 3;
		break;
	case 2:
		state = b[2] > n ? 3 : 0;
		/* fall through */
	default:
		b[2] = n;
		state++;
	}
}
