// SPDX-License-Identifier: BSD-2-Clause
/* dma_map.c - looks up DMA addresses, and copies with the ordering of a real card. */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "dma_map.h"

/* Index of the first region that ends at or after @addr, or m->count. */
static size_t region_index(struct dma_map *m, uint64_t addr)
{
	size_t lo = 0, hi = m->count;

	if (m->hit < m->count && addr >= m->regions[m->hit].addr &&
	    addr <= m->regions[m->hit].last)
		return m->hit;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (m->regions[mid].last < addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	m->hit = lo;
	return lo;
}

int dma_map_add(struct dma_map *m, uint64_t addr, uint64_t size, void *mem,
		unsigned int prot)
{
	uint64_t last = addr + (size - 1);
	struct dma_region *r;
	size_t i;

	if (!size || last < addr)
		return -EINVAL;
	i = region_index(m, addr);
	if (i < m->count && m->regions[i].addr <= last)
		return -EEXIST;
	if (m->count == m->room) {
		size_t room = m->room ? 2 * m->room : 16;

		r = reallocarray(m->regions, room, sizeof(*r));
		if (!r)
			return -ENOMEM;
		m->regions = r;
		m->room = room;
	}
	r = &m->regions[i];
	memmove(r + 1, r, (m->count - i) * sizeof(*r));
	m->count++;
	*r = (struct dma_region){
		.addr = addr, .last = last, .mem = mem, .prot = prot,
	};
	return 0;
}

struct dma_region *dma_map_find(struct dma_map *m, uint64_t addr, uint64_t size)
{
	size_t i = region_index(m, addr);

	if (!size || i == m->count || m->regions[i].addr != addr ||
	    m->regions[i].last != addr + (size - 1))
		return NULL;
	return &m->regions[i];
}

void dma_map_del(struct dma_map *m, struct dma_region *r)
{
	size_t i = r - m->regions;

	m->count--;
	memmove(r, r + 1, (m->count - i) * sizeof(*r));
}

int dma_map_del_range(struct dma_map *m, uint64_t addr, uint64_t last,
		      void (*gone)(struct dma_region *r))
{
	size_t first = region_index(m, addr), end = first;

	while (end < m->count && m->regions[end].addr <= last) {
		if (m->regions[end].addr < addr || m->regions[end].last > last)
			return -EINVAL;
		end++;
	}
	for (size_t i = first; i < end; i++)
		gone(&m->regions[i]);
	memmove(&m->regions[first], &m->regions[end], (m->count - end) * sizeof(m->regions[0]));
	m->count -= end - first;
	return end - first;
}

void dma_map_free(struct dma_map *m)
{
	free(m->regions);
	memset(m, 0, sizeof(*m));
}

/*
 * The client may truncate the file of a mapping at any time. An access to it then raises SIGBUS.
 * The transfer must fail then, but this process must not end.
 */
static __thread sigjmp_buf *bus_escape;
static struct sigaction bus_before;

static void bus_error(int sig, siginfo_t *si, void *context)
{
	(void)context;
	if (bus_escape)
		siglongjmp(*bus_escape, 1);
	/*
	 * This SIGBUS has another cause: restore the previous handler. A faulting instruction
	 * faults again; a signal that was sent must be raised again.
	 */
	sigaction(sig, &bus_before, NULL);
	if (si->si_code <= 0)
		raise(sig);
}

void dma_map_guard(void)
{
	/* SA_NODEFER: siglongjmp() out of the handler does not restore the signal mask. */
	static const struct sigaction sa = {
		.sa_sigaction = bus_error, .sa_flags = SA_NODEFER | SA_SIGINFO,
	};
	struct sigaction old;

	if (!sigaction(SIGBUS, &sa, &old) && old.sa_sigaction != bus_error)
		bus_before = old;
}

/*
 * Largest transfer that is copied in ascending order, with each aligned 8-byte word in one
 * access. The host relies on this when it polls a record that the card writes. Nobody polls
 * bytes within a larger transfer, and the order of its bytes is undefined, as on the PCIe link. The order
 * between one transfer and the next always holds.
 */
#define WORDS_MAX	128

static void words_to_host(uint8_t *dst, const uint8_t *src, size_t len)
{
	if (len > WORDS_MAX) {
		__atomic_thread_fence(__ATOMIC_RELEASE);
		memcpy(dst, src, len);
		__atomic_thread_fence(__ATOMIC_RELEASE);
		return;
	}
	for (; len && (uintptr_t)dst % 8; len--)
		__atomic_store_n(dst++, *src++, __ATOMIC_RELEASE);
	for (; len >= 8; len -= 8, dst += 8, src += 8) {
		uint64_t w;

		memcpy(&w, src, 8);
		__atomic_store_n((uint64_t *)dst, w, __ATOMIC_RELEASE);
	}
	for (; len; len--)
		__atomic_store_n(dst++, *src++, __ATOMIC_RELEASE);
}

static void words_from_host(uint8_t *dst, const uint8_t *src, size_t len)
{
	if (len > WORDS_MAX) {
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		memcpy(dst, src, len);
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		return;
	}
	for (; len && (uintptr_t)src % 8; len--)
		*dst++ = __atomic_load_n(src++, __ATOMIC_ACQUIRE);
	for (; len >= 8; len -= 8, dst += 8, src += 8) {
		uint64_t w = __atomic_load_n((const uint64_t *)src, __ATOMIC_ACQUIRE);

		memcpy(dst, &w, 8);
	}
	for (; len; len--)
		*dst++ = __atomic_load_n(src++, __ATOMIC_ACQUIRE);
}

/*
 * If all bytes of the range can be accessed, return the index of the first region; otherwise -1.
 */
static long range_check(struct dma_map *m, uint64_t addr, size_t len,
			unsigned int prot)
{
	size_t first = region_index(m, addr), i;
	uint64_t last = addr + (len - 1);

	if (last < addr)
		return -1;
	for (i = first; i < m->count; i++) {
		const struct dma_region *r = &m->regions[i];

		if (r->addr > addr || !r->mem || !(r->prot & prot))
			return -1;
		if (r->last >= last)
			return first;
		addr = r->last + 1;
	}
	return -1;
}

/*
 * @w is the card's buffer of a write, @r that of a read. This function is not inline, because its
 * variables must not be in the frame that calls sigsetjmp().
 */
static __attribute__((noinline))
void copy_split(const struct dma_region *reg, uint64_t addr, const uint8_t *w,
		uint8_t *r, size_t len)
{
	for (; len; reg++) {
		uint64_t off = addr - reg->addr;
		uint64_t left = reg->last - addr;	/* bytes to the region's end - 1 */
		size_t n = left < len ? left + 1 : len;

		if (w) {
			words_to_host(reg->mem + off, w, n);
			w += n;
		} else {
			words_from_host(r, reg->mem + off, n);
			r += n;
		}
		addr += n;
		len -= n;
	}
}

static int copy_guarded(struct dma_map *m, uint64_t addr, const uint8_t *w,
			uint8_t *r, size_t len)
{
	sigjmp_buf env;
	long first;

	if (!len)
		return 0;
	first = range_check(m, addr, len, w ? DMA_MAP_WRITE : DMA_MAP_READ);
	if (first < 0)
		return -EFAULT;
	if (sigsetjmp(env, 0)) {
		bus_escape = NULL;
		return -EFAULT;
	}
	bus_escape = &env;
	copy_split(&m->regions[first], addr, w, r, len);
	bus_escape = NULL;
	return 0;
}

int dma_map_read(struct dma_map *m, uint64_t addr, void *buf, size_t len)
{
	return copy_guarded(m, addr, NULL, buf, len);
}

int dma_map_write(struct dma_map *m, uint64_t addr, const void *buf, size_t len)
{
	return copy_guarded(m, addr, buf, NULL, len);
}
