/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * place.h - a device of a program. Its object is loaded, its maps are filled, and it is attached
 * to an interface.
 *
 * Functions that return int print what is wrong. They return 0, or the exit status of ncl.
 */
#ifndef NCL_PLACE_H
#define NCL_PLACE_H

#include <bpf/libbpf.h>
#include "and.h"
#include "desc.h"
#include "iface.h"
#include "ncl_state.h"

/**
 * struct place - a device that is being deployed
 * @label: label of the device in the AND file
 * @node: node of the device in the AND file
 * @netns: name of the interface's network namespace, or NULL
 * @ifname: name of the interface
 * @chosen: the user named the mode
 * @why: reason why the mode is not a better one, or ""
 * @iface: the interface
 * @path: path of the object file
 * @obj: the loaded object, or NULL
 * @prog: descriptor of the object's program
 * @state: contents of the state file to write
 * @replaces: @old is to be replaced
 * @old: state of the program that was deployed at this place before
 * @old_prog: descriptor of the old program
 * @attached: the program is attached, so place_revert() has to detach it
 */
struct place {
	const char *label;
	const struct and_node *node;
	const char *netns;
	char ifname[16];
	bool chosen;
	char why[128];
	struct iface iface;
	char path[512];
	struct bpf_object *obj;
	int prog;
	struct state state;
	bool replaces;
	struct state old;
	int old_prog;
	bool attached;
};

/* Enter the network namespace of the place. */
int place_enter(const struct place *p);

/*
 * Load the file @p->path for the interface and the mode of @p->state. Write the ids of program
 * and maps to @p->state.
 */
int place_load(struct place *p);

/* Write an element of the map @name of the loaded object. */
int place_put(const struct place *p, const char *name, uint32_t key, const void *value, size_t size);

/*
 * Attach the program, in place of the old program if there is one. If the driver refuses native
 * XDP and the user did not name the mode, attach in generic XDP.
 */
int place_attach(struct place *p);

/* Undo place_attach(): detach the program and attach the old program again. */
void place_revert(struct place *p);

void place_close(struct place *p);

/*
 * Returns the id of the program that the interface of @s has in the mode of @s, 0 if it has none.
 * -ESRCH: the network namespace is gone, or has no name. -ENODEV: the interface is gone. -errno.
 */
int64_t state_attached(const struct state *s);

/* The kernel still has the program of @s, on any interface or on none. */
bool state_alive(const struct state *s);

/*
 * Detach the program of @s. Returns 0, -ENOENT if the interface does not have the program, or
 * -errno.
 */
int state_detach(const struct state *s);

#endif /* NCL_PLACE_H */
