// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* incoming.c - incoming kernels */
#include <ncl.h>

/* ---- in_decides: 12: incoming kernel 'r' forwards or drops the window */
_net_ _out_ void k(uint32_t n)
{
	(void)n;
}

_net_ _in_ void r(uint32_t n)
{
	_drop();
}

/* ---- pair_name: 10: _pair_("m"): no outgoing kernel has that name */
_net_ _out_ void k(uint32_t n)
{
	(void)n;
}

_net_ _in_ _pair_("m") void r(uint32_t n)
{
	(void)n;
}

/* ---- pair_none: 10: incoming kernel 'r' has the arguments of no outgoing kernel */
_net_ _out_ void k(uint32_t n)
{
	(void)n;
}

_net_ _in_ void r(uint64_t n)
{
	(void)n;
}

/* ---- pair_two: 15: incoming kernel 'r' has the arguments of 2 outgoing kernels; choose one, for example with _pair_ */
_net_ _out_ void k(uint32_t n)
{
	(void)n;
}

_net_ _out_ void l(uint32_t n)
{
	(void)n;
}

_net_ _in_ void r(uint32_t n)
{
	(void)n;
}

/* ---- pair_win: 10: _win_() of incoming kernel 'r' differs from that of outgoing kernel 'k', whose windows it takes */
_net_ _out_ _win_(4) void k(uint32_t *v)
{
	v[0] = 1;
}

_net_ _in_ _win_(8) void r(uint32_t *v, _ext_ uint32_t *to)
{
	*to = v[0];
}
