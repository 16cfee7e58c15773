/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * model.h - a program of the network as plain C on the host: what a device has to make of
 * each frame, and what its memory has to be then.
 *
 * wrap.py writes a table of the program's kernels and variables behind the user's source,
 * which a host's compiler makes a shared object of: network variables are its globals.
 * Nothing of it comes from nclc but the description, PROG.ncd.
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
 * The kernel's last word. @to: node of _pass("label"), 0: that of the window; or the group
 */
struct model_action {
	enum model_do what;
	unsigned int to;
};

/* A number in a window: @count 0: one value; @truth: 0 or 1 */
struct model_arg {
	const char *name;
	uint16_t offset, size, count, truth;
};

/* A field of NCL_WINDOW: @at: in the program's struct window */
struct model_field {
	uint16_t offset, size, at;
};

/*
 * @size: bytes behind the header; @len: elements of the first array, 0: without arrays
 * @call: run it on the data behind a header, which is aligned to 8 bytes
 * @here: it is one of this place's
 */
struct model_kernel {
	const char *name;
	uint16_t id, size, len, nr_args;
	int here;
	void (*call)(uint8_t *data);
	const struct model_arg *args;
};

/* An element of flat index f, row by row or (@column) column by column, is in map @map. */
struct model_var {
	const char *name, *map;
	uint8_t *at;
	uint32_t size;		/* bytes of an element */
	uint32_t rows, columns;
	uint32_t per;		/* elements in an element of the map */
	uint32_t map_size;	/* bytes of that */
	int column, ctrl;
	int (*put)(const void *key, const void *value);		/* of a table of keys */
	const void *(*get)(const void *key);
	uint32_t key_size, value_size, entries;
};

/* A group of the AND file: @member: this place is; @devices: there are devices in it */
struct model_group {
	unsigned int id;
	int member, devices;
};

/*
 * @window: the kernels' struct window, of which the first fields are those of
 *	struct model_window
 * @seqs: windows have numbers below it
 * @fill: variables have any values when it begins
 */
struct model_program {
	const char *name, *place;
	uint16_t hash;
	unsigned int id, nodes, seqs, fill;
	void *window;
	uint32_t *location;
	struct model_action *action;
	const struct model_field *fields;
	const struct model_kernel *kernels;
	const struct model_var *vars;
	const struct model_group *groups;
	unsigned int nr_fields, nr_kernels, nr_vars, nr_groups;
};

/* What all kernels' struct window begins with */
struct model_window {
	uint32_t seq, invocation, len, from, to;
};

/* A device: @nodes is what the map of that name has */
struct model_device {
	const struct model_program *prog;
	struct ncl_address own;
	const struct ncl_address *nodes;
	uint64_t counts[NCL_COUNTS];
};

/* C does not say: the kernel has used an index outside of an array. Nothing has changed. */
#define MODEL_UNDEFINED	(-1)

/* Address of a group, network byte order */
static inline uint32_t model_group_ip(unsigned int id)
{
	return __builtin_bswap32((239u << 24 | 78 << 16 | 128 << 8) + id);
}

/*
 * What becomes of a frame, in place, of which @len bytes are there: XDP_PASS, XDP_TX, XDP_DROP,
 * MODEL_UNDEFINED.
 */
int model_frame(struct model_device *dev, uint8_t *frame, uint32_t len);

#endif /* MODEL_H */
