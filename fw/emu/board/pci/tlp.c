// SPDX-License-Identifier: BSD-2-Clause
/*
 * tlp.c - counts the card's PCIe transactions, by purpose.
 *
 * Transfers are split as struct board_tlp_count says: a write carries at most MPS bytes, a read
 * request asks for at most MRRS bytes, and neither crosses a 4 KiB boundary. A completion ends at
 * a multiple of the read completion boundary (PCIe base spec 3.1, 2.2.7 and 2.3.1.1). The address
 * of a memory request always counts as 64 bits, with a 4-DW header, whatever addresses the host
 * gave the BARs. MPS is fixed at the value of a card and most hosts, and not what the host has
 * set. So figures of different hosts can be compared. MRRS is what the host has set, because the
 * host may choose it freely.
 */
#include "cfg.h"
#include "tlp.h"
#include "tlp_split.h"

#define TLP_MPS		256u
#define TLP_RCB		64u

/* Return the number of TLPs for a transfer in pieces that end at multiples of @align. */
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

/* Count a read: each completion belongs to one request, and carries at most MPS bytes. */
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

/* Count a read or a write: the host waits for the completion of a configuration write, too. */
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
