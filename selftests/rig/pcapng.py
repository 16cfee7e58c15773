# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Read captures in pcapng format, of this machine's byte order."""

import collections
import struct

# The fixed part of each kind of block: section, interface, statistics, packet
HEADS = {0x0a0d0d0a: "<IHHq", 1: "<HHI", 5: "<III", 6: "<IIIII"}
# options: code -> value of the last one
Block = collections.namedtuple("Block", "kind fields options data")
CapturedFrame = collections.namedtuple("CapturedFrame", "interface ns length data drops")


def options(text):
    found, at = {}, 0
    while at < len(text):
        code, size = struct.unpack_from("<HH", text, at)
        if not code:
            break
        found[code] = text[at + 4:at + 4 + size]
        at += 4 + (size + 3) // 4 * 4
    return found


def blocks(text):
    """The blocks of a capture; ValueError if it does not end with a whole one."""
    found, at = [], 0
    while at < len(text):
        kind, size = struct.unpack_from("<II", text, at)
        body = text[at + 8:at + size - 4]
        if size % 4 or text[at + size - 4:at + size] != struct.pack("<I", size):
            raise ValueError(f"block of kind {kind} at {at} has no end after {size} bytes")
        at += size
        if kind not in HEADS:
            continue
        fields = struct.unpack_from(HEADS[kind], body)
        rest = body[struct.calcsize(HEADS[kind]):]
        length = fields[3] if kind == 6 else 0
        found.append(Block(kind, fields, options(rest[(length + 3) // 4 * 4:]), rest[:length]))
    return found


def frames_of(found):
    """The frames of a capture. drops: frames that are missing before this one"""
    frames = []
    for b in found:
        if b.kind == 6:
            interface, high, low, _, length = b.fields
            drops = struct.unpack("<Q", b.options.get(4, bytes(8)))[0]
            frames.append(CapturedFrame(interface, high << 32 | low, length, b.data, drops))
    return frames
