# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""An offloaded program and its maps from all sides: what bpftool prints for
people and what it prints as JSON."""

import json
import os
import re

from bpf_tools import (FS, XDP, attach, bpftool, detach, fails, left, map_create, objects, plain,
                       run, says, shown, works)
from tap import ok, same


def hexes(*numbers):
    return [f"0x{n:02x}" for n in numbers]


def dumped(prog, *how):
    """Dump a program while /proc/kallsyms is hidden. bpftool would sort the symbols for seconds,
    and a program on the card calls no kernel function."""
    status, out = run("unshare", "-m", "sh", "-c",
                      'mount --bind /dev/null /proc/kallsyms && exec bpftool "$@"', "sh",
                      *how, "prog", "dump", "xlated", "id", str(prog["id"]))
    ok(status == 0, f"prog dump xlated {' '.join(how)}", out)
    return out


def check_xlated(prog):
    text, doc = dumped(prog), dumped(prog, "-j")
    lines = re.findall(r"^ *\d+: (\(.*)$", text, re.M)
    ok("(db) lock *(u64 *)(r0 +0) += r1" in lines, "the dump has an atomic add", text)
    same([i["disasm"] for i in json.loads(doc) if "disasm" in i], lines,
         "text and JSON have the same instructions")
    path = "/tmp/xlated"
    works("... into a file", "bpftool", "prog", "dump", "xlated", "id", str(prog["id"]),
          "file", path)
    same(os.path.getsize(path), prog["bytes_xlated"], "the file has all instructions")
    os.unlink(path)


def check_jited(prog):
    """Distributions' bpftool has no disassembler; bpf.py has looked at the bytes."""
    how = ["prog", "dump", "jited", "id", str(prog["id"])]
    fails("prog dump jited", "Error: No JIT disassembly support", "bpftool", *how)
    fails("... as JSON", '{"error":"No JIT disassembly support"}', "bpftool", "-j", *how)
    fails("... into a file", "No JIT disassembly support", "bpftool", *how, "file", "/tmp/jited")


def check_prog(prog):
    number, tag = str(prog["id"]), prog["tag"]
    same((prog["type"], prog["dev"]["ifname"], prog["orphaned"], prog["jited"]),
         ("xdp", "eth0", False, True), "prog show as JSON")
    want = rf"^{number}: xdp  name count  tag {tag}  offloaded_to eth0$"
    for how in (["id", number], ["tag", tag], ["name", "count"], []):
        says(f"prog show {' '.join(how[:1])}", want, "prog", "show", *how)
    says("prog show: sizes and maps",
         rf"^\txlated {prog['bytes_xlated']}B  jited {prog['bytes_jited']}B .* "
         rf"map_ids {','.join(map(str, prog['map_ids']))}$", "prog", "show", "id", number)
    works("prog pin", "bpftool", "prog", "pin", "id", number, FS + "one")
    same(run("bpftool", "-j", "prog", "pin", "id", number, FS + "two"), (0, "null\n"),
         "... as JSON")
    says("prog show pinned", want, "prog", "show", "pinned", FS + "one")
    same(bpftool("prog", "show", "pinned", FS + "two"), prog, "... as JSON")
    same(sorted(bpftool("-f", "prog", "show", "id", number)["pinned"]), [FS + "one", FS + "two"],
         "prog show has both paths at which the program is pinned")


def check_net(prog):
    says("net show", rf"^eth0\(\d+\) offload id {prog['id']} *$", "net", "show")
    says("net show of a port", rf"^eth0\(\d+\) offload id {prog['id']} *$",
         "net", "show", "dev", "eth0")
    same(bpftool("net", "show")[0]["xdp"],
         [{"devname": "eth0", "ifindex": prog["dev"]["ifindex"], "mode": "offload",
           "id": prog["id"]}], "net show as JSON")
    ok(f"offload id {prog['id']}" not in plain("net", "show", "dev", "eth1"),
       "net show has no program at the other port")


def check_map_show(prog):
    for m in prog["map_ids"]:
        doc = bpftool("map", "show", "id", str(m))
        same((doc["dev"], doc["flags"], doc["bytes_key"]), (prog["dev"], 0, 4),
             f"map show: {doc['name']} is on the program's device")
        says("... as text",
             rf"^{m}: {doc['type']}  name {doc['name']}  flags 0x0  offloaded_to eth0\n"
             rf"\tkey 4B  value {doc['bytes_value']}B  max_entries {doc['max_entries']}  memlock",
             "map", "show", "id", str(m))
    same({m["name"] for m in bpftool("map", "show")} >= {"all", "sources"}, True,
         "map show has both maps")


