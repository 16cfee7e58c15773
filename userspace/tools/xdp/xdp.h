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
 * @ifindex: its number
 * @obj: of a program that was loaded here
 * @fd: the program
 * @id: the kernel's id of it
 * @name: its name, cut by the kernel
 * @map_id: the map
 * @map_name: its name, cut by the kernel
 * @link: attaches the program for as long as it is open; -1: none
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
 * All return 0, or EXIT_FAILURE with the reason printed. A program is chosen by
 * its name in the object, and a map by that in the kernel; NULL when there is
 * only one. With @linking, if that is not NULL, tail calls are linked.
 */
int offload_dev(struct offload *o, const char *dev);
/* With the maps of @old, if that is not NULL, that have the same name and shape */
int offload_load(struct offload *o, const char *path, const char *prog,
		 const struct linking *linking, const struct offload *old);
int offload_attached(struct offload *o);	/* the one that the interface has */
int offload_map(struct offload *o, const char *map);
int offload_attach(struct offload *o);
/* In the place of @old, which is attached, while packets go on. */
int offload_replace(struct offload *o, const struct offload *old);
void offload_detach(struct offload *o);
void offload_close(struct offload *o);

/**
 * struct watch - events on their way to standard output
 * @card: the card behind the interface
 * @ch: the channel
 * @off: the program
 * @count: end after so many, 0 for no end
 * @sigs: signals that end it
 * @received: events so far
 * @before: the card's counters at the beginning
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

/* Bind the map to channel @name, or to the first that is free when it is NULL. */
int watch_start(struct watch *w, const char *name);
/* Print events until --count or a signal, then those that were emitted before. */
int watch_run(struct watch *w);
void watch_end(struct watch *w);

#endif /* NFPCHAN_XDP_H */
