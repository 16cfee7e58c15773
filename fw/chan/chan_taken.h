/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * chan_taken.h - what the vendor's BPF firmware (bpf-2.0.6.124, for two ports) has taken of the card:
 * this firmware must not use it. fw/README.rst has the table. From the symbols and the code of the
 * images; NFD's part is in its public source (nfd_common.h, vnic/utils).
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

#endif /* CHAN_TAKEN_H */
