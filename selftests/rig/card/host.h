/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * host.h - an emulated card and a host in one process, for unit tests and benchmarks.
 *
 * The host is a root complex: it makes configuration and BAR accesses, has memory at bus
 * addresses, and takes MSI-X interrupts. It logs the card's memory accesses and interrupts in
 * order. One thread owns the host and the card; other threads may poll the memory.
 */
#ifndef HOST_H
#define HOST_H

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef FW_HOST_PLAIN
#include "plain.h"
#else
#include <cmocka.h>
#endif

#include "board.h"
#include "board_fw.h"
#include "dma_map.h"

/* Not 0, and above 32 bits: an address that was truncated to 32 bits hits no memory. */
#define HOST_BASE	0x1200000000ull
#define HOST_SIZE	(1u << 20)
#define HOST_LOG	1024

enum host_event {
	HOST_READ,
	HOST_WRITE,
	HOST_MSIX,
	HOST_DONE,	/* a DMA callback: len has the DMA's tag, addr the status */
};

/**
 * struct host - a host and its card
 * @b: the card
 * @fw: the firmware, or NULL
 * @fw_ctx: argument of the firmware's functions
 * @mem: HOST_SIZE bytes, which the card sees at HOST_BASE
 * @armed: vectors whose interrupts the host takes; the card keeps the others pending
 * @irqs: interrupts taken, by vector
 * @on_irq: called for each interrupt of a vector, or NULL
 * @irq_arg: argument of @on_irq, by vector
 * @log: accesses and interrupts of the card, until the log is full
 * @logged: entries in @log
 * @faults: DMA accesses to addresses where no memory is mapped
 * @dma: memory by bus address
 * @owned: memory of host_dma_alloc()
 * @bus_next: bus address of the next allocation
 */
struct host {
	struct board *b;
	const struct board_fw *fw;
	void *fw_ctx;
	uint8_t *mem;
	bool armed[BOARD_MSIX_VECTORS];
	unsigned long irqs[BOARD_MSIX_VECTORS];
	void (*on_irq[BOARD_MSIX_VECTORS])(void *arg, unsigned int vector);
	void *irq_arg[BOARD_MSIX_VECTORS];
	struct {
		enum host_event what;
		uint64_t addr;
		size_t len;
	} log[HOST_LOG];
	unsigned int logged;
	unsigned long faults;
	struct dma_map dma;
	struct host_owned *owned;
	uint64_t bus_next;
};

/*
 * Create a card with firmware @fw (may be NULL) and enumerate it: memory space, bus mastering
 * and MSI-X are enabled, and the windows are those of host_windows().
 */
struct host *host_create(const struct board_fw *fw, void *fw_ctx);
/* A card with firmware "full", instead of the public firmware */
struct host *host_create_full(const struct board_fw *fw, void *fw_ctx);
void host_destroy(struct host *h);
/* cmocka fixtures: *@state is a host and a board without firmware. */
int host_setup(void **state);
int host_teardown(void **state);
/* Reset the card (FLR or power cycle), and enumerate it. Vectors and memory stay. */
void host_reset(struct host *h, enum board_reset how);

/* ---- memory ---- */

/*
 * Allocate zeroed, page-aligned memory that the card reaches at *@bus. Bus addresses are above
 * 4 GiB and below the card's 40 bits. No two allocations are adjacent, so a DMA beyond the end
 * of one fails.
 */
void *host_dma_alloc(struct host *h, size_t len, uint64_t *bus);
/* Map page-aligned memory of the caller in the same way. */
void host_dma_map(struct host *h, void *mem, size_t len, uint64_t *bus);
/* Unmap memory from the card, and free it if host_dma_alloc() allocated it. */
void host_dma_free(struct host *h, uint64_t bus);

/* Run firmware that has just started until no process waits for the channel managers. */
void host_boot(struct host *h);

