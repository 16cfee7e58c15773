/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* xdp.h - offloaded programs and their events, for nfpchan xdp run and watch. */
#ifndef NFPCHAN_XDP_H
#define NFPCHAN_XDP_H

#include <linux/bpf.h>
#include <stdbool.h>
#include <stdint.h>
#include <nfpchan.h>
#include "prog_maps.h"
#include "netdev.h"

struct bpf_object;
struct linking;

/**
 * struct offload - a program on a card, and the map of its events
 * @net: the interface
 * @dev: its name
 * @obj: the object, if this process has loaded the program, else NULL
 * @fd: descriptor of the program
 * @id: the kernel's id of the program
 * @name: name of the program, which the kernel may have truncated
 * @map_fd: descriptor of the map
 * @map_id: the kernel's id of the map
 * @map_name: name of the map
 * @link: bpf link that attaches the program while it is open; -1: none
 */
struct offload {
	struct netdev net;
	const char *dev;
	struct bpf_object *obj;
	int fd;
	uint32_t id;
	char name[BPF_OBJ_NAME_LEN];
	int map_fd;
	uint32_t map_id;
	char *map_name;
	int link;
};

/*
 * These functions return 0, or print the reason and return EXIT_FAILURE. @prog: name of a program
 * in the object, NULL: the object has only one. @map: name or id of an event map of the program,
 * NULL: the program has only one. @linking: options to link tail calls, NULL: do not link.
 */
int offload_dev(struct offload *o, const char *dev);
/* Load a program. It uses the maps of @old (if not NULL) whose name, type and sizes are the same. */
int offload_load(struct offload *o, const char *path, const char *prog,
		 const struct linking *linking, const struct offload *old);
int offload_attached(struct offload *o);	/* use the attached program */
int offload_map(struct offload *o, const char *map);
int offload_attach(struct offload *o);
/* Replace the attached program @old by @o. Each packet is handled by one of the two. */
int offload_replace(struct offload *o, const struct offload *old);
void offload_detach(struct offload *o);
void offload_close(struct offload *o);

/* The text of an error of bpf(2), which may say what privilege is missing. */
const char *xdp_error(int err);

/* ---- maps.c ---- */

/* Name the maps of a loaded program as in its object. Returns 0 or -ENOMEM. */
int maps_name(struct bpf_maps *m, const struct bpf_object *obj);

/*
 * These functions return 0, or print the reason and return EXIT_FAILURE.
 *
 * Have an object use the maps of @old whose name is the same. Their type and sizes must be too.
 */
int maps_keep(const char *dev, struct bpf_object *obj, const struct bpf_maps *old);
/* Check that the maps of a loaded object, which uses old maps, can be told by their names. */
int maps_names_check(const char *dev, const struct bpf_object *obj);

/**
 * struct watch - the events of a program, printed to stdout
 * @card: the card of the interface
 * @ch: the channel
 * @off: the program
 * @count: number of events after which the command ends; 0: no limit
 * @sigs: descriptor that is readable after a signal that ends the command
 * @received: events so far
 * @before: the card's counters at the start
 */
struct watch {
	struct nfpchan_card *card;
	struct nfpchan *ch;
	struct offload *off;
	uint64_t count;
	int sigs;
	uint64_t received;
	struct nfp_chan_query before;
};

/* Bind the map to channel @name. NULL: the first free channel. */
int watch_start(struct watch *w, const char *name);
/* Print events until --count or a signal, then the events that were emitted before that. */
int watch_run(struct watch *w);
void watch_end(struct watch *w);

#endif /* NFPCHAN_XDP_H */
