#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Write a capture of 6 UDP and 4 TCP packets to standard output."""

import struct
import sys

ETHERNET = bytes.fromhex("00154d123460 020000000001 0800")


def packet(protocol):
    ip = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 46, 0, 0, 64, protocol, 0, bytes([10, 0, 0, 1]),
                     bytes([10, 0, 0, 2]))
    return ETHERNET + ip + bytes(26)


out = sys.stdout.buffer
out.write(struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 262144, 1))
for frame in [packet(17)] * 6 + [packet(6)] * 4:
    out.write(struct.pack("<4I", 0, 0, len(frame), len(frame)) + frame)
