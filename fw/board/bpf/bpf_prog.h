/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bpf_prog.h - JITed programs in the instruction store of the microengines.
 *
 * The host hands over a relocated image for each vNIC: one 64-bit word an
 * instruction, bits 44:0 the instruction, 51:45 its ECC, the rest 0. A packet
 * enters at the first word of its vNIC's image and leaves by a branch to
 * BD_USTORE_DONE; helpers are firmware at the addresses below.
 */
#ifndef BPF_PROG_H
#define BPF_PROG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "board_int.h"

/*
 * Instruction addresses. START, MAX_LEN and DONE are the NIC firmware's
 * (observed in the control BAR); two images end where the store does. The
 * functions' addresses are this board's.
 */
#define BD_USTORE_WORDS		8192
#define BD_USTORE_DONE		1
#define BD_USTORE_LOOKUP	0x100
#define BD_USTORE_UPDATE	0x200
#define BD_USTORE_DELETE	0x300
#define BD_USTORE_EVENT		0x400
#define BD_PROG_MAX_LEN		2560	/* less by option bpf-words= */
#define BD_PROG_START(vnic)	(3072 + BD_PROG_MAX_LEN * (vnic))

#define BD_INSN_BITS		45
#define BD_INSN_MASK		((1ULL << BD_INSN_BITS) - 1)

/**
 * struct bd_prog - the image of a vNIC
 * @count: words of it, from BD_PROG_START() in the store; 0: none loaded
 * @loads: successful loads so far. What was derived from the words (a decoded
 *	form) is stale when this has changed
 */
struct bd_prog {
	uint32_t count;
	uint64_t loads;
};

struct bd_ustore {
	uint64_t word[BD_USTORE_WORDS];
	struct bd_prog prog[BOARD_PORTS];	/* of each port's vNIC */
	uint64_t refused;
	uint32_t without;	/* capabilities that the firmware lacks (bpf_caps.c) */
	uint32_t max_len;	/* words that a program may have */
	FILE *images;		/* option images=: what was loaded, as text; NULL */
};

int bd_ustore_init(struct board *b);
void bd_ustore_exit(struct board *b);

/*
 * Write each image that is loaded from now on to file @path, which is made anew:
 * a line that begins with #, then a line an instruction, in hexadecimal. With
 * NULL no more. Return: 0 or a negative errno.
 */
int bd_prog_images(struct board *b, const char *path);

/* As offload statistics in the vNIC's control BAR count them. */
enum bd_verdict {
	BD_VERDICT_PASS,
	BD_VERDICT_DROP,
	BD_VERDICT_TX,
	BD_VERDICT_ABORTED,
};

void bd_prog_reset(struct board *b);
/* The BPF fields of a vNIC's control BAR. */
void bd_prog_bar(const struct board *b, uint8_t *bar, unsigned int vnic);
/*
 * UPDATE_BPF: fetch and check the image that the BAR names. When false, the
 * image that was there is untouched.
 */
bool bd_prog_load(struct board *b, unsigned int vnic);
/*
 * The image that packets of @vnic go through now, NULL for none. Valid until
 * the host reconfigures, thus not beyond a packet.
 */
const uint64_t *bd_prog_active(const struct board *b, unsigned int vnic, uint32_t *count);
bool bd_prog_loaded(const struct board *b, unsigned int vnic);
/* What became of a frame of @len bytes. */
void bd_prog_count(struct board *b, unsigned int vnic, enum bd_verdict v, uint32_t len);
/* A word's ECC bits are right, and no relocation was left over. */
bool bd_insn_valid(uint64_t word);

#endif /* BPF_PROG_H */
