// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* code.c - what mecc refuses; selftests/ncl/refused has the same form */
#include "prog.h"

/* ---- recursion: 7: in sum(): sum() is recursive or an entry, and there is no stack */
static u32 sum(u32 n)
{
	return n ? in[n & 7] * sum(n - 1) + sum(n / 2) : 0;
}

void run(void)
{
	out[0] = sum(in[0]);
}

/* ---- undefined: 9: in run(): helper() is not defined in this file */
u32 helper(u32 x);

void run(void)
{
	out[0] = helper(in[0]);
}

/* ---- pointer: 9: in run(): call of a pointer */
void (*volatile hook)(void);

void run(void)
{
	hook();
}

/* ---- assembly: 7: in run(): inline assembly */
void run(void)
{
	__asm__ volatile("nop");
}

/* ---- floating: 9: in run(): value that is no integer and no pointer */
static float f;

void run(void)
{
	f = f * (float)in[0];
}

/* ---- full: 5: big needs 5000 bytes of local memory, of which */
u8 big[5000];

void run(void)
{
	big[in[0]] = 1;
}

/* ---- frame: 5: run.a needs 4040 bytes of local memory, of which 64 of 4096 are taken */
void run(void)
{
	u32 a[1010], i;
	volatile u32 *v = a;

	for (i = 0; i < 1010; i++)
		v[i] = i;
	out[0] = a[in[0]];
}

/* ---- outside: 7: in run(): access to local memory at 0x2000 */
void run(void)
{
	*(volatile u32 *)0x2000 = 1;
}

/* ---- space: 5: object x is in address space 3 */
__attribute__((address_space(3))) u32 x;

void run(void)
{
	x = 1;
}

/* ---- address: 6: object p: its initial value is the address of e, which is not in local memory */
__emem u32 e;
__emem u32 *p = &e;

void run(void)
{
	*p = 1;
}

/* ---- copy: 11: in run(): copy of 1024 bytes, which takes more than 64 loads and stores */
static struct {
	u32 a[256];
} a, b;

void run(void)
{
	a = b;
}

/* ---- variable: 7: in run(): array whose size is no constant */
void run(void)
{
	volatile u32 a[in[0]];

	a[in[1]] = 1;
}

/* ---- nothing: no entry: a function void NAME(void) that is not static */
u32 run(u32 x)
{
	return x;
}

/* ---- signals: 9: in run(): wait for signals 0x3: signals are bits 1 to 15 */
#include "microengine.h"

void run(void)
{
	__me_ctx_arb(3);
}

/* ---- csr: 9: in run(): local CSR 0x84 is not supported */
#include "microengine.h"

void run(void)
{
	out[0] = __me_csr_read(0x84);
}

/* ---- work: 9: in run(): work of 9 words: it has 1 to 8 */
#include "microengine.h"

void run(void)
{
	__me_add_work(64, 1, 2, 3, 4, 5, 6, 7, 8, 9);
}

/* ---- register: 9: transfer register 7: others write to registers 8 to 15 only */
#include "microengine.h"

void run(void)
{
	out[0] = *(volatile __attribute__((address_space(8))) u32 *)(4 * 7);
}

/* ---- register_half: 9: access to a transfer register: only 32 bits of one with a constant number */
#include "microengine.h"

void run(void)
{
	out[0] = *(volatile __attribute__((address_space(8))) unsigned short *)(4 * 15);
}

/* ---- register_write: 9: in run(): pointer to an address space that is not supported */
#include "microengine.h"

void run(void)
{
	*(volatile __attribute__((address_space(8))) u32 *)(4 * 15) = in[0];
}
