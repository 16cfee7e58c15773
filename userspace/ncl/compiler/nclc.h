/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * nclc.h - the compiler of NCL.
 *
 * front.c runs clang, which compiles the user's file to an LLVM module. program.c reads kernels and
 * variables from the module, bounds.c the bounds of array arguments, and netcl.c what only NetCL's
 * dialect has. Then nclc compiles for each place, that is, for each device of the AND file:
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
 * Last, host.c makes the hosts' object, desc_out.c the description, and output.c writes all files.
 */
#ifndef NCLC_H
#define NCLC_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "and.h"

#define EXIT_REFUSED	1
#define EXIT_USAGE	2
#define EXIT_INTERNAL	70	/* EX_SOFTWARE of sysexits.h */

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

/* ---- util.c ---- */

struct where {
	const char *file;
	unsigned int line;
};

/* Print "file:line: error: text" and exit with EXIT_REFUSED. Without a line, name the user's file. */
void refuse(const struct where *at, const char *fmt, ...)
	__attribute__((noreturn, format(printf, 2, 3)));
void internal(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));
void fail(int status, const char *fmt, ...) __attribute__((noreturn, format(printf, 2, 3)));
/* calloc() and asprintf() that exit if memory is short */
void *need(size_t n, size_t size);
char *text(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Append a zeroed element to *@list, which has *@n elements. Returns the element's address. */
void *grow(void *list, unsigned int *n, size_t size);

/* A string that put() appends to */
struct buf {
	char *s;
	size_t len;
};

void put(struct buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void write_file(const char *path, const char *s, size_t len);
/* Path of a temporary file. nclc removes the file when it exits, unless --keep is given. */
char *temp_path(const char *name);

/* ---- output.c ---- */

/* Add a file to those that output_write() writes: @data, or a copy of the file @from. */
void output_add(char *path, char *data, size_t len);
void output_copy(char *path, const char *from);
/* Make the folder of the output, and those above it. */
void output_folder(void);
/* Write all files. After a failure none is left. */
void output_write(void);

/* ---- options ---- */

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

/* ---- front.c ---- */

/* What clang compiles: the user's file, generated code of a device, or generated code of hosts */
enum clang { CLANG_USER, CLANG_DEVICE, CLANG_HOST };

/* Start clang on @path. Returns the process id, for clang_module(). */
int clang_start(const char *path, const char *bitcode, enum clang kind);
/*
 * Start clang, which prints the declarations of functions named @name to the file @to. Returns the
 * process id.
 */
int clang_print(const char *path, const char *name, const char *to);
/* Wait for clang, process @pid, and read the module that it wrote to @bitcode. */
LLVMModuleRef clang_module(int pid, const char *bitcode);

/* ---- di.c: debug information ---- */

typedef LLVMMetadataRef di;

di di_operand(di node, unsigned int i);
unsigned int di_operands(di node);
/* NULL: the operand is not a string */
const char *di_string(di node, unsigned int i);
di di_of_global(LLVMValueRef global);
/* Follow typedef, const, volatile and enum to the underlying type. */
di di_peel(di type);
bool di_number(di node, int64_t *value);
/*
 * The line of an instruction in the user's file; line 0: unknown. If the instruction was inlined
 * from a header of NCL or from generated code, take the line of the call.
 */
struct where where_inst(LLVMValueRef inst);
struct where where_function(LLVMValueRef fn);
struct where where_global(LLVMValueRef global);

/* ---- program.c ---- */

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

/* Name of the type in the description */
const char *type_name(const struct type *t, char buf[16]);
/* Name of the type in generated C; NULL: a structure */
const char *type_c(const struct type *t);

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

void program_read(struct program *p);
/* After all places are compiled: refuse a kernel that no device can run. */
void program_check(const struct program *p);
struct var *var_of(struct program *p, LLVMValueRef global);
/* The window size for a size @w in the source: @w, or scaled if window_search.c tries another size */
unsigned int window_trial(unsigned int w);
static inline bool is_at(places_t places, unsigned int node)
{
	return places >> (node - 1) & 1;
}

/* ---- bounds.c ---- */

/*
 * Take the window sizes of @k from _spec() and from array bounds such as "int data[16]". Leave @k
 * unchanged if an array has neither.
 */
void read_bounds(struct kernel *k);

/* ---- netcl.c ---- */

/* Label of the device that a number in _at() names */
const char *device_label(const struct and_net *net, LLVMValueRef number, const struct where *at);
/* Number in _kernel(), checked */
unsigned int kernel_number(const struct kernel *k, LLVMValueRef number);
/* Argument of ncl_device_(), ncl_host_() or ncl_group_(); checked if it is a constant */
LLVMValueRef checked_number(const struct and_net *net, LLVMValueRef call, const char *name);
/*
 * Make static variables of kernels and of _net_ functions variables of the network. Then drop the
 * functions that are not kernels from the list of kernels.
 */
void read_functions(struct program *p);
/* Is @v a const _lookup_ table? It becomes comparisons in the kernel, and gets no map. */
bool is_constant_table(const struct var *v, LLVMValueRef global);
void read_table(struct var *v, di type);

/* ---- a place ---- */

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

/* File name in the #line directives of the lock's code; explain_place.c finds the code by this name. */
#define LOCK_LINES	"nclc.lock."

char *shell_text(const struct place *at);
void flatten(struct place *at);
void arith(LLVMValueRef fn);
/*
 * The address that a walk from the base to an access has summed up. The base is a variable of the
 * network (@of), or an array of the window. The fields are those of struct access.
 */
struct address {
	struct layout *of;
	struct term term[TERMS_MAX];
	unsigned int terms;
	int64_t offset, row;
};

void address_add(struct place *at, struct address *a, LLVMValueRef gep);
bool copy_is(LLVMValueRef inst);
/*
 * Replace @inst, a memcpy(), memmove() or memset() of @len bytes, by loads and stores, each as wide
 * as the alignment of @a allows.
 */
void copy_expand(LLVMValueRef inst, const struct address *a, uint64_t len);
void window_lower(struct place *at);
/*
 * Collect the kernels' accesses. Returns false if a kernel without _at_() uses a variable that the
 * place does not have. The place was then removed from the kernel's places: analyse again.
 */
bool access_collect(struct place *at);
/* Replace a load or store by several of @piece bytes each. */
void access_split(const struct access *a, unsigned int piece);
/* Returns false if accesses were split: collect them again. */
bool layout_decide(struct place *at);
void lock_decide(struct place *at);
char *maps_text(const struct place *at);
void lower(struct place *at);
void emit_init(void);
void emit_target(LLVMModuleRef m);
void emit_run(LLVMModuleRef m, const char *passes);
/* With --keep, write the module as text to the temporary file @name. */
void emit_dump(LLVMModuleRef m, const char *name);
void emit_host(LLVMModuleRef m, const char *path);
void emit_object(struct place *at);
/* Check the object of a place. Returns false if the target is a card and no card can run it. */
bool explain_object(struct place *at);
void explain_too_long(const struct place *at, unsigned int window, unsigned int fits);
void explain_print(const struct place *at, unsigned int window, unsigned int fits);
/* Compile @p for all places. Returns false if a card cannot run the object of a place. */
bool compile_places(struct program *p);
/*
 * The largest window with which the program fits a card; 0: none fits. *@of is the program's
 * largest window now. @fits_now: the program fits with that.
 */
unsigned int largest_window(const struct program *p, unsigned int *of, bool fits_now);
void program_hash(struct program *p);
char *description(const struct program *p);
/* Returns the path of the object, a temporary file. */
char *host_object(struct program *p, const char *desc);

void drop_global(LLVMModuleRef m, const char *name);
/*
 * Replace calls of ncl_place() and such by their values, and remove annotations, in all functions of
 * a module. @device: make the thread-local variables of ncl.h plain variables, too.
 */
void simple_calls(LLVMModuleRef m, const struct program *p, bool device);
/* Replace constant expressions that use @global by instructions. */
void expand_constants(LLVMValueRef global);

#endif /* NCLC_H */
