/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * explain.h - can the programs of an object be offloaded, and if not, why?
 *
 * object.c reads the file, maps.c judges its maps, walk.c goes through a
 * program as the kernel's verifier does and asks rules.c, which has the driver's
 * rules, at each instruction; size.c counts what the driver's JIT makes of it.
 */
#ifndef EXPLAIN_H
#define EXPLAIN_H

#include <linux/bpf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct btf;
struct bpf_object;

/* ---- why not ---- */

/* In the order of reasons.c */
enum reason {
	WHY_PROGRAM_TYPE, WHY_PROGRAM_TC, WHY_PROGRAM_FLAGS,
	WHY_MAP_TYPE, WHY_PROG_ARRAY, WHY_MAP_PERCPU, WHY_MAP_FLAGS, WHY_MAP_GLOBAL, WHY_MAP_KEY, WHY_MAP_VALUE,
	WHY_MAP_ELEM, WHY_MAP_ENTRIES, WHY_MAP_COUNT, WHY_MAP_ARRAY_KEY, WHY_MAP_EMPTY,
	WHY_OPCODE, WHY_NEWER_CPU, WHY_STORE_IMM, WHY_MODULO, WHY_SWAP,
	WHY_HELPER, WHY_TAIL_CALL, WHY_KFUNC, WHY_MISSING,
	WHY_MUL_RANGE, WHY_DIV_RANGE, WHY_DIV_VARIABLE, WHY_DIV_NEGATIVE, WHY_DIV_ZERO,
	WHY_SHIFT,
	WHY_ATOMIC_OP, WHY_ATOMIC_TARGET, WHY_ATOMIC_VALUE,
	WHY_MAP_WRITE, WHY_MAP_OFFSET, WHY_MAP_USE, WHY_COUNTER_UPDATE, WHY_COUNTER_NONZERO,
	WHY_VALUE_UNWRITTEN,
	WHY_CTX_LOAD, WHY_CTX_STORE, WHY_POINTER, WHY_POINTER_CHANGES,
	WHY_STACK_VARIABLE, WHY_STACK_MOVES, WHY_KEY_NOT_STACK, WHY_KEY_ALIGN,
	WHY_EVENT_FLAGS, WHY_EVENT_DATA, WHY_EVENT_CHANGES,
	WHY_STACK_SIZE, WHY_CALL_DEPTH, WHY_RECURSION, WHY_TOO_LONG, WHY_BRANCH, WHY_OPEN_COPY,
	WHY_VERIFIER, WHY_COMPLEX, WHY_UNKNOWN,
	WHY_DEV_DRIVER, WHY_DEV_APP, WHY_DEV_MTU, WHY_DEV_TC, WHY_DEV_RELOAD,
	/* It loads, but is not what was written */
	WHY_PRUNED, WHY_MIN_IMM, WHY_SHIFT_SIGN, WHY_SHIFT_64, WHY_VALUE_BELOW,
	WHY_EVENT_COUNTERS, WHY_CALLER_KEY, WHY_CALLER_BYTE, WHY_COPY_LAST, WHY_COPY_OVERLAP,
	WHY_CACHE_PATHS, WHY_SIGN_LOST, WHY_VALUE_BEYOND, WHY_FRAME_POINTER, WHY_REDIRECT, WHY_TAIL_GROWS, WHY_HEADROOM, WHY_AMOUNT,
	WHY_HEAD_UNCHECKED, WHY_COPY_TAIL, WHY_DIV_ONE, WHY_DIV_UPPER, WHY_DEV_BUSY,
	WHY_FUNC_ASSUMED,
	WHYS
};

enum severity {
	SEVERITY_NOTE,		/* loads */
	SEVERITY_WARNING,	/* loads, and may do something else */
	SEVERITY_UNKNOWN,	/* may be refused */
	SEVERITY_ERROR,		/* is refused */
};

/**
 * struct reason_info - a kind of obstacle
 * @name: in JSON and tests
 * @severity: what it means for the program
 * @advice: what to do about it
 */
struct reason_info {
	const char *name;
	enum severity severity;
	const char *advice;
};

extern const struct reason_info reasons[WHYS];

/**
 * struct issue - an obstacle
 * @why: its kind
 * @insn: the instruction, -1 when it is none
 * @text: what stands in the way
 */
struct issue {
	enum reason why;
	int insn;
	char text[200];
};

/**
 * struct issues - what was noted
 * @noted: by instruction, a bit for each kind
 */
struct issues {
	struct issue *issue;
	unsigned int count;
	uint64_t (*noted)[2];
	unsigned int noted_room;
};

