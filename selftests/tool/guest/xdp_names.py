#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Guest side of xdp_names.t: maps that have the 15 characters in common that the kernel keeps of a
name, alternative names of an interface, and users without privilege.

The programs are in selftests/xdp/names. Frames come from the other end of a cable. A program
without BTF is one whose object has no section .BTF.ext: the kernel then has only cut names."""

import json
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import tempfile

import json_keys
from tap import SLOW, done, ok, same

FOLDER = "build/guest/xdp-names"
FRAME = b"\2" * 12 + struct.pack("!H", 0x88b5) + bytes(46)
RX, TX = "connection_stats_rx", "connection_stats_tx"
NEW, OLD = "packet_event_of_new", "packet_event_of_old"
CUT = "the kernel keeps only the first 15 characters"
temp = tempfile.TemporaryDirectory()


def obj(name):
    return f"{FOLDER}/{name}.o"


def cut(name):
    """A copy of an object whose program the kernel loads without BTF."""
    path = f"{temp.name}/{name}.o"
    with open(obj(name), "rb") as f, open(path, "wb") as to:
        to.write(f.read().replace(b".BTF.ext\0", b".BTX.ext\0"))
    return path


def output(*args):
    """(exit status, stdout, stderr) of a command."""
    got = subprocess.run(args, capture_output=True, text=True, check=False, timeout=60 * SLOW,
                         stdin=subprocess.DEVNULL)
    return got.returncode, got.stdout, got.stderr


def tool(*args):
    return output("nfpchan", *args)


def must(*args):
    status, _, err = output(*args)
    if status:
        sys.exit(f"xdp_names.py: {' '.join(args)}: {err}")


def refused(args, words, name):
    """The command fails, and its message has these words."""
    status, out, err = tool(*args)
    ok((status, out) == (1, "") and all(w in err for w in words), name, f"{status} {out}{err}")
    return err


def attach(path, dev="eth0"):
    must("ip", "link", "set", "dev", dev, "xdpoffload", "off")
    must("ip", "link", "set", "dev", dev, "xdpoffload", "obj", path, "sec", "xdp")


def detach(dev="eth0"):
    must("ip", "link", "set", "dev", dev, "xdpoffload", "off")


def program(dev="eth0"):
    """The attached program as bpftool describes it, or None."""
    link = json.loads(output("ip", "-j", "-d", "link", "show", "dev", dev)[1])[0]
    number = link.get("xdp", {}).get("prog", {}).get("id")
    return number and json.loads(output("bpftool", "-j", "prog", "show", "id", str(number))[1])


def wire(dev):
    s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
    s.bind((dev, 0))
    return s


def passed(dev="eth0"):
    """Frames that the card has passed to the stack of an interface."""
    return int(re.search(r"bpf_pass_pkts: (\d+)", output("ethtool", "-S", dev)[1])[1])


def send(count, peer="eth1", dev="eth0"):
    """Send frames, and wait until the program has seen them."""
    before = passed(dev)
    s = wire(peer)
    for _ in range(count):
        s.send(FRAME)
    while passed(dev) < before + count:
        pass


def dump(name, dev="eth0"):
    """The first counter of a map, or the message of a failure."""
    status, out, err = tool("-j", "xdp", "map", "dump", str(name), "-d", dev)
    return err if status else json.loads(out)[0]["value"][0]


class Events:
    """A running command that prints events."""

    def __init__(self, *args, dev="eth0", watch=False):
        self.process = subprocess.Popen(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        text=True, stdin=subprocess.DEVNULL)
        self.said = self.process.stderr.readline()
        while not watch and self.process.poll() is None and not program(dev):
            pass

    def event(self, peer="eth1"):
        """Send a frame, and return the data of the event that comes."""
        if self.process.poll() is not None:
            return self.said
        wire(peer).send(FRAME)
        words = self.process.stdout.readline().split()
        return words[words.index("data") + 1]

    def end(self):
        self.process.send_signal(signal.SIGINT)
        return self.process.communicate(timeout=60 * SLOW)


# ---- maps ----

def check_dump():
    attach(obj("counters"))
    send(7)
    same((dump(RX), dump(TX)), (7, 700), "xdp map dump prints each of two maps")
    json_keys.check("xdp map dump", json.loads(tool("-j", "xdp", "map", "dump", RX, "-d", "eth0")[1]))
    ids = sorted(program()["map_ids"])
    same([dump(i) for i in ids], [7, 700], "and finds them by their numbers")
    refused(("xdp", "map", "dump", "connection_stats_zz", "-d", "eth0"),
            ['uses a map "connection_stats_zz"'], "a third name is the name of none")
    refused(("xdp", "map", "dump", str(ids[1] + 999), "-d", "eth0"),
            [f'uses a map "{ids[1] + 999}"'], "a number of no map")


def check_replace():
    before = program()
    status, _, err = tool("xdp", "replace", "-d", "eth0", obj("counters"))
    same((status, err, sorted(program()["map_ids"])), (0, "", sorted(before["map_ids"])),
         "xdp replace keeps both maps")
    send(3)
    same((dump(RX), dump(TX)), (10, 1000), "each goes on counting")
    before = program()
    refused(("xdp", "replace", "-d", "eth0", obj("turned")), [RX, TX, "would be taken for", "change"],
            "maps in another order, which could not be told afterwards")
    same((program()["id"], dump(RX), dump(TX)), (before["id"], 10, 1000), "nothing has changed")


def check_one():
    """The program uses one of two maps: the kernel does not know which."""
    attach(obj("one"))
    send(2)
    number, = program()["map_ids"]
    for name in (RX, TX):
        refused(("xdp", "map", "dump", name, "-d", "eth0"), [name, f"map {number}:", CUT],
                f"one of two maps is used: {name} is refused")
    same(dump(number), 200, "its number finds it")
    before = program()
    refused(("xdp", "replace", "-d", "eth0", obj("counters")), [RX, f"map {number}:", CUT, "Change"],
            "xdp replace does not guess")
    same(program()["id"], before["id"], "the program is still there")


def check_cut():
    """Programs whose whole names the kernel does not have"""
    attach(cut("counters"))
    send(4)
    ids = sorted(program()["map_ids"])
    for name in (RX, TX):
        refused(("xdp", "map", "dump", name, "-d", "eth0"),
                [f"map {name}", *map(str, ids), CUT], f"without BTF: {name} is refused")
    same(sorted(dump(i) for i in ids), [4, 400], "without BTF: numbers find the maps")
    refused(("xdp", "replace", "-d", "eth0", obj("counters")), [*map(str, ids), CUT],
            "without BTF: xdp replace refuses to guess")
    attach(cut("one"))
    number, = program()["map_ids"]
    refused(("xdp", "replace", "-d", "eth0", obj("counters")), [RX, TX, f"map {number} "],
            "without BTF: a map is not taken twice")
    same(program()["map_ids"], [number], "the program is still there")
    send(1)
    same(dump(TX), 100, "without BTF: a map whose cut name is the only one is found")
    detach()


def received(card, name):
    """A message of a channel, in hexadecimal. Frames are sent until the command has one."""
    with subprocess.Popen(["nfpchan", "-c", card, "recv", "-x", "-n", "1", name],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as run:
        while run.poll() is None:
            wire("eth1").send(FRAME)
        return run.stdout.read().replace(" ", "")


def check_events():
    for name, data in ((NEW, "11111111"), (OLD, "22222222")):
        run = Events("nfpchan", "xdp", "run", "-d", "eth0", "-m", name, obj("events"))
        ok(f"({name})" in run.said, f"xdp run --map {name} says which map it is", run.said)
        same(run.event(), data, "its events come")
        run.end()
        run = Events("nfpchan", "xdp", "run", "-d", "eth0", "-m", name, cut("events"))
        same(run.event(), data, "also without BTF: the object has the names")
        run.end()
    attach(obj("events"))
    for name, data in ((NEW, "11111111"), (OLD, "22222222")):
        run = Events("nfpchan", "xdp", "watch", "-d", "eth0", "-m", name, watch=True)
        same(run.event(), data, f"xdp watch --map {name}")
        run.end()
    refused(("xdp", "watch", "-d", "eth0", "-m", "packet_event_of_zz"), ["named packet_event_of_zz"],
            "xdp watch: a third name")
    for name, data in ((NEW, "11111111"), (OLD, "22222222")):
        check_tails(name, data)
        same(received("bpf:eth0", name)[:8], data, f"bpf: channel {name}")
    names = {c["name"] for c in json.loads(tool("-j", "-c", "bpf:eth0", "list")[1])}
    ok({NEW, OLD} <= names, "bpf: channels have whole names", names)
    attach(cut("events"))
    ids = sorted(program()["map_ids"])
    refused(("xdp", "watch", "-d", "eth0", "-m", NEW), [NEW, *map(str, ids), CUT],
            "xdp watch without BTF")
    for number in ids:
        run = Events("nfpchan", "xdp", "watch", "-d", "eth0", "-m", str(number), watch=True)
        same(run.event() in ("11111111", "22222222"), True, "a number chooses a map")
        run.end()
    refused(("-c", "bpf:eth0", "recv", "-n", "1", NEW[:15]), [*map(str, ids), "change one"],
            "bpf: channels of one name without BTF")
    detach()


def check_tails(name, data):
    """A policy graph whose node sends the events of the map: an edge is for its data alone."""
    path = f"{temp.name}/names.graph"
    with open(path, "w", encoding="utf-8") as f:
        f.write(f"device nic card 0\nnode frames nic out xdp0 events eth0 {name}\n"
                f"node pit nic in pit\nedge frames -> pit match u32 24 = 0x{data}\n")
    status, _, err = tool("graph", "load", path)
    same((status, err), (0, ""), f"a policy graph with the events of {name}")
    wire("eth1").send(FRAME)
    while not status:
        edge, = json.loads(tool("-j", "graph", "stats", "names")[1])["edges"]
        if edge["messages"] + edge["dropped"]:
            break
    same((edge["messages"], edge["dropped"]), (1, 0), "gets the events of that map")
    tool("graph", "unload", "names")


# ---- interfaces ----

def maps_on_card(*args):
    """Number of maps that xdp explain finds on a card."""
    return json.loads(output(*args, "nfpchan", "-j", "xdp", "explain", "-d", "wan2",
                             obj("single"))[1])["device"].get("maps")


def check_altname():
    must("ip", "link", "property", "add", "dev", "eth2", "altname", "wan2")
    for dev in ("eth2", "eth3"):
        must("ip", "link", "set", "dev", dev, "arp", "off", "promisc", "on", "up")
        must("build/guest/test/net_wait", dev, "up")
    run = Events("nfpchan", "xdp", "run", "-d", "wan2", obj("single"), dev="eth2")
    ok("eth2: program" in run.said, "xdp run with an alternative name", run.said)
    same(run.event("eth3"), "01000000", "its events come")
    same(maps_on_card(), 1, "xdp explain with an alternative name finds the card's map")
    same(dump("hits", "wan2"), 1, "xdp map dump as well")
    run.end()
    attach(obj("single"), "eth2")
    run = Events("nfpchan", "xdp", "watch", "-d", "wan2", watch=True)
    same(run.event("eth3"), "01000000", "xdp watch with an alternative name")
    run.end()
    status, _, err = tool("xdp", "replace", "-d", "wan2", obj("single"))
    same((status, err), (0, ""), "xdp replace with an alternative name")
    real, other = (json.loads(tool("-j", "-c", f"bpf:{d}", "info")[1]) for d in ("eth2", "wan2"))
    same(other, real, "card bpf: with an alternative name")
    same(os.path.basename(os.readlink("/sys/class/net/eth2/device")) in json.dumps(other), True,
         "is the second card")
    detach("eth2")


def check_netns():
    """/sys shows the network namespace in which it was mounted, not that of the process."""
    must("ip", "netns", "add", "far")
    must("ip", "link", "set", "dev", "eth2", "netns", "far")
    for args in (("up",), ("arp", "off", "promisc", "on")):
        must("ip", "-n", "far", "link", "set", "dev", "eth2", *args)
    enter = ("nsenter", "--net=/run/netns/far")
    must(*enter, "build/guest/test/net_wait", "eth2", "up")
    must("ip", "-n", "far", "link", "set", "dev", "eth2", "xdpoffload", "obj", obj("single"),
         "sec", "xdp")
    run = Events(*enter, "nfpchan", "xdp", "watch", "-d", "wan2", watch=True)
    same(run.event("eth3"), "01000000", "xdp watch in another network namespace")
    run.end()
    same(maps_on_card(*enter), 1, "xdp explain there finds the card's map")
    status, out, _ = tool("-j", "xdp", "explain", "-d", "eth0", obj("single"))
    same((status, "maps" in json.loads(out)["device"]), (0, False),
         "here it does not know whose map that is")


# ---- privilege ----

def check_nobody():
    attach(obj("counters"))
    for args in (("run", "-d", "eth0", obj("single")), ("run", "--split", "-d", "eth1", obj("single")),
                 ("replace", "-d", "eth0", obj("counters")), ("watch", "-d", "eth0"),
                 ("map", "dump", RX, "-d", "eth0")):
        status, out, err = output("setpriv", "--reuid", "tester", "--clear-groups", "nfpchan", "xdp",
                                  *args)
        ok((status, out) == (1, "") and "CAP_SYS_ADMIN" in err and "explain" not in err and
           "RLIMIT" not in err, f"without privilege: xdp {' '.join(args[:2])}", f"{status} {out}{err}")
    detach()


def main():
    check_dump()
    check_replace()
    check_one()
    check_cut()
    check_events()
    check_nobody()
    check_altname()
    check_netns()
    return done()


sys.exit(main())
