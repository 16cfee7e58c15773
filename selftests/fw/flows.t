#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
"""Replay a capture at the wire. The flow records have the same totals for each flow as tshark
finds in the capture."""

import collections
import json
import os
import struct
import subprocess
import sys
import tempfile

from capture import REAL, Frame, tshark, write
from tap import TREE, done, note, ok, same


def wanted(path):
    """Run tshark; return (IP packets, their bytes, other packets, packets of each flow)."""
    fields = ["frame.protocols", "ip.src", "ip.dst", "ip.len", "ip.proto", "ip.flags.mf",
              "ip.frag_offset", "ipv6.src", "ipv6.dst", "ipv6.plen", "ipv6.nxt",
              "ipv6.fraghdr.ident", "tcp.srcport", "tcp.dstport", "udp.srcport", "udp.dstport",
              "icmp.type", "icmp.code", "icmpv6.type", "icmpv6.code", "vlan.id", "ieee8021ad.id"]
    frames = tshark(path, fields, "-o", "ip.defragment:FALSE", "-o", "ipv6.defragment:FALSE",
                    "-o", "tcp.desegment_tcp_streams:FALSE")
    ip = other = octets = 0
    flows = collections.Counter()
    for p in frames:
        layers = p["frame.protocols"].split(":")
        network = next((n for n in layers if n in ("ip", "ipv6")), None)
        if network is None or "arp" in layers:
            other += 1
            continue
        ip += 1
        if network == "ip":
            src, dst, proto = p["ip.src"], p["ip.dst"], int(p["ip.proto"])
            size = int(p["ip.len"])
            fragment = p["ip.flags.mf"] in ("1", "True") or int(p["ip.frag_offset"]) != 0
        else:
            src, dst = p["ipv6.src"], p["ipv6.dst"]
            size = int(p["ipv6.plen"]) + 40
            fragment = p["ipv6.fraghdr.ident"] != ""
            proto = next((v for k, v in (("tcp", 6), ("udp", 17), ("icmpv6", 58)) if k in layers),
                         None)
        sport = dport = 0
        if not fragment:
            if proto == 6:
                sport, dport = int(p["tcp.srcport"]), int(p["tcp.dstport"])
            elif proto == 17:
                sport, dport = int(p["udp.srcport"]), int(p["udp.dstport"])
            elif proto in (1, 58):
                kind = "icmp" if proto == 1 else "icmpv6"
                sport = int(p[kind + ".type"]) << 8 | int(p[kind + ".code"])
        elif proto is None or network == "ipv6":
            proto = 58      # all IPv6 fragments in this capture are parts of pings
        octets += size
        outer = p["ieee8021ad.id"] or p["vlan.id"]
        flows[(src, dst, proto, sport, dport, int(outer) if outer else None)] += 1
    return ip, octets, other, flows


def records(doc):
    """Return the packets of each flow in a JSON document of `nfpchan flows`."""
    flows = collections.Counter()
    for f in doc["flows"]:
        flows[(f["src"], f["dst"], f["proto"], f["sport"], f["dport"], f["vlan"])] += f["packets"]
    return flows


def replay(path, *board):
    """Replay a capture; return the JSON document, or print the reason and return None."""
    run = subprocess.run(["scripts/vm", *board, "--pcap-in", path, "--", "nfpchan", "flows",
                          "--json", "--flush"], cwd=TREE, stdin=subprocess.DEVNULL,
                         capture_output=True, text=True, check=False)
    try:
        doc = json.loads(run.stdout)
    except ValueError as e:
        ok(False, "one JSON document", f"{e}\n{run}")
        return None
    same(run.returncode, 0, "exit status 0")
    if run.returncode:
        note(run.stderr)
    return doc


def check_real():
    """Compare the flow records of the recorded capture with tshark's."""
    ip, octets, other, flows = wanted(REAL)
    with tempfile.TemporaryDirectory() as tmp:
        stats = os.path.join(tmp, "stats.json")
        doc = replay(REAL, "--stats", stats)
        if doc is None:
            return
        with open(stats, encoding="utf-8") as f:
            pcie = json.load(f)
    c = doc["counters"]
    same(doc["packets"], ip, "packets are those of tshark")
    same(doc["bytes"], octets, "bytes are those of tshark")
    same(c["not_ip"], other, "the rest is not IP")
    same([c["truncated"], c["malformed"], c["dropped"]], [0, 0, 0], "and nothing else")
    same(sum(f["packets"] for f in doc["flows"]), doc["packets"], "records add up to the packets")
    same(sum(f["bytes"] for f in doc["flows"]), doc["bytes"], "records add up to the bytes")
    got = records(doc)
    diff = [f"{k}: got {got[k]} want {flows[k]}" for k in sorted(set(got) | set(flows), key=str)
            if got[k] != flows[k]]
    ok(not diff, f"each of {len(flows)} flows has tshark's packets", "\n".join(diff))
    reasons = {f["reason"] for f in doc["flows"]}
    ok({"fin", "rst", "flush"} <= reasons, "flows end by FIN, RST and flush", reasons)
    ok(all(f["first_ns"] <= f["last_ns"] for f in doc["flows"]), "no flow ends before it starts")
    reads = pcie["tlp"]["data"]["host_nonposted"] + pcie["tlp"]["note"]["host_nonposted"]
    same(reads, 0, "no record was read from the card by the CPU")


def check_odd():
    """Each packet that is in no flow is counted once, by its kind."""
    eth = bytes.fromhex("0200000000020200000000010800")
    v4 = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 28, 1, 0, 64, 17, 0, b"\xc0\0\2\1", b"\xc0\0\2\2")
    udp = struct.pack(">HHHH", 7, 9, 8, 0)
    good = eth + v4 + udp
    frames = [
        (good, 60), (good, 60),                                    # counted in a flow
        (eth[:12] + b"\x08\x06" + bytes(46), 60),                  # not IP: ARP
        (eth[:12] + b"\x81\0\0\5\x88\xcc" + bytes(40), 60),        # not IP: LLDP in a VLAN
        (good[:20], 60),                                           # truncated: snap length
        (good[:8], 8),                                             # truncated: no Ethernet header
        (eth + b"\x43" + v4[1:] + udp, 60),                        # malformed: IHL of 12 bytes
        (eth + b"\x65" + v4[1:] + udp, 60),                        # malformed: version 6
        (eth + v4[:2] + b"\0\x0a" + v4[4:] + udp, 60),             # malformed: total length 10
    ]
    with tempfile.TemporaryDirectory() as tmp:
        path = os.path.join(tmp, "odd.pcap")
        write(path, [Frame(1000 + i, 0, length, data) for i, (data, length) in enumerate(frames)])
        doc = replay(path)
    if doc is None:
        return
    same((doc["packets"], doc["bytes"], len(doc["flows"])), (2, 56, 1), "two packets in one flow")
    same(doc["counters"], {"not_ip": 2, "truncated": 2, "malformed": 3, "dropped": 0},
         "each other packet is in the counter of its kind")


def main():
    check_real()
    check_odd()
    return done()


if __name__ == "__main__":
    sys.exit(main())
