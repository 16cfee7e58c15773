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

/* Initial contents of a section, copied at the first start of the firmware. */
struct pristine {
	char *start;
	size_t len;
	char *copy;
};

static struct pristine pristine[2];

static void restore(struct pristine *p, char *start, char *stop)
{
	if (!p->copy) {
		p->start = start;
		p->len = (size_t)(stop - start);
		p->copy = malloc(p->len + 1);
		if (!p->copy)
			hal_fatal("no memory for initial contents, bytes", (long)p->len);
		memcpy(p->copy, start, p->len);
		return;
	}
	memcpy(p->start, p->copy, p->len);
}

static size_t window_len(void)
{
	return (size_t)(__stop_hal_sec_win - __start_hal_sec_win);
}

void hal_mem_start(void)
{
	const struct hal_symbol * const *s;
	int err;

	restore(&pristine[0], __start_hal_sec_mu, __stop_hal_sec_mu);
	restore(&pristine[1], __start_hal_sec_me, __stop_hal_sec_me);
	if (!pristine[0].len)
		return;
	err = board_mem_map(hal.board, HAL_MU_BASE, pristine[0].start, pristine[0].len);
	if (err)
		hal_fatal("MU memory cannot be mapped, error", err);
	if (window_len()) {
		err = board_mem_map(hal.board, HAL_WIN_BASE, __start_hal_sec_win, window_len());
		if (err)
			hal_fatal("memory beside the vNICs cannot be mapped, error", err);
	}
	for (s = __start_hal_sec_sym; s < __stop_hal_sec_sym; s++) {
		err = board_symbol(hal.board, (*s)->name, hal_mu_addr((*s)->mem), (*s)->len);
		if (err)
			hal_fatal("a symbol was refused, error", err);
	}
}

/* Test whether @mem is in an __export or __vnic_window object. */
bool hal_mem_is_mu(const void *mem)
{
	return (size_t)((const char *)mem - pristine[0].start) < pristine[0].len ||
	       (size_t)((const char *)mem - __start_hal_sec_win) < window_len();
}

uint64_t hal_mu_addr(const void *mem)
{
	size_t off = (size_t)((const char *)mem - pristine[0].start);
	size_t win = (size_t)((const char *)mem - __start_hal_sec_win);

	if (win < window_len())
		return HAL_WIN_BASE + win;
	if (off >= pristine[0].len)
		hal_fatal("address of an object that is not __export, offset", (long)off);
	return HAL_MU_BASE + off;
}

void *hal_mu_ptr(uint64_t addr)
{
	uint64_t off = addr - HAL_MU_BASE;

	if (addr - HAL_WIN_BASE < window_len())
		return __start_hal_sec_win + (addr - HAL_WIN_BASE);
	if (off >= pristine[0].len)
		hal_fatal("no MU memory at", (long)addr);
	return pristine[0].start + off;
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
