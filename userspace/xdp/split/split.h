/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * split.h - the front of a chain of programs on the card, the rest on the host.
 *
 * plan.c chooses which program runs where, carrier.c makes the code between the two
 * sides, host.c loads the object natively behind a dispatcher, attach.c attaches
 * both sides so that they go in order, whoever ends them.
 */
#ifndef XDP_SPLIT_H
#define XDP_SPLIT_H

#include "carrier.h"
#include "explain.h"
#include "nfpchan_xdp.h"

#define SPLIT_MAP	"nfpchan_split"		/* counters of the card's side */
#define SPLIT_PROG	"nfpchan_split"		/* the dispatcher */
#define SPLIT_COUNTS	"nfpchan_stages"	/* its counters */
#define SPLIT_PROGS	"nfpchan_progs"		/* the programs it goes on to */

/**
 * struct split_opts - what was asked for
 * @host: names of programs for the host, with commas between
 * @maps: names of maps of which each side may have a copy, with commas between
 * @entry: where a packet enters, or NULL
 * @slots: contents of prog arrays
 * @slot_count: how many
 * @loop: cycles are counted
 * @strict: a program that may do something else on the card is one for the host
 * @carrier: what carries the continuation
 */
struct split_opts {
	const char *host, *maps;
	const char *entry;
	const struct nfpchan_xdp_slot *slots;
	unsigned int slot_count;
	bool loop, strict;
	struct carrier carrier;
};

/**
 * struct split_prog - a program of the object
 * @card: the card has it
 * @host: the host has it
 * @stage: packets come to it from the card, at this stage; -1: none do
 * @words: microengine instructions that it takes
 * @why: why it is where it is
 * @insn: the instruction that is the reason, or -1
 */
struct split_prog {
	bool card, host;
	int stage;
	unsigned int words;
	char why[224];
	int insn;
};

/**
 * struct split_map - a map of the object
 * @card: a program of the card uses it
 * @host: a program of the host does
 */
struct split_map {
	bool card, host;
};

/**
 * struct split - the plan, and what the card gets
 * @o: the object
 * @opts: what was asked for
 * @prog: by the object's programs
 * @map: by the object's maps
 * @entry: the program that a packet enters
 * @stages: programs that packets come to from the card
 * @redirect: a program of the host redirects, which the driver's native XDP cannot
 * @elf: the card's object, with one program
 * @len: its bytes
 * @words: instructions of that on the card
 */
struct split {
	struct xobject *o;
	const struct split_opts *opts;
	struct split_prog *prog;
	struct split_map *map;
	int entry;
	unsigned int stages;
	bool redirect;
	void *elf;
	size_t len;
	unsigned int words;
};

/*
 * All return 0, or -errno with the reason in @err.
 *
 * Make a plan, with stages numbered from @first on. To be freed in any case.
 */
int split_plan(struct split *s, struct xobject *o, const struct split_opts *opts,
	       unsigned int first, char *err, size_t len);
void split_free(struct split *s);
/* The name is one of those in a list with commas between. */
bool split_listed(const char *list, const char *name);
/* Both sides use the map, and each has a copy. */
bool split_shared(const struct split *s, unsigned int map);

/* ---- judge.c ---- */
/* The reason why a program cannot be on the card, in its .why; false when it can */
bool split_keeps_off(struct split *s, int prog);
/* The map that an instruction loads, or -1 */
int split_map_of(const struct xobject *o, const struct xprog *p, int insn);
/* An instruction calls a helper. */
bool split_calls(const struct xprog *p, int insn, int helper);

/**
 * struct split_table - the dispatcher, which outlives the programs behind it
 * @prog: the program
 * @progs: array of the programs behind it
 * @counts: per-CPU array, see carrier.h
 */
struct split_table {
	int prog, progs, counts;
};

int table_make(struct split_table *t, const struct carrier *c, char *err, size_t len);
void table_free(struct split_table *t);

struct bpf_object;

/*
 * The card's side, loaded for an interface, its program in @fd; and the host's, in the
 * table's slots. Event maps are the kernel's, the same for both. Maps of @old with the same name
 * and shape are kept. NULL with the reason in @err.
 */
struct bpf_object *card_load(const struct split *s, int ifindex, struct bpf_object *old, int *fd,
			     char *err, size_t len);
struct bpf_object *host_load(const struct split *s, const struct split_table *t,
			     struct bpf_object *card, struct bpf_object *old, char *err,
			     size_t len);

/**
 * struct split_links - both sides, attached
 * @card: link of the card's side
 * @rest: a socket that has, in flight, what has to be there for longer: the link of the
 *	host's side, and arrays of programs, which the kernel empties with the last file
 * @more: the same for the arrays of what replaced the programs, and of the one before
 *
 * A process that is killed closes files in no order to rely on. What is in flight
 * in a socket is closed when that is gone, thus behind the card's link.
 */
struct split_links {
	int card, rest, more[2];
};

int links_attach(struct split_links *l, const char *dev, const struct split_table *t,
		 struct bpf_object *host, int card_prog, bool generic, char *err, size_t len);
/* Another program on the card, which continues in other slots of the table */
int links_replace(struct split_links *l, struct bpf_object *host, int card_prog, char *err,
		  size_t len);
/* First the card's, then the host's */
void links_detach(struct split_links *l);

/* ---- queues.c ---- */
int rings_count(const char *dev, unsigned int *rx, unsigned int *tx);
/* The last ring goes to @c: -errno, with the reason in @err, when the device has one only. */
int queues_count(const char *dev, struct carrier *c, char *err, size_t len);
/* RSS leaves the rings of @c alone. */
int queues_free(const char *dev, const struct carrier *c, char *err, size_t len);

#endif /* XDP_SPLIT_H */
