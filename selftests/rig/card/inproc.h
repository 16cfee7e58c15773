/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * inproc.h - in-process front end: a board and a host without a VM.
 *
 * A root complex in a few hundred lines for unit tests and benchmarks. What
 * it offers is what a host has: configuration and BAR accesses, memory at bus
 * addresses, MSI-X vectors. One thread owns it, as it does the board; memory
 * from inproc_dma_alloc() may be polled by others.
 */
#ifndef INPROC_H
#define INPROC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "board.h"

struct inproc;

/*
 * Create a board with firmware @fw (may be NULL) and a host that has
 * enumerated it: memory space, bus master and MSI-X are enabled. NULL with
 * errno set. @set is a NULL-terminated list of KEY, VALUE, ..., or NULL.
 */
struct inproc *inproc_create(const struct board_fw *fw, void *fw_ctx,
			     const char * const *set);
void inproc_destroy(struct inproc *ip);
struct board *inproc_board(struct inproc *ip);

/* ---- host memory ---- */

/*
 * Zeroed, page aligned memory that the board reaches at *@bus, or NULL. Bus
 * addresses are above 4 GiB and below the card's 40 bits, and no two
 * allocations touch: a DMA beyond the end of one fails.
 */
void *inproc_dma_alloc(struct inproc *ip, size_t len, uint64_t *bus);
/* The same for memory of the caller, page aligned. 0, -EINVAL, -ENOMEM. */
int inproc_dma_map(struct inproc *ip, void *mem, size_t len, uint64_t *bus);
/* The board loses sight of it; memory of inproc_dma_alloc() is freed. */
void inproc_dma_free(struct inproc *ip, uint64_t bus);
/* DMA accesses that failed because the host had nothing at their address. */
unsigned long inproc_dma_faults(const struct inproc *ip);

/* ---- configuration space and BARs, one TLP of 1, 2, 4 or 8 bytes each ---- */

uint32_t inproc_cfg_read(struct inproc *ip, unsigned int off, unsigned int size);
void inproc_cfg_write(struct inproc *ip, unsigned int off, uint32_t val,
		      unsigned int size);
/* Set the largest read request, a power of 2 from 128 to 4096 bytes. */
void inproc_readrq(struct inproc *ip, unsigned int bytes);
uint64_t inproc_bar_read(struct inproc *ip, unsigned int bar, uint64_t off,
			 unsigned int size);
void inproc_bar_write(struct inproc *ip, unsigned int bar, uint64_t off,
		      uint64_t val, unsigned int size);

/* ---- PCIe-internal addresses: SRAM, queue controllers ---- */

/*
 * Open the window to them as nfp.ko does: the first P2C CSR through config
 * space makes BAR0.0 a GENERAL window, through which the CSR of BAR4.2 is
 * written (BULK, 32 bit, target 0, base 0). 0, or -ENODEV when the CSR does
 * not read back. To be done before the accesses below, and after each reset.
 */
int inproc_window_open(struct inproc *ip);
uint64_t inproc_read(struct inproc *ip, uint32_t addr, unsigned int size);
void inproc_write(struct inproc *ip, uint32_t addr, uint64_t val, unsigned int size);
/* By words, as memcpy_fromio() and memcpy_toio() do. */
void inproc_read_buf(struct inproc *ip, uint32_t addr, void *buf, size_t len);
void inproc_write_buf(struct inproc *ip, uint32_t addr, const void *buf, size_t len);
/* Doorbell: add @n to the write pointer of queue controller @queue. */
void inproc_qc_add_wptr(struct inproc *ip, unsigned int queue, uint32_t n);

/* ---- MSI-X ---- */

/*
 * Arm a vector, or change its handler; @fn may be NULL, and is called from
 * within board_run() and board_msix_armed(). An interrupt of a vector that is
 * not armed is the board's to keep.
 */
void inproc_msix_arm(struct inproc *ip, unsigned int vector,
		     void (*fn)(void *arg, unsigned int vector), void *arg);
void inproc_msix_disarm(struct inproc *ip, unsigned int vector);
/* Interrupts taken by a vector since inproc_create(). */
unsigned long inproc_msix_count(const struct inproc *ip, unsigned int vector);

/* ---- progress ---- */

/* Run the board until it has nothing more to do now. */
void inproc_run(struct inproc *ip);
/*
 * Run it until @done says so, waiting for its timed events. 0, or -ETIMEDOUT
 * after @timeout_ms, or -EAGAIN when nothing can happen any more.
 */
int inproc_run_until(struct inproc *ip, bool (*done)(void *arg), void *arg,
		     unsigned int timeout_ms);
/* FLR or power cycle. Vectors and memory stay as the host set them up. */
void inproc_reset(struct inproc *ip, enum board_reset how);

#endif /* INPROC_H */
