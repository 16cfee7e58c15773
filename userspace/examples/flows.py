#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Example: print the records of the card's flow meter, and its totals once the wire
is quiet, as `nfpchan flows` does. With --flush, also print the flows that are still in
the table."""

import argparse
import asyncio
import os
import random
import socket
import struct
import sys

try:
    import nfpchan
except ImportError:     # in the source tree
    sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../python"))
    import nfpchan

# The messages of nfpchan/nfp_chan_flow.h. All fields are little endian, except ports and
# addresses.
RECORD = struct.Struct("<BBBB2s2sHHBB2x16s16sQQQQ")
TOTALS = struct.Struct("<B3xIQQQQQQQQQ")
REQUEST = struct.Struct("<IIII")
TYPE_RECORD, TYPE_TOTALS = 1, 2
OP_FLUSH, OP_TOTALS = 1, 2
NO_VLAN = 0xFFFF

PROTOCOLS = {1: "icmp", 2: "igmp", 6: "tcp", 17: "udp", 47: "gre", 50: "esp", 58: "icmpv6",
             89: "ospf", 132: "sctp"}
REASONS = {1: "fin", 2: "rst", 3: "idle", 4: "evict", 5: "flush",
           6: "active"}
ROWS = (("packets in flows", "packets"), ("  bytes", "bytes"), ("  records", "records"),
        ("  flows still in table", "active"), ("not IP", "not_ip"), ("truncated", "truncated"),
        ("malformed", "malformed"), ("dropped", "dropped"), ("seen at the wire", "seen"))


class Failure(Exception):
    """A message of the card is not valid."""


def end(family, proto, addr, port):
    """An address, with the port if the protocol has ports."""
    v4 = family == 4
    text = socket.inet_ntop(socket.AF_INET, addr[:4]) if v4 else \
        socket.inet_ntop(socket.AF_INET6, addr)
    if proto not in (6, 17):
        return text
    port = int.from_bytes(port, "big")
    return f"{text}:{port}" if v4 else f"[{text}]:{port}"


class Sum:
    """What was received so far."""

    def __init__(self):
        self.records = self.packets = self.bytes = 0
        self.base = None        # the first totals
        self.before = 0         # records that came before them

    def record(self, message):
        """Print a record, and count it."""
        if len(message) != RECORD.size:
            raise Failure(f"a flow record of {len(message)} bytes makes no sense")
        (kind, reason, family, proto, sport, dport, vlan, inner, _, _, src, dst, packets, size,
         first, last) = RECORD.unpack(message)
        if kind != TYPE_RECORD or family not in (4, 6) or reason not in REASONS:
            raise Failure(f"a flow record makes no sense (reason {reason}, family {family})")
        line = (f"{PROTOCOLS.get(proto, proto):<7}{end(family, proto, src, sport)} > "
                f"{end(family, proto, dst, dport)}")
        if proto in (1, 58):
            line += f" type {sport[0]} code {sport[1]}"
        if vlan != NO_VLAN:
            line += f" vlan {vlan}"
        if inner != NO_VLAN:
            line += f".{inner}"
        us = (last - first) // 1000
        print(f"{line}  packets {packets} bytes {size} ms {us // 1000}.{us % 1000:03} "
              f"{REASONS[reason]}")
        self.records += 1
        self.packets += packets
        self.bytes += size

    def check(self, last):
        """Compare the records with the totals."""
        counted = sum(last[k] for k in ("packets", "not_ip", "truncated", "malformed", "dropped"))
        if counted != last["seen"]:
            raise Failure(f"the totals add up to {counted}, not to the {last['seen']} seen")
        want = last["records"] - self.base["records"]
        if self.records - self.before != want:
            raise Failure(f"{self.records - self.before} records came, the totals say {want}")
        if self.before != self.base["records"] or last["active"]:
            return      # an earlier reader has some records, or flows are in the table
        if (self.packets, self.bytes) != (last["packets"], last["bytes"]):
            raise Failure(f"{self.packets} packets, {self.bytes} bytes in the records, the "
                          f"totals say {last['packets']}, {last['bytes']}")


def totals(message):
    """The token and the totals, by name, of a message."""
    if len(message) != TOTALS.size:
        raise Failure(f"totals of {len(message)} bytes make no sense")
    names = "packets bytes records not_ip truncated malformed dropped seen active".split()
    _, token, *values = TOTALS.unpack(message)
    return token, dict(zip(names, values))


async def follow(flows, ctl, options):
    """Ask for the totals at the start, then for the records, and print them."""
    token = random.randrange(1 << 31)
    got = Sum()
    # The meter takes no request while it waits for room in "flows": send and receive together.
    asked = asyncio.create_task(ctl.send(REQUEST.pack(OP_TOTALS, 0, token, 0)))
    async for message in flows:
        if message[0] != TYPE_TOTALS:
            got.record(message)
            continue
        which, values = totals(message)
        if which == token:
            await asked
            got.base, got.before = values, got.records
            asked = asyncio.create_task(ctl.send(REQUEST.pack(
                OP_FLUSH if options.flush else OP_TOTALS, options.quiet * 1000, token + 1, 0)))
        elif which == token + 1:        # another token answers an earlier reader
            await asked
            print()
            for name, key in ROWS:
                print(f"{name:<24}{values[key]:12}")
            return got.check(values)
    raise Failure("the flow meter has ended")


async def run(options):
    """Open the channels. Replay may start with the first receiver of "flows", so open
    that channel last."""
    with nfpchan.Card() as card:
        async with nfpchan.Async(card.channel("flow-ctl")) as ctl, \
                nfpchan.Async(card.channel("flows")) as flows:
            await follow(flows, ctl, options)


def main():
    """Parse the command line and run. Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--flush", action="store_true",
                        help="report the flows that are still in the table")
    parser.add_argument("--quiet", type=int, default=200, metavar="MS",
                        help="how long no packet comes at the end, default 200")
    try:
        asyncio.run(run(parser.parse_args()))
    except (Failure, OSError) as err:
        print(f"flows.py: {err}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
