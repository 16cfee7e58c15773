#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Guest side of split.t. Of programs joined by tail calls, the first run on the card at eth0 and
the others on the host. Frames are sent at eth1 and arrive by a cable."""

import collections
import json
import os
import random
import socket
import sys
import threading

import json_keys
import split_kill
import split_tcp
from bpf_tools import bpftool, fails, left, objects, run, shown, works
from split_tools import (BASE, COUNT, DROP, FATE, INSIDE, LAST, LEARN, MARK, MID, NFPCHAN, OBJ,
                         ORDER, PASS, SECOND, SHARED, TX, VLAN, Native, Split, arrived, back,
                         frame, listen, nic_stats, receive, spread)
from tap import done, note, ok, same

# Types for which the block has a type of its own, and types whose frames grow
USUAL = (0x0800, 0x86dd, 0x0806, 0x8847, 0x8864)
OTHERS = (0x88b5, 0x0026, 0x88cc, 0x9000)


def mixture(seed, count):
    """Make random frames. The same seed gives the same frames."""
    rnd = random.Random(seed)
    frames = []
    for _ in range(count):
        kind = rnd.choice(USUAL + OTHERS + (VLAN, 0x88a8))
        inner = rnd.choice((0x0800, 0x86dd)) if kind in (VLAN, 0x88a8) else None
        size = rnd.choice((60, 61, 128, 590, 1514, rnd.randrange(60, 1514)))
        frames.append(frame(kind, rnd.choice((PASS, DROP, TX, SECOND, SECOND, MID)),
                            rnd.randrange(4), size, inner))
    # Frames of full size plus a VLAN tag, as Linux sends them
    frames += [frame(VLAN, order, 0, 1518, 0x0800) for order in (PASS, SECOND, MID)]
    return frames


def outcome(sender, host, frames):
    """Count which frames the stack gets, and which come back to the sender."""
    back(sender, 0)
    spread(sender, frames)
    return collections.Counter(arrived(host)), collections.Counter(back(sender))


def differences(a, b):
    return [f"{n} times {f[:16].hex()} len {len(f)} {f[40:46].hex()}"
            for f, n in ((a - b) + (b - a)).items()]


def check_explain():
    status, out = run(NFPCHAN, "-j", "xdp", "explain", "--split", OBJ)
    doc = json.loads(out)["split"] if not status else {"programs": []}
    places = {p["name"]: p["where"] for p in doc["programs"]}
    same(places, {"front": "card", "mid": "card", "second": "host", "third": "host"},
         "explain --split: the side of each program")
    status, out = run(NFPCHAN, "xdp", "explain", "--split", OBJ)
    note(out)
    fails("explain refuses --host with an unknown program", 'no XDP program "nope"',
          NFPCHAN, "xdp", "explain", "--split", "--host", "nope", OBJ)
    fails("explain refuses --host with the entry program", "which packets enter first",
          NFPCHAN, "xdp", "explain", "--split", "--host", "front", OBJ)
    fails("explain refuses a block that contains the EtherType of IP", "--ethertypes",
          NFPCHAN, "xdp", "explain", "--split", "--ethertypes", "0x800/256", OBJ)
    status, out = run(NFPCHAN, "-j", "xdp", "explain", "--split", "--host", "mid", OBJ)
    places = {p["name"]: p["where"] for p in json.loads(out)["split"]["programs"]}
    same(places, {"front": "card", "mid": "host", "second": "host", "third": "host"},
         "explain --split --host: mid and the programs that it calls run on the host")
    status, out = run(NFPCHAN, "-j", "xdp", "explain", "--split", "--words", "390", OBJ)
    json_keys.check("xdp explain --split", json.loads(out))
    doc = json.loads(out)["split"]
    places = {p["name"]: p["where"] for p in doc["programs"]}
    ok(places["mid"] == "host" and doc["instructions"] <= 390,
       "390 instructions: the longest program that calls no other moves to the host", out)
    fails("explain refuses an entry program that is too long for the card", "alone is too long",
          NFPCHAN, "xdp", "explain", "--split", "--words", "90", OBJ)


def check_same(sender, host, native, *options):
    """Test that the split has the same results as the object in native XDP."""
    name = " ".join(options) or "default"
    frames = mixture(1, 400)
    split = Split(OBJ, *options)
    ok(split.attached, f"{name}: attached", split.said)
    before = nic_stats()
    got = outcome(sender, host, frames)
    after = nic_stats()
    counts = split.end()
    json_keys.check("xdp run --split", counts)
    ok(got[0] == native[0], f"{name}: the stack gets the same frames",
       "\n".join(differences(got[0], native[0])[:10]))
    ok(got[1] == native[1], f"{name}: the same frames are sent back to the wire",
       "\n".join(differences(got[1], native[1])[:10]))
    if not counts:
        ok(False, f"{name}: the command prints its counters", split.said)
        return
    host_frames = sum(f[ORDER] in (SECOND, MID) for f in frames) + 1
    passed = sum(f[ORDER] == PASS for f in frames) + 1
    same((sum(counts["to_host"].values()), counts["passed"], counts["forged"], counts["lost"]),
         (host_frames, passed, 0, 0), f"{name}: the counters of frames are exact")
    note(f"{len(frames) + 2} frames, {host_frames + passed} to the host; "
         f"the driver has {after['dev_rx_pkts'] - before['dev_rx_pkts']}, bpf_pass "
         f"{after['bpf_pass_pkts'] - before['bpf_pass_pkts']}")


def check_forged(sender, host):
    """Send frames with a private EtherType, in the outer or in an inner header."""
    split = Split(OBJ)
    kinds = [BASE, BASE + 1, BASE + 9, BASE + COUNT - 1]
    frames = [frame(k, PASS) for k in kinds] + [frame(k, SECOND) for k in kinds]
    outside = [frame(k, PASS) for k in (BASE - 1, BASE + COUNT)]
    inside = [frame(0x88b5, INSIDE, size=100)[:26] + k.to_bytes(2, "big") +
              frame(0x88b5, INSIDE, size=100)[28:] for k in kinds]
    plain = frame(0x88b5, INSIDE, size=100)
    spread(sender, frames + outside + inside + [plain])
    got = arrived(host)
    same([int.from_bytes(f[12:14], "big") for f in got],
         [BASE - 1, BASE + COUNT, int.from_bytes(plain[26:28], "big")],
         "frames with private types are dropped, frames with the types around the block are not")
    counts = split.end()
    same(counts["forged"], len(frames) + len(inside), "the dropped frames are counted")


def check_closed(sender, host):
    """Detach the dispatcher: marked frames reach the stack, but without their own EtherType."""
    split = Split(OBJ)
    prog = shown("nfpchan_split")[0]["id"]
    link = [x["id"] for x in bpftool("link", "show") if x.get("prog_id") == prog]
    works("the dispatcher is detached", "bpftool", "link", "detach", "id", str(link[0]))
    for f in (frame(0x0800, SECOND), frame(0x88b5, SECOND), frame(LAST, PASS)):
        sender.send(f)
    kinds = []
    while (kind := int.from_bytes(receive(host)[12:14], "big")) != LAST:
        kinds.append(kind)
    same(kinds, [BASE + 1, BASE], "without it, marked frames keep the private EtherType")
    split.end()


def check_learn(sender, host):
    """A program that needs only a helper which the card's firmware does not offer."""
    for firmware, place, why in (("public", "host", "offers no bpf_map_update_elem()"),
                                 ("full", "card", "")):
        out = run(NFPCHAN, "-j", "xdp", "explain", "--split", "-F", firmware, LEARN)[1]
        learn, sort = sorted(json.loads(out)["split"]["programs"], key=lambda p: p["name"])
        same((learn["where"], why in learn.get("why", ""), sort["where"]), (place, True, "card"),
             f"explain --split: with firmware {firmware} the {place} runs what updates a map")
    split = Split(LEARN)
    ok(split.attached, "a program that updates a map: attached", split.said)
    spread(sender, [frame(0x0800, order, fate) for order, fate in ((PASS, 5), (SECOND, 7))])
    arrived(host)
    dump = json.loads(run(NFPCHAN, "-j", "xdp", "map", "dump", "seen", "-d", "eth0")[1])
    ok("07000000" in [e["key"] for e in dump] and "05000000" not in [e["key"] for e in dump],
       "the host's program has updated its map", repr(dump))
    split.end()


