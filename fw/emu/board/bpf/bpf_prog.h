/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bpf_prog.h - JITed programs in the instruction store of the microengines.
 *
 * The host loads a relocated image for each vNIC. An instruction is a 64-bit word: the
 * instruction in bits 44:0, its ECC in bits 51:45, and 0 in the others. A packet enters the
 * program at the first word of its vNIC's image, and leaves it by a branch to the address DONE.
 * Helpers are firmware functions. The firmware's profile has all these addresses.
 */
#ifndef BPF_PROG_H
#define BPF_PROG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "board_int.h"
#include "fw_profile.h"

#define BD_USTORE_WORDS		8192

#define BD_INSN_BITS		45
#define BD_INSN_MASK		((1ULL << BD_INSN_BITS) - 1)

/**
 * struct bd_prog - the image of a vNIC
 * @count: words of the image, from bd_prog_start() in the store; 0: no program is loaded
 * @loads: successful loads so far. Data that was derived from the words (a decoded form) is stale
 *	if this has changed
 */
struct bd_prog {
	uint32_t count;
	uint64_t loads;
};

struct bd_ustore {
	uint64_t word[BD_USTORE_WORDS];
	struct bd_prog prog[BOARD_PORTS];	/* one for each port's vNIC */
	uint64_t refused;
	struct fw_caps caps;	/* capabilities that the host reads, of the firmware's last start */
	uint32_t helpers;	/* option bpf-helpers=: bits of capabilities (bpf_caps.c) */
	bool helpers_set;	/* the option was given */
	uint32_t max_len;	/* option bpf-words=: words of the largest program; 0: not given */
	FILE *images;		/* option images=: file of loaded images, or NULL */
};

void bd_ustore_exit(struct board *b);

/*
 * Write each image that is loaded from now on to file @path, whose old contents are lost. An
 * image is a line that begins with #, and a line for each instruction, in hexadecimal. NULL: stop
 * writing. Return: 0 or a negative errno.
 */
int bd_prog_images(struct board *b, const char *path);

/* In the order of the offload statistics in the vNIC's control BAR. */
enum bd_verdict {
	BD_VERDICT_PASS,
	BD_VERDICT_DROP,
	BD_VERDICT_TX,
	BD_VERDICT_ABORTED,
};

void bd_prog_reset(struct board *b);
/* Words of the longest program, and address of the program of @vnic in the store. */
uint32_t bd_prog_max(const struct board *b);
uint32_t bd_prog_start(const struct board *b, unsigned int vnic);
/* Fill in the BPF fields of a vNIC's control BAR. */
void bd_prog_bar(const struct board *b, uint8_t *bar, unsigned int vnic);
/*
 * UPDATE_BPF: load and check the image that the control BAR names. Return: false if the image is
 * refused; the old image then stays.
 */
bool bd_prog_load(struct board *b, unsigned int vnic);
/*
 * Return: the image that packets of @vnic pass through, or NULL if there is none. The pointer is
 * valid for one packet: the host may change the configuration after that.
 */
const uint64_t *bd_prog_active(const struct board *b, unsigned int vnic, uint32_t *count);
bool bd_prog_loaded(const struct board *b, unsigned int vnic);
/* Count the verdict on a frame of @len bytes. */
void bd_prog_count(struct board *b, unsigned int vnic, enum bd_verdict v, uint32_t len);
/* Return: true if the ECC bits of @word are right and those above are 0 (no relocation is left). */
bool bd_insn_valid(uint64_t word);

#endif /* BPF_PROG_H */
