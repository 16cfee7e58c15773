// SPDX-License-Identifier: BSD-2-Clause
/*
 * cpp_window.c - PCIe-to-CPP windows: turn an access to a BAR into a CPP command.
 *
 * Each of the three BARs has eight slices, of 16, 8 and 2 MiB. A slice has a CSR that says how an
 * offset in the slice becomes a CPP command (nfp6000_pcie.c).
 */
#include "bytes.h"
#include "cfg.h"
#include "cpp.h"
#include "fault_ops.h"
#include "pcie_island.h"
#include "tlp.h"
#include "cpp_window.h"

#define SLICES		8u

#define CSR_MAP(v)	((v) >> 29 & 7)
#define CSR_LEN(v)	((v) >> 27 & 3)
#define CSR_TARGET(v)	((v) >> 23 & 15)
#define CSR_TOKEN(v)	((v) >> 21 & 3)
#define CSR_ACTION(v)	((v) >> 16 & 31)
#define CSR_BASE(v)	((v) & 0xffff)
#define CSR_BULK_BASE(v) ((v) & 0x1fffff)

enum {
	MAP_FIXED,
	MAP_BULK,
	MAP_TARGET,
	MAP_GENERAL,
	MAP_EXPLICIT0,
};

enum {
	LEN_32BIT = 0,
	LEN_64BIT = 1,
};

#define EXPL_ADDR(v)	((v) & 0xffffff)
#define EXPL_TOKEN(v)	((v) >> 28 & 3)
#define EXPL_DATAREF(v)	((v) & 0x3fff)
#define EXPL_TARGET(v)	((v) >> 28 & 15)
#define EXPL_ACTION(v)	((v) >> 23 & 31)
#define EXPL_LENGTH(v)	((v) >> 18 & 31)
#define EXPL_MASK(v)	((v) >> 10 & 0xff)

/* The largest transfer of an explicit command (nfp_cpplib.c). */
#define EXPL_BYTES	128u

/* The CSRs of explicit commands follow those of the slices. */
#define EXPL_OFF	0x80u
#define CSR_END		(EXPL_OFF + 0x40u * BD_EXPL_GROUPS)

/* ---- CSRs ---- */

/*
 * After a reset the first slice has the general map, in which the offset names any CPP target and
 * address. DPDK's driver sets up the other slices by accesses to this one.
 */
void bd_win_reset(struct board *b)
{
	memset(b->win, 0, sizeof(*b->win));
	b->win->csr[0] = (uint32_t)MAP_GENERAL << 29;
}

static uint32_t *csr_at(struct board *b, uint32_t off)
{
	uint32_t expl = off - EXPL_OFF, reg = expl % 0x10 / 4;

	if (off < 4 * BD_P2C_CSRS)
		return &b->win->csr[off / 4];
	if (off < EXPL_OFF || reg == 3)
		return NULL;
	return &b->win->expl[expl / 0x40][expl % 0x40 / 0x10][reg];
}

static uint32_t csr_read(struct board *b, uint32_t off)
{
	const uint32_t *r = csr_at(b, off);

	return r ? *r : 0;
}

/* Write whole words only; the bytes of a partly written word are ignored. */
static void csr_write(struct board *b, uint32_t off, const uint8_t *buf, size_t len)
{
	uint32_t *r;
	size_t i;

	for (i = -off % 4; i + 4 <= len; i += 4) {
		r = csr_at(b, off + i);
		if (r)
			*r = bd_get32(buf + i);
	}
}

/*
 * The CSRs are in two address spaces: the PCIe island, and configuration space (nfp_dev.c:
 * pcie_cfg_expbar_offset).
 */
static const struct bd_regs in_island = { 0x30000, CSR_END, false, csr_read, csr_write };
static const struct bd_regs in_cfg = { 0x400, CSR_END, false, csr_read, csr_write };

int bd_win_init(struct board *b)
{
	bd_cfg_regs(b, &in_cfg);
	bd_pcie_regs(b, &in_island);
	return 0;
}

