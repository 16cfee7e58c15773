/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * nclc.h - the compiler of NCL: the program, and what a place has. Each file has a header for what
 * it offers to others.
 *
 * front.c runs clang, which compiles the user's file to an LLVM module. program.c reads the module:
 *
 * annotate.c	specifiers, by which it finds the kernels and variables
 * kernels.c	kernels, with their arguments and windows
 * bounds.c	bounds of array arguments
 * vars.c	variables of the network
 * netcl.c	what only NetCL's dialect has
 *
 * types.c and di.c read types and lines from debug information. Then place.c compiles for each
 * place, that is, for each device of the AND file:
 *
 * shell.c	generates the shell: C code that parses a frame and calls the kernels
 * flatten.c	inlines and unrolls each kernel into one function without calls or loops
 * access.c	finds the kernels' loads and stores of variables of the network
 * layout.c	chooses the layout of each variable in its BPF map
 * arith.c	replaces arithmetic that BPF or the card lacks
 * lock.c	decides which kernels take the lock
 * lower.c	replaces the loads and stores by map accesses
 * window_bounds.c	bounds the kernels' accesses to arrays of the window
 * emit.c	optimises, and writes the object
 * explain_place.c	checks the object against the limits of a card
 *
 * window_search.c does this with other windows, for the largest that fits a card. Last, host.c
 * makes the hosts' object, desc_out.c the description, and output.c writes all files.
 */
#ifndef NCLC_H
#define NCLC_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

#include "and.h"
#include "util.h"

#define WINDOW_OFFSET	70	/* bytes of a frame before the window's data: all headers */
#define UNIT_MAX	56	/* most bytes of a map's value on a card */
#define KEY_MAX		56	/* most bytes of a map's key on a card */
#define KEY_VALUE_MAX	64	/* most bytes of key plus value, each rounded up to 8 */
#define STACK_MAX	512	/* bytes of stack of a BPF program */
#define BRANCH_MAX	32767	/* most instructions that a branch of BPF skips */
#define UNROLL_MAX	100000	/* most instructions of LLVM's IR that a loop is unrolled to */
#define ARGS_MAX	16
#define KERNELS_MAX	4096	/* largest number of _kernel() */
#define PLACES_MAX	64	/* bits of a places_t */

typedef uint64_t places_t;	/* set of devices: bit n is node n + 1 of the AND file */

struct options {
	const char *file, *net, *out;
	const char *firmware;	/* of cards: "public", "full" or a file (fw_profile.h) */
	bool card, explain, keep;
	char *name;		/* of the program: the file's name without directory and suffix */
	const char **clang;	/* options that clang gets: -D, -I and such */
	unsigned int clang_count;
	bool quiet;			/* window_search.c tries a size: print nothing */
	unsigned int window, of;	/* scale window sizes by @window / @of; 0: do not */
};

extern struct options options;

enum kind { BYTES, I8, U8, I16, U16, I32, U32, I64, U64, F32, F64, BOOL };

/**
 * struct type - type of an array element or of a value
 * @kind: BYTES: a structure
 * @size: bytes
 * @align: alignment in a window
 */
struct type {
	enum kind kind;
	unsigned int size, align;
};

/**
 * struct param - an argument of a kernel
 * @name: its name
 * @type: type of an element or of the value
 * @array: a pointer: the argument is an array, of which a window carries @count elements
 * @ref: a reference of C++: the argument is one value, and the kernel may write it
 * @ext: _ext_: the host passes the pointer, and the window does not have the argument
 * @count: elements of an array in a window
 * @offset: bytes after the header of the window
 */
struct param {
	const char *name;
	struct type type;
	bool array, ref, ext;
	unsigned int count, offset;
};

/**
 * struct kernel - a version of a kernel; versions for different places have the same name and @id
 * @name: name, or the name that _as_() gives
 * @symbol: linker symbol of the function
 * @lock: expression of _lock_(), or NULL
 * @pair: name in _pair_(), or NULL
 * @net, @in, @out, @nolock: the function has that specifier
 * @anywhere: no _at_(): the kernel runs at each device that has all its variables
 * @id: number of the kernel in a window's header
 * @args: number of arguments
 * @size: bytes of a window after the header
 * @len: elements of the first array in a window (window.len)
 * @wins: number of arrays
 * @win: elements of each array in a window
 * @arg: the arguments
 * @places: devices that run the kernel
 * @at: where its source is
 * @out_kernel: of an incoming kernel: the outgoing kernel whose windows it takes
 */
struct kernel {
	const char *name, *symbol, *lock, *pair;
	bool net, in, out, nolock, anywhere;
	unsigned int id, args, size, len, wins;
	unsigned int win[ARGS_MAX];
	struct param arg[ARGS_MAX];
	places_t places;
	struct where at;
	const struct kernel *out_kernel;
};

