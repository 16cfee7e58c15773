/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * board_int.h - struct board for the units of the card. It points to the state of each unit.
 *
 * Each unit has a header and a source file in the folder of its layer (board.mk), and only these
 * change the unit's state. Names start with bd_: the firmware is linked into the same program,
 * and its names must not clash.
 */
#ifndef BOARD_INT_H
#define BOARD_INT_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "board_fw.h"
#include "board_types.h"

#define BD_KIB(n)	((uint64_t)(n) << 10)
#define BD_MIB(n)	((uint64_t)(n) << 20)
#define BD_NEVER	UINT64_MAX

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

struct bd_ident {
	uint8_t mac[6];		/* of port 0; port 1 has the address after it */
	uint8_t serial[6];
	uint32_t temp_mc;	/* chip temperature, mC */
	uint32_t power_uw;	/* assembly power, uW */
};

/* Resets that a unit requests: board.c does them after the host's access. */
#define BD_ASK_FLR	(1u << 0)
#define BD_ASK_FIRMWARE	(1u << 1)
#define BD_ASK_CHANNELS	(1u << 2)	/* restart the firmware, keep the vNICs */
#define BD_ASK_CHANGE	(1u << 3)	/* start other firmware, or none */

struct board {
	const struct board_fw *fw;
	void *fw_ctx;
	bool fw_running;
	unsigned int asked;	/* requested resets, BD_ASK_* */
	bool peers;		/* option peers=on */
	bool lenient;		/* option stores=lenient */
	bool lost;		/* a bad store cost the function, until the next reset */
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
	struct bd_mes *mes;
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
 * struct bd_regs - registers that a unit provides in an address space of a lower layer
 * @base: first address in that space
 * @len: bytes
 * @always: the registers respond even while a fault keeps the card from responding
 * @read: return the word at @off, a multiple of 4
 * @write: write @len bytes at @off, all of them within the registers
 */
struct bd_regs {
	uint32_t base;
	uint32_t len;
	bool always;
	uint32_t (*read)(struct board *b, uint32_t off);
	void (*write)(struct board *b, uint32_t off, const uint8_t *buf, size_t len);
};

/* Append @x to the array @list, which ends with NULL and has room for all registrations. */
#define BD_REGISTER(list, x) \
	do {							\
		unsigned int n_ = 0;				\
								\
		while ((list)[n_])				\
			n_++;					\
		assert(n_ + 1 < ARRAY_SIZE(list));		\
		(list)[n_] = (x);				\
	} while (0)

/* In board.c, for options.c: do the resets that b->asked requests. */
void bd_reset_asked(struct board *b);

#endif /* BOARD_INT_H */
