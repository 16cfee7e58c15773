#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host
# build: build/host/bin/nfpchan
"""nfpchan-json(5) has the keys that the sources of nfpchan write, and those that its commands
without a card print. Tests of the other commands compare what these print (rig/json_keys.py)."""

import glob
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

import json_keys
from tap import SLOW, TREE, done, ok, same, skip

# The sources of what each command prints
SOURCES = {
    "cmd_card.c": ["list", "info", "stats", "signal"],
    "cmd_msg.c": ["send", "recv"],
    "cmd_hold.c": ["link"],
    "cmd_flows.c flow_print.c": ["flows"],
    "frames/cmd_capture.c": ["capture"],
    "frames/cmd_replay.c": ["replay"],
    "graph/cmd_show.c": ["graph stats"],
    "firmware/show.c": ["firmware show"],
    "firmware/cmd_dump.c": ["firmware dump"],
    "firmware/cmd_list.c": ["firmware list"],
    "firmware/cmd_verify.c": ["firmware verify"],
    "xdp/report.c": ["xdp explain", "issues"],
    "xdp/split_plan.c xdp/split_run.c": ["xdp explain --split", "xdp run --split", "split"],
    "xdp/cmd_link.c": ["xdp link"],
    "xdp/cmd_map.c": ["xdp map dump"],
    "xdp/watch.c": ["xdp watch"],
}
WRITES = re.compile(r"\bjson_\w+\(&?[\w.>-]+, \"(\w+)\"")
# Two programs, of which one calls the other, and a map. The card takes neither.
OBJECT = r"""
#define SEC(name) __attribute__((section(name), used))
#define __uint(name, val) int (*name)[val]
#define __type(name, val) typeof(val) *name
struct {
	__uint(type, 3);	/* BPF_MAP_TYPE_PROG_ARRAY */
	__uint(max_entries, 1);
	__uint(key_size, 4);
	__uint(value_size, 4);
} next SEC(".maps");
struct {
	__uint(type, 9);	/* BPF_MAP_TYPE_LRU_HASH */
	__uint(max_entries, 8);
	__type(key, int);
	__type(value, long);
} hits SEC(".maps");
static void *(*lookup)(void *map, const void *key) = (void *)1;
static long (*tail_call)(void *ctx, void *map, unsigned int index) = (void *)12;
static unsigned long (*now)(void) = (void *)5;

SEC("xdp") int first(void *ctx)
{
	tail_call(ctx, &next, 0);
	return 2;
}

SEC("xdp") int second(void *ctx)
{
	int key = now();
	long *hit = lookup(&hits, &key);

	if (hit)
		__sync_fetch_and_add(hit, 1);
	return 2;
}
char licence[] SEC("license") = "GPL";
"""


def keys_in(path):
    """The keys that a source writes, by the names in its calls."""
    with open(os.path.join(TREE, "userspace/tools", path), encoding="utf-8") as f:
        return set(WRITES.findall(f.read()))


def check_sources():
    every = json_keys.sections()
    seen = set()
    for paths, names in SOURCES.items():
        seen |= set(paths.split())
        written = set().union(*map(keys_in, paths.split()))
        documented = set().union(*(json_keys.last_keys(every[name]) for name in names))
        same(sorted(written ^ documented), [], f"{paths}: the keys of {', '.join(names)}")
    folder = os.path.join(TREE, "userspace/tools")
    writers = {os.path.relpath(p, folder) for p in glob.glob(f"{folder}/**/*.c", recursive=True)
               if keys_in(os.path.relpath(p, folder))}
    same(sorted(writers ^ seen), [], "no other source writes JSON")


def tool(*args):
    got = subprocess.run([os.path.join(TREE, "build/host/bin/nfpchan"), "--json", *args],
                         capture_output=True, text=True, check=False, timeout=60 * SLOW)
    return json.loads(got.stdout) if got.stdout else got.stderr


def check_printed(tmp):
    obj = os.path.join(tmp, "two.o")
    slot = "next:0=second"
    got = subprocess.run(["clang", "-target", "bpf", "-mcpu=v3", "-O2", "-g", "-c", "-xc", "-", "-o", obj],
                         input=OBJECT, capture_output=True, text=True, check=False) \
        if shutil.which("clang") else None
    if not got or got.returncode:
        skip("what xdp explain and xdp link print", got.stderr if got else "no clang")
        return
    doc = tool("xdp", "explain", obj)
    json_keys.check("xdp explain", doc)
    ok(any(i.get("line") for p in doc["programs"] for i in p["issues"]),
       "an issue has its line", doc)
    json_keys.check("xdp explain --split", tool("xdp", "explain", "--split", "--slot", slot, obj))
    json_keys.check("xdp link", tool("xdp", "link", "--native", "--slot", slot, "-o", f"{tmp}/linked.o", obj))


def dumped(name, data, error=0):
    """A symbol as ethtool -w writes it (nfp_net_debugdump.c)."""
    named = name.encode() + bytes(8 - (25 + len(name)) % 8)
    body = struct.pack(">8xIiB", len(data), error, len(named)) + named + data + bytes(-len(data) % 8)
    return struct.pack(">II", 4, len(body)) + body


def check_dump(tmp):
    """A file of ethtool -w with two symbols, of which the driver could not read one."""
    path = os.path.join(tmp, "dump")
    with open(path, "wb") as f:
        f.write(struct.pack(">III4x", 10000, 8, 1000) + dumped("here", b"\x01\x02abc") +
                dumped("lost", bytes(8), -5))
    doc = tool("firmware", "dump", path)
    json_keys.check("firmware dump", doc)
    same(doc, [{"name": "here", "size": 5, "data": "0102616263"},
               {"name": "lost", "size": 8, "error": "Input/output error"}], "both symbols")
    got = subprocess.run([os.path.join(TREE, "build/host/bin/nfpchan"), "firmware", "dump", "-r", path,
                          "here"], capture_output=True, check=False)
    same(got.stdout, b"\x01\x02abc", "--raw writes the bytes")


def main():
    check_sources()
    with tempfile.TemporaryDirectory() as tmp:
        check_printed(tmp)
        check_dump(tmp)
    return done()


if __name__ == "__main__":
    sys.exit(main())