/* ---- decode ---- */

/**
 * struct access - an access to a BAR, decoded
 * @cmd: the CPP command, unless the slice is for explicit commands
 * @map: MAP_*; MAP_EXPLICIT0 + n is explicit command group n
 * @bits: the slice has 2^@bits bytes
 * @max: largest transfer of one command, in bytes
 * @off: offset in the slice
 */
struct access {
	struct bd_cmd cmd;
	uint8_t map;
	uint8_t bits;
	uint8_t max;
	uint64_t off;
};

/* Decode @a->off by the slice's CSR. Return the number of bytes for which the result is valid. */
static uint64_t decode(uint32_t csr, struct access *a)
{
	uint64_t size = 1ULL << a->bits, off = a->off;
	struct bd_cmd *c = &a->cmd;

	a->map = CSR_MAP(csr);
	a->max = CSR_LEN(csr) == LEN_64BIT ? 8 : 4;
	c->target = CSR_TARGET(csr);
	c->action = BD_ACT_RW;
	c->token = CSR_TOKEN(csr);
	switch (a->map) {
	case MAP_FIXED:
		c->action = CSR_ACTION(csr);
		c->addr = ((uint64_t)CSR_BASE(csr) << 24) | off;
		break;
	case MAP_BULK:
		c->addr = (((uint64_t)CSR_BULK_BASE(csr) << 19) & ~(size - 1)) | off;
		break;
	case MAP_TARGET:
		/*
		 * Inferred from the driver's matching_bar(): the token is the only field that
		 * such a slice leaves open. No known driver uses this map.
		 */
		c->token = off >> (a->bits - 2);
		size >>= 2;
		off &= size - 1;
		c->addr = (((uint64_t)CSR_BULK_BASE(csr) << 19) & ~(size - 1)) | off;
		break;
	case MAP_GENERAL:
		c->target = off >> (a->bits - 2);
		c->token = off >> (a->bits - 4) & 3;
		size >>= 4;
		off &= size - 1;
		c->addr = off;
		break;
	}
	return size - off;
}

static bool is_pcie(const struct bd_cmd *c)
{
	return c->target == BD_CPP_PCIE0 || c->target == BD_CPP_PCIE;
}

/* ---- explicit commands ---- */

/*
 * Return the number of bytes of a command. Bulk commands of the MU count 64-bit words, unless the
 * byte mask selects one half of a word. All other commands count 32-bit words.
 */
static unsigned int expl_bytes(const struct bd_cmd *c, unsigned int length)
{
	bool bulk = c->target == BD_CPP_MU && c->action <= 1;
	unsigned int n = (length + 1) * (bulk && c->mask == 0xff ? 8 : 4);

	return n < EXPL_BYTES ? n : EXPL_BYTES;
}

static bool expl_pulls(const struct bd_cmd *c)
{
	if (c->target != BD_CPP_MU)
		return c->action == 1 || c->action == 3;
	switch (c->action) {
	case 1:
	case 20:
	case 31:
		return true;
	case 4 ... 10:
	case 15:
		return c->token == 0;
	default:
		return false;
	}
}

/* Execute an explicit command. The host starts it with a read of the slice; its data is in SRAM. */
static void explicit_do(struct board *b, const struct access *a)
{
	unsigned int area = a->off >> (a->bits - 2);
	const uint32_t *csr = b->win->expl[a->map - MAP_EXPLICIT0][area];
	uint64_t low = (1ULL << (a->bits - 2)) - 1;
	unsigned int ref = EXPL_DATAREF(csr[1]);
	struct bd_cmd c = {
		.target = EXPL_TARGET(csr[2]),
		.action = EXPL_ACTION(csr[2]),
		.token = EXPL_TOKEN(csr[0]),
		.mask = EXPL_MASK(csr[2]),
		.addr = (((uint64_t)EXPL_ADDR(csr[0]) << 16) & ~low) | (a->off & low),
	};
	unsigned int n = expl_bytes(&c, EXPL_LENGTH(csr[2]));
	uint8_t buf[EXPL_BYTES];

	if (expl_pulls(&c)) {
		if (!board_sram_read(b, ref, buf, n))
			bd_cpp_write(b, &c, buf, n);
	} else {
		bd_cpp_read(b, &c, buf, n);
		board_sram_write(b, ref, buf, n);
	}
}

