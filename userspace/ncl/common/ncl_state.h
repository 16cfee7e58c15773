/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * ncl_state.h - the state that `ncl deploy` leaves in STATE_DIR: a file PROG.PLACE for each device
 * on this machine, and a copy of the description, PROG.
 *
 *	ncl 1
 *	program NAME HASH
 *	place LABEL ID
 *	interface IFINDEX NAME NETNS
 *	mode offload|native|generic
 *	prog ID
 *	map NAME ID
 */
#ifndef NCL_STATE_H
#define NCL_STATE_H

#include <stddef.h>
#include <stdint.h>
#include "desc.h"

#define STATE_DIR	"/run/ncl"
#define STATE_MAPS	128	/* most maps of a program */

enum state_mode { STATE_OFFLOAD, STATE_NATIVE, STATE_GENERIC };

extern const char * const state_modes[];	/* names of enum state_mode, ended by NULL */

/* A BPF map: its name in the description, and its id in the kernel */
struct state_map {
	char name[DESC_NAME];
	unsigned int id;
};

/**
 * struct state - a deployed device program
 * @program: name of the program
 * @hash: hash of the program
 * @place: label of the device
 * @node: number of the device
 * @ifindex: index of the interface
 * @ifname: name that the interface had when the program was deployed
 * @netns: inode of the interface's network namespace
 * @mode: how the program is attached
 * @prog: id of the BPF program
 * @maps: number of maps
 * @map: the maps
 */
struct state {
	char program[DESC_NAME];
	uint16_t hash;
	char place[AND_LABEL];
	unsigned int node;
	unsigned int ifindex;
	char ifname[16];
	uint64_t netns;
	enum state_mode mode;
	unsigned int prog;
	unsigned int maps;
	struct state_map map[STATE_MAPS];
};

/*
 * Format the path of a place's state file, or of the description. @to has STATE_PATH bytes. Returns
 * @to.
 */
#define STATE_PATH	(sizeof(STATE_DIR) + DESC_NAME + AND_LABEL + 16)
char *state_path(char *to, const char *program, const char *place);
char *state_desc_path(char *to, const char *program);

/*
 * Read a state file by path, or by place. -ENOENT: the place is not deployed. -EINVAL: the file is
 * wrong. -errno: the file cannot be read. @err, which may be NULL, gets a text.
 */
int state_read_file(const char *path, struct state *s, char *err, size_t errlen);
int state_read(const char *program, const char *place, struct state *s, char *err, size_t errlen);

/* Replace a state file atomically. On failure, the old file stays. */
int state_write(const struct state *s, char *err, size_t errlen);

/* The id of a map; 0: the place has no map of that name. */
unsigned int state_map(const struct state *s, const char *name);

/* Inode of the caller's network namespace; 0: not known. */
uint64_t state_netns(void);

#endif /* NCL_STATE_H */
