/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * explain.h - say whether the programs of an object can be offloaded, and if not, why.
 *
 * object.c reads the file, and maps.c checks its maps. walk.c follows the paths of a
 * program as the kernel's verifier does. At each instruction walk.c asks rules.c, which
 * has the driver's rules. size.c counts the instructions that the driver's JIT emits.
 */
#ifndef EXPLAIN_H
#define EXPLAIN_H

#include <linux/bpf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fw_profile.h"
#include "netdev.h"

struct btf;
struct bpf_object;

/* ---- reasons for a refusal ---- */

/* In the order of the table in reasons.c */
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
	WHY_CTX_SIZE, WHY_CTX_LOAD, WHY_CTX_STORE, WHY_POINTER, WHY_POINTER_CHANGES,
	WHY_STACK_VARIABLE, WHY_STACK_MOVES, WHY_KEY_NOT_STACK, WHY_KEY_ALIGN,
	WHY_EVENT_FLAGS, WHY_EVENT_DATA, WHY_EVENT_CHANGES,
	WHY_STACK_SIZE, WHY_CALL_DEPTH, WHY_RECURSION, WHY_TOO_LONG, WHY_BRANCH, WHY_OPEN_COPY,
	WHY_VERIFIER, WHY_COMPLEX, WHY_UNKNOWN,
	WHY_DEV_DRIVER, WHY_DEV_APP, WHY_DEV_MTU, WHY_DEV_TC, WHY_DEV_RELOAD,
	/* The driver loads the program, but the card does something else than the source says. */
	WHY_PRUNED, WHY_MIN_IMM, WHY_SHIFT_SIGN, WHY_SHIFT_64, WHY_VALUE_BELOW,
	WHY_EVENT_COUNTERS, WHY_CALLER_KEY, WHY_CALLER_BYTE, WHY_COPY_LAST, WHY_COPY_OVERLAP,
	WHY_CACHE_PATHS, WHY_SIGN_LOST, WHY_VALUE_BEYOND, WHY_FRAME_POINTER, WHY_REDIRECT, WHY_TAIL_GROWS, WHY_HEADROOM, WHY_AMOUNT,
	WHY_HEAD_UNCHECKED, WHY_COPY_TAIL, WHY_DIV_ONE, WHY_DIV_UPPER, WHY_DEV_BUSY,
	WHY_FUNC_ASSUMED,
	WHYS
};

enum severity {
	SEVERITY_NOTE,		/* the program loads */
	SEVERITY_WARNING,	/* the program loads, and may do something else */
	SEVERITY_UNKNOWN,	/* the driver or the firmware may refuse the program */
	SEVERITY_ERROR,		/* the program is refused */
};

/**
 * struct reason_info - a kind of obstacle
 * @name: its name in JSON and in the tests
 * @severity: its consequence for the program
 * @advice: how to avoid it, for the user
 */
struct reason_info {
	const char *name;
	enum severity severity;
	const char *advice;
};

extern const struct reason_info reasons[WHYS];

/**
 * struct issue - one obstacle that was found
 * @why: its kind
 * @insn: number of the instruction that it concerns, or -1
 * @text: the description, for the user
 */
struct issue {
	enum reason why;
	int insn;
	char text[200];
};

/**
 * struct issues - the obstacles found in one program, map or device
 * @noted: for each instruction, a bit set of the kinds that @issue has for it already
 */
struct issues {
	struct issue *issue;
	unsigned int count;
	uint64_t (*noted)[2];
	unsigned int noted_room;
};

/* Add an issue, unless @to has one of this kind for this instruction. */
void issue_add(struct issues *to, enum reason why, int insn, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
void issues_free(struct issues *list);
/* Return the highest severity, SEVERITY_NOTE when the list is empty. */
enum severity issues_worst(const struct issues *list);

/* ---- the card ---- */

/* Functions that firmware may have or lack, in the order of the table in limits.c */
enum helper {
	HELPER_LOOKUP, HELPER_UPDATE, HELPER_DELETE, HELPER_EVENT,
	HELPER_HEAD, HELPER_TAIL, HELPER_RANDOM,
	HELPER_QUEUE,		/* no function, but a store to rx_queue_index */
	HELPERS
};

extern const char *const helper_words[HELPERS];

/**
 * struct limits - limits of a card and its firmware
 * @firmware: name and version of the firmware as its MIP has it; "": not known, and @helpers and
 *	the limits of maps are the most that the driver supports
 * @words: most microengine instructions of a program
 * @stack: bytes of stack
 * @inline_mtu: bytes of a packet that a program can reach
 * @map_types: a bit for each supported enum bpf_map_type
 * @max_maps: most maps that exist at the same time
 * @max_entries: most entries of all maps together
 * @max_key: most bytes of a key; @max_value: of a value; @max_elem: of key and value
 *	together, each rounded up to 8
 * @helpers: a bit for each enum helper that the firmware has
 * @adjust_head: least and greatest constant by which bpf_xdp_adjust_head() can move the
 *	packet's start without a check at run time
 * @known: words, stack and inline_mtu were read from the card
 * @assumed: words, stack and inline_mtu are those of the public firmware: the firmware file does
 *	not have them
 * @words_told: the user has given @words; @helpers_told: the user has given @helpers
 */
struct limits {
	char firmware[FW_MIP_NAME + 1];
	uint32_t words, stack, inline_mtu;
	uint32_t map_types, max_maps, max_entries, max_key, max_value, max_elem;
	uint32_t helpers;
	struct {
		int sub, add;
	} adjust_head;
	bool known, assumed, words_told, helpers_told;
};

#define WORDS_MOST	16383	/* the largest address that a branch can encode */

/*
 * Set the limits to those of a firmware: "public", "full" or the path of a firmware file (see
 * fw_profile.h); NULL: "public". Return -errno with the reason in @err if the firmware is not
 * known, cannot be read, or runs no BPF programs.
 */
int limits_firmware(struct limits *l, const char *name, char *err, size_t len);
/* Set the limits for firmware of which nothing is known. */
void limits_unknown(struct limits *l);
/* Return the firmware's name for messages. */
const char *limits_who(const struct limits *l);
/*
 * Set the helpers from a list such as "lookup,event"; "" stands for none.
 * Return -EINVAL with the reason in @err when a name is not known.
 */
int limits_helpers(struct limits *l, const char *list, char *err, size_t len);

/* ---- the object ---- */

/* How programs use a word of a map's values. The driver keeps this from one program to the next. */
enum word_use { USE_NONE, USE_READ, USE_ATOMIC };

struct word {
	uint8_t use;
	bool nonzero;
};

/**
 * struct xmap - a map of the object
 * @data: the map holds global variables
 * @words: the use of its values, for each word of 4 bytes
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
 * struct xprog - a program of the object, followed by the functions that it calls
 * @special: the section is for packets of several buffers, or for packets that another
 *	program has redirected
 * @lines: its line information, in ascending order
 * @funcs: the instruction at which each of its functions begins
 * @examined: the fields below are valid
 * @words: microengine instructions that the JIT emits for it, 0 when not known
 * @stack: bytes of stack of all frames together
 * @packet: offset of the last byte of a packet that it may access
 * @insn_words: microengine instructions for each of its instructions, NULL when not known
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
	char *license;		/* "" when there is none, NULL when not read */
	struct issues issues;
};

