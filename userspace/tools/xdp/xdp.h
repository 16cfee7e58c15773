/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* xdp.h - offloaded programs and their events, for nfpchan xdp run and watch. */
#ifndef NFPCHAN_XDP_H
#define NFPCHAN_XDP_H

#include <linux/bpf.h>
#include <stdbool.h>
#include <stdint.h>
#include <nfpchan.h>

struct bpf_object;
struct linking;

/**
 * struct offload - a program on a card, and the map of its events
 * @dev: interface
 * @ifindex: number of the interface
 * @obj: the object, if this process has loaded the program
 * @fd: the program
 * @id: the kernel's id of the program
 * @name: name of the program, as the kernel has cut it
 * @map_id: the kernel's id of the map
 * @map_name: name of the map, as the kernel has cut it
 * @link: bpf link that attaches the program while it is open; -1: none
 */
struct offload {
	const char *dev;
	int ifindex;
	struct bpf_object *obj;
	int fd;
	uint32_t id;
	char name[BPF_OBJ_NAME_LEN];
	uint32_t map_id;
	char map_name[BPF_OBJ_NAME_LEN];
	int link;
};

/*
 * Each returns 0, or EXIT_FAILURE with the reason printed. @prog is a name in the object, @map a
 * name in the kernel; with NULL there must be one program, or one map. With @linking, unless
 * that is NULL, tail calls are linked.
 */
int offload_dev(struct offload *o, const char *dev);
/* Load a program. It gets the maps of @old, if not NULL, that have the same name and shape. */
int offload_load(struct offload *o, const char *path, const char *prog,
		 const struct linking *linking, const struct offload *old);
int offload_attached(struct offload *o);	/* take the program that the interface has */
int offload_map(struct offload *o, const char *map);
int offload_attach(struct offload *o);
/* Replace @old, which is attached, without a gap for packets. */
int offload_replace(struct offload *o, const struct offload *old);
void offload_detach(struct offload *o);
void offload_close(struct offload *o);

/**
 * struct watch - the events of a program, printed to stdout
 * @card: the card of the interface
 * @ch: the channel
 * @off: the program
 * @count: events after which it ends; 0: no limit
 * @sigs: descriptor for signals, which end it
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

/* Bind the map to channel @name, or with NULL to the first free channel. */
int watch_start(struct watch *w, const char *name);
/* Print events until --count or a signal, then the events that were emitted before that. */
int watch_run(struct watch *w);
void watch_end(struct watch *w);

#endif /* NFPCHAN_XDP_H */
