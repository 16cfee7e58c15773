// SPDX-License-Identifier: BSD-2-Clause
/*
 * tlp.c - PCIe transactions of the emulated card, counted by purpose.
 *
 * Sizes and splitting are those of struct board_tlp_count: payloads of at most
 * MPS, read requests of at most MRRS, neither crossing 4 KiB; completions end
 * on a multiple of the read completion boundary (PCIe base spec 3.1, 2.2.7 and
 * 2.3.1.1). Memory requests are taken to have 64-bit addresses, so a 4-DW
 * header, whatever address a machine gave the BARs: figures of two machines
 * then compare. For the same reason MPS is what a card and most hosts can do, not
 * what the host has set; MRRS, which it may choose freely, is what it has set.
 */
#include "cfg.h"
#include "tlp.h"
#include "tlp_split.h"

#define TLP_MPS		256u
#define TLP_RCB		64u

static const char * const purpose_names[BOARD_TLP_PURPOSES] = {
	[BOARD_TLP_CONFIG]	= "config",
	[BOARD_TLP_MMIO]	= "mmio",
	[BOARD_TLP_SRAM]	= "sram",
	[BOARD_TLP_DOORBELL]	= "doorbell",
	[BOARD_TLP_DATA]	= "data",
	[BOARD_TLP_NOTE]	= "note",
	[BOARD_TLP_COMMAND]	= "command",
	[BOARD_TLP_VNIC]	= "vnic",
	[BOARD_TLP_MSIX]	= "msix",
};

const char *board_tlp_name(enum board_tlp purpose)
{
	if ((unsigned int)purpose >= BOARD_TLP_PURPOSES)
		return "unknown";
	return purpose_names[purpose];
}

void board_tlp_get(const struct board *b, enum board_tlp purpose,
		   struct board_tlp_count *c)
{
	if ((unsigned int)purpose >= BOARD_TLP_PURPOSES)
		memset(c, 0, sizeof(*c));
	else
		*c = b->tlp->n[purpose];
}

void board_tlp_clear(struct board *b)
{
	memset(b->tlp, 0, sizeof(*b->tlp));
}

/* TLPs that a transfer takes in pieces that end at multiples of @align. */
static uint64_t pieces(uint64_t addr, uint64_t len, uint32_t max, uint32_t align)
{
	uint64_t n = 0;

	while (len) {
		uint64_t now = tlp_piece(addr, len, max, align);

		addr += now;
		len -= now;
		n++;
	}
	return n;
}

/* A completion answers one request, with as much as MPS allows. */
static void read_count(struct board_tlp_count *c, uint64_t addr, uint64_t len, uint32_t mrrs)
{
	while (len) {
		uint64_t now = tlp_piece(addr, len, mrrs, mrrs);
		uint64_t completions = pieces(addr, now, TLP_MPS, TLP_RCB);

		c->dev_nonposted++;
		c->completions += completions;
		c->overhead += TLP_OVERHEAD_4DW + completions * TLP_OVERHEAD_3DW;
		addr += now;
		len -= now;
	}
}

/* Reads and writes alike: a configuration write waits for its completion. */
void bd_tlp_config(struct board *b, size_t len)
{
	struct board_tlp_count *c = &b->tlp->n[BOARD_TLP_CONFIG];
	uint64_t n = (len + 3) / 4;

	c->host_nonposted += n;
	c->completions += n;
	c->payload += len;
	c->overhead += n * 2 * TLP_OVERHEAD_3DW;
}

void bd_tlp_mmio(struct board *b, enum board_tlp purpose, bool write, size_t len)
{
	struct board_tlp_count *c = &b->tlp->n[purpose];

	c->payload += len;
	c->overhead += TLP_OVERHEAD_4DW;
	if (write) {
		c->host_posted++;
		return;
	}
	c->host_nonposted++;
	c->completions++;
	c->overhead += TLP_OVERHEAD_3DW;
}

void bd_tlp_dma(struct board *b, enum board_tlp purpose, bool to_host,
		uint64_t addr, size_t len)
{
	struct board_tlp_count *c;
	uint64_t requests;

	if ((unsigned int)purpose >= BOARD_TLP_PURPOSES)
		purpose = BOARD_TLP_DATA;
	c = &b->tlp->n[purpose];
	c->payload += len;
	if (to_host) {
		requests = pieces(addr, len, TLP_MPS, TLP_MPS);
		c->dev_posted += requests;
		c->overhead += requests * TLP_OVERHEAD_4DW;
		return;
	}
	read_count(c, addr, len, bd_cfg_mrrs(b));
}

void bd_tlp_msix(struct board *b)
{
	struct board_tlp_count *c = &b->tlp->n[BOARD_TLP_MSIX];

	c->dev_posted++;
	c->payload += 4;
	c->overhead += TLP_OVERHEAD_4DW;
}
