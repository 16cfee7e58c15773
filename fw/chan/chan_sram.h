/* SPDX-License-Identifier: BSD-2-Clause */
/* chan_sram.h - offsets from the control block in PCIe SRAM. */
#ifndef CHAN_SRAM_H
#define CHAN_SRAM_H

#define SRAM_TABLE	0x0100
#define SRAM_STAT	0x1100
#define SRAM_SIG	0x1900
#define SRAM_MBOX	0x1a00
#define SRAM_LINK	0x1a80	/* counters of links, by their pipe to the host */
#define SRAM_NAMES	0x1e80	/* names of the processes that have channels */
#define SRAM_INLINE	0x2000	/* inline pages, to the end */

#define SRAM_AT(off)	(NFP_CHAN_FW_SRAM_BASE + (off))

#endif /* CHAN_SRAM_H */
