/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * fuzz.h - random XDP programs, in the card and on the host.
 *
 * A program is made of a seed and nothing else: gen*.c emit instructions that
 * the kernel's verifier and the driver's take, card.c runs them, reduce.c makes
 * those smaller that differ. What the stock JIT is known to compile wrongly is
 * not generated unless asked for: avoid.c has it by name.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <linux/bpf.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- programs ---- */

#define INSNS_MAX	1200

/* Maps: made anew for each program that uses them, with the same content. */
enum fuzz_map {
	MAP_ARRAY,	/* values are read, and updated */
	MAP_HASH,
	MAP_COUNTS,	/* values are counted in */
	MAP_HASH_COUNTS,
	MAPS
};

struct map_def {
	const char *name;
	enum bpf_map_type type;
	unsigned int key, value, entries;
	unsigned int fill;	/* entries that are there before, keys from 0 */
	bool zero;		/* they are */
};

extern const struct map_def map_def[MAPS];

/**
 * struct program - instructions, as far as they do not depend on who runs them
 * @maps: bits of those it uses; a reference is BPF_PSEUDO_MAP_FD with the number
 *	of the map in the place of a descriptor
 * @head: instructions that each program begins with
 * @unit: of each instruction, the unit that it is of, if it is nothing without
 *	the others; or 0
 */
struct program {
	uint64_t seed;
	unsigned int head;
	unsigned int maps;
	unsigned int n;
	struct bpf_insn insn[INSNS_MAX];
	uint16_t unit[INSNS_MAX];
};

/* Packets of a program; the last two come after them, whatever it does. */
#define PACKETS		8
#define MARK_PASS	0x88b6	/* EtherTypes that each program */
#define MARK_TX		0x88b7	/* begins with looking for */

/* The second slot of a 64-bit immediate follows. */
static inline bool is_wide(const struct bpf_insn *i)
{
	return i->code == (BPF_LD | BPF_IMM | BPF_DW);
}

/* A jump within the program, or a call of a function of it. */
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
 * Differences that are known: each has a program known_NAME.c or known_NAME_*.c
 * in selftests/xdp that pins it, and its description in selftests/xdp/KNOWN.rst.
 */
enum avoid {
	AVOID_IMM_MIN, AVOID_DIV_ONE, AVOID_DIV_UPPER, AVOID_SHIFT_64, AVOID_ASHR_SIGN, AVOID_COPY_TAIL,
	AVOID_COPY_OVERLAP, AVOID_COPY_LAST, AVOID_CACHE_PATHS, AVOID_CALL_BYTE,
	AVOID_CALL_KEY, AVOID_VALUE_BELOW, AVOID_PRUNED, AVOID_MOVSX, AVOID_SDIV,
	AVOID_HEADROOM, AVOID_TAIL_GROW, AVOID_TAIL_ZERO, AVOID_HEAD_UNCHECKED,
	AVOIDS
};

const char *avoid_name(enum avoid a);
/* Bits of @name, all of them for "all"; 0: there is none of that name. */
uint32_t avoid_bits(const char *name);

/* ---- gen.c ---- */

/* @allow: bits of what is not to be avoided */
void generate(struct program *p, uint64_t seed, uint32_t allow);

/* ---- disasm.c ---- */

/* A line an instruction, each after @prefix. */
void disasm(const struct program *p, const char *prefix);

/* ---- card.c ---- */

enum verdict {
	SAME,
	DIFFERENT,	/* see card_why() */
	REJECTED,	/* for the card or for the host: likewise */
};

void card_begin(const char *dev, const char *peer);
enum verdict card_try(const struct program *p);
const char *card_why(void);
/* What the last one did on the host: how many of its packets. */
void card_fates(unsigned int *passed, unsigned int *sent, unsigned int *dropped);

/* ---- reduce.c ---- */

/* Smaller, and still different. Returns the number of programs tried. */
unsigned int reduce(struct program *p);

#endif /* FUZZ_H */
