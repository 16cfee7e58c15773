// SPDX-License-Identifier: BSD-2-Clause
/* hal_pcie.c - the PCIe island's SRAM, queue controllers, DMA and MSI-X. */
#include <string.h>

#include "hal_int.h"
#include <nfp/mem_bulk.h>
#include <nfp/pcie.h>

/* Maximum of descriptors that wait until the board's DMA queue has room; a power of 2. */
#define BACKLOG		256
#define SLOTS		(2 * BACKLOG)	/* descriptors in the backlog and in the board's queue */
#define QC_GROUPS	8		/* a group has 32 queue controllers */

static struct board_dma backlog[BACKLOG];
static unsigned int back_head, back_tail;

/* For each group of queue controllers, an event filter with its autopush. */
static struct {
	uint32_t pending;	/* queues with an event since the last push, a bit each */
	struct hal_ctx *ctx;	/* context that waits for the push, or NULL */
	uint32_t *mask;		/* gets @pending */
	uint8_t sig;		/* set in @ctx by the push */
} events[QC_GROUPS];

/* ---- SRAM ---- */

void hal_sram_read(void *data, uint32_t off, size_t size)
{
	hal_size_check(size, 4, HAL_SRAM_MAX);
	hal_cmd_begin();
	if (board_sram_read(hal.board, off, data, size))
		hal_fatal("read beyond PCIe SRAM at", off);
	hal_cmd_end();
}

void hal_sram_write(const void *data, uint32_t off, size_t size)
{
	hal_size_check(size, 4, HAL_SRAM_MAX);
	hal_cmd_begin();
	if (board_sram_write(hal.board, off, data, size))
		hal_fatal("write beyond PCIe SRAM at", off);
	hal_cmd_end();
}

/* ---- queue controllers ---- */

void hal_qc_init(unsigned int queue)
{
	hal_cmd_begin();
	board_qc_init(hal.board, queue, true);
	hal_cmd_end();
}

uint32_t hal_qc_read(unsigned int queue, enum qc_ptr which)
{
	uint32_t ret;

	hal_cmd_begin();
	ret = which == QC_RPTR ? board_qc_rptr(hal.board, queue)
				 : board_qc_wptr(hal.board, queue);
	hal_cmd_end();
	return ret;
}

void hal_qc_add_rptr(unsigned int queue, uint32_t n)
{
	hal_cmd_begin();
	board_qc_add_rptr(hal.board, queue, n);
	hal_cmd_end();
}

static void push(unsigned int group)
{
	if (!events[group].pending || !events[group].ctx)
		return;
	*events[group].mask = events[group].pending;
	events[group].pending = 0;
	hal_signal(events[group].ctx, events[group].sig);
	events[group].ctx = NULL;
}

void hal_qc_events(unsigned int group, uint32_t *mask, unsigned int sig)
{
	hal_cmd_begin();
	events[group].ctx = hal.cur;
	events[group].mask = mask;
	events[group].sig = sig;
	push(group);
	hal_cmd_end();
}

void hal_pcie_event(unsigned int queue)
{
	if (queue / 32 >= QC_GROUPS)
		return;
	events[queue / 32].pending |= 1u << queue % 32;
	push(queue / 32);
}

/* ---- DMA ---- */

/*
 * A descriptor from its enqueue to its completion. A reset empties the board's
 * queue without completions, so each start makes all slots free.
 */
struct dma_slot {
	struct dma_slot *next;	/* next free slot */
	void *mem;
	uint32_t len;
	uint16_t ctx;
	uint8_t sig;
	uint8_t to_host;
};

static struct dma_slot slots[SLOTS];
static struct dma_slot *slot_free;

static void slots_start(void)
{
	slot_free = NULL;
	for (unsigned int i = 0; i < SLOTS; i++) {
		slots[i].next = slot_free;
		slot_free = &slots[i];
	}
}

/* When the host does not answer a read, the memory gets all ones, as on a PCIe bus. */
static void dma_done(void *ctx, int status)
{
	struct dma_slot *s = ctx;

	if (status && !s->to_host)
		memset(s->mem, 0xff, s->len);
	if (s->sig)
		hal_signal(&hal.ctx[s->ctx], s->sig);
	s->next = slot_free;
	slot_free = s;
}

static bool submit(const struct board_dma *d)
{
	return board_dma_enqueue(hal.board, d) == 0;
}

/* Move the backlog to the board's queue. Return true if descriptors are left in the backlog. */
bool hal_pcie_retry(void)
{
	while (back_head != back_tail && submit(&backlog[back_head % BACKLOG]))
		back_head++;
	return back_head != back_tail;
}

static enum board_tlp purpose(unsigned int cfg)
{
	switch (cfg) {
	case PCIE_DMA_CFG_DATA:
		return BOARD_TLP_DATA;
	case PCIE_DMA_CFG_NOTE:
		return BOARD_TLP_NOTE;
	case PCIE_DMA_CFG_COMMAND:
		return BOARD_TLP_COMMAND;
	}
	hal_fatal("no such DMA configuration register:", cfg);
}

static void enqueue(const struct nfp_pcie_dma_cmd *cmd, unsigned int queue)
{
	struct dma_slot *slot = slot_free;
	struct board_dma d;

	if (!slot)
		hal_fatal("too many DMA descriptors outstanding:", SLOTS);
	slot_free = slot->next;
	slot->sig = 0;
	if (cmd->mode_sel == 0) {
		struct hal_ctx *c = hal_ctx_find(cmd->dma_mode >> 7 & 0x3f,
						 (cmd->dma_mode >> 13 & 0xf) - 4,
						 cmd->dma_mode >> 4 & 7);

		slot->ctx = (uint16_t)(c - hal.ctx);
		slot->sig = cmd->dma_mode & 0xf;
	}
	d.to_host = queue == NFP_PCIE_DMA_TOPCI_HI;
	d.purpose = purpose(cmd->dma_cfg_index);
	d.host = (uint64_t)cmd->pcie_addr_hi << 32 | cmd->pcie_addr_lo;
	d.mem = hal_mu_ptr((uint64_t)cmd->cpp_addr_hi << 32 | cmd->cpp_addr_lo);
	d.len = cmd->length + 1;
	d.done = dma_done;
	d.ctx = slot;
	slot->mem = d.mem;
	slot->len = d.len;
	slot->to_host = d.to_host;
	if (!hal_pcie_retry() && submit(&d))
		return;
	if (back_tail - back_head == BACKLOG)
		hal_fatal("too many DMA descriptors outstanding:", BACKLOG);
	backlog[back_tail++ % BACKLOG] = d;
}

void hal_dma_enq(const struct nfp_pcie_dma_cmd *cmd, unsigned int queue)
{
	hal_cmd_begin();
	enqueue(cmd, queue);
	hal_cmd_end();
}

void hal_pcie_start(void)
{
	back_head = 0;
	back_tail = 0;
	slots_start();
	memset(events, 0, sizeof(events));
}

/* ---- MSI-X ---- */

int hal_msix_send(unsigned int entry)
{
	int ret;

	hal_cmd_begin();
	ret = board_msix(hal.board, entry);
	hal_cmd_end();
	return ret;
}

void hal_msix_drop(unsigned int entry)
{
	hal_cmd_begin();
	board_msix_drop(hal.board, entry);
	hal_cmd_end();
}
