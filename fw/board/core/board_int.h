/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * board_int.h - the card as its units see it: struct board, with a pointer to
 * the state of each.
 *
 * Each unit has a header and a file in the folder of its layer (board.mk), and
 * changes its state there only. Names start with bd_, so that nothing here
 * meets a name of the firmware, which is linked into the same program.
 */
#ifndef BOARD_INT_H
#define BOARD_INT_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "board.h"
#include "board_fw.h"

#define BD_KIB(n)	((uint64_t)(n) << 10)
#define BD_MIB(n)	((uint64_t)(n) << 20)
#define BD_NEVER	UINT64_MAX

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

struct bd_ident {
	uint8_t mac[6];		/* of port 0; port 1 has the next one */
	uint8_t serial[6];
	uint32_t temp_mc;	/* chip temperature, mC */
	uint32_t power_uw;	/* assembly power, uW */
};

/* Resets that a unit asks for: board.c does them when the host's access ends. */
#define BD_ASK_FLR	(1u << 0)
#define BD_ASK_FIRMWARE	(1u << 1)
#define BD_ASK_CHANNELS	(1u << 2)	/* the firmware without the vNICs' part */

struct board {
	const struct board_fw *fw;
	void *fw_ctx;
	bool fw_running;
	unsigned int asked;	/* BD_ASK_* */
	bool peers;		/* option peers=on */
	bool lenient;		/* option stores=lenient */
	bool lost;		/* by a bad store, until the next reset */
	const struct board_host_ops *host;
	void *host_ctx;
	struct bd_ident ident;

	struct bd_cfg *cfg;
	struct bd_tlp *tlp;
	struct bd_msix *msix;
	struct bd_dma *dma;
	struct bd_mu *mu;
	struct bd_rings *rings;
	struct bd_pcie *pcie;
	struct bd_cpp *cpp;
	struct bd_win *win;
	struct bd_nffw *nffw;
	struct bd_nsp *nsp;
	struct bd_pkt_class *pkt;
	struct bd_mac *mac;
	struct bd_nic *nic;
	struct bd_maps *maps;
	struct bd_ustore *ustore;
	struct bd_xdp *xdp;
	struct bd_ccm *ccm;
	const struct bd_fault_ops *fault;	/* NULL without option fault */
	struct bd_fault *faults;
};

/**
 * struct bd_regs - registers that a unit puts into an address space below it
 * @base: first address there
 * @len: bytes
 * @always: they answer also while a fault has the card gone
 * @read: the word at @off, a multiple of 4
 * @write: @len bytes from @off on, none beyond the range
 */
struct bd_regs {
	uint32_t base;
	uint32_t len;
	bool always;
	uint32_t (*read)(struct board *b, uint32_t off);
	void (*write)(struct board *b, uint32_t off, const uint8_t *buf, size_t len);
};

/* Register @x in the array @list, which ends with NULL and has room for all there are. */
#define BD_REGISTER(list, x) \
	do {							\
		unsigned int n_ = 0;				\
								\
		while ((list)[n_])				\
			n_++;					\
		assert(n_ + 1 < ARRAY_SIZE(list));		\
		(list)[n_] = (x);				\
	} while (0)

/* board.c, for options.c: the resets of b->asked, now */
void bd_reset_asked(struct board *b);

#endif /* BOARD_INT_H */
