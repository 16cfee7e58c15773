/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * place.h - a device of a program: its object, loaded, filled and attached to an interface.
 *
 * Functions print what is wrong, and return the exit status to end with, or 0.
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
 * @label: of the device
 * @node: it
 * @netns: name of the network namespace, or NULL
 * @ifname: name of the interface there
 * @chosen: the mode is what the user asked for
 * @why: why it is not another mode, or ""
 * @iface: the interface
 * @path: file of the object
 * @obj: loaded
 * @prog: descriptor of its program
 * @state: the record that stays in STATE_DIR
 * @replaces: a program of that place is replaced, which is:
 * @old: its state
 * @old_prog: its descriptor
 * @attached: to be undone if another place fails
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

/* Load @p->path for the interface and the mode of @p->state; its ids go to the state. */
int place_load(struct place *p);

/* Write to the map @name of the loaded object. */
int place_put(const struct place *p, const char *name, uint32_t key, const void *value, size_t size);

/*
 * Attach, in place of the old program if there is one. In a mode that was not asked for,
 * native XDP falls back to generic.
 */
int place_attach(struct place *p);

/* Undo place_attach(): an old program is attached again. */
void place_revert(struct place *p);

void place_close(struct place *p);

/*
 * Of a place that was deployed: the id of the program that its interface has in the
 * state's mode, 0 if it has none; -ESRCH: its network namespace is gone, or has no name;
 * -ENODEV: the interface is gone; -errno.
 */
int64_t state_attached(const struct state *s);

/* Is its program in the kernel, wherever? */
bool state_alive(const struct state *s);

/* Detach the program of a state, if it is still there: 0, or -errno. */
int state_detach(const struct state *s);

#endif /* NCL_PLACE_H */
