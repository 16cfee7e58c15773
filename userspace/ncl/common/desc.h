/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * desc.h - the description of a program, PROG.ncd. nclc writes the file; ncl and libncrt read it.
 *
 * The file is text with one record a line. "-" stands for an empty list or an absent value. A
 * record follows the records that it refers to.
 *
 *	ncl 1
 *	program NAME HASH
 *	node ID LABEL host|device
 *	field NAME TYPE OFFSET
 *	kernel ID NAME out|in SIZE WIN PLACES
 *	arg KERNEL-ID NAME TYPE COUNT OFFSET [ext]
 *	pair IN-ID OUT-ID
 *	object PLACE FILE INSNS WORDS [nfp|xdp]
 *	var NAME PLACE array|map|lookup ctrl|- TYPE DIMS MAP row|column PER SIZE LOCK
 *	var NAME PLACE array|map|lookup ctrl|- TYPE DIMS MAP hash KEYTYPE KEYSIZE VALUESIZE LOCK
 *
 * HASH has four hexadecimal digits. Examples: WIN "16,16", PLACES "s1,s2", DIMS "256x128". LOCK is
 * "-", or "lock KEY" where KEY is a number or the expression in the source.
 */
#ifndef NCL_DESC_H
#define NCL_DESC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "and.h"

#define DESC_VERSION	1
#define DESC_NAME	64	/* bytes of a name, with the final 0 */
#define DESC_TYPE	12
#define DESC_FILE	256
#define DESC_TEXT	512
#define DESC_ARGS	16	/* arguments of a kernel */
#define DESC_DIMS	4

/**
 * struct desc_node - a node of the AND file that the program was compiled with
 * @id: number of the node
 * @device: the node is a device; false: a host
 * @label: label of the node
 */
struct desc_node {
	unsigned int id;
	bool device;
	char label[AND_LABEL];
};

/**
 * struct desc_field - a field of NCL_WINDOW
 * @name: name of the field
 * @type: type of the field
 * @offset: bytes from the end of the header
 */
struct desc_field {
	char name[DESC_NAME];
	char type[DESC_TYPE];
	unsigned int offset;
};

/**
 * struct desc_arg - an argument of a kernel
 * @name: name of the argument
 * @type: type of an element
 * @count: elements of the array that a window carries; 0: the argument is a value
 * @offset: bytes from the end of the header
 * @ext: the receiving host passes the argument; the window does not have it
 */
struct desc_arg {
	char name[DESC_NAME];
	char type[DESC_TYPE];
	unsigned int count;
	unsigned int offset;
	bool ext;
};

/**
 * struct desc_kernel - a kernel
 * @id: number of the kernel; outgoing kernels come first, then incoming kernels
 * @in: the kernel is incoming: it runs on the receiving host
 * @name: name of the kernel
 * @size: bytes of a window after the header (ncp_hdr.size)
 * @wins: number of array arguments
 * @win: elements of each array that a window carries
 * @places: labels of the devices that have the kernel, separated by commas; "": all devices
 * @args: number of arguments
 * @arg: the arguments
 * @pair: only of an incoming kernel: the outgoing kernel whose windows it takes; 0: any kernel with
 *	the same arguments
 */
struct desc_kernel {
	unsigned int id;
	bool in;
	char name[DESC_NAME];
	unsigned int size;
	unsigned int wins;
	unsigned int win[DESC_ARGS];
	char places[DESC_TEXT];
	unsigned int args;
	struct desc_arg arg[DESC_ARGS];
	unsigned int pair;
};

/**
 * struct desc_object - the BPF object of a place
 * @place: label of the device
 * @file: path, relative to the directory of the description
 * @insns: number of BPF instructions
 * @words: number of instruction words on the card; 0: no card runs the object
 * @target: "nfp" (only for cards), "xdp" (only for hosts), or "" (for either)
 */
struct desc_object {
	char place[AND_LABEL];
	char file[DESC_FILE];
	unsigned int insns;
	unsigned int words;
	char target[4];
};

