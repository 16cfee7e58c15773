// SPDX-License-Identifier: BSD-2-Clause
/*
 * hal_mem.c - the memory of the firmware: map MU objects at CPP addresses, add
 * their symbols, restore initial contents at each start; memory commands.
 */
#include <stdlib.h>
#include <string.h>

#include "hal_int.h"
#include <nfp/mem_atomic.h>
#include <nfp/mem_bulk.h>
#include <std/reg_utils.h>

/* Bounds of the sections. The linker defines them for a section whose name is a C identifier. */
extern char __start_hal_sec_mu[] __attribute__((weak, visibility("hidden")));
extern char __stop_hal_sec_mu[] __attribute__((weak, visibility("hidden")));
extern char __start_hal_sec_me[] __attribute__((weak, visibility("hidden")));
extern char __stop_hal_sec_me[] __attribute__((weak, visibility("hidden")));
extern const struct hal_symbol * const __start_hal_sec_sym[]
	__attribute__((weak, visibility("hidden")));
extern const struct hal_symbol * const __stop_hal_sec_sym[]
	__attribute__((weak, visibility("hidden")));

extern char __start_hal_sec_win[] __attribute__((weak, visibility("hidden")));
extern char __stop_hal_sec_win[] __attribute__((weak, visibility("hidden")));
extern char __start_hal_sec_fixed[] __attribute__((weak, visibility("hidden")));
extern char __stop_hal_sec_fixed[] __attribute__((weak, visibility("hidden")));

/**
 * struct area - a section
 * @base: its MU address; 0: it is in local memory
 * @kept: a start of the firmware does not restore its initial contents
 * @copy: the initial contents, copied at the first start
 */
struct area {
	char *start;
	char *stop;
	uint64_t base;
	bool kept;
	char *copy;
};

static struct area areas[] = {
	{ __start_hal_sec_mu, __stop_hal_sec_mu, HAL_MU_BASE, false, NULL },
	{ __start_hal_sec_fixed, __stop_hal_sec_fixed, HAL_FIXED_BASE, false, NULL },
	{ __start_hal_sec_win, __stop_hal_sec_win, HAL_WIN_BASE, true, NULL },
	{ __start_hal_sec_me, __stop_hal_sec_me, 0, false, NULL },
};

#define AREAS	(sizeof(areas) / sizeof(areas[0]))

static size_t length(const struct area *a)
{
	return (size_t)(a->stop - a->start);
}

static void restore(struct area *a)
{
	if (a->copy) {
		memcpy(a->start, a->copy, length(a));
		return;
	}
	a->copy = malloc(length(a) + 1);
	if (!a->copy)
		hal_fatal("no memory for initial contents, bytes", (long)length(a));
	memcpy(a->copy, a->start, length(a));
}

void hal_mem_start(void)
{
	const struct hal_symbol * const *s;
	struct area *a;
	int err;

	for (a = areas; a < areas + AREAS; a++) {
		if (!length(a))
			continue;
		if (!a->kept)
			restore(a);
		err = a->base ? board_mem_map(hal.board, a->base, a->start, length(a)) : 0;
		if (err)
			hal_fatal("MU memory cannot be mapped, error", err);
	}
	for (s = __start_hal_sec_sym; s < __stop_hal_sec_sym; s++) {
		err = board_symbol(hal.board, (*s)->name, hal_mu_addr((*s)->mem), (*s)->len);
		if (err)
			hal_fatal("a symbol was refused, error", err);
	}
}

/* Return: the section in MU memory that has @mem, or NULL. */
static const struct area *area_of(const void *mem)
{
	const struct area *a;

	for (a = areas; a < areas + AREAS; a++)
		if (a->base && (size_t)((const char *)mem - a->start) < length(a))
			return a;
	return NULL;
}

bool hal_mem_is_mu(const void *mem)
{
	return area_of(mem);
}

/* A process that a microengine of the board executes has its objects in the board's memory. */
uint64_t hal_mu_addr(const void *mem)
{
	const struct area *a = area_of(mem);
	uint64_t addr = a ? a->base + (uint64_t)((const char *)mem - a->start) :
			    board_mem_addr(hal.board, mem);

	if (addr == UINT64_MAX)
		hal_fatal("address of an object that is not __export, offset",
			  (long)((const char *)mem - __start_hal_sec_mu));
	return addr;
}

void *hal_mu_ptr(uint64_t addr)
{
	const struct area *a;
	void *mem;

	for (a = areas; a < areas + AREAS; a++)
		if (a->base && addr - a->base < length(a))
			return a->start + (addr - a->base);
	mem = board_mem_ptr(hal.board, addr, 1);
	if (!mem)
		hal_fatal("no MU memory at", (long)addr);
	return mem;
}

void hal_reg_copy(void *dst, const void *src, size_t size)
{
	if (src)
		memcpy(dst, src, size);
	else
		memset(dst, 0, size);
}

/* ---- commands ---- */

/* Bytes of each command in the loops of mem_copy() and mem_zero(). */
#define PIECE	64

typedef uint32_t __attribute__((may_alias)) word32;
typedef uint64_t __attribute__((may_alias)) word64;

static void move(void *dst, const void *src, size_t size)
{
	hal_cmd_begin();
	memcpy(dst, src, size);
	hal_cmd_end();
}

void hal_mem_read(void *data, const void *addr, size_t size, size_t unit, size_t max)
{
	hal_size_check(size, unit, max);
	move(data, addr, size);
}

void hal_mem_write(const void *data, void *addr, size_t size, size_t unit, size_t max)
{
	hal_size_check(size, unit, max);
	move(addr, data, size);
}

void hal_mem_copy(void *dst, const void *src, size_t size)
{
	char piece[PIECE];
	size_t at, n;

	if (hal_swap_mode == HAL_SWAP_WAIT) {
		memcpy(dst, src, size);
		return;
	}
	for (at = 0; at < size; at += n) {
		n = size - at < PIECE ? size - at : PIECE;
		move(piece, (const char *)src + at, n);
		move((char *)dst + at, piece, n);
	}
}

int hal_mem_equal(const void *a, const void *b, size_t size)
{
	int equal;

	hal_cmd_begin();
	equal = !memcmp(a, b, size);
	hal_cmd_end();
	return equal;
}

void hal_mem_zero(void *dst, size_t size)
{
	static const char zeros[PIECE];
	size_t at, n;

	for (at = 0; at < size; at += n) {
		n = size - at < PIECE ? size - at : PIECE;
		move((char *)dst + at, zeros, n);
	}
}

void hal_mem_add32(uint32_t val, void *addr)
{
	*(word32 *)addr += val;
}

void hal_mem_add64(uint64_t val, void *addr)
{
	*(word64 *)addr += val;
}

uint32_t hal_mem_test_add32(uint32_t val, void *addr)
{
	uint32_t old;

	hal_cmd_begin();
	old = *(word32 *)addr;
	*(word32 *)addr = old + val;
	hal_cmd_end();
	return old;
}

uint64_t hal_mem_test_add64(uint64_t val, void *addr)
{
	uint64_t old;

	hal_cmd_begin();
	old = *(word64 *)addr;
	*(word64 *)addr = old + val;
	hal_cmd_end();
	return old;
}
