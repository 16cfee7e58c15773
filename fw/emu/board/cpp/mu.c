// SPDX-License-Identifier: BSD-2-Clause
/*
 * mu.c - memory units: the memory at 40-bit MU addresses, and the bulk and atomic actions on it.
 *
 * There are two kinds of addresses (nfpcore/nfp_target.c, nfp_encode_mu(), IMB mode 3 with
 * islands 24/24, as cpp.c reports it to the host):
 *  - Bits 39:38 are 2: direct access. Bits 37:32 are the island, bits 31:0 the address in the
 *    island's memory. In the external memory islands this is the cache's memory, not DRAM.
 *  - Bits 39:38 have any other value: access to DRAM through the cache. Bit 37 chooses between
 *    two islands, which are the same one here. Bits 36:35 count islands, from 24 on. So addresses
 *    of this kind that differ only in bits 39:37 are the same memory.
 *
 * Byte order: after an atomic action has written a 32-bit word, a bulk action reads the word as
 * four bytes in little-endian order. The stock driver expects that order. By their names, tokens
 * 1 to 3 (le, swap) permute bytes. Nobody has seen on silicon whether they do, so commands with
 * these tokens are refused.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "bytes.h"
#include "mem_map.h"
#include "mu.h"
#include "mu_ring.h"

#define MU_BITS		((1ULL << 40) - 1)

/* EMEM0 has the card's 2 GiB. The images address EMEM1 and EMEM2 up to 16 MiB. */
#define EMEM_DRAM_SIZE	BD_MIB(2048)
#define EMEM_MORE_SIZE	BD_MIB(16)
#define EMEM_CACHE_SIZE	BD_MIB(8)	/* addresses; the cache has 3 MiB */
#define IMEM_SIZE	BD_MIB(4)
#define CTM_SIZE	BD_KIB(256)

static const struct {
	uint64_t addr;
	uint64_t len;
} builtins[] = {
	{ 0, EMEM_DRAM_SIZE },
	{ BD_MU_DRAM(BD_ISL_EMEM0 + 1), EMEM_MORE_SIZE },
	{ BD_MU_DRAM(BD_ISL_EMEM0 + 2), EMEM_MORE_SIZE },
	{ BD_MU_DIRECT(BD_ISL_EMEM0), EMEM_CACHE_SIZE },
	{ BD_MU_DIRECT(BD_ISL_EMEM0 + 1), EMEM_CACHE_SIZE },
	{ BD_MU_DIRECT(BD_ISL_EMEM0 + 2), EMEM_CACHE_SIZE },
	{ BD_MU_DIRECT(BD_ISL_IMEM0), IMEM_SIZE },
	{ BD_MU_DIRECT(BD_ISL_IMEM0 + 1), IMEM_SIZE },
	{ BD_MU_DIRECT(BD_ISL_ARM), CTM_SIZE },
	{ BD_MU_DIRECT(BD_ISL_PCIE), CTM_SIZE },
	{ BD_MU_DIRECT(32), CTM_SIZE },		/* ME islands of an NFP-4000 */
	{ BD_MU_DIRECT(33), CTM_SIZE },
	{ BD_MU_DIRECT(34), CTM_SIZE },
	{ BD_MU_DIRECT(35), CTM_SIZE },
	{ BD_MU_DIRECT(36), CTM_SIZE },
	{ BD_MU_DIRECT(48), CTM_SIZE },		/* island of the MACs' packet processing */
};

_Static_assert(ARRAY_SIZE(builtins) <= BD_BUILTIN_MAX,
	       "more memories than places for them");

/* Memory that the board itself uses. board_mem_map() refuses these addresses. */
static const struct {
	uint64_t addr;
	uint64_t len;
} reserved[] = {
	{ BD_EMEM_ADDR, BD_EMEM_SIZE },
	{ BD_MAPS_ADDR, BD_MAPS_SIZE },
	{ BD_MU_DIRECT(BD_ISL_ARM), CTM_SIZE },
};