/**
 * struct var - a variable of the network
 * @name: its name
 * @symbol: its linker symbol
 * @net, @ctrl, @managed, @lookup: the variable has that specifier
 * @map: a map or a lookup table that hosts fill, so a BPF hash
 * @type: type of an element; of a map: of a value
 * @dims: number of dimensions; 0: a single value
 * @dim: the dimensions
 * @count: number of elements
 * @key, @value, @entries: of a map: types, and the most entries
 * @places: devices that have the variable
 * @at: where its source is
 */
struct var {
	const char *name, *symbol;
	bool net, ctrl, map, managed, lookup;
	struct type type;
	unsigned int dims, dim[8];
	uint64_t count;
	struct type key, value;
	uint64_t entries;
	places_t places;
	struct where at;
};

struct field {
	const char *name;
	struct type type;
	unsigned int offset;	/* bytes after the header of the window */
};

/**
 * struct program - what the user's file defines
 * @module: LLVM module of the file
 * @net: AND file
 * @place, @places: devices, compiled so far
 * @kernel, @kernels: kernels of all places
 * @var, @vars: variables of all places
 * @field, @fields: the program's own fields of the window (NCL_WINDOW)
 * @out_ids: largest number of an outgoing kernel
 * @hash: hash of nodes, fields and kernels; the header of each window carries the hash
 */
struct program {
	LLVMModuleRef module;
	struct and_net *net;
	struct place *place;
	unsigned int places;
	struct kernel *kernel;
	unsigned int kernels;
	struct var *var;
	unsigned int vars;
	struct field *field;
	unsigned int fields;
	unsigned int out_ids;
	uint16_t hash;
};

static inline bool is_at(places_t places, unsigned int node)
{
	return places >> (node - 1) & 1;
}

/* A part of an address that is not constant: @value times @stride bytes */
struct term {
	LLVMValueRef value;
	int64_t stride;
};

#define TERMS_MAX	8

/**
 * struct access - a load or store of a variable of the network
 * @inst: the instruction
 * @of: the variable
 * @term: the parts of the address that are not constant
 * @terms: number of @term
 * @offset: the constant part of the address, in bytes from the variable
 * @row: index of the first dimension; -1: not constant, or not known to be constant
 * @width: bytes
 * @store: a store; else a load
 * @pair: of a store that only adds to a word: the load of that word
 */
struct access {
	LLVMValueRef inst;
	struct layout *of;
	struct term term[TERMS_MAX];
	unsigned int terms;
	int64_t offset, row;
	unsigned int width;
	bool store;
	struct access *pair;
};

/**
 * struct layout - a variable's BPF map at a place
 * @var: the variable
 * @global: the variable in the module; NULL: no kernel of the place uses it
 * @map: name of the map
 * @unit: bytes of the map's values; a value may hold several elements of the variable
 * @entries: number of the map's values
 * @here: the place has the variable
 * @columns: the array is stored by columns
 * @adds: kernels do nothing but add to the variable, so they use atomic adds
 * @written: a kernel of the place writes the variable
 * @used: a kernel of the place uses the variable
 */
struct layout {
	const struct var *var;
	LLVMValueRef global;
	char map[16];
	unsigned int unit, entries;
	bool here, columns, adds, written, used;
};

/**
 * struct run - a kernel at a place
 * @k: the kernel
 * @fn: its function in the module of the place
 * @access: its accesses to variables of the network, in the order of the function
 * @accesses: number of @access
 * @locked: the kernel takes the lock
 * @insns: BPF instructions of the kernel
 * @words: instruction words of the kernel on a card
 * @lock_words: instruction words for the lock
 * @why: text for --explain: why the kernel takes the lock, or does not
 */
struct run {
	struct kernel *k;
	LLVMValueRef fn;
	struct access *access;
	unsigned int accesses;
	bool locked;
	unsigned int insns, words, lock_words;
	const char *why;
};

/**
 * struct place - a device, for which the program is being compiled
 * @p: the program
 * @node: number of the device in the AND file
 * @label: label of the device
 * @module: LLVM module of the device's code
 * @layout, @layouts: variables of the program
 * @run, @runs: kernels at the device
 * @locks: a kernel takes the lock
 * @object: path of the object
 * @insns: BPF instructions of the object
 * @words: instruction words on a card
 * @words_most: instruction words that a card has
 * @helpers: bit n is set if the object calls BPF helper n
 * @too_long: a card has too few instruction words
 * @fits_card: a card can run the object
 */
struct place {
	struct program *p;
	unsigned int node;
	const char *label;
	LLVMModuleRef module;
	struct layout *layout;
	unsigned int layouts;
	struct run *run;
	unsigned int runs;
	bool locks;
	char *object;
	unsigned int insns, words, words_most, helpers;
	bool too_long, fits_card;
};

#endif /* NCLC_H */
