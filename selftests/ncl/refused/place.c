// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* place.c - labels and places */
#include <ncl.h>

/* ---- conflict: 8: 'a' is not at "s2", where kernel 'k' runs */
_net_ _at_("s1") uint32_t a;
_net_ _at_("s2") _out_ void k(uint32_t n)
{
	a += n;
}

/* ---- nowhere: 7: kernel 'k' runs at no device, because no device has all its variables */
_net_ _at_("s1") uint32_t a;
_net_ _at_("s2") uint32_t b;
_net_ _out_ void k(uint32_t n)
{
	a += n;
	b = a;
}

/* ---- label: 5: _at_("s9"): no node of */
_net_ _at_("s9") uint32_t a;
_net_ _out_ _win_(16) void k(int32_t *v, uint32_t n)
{
	v[0] = a;
}

/* ---- label_host: 5: that node of selftests/ncl/programs/net.and is a host */
_net_ _at_("w1") uint32_t a;
_net_ _out_ _win_(16) void k(int32_t *v, uint32_t n)
{
	v[0] = a;
}

/* ---- label_place: 7: has the label "nobody" */
_net_ _out_ _win_(16) void k(int32_t *v, uint32_t n)
{
	_pass("nobody");
}

/* ---- label_variable: 9: a label must be a string literal */
const char *label;

_net_ _out_ _win_(16) void k(int32_t *v, uint32_t n)
{
	_pass(label);
}

/* ---- at_in: 10: _at_() of 'r': incoming kernels run at all hosts */
_net_ _out_ _win_(4) void k(uint32_t *v)
{
	v[0] = 1;
}

_net_ _in_ _at_("s1") void r(uint32_t *v, _ext_ uint32_t *to)
{
	*to = v[0];
}
