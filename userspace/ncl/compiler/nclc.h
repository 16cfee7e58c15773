/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * nclc.h - the compiler of NCL.
 *
 * front.c has clang make a module of the user's file; program.c reads kernels and
 * variables out of it. For each place: shell.c writes the C that takes a frame apart and
 * calls kernels, flatten.c makes each kernel one function without calls, access.c finds
 * what it does to variables of the network, layout.c decides how these lie in maps,
 * lower.c makes map accesses of them, emit.c writes the object, explain.c judges it.
 * host.c makes the hosts' object, desc_out.c the description. bounds.c and netcl.c are for
 * NetCL's dialect.
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

#define WINDOW_OFFSET	70	/* of a frame's first byte behind struct ncp_hdr */
#define UNIT_MAX	56	/* bytes of a value on the card */
#define KEY_MAX		56
#define KEY_VALUE_MAX	64
#define ARGS_MAX	16
#define KERNELS_MAX	4096	/* numbers that kernels are given */
#define PLACES_MAX	64	/* devices: bits of a places_t */

typedef uint64_t places_t;

/* ---- util.c ---- */

struct where {
	const char *file;
	unsigned int line;
};

/* "file:line: error: text", and the end. */
void refuse(const struct where *at, const char *fmt, ...)
	__attribute__((noreturn, format(printf, 2, 3)));
