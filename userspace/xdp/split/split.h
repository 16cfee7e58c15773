/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * split.h - of programs that are joined by tail calls, run the first on the card, the others on the
 * host (an XDP split).
 *
 * plan.c chooses the side of each program. carrier.c makes the code between the sides.
 * host_side.c loads the object for native XDP, behind a dispatcher. attach.c attaches both sides,
 * in such a way that the card's side ends first even if the process is killed.
 */
#ifndef XDP_SPLIT_H
#define XDP_SPLIT_H

#include "carrier.h"
#include "explain.h"
#include "nfpchan_xdp.h"

#define SPLIT_MAP	"nfpchan_split"		/* counters of the card's side */
#define SPLIT_PROG	"nfpchan_split"		/* the dispatcher */
#define SPLIT_COUNTS	"nfpchan_counts"	/* counters of the dispatcher */
#define SPLIT_PROGS	"nfpchan_progs"		/* programs that the dispatcher calls */

/**
 * struct split_opts - the user's options
 * @host: names of programs that have to run on the host, separated by commas
 * @maps: names of maps of which each side may have a copy, separated by commas
 * @entry: the program at which a packet enters, or NULL
 * @slots: contents of prog arrays
 * @slot_count: number of @slots
 * @loop: count the tail calls of a cycle instead of refusing it
 * @strict: run a program on the host if it may do something else on the card
 * @carrier: how the number of the slot gets to the host
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
 * @card: it is on the card
 * @host: it is on the host
 * @slot: slot of the dispatcher (carrier.h) for packets that continue at it; -1: none
 * @words: microengine instructions that it takes
 * @why: the reason for its side
 * @insn: the instruction that is the reason, or -1
 */
struct split_prog {
	bool card, host;
	int slot;
	unsigned int words;
	char why[224];
	int insn;
};

/**
 * struct split_map - a map of the object
 * @card: a program on the card uses it
 * @host: a program on the host uses it
 */
struct split_map {
	bool card, host;
};

/**
 * struct split - the plan, and the card's object
 * @o: the object
 * @opts: the user's options
 * @prog: for each program of the object, where it runs
 * @map: for each map of the object, who uses it
 * @entry: the program at which a packet enters
 * @slots: number of slots that the programs of the host have
 * @redirect: a program on the host redirects packets; native XDP of the driver cannot
 * @elf: the card's object, with one program
 * @len: size of @elf in bytes
 * @words: microengine instructions of the card's program
 */
struct split {
	struct xobject *o;
	const struct split_opts *opts;
	struct split_prog *prog;
	struct split_map *map;
	int entry;
	unsigned int slots;
	bool redirect;
	void *elf;
	size_t len;
	unsigned int words;
};

/*
 * All functions return 0, or -errno with the message in @err.
 *
 * Make a plan. Use slots of the dispatcher from @first on. The caller must call split_free() in any
 * case.
 */
int split_plan(struct split *s, struct xobject *o, const struct split_opts *opts,
	       unsigned int first, char *err, size_t len);
void split_free(struct split *s);
/* Whether a name is in a list whose names are separated by commas. */
bool split_listed(const char *list, const char *name);
/* Whether both sides use the map, so that each has a copy. */
bool split_shared(const struct split *s, unsigned int map);

/* ---- uses.c ---- */
/* Return true with the reason in split_prog.why if a program cannot be on the card. */
bool split_keeps_off(struct split *s, int prog);
/* Return the map that an instruction loads, or -1. */
int split_map_of(const struct xobject *o, const struct xprog *p, int insn);
/* Whether an instruction calls the helper. */
bool split_calls(const struct xprog *p, int insn, int helper);

/**
 * struct split_table - the dispatcher, which stays when the programs are replaced
 * @prog: the dispatcher's program
 * @progs: prog array of the programs that it calls
 * @counts: per-CPU array, see carrier_dispatcher()
 */
struct split_table {
	int prog, progs, counts;
};

int table_make(struct split_table *t, const struct carrier *c, char *err, size_t len);
void table_free(struct split_table *t);

struct bpf_object;

/*
 * card_load() loads the card's side for an interface, with its program in @fd. host_load() loads
 * the host's side, and puts its programs into the slots of the table. Both sides share event
 * maps, which are in the kernel. Maps of @old with the same name and shape are used again.
 * Return NULL with the message in @err.
 */
struct bpf_object *card_load(const struct split *s, int ifindex, struct bpf_object *old, int *fd,
			     char *err, size_t len);
struct bpf_object *host_load(const struct split *s, const struct split_table *t,
			     struct bpf_object *card, struct bpf_object *old, char *err,
			     size_t len);

/**
 * struct split_links - both sides, attached
 * @card: link of the card's side
 * @rest: a socket that holds the link of the host's side, and prog arrays, which the kernel
 *	empties when their last file is closed
 * @more: sockets that hold the prog arrays of replacements: the current and the one before
 *
 * When a process is killed, the kernel closes its files in no certain order, and the host's
 * side must not end before the card's. So the files of the host's side are not open in the
 * process: they are in flight (SCM_RIGHTS) in a socket. The kernel closes them when it frees the
 * socket, which is after it has closed the card's link.
 */
struct split_links {
	int card, rest, more[2];
};

int links_attach(struct split_links *l, const char *dev, const struct split_table *t,
		 struct bpf_object *host, int card_prog, bool generic, char *err, size_t len);
/* Replace the program on the card by one that uses other slots of the table. */
int links_replace(struct split_links *l, struct bpf_object *host, int card_prog, char *err,
		  size_t len);
/* Detach the card's side, then the host's. */
void links_detach(struct split_links *l);

/* ---- queues.c ---- */
int rings_count(const char *dev, unsigned int *rx, unsigned int *tx);
/* Use each ring but the first for a slot. Return -errno if the device has one ring only. */
int queues_count(const char *dev, struct carrier *c, char *err, size_t len);
/* Check that RSS does not use the rings of @c. */
int queues_free(const char *dev, const struct carrier *c, char *err, size_t len);

#endif /* XDP_SPLIT_H */
