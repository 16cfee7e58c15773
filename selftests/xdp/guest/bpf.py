#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Guest side of offload.t: maps and programs offloaded to a card that runs the BPF
application, with the distribution's bpftool, ip and tc. Two ports, one cable."""

import os
import re
import struct
import sys

import bpf_attach
import bpf_limits
import bpf_show
import bpf_traffic
from bpf_tools import (FS, TREE, attach, batch, bpftool, detach, dump, fails, le, left, links,
                       map_cmd, map_create, number, run, shown, update, works)
from tap import done, ok, same

JITED = os.path.join(TREE, "build/guest/jited")
START = "bpf.py: start"


def check_probe():
    """What the driver made of the card's symbols."""
    _, log = run("dmesg")
    caps = re.findall(r"(eth\d): CAP: \S+ (.*)", log)
    ok(len(caps) == 2 and all(c.split()[-1] == "BPF" for _, c in caps),
       "both ports report BPF", caps)
    ok({"eth0", "eth1"} <= links(), "both interfaces exist", links())
    with open("/proc/interrupts", encoding="ascii") as f:
        vectors = dict(re.findall(r"(\d+)-edge +(ctrl-rxtx-0|eth0-rxtx-0|nfp_chan0-mailbox)\n",
                                  f.read()))
    ok(vectors.get("2") == "ctrl-rxtx-0", "control rings have vector 2", vectors)
    ok(int(max(vectors, key=int)) >= 7 and "nfp_chan0-mailbox" in vectors.values(),
       "nfp_chan has a vector after those of nfp", vectors)


def check_hash():
    """A hash map, key by key."""
    works("hash map of 4 entries", *map_create("h", "hash", 4, 8, 4))
    doc = bpftool("map", "show", "pinned", FS + "h")
    same((doc["type"], doc["dev"]["ifname"], doc["bytes_key"], doc["bytes_value"]),
         ("hash", "eth0", 4, 8), "map show")
    for key in range(4):
        works(f"update of key {key}", *update("h", key, key * 0x0102030405060708))
    fails("one entry too many: E2BIG", "Argument list too long", *update("h", 9, 1))
    fails("update with BPF_EXIST of a missing key: ENOENT",
          "No such file", *update("h", 9, 1, "exist"))
    fails("update with BPF_NOEXIST of an existing key: EEXIST",
          "File exists", *update("h", 1, 1, "noexist"))
    works("update with BPF_EXIST of an existing key", *update("h", 1, 77, "exist"))
    doc = bpftool("map", "lookup", "pinned", FS + "h", "key", *le(4, 3))
    same(number(doc["value"]), 3 * 0x0102030405060708, "lookup returns the bytes that were written")
    fails("lookup of an unknown key: ENOENT", "Not found",
          *map_cmd("lookup", "h", "key", *le(4, 9)))
    works("delete", *map_cmd("delete", "h", "key", *le(4, 0)))
    fails("delete again: ENOENT", "No such file", *map_cmd("delete", "h", "key", *le(4, 0)))
    same(dump("h"), {1: 77, 2: 2 * 0x0102030405060708, 3: 3 * 0x0102030405060708}, "dump")
    works("an update with BPF_NOEXIST uses the room of the deleted entry",
          *update("h", 9, 99, "noexist"))


def check_array():
    works("array of 10 entries", *map_create("a", "array", 4, 8, 10))
    same(dump("a"), {k: 0 for k in range(10)}, "all entries exist and are 0")
    works("update", *update("a", 9, 12345))
    fails("update with BPF_NOEXIST: EEXIST", "File exists", *update("a", 9, 1, "noexist"))
    fails("update of an index that is too high: E2BIG",
          "Argument list too long", *update("a", 10, 1))
    fails("lookup of an index that is too high: ENOENT",
          "Not found", *map_cmd("lookup", "a", "key", *le(4, 10)))
    fails("delete: EINVAL", "Invalid argument", *map_cmd("delete", "a", "key", *le(4, 0)))
    same(dump("a"), {**{k: 0 for k in range(9)}, 9: 12345}, "dump")


