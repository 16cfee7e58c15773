#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host
# build: build/host/bin/nfpchan
"""nfpchan graph check and show: graphs that are right, and each thing that can be wrong."""

import os
import re
import subprocess
import sys
import tempfile

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
os.chdir(TREE)
sys.path.insert(0, f"{TREE}/selftests/rig")

from cases import cases, refusal
from tap import SLOW, done, ok, same

GOOD = "selftests/graph/branches.graph"
DEVICES = "selftests/graph/devices.graph"
DEVICES_TEXT = """\
frames
`-> decrypt (u32 at 24 = 0x1)
    |-> classify (u32 at 8 = 0x1)
    |   `-> wire
    `-> host (otherwise)
"""
TREE_TEXT = """\
load
|-> echo (u32 at 0 = 0x7)
|   |-> pit (be16 at 4 = 0x100 mask 0xff00)
|   `-> dropped (otherwise)
|-> pit (u8 at 0 = 0x8)
`-> host (otherwise)
"""


def graph(*args):
    return subprocess.run(["build/host/bin/nfpchan", "graph", *args], capture_output=True, text=True,
                          check=False, timeout=60 * SLOW)


def refused(case, folder):
    path = f"{folder}/{case.name}.graph"
    text, line, message = refusal(case)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    run = graph("check", path)
    want = f"nfpchan: {path}:{line}: {message}" if line else f"nfpchan: {path}: {message}"
    ok(run.returncode == 1 and run.stderr.startswith(want) and not run.stdout,
       f"refused: {case.name}.graph", f"{run.returncode}\n{run.stderr}want {want}")


run = graph("check", GOOD)
same(run.stdout, f"{GOOD}: 1 devices, 3 nodes, 5 edges\n", "a valid graph")
same(graph("show", GOOD).stdout, TREE_TEXT, "it is drawn as a tree")
run = subprocess.run(["build/host/bin/nfpchan", "graph", "show", "--dot", GOOD], capture_output=True,
                     text=True, check=False)
same(len(re.findall(r'^\t"(\w+)" -> "(\w+)" \[label=', run.stdout, re.M)), 5, "show --dot prints it for Graphviz")
same(graph("check", DEVICES).stdout, f"{DEVICES}: 4 devices, 4 nodes, 4 edges\n",
     "accelerators, events, a second card, state")
same(graph("show", DEVICES).stdout, DEVICES_TEXT, "show draws them")
with tempfile.TemporaryDirectory() as tmp, open(GOOD, encoding="utf-8") as f:
    good = f.read()
    marked = f"{tmp}/marked.graph"
    with open(marked, "w", encoding="utf-8-sig", newline="\r\n") as f:
        f.write(good)
    same(graph("check", marked).stderr + graph("show", marked).stdout, TREE_TEXT,
         "a byte order mark, and CR at the end of lines")
    with open(marked, "w", encoding="utf-8-sig") as f:
        f.write("\ufeff" + good)
    ok(graph("check", marked).stderr.startswith(f"nfpchan: {marked}:1: "), "a second mark is a word")
    for case in cases("selftests/graph/refused/*.graph").values():
        refused(case, tmp)
run = graph("check", "nowhere.graph")
ok(run.returncode == 1 and "nowhere.graph" in run.stderr, "no file", run.stderr)
run = graph("draw")
ok(run.returncode == 2 and 'no command "draw"' in run.stderr, "no such command", run.stderr)
done()
