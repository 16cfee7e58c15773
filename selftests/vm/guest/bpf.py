#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Guest side of bpf.t: maps and programs offloaded to a card that runs the BPF
application, with the distribution's bpftool and ip."""

import glob
import json
import os
import re
import struct
import subprocess
import sys

from tap import done, ok, same

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__)))))
XDP = os.path.join(TREE, "build/guest/xdp")
JITED = os.path.join(TREE, "build/guest/jited")
FS = "/sys/fs/bpf/"
START = "bpf.py: start"


def run(*args, text=None):
    """(exit status, what it printed) of a command."""
    got = subprocess.run(args, capture_output=True, text=True, check=False, timeout=60, input=text,
                         stdin=None if text else subprocess.DEVNULL)
    return got.returncode, got.stdout + got.stderr


def works(name, *args):
    status, out = run(*args)
    ok(status == 0, name, f"{args}: status {status}\n{out}")


def fails(name, error, *args):
    """The command fails, and says so in these words."""
    status, out = run(*args)
    ok(status != 0 and error in out, name, f"{args}: status {status}\n{out}")


def bpftool(*args):
    """The JSON document of a bpftool command, None when it fails."""
    got = subprocess.run(["bpftool", "-j", *args], capture_output=True, text=True, check=False,
                         timeout=60)
    if got.returncode or not got.stdout.strip():
        print(f"# bpftool {args}: status {got.returncode} {got.stdout} {got.stderr}")
        return None
    return json.loads(got.stdout)


def le(size, number):
    """A number as bpftool takes keys and values."""
    return [str(b) for b in number.to_bytes(size, "little")]


def number(hexes):
    return int.from_bytes(bytes(int(h, 16) for h in hexes), "little")


def map_create(name, kind, key, value, entries, dev="eth0"):
    return ["bpftool", "map", "create", FS + name, "type", kind, "key", str(key), "value",
            str(value), "entries", str(entries), "name", name, "offload_dev", dev]


def map_cmd(command, name, *rest):
    return ["bpftool", "map", command, "pinned", FS + name, *rest]


def update(name, key, value, *flags):
    return map_cmd("update", name, "key", *le(4, key), "value", *le(8, value), *flags)


def dump(name):
    """{key: value} of a map."""
    doc = bpftool("map", "dump", "pinned", FS + name)
    return {number(e["key"]): number(e["value"]) for e in doc}


def attach(dev, prog, *options):
    return ["ip", *options, "link", "set", "dev", dev, "xdpoffload", "obj", f"{XDP}/{prog}.o",
            "sec", "xdp"]


def detach(dev):
    return ["ip", "link", "set", "dev", dev, "xdpoffload", "off"]


def batch(name, commands):
    """Many bpftool commands in one process."""
    status, out = run("bpftool", "batch", "file", "-", text="\n".join(commands) + "\n")
    ok(status == 0, name, f"status {status}\n{out[-2000:]}")


def check_probe():
    """What the driver made of the card's symbols."""
    _, log = run("dmesg")
    caps = re.findall(r"(eth\d): CAP: \S+ (.*)", log)
    ok(len(caps) == 2 and all(c.split()[-1] == "BPF" for _, c in caps),
       "both ports say BPF", caps)
    links = {link["ifname"] for link in json.loads(run("ip", "-j", "link")[1])}
    ok({"eth0", "eth1"} <= links, "and are there", links)
    with open("/proc/interrupts", encoding="ascii") as f:
        vectors = dict(re.findall(r"(\d+)-edge +(ctrl-rxtx-0|eth0-rxtx-0|nfp_chan0-mailbox)\n",
                                  f.read()))
    ok(vectors.get("2") == "ctrl-rxtx-0", "control rings have the third vector", vectors)
    ok(int(max(vectors, key=int)) >= 7 and "nfp_chan0-mailbox" in vectors.values(),
       "nfp_chan found one behind those of nfp", vectors)


