#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Guest side of wire.t: send frames to both wire ports. Argument 1 is the file to which the frames of
port 0 are written."""

import re
import struct
import subprocess
import sys

import nfpchan
from tap import done, same

SIZES = [14, 59, 60, 61, 64, 256, 1514, 9216]
HEADER = bytes.fromhex("02000000000202000000000188b5") + b"\0\0" + struct.pack("<I", 7)
HOST, LINKED = 100, 500


def frame(n):
    return bytes((n + i) % 251 for i in range(SIZES[n % len(SIZES)]))


def linked(seq):
    """Return the frame with which message @seq of the ME process of load-ctl leaves."""
    body = struct.pack("<QII", seq, 9, 0)
    return HEADER[:16] + struct.pack("<I", 7 + 3 * (seq - 1)) + body + bytes(
        (seq + i) & 255 for i in range(16, 64))


with nfpchan.Card() as card, open(sys.argv[1], "w", encoding="ascii") as sent:
    with card.channel("wire") as wire, card.channel("wire1") as wire1:
        for n in range(HOST):
            wire.send(frame(n))
            print(frame(n).hex(), file=sent)
        for n in range(3):
            wire1.send(frame(n))
    with card.channel("load", link=True) as load, card.channel("wire") as wire, \
            card.channel("load-ctl") as ctl, \
            nfpchan.Link(load, wire, header=HEADER, state=(16, 4, 3)) as link:
        ctl.send(struct.pack("<4I", LINKED, 64, 1, 9))
        while link.stats().msgs < LINKED:
            pass
        same(link.stats().bytes, LINKED * 64, "messages of an ME process leave through a link")
    for n in range(1, LINKED + 1):
        print(linked(n).hex(), file=sent)
    same(card.query("wire").msgs, HOST + LINKED, "the ME process of the wire has received all messages")
counted = subprocess.run(["ethtool", "-S", "eth0"], capture_output=True, text=True, check=True).stdout
same(re.findall(r"mac\.tx_frames_transmitted_ok: (\d+)", counted), [str(HOST + LINKED)],
     "the port's counters have all frames")
done()
