/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * model.h - a program of the network as plain C on the host. The model says what a device must do
 * with each frame, and what its memory must be afterwards.
 *
 * wrap.py writes the user's source, and after it a table of the program's kernels and variables.
 * The host's compiler makes a shared object of both; variables of the network are its globals. Of
 * nclc's output the model only uses the description, PROG.ncd.
 */
#ifndef MODEL_H
#define MODEL_H

#include <stddef.h>
#include <stdint.h>
#include "ncl_abi.h"
#include "ncp.h"

#define MODEL_DATA_MAX	2048

enum model_do { MODEL_PASS, MODEL_REFLECT, MODEL_BCAST, MODEL_DROP, MODEL_MULTICAST };

/*
 * The last action of the kernel. @to: the node of _pass("label"), 0 for the window's own, or the
 * group.
 */
struct model_action {
	enum model_do what;
	unsigned int to;
};

/*
 * An argument or an array in a window. @count: elements, 0 for a single value. @truth: 1 for
 * bool.
 */
struct model_arg {
	const char *name;
	uint16_t offset, size, count, truth;
};

/* A field of NCL_WINDOW. @at: its offset in the program's struct window. */
struct model_field {
	uint16_t offset, size, at;
};

/*
 * @size: bytes after the header
 * @len: elements of the first array, 0 without arrays
 * @call: runs the kernel on the bytes after the header, which are aligned to 8 bytes
 * @here: this place has the kernel
 */
struct model_kernel {
	const char *name;
	uint16_t id, size, len, nr_args;
	int here;
	void (*call)(uint8_t *data);
	const struct model_arg *args;
};

/* A variable. Map @map has its elements, row by row or, with @column, column by column. */
struct model_var {
	const char *name, *map;
	uint8_t *at;
	uint32_t size;		/* bytes of an element */
	uint32_t rows, columns;
	uint32_t per;		/* elements of the variable in an element of the map */
	uint32_t map_size;	/* bytes of an element of the map */
	int column, ctrl;
	int (*put)(const void *key, const void *value);		/* for a table of keys */
	const void *(*get)(const void *key);
	uint32_t key_size, value_size, entries;
};

/* A group of the AND file. @member: this place is a member. @devices: a member is a device. */
struct model_group {
	unsigned int id;
	int member, devices;
};

/*
 * @window: the struct window of the kernels, which begins with struct model_window
 * @seqs: windows have numbers below this
 * @fill: variables start with random values
 * @devices: by the number of a node, from bit 0: the node is a device
 */
struct model_program {
	const char *name, *place;
	uint16_t hash;
	unsigned int id, nodes, seqs, fill;
	uint64_t devices;
	void *window;
	uint32_t *location;
	struct model_action *action;
	const struct model_field *fields;
	const struct model_kernel *kernels;
	const struct model_var *vars;
	const struct model_group *groups;
	unsigned int nr_fields, nr_kernels, nr_vars, nr_groups;
};

/* The first fields of struct window of each kernel */
struct model_window {
	uint32_t seq, invocation, len, from, to;
};

/* A device. @nodes: contents of the map with that name. */
struct model_device {
	const struct model_program *prog;
	struct ncl_address own;
	const struct ncl_address *nodes;
	uint64_t counts[NCL_COUNTS];
};

/*
 * The kernel has used an index outside of an array, so C does not define the result. No variable
 * has changed.
 */
#define MODEL_UNDEFINED	(-1)

/* Address of a group, network byte order */
static inline uint32_t model_group_ip(unsigned int id)
{
	return __builtin_bswap32((239u << 24 | 78 << 16 | 128 << 8) + id);
}

/* Process a frame of @len bytes in place. Returns XDP_PASS, XDP_TX, XDP_DROP or MODEL_UNDEFINED. */
int model_frame(struct model_device *dev, uint8_t *frame, uint32_t len);

#endif /* MODEL_H */
