/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire_cable.h - a cable between the two ports of a board.
 */
#ifndef WIRE_CABLE_H
#define WIRE_CABLE_H

#include "board.h"

/*
 * Join the ports: what leaves one arrives at the other, in order, and both
 * have link while both are on. It loses nothing but what is under way to a
 * port that has no link: while much is under way, transmission waits. 0 or
 * -ENOMEM.
 */
int wire_cable_plug(struct board *b);

#endif /* WIRE_CABLE_H */
