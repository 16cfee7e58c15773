// SPDX-License-Identifier: BSD-2-Clause
/*
 * pcie_island.c - the PCIe island: SRAM and queue controllers, and the 1 MiB address map in which
 * the host finds them (nfp6000_pcie.c: SRAM at 0, P2C CSRs at 0x30000, queue n
 * at 0x80000 + 0x800 * n).
 */
#include <errno.h>
#include <stdio.h>
#include <syslog.h>

#include "bytes.h"
#include "fault_ops.h"
#include "pcie_island.h"

/* Queue controller registers (flowenv me/include/nfp6000/nfp_qc.h). */
#define QC_ADD_RPTR		0x0
#define QC_ADD_WPTR		0x4
#define QC_STS_LO		0x8
#define QC_STS_HI		0xc
#define QC_STS_EMPTY		(1u << 26)
#define QC_STS_LO_NOT_EMPTY	(1u << 18)	/* the queue's event type */
#define QC_STS_HI_SIZE_256K	(0xau << 18)

void bd_pcie_reset(struct board *b)
{
	memset(b->pcie->sram, 0, sizeof(b->pcie->sram));
	memset(b->pcie->queue, 0, sizeof(b->pcie->queue));
	memset(b->pcie->event, 0, sizeof(b->pcie->event));
}

enum board_tlp bd_pcie_purpose(uint64_t addr)
{
	if (addr < BD_SRAM_SIZE)
		return BOARD_TLP_SRAM;
	if (addr >= BD_QC_BASE && addr < BD_PCIE_SIZE)
		return BOARD_TLP_DOORBELL;
	return BOARD_TLP_MMIO;
}

/* ---- queue controllers ---- */

static uint32_t qc_read(const struct bd_queue *q, unsigned int reg)
{
	uint32_t empty = q->rptr == q->wptr ? QC_STS_EMPTY : 0;

	switch (reg) {
	case QC_STS_LO:
		return q->rptr | empty | (q->events ? QC_STS_LO_NOT_EMPTY : 0);
	case QC_STS_HI:
		return q->wptr | empty | QC_STS_HI_SIZE_256K;
	default:
		return 0;	/* the ADD registers are write-only */
	}
}

static void qc_write(struct board *b, unsigned int queue, unsigned int reg, uint32_t v)
{
	struct bd_queue *q = &b->pcie->queue[queue];

	switch (reg) {
	case QC_ADD_RPTR:
		q->rptr = (q->rptr + v) & QC_PTR_MASK;
		break;
	case QC_ADD_WPTR:
		if (b->fault && b->fault->doorbell(b, queue))
			break;
		q->wptr = (q->wptr + v) & QC_PTR_MASK;
		if (b->pcie->doorbell && b->pcie->doorbell(b, queue))
			break;
		/*
		 * Any write is an event, even if it adds 0 or a multiple of 2^18 and the queue
		 * stays empty. The firmware then looks at the queue and finds nothing.
		 */
		if (q->events)
			b->pcie->event[queue / 64] |= 1ULL << (queue % 64);
		break;
	default:
		/* Only the firmware writes the configuration registers. */
		break;
	}
}

/*
 * Pass the events that have come since the last call to the firmware. Return true if there were
 * any.
 */
bool bd_pcie_events(struct board *b)
{
	bool any = false;
	unsigned int w;

	for (w = 0; w < BD_QUEUES / 64; w++) {
		uint64_t left = b->pcie->event[w];

		b->pcie->event[w] = 0;
		for (; left; left &= left - 1) {
			any = true;
			if (b->fw_running && b->fw->qc_event)
				b->fw->qc_event(b->fw_ctx, w * 64 + __builtin_ctzll(left));
		}
	}
	return any;
}

void board_qc_init(struct board *b, unsigned int queue, bool events)
{
	if (queue >= BD_QUEUES)
		return;
	b->pcie->queue[queue] = (struct bd_queue){ .events = events };
	b->pcie->event[queue / 64] &= ~(1ULL << (queue % 64));
}

void bd_pcie_doorbell(struct board *b, bool (*bell)(struct board *b, unsigned int queue))
{
	b->pcie->doorbell = bell;
}

uint32_t board_qc_wptr(const struct board *b, unsigned int queue)
{
	return queue < BD_QUEUES ? b->pcie->queue[queue].wptr : 0;
}

uint32_t board_qc_rptr(const struct board *b, unsigned int queue)
{
	return queue < BD_QUEUES ? b->pcie->queue[queue].rptr : 0;
}

