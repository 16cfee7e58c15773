/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * ncl_state.h - what `ncl deploy` leaves behind: of each device on this machine a file
 * PROG.PLACE in STATE_DIR, and a copy of the description, PROG.
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
#define STATE_MAPS	128	/* of a program, at most */

enum state_mode { STATE_OFFLOAD, STATE_NATIVE, STATE_GENERIC };

extern const char * const state_modes[];	/* names; NULL is behind the last */

/* A BPF map: as the description names it, and the kernel's number for it */
struct state_map {
	char name[DESC_NAME];
	unsigned int id;
};

/**
 * struct state - a device program that was deployed
 * @program: the program's name
 * @hash: the program's
 * @place: label of the device
 * @node: number of the device
 * @ifindex: its interface
 * @ifname: the interface's name when it was deployed
 * @netns: inode of the network namespace of the interface
 * @mode: how it runs
 * @prog: id of the BPF program
 * @maps: number of maps
 * @map: they
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

/* Paths of the two kinds of files, in a buffer that fits any: returns @to. */
#define STATE_PATH	(sizeof(STATE_DIR) + DESC_NAME + AND_LABEL + 16)
char *state_path(char *to, const char *program, const char *place);
char *state_desc_path(char *to, const char *program);

/*
 * Read a file, or that of a place. -ENOENT: it is not deployed; -EINVAL: the file is wrong;
 * -errno: it cannot be read. @err, which may be NULL, has a text.
 */
int state_read_file(const char *path, struct state *s, char *err, size_t errlen);
int state_read(const char *program, const char *place, struct state *s, char *err, size_t errlen);

/* Write a file whole, or leave what was there. */
int state_write(const struct state *s, char *err, size_t errlen);

/* The number of a map; 0: the place has none of that name. */
unsigned int state_map(const struct state *s, const char *name);

/* Inode of the caller's network namespace; 0: /proc has none. */
uint64_t state_netns(void);

#endif /* NCL_STATE_H */
