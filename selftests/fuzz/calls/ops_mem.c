// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* ops_mem.c - mappings of channels: mapped, moved, unmapped in part, read and written. */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"

#define AREA	0x1000000ul	/* distance of the offsets in struct nfp_chan_layout */
#define LEN_MAX	(8ul << 20)

static const int prots[] = {
	PROT_READ | PROT_WRITE, PROT_READ, PROT_READ | PROT_WRITE, PROT_READ,
	PROT_READ | PROT_WRITE, PROT_READ, PROT_READ | PROT_WRITE, PROT_READ,
	PROT_READ | PROT_WRITE, PROT_READ, PROT_READ | PROT_WRITE, PROT_READ,
	PROT_NONE, PROT_WRITE, PROT_READ | PROT_WRITE | PROT_EXEC, PROT_EXEC,
};

static size_t map_len(const struct map *m)
{
	return __atomic_load_n(&m->len, __ATOMIC_RELAXED);
}

/* Return a length in pages within the mapping, at least one page. */
static size_t some(const struct map *m, uint32_t x)
{
	size_t pages = map_len(m) / PAGE;

	return pages ? (x % pages + 1) * PAGE : PAGE;
}

long op_mmap(const struct call *c)
{
	static const size_t lens[] = { PAGE, PAGE, PAGE, 2 * PAGE, 8192, 131072, 2 << 20, 8 << 20 };
	static const int kinds[] = { MAP_SHARED, MAP_SHARED, MAP_SHARED, MAP_SHARED_VALIDATE,
				     MAP_SHARED, MAP_SHARED | MAP_POPULATE, MAP_SHARED,
				     MAP_SHARED | MAP_LOCKED };
	struct map *m = &maps[c->b % MAPS];
	unsigned long off = c->x % 8 * AREA;
	size_t len = lens[(c->x >> 3) % 8];
	int flags = (c->y >> 16) % 16 ? kinds[c->z % 8] : MAP_PRIVATE;
	int fd = slot_like(c->a, TAG_MAPPED);
	void *p;

		/* All areas except the ring are single pages. */
	if (c->x % 8)
		len = (c->x >> 3) % 16 ? PAGE : len;
	if (c->y % 16 == 0)
		off += (c->y >> 4) % 4096 * PAGE;
	p = mmap(m->base, len, prots[(c->z >> 3) % 16], flags | MAP_FIXED, fd, off);
	if (p == MAP_FAILED)
		return answer(c, fd, ON_MMAP, -1);
	__atomic_store_n(&m->len, len, __ATOMIC_RELAXED);
	return 0;
}

/* Unmap a page, the beginning, the end, or all of a mapping. */
long op_munmap(const struct call *c)
{
	struct map *m = &maps[c->a % MAPS];
	size_t len = map_len(m), part = some(m, c->y);

	switch (c->x % 4) {
	case 0:
		return result(munmap(m->base + (part - PAGE), PAGE));
	case 1:
		return result(munmap(m->base, part));
	case 2:
		return result(len < part ? 0 : munmap(m->base + len - part, part));
	}
	__atomic_store_n(&m->len, 0, __ATOMIC_RELAXED);
	return result(munmap(m->base, WINDOW));
}

/* Move a mapping to another window or resize it, or duplicate it. */
long op_mremap(const struct call *c)
{
	struct map *from = &maps[c->a % MAPS], *to = &maps[c->b % MAPS];
	size_t old = c->x & 1 ? map_len(from) : some(from, c->x >> 8);
	size_t len = c->y & 1 ? old : (c->y >> 2) % (c->y & 2 ? 32 : LEN_MAX / PAGE) * PAGE;
	void *p;

	if (c->x % 16 == 2)
		old = 0;
	if (c->x & 2) {
		p = mremap(from->base, old, len, 0);
		to = from;
	} else {
		p = mremap(from->base, old, len, MREMAP_MAYMOVE | MREMAP_FIXED |
			   (c->x % 8 == 4 ? MREMAP_DONTUNMAP : 0), to->base);
	}
	if (p == MAP_FAILED)
		return -errno;
	__atomic_store_n(&to->len, len, __ATOMIC_RELAXED);
	return 0;
}

long op_mprotect(const struct call *c)
{
	struct map *m = &maps[c->a % MAPS];

	return result(mprotect(m->base, some(m, c->x), prots[c->y % 16]));
}

long op_madvise(const struct call *c)
{
	static const int advice[] = {
		MADV_DONTNEED, MADV_REMOVE, MADV_DONTFORK, MADV_DOFORK, MADV_WILLNEED, MADV_FREE,
		MADV_WIPEONFORK, MADV_COLD, MADV_PAGEOUT, MADV_HUGEPAGE, MADV_MERGEABLE,
		MADV_POPULATE_READ, MADV_POPULATE_WRITE, MADV_DODUMP, MADV_COLLAPSE, MADV_SEQUENTIAL,
	};
	struct map *m = &maps[c->a % MAPS];
	size_t len = some(m, c->x);

	switch (c->z % 16) {
	case 0:
		return result(msync(m->base, len, MS_SYNC | MS_INVALIDATE));
	case 1:
		return result(mlock(m->base, len));
	case 2:
		return result(munlock(m->base, len));
	case 3:
		return result(mincore(m->base, len > 64 * PAGE ? 64 * PAGE : len,
				      place("", 1, 31)));
	case 4:
		return result(remap_file_pages(m->base, len, 0, c->y % 0x8000, 0));
	}
	return result(madvise(m->base, len, advice[c->y % 16]));
}

static void scribble(void *arg)
{
	const struct call *c = arg;
	struct map *m = &maps[c->a % MAPS];
	size_t words = map_len(m) / 4, i;
	volatile uint32_t *p = (volatile uint32_t *)m->base;
	uint64_t state = (uint64_t)c->y << 32 | c->z;

	for (i = 0; words && i < c->x % 32; i++) {
		/* Half of the accesses are at the beginning of a mapping, where its fields are. */
		uint64_t r = random_mix(&state);
		size_t at = r & 1 ? (r >> 1) % words : (r >> 1) % 16 % words;

		if (c->x & 0x100)
			p[at] = c->x & 0x200 ? r >> 32 : (r >> 32) % 64;
		else
			(void)p[at];
	}
}

/* Load from and store to a mapping, also doorbells. */
long op_touch(const struct call *c)
{
	struct call copy = *c;

	return touch(scribble, &copy) ? 0 : -EFAULT;
}
