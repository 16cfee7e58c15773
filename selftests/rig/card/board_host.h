/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * board_host.h - a host for tests of the emulated card: memory at DMA
 * addresses, MSI-X vectors, and what the card did with them, in order.
 */
#ifndef BOARD_HOST_H
#define BOARD_HOST_H

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef FW_HOST_PLAIN
#include "plain.h"
#else
#include <cmocka.h>
#endif

#include "board.h"
#include "board_fw.h"

#define HOST_BASE	0x1200000000ull
#define HOST_SIZE	(1u << 20)
#define HOST_LOG	1024

enum host_event {
	HOST_READ,
	HOST_WRITE,
	HOST_MSIX,
	HOST_DONE,	/* a DMA callback; len is its tag, addr its status */
};

struct host {
	struct board *b;
	uint8_t *mem;
	bool armed[BOARD_MSIX_VECTORS];
	unsigned int irqs[BOARD_MSIX_VECTORS];
	struct {
		enum host_event what;
		uint64_t addr;
		size_t len;
	} log[HOST_LOG];
	unsigned int logged;
};

static inline void host_log(struct host *h, enum host_event what, uint64_t addr, size_t len)
{
	if (h->logged == HOST_LOG)
		return;
	h->log[h->logged].what = what;
	h->log[h->logged].addr = addr;
	h->log[h->logged++].len = len;
}

static inline bool host_has(uint64_t addr, size_t len)
{
	return addr >= HOST_BASE && len <= HOST_SIZE && addr - HOST_BASE <= HOST_SIZE - len;
}

static inline int host_dma_read(void *ctx, uint64_t addr, void *buf, size_t len)
{
	struct host *h = ctx;

	host_log(h, HOST_READ, addr, len);
	if (!host_has(addr, len))
		return -EFAULT;
	memcpy(buf, h->mem + (addr - HOST_BASE), len);
	return 0;
}

static inline int host_dma_write(void *ctx, uint64_t addr, const void *buf, size_t len)
{
	struct host *h = ctx;

	host_log(h, HOST_WRITE, addr, len);
	if (!host_has(addr, len))
		return -EFAULT;
	memcpy(h->mem + (addr - HOST_BASE), buf, len);
	return 0;
}

static inline int host_msix(void *ctx, unsigned int vector)
{
	struct host *h = ctx;

	assert_in_range(vector, 0, BOARD_MSIX_VECTORS - 1);
	if (!h->armed[vector])
		return -ENOENT;
	h->irqs[vector]++;
	host_log(h, HOST_MSIX, vector, 0);
	return 0;
}

static const struct board_host_ops host_ops = {
	.dma_read = host_dma_read,
	.dma_write = host_dma_write,
	.msix = host_msix,
};

/* ---- the host's accesses ---- */

static inline uint32_t cfg_read(struct host *h, unsigned int off, size_t len)
{
	uint32_t v = 0;

	board_cfg_read(h->b, off, &v, len);
	return v;
}

static inline void cfg_write(struct host *h, unsigned int off, uint32_t v, size_t len)
{
	board_cfg_write(h->b, off, &v, len);
}

static inline uint64_t bar_read(struct host *h, unsigned int bar, uint64_t off, size_t len)
{
	uint64_t v = 0;

	board_bar_read(h->b, bar, off, &v, len);
	return v;
}

static inline void bar_write(struct host *h, unsigned int bar, uint64_t off, uint64_t v, size_t len)
{
	board_bar_write(h->b, bar, off, &v, len);
}

/* Slices of the three BARs, in bytes. */
#define SLICE0	(16ull << 20)
#define SLICE2	(8ull << 20)
#define SLICE4	(2ull << 20)

/* Window CSR @n through BAR0.0, as the driver writes it, with its read back. */
static inline void csr_write(struct host *h, unsigned int n, uint32_t v)
{
	bar_write(h, 0, 0x30000 + 4 * n, v, 4);
	assert_int_equal(bar_read(h, 0, 0x30000 + 4 * n, 4), v);
}

