// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Windows with arrays and values of all widths, which test the offset of each. fill: random */
#define NCL_WINDOW uint8_t odd;
#include <ncl.h>

_net_ uint64_t sum;
_net_ uint8_t lows[6];

_net_ _out_ _win_(3, 5, 2, 6) void mixed(uint16_t *h, uint8_t *b, uint64_t *d, uint8_t *c,
					 uint8_t x, uint32_t y, bool t)
{
	unsigned int i;

	for (i = 0; i < 3; i++)
		h[i] = (uint16_t)(h[i] + b[i]);
	for (i = 0; i < 2; i++) {
		sum += d[i];
		d[i] = sum ^ y;
	}
	for (i = 0; i < 6; i++)
		lows[i] = t ? c[i] : (uint8_t)(lows[i] + x);
	b[4] = lows[window.odd % 4];
}
