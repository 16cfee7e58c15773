/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire.h - live wires: frames arrive whether the port receives them or not.
 */
#ifndef WIRE_H
#define WIRE_H

#include <stddef.h>
#include <stdint.h>

#include "board.h"

/* Bytes of the longest frame of a live wire. A longer frame from a Unix socket arrives cut off. */
#define WIRE_LIVE_FRAME_MAX	65535u

/*
 * Connect the two ports by a cable. Frames that leave one port arrive at the other port in order.
 * The ports have link while both are on and send with the same rate and FEC. When
 * many frames are queued, transmission waits. The cable loses frames only if the receiving port
 * has no link, or if one packet has more segments than the queue holds. Return 0 or -ENOMEM.
 */
int wire_cable_plug(struct board *b);

/*
 * A wire to another program, usually another board, through a Unix socket of type SOCK_SEQPACKET.
 * A message is one frame without FCS. The program that comes first listens at the path, and the
 * second one connects; if the connection ends, the second one connects again. The port has link
 * while there is a connection. Frames that the peer does not take in time are lost; their number
 * is logged when the wire is closed. On failure return NULL with the reason in @err.
 */
struct wire_unix;
struct wire_unix *wire_unix_open(const char *path, char *err, size_t errlen);
extern const struct board_wire_ops wire_unix_ops;

/*
 * A wire to a tap interface of this machine. The interface is made if it does not exist. Return
 * NULL with the reason in @err on failure.
 */
struct wire_tap;
struct wire_tap *wire_tap_open(const char *name, char *err, size_t errlen);
extern const struct board_wire_ops wire_tap_ops;

/*
 * Open the wire @spec, "tap:NAME" or "unix:PATH", and plug it into @port. Return 0, or -1 with
 * the reason in @err.
 */
int wire_plug(struct board *b, unsigned int port, const char *spec, char *err, size_t errlen);

#endif /* WIRE_H */
