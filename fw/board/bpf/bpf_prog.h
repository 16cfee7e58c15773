/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bpf_prog.h - JITed programs in the instruction store of the microengines.
 *
 * The host gives a relocated image for each vNIC. Each instruction is a 64-bit word: bits 44:0
 * are the instruction, 51:45 its ECC, the others 0. A packet enters at the first word of its
 * vNIC's image, and leaves by a branch to BD_USTORE_DONE. Helpers are firmware functions at the
 * addresses below.
 */
#ifndef BPF_PROG_H
#define BPF_PROG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "board_int.h"

/*
 * Instruction addresses. START, MAX_LEN and DONE are those of the NIC firmware (observed in the
 * control BAR). The second image ends at the end of the store. The addresses of the functions are
 * this board's choice.
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
 * @count: number of words, from BD_PROG_START() on; 0: none loaded
 * @loads: number of successful loads. If it has changed, a decoded form of the words is
 * 	outdated
 */
struct bd_prog {
	uint32_t count;
	uint64_t loads;
};

struct bd_ustore {
	uint64_t word[BD_USTORE_WORDS];
	struct bd_prog prog[BOARD_PORTS];	/* of each port's vNIC */
	uint64_t refused;
	uint32_t without;	/* capabilities that the firmware does not have (bpf_caps.c) */
	uint32_t max_len;	/* maximum number of words of a program */
	FILE *images;		/* option images=: file for loaded images; or NULL */
};

int bd_ustore_init(struct board *b);
void bd_ustore_exit(struct board *b);

/*
 * Write each image that is loaded from now on to the new file @path: a line that begins with #,
 * then a line for each instruction, in hexadecimal. NULL ends this. Return 0 or a negative errno.
 */
int bd_prog_images(struct board *b, const char *path);

/* Verdicts, in the order of the offload statistics in the vNIC's control BAR. */
enum bd_verdict {
	BD_VERDICT_PASS,
	BD_VERDICT_DROP,
	BD_VERDICT_TX,
	BD_VERDICT_ABORTED,
};

void bd_prog_reset(struct board *b);
/* Fill in the BPF fields of a vNIC's control BAR. */
void bd_prog_bar(const struct board *b, uint8_t *bar, unsigned int vnic);
/*
 * UPDATE_BPF: fetch and check the image that the control BAR describes. If this returns false,
 * the previous image remains.
 */
bool bd_prog_load(struct board *b, unsigned int vnic);
/*
 * Get the current image for packets of @vnic, or NULL. The result is valid until the host
 * reconfigures the vNIC, so use it for one packet only.
 */
const uint64_t *bd_prog_active(const struct board *b, unsigned int vnic, uint32_t *count);
bool bd_prog_loaded(const struct board *b, unsigned int vnic);
/* Count the verdict on a frame of @len bytes. */
void bd_prog_count(struct board *b, unsigned int vnic, enum bd_verdict v, uint32_t len);
/* Return true if a word's ECC is correct and the word has no open relocation. */
bool bd_insn_valid(uint64_t word);

#endif /* BPF_PROG_H */