void internal(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));
void fail(int status, const char *fmt, ...) __attribute__((noreturn, format(printf, 2, 3)));
void *need(size_t n, size_t size);
char *text(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* *@list of *@n elements gets one more, zero; returns its place. */
void *grow(void *list, unsigned int *n, size_t size);

/* A text that grows */
struct buf {
	char *s;
	size_t len;
};

void put(struct buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void write_file(const char *path, const char *s, size_t len);
/* A file in a folder that goes away at the end. */
char *temp_path(const char *name);

/* ---- options ---- */

struct options {
	const char *file, *net, *out;
	bool card, explain, keep;
	char *name;		/* of the program: of the file, without folder and suffix */
	const char **clang;	/* -D, -I and such */
	unsigned int clang_count;
	bool quiet;			/* a trial: */
	unsigned int window, of;	/* windows of @window instead of @of */
};

extern struct options options;

/* ---- front.c ---- */

/* Have clang compile @path; returns its process, to be waited for by clang_module(). */
enum clang { CLANG_USER, CLANG_DEVICE, CLANG_HOST };

int clang_start(const char *path, const char *bitcode, enum clang kind);
/* Have it print the declarations of functions named @name to the file @to. */
int clang_print(const char *path, const char *name, const char *to);
LLVMModuleRef clang_module(int pid, const char *bitcode);

/* ---- di.c: debug information ---- */

typedef LLVMMetadataRef di;

di di_operand(di node, unsigned int i);
unsigned int di_operands(di node);
/* NULL where it is none */
const char *di_string(di node, unsigned int i);
di di_of_global(LLVMValueRef global);
di di_peel(di type);		/* without typedef and const */
bool di_number(di node, int64_t *value);
/* Where an instruction is in the user's file */
struct where where_inst(LLVMValueRef inst);
struct where where_function(LLVMValueRef fn);
struct where where_global(LLVMValueRef global);

/* ---- program.c ---- */

enum kind { BYTES, I8, U8, I16, U16, I32, U32, I64, U64, F32, F64, BOOL };

/**
 * struct type - of an element
 * @size: bytes
 * @align: bytes it is aligned to in a window
 */
struct type {
	enum kind kind;
	unsigned int size, align;
};

const char *type_name(const struct type *t, char buf[16]);	/* in the description */
const char *type_c(const struct type *t);			/* in generated C */

/**
 * struct param - an argument of a kernel
 * @array: elements of the window; else a value
 * @ref: a reference of C++: a value that kernels may write
 * @ext: of an incoming kernel, given by the host
 * @count: elements in a window
 * @offset: behind the header
 */
struct param {
	const char *name;
	struct type type;
	bool array, ref, ext;
	unsigned int count, offset;
};

/**
 * struct kernel - a version of a kernel
 * @symbol: of its function
 * @id: number in windows; versions for other places have the same
 * @places: bits by number of the node, from 1 on bit 0
 * @lock: text of _lock_()
 * @pair: name of the outgoing kernel
 * @anywhere: without _at_(): it is where its memory is
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
 * @dim: its dimensions; none: a value
 * @count: elements
 * @key, @value, @entries: of a map
 * @managed: hosts write it as kernels do
 * @lookup: a table
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
	unsigned int offset, at;	/* in the window, in struct ncl_window */
};

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
void program_check(const struct program *p);	/* when all places are compiled */
struct var *var_of(struct program *p, LLVMValueRef global);
/* Elements of a window, where its source says @w */
unsigned int window_trial(unsigned int w);
static inline bool is_at(places_t places, unsigned int node)
{
	return places >> (node - 1) & 1;
}

/* ---- bounds.c ---- */

/* The bounds of arrays among a kernel's arguments, as its source has them, where no count is. */
void read_bounds(struct kernel *k);

/* ---- netcl.c ---- */

/* Of a number in _at() */
const char *device_label(const struct and_net *net, LLVMValueRef number, const struct where *at);
unsigned int kernel_number(const struct kernel *k, LLVMValueRef number);
/* The argument of ncl_device_(), ncl_host_() or ncl_group_() */
LLVMValueRef checked_number(const struct and_net *net, LLVMValueRef call, const char *name);
/* Functions that are no kernels go; their static variables stay. */
void read_functions(struct program *p);
bool is_constant_table(const struct var *v, LLVMValueRef global);
void read_table(struct var *v, di type);

/* ---- a place ---- */

/* A variable part of an index: @value times @stride bytes */
struct term {
	LLVMValueRef value;
	int64_t stride;
};

#define TERMS_MAX	8

/**
 * struct access - a load or store of a variable of the network
 * @inst: load or store
 * @offset: constant part, bytes
 * @row: index of the first dimension; -1: not constant, or not known to be
 * @add: what a store adds to the word that @pair loads, when it is nothing else
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
 * struct layout - how a variable lies in a map at a place
 * @map: name of the map
 * @unit: bytes of an element of the map
 * @here: the variable is at the place
 * @columns: transposed
 * @adds: only added to
 * @written: by any kernel of the place
 * @used: by any
 */
struct layout {
	const struct var *var;
	LLVMValueRef global;
	char map[16];
	unsigned int unit, entries;
	bool here, columns, adds, written, used;
	unsigned int reads, writes;
};

/* A kernel at the place */
struct run {
	struct kernel *k;
	LLVMValueRef fn;
	struct access *access;
	unsigned int accesses;
	bool locked;
	unsigned int insns, words, lock_words;
	const char *why;		/* the lock, or none */
};

struct place {
	struct program *p;
	unsigned int node;
	const char *label;
	LLVMContextRef ctx;
	LLVMModuleRef module;
	struct layout *layout;
	unsigned int layouts;
	struct run *run;
	unsigned int runs;
	bool locks;
	char *object;			/* path */
	unsigned int insns, words, words_most, helpers;
	bool too_long, fits_card;
};

#define LOCK_LINES	"nclc.lock."	/* file that generated code of the lock is in, it says */

char *shell_text(const struct place *at);
void flatten(struct place *at);
void arith(LLVMValueRef fn);
/* An address, so far: of a variable, or of an array of the window */
struct address {
	struct layout *of;
	struct term term[TERMS_MAX];
	unsigned int terms;
	int64_t offset, row;
};

void address_add(struct place *at, struct address *a, LLVMValueRef gep);
bool copy_is(LLVMValueRef inst);
/* memcpy() and such become loads and stores as wide as the address allows. */
void copy_expand(LLVMValueRef inst, const struct address *a, uint64_t len);
void window_lower(struct place *at);
/* False: a kernel is not at the place after all. */
bool access_collect(struct place *at);
/* One load or store becomes several of @piece bytes. */
void access_split(const struct access *a, unsigned int piece);
/* False: accesses were split, and are to be collected again. */
bool layout_decide(struct place *at);
void lock_decide(struct place *at);
char *maps_text(const struct place *at);
void lower(struct place *at);
void emit_init(void);
void emit_target(LLVMModuleRef m);
void emit_run(LLVMModuleRef m, const char *passes);
void emit_dump(LLVMModuleRef m, const char *name);	/* for --keep */
void emit_host(LLVMModuleRef m, const char *path);
void emit_object(struct place *at);
bool explain_object(struct place *at);
void explain_too_long(const struct place *at, unsigned int window, unsigned int fits);
void explain_print(const struct place *at, unsigned int window, unsigned int fits);
/* All places of @p; false: a card does not take one. */
bool compile_places(struct program *p);
/* With which windows the program fits on a card, instead of @of; 0: none. */
unsigned int largest_window(const struct program *p, unsigned int *of, bool fits_now);
void program_hash(struct program *p);
char *description(const struct program *p);
void host_object(struct program *p, const char *desc);

void drop_global(LLVMModuleRef m, const char *name);
/* Calls that nclc itself answers, in all functions of a module */
void simple_calls(LLVMModuleRef m, const struct program *p, bool device);
/* Uses of @global in instructions, none in constant expressions any longer. */
void expand_constants(LLVMValueRef global);

#endif /* NCLC_H */
