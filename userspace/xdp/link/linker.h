/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * linker.h - make one program of several that call each other by bpf_tail_call().
 *
 * linker.c has nfpchan_xdp_link(), and runs the steps. slots.c reads what the prog arrays contain. tails.c finds the programs
 * to which each tail call may lead. graph.c finds cycles, and the greatest number of tail
 * calls. merge.c copies the instructions of all programs into one. trim.c removes instructions
 * whose results are not used. emit.c removes unreachable instructions and resolves jumps.
 * btf.c and elf.c write the object. judge.c checks it against the limits of a card.
 */
#ifndef XDP_LINK_H
#define XDP_LINK_H

#include "explain.h"
#include "nfpchan_xdp.h"

#define LINK_ERR	4096	/* size of the buffer for an error message */
#define TAIL_CALLS	33	/* MAX_TAIL_CALL_CNT of the kernel */
#define SLOTS_MAX	65536	/* most slots of a prog array */

/**
 * struct link_extra - a program that is not part of the object
 * @name: its name, for messages
 * @insn: its instructions; R1 is the context at the first. A load of map k of link_in.maps
 *	has BPF_PSEUDO_MAP_IDX with imm = -1 - k. Tail calls and functions are not supported.
 * @insns: number of instructions
 * @stack: bytes of stack that it uses
 * @next: name of the program that continues after its last instruction, where R1 must be
 *	the context again; NULL for none
 */
struct link_extra {
	const char *name;
	const struct bpf_insn *insn;
	int insns;
	unsigned int stack;
	const char *next;
};

/* An array map of 64-bit counters that is not part of the object */
struct link_map {
	const char *name;
	unsigned int max_entries;
};

/* Tail calls to program @prog lead to the extra program @extra instead. */
struct link_swap {
	const char *prog, *extra;
};

/**
 * struct link_in - the programs to link
 * @o: the object, open
 * @name: its name in messages; NULL for its path
 * @slots: contents of prog arrays, which override those of the object
 * @slot_count: number of @slots
 * @entry: name of the program at which a packet enters, also of an extra one; NULL for the
 *	only program that is in no slot
 * @loop: count the tail calls of a cycle instead of refusing it
 * @extra: the @extras programs that are not part of the object
 * @map: the @maps maps that are not part of the object
 * @swap: the @swaps programs that are replaced by extra ones
 * @leave: name of the extra program that runs at each exit of the object's programs, with the
 *	verdict in R0 and the context in R1; NULL for none
 */
struct link_in {
	struct xobject *o;
	const char *name;
	const struct nfpchan_xdp_slot *slots;
	unsigned int slot_count;
	const char *entry;
	bool loop;
	const struct link_extra *extra;
	unsigned int extras;
	const struct link_map *map;
	unsigned int maps;
	const struct link_swap *swap;
	unsigned int swaps;
	const char *leave;
};

/**
 * struct prog_array - contents of a map
 * @prog: program of each slot, -1 for an empty slot; NULL when the map is no prog array
 * @slots: number of slots
 * @told: the object or the caller has given its contents
 */
struct prog_array {
	int *prog;
	unsigned int slots;
	bool told;
};

/**
 * struct tail - a tail call
 * @insn: its instruction
 * @map: the prog array; -1 when it is not known, or not the same on all paths
 * @may: for each slot of the array, whether the index can have this value
 * @least: least index on all paths
 * @most: greatest index on all paths
 */
struct tail {
	int insn, map;
	bool *may;
	unsigned int least, most;
};

/**
 * struct lprog - a program of the object, or an extra program
 * @p: its instructions
 * @tail: its @tails tail calls
 * @stack: stack of each of its @funcs functions; the first is the program itself
 * @next: the program that continues at its end, or -1
 * @swap: the extra program that replaces it, or -1
 * @reached: it can be reached from the entry
 */
struct lprog {
	struct xprog *p;
	struct tail *tail;
	unsigned int tails;
	struct func_stack *stack;
	int funcs;
	int next, swap;
	bool reached;
};

#define NO_MAP		(1 << 30)

/**
 * struct node - an instruction of the result, before it has its final place
 * @insn: the instruction; emit.c sets the distance of a jump or call
 * @prog: the program that it comes from
 * @at: its number in that program, -1 for an added instruction
 * @to: the node to which it jumps, -1 for none
 * @to_prog: it jumps to the copy of this program in the same function; -1 for none
 * @func: the function that it calls, -1 for none
 * @map: the map that it loads (see link_extra), NO_MAP for none
 * @count: which of its fields gets the stack offset of the count of tail calls, or of the
 *	saved context, when the offset is known
 * @gone: trim.c has removed it, because its result is not used
 * @live: it can be reached, and is not gone
 * @pos: its number in the result, or for a removed node that of the next node that is left
 */
