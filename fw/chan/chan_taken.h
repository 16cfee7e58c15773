/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * chan_taken.h - the parts of the card that the vendor's BPF firmware (bpf-2.0.6.124, for two
 * ports) uses, so that this firmware must not. fw/README.rst has the table. The sources are the
 * symbols and the code of the images, and for NFD its public source (nfd_common.h, vnic/utils).
 */
#ifndef CHAN_TAKEN_H
#define CHAN_TAKEN_H

/* MU rings of EMEM0 */
#define TAKEN_RING(r)	((r) <= 16 || ((r) >= 32 && (r) <= 45))

/*
 * Queue controllers: 4n and 4n + 1 are of NFD's rings. In the pages of the others, 4n + 2 of the first
 * ring of each vNIC is its configuration queue.
 */
#define TAKEN_PAGES	(1ull << 0 | 1ull << 32 | 1ull << 63)

/* DMA configuration registers. Two share a word, so a register beside one of NFD's is taken as well. */
#define TAKEN_DMA_CFG(c)	((c) < 10)

/*
 * The event data of NFD's queue controllers. Its event filters take any event with these data for
 * one of NFD's queues.
 */
#define TAKEN_EVENT_DATA	(1 << 4)

/* CPP-to-PCIe BARs (nfd.h, PCIE_CPP2PCIE_QMON to PCIE_CPP2PCIE_BPF_LOAD) */
#define TAKEN_C2P_BAR(b)	((b) < 3)

/* The free memory at the end of the 2 MiB of EMEM that have the control BARs */
#define FREE_WINDOW		0x00980000ull
#define FREE_WINDOW_END		0x00a00000ull

/* The microengines of workers. The image needs each of the other ones. */
#define FREE_ME(island, me)	((island) >= 32 && (island) <= 36 && (me) <= 9)

#endif /* CHAN_TAKEN_H */
