// SPDX-License-Identifier: BSD-2-Clause
/*
 * hal_switch.c - switch between coroutines.
 *
 * swapcontext() makes two system calls for each switch, to save and restore the
 * signal mask. Firmware does not need that. Therefore hal_switch() is assembly
 * on x86-64 and aarch64: it pushes the callee-saved registers, saves the stack
 * pointer, loads the stack pointer of the next coroutine and pops that
 * coroutine's registers. On other machines hal_switch() uses ucontext.
 */
#include "hal_int.h"

#if defined(__x86_64__)

__asm__(
	".text\n"
	".globl hal_switch\n"
	".hidden hal_switch\n"
	".type hal_switch, @function\n"
	"hal_switch:\n"
	"	pushq %rbp\n"
	"	pushq %rbx\n"
	"	pushq %r12\n"
	"	pushq %r13\n"
	"	pushq %r14\n"
	"	pushq %r15\n"
	"	movq %rsp, (%rdi)\n"
	"	movq %rsi, %rsp\n"
	"	popq %r15\n"
	"	popq %r14\n"
	"	popq %r13\n"
	"	popq %r12\n"
	"	popq %rbx\n"
	"	popq %rbp\n"
	"	ret\n"
	".size hal_switch, . - hal_switch\n"
);

void *hal_switch_init(void *stack, size_t size, void (*fn)(void))
{
	void **sp = (void **)((char *)stack + size);

	*--sp = NULL;			/* return address of fn, which does not return */
	*--sp = (void *)fn;		/* the first hal_switch() to this stack returns to fn */
	sp -= 6;
	for (int i = 0; i < 6; i++)
		sp[i] = NULL;
	return sp;
}

#elif defined(__aarch64__)

__asm__(
	".text\n"
	".globl hal_switch\n"
	".hidden hal_switch\n"
	".type hal_switch, %function\n"
	"hal_switch:\n"
	"	sub sp, sp, #160\n"
	"	stp x19, x20, [sp, #0]\n"
	"	stp x21, x22, [sp, #16]\n"
	"	stp x23, x24, [sp, #32]\n"
	"	stp x25, x26, [sp, #48]\n"
	"	stp x27, x28, [sp, #64]\n"
	"	stp x29, x30, [sp, #80]\n"
	"	stp d8, d9, [sp, #96]\n"
	"	stp d10, d11, [sp, #112]\n"
	"	stp d12, d13, [sp, #128]\n"
	"	stp d14, d15, [sp, #144]\n"
	"	mov x9, sp\n"
	"	str x9, [x0]\n"
	"	mov sp, x1\n"
	"	ldp x19, x20, [sp, #0]\n"
	"	ldp x21, x22, [sp, #16]\n"
	"	ldp x23, x24, [sp, #32]\n"
	"	ldp x25, x26, [sp, #48]\n"
	"	ldp x27, x28, [sp, #64]\n"
	"	ldp x29, x30, [sp, #80]\n"
	"	ldp d8, d9, [sp, #96]\n"
	"	ldp d10, d11, [sp, #112]\n"
	"	ldp d12, d13, [sp, #128]\n"
	"	ldp d14, d15, [sp, #144]\n"
	"	add sp, sp, #160\n"
	"	ret\n"
	".size hal_switch, . - hal_switch\n"
);

void *hal_switch_init(void *stack, size_t size, void (*fn)(void))
{
	uint64_t *sp = (uint64_t *)((char *)stack + size) - 20;

	for (int i = 0; i < 20; i++)
		sp[i] = 0;
	sp[11] = (uint64_t)(uintptr_t)fn;	/* x30, where the first hal_switch() returns to */
	return sp;
}

#else

#include <ucontext.h>

/* Here a "stack pointer" is a pointer to a ucontext_t. The first is at the base of the stack. */
void *hal_switch_init(void *stack, size_t size, void (*fn)(void))
{
	ucontext_t *uc = stack;

	getcontext(uc);
	uc->uc_stack.ss_sp = uc + 1;
	uc->uc_stack.ss_size = size - sizeof(*uc);
	uc->uc_link = NULL;
	makecontext(uc, fn, 0);
	return uc;
}

void hal_switch(void **save, void *load)
{
	ucontext_t me;

	*save = &me;
	swapcontext(&me, load);
}

#endif
