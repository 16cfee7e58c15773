// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* header.c - ncl.h and other headers */

/* ---- field: field 's' of NCL_WINDOW is no number */
#include <stdint.h>
#define NCL_WINDOW struct { int a; } s;
#include <ncl.h>

_net_ _out_ void k(uint32_t n)
{
	(void)n;
}

/* ---- no_header: the file does not include ncl.h */
int main(void)
{
	return 0;
}

/* ---- library: 9: 'printf' is called, but its body is not in this file */
#include <stdio.h>
#include <ncl.h>

_net_ _out_ _win_(16) void k(int32_t *v, uint32_t n)
{
	printf("%d", v[0]);
}
