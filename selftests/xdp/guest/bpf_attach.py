# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Attaching: replace, both ports, modes beside each other, what is refused, and
what becomes of programs whose card goes. Cases are those of the kernel's
tools/testing/selftests/net/bpf_offload.py that a real driver can have."""

import json
import os
import re

from bpf_tools import (FS, XDP, attach, bpftool, detach, fails, fails_clean, kmsg, left, links,
                       map_create, objects, run, said_since, says, shown, works, xdp_mode)
from tap import ok, same

BUSY, EINVAL = "Device or resource busy", "Invalid argument"


def link(dev, *what):
    return ["ip", "link", "set", "dev", dev, *what]


def load(prog, name, *bound):
    """Arguments that load and pin a program, for the host or bound to a device."""
    return ["bpftool", "prog", "load", f"{XDP}/{prog}.o", FS + name, "type", "xdp", *bound]


def check_replace():
    """Replace programs, use both ports, set an interface down and up."""
    works("pass at eth0", *attach("eth0", "pass"))
    same(xdp_mode("eth0"), ("pass", 3), "ip shows the program as offloaded")
    fails_clean("attach a second program: EBUSY",
                "XDP program already attached", *attach("eth0", "drop"))
    works("replaced with -force", *attach("eth0", "drop", "-force"))
    same(xdp_mode("eth0")[0], "drop", "ip shows the new program")
    works("another program at eth1", *attach("eth1", "move"))
    for state in ("down", "up"):
        works(f"eth0 {state}", *link("eth0", state))
    same((xdp_mode("eth0")[0], xdp_mode("eth1")[0]), ("drop", "move"),
         "both programs are still attached")
    works("eth0 down", *link("eth0", "down"))
    works("replaced while eth0 is down", *attach("eth0", "count", "-force"))
    works("eth0 up", *link("eth0", "up"))
    works("detached from eth1", *detach("eth1"))


def check_modes():
    """Attach a host program in addition to the offloaded program count."""
    works("a native program besides the offloaded one",
          *link("eth0", "xdpdrv", "obj", f"{XDP}/pass.o", "sec", "xdp"))
    net = bpftool("net", "show", "dev", "eth0")[0]["xdp"][0]
    ids = {a["mode"]: a["id"] for a in net["multi_attachments"]}
    same(sorted(ids), ["driver", "offload"], "net show has both programs")
    says("... as text",
         rf"^eth0\(\d+\) driver id {ids['driver']} offload id {ids['offload']} *$",
         "net", "show", "dev", "eth0")
    doc = json.loads(run("ip", "-j", "-d", "link", "show", "dev", "eth0")[1])[0]["xdp"]
    same((doc["mode"], [(a["mode"], a["prog"]["name"]) for a in doc["attached"]]),
         (4, [(1, "pass"), (3, "count")]), "ip shows both programs")
    fails_clean("detach without a mode is ambiguous",
                "More than one program loaded, unset mode is ambiguous.",
                *link("eth0", "xdp", "off"))
    fails_clean("generic in addition to native",
                "Native and generic XDP can't be active at the same time.",
                "ip", "-force",
                *link("eth0", "xdpgeneric", "obj", f"{XDP}/pass.o", "sec", "xdp")[1:])
    fails("an MTU that is too large for native XDP", EINVAL, *link("eth0", "mtu", "9000"))
    works("native program detached", *link("eth0", "xdpdrv", "off"))
    same(xdp_mode("eth0"), ("count", 3), "the offloaded program stays")
    works("a generic program besides the offloaded one",
          *link("eth0", "xdpgeneric", "obj", f"{XDP}/pass.o", "sec", "xdp"))
    works("offloaded program detached", *detach("eth0"))
    same(xdp_mode("eth0"), ("pass", 2), "the generic program stays")
    works("generic program detached", *link("eth0", "xdpgeneric", "off"))
    for mode in ("xdpoffload", "xdpoffload", "xdpdrv", "xdpgeneric", "xdp"):
        works(f"detach without a program: {mode}", *link("eth0", mode, "off"))


def check_map_reuse():
    """Programs of both ports can use a map of the card, but not a map of the host."""
    works("a map on the card", *map_create("mine", "array", 4, 16, 2))
    works("a map on the host", "bpftool", "map", "create", FS + "host", "type", "array", "key", "4",
          "value", "16", "entries", "2", "name", "host")
    works("a program for the other port that uses the card's map",
          *load("count", "count", "map", "name", "all", "pinned", FS + "mine",
                "offload_dev", "eth1"))
    same(bpftool("map", "show", "pinned", FS + "mine")["id"] in shown("count")[0]["map_ids"], True,
         "the program uses this map")
    os.unlink(FS + "count")
    fails_clean("a program for the card that uses the host's map",
                "offload device mismatch between prog and map",
                *load("count", "count", "map", "name", "all", "pinned", FS + "host",
                      "offload_dev", "eth1"))
    for name in ("mine", "host"):
        os.unlink(FS + name)


def check_bound():
    """Programs made for one place, and put at another. One of the host's that is
    bound to eth1, in the card: driver_crash.t has that."""
    works("a program for the card", *load("pass", "card", "offload_dev", "eth0"))
    works("a program for the host", *load("pass", "host"))
    works("a program for the host that is bound to eth1",
          *load("pass", "bound", "xdpmeta_dev", "eth1"))
    works("a veth", "ip", "link", "add", "v0", "type", "veth", "peer", "name", "v1")
    works("a program that is bound to the veth", *load("pass", "veth", "xdpmeta_dev", "v0"))
    for name, error, dev, mode, prog in (
            ("the card's program as native", "Using offloaded program without HW_MODE flag is not "
             "supported.", "eth1", "xdpdrv", "card"),
            ("the card's program as generic", EINVAL, "eth1", "xdpgeneric", "card"),
            ("the host's program on the card", EINVAL, "eth1", "xdpoffload", "host"),
            ("the bound program as generic", "Can't attach device-bound programs in generic mode.",
             "eth1", "xdpgeneric", "bound"),
            ("the veth's program as native", "Program bound to different device.",
             "eth1", "xdpdrv", "veth"),
            ("the veth's program on the card", "Program bound to different device.",
             "eth1", "xdpoffload", "veth"),
            ("the card's program at a veth", "Program bound to different device.",
             "v0", "xdpoffload", "card")):
        fails_clean(name, error, *link(dev, mode, "pinned", FS + prog))
    same(xdp_mode("eth1")[0], None, "eth1 has no program after the refusals")
    works("the bound program as native", *link("eth1", "xdpdrv", "pinned", FS + "bound"))
    works("bound program detached", *link("eth1", "xdpdrv", "off"))
    fails_clean("a veth refuses offload", "failed to load: -22", *attach("v0", "pass"))
    for name in ("card", "host", "bound", "veth"):
        os.unlink(FS + name)
    check_map_reuse()
    works("veth deleted", "ip", "link", "del", "v0")


def check_mtu():
    """A program that may read beyond the first 2016 bytes; only these are in CTM."""
    works("load a program that takes offsets from the packet",
          *load("far", "far", "offload_dev", "eth1"))
    works("the program is attached: the MTU is below the limit",
          *link("eth1", "xdpoffload", "pinned", FS + "far"))
    since = kmsg()
    fails("a larger MTU is refused while the program is attached",
          BUSY, *link("eth1", "mtu", "9000"))
    said = said_since(since)
    ok("BPF offload active, potential packet access beyond hardware packet boundary" in said,
       "the kernel log has the reason", said)
    works("an MTU of the size that is in CTM", *link("eth1", "mtu", "2016"))
    works("program detached", *detach("eth1"))
    works("MTU 3600", *link("eth1", "mtu", "3600"))
    fails_clean("the program is refused with this MTU",
                "nfp: BPF offload not supported with potential "
                "packet access beyond HW packet split boundary.",
                *link("eth1", "xdpoffload", "pinned", FS + "far"))
    works("a program that reads only headers is accepted", *attach("eth1", "count"))
    works("program detached", *detach("eth1"))
    works("MTU 1500", *link("eth1", "mtu", "1500"))


def check_namespace():
    """Tools do not see the name of a port that is in another network namespace."""
    works("attached", *link("eth1", "xdpoffload", "pinned", FS + "far"))
    works("namespace", "ip", "netns", "add", "far")
    here = shown("far")[0]["dev"]
    works("eth1 moves to the namespace", "ip", "link", "set", "dev", "eth1", "netns", "far")
    there = shown("far")[0]["dev"]
    ok("ifname" not in there and there["ns_inode"] != here["ns_inode"],
       "prog show has the namespace, but no name of the port", there)
    status, out = run("ip", "netns", "exec", "far", "bpftool", "-j", "prog", "show", "name",
                      "far")
    same((status, json.loads(out)["dev"].get("ifname")), (0, "eth1"),
         "bpftool in the namespace shows the name")
    works("eth1 moves back", "ip", "-n", "far", "link", "set", "dev", "eth1", "netns", "1")
    works("namespace deleted", "ip", "netns", "del", "far")
    same(xdp_mode("eth1")[0], "far", "the program is still attached")
    works("program detached", *detach("eth1"))
    os.unlink(FS + "far")


def tc(command, dev="eth0", flags=("skip_sw",)):
    return ["tc", "filter", *command, "dev", dev, "ingress", "prio", "1", "handle", "1", "bpf",
            "obj", f"{XDP}-refused/program_tc.o", "sec", "tc", "da", *flags]


def check_tc():
    """The card runs either a tc classifier or an XDP program, not both."""
    works("clsact", "tc", "qdisc", "add", "dev", "eth0", "clsact")
    fails_clean("a classifier is refused while hw-tc-offload is off",
                "TC offload is disabled on net device.", *tc(["add"]))
    works("hw-tc-offload on", "ethtool", "-K", "eth0", "hw-tc-offload", "on")
    works("a classifier", *tc(["add"]))
    prog = shown("program_tc")[0]
    same((prog["type"], prog["dev"]["ifname"]), ("sched_cls", "eth0"), "prog show")
    says("net show", rf"^eth0\(\d+\) clsact/ingress program_tc.o:\[tc\] id {prog['id']} *$",
         "net", "show", "dev", "eth0")
    same(bpftool("net", "show", "dev", "eth0")[0]["tc"][0]["id"], prog["id"], "... as JSON")
    doc = json.loads(run("tc", "-j", "filter", "show", "dev", "eth0", "ingress")[1])[1]["options"]
    ok(doc["skip_sw"] and doc["in_hw"], "tc shows that the card runs it", doc)
    fails_clean("XDP in addition to a classifier", BUSY, *attach("eth0", "pass"))
    fails("hw-tc-offload cannot be turned off with a classifier",
          "Could not change any device features",
          "ethtool", "-K", "eth0", "hw-tc-offload", "off")
    works("hw-tc-offload can be set to on again", "ethtool", "-K", "eth0", "hw-tc-offload", "on")
    works("classifier replaced", *tc(["replace"]))
    ok(shown("program_tc")[0]["id"] != prog["id"] and len(shown("program_tc")) == 1,
       "bpftool shows the new classifier only")
    works("XDP at the other port", *attach("eth1", "pass"))
    works("program detached from eth1", *detach("eth1"))
    works("classifier removed with clsact", "tc", "qdisc", "del", "dev", "eth0", "clsact")
    same(shown("program_tc"), [], "bpftool shows no classifier any more")
    works("XDP instead of the classifier", *attach("eth0", "pass"))
    works("clsact", "tc", "qdisc", "add", "dev", "eth0", "clsact")
    fails_clean("a classifier in addition to XDP", BUSY, *tc(["add"]))
    works("a classifier on the host", *tc(["add"], flags=("skip_hw",)))
    works("host's classifier removed with clsact", "tc", "qdisc", "del", "dev", "eth0", "clsact")
    works("program detached", *detach("eth0"))
    works("hw-tc-offload off", "ethtool", "-K", "eth0", "hw-tc-offload", "off")


def check_statistics():
    stats = dict(re.findall(r"(bpf_\w+): (\d+)", run("ethtool", "-S", "eth0")[1]))
    same(sorted(stats), sorted(f"bpf_{v}_{u}" for v in ("pass", "app1", "app2", "app3")
                               for u in ("pkts", "bytes")), "counters of verdicts")


def check_removal():
    """Unload the driver: pinned programs become orphans, and maps cannot be used any more."""
    works("attached", *attach("eth0", "count"))
    prog = shown("count")[0]
    works("prog pin", "bpftool", "prog", "pin", "id", str(prog["id"]), FS + "orphan")
    works("map pin", "bpftool", "map", "pin", "id", str(prog["map_ids"][0]), FS + "lost")
    works("a program that is not pinned", *attach("eth1", "drop"))
    works("rmmod nfp", "modprobe", "-r", "nfp")
    doc = bpftool("prog", "show")
    same([(p["id"], p["orphaned"]) for p in doc], [(0, True)],
         "prog show has the pinned program as an orphan")
    says("... as text", r"^0: .*\n.* orphaned *$", "prog", "show", "pinned", FS + "orphan")
    same(bpftool("map", "show"), [], "map show has no map")
    for command in ("show", "dump"):
        fails(f"map {command}", "No such device", "bpftool", "map", command, "pinned", FS + "lost")
    fails("map show as JSON", '{"error":"can\'t get map info: No such device"}', "bpftool", "-j",
          "map", "show", "pinned", FS + "lost")
    works("modprobe nfp", "modprobe", "nfp")
    ok({"eth0", "eth1"} <= links(), "both interfaces exist again", links())
    same((xdp_mode("eth0")[0], xdp_mode("eth1")[0]), (None, None),
         "both interfaces have no program")
    fails("the orphan cannot be attached", "Program bound to different device",
          *link("eth0", "xdpoffload", "pinned", FS + "orphan"))
    for name in ("orphan", "lost"):
        os.unlink(FS + name)


def check():
    before = objects()
    check_replace()
    check_modes()
    check_bound()
    check_mtu()
    check_namespace()
    check_tc()
    check_statistics()
    left(before)
