// SPDX-License-Identifier: BSD-2-Clause
/*
 * inproc.c - in-process front end: a root complex for tests and benchmarks.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <syslog.h>
#include <time.h>

#include "dma_map.h"
#include "inproc.h"

#define PAGE		4096u
/* Not 0, and more than 32 bits: a truncated address must not hit anything. */
#define BUS_FIRST	0x1200000000ull
#define BUS_END		(1ull << 40)

/* PCI configuration space, PCI Local Bus Specification 3.0. */
#define PCI_COMMAND		0x04
#define PCI_COMMAND_MEM_MASTER	0x0006
#define PCI_CAP_PTR		0x34
#define PCI_CAP_ID_MSIX		0x11
#define PCI_MSIX_CONTROL	2
#define PCI_CAP_ID_EXP		0x10
#define PCI_EXP_CONTROL		8
#define PCI_EXP_READRQ		0x7000
#define PCI_MSIX_ENABLE		0x8000

/*
 * P2C window CSRs: at PCIe-internal 0x30000, and 0x400 in config space.
 * Source: nfp6000_pcie.c of the Linux driver.
 */
#define P2C_CONFIG		0x400
#define P2C_INTERNAL		0x30000
#define P2C_GENERAL		0x60000000u
#define P2C_BULK_TARGET0	0x20000000u
#define BAR4_SLICE2		(2 * 8 + 2)
#define SLICES			8
#define QC_ADD_WPTR(q)		(0x80000 + 0x800 * (q) + 4)

struct vector {
	bool armed;
	unsigned long count;
	void (*fn)(void *arg, unsigned int vector);
	void *arg;
};

/* Memory that is ours to free, by bus address. */
struct owned {
	struct owned *next;
	uint64_t bus;
	void *mem;
};

struct inproc {
	struct board *board;
	struct dma_map dma;
	struct owned *owned;
	uint64_t bus_next;
	unsigned long faults;
	struct vector vectors[BOARD_MSIX_VECTORS];
};

static int fault(struct inproc *ip, const char *what, uint64_t addr, size_t len)
{
	if (!ip->faults++)
		board_log(LOG_NOTICE, "inproc: DMA %s at %#llx, %zu bytes: not mapped",
			  what, (unsigned long long)addr, len);
	return -EFAULT;
}

static int host_dma_read(void *ctx, uint64_t addr, void *buf, size_t len)
{
	struct inproc *ip = ctx;

	return dma_map_read(&ip->dma, addr, buf, len) ?
	       fault(ip, "read", addr, len) : 0;
}

static int host_dma_write(void *ctx, uint64_t addr, const void *buf, size_t len)
{
	struct inproc *ip = ctx;

	return dma_map_write(&ip->dma, addr, buf, len) ?
	       fault(ip, "write", addr, len) : 0;
}

static int host_msix(void *ctx, unsigned int vector)
{
	struct inproc *ip = ctx;
	struct vector *v;

	if (vector >= BOARD_MSIX_VECTORS || !ip->vectors[vector].armed)
		return -ENOENT;
	v = &ip->vectors[vector];
	v->count++;
	if (v->fn)
		v->fn(v->arg, vector);
	return 0;
}

static const struct board_host_ops host_ops = {
	.dma_read = host_dma_read,
	.dma_write = host_dma_write,
	.msix = host_msix,
};

/* Where a capability is in configuration space, or 0. */
static unsigned int find_cap(struct inproc *ip, unsigned int id)
{
	unsigned int cap = inproc_cfg_read(ip, PCI_CAP_PTR, 1);

	for (int i = 0; cap && i < 48; i++) {
		uint32_t head = inproc_cfg_read(ip, cap, 2);

		if ((head & 0xff) == id)
			return cap;
		cap = head >> 8;
	}
	return 0;
}

/* What the kernel's PCI core and pci_enable_msix_range() would do. */
static void host_enumerate(struct inproc *ip)
{
	inproc_cfg_write(ip, PCI_COMMAND, PCI_COMMAND_MEM_MASTER, 2);
	inproc_cfg_write(ip, find_cap(ip, PCI_CAP_ID_MSIX) + PCI_MSIX_CONTROL,
			 PCI_MSIX_ENABLE, 2);
}