def check_hash():
    """A hash map, key by key."""
    works("hash map of 4 entries", *map_create("h", "hash", 4, 8, 4))
    doc = bpftool("map", "show", "pinned", FS + "h")
    same((doc["type"], doc["dev"]["ifname"], doc["bytes_key"], doc["bytes_value"]),
         ("hash", "eth0", 4, 8), "map show")
    for key in range(4):
        works(f"update of key {key}", *update("h", key, key * 0x0102030405060708))
    fails("one entry too many: E2BIG", "Argument list too long", *update("h", 9, 1))
    fails("exist, of a key that is not: ENOENT", "No such file", *update("h", 9, 1, "exist"))
    fails("noexist, of a key that is: EEXIST", "File exists", *update("h", 1, 1, "noexist"))
    works("exist, of a key that is", *update("h", 1, 77, "exist"))
    doc = bpftool("map", "lookup", "pinned", FS + "h", "key", *le(4, 3))
    same(number(doc["value"]), 3 * 0x0102030405060708, "lookup gives the bytes back")
    fails("lookup of an unknown key: ENOENT", "Not found",
          *map_cmd("lookup", "h", "key", *le(4, 9)))
    works("delete", *map_cmd("delete", "h", "key", *le(4, 0)))
    fails("delete again: ENOENT", "No such file", *map_cmd("delete", "h", "key", *le(4, 0)))
    same(dump("h"), {1: 77, 2: 2 * 0x0102030405060708, 3: 3 * 0x0102030405060708}, "dump")
    works("noexist in the room of the deleted", *update("h", 9, 99, "noexist"))


def check_array():
    works("array of 10 entries", *map_create("a", "array", 4, 8, 10))
    same(dump("a"), {k: 0 for k in range(10)}, "all of them are there, 0")
    works("update", *update("a", 9, 12345))
    fails("noexist: EEXIST", "File exists", *update("a", 9, 1, "noexist"))
    fails("an index too high: E2BIG", "Argument list too long", *update("a", 10, 1))
    fails("lookup there: ENOENT", "Not found", *map_cmd("lookup", "a", "key", *le(4, 10)))
    fails("delete: EINVAL", "Invalid argument", *map_cmd("delete", "a", "key", *le(4, 0)))
    same(dump("a"), {**{k: 0 for k in range(9)}, 9: 12345}, "dump")


def check_walk():
    """A walk sees every entry once, in groups of four as the driver asks."""
    works("hash map of 101 entries", *map_create("w", "hash", 4, 8, 101))
    line = "map {} pinned " + FS + "w key {}"
    batch("filled", [line.format("update", " ".join(le(4, k * 7919))) + " value " +
                     " ".join(le(8, k)) for k in range(101)])
    same(dump("w"), {k * 7919: k for k in range(101)}, "dump has each entry")
    batch("every third deleted", [line.format("delete", " ".join(le(4, k * 7919)))
                                  for k in range(0, 101, 3)])
    left = {k * 7919: k for k in range(101) if k % 3}
    same(dump("w"), left, "dump has the others")
    seen = []
    doc = bpftool("map", "getnext", "pinned", FS + "w")
    for _ in range(9):
        seen.append(number(doc["next_key"]))
        doc = bpftool("map", "getnext", "pinned", FS + "w", "key", *le(4, seen[-1]))
    ok(len(set(seen)) == 9 and set(seen) <= set(left), "getnext by getnext", seen)


def check_limits():
    """The card's, each with the errno that users see; nothing stays behind."""
    before = len(bpftool("map", "show"))
    enomem, einval = "Cannot allocate memory", "Invalid argument"
    fails("key of 60 bytes", enomem, *map_create("x", "hash", 60, 4, 2))
    fails("value of 60 bytes", enomem, *map_create("x", "hash", 4, 60, 2))
    fails("key and value of 40 bytes", enomem, *map_create("x", "hash", 40, 40, 2))
    fails("more elements than the card has left", enomem,
          *map_create("x", "hash", 4, 8, 2048000))
    fails("array with a key of 8 bytes, which the card alone refuses", einval,
          *map_create("x", "array", 8, 8, 2))
    fails("no elements", einval, *map_create("x", "array", 4, 8, 0))
    fails("a per-CPU map", einval, *map_create("x", "percpu_hash", 4, 8, 2))
    works("as many elements as are left", *map_create("most", "hash", 4, 8, 2048000 - 115))
    fails("one more", enomem, *map_create("x", "array", 4, 8, 1))
    os.unlink(FS + "most")
    free = 128 - before
    batch(f"{free} maps more", [" ".join(map_create(f"m{i}", "array", 4, 8, 1)[1:])
                                for i in range(free)])
    fails("and no other", enomem, *map_create("x", "array", 4, 8, 1, "eth1"))
    for path in glob.glob(FS + "m*"):
        os.unlink(path)
    same(len(bpftool("map", "show")), before, "all are gone again")
    works("and there is room", *map_create("x", "array", 4, 8, 1, "eth1"))
    os.unlink(FS + "x")