def check_shared(sender, host):
    """Both sides count in one map, and the host's side redirects."""
    fails("a map that both sides use is refused without --split-map", "--split-map total",
          NFPCHAN, "xdp", "run", "--split", "-d", "eth0", SHARED)
    split = Split(SHARED, "--split-map", "total")
    ok(split.attached and "generic XDP" in split.said,
       "redirect: the host's side runs as generic XDP", split.said)
    index = [str(b) for b in socket.if_nametoindex("eth1").to_bytes(4, "little")]
    works("redirect: to eth1", "bpftool", "map", "update", "name", "out", "key", "0", "0", "0", "0",
          "value", *index)
    spread(sender, [frame(0x0800, order) for order in (0, 1, 1, 2)])
    same(sorted(f[ORDER] for f in (receive(host) for _ in range(6))), 5 * [0] + [2],
         "redirect: the frames return to eth0")
    dump = json.loads(run(NFPCHAN, "-j", "xdp", "map", "dump", "total", "-d", "eth0")[1])
    # The host redirects three frames. They come a second time, and the card passes them.
    same([(e["key"], e["card"], e["host"], e["value"]) for e in dump],
         [("00000000", [6], [3], [9]), ("01000000", [3], [0], [3])], "map dump")
    note(run(NFPCHAN, "xdp", "map", "dump", "total", "-d", "eth0")[1])
    fails("map dump refuses an unknown map",
          'uses a map "nope"', NFPCHAN, "xdp", "map", "dump", "nope", "-d", "eth0")
    fails("xdp replace refuses a split", "SIGHUP", NFPCHAN, "xdp", "replace", "-d", "eth0", OBJ)
    fails("a second split on the interface is refused", "another program is attached",
          NFPCHAN, "xdp", "run", "--split", "-d", "eth0", OBJ)
    split.end()


