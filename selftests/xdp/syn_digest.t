#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
"""make demo-xdp: the offloaded program reports each connection request of the recorded capture
through a channel and the nfpchan command. The test compares the reports with those of tshark,
with channel firmware and without it."""

import collections
import os
import re
import subprocess
import sys

from capture import REAL, tshark
from tap import TREE, done, ok, same

LINE = re.compile(r"(?P<time>\d+\.\d+) port 0(?: vlan (?P<vlan>\d+))? "
                  r"\[?(?P<src>[0-9a-f.:]+?)\]?:(?P<sport>\d+) -> (?P<dst>[^ ]+):(?P<dport>\d+) "
                  r"window (?P<window>\d+) hops (?P<hops>\d+) length (?P<len>\d+)$")


def connections():
    """Return the connection requests of the capture, in order."""
    fields = ["frame.time_epoch", "vlan.id", "ieee8021ad.id", "ip.src", "ipv6.src", "ip.dst",
              "ipv6.dst", "tcp.srcport", "tcp.dstport", "tcp.window_size_value", "ip.ttl",
              "ipv6.hlim", "frame.len"]
    for p in tshark(REAL, fields, "-Y", "tcp.flags.syn == 1 && tcp.flags.ack == 0"):
        low = p["ipv6.dst"] and f"[...0000:{int(p['ipv6.dst'].split(':')[-1], 16):04x}]"
        yield (p["frame.time_epoch"], p["ieee8021ad.id"] or p["vlan.id"] or None,
               p["ip.src"] or p["ipv6.src"], p["tcp.srcport"], p["ip.dst"] or low,
               p["tcp.dstport"], p["tcp.window_size_value"], p["ip.ttl"] or p["ipv6.hlim"],
               p["frame.len"])


def demo(what, *options, timed):
    run = subprocess.run([os.path.join(TREE, "scripts/demo-xdp"), REAL, *options], cwd=TREE,
                         stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    same(run.returncode, 0, f"{what}: demo-xdp exits with 0")
    want = list(connections())
    lines = run.stdout.splitlines()
    got = [m.group("time", "vlan", "src", "sport", "dst", "dport", "window", "hops", "len")
           for m in map(LINE.match, lines) if m]
    ok(len(want) > 8, "the capture has connections", want)
    same(len(got), len(want), "as many connections as tshark finds")
    if not timed:       # the events have the host's time
        got, want = [g[1:] for g in got], [w[1:] for w in want]
    same(got, want, "the same connections, in order")
    to = 4 if timed else 3
    asked = {line.split()[1]: int(line.split()[0]) for line in lines[len(got):-1]}
    same(asked, dict(collections.Counter(f"{w[to]}:{w[to + 1]}" for w in want)),
         "connections per server")
    same(lines[-1:], [f"{len(want)} events, 0 dropped"], "no event was dropped")
    if run.returncode:
        print("# " + run.stderr.replace("\n", "\n# "))


def main():
    demo("with channels", timed=True)
    demo("out of the box", "--board", "chan=off", timed=False)
    return done()


sys.exit(main())
