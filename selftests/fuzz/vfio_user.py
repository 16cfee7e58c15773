#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Write inputs for vfio_user.c that do what drivers do: windows, the mailbox, a vNIC's rings,
interrupts. Mutations of these inputs get further than mutations of an empty one.

usage: vfio_user.py FOLDER
"""

import os
import struct
import sys

BAR0, BAR4, CONFIG = 0, 4, 7
P2C = 0x30000               # BAR0.0 as a GENERAL window
PCIE = 0x400000             # BAR4.2: PCIe-internal addresses
SRAM = PCIE + 0x8000
QUEUES = PCIE + 0x80000
MBOX = SRAM + 0x1a00
RUN = 8                     # FUZZ_RUN


def message(cmd, body=b"", fds=0, run=0):
    """A message of the input. body is XORed to the template of vfio_user.c."""
    return bytes([cmd, fds << 4 | run, len(body)]) + body


def write(region, off, *words):
    body = struct.pack("<QII", off, region ^ CONFIG, 0)
    return message(10, body + b"".join(struct.pack("<I", w) for w in words), run=RUN)


def read(region, off, count):
    return message(9, struct.pack("<QII", off, region ^ CONFIG, count ^ 4))


def memory(addr):
    return message(2, struct.pack("<IIQQQ", 0, 0, 0, addr, 0), fds=1)


def interrupts(start, count):
    return message(8, struct.pack("<5I", 0, 0, 0, start, count ^ 1), fds=count)


def doorbell(queue, n):
    return write(BAR4, QUEUES + 0x800 * queue + 4, n)


def request(*fields):
    """A request. Fields: seq, cmd, pipe, chan, vector, shifts, inl, bell, msg_seq, map, ring, note."""
    words = struct.unpack("<10I", struct.pack("<IHHHHBBBBIIQQ", *fields))
    return write(BAR4, MBOX, *words, 0, 0) + doorbell(128, 1)


def main():
    window = (write(CONFIG, 4, 6) + write(CONFIG, 0x400, 0x60000000) +
              write(BAR0, P2C + 4 * 18, 0x20000000))
    host = window + memory(0) + interrupts(0, 4)
    hello = request(1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0x10000, 0)
    to_nfp = request(2, 2, 0, 0, 2, 12, 3, 0, 0, 0, 0, 0x20000, 0x11000)
    to_host = request(3, 2, 1, 1, 3, 12, 3, 0, 0, 0, 0, 0x30000, 0x12000)
    widest = request(2, 2, 0, 0, 2, 22, 19, 0, 0, 0, 0, 0x400000, 0x11000)
    vnic = (write(CONFIG, 4, 6) + write(CONFIG, 0x400, 0x60000000) +
            write(BAR0, P2C + 4 * 16, 0x2b800004) + memory(0) + interrupts(0, 8))
    multi = (struct.pack("<QQII8s", 0, 4, 0, 0, b"\6\0\0\0") +
             struct.pack("<QII8s", 0x400, CONFIG, 4, b"\0\0\0\x60"))
    infos = b"".join(message(5, struct.pack("<IIB", 0, 0, i)) for i in range(9))
    irqs = b"".join(message(7, struct.pack("<IIB", 0, 0, i)) for i in range(5))
    inputs = [
        b"\0" + host + read(BAR4, SRAM, 64),
        b"\0" + host + hello + to_nfp + to_host + doorbell(192, 4) + doorbell(193, 0x20001),
        b"\0" + host + hello + to_nfp + request(4, 4, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0) +
        request(5, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
        b"\0" + host + hello + widest,
        b"\0" + vnic + write(BAR4, 0x200, 0x10000, 0) + write(BAR4, 0x280, 0x20000, 0) +
        write(BAR4, 8, 1, 0, 1, 0) + write(BAR4, 0, 3, 0xffff) + read(BAR4, 0, 128),
        b"\0" + read(CONFIG, 0, 256) + read(CONFIG, 0xf00, 255) + write(CONFIG, 0xc8, 0x8000),
        b"\0" + message(15, multi) + message(13) + message(3) + message(6) + message(14),
        b"\xff" + message(1) + message(4) + infos + irqs,
    ]
    for i, one in enumerate(inputs):
        with open(os.path.join(sys.argv[1], f"seed{i}"), "wb") as f:
            f.write(one)


main()