def check_rings(sender, host):
    """Error messages about rings and the MTU."""
    del sender, host
    works("RSS to all rings", "ethtool", "-X", "eth0", "default")
    fails("refused while RSS uses the ring of a program", "ethtool -X eth0 equal 1",
          NFPCHAN, "xdp", "run", "--split", "-d", "eth0", "--carrier", "queue", OBJ)
    works("RSS to one ring again", "ethtool", "-X", "eth0", "equal", "1")
    works("an MTU of 3600", "ip", "link", "set", "eth0", "mtu", "3600")
    fails("refused with an MTU that native XDP does not support", "ip link set dev eth0 mtu 1500",
          NFPCHAN, "xdp", "run", "--split", "-d", "eth0", OBJ)
    works("an MTU of 1500", "ip", "link", "set", "eth0", "mtu", "1500")


def main():
    before = objects()
    for dev in ("eth0", "eth1"):
        works(f"{dev}: RSS to one ring", "ethtool", "-X", dev, "equal", "1")
    sender, host = listen("eth1"), listen("eth0")
    check_explain()
    native = Native(OBJ, "front")
    want = outcome(sender, host, mixture(1, 400))
    native.end()
    check_same(sender, host, want)
    check_same(sender, host, want, "--carrier", "queue")
    check_forged(sender, host)
    check_closed(sender, host)
    check_learn(sender, host)
    check_shared(sender, host)
    check_rings(sender, host)
    split_kill.check_replaced(sender, host)
    split_kill.check_killed(sender, host)
    split_kill.check_killed(sender, host, "--carrier", "queue")
    split_tcp.check()
    left(before)
    return done()


if __name__ == "__main__":
    sys.exit(main())
