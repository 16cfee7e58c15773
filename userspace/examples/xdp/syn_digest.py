#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Read the events of syn_digest.c from `nfpchan xdp run`, and print a line for each
connection request. At the end print the destinations with the most requests.

usage: nfpchan xdp run --dev DEV syn_digest.o | syn_digest.py
"""

import collections
import ipaddress
import re
import signal
import struct
import sys

# syn_digest.h
DIGEST = struct.Struct("!16s4s5H2B")
EVENT = re.compile(r"\d+ (\d+\.\d+) port (\d+) len \d+ data ([0-9a-f]+)$")


def show(time, port, data):
    """Return the line to print, and the destination."""
    src, dst, sport, dport, vlan, window, length, hops, _ = DIGEST.unpack(data)
    src = ipaddress.IPv6Address(src)
    if src.ipv4_mapped:
        source, to = str(src.ipv4_mapped), str(ipaddress.IPv4Address(dst))
    else:
        source, to = f"[{src}]", f"[...{dst[:2].hex()}:{dst[2:].hex()}]"
    tag = f" vlan {vlan}" if vlan else ""
    return (f"{time} port {port}{tag} {source}:{sport} -> {to}:{dport} "
            f"window {window} hops {hops} length {length}", f"{to}:{dport}")


def main():
    # ^C ends nfpchan xdp run. This script must still read the last line of its output.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    asked = collections.Counter()
    rest = ""
    for line in sys.stdin:
        event = EVENT.match(line)
        if event:
            text, to = show(event[1], event[2], bytes.fromhex(event[3]))
            asked[to] += 1
            print(text, flush=True)
        else:
            rest = line
    for to, count in asked.most_common(10):
        print(f"{count:8} {to}")
    print(rest, end="")


if __name__ == "__main__":
    main()
