/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * app_card.h - a stand-in for a card, which fills rings of messages, of streams, and of descriptors
 * with the same packets, and takes what the host sends.
 *
 * The card works while the host waits. As a thread on the second CPU it drives what it has
 * written out of all caches, so that the host finds it in memory, as after DMA on a CPU whose
 * devices do not write into a cache. As a process it is outside of a simulation of the host's
 * caches. Each round then has addresses of its own for all that the card writes, because a line
 * that a device has written is in no cache of the host's core, and the simulation does not know
 * devices.
 *
 * Doorbells are stores to memory. The card reads positions from the control page instead.
 */
#ifndef APP_CARD_H
#define APP_CARD_H

#include "desc_ring.h"
#include "chan_handle.h"

#define CARD_ROUND	512	/* packets that the card writes at a time */

/* Write packet @i, or the @i-th piece of a stream. Return its bytes. */
typedef uint32_t (*card_make)(uint8_t *to, uint64_t i);

enum card_where {
	CARD_HERE,	/* in the caller, when it asks */
	CARD_BESIDE,	/* in a thread that repeats card_step() */
	CARD_APART,	/* in a process */
};

enum card_kind {
	CARD_FRAMES,	/* a stream of frames */
	CARD_ELEMS,	/* a stream of elements of 64 bytes */
	CARD_BYTES,	/* a stream of bytes */
	CARD_MSGS,	/* messages with headers, in both directions */
	CARD_RING,	/* descriptor rings */
};

/**
 * struct card_pipe - a pipe
 * @ch: the library's handle, the host's side
 * @layout: layout
 * @base: the ring's addresses, of which the card uses the first
 * @note: record
 * @ctl: control page
 * @pos: the card's position
 * @seq: messages up to @pos
 */
struct card_pipe {
	struct nfpchan ch;
	struct nfp_chan_layout layout;
	uint8_t *base;
	struct nfp_chan_note *note;
	struct nfp_chan_ctl *ctl;
	uint64_t pos;
	uint32_t seq;
};

/**
 * struct card - a card and what it shares with the host
 * @kind: what it fills
 * @make: makes packets
 * @made: packets made
 * @check: compute @digest
 * @digest: of all packets that the host has sent, in order
 * @sent: their number
 * @in: pipe to the host
 * @out: pipe to the NFP
 * @ring: descriptor rings
 * @rx_pos: the next receive descriptor of the card
 * @rx: the receive descriptors' addresses, of which the card uses the first
 * @bufs: the same of the pool
 * @where: where it works
 * @round: number of the round
 * @pid: the card's process
 * @to_card: pipe to that process
 * @to_host: pipe from it
 */
struct card {
	enum card_kind kind;
	card_make make;
	uint64_t made;
	bool check;
	uint64_t digest;
	uint64_t sent;
	struct card_pipe in;
	struct card_pipe out;
	struct desc_ring ring;
	uint32_t rx_pos;
	uint8_t *rx;
	uint8_t *bufs;
	enum card_where where;
	uint64_t round;
	pid_t pid;
	int to_card[2];
	int to_host[2];
};

/* Make a card. @answers: a stream of frames or elements has a stream back. */
struct card *card_new(enum card_kind kind, card_make make, bool answers, enum card_where where);

/* End the card's process, and free the pool. Smaller memory ends with the caller. */
void card_free(struct card *c);

/* A step that the thread repeats: do the work that card_next() has asked for. */
uint64_t card_step(void *arg);

/* Have the card take what was sent, and write the next round. */
void card_next(struct card *c);

#endif /* APP_CARD_H */