def shown(name):
    """The programs of that name that bpftool knows."""
    return [p for p in bpftool("prog", "show") or [] if p["name"] == name]


def jited(prog):
    """The JITed words of a program, kept in a file for other tests."""
    path = f"{JITED}/{prog['name']}.bin"
    works(f"{prog['name']}: JITed bytes", f"{TREE}/build/guest/test/bpf_jited",
          str(prog["id"]), path)
    with open(path, "rb") as f:
        data = f.read()
    same(len(data), prog["bytes_jited"], "as many as bpftool says")
    return struct.unpack(f"<{len(data) // 8}Q", data)


def check_program(name, maps):
    """Attach, look at it from all sides, detach."""
    before = len(bpftool("map", "show"))
    works(f"{name}: offloaded to eth0", *attach("eth0", name))
    progs = shown(name)
    if len(progs) != 1:
        ok(False, f"{name}: one program", progs)
        return
    prog = progs[0]
    same((prog["dev"]["ifname"], prog["jited"], len(prog.get("map_ids", []))),
         ("eth0", True, maps), "prog show")
    net = bpftool("net", "show", "dev", "eth0")[0]["xdp"]
    same([(n["devname"], n.get("mode")) for n in net], [("eth0", "offload")], "net show")
    ok(bpftool("prog", "dump", "xlated", "id", str(prog["id"])), "prog dump xlated")
    words = jited(prog)
    ok(all(w >> 45 & 0x7f == 0 for w in words) and any(w >> 56 for w in words),
       "instructions with relocations to be done, no ECC yet", [hex(w) for w in words[:8]])
    works("prog pin", "bpftool", "prog", "pin", "id", str(prog["id"]), FS + "prog")
    works("detached", *detach("eth0"))
    same(len(shown(name)), 1, "pinned, thus there")
    for dev in ("eth0", "eth1"):
        works(f"and attached again, to {dev}", "ip", "link", "set", "dev", dev, "xdpoffload",
              "pinned", FS + "prog")
    for dev in ("eth0", "eth1"):
        works("detached", *detach(dev))
    os.unlink(FS + "prog")
    same((shown(name), len(bpftool("map", "show"))), ([], before), "nothing is left")


def xdp_mode(dev):
    """(mode, name) of the program that ip shows at a port."""
    link = json.loads(run("ip", "-j", "-d", "link", "show", "dev", dev)[1])[0]
    prog = link.get("xdp", {}).get("prog", {})
    return prog.get("name"), link.get("xdp", {}).get("mode")