void inproc_readrq(struct inproc *ip, unsigned int bytes)
{
	unsigned int ctl = find_cap(ip, PCI_CAP_ID_EXP) + PCI_EXP_CONTROL;

	inproc_cfg_write(ip, ctl, (inproc_cfg_read(ip, ctl, 2) & ~PCI_EXP_READRQ) |
			 (unsigned int)(ffs((int)bytes) - 8) << 12, 2);
}

static int options_set(struct inproc *ip, const char * const *set)
{
	char err[256];

	for (; set && set[0]; set += 2) {
		int ret = board_set(ip->board, set[0], set[1], err, sizeof(err));

		if (ret) {
			board_log(LOG_ERR, "inproc: %s", err);
			return ret;
		}
	}
	return 0;
}

struct inproc *inproc_create(const struct board_fw *fw, void *fw_ctx,
			     const char * const *set)
{
	struct inproc *ip = calloc(1, sizeof(*ip));
	int ret;

	if (!ip)
		return NULL;
	ip->bus_next = BUS_FIRST;
	ip->board = board_create(fw, fw_ctx);
	if (!ip->board) {
		free(ip);
		return NULL;
	}
	ret = options_set(ip, set);
	if (ret) {
		inproc_destroy(ip);
		errno = -ret;
		return NULL;
	}
	board_attach(ip->board, &host_ops, ip);
	host_enumerate(ip);
	return ip;
}

void inproc_destroy(struct inproc *ip)
{
	board_attach(ip->board, NULL, NULL);
	board_destroy(ip->board);
	while (ip->owned)
		inproc_dma_free(ip, ip->owned->bus);
	dma_map_free(&ip->dma);
	free(ip);
}

struct board *inproc_board(struct inproc *ip)
{
	return ip->board;
}

int inproc_dma_map(struct inproc *ip, void *mem, size_t len, uint64_t *bus)
{
	size_t room = (len + PAGE - 1) / PAGE * PAGE;
	int ret;

	if (!len || (uintptr_t)mem % PAGE || len > BUS_END - ip->bus_next - PAGE)
		return -EINVAL;
	ret = dma_map_add(&ip->dma, ip->bus_next, len, mem,
			  DMA_MAP_READ | DMA_MAP_WRITE);
	if (ret)
		return ret;
	*bus = ip->bus_next;
	ip->bus_next += room + PAGE;
	return 0;
}

void *inproc_dma_alloc(struct inproc *ip, size_t len, uint64_t *bus)
{
	size_t room = (len + PAGE - 1) / PAGE * PAGE;
	struct owned *o = malloc(sizeof(*o));
	void *mem = aligned_alloc(PAGE, room);

	if (!o || !mem || inproc_dma_map(ip, mem, len, bus)) {
		free(o);
		free(mem);
		return NULL;
	}
	memset(mem, 0, room);
	*o = (struct owned){ .next = ip->owned, .bus = *bus, .mem = mem };
	ip->owned = o;
	return mem;
}

void inproc_dma_free(struct inproc *ip, uint64_t bus)
{
	struct owned **link = &ip->owned, *o;

	for (size_t i = 0; i < ip->dma.count; i++) {
		if (ip->dma.regions[i].addr == bus) {
			dma_map_del(&ip->dma, &ip->dma.regions[i]);
			break;
		}
	}
	while ((o = *link) && o->bus != bus)
		link = &o->next;
	if (!o)
		return;
	*link = o->next;
	free(o->mem);
	free(o);
}

unsigned long inproc_dma_faults(const struct inproc *ip)
{
	return ip->faults;
}

uint32_t inproc_cfg_read(struct inproc *ip, unsigned int off, unsigned int size)
{
	uint32_t val = 0;

	board_cfg_read(ip->board, off, &val, size);
	return val;
}

void inproc_cfg_write(struct inproc *ip, unsigned int off, uint32_t val,
		      unsigned int size)
{
	board_cfg_write(ip->board, off, &val, size);
}