/* The windows that the stock driver keeps, in the order it makes them. */
static inline void host_windows(struct host *h)
{
	cfg_write(h, 0x400, 0x60000000, 4);	/* BAR0.0 GENERAL */
	csr_write(h, 1, 0x27000000);		/* BAR0.1 BULK, XPB */
	csr_write(h, 4, 0x80000000);		/* BAR0.4 EXPLICIT0 */
	csr_write(h, 5, 0xa0000000);		/* BAR0.5 EXPLICIT1 */
	csr_write(h, 2, 0x03838100);		/* BAR0.2 FIXED, MU act 3 */
	csr_write(h, 3, 0x03e58100);		/* BAR0.3 FIXED, MU act 5 tok 3 */
	csr_write(h, 6, 0x03848100);		/* BAR0.6 FIXED, MU act 4 */
	csr_write(h, 18, 0x20000000);		/* BAR4.2 BULK, PCIe-internal */
}

/* PCIe-internal addresses through BAR4.2. */
static inline uint32_t pcie_read(struct host *h, uint32_t off)
{
	return bar_read(h, 4, 2 * SLICE4 + off, 4);
}

static inline void pcie_write(struct host *h, uint32_t off, uint32_t v)
{
	bar_write(h, 4, 2 * SLICE4 + off, v, 4);
}

#define QC(queue, reg)	(0x80000 + 0x800 * (queue) + (reg))
#define ADD_RPTR	0x0
#define ADD_WPTR	0x4
#define STS_LO		0x8
#define STS_HI		0xc

/* MU memory through BAR4.3, a 64-bit BULK window moved to where it is. */
static inline uint64_t mu_window(struct host *h, uint64_t addr)
{
	csr_write(h, 19, 0x2b800000 | (uint32_t)((addr & ~(SLICE4 - 1)) >> 19));
	return 3 * SLICE4 + (addr & (SLICE4 - 1));
}

static inline uint64_t mu_read(struct host *h, uint64_t addr, size_t len)
{
	return bar_read(h, 4, mu_window(h, addr), len);
}

static inline void mu_write(struct host *h, uint64_t addr, uint64_t v, size_t len)
{
	bar_write(h, 4, mu_window(h, addr), v, len);
}

static inline void mu_copy(struct host *h, uint64_t addr, void *buf, size_t len)
{
	board_bar_read(h->b, 4, mu_window(h, addr), buf, len);
}

static inline struct host *host_create(const struct board_fw *fw, void *fw_ctx)
{
	struct host *h = calloc(1, sizeof(*h));

	assert_non_null(h);
	h->mem = calloc(1, HOST_SIZE);
	assert_non_null(h->mem);
	h->b = board_create(fw, fw_ctx);
	assert_non_null(h->b);
	board_attach(h->b, &host_ops, h);
	cfg_write(h, 4, 0x6, 2);	/* memory space, bus master */
	host_windows(h);
	return h;
}

static inline void host_destroy(struct host *h)
{
	board_destroy(h->b);
	free(h->mem);
	free(h);
}

static inline void host_arm(struct host *h, unsigned int vector, bool armed)
{
	h->armed[vector] = armed;
	board_msix_armed(h->b, vector, armed);
}

static inline void host_run(struct host *h)
{
	while (board_run(h->b, 256))
		;
}

/* A number of board_stats_json(): the @n-th (from 0) of that name. */
static inline uint64_t host_stat(struct host *h, const char *name, unsigned int n)
{
	char path[] = "/tmp/board-stats-XXXXXX", key[64], text[16384] = "";
	const char *p = text;
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(board_stats_json(h->b, path), 0);
	assert_true(read(fd, text, sizeof(text) - 1) > 0);
	close(fd);
	unlink(path);
	snprintf(key, sizeof(key), "\"%s\": ", name);
	do {
		p = strstr(p, key);
		assert_non_null(p);
		p += strlen(key);
	} while (n--);
	return strtoull(p, NULL, 10);
}

static inline struct board_tlp_count host_tlp(struct host *h, enum board_tlp purpose)
{
	struct board_tlp_count c;

	board_tlp_get(h->b, purpose, &c);
	return c;
}

#endif /* BOARD_HOST_H */