/* Note an issue, once for an instruction. */
void issue_add(struct issues *to, enum reason why, int insn, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
void issues_free(struct issues *list);
/* The gravest, SEVERITY_NOTE when there are none */
enum severity issues_worst(const struct issues *list);

/* ---- the card ---- */

/* What firmware has, or has not, in the order of limits.c */
enum helper {
	HELPER_LOOKUP, HELPER_UPDATE, HELPER_DELETE, HELPER_EVENT,
	HELPER_HEAD, HELPER_TAIL, HELPER_RANDOM,
	HELPER_QUEUE,		/* of the host, chosen by a store: no function */
	HELPERS
};

extern const char *const helper_words[HELPERS];

/**
 * struct limits - what a card offers
 * @words: instructions a program may have
 * @stack: bytes of stack
 * @inline_mtu: bytes of a packet that a program can reach
 * @map_types: bit for each enum bpf_map_type
 * @max_maps: maps at a time
 * @max_entries: entries of all maps
 * @max_key: bytes of a key, of a value, of both rounded up to 8
 * @helpers: bit for each enum helper
 * @adjust_head: moves of the packet's start by a constant that need no check at run time
 * @known: words, stack and inline_mtu were read from the card
 * @words_told, @helpers_told: the user has told them
 */
struct limits {
	uint32_t words, stack, inline_mtu;
	uint32_t map_types, max_maps, max_entries, max_key, max_value, max_elem;
	uint32_t helpers;
	struct {
		int sub, add;
	} adjust_head;
	bool known, words_told, helpers_told;
};

#define WORDS_MOST	16383	/* that branches reach */

extern const struct limits limits_default;
/* Set which helpers there are: "lookup,event", "" for none. -EINVAL, the reason in @err. */
int limits_helpers(struct limits *l, const char *list, char *err, size_t len);

/* ---- the object ---- */

/* How the driver has seen a word of a map's values used (kept between programs) */
enum word_use { USE_NONE, USE_READ, USE_ATOMIC };

struct word {
	uint8_t use;
	bool nonzero;
};

/**
 * struct xmap - a map of the object
 * @data: it holds global variables
 * @words: use of its values, by words of 4 bytes
 */
struct xmap {
	const char *name;
	uint32_t type, key_size, value_size, max_entries, flags, numa_node;
	bool data;
	struct word *words;
	struct issues issues;
};

struct line {
	const char *file, *text;
	unsigned int number;
};

/**
 * struct xprog - a program of the object, functions that it calls behind it
 * @special: for packets of several buffers, or those that another program redirects
 * @lines: its line information, ascending
 * @funcs: and where its functions begin
 * @examined: the fields below are valid
 * @words: microengine instructions it becomes, 0 when not known
 * @stack: bytes of stack in all frames
 * @packet: last byte of a packet it may touch
 * @insn_words: what each instruction becomes, NULL when not known
 */
struct xprog {
	const char *name, *section;
	enum bpf_prog_type type;
	bool special;
	struct bpf_insn *insn;
	int insns;
	struct bpf_line_info *lines;
	unsigned int line_count;
	struct bpf_func_info *funcs;
	unsigned int func_count;
	bool examined;
	unsigned int words, stack, packet;
	uint16_t *insn_words;
	struct issues issues;
};

struct xobject {
	const char *path;
	struct bpf_object *bpf;
	const struct btf *btf;
	struct xmap *map;
	unsigned int maps;
	struct xprog *prog;
	unsigned int progs;
	struct limits limits;
	char *license;		/* "" when it says nothing, NULL when not known */
	struct issues issues;
};

/* -errno, with the reason in @err. */
int object_open(struct xobject *o, const char *path, char *err, size_t len);
void object_close(struct xobject *o);
struct bpf_program;
struct bpf_prog_load_opts;

typedef int (*catch_fn)(struct bpf_program *prog, struct bpf_prog_load_opts *opts, long cookie);

#define XDP_SECTIONS	4	/* names of sections that are told apart */

/*
 * From here on, @fn sees each program that libbpf loads, complete, with @arg in the cookie.
 * Sections of no known type are of XDP programs. -errno; it is to be ended in any case.
 */
int object_catch(int id[XDP_SECTIONS], catch_fn fn, const void *arg);
void object_catch_end(const int id[XDP_SECTIONS]);
/* What the file says; "" is nothing. To be freed. */
char *object_license(const char *path);
bool license_gpl(const char *license);
/* The source line of an instruction; false when there is none. */
bool object_line(const struct xobject *o, const struct xprog *p, int insn, struct line *line);
/* Whether the function at an instruction is global: verified by itself. */
bool object_func_global(const struct xobject *o, const struct xprog *p, int insn);

enum arg {
	ARG_NONE,
	ARG_NUMBER,
	ARG_CONTEXT,
	ARG_OTHER,
};

/* What argument @n, from 1 on, of the function at an instruction is. */
enum arg object_func_arg(const struct xobject *o, const struct xprog *p, int insn,
			 unsigned int n);

/**
 * struct device - a network interface, and what it says of the card
 * @name: its name
 * @driver: its driver
 * @firmware: its firmware, the application is the last word
 * @mtu: its MTU
 * @attached: id of the offloaded program that is attached, or 0
 * @maps: maps on the card, and their entries
 * @issues: what is in the way
 */
struct device {
	const char *name;
	char driver[32], firmware[32];
	unsigned int mtu, attached, maps, entries;
	bool maps_known;
	struct issues issues;
};

/* Look at an interface, and at the card for its limits. -errno. */
int device_read(struct device *d, const char *name, struct limits *limits, char *err, size_t len);
/* What else depends on the program */
void device_check(const struct device *d, const struct limits *limits, struct xprog *p);

void maps_check(struct xobject *o, const struct device *d);
void prog_check(struct xobject *o, struct xprog *p);

struct scalar;

/* A tail call on a path: by map number @map, -1 when it is not known, with @index. */
typedef void (*tail_call_fn)(void *arg, int insn, int map, const struct scalar *index);

/* What a program needs to be linked: bytes of stack of each function, by where it begins */
struct func_stack {
	int start;
	unsigned int stack;
};

/*
 * Follow a program for its tail calls. Returns how many functions it has, with @stack,
 * to be freed; -1 when it cannot be followed to its end: its issues say why.
 */
int prog_tail_calls(struct xobject *o, struct xprog *p, tail_call_fn fn, void *arg,
		    struct func_stack **stack);

const char *helper_name(uint32_t id);
/* Bytes that a load or store is of */
unsigned int insn_bytes(const struct bpf_insn *insn);
/* An instruction as text */
void insn_text(const struct bpf_insn *insn, char *buf, size_t len);

void report_plain(const struct xobject *o, const struct device *d);
void report_json(const struct xobject *o, const struct device *d);
enum severity prog_verdict(const struct xobject *o, const struct device *d,
			   const struct xprog *p);

#endif /* EXPLAIN_H */
