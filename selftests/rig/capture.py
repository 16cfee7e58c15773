# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Read and write captures in pcap format, and have tshark decode their frames."""

import collections
import os
import struct
import subprocess

from tap import TREE

REAL = os.path.join(TREE, "selftests/data/real.pcap")
HEADER = struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 262144, 1)
# length: bytes of the frame on the wire. data may have fewer: the capture may cut frames
Frame = collections.namedtuple("Frame", "seconds fraction length data")


def read(path):
    with open(path, "rb") as f:
        text = f.read()
    frames, at = [], len(HEADER)
    while at < len(text):
        seconds, fraction, size, length = struct.unpack_from("<4I", text, at)
        at += 16 + size
        frames.append(Frame(seconds, fraction, length, text[at - size:at]))
    return frames


def write(path, frames):
    with open(path, "wb") as f:
        f.write(HEADER)
        for seconds, fraction, length, data in frames:
            f.write(struct.pack("<4I", seconds, fraction, len(data), length) + data)


def tshark(path, fields, *options):
    """Decode a capture. Return a dict for each frame: field -> its first value."""
    wanted = [word for field in fields for word in ("-e", field)]
    out = subprocess.run(["tshark", "-n", "-r", path, *options, "-T", "fields",
                          "-E", "separator=|", "-E", "occurrence=f", *wanted],
                         capture_output=True, text=True, check=True).stdout
    return [dict(zip(fields, line.split("|"))) for line in out.splitlines()]