/* Open the object file. Return -errno with the reason in @err. */
int object_open(struct xobject *o, const char *path, char *err, size_t len);
void object_close(struct xobject *o);
struct bpf_program;
struct bpf_prog_load_opts;

typedef int (*catch_fn)(struct bpf_program *prog, struct bpf_prog_load_opts *opts, long cookie);

#define XDP_SECTIONS	4	/* prefixes of section names that are handled */

/*
 * Make libbpf call @fn for each program that it is about to load, after relocation; the
 * cookie is @arg. Programs in sections of an unknown type count as XDP. Return -errno.
 * The caller must call object_catch_end() also after an error.
 */
int object_catch(int id[XDP_SECTIONS], catch_fn fn, const void *arg);
void object_catch_end(const int id[XDP_SECTIONS]);
/* Read the license of an object file; "" when it has none. The caller frees the result. */
char *object_license(const char *path);
bool license_gpl(const char *license);
/* Find the source line of an instruction. Return false when the line is not known. */
bool object_line(const struct xobject *o, const struct xprog *p, int insn, struct line *line);
/* Whether the function at an instruction is global: the verifier checks such a function alone. */
bool object_func_global(const struct xobject *o, const struct xprog *p, int insn);

enum arg {
	ARG_NONE,
	ARG_NUMBER,
	ARG_CONTEXT,
	ARG_OTHER,
};

/* Return the type of argument @n, counted from 1, of the function at an instruction. */
enum arg object_func_arg(const struct xobject *o, const struct xprog *p, int insn,
			 unsigned int n);

/**
 * struct device - a network interface, and the state of the card
 * @net: the interface; the last word of its firmware's version is the application
 * @mtu: its MTU
 * @attached: id of the offloaded program that is attached, or 0
 * @maps: number of maps on the card; @entries: sum of their entries
 * @maps_known: both numbers are valid
 * @issues: reasons why this device takes no program
 */
struct device {
	struct netdev net;
	unsigned int mtu, attached, maps, entries;
	bool maps_known;
	struct issues issues;
};

/* Read an interface, and the limits of its card. Return -errno. */
int device_read(struct device *d, const char *name, struct limits *limits, char *err, size_t len);
/* Check a program against the device. */
void device_check(const struct device *d, const struct limits *limits, struct xprog *p);

void maps_check(struct xobject *o, const struct device *d);
void prog_check(struct xobject *o, struct xprog *p);

struct scalar;

/* Called for a tail call with the number of its map, -1 when not known, and the slot's @index. */
typedef void (*tail_call_fn)(void *arg, int insn, int map, const struct scalar *index);

/* The stack of a function: needed to link programs */
struct func_stack {
	int start;
	unsigned int stack;
};

/*
 * Follow a program, and call @fn for each of its tail calls. Return the number of functions,
 * with their stack in @stack, which the caller frees. Return -1 when the program cannot be
 * followed to its end; the issues of @p then have the reason.
 */
int prog_tail_calls(struct xobject *o, struct xprog *p, tail_call_fn fn, void *arg,
		    struct func_stack **stack);

const char *helper_name(uint32_t id);
/* Return the number of bytes that a load or a store accesses. */
unsigned int insn_bytes(const struct bpf_insn *insn);
/* Format an instruction as text. */
void insn_text(const struct bpf_insn *insn, char *buf, size_t len);

void report_plain(const struct xobject *o, const struct device *d);
void report_json(const struct xobject *o, const struct device *d);
enum severity prog_verdict(const struct xobject *o, const struct device *d,
			   const struct xprog *p);

#endif /* EXPLAIN_H */