int bd_mu_init(struct board *b)
{
	struct bd_mu *mu = b->mu;

	for (unsigned int i = 0; i < ARRAY_SIZE(builtins); i++) {
		/*
		 * The kernel allocates a page at its first access, and frees it at MADV_DONTNEED.
		 */
		void *mem = mmap(NULL, builtins[i].len, PROT_READ | PROT_WRITE,
				 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

		if (mem == MAP_FAILED)
			return -ENOMEM;
		mu->builtin[i].addr = builtins[i].addr;
		mu->builtin[i].len = builtins[i].len;
		mu->builtin[i].mem = mem;
		mu->nbuiltin++;
	}
	return 0;
}

void bd_mu_clear(void *mem, uint64_t len)
{
	if (madvise(mem, len, MADV_DONTNEED))
		memset(mem, 0, len);
}

void bd_mu_unmap(struct board *b)
{
	b->mu->nmapped = 0;
}

void bd_mu_reset(struct board *b)
{
	bd_mu_unmap(b);
	for (unsigned int i = 0; i < b->mu->nbuiltin; i++)
		bd_mu_clear(b->mu->builtin[i].mem, b->mu->builtin[i].len);
}

void bd_mu_forget(struct board *b)
{
	for (unsigned int i = 0; i < b->mu->nbuiltin; i++)
		if (b->mu->builtin[i].addr != BD_MU_DIRECT(BD_ISL_ARM))
			bd_mu_clear(b->mu->builtin[i].mem, b->mu->builtin[i].len);
}

void bd_mu_exit(struct board *b)
{
	for (unsigned int i = 0; i < b->mu->nbuiltin; i++)
		munmap(b->mu->builtin[i].mem, b->mu->builtin[i].len);
}

uint64_t bd_mu_normal(uint64_t addr)
{
	addr &= MU_BITS;
	if (addr >> 38 == 2)
		return addr;
	return addr & ((1ULL << 37) - 1);
}

static bool overlap(uint64_t a, uint64_t alen, uint64_t b, uint64_t blen)
{
	return a < b + blen && b < a + alen;
}

static bool inside(const struct bd_region *r, uint64_t addr, uint64_t len)
{
	return addr >= r->addr && len <= r->len && addr - r->addr <= r->len - len;
}

static uint8_t *find(struct board *b, uint64_t addr, uint64_t len)
{
	const struct bd_mu *mu = b->mu;

	for (unsigned int i = 0; i < mu->nmapped; i++) {
		if (inside(&mu->mapped[i], addr, len))
			return mu->mapped[i].mem + (addr - mu->mapped[i].addr);
		if (overlap(addr, len, mu->mapped[i].addr, mu->mapped[i].len))
			return NULL;
	}
	for (unsigned int i = 0; i < mu->nbuiltin; i++)
		if (inside(&mu->builtin[i], addr, len))
			return mu->builtin[i].mem + (addr - mu->builtin[i].addr);
	return NULL;
}

void *board_mem_ptr(struct board *b, uint64_t addr, uint64_t len)
{
	if (!len || addr > MU_BITS || len > MU_BITS)
		return NULL;
	return find(b, bd_mu_normal(addr), len);
}

uint64_t board_mem_addr(const struct board *b, const void *mem)
{
	for (unsigned int i = 0; i < b->mu->nbuiltin; i++) {
		const struct bd_region *r = &b->mu->builtin[i];

		if ((uint64_t)((const uint8_t *)mem - (const uint8_t *)r->mem) < r->len)
			return r->addr + (uint64_t)((const uint8_t *)mem - (const uint8_t *)r->mem);
	}
	return UINT64_MAX;
}

int board_mem_map(struct board *b, uint64_t addr, void *mem, uint64_t len)
{
	struct bd_mu *mu = b->mu;

	if (!mem || !len || addr > MU_BITS || len > MU_BITS - addr)
		return -EINVAL;
	addr = bd_mu_normal(addr);
	for (unsigned int i = 0; i < ARRAY_SIZE(reserved); i++)
		if (overlap(addr, len, reserved[i].addr, reserved[i].len))
			return -EEXIST;
	for (unsigned int i = 0; i < mu->nmapped; i++)
		if (overlap(addr, len, mu->mapped[i].addr, mu->mapped[i].len))
			return -EEXIST;
	if (mu->nmapped == BD_MAPPED_MAX)
		return -ENOSPC;
	mu->mapped[mu->nmapped++] = (struct bd_region){ addr, len, mem };
	return 0;
}

/* ---- actions ---- */

#define ACT(action, token)	((unsigned int)(action) << 2 | (token))

/*
 * Compute the new value of a word after an atomic action. The operand @arg comes with the
 * command's data (token 0), or is the command's byte mask (token 3).
 */
static bool atomic_op(unsigned int action, uint32_t old, uint32_t arg, uint32_t *new)
{
	switch (action) {
	case 4:			/* write, swap */
		*new = arg;
		return true;
	case 5:			/* set */
		*new = old | arg;
		return true;
	case 6:			/* clr */
		*new = old & ~arg;
		return true;
	case 7:			/* add */
		*new = old + arg;
		return true;
	case 8:			/* addsat */
		*new = old > UINT32_MAX - arg ? UINT32_MAX : old + arg;
		return true;
	case 9:			/* sub */
		*new = old - arg;
		return true;
	case 10:		/* subsat */
		*new = old < arg ? 0 : old - arg;
		return true;
	case 15:		/* xor */
		*new = old ^ arg;
		return true;
	default:
		return false;
	}
}

static int ring_read(struct board *b, const struct bd_cmd *c, uint8_t *buf, size_t len)
{
	unsigned int ring = c->addr & (BD_RINGS - 1);
	uint32_t w[16] = { 0 };
	size_t i, n = len / 4;

	if (len % 4 || !n || n > 16)
		return -EFAULT;
	if (c->action == 22) {
		for (i = 0; i < n; i++)
			w[i] = bd_ring_pop(b, ring);
	} else if (c->token == 2) {
		/* get_freely: take the words that there are; the rest reads as 0 */
		for (i = 0; i < n; i++)
			if (board_ring_get(b, ring, &w[i], 1))
				break;
	} else if (board_ring_get(b, ring, w, n)) {
		/* A card signals the error to a microengine. The host gets zeroes. */
		memset(w, 0, sizeof(w));
	}
	for (i = 0; i < n; i++)
		bd_put32(buf + 4 * i, w[i]);
	return 0;
}

static int word_read(const struct bd_cmd *c, uint8_t *mem, uint8_t *buf, size_t len)
{
	if (len % 4 || c->addr % 4)
		return -EFAULT;
	for (size_t i = 0; i < len; i += 4) {
		uint32_t old = bd_get32(mem + i), new = old;

		if (c->token == 3 && !atomic_op(c->action, old, c->mask, &new))
			return -EFAULT;
		bd_put32(mem + i, new);
		bd_put32(buf + i, old);
	}
	return 0;
}

int bd_mu_read(struct board *b, const struct bd_cmd *c, void *buf, size_t len)
{
	uint8_t *mem = find(b, bd_mu_normal(c->addr), len);
	int err = -EFAULT;

	switch (ACT(c->action, c->token)) {
	case ACT(0, 0):		/* read */
	case ACT(BD_ACT_RW, 0):
	case ACT(28, 0):	/* read32 */
		if (mem) {
			memcpy(buf, mem, len);
			err = 0;
		}
		break;
	case ACT(3, 0):		/* atomic_read */
	case ACT(4, 3):		/* swap_imm */
	case ACT(5, 3):		/* test_set_imm */
	case ACT(6, 3):
	case ACT(7, 3):
	case ACT(8, 3):
	case ACT(9, 3):
	case ACT(10, 3):
	case ACT(15, 3):
		if (mem)
			err = word_read(c, mem, buf, len);
		break;
	case ACT(21, 0):	/* get */
	case ACT(21, 2):	/* get_freely */
	case ACT(22, 0):	/* pop */
		err = ring_read(b, c, buf, len);
		break;
	}
	if (err)
		memset(buf, 0xff, len);
	return err;
}

static int word_write(const struct bd_cmd *c, uint8_t *mem, const uint8_t *buf, size_t len)
{
	if (len % 4 || c->addr % 4)
		return -EFAULT;
	for (size_t i = 0; i < len; i += 4) {
		uint32_t new;

		if (!atomic_op(c->action, bd_get32(mem + i), bd_get32(buf + i), &new))
			return -EFAULT;
		bd_put32(mem + i, new);
	}
	return 0;
}

void bd_mu_watch(struct board *b, const struct bd_watch *w)
{
	BD_REGISTER(b->mu->watch, w);
}

static void written(struct board *b, uint64_t addr, size_t len)
{
	const struct bd_watch *w;

	for (unsigned int i = 0; b->mu->watch[i]; i++) {
		w = b->mu->watch[i];
		if (overlap(addr, len, w->addr, w->len))
			w->written(b, addr, len);
	}
}

int bd_mu_write(struct board *b, const struct bd_cmd *c, const void *buf, size_t len)
{
	uint64_t addr = bd_mu_normal(c->addr);
	uint8_t *mem = find(b, addr, len);
	int err = 0;

	switch (ACT(c->action, c->token)) {
	case ACT(20, 2):	/* journal */
		for (size_t i = 0; i + 4 <= len; i += 4)
			bd_ring_journal(b, addr & (BD_RINGS - 1),
					bd_get32((const uint8_t *)buf + i));
		return 0;
	case ACT(1, 0):		/* write */
	case ACT(BD_ACT_RW, 0):
	case ACT(31, 0):	/* write32 */
		if (!mem)
			return -EFAULT;
		memcpy(mem, buf, len);
		break;
	case ACT(4, 0):		/* atomic_write */
	case ACT(5, 0):
	case ACT(6, 0):
	case ACT(7, 0):
	case ACT(8, 0):
	case ACT(9, 0):
	case ACT(10, 0):
	case ACT(15, 0):
		err = mem ? word_write(c, mem, buf, len) : -EFAULT;
		break;
	default:
		return -EFAULT;
	}
	if (!err)
		written(b, addr, len);
	return err;
}