void board_qc_add_rptr(struct board *b, unsigned int queue, uint32_t n)
{
	if (queue < BD_QUEUES)
		b->pcie->queue[queue].rptr = (b->pcie->queue[queue].rptr + n) & QC_PTR_MASK;
}

/* ---- SRAM ---- */

int board_sram_read(struct board *b, uint32_t off, void *buf, size_t len)
{
	if (off > BD_SRAM_SIZE || len > BD_SRAM_SIZE - off)
		return -ERANGE;
	memcpy(buf, b->pcie->sram + off, len);
	return 0;
}

int board_sram_write(struct board *b, uint32_t off, const void *buf, size_t len)
{
	if (off > BD_SRAM_SIZE || len > BD_SRAM_SIZE - off)
		return -ERANGE;
	memcpy(b->pcie->sram + off, buf, len);
	return 0;
}

/* ---- the map ---- */

void bd_pcie_regs(struct board *b, const struct bd_regs *r)
{
	b->pcie->regs = r;
}

static uint32_t reg_read(struct board *b, uint64_t addr)
{
	const struct bd_regs *r = b->pcie->regs;

	if (addr - r->base < r->len)
		return r->read(b, addr - r->base);
	if (addr >= BD_QC_BASE && addr < BD_PCIE_SIZE)
		return qc_read(&b->pcie->queue[(addr - BD_QC_BASE) / BD_QC_STRIDE],
			       addr % BD_QC_STRIDE);
	return 0;
}

static void reg_write(struct board *b, uint64_t addr, const uint8_t *v)
{
	const struct bd_regs *r = b->pcie->regs;

	if (addr - r->base < r->len)
		r->write(b, addr - r->base, v, 4);
	else if (addr >= BD_QC_BASE && addr < BD_PCIE_SIZE)
		qc_write(b, (addr - BD_QC_BASE) / BD_QC_STRIDE, addr % BD_QC_STRIDE, bd_get32(v));
}

static const char *qc_name(unsigned int reg)
{
	static const char *const names[] = { "ADD_RPTR", "ADD_WPTR", "STS_LO", "STS_HI" };

	return reg / 4 < ARRAY_SIZE(names) ? names[reg / 4] : "configuration";
}

/*
 * PROTOCOL.rst lists the stores that a process may do. Nobody has tried on silicon how the card
 * reacts to others. The worst case is a master abort after which the whole function is lost, so
 * the board does that.
 */
bool bd_pcie_store_ok(struct board *b, uint64_t addr, const void *buf, size_t len)
{
	bool queue = addr >= BD_QC_BASE;
	uint64_t value = 0;
	char where[64];

	if (b->lenient || addr >= BD_PCIE_SIZE)
		return true;
	if (len == 4 && addr % 4 == 0 && (!queue || addr % BD_QC_STRIDE == QC_ADD_WPTR))
		return true;
	if (queue)
		snprintf(where, sizeof(where), "queue controller %u, register %#x (%s)",
			 (unsigned int)((addr - BD_QC_BASE) / BD_QC_STRIDE),
			 (unsigned int)(addr % BD_QC_STRIDE), qc_name(addr % BD_QC_STRIDE));
	else
		snprintf(where, sizeof(where), "%s at %#llx", addr < BD_SRAM_SIZE ? "SRAM" : "register",
			 (unsigned long long)addr);
	memcpy(&value, buf, len < sizeof(value) ? len : sizeof(value));
	board_log(LOG_ERR, "store of %zu bytes, %#llx, to %s: the function fails until its next reset", len,
		  (unsigned long long)value, where);
	b->lost = true;
	return false;
}

void bd_pcie_read(struct board *b, uint64_t addr, void *buf, size_t len)
{
	uint8_t *p = buf;
	size_t i;

	if (addr >= BD_PCIE_SIZE || len > BD_PCIE_SIZE - addr) {
		memset(buf, 0xff, len);
		return;
	}
	if (!board_sram_read(b, addr, buf, len)) {
		if (b->fault)
			b->fault->sram_read(b, addr, buf, len);
		return;
	}
	for (i = 0; i < len; i++)
		p[i] = reg_read(b, (addr + i) & ~3ULL) >> (8 * ((addr + i) % 4));
}

/* Registers are written as whole words only. The bytes of a partly written word are ignored. */
void bd_pcie_write(struct board *b, uint64_t addr, const void *buf, size_t len)
{
	size_t i;

	if (addr >= BD_PCIE_SIZE || len > BD_PCIE_SIZE - addr)
		return;
	if (!board_sram_write(b, addr, buf, len))
		return;
	for (i = (4 - addr % 4) % 4; i + 4 <= len; i += 4)
		reg_write(b, addr + i, (const uint8_t *)buf + i);
}
