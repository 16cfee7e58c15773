/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nfp/pcie.h - the PCIe island: SRAM, DMA engine, queue controllers and their
 * events, MSI-X.
 */
#ifndef NFP_PCIE_H
#define NFP_PCIE_H

#include <nfp.h>

/*
 * DMA descriptor, field by field that of the PCIe island (source: flowenv
 * nfp6000/nfp_pcie.h). @length is one less than the bytes.
 */
#define PCIE_DMA_MAX_SZ		4096
#define NFP_PCIE_DMA_TOPCI_HI	0x40000
#define NFP_PCIE_DMA_FROMPCI_HI	0x40060

struct nfp_pcie_dma_cmd {
	uint32_t cpp_addr_lo;
	uint32_t cpp_addr_hi : 8;
	uint32_t dma_cfg_index : 4;
	uint32_t cpp_token : 2;
	uint32_t dma_mode : 16;
	uint32_t mode_sel : 2;
	uint32_t pcie_addr_lo;
	uint32_t pcie_addr_hi : 8;
	uint32_t trans_class : 3;
	uint32_t rid_override : 1;
	uint32_t rid : 8;
	uint32_t length : 12;
};

/*
 * DMA configuration registers that this firmware uses, one for each kind of
 * traffic, set alike on an NFP (64-bit MU target, no padding). The board tells
 * its counters apart by them.
 */
#define PCIE_DMA_CFG_DATA	8
#define PCIE_DMA_CFG_NOTE	9
#define PCIE_DMA_CFG_COMMAND	10

/* Have @cmd set signal @signo of context @ctx_num at its completion. */
#define pcie_dma_set_sig(cmd, meid, ctx_num, signo) \
	((cmd)->mode_sel = 0, \
	 (cmd)->dma_mode = ((meid) & 0xf) << 13 | (((meid) >> 4) & 0x3f) << 7 | \
			   ((ctx_num) & 7) << 4 | (signo))
#define pcie_dma_set_no_sig(cmd)	((cmd)->mode_sel = 1, (cmd)->dma_mode = 0)

void hal_dma_enq(const __xwrite struct nfp_pcie_dma_cmd *cmd, unsigned int queue);

/*
 * Enqueue a descriptor. Those of a queue are executed in order. A read that
 * the host does not answer fills the memory with ones, a write to where the
 * host has nothing is lost: the engine reports neither to the microengine.
 */
#define pcie_dma_enq(isl, cmd, queue)	((void)(isl), hal_dma_enq(cmd, queue))

void hal_sram_read(__xread void *data, uint32_t off, size_t size);
void hal_sram_write(const __xwrite void *data, uint32_t off, size_t size);

/* PCIe SRAM (read_pci and write_pci commands), @off from its start. */
#define pcie_sram_read(isl, data, off, size) \
	((void)(isl), hal_sram_read(data, off, size))
#define pcie_sram_write(isl, data, off, size) \
	((void)(isl), hal_sram_write(data, off, size))

enum qc_ptr { QC_RPTR, QC_WPTR };

void hal_qc_init(unsigned int queue);
uint32_t hal_qc_read(unsigned int queue, enum qc_ptr which);
void hal_qc_add_rptr(unsigned int queue, uint32_t n);
void hal_qc_events(unsigned int group, __xread uint32_t *mask, unsigned int sig);

/* Queue controllers: both pointers to 0, event when not empty. */
#define qc_init_queue(isl, queue)	((void)(isl), hal_qc_init(queue))
#define qc_read(isl, queue, which)	((void)(isl), hal_qc_read(queue, which))
#define qc_add_rptr(isl, queue, n)	((void)(isl), hal_qc_add_rptr(queue, n))

/*
 * Have @mask (a read transfer register) filled with a bit for each queue
 * controller 32 * @group + bit that has had an event, then @sigp set. Once:
 * ask anew after each; what comes between is kept.
 *
 * On an NFP: a CLS event filter of type MASK32 matches events of provider PCIe,
 * type FIFO_NOT_EMPTY, whose source has @group in bits 7:5 (the queue
 * controller set to 8-bit queue numbers); bits 4:0 select the bit of the mask.
 * An autopush of the filter, ONE_SHOT_ACK, writes the mask to the transfer
 * register, sets the signal and clears the filter's status. Source: flowenv
 * nfp_event.h, nfp_cls.h, nfd vnic/utils/qc.h.
 */
#define qc_event_autopush(group, mask, sigp) \
	hal_qc_events(group, mask, (sigp)->num)

int hal_msix_send(unsigned int entry);
void hal_msix_drop(unsigned int entry);

/*
 * Send the MSI-X message of @entry through CPP-to-PCIe BAR @bar, which is the
 * calling context's own. On an NFP: read the entry in PCIe SRAM each time (it
 * moves with the interrupt's affinity), write its data to its address; when its
 * mask bit is set, set its bit in the pending array instead. It does not wait
 * behind DMA of the engine, so wait for that first.
 */
#define msix_pf_send(isl, bar, entry)	((void)(isl), (void)(bar), hal_msix_send(entry))
/* Clear the pending bit of @entry. */
#define msix_pf_drop(isl, entry)	((void)(isl), hal_msix_drop(entry))

#endif /* NFP_PCIE_H */
