// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* An index outside of the variable: a read returns 0, a write has no effect. fill: random */
#include <ncl.h>

_net_ uint32_t cells[8];
_net_ uint32_t counts[8];

/* In plain C such an index is undefined, so the model checks it. */
#ifdef NCL_MODEL
#define CELL(i) (*((i) < 8 ? &cells[i] : &(uint32_t){ 0 }))
#define COUNT(i) (*((i) < 8 ? &counts[i] : &(uint32_t){ 0 }))
#else
#define CELL(i) cells[i]
#define COUNT(i) counts[i]
#endif

_net_ _out_ _win_(2) void read(uint32_t *v)
{
	v[0] = CELL(window.seq);
}

_net_ _out_ _win_(2) void write(uint32_t *v)
{
	CELL(v[1]) = v[0];
}

_net_ _out_ void add(uint32_t n)
{
	COUNT(window.seq) += n;
}
