#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Guest side of accel.t: a graph gives jobs to an accelerator. Its process is killed, and another
process loads the graph again."""

import json
import os
import select
import signal
import subprocess
import sys

import json_keys
from tap import SLOW, done, ok, same

GRAPH = "selftests/graph/accel.graph"
IMAGE = "00" * 64


def run(*args):
    """Run nfpchan. Return its exit status, stdout and stderr."""
    got = subprocess.run(["nfpchan", *args], capture_output=True, text=True, check=False,
                         timeout=60 * SLOW, stdin=subprocess.DEVNULL)
    return got.returncode, got.stdout, got.stderr


def stats(what="stats"):
    status, out, err = run("graph", what, "--json", "accel")
    if status:
        print(f"# {what}: {status} {err}")
        return {"edges": [], "accelerators": [{}, {}]}
    return json.loads(out)


def holder():
    """Return the process that has loaded the graph."""
    out = subprocess.run(["pgrep", "-f", f"nfpchan graph load {GRAPH}"], capture_output=True,
                         text=True, check=True).stdout
    return int(out)


def job(name):
    """Send a blank image to an ME process, and receive the class that the accelerator returns."""
    same(run("send", "rv-in", "--hex", IMAGE)[0], 0, f"{name}: an image is sent")
    status, out, err = run("recv", "dev1-out", "--count", "1", "--timeout", "10000", "--hex")
    words = out.replace(" ", "").strip()
    ok(status == 0 and len(words) == 2 * (16 + 40) and words[16:24] == "01000000",
       f"{name}: a completion and scores come", f"{status} {out} {err}")


def check_killed():
    fd = os.pidfd_open(holder())
    signal.pidfd_send_signal(fd, signal.SIGKILL)
    select.select([fd], [], [])
    os.close(fd)
    same(run("graph", "stats", "accel")[0], 1, "after its process is killed, the graph is not loaded")


with open("/proc/sys/vm/nr_hugepages", "w", encoding="ascii") as f:
    f.write("16")
same(run("graph", "load", GRAPH), (0, "accel: loaded, 2 edges\n", ""), "a graph with an accelerator")
job("loaded")
edge = stats()["edges"][0]
same([edge[k] for k in ("from", "to", "state", "via", "messages")], ["rv", "classify", "up", "card", 1],
     "its edge has carried one message")
same(stats()["accelerators"], [{"node": "classify", "device": "dig", "done": 1, "failed": 0,
                                "doorbells": 1, "notified": 1, "interrupts": 0}], "the card has rung the doorbell once")
json_keys.check("graph stats", stats())
check_killed()
same(run("graph", "load", GRAPH)[0], 0, "it is loaded again")
job("again")
status, _, err = run("graph", "load", "userspace/examples/graph/images.graph")
ok(status == 1 and "images.graph:" in err, "a graph that needs the same ME process is refused", err)
job("still")
same(stats("unload")["accelerators"][0]["done"], 3, "unload reports three jobs")
same(run("graph", "load", GRAPH)[0], 0, "it is loaded a third time")
job("once more")
same(run("graph", "unload", "accel")[0], 0, "unloaded")
sys.exit(done())
