/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * link.h - programs that call each other by bpf_tail_call(), made one.
 *
 * slots.c finds what the prog arrays hold, tails.c where the programs' tail calls may
 * lead, graph.c whether they lead in a circle and how many there can be. merge.c puts
 * the instructions together, trim.c takes out what computes for nothing, emit.c leaves out what is dead and resolves jumps, btf.c
 * and elf.c write the object. link.c is the sequence of these.
 */
#ifndef XDP_LINK_H
#define XDP_LINK_H

#include "explain.h"
#include "nfpchan_xdp.h"

#define LINK_ERR	4096	/* bytes that the text of a failure may take */
#define TAIL_CALLS	33	/* MAX_TAIL_CALL_CNT of the kernel */
#define SLOTS_MAX	65536	/* of a prog array */

/**
 * struct link_extra - a program that is no part of the object
 * @name: its name, for messages
 * @insn: instructions: R1 is the context at the first. Map k of link_in.maps is loaded
 *	by BPF_PSEUDO_MAP_IDX with imm = -1 - k. No tail calls, no functions
 * @insns: how many
 * @stack: bytes of stack that it uses
 * @next: name of the program whose first instruction comes behind its last; R1 must be
 *	the context again. NULL: none does
 */
struct link_extra {
	const char *name;
	const struct bpf_insn *insn;
	int insns;
	unsigned int stack;
	const char *next;
};

/* An array that is no part of the object, of counters of 64 bits */
struct link_map {
	const char *name;
	unsigned int max_entries;
};

/* Instead of program @prog, program @extra is reached. */
struct link_swap {
	const char *prog, *extra;
};

/**
 * struct link_in - what is linked
 * @o: the object, open
 * @name: for messages; NULL: its path
 * @slots: contents of prog arrays, which come before those of the object
 * @slot_count: how many
 * @entry: where a packet enters, extra or not; NULL: the only program that is in no slot
 * @loop: cycles are counted, not refused
 * @extra: programs that are no part of the object, @extras of them
 * @map: maps that are no part of it, @maps of them
 * @swap: programs that others stand in for, @swaps of them
 * @leave: the extra program behind each end of the object's programs: R0 is the verdict,
 *	R1 the context; NULL: none
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
 * @prog: program of each slot, -1 for none; NULL: the map is no prog array
 * @slots: how many
 * @told: something says what it holds
 */
struct prog_array {
	int *prog;
	unsigned int slots;
	bool told;
};

/**
 * struct tail - a tail call
 * @insn: the instruction
 * @map: the prog array; -1: not known, or not the same on all paths
 * @may: for each of its slots whether the index may be that
 * @least: of the index, on all paths
 * @most: the same
 */
struct tail {
	int insn, map;
	bool *may;
	unsigned int least, most;
};

/**
 * struct lprog - a program of the object, or an extra one
 * @p: its instructions
 * @tail: its tail calls, @tails of them
 * @stack: of each of its functions, @funcs of them; the first is the program itself
 * @next: the program that it runs into at its end, or -1
 * @swap: the program that is reached instead, or -1
 * @reached: from the entry
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
 * struct node - an instruction of the result
 * @insn: it, without the distance of its jump or call
 * @prog: the program that it is of
 * @at: its place there, -1 when it was added
 * @to: the node to which it jumps, -1 for none
 * @to_prog: the program to whose copy in this function it jumps, -1 for none
 * @func: the function that it calls, -1 for none
 * @map: the map that it loads (see link_extra), NO_MAP for none
 * @count: where in it the place of the count of tail calls belongs, or of the context
 * @gone: nothing reads what it writes
 * @live: something leads to it, and it is not gone
 * @pos: its place in the result, or that of the next one that is left
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
 * struct lfunc - a function of the result; the first is the program
 * @prog: the program that it was first found in; -1 of the first
 * @n: its number there
 * @node: instructions of the result, @nodes of them
 * @room: how many there is memory for
 * @first: node of the first instruction of each program that is in it, -1 for none
 * @stack: bytes of stack of all that is in it
 * @counts: the count of tail calls, or its address, is on top of that
 * @count_arg: the register that has the address when it is called
 * @live: something calls it
 * @begin: its place in the result
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
 * struct link - the work
 * @in: what was asked for
 * @o: the object
 * @name: its name in messages
 * @array: by the object's maps
 * @prog: programs of the object, then extra ones
 * @progs: how many
 * @entry: the program a packet enters
 * @leave: the extra program that is behind the ends of others, or -1
 * @counted: tail calls are counted
 * @func: functions of the result, @funcs of them
 * @extra: instructions of extra programs
 * @insn: instructions of the result, without distances that the ELF object relocates
 * @from: what each of them comes of
 * @insns: how many
 * @err: why it failed
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

/* ---- the steps, in order. They return 0, or -errno with the reason in @l->err. ---- */
int link_slots(struct link *l);
int link_tails(struct link *l);
int link_graph(struct link *l);
int link_merge(struct link *l);
int link_trim(struct link *l);
int link_emit(struct link *l);
int link_write(struct link *l, void **elf, size_t *len);

/* What is there before them: programs, prog arrays, the entry; link_free() frees it. */
int link_begin(struct link *l, const struct link_in *in);
/* All of them but the last; to be freed with link_free(), whatever it returns. */
int link_run(struct link *l, const struct link_in *in);
void link_free(struct link *l);

/* ---- for them ---- */

/* Keep the text of a failure; returns @code. */
int link_fail(struct link *l, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* The same, behind program, instruction and source line; @insn may be -1. */
int link_fail_at(struct link *l, int code, int prog, int insn, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));

/* Two instructions of one constant */
static inline bool is_wide(const struct bpf_insn *i)
{
	return i->code == (BPF_LD | BPF_IMM | BPF_DW);
}

/* The number of a program, or -1 */
int link_find(const struct link *l, const char *name);
/* The number of a map of the object, or -1 */
int link_map_named(const struct link *l, const char *name);
/* What is reached where program @prog is called */
int link_target(const struct link *l, int prog);
/* The tail call at an instruction, or NULL */
const struct tail *link_tail(const struct link *l, int prog, int insn);
/* A tail call may find a program. */
bool link_finds(const struct link *l, const struct tail *t);
/* What a tail call finds in slot @slot: a program, or -1 */
int link_slot(const struct link *l, const struct tail *t, unsigned int slot);
/* The function of a program that has instruction @insn: its number in lprog.stack */
int link_func_of(const struct link *l, int prog, int insn);
/* BTF of function @n of a program, 0 for none */
uint32_t link_func_type(const struct link *l, int prog, int n);
/* Where function @n of a program ends */
int link_func_end(const struct link *l, int prog, int n);
/* The number of the function that an instruction calls, or -1 */
int link_callee(const struct link *l, int prog, int insn);
/* A tail call of the function, or of one that it calls, may find a program. */
bool link_counts(const struct link *l, int prog, int n);
/* graph.c: a text with room for more */
struct text {
	char *at;
	size_t room;
};
void text_add(struct text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* ---- files in memory ---- */

#define PATH_LEN	32

/* A file with these bytes, by a path; returns its descriptor or -errno. */
int memory_path(const void *data, size_t len, char path[PATH_LEN]);
/* Objects made one by libbpf's linker: as memory_path(), with the reason in @err. */
int objects_join(const char *const *paths, unsigned int count, char path[PATH_LEN], char *err,
		 size_t len);

#endif /* XDP_LINK_H */
