/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* prog_maps.h - the maps of a program in the kernel, and their names. */
#ifndef NFPCHAN_PROG_MAPS_H
#define NFPCHAN_PROG_MAPS_H

#include <linux/bpf.h>
#include <stddef.h>
#include <stdint.h>

#define BPF_MAPS_MAX	64	/* MAX_USED_MAPS of the kernel */

/* What is known of a map's name */
enum bpf_name {
	BPF_NAME_WHOLE,
	BPF_NAME_CUT,		/* the first 15 characters: the program has no BTF with its maps */
	BPF_NAME_UNSURE,	/* the first 15 characters, which several maps have in the BTF */
};

/**
 * struct bpf_map_named - a map
 * @info: the kernel's information
 * @name: its name, as far as it is known
 * @known: how far that is
 */
struct bpf_map_named {
	struct bpf_map_info info;
	char *name;
	enum bpf_name known;
};

struct bpf_maps {
	int n;
	struct bpf_map_named map[BPF_MAPS_MAX];
};

/* Read the maps that a program uses. Returns 0, or -errno: then there is nothing to free. */
int bpf_maps_read(struct bpf_maps *m, int prog_fd);
void bpf_maps_free(struct bpf_maps *m);

/**
 * bpf_maps_find() - find a map by its name, or by its id in decimal digits
 * @type: a type that the map must have, or 0
 * @why: after -ENOTUNIQ: which maps may have the name, and why that is not known
 *
 * Return: its index; -ENOENT; -ENOTUNIQ.
 */
int bpf_maps_find(const struct bpf_maps *m, const char *name, uint32_t type, char *why,
		  size_t len);

#endif /* NFPCHAN_PROG_MAPS_H */
