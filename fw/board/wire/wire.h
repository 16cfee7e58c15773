/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire.h - wires with somebody at their other end: frames come on them
 * whether anyone listens or not.
 */
#ifndef WIRE_H
#define WIRE_H

#include <stddef.h>
#include <stdint.h>

#include "board.h"

/* Longest frame that such a wire carries; longer ones are lost. */
#define WIRE_LIVE_FRAME_MAX	65535u

/*
 * A cable joins the two ports: what leaves one arrives at the other, in order,
 * and both have link while both are on, with one rate and one FEC. It loses nothing but what is under way
 * to a port without link: while much is under way, transmission waits. 0 or
 * -ENOMEM.
 */
int wire_cable_plug(struct board *b);

/*
 * Another program at a Unix socket, mostly another board: SOCK_SEQPACKET, one
 * frame a message, without FCS. Whoever comes first listens at the path, the
 * other one connects, and again when the connection ended. The port has link
 * while there is one. What the peer does not take in time is lost, and counted
 * in the log at the end. NULL with the reason in @err.
 */
struct wire_unix;
struct wire_unix *wire_unix_open(const char *path, char *err, size_t errlen);
extern const struct board_wire_ops wire_unix_ops;

/*
 * A tap interface of this machine, made when there is none of that name. NULL
 * with the reason in @err.
 */
struct wire_tap;
struct wire_tap *wire_tap_open(const char *name, char *err, size_t errlen);
extern const struct board_wire_ops wire_tap_ops;

/* "tap:NAME" or "unix:PATH" at @port. 0, or -1 with the reason in @err. */
int wire_plug(struct board *b, unsigned int port, const char *spec, char *err, size_t errlen);

#endif /* WIRE_H */