def check_walk():
    """A walk sees every entry once, in groups of four as the driver asks."""
    works("hash map of 101 entries", *map_create("w", "hash", 4, 8, 101))
    line = "map {} pinned " + FS + "w key {}"
    batch("map filled", [line.format("update", " ".join(le(4, k * 7919))) + " value " +
                     " ".join(le(8, k)) for k in range(101)])
    same(dump("w"), {k * 7919: k for k in range(101)}, "dump has each entry")
    batch("every third entry deleted", [line.format("delete", " ".join(le(4, k * 7919)))
                                  for k in range(0, 101, 3)])
    left = {k * 7919: k for k in range(101) if k % 3}
    same(dump("w"), left, "dump has the other entries")
    seen = []
    doc = bpftool("map", "getnext", "pinned", FS + "w")
    for _ in range(9):
        seen.append(number(doc["next_key"]))
        doc = bpftool("map", "getnext", "pinned", FS + "w", "key", *le(4, seen[-1]))
    ok(len(set(seen)) == 9 and set(seen) <= set(left), "getnext, one key after another", seen)


def jited(prog):
    """Return the JITed instructions of a program, and write them to a file for other tests."""
    path = f"{JITED}/{prog['name']}.bin"
    works(f"{prog['name']}: JITed bytes", f"{TREE}/build/guest/test/bpf_jited",
          str(prog["id"]), path)
    with open(path, "rb") as f:
        data = f.read()
    same(len(data), prog["bytes_jited"], "bpftool shows the number of these bytes")
    return struct.unpack(f"<{len(data) // 8}Q", data)


def check_program(name, maps):
    """Attach a program, check what bpftool shows, detach it. bpf_show.py checks more."""
    works(f"{name}: offloaded to eth0", *attach("eth0", name))
    progs = shown(name)
    if len(progs) != 1:
        ok(False, f"{name}: bpftool shows one program", progs)
        return
    prog = progs[0]
    same((prog["dev"]["ifname"], prog["jited"], len(prog.get("map_ids", []))),
         ("eth0", True, maps), "prog show")
    words = jited(prog)
    ok(all(w >> 45 & 0x7f == 0 for w in words) and any(w >> 56 for w in words),
       "instructions have relocations and no ECC", [hex(w) for w in words[:8]])
    works(f"{name}: detached", *detach("eth0"))
    same(shown(name), [], f"{name}: bpftool shows no such program any more")


def check_reload():
    """Unload the driver with maps and programs on the card, and load it again."""
    bpf_attach.check_removal()
    for name in ("h", "a", "w"):
        os.unlink(FS + name)
    left(([], []))
    works("a hash map with all elements of the card", *map_create("h", "hash", 4, 8, 2048000))
    works("update", *update("h", 1, 2))
    same(dump("h"), {1: 2}, "dump")
    os.unlink(FS + "h")
    left(([], []))


def check_log():
    """The log has no warnings or errors, except those that the tests have caused."""
    _, log = run("dmesg", "--level=emerg,alert,crit,err,warn,notice", "--notime")
    lines = [line for line in log.split(START)[-1].splitlines()[1:]
             if " firmware: failed to load " not in line and "hrtimer: " not in line]
    known = ("NFP net bpf: instruction limit reached (2560 NFP instructions)",
             "NFP net bpf: Translation failed with error -28 ",
             "return codes and behavior of bpf_event_output() helper differs",
             "Cannot disable HW TC offload while offloads active", "set_features() failed (-16)")
    same([line for line in lines if not any(k in line for k in known)], [],
         "the kernel log has only the messages that the tests have caused")


def main():
    with open("/dev/kmsg", "w", encoding="ascii") as f:
        f.write(f"<5>{START}\n")
    os.makedirs(JITED, exist_ok=True)
    check_probe()
    check_hash()
    check_array()
    check_walk()
    bpf_limits.check()
    for dev in ("eth0", "eth1"):
        works(f"{dev} up", "ip", "link", "set", dev, "up")
    for name, maps in (("pass", 0), ("drop", 0), ("count", 2), ("event", 1), ("move", 0)):
        check_program(name, maps)
    bpf_show.check()
    bpf_attach.check()
    bpf_traffic.check()
    check_reload()
    check_log()
    return done()


if __name__ == "__main__":
    sys.exit(main())