/* ---- accesses ---- */

/*
 * Decode offset @off of a BAR. Return how many of @len bytes the result is valid for, or 0 if
 * nothing responds there.
 */
static size_t locate(const struct board *b, unsigned int bar, uint64_t off,
		     size_t len, struct access *a)
{
	uint64_t size = bd_bar_size(bar), slice = size / SLICES, room;

	if (!size || off >= size || !bd_cfg_mem_enabled(b) || bd_gone(b))
		return 0;
	a->bits = __builtin_ctzll(slice);
	a->off = off % slice;
	room = decode(b->win->csr[bar / 2 * SLICES + off / slice], a);
	return len < room ? len : room;
}

/* Return the size of the next naturally aligned piece that one command can transfer. */
static size_t piece(const struct access *a, size_t left)
{
	size_t n;

	for (n = 1; n < a->max && !(a->cmd.addr & n) && 2 * n <= left; n *= 2)
		;
	return n;
}

static uint8_t byte_mask(uint64_t addr, size_t len)
{
	return (uint8_t)(((1u << len) - 1) << (addr % 8));
}

static void count(struct board *b, const struct access *a, bool write, size_t len)
{
	enum board_tlp purpose = BOARD_TLP_MMIO;

	if (a->map < MAP_EXPLICIT0 && is_pcie(&a->cmd))
		purpose = bd_pcie_purpose(a->cmd.addr);
	for (; len > 64; len -= 64)
		bd_tlp_mmio(b, purpose, write, 64);	/* a root complex splits at 64 bytes */
	bd_tlp_mmio(b, purpose, write, len);
}

static void slice_read(struct board *b, struct access *a, uint8_t *buf, size_t len)
{
	size_t n;

	if (a->map >= MAP_EXPLICIT0) {
		explicit_do(b, a);
		memset(buf, 0, len);
		return;
	}
	for (; len; len -= n, buf += n, a->cmd.addr += n) {
		n = piece(a, len);
		a->cmd.mask = byte_mask(a->cmd.addr, n);
		bd_cpp_read(b, &a->cmd, buf, n);
	}
}

static void slice_write(struct board *b, struct access *a, const uint8_t *buf, size_t len)
{
	size_t n;

	if (a->map >= MAP_EXPLICIT0)
		return;		/* only a read starts an explicit command */
	for (; len; len -= n, buf += n, a->cmd.addr += n) {
		n = piece(a, len);
		a->cmd.mask = byte_mask(a->cmd.addr, n);
		bd_cpp_write(b, &a->cmd, buf, n);
	}
}

void bd_win_read(struct board *b, unsigned int bar, uint64_t off, void *buf, size_t len)
{
	struct access a;
	uint8_t *p = buf;
	size_t n;

	for (; len; len -= n, off += n, p += n) {
		n = locate(b, bar, off, len, &a);
		if (!n) {
			memset(p, 0xff, len);
			return;
		}
		count(b, &a, false, n);
		slice_read(b, &a, p, n);
	}
}

void bd_win_write(struct board *b, unsigned int bar, uint64_t off, const void *buf, size_t len)
{
	const uint8_t *p = buf;
	struct access a;
	size_t n;

	for (; len; len -= n, off += n, p += n) {
		n = locate(b, bar, off, len, &a);
		if (!n)
			return;
		count(b, &a, true, n);
		if (a.map < MAP_EXPLICIT0 && is_pcie(&a.cmd) &&
		    !bd_pcie_store_ok(b, a.cmd.addr, p, n))
			return;
		slice_write(b, &a, p, n);
	}
}