def check_attach():
    """Replace, both ports, down and up, what is refused."""
    works("pass at eth0", *attach("eth0", "pass"))
    same(xdp_mode("eth0")[0], "pass", "shown by ip")
    fails("another: EBUSY", "already attached", *attach("eth0", "drop"))
    works("replaced when forced", *attach("eth0", "drop", "-force"))
    same(xdp_mode("eth0")[0], "drop", "shown by ip")
    works("another at eth1, of its own", *attach("eth1", "move"))
    for state in ("down", "up"):
        works(f"eth0 {state}", "ip", "link", "set", "eth0", state)
    same((xdp_mode("eth0")[0], xdp_mode("eth1")[0]), ("drop", "move"), "both are still there")
    works("replaced while down", "ip", "link", "set", "eth0", "down")
    works("...", *attach("eth0", "count", "-force"))
    works("... and up", "ip", "link", "set", "eth0", "up")
    works("a native program besides", "ip", "link", "set", "dev", "eth0", "xdpdrv", "obj",
          f"{XDP}/pass.o", "sec", "xdp")
    net = bpftool("net", "show", "dev", "eth0")[0]["xdp"][0]
    same(sorted(a["mode"] for a in net.get("multi_attachments", [])), ["driver", "offload"],
         "both are shown")
    works("the native one off", "ip", "link", "set", "dev", "eth0", "xdpdrv", "off")
    same(xdp_mode("eth0")[0], "count", "the offloaded one stays")
    works("off", *detach("eth0"))
    works("off at eth1", *detach("eth1"))
    same(bpftool("prog", "show") or [], [], "no program is left")
    fails("a helper that no card has", "unsupported function id: 5", *attach("eth0", "bad_helper"))
    fails("a program too long", "Invalid argument", *attach("eth0", "too_long"))
    ok("instruction limit reached (2560 NFP instructions)" in run("dmesg")[1],
       "the log says the limit")
    same((bpftool("prog", "show") or [], xdp_mode("eth0")[0]), ([], None), "nothing is left of them")
    stats = dict(re.findall(r"(bpf_\w+): (\d+)", run("ethtool", "-S", "eth0")[1]))
    same(sorted(stats), sorted(f"bpf_{v}_{u}" for v in ("pass", "app1", "app2", "app3")
                               for u in ("pkts", "bytes")), "counters of verdicts")


def frames(path):
    """Frames in a capture."""
    with open(path, "rb") as f:
        data = f.read()
    at, n = 24, 0
    while at < len(data):
        at += 16 + struct.unpack_from("<I", data, at + 8)[0]
        n += 1
    return n


def check_channels():
    """The card's other work goes on beside offload."""
    status, out = run("nfpchan", "flows", "--json", "--flush")
    if status:
        ok(False, "flows of the capture", out)
        return
    doc = json.loads(out)
    same(doc["packets"] + sum(doc["counters"].values()),
         frames(os.path.join(TREE, "selftests/data/real.pcap")),
         "the flow meter saw each frame of the capture")


def check_reload():
    """The driver goes with a map and a program on the card, and comes back."""
    works("program and maps of it", *attach("eth0", "count"))
    works("rmmod nfp", "modprobe", "-r", "nfp")
    status, out = run("bpftool", "map", "dump", "pinned", FS + "h")
    ok(status != 0, "a pinned map has lost its card", out)
    works("modprobe nfp", "modprobe", "nfp")
    same(xdp_mode("eth0")[0], None, "no program")
    for name in ("h", "a", "w"):
        os.unlink(FS + name)
    works("as many elements as the card has", *map_create("h", "hash", 4, 8, 2048000))
    works("update", *update("h", 1, 2))
    same(dump("h"), {1: 2}, "dump")
    os.unlink(FS + "h")


def check_log():
    """Nothing worse than notices, but for what was provoked."""
    _, log = run("dmesg", "--level=emerg,alert,crit,err,warn,notice", "--notime")
    lines = [line for line in log.split(START)[-1].splitlines()[1:]
             if " firmware: failed to load " not in line and "hrtimer: " not in line]
    known = ("NFP net bpf: instruction limit reached (2560 NFP instructions)",
             "NFP net bpf: Translation failed with error -28 ",
             "return codes and behavior of bpf_event_output() helper differs")
    same([line for line in lines if not any(k in line for k in known)], [],
         "the kernel log has no complaint but of too_long.c")


def main():
    with open("/dev/kmsg", "w", encoding="ascii") as f:
        f.write(f"<5>{START}\n")
    os.makedirs(JITED, exist_ok=True)
    check_probe()
    check_hash()
    check_array()
    check_walk()
    check_limits()
    for dev in ("eth0", "eth1"):
        works(f"{dev} up", "ip", "link", "set", dev, "up")
    for name, maps in (("pass", 0), ("drop", 0), ("count", 2), ("event", 1), ("move", 0)):
        check_program(name, maps)
    check_attach()
    check_channels()
    check_reload()
    check_log()
    return done()


if __name__ == "__main__":
    sys.exit(main())