uint64_t inproc_bar_read(struct inproc *ip, unsigned int bar, uint64_t off,
			 unsigned int size)
{
	uint64_t val = 0;

	board_bar_read(ip->board, bar, off, &val, size);
	return val;
}

void inproc_bar_write(struct inproc *ip, unsigned int bar, uint64_t off,
		      uint64_t val, unsigned int size)
{
	board_bar_write(ip->board, bar, off, &val, size);
}

int inproc_window_open(struct inproc *ip)
{
	uint32_t csr = P2C_INTERNAL + 4 * BAR4_SLICE2;

	inproc_cfg_write(ip, P2C_CONFIG, P2C_GENERAL, 4);
	inproc_bar_write(ip, 0, csr, P2C_BULK_TARGET0, 4);
	return inproc_bar_read(ip, 0, csr, 4) == P2C_BULK_TARGET0 ? 0 : -ENODEV;
}

/* BAR4 offset of a PCIe-internal address. */
static uint64_t window(struct inproc *ip, uint32_t addr)
{
	return board_bar_size(ip->board, 4) / SLICES * 2 + addr;
}

uint64_t inproc_read(struct inproc *ip, uint32_t addr, unsigned int size)
{
	return inproc_bar_read(ip, 4, window(ip, addr), size);
}

void inproc_write(struct inproc *ip, uint32_t addr, uint64_t val, unsigned int size)
{
	inproc_bar_write(ip, 4, window(ip, addr), val, size);
}

void inproc_read_buf(struct inproc *ip, uint32_t addr, void *buf, size_t len)
{
	uint8_t *p = buf;

	while (len) {
		unsigned int n = len >= 4 && addr % 4 == 0 ? 4 : 1;
		uint32_t v = inproc_read(ip, addr, n);

		memcpy(p, &v, n);
		p += n;
		addr += n;
		len -= n;
	}
}

void inproc_write_buf(struct inproc *ip, uint32_t addr, const void *buf, size_t len)
{
	const uint8_t *p = buf;

	while (len) {
		unsigned int n = len >= 4 && addr % 4 == 0 ? 4 : 1;
		uint32_t v = 0;

		memcpy(&v, p, n);
		inproc_write(ip, addr, v, n);
		p += n;
		addr += n;
		len -= n;
	}
}

void inproc_qc_add_wptr(struct inproc *ip, unsigned int queue, uint32_t n)
{
	inproc_write(ip, QC_ADD_WPTR(queue), n, 4);
}

void inproc_msix_arm(struct inproc *ip, unsigned int vector,
		     void (*fn)(void *arg, unsigned int vector), void *arg)
{
	struct vector *v = &ip->vectors[vector];

	v->armed = true;
	v->fn = fn;
	v->arg = arg;
	board_msix_armed(ip->board, vector, true);
}

void inproc_msix_disarm(struct inproc *ip, unsigned int vector)
{
	ip->vectors[vector].armed = false;
	board_msix_armed(ip->board, vector, false);
}

unsigned long inproc_msix_count(const struct inproc *ip, unsigned int vector)
{
	return ip->vectors[vector].count;
}

void inproc_run(struct inproc *ip)
{
	while (board_run(ip->board, 64))
		;
}

static uint64_t monotonic_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

int inproc_run_until(struct inproc *ip, bool (*done)(void *arg), void *arg,
		     unsigned int timeout_ms)
{
	uint64_t end = monotonic_ns() + timeout_ms * 1000000ull, next;
	struct timespec ts;

	while (!done(arg)) {
		if (monotonic_ns() >= end)
			return -ETIMEDOUT;
		if (board_run(ip->board, 64))
			continue;
		next = board_deadline(ip->board);
		if (next == UINT64_MAX)
			return done(arg) ? 0 : -EAGAIN;
		if (next > end)
			next = end;
		ts.tv_sec = next / 1000000000ull;
		ts.tv_nsec = next % 1000000000ull;
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
	}
	return 0;
}

void inproc_reset(struct inproc *ip, enum board_reset how)
{
	board_reset(ip->board, how);
	host_enumerate(ip);
}
