/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * ring_peer.h - a stand-in for the card, to test the library's ring code without firmware. It was
 * written from nfp_chan_fw.h alone.
 */
#ifndef RING_PEER_H
#define RING_PEER_H

#include <endian.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "ring.h"
#include "ring_map.h"

/**
 * struct peer - a card with one pipe
 * @layout: layout of the pipe
 * @data: the ring, mapped twice, writable
 * @note: record
 * @ctl: control page
 * @unit: bytes of a unit of the data doorbell
 * @pos: position up to which the card has produced (to host) or consumed (to NFP)
 * @seq: number of messages up to @pos
 * @told: position that the library has announced by data doorbells
 * @arm_reg: the arm register, 18 bits
 * @armed: the library has armed the pipe, and no interrupt has come since
 * @fired: number of interrupts
 * @data_rings: number of stores to the data doorbell
 */
struct peer {
	struct nfp_chan_layout layout;
	uint8_t *data;
	struct nfp_chan_note *note;
	struct nfp_chan_ctl *ctl;
	uint32_t unit;
	uint64_t pos;
	uint32_t seq;
	uint64_t told;
	uint32_t arm_reg;
	bool armed;
	unsigned int fired;
	unsigned int data_rings;
};

void peer_fire(struct peer *p);
void peer_doorbell(void *ctx, enum ring_reg reg, uint32_t val);
void peer_note(struct peer *p, uint32_t state);

/*
 * To host: write a message, and leave the record unchanged. Return false if the ring has no room.
 */
bool peer_write(struct peer *p, const void *buf, uint32_t len);
bool peer_send(struct peer *p, const void *buf, uint32_t len);

/* To NFP: take a message. Return its length, -1 if there is no message, or -2 if it is invalid. */
long peer_recv(struct peer *p, void *buf);

/**
 * struct pipe_spec - a pipe to make; a field of 0 gets the default in brackets
 * @dir: direction
 * @ring_size: bytes [4096]
 * @unit_shift: log2 of the unit [3]
 * @elem_size: size of every message [any size]
 * @max_size: largest size [@elem_size, or 256]
 * @depth: messages [8]
 * @rendezvous: depth 0
 * @pos: initial position
 * @seq: messages before @pos
 */
struct pipe_spec {
	uint32_t dir;
	uint32_t ring_size;
	uint32_t unit_shift;
	uint32_t elem_size;
	uint32_t max_size;
	uint32_t depth;
	bool rendezvous;
	uint64_t pos;
	uint32_t seq;
};

struct peer *peer_new(const struct pipe_spec *s, struct ring *r);
void peer_free(struct peer *p);

#define TO_HOST(...)	(&(struct pipe_spec){ .dir = NFP_CHAN_TO_HOST, __VA_ARGS__ })
#define TO_NFP(...)	(&(struct pipe_spec){ .dir = NFP_CHAN_TO_NFP, __VA_ARGS__ })

/* ---- the library's side ---- */

/*
 * Receive a message from @r. Return its length or an error. Return -1000 if ring_peek() has
 * failed although it has changed its results.
 */
long take(struct ring *r, uint8_t *buf);

/* Format the error text of the last failure. */
const char *text(const struct ring *r);

/* Fill @buf with bytes that depend on the message's number and on their position. */
void fill(uint8_t *buf, uint32_t len, uint32_t nr);

#endif /* RING_PEER_H */