def check_map_entries():
    """Run each map command with text output, then with JSON, on a map of two entries."""
    works("map of 2", *map_create("s", "hash", 4, 8, 2))
    one, two = ["1", "0", "0", "0"], ["2", "0", "0", "0"]
    at = ["pinned", FS + "s"]
    value = ["value", "hex", "8", "7", "6", "5", "4", "3", "2", "1"]
    entry = {"key": hexes(1, 0, 0, 0), "value": hexes(8, 7, 6, 5, 4, 3, 2, 1)}
    line = "key: 01 00 00 00  value: 08 07 06 05 04 03 02 01"

    same(run("bpftool", "map", "update", *at, "key", *one, *value), (0, ""), "map update")
    same(run("bpftool", "-j", "map", "update", *at, "key", *two, *value), (0, "null\n"),
         "... as JSON")
    says("map lookup", rf"\A{line}\n\Z", "map", "lookup", *at, "key", *one)
    same(bpftool("map", "lookup", *at, "key", *one), entry, "... as JSON")
    text = plain("map", "dump", *at)
    ok(line in text and text.endswith("Found 2 elements\n"), "map dump", text)
    doc = bpftool("map", "dump", *at)
    ok(len(doc) == 2 and entry in doc, "... as JSON", doc)
    first = bpftool("map", "getnext", *at)["next_key"]
    says("map getnext", rf"\Akey: None\nnext key:\n{first[0][2:]} 00 00 00 *\n\Z",
         "map", "getnext", *at)
    key = [str(int(h, 16)) for h in first]
    other = hexes(3 - int(first[0], 16), 0, 0, 0)
    same(bpftool("map", "getnext", *at, "key", *key), {"key": first, "next_key": other},
         "... as JSON")
    fails("map getnext after the last key", "can't get next key: No such file", "bpftool", "map",
          "getnext", *at, "key", *[str(int(h, 16)) for h in other])
    same(run("bpftool", "map", "delete", *at, "key", *one), (0, ""), "map delete")
    same(run("bpftool", "-j", "map", "delete", *at, "key", *two), (0, "null\n"), "... as JSON")
    same(run("bpftool", "-j", "map", "delete", *at, "key", *two)[1],
         '{"error":"delete failed: No such file or directory"}\n', "... again")
    same((plain("map", "dump", *at), bpftool("map", "dump", *at)), ("Found 0 elements\n", []),
         "map dump of an empty map, as text and as JSON")


def check_map_pin():
    works("map pin", "bpftool", "map", "pin", "pinned", FS + "s", FS + "s2")
    same(run("bpftool", "-j", "map", "pin", "pinned", FS + "s", FS + "s3"), (0, "null\n"),
         "... as JSON")
    pins = [FS + "s", FS + "s2", FS + "s3"]
    same(sorted(bpftool("-f", "map", "show", "pinned", FS + "s2")["pinned"]), pins,
         "map show has the paths at which the map is pinned")
    for path in pins[:2]:
        os.unlink(path)
    works("one pin keeps the map", "bpftool", "map", "dump", "pinned", FS + "s3")
    os.unlink(FS + "s3")


def check_features():
    """bpftool probes by loading programs. The result must be what the card reports."""
    doc = bpftool("feature", "probe", "dev", "eth0")
    same(sorted(k for k, v in doc["map_types"].items() if v),
         ["have_array_map_type", "have_hash_map_type"], "feature probe: map types")
    same(sorted(doc["helpers"]["xdp_available_helpers"]),
         ["bpf_get_prandom_u32", "bpf_map_delete_elem", "bpf_map_lookup_elem",
          "bpf_map_update_elem", "bpf_perf_event_output", "bpf_xdp_adjust_head",
          "bpf_xdp_adjust_tail"], "feature probe: helpers of XDP programs")


def check():
    before = objects()
    works("an object that ip loads", *attach("eth0", "count"))
    prog = shown("count")[0]
    check_xlated(prog)
    check_jited(prog)
    check_prog(prog)
    check_net(prog)
    check_map_show(prog)
    check_map_entries()
    check_map_pin()
    check_features()
    works("detached", *detach("eth0"))
    same(len(shown("count")), 1, "the detached program still exists, because it is pinned")
    for dev in ("eth0", "eth1"):
        works(f"pinned program attached to {dev}", "ip", "link", "set", "dev", dev, "xdpoffload",
              "pinned", FS + "one")
    for dev in ("eth0", "eth1"):
        works(f"pinned program detached from {dev}", *detach(dev))
    for name in ("one", "two"):
        os.unlink(FS + name)
    works("bpftool loads a program for the card",
          "bpftool", "prog", "load", f"{XDP}/count.o", FS + "p",
          "type", "xdp", "offload_dev", "eth1")
    same(shown("count")[0]["dev"]["ifname"], "eth1", "prog show has the device")
    os.unlink(FS + "p")
    left(before)