struct node {
	struct bpf_insn insn;
	int prog, at;
	int to, to_prog;
	int func;
	int map;
	enum { COUNT_NONE, COUNT_OFF, COUNT_IMM, CTX_OFF } count;
	bool gone, live;
	int pos;
};

/**
 * struct lfunc - a function of the result; the first is the program itself
 * @prog: the program in which the function was found first; -1 for the program itself
 * @n: its number among the functions of @prog
 * @node: its @nodes instructions
 * @room: number of nodes for which memory is allocated
 * @first: for each program, the node of its first instruction in this function, or -1
 * @stack: the largest stack of the parts in it, in bytes
 * @counts: the stack has, beyond these bytes, the count of tail calls or its address
 * @count_arg: the argument register that has the address of the count at a call
 * @live: something calls it
 * @begin: number of its first instruction in the result
 */
struct lfunc {
	int prog, n;
	struct node *node;
	int nodes, room;
	int *first;
	unsigned int stack;
	bool counts;
	int count_arg;
	bool live;
	int begin;
};

/**
 * struct link - the state of linking
 * @in: the arguments
 * @o: the object
 * @name: its name in messages
 * @array: contents of each map of the object
 * @prog: the programs of the object, followed by the extra programs
 * @progs: number of programs
 * @entry: the program at which a packet enters
 * @leave: the extra program that runs at exits, or -1
 * @counted: tail calls are counted
 * @func: the @funcs functions of the result
 * @extra: instructions of the extra programs
 * @insn: instructions of the result, without the distances that the ELF object relocates
 * @from: the node of each of these instructions
 * @insns: number of instructions
 * @err: the error message
 */
struct link {
	const struct link_in *in;
	struct xobject *o;
	const char *name;
	struct prog_array *array;
	struct lprog *prog;
	int progs;
	int entry, leave;
	bool counted;
	struct lfunc *func;
	int funcs;
	struct xprog *extra;
	struct bpf_insn *insn;
	const struct node **from;
	int insns;
	char err[LINK_ERR];
};

/* ---- the steps, in order. They return 0, or -errno with the message in @l->err. ---- */
int link_slots(struct link *l);
int link_tails(struct link *l);
int link_graph(struct link *l);
int link_merge(struct link *l);
int link_trim(struct link *l);
int link_emit(struct link *l);
int link_write(struct link *l, void **elf, size_t *len);
/* Check the linked program, read from what link_write() wrote, against o->limits of a card. */
int link_judge(struct link *l, struct xobject *o);

/* Prepare for the steps: find programs and the entry, fill the prog arrays. See link_free(). */
int link_begin(struct link *l, const struct link_in *in);
/* Run all steps except link_write(). The caller must call link_free() also after an error. */
int link_run(struct link *l, const struct link_in *in);
void link_free(struct link *l);

/* ---- used by the steps ---- */

/* Set the error message. Return @code. */
int link_fail(struct link *l, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* The same, with program, instruction and source line before the message. @insn may be -1. */
int link_fail_at(struct link *l, int code, int prog, int insn, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));

/* Whether the instruction and the next one load a 64-bit constant together. */
static inline bool is_wide(const struct bpf_insn *i)
{
	return i->code == (BPF_LD | BPF_IMM | BPF_DW);
}

/* Return the number of a program, or -1. */
int link_find(const struct link *l, const char *name);
/* Return the number of a map of the object, or -1. */
int link_map_named(const struct link *l, const char *name);
/* Return the program that a call of @prog reaches: @prog, or the one that replaces it. */
int link_target(const struct link *l, int prog);
/* Return the tail call at an instruction, or NULL. */
const struct tail *link_tail(const struct link *l, int prog, int insn);
/* Whether a slot that the tail call may use has a program. */
bool link_finds(const struct link *l, const struct tail *t);
/* Return the program that a tail call reaches by slot @slot, or -1. */
int link_slot(const struct link *l, const struct tail *t, unsigned int slot);
/* Return the number, in lprog.stack, of the function that contains instruction @insn. */
int link_func_of(const struct link *l, int prog, int insn);
/* Return the BTF id of function @n of a program, 0 for none. */
uint32_t link_func_type(const struct link *l, int prog, int n);
/* Return the number of the instruction after function @n of a program. */
int link_func_end(const struct link *l, int prog, int n);
/* Return the number of the function that an instruction calls, or -1. */
int link_callee(const struct link *l, int prog, int insn);
/* Whether a tail call in the function, or in one that it calls, may find a program. */
bool link_counts(const struct link *l, int prog, int n);
/* A text, and the room that is left after it */
struct text {
	char *at;
	size_t room;
};
void text_add(struct text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* ---- files in memory ---- */

#define PATH_LEN	32

/* Create a file in memory with these bytes, and a path to it. Return its fd, or -errno. */
int memory_path(const void *data, size_t len, char path[PATH_LEN]);

#endif /* XDP_LINK_H */
