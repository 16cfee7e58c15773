// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* kernel.c - kernels and their arguments */
#include <ncl.h>

/* ---- argument_type: 5: argument 'v' of 'k' is neither a number nor a pointer */
_net_ _out_ _win_(1) void k(float **v)
{
	_drop();
}

/* ---- arguments: 7: kernel 'k' has 17 arguments; the limit is 16 */
#define A(n) uint32_t a##n

_net_ _out_ void k(A(1), A(2), A(3), A(4), A(5), A(6), A(7), A(8), A(9), A(10), A(11), A(12), A(13),
		   A(14), A(15), A(16), A(17))
{
}

/* ---- by_value: 8: kernel 'k' has an argument that is passed by value and is no number */
struct pair {
	uint64_t word[2];
};
_net_ _out_ void k(struct pair b)
{
	if (b.word[0])
		_drop();
}

/* ---- returns: 5: kernel 'k' returns a value */
_net_ _out_ int k(uint32_t n)
{
	return n;
}

/* ---- no_direction: 5: 'k' is no kernel */
_net_ void k(uint32_t n)
{
	(void)n;
}

/* ---- no_kernel: the file has no outgoing kernel */
int main(void)
{
	return 0;
}

/* ---- no_body: kernel 'k' has no body */
_net_ _out_ _win_(1) void k(uint32_t *v);

void (*host)(uint32_t *v) = k;

/* ---- name_long: 5: the name 'aaaaaaaaaaaaaaaaaaaa...' has 70 characters; the limit is 63 */
_net_ uint32_t aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa;
_net_ _out_ void k(uint32_t n)
{
	aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa += n;
}

/* ---- name_taken: 'ncl' is a name in the code that nclc generates */
uint32_t ncl(uint32_t x)
{
	return x + 1;
}

_net_ _out_ _win_(2) void k(uint32_t *v)
{
	v[0] = ncl(v[1]);
}

/* ---- host_name: 'ncl_program' is a name in the code that nclc generates */
const int ncl_program = 1;
_net_ int32_t sum[16];
_net_ _out_ _win_(16) void k(int32_t *v)
{
	for (uint32_t i = 0; i < window.len; i++)
		v[i] = sum[i] += v[i];
}

/* ---- ext_out: 5: argument 'p' of 'k' is _ext_; only an incoming kernel can have such an argument */
_net_ _out_ _win_(4) void k(int32_t *v, _ext_ int *p)
{
	v[0] = *p;
}

/* ---- floats: 7: a kernel computes with floating point */
_net_ _out_ _win_(4) void k(float *v)
{
	v[0] += v[1];
}

/* ---- versions: 10: versions of kernel 'k' have different arguments */
_net_ _out_ _at_("s1") void k(uint32_t n)
{
	(void)n;
}

_net_ _out_ _as_("k") _at_("s2") void other(uint64_t n)
{
	(void)n;
}

/* ---- twice: 10: two kernels 'k' are at the same place; the other is in line 5 */
_net_ _out_ void k(uint32_t n)
{
	(void)n;
}

_net_ _out_ _as_("k") void other(uint32_t n)
{
	(void)n;
}

/* ---- specifier: 8: a specifier has 17 arguments; the limit is 16 */
_net_ uint32_t a;

_net_ _out_ _win_(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17)
void k(uint32_t *v)
{
	*v = a;
}

/* ---- ctrl_function: 5: a function cannot have the specifier '_ctrl_' */
_net_ _out_ _ctrl_ void k(uint32_t n)
{
	(void)n;
}

/* ---- locks: 5: 'k' has _nolock_ and _lock_() */
_net_ _out_ _nolock_ _lock_(n & 7) void k(uint32_t n)
{
	(void)n;
}

/* ---- lock_text: 5: use of undeclared identifier 'm' */
_net_ _out_ _lock_(m & 7) void k(uint32_t n)
{
	(void)n;
}
