/* SPDX-License-Identifier: BSD-2-Clause */
/* wire.h - wires with a live peer: frames arrive whether or not anybody listens. */
#ifndef WIRE_H
#define WIRE_H

#include <stddef.h>
#include <stdint.h>

#include "board.h"

/* Longest frame on such a wire. Longer ones are lost. */
#define WIRE_LIVE_FRAME_MAX	65535u

/*
 * A cable joins the two ports: a frame sent at one port arrives at the other, in order. Both
 * ports have link while both are on, with the same rate and the same FEC. While many frames are
 * in the cable, transmission waits, so none is lost, except frames to a port that loses its link.
 * Return 0 or -ENOMEM.
 */
int wire_cable_plug(struct board *b);

/*
 * A Unix socket connects the port with another program, usually another board: SOCK_SEQPACKET,
 * each message is a frame without FCS. The program that starts first listens at the path, the
 * other one connects, and connects again after the connection has ended. The port has link while
 * it is connected. Frames that the peer does not take in time are lost; the log has their number
 * at the end. Return NULL with the reason in @err.
 */
struct wire_unix;
struct wire_unix *wire_unix_open(const char *path, char *err, size_t errlen);
extern const struct board_wire_ops wire_unix_ops;

/*
 * A tap interface of this machine. It is created if it does not exist. Return NULL with the
 * reason in @err.
 */
struct wire_tap;
struct wire_tap *wire_tap_open(const char *name, char *err, size_t errlen);
extern const struct board_wire_ops wire_tap_ops;

/* Connect "tap:NAME" or "unix:PATH" to @port. Return 0, or -1 with the reason in @err. */
int wire_plug(struct board *b, unsigned int port, const char *spec, char *err, size_t errlen);

#endif /* WIRE_H */