enum desc_kind { DESC_ARRAY, DESC_MAP, DESC_LOOKUP };

/* Position of an element in its BPF map. flat is the element's index. */
enum desc_layout {
	DESC_ROW,	/* flat counts row by row: key = flat / per, offset = flat % per elements */
	DESC_COLUMN,	/* the array is transposed: flat = column * rows + row, then as DESC_ROW */
	DESC_HASH,
};

/**
 * struct desc_var - a variable of a device
 * @name: name of the variable
 * @place: label of the device
 * @kind: array, map or lookup table
 * @ctrl: hosts write the variable
 * @type: type of an element, or of a map's value
 * @dims: number of dimensions; 0: a single element
 * @dim: the dimensions; of a map: its number of entries
 * @map: name of the BPF map
 * @layout: position of an element in the BPF map
 * @per: elements of the variable in one element of the BPF map
 * @size: bytes of one element of the BPF map
 * @key_type: only of a map: type of its keys
 * @key_size: only of a map: bytes of a key
 * @value_size: only of a map: bytes of a value
 * @locked: kernels hold a lock when they change the variable
 * @lock: key of the lock in NCL_MAP_LOCK, or the expression in the source
 */
struct desc_var {
	char name[DESC_NAME];
	char place[AND_LABEL];
	enum desc_kind kind;
	bool ctrl;
	char type[DESC_TYPE];
	unsigned int dims;
	unsigned int dim[DESC_DIMS];
	char map[DESC_NAME];
	enum desc_layout layout;
	unsigned int per;
	unsigned int size;
	char key_type[DESC_TYPE];
	unsigned int key_size;
	unsigned int value_size;
	bool locked;
	char lock[DESC_NAME];
};

/**
 * struct desc - a program
 * @name: name of the program
 * @hash: ncp_hdr.program of the program's windows
 *
 * desc_add() extends an array; desc_free() frees all arrays.
 */
struct desc {
	char name[DESC_NAME];
	uint16_t hash;
	unsigned int nodes, fields, kernels, objects, vars;
	struct desc_node *node;
	struct desc_field *field;
	struct desc_kernel *kernel;
	struct desc_object *object;
	struct desc_var *var;
};

/*
 * Read a description from a file, or from a text that error messages call @name. -EINVAL: the
 * description is wrong. -EPROTO: it has another version. -errno: the file cannot be read. @err,
 * which may be NULL, gets "FILE:LINE: text".
 */
int desc_read(const char *path, struct desc **desc, char *err, size_t errlen);
int desc_parse(const char *name, const char *text, struct desc **desc, char *err, size_t errlen);
void desc_free(struct desc *d);

/* Write a description. After the call, ferror() tells whether writing failed. */
void desc_write(const struct desc *d, FILE *out);

/* Append a zeroed element to an array, and return its address. NULL: no memory. */
#define desc_add(d, what) \
	((typeof((d)->what))desc_grow((void **)&(d)->what, &(d)->what##s, sizeof(*(d)->what)))
void *desc_grow(void **array, unsigned int *count, size_t size);

/* Bytes of an element of @type; 0: no such type. */
unsigned int desc_type_size(const char *type);

/* Number of elements of a variable, or of entries of a map */
uint64_t desc_var_count(const struct desc_var *v);

/*
 * Find element @index of an array, counted row by row, in its BPF map: @key, and @offset in bytes.
 */
void desc_var_at(const struct desc_var *v, uint64_t index, uint32_t *key, unsigned int *offset);

/* Find by name or by number. NULL: not found. @place may be NULL for any place. */
const struct desc_kernel *desc_kernel(const struct desc *d, const char *name);
const struct desc_kernel *desc_kernel_id(const struct desc *d, unsigned int id);
const struct desc_var *desc_var(const struct desc *d, const char *name, const char *place);
const struct desc_node *desc_node(const struct desc *d, const char *label);

/* The object of a place for a card (@card) or for a host. NULL: not found. */
const struct desc_object *desc_object(const struct desc *d, const char *place, bool card);

#endif /* NCL_DESC_H */
