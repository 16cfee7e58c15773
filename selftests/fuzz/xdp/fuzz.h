/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * fuzz.h - random XDP programs, in the card and on the host.
 *
 * A program depends on its seed only: gen*.c emit instructions that the kernel's and the driver's
 * verifier accept, differ.c runs them, reduce.c reduces programs that differ. Instructions that the
 * stock JIT is known to compile wrongly are not generated, unless --allow asks for them: avoid.c
 * has their names.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <linux/bpf.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- programs ---- */

#define INSNS_MAX	1200

/* Maps; each program gets new ones, with the same contents. */
enum fuzz_map {
	MAP_ARRAY,	/* programs read and update values */
	MAP_HASH,
	MAP_COUNTS,	/* programs add to values */
	MAP_HASH_COUNTS,
	MAPS
};

struct map_def {
	const char *name;
	enum bpf_map_type type;
	unsigned int key, value, entries;
	unsigned int fill;	/* entries that exist at first, with keys from 0 */
	bool zero;		/* the values of these entries are 0 */
};

extern const struct map_def map_def[MAPS];

/**
 * struct program - a program, the same for card and host
 * @seed: its seed
 * @head: number of instructions with which each program begins
 * @maps: bits of the maps that it uses; a reference is BPF_PSEUDO_MAP_FD with the number of the
 *	map instead of a descriptor
 * @n: number of instructions
 * @insn: the instructions
 * @unit: for each instruction the number of its unit, or 0; a reduction keeps or removes a unit
 *	as a whole
 */
struct program {
	uint64_t seed;
	unsigned int head;
	unsigned int maps;
	unsigned int n;
	struct bpf_insn insn[INSNS_MAX];
	uint16_t unit[INSNS_MAX];
};

/* Packets of a program; two marks follow them */
#define PACKETS		8
#define MARK_PASS	0x88b6	/* EtherType of the mark that each program passes */
#define MARK_TX		0x88b7	/* EtherType of the mark that each program sends back */

/* Say whether the instruction is a 64-bit immediate, which takes a second slot. */
static inline bool is_wide(const struct bpf_insn *i)
{
	return i->code == (BPF_LD | BPF_IMM | BPF_DW);
}

/* Say whether the instruction is a jump within the program. */
static inline bool is_jump(const struct bpf_insn *i)
{
	unsigned int class = BPF_CLASS(i->code), op = BPF_OP(i->code);

	return (class == BPF_JMP || class == BPF_JMP32) && op != BPF_EXIT && op != BPF_CALL;
}

static inline bool is_call(const struct bpf_insn *i)
{
	return i->code == (BPF_JMP | BPF_CALL) && i->src_reg == BPF_PSEUDO_CALL;
}

/* ---- avoid.c ---- */

/*
 * Known differences. For each, selftests/xdp has a program known_NAME.c or known_NAME_*.c that
 * shows it, and selftests/xdp/KNOWN.rst describes it.
 */
enum avoid {
	AVOID_IMM_MIN, AVOID_DIV_ONE, AVOID_DIV_UPPER, AVOID_SHIFT_64, AVOID_ASHR_SIGN, AVOID_COPY_TAIL,
	AVOID_COPY_OVERLAP, AVOID_COPY_LAST, AVOID_CACHE_PATHS, AVOID_CALL_BYTE,
	AVOID_CALL_KEY, AVOID_VALUE_BELOW, AVOID_PRUNED, AVOID_MOVSX, AVOID_SDIV,
	AVOID_HEADROOM, AVOID_TAIL_GROW, AVOID_TAIL_ZERO, AVOID_HEAD_UNCHECKED,
	AVOIDS
};

const char *avoid_name(enum avoid a);
/* Return the bit of @name, all bits for "all", or 0 if there is no such name. */
uint32_t avoid_bits(const char *name);

/* ---- gen.c ---- */

/* Generate a program. @allow: bits of the known differences that it may have. */
void generate(struct program *p, uint64_t seed, uint32_t allow);

/* ---- disasm.c ---- */

/* Print a line for each instruction, with @prefix. */
void disasm(const struct program *p, const char *prefix);

/* ---- differ.c ---- */

enum verdict {
	SAME,
	DIFFERENT,	/* card_why() has the difference */
	REJECTED,	/* for the card or the host; card_why() has the reason */
};

void card_begin(const char *dev, const char *peer);
enum verdict card_try(const struct program *p);
const char *card_why(void);
/* Return how many packets of the last program were passed, sent back and dropped on the host. */
void card_fates(unsigned int *passed, unsigned int *sent, unsigned int *dropped);

/* ---- reduce.c ---- */

/* Reduce a program that differs, so that it still differs; return the number of trials. */
unsigned int reduce(struct program *p);

#endif /* FUZZ_H */
