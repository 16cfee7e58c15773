/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * desc.h - the description of a program, PROG.ncd: nclc writes it, ncl and libncrt read it.
 *
 * Text of one record a line; "-" stands for an empty list and for what is not there. A
 * record comes behind those that it refers to.
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
 * HASH has four hexadecimal digits. WIN is "16,16", PLACES "s1,s2", DIMS "256x128". LOCK is
 * "lock KEY" (a number, or what the source says of it), or "-".
 */
#ifndef NCL_DESC_H
#define NCL_DESC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "and.h"

#define DESC_VERSION	1
#define DESC_NAME	64	/* bytes of a name, with the 0 behind it */
#define DESC_TYPE	12
#define DESC_FILE	256
#define DESC_TEXT	512
#define DESC_ARGS	16	/* arguments of a kernel */
#define DESC_DIMS	4

/**
 * struct desc_node - a node of the AND file that the program was compiled with
 * @id: its number
 * @device: or a host
 * @label: its label
 */
struct desc_node {
	unsigned int id;
	bool device;
	char label[AND_LABEL];
};

/**
 * struct desc_field - a field of NCL_WINDOW
 * @name: its name
 * @type: its type
 * @offset: bytes behind the header
 */
struct desc_field {
	char name[DESC_NAME];
	char type[DESC_TYPE];
	unsigned int offset;
};

/**
 * struct desc_arg - an argument of a kernel
 * @name: its name
 * @type: of an element
 * @count: elements that a window has of the array; 0: a value
 * @offset: bytes behind the header
 * @ext: not in the window: the receiving host gives it
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
 * @id: its number; those of incoming ones are behind the outgoing
 * @in: runs on the receiving host
 * @name: its name
 * @size: bytes behind the header (ncp_hdr.size)
 * @wins: number of arrays
 * @win: elements that a window has of each
 * @places: labels of the devices with a kernel of this name, with commas; "": all
 * @args: number of arguments
 * @arg: they
 * @pair: of an incoming one: the outgoing kernel whose windows it takes; 0: any that fit
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
 * @file: beside the description, unless it begins with "/"
 * @insns: BPF instructions
 * @words: instruction words on the card; 0: not for a card
 * @target: "nfp" (cards alone), "xdp" (hosts alone), or ""
 */
struct desc_object {
	char place[AND_LABEL];
	char file[DESC_FILE];
	unsigned int insns;
	unsigned int words;
	char target[4];
};

enum desc_kind { DESC_ARRAY, DESC_MAP, DESC_LOOKUP };

/* How elements lie in the BPF map */
enum desc_layout {
	DESC_ROW,	/* flat index row by row: key = flat / per, offset = flat % per elements */
	DESC_COLUMN,	/* the same of the transposed array: flat = column * rows + row */
	DESC_HASH,
};

/**
 * struct desc_var - a variable of a device
 * @name: its name
 * @place: label of the device
 * @kind: array, map or lookup table
 * @ctrl: hosts write it
 * @type: of an element, or of a map's value
 * @dims: number of dimensions; 0: a single element
 * @dim: they; of a map: its entries
 * @map: name of the BPF map
 * @layout: how elements lie there
 * @per: elements of an entry of the BPF map
 * @size: bytes of such an entry
 * @key_type: of a map: its keys
 * @key_size: of a map: bytes of a key
 * @value_size: of a map: bytes of a value
 * @locked: kernels hold a lock when they change it
 * @lock: its key in NCL_MAP_LOCK, or an expression of the source
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
 * @name: its name
 * @hash: what its windows carry (ncp_hdr.program)
 *
 * Arrays are grown by desc_add(), and freed by desc_free().
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
 * Read a description from a file, or from a text, which errors name @name. -EINVAL: it is
 * wrong; -EPROTO: it is of another version; -errno: it cannot be read. @err, which may be
 * NULL, has "FILE:LINE: text".
 */
int desc_read(const char *path, struct desc **desc, char *err, size_t errlen);
int desc_parse(const char *name, const char *text, struct desc **desc, char *err, size_t errlen);
void desc_free(struct desc *d);

/* Write a description; ferror() tells whether all of it was written. */
void desc_write(const struct desc *d, FILE *out);

/* One element more, all 0; NULL: no memory. */
#define desc_add(d, what) \
	((typeof((d)->what))desc_grow((void **)&(d)->what, &(d)->what##s, sizeof(*(d)->what)))
void *desc_grow(void **array, unsigned int *count, size_t size);

/* Bytes of an element of that type; 0: there is no such type. */
unsigned int desc_type_size(const char *type);

/* Elements of a variable; entries of a map. */
uint64_t desc_var_count(const struct desc_var *v);

/* Where an element of an array is in its BPF map: number @index, row by row. */
void desc_var_at(const struct desc_var *v, uint64_t index, uint32_t *key, unsigned int *offset);

/* By name and by number; NULL: there is none. @place may be NULL: any. */
const struct desc_kernel *desc_kernel(const struct desc *d, const char *name);
const struct desc_kernel *desc_kernel_id(const struct desc *d, unsigned int id);
const struct desc_var *desc_var(const struct desc *d, const char *name, const char *place);
const struct desc_node *desc_node(const struct desc *d, const char *label);

/* The object of a place for a card, or for a host. NULL: there is none. */
const struct desc_object *desc_object(const struct desc *d, const char *place, bool card);

#endif /* NCL_DESC_H */