static inline void host_set(struct host *h, const char *key, const char *value)
{
	char err[160];

	assert_int_equal(board_set(h->b, key, value, err, sizeof(err)), 0);
}

/* ---- configuration space and BARs: each access is one TLP of 1, 2, 4 or 8 bytes ---- */

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

/* Return the offset of a capability in configuration space; abort if it is not there. */
unsigned int host_find_cap(struct host *h, unsigned int id);
/* Set the largest read request, a power of 2 from 128 to 4096 bytes. */
void host_readrq(struct host *h, unsigned int bytes);

/* Size of a slice: each BAR (BAR0, BAR2, BAR4) has eight slices */
#define SLICE0	(16ull << 20)
#define SLICE2	(8ull << 20)
#define SLICE4	(2ull << 20)

/* Write window CSR @n through BAR0.0 and read it back, as the stock driver does. */
static inline void csr_write(struct host *h, unsigned int n, uint32_t v)
{
	bar_write(h, 0, 0x30000 + 4 * n, v, 4);
	assert_int_equal(bar_read(h, 0, 0x30000 + 4 * n, 4), v);
}

/* Set up the windows that the stock driver keeps. */
void host_windows(struct host *h);

/* PCIe-internal addresses through BAR4.2: SRAM, queue controllers. */
#define PCIE(off)	(2 * SLICE4 + (off))

static inline uint32_t pcie_read(struct host *h, uint32_t off)
{
	return bar_read(h, 4, PCIE(off), 4);
}

static inline void pcie_write(struct host *h, uint32_t off, uint32_t v)
{
	bar_write(h, 4, PCIE(off), v, 4);
}

/* Copy by words, as memcpy_fromio() and memcpy_toio() do. */
void pcie_read_buf(struct host *h, uint32_t off, void *buf, size_t len);
void pcie_write_buf(struct host *h, uint32_t off, const void *buf, size_t len);

#define QC(queue, reg)	(0x80000 + 0x800 * (queue) + (reg))
#define ADD_RPTR	0x0
#define ADD_WPTR	0x4
#define STS_LO		0x8
#define STS_HI		0xc

/* Ring a doorbell: add @n to the write pointer of queue controller @queue. */
static inline void qc_add_wptr(struct host *h, unsigned int queue, uint32_t n)
{
	pcie_write(h, QC(queue, ADD_WPTR), n);
}

/* Move the 64-bit BULK window BAR4.3 to @addr in MU memory; return @addr's offset in BAR4. */
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

/* ---- MSI-X ---- */

static inline void host_arm(struct host *h, unsigned int vector, bool armed)
{
	h->armed[vector] = armed;
	board_msix_armed(h->b, vector, armed);
}

/*
 * Arm a vector, and set the function that board_run() and board_msix_armed() call for each
 * interrupt of the vector.
 */
static inline void host_on_irq(struct host *h, unsigned int vector,
			       void (*fn)(void *arg, unsigned int vector), void *arg)
{
	h->on_irq[vector] = fn;
	h->irq_arg[vector] = arg;
	host_arm(h, vector, true);
}

/* ---- progress ---- */

/* Run the card until it has nothing more to do now. */
void host_run(struct host *h);
/*
 * Run the card, and wait for its timed events, until @done returns true. Return 0, -ETIMEDOUT
 * after @timeout_ms, or -EAGAIN when no event can come any more.
 */
int host_run_until(struct host *h, bool (*done)(void *arg), void *arg, unsigned int timeout_ms);

void host_log(struct host *h, enum host_event what, uint64_t addr, size_t len);
/* Return a number of board_stats_json(): the @n-th (from 0) of that name. */
uint64_t host_stat(struct host *h, const char *name, unsigned int n);

static inline struct board_tlp_count host_tlp(struct host *h, enum board_tlp purpose)
{
	struct board_tlp_count c;

	board_tlp_get(h->b, purpose, &c);
	return c;
}

#endif /* HOST_H */
