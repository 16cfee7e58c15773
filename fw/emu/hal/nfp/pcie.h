/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nfp/pcie.h - the PCIe island: SRAM, DMA engine, queue controllers and their
 * events, MSI-X.
 */
#ifndef NFP_PCIE_H
#define NFP_PCIE_H

#include <nfp.h>

/*
 * DMA descriptor. The fields are those of the PCIe island (source: flowenv
 * nfp6000/nfp_pcie.h). @length is the number of bytes minus 1.
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
 * Numbers of the DMA configuration registers that this firmware uses, one for
 * each kind of traffic. On an NFP all have the same contents (64-bit MU target,
 * no padding). Two registers share a word, so only one of each pair is used. The board counts the
 * traffic of each register separately.
 */
#define PCIE_DMA_CFG_DATA	10
#define PCIE_DMA_CFG_NOTE	12
#define PCIE_DMA_CFG_COMMAND	14

/* Make @cmd set signal @signo of context @ctx_num of microengine @meid when the DMA has ended. */
#define pcie_dma_set_sig(cmd, meid, ctx_num, signo) \
	((cmd)->mode_sel = 0, \
	 (cmd)->dma_mode = ((meid) & 0xf) << 13 | (((meid) >> 4) & 0x3f) << 7 | \
			   ((ctx_num) & 7) << 4 | (signo))
#define pcie_dma_set_no_sig(cmd)	((cmd)->mode_sel = 1, (cmd)->dma_mode = 0)

__swaps void hal_dma_enq(const __xwrite struct nfp_pcie_dma_cmd *cmd, unsigned int queue);

/*
 * Enqueue a descriptor. The engine executes the descriptors of a queue in order.
 * If the host does not answer a read, the memory is filled with ones. If the
 * host has no memory at the address of a write, the data is lost. The engine
 * reports neither error to the microengine.
 */
#define pcie_dma_enq(isl, cmd, queue)	((void)(isl), hal_dma_enq(cmd, queue))

__swaps void hal_sram_read(__xread void *data, uint32_t off, size_t size);
__swaps void hal_sram_write(const __xwrite void *data, uint32_t off, size_t size);

#define HAL_SRAM_MAX	128	/* bytes of a command; source: flowenv pcie.c */

/*
 * Access PCIe SRAM at offset @off (commands read_pci and write_pci). @size is a multiple of 4, at
 * most 128.
 */
#define pcie_sram_read(isl, data, off, size) \
	((void)(isl), hal_sram_read(data, off, HAL_SIZE(data, size, 4, HAL_SRAM_MAX)))
#define pcie_sram_write(isl, data, off, size) \
	((void)(isl), hal_sram_write(data, off, HAL_SIZE(data, size, 4, HAL_SRAM_MAX)))

enum qc_ptr { QC_RPTR, QC_WPTR };

__swaps void hal_qc_init(unsigned int queue);
__swaps uint32_t hal_qc_read(unsigned int queue, enum qc_ptr which);
__swaps void hal_qc_add_rptr(unsigned int queue, uint32_t n);
__swaps void hal_qc_events(unsigned int group, __xread uint32_t *mask, unsigned int sig);

/*
 * The event data of our queues, bits 5:2 of the register's field. NFD has 1 << 4, and its CLS event
 * filters take any event with these data for one of NFD's queues (nfd vnic/utils/_c/qc.c).
 */
#define QC_EVENT_DATA		(2 << 4)

/*
 * Queue controllers. qc_init_queue() clears both pointers and enables the event "not empty", with
 * the data QC_EVENT_DATA.
 */
#define qc_init_queue(isl, queue)	((void)(isl), hal_qc_init(queue))
#define qc_read(isl, queue, which)	((void)(isl), hal_qc_read(queue, which))
#define qc_add_rptr(isl, queue, n)	((void)(isl), hal_qc_add_rptr(queue, n))

/*
 * Request the next event of the 32 queue controllers of @group. After an event,
 * @mask (a read transfer register) gets a bit for each queue controller 32 *
 * @group + bit that had an event, and @sigp is set. A request is answered once.
 * Events that come before the next request are kept for it.
 *
 * On an NFP, this is a CLS event filter of type MASK32. The filter matches
 * events of provider PCIe, type FIFO_NOT_EMPTY, whose source has @group in bits
 * 7:5 (the queue controllers report 8-bit queue numbers) and QC_EVENT_DATA >> 2 in bits
 * 11:8. So events of other firmware's queues in the group do not match. Bits 4:0 of the source
 * select the bit of the mask. It is filter @group of the CLS of the microengine's own island:
 * NFD uses all 16 of the PCIe island. The filter's autopush, ONE_SHOT_ACK, writes the
 * mask to the transfer register, sets the signal and clears the filter's status.
 * Source: flowenv nfp_event.h, nfp_cls.h, nfd vnic/utils/qc.h.
 */
#define qc_event_autopush(group, mask, sigp) \
	hal_qc_events(group, mask, (sigp)->num)

__swaps int hal_msix_send(unsigned int entry);
__swaps void hal_msix_drop(unsigned int entry);

/*
 * Send the MSI-X message of @entry through CPP-to-PCIe BAR @bar. No other
 * context may use @bar. On an NFP, read the entry from PCIe SRAM for each
 * message, because the host changes the entry with the interrupt's affinity, and
 * write the entry's data to the entry's address. If the entry is masked, set its
 * bit in the pending bit array instead. The message may overtake DMA writes, so
 * the caller waits for the end of the DMA first.
 */
#define msix_pf_send(isl, bar, entry)	((void)(isl), (void)(bar), hal_msix_send(entry))
/* Clear the pending bit of @entry. */
#define msix_pf_drop(isl, entry)	((void)(isl), hal_msix_drop(entry))

#endif /* NFP_PCIE_H */
