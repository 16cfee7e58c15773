// SPDX-License-Identifier: BSD-2-Clause
/* chan_dma.c - DMA between card and host, for managers and ME processes. */
#include <nfp/me.h>
#include <nfp/mem_bulk.h>
#include <nfp/pcie.h>

#include "chan_dma.h"

/*
 * Enqueue DMA of @len bytes. Descriptors of a queue are done in order, so only
 * the last of several needs a signal: @sig, or NULL.
 */
void chan_dma_host(int to_host, unsigned int cfg, uint64_t host, __mem40 void *mem,
		   uint32_t len, SIGNAL *sig)
{
	__xwrite struct nfp_pcie_dma_cmd out;
	struct nfp_pcie_dma_cmd cmd;
	uint64_t cpp = mem40_addr(mem);
	uint32_t n;

	do {
		/* A piece that crossed a multiple of PCIE_DMA_MAX_SZ would become two requests. */
		n = PCIE_DMA_MAX_SZ - ((uint32_t)host & (PCIE_DMA_MAX_SZ - 1));
		if (n > len)
			n = len;
		cmd.cpp_addr_lo = (uint32_t)cpp;
		cmd.cpp_addr_hi = (uint32_t)(cpp >> 32) & 0xff;
		cmd.dma_cfg_index = cfg & 0xf;
		cmd.cpp_token = 0;
		cmd.pcie_addr_lo = (uint32_t)host;
		cmd.pcie_addr_hi = (uint32_t)(host >> 32) & 0xff;
		cmd.trans_class = 0;
		cmd.rid_override = 0;
		cmd.rid = 0;
		cmd.length = (n - 1) & 0xfff;
		if (sig && n == len)
			pcie_dma_set_sig(&cmd, __MEID, ctx(), __signal_number(sig));
		else
			pcie_dma_set_no_sig(&cmd);
		out = cmd;
		pcie_dma_enq(CHAN_PCIE_ISL, &out,
			     to_host ? NFP_PCIE_DMA_TOPCI_HI : NFP_PCIE_DMA_FROMPCI_HI);
		host += n;
		cpp += n;
		len -= n;
	} while (len);
}
