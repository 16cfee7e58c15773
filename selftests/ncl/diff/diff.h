/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * diff.h - what nclc made of a program, on the host and in the card, against the model.
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

/* Addresses of the device and of all nodes: some are remote, local, not known. */
void make_addresses(struct model_device *dev, struct ncl_address *nodes);

/* Windows for each kernel of the device, right and wrong, and what is no window. */
void make_frames(const struct model_device *dev, struct frames *l, uint64_t *x);

/* All frames, as fast as the packet socket takes them */
void send_frames(int fd, const struct frames *l);

/* ---- veth.c ---- */

void veth_open(const char *dev, const char *peer);
void veth_run(struct bpf_object *obj, uint32_t flags, const struct frames *packets,
	      const struct outcome *want, struct outcome *got);

/* ---- memory.c: false: @why has the text ---- */

extern char memory_why[256];

/* What hosts and the loader write before a window comes: to the model, and to each object. */
bool memory_fill_model(const struct model_program *prog, uint64_t *x);
bool memory_fill(const struct model_device *dev, struct bpf_object *obj);

/* The object's variables and counters are the model's. @who: the object's name in @why */
bool memory_same(const struct model_device *dev, struct bpf_object *obj, const char *who);

#endif /* DIFF_H */
