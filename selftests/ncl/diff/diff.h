/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * diff.h - compare the programs that nclc has compiled, on the host and in the card, with their
 * models.
 */
#ifndef DIFF_H
#define DIFF_H

#include <bpf/libbpf.h>
#include <stdbool.h>
#include <stdint.h>
#include "../model/model.h"

struct frames;
struct outcome;

#define NODES_MAX	64

/* ---- frames.c ---- */

/* Make the addresses of the device and of all nodes: remote, local and unknown ones. */
void make_addresses(struct model_device *dev, struct ncl_address *nodes);

/* Make valid and invalid windows for each kernel of the device, and frames that are no windows. */
void make_frames(const struct model_device *dev, struct frames *l, uint64_t *x);

/* Send all frames, as fast as the packet socket accepts them. */
void send_frames(int fd, const struct frames *l);

/* ---- veth.c ---- */

void veth_open(const char *dev, const char *peer);
void veth_run(struct bpf_object *obj, uint32_t flags, const struct frames *packets,
	      const struct outcome *want, struct outcome *got);

/* ---- memory.c: false: @why has the text ---- */

extern char memory_why[256];

/*
 * Set the variables and tables that hosts and the loader set before the first window: in the
 * model, and in an object.
 */
bool memory_fill_model(const struct model_program *prog, uint64_t *x);
bool memory_fill(const struct model_device *dev, struct bpf_object *obj);

/*
 * Check that the variables and counters of an object equal those of the model. @who: the object's
 * name in @why.
 */
bool memory_same(const struct model_device *dev, struct bpf_object *obj, const char *who);

#endif /* DIFF_H */
